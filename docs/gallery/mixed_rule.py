"""No single threshold has a false positive rate of exactly 10 %; a random choice between two of
them does, on the line between two vertices of the common hull of all models.
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
names = ("forest", "logistic", "naive_bayes")
curves = {name: rw.roc(data["malignant"], data[name]) for name in names}
rw.mix(curves, fpr=0.1).plot()
