"""Intervals for one statistic of one sample (SPEC §9)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.errors import OneClassError, OptionError, as_number, one_of
from rocwalk.measure.reading import index_at
from rocwalk.result import Result
from rocwalk.typing import FloatArray, IntArray
from rocwalk.uncertainty.evidence import Evidence, Items
from rocwalk.uncertainty.influence import (
    Influence,
    standard_error,
    two_sample_variances,
)
from rocwalk.uncertainty.itemwise import item_replicates, tally_of_items
from rocwalk.uncertainty.resample import Plan, replicates
from rocwalk.uncertainty.statistic import Statistic, check_statistic, is_auc, registered_name
from rocwalk.walk.curve import walk_of
from rocwalk.walk.tally import Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ANALYTIC = ("delong", "influence", "obuchowski", "newcombe", "wilson")
BOOTSTRAP = ("percentile", "basic", "bca")
METHODS = ("auto", *ANALYTIC, *BOOTSTRAP)
SCALES = ("plain", "logit")
_GROUPS = 200


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Interval(Result):
    """A number with its interval, and how the interval was made."""

    statistic: str
    estimate: float
    low: float
    high: float
    standard_error: float
    method: str
    confidence_level: float
    n_resamples: int | None = None
    failed: int = 0

    @property
    def sentence(self) -> str:
        """The interval in words."""
        level = f"{100 * self.confidence_level:g} %"
        return (
            f"{self.statistic} {self.estimate:.3f}, {level} interval {self.low:.3f} to "
            f"{self.high:.3f} ({self.method})."
        )

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the estimate with its interval, as one line into `ax` or a new picture."""
        from rocwalk.draw.forest import draw_forest

        words = f"{100 * self.confidence_level:g} % interval ({self.method})"
        line = (self.statistic, self.estimate, self.low, self.high)
        return draw_forest([line], words, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "standard_error": self.standard_error,
            "method": self.method,
            "confidence_level": self.confidence_level,
            "n_resamples": self.n_resamples,
            "failed": self.failed or None,
        }


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for: statistic, level, method, scale, and the plan of a bootstrap."""

    statistic: Statistic
    level: float
    method: str
    scale: str | None
    plan: Plan
    votes: IntArray | None = None  # how many stand behind the truth of each item

    def __post_init__(self) -> None:
        check_level(self.level)
        one_of("method", self.method, METHODS)
        if self.scale is not None:
            one_of("scale", self.scale, SCALES)

    @property
    def z(self) -> float:
        """The normal quantile of the level."""
        return normal_quantile(0.5 + self.level / 2)


def check_level(level: float) -> float:
    """Raise unless the confidence level lies strictly between 0 and 1."""
    if not 0 < as_number("confidence_level", level) < 1:
        raise OptionError(
            f"confidence_level={level!r} is outside (0, 1).", "0.95 means 95 percent."
        )
    return float(level)


def normal_quantile(probability: float) -> float:
    """Return Φ⁻¹."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def interval_of(evidence: Evidence, question: Question) -> Interval:
    """Return the interval, by the method that is asked for or that suits."""
    tally, statistic = evidence.tally, question.statistic
    check_statistic(statistic, tally)
    refuse_few(evidence)
    if question.votes is not None or (statistic.of_items is not None and evidence.is_soft):
        return _of_items(evidence, question)
    method = _chosen(evidence, question)
    if method in BOOTSTRAP:
        return _bootstrap(evidence, question, method)
    if method == "wilson":
        return _wilson(evidence, question)
    if statistic.influence is None:
        raise OptionError(
            f"There is no closed form for the error of {statistic.name}.",
            f"use one of {', '.join(map(repr, BOOTSTRAP))}, or 'auto'.",
        )
    influence = statistic.influence(tally)
    if method == "newcombe":
        return _newcombe(evidence, question, influence.estimate)
    return _analytic(evidence, question, method, influence)


def refuse_few(evidence: Evidence) -> None:
    """Raise unless there are two units of each class at least."""
    tally = evidence.tally
    counts = [tally.total_up, tally.total_right]
    if evidence.even_weight is not None:
        counts = [count / evidence.even_weight for count in counts]
        if evidence.items is not None and evidence.cluster is not None:
            masses = (evidence.items.up, evidence.items.right)
            counts = [float(np.count_nonzero(evidence.items.by_unit(mass))) for mass in masses]
        few = [name for name, n in zip(("positive", "negative"), counts, strict=True) if n < 2]
    else:
        few = [n for n, mass in zip(("positive", "negative"), counts, strict=True) if not mass > 0]
        few = few if tally.total_count > 1 else ["positive"]
    units = "items" if evidence.cluster is None else "clusters"
    if few:
        raise OneClassError(
            f"There are fewer than two {' and '.join(few)} {units}, so nothing can be said of the "
            "spread.",
            f"an interval needs at least two {units} of each class.",
        )


def _chosen(evidence: Evidence, question: Question) -> str:
    """Return the method to use; "auto" takes the closed form where there is a good one."""
    statistic, method = question.statistic, question.method
    hard = evidence.even_weight is not None
    if method == "auto":
        if statistic.threshold is not None:
            return "wilson" if evidence.cluster is None else "percentile"
        if statistic.influence is None:
            return "bca" if evidence.cluster is None else "percentile"
        if evidence.cluster is not None:
            return "obuchowski" if hard else "influence"
        return "delong" if hard and is_auc(statistic) else "influence"
    _refuse_unfit(evidence, statistic, method)
    return method


def _refuse_unfit(evidence: Evidence, statistic: Statistic, method: str) -> None:
    """Raise where a method is no method for these data or this statistic."""
    hard = evidence.even_weight is not None
    reasons = {
        "delong": (
            not is_auc(statistic) or not hard or evidence.cluster is not None,
            "is for the AUC of hard labels with constant weights",
            "use 'influence' for soft truth and weights, 'obuchowski' for clusters.",
        ),
        "obuchowski": (
            evidence.cluster is None or not hard,
            "is for clusters of hard labels",
            "give cluster=, or use 'influence'.",
        ),
        "newcombe": (not is_auc(statistic), "is for the AUC", "use 'auto'."),
        "wilson": (
            statistic.threshold is None or evidence.cluster is not None,
            "is for rates at a threshold, without clusters",
            "use 'auto' or a bootstrap.",
        ),
    }
    unfit, words, hint = reasons.get(method, (False, "", ""))
    if unfit:
        raise OptionError(f"method={method!r} {words}.", hint)


# -- item by item --------------------------------------------------------------------------------


def _of_items(evidence: Evidence, question: Question) -> Interval:
    """Return the interval of a number that needs each item's truth, or of votes drawn again."""
    items = evidence.need_items(question.statistic.name)
    own, method = question.statistic.of_items, question.method
    closed = own is not None and question.votes is None
    if method == "auto":
        method = "influence" if closed else "percentile"
    fit = ("influence", *BOOTSTRAP) if closed else BOOTSTRAP
    if method not in fit:
        raise OptionError(
            f"method={method!r} is not for {question.statistic.name} of soft truth.",
            f"use one of {', '.join(map(repr, fit))}, or 'auto'.",
        )

    def of(drawn: Items) -> float:
        return own.of(drawn) if own is not None else question.statistic.of(tally_of_items(drawn))

    estimate = of(items)
    if method != "influence":
        values = item_replicates(items, of, question.plan, question.votes)
        words = method if question.votes is None else f"{method}-votes"
        return _from_replicates(evidence, question, method, estimate, values, words)
    psi = items.by_unit(own.psi(items)) if own is not None else np.empty(0)
    factor = 1.0 if items.cluster is None else len(psi) / (len(psi) - 1)
    error = math.sqrt(factor * float((psi**2).sum()))
    return _around(evidence, question, (estimate, error), "influence", None)


# -- closed forms --------------------------------------------------------------------------------


def _analytic(
    evidence: Evidence, question: Question, method: str, influence: Influence
) -> Interval:
    """Return estimate ± z·error, on the plain or on the logit scale."""
    estimate, error = influence.estimate, standard_error(evidence, influence)
    if is_auc(question.statistic) and not error > 0:
        return _newcombe(evidence, question, estimate)
    return _around(evidence, question, (estimate, error), method, influence)


def _around(
    evidence: Evidence,
    question: Question,
    found: tuple[float, float],
    method: str,
    influence: Influence | None,
) -> Interval:
    """Return estimate ± quantile · error on its scale."""
    estimate, error = found
    unit = question.statistic.range == (0.0, 1.0)
    scale = question.scale or (
        "logit" if question.method == "auto" and _is_area(question) else "plain"
    )
    if scale == "logit" and not unit:
        raise OptionError(
            "scale='logit' is for numbers between 0 and 1.", "use scale='plain', or leave it out."
        )
    reach = _quantile(evidence, question, influence, scale) * error
    if scale == "logit" and 0 < estimate < 1:
        low, high = _on_logits(estimate, reach)
    else:
        low, high = estimate - reach, estimate + reach
    return _made(question, estimate, (low, high), error, f"{method}-{scale}")


def _is_area(question: Question) -> bool:
    return is_auc(question.statistic)


def _quantile(
    evidence: Evidence, question: Question, influence: Influence | None, scale: str
) -> float:
    """Return Student's quantile, of clusters or after Welch of two samples; else the normal."""
    from scipy.special import stdtrit

    if evidence.items is not None and evidence.cluster is not None:
        return float(stdtrit(evidence.items.clusters - 1, 0.5 + question.level / 2))
    plain_area = is_auc(question.statistic) and scale == "plain"  # as everybody does it
    if plain_area or influence is None or evidence.even_weight is None:
        return question.z
    parts = two_sample_variances(evidence, influence)
    counts = [
        float(m) / evidence.even_weight
        for m in (evidence.tally.total_up, evidence.tally.total_right)
    ]
    below = sum(part**2 / (count - 1) for part, count in zip(parts, counts, strict=True))
    if not below > 0:
        return question.z
    return float(stdtrit(sum(parts) ** 2 / below, 0.5 + question.level / 2))


def _on_logits(estimate: float, reach: float) -> tuple[float, float]:
    """Return the ends of an interval that is symmetric on the logit scale."""
    middle = math.log(estimate / (1 - estimate))
    arm = reach / (estimate * (1 - estimate))
    low, high = (
        1 / (1 + math.exp(-min(max(end, -700.0), 700.0))) for end in (middle - arm, middle + arm)
    )
    return low, high


def _newcombe(evidence: Evidence, question: Question, estimate: float) -> Interval:
    """Return the areas that the estimate does not reject, with Hanley & McNeil's variance.

    Solves |Â − θ| = z·√V(θ), V(θ) = θ(1−θ){1 + (N−1)[(1−θ)/(2−θ) + θ/(1+θ)]}/(n⁺n⁻),
    N = (n⁺+n⁻)/2 (Newcombe 2006, method 5). It does not shrink to a point at 0 or 1.
    """
    n_up, n_right = effective_sizes(evidence)

    def excess(theta: float) -> float:
        return (estimate - theta) ** 2 - question.z**2 * hanley_variance(theta, n_up, n_right)

    low = 0.0 if estimate <= 0 else _bisected(excess, estimate, 0.0)
    high = 1.0 if estimate >= 1 else _bisected(excess, estimate, 1.0)
    error = math.sqrt(hanley_variance(estimate, n_up, n_right))
    return _made(question, estimate, (low, high), error, "newcombe")


def hanley_variance(theta: float, n_up: float, n_right: float) -> float:
    """Return the variance of an area by Hanley & McNeil, with Newcombe's mean sample size."""
    more = (n_up + n_right) / 2 - 1
    spread = 1 + more * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    return theta * (1 - theta) * spread / (n_up * n_right)


def effective_sizes(evidence: Evidence) -> tuple[float, float]:
    """Return the numbers of units of each class; (Σu)²/Σu² for masses."""
    if evidence.cluster is not None and evidence.items is not None:
        items = evidence.items
        units = [np.count_nonzero(items.by_unit(mass)) for mass in (items.up, items.right)]
        return float(units[0]), float(units[1])
    tally = evidence.tally
    return (
        float(tally.total_up) ** 2 / float(tally.up_squared.sum()),
        float(tally.total_right) ** 2 / float(tally.right_squared.sum()),
    )


def _bisected(excess: Callable[[float], float], inside: float, outside: float) -> float:
    """Return where a function changes its sign between two places."""
    for _ in range(200):
        middle = (inside + outside) / 2
        if excess(middle) <= 0:
            inside = middle
        else:
            outside = middle
    return (inside + outside) / 2


# -- rates at a threshold ------------------------------------------------------------------------


def _wilson(evidence: Evidence, question: Question) -> Interval:
    """Return Wilson's score interval of a share; for masses with the effective number of items."""
    estimate = question.statistic.of(evidence.tally)
    hits, count, squares = _share(evidence.tally, question.statistic)
    effective = count**2 / squares if squares > 0 else 0.0
    if not count > 0:
        raise OneClassError(
            f"No item counts for {question.statistic.name} at this threshold.",
            "choose another threshold.",
        )
    low, high = wilson(hits / count, effective, question.z)
    error = math.sqrt(estimate * (1 - estimate) / effective)
    return _made(question, estimate, (low, high), error, "wilson")


def wilson(share: float, count: float, z: float) -> tuple[float, float]:
    """Return Wilson's score interval for a share of so many.

    >>> [round(end, 4) for end in wilson(0.0, 10, 1.959964)]
    [0.0, 0.2775]
    """
    middle = share + z**2 / (2 * count)
    arm = z * math.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    below = 1 + z**2 / count
    low = 0.0 if share == 0 else (middle - arm) / below
    high = 1.0 if share == 1 else (middle + arm) / below
    return low, high


def _share(tally: Tally, statistic: Statistic) -> tuple[float, float, float]:
    """Return the mass that counts, the mass it is a share of, and the squares of the latter."""
    cut = int(index_at(walk_of(tally), np.asarray(statistic.threshold)))
    called, other = slice(0, cut), slice(cut, None)
    up, right = tally.up, tally.right
    squares = tally.up_squared + 2 * tally.up_right + tally.right_squared
    ups, rights, both = tally.up_squared, tally.right_squared, squares
    of = {
        "sensitivity": (up[called].sum(), up.sum(), ups.sum()),
        "specificity": (right[other].sum(), right.sum(), rights.sum()),
        "precision": (up[called].sum(), (up + right)[called].sum(), both[called].sum()),
        "negative_predictive_value": (
            right[other].sum(), (up + right)[other].sum(), both[other].sum(),
        ),
        "accuracy": (up[called].sum() + right[other].sum(), (up + right).sum(), both.sum()),
    }  # fmt: skip
    hits, count, square = of[statistic.name]
    return float(hits), float(count), float(square)


# -- bootstrap -----------------------------------------------------------------------------------


def _bootstrap(evidence: Evidence, question: Question, method: str) -> Interval:
    statistic = question.statistic
    estimate = statistic.of(evidence.tally)
    stratified = statistic.conditional and evidence.is_counts
    values = replicates(
        evidence,
        statistic.of,
        question.plan,
        stratified=stratified,
        name=registered_name(statistic),
    )
    words = method if stratified or not statistic.conditional else f"{method}-unstratified"
    return _from_replicates(evidence, question, method, estimate, values, words)


def _from_replicates(
    evidence: Evidence,
    question: Question,
    method: str,
    estimate: float,
    values: FloatArray,
    words: str | None = None,
) -> Interval:
    """Return the percentile, basic or BCa interval of replicates."""
    statistic = question.statistic
    kept = np.sort(values[~np.isnan(values)])
    if len(kept) < 2:
        raise OneClassError(
            f"{statistic.name} exists in fewer than two replicates.",
            "there are too few items of one class for a bootstrap.",
        )
    low, high = bootstrap_ends(evidence, question, method, estimate, kept)
    made = _made(question, estimate, (low, high), float(kept.std(ddof=1)), words or method)
    count = int(question.plan.n_resamples)
    return replace(made, n_resamples=count, failed=len(values) - len(kept))


def bootstrap_ends(
    evidence: Evidence, question: Question, method: str, estimate: float, values: FloatArray
) -> tuple[float, float]:
    """Return the ends of a percentile, basic or BCa interval from sorted replicates."""
    tails = ((1 - question.level) / 2, (1 + question.level) / 2)
    if method == "bca":
        tails = _bca_tails(evidence, question, estimate, values)
    low, high = (float(np.quantile(values, tail)) for tail in tails)
    return (2 * estimate - high, 2 * estimate - low) if method == "basic" else (low, high)


def _bca_tails(
    evidence: Evidence, question: Question, estimate: float, values: FloatArray
) -> tuple[float, float]:
    """Return the corrected shares (Efron 1987): bias from the replicates, skewness from ψ."""
    from scipy.special import ndtr, ndtri

    below = np.count_nonzero(values < estimate) + np.count_nonzero(values == estimate) / 2
    if below in (0, len(values)):
        return (1 - question.level) / 2, (1 + question.level) / 2
    bias = float(ndtri(below / len(values)))
    skew = _skewness(evidence, question.statistic)
    ends = []
    for z in (-question.z, question.z):
        moved = bias + (bias + z) / (1 - skew * (bias + z))
        ends.append(float(ndtr(moved)))
    return ends[0], ends[1]


def _skewness(evidence: Evidence, statistic: Statistic) -> float:
    """Return Σψ³ / (6·(Σψ²)^{3/2}) over the units that are drawn."""
    values, weights = unit_influences(evidence, statistic)
    second = float((weights * values**2).sum())
    return float((weights * values**3).sum()) / (6 * second**1.5) if second > 0 else 0.0


def unit_influences(evidence: Evidence, statistic: Statistic) -> tuple[FloatArray, FloatArray]:
    """Return ψ of the units and how many units have it."""
    tally = evidence.tally
    if statistic.of_items is not None and evidence.is_soft:
        items = evidence.need_items(statistic.name)
        each = items.by_unit(statistic.of_items.psi(items))
        return each, np.ones(len(each))
    influence = (
        _numerical_influence(tally, statistic.of)
        if statistic.influence is None
        else statistic.influence(tally)
    )
    if evidence.is_counts or evidence.items is None:
        return (
            np.concatenate((influence.up, influence.right)),
            np.concatenate((tally.up, tally.right)).astype(np.float64),
        )
    items = evidence.items
    each = items.up * influence.up[items.rows] + items.right * influence.right[items.rows]
    each = items.by_unit(each)
    return each, np.ones(len(each))


def _numerical_influence(tally: Tally, of: Callable[[Tally], float]) -> Influence:
    """Return the influence by a small change of mass, row by row or by groups of rows."""
    rows, estimate = len(tally), of(tally)
    groups = np.minimum(np.arange(rows) * _GROUPS // max(rows, _GROUPS), _GROUPS - 1)
    groups = np.arange(rows) if rows <= _GROUPS else groups
    sides = [tally.up.astype(np.float64), tally.right.astype(np.float64)]
    whole = float(sum(side.sum() for side in sides))
    found = [np.zeros(rows), np.zeros(rows)]
    for k in range(int(groups.max()) + 1):
        inside = groups == k
        for side in (0, 1):
            mass = float(sides[side][inside].sum())
            if not mass > 0:
                continue
            step = 1e-4 * whole / mass
            moved = [part.copy() for part in sides]
            moved[side][inside] *= 1 + step
            value = of(Tally(tally.scores, moved[0], moved[1], tally.steps, tally.threshold))
            found[side][inside] = (value - estimate) / (step * mass)
    shift = float((sides[0] * found[0] + sides[1] * found[1]).sum()) / whole
    return Influence(estimate, found[0] - shift, found[1] - shift)


def _made(
    question: Question, estimate: float, ends: tuple[float, float], error: float, method: str
) -> Interval:
    """Return the interval, clipped to where the statistic can lie."""
    lowest, highest = question.statistic.range
    return Interval(
        statistic=question.statistic.name,
        estimate=estimate,
        low=min(max(ends[0], lowest), highest),
        high=max(min(ends[1], highest), lowest),
        standard_error=error,
        method=method,
        confidence_level=question.level,
    )
