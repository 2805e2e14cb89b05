"""Two models, three walks. The ordinary curve takes steps of one size; soft curves take steps as
long as the score, so a model that is sure of itself climbs faster where it is right, and pays where
it is wrong.
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
models = {name: data[name] for name in ("logistic", "naive_bayes")}
rw.soft_curves(data["malignant"], models).plot()
