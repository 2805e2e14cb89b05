"""How numbers of estimation vary: midpoint, struggle ratio, Brier and its parts (SPEC §8, §9).

Each number comes with ψ, what every item adds to it. All of them depend on the prevalence, so
items are one sample unless the prevalence is fixed by design.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.calibration import brier_influences
from rocwalk.drift.sensibility import Split, split_of
from rocwalk.errors import (
    OptionError,
    TallyError,
    UndefinedMetricWarning,
    as_number,
    one_of,
    warn,
)
from rocwalk.inference.distributions import above, holm, in_errors, normal_quantile, p_words
from rocwalk.inference.influence import (
    Estimate,
    items_per_mass,
    pooled_variances,
    variance_of,
)
from rocwalk.inference.items import Evidence, evidence_from, refuse_few
from rocwalk.inference.resampling import Plan, Progress, Resampler, coarse, quantiles, run_blocks
from rocwalk.inference.samples import pair_of, two_columns
from rocwalk.read.arrays import evidence_of
from rocwalk.result import Result
from rocwalk.statistic import ANY, UNIT, Statistic, in_table, statistic_of
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import EXACT_TALLY, refuse_buckets
from rocwalk.typing import AnyArray, ArrayLike, DriftMethod, FloatArray, Invalid, Range, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DECIDING = ("auc", "midpoint", "struggle_ratio")


# what only drift reports, from exact tallies: parts of the Brier score, and gaps between two curves
_OF_ORDER = {
    "refinement": "refinement",
    "miscalibration": "miscalibration",
    "sensibility_gap": "largest gap of sensibility",
    "capability_gap": "largest gap of capability",
}


def estimates_of(
    tally: Tally, *, fixed: bool, like: Sequence[Tally] = (), deciding: bool = False
) -> dict[str, Estimate]:
    """Return every number that drift compares, or those that decide, in the order of the table.

    The isotonic fit needs every score: where a tally is bucketed, the parts of the Brier score
    are left out.
    """
    found = {}
    for statistic in in_table("drift"):
        if deciding and statistic.name not in DECIDING:
            continue
        if statistic.influence is not None:
            found[statistic.name] = Estimate(statistic.influence(tally))
        elif statistic.estimate is not None:
            found[statistic.name] = statistic.estimate(tally, fixed=fixed, like=like)
    if deciding or any(one.is_bucketed for one in (tally, *like)):
        return found
    return found | {name: Estimate(each) for name, each in brier_influences(tally).items()}


def _entry(name: str) -> Statistic | None:
    """Return the registered statistic of a finding, or None for what only drift reports."""
    return None if name in _OF_ORDER else statistic_of(name)


def _words(name: str) -> str:
    entry = _entry(name)
    return _OF_ORDER[name] if entry is None else entry.words


def _is_conditional(name: str) -> bool:
    entry = _entry(name)
    return entry is not None and entry.conditional


def _is_ratio(name: str) -> bool:
    """Whether a number is positive and skewed, so that logarithms are compared."""
    entry = _entry(name)
    return entry is not None and entry.is_ratio


# -- drift between two samples ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Finding(Result):
    """One number in both samples: the current less the reference, with interval and p-value.

    `adjusted_p_value` is Holm's over the numbers that decide; NaN for the others. `at` is the
    threshold of the largest gap between two curves. `certificate` is how far the difference can be
    from the exact one at most where a tally is bucketed: interval and p-value then hold for every
    order inside the buckets. None where every score is known.
    """

    name: str
    reference: float
    current: float
    difference: float
    low: float
    high: float
    standard_error: float
    p_value: float
    adjusted_p_value: float = math.nan
    at: float | None = None
    certificate: float | None = None

    @property
    def words(self) -> str:
        """What the number is called in a table."""
        return _words(self.name)

    @property
    def decides(self) -> bool:
        """Whether the verdict rests on it."""
        return self.name in DECIDING

    def _headline(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "reference": self.reference,
            "current": self.current,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "standard_error": self.standard_error,
            "p_value": self.p_value,
            "adjusted_p_value": None
            if math.isnan(self.adjusted_p_value)
            else self.adjusted_p_value,
            "at": self.at,
            **({} if self.certificate is None else {"certificate": self.certificate}),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Drift(Result):
    """A later sample against a reference; make one with `rocwalk.drift`.

    `findings` maps the name of a number to what was found of it. `left_out` names what is not
    found because a tally is bucketed; there are no `splits` then.
    """

    findings: Mapping[str, Finding]
    alpha: float
    method: str
    splits: tuple[Split, ...]
    reweighted: Mapping[str, Finding]
    counts: tuple[int, int]
    left_out: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """What has drifted: "none", "ranking", "estimation" or "both"."""
        ranking = self._found("auc")
        estimation = self._found("midpoint") or self._found("struggle_ratio")
        if ranking and estimation:
            return "both"
        return "ranking" if ranking else "estimation" if estimation else "none"

    def _found(self, name: str) -> bool:
        return self.findings[name].adjusted_p_value < self.alpha

    @property
    def drifted(self) -> bool:
        """Whether anything has."""
        return self.verdict != "none"

    @property
    def untested(self) -> tuple[str, ...]:
        """The numbers that decide and have no p-value: they can be neither called nor cleared."""
        return tuple(name for name in DECIDING if math.isnan(self.findings[name].p_value))

    @property
    def prevalence_only(self) -> bool:
        """Whether the finding on estimation vanishes at the prevalence of the reference."""
        if self.verdict not in ("estimation", "both"):
            return False
        estimation = [name for name in DECIDING if name != "auc"]
        p_values = [self.reweighted[name].adjusted_p_value for name in estimation]
        return all(p >= self.alpha for p in p_values)

    @cached_property
    def summary(self) -> str:
        """The verdict in words."""
        words = {
            "none": "No drift is seen: neither the ranking nor the probabilities have moved by "
            "more than chance would move them.",
            "ranking": "The ranking has drifted: positives and negatives are told apart "
            "differently than in the reference.",
            "estimation": "The probabilities have drifted although the ranking has not: the AUC "
            "alone would not show it.",
            "both": "Both the ranking and the probabilities have drifted.",
        }[self.verdict]
        if self.untested and not self.drifted:
            named = " and ".join(_words(name) for name in self.untested)
            words = f"Nothing can be decided: there is no test of the {named}."
        if self.prevalence_only:
            words += (
                " At the prevalence of the reference the finding on the probabilities vanishes: "
                "it is the share of positives that has changed."
            )
        found = [self.findings[name] for name in DECIDING]
        numbers = "; ".join(
            f"{one.words} {one.reference:.3f} → {one.current:.3f} ({p_words(one.adjusted_p_value)})"
            for one in found
        )
        return f"{words} {numbers}, adjusted for three tests at α = {self.alpha:g}.{self._omitted}"

    @property
    def _omitted(self) -> str:
        """What is left out, in words that follow the summary."""
        if not self.left_out:
            return ""
        named = ", ".join(_words(name) for name in self.left_out)
        return f" A tally is bucketed: the p-values are the largest possible; left out: {named}."

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw sensibility and capability of both samples against the threshold."""
        from rocwalk.drift.plot import draw_sensibility

        if not self.splits:
            raise TallyError(
                "Curves of sensibility need every score, and a tally is bucketed.",
                f"{EXACT_TALLY}.",
            )
        for split, name in zip(self.splits, ("reference", "current"), strict=True):
            ax = draw_sensibility(split, ax, name=name, **options)
        if ax is None:
            raise OptionError("There is nothing to draw.", "pass two samples.")
        return ax

    def _headline(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "drifted": self.drifted,
            "prevalence_only": self.prevalence_only,
            "alpha": self.alpha,
            "method": self.method,
            "reference_items": self.counts[0],
            "current_items": self.counts[1],
            **({"left_out": self.left_out} if self.left_out else {}),
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows = [one._headline() for one in self.findings.values()]  # noqa: SLF001
        return {
            key: np.array([math.nan if row[key] is None else row[key] for row in rows])
            for key in rows[0]
        }


# -- the test ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DriftQuestion:
    """What is asked: α, and whether the reference and the prevalences are fixed, not drawn."""

    alpha: float = 0.05
    fixed_reference: bool = False
    fixed_prevalence: bool = False
    plan: Plan | None = None

    def __post_init__(self) -> None:
        if not 0 < as_number("alpha", self.alpha) < 1:
            raise OptionError(f"alpha={self.alpha!r} is outside (0, 1).", "0.05 is usual.")


def drift_of(reference: Evidence, current: Evidence, question: DriftQuestion) -> Drift:
    """Return what has changed between two samples of probabilities."""
    both = reference.tally, current.tally
    if question.plan is not None:
        for tally in both:
            refuse_buckets(tally, "The bootstrap of drift")
    found = _compared(both, question)
    moved = at_prevalence(both[1], both[0].prevalence)
    fixed = replace(question, fixed_prevalence=True, plan=None)
    reweighted = _adjusted(_compared((both[0], moved), fixed, deciding=True))
    if question.plan is not None:
        found |= _resampled(found, (reference, current), question)
    counts = both[0].total_count, both[1].total_count
    _warn_of_untested(found)
    method = "analytic" if question.plan is None else "bootstrap"
    if any(tally.is_bucketed for tally in both):
        rest = (counts, tuple(_OF_ORDER))
        return Drift(_adjusted(found), question.alpha, method, (), reweighted, *rest)
    splits = split_of(both[0]), split_of(both[1])
    gaps = _gaps((splits[0], split_of(both[1], splits[0].midpoint)), both, question)
    return Drift(_adjusted(found) | gaps, question.alpha, method, splits, reweighted, counts)


def _warn_of_untested(found: Mapping[str, Finding]) -> None:
    """Warn where a number that decides has no p-value: it can neither be called nor cleared."""
    for name in DECIDING:
        one = found[name]
        if math.isnan(one.p_value):
            hint = (
                "no item of a sample lies on the right side of the midpoint; is the model upside "
                "down?"
                if one.certificate is None
                else f"the buckets are too coarse to tell; {EXACT_TALLY}."
            )
            warn(
                UndefinedMetricWarning(
                    f"The {one.words} is {one.reference:g} and {one.current:g}, and cannot be "
                    f"tested: its p-value is NaN. Hint: {hint}"
                )
            )


def at_prevalence(tally: Tally, prevalence: float) -> Tally:
    """Return the tally with its classes weighted so that the prevalence is another."""
    whole = float(tally.total_up + tally.total_right)
    up = prevalence * whole / float(tally.total_up)
    right = (1 - prevalence) * whole / float(tally.total_right)
    stored = {
        "count": tally.count,
        "up_squared": tally.up_squared * up**2,
        "up_right": tally.up_right * up * right,
        "right_squared": tally.right_squared * right**2,
    }
    if tally.is_bucketed:
        stored["highest"] = tally.highest
        stored["up_score"], stored["right_score"] = tally.up_score * up, tally.right_score * right
    return Tally(tally.scores, tally.up * up, tally.right * right, stored=stored)


def _compared(
    both: tuple[Tally, Tally], question: DriftQuestion, *, deciding: bool = False
) -> dict[str, Finding]:
    fixed = question.fixed_prevalence
    found = [estimates_of(tally, fixed=fixed, like=both, deciding=deciding) for tally in both]
    return {
        name: _finding(name, (found[0][name], found[1][name]), both, question) for name in found[0]
    }


def _finding(
    name: str,
    pair: tuple[Estimate, Estimate],
    both: tuple[Tally, Tally],
    question: DriftQuestion,
) -> Finding:
    fixed = question.fixed_prevalence or _is_conditional(name)
    variances = [
        variance_of(tally, one.influence, fixed=fixed) + one.more
        for tally, one in zip(both, pair, strict=True)
    ]
    if question.fixed_reference:
        variances[0] = 0.0
    tested = variances
    if _is_conditional(name):
        tested = pooled_variances(both, [one.influence for one in pair])
        tested[0] = 0.0 if question.fixed_reference else tested[0]
    first, second = pair[0].value, pair[1].value
    error = math.sqrt(sum(variances))
    reach = normal_quantile(1 - question.alpha / 2) * error
    entry = _entry(name)
    lowest, highest = UNIT if entry is None or entry.range == ANY else entry.range
    span = highest - lowest  # a mean of probabilities lies in [0, 1], too
    ends = pair[0].influence.ends, pair[1].influence.ends
    gap, least, most = second - first, ends[1][0] - ends[0][1], ends[1][1] - ends[0][0]
    bucketed = any(tally.is_bucketed for tally in both)
    p_value = _most_p_value(name, ends, tested) if bucketed else None
    return Finding(
        name=name,
        reference=first,
        current=second,
        difference=gap,
        low=max(least - reach, -span),
        high=min(most + reach, span),
        standard_error=error,
        p_value=_p_value(name, (first, second), tested) if p_value is None else p_value,
        certificate=max(most - gap, gap - least) if bucketed else None,
    )


def _most_p_value(name: str, ends: tuple[Range, Range], variances: list[float]) -> float:
    """Return the largest p-value that any order inside the buckets can give.

    The difference nearest to 0, with the largest error: that of a logarithm, √v/x, is largest at
    the lowest x. Two ratios that may be equal, or 0, have p = 1 at most.
    """
    (low_1, high_1), (low_2, high_2) = ends
    if not math.isfinite(high_1 + high_2):
        return math.nan
    if max(low_1, low_2) <= min(high_1, high_2):
        return math.nan if math.isnan(sum(variances)) else 1.0
    nearest = (high_1, low_2) if low_2 > high_1 else (low_1, high_2)
    if not _is_ratio(name):
        return _p_value(name, nearest, variances)
    if not min(low_1, low_2) > 0:
        return 1.0
    return _p_of_ratios(nearest, (low_1, low_2), variances)


def _p_of_ratios(
    values: tuple[float, float], below: tuple[float, float], variances: list[float]
) -> float:
    """Return the p-value of the difference of logarithms, with errors √v/x of `below`."""
    gap = math.log(values[1] / values[0])
    error = math.sqrt(variances[0] / below[0] ** 2 + variances[1] / below[1] ** 2)
    if math.isnan(error):
        return math.nan
    return min(2 * above(abs(in_errors(gap, error)), None), 1.0)


def _p_value(name: str, values: tuple[float, float], variances: list[float]) -> float:
    """Return the two-sided p-value; of positive ratios that of the difference of logarithms."""
    first, second = values
    if _is_ratio(name) and first > 0 and second > 0 and math.isfinite(first + second):
        return _p_of_ratios(values, values, variances)
    gap, error = second - first, math.sqrt(sum(variances))
    if math.isnan(error) or math.isnan(gap):
        return math.nan
    return min(2 * above(abs(in_errors(gap, error)), None), 1.0)


def _adjusted(found: dict[str, Finding]) -> dict[str, Finding]:
    adjusted = dict(zip(DECIDING, holm([found[name].p_value for name in DECIDING]), strict=True))
    return {
        name: replace(one, adjusted_p_value=adjusted.get(name, math.nan))
        for name, one in found.items()
    }


# -- resampling ----------------------------------------------------------------------------------


def _resampled(
    found: dict[str, Finding], both: tuple[Evidence, Evidence], question: DriftQuestion
) -> dict[str, Finding]:
    """Return the findings with percentile intervals, and p-values by the replicates' error."""
    if question.plan is None:
        return {}
    values = [
        _replicates(evidence, plan, fixed=question.fixed_prevalence)
        for evidence, plan in zip(both, question.plan.spawn(2), strict=True)
    ]
    return {
        name: _from_replicates(
            found[name],
            None if question.fixed_reference else values[0][name],
            values[1][name],
            question,
        )
        for name in values[0]
    }


def _from_replicates(
    one: Finding, first: FloatArray | None, second: FloatArray, question: DriftQuestion
) -> Finding:
    """Return a finding by its replicates; `first` is None for a reference that is fixed."""
    drawn = [each[np.isfinite(each)] for each in (first, second) if each is not None]
    length = min(map(len, drawn))
    if length < 2 or not math.isfinite(one.reference + one.current):
        nothing = math.nan
        return replace(one, low=nothing, high=nothing, standard_error=nothing, p_value=nothing)
    gaps = drawn[-1][:length] - (one.reference if first is None else drawn[0][:length])
    low, high = quantiles(gaps, (question.alpha / 2, 1 - question.alpha / 2))
    variances = [float(each.var(ddof=1)) for each in drawn]
    variances = [0.0, *variances] if first is None else variances
    p_value = one.p_value
    if not _is_conditional(one.name):
        p_value = _p_value(one.name, (one.reference, one.current), variances)
    error = math.sqrt(sum(variances))
    return replace(one, low=low, high=high, standard_error=error, p_value=p_value)


def _replicates(evidence: Evidence, plan: Plan, *, fixed: bool) -> dict[str, FloatArray]:
    """Return every number of replicates of one sample, from the same draws; NaN without a class."""
    evidence = coarse(evidence)
    tally = evidence.tally
    scores = (tally.up_score + tally.right_score) / (tally.up + tally.right)
    resampler = Resampler(evidence, stratified=fixed and evidence.is_counts)
    together = {one.name: one.together for one in in_table("drift") if one.together is not None}

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        up, right = resampler.draw(rng, times)
        both = up.any(axis=1) & right.any(axis=1)
        found = np.full((times, len(together)), np.nan)
        for k, of in enumerate(together.values()):
            found[both, k] = of(scores, up[both], right[both])
        return found

    found = run_blocks(plan, 2 * resampler.width, work)
    return {name: found[:, k] for k, name in enumerate(together)}


# -- gaps between curves -------------------------------------------------------------------------


def _gaps(
    splits: tuple[Split, Split], both: tuple[Tally, Tally], question: DriftQuestion
) -> dict[str, Finding]:
    """Return the largest gaps between the curves, both split at the reference's midpoint."""
    at = np.union1d(*(split.walk.thresholds[1:] for split in splits))
    at = np.append(at, np.inf)
    first, second = splits[0].at(at), splits[1].at(at)
    masses = [
        (splits[0].sensible, splits[1].sensible),
        (splits[0].other, splits[1].other),
    ]
    found = {}
    for k, name in enumerate(("sensibility_gap", "capability_gap")):
        counts = [_items(mass, tally) for mass, tally in zip(masses[k], both, strict=True)]
        found[name] = _gap(name, at, (first[k], second[k]), counts, question)
    return found


def _items(mass: float, tally: Tally) -> float:
    """Return how many items a mass is worth."""
    return mass * items_per_mass(tally)


def _gap(
    name: str,
    at: FloatArray,
    curves: tuple[FloatArray, FloatArray],
    counts: list[float],
    question: DriftQuestion,
) -> Finding:
    """Return the largest gap, with the bound of Dvoretzky, Kiefer & Wolfowitz on each sample.

    Either side of the midpoint is a distribution function of its own; the bounds count both. The
    midpoint is taken as given.
    """
    gaps = curves[1] - curves[0]
    if np.isnan(gaps).all():
        nothing = math.nan
        return Finding(
            name=name, reference=nothing, current=nothing, difference=nothing, low=nothing,
            high=nothing, standard_error=nothing, p_value=nothing, at=nothing,
        )  # fmt: skip
    place = int(np.nanargmax(np.abs(gaps)))
    shares = [0.0 if question.fixed_reference else 1 / counts[0], 1 / counts[1]]
    scale = sum(math.sqrt(share) for share in shares)
    gap = float(gaps[place])
    bound = math.sqrt(math.log(8 / question.alpha) / 2) * scale
    p_value = min(8 * math.exp(-2 * (abs(gap) / scale) ** 2), 1.0)
    return Finding(
        name=name,
        reference=float(curves[0][place]),
        current=float(curves[1][place]),
        difference=gap,
        low=max(gap - bound, -1.0),
        high=min(gap + bound, 1.0),
        standard_error=math.nan,
        p_value=p_value,
        at=float(at[place]),
    )


def drift(
    reference: Any,
    current: Any,
    *,
    alpha: float = 0.05,
    method: DriftMethod = "analytic",
    fixed_reference: bool = False,
    fixed_prevalence: bool = False,
    n_resamples: int = 2000,
    rng: Any = None,
    threads: int | None = None,
    progress: Progress | None = None,
    sample_weight: Any = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> Drift:
    """Say whether a model's ranking or its probabilities have drifted.

    Parameters
    ----------
    reference, current
        Each a pair (y_true, y_prob), or a `Tally`. Where one is bucketed, intervals and p-values
        hold for every order inside the buckets, and each finding has a `certificate`; what needs
        the order is named in `.left_out`.
    alpha
        The level at which drift is called, over the three numbers that decide: AUC, midpoint and
        struggle ratio, with Holm's adjustment.
    method
        "analytic", or "bootstrap" for percentile intervals and errors of replicates (not of
        bucketed tallies).
    fixed_reference
        Take the reference as it is, without spread: for a reference that is the whole truth.
    fixed_prevalence
        The numbers of positives and negatives were fixed by design in both samples, as in a
        case-control study. Otherwise they are drawn with the items.
    n_resamples
        The number of bootstrap replicates.
    rng
        A seed or a `numpy.random.Generator`; the same seed gives the same bits on any number of
        threads.
    threads
        The number of threads. Default: as many as there are processors.
    progress
        A function of (done, all) that is called while replicates are computed.
    sample_weight
        A pair of columns, one for each sample; either may be None.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Returns
    -------
    Drift
        `.drifted`, `.verdict` ("none", "ranking", "estimation" or "both"), `.prevalence_only`,
        `.summary` in words, and `.findings`: for AUC, probabilistic AUC, midpoint, struggle ratio,
        prevalence, mean score, Brier score with its refinement and miscalibration, and the largest
        gaps between the curves of sensibility and capability, the values in both samples, the
        difference with its interval, and a p-value.

    Midpoint and struggle ratio are tested by the logarithm of their ratio, all else by the
    difference, against the normal distribution. Refinement and miscalibration are those of the
    isotonic fit, less what the fit flatters itself by. The gaps have the bounds of Dvoretzky,
    Kiefer & Wolfowitz, with both samples split at the midpoint of the reference.

    References
    ----------
    Klement, Japkowicz & Matwin (2009), Class probabilities and the ROC curve in changing
    environments; Holm (1979).

    Examples
    --------
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(2000) < 0.3
    >>> p = 1 / (1 + np.exp(-rng.normal(2 * y - 1.5)))
    >>> found = rw.drift((y[:1000], p[:1000]), (y[1000:], p[1000:] ** 2))
    >>> found.verdict, found.prevalence_only
    ('estimation', False)
    """
    one_of("method", method, ("analytic", "bootstrap"))
    plan = Plan(n_resamples, rng, threads, progress) if method == "bootstrap" else None
    question = DriftQuestion(alpha, fixed_reference, fixed_prevalence, plan)
    weights = two_columns("sample_weight", sample_weight)
    samples = [
        sample_evidence(name, sample, weight, pos_label, truth, invalid)
        for name, sample, weight in (
            ("reference", reference, weights[0]),
            ("current", current, weights[1]),
        )
    ]
    return drift_of(samples[0], samples[1], question)


def sample_evidence(
    name: str, sample: Any, weight: ArrayLike, pos_label: Any, truth: str, invalid: str
) -> Evidence:
    """Check one sample: a pair of columns, or a tally."""
    is_tally = isinstance(sample, Tally)
    y_true, y_prob = (sample, None) if is_tally else pair_of(name, sample, "y_prob")
    data = evidence_of(y_true, y_prob, weight, pos_label, truth, invalid)
    if isinstance(data, Tally) and data.steps != "truth":
        raise TallyError(f"{name} is a tally with steps={data.steps!r}.", 'use steps="truth".')
    evidence = evidence_from(data)
    refuse_few(evidence)
    return evidence
