"""One curve for each of five folds, and their mean with its spread, which shows the variation
between splits of the same data.
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
curves = [rw.roc(part["malignant"], part["logistic"]) for _, part in data.groupby("fold")]
rw.average(curves).plot(name="logistic, mean of five folds")
