"""Power and sample size of a test of one area, or of the difference between two areas.

A test of level α that finds a difference δ with n positives has the power
Φ((√n·δ − z_α·√v₀) / √v), where v₀ and v are n times the variances under the null hypothesis and at
the truth (Obuchowski & McClish 1997). `Design` solves this for the power or for n; what differs
between studies is where the variances come from: formulas for normal scores, or a pilot.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import InputError, OptionError, as_number, one_of
from rocwalk.inference.comparisons import Comparison
from rocwalk.inference.differences import Spread
from rocwalk.inference.distributions import normal_quantile
from rocwalk.inference.samples import SampleComparison
from rocwalk.result import Result
from rocwalk.typing import Alternative, FloatArray, NullVariance, PowerFormula

ALTERNATIVES = ("two-sided", "greater")
FORMULAS = ("obuchowski", "placements")
NULL_VARIANCES = ("auto", "first", "same")
_PAIRED, _SEPARATE = "two areas on the same rows", "two separate areas"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PowerAnalysis(Result):
    """The size and the power of a study, and the numbers that they follow from.

    Variances are those of the estimate times the number of positives. When the size was asked for,
    `exact_positives` is the number before rounding up, `asked_power` what was asked, and `power`
    what the rounded numbers give.
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
    asked_power: float | None = None
    exact_positives: float | None = None

    @property
    def sentence(self) -> str:
        """The result in words."""
        apart = " in each sample" if self.of == _SEPARATE else ""
        return (
            f"{self.n_positives:,} positives and {self.n_negatives:,} negatives{apart} find a "
            f"difference of {self.difference:+.3f} with probability {self.power:.3f} "
            f"({self.alternative} test of level {self.alpha:g})."
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
            "asked_power": self.asked_power,
            "exact_positives": self.exact_positives,
            "null_variance": self.null_variance,
            "variance": self.variance,
            "variance_under_null": self.variance_under_null,
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
    formula: PowerFormula = "obuchowski",
) -> PowerAnalysis:
    """Return the power of a test that one area differs from `null`.

    Parameters
    ----------
    auc
        The true area.
    n_positives, n_negatives
        The numbers of items.
    alpha, alternative
        The level of the test, "two-sided" or "greater" (the area is larger than `null`).
    null
        The area of the null hypothesis.
    formula
        The variance of an area. "obuchowski": n⁺·V(θ) = 0.0099·e^{−A²/2}·{5A² + 8 + (A² + 8)/κ}
        with A = 1.414·Φ⁻¹(θ) and κ negatives for each positive, as in `power.roc.test` of R's
        pROC, which is conservative. "placements": that of the empirical area of normal scores.

    References
    ----------
    Obuchowski & McClish (1997), Sample size determination for diagnostic accuracy studies involving
    binormal ROC curve indices; Obuchowski, Lieber, Wians (2004).

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.auc_power(0.73, 41, 72)
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
    formula: PowerFormula = "obuchowski",
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
        "two-sided", or "greater" (the area is larger than `null`).
    null
        The area of the null hypothesis.
    formula
        The variance of an area, with A = 1.414·Φ⁻¹(θ) and κ = `ratio`. "obuchowski":
        n⁺·V(θ) = 0.0099·e^{−A²/2}·{5A² + 8 + (A² + 8)/κ}, as in `power.roc.test` of R's pROC, which
        is conservative. "placements": that of the empirical area of normal scores.

    Numbers are rounded up, to as many at least as a perfect order needs to be no accident at the
    level: 4 + 4 for 0.05. The formula is asymptotic and not reliable below about 10 + 10.

    References
    ----------
    Obuchowski & McClish (1997), Sample size determination for diagnostic accuracy studies involving
    binormal ROC curve indices; Obuchowski, Lieber, Wians (2004).

    Examples
    --------
    >>> import rocwalk as rw
    >>> found = rw.auc_sample_size(0.7, power=0.9)
    >>> print(found.sentence)
    41 positives and 41 negatives find a difference of +0.200 with probability 0.906 (two-sided \
test of level 0.05).
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
    null_variance: NullVariance = "auto",
    formula: PowerFormula = "obuchowski",
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
        What `rocwalk.compare` of two models, or `rocwalk.compare_samples`, found by "delong":
        areas, variances and covariance are taken from there.
    alpha, alternative
        The level of the test, "two-sided" or "greater" (the first area is larger).
    null_variance
        The variance under the null hypothesis. "first": that of two models like the first,
        2V₁₁ − 2V₁₂, after Obuchowski & McClish and pROC; it depends on the order of the models and
        does not exist when V₁₁ < V₁₂. "same": that of the difference, V₁₁ + V₂₂ − 2V₁₂, by which
        `rocwalk.compare` divides. "auto": the first with formula="obuchowski" where it exists,
        else the same; see `.variance_under_null`.
    formula
        Without a pilot, the covariance of two areas of normal scores of equal spread in both
        classes. "obuchowski": Obuchowski & McClish's, which is conservative. "placements": that of
        empirical areas, which has the power that simulations find.

    From a pilot, the covariance is S₁₀/n⁺ + S₀₁/n⁻ with DeLong's S₁₀ and S₀₁, so that
    another ratio of classes is accounted for; pROC keeps the pilot's.

    References
    ----------
    Obuchowski & McClish (1997).

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.difference_power(0.9, 0.8, 100, 100, correlation=0.5)
    PowerAnalysis(of='two areas on the same rows', n_positives=100, n_negatives=100, \
power=0.886038, difference=0.1, alpha=0.05)
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
    null_variance: NullVariance = "auto",
    formula: PowerFormula = "obuchowski",
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
        What `rocwalk.compare` of two models, or `rocwalk.compare_samples`, found by "delong":
        areas, variances and covariance are taken from there.
    alpha
        The level of the test.
    alternative
        "two-sided", or "greater" (the first area is larger).
    null_variance
        The variance under the null hypothesis. "first": that of two models like the first,
        2V₁₁ − 2V₁₂, after Obuchowski & McClish and pROC; it depends on the order of the models and
        does not exist when V₁₁ < V₁₂. "same": that of the difference, V₁₁ + V₂₂ − 2V₁₂, by which
        `rocwalk.compare` divides. "auto": the first with formula="obuchowski" where it exists,
        else the same; see `.variance_under_null`.
    formula
        Without a pilot, the covariance of two areas of normal scores of equal spread in both
        classes. "obuchowski": Obuchowski & McClish's, which is conservative. "placements": that of
        empirical areas, which has the power that simulations find.

    Numbers are rounded up, to 2 of each class at least, in each sample if there are two.

    References
    ----------
    Obuchowski & McClish (1997), Sample size determination for diagnostic accuracy studies involving
    binormal ROC curve indices.

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.difference_sample_size(0.9, 0.8, power=0.9, correlation=0.5)
    PowerAnalysis(of='two areas on the same rows', n_positives=106, n_negatives=106, \
power=0.900916, difference=0.1, alpha=0.05)
    """
    design, counts = _two_areas(
        auc_1, auc_2, correlation, pilot, alpha, alternative, null_variance, formula
    )
    if ratio is None:
        ratio = 1.0 if counts is None else counts[1] / counts[0]
    return design.sized(power, positive("ratio", ratio))


_FEWEST = 2  # items of a class without which there is no spread


@dataclass(frozen=True, slots=True)
class Design:
    """What is to be tested: areas, their difference, level, side, and variances for a ratio.

    `variances` gives (v₀, v), n times the variances, for a number of negatives per positive.
    """

    of: str
    areas: tuple[float, ...]
    difference: float
    alpha: float
    alternative: str
    variances: Callable[[float], tuple[float, float]]
    under_null: str

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

    def power(self, n_positives: float, n_negatives: float) -> float:
        """Return Φ((√n·δ − z_α·√v₀) / √v)."""
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
            **more,
        )

    def sized(self, power: float, ratio: float) -> PowerAnalysis:
        """Return the smallest whole numbers of items that reach a power.

        They are large enough for a perfect order to be significant: 1/C(n⁺ + n⁻, n⁺) ≤ α.
        """
        exact = self.positives(share("power", power), ratio)
        positives = max(math.ceil(exact - 1e-9), _FEWEST)
        negatives = max(math.ceil(exact * ratio - 1e-9), _FEWEST)
        while self.sides / math.comb(positives + negatives, positives) > self.alpha:
            positives += 1
            negatives = max(math.ceil(positives * ratio), _FEWEST)
        return self.result(positives, negatives, asked_power=float(power), exact_positives=exact)


def _one_area(auc: float, alpha: float, alternative: str, null: float, formula: str) -> Design:
    """Return the design of a test that an area differs from that of the null hypothesis."""
    one_of("formula", formula, FORMULAS)
    area, other = an_area("auc", auc), share("null", null)

    def variance(of: float, ratio: float) -> float:
        if formula == "obuchowski":
            return area_variance(of, ratio)
        return float(placement_covariance((of, of), (1.0, 1.0), ratio)[0, 0])

    def variances(ratio: float) -> tuple[float, float]:
        return variance(other, ratio), variance(area, ratio)

    return Design("one area", (area,), area - other, alpha, alternative, variances, "null")


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
    if found is None:
        kind, counts = _SEPARATE if correlation is None else _PAIRED, None
        areas = an_area("auc_1", auc_1), an_area("auc_2", auc_2)
        both = correlations(correlation)
        by_formula = binormal_areas if formula == "obuchowski" else placement_covariance

        def covariance(ratio: float) -> FloatArray:
            return by_formula(areas, both, ratio)

    else:
        kind, areas, spread = found
        counts = spread.n_positives, spread.n_negatives
        if any(value is not None for value in (auc_1, auc_2, correlation)):
            raise OptionError(
                "Areas or a correlation are given beside a pilot.",
                "a pilot brings its own; leave it or them out.",
            )

        def covariance(ratio: float) -> FloatArray:
            return spread.positives + spread.negatives / ratio  # S₁₀ + S₀₁/κ

    one_of("null_variance", null_variance, NULL_VARIANCES)
    matrix = covariance(1.0)
    exists = matrix[0, 0] >= matrix[0, 1]
    if null_variance == "first" and not exists:
        raise OptionError(
            "The variance of the first area is smaller than its covariance with the second, so "
            "that null_variance='first' would be negative.",
            "name the other model first, or use null_variance='same'.",
        )
    under_null = null_variance
    if null_variance == "auto":
        published = found is None and formula == "obuchowski"
        under_null = "first" if published and exists else "same"

    def variances(ratio: float) -> tuple[float, float]:
        return null_and_truth(covariance(ratio), under_null)

    difference = areas[0] - areas[1]
    return Design(kind, areas, difference, alpha, alternative, variances, under_null), counts


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
    """Return the variances of the difference under the null hypothesis and at the truth."""
    (first, both), (_, second) = covariance.tolist()
    truth = max(first + second - 2 * both, 0.0)
    return (max(2 * first - 2 * both, 0.0) if under_null == "first" else truth), truth


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
    """Return n⁺ times the covariance of two empirical areas of normal scores: S₁₀ + S₀₁/κ.

    A positive X and a negative Z have P(Z < X) = θ = Φ(h) in a model. The placements Φ(X₁), Φ(X₂)
    of a positive have the mean product P(Z₁ < X₁, Z₂ < X₂) with Z₁, Z₂ independent, so that
    X₁ − Z₁ and X₂ − Z₂ correlate by ρ = r⁺/2; so S₁₀ = Φ₂(h₁, h₂; ρ) − θ₁θ₂ = ∫₀^ρ φ₂(h₁, h₂; r) dr
    (Plackett 1954), here by Gauss and Legendre's quadrature. Likewise S₀₁ with r⁻.
    """
    h = [_separation(area) / math.sqrt(2) for area in areas]
    nodes, weights = np.polynomial.legendre.leggauss(24)
    matrix = np.empty((2, 2))
    for i, j in ((0, 0), (0, 1), (1, 1)):
        parts = []
        for rho in (0.5, 0.5) if i == j else (correlation[0] / 2, correlation[1] / 2):
            r = rho / 2 * (1 + nodes)
            rest = 1 - r**2
            density = np.exp(-(h[i] ** 2 - 2 * h[i] * h[j] * r + h[j] ** 2) / (2 * rest))
            density /= 2 * math.pi * np.sqrt(rest)
            parts.append(float(rho / 2 * (weights * density).sum()))
        matrix[i, j] = matrix[j, i] = parts[0] + parts[1] / ratio
    return matrix


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
    number = as_number(argument, value)
    if not 1 <= number < math.inf or number != int(number):
        hint = "pass a whole number of 1 or more, such as 100."
        raise OptionError("is not a number of items.", hint, option=argument, value=value)
    return int(number)
