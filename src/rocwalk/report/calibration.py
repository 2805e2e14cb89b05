"""The section on calibration: how far the scores are the probabilities that they claim to be."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.curves.calibration import Blocks, calibration_of
from rocwalk.curves.reliability import consistency_band
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings, Promise
from rocwalk.report.numbers import between, few_digits, level_words, rate
from rocwalk.tally.walk import spread

_MOST_BLOCKS = 150


def calibration_section(findings: Findings) -> Content | None:
    """Reliability diagrams and losses in three parts, of models whose scores are probabilities."""
    if not findings.probabilities:
        return None
    found = {k: calibration_of(findings.tallies[k]) for k in findings.probabilities}
    most = max(len(one.blocks.value) for one in found.values())
    rows = [
        [findings.names[k], loss]
        + [rate(v) for v in (p.loss, p.uncertainty, p.discrimination, p.miscalibration)]
        for k, one in found.items()
        for loss, p in (("Brier", one.brier), ("Log", one.log_loss))
    ]
    bands = {k: consistency_band(findings.evidence[k], findings.level) for k in found}
    promises = [_promise(findings.names[k], findings.promises[k]) for k in found]
    return Content(
        {
            "promises": promises,
            "left_out": sum(each["left_out"] for each in promises),
            "level": level_words(findings.level),
            "banded": any(each is not None for each in bands.values()),
            "others": findings.others,
            "sentences": [(findings.names[k], one.sentence) for k, one in found.items()],
            "rows": rows,
            "infinite": any(np.isinf(one.log_loss.loss) for one in found.values()),
            "cut": f"{most:,}" if most > _MOST_BLOCKS else None,
            "most": _MOST_BLOCKS,
        },
        {
            "description": "share of positives by score",
            "models": {
                str(k): _drawn(one.blocks)
                | {
                    "band": [few_digits(each) for each in (band.scores, band.low, band.high)]
                    if (band := bands[k])
                    else None
                }
                for k, one in found.items()
            },
        },
    )


def _promise(name: str, one: Promise) -> dict[str, Any]:
    """Return observed over expected, slope and intercept of a model, in words."""

    def written(ends: tuple[float, float, float]) -> str:
        value, low, high = (rate(x, 2).replace("-", "−") for x in ends)
        return value if "undefined" in (low, high) else f"{value} ({between(low, high)})"

    made = one.recalibration
    return {
        "model": name,
        "cells": [written(one.observed)]
        + (["undefined"] * 2 if made is None else [written(made.slope), written(made.intercept)]),
        "left_out": 0 if made is None else made.left_out,
    }


def _drawn(found: Blocks) -> dict[str, Any]:
    """Return the blocks; of very many only some, spread evenly along the line."""
    kept = np.arange(len(found.value))
    if len(kept) > _MOST_BLOCKS:
        way = found.mean_score + found.value
        way = 2 * (way - way[0]) / (way[-1] - way[0])
        kept = np.unique(spread(way, _MOST_BLOCKS))
    columns = {
        "lowest": found.lowest,
        "highest": found.highest,
        "value": found.value,
        "share": found.share,
    }
    return {name: few_digits(column[kept]) for name, column in columns.items()}
