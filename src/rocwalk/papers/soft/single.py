"""§4.1: steps sized by the score, in one direction each (Figure 2, the upper curve)."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve
from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, class_means, class_scores, curve_of
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.soft.place import (
    at,
    curve_by,
    drawn_rows,
    models,
    moves_of,
    signed_scores,
    steps_of,
)
from rocwalk.tally.walk import highest_tpr


def rows(examples: Examples) -> list[Row]:
    """Return the formulas and what the text says of the curve, for both models."""
    return [row for model, example in models(examples).items() for row in _model(model, example)]


def _model(model: str, example: PaperExample) -> list[Row]:
    curve = curve_by("single", example)
    return [
        *_formulas(model, example, curve),
        _one_way(model, curve),
        *([_stretched(example, curve)] if model == "C1" else []),
        _above(model, curve_of(example), curve),
        *drawn_rows("§4.1", model, curve),
    ]


def _formulas(model: str, example: PaperExample, curve: Curve) -> list[Row]:
    here, (m_plus, m_minus) = at(f"§4.1, {model}"), class_means(example)
    n_plus, n_minus = map(len, class_scores(example))
    up = [s for label, s in signed_scores(example) if label == 1]
    right = [1 - s for label, s in signed_scores(example) if label == 0]
    printed = tuple(r / (m_minus * n_minus) for r in right)
    return [
        here.formula(
            "vertical normalisation", "1 / (m⁺ n⁺)", 1 / (m_plus * n_plus), 1 / curve.walk.up[-1]
        ),
        here.formula(
            "horizontal normalisation",
            "1 / ((1 − m⁻) n⁻)",
            1 / ((1 - m_minus) * n_minus),
            1 / curve.walk.right[-1],
        ),
        here.formula(
            "vertical steps",
            "sᵢ⁺ / (m⁺ n⁺)",
            tuple(u / (m_plus * n_plus) for u in up),
            moves_of(curve.tpr),
        ),
        here.formula(
            "horizontal steps",
            "(1 − sᵢ⁻) / (m⁻ n⁻)",
            printed,
            moves_of(curve.fpr),
            "A slip: m⁻ stands where the normalisation, a few sentences before, has 1 − m⁻. These "
            f"steps add up to {text_of(sum(printed))} where they should fill the unit square.",
        ),
    ]


def _one_way(model: str, curve: Curve) -> Row:
    up, right = np.diff(curve.walk.up) > 0, np.diff(curve.walk.right) > 0
    return at(f"§4.1, {model}").statement(
        "directions of a step",
        "up or right, never both",
        f"{(up & ~right).sum()} up, {(right & ~up).sum()} right, {(up & right).sum()} both",
        holds=not (up & right).any(),
        reason="Examples of both classes with one score would step together, as a slant.",
    )


def _stretched(example: PaperExample, curve: Curve) -> Row:
    soft, bare = (_lengths(one) for one in (curve, curve_of(example)))
    ratios = tuple((soft / bare).tolist())
    middle = ratios[len(ratios) // 2 - 1 : len(ratios) // 2 + 1]
    return at("§4.1, Figure 2, C1").statement(
        "length of each step over that of the ordinary one",
        "stretched at the lower left and upper right, shrunk near the corner (0, 1)",
        ratios,
        holds=ratios[0] > 1 and ratios[-1] > 1 and max(middle) < 1,
    )


def _lengths(curve: Curve) -> np.ndarray:
    return np.add(steps_of(curve.fpr), steps_of(curve.tpr))


def _above(model: str, bare: Curve, soft: Curve) -> Row:
    rates = np.unique([*bare.fpr, *soft.fpr])
    lead = highest_tpr(soft.walk, rates) - highest_tpr(bare.walk, rates)
    return at(f"§4.1, {model}").statement(
        "the curve against the ordinary one",
        "optimistic; mostly dominates it",
        f"TPR higher by {text_of(float(lead.min()))} to {text_of(float(lead.max()))}; area "
        f"{text_of(soft.area)} over {text_of(bare.area)}",
        holds=bool((lead >= -1e-12).all()) and soft.area > bare.area,
        reason="Always, not mostly: weighting positives by s and negatives by 1 − s moves the "
        "point of each threshold up or left, never down or right.",
    )
