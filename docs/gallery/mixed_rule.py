"""No single threshold gives exactly ten false alarms in a hundred; a coin between two of them does,
on the line between two corners of the common hull of all models.
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
names = ("forest", "logistic", "naive_bayes")
curves = {name: rw.roc(data["malignant"], data[name]) for name in names}
rw.mix(curves, fpr=0.1).plot()
