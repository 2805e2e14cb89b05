"""Background: four instances with one score (Figure 2).

The figure prints no data. Ours are the rows of Figure 1 with the fifth to eighth score made equal.
"""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve, roc
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.papers.truth.place import HARD, at, columns_of

TIED = slice(4, 8)


def orders(examples: Examples) -> dict[str, Curve]:
    """Return the curve of the tied rows, and those that take positives or negatives first."""
    truth, scores = columns_of(examples[HARD])
    equal = np.array(scores)
    equal[TIED] = scores[TIED].mean()
    apart = 1e-6 * truth
    return {
        "optimistic": roc(truth, equal + apart),
        "pessimistic": roc(truth, equal - apart),
        "expected": roc(truth, equal),
    }


def rows(examples: Examples) -> list[Row]:
    """Return what the text says of equal scores."""
    here, curves = at("Background, Figure 2"), orders(examples)
    expected, truth = curves["expected"], columns_of(examples[HARD])[0][TIED]
    step = 1 + TIED.start
    ours = "The figure prints no data; ours are the rows of Figure 1, scores 5 to 8 made equal."
    start, stop = ((expected.fpr[k], expected.tpr[k]) for k in (step - 1, step))
    total = expected.walk.right[-1], expected.walk.up[-1]
    by_hand = (1 - truth).sum() / total[0], truth.sum() / total[1]
    run = stop[0] - start[0], stop[1] - start[1]
    areas = {name: curve.area for name, curve in curves.items()}
    return [
        here.statement(
            "the segment of four equal scores",
            "a straight diagonal line",
            f"{point_text(*start)} to {point_text(*stop)}",
            holds=np.allclose(run, by_hand),
            reason=ours,
        ),
        here.formula(
            "area: the line bisects",
            "half-way between the optimistic and the pessimistic curve",
            (areas["optimistic"] + areas["pessimistic"]) / 2,
            areas["expected"],
            f"{text_of(areas['pessimistic'])} to {text_of(areas['optimistic'])}. {ours}",
        ),
    ]
