"""A statistic in the subgroups of one sample: `rocwalk.subgroups` and its result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.errors import (
    InputError,
    OneClassError,
    Option,
    RocwalkWarning,
    TallyError,
    collecting,
    warn,
)
from rocwalk.inference.background_areas import BackgroundAreas, Divided, background_areas
from rocwalk.inference.differences import Difference, difference_of, fields_of, influence_of
from rocwalk.inference.distributions import above, holm, p_words
from rocwalk.inference.group_tests import (
    GroupTest,
    Part,
    contributions,
    covariance_of,
    equality_test,
    widest_gap,
)
from rocwalk.inference.influence import Influence
from rocwalk.inference.interval_result import Interval
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence, cluster_codes, few_units, refuse_few
from rocwalk.inference.jackknife import cluster_degrees
from rocwalk.inference.methods_words import (
    by_size_words,
    difference_words,
    interval_words,
    level_words,
    number_words,
)
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan, Progress
from rocwalk.inference.samples import compare_evidence
from rocwalk.methods import Methods, methods_of
from rocwalk.read.arrays import Sample, as_array, evidence_of
from rocwalk.read.labels import missing_labels
from rocwalk.result import Result, estimated
from rocwalk.statistic import statistic_of, words_of
from rocwalk.tally.tally import Tally
from rocwalk.typing import AnyArray, ArrayLike, FloatArray, IntArray, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GroupDifference(Difference):
    """The difference of a statistic between a subgroup and all other items: group − rest.

    `adjusted_p_value` is Holm's over all subgroups, of which two have one test; the interval is
    that of this difference alone.
    """

    group: Any
    estimates: tuple[float, float]
    adjusted_p_value: float

    @property
    def _label(self) -> str:
        return f"{self.group} − the rest"

    @property
    def _chance(self) -> str:
        return f"{p_words(self.adjusted_p_value)} after Holm"

    def _headline(self) -> dict[str, Any]:
        return {
            "group": self.group,
            "statistic": self.statistic,
            "estimates": self.estimates,
            **self._tests(),
            "adjusted_p_value": self.adjusted_p_value,
            "confidence_level": self.confidence_level,
            "n_resamples": self.n_resamples,
            "failed": self.failed or None,
        }

    def __repr__(self) -> str:
        return self._short("group", p_values=("adjusted_p_value",))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Gap(Result):
    """The largest minus the smallest value of a statistic over subgroups, with its interval.

    `estimate` is that of the sample, between the subgroups `largest` and `smallest`. By chance
    alone it is above 0, the more so the smaller the subgroups; the interval allows for that, and
    its lower end is 0 unless two subgroups differ, over all pairs at once.
    """

    statistic: str
    estimate: float
    low: float
    high: float
    largest: Any
    smallest: Any
    confidence_level: float

    @property
    def sentence(self) -> str:
        """The gap in words."""
        words = words_of(self.statistic)
        gap = estimated(self.estimate, self.low, self.high, self.confidence_level)
        ends = f"largest in {self.largest} and smallest in {self.smallest}"
        where = ends if self.estimate > 0 else "the same in all subgroups"
        found = f"{words[:1].upper()}{words[1:]} is {where}: a gap of {gap}"
        return f"{found}." if self.low > 0 else f"{found}; no gap is shown."

    def _headline(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "largest": self.largest,
            "smallest": self.smallest,
            "confidence_level": self.confidence_level,
        }


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Subgroups(Result):
    """A statistic in subgroups: each with its interval and against the rest, the gap, the test.

    `names` are the subgroups; `intervals`, `against_rest` and, for the AUC, `background` are in
    their order. `equality` is the test that all have the same value. `left_out` are the subgroups
    with too few items of a class; their items still count among the rest.
    """

    statistic: str
    names: tuple[Any, ...]
    sizes: tuple[int, ...]
    intervals: tuple[Interval, ...]
    against_rest: tuple[GroupDifference, ...]
    background: tuple[BackgroundAreas, ...] | None
    gap: Gap
    equality: GroupTest
    left_out: tuple[Any, ...]
    confidence_level: float
    divided: Divided

    @property
    def sentence(self) -> str:
        """The gap, the test and the subgroups that differ from the rest, in words."""
        apart = [
            one.sentence
            for one in self.against_rest
            if one.adjusted_p_value < 1 - self.confidence_level
        ]
        return " ".join((self.gap.sentence, self.equality.sentence, *apart))

    def area_between(self, positives: Any, negatives: Any) -> Interval:
        """Return the AUC of one subgroup's positives against another one's negatives.

        Parameters
        ----------
        positives, negatives
            The names of two subgroups; the same twice is the AUC within it.
        """
        ups, rights = self.divided.rows_of(positives), self.divided.rows_of(negatives)
        request = Request(statistic_of("auc"), self.confidence_level, "auto", Plan(1))
        return interval_of(self.divided.crossed(ups, rights)[0], request)

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        words, level = number_words(self.statistic), level_words(self.confidence_level)
        by = [interval_words(one.method, one.n_resamples) for one in self.intervals]
        apart = [difference_words(one.method, one.n_resamples) for one in self.against_rest]
        made = methods_of(
            f"The {words} was computed in {len(self.names)} subgroups; {level} confidence "
            f"intervals use {by_size_words(by)}. Each subgroup was compared with all other items "
            f"by {by_size_words(apart)}; p-values were adjusted by Holm's method [@holm1979]."
        )
        if self.background:
            made += methods_of(
                "The positives of each subgroup were compared with the negatives of all other "
                "items and the reverse (background AUCs) [@borkan2019]."
            )
        return made + self.equality.methods()

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the statistic of each subgroup with its interval.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.inference.plot import draw_forest

        lines = [
            (str(name), one.estimate, one.low, one.high)
            for name, one in zip(self.names, self.intervals, strict=True)
        ]
        level = f"{100 * self.confidence_level:g} %"
        words = f"{words_of(self.statistic)} of each subgroup, {level} intervals"
        return draw_forest(lines, words, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "groups": len(self.names),
            "gap": self.gap.estimate,
            "gap_low": self.gap.low,
            "gap_high": self.gap.high,
            "largest": self.gap.largest,
            "smallest": self.gap.smallest,
            "equality_p_value": self.equality.p_value,
            "equality_chi_squared": self.equality.chi_squared,
            "equality_df": self.equality.df,
            "left_out": self.left_out or None,
            "confidence_level": self.confidence_level,
        }

    def _columns(self) -> dict[str, AnyArray]:
        names = np.empty(len(self.names), dtype=object)
        names[:] = self.names
        columns: dict[str, AnyArray] = {"group": names, "items": np.array(self.sizes)}
        for key in ("estimate", "low", "high"):
            columns[key] = np.array([getattr(one, key) for one in self.intervals])
        for key in ("difference", "low", "high", "p_value", "adjusted_p_value"):
            name = f"difference_{key}" if key in ("low", "high") else key
            columns[name] = np.array([getattr(one, key) for one in self.against_rest])
        for area in ("bpsn", "bnsp") if self.background is not None else ():
            found = [getattr(one, area) for one in self.background or ()]
            for key, end in (("estimate", ""), ("low", "_low"), ("high", "_high")):
                columns[f"{area}{end}"] = np.array([getattr(one, key) for one in found])
        return columns


def subgroups(
    y_true: ArrayLike,
    y_score: ArrayLike,
    by: ArrayLike,
    *,
    statistic: Any = "auc",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    cluster: ArrayLike = None,
    threshold: float | None = None,
    fpr: float | None = None,
    tpr: float | None = None,
    rate: float | None = None,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardized: bool = False,
    costs: Any = None,
    threads: int | None = None,
    progress: Progress | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> Subgroups:
    """Compare a statistic over the subgroups of a sample: gaps, a test, and background areas.

    * `.intervals`: the statistic in each subgroup, as by `rocwalk.interval`.
    * `.against_rest`: each subgroup minus all other items, as by `rocwalk.compare_samples`, with
      Holm's p-values.
    * `.gap`: the largest minus the smallest value. Its interval takes the limits of each pair of
      subgroups by MOVER: the upper end is the largest upper limit of all pairs, the lower end is
      that of the pairs which may be the widest, at the level over all of them; 0 unless some pair
      differs.
    * `.equality`: the test that all subgroups have the same value, χ² on their contrasts, by
      Hotelling's F with Welch's degrees of freedom. For the AUC of few items p is the larger one of
      this and of the score test, which has the variances at the common area.
    * `.background`, for the AUC: background positives against subgroup negatives (`bpsn`) and
      background negatives against subgroup positives (`bnsp`), as in Borkan et al. (2019); and
      `.area_between(a, b)`, the AUC of a's positives against b's negatives. Positives and negatives
      are two samples, so DeLong's and Newcombe's intervals hold as for any AUC.

    Parameters
    ----------
    y_true
        The labels, or the probability that each item is positive (soft truth).
    y_score
        The scores; higher means more positive.
    by
        The subgroup of each row. A subgroup with fewer than two items of a class is left out with a
        warning, but counts among the rest of the others.
    statistic
        A name ("auc", "brier", "average_precision", "partial_auc" with `max_fpr` or `min_tpr`,
        "sensitivity" and other rates and "f1" with `threshold`, `fpr`, `tpr` or `rate`, …), a
        `functools.partial` of a function in `rocwalk.metrics`, or a function of a `Tally`.
    confidence_level
        Between 0 and 1.
    n_resamples
        The number of bootstrap replicates, for statistics without a closed form.
    rng
        A seed or a `numpy.random.Generator`; the same seed gives the same bits on any number of
        threads.
    cluster
        The unit of each row that is drawn whole, such as a patient or a day. Where a cluster has
        rows in several subgroups, their values are correlated: the covariance is summed over
        clusters for statistics with an influence function, and others are refused.
    threshold
        For rates such as "sensitivity": the score from which an item is predicted positive. For
        "net_benefit" the probability from which to act.
    fpr, tpr, rate
        In place of `threshold`: the point of the curve of each subgroup with this FPR, this TPR or
        this rate of calls.
    max_fpr, min_tpr
        For "partial_auc": the false positive rate up to which the area is taken, and the true
        positive rate above which; one of them or both.
    standardized
        For "partial_auc": standardize it by McClish, so that chance is ½ and a perfect order 1.
    costs
        For "expected_cost": `Costs`, at their own prevalence or that of the data.
    threads
        The number of threads. Default: as many as there are processors.
    progress
        A function of (done, all) that is called while replicates are computed.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, or without a
        subgroup, with a warning.

    Returns
    -------
    Subgroups
        `.names .intervals .against_rest .gap .equality .background .left_out`; `.to_frame()` has a
        row for each subgroup.

    References
    ----------
    Borkan, Dixon, Sorensen, Thain & Vasserman (2019) for the background areas; DeLong, DeLong &
    Clarke-Pearson (1988); Zou & Donner (2008) and Berger (1982) for the gap; Hotelling (1931).

    Examples
    --------
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(0)
    >>> site = rng.choice(["north", "south", "west"], 600)
    >>> y = rng.integers(0, 2, 600)
    >>> score = rng.normal(1.5 * y - 1.2 * y * (site == "west"), 1)
    >>> found = rw.subgroups(y, score, site)
    >>> print(found.gap.sentence)
    AUC is largest in north and smallest in west: a gap of 0.371, 95 % interval 0.263 to 0.457.
    >>> found.equality.p_value < 0.001, found.background[2].bnsp.high < 0.7
    (True, True)
    """
    plan = Plan(n_resamples, rng, threads, progress)
    asked = statistic_of(
        statistic,
        threshold=threshold,
        fpr=fpr,
        tpr=tpr,
        rate=rate,
        max_fpr=max_fpr,
        min_tpr=min_tpr,
        standardized=standardized,
        costs=costs,
    )
    request = Request(asked, confidence_level, "auto", plan)
    if isinstance(y_true, Tally):
        raise TallyError(
            "Subgroups need the items, and a tally does not tell them apart.",
            "pass (y_true, y_score, by).",
        )
    sample = evidence_of(
        y_true,
        y_score,
        sample_weight,
        pos_label,
        truth,
        invalid,
        probabilities=asked.needs_probabilities,
        argument="y_score",
    )
    assert isinstance(sample, Sample)
    units = None if cluster is None else cluster_codes(cluster, sample)
    column, kept = _named_rows(by, sample, invalid)
    if kept is not None:
        sample, units = sample.take(kept), None if units is None else units[kept]
    return subgroups_of(Divided.by(sample, column, units), request)


def _named_rows(by: ArrayLike, sample: Sample, invalid: str) -> tuple[AnyArray, IntArray | None]:
    """Return the subgroup of each row that has one; and which rows of the sample these are."""
    column = as_array(by, "by")
    if len(column) != sample.length:
        raise InputError(
            f"The lengths differ: by has {len(column):,} rows, y_true {sample.length:,}.",
            "name the subgroup of every row.",
        )
    column = column if sample.rows is None else column[sample.rows]
    is_lost = missing_labels(column)
    lost = np.flatnonzero(is_lost)
    if not len(lost):
        return column, None
    if invalid == "raise":
        raise InputError(
            "is missing (NaN or null).",
            (
                "name the subgroup of every row, or pass ",
                Option("invalid", "drop"),
                " to leave such rows out.",
            ),
            argument="by",
            row=int(lost[0] if sample.rows is None else sample.rows[lost[0]]),
        )
    kept = np.flatnonzero(~is_lost)
    if not len(kept):
        raise InputError("No row has a subgroup.", "name the subgroup of every row.")
    rows = "row has" if len(lost) == 1 else "rows have"
    left = "is" if len(lost) == 1 else "are"
    warn(RocwalkWarning(f"{len(lost):,} {rows} no subgroup and {left} left out."))
    return column[kept], kept


@dataclass(frozen=True, eq=False)
class Measured:
    """A statistic in the subgroups that have enough items, and the covariance of its values."""

    request: Request
    parts: Mapping[Any, Part]
    few: Mapping[Any, str]
    intervals: Sequence[Interval]
    covariance: FloatArray
    plans: Sequence[Plan]

    @classmethod
    def of(cls, divided: Divided, request: Request) -> Measured:
        """Measure the subgroups; those with too few items of a class are left out."""
        spans = divided.spanning is not None
        if spans and request.statistic.influence is None:
            _refuse_spanning(divided, request.statistic.name)
        parts, few = _enough(divided)
        plans, known = request.plan.spawn(len(parts)), list(parts.values())
        intervals = [
            interval_of(evidence, replace(request, plan=plan))
            for (evidence, _), plan in zip(known, plans, strict=True)
        ]
        errors = [one.standard_error for one in intervals]
        influences: list[Influence] = []
        if spans:
            influences = [influence_of(request.statistic)(one.tally) for one, _ in known]
        else:
            known = [(one, None) for one, _ in known]
        return cls(request, parts, few, intervals, covariance_of(known, influences, errors), plans)

    @property
    def values(self) -> FloatArray:
        """The estimates."""
        return np.array([one.estimate for one in self.intervals])

    @property
    def evidence(self) -> list[Evidence]:
        """The evidence on each subgroup."""
        return [evidence for evidence, _ in self.parts.values()]

    def equality(self) -> GroupTest:
        """Return the test that all subgroups have the same value."""
        statistic = self.request.statistic
        return equality_test(
            statistic.name,
            self.values,
            self.covariance,
            self.evidence,
            left_out=len(self.few),
            is_area=statistic.is_area,
        )

    def gap(self) -> Gap:
        """Return the largest minus the smallest value, with its interval."""
        request, values, names = self.request, self.values, list(self.parts)
        errors = np.sqrt(np.maximum(np.diag(self.covariance), np.finfo(float).tiny))
        correlation = self.covariance / np.outer(errors, errors)
        np.fill_diagonal(correlation, 1.0)
        low, high = widest_gap(values, self._limits_at, correlation, request.level)
        largest, smallest = int(values.argmax()), int(values.argmin())
        least, most = request.statistic.range
        estimate = float(values[largest] - values[smallest])
        return Gap(
            statistic=request.statistic.name,
            estimate=estimate,
            low=min(max(low, 0.0), estimate),
            high=max(min(high, most - least), estimate),
            largest=names[largest],
            smallest=names[smallest],
            confidence_level=float(request.level),
        )

    def _limits_at(self, k: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits of each subgroup's value at a normal quantile."""
        found = self.intervals
        if k != self.request.z:
            wider = replace(self.request, level=1 - 2 * above(k, None))
            with collecting(RocwalkWarning):  # given already, at the level itself
                found = [
                    interval_of(evidence, replace(wider, plan=replace(plan, progress=None)))
                    for evidence, plan in zip(self.evidence, self.plans, strict=True)
                ]
        lows, highs = ([getattr(one, end) for one in found] for end in ("low", "high"))
        return np.array(lows), np.array(highs)


def subgroups_of(divided: Divided, request: Request) -> Subgroups:
    """Return a statistic in subgroups; those with too few items of a class are left out."""
    first, second = request.plan.spawn(2)
    with collecting(RocwalkWarning) as given:
        measured = Measured.of(divided, replace(request, plan=first))
        rest = [
            _against_rest(divided, name, replace(request, plan=plan))
            for name, plan in zip(measured.parts, second.spawn(len(measured.parts)), strict=True)
        ]
    for each in {str(one): one for one in given}.values():
        warn(each)
    names, p_values = tuple(measured.parts), [each.p_value for each, _ in rest]
    adjusted = holm(p_values) if len(divided.names) > 2 else p_values  # two: one test, twice
    return Subgroups(
        statistic=request.statistic.name,
        names=names,
        sizes=tuple(one.tally.total_count for one in measured.evidence),
        intervals=tuple(measured.intervals),
        against_rest=tuple(
            GroupDifference(group=name, estimates=pair, adjusted_p_value=p, **fields_of(each))
            for name, (each, pair), p in zip(names, rest, adjusted, strict=True)
        ),
        background=background_areas(divided, names, request) if request.statistic.is_area else None,
        gap=measured.gap(),
        equality=measured.equality(),
        left_out=tuple(measured.few),
        confidence_level=float(request.level),
        divided=divided,
    )


def _enough(divided: Divided) -> tuple[dict[Any, Part], dict[Any, str]]:
    """Return the subgroups with two items of each class, and what the others lack.

    There must be two such subgroups; a warning names those that are left out.
    """
    if len(divided.names) < 2:
        raise InputError(
            f"has one value in all rows, {divided.names[0]!r}.",
            "a comparison of subgroups needs two or more.",
            argument="by",
        )
    parts: dict[Any, Part] = {}
    few: dict[Any, str] = {}
    for k, name in enumerate(divided.names):
        inside = divided.codes == k
        part = divided.crossed(inside, inside)
        with np.errstate(invalid="ignore"):  # no mass at all of one class
            words = few_units(part[0])
        if words is None:
            parts[name] = part
        else:
            few[name] = words
    words = "; ".join(f"{name!r} has {why}" for name, why in few.items())
    if len(parts) < 2:
        raise OneClassError(
            f"Fewer than two subgroups have enough items: {words}.",
            "each needs at least two items, or clusters, of each class; join small subgroups.",
        )
    if few:
        warn(RocwalkWarning(f"Subgroups are left out: {words}."))
    return parts, few


def _refuse_spanning(divided: Divided, name: str) -> None:
    """Raise for clusters that reach into several subgroups, with a row of such a cluster."""
    assert divided.units is not None
    assert divided.spanning is not None
    row = divided.spanning
    own = divided.codes[divided.units == divided.units[row]]
    names = [repr(divided.names[k]) for k in np.unique(own)[:2]]
    raise InputError(
        f"belongs to a cluster with rows in several subgroups, {names[0]} and {names[1]}, and "
        f"{name} has no influence function to sum over clusters.",
        "use a statistic that has one, such as 'auc', or one cluster for each unit and subgroup.",
        argument="cluster",
        row=row if divided.sample.rows is None else int(divided.sample.rows[row]),
    )


def _against_rest(
    divided: Divided, name: Any, request: Request
) -> tuple[Difference, tuple[float, float]]:
    """Return the difference of a subgroup and all other items, and both numbers."""
    inside = divided.rows_of(name)
    both = divided.crossed(inside, inside), divided.crossed(~inside, ~inside)
    if divided.spanning is None:
        compared = compare_evidence(both[0][0], both[1][0], request)
        return compared, compared.estimates
    for evidence, _ in both:
        refuse_few(evidence)
    of = influence_of(request.statistic)
    influences = [of(evidence.tally) for evidence, _ in both]
    error, df = _joint_error(divided, both, influences)
    one, other = (influence.estimate for influence in influences)
    found = difference_of(request, "influence", one - other, error, df=df)
    return found, (one, other)


def _joint_error(
    divided: Divided, both: Sequence[Part], influences: Sequence[Influence]
) -> tuple[float, float]:
    """Return √{I/(I − 1)·Σ(d − h)²} over all I clusters, and its degrees of freedom.

    d and h are the sums of ψ over a cluster's items in the subgroup and in the rest.
    """
    assert divided.units is not None
    count = int(divided.units.max()) + 1
    sums: list[FloatArray] = []
    for (evidence, units), influence in zip(both, influences, strict=True):
        each = contributions(evidence.need_items("Clusters"), influence)
        sums.append(np.bincount(units, each, count))  # type: ignore[arg-type]
    variance = count / (count - 1) * float(((sums[0] - sums[1]) ** 2).sum())
    smallest = min(cluster_degrees(evidence.need_items("Clusters")) for evidence, _ in both)
    return math.sqrt(variance), smallest
