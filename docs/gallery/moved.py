"""One model in two groups of patients, for every threshold. Solid: sensibility, the forest's
accuracy on the sensible tumours; dashed: capability, its accuracy on the others. The AUC is
nearly the same for large tumours (the reference) and for small ones (current). The midpoints
differ: 0.37, the dotted line, and 1.97, outside the picture. Small tumours are rarely malignant,
and the scores predict almost four malignant tumours for each observed one.
"""

import pandas as pd

import rocwalk as rw

data = pd.read_csv("examples/breast_cancer.csv")
large, small = (data[data["size"] == size] for size in ("large", "small"))
found = rw.drift((large["malignant"], large["forest"]), (small["malignant"], small["forest"]))
ax = found.plot()
ax.set_title(f"AUC p = {found.findings['auc'].p_value:.2f}, verdict: {found.verdict}")
