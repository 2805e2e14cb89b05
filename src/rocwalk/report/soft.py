"""The section on soft ROC curves: the steps of the walk sized by the scores."""

from __future__ import annotations

import math

from rocwalk.report.evidence import Content, Material
from rocwalk.report.numbers import rate
from rocwalk.tally.steps import step_rule, turn_masses
from rocwalk.tally.tally import Tally, area_of_steps
from rocwalk.tally.walk import refuse_buckets

_START = 0.5


def soften_steps(material: Material) -> Content | None:
    """The curves of three step rules side by side, of models whose scores are probabilities."""
    if not material.probabilities:
        return None
    tallies = {k: material.tallies[k] for k in material.probabilities}
    for tally in tallies.values():
        refuse_buckets(tally, "A soft curve")
    bucketed = any(material.models[k].tally.is_bucketed for k in tallies)
    return Content(
        {
            "others": material.others,
            "rows": [_row(material.names[k], tally) for k, tally in tallies.items()],
            "bucketed": bucketed,
        },
        {
            "description": {
                "truth": "ROC curves",
                "single": "Soft ROC curves, single steps",
                "both": "Soft ROC curves, steps both ways",
            },
            "models": [{"place": k, "both": _area(t, "both", _START)} for k, t in tallies.items()],
        },
    )


def _row(name: str, tally: Tally) -> list[str]:
    mean = _area(tally, "both", tally.mean_score)
    return [
        name,
        rate(tally.area),
        rate(_area(tally, "single")),
        rate(_area(tally, "both", _START)),
        f"{rate(mean)} (at {rate(tally.mean_score, 3)})",
        rate(_area(tally, "blind")),
    ]


def _area(tally: Tally, steps: str, threshold: float | None = None) -> float:
    """Return the area by a step rule; NaN where no item steps up, or none right."""
    rule = step_rule(steps)
    up, right = turn_masses(rule, threshold, tally.scores, tally.up, tally.right)
    if not (up.sum() > 0 and right.sum() > 0):
        return math.nan
    return float(area_of_steps(up, right))
