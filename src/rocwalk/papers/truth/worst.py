"""Discussion: the worst classifier (Figure 6), AUWCC, and the random one."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import roc
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.papers.truth.perfect import height
from rocwalk.papers.truth.place import DRAWN, SOFT, at, columns_of, numbers, points_of, truth_of
from rocwalk.tally.walk import highest_tpr
from rocwalk.truth.reference_truth import ReferenceTruth
from rocwalk.typing import FloatArray

COPIES = (1, 30, 1000)
_SEED = 2012


def mirrored(found: ReferenceTruth) -> tuple[FloatArray, FloatArray]:
    """Return FPR and TPR of the perfect curve mirrored across the diagonal: rates swapped."""
    return found.perfect.tpr, found.perfect.fpr


def rows(examples: Examples) -> list[Row]:
    """Return Figure 6, AUWCC, and the random classifier."""
    found = truth_of(examples[SOFT])
    return [
        *_figure_6(found),
        *_mirror(found),
        at("Discussion, Figure 6").formula("AUWCC", "equal to AAPCC", found.aapcc, found.auwcc),
        _random(examples),
    ]


def _figure_6(found: ReferenceTruth) -> list[Row]:
    here, worst = at("Discussion, Figure 6"), found.worst
    return [
        here.statement(
            "worst curve of Figure 3 and the point (1, 0)",
            "does not reach it",
            f"furthest below the diagonal at {point_text(*min(points_of(worst), key=height))}",
            holds=(1.0, 0.0) not in points_of(worst),
            reason="The caption says so of the perfect classifier; the worst is meant.",
        ),
        here.unprinted("FPR of the worst curve", numbers(worst.fpr), DRAWN),
        here.unprinted("TPR of the worst curve", numbers(worst.tpr), DRAWN),
    ]


def _mirror(found: ReferenceTruth) -> list[Row]:
    here, worst, perfect = at("Discussion, Figure 6"), found.worst, found.perfect
    x, y = mirrored(found)
    off = y - highest_tpr(worst.walk, x)
    k = int(np.argmax(np.abs(off)))
    turned = np.abs([1 - perfect.fpr[::-1] - worst.fpr, 1 - perfect.tpr[::-1] - worst.tpr]).max()
    largest = float(np.abs(off).max())
    return [
        here.statement(
            "the worst curve and the perfect one mirrored across the diagonal",
            "the same",
            f"apart by up to {text_of(largest)} of TPR: at FPR {text_of(float(x[k]))} the mirror "
            f"image has {text_of(float(y[k]))}, the worst curve {text_of(float(y[k] - off[k]))}",
            holds=largest < 1e-9,
            reason="Not so. To reverse an order is to turn its curve round (½, ½), which takes (x, "
            "y) to (1 − x, 1 − y); a mirror would take it to (y, x), which no order of these "
            "instances reaches. They agree where every f is 0 or 1, and where f and 1 − f take "
            "the same values. The area under both is the same.",
        ),
        here.unprinted(
            "the worst curve and the perfect one turned round (½, ½)",
            f"{len(worst.walk)} points, apart by {_gap_text(float(turned))}",
            "This is what holds.",
        ),
    ]


def _gap_text(gap: float) -> str:
    return "nothing" if gap < 1e-12 else text_of(gap)


def _random(examples: Examples) -> Row:
    truth, rng = columns_of(examples[SOFT])[0], np.random.default_rng(_SEED)
    curves = [roc(np.tile(truth, k), rng.random(k * len(truth))) for k in COPIES]
    gaps = numbers([np.abs(curve.tpr - curve.fpr).max() for curve in curves])
    sizes = ", ".join(str(k) for k in COPIES)
    return at("Discussion, random classifier").statement(
        f"largest |TPR − FPR| of random scores, the rows of Figure 3 taken {sizes} times",
        "approaches the diagonal with many more instances",
        gaps,
        holds=bool((np.diff(gaps) < 0).all()),
        reason="One draw of random scores for each; with more rows it comes nearer still.",
    )
