"""§1: two positives on the same side of a threshold, one only just."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import roc
from rocwalk.drift.sensibility import midpoint
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.sensibility.place import at
from rocwalk.read.arrays import tally

_LABELS, _SCORES, _THRESHOLD = (1, 1, 0), (0.9, 0.51, 0.1), 0.5


def rows(_: Examples) -> list[Row]:
    """Return what the text says of two scores; its negative is ours."""
    curve = roc(_LABELS, _SCORES)
    point, ups = curve.at(_THRESHOLD), np.diff(curve.tpr)
    ups = ups[ups > 0]
    middle = midpoint(tally(_LABELS, _SCORES))
    return [
        at("§1").statement(
            f"0.9⁺ and 0.51⁺ at the threshold {_THRESHOLD}",
            "both classified correctly; their margin is ignored",
            f"{text_of(point.confusion.true_positives)} of {text_of(curve.walk.up[-1])} classified "
            f"correctly; steps up {text_of(tuple(ups.tolist()))}",
            holds=point.tpr == 1 and len(set(ups.tolist())) == 1,
            reason="A curve needs a negative too; it is ours, 0.1⁻. The midpoint of the three is "
            f"{text_of(middle)}; it does take the scores in.",
        )
    ]
