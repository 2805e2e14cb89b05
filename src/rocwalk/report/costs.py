"""The section on costs and prevalence: the best thresholds for them."""

from __future__ import annotations

from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import rounded_up


def costs_section(findings: Findings) -> Content | None:
    """The best thresholds for costs and a prevalence."""
    if not findings.models:
        return None
    regret = max(one.regret for one in findings.models)
    words = None
    if regret:
        words = (
            "A hull here has more corners than the page can carry. The numbers of the rules shown "
            f"are exact; a rule that is better by at most {rounded_up(regret)} × cost of a miss × "
            "prevalence may lie between them."
        )
    return Content({"regret": words}, {"description": "Hulls with the line of equal cost"})
