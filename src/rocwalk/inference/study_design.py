"""Designs of a study: the power of a test of one area, or of two, at any number of items.

`rocwalk.inference.power` asks a `Design` for power and for sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from rocwalk.checks import as_number, as_whole, one_of
from rocwalk.errors import InputError, OptionError
from rocwalk.inference.binormal import (
    area_variance,
    binormal_areas,
    placement_spread,
    placement_variance,
)
from rocwalk.inference.closed_forms import FEW_MISPLACED, are_few
from rocwalk.inference.comparisons import FEW_MISPLACED as COMPARED_MISPLACED
from rocwalk.inference.comparisons import Comparison
from rocwalk.inference.differences import Area, Spread, mover_reach
from rocwalk.inference.distributions import crossing, normal_quantile, quantile, welch_degrees
from rocwalk.inference.interval_test import SIMULATED_BELOW, SIMULATIONS, IntervalTest
from rocwalk.inference.samples import SampleComparison
from rocwalk.methods import Methods, methods_of
from rocwalk.result import Result, numeral
from rocwalk.typing import FloatArray

ALTERNATIVES = ("two-sided", "greater")
FORMULAS = ("placements", "obuchowski")
NULL_VARIANCES = ("same", "first")
_PAIRED, _SEPARATE = "two areas on the same rows", "two separate areas"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PowerAnalysis(Result):
    """The size and the power of a study, and the numbers that they follow from.

    `test` is the test whose power it is. Variances are those of the estimate times the number of
    positives. When the size was asked for, `asked_power` is what was asked, and `power` what the
    whole numbers give; `exact_positives` is what the formula of normal variables gives before
    rounding up, from which formula="placements" only starts its search. `n_simulations` is the
    number of simulated samples, where the power is the share of them that are significant.
    """

    of: str
    areas: tuple[float, ...]
    difference: float
    n_positives: int
    n_negatives: int
    power: float
    alpha: float
    alternative: str
    null_variance: float
    variance: float
    variance_under_null: str
    test: str
    asked_power: float | None = None
    exact_positives: float | None = None
    n_simulations: int | None = None

    @property
    def sentence(self) -> str:
        """The result in words."""
        apart = " in each sample" if self.of == _SEPARATE else ""
        drawn = "" if self.n_simulations is None else f", {self.n_simulations:,} simulations"
        return (
            f"{self.n_positives:,} positives and {self.n_negatives:,} negatives{apart} find a "
            f"difference of {numeral(self.difference, '+.3f')} with probability {self.power:.3f} "
            f"({self.alternative} test of level {self.alpha:g} by {self.test}{drawn})."
        )

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        what = "The power" if self.asked_power is None else "The size"
        cited = " [@obuchowski1997size]" if self.test == OBUCHOWSKI else ""
        drawn = "" if self.n_simulations is None else f", from {self.n_simulations:,} simulations"
        areas = " and ".join(f"{area:g}" for area in self.areas)
        words = "an expected area of" if len(self.areas) == 1 else "expected areas of"
        reached = "" if self.asked_power is None else f", for a power of {self.asked_power:g}"
        return methods_of(
            f"{what} of the study was computed for a {self.alternative} test of level "
            f"{self.alpha:g} by {self.test}{cited}, with {words} {areas}{reached}{drawn}: "
            f"{self.n_positives:,} positives and {self.n_negatives:,} negatives."
        )

    def _headline(self) -> dict[str, Any]:
        return {
            "of": self.of,
            "n_positives": self.n_positives,
            "n_negatives": self.n_negatives,
            "power": self.power,
            "difference": self.difference,
            "areas": self.areas,
            "alpha": self.alpha,
            "alternative": self.alternative,
            "test": self.test,
            "asked_power": self.asked_power,
            "exact_positives": self.exact_positives,
            "null_variance": self.null_variance,
            "variance": self.variance,
            "variance_under_null": self.variance_under_null,
            "n_simulations": self.n_simulations,
        }

    def __repr__(self) -> str:
        return (
            f"PowerAnalysis(of={self.of!r}, n_positives={self.n_positives:,}, "
            f"n_negatives={self.n_negatives:,}, power={self.power:.6g}, "
            f"difference={self.difference:.6g}, alpha={self.alpha:g})"
        )


_FEWEST = 2  # items of a class without which there is no spread
OBUCHOWSKI = "Obuchowski & McClish"


@dataclass(frozen=True, slots=True)
class Design:
    """What is to be tested: areas, their difference, level, side, and variances for a ratio.

    `variances` gives (v₀, v), n times the variances, for a number of negatives per positive.
    `chance` gives the power of the named `test` for numbers of positives and negatives; without it,
    the power is Obuchowski & McClish's. It is simulated with fewer than `simulated_below` items of
    a class.
    """

    of: str
    areas: tuple[float, ...]
    difference: float
    alpha: float
    alternative: str
    variances: Callable[[float], tuple[float, float]]
    under_null: str
    test: str = OBUCHOWSKI
    chance: Callable[[int, int], float] | None = None
    simulated_below: int = 0

    def __post_init__(self) -> None:
        one_of("alternative", self.alternative, ALTERNATIVES)
        share("alpha", self.alpha)

    @property
    def distance(self) -> float:
        """The difference in the direction of the test: signed if it is one-sided."""
        return self.difference if self.alternative == "greater" else abs(self.difference)

    @property
    def z_alpha(self) -> float:
        """The critical value of the test."""
        return -normal_quantile(self.alpha / self.sides)

    @property
    def sides(self) -> int:
        """2 for a two-sided test, else 1."""
        return 2 if self.alternative == "two-sided" else 1

    def power(self, n_positives: int, n_negatives: int) -> float:
        """Return the power of the test, or Φ((√n·δ − z_α·√v₀) / √v)."""
        if self.chance is not None:
            return self.chance(n_positives, n_negatives)
        from scipy.special import ndtr

        null, truth = self.variances(n_negatives / n_positives)
        reach = math.sqrt(n_positives) * self.distance - self.z_alpha * math.sqrt(null)
        if truth > 0:
            return float(ndtr(reach / math.sqrt(truth)))
        return float(reach > 0)

    def positives(self, power: float, ratio: float) -> float:
        """Return (z_α·√v₀ + z_β·√v)² / δ²; 0 where the numerator is negative."""
        if not self.distance > 0:
            raise OptionError(
                f"A difference of {self.difference:+g} cannot be found by a test that is "
                f"{self.alternative}.",
                "give areas that differ, in the direction of the test.",
            )
        null, truth = self.variances(ratio)
        root = self.z_alpha * math.sqrt(null) + normal_quantile(power) * math.sqrt(truth)
        return (max(root, 0.0) / self.distance) ** 2

    def result(self, n_positives: int, n_negatives: int, **more: Any) -> PowerAnalysis:
        """Return the analysis of a number of items."""
        null, truth = self.variances(n_negatives / n_positives)
        is_simulated = min(n_positives, n_negatives) < self.simulated_below
        return PowerAnalysis(
            of=self.of,
            areas=self.areas,
            difference=self.difference,
            n_positives=n_positives,
            n_negatives=n_negatives,
            power=self.power(n_positives, n_negatives),
            alpha=float(self.alpha),
            alternative=self.alternative,
            null_variance=null,
            variance=truth,
            variance_under_null=self.under_null,
            test=self.test,
            n_simulations=SIMULATIONS if is_simulated else None,
            **more,
        )

    def sized(self, power: float, ratio: float) -> PowerAnalysis:
        """Return the smallest whole numbers of items that reach a power.

        They are large enough for a perfect order to be significant: 1/C(n⁺ + n⁻, n⁺) ≤ α.
        """
        exact = self.positives(share("power", power), ratio)

        def negatives_of(positives: float) -> int:
            return max(math.ceil(positives * ratio - 1e-9), _FEWEST)

        fewest = _FEWEST
        while self.sides / math.comb(fewest + negatives_of(fewest), fewest) > self.alpha:
            fewest += 1
        positives = max(math.ceil(exact - 1e-9), fewest)
        negatives = negatives_of(max(exact, fewest))
        if self.chance is not None:
            positives = self._search(power, positives, fewest, negatives_of)
            negatives = negatives_of(positives)
        return self.result(positives, negatives, asked_power=float(power), exact_positives=exact)

    def _search(
        self, power: float, start: int, fewest: int, negatives_of: Callable[[float], int]
    ) -> int:
        """Return a number of positives that reaches the power where one less does not.

        From `start` the step doubles until the power is on the other side, then it is halved.
        """

        def reaches(positives: int) -> bool:
            return self.power(positives, negatives_of(positives)) >= power

        enough, few, step = start, fewest - 1, 1
        if reaches(start):
            while enough - step > few and reaches(enough - step):
                enough, step = enough - step, 2 * step
            few = max(enough - step, few)
        else:
            few, enough = start, start + 1
            while not reaches(enough):
                few, step = enough, 2 * step
                enough = few + step
        while enough - few > 1:
            middle = (few + enough) // 2
            few, enough = (few, middle) if reaches(middle) else (middle, enough)
        return enough


def one_area(auc: float, alpha: float, alternative: str, null: float, formula: str) -> Design:
    """Return the design of a test that an area differs from that of the null hypothesis."""
    one_of("formula", formula, FORMULAS)
    area, other = an_area("auc", auc), share("null", null)
    if formula == "obuchowski":

        def by_formula(ratio: float) -> tuple[float, float]:
            return area_variance(other, ratio), area_variance(area, ratio)

        return Design("one area", (area,), area - other, alpha, alternative, by_formula, "null")

    def variances(ratio: float) -> tuple[float, float]:
        null_part, part = placement_variance(other), placement_variance(area)
        return null_part * (1 + 1 / ratio), part * (1 + 1 / ratio)

    @cache
    def chance(n_positives: int, n_negatives: int) -> float:
        if min(n_positives, n_negatives) < _FEWEST:
            raise OptionError(
                "An interval needs 2 items of each class or more.", "give more items of each class."
            )
        test = IntervalTest(other, alpha, alternative)
        if min(n_positives, n_negatives) < SIMULATED_BELOW:
            return test.simulated_power(area, n_positives, n_negatives)
        return test.power(area, n_positives, n_negatives)

    return Design(
        "one area",
        (area,),
        area - other,
        alpha,
        alternative,
        variances,
        "null",
        test="rocwalk.interval",
        chance=chance,
        simulated_below=SIMULATED_BELOW,
    )


def two_areas(
    auc_1: float | None,
    auc_2: float | None,
    correlation: Any,
    pilot: Any,
    alpha: float,
    alternative: str,
    null_variance: str,
    formula: str,
) -> tuple[Design, tuple[int, int] | None]:
    """Return the design of a test that two areas differ, and the numbers of items of a pilot.

    `covariance` is n⁺ times the covariance of the areas, for κ negatives per positive.
    """
    found = None if pilot is None else _spread_of(pilot)
    one_of("formula", formula, FORMULAS)
    one_of("null_variance", null_variance, NULL_VARIANCES)
    spread: tuple[FloatArray, FloatArray] | None = None  # S₁₀ and S₀₁
    if found is None:
        kind, counts = _SEPARATE if correlation is None else _PAIRED, None
        areas = an_area("auc_1", auc_1), an_area("auc_2", auc_2)
        both = correlations(correlation)
        if formula == "placements":
            spread = placement_spread(areas, both)
    else:
        kind, areas, of_pilot = found
        spread = of_pilot.positives, of_pilot.negatives
        counts = of_pilot.n_positives, of_pilot.n_negatives
        if any(value is not None for value in (auc_1, auc_2, correlation)):
            raise OptionError(
                "Areas or a correlation are given beside a pilot.",
                "a pilot brings its own; leave it or them out.",
            )

    def variances(ratio: float) -> tuple[float, float]:
        if spread is None:
            covariance = binormal_areas(areas, both, ratio)
        else:
            covariance = spread[0] + spread[1] / ratio  # S₁₀ + S₀₁/κ
        return null_and_truth(covariance, null_variance)

    difference = areas[0] - areas[1]
    design = Design(kind, areas, difference, alpha, alternative, variances, null_variance)
    if spread is None or null_variance == "first":
        return design, counts
    contrast = np.array([1.0, -1.0])
    parts = [  # of the variance of the difference: the two classes, or those of both samples
        [np.diag(each)[i] for i in (0, 1)] if kind == _SEPARATE else [contrast @ each @ contrast]
        for each in spread
    ]

    upper = 0 if design.distance == difference else 1  # the area that is to be found larger

    def chance(n_positives: int, n_negatives: int) -> float:
        counts = n_positives, n_negatives
        sizes = [n for n, part in zip((n_positives, n_negatives), parts, strict=True) for _ in part]
        shares = [
            max(float(each), 0.0) / n
            for each, n in zip((each for part in parts for each in part), sizes, strict=True)
        ]
        error = math.sqrt(sum(shares))
        df = welch_degrees([(each, each) for each in shares], [max(n, 2) for n in sizes])
        if df is None:
            return float(design.distance > 0)
        tail, apart = design.alpha / design.sides, design.distance / error
        misplaced = COMPARED_MISPLACED if kind == _PAIRED else FEW_MISPLACED
        if not any(are_few((area, area), counts, misplaced)[0] for area in areas):
            return student_power(apart, df, tail)
        covariance = spread[0] / n_positives + spread[1] / n_negatives
        own = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        if kind == _SEPARATE:
            return _mover_power(areas, upper, counts, own, design.distance, tail)
        product = float(own[0] * own[1])
        both = [Area((a, a), counts, float(e)) for a, e in zip(areas, own, strict=True)]
        between = float(covariance[0, 1]) / product if product > 0 else 0.0
        critical = quantile(1 - tail, df)
        reach = mover_reach(both[upper], both[1 - upper], critical, between, error)
        return student_power(apart, df, tail, reach / (critical * error))

    name = "rocwalk.compare" if kind == _PAIRED else "rocwalk.compare_samples"
    return replace(design, test=name, chance=chance), counts


def _spread_of(pilot: Any) -> tuple[str, tuple[float, float], Spread]:
    """Return what a pilot compares, its areas, and their covariances for one item of each class."""
    if isinstance(pilot, Comparison) and pilot.spread is not None and len(pilot.names) == 2:
        one, other = pilot.estimates.values()
        return _PAIRED, (one, other), pilot.spread
    if isinstance(pilot, SampleComparison) and pilot.spreads is not None:
        first, second = pilot.spreads
        spread = Spread(
            np.diag([first.positives[0, 0], second.positives[0, 0]]),
            np.diag([first.negatives[0, 0], second.negatives[0, 0]]),
            min(first.n_positives, second.n_positives),
            min(first.n_negatives, second.n_negatives),
        )
        return _SEPARATE, pilot.estimates, spread
    raise InputError(
        f"The pilot, a {type(pilot).__name__}, does not have the spread of two areas.",
        "pass what rocwalk.compare of two models, or rocwalk.compare_samples, gives for the AUC of "
        "hard labels without clusters.",
    )


def null_and_truth(covariance: FloatArray, under_null: str) -> tuple[float, float]:
    """Return the variances of the difference under the null hypothesis and at the truth.

    A variance 2V₁₁ − 2V₁₂ that is negative does not exist, and is refused.
    """
    (first, both), (_, second) = covariance.tolist()
    rounding = 1e-12 * (first + second)
    truth = first + second - 2 * both
    null = 2 * first - 2 * both if under_null == "first" else truth
    if null < -rounding:
        raise OptionError(
            "The variance of the first area is smaller than its covariance with the second at "
            "this ratio of classes, so that null_variance='first' would be negative.",
            "name the other model first, or use null_variance='same'.",
        )
    return max(null, 0.0), max(truth, 0.0)


def _mover_power(
    areas: tuple[float, float],
    upper: int,
    counts: tuple[int, int],
    errors: FloatArray,
    distance: float,
    tail: float,
) -> float:
    """Return the power of MOVER's test of separate samples: Φ((δ − d) / √(V₁ + V₂)).

    A difference is significant from d on, where d is the reach of the limits of areas that differ
    by d; of the areas at the truth each is moved there in proportion to its variance.
    """
    from scipy.special import ndtr

    z, variances = normal_quantile(1 - tail), errors**2
    total = float(variances.sum())
    weights = variances / total

    def excess(at: float) -> float:
        moved = [
            min(max(areas[k] + sign * float(weights[k]) * (at - distance), 0.0), 1.0)
            for k, sign in ((upper, 1), (1 - upper, -1))
        ]
        one, other = (Area((area, area), counts) for area in moved)
        return at - mover_reach(one, other, z)

    if excess(1.0) < 0:
        return 0.0
    return float(ndtr((distance - crossing(excess, 0.0, 1.0)) / math.sqrt(total)))


def student_power(noncentrality: float, df: float, alpha: float, factor: float = 1.0) -> float:
    """Return P(T > factor·t) where t is the 1 − α quantile of Student's T, and T is noncentral.

    Above 1,000 degrees of freedom, where the two agree to 0.0003, it is Φ(noncentrality − t).
    """
    from scipy.special import nctdtr, ndtr

    critical = factor * quantile(1 - alpha, df)
    if df > 1000:
        return float(ndtr(noncentrality - critical))
    return 1 - float(nctdtr(df, min(noncentrality, 100.0), critical))


# -- arguments -------------------------------------------------------------------------------------


def correlations(given: Any) -> tuple[float, float]:
    """Return the correlation among the positives and among the negatives."""
    if given is None:
        return 0.0, 0.0
    both = tuple(given) if isinstance(given, tuple | list) else (given, given)
    if len(both) != 2 or not all(-1 <= as_number("correlation", one) <= 1 for one in both):
        raise OptionError(
            "is not a correlation.",
            "pass a number from -1 to 1, or one for the positives and one for the negatives.",
            option="correlation",
            value=given,
        )
    return float(both[0]), float(both[1])


def share(argument: str, value: Any) -> float:
    """Return a number strictly between 0 and 1, or raise."""
    if not 0 < as_number(argument, value) < 1:
        hint = f"pass {argument} between 0 and 1."
        raise OptionError("is outside (0, 1).", hint, option=argument, value=value)
    return float(value)


def an_area(argument: str, value: Any) -> float:
    """Return a number from 0 to 1, or raise."""
    if value is None:
        raise OptionError(f"{argument} is missing.", "give both areas, or a pilot.")
    if not 0 <= as_number(argument, value) <= 1:
        hint = "an area lies between 0 and 1."
        raise OptionError("is outside [0, 1].", hint, option=argument, value=value)
    return float(value)


def positive(argument: str, value: Any) -> float:
    """Return a finite number above 0, or raise."""
    if not 0 < as_number(argument, value) < math.inf:
        hint = "1 means as many of each class."
        raise OptionError("is not a positive number.", hint, option=argument, value=value)
    return float(value)


def whole(argument: str, value: Any) -> int:
    """Return a whole number of 1 or more, or raise."""
    if value is None:
        raise OptionError(f"{argument} is missing.", "give both numbers of items.")
    return as_whole(argument, value, 1)
