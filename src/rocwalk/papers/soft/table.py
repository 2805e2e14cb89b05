"""§2: Table 1, and two models with the same ROC curve (Figure 1)."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve
from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.papers.soft.place import DRAWN, THRESHOLD, at, models, moves_of

_LABELS = "⁺ ⁺ ⁻ ⁺ ⁻ ⁻"
_SCORES = {"C1": "0.80 0.70 0.60 0.40 0.30 0.20", "C2": "0.99 0.78 0.68 0.58 0.38 0.01"}
_THRESHOLDS = "1 0.79 0.69 0.59 0.39 0.29 0.00"


def rows(examples: Examples) -> list[Row]:
    """Return what the text says of thresholds, Table 1 and Figure 1."""
    table = models(examples)
    curves = {model: curve_of(example) for model, example in table.items()}
    return [
        _margin(examples["soft_margin"]),
        *(row for model, curve in curves.items() for row in _table(model, curve)),
        _scores_differ(table["C1"], table["C2"]),
        _same_curve(curves["C1"], curves["C2"]),
        *(
            at(f"§2, Figure 1, {model}").unprinted("AUC", curve.area, DRAWN)
            for model, curve in curves.items()
        ),
    ]


def _margin(example: PaperExample) -> Row:
    curve = curve_of(example)
    point, ups = curve.at(THRESHOLD), moves_of(curve.tpr)
    called = text_of(point.confusion.true_positives)
    return at("§2, margins").statement(
        f"0.9⁺ and 0.51⁺ at the threshold {THRESHOLD}",
        "both classified as positive; their margin is ignored",
        f"{called} of {text_of(curve.walk.up[-1])} classified as positive; steps up {text_of(ups)}",
        holds=point.tpr == 1 and len(set(ups)) == 1,
        reason="A curve needs a negative too; it is ours, 0.1⁻.",
    )


def _table(model: str, curve: Curve) -> list[Row]:
    here, printed = at(f"§2, Table 1, {model}"), tuple(map(float, _SCORES[model].split()))
    labels = " ".join("⁺" if up else "⁻" for up in np.diff(curve.walk.up))
    scores = tuple(curve.thresholds[1:].tolist())
    reached = [curve.at(float(threshold)) for threshold in _THRESHOLDS.split()]
    points = [(point.fpr, point.tpr) for point in reached]
    return [
        here.statement("labels: the steps of the walk", _LABELS, labels, holds=labels == _LABELS),
        here.statement(
            "scores: the thresholds of the walk", _SCORES[model], scores, holds=scores == printed
        ),
        here.statement(
            "points at the printed ROC thresholds: the whole curve",
            _THRESHOLDS,
            " ".join(point_text(*point) for point in points),
            holds=points == list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True)),
        ),
    ]


def _scores_differ(one: PaperExample, other: PaperExample) -> Row:
    gaps = tuple(abs(a - b) for a, b in zip(one.y_prob, other.y_prob, strict=False))
    return at("§2, Table 1, both models").statement(
        "|score by C1 − score by C2|", "different for every instance", gaps, holds=min(gaps) > 0
    )


def _same_curve(one: Curve, other: Curve) -> Row:
    same = np.array_equal(one.fpr, other.fpr) and np.array_equal(one.tpr, other.tpr)
    return at("§2, Figure 1, both models").statement(
        "the ROC curves of C1 and C2",
        "identical",
        f"{len(one.walk)} and {len(other.walk)} points, {'the same' if same else 'not the same'}; "
        f"AUC {text_of(one.area)} and {text_of(other.area)}",
        holds=same,
    )
