"""How far raters agree: the share of split items, Fleiss' kappa and Krippendorff's alpha.

All three follow from counts: item i has nᵢ votes, kᵢ of them positive. An item with fewer than two
votes has no pair of votes that could agree or not, and is left out of all three.

References
----------
Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76,
378-382.
Krippendorff (2004). Reliability in content analysis: some common misconceptions and
recommendations. Human Communication Research 30, 411-433; and Content Analysis, 2nd edition,
chapter 11.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwalk.errors import UndefinedMetricWarning, warn
from rocwalk.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Three summaries of how far raters agree; NaN where there is none.

    Attributes
    ----------
    split_share
        The share of items whose votes differ, among the items with two votes or more.
    fleiss_kappa, krippendorff_alpha
        1 if all raters agree on every item, about 0 if they agree as by chance, below 0 if less.
    """

    split_share: float
    fleiss_kappa: float
    krippendorff_alpha: float


def agreement_of(positives: IntArray, totals: IntArray) -> Agreement:
    """Return all summaries of `positives` among `totals` votes per item, with a warning for NaN.

    >>> agreement_of(np.array([0, 3, 2, 3]), np.array([3, 3, 3, 3]))
    Agreement(split_share=0.25, fleiss_kappa=0.625, krippendorff_alpha=0.65625)
    """
    agreement = Agreement(
        split_share=split_share(positives, totals),
        fleiss_kappa=fleiss_kappa(positives, totals),
        krippendorff_alpha=krippendorff_alpha(positives, totals),
    )
    if math.isnan(agreement.split_share):
        words = "No item has two votes, so agreement is not defined."
        warn(UndefinedMetricWarning(f"{words} Hint: the share of positive votes is."))
    elif math.isnan(agreement.fleiss_kappa):
        words = "All votes that could be compared are alike, so kappa and alpha are not defined."
        warn(UndefinedMetricWarning(f"{words} Hint: chance alone would agree as well."))
    return agreement


def split_share(positives: IntArray, totals: IntArray) -> float:
    """Return the share of items with 0 < kᵢ < nᵢ among those with nᵢ ≥ 2; NaN without one."""
    k, n = _comparable(positives, totals)
    return float(np.mean((k > 0) & (k < n))) if len(n) else math.nan


def fleiss_kappa(positives: IntArray, totals: IntArray) -> float:
    """Return κ = (P̄ − P̄ₑ)/(1 − P̄ₑ), over items with two votes or more.

    Pᵢ = [kᵢ(kᵢ−1) + (nᵢ−kᵢ)(nᵢ−kᵢ−1)] / [nᵢ(nᵢ−1)] is the share of agreeing pairs of votes of an
    item, P̄ its mean over the items, and P̄ₑ = p² + (1−p)² with p = Σkᵢ/Σnᵢ, the share of positive
    votes. Fleiss gives it for one number n of votes for all items; where the
    numbers vary, each item has its own nᵢ here, items weigh alike in P̄ and votes alike in p.

    NaN if no item has two votes or if all votes are alike.
    """
    k, n = _comparable(positives, totals)
    if not _vary(k, n):
        return math.nan
    unlike = (k * (n - k) / (n * (n - 1))).mean()  # ½(1 − P̄), which loses fewer digits than P̄
    by_chance = k.sum() * (n - k).sum() / n.sum() ** 2  # ½(1 − P̄ₑ) = p(1 − p)
    return float(1.0 - unlike / by_chance)


def krippendorff_alpha(positives: IntArray, totals: IntArray) -> float:
    """Return α = 1 − (n−1)·o₀₁ / (n₀·n₁) for two values, over items with two votes or more.

    n₁ = Σkᵢ and n₀ = Σ(nᵢ−kᵢ) are the votes of either kind, n = n₀ + n₁, and
    o₀₁ = Σ kᵢ(nᵢ−kᵢ)/(nᵢ−1) is the coincidence of unlike votes. Gaps need no care: each item counts
    with the votes that it has.

    NaN if no item has two votes or if all votes are alike.
    """
    k, n = _comparable(positives, totals)
    if not _vary(k, n):
        return math.nan
    unlike = (k * (n - k) / (n - 1)).sum()
    return float(1.0 - (n.sum() - 1.0) * unlike / (k.sum() * (n - k).sum()))


def _comparable(positives: IntArray, totals: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the counts of the items with two votes or more, as floats that do not overflow."""
    several = totals >= 2
    return positives[several].astype(np.float64), totals[several].astype(np.float64)


def _vary(k: FloatArray, n: FloatArray) -> bool:
    return bool(0 < k.sum() < n.sum())
