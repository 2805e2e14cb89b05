"""Numbers as rows of a table: those of a window of time, and what drift has found in it."""

from __future__ import annotations

import math
from typing import Any

from rocwalk.curves.calibration import brier_influence
from rocwalk.drift.drift import Drift, finding_row
from rocwalk.drift.request import DECIDING
from rocwalk.errors import RocwalkError, collecting
from rocwalk.inference.distributions import normal_quantile
from rocwalk.inference.influence import error_range, variance_of
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.statistic import Statistic, statistic_of

NUMBERS = (*DECIDING, "brier", "log_oe")
Ends = tuple[float, float, float]  # a value, and both ends of its interval


def numbers_of(evidence: Evidence, level: float) -> dict[str, Ends]:
    """Return the numbers that are followed, each with both ends of its interval; NaN for none.

    The Brier score is a mean of squares, with the normal interval of a mean. "log_oe" is the
    calibration in the large, the logarithm of observed to expected positives, log(Σwy/Σwp). The
    midpoint t is Σwp/(2Σwy), so that it is −log 2t, with the same interval.
    """
    found = {name: _number(statistic_of(name), evidence, level) for name in NUMBERS[:-1]}
    value, low, high = (-math.log(2 * t) if t > 0 else math.nan for t in found["midpoint"])
    return {**found, "log_oe": (value, high, low)}


def _number(statistic: Statistic, evidence: Evidence, level: float) -> Ends:
    tally = evidence.tally
    if statistic.needs_both and not (tally.total_up > 0 and tally.total_right > 0):
        return math.nan, math.nan, math.nan
    value = float(statistic.of(tally))
    with collecting():  # how many items there are is shown beside the interval
        try:
            if statistic.name == "brier":
                influence = brier_influence(tally)
                error = (
                    math.sqrt(variance_of(tally, influence, fixed=False))
                    if evidence.cluster is None
                    else error_range(evidence, influence)[1]
                )
                reach = normal_quantile((1 + level) / 2) * error
                return value, max(value - reach, 0.0), min(value + reach, 1.0)
            one = interval_of(evidence, Request(statistic, level, "auto", Plan(1)))
        except RocwalkError:  # too few items for an interval
            return value, math.nan, math.nan
    return one.estimate, one.low, one.high


def parts_row(drift: Drift | None) -> dict[str, Any]:
    """Return what drift has found of AUC, midpoint and struggle ratio as one flat row.

    The value in the reference, the difference with its interval, its parts with theirs, and the
    p-value of the model's part, adjusted over the three; then θ as "odds". NaN without drift.
    """
    row: dict[str, Any] = {}
    for name in DECIDING:
        known = {} if drift is None else finding_row(drift.findings[name])
        row[f"{name}_reference"] = known.get("reference")
        row[f"{name}_difference"] = known.get("difference")
        row[f"{name}_difference_low"] = known.get("low")
        row[f"{name}_difference_high"] = known.get("high")
        for part in ("population", "odds", "model"):
            for end in ("", "_low", "_high"):
                row[f"{name}_{part}{end}"] = known.get(f"{part}{end}")
        row[f"{name}_p_value"] = known.get("model_adjusted_p_value")
    for end, key in (("", "value"), ("_low", "low"), ("_high", "high")):
        row[f"odds{end}"] = None if drift is None else getattr(drift.odds, key)
    return {name: math.nan if value is None else value for name, value in row.items()}
