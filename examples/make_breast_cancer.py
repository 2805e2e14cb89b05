"""Make examples/breast_cancer.csv: held-out predictions of three models on real tumours.

The data are the Wisconsin Diagnostic Breast Cancer data (Wolberg, Mangasarian, Street & Street
1995, UCI Machine Learning Repository, CC BY 4.0), as scikit-learn ships them. Each prediction was
made by a model that had not seen the row (five folds).
"""

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=0.01)),
    "naive_bayes": GaussianNB(),
    "forest": RandomForestClassifier(n_estimators=25, max_depth=3, random_state=0),
}
FEATURES = ["mean texture", "mean smoothness", "mean symmetry", "mean compactness"]


def main() -> None:
    data = load_breast_cancer()
    columns = [list(data.feature_names).index(name) for name in FEATURES]
    x, malignant = data.data[:, columns], 1 - data.target
    radius = data.data[:, list(data.feature_names).index("mean radius")]
    size = np.where(radius < np.median(radius), "small", "large")
    fold = np.zeros(len(x), dtype=int)
    scores = {name: np.zeros(len(x)) for name in MODELS}
    splits = StratifiedKFold(5, shuffle=True, random_state=0).split(x, malignant)
    for number, (train, test) in enumerate(splits, start=1):
        fold[test] = number
        for name, model in MODELS.items():
            scores[name][test] = model.fit(x[train], malignant[train]).predict_proba(x[test])[:, 1]
    with (Path(__file__).parent / "breast_cancer.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["malignant", *MODELS, "fold", "size"])
        for row in range(len(x)):
            values = [f"{scores[name][row]:.6f}" for name in MODELS]
            writer.writerow([malignant[row], *values, fold[row], size[row]])


if __name__ == "__main__":
    main()
