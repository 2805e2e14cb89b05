"""How much of an AUC depends on small differences? Left, the curve of the forest and the curve
smeared at the matched width, where its area is the probabilistic AUC. Right, the area over the
width, from the AUC down to one half.
"""

import matplotlib.pyplot as plt
import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
y_true, forest = data["malignant"], data["forest"]
figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 5), layout="constrained")
rw.smeared_roc(y_true, forest).plot(left, name="forest")
rw.matched_width(y_true, forest).plot(right)
