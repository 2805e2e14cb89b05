"""The section on sensibility: do probabilities fall on the right side of their midpoint?"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.drift.sensibility import Sensibility, Split, sensibility
from rocwalk.report.evidence import Content, Material
from rocwalk.report.numbers import count, few_digits, noted, rate
from rocwalk.tally.walk import spread
from rocwalk.typing import IntArray

MOST_STEPS = 300


_START = 0.5


def split_scores(material: Material) -> Content | None:
    """Sensibility and capability at every threshold, of models whose scores are probabilities."""
    if not material.probabilities:
        return None
    tallies = {k: material.tallies[k] for k in material.probabilities}
    found, notes = noted(lambda: {k: sensibility(tally) for k, tally in tallies.items()})
    return Content(
        {
            "others": material.others,
            "notes": notes,
            "rows": [_row(material, k, one) for k, one in found.items()],
            "sentences": [(material.names[k], one.sentence) for k, one in found.items()],
            "beyond": [material.names[k] for k, one in found.items() if one.midpoint > 1],
            "cut": any(len(one.thresholds) > MOST_STEPS for one in found.values()),
            "most": MOST_STEPS,
            "bucketed": any(material.models[k].tally.is_bucketed for k in found),
        },
        {
            "description": "sensibility and capability by threshold",
            "models": [{"place": k} | _carried(one.split) for k, one in found.items()],
        },
    )


def _row(material: Material, k: int, one: Sensibility) -> dict[str, Any]:
    decimals, start = material.models[k].decimals, one.at(_START)
    masses = (one.split.sensible, one.split.other)
    return {
        "model": material.names[k],
        "cells": [
            rate(one.midpoint),
            rate(one.struggle_ratio),
            *(count(mass, decimals) for mass in masses),
        ],
        "live": [rate(start.sensibility), rate(start.capability)],
    }


def _carried(split: Split) -> dict[str, Any]:
    """Return what the script needs to find both accuracies at any threshold, and the curves."""
    return curves_of(split) | {
        "up": split.walk.up[split.above].item(),
        "right": split.walk.right[split.above].item(),
        "sensible": split.sensible,
        "other": split.other,
    }


def curves_of(split: Split) -> dict[str, Any]:
    """Return the midpoint and both step curves, through fewer steps where there are very many.

    The first value of a curve holds above the first threshold; a curve that is undefined is None.
    """
    kept = _kept(split)
    curves = {"sensibility": split.sensibility[kept], "capability": split.capability[kept]}
    return {
        "midpoint": split.midpoint,
        "thresholds": few_digits(split.walk.thresholds[kept][1:]),
        "thinned": len(kept) < len(split.walk),
    } | {
        name: None if np.isnan(values).any() else few_digits(values)
        for name, values in curves.items()
    }


def _kept(split: Split) -> IntArray:
    """Return the points to draw: all, or some that are spread evenly along both curves."""
    points = len(split.walk)
    if points <= MOST_STEPS:
        return np.arange(points)
    columns = (np.append(1.0, split.walk.thresholds[1:]), split.sensibility, split.capability)
    way = sum(np.abs(np.diff(np.nan_to_num(column), prepend=column[:1])) for column in columns)
    way = np.cumsum(np.nan_to_num(way))
    kept = spread(2 * way / way[-1], MOST_STEPS - 1)
    return np.union1d(kept, [split.above])
