"""The section on a threshold and all that follows from it."""

from __future__ import annotations

import numpy as np

from rocwalk.report.document import Content
from rocwalk.report.findings import Findings

_RATES = (
    ("tpr", "Sensitivity", "positives that are found"),
    ("specificity", "Specificity", "negatives that are spared"),
    ("fpr", "False positive rate", "negatives that are called positive"),
    ("accuracy", "Accuracy", "right decisions in these data"),
    ("f_measure", "F measure", "of precision and recall"),
    ("youden", "TPR − FPR", "Youden’s index"),
)
_VALUES = (
    ("precision", "Positive predictive value", "of those called positive"),
    ("negative_predictive_value", "Negative predictive value", "of those called negative"),
    ("predicted_positive_rate", "Rate of calls", "share called positive, the budget"),
    ("lift", "Lift", "positives found, against as many calls at random"),
)


def threshold_section(findings: Findings) -> Content | None:
    """A threshold, at first that of the largest TPR − FPR, and all that follows from it."""
    if not findings.models:
        return None
    start = [
        int(one.hull[np.argmax((one.walk.tpr - one.walk.fpr)[one.hull])]) for one in findings.models
    ]
    return Content(
        {"names": findings.names, "rates": _RATES, "values": _VALUES},
        {"description": "ROC curve with the point of the threshold", "start": start},
    )
