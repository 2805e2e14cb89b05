"""Five folds, one curve each, and their mean with its spread: how much would another split of the
same data change?
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
curves = [rw.roc(part["malignant"], part["logistic"]) for _, part in data.groupby("fold")]
rw.average(curves).plot(name="logistic, mean of five folds")
