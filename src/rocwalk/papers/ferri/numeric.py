"""§3.2: the two examples, with the widths that the paper found in small steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocwalk.curves.roc import Curve
from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.ferri.place import SD_OF_SEGMENT, area_at, at, match_of, matched_curve, width_of
from rocwalk.papers.row import Row, Value, text_of
from rocwalk.smear.widths import WidthMatch

KERNELS: Mapping[str, Mapping[str, Any]] = {
    "uniform": {"kernel": "uniform"},
    "normal": {"kernel": "normal", "sd_per_width": SD_OF_SEGMENT},
}
SAMPLES = {1: "ferri_figure_4", 2: "ferri_example_2"}
PRINTED = {
    1: {"AUC": "0.833", "pAUC": "0.658", "uniform": "1.65", "normal": "1.74"},
    2: {"AUC": "0.8", "pAUC": "0.6", "uniform": "1.71", "normal": "1.8"},
}
SMALL_GAP = 0.001
_STEP = 0.01  # the paper prints no ε
_STEPS = 1_000


def rows(examples: Examples) -> list[Row]:
    """Return both examples, and what the text says of the first curve."""
    first = examples[SAMPLES[1]]
    return [
        *_example(1, first),
        *_what_remains(curve_of(first), matched_curve(first)),
        *_example(2, examples[SAMPLES[2]]),
    ]


def _example(number: int, example: PaperExample) -> list[Row]:
    here, printed = at(f"§3.2, Example {number}"), PRINTED[number]
    match = match_of(example)
    return [
        here.number("AUC", printed["AUC"], match.auc),
        here.number("pAUC", printed["pAUC"], match.target),
        *_width(number, "uniform", example),
        *_width(number, "normal", example),
    ]


def _width(number: int, kernel: str, example: PaperExample) -> list[Row]:
    here, printed = at(f"§3.2, Example {number}"), PRINTED[number][kernel]
    match = match_of(example, **KERNELS[kernel])
    gap = abs(area_at(example, float(printed), **KERNELS[kernel]) - match.target)
    note = "" if kernel == "uniform" else "With σ = d/√12. "
    return [
        here.number(
            f"d of the {kernel} pROC curve",
            printed,
            width_of(match),
            f"{note}The search stopped where the area was off by {text_of(gap)}."
            f"{_by_the_text(kernel, example)}",
        ),
        here.statement(
            f"|Area(d) − pAUC| at the printed d, {kernel}",
            "usually < 0.001",
            gap,
            holds=gap < SMALL_GAP,
            reason="" if gap < SMALL_GAP else f"{note}The paper says usually.",
        ),
        here.number(
            f"the paper's search re-run, {kernel}, ε = {_STEP} (ours; none printed)",
            printed,
            found_in_steps(match),
            f"{note}d goes up from 0 until |Area(d) − pAUC| < {SMALL_GAP}; at {printed} it is "
            f"{text_of(gap)}.",
        ),
    ]


def found_in_steps(match: WidthMatch) -> Value:
    """Return the first width, of 0, ε, 2ε and so on, whose area is near enough."""
    widths = _STEP * np.arange(_STEPS)
    near = np.abs(match.areas(widths) - match.target) < SMALL_GAP
    return round(float(widths[near.argmax()]), 9) if near.any() else "none"


def _by_the_text(kernel: str, example: PaperExample) -> str:
    """Return what the width would be with the deviation of §2.3."""
    if kernel == "uniform":
        return ""
    width = width_of(match_of(example, kernel="normal"))
    return f" With σ = d/2, as §2.3 says, d = {text_of(width)}."


def _what_remains(bare: Curve, smeared: Curve) -> list[Row]:
    here = at("§3.2, Example 1")
    depths = [_depth(curve) for curve in (bare, smeared)]
    starts = [float(curve.fpr[curve.tpr >= 1 - 1e-12][0]) for curve in (bare, smeared)]
    return [
        here.statement(
            "the dent at the lower left remains",
            "yes",
            f"depth below the hull {text_of(depths[0])}, smeared {text_of(depths[1])}",
            holds=min(depths) > 0,
        ),
        here.statement(
            "a stretch at the upper right where TPR is 1 remains",
            "yes",
            f"from FPR {text_of(starts[0])}, smeared from {text_of(starts[1])}",
            holds=max(starts) < 1,
        ),
    ]


def _depth(curve: Curve) -> float:
    """Return how far the curve falls below its hull at most, at FPR from 0 to ½."""
    left = (curve.fpr > 0) & (curve.fpr <= 0.5)
    hull = np.interp(curve.fpr[left], curve.hull.fpr, curve.hull.tpr)
    return float(max([0.0, *(hull - curve.tpr[left])]))
