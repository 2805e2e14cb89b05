"""The test of one area by its interval; where samples are small, its power is simulated."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rocwalk.errors import OptionError
from rocwalk.inference.binormal import placement_variance, separation
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.statistic import statistic_of
from rocwalk.tally.tally import Tally

# -- the test of one area by its interval ----------------------------------------------------------

SIMULATED_BELOW = 50  # items of a class
SIMULATIONS = 2000
_SEED = 2006
_BINS = 1000  # of evenly spaced scores
_PRECISION = 1e-7  # of the area from which a sample is significant


class IntervalTest:
    """The test that an area is not `null`: that `rocwalk.interval` excludes it."""

    def __init__(self, null: float, alpha: float, alternative: str) -> None:
        if alternative == "greater" and not alpha < 0.5:
            raise OptionError(
                "is too large for a one-sided test.",
                "its interval has the level 1 − 2·alpha; pass alpha below 0.5.",
                option="alpha",
                value=alpha,
            )
        self.null: float = null
        self.alternative: str = alternative
        level = 1 - alpha if alternative == "two-sided" else 1 - 2 * alpha
        self.request = Request(statistic_of("auc"), level, "auto", Plan(1))

    def is_significant(self, tally: Tally) -> bool:
        """Whether the interval of a sample excludes the null area, on the side of the test."""
        found = interval_of(Evidence(tally), self.request)
        return found.low > self.null or (self.alternative == "two-sided" and found.high < self.null)

    def simulated_power(self, area: float, n_positives: int, n_negatives: int) -> float:
        """Return the share of samples of normal scores that are significant.

        A larger sample contains the smaller one, so that sizes are compared on the same draws.
        """
        ups, rights = (
            np.random.default_rng([_SEED, side]).standard_normal((count, SIMULATIONS))
            for side, count in enumerate((n_positives, n_negatives))
        )
        scores = np.concatenate((ups + separation(area), rights))
        labels = (np.argsort(-scores, axis=0) < n_positives).T
        ranks = np.arange(len(scores), 0.0, -1.0)
        orders, times = np.unique(np.packbits(labels, axis=1), axis=0, return_counts=True)
        found = 0
        for order, count in zip(orders, times.tolist(), strict=True):
            up = np.unpackbits(order, count=len(scores)).astype(np.int64)
            found += count if self.is_significant(Tally(ranks, up, 1 - up)) else 0
        return found / SIMULATIONS

    def power(self, area: float, n_positives: int, n_negatives: int) -> float:
        """Return the probability of the areas whose interval excludes the null area.

        The empirical area has the beta distribution with its mean θ and its variance,
        {θ(1 − θ) + (n⁺ − 1)S₁₀ + (n⁻ − 1)S₀₁} / (n⁺n⁻). Which areas are significant is looked up on
        a grid of its quantiles and, between two that differ, by bisection.
        """
        from scipy.special import betainc, betaincinv

        part = placement_variance(area)
        variance = area * (1 - area) + (n_positives + n_negatives - 2) * part
        variance /= n_positives * n_negatives
        if not variance > 0:
            return float(self.is_significant(even_tally(area, n_positives, n_negatives)))
        total = area * (1 - area) / variance - 1
        shape = area * total, (1 - area) * total

        def is_significant(at: float) -> bool:
            return self.is_significant(even_tally(at, n_positives, n_negatives))

        shares = np.concatenate(([1e-9, 1e-3], np.linspace(0.0, 1.0, 34)[1:-1], [0.999, 1 - 1e-9]))
        grid = betaincinv(*shape, shares).tolist()
        found = [is_significant(at) for at in grid]
        ends = [0.0]
        for between, (is_low, is_high) in zip(pairwise(grid), pairwise(found), strict=True):
            low, high = between
            while is_low != is_high and high - low > _PRECISION:
                middle = (low + high) / 2
                low, high = (middle, high) if is_significant(middle) == is_low else (low, middle)
            ends += [(low + high) / 2] if is_low != is_high else []
        ends.append(1.0)
        first = 0 if found[0] else 1  # significant and other intervals take turns
        return sum(
            float(betainc(*shape, high) - betainc(*shape, low))
            for low, high in list(pairwise(ends))[first::2]
        )


def even_tally(area: float, n_positives: int, n_negatives: int) -> Tally:
    """Return a sample of evenly spaced normal scores, counted in 1,000 bins, of about an area."""
    from scipy.special import ndtr

    shift = separation(area)
    edges = np.linspace(max(shift, 0.0) + 6, min(shift, 0.0) - 6, _BINS + 1)
    up, right = (
        np.diff(np.rint(count * ndtr(mean - edges))).astype(np.int64)
        for count, mean in ((n_positives, shift), (n_negatives, 0.0))
    )
    held = up + right > 0
    return Tally(edges[1:][held], up[held], right[held])
