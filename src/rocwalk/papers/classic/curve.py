"""§3.2: Tabela 1 and the curve that it makes (Figura 3)."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve
from rocwalk.papers.classic.place import at
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, text_of

_CLASSES = "p p n p p p n n p n p n p n n n p n p n"
_VALUES = (
    "0.9 0.8 0.7 0.6 0.55 0.54 0.53 0.52 0.51 0.505 0.4 0.39 0.38 0.37 0.36 0.35 0.34 0.33 0.30 0.1"
)


def rows(examples: Examples) -> list[Row]:
    """Return Tabela 1, read back from the walk, and the curve of Figura 3."""
    example = examples["classic_table_1"]
    curve = curve_of(example)
    return [
        _thresholds(curve),
        *_table(curve, len(example.y_true)),
        *_unprinted(curve),
        _steps(curve),
    ]


def _thresholds(curve: Curve) -> Row:
    points = len({*zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True)})
    thresholds = len(curve.thresholds)
    return at("§3.2").statement(
        "each threshold gives a point of its own",
        "a point for each threshold",
        f"{thresholds} thresholds from inf to {text_of(float(curve.thresholds[-1]))}, "
        f"{points} points",
        holds=points == thresholds,
    )


def _table(curve: Curve, instances: int) -> list[Row]:
    here = at("§3.2, Tabela 1")
    values = tuple(curve.thresholds[1:].tolist())
    classes = " ".join("p" if up else "n" for up in np.diff(curve.walk.up))
    return [
        here.number("instances", "20", instances),
        here.statement(
            "values: the thresholds of the walk",
            _VALUES,
            values,
            holds=values == tuple(map(float, _VALUES.split())),
        ),
        here.statement(
            "classes: the steps of the walk",
            _CLASSES,
            classes,
            holds=classes == _CLASSES,
        ),
    ]


def _unprinted(curve: Curve) -> list[Row]:
    here = at("§3.2, Figura 3")
    drawn = "The figure draws it; the number is ours."
    return [
        here.unprinted("TP after each instance", _counts(curve.walk.up), drawn),
        here.unprinted("FP after each instance", _counts(curve.walk.right), drawn),
        here.unprinted("area under the curve", curve.area, "The paper gives no area for it."),
    ]


def _counts(cumulative: np.ndarray) -> tuple[float, ...]:
    return tuple(cumulative[1:].tolist())


def _steps(curve: Curve) -> Row:
    up, right = np.diff(curve.walk.up) > 0, np.diff(curve.walk.right) > 0
    slanting = int((up & right).sum())
    return at("§3.2").statement(
        "a finite sample gives a step function",
        "steps, up or right",
        f"{up.sum() - slanting} up, {right.sum() - slanting} right, {slanting} slanting",
        holds=slanting == 0,
        reason="True here because no p and n share a value; those that do make a slant.",
    )
