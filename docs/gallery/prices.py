"""Cost curves. Left, the expected cost of the best rule of each model for every cost of a miss.
Right, the cost of using the scores as probabilities. Where the right curve lies above the left
one, the model has to be calibrated before its probabilities are used for decisions.
"""

import matplotlib.pyplot as plt
import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 5), layout="constrained")
for name in ("forest", "logistic", "naive_bayes"):
    curve = rw.roc(data["malignant"], data[name])
    curve.cost_curve().loss.plot(left, name=name)
    curve.brier_curve().plot(right, name=name)
right.set_ylim(left.get_ylim())
