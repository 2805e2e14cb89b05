"""Net benefit of two models, compared with treating everybody and treating nobody, for every
threshold probability.
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
ax = None
for name in ("forest", "naive_bayes"):
    curve = rw.roc(data["malignant"], data[name])
    ax = curve.decision_curve().plot(ax, name=name)
