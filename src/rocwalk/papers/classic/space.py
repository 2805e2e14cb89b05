"""§3.1: what the paper says of points in ROC space and of the five classifiers of Figura 2.

Figura 2 prints no data. Our five are rules on the instances of Tabela 1: A and B are thresholds, E
decides against B throughout, D knows the class, C ignores the value and says p to a fixed share.
"""

from __future__ import annotations

import numpy as np

from rocwalk.curves.operating_points import OperatingPoint
from rocwalk.curves.roc import roc
from rocwalk.papers.classic.place import at, counts_text
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, point_text, text_of

THRESHOLD_A, THRESHOLD_B, SHARE_C = 0.54, 0.4, 0.7


def classifiers(examples: Examples) -> dict[str, OperatingPoint]:
    """Return the five discrete classifiers as points."""
    example = examples["classic_table_1"]
    truth, values = np.array(example.y_true), np.array(example.y_prob)
    whole = curve_of(example)
    below_b = float(np.nextafter(-THRESHOLD_B, np.inf))  # −value ≥ this means value < threshold
    return {
        "A": whole.at(THRESHOLD_A),
        "B": whole.at(THRESHOLD_B),
        "C": roc(truth, np.zeros(len(truth))).at(fpr=SHARE_C),
        "D": roc(truth, values + truth).at(1.0),
        "E": roc(truth, -values).at(below_b),
    }


def rows(examples: Examples) -> list[Row]:
    """Return the corners of ROC space and the statements on Figura 2."""
    return [*_corners(examples), *_figure_2(classifiers(examples))]


def _corners(examples: Examples) -> list[Row]:
    here, curve = at("§3.1"), curve_of(examples["classic_table_1"])
    never, always = curve.at(np.inf), curve.at(-np.inf)
    return [
        here.statement(
            "never saying p, Tabela 1 above all values",
            "(0, 0): no false positives, no true positives",
            counts_text(never),
            holds=(never.fpr, never.tpr) == (0, 0),
        ),
        here.statement(
            "always saying p, Tabela 1 below all values",
            "(1, 1)",
            counts_text(always),
            holds=(always.fpr, always.tpr) == (1, 1),
        ),
    ]


def _figure_2(points: dict[str, OperatingPoint]) -> list[Row]:
    a, b, c, d, e = (points[name] for name in "ABCDE")
    here = at("§3.1, Figura 2")
    return [
        here.statement(
            "D is perfect",
            "(0, 1)",
            counts_text(d),
            holds=(d.fpr, d.tpr) == (0, 1),
            reason="The figure prints no coordinates; our D knows the class.",
        ),
        here.statement(
            "C is random: on the diagonal",
            "tp rate = fp rate",
            counts_text(c),
            holds=bool(np.isclose(c.tpr, c.fpr)),
            reason=f"Our C says p with probability {SHARE_C}, whatever the value.",
        ),
        here.statement(
            "A is more conservative than B",
            "A lies nearer to the tp rate axis",
            f"A {point_text(a.fpr, a.tpr)}, B {point_text(b.fpr, b.tpr)}",
            holds=a.fpr < b.fpr,
            reason=f"Our A: value ≥ {THRESHOLD_A}; our B: value ≥ {THRESHOLD_B}.",
        ),
        here.statement(
            "E is worse than random",
            "below the diagonal",
            f"E {point_text(e.fpr, e.tpr)}: tp rate − fp rate = {text_of(e.youden)}",
            holds=e.tpr < e.fpr,
            reason=f"Our E: value < {THRESHOLD_B}.",
        ),
        here.statement(
            "B is E negated: negating reflects a point in (½, ½)",
            "B = E negated",
            f"E {point_text(e.fpr, e.tpr)}, negated {point_text(1 - e.fpr, 1 - e.tpr)}, "
            f"B {point_text(b.fpr, b.tpr)}",
            holds=np.allclose((1 - e.fpr, 1 - e.tpr), (b.fpr, b.tpr)),
        ),
    ]
