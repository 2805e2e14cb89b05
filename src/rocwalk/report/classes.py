"""The section on several classes: each against the rest, and all pairs."""

from __future__ import annotations

import numpy as np

from rocwalk.report.document import Content
from rocwalk.report.embedded import drawn
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import rate, shown


def classes_section(findings: Findings) -> Content | None:
    """Each class against the rest, and the classes in pairs."""
    areas = findings.classes
    if areas is None:
        return None
    curves = [
        {"name": shown(label), "auc": rate(areas.areas[label]), **drawn(walk)}
        for label, walk in areas.walks.items()
        if not np.isnan(areas.areas[label])
    ]
    return Content(
        {
            "classes": [
                (shown(label), rate(areas.prevalence[label]), rate(areas.areas[label]))
                for label in areas.labels
            ],
            "pairs": [(shown(i), shown(j), rate(x)) for (i, j), x in areas.pairwise.items()],
        },
        {"description": "ROC curve of each class against the rest", "curves": curves},
    )
