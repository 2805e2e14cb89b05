"""The section on calibration: how far the scores are probabilities of the outcome."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rocwalk.curves.calibration import Blocks
from rocwalk.curves.reliability import DISTANCES, Calibration, heading
from rocwalk.curves.shared_calibration import shared_calibration
from rocwalk.errors import RocwalkError, RocwalkWarning, collecting
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import (
    between,
    few_digits,
    level_words,
    p_text,
    rate,
    unbroken,
    with_ends,
)
from rocwalk.report.recalibrations import RECALIBRATION_COLUMNS
from rocwalk.tally.sharing import SharedTally
from rocwalk.tally.walk import refuse_buckets, spread

_MOST_BLOCKS = 150
_DISTANCES = [name for name in DISTANCES if name != "ici"]  # which has a column with its interval


def calibration_section(findings: Findings) -> Content | None:
    """Reliability diagrams and losses in three parts, of models whose scores are probabilities."""
    if findings.study.shared is not None:
        return _shared_section(findings, findings.study.shared)
    for k in findings.probabilities:
        refuse_buckets(findings.tallies[k], "Calibration")
    if not findings.calibrations:
        return None
    found = findings.calibrations
    most = max((len(one.blocks.value) for one in found.values()), default=0)
    rows = [
        [findings.names[k], loss]
        + [rate(v) for v in (p.loss, p.uncertainty, p.discrimination, p.miscalibration)]
        for k, one in found.items()
        for loss, p in (("Brier", one.brier), ("Log", one.log_loss))
    ]
    return Content(
        {
            "promises": [
                {"model": findings.names[k], "cells": _numbers(findings, k)} for k in found
            ],
            "distances": [
                {"model": findings.names[k], "cells": _distances(found[k], findings)} for k in found
            ],
            "recalibrations": _recalibrations(findings) if findings.whole_calibration else None,
            "distance_titles": [heading(name) for name in _DISTANCES],
            "left_out": sum(
                made.left_out
                for k in found
                if (made := findings.promises[k].recalibration) is not None
            ),
            "level": level_words(findings.level),
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
                | {"band": [few_digits(c) for c in (band.scores, band.low, band.high)]}
                | _smooth(one)
                for k, one in found.items()
                for band in [one.consistency_band]
            },
        },
    )


def _shared_section(findings: Findings, shared: Mapping[str, SharedTally]) -> Content | None:
    """Groups of buckets with the share of positives in each; the scores inside are not known."""
    parts = list(shared.values())
    found = {
        k: shared_calibration(parts[k], confidence_level=findings.level)
        for k in findings.probabilities
    }
    if not found:
        return None
    return Content(
        {
            "level": level_words(findings.level),
            "others": findings.others,
            "noised": findings.study.is_noised,
            "sentences": [(findings.names[k], one.sentence) for k, one in found.items()],
            "tables": [
                {
                    "model": findings.names[k],
                    "rows": [
                        [rate(low, 3), rate(high, 3), f"{items:,}", with_ends(share, *ends)]
                        for low, high, items, share, *ends in zip(
                            one.lowest,
                            one.highest,
                            one.items,
                            one.share,
                            one.low,
                            one.high,
                            strict=True,
                        )
                    ],
                }
                for k, one in found.items()
            ],
            "promises": [
                [
                    findings.names[k],
                    *(
                        with_ends(x.estimate, x.low, x.high)
                        for x in (one.expected_observed, one.brier)
                    ),
                ]
                for k, one in found.items()
            ],
        },
        template="calibration_shared",
    )


def _numbers(findings: Findings, k: int) -> list[str]:
    """Return expected over observed, slope, intercept and ICI of a model, with intervals."""

    def written(ends: tuple[float, float, float], digits: int = 2) -> str:
        value, low, high = (rate(x, digits) for x in ends)
        return value if "undefined" in (low, high) else f"{value} ({between(low, high)})"

    one = findings.promises[k]
    value, low, high = one.observed
    made = one.recalibration
    return [
        written((1 / value, 1 / high, 1 / low)),
        *(["undefined"] * 2 if made is None else [written(made.slope), written(made.intercept)]),
        written(findings.ici[k], 3),
    ]


def _distances(one: Calibration, findings: Findings) -> list[str]:
    """Return the distances from calibration, and the p-values of both tests.

    With their intervals where the whole calibration is asked for, and the sample allows them.
    """
    cells = [rate(getattr(one, name), 3) for name in _DISTANCES]
    if findings.whole_calibration:
        with contextlib.suppress(RocwalkError), collecting(RocwalkWarning):
            ends = [one.intervals[name] for name in _DISTANCES]
            words = [with_ends(x.estimate, x.low, x.high).partition(" ") for x in ends]
            cells = [f"{value} {unbroken(rest)}" for value, _, rest in words]
    tests = one.spiegelhalter.p_value, one.hosmer_lemeshow().p_value
    return [*cells, *map(p_text, tests)]


def _recalibrations(findings: Findings) -> dict[str, Any]:
    """Return the maps of each model with their numbers, and what they mean or why not."""
    rows, sentences = [], []
    for k, found in findings.recalibrations.items():
        model = findings.names[k]
        if isinstance(found, str):
            sentences.append(f"{model} has no recalibrations: {found}")
            continue
        sentences.append(f"{model}: {found.sentence}")
        columns = found.to_dict()
        for i, method in enumerate(columns["method"]):
            values = [rate(columns[column][i]) for column in RECALIBRATION_COLUMNS]
            rows.append([model, "none (as they are)" if method == "none" else method, *values])
    return {"titles": list(RECALIBRATION_COLUMNS.values()), "rows": rows, "sentences": sentences}


def _smooth(one: Calibration) -> dict[str, Any]:
    """Return the smooth curve and its bands, at some of the scores spread evenly."""
    smooth = replace(one, method="smooth")
    cells, bands = smooth.cells, (smooth.consistency_band, smooth.confidence_band)
    kept = np.unique(np.linspace(0, len(cells.scores) - 1, _MOST_BLOCKS).astype(int))
    columns = {"scores": cells.scores, "value": cells.smooth}
    columns |= {"low": bands[0].low, "high": bands[0].high}
    columns |= {"least": bands[1].low, "greatest": bands[1].high}
    return {"smooth": {name: few_digits(column[kept]) for name, column in columns.items()}}


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
