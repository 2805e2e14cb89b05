"""Power and sample size of a test of one area, or of the difference between two areas.

The power is that of the test which rocwalk does: of one area, that `rocwalk.interval` excludes the
area of the null hypothesis; of two, that `rocwalk.compare` finds a difference. With
formula="obuchowski" it is Φ((√n·δ − z_α·√v₀) / √v), where v₀ and v are n times the variances under
the null hypothesis and at the truth (Obuchowski & McClish 1997), as in pROC. `Design` solves either
for the power or for n.
"""

from __future__ import annotations

from rocwalk.inference.comparisons import Comparison
from rocwalk.inference.samples import SampleComparison
from rocwalk.inference.study_design import (
    PowerAnalysis,
    one_area,
    positive,
    two_areas,
    whole,
)
from rocwalk.typing import Alternative, NullVariance, PowerFormula


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
    return one_area(auc, alpha, alternative, null, formula).result(*counts)


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
    design = one_area(auc, alpha, alternative, null, formula)
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
    design, counts = two_areas(
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
    design, counts = two_areas(
        auc_1, auc_2, correlation, pilot, alpha, alternative, null_variance, formula
    )
    if ratio is None:
        ratio = 1.0 if counts is None else counts[1] / counts[0]
    return design.sized(power, positive("ratio", ratio))
