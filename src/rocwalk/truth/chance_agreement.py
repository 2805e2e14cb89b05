"""Agreement of raters beyond chance: coefficients of the form 1 − Dₒ/Dₑ, and their errors.

Dₒ is the disagreement of the votes on the same items, Dₑ the disagreement that chance would give.
The coefficients differ in Dₑ, and in how far apart two categories count: W has 0 in its diagonal,
and at most 1 elsewhere. All of them are functions of sums over items, so that the item bootstrap
is a product of counts and items, and what each item adds, ψ, gives the standard error
√{n/(n−1)·Σψ²}.

References
----------
Cohen (1960), Educational and Psychological Measurement 20, 37-46; Cohen (1968), Psychological
Bulletin 70, 213-220, weighted; Fleiss, Cohen & Everitt (1969), Psychological Bulletin 72, 323-327,
its errors. Fleiss (1971), Psychological Bulletin 76, 378-382. Conger (1980), Psychological Bulletin
88, 322-328. Krippendorff (2004), Human Communication Research 30, 411-433. Gwet (2008), British
Journal of Mathematical and Statistical Psychology 61, 29-48: AC1, AC2 and the errors over items.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.typing import FloatArray, IntArray

TITLES = {
    "cohen": "Cohen's kappa",
    "linear": "linearly weighted Cohen's kappa",
    "quadratic": "quadratically weighted Cohen's kappa",
    "fleiss": "Fleiss' kappa",
    "conger": "Conger's kappa",
    "krippendorff": "Krippendorff's alpha",
    "ac1": "Gwet's AC1",
    "ac2": "Gwet's AC2",
    "percent": "percent agreement",
}
OF_TWO = ("cohen", "linear", "quadratic")  # raters
BY_RATER = (*OF_TWO, "conger")  # which need to know who voted
# the levels of measurement that a coefficient can take, its default first
LEVELS: dict[str, tuple[str, ...]] = {
    "cohen": ("nominal",),
    "linear": ("ordinal",),
    "quadratic": ("ordinal",),
    "fleiss": ("nominal",),
    "conger": ("nominal",),
    "krippendorff": ("nominal", "ordinal", "interval"),
    "ac1": ("nominal",),
    "ac2": ("ordinal", "interval", "nominal"),
    "percent": ("nominal",),
}


@dataclass(frozen=True, eq=False)
class Counted:
    """Votes as counts.

    Attributes
    ----------
    counts
        How many votes each item (row) has of each category (column).
    codes
        The category of each item (row) and rater (column), −1 without a vote; None if only counts
        are known.
    numbers
        The categories as numbers, NaN where they are words.
    """

    counts: FloatArray
    codes: IntArray | None
    numbers: FloatArray

    @cached_property
    def votes(self) -> FloatArray:
        """The number of votes of each item."""
        total: FloatArray = self.counts.sum(axis=1)
        return total

    def of_items(self, items: IntArray) -> Counted:
        """Return the votes on some items."""
        codes = None if self.codes is None else self.codes[items]
        return Counted(self.counts[items], codes, self.numbers)


def distances(measure: str, level: str, counted: Counted) -> FloatArray:
    """Return W: how far apart each two categories count, from 0 to 1.

    Krippendorff's ordinal distances depend on the votes, see `ordinal_alpha`.
    """
    q = counted.counts.shape[1]
    place = np.arange(q, dtype=np.float64)
    if q < 2:
        return np.zeros((q, q))
    if measure == "linear":
        return np.asarray(np.abs(place[:, None] - place) / (q - 1))
    if measure == "quadratic":
        return np.asarray(((place[:, None] - place) / (q - 1)) ** 2)
    if level == "interval":
        apart = (counted.numbers[:, None] - counted.numbers) ** 2
        return np.asarray(apart / apart.max())
    if level == "ordinal":  # Gwet's: the pairs between two categories, over those of the extremes
        span = np.abs(place[:, None] - place) + 1
        weights: FloatArray = span * (span - 1) / (q * (q - 1))
        return weights
    return 1.0 - np.eye(q)


def comparable(measure: str, counted: Counted) -> Counted:
    """Return the items that enter: those with two votes or more.

    Gwet's coefficients also take the categories of items with a single vote, and Conger's the
    margins of raters on them.
    """
    if measure in ("ac1", "ac2", "conger"):
        return counted
    return counted.of_items(np.flatnonzero(counted.votes >= 2))


def coefficients(measure: str, level: str, counted: Counted, weights: FloatArray) -> FloatArray:
    """Return the coefficient of each row of weights of the items; NaN where Dₑ is 0.

    `counted` holds the items that are `comparable`. A weight is how often an item is drawn.
    """
    if measure == "krippendorff" and level == "ordinal":
        return np.array([ordinal_alpha(counted, row) for row in weights])
    w = distances(measure, level, counted)
    unlike, heavy = _observed(measure, counted, w)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = weights @ (heavy * unlike) / (weights @ heavy)
        if measure == "percent":
            return np.asarray(1.0 - observed)
        expected = _expected(measure, counted, w, weights)
        return np.asarray(np.where(expected > 0, 1.0 - observed / expected, np.nan))


def _observed(measure: str, counted: Counted, w: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return for each item the mean distance of two of its votes, and its weight in the mean."""
    several = counted.votes >= 2
    pairs = np.where(several, counted.votes * (counted.votes - 1), 1.0)
    unlike = ((counted.counts @ w) * counted.counts).sum(axis=1) / pairs
    heavy = counted.votes if measure == "krippendorff" else np.ones(len(counted.votes))
    return unlike, np.where(several, heavy, 0.0)


def _expected(measure: str, counted: Counted, w: FloatArray, weights: FloatArray) -> FloatArray:
    """Return Dₑ of each row of weights."""
    counts, votes = counted.counts, counted.votes
    if measure in ("fleiss", "krippendorff"):  # all votes pooled
        total = weights @ votes
        share = (weights @ counts) / total[:, None]
        pooled = ((share @ w) * share).sum(axis=1)
        return np.asarray(pooled * total / (total - 1) if measure == "krippendorff" else pooled)
    if measure in ("ac1", "ac2"):
        share = weights @ (counts / votes[:, None]) / weights.sum(axis=1)[:, None]
        q = counts.shape[1]
        like = (1.0 - w).sum() / (q * (q - 1)) if q > 1 else 1.0
        return np.asarray(1.0 - like * (share * (1.0 - share)).sum(axis=1))
    margins = _margins(counted, weights)  # of each rater
    raters = margins.shape[1]
    of_all = margins.sum(axis=1)
    both = ((of_all @ w) * of_all).sum(axis=1)
    own = np.einsum("brk,kl,brl->b", margins, w, margins)
    return np.asarray((both - own) / (raters * (raters - 1)))


def _margins(counted: Counted, weights: FloatArray) -> FloatArray:
    """Return the share of each category in the votes of each rater, by row of weights."""
    codes = counted.codes
    assert codes is not None  # `BY_RATER` is refused where only counts are known
    q = counted.counts.shape[1]
    found = np.stack([weights @ (codes == k) for k in range(q)], axis=-1)  # row, rater, category
    total = found.sum(axis=2, keepdims=True)
    return np.asarray(np.divide(found, total, out=np.full_like(found, np.nan), where=total > 0))


def ordinal_alpha(counted: Counted, weights: FloatArray) -> float:
    """Return Krippendorff's α with his ordinal distances, of items with these weights.

    δ²(c, k) = (Σ_{g=c}^{k} n_g − (n_c + n_k)/2)², with n_g the number of votes g.
    """
    counts, votes = counted.counts, counted.votes
    numbers = weights @ counts
    total = float(numbers.sum())
    below = np.cumsum(numbers) - numbers / 2
    delta = (below[:, None] - below) ** 2
    scaled = counts * (weights / (votes - 1))[:, None]
    together = scaled.T @ counts - np.diag(scaled.sum(axis=0))
    expected = float((numbers @ delta) @ numbers)
    if not expected > 0:
        return math.nan
    return 1.0 - (total - 1) * float((together * delta).sum()) / expected


def has_closed_form(measure: str, level: str) -> bool:
    """Whether a coefficient has ψ: not Krippendorff's ordinal, whose distances move with votes."""
    return (measure, level) != ("krippendorff", "ordinal")


def item_effects(measure: str, level: str, counted: Counted) -> FloatArray:
    """Return ψ: what each item adds to the coefficient, Σψ = 0, where there is a closed form.

    For two raters Σψ² is the variance of Fleiss, Cohen & Everitt, for the others n/(n−1)·Σψ² that
    of Gwet.
    """
    w = distances(measure, level, counted)
    unlike, heavy = _observed(measure, counted, w)
    observed = float((heavy * unlike).sum() / heavy.sum())
    d_observed = heavy * (unlike - observed) / heavy.sum()
    if measure == "percent":
        return np.asarray(-d_observed)
    ones = np.ones((1, len(unlike)))
    expected = float(_expected(measure, counted, w, ones)[0])
    counts, votes = counted.counts, counted.votes
    if measure in ("fleiss", "krippendorff"):
        total = votes.sum()
        share = counts.sum(axis=0) / total
        d_expected = 2 * (counts - votes[:, None] * share) @ (w @ share) / total
        if measure == "krippendorff":
            d_expected = d_expected * total / (total - 1)
    elif measure in ("ac1", "ac2"):
        n, q = counts.shape
        own = counts / votes[:, None]
        share = own.mean(axis=0)
        like = (1.0 - w).sum() / (q * (q - 1)) if q > 1 else 1.0
        d_expected = -like * ((own - share) @ (1.0 - 2 * share)) / n
    else:
        codes = counted.codes
        assert codes is not None  # `BY_RATER` is refused where only counts are known
        margins = _margins(counted, ones)[0]
        raters = len(margins)
        others = (margins.sum(axis=0) - margins) @ w  # rater, category
        d_expected = np.zeros(len(codes))
        for g in range(raters):
            voted = codes[:, g] >= 0
            mean = float(margins[g] @ others[g])
            d_expected[voted] += (others[g][codes[voted, g]] - mean) / voted.sum()
        d_expected *= 2 / (raters * (raters - 1))
    psi: FloatArray = -d_observed / expected + observed * d_expected / expected**2
    return psi
