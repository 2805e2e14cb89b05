"""The section on sensibility: do probabilities fall on the right side of their midpoint?"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.drift.sensibility import Split, sensibility
from rocwalk.errors import TallyError
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import count, few_digits, rate
from rocwalk.report.rater_findings import noted
from rocwalk.tally.walk import spread

MOST_STEPS = 300
_START = 0.5


def sensibility_section(findings: Findings) -> Content | None:
    """Sensibility and capability at every threshold, of models whose scores are probabilities."""
    if not findings.probabilities:
        return None
    tallies = {k: findings.tallies[k] for k in findings.probabilities}
    if findings.study.shared is not None:
        raise TallyError(
            "The midpoint needs the sum of the scores, which shared tallies do not contain.",
            "make the tally of the rows.",
        )
    found, notes = noted(lambda: {k: sensibility(tally) for k, tally in tallies.items()})
    rows, drawn = [], []
    for k, one in found.items():
        split, start, decimals = one.split, one.at(_START), findings.models[k].decimals
        rows.append(
            {
                "model": findings.names[k],
                "cells": [
                    rate(one.midpoint),
                    rate(one.struggle_ratio),
                    *(count(mass, decimals) for mass in (split.sensible, split.other)),
                ],
                "live": [rate(start.sensibility), rate(start.capability)],
            }
        )
        # with these masses the script finds both accuracies at any threshold
        masses = {
            "up": split.walk.up[split.above].item(),
            "right": split.walk.right[split.above].item(),
            "sensible": split.sensible,
            "other": split.other,
        }
        drawn.append({"place": k} | curves_of(split) | masses)
    return Content(
        {
            "others": findings.others,
            "notes": notes,
            "rows": rows,
            "sentences": [(findings.names[k], one.sentence) for k, one in found.items()],
            "beyond": [findings.names[k] for k, one in found.items() if one.midpoint > 1],
            "cut": any(len(one.thresholds) > MOST_STEPS for one in found.values()),
            "most": MOST_STEPS,
            "bucketed": any(findings.models[k].tally.is_bucketed for k in found),
        },
        {"description": "sensibility and capability by threshold", "models": drawn},
    )


def curves_of(split: Split) -> dict[str, Any]:
    """Return the midpoint and both step curves, through fewer steps where there are very many.

    The first value of a curve holds above the first threshold; a curve that is undefined is None.
    The steps that are kept are spread evenly along both curves.
    """
    kept = np.arange(len(split.walk))
    if len(kept) > MOST_STEPS:
        columns = (np.append(1.0, split.walk.thresholds[1:]), split.sensibility, split.capability)
        way = sum(np.abs(np.diff(np.nan_to_num(column), prepend=column[:1])) for column in columns)
        way = np.cumsum(np.nan_to_num(way))
        kept = np.union1d(spread(2 * way / way[-1], MOST_STEPS - 1), [split.above])
    curves = {"sensibility": split.sensibility[kept], "capability": split.capability[kept]}
    return {
        "midpoint": split.midpoint,
        "thresholds": few_digits(split.walk.thresholds[kept][1:]),
        "thinned": len(kept) < len(split.walk),
    } | {
        name: None if np.isnan(values).any() else few_digits(values)
        for name, values in curves.items()
    }
