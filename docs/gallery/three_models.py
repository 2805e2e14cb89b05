"""Three models of 569 breast tumours, and how sure the data are of the best of them. The band holds
the whole true curve in 95 of 100 samples, not just one point of it.
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
ax = rw.band(data["malignant"], data["forest"], rng=0).plot(name="forest")
for name in ("logistic", "naive_bayes"):
    rw.roc(data["malignant"], data[name]).plot(ax, name=name)
