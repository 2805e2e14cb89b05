"""The section on precision and recall."""

from __future__ import annotations

from rocwalk.curves.precision import precision_walk
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import rate


def precision_section(findings: Findings) -> Content | None:
    """Precision against recall, with the average precision of each model."""
    if not findings.models:
        return None
    areas = [rate(precision_walk(one.exact).average_precision) for one in findings.models]
    return Content({}, {"description": "Precision against recall", "average_precision": areas})
