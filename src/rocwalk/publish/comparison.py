"""The comparison table: models beside each other, and their differences from the first."""

from __future__ import annotations

import math

from rocwalk.errors import OptionError, RocwalkError, RocwalkWarning, collecting
from rocwalk.inference.comparisons import Comparison
from rocwalk.inference.interval_result import Interval
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.methods import Methods
from rocwalk.publish.content import TableContent, distinct, with_interval
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import level_words, p_text, signed, with_ends
from rocwalk.statistic import statistic_of

_RESAMPLES = 2000


def comparison_rows(findings: Findings) -> TableContent:
    """Return one row a model: its area, the difference from the first model, its calibration."""
    found = auc_comparison(findings)
    names, level = distinct(findings.names), level_words(findings.level)
    several = len(found.pairs) > 1
    probabilities = len(findings.probabilities) == len(names)
    headers = ["Model", f"AUC ({level} CI)", f"Difference from {names[0]} ({level} CI)", "p"]
    headers += ["Adjusted p"] if several else []
    headers += [f"Brier score ({level} CI)", f"Calibration slope ({level} CI)"] * probabilities
    rows, made = [], found.methods()
    for k, name in enumerate(names):
        area = interval_on(findings, k, "auc")
        row = [name, _written(area, findings.tallies[k].area), *_against(found, k, several=several)]
        made = _with(made, area)
        if probabilities:
            brier, slope = (
                interval_on(findings, k, each) for each in ("brier", "calibration_slope")
            )
            row += [_written(brier, math.nan), _written(slope, math.nan)]
            made = _with(_with(made, brier), slope)
        rows.append(tuple(row))
    notes = "CI: confidence interval. Differences are paired: all models on the same items."
    if several:
        notes += f" Adjusted p: Holm’s, over all {len(found.pairs)} pairs."
    items = 0 if findings.study.paired is None else len(findings.study.paired.truth)
    return TableContent(
        title=f"Comparison of {len(names)} models on {items:,} items",
        headers=tuple(headers),
        rows=tuple(rows),
        notes=(notes,),
        methods=made,
    )


def auc_comparison(findings: Findings) -> Comparison:
    """Return the comparison of the areas, or raise with why there is none."""
    if isinstance(findings.comparisons, str):
        raise OptionError(
            f"The models cannot be compared: {findings.comparisons}",
            "name two columns of scores or more, on the same rows.",
        )
    by_area = [one for one in findings.comparisons if one.statistic == "auc"]
    if not by_area:
        raise OptionError(
            "The models were not compared by AUC.", "a comparison of areas needs hard labels."
        )
    return by_area[0]


def interval_on(findings: Findings, k: int, statistic: str) -> Interval | None:
    """Return a number of a model with its interval; None where there is none."""
    request = Request(
        statistic_of(statistic), findings.level, "auto", Plan(_RESAMPLES, findings.seed)
    )
    try:
        with collecting(RocwalkWarning):
            return interval_of(findings.evidence[k], request)
    except RocwalkError:
        return None


def _written(found: Interval | None, value: float) -> str:
    if found is None:
        return with_interval((value, math.nan, math.nan))
    return with_interval((found.estimate, found.low, found.high))


def _with(made: Methods, found: Interval | None) -> Methods:
    return made if found is None else made + found.methods()


def _against(found: Comparison, k: int, *, several: bool) -> list[str]:
    """Write the difference of a model from the first, with its p-values."""
    if k == 0:
        return ["reference", *([""] * (1 + several))]
    pair = next(one for one in found.pairs if {one.a, one.b} == {0, k})
    turned = -1 if pair.a == 0 else 1
    low, high = sorted((turned * pair.low, turned * pair.high))
    words = with_ends(turned * pair.difference, low, high, signed)
    chances = [p_text(pair.p_value)]
    return [words, *chances, *([p_text(pair.adjusted_p_value)] if several else [])]
