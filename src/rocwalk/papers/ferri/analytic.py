"""§3.1: the width in closed form, for two points and for all."""

from __future__ import annotations

import math

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, class_scores, curve_of
from rocwalk.papers.ferri.place import at, match_of, matched_curve, pairs_of, width_of
from rocwalk.papers.row import Row, Value, text_of


def rows(examples: Examples) -> list[Row]:
    """Return the formulas for two points, and the one that the paper looks for."""
    return [*_two_points(examples["ferri_two_points"]), _in_general(examples["ferri_figure_4"])]


def _two_points(example: PaperExample) -> list[Row]:
    here, match, curve = at("§3.1"), match_of(example), matched_curve(example)
    (a,), (b,) = class_scores(example)
    d = match.nearest_width
    x = float(curve.fpr[curve.tpr >= 1][0])
    return [
        here.number("AUC of 0.6⁺ 0.4⁻", "1", curve_of(example).area),
        here.formula("pAUC", "(a − b + 1) / 2", (a - b + 1) / 2, match.target),
        here.formula("x, the FPR at which TPR reaches 1", "(b − a + d) / d", (b - a + d) / d, x),
        here.formula("area above the curve", "x² / 2 = 1 − pAUC", x**2 / 2, 1 - curve.area),
        here.formula("d", "(a − b) / (1 − √(b − a + 1))", (a - b) / (1 - math.sqrt(b - a + 1)), d),
        here.number("d, rounded", "1.89", width_of(match)),
    ]


def _in_general(example: PaperExample) -> Row:
    return at("§3.1, in general").unprinted(
        "d of Example 1 in closed form",
        closed_width(example),
        "The paper looks for a formula and finds none. For d ≥ max|D| it is d = 1 ± √(1 − S/M), M "
        "the mean of D = x − y over pairs and S that of sgn(D)·D²; for two points S/M = a − b. "
        f"The search finds {text_of(width_of(match_of(example)))}.",
    )


def closed_width(example: PaperExample) -> Value:
    """Return d = 1 + √(1 − S/M), or "none"; scores in [0, 1] and d ≥ max|D| ≤ 1."""
    gaps = [x - y for x, y in pairs_of(example)]
    mean, bent = sum(gaps), sum(gap * abs(gap) for gap in gaps)
    if mean == 0 or bent / mean > 1:
        return "none"
    return 1 + math.sqrt(1 - bent / mean)
