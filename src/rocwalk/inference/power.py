"""Power and sample size of a test of one area, or of the difference between two areas.

The power is that of the test which rocwalk does: of one area, that `rocwalk.interval` excludes the
area of the null hypothesis; of two, that `rocwalk.compare` finds a difference. With
formula="obuchowski" it is Φ((√n·δ − z_α·√v₀) / √v), where v₀ and v are n times the variances under
the null hypothesis and at the truth (Obuchowski & McClish 1997), as in pROC. `Design` solves either
for the power or for n.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from rocwalk.errors import InputError, OptionError, as_number, as_whole, one_of
from rocwalk.inference.closed_forms import FEW_MISPLACED, are_few
from rocwalk.inference.comparisons import FEW_MISPLACED as COMPARED_MISPLACED
from rocwalk.inference.comparisons import Comparison
from rocwalk.inference.differences import Area, Spread, mover_reach
from rocwalk.inference.distributions import crossing, normal_quantile, quantile, welch_degrees
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.inference.samples import SampleComparison
from rocwalk.result import Result
from rocwalk.statistic import statistic_of
from rocwalk.tally.tally import Tally
from rocwalk.typing import Alternative, FloatArray, NullVariance, PowerFormula

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
            f"difference of {self.difference:+.3f} with probability {self.power:.3f} "
            f"({self.alternative} test of level {self.alpha:g} by {self.test}{drawn})."
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


def auc_power(
    auc: float,
    n_positives: int,
    n_negatives: int,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    null: float = 0.5,
    formula: PowerFormula = "placements",
) -> PowerAnalysis:
    """Return the power of a test that one area differs from `null`.

    Parameters
    ----------
    auc
        The true area.
    n_positives, n_negatives
        The numbers of items, 2 or more of each.
    alpha
        The level of the test.
    alternative
        "two-sided", or "greater" (the area is larger than `null`; `alpha` below 0.5).
    null
        The area of the null hypothesis.
    formula
        "placements": the power of the test that `rocwalk.interval` does, with normal scores of
        equal spread in both classes: that the interval of level 1 − alpha (1 − 2·alpha if
        one-sided) excludes `null`. With fewer than 50 items of a class it is the share of 2,000
        simulated samples, always the same ones, with a standard error of at most 0.011. Else the
        empirical area has the beta distribution of its mean and variance, and the interval is that
        of a sample of evenly spaced scores; simulated powers differed from it by at most 0.05.
        "obuchowski": Φ((√n⁺·δ − z_α·√v₀) / √v) with n⁺·V(θ) =
        0.0099·e^{−A²/2}·{5A² + 8 + (A² + 8)/κ}, A = 1.414·Φ⁻¹(θ) and κ negatives for each
        positive, as in `power.roc.test` of R's pROC. This is not the power of the interval: with
        13 + 13 items or fewer the interval finds less, where `null` is not 0.5 it finds more.

    References
    ----------
    Obuchowski & McClish (1997), Sample size determination for diagnostic accuracy studies involving
    binormal ROC curve indices; Obuchowski, Lieber, Wians (2004).

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.auc_power(0.65, 60, 72)
    PowerAnalysis(of='one area', n_positives=60, n_negatives=72, power=0.847537, \
difference=0.15, alpha=0.05)
    >>> rw.auc_power(0.73, 41, 72, formula="obuchowski")
    PowerAnalysis(of='one area', n_positives=41, n_negatives=72, power=0.989745, \
difference=0.23, alpha=0.05)
    """
    counts = whole("n_positives", n_positives), whole("n_negatives", n_negatives)
    return _one_area(auc, alpha, alternative, null, formula).result(*counts)


def auc_sample_size(
    auc: float,
    *,
    power: float = 0.8,
    ratio: float = 1.0,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    null: float = 0.5,
    formula: PowerFormula = "placements",
) -> PowerAnalysis:
    """Return the numbers of items with which a test finds that one area differs from `null`.

    Parameters
    ----------
    auc
        The true area.
    power
        The probability with which it is to be found.
    ratio
        Negatives for each positive.
    alpha
        The level of the test.
    alternative
        "two-sided", or "greater" (the area is larger than `null`; `alpha` below 0.5).
    null
        The area of the null hypothesis.
    formula
        "placements": for the test that `rocwalk.interval` does, with normal scores of equal spread
        in both classes: that the interval of level 1 − alpha (1 − 2·alpha if one-sided) excludes
        `null`. With fewer than 50 items of a class the power is the share of 2,000 simulated
        samples, always the same ones, with a standard error of at most 0.011. Else the empirical
        area has the beta distribution of its mean and variance, and the interval is that of a
        sample of evenly spaced scores; simulated powers differed from it by at most 0.05.
        "obuchowski": by Φ((√n⁺·δ − z_α·√v₀) / √v) with n⁺·V(θ) =
        0.0099·e^{−A²/2}·{5A² + 8 + (A² + 8)/κ}, A = 1.414·Φ⁻¹(θ) and κ = `ratio`, as in
        `power.roc.test` of R's pROC. This is not the power of the interval: with 13 + 13 items or
        fewer the interval finds less, where `null` is not 0.5 it finds more.

    The size is the smallest n⁺ with ⌈ratio·n⁺⌉ negatives that reaches the power and that n⁺ − 1
    does not reach. There are as many items at least as a perfect order needs to be no accident at
    the level: 4 + 4 for 0.05.

    References
    ----------
    Obuchowski & McClish (1997), Sample size determination for diagnostic accuracy studies involving
    binormal ROC curve indices; Obuchowski, Lieber, Wians (2004).

    Examples
    --------
    >>> import rocwalk as rw
    >>> found = rw.auc_sample_size(0.7, power=0.95)
    >>> print(found.sentence)
    52 positives and 52 negatives find a difference of +0.200 with probability 0.951 (two-sided \
test of level 0.05 by rocwalk.interval).
    """
    design = _one_area(auc, alpha, alternative, null, formula)
    return design.sized(power, positive("ratio", ratio))


def difference_power(
    auc_1: float | None = None,
    auc_2: float | None = None,
    n_positives: int | None = None,
    n_negatives: int | None = None,
    *,
    correlation: float | tuple[float, float] | None = None,
    pilot: Comparison | SampleComparison | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    null_variance: NullVariance = "same",
    formula: PowerFormula = "placements",
) -> PowerAnalysis:
    """Return the power of a test that two areas differ.

    Parameters
    ----------
    auc_1, auc_2
        The two areas; the first is the reference. Or leave them out and give a `pilot`.
    n_positives, n_negatives
        The numbers of items, in each sample if there are two; with a pilot its own by default.
    correlation
        Of the two models' scores on the same rows within a class: one number, or one for the
        positives and one for the negatives. None: two separate samples.
    pilot
        What `rocwalk.compare` of two models, or `rocwalk.compare_samples`, found for hard labels:
        areas, variances and covariance are taken from there.
    alpha, alternative
        The level of the test, "two-sided" or "greater" (the first area is larger).
    null_variance
        The variance under the null hypothesis. "same": that of the difference, V₁₁ + V₂₂ − 2V₁₂, by
        which `rocwalk.compare` divides. "first": that of two models like the first, 2V₁₁ − 2V₁₂,
        after Obuchowski & McClish and pROC; it depends on the order of the models, promises too
        much where the first area is the larger, and is refused where it is negative at these
        numbers of items (V₁₁ < V₁₂).
    formula
        Without a pilot, the covariance of two areas of normal scores of equal spread in both
        classes. "placements": that of empirical areas, by which `rocwalk.compare` has the power
        that is stated. "obuchowski": Obuchowski & McClish's, which is larger, so that the power is
        understated.

    The power is P(T > t) of the noncentral t distribution with the noncentrality δ / √V and Welch's
    degrees of freedom over the classes. With few items, where the test is "mover", t is longer by
    the ratio of its reach to DeLong's at the true areas; of separate samples the power is
    Φ((δ − d) / √V), with d the smallest difference whose limits exclude 0. Simulated powers
    differed from these by at most 0.07. With "first" or "obuchowski" the power is
    Φ((√n⁺·δ − z_α·√v₀) / √v). From a pilot, the covariance is S₁₀/n⁺ + S₀₁/n⁻ with DeLong's S₁₀ and
    S₀₁, so that another ratio of classes is accounted for; pROC keeps the pilot's.

    References
    ----------
    Obuchowski & McClish (1997); DeLong, DeLong, Clarke-Pearson (1988).

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.difference_power(0.9, 0.8, 100, 100, correlation=0.5)
    PowerAnalysis(of='two areas on the same rows', n_positives=100, n_negatives=100, \
power=0.931541, difference=0.1, alpha=0.05)
    """
    design, counts = _two_areas(
        auc_1, auc_2, correlation, pilot, alpha, alternative, null_variance, formula
    )
    if counts is not None and n_positives is None and n_negatives is None:
        return design.result(*counts)
    return design.result(whole("n_positives", n_positives), whole("n_negatives", n_negatives))


def difference_sample_size(
    auc_1: float | None = None,
    auc_2: float | None = None,
    *,
    power: float = 0.8,
    ratio: float | None = None,
    correlation: float | tuple[float, float] | None = None,
    pilot: Comparison | SampleComparison | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    null_variance: NullVariance = "same",
    formula: PowerFormula = "placements",
) -> PowerAnalysis:
    """Return the numbers of items with which a test finds that two areas differ.

    Parameters
    ----------
    auc_1, auc_2
        The two areas; the first is the reference. Or leave them out and give a `pilot`.
    power
        The probability with which the difference is to be found.
    ratio
        Negatives for each positive: 1, or the pilot's, by default.
    correlation
        Of the two models' scores on the same rows within a class: one number, or one for the
        positives and one for the negatives. None: two separate samples.
    pilot
        What `rocwalk.compare` of two models, or `rocwalk.compare_samples`, found for hard labels:
        areas, variances and covariance are taken from there.
    alpha
        The level of the test.
    alternative
        "two-sided", or "greater" (the first area is larger).
    null_variance
        The variance under the null hypothesis. "same": that of the difference, V₁₁ + V₂₂ − 2V₁₂, by
        which `rocwalk.compare` divides. "first": that of two models like the first, 2V₁₁ − 2V₁₂,
        after Obuchowski & McClish and pROC; it depends on the order of the models, promises too
        much where the first area is the larger, and is refused where it is negative at this ratio
        (V₁₁ < V₁₂).
    formula
        Without a pilot, the covariance of two areas of normal scores of equal spread in both
        classes. "placements": that of empirical areas, by which `rocwalk.compare` has the power
        that is stated. "obuchowski": Obuchowski & McClish's, which is larger, so that more items
        are asked for.

    The power is P(T > t) of the noncentral t distribution with the noncentrality δ / √V and Welch's
    degrees of freedom over the classes. With few items, where the test is "mover", t is longer by
    the ratio of its reach to DeLong's at the true areas; of separate samples the power is
    Φ((δ − d) / √V), with d the smallest difference whose limits exclude 0. Simulated powers
    differed from these by at most 0.07. With "first" or "obuchowski" the power is
    Φ((√n⁺·δ − z_α·√v₀) / √v). The size is the smallest n⁺ with ⌈ratio·n⁺⌉ negatives that reaches
    it, 2 of each class at least, in each sample if there are two.

    References
    ----------
    Obuchowski & McClish (1997), Sample size determination for diagnostic accuracy studies involving
    binormal ROC curve indices; DeLong, DeLong, Clarke-Pearson (1988).

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.difference_sample_size(0.9, 0.8, power=0.9, correlation=0.5)
    PowerAnalysis(of='two areas on the same rows', n_positives=89, n_negatives=89, \
power=0.901519, difference=0.1, alpha=0.05)
    """
    design, counts = _two_areas(
        auc_1, auc_2, correlation, pilot, alpha, alternative, null_variance, formula
    )
    if ratio is None:
        ratio = 1.0 if counts is None else counts[1] / counts[0]
    return design.sized(power, positive("ratio", ratio))


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


def _one_area(auc: float, alpha: float, alternative: str, null: float, formula: str) -> Design:
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


def _two_areas(
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
        "pass what rocwalk.compare of two models, or rocwalk.compare_samples, gives for hard "
        "labels and statistic='auc' without clusters.",
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
        self.null, self.alternative = null, alternative
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
        scores = np.concatenate((ups + _separation(area), rights))
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

    shift = _separation(area)
    edges = np.linspace(max(shift, 0.0) + 6, min(shift, 0.0) - 6, _BINS + 1)
    up, right = (
        np.diff(np.rint(count * ndtr(mean - edges))).astype(np.int64)
        for count, mean in ((n_positives, shift), (n_negatives, 0.0))
    )
    held = up + right > 0
    return Tally(edges[1:][held], up[held], right[held])


# -- variances of areas of normal scores -----------------------------------------------------------


def area_variance(area: float, ratio: float) -> float:
    """Return n⁺ times the variance of an area, by Obuchowski's rounded binormal formula."""
    if area in (0.0, 1.0):
        return 0.0
    a = 1.414 * normal_quantile(area)
    return 0.0099 * math.exp(-(a**2) / 2) * (5 * a**2 + 8 + (a**2 + 8) / ratio)


def _separation(area: float) -> float:
    """Return A = √2·Φ⁻¹(θ); limited to ± 40, where areas do not vary."""
    return min(max(math.sqrt(2) * normal_quantile(area), -40.0), 40.0)


def binormal_areas(
    areas: tuple[float, float], correlation: tuple[float, float], ratio: float
) -> FloatArray:
    """Return `binormal_covariance` of models of equal spread in both classes."""
    first, second = (_separation(area) for area in areas)
    return binormal_covariance((first, 1.0), (second, 1.0), correlation, ratio)


def binormal_covariance(
    one: tuple[float, float],
    other: tuple[float, float],
    correlation: tuple[float, float],
    ratio: float,
) -> FloatArray:
    """Return n⁺ times the covariance of two binormal areas (Obuchowski & McClish 1997).

    A model is (A, B): A = (μ⁺ − μ⁻)/σ⁺, B = σ⁻/σ⁺, and its area is θ = Φ(A/√(1 + B²)) with the
    slopes f = ∂θ/∂A and g = ∂θ/∂B. `correlation` is that of the scores among the positives and
    among the negatives, `ratio` the negatives for each positive, κ. As published, the variances
    leave out the term 2fg·cov(A, B), which is negative; for B = 1 they are those of
    `area_variance` with less rounding.

    The covariance is f₁f₂·cov(A₁,A₂) + g₁g₂·cov(B₁,B₂) + f₁g₂·cov(A₁,B₂) + g₁f₂·cov(B₁,A₂).
    """
    (a_1, b_1), (a_2, b_2), k = one, other, ratio
    (f_1, g_1), (f_2, g_2) = _slopes(a_1, b_1), _slopes(a_2, b_2)
    r_up, r_right = correlation
    between = (
        f_1 * f_2 * (r_up + r_right * b_1 * b_2 / k + r_up**2 * a_1 * a_2 / 2)
        + g_1 * g_2 * b_1 * b_2 * (r_right**2 / k + r_up**2) / 2
        + f_1 * g_2 * r_up**2 * a_1 * b_2 / 2
        + g_1 * f_2 * r_up**2 * a_2 * b_1 / 2
    )
    return np.array([[_within(*one, k), between], [between, _within(*other, k)]])


def _within(a: float, b: float, k: float) -> float:
    """Return f²·var(A) + g²·var(B), times n⁺."""
    f, g = _slopes(a, b)
    return f**2 * (1 + b**2 / k + a**2 / 2) + g**2 * b**2 * (1 + 1 / k) / 2


def _slopes(a: float, b: float) -> tuple[float, float]:
    """Return ∂θ/∂A and ∂θ/∂B of θ = Φ(A/√(1 + B²))."""
    spread = 1 + b**2
    height = math.exp(-(a**2) / (2 * spread)) / math.sqrt(2 * math.pi * spread)
    return height, -height * a * b / spread


def placement_covariance(
    areas: tuple[float, float], correlation: tuple[float, float], ratio: float
) -> FloatArray:
    """Return n⁺ times the covariance of two empirical areas of normal scores: S₁₀ + S₀₁/κ."""
    positives, negatives = placement_spread(areas, correlation)
    return positives + negatives / ratio


def placement_variance(area: float) -> float:
    """Return S₁₀ of one empirical area of normal scores, which is S₀₁."""
    return float(placement_spread((area, area), (1.0, 1.0))[0][0, 0])


def placement_spread(
    areas: tuple[float, float], correlation: tuple[float, float]
) -> tuple[FloatArray, FloatArray]:
    """Return S₁₀ and S₀₁, the covariances of placements, of two models of normal scores.

    A positive X and a negative Z have P(Z < X) = θ = Φ(h) in a model. The placements Φ(X₁), Φ(X₂)
    of a positive have the mean product P(Z₁ < X₁, Z₂ < X₂) with Z₁, Z₂ independent, so that
    X₁ − Z₁ and X₂ − Z₂ correlate by ρ = r⁺/2; so S₁₀ = Φ₂(h₁, h₂; ρ) − θ₁θ₂ = ∫₀^ρ φ₂(h₁, h₂; r) dr
    (Plackett 1954), here by Gauss and Legendre's quadrature. Likewise S₀₁ with r⁻.
    """
    h = [_separation(area) / math.sqrt(2) for area in areas]
    nodes, weights = np.polynomial.legendre.leggauss(24)
    positives, negatives = np.empty((2, 2)), np.empty((2, 2))
    for matrix, between in ((positives, correlation[0]), (negatives, correlation[1])):
        for i, j in ((0, 0), (0, 1), (1, 1)):
            rho = 0.5 if i == j else between / 2
            r = rho / 2 * (1 + nodes)
            rest = 1 - r**2
            density = np.exp(-(h[i] ** 2 - 2 * h[i] * h[j] * r + h[j] ** 2) / (2 * rest))
            density /= 2 * math.pi * np.sqrt(rest)
            matrix[i, j] = matrix[j, i] = float(rho / 2 * (weights * density).sum())
    return positives, negatives


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
