"""How many items a study of areas needs, and how likely it is to find what is there.

After Obuchowski & McClish (1997). With n positives and κ negatives for each of them, a test of
level α finds a difference δ with the power Φ((√n·|δ| − z_α·√v₀) / √v), where v₀ and v are n times
the variance of the estimate under the null hypothesis and at the truth; so
n = (z_α·√v₀ + z_β·√v)² / δ². z_α is z_{1−α/2} for a two-sided test, whose far tail is left out.

Variances of areas that are yet to be measured come from normal scores, by one of two formulas:
"obuchowski", the published one, and "placements", that of the empirical area. The published one
errs on the safe side: with areas of .87 and .76, correlation .5 and 60 + 60 items it promises a
power of .73 (.61 with null_variance="same") where 1,500 simulated tests found .79; "placements"
promises .78.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rocwalk.errors import OptionError, one_of
from rocwalk.result import Result
from rocwalk.uncertainty.binormal import placement_covariance
from rocwalk.uncertainty.power_checks import an_area, positive, share, whole
from rocwalk.uncertainty.question import normal_quantile

ALTERNATIVES = ("two-sided", "greater")
FORMULAS = ("obuchowski", "placements")
_FEWEST = 2  # items of a class without which there is no spread


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
        apart = " in each sample" if self.of == "two separate areas" else ""
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


# -- the two questions ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Design:
    """What is to be tested: areas, their difference, level, side, and variances for a ratio.

    `variances` gives (v₀, v), n times the variances, for so many negatives per positive.
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
        """The difference in the direction that the test looks: signed if it is one-sided."""
        return self.difference if self.alternative == "greater" else abs(self.difference)

    @property
    def z_alpha(self) -> float:
        """The quantile that the test must pass."""
        return -normal_quantile(self.alpha / self.sides)

    @property
    def sides(self) -> int:
        """From how many sides the test looks."""
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
        """Return (z_α·√v₀ + z_β·√v)² / δ²; 0 where less than nothing suffices."""
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
        """Return the answer for so many items."""
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

        They are so many that a perfect order has a chance of less than α: 1 in C(n⁺ + n⁻, n⁺).
        """
        exact = self.positives(share("power", power), ratio)
        positives = max(math.ceil(exact - 1e-9), _FEWEST)
        negatives = max(math.ceil(exact * ratio - 1e-9), _FEWEST)
        while self.sides / math.comb(positives + negatives, positives) > self.alpha:
            positives += 1
            negatives = max(math.ceil(positives * ratio), _FEWEST)
        return self.result(positives, negatives, asked_power=float(power), exact_positives=exact)


def auc_power(
    auc: float,
    n_positives: int,
    n_negatives: int,
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    null: float = 0.5,
    formula: str = "obuchowski",
) -> PowerAnalysis:
    """Return the power of a test that one area differs from `null`.

    Parameters
    ----------
    auc
        The area that is there.
    n_positives, n_negatives
        The numbers of items.
    alpha, alternative
        The level of the test, "two-sided" or "greater" (the area is larger than `null`).
    null
        The area of the null hypothesis.
    formula
        The variance of an area. "obuchowski": n⁺·V(θ) = 0.0099·e^{−A²/2}·{5A² + 8 + (A² + 8)/κ}
        with A = 1.414·Φ⁻¹(θ) and κ negatives for each positive, as in `power.roc.test` of R's
        pROC; errs on the safe side. "placements": that of the empirical area of normal scores.

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
    alternative: str = "two-sided",
    null: float = 0.5,
    formula: str = "obuchowski",
) -> PowerAnalysis:
    """Return the numbers of items with which a test finds that one area differs from `null`.

    Parameters
    ----------
    auc
        The area that is there.
    power
        The probability with which it is to be found.
    ratio
        Negatives for each positive.
    alpha, alternative, null, formula
        As for `rocwalk.auc_power`, which has the references.

    Numbers are rounded up, to as many at least as a perfect order needs to be no accident at the
    level: 4 + 4 for 0.05. The formula is made for large numbers and is not to be trusted below
    about 10 + 10.

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


def _one_area(auc: float, alpha: float, alternative: str, null: float, formula: str) -> Design:
    one_of("formula", formula, FORMULAS)
    area, other = an_area("auc", auc), share("null", null)
    of = area_variance if formula == "obuchowski" else empirical_variance

    def variances(ratio: float) -> tuple[float, float]:
        return of(other, ratio), of(area, ratio)

    return Design("one area", (area,), area - other, alpha, alternative, variances, "null")


def area_variance(area: float, ratio: float) -> float:
    """Return n⁺ times the variance of an area, by Obuchowski's rounded binormal formula."""
    if area in (0.0, 1.0):
        return 0.0
    a = 1.414 * normal_quantile(area)
    return 0.0099 * math.exp(-(a**2) / 2) * (5 * a**2 + 8 + (a**2 + 8) / ratio)


def empirical_variance(area: float, ratio: float) -> float:
    """Return n⁺ times the variance of the empirical area of normal scores."""
    return float(placement_covariance((area, area), (1.0, 1.0), ratio)[0, 0])
