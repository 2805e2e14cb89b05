"""Net benefits by dcurves, for tests/curves/test_coordinates.py.

Run in an environment of its own:

    pip install dcurves==1.1.7
    python tests/peers/make_dcurves.py
"""

import sys
from importlib.metadata import version

import dcurves
import pandas as pd

data = pd.read_csv("examples/breast_cancer.csv")
found = dcurves.dca(
    data=data,
    outcome="malignant",
    modelnames=["logistic", "naive_bayes"],
    thresholds=[0.1, 0.2, 0.5],
)
table = found[["model", "threshold", "net_benefit"]].to_string(float_format="%.15g")
sys.stdout.write(f"dcurves {version('dcurves')}\n{table}\n")
