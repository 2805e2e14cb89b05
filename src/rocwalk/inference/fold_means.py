"""The mean of a number over folds, with the interval of its influence or of its spread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.errors import (
    OneClassError,
    Option,
    OptionError,
    SmallSampleWarning,
    warn,
)
from rocwalk.inference.closed_forms import are_few, logit_limits, newcombe
from rocwalk.inference.distributions import (
    NOISE,
    check_level,
    normal_quantile,
    quantile,
    welch_degrees,
)
from rocwalk.inference.items import Items
from rocwalk.inference.jackknife import cluster_degrees, deletions, warn_few_clusters
from rocwalk.result import Result, numeral
from rocwalk.statistic import UNIT, Statistic, words_of
from rocwalk.tally.tally import Tally, read_only
from rocwalk.typing import FloatArray

MEANS = {
    "influence": "the empirical influence function within folds",
    "influence-newcombe": "the union of the interval by the empirical influence function within "
    "folds and Newcombe's interval [@newcombe2006]",
    "jackknife": "a jackknife over clusters within folds",
    "jackknife-newcombe": "a jackknife over clusters within folds, of areas without spread "
    "Newcombe's interval [@newcombe2006]",
    "nadeau-bengio": "the corrected variance over folds [@nadeau2003]",
}
_MANY_FOLDS = 20  # above, it is more likely that they are repeats of fewer


def fold_factor(values: int, repeats: int | None) -> float:
    """Return √{1/(kr) + 1/(k − 1)}; one repeat where it was not said how many, with a warning.

    Times the standard deviation of kr values over r repeats of k folds it is the standard error of
    their mean (Nadeau & Bengio 2003): folds share most of their training rows.
    """
    folds = values // (repeats or 1)
    if repeats is None and values > _MANY_FOLDS:
        warn(
            SmallSampleWarning(
                "nadeau-bengio",
                f"{values:,} folds are taken as one repeat, and of repeats it would be too narrow",
                ("pass ", Option("repeats"), " to rocwalk.average, 20 for 20 × 5 folds."),
                statistic="the mean over folds",
                counts=(values,),
            )
        )
    if folds < 2:
        raise OptionError(
            f"{values:,} repeats of one fold have no spread over folds.",
            "repeats is how often the same rows were split, not the number of curves.",
        )
    return math.sqrt(1 / values + 1 / (folds - 1))


def mean_interval(
    values: FloatArray, level: float, repeats: int | None = None
) -> tuple[float, float]:
    """Return the interval of the mean of areas or rates, one a fold.

    It is mean ± t·s·√{1/(kr) + 1/(k − 1)} for r `repeats` of k folds, one repeat by default. t is
    the quantile of Student's distribution with k − 1 degrees of freedom, s the standard deviation
    (ddof = 1). The ends are cut to [0, 1], as those of `rocwalk.fold_band` are. Fewer than two
    values have no spread and give NaN, NaN; so does a value that is NaN.

    Folds share most of their training rows, so their values are not independent, and no unbiased
    estimate of the variance exists; 1/(k − 1) stands for it, see `rocwalk.fold_band`.

    References
    ----------
    Nadeau & Bengio (2003), Inference for the generalization error.

    Examples
    --------
    >>> low, high = mean_interval(np.array([0.9, 0.8, 0.85]), 0.95)
    >>> round(low, 4), round(high, 4)
    (0.6536, 1.0)
    """
    values = np.asarray(values, dtype=np.float64)
    check_level(level)
    if len(values) < 2:
        return math.nan, math.nan
    factor = fold_factor(len(values), repeats)
    folds = len(values) // (repeats or 1)
    reach = quantile(0.5 + level / 2, folds - 1) * factor * values.std(ddof=1)
    low, high = np.clip((values.mean() - reach, values.mean() + reach), 0.0, 1.0)
    return float(low), float(high)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FoldMean(Result):
    """A statistic over folds: its value in each, their mean, and the interval of the mean."""

    name: Any
    statistic: str
    estimate: float
    low: float
    high: float
    standard_error: float
    method: str
    confidence_level: float
    values: FloatArray

    @property
    def sentence(self) -> str:
        """The mean in words."""
        return (
            f"{self.name}: {words_of(self.statistic)} {numeral(self.estimate)} over "
            f"{len(self.values)} folds, {100 * self.confidence_level:g} % interval "
            f"{numeral(self.low)} to {numeral(self.high)} ({self.method})."
        )

    def _headline(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "statistic": self.statistic,
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "standard_error": self.standard_error,
            "method": self.method,
            "folds": len(self.values),
        }


def fold_mean(
    name: Any,
    statistic: Statistic,
    tallies: Sequence[Tally],
    level: float,
    *,
    repeats: int = 1,
    clusters: Sequence[Items] | None = None,
) -> FoldMean:
    """Return the mean over the tallies of folds, with the interval of its influence or its spread.

    The tallies are those of all folds of the first repeat, then of the second, and so on. A repeat
    adds no items: the variance is the mean of those of the repeats. `clusters` has the items of
    each fold, where they belong to clusters; these are numbered alike in all folds.
    """
    values = np.array([float(statistic.of(tally)) for tally in tallies])
    mean, (least, most) = float(values.mean()), statistic.range
    variances = _class_variances(statistic, tallies, repeats) if clusters is None else None
    sizes = [_size(tallies, each) / repeats for each in _TOTALS]
    apart = None if clusters is None else _cluster_error(statistic, tallies, clusters, repeats)
    if apart is not None and clusters is not None:
        whole = _together(clusters[: len(clusters) // repeats])
        method, error = "jackknife", apart
        reach = quantile(0.5 + level / 2, _degrees(whole, len(values) // repeats)) * error
        sizes = [float(np.count_nonzero(whole.by_unit(m))) for m in (whole.up, whole.right)]
        warn_few_clusters(whole, method, statistic.name)
    elif variances is not None:
        method, error = "influence", math.sqrt(sum(variances))
        left = [_left(tallies, each, repeats) + 1 for each in _TOTALS]
        df = welch_degrees([(each, each) for each in variances], [max(n, 2.0) for n in left])
        reach = quantile(0.5 + level / 2, df) * error
    else:
        method, error, reach = "nadeau-bengio", math.nan, math.nan
        if len(values) > 1:
            error = fold_factor(len(values), repeats) * deviation(values)
            reach = quantile(0.5 + level / 2, len(values) // repeats - 1) * error
    limits = mean - reach, mean + reach
    by_items = method in ("influence", "jackknife")
    if by_items and statistic.range == UNIT and 0 < mean < 1:
        limits = logit_limits((mean, mean), reach, math.inf)
    if by_items and statistic.is_area and all(one.is_counts for one in tallies):
        both = sizes[0], sizes[1]
        few = method == "influence" and are_few((mean, mean), both)[0]
        if error <= NOISE or few:
            other = newcombe((mean, mean), both, normal_quantile(0.5 + level / 2))
            limits = min(limits[0], other[0]), max(limits[1], other[1])
            method = f"{method}-newcombe"
    return FoldMean(
        name=name,
        statistic=statistic.name,
        estimate=mean,
        low=float(np.maximum(limits[0], least)),
        high=float(np.minimum(limits[1], most)),
        standard_error=error,
        method=method,
        confidence_level=level,
        values=read_only(values),
    )


def deviation(values: FloatArray) -> float:
    """Return the standard deviation (ddof = 1); NaN where a value is infinite or undefined."""
    return float(values.std(ddof=1)) if np.isfinite(values).all() else math.nan


_TOTALS = ("total_up", "total_right")


def _size(tallies: Sequence[Tally], total: str) -> float:
    return sum(float(getattr(tally, total)) for tally in tallies)


def _left(tallies: Sequence[Tally], total: str, repeats: int) -> float:
    """Return the items of a class minus the means that are subtracted: one of each fold.

    Items that are alone in their folds are measured against one mean.
    """
    masses = [float(getattr(tally, total)) for tally in tallies]
    alone = sum(tally.is_counts and mass == 1 for tally, mass in zip(tallies, masses, strict=True))
    return (sum(masses) - len(masses) + alone) / repeats - (alone > 0)


def _shares(
    statistic: Statistic, tally: Tally, totals: Sequence[float], mean: float, folds: float
) -> tuple[FloatArray, FloatArray]:
    """Return ψ of the positive and of the negative mass in each row of one fold's tally.

    (V⁺ − Â_v)/n⁺ and (V⁻ − Â_v)/n⁻ with the numbers n of all folds. The mean was subtracted in each
    fold, so hard labels have ψ² times m/(m − 1) for m items of a class in the fold. The only item
    of its class in a fold shows no spread there: its ψ is (Â_v − Â)/n, Â the mean of all k folds,
    with k/(k − 1). Of a fold of one positive and one negative that is counted once.
    """
    found = statistic.influence(tally)  # type: ignore[misc]
    masses = float(tally.total_up), float(tally.total_right)
    alone = [tally.is_counts and mass == 1 for mass in masses]
    shares = []
    for psi, mass, total, single in zip(
        (found.up, found.right), masses, totals, (alone[0], alone[1] and not alone[0]), strict=True
    ):
        if single:
            apart = (found.estimate - mean) * math.sqrt(folds / max(folds - 1, 1))
            shares.append(np.full(len(tally), apart / total))
            continue
        bessel = mass / (mass - 1) if tally.is_counts and mass > 1 else 1.0
        shares.append(psi * mass / total * math.sqrt(bessel))
    return shares[0], shares[1]


def _class_variances(
    statistic: Statistic, tallies: Sequence[Tally], repeats: int
) -> tuple[float, float] | None:
    """Return what each class adds to the variance of the mean, from the moments of the items.

    It is the mean of the variances of the repeats. What soft items add through both masses at once
    is counted with the positives.
    """
    known = statistic.influence is not None and statistic.conditional
    if not known or any(tally.is_bucketed for tally in tallies):
        return None
    totals = [_size(tallies, each) for each in _TOTALS]
    mean = float(np.mean([float(statistic.of(tally)) for tally in tallies]))
    of_up = of_right = 0.0
    for tally in tallies:
        up, right = _shares(statistic, tally, totals, mean, len(tallies) / repeats)
        of_up += float((tally.up_squared * up**2).sum())
        of_up += 2 * float((tally.up_right * up * right).sum())
        of_right += float((tally.right_squared * right**2).sum())
    return repeats * max(of_up, 0.0), repeats * of_right


def _cluster_error(
    statistic: Statistic, tallies: Sequence[Tally], clusters: Sequence[Items], repeats: int
) -> float | None:
    """Return the jackknife's error of the mean, leaving out a cluster at a time in its fold.

    What a cluster with rows in several folds of a repeat moves there is added. None where a fold
    has a class in one cluster only, so that this cluster cannot be left out.
    """
    known = statistic.influence is not None and statistic.conditional
    if not known or any(tally.is_bucketed for tally in tallies):
        return None
    folds, total = len(tallies) // repeats, 0.0
    size = 1 + max(int(items.cluster.max()) for items in clusters if items.cluster is not None)
    for turn in range(repeats):
        moved = np.zeros(size)
        for k in range(turn * folds, (turn + 1) * folds):
            cluster = clusters[k].cluster
            assert cluster is not None
            units, own = np.unique(cluster, return_inverse=True)
            alone = replace(clusters[k], cluster=own.reshape(-1).astype(np.int64))
            try:
                fallen = deletions(alone, statistic.influence(tallies[k]))  # type: ignore[misc]
            except OneClassError:
                return None
            moved[units] += fallen * math.sqrt(1 - 1 / len(units)) / folds
        total += float((moved**2).sum())
    return math.sqrt(total / repeats)


def _together(folds: Sequence[Items]) -> Items:
    """Return the items of all folds of a repeat, with their clusters."""
    columns = ("up", "right", "scores", "cluster")
    up, right, scores, cluster = (
        np.concatenate([getattr(each, name) for each in folds]) for name in columns
    )
    return Items(up, right, scores, np.unique(cluster, return_inverse=True)[1].reshape(-1))


def _degrees(whole: Items, folds: int) -> float:
    """Return the effective clusters minus one mean for each fold, and at least 1."""
    return max(cluster_degrees(whole) + 1.0 - folds, 1.0)
