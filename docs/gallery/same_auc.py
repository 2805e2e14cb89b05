"""Two models with identical ROC curves and different probabilities."""

import matplotlib.pyplot as plt

import rocwalk as rw

known, new = rw.datasets.flu(n=2000, rng=1), rw.datasets.flu(n=2000, rng=2)
honest = rw.datasets.naive_bayes(known).predict(new)
models = {"honest": honest, "alarmist": 6 * honest / (6 * honest + 1 - honest)}

figure, (bare, smeared, claims) = plt.subplots(1, 3, figsize=(13.5, 4.9), layout="constrained")
for name, p in models.items():
    curve = rw.roc(new.y, p)
    curve.plot(bare, name=name)
    rw.smeared_roc(new.y, p).plot(smeared, name=name)
    curve.calibration().plot(claims, name=name)
bare.set_title("One ROC curve, one AUC …")
smeared.set_title("… but unlike distances between the classes …")
claims.set_title("… and one of them promises too much")
