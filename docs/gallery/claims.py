"""Predicted probabilities against observed frequencies. A reliability diagram needs no bins: its
steps are the edges of the convex hull of the ROC curve. Logistic regression is underconfident,
naive Bayes overconfident.
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
ax = None
for name in ("forest", "logistic", "naive_bayes"):
    curve = rw.roc(data["malignant"], data[name])
    ax = curve.calibration().plot(ax, name=name)
