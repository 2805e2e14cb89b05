"""What can be said of drift before labels come: how the scores have shifted (SPEC §8)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.measure.truth import expected_auc
from rocwalk.result import Result
from rocwalk.typing import Bounds, FloatArray
from rocwalk.uncertainty.difference import above, in_errors
from rocwalk.uncertainty.question import normal_quantile
from rocwalk.walk.counting import tally_of_masses


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScoreShift(Result):
    """Scores without labels against those of a reference; from `rocwalk.score_shift`.

    `gap` is the largest gap between the two distributions of scores, Kolmogorov and Smirnov's.
    The expected prevalences and areas are estimates under the assumption that the scores are
    calibrated; if calibration has drifted they are wrong, and only labels can tell. Where a tally
    is bucketed, the bounds are the lowest, the middle and the highest that a number can be; the
    test rests on the lowest gap.
    """

    mean_reference: float
    mean_current: float
    difference: float
    low: float
    high: float
    mean_p_value: float
    gap: float
    gap_at: float
    p_value: float
    alpha: float
    expected_auc_reference: float
    expected_auc_current: float
    gap_bounds: Bounds | None = None
    expected_auc_reference_bounds: Bounds | None = None
    expected_auc_current_bounds: Bounds | None = None

    @property
    def shifted(self) -> bool:
        """Whether the distributions of scores differ, at α."""
        return self.p_value < self.alpha

    @property
    def expected_prevalence(self) -> tuple[float, float]:
        """The mean scores: the prevalences if the scores are calibrated."""
        return self.mean_reference, self.mean_current

    @property
    def summary(self) -> str:
        """What was found, in words."""
        found = "have shifted" if self.shifted else "have not visibly shifted"
        return (
            f"The scores {found}: mean {self.mean_reference:.3f} → {self.mean_current:.3f}, "
            f"largest gap between the distributions {self.gap:.3f} (p = {self.p_value:.2g}). "
            "If the scores are still calibrated, which cannot be seen without labels, the expected "
            f"AUC is {self.expected_auc_reference:.3f} → {self.expected_auc_current:.3f}."
        )

    def _headline(self) -> dict[str, Any]:
        names = [name for name in self.__slots__ if not name.startswith("_")]
        if self.gap_bounds is None:
            names = [name for name in names if not name.endswith("_bounds")]
        return {"shifted": self.shifted} | {name: getattr(self, name) for name in names}


def shift_of(reference: FloatArray, current: FloatArray, alpha: float) -> ScoreShift:
    """Return how the second column of scores differs from the first."""
    sizes = len(reference), len(current)
    means = float(reference.mean()), float(current.mean())
    error = math.sqrt(sum(float(x.var(ddof=1)) / len(x) for x in (reference, current)))
    gap, at = _largest_gap(reference, current)
    return ScoreShift(
        **shift_of_means(*means, error, alpha),
        gap=gap,
        gap_at=at,
        p_value=smirnov(gap, *sizes),
        alpha=alpha,
        expected_auc_reference=own_expected_auc(reference),
        expected_auc_current=own_expected_auc(current),
    )


def shift_of_means(reference: float, current: float, error: float, alpha: float) -> dict[str, Any]:
    """Return what a shift says of the two means: their difference, its interval and its test."""
    difference, reach = current - reference, normal_quantile(1 - alpha / 2) * error
    return {
        "mean_reference": reference,
        "mean_current": current,
        "difference": difference,
        "low": difference - reach,
        "high": difference + reach,
        "mean_p_value": min(2 * above(abs(in_errors(difference, error)), None), 1.0),
    }


def _largest_gap(one: FloatArray, other: FloatArray) -> tuple[float, float]:
    """Return the largest difference between two distribution functions, and where it is."""
    places = np.union1d(one, other)
    shares = [
        np.searchsorted(np.sort(each), places, side="right") / len(each) for each in (one, other)
    ]
    gaps = np.abs(shares[0] - shares[1])
    k = int(gaps.argmax())
    return float(gaps[k]), float(places[k])


def smirnov(gap: float, one: int, other: int) -> float:
    """Return the p-value of Kolmogorov's limit, with Stephens' correction; safe with ties."""
    from scipy.special import kolmogorov

    root = math.sqrt(one * other / (one + other))
    return float(kolmogorov((root + 0.12 + 0.11 / root) * gap))


def own_expected_auc(scores: FloatArray) -> float:
    """Return the expected AUC if every score is the probability that its item is positive."""
    return expected_auc(tally_of_masses(scores, None, scores))
