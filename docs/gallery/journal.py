"""A ROC figure for a journal: 89 mm wide, lines that differ in grey, areas with intervals, circles
at the operating points. Its ``save`` writes PDF, SVG, PNG and TIFF.
"""

import rocwalk as rw

figure = rw.figure(
    "examples/breast_cancer.csv",
    "roc",
    label="malignant",
    score=["logistic", "forest"],
    threshold=0.4,
)
figure.plot()
