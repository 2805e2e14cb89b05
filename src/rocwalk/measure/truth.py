"""How good a curve is, given how good it could be: areas against a reference truth (SPEC §5)."""

from __future__ import annotations

import math

from rocwalk.measure.bounds import refuse_buckets
from rocwalk.typing import Bounds
from rocwalk.walk.curve import Walk, walk_of
from rocwalk.walk.tally import Tally
from rocwalk.walk.truth import TruthTally


def expected_auc(tally: Tally) -> float:
    """Return (N − D/2) / (U·R − D): the AUC without the pairs of an item with itself.

    N is the numerator of the AUC and D = Σ uᵢ·rᵢ. It is the ratio of expectations when each item
    draws its label; for hard labels it is the AUC. NaN if no other pairs are left.
    """
    return _expected(tally, tally.area)


def expected_auc_bounds(tally: Tally) -> Bounds:
    """Return the lowest, the middle and the highest expected AUC: it rises with the AUC.

    D = Σ uᵢ·rᵢ is exact from buckets.
    """
    low, middle, high = (_expected(tally, area) for area in tally.auc_bounds)
    return low, middle, high


def _expected(tally: Tally, area: float) -> float:
    up, right = tally.total_up, tally.total_right
    own = float(tally.up_right.sum())
    pairs = up * right - own
    if not pairs > 0:
        return math.nan
    return (area * up * right - own / 2) / pairs if own else area


def perfect_walk(by_truth: Tally) -> Walk:
    """Return the walk in order of decreasing truth: no order is better."""
    return walk_of(by_truth)


def worst_walk(by_truth: Tally) -> Walk:
    """Return the walk in order of increasing truth: the perfect one turned round (½, ½)."""
    reversed_ = Tally(-by_truth.scores[::-1], by_truth.up[::-1], by_truth.right[::-1])
    return walk_of(reversed_)


def auc_prt(evidence: TruthTally) -> float:
    """Return (AUC − AUWCC) / (1 − AUWCC − AAPCC), 0 for the worst order and 1 for the best.

    AAPCC, the area above the perfect curve, and AUWCC, the area under the worst, are the same.
    NaN if all items have the same truth. For hard labels it is the AUC.
    """
    return _share(evidence, evidence.by_score.area)


def auc_prt_bounds(evidence: TruthTally) -> Bounds:
    """Return the lowest, the middle and the highest AUC_PRT: it rises with the AUC."""
    low, middle, high = (_share(evidence, area) for area in evidence.by_score.auc_bounds)
    return low, middle, high


def _share(evidence: TruthTally, area: float) -> float:
    if len(evidence.by_truth) < 2:
        return math.nan
    lost = _lost(evidence)
    return (area - lost) / (1 - 2 * lost)


def _lost(evidence: TruthTally) -> float:
    """Return the area above the perfect curve."""
    refuse_buckets(evidence.by_truth, "The best order of items", "every truth")
    return 1 - evidence.by_truth.area


def auc_prt_printed(evidence: TruthTally) -> float:
    """Return (AUC − AUWCC) / (1 − AUWCC), as the paper's Eq. 6 prints it.

    It gives the perfect classifier less than 1 wherever experts disagree.
    """
    return _printed(evidence, evidence.by_score.area)


def auc_prt_printed_bounds(evidence: TruthTally) -> Bounds:
    """Return the lowest, the middle and the highest value of the printed form."""
    low, middle, high = (_printed(evidence, area) for area in evidence.by_score.auc_bounds)
    return low, middle, high


def _printed(evidence: TruthTally, area: float) -> float:
    lost = _lost(evidence)
    return (area - lost) / (1 - lost)
