"""Three models of 569 breast tumours, with a 95 % confidence band for the best of them. The band
contains the whole true curve in 95 of 100 samples, not just one point of it.
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
ax = rw.band(data["malignant"], data["forest"], rng=0).plot(name="forest")
for name in ("logistic", "naive_bayes"):
    rw.roc(data["malignant"], data[name]).plot(ax, name=name)
