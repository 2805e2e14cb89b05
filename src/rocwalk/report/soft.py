"""The section on soft ROC curves: the steps of the walk sized by the scores."""

from __future__ import annotations

import math

from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import rate
from rocwalk.tally.steps import step_rule, turn_masses
from rocwalk.tally.tally import Tally, area_of_steps
from rocwalk.tally.walk import refuse_buckets

_START = 0.5


def soft_section(findings: Findings) -> Content | None:
    """The curves of three step rules side by side, of models whose scores are probabilities."""
    if not findings.probabilities:
        return None
    rows, models = [], []
    for k in findings.probabilities:
        tally = findings.tallies[k]
        refuse_buckets(tally, "A soft curve")
        at_start, at_mean = (_area(tally, "both", at) for at in (_START, tally.mean_score))
        rows.append(
            [
                findings.names[k],
                rate(tally.area),
                rate(_area(tally, "single")),
                rate(at_start),
                f"{rate(at_mean)} (at {rate(tally.mean_score, 3)})",
                rate(_area(tally, "blind")),
            ]
        )
        models.append({"place": k, "both": at_start})
    return Content(
        {
            "others": findings.others,
            "rows": rows,
            "bucketed": any(findings.models[k].tally.is_bucketed for k in findings.probabilities),
        },
        {
            "description": {
                "truth": "ROC curves",
                "single": "Soft ROC curves, single steps",
                "both": "Soft ROC curves, steps both ways",
            },
            "models": models,
        },
    )


def _area(tally: Tally, steps: str, threshold: float | None = None) -> float:
    """Return the area by a step rule; NaN where no item steps up, or none right."""
    rule = step_rule(steps)
    up, right = turn_masses(rule, threshold, tally.scores, tally.up, tally.right)
    if not (up.sum() > 0 and right.sum() > 0):
        return math.nan
    return float(area_of_steps(up, right))
