"""ROC curves and soft ROC curves of two models. The ordinary curve has steps of one size; the
steps of soft curves depend on the score, so a confident model rises faster where it is right and
slower where it is wrong.
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
models = {name: data[name] for name in ("logistic", "naive_bayes")}
rw.soft_curves(data["malignant"], models).plot()
