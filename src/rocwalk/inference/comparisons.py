"""Models compared on the same rows: `rocwalk.compare` and its result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import Argument, OptionError, SmallSampleWarning, warn
from rocwalk.inference.closed_forms import are_few
from rocwalk.inference.differences import (
    CLOSED,
    METHODS,
    Area,
    Difference,
    Point,
    Spread,
    bootstrap_difference,
    difference_of,
    fields_of,
    influence_of,
    mover_difference,
    mover_of_samples,
    plot_differences,
    union_of,
)
from rocwalk.inference.distributions import NO_SPREAD, NOISE, holm, p_words, welch_degrees
from rocwalk.inference.influence import contributing, warn_of_weights
from rocwalk.inference.intervals import CLASS_NAMES
from rocwalk.inference.items import (
    Evidence,
    check_statistic,
    item_form,
    refuse_few,
)
from rocwalk.inference.jackknife import cluster_degrees, warn_few_clusters
from rocwalk.inference.methods_words import (
    adjusted_words,
    difference_words,
    level_words,
    margin_words,
    number_words,
)
from rocwalk.inference.omnibus import Omnibus, omnibus_of
from rocwalk.inference.panel import (
    Panel,
    exchanged_differences,
    item_jackknife_parts,
    item_psi_of,
    jackknife_parts,
    model_replicates,
    panel_from,
    parts_of,
    psi_of,
)
from rocwalk.inference.request import Request, closed_method, refuse_unfit
from rocwalk.inference.resampling import (
    Plan,
    Progress,
    item_number,
    item_replicates,
    number_of_items,
)
from rocwalk.methods import Methods
from rocwalk.read.frames import columns_by_name
from rocwalk.read.matrices import is_matrix
from rocwalk.result import Result
from rocwalk.statistic import statistic_of, words_of
from rocwalk.tally.tally import read_only
from rocwalk.texts import joined
from rocwalk.typing import AnyArray, ArrayLike, ComparisonMethod, FloatArray, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Pair(Difference):
    """The difference a − b of two models on the same rows.

    `adjusted_p_value` is Holm's over all `comparisons`, the number of pairs. With a margin so are
    `adjusted_non_inferior_p_value` and `adjusted_equivalence_p_value`, each over the p-values of
    its own question, and `non_inferior` and `equivalent` are decided by them.
    """

    a: Any
    b: Any
    adjusted_p_value: float = math.nan
    comparisons: int = 1
    adjusted_non_inferior_p_value: float | None = None
    adjusted_equivalence_p_value: float | None = None

    @property
    def _label(self) -> str:
        return f"{self.a} − {self.b}"

    @property
    def _chance(self) -> str:
        if self.comparisons == 1:
            return p_words(self.p_value)
        return f"adjusted {p_words(self.adjusted_p_value)} (Holm, {self.comparisons} pairs)"

    @property
    def _margin_p_values(self) -> tuple[float | None, float | None]:
        return self.adjusted_non_inferior_p_value, self.adjusted_equivalence_p_value

    def _deciding(self, p_value: float) -> str:
        if self.comparisons == 1:
            return p_words(p_value)
        return f"adjusted {p_words(p_value)}, Holm, {self.comparisons} pairs"

    def _headline(self) -> dict[str, Any]:
        return {
            "a": self.a,
            "b": self.b,
            **self._tests(),
            "adjusted_p_value": self.adjusted_p_value,
            **self._margins(),
            "adjusted_non_inferior_p_value": self.adjusted_non_inferior_p_value,
            "adjusted_equivalence_p_value": self.adjusted_equivalence_p_value,
            "failed": self.failed or None,
        }

    def __repr__(self) -> str:
        p_values = ("p_value",) if self.comparisons == 1 else ("p_value", "adjusted_p_value")
        return self._short("a", "b", p_values=p_values)


def adjusted_pairs(names: Sequence[Any], found: Sequence[Difference]) -> tuple[Pair, ...]:
    """Return the differences of all pairs of names, in the order of `combinations`, adjusted.

    The p-values of no difference, those of non-inferiority and those of equivalence are three
    families of tests, and Holm's method (1979) is applied to each. Equivalence is one hypothesis
    per pair, whose p-value is the larger of two one-sided ones. It is at least that of
    non-inferiority, and so it is after the adjustment: what is equivalent is not inferior.
    """

    def adjusted(name: str) -> list[Any]:
        p_values = [getattr(each, name) for each in found]
        return p_values if None in p_values else holm(p_values)

    families = ("p_value", "non_inferior_p_value", "equivalence_p_value")
    of_pairs = zip(*map(adjusted, families), strict=True)
    return tuple(
        Pair(
            a=a,
            b=b,
            comparisons=len(found),
            adjusted_p_value=p_value,
            adjusted_non_inferior_p_value=one_sided,
            adjusted_equivalence_p_value=two_one_sided,
            **fields_of(each),
        )
        for (a, b), each, (p_value, one_sided, two_one_sided) in zip(
            combinations(names, 2), found, of_pairs, strict=True
        )
    )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison(Result):
    """Models on the same rows: their estimates, the covariance of these, and every pair.

    `covariance` has one row and one column a model, in the order of `names`; `error_degrees` are
    the degrees of freedom with which it is known.
    """

    statistic: str
    method: str
    names: tuple[Any, ...]
    estimates: Mapping[Any, float]
    covariance: FloatArray
    pairs: tuple[Pair, ...]
    confidence_level: float
    error_degrees: float
    margin: float | None = None
    n_resamples: int | None = None
    spread: Spread | None = None

    @cached_property
    def omnibus(self) -> Omnibus:
        """One test of equal values in all models at once."""
        values = np.array([self.estimates[name] for name in self.names])
        return omnibus_of(words_of(self.statistic), values, self.covariance, self.error_degrees)

    @property
    def sentence(self) -> str:
        """All models at once and all pairs in words; of several pairs the p-values are Holm's."""
        pairs = [pair.sentence for pair in self.pairs]
        return " ".join(pairs if len(pairs) == 1 else [self.omnibus.sentence, *pairs])

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the difference of every pair with its interval against none; a margin is shaded.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        return plot_differences(self.pairs, ax, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the estimates and their covariance."""
        estimates = {str(name): float(value) for name, value in self.estimates.items()}
        more = {
            "estimates": estimates,
            "covariance": self.covariance.tolist(),
            "omnibus": self.omnibus.to_dict(),
        }
        return Result.to_dict(self) | more

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        words, level = number_words(self.statistic), level_words(self.confidence_level)
        by = dict.fromkeys(difference_words(one.method, one.n_resamples) for one in self.pairs)
        said = f"{len(self.names)} models were compared on the same items by their {words}; "
        if self.method == "permutation":  # which has no interval of its own
            said += f"two-sided p-values are those of {joined(list(by))}, and the {level} "
            said += "confidence intervals of differences those of a closed form."
        else:
            said += f"differences have {level} confidence intervals and two-sided p-values by "
            said += f"{joined(list(by))}."
        return Methods(
            (said, *adjusted_words(len(self.pairs)), *margin_words(self.margin, len(self.pairs)))
        )

    def _headline(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "method": self.method,
            "models": len(self.names),
            "pairs": len(self.pairs),
            "confidence_level": self.confidence_level,
            "n_resamples": self.n_resamples,
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows = [pair._headline() for pair in self.pairs]  # noqa: SLF001
        held = [key for key in rows[0] if any(row[key] is not None for row in rows)]
        rows = [row | {"a": str(row["a"]), "b": str(row["b"])} for row in rows]
        columns = {
            key: np.array([math.nan if row[key] is None else row[key] for row in rows])
            for key in held
        }
        columns["pair_method"] = columns.pop("method")
        return columns


def compare(
    y_true: ArrayLike,
    scores: Any = None,
    *,
    statistic: Any = "auc",
    method: ComparisonMethod = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    cluster: ArrayLike = None,
    votes: ArrayLike = None,
    margin: float | None = None,
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
) -> Comparison:
    """Compare two or more models on the same rows, every pair of them.

    Parameters
    ----------
    y_true
        Labels or soft truth. A `Tally` is refused: it does not know which rows belong together.
    scores
        A dict from the name of each model to its column of scores, or a dataframe of such columns.
        For "hand_till" and "provost_domingos" a dict of matrices, with one column per class; with
        `pos_label` such a dict gives any statistic of this class against the rest, by its own
        column.
    statistic
        A name ("auc", "probabilistic_auc", "auc_prt", "expected_auc", "h_measure", "brier",
        "partial_auc" with `max_fpr` or `min_tpr`, "sensitivity" and other rates and "f1" with
        `threshold`, `fpr`, `tpr` or `rate`, "gains" and "lift" with `rate`, "net_benefit" with
        `threshold`, "expected_cost" with `costs` and a point, …), a `functools.partial` of a
        function in `rocwalk.metrics`, or a function of a `Tally`.
    method
        "auto" takes a closed form where there is one; `.method` is the one that was used:

        * "delong": AUC of hard labels; z = (A₁ − A₂) / √(V₁₁ + V₂₂ − 2V₁₂), with the covariance
          of all models at once. With few items of one class its 95 % interval covers too little:
          91 % in 3,000 simulations of 10 positives and 990 negatives;
        * "delong-t": the same with Student's distribution and Welch's `.df` over the two classes,
          never taken by "auto"; there it covers 94 %;
        * "mover": AUC of few hard labels. "auto" takes it for pairs where the smaller class has
          n < 30 items, or n·min(A, 1 − A) < 5 for one of the areas. The union of "delong-t" and of
          the limits that follow from those of each area on the logit scale (Newcombe's for an area
          without spread) at the same quantile, l and u:
          A₁ − A₂ − √{(A₁ − l₁)² + (u₂ − A₂)² − 2r(A₁ − l₁)(u₂ − A₂)} and likewise above, with r the
          correlation of the areas. p-values follow from the same limits: p < 1 − level if and only
          if the interval excludes 0;
        * "influence": soft truth, weights, probabilistic AUC, numbers at a point of the curve
          (rates, "f1", "gains", "lift", "net_benefit", "expected_cost"); the covariance of ψ over
          items. ψ of "auc_prt" and "expected_auc" of soft truth holds the change of the perfect
          curve and of the pairs of an item with itself.
          Student's distribution with Welch's `.df`, of soft or weighted items the least that it can
          be: the effective number of the smaller class minus one;
        * "jackknife": clusters; the covariance of the numbers without each cluster in turn, and
          Student's distribution with the effective number of clusters of the rarer class minus one,
          (Σm)²/Σm² − 1 of its mass m by cluster;
        * "obuchowski": clusters of hard labels and of about equal size, never taken by "auto". The
          covariance of ψ over clusters, and Student's distribution with the number of clusters
          minus one;
        * "bootstrap": all else. Replicates of the same units for all models, percentile interval;
          z and p are the normal's with the replicates' standard error. Hard labels are drawn class
          by class where the statistic depends on each class alone, all else as one sample;
        * "permutation": AUC only, never taken by "auto". Items exchange the two models' mid-ranks
          at random; p = (1 + as extreme) / (1 + n_resamples). The interval, z and the tests
          against a margin are those of the closed form.
    confidence_level
        Between 0 and 1.
    n_resamples
        The number of replicates of a bootstrap or of a permutation test.
    rng
        A seed or a `numpy.random.Generator`; the same seed gives the same bits on any number of
        threads.
    threads
        The number of threads. Default: as many as there are processors.
    progress
        A function of (done, all) that is called while replicates are computed.
    cluster
        The unit that is drawn, or exchanged, whole, such as a patient or a day, row by row.
    votes
        For a bootstrap of soft truth that is a share of votes: how many votes each row has. The
        votes within an item are then drawn again, too, the same for all models. Interval and
        p-values are the conservative union with those over items alone.
    margin
        The largest difference that does not matter, chosen before the data are seen. Adds two
        p-values to each pair: `.non_inferior_p_value`, of a worse than b by the margin or more
        (one-sided: a − b ≤ −margin, or ≥ margin where lower is better; None where
        neither is), and `.equivalence_p_value` (two one-sided tests); and Holm's over all pairs,
        `.adjusted_non_inferior_p_value` and `.adjusted_equivalence_p_value`, by which
        `.non_inferior` and `.equivalent` are decided at 1 − confidence_level.
    threshold
        For rates such as "sensitivity": the score from which an item is predicted positive. For
        "net_benefit" the probability from which to act.
    fpr, tpr, rate
        In place of `threshold`: the point of the curve with this FPR, this TPR or this rate of
        calls. "sensitivity" takes `fpr` or `rate`, "specificity" `tpr` or `rate`; "precision",
        "negative_predictive_value", "accuracy", "f1" and "expected_cost" any of them; "gains" and
        "lift" take `rate`.
    max_fpr, min_tpr
        For "partial_auc": the false positive rate up to which the area is taken, and the true
        positive rate above which; one of them or both.
    standardized
        For "partial_auc": standardize it by McClish, so that chance is ½ and a perfect order 1.
        By default it is the area itself.
    costs
        For "expected_cost": `Costs`, at their own prevalence or that of the data.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning. A row
        that one model cannot use is left out for all of them.

    Returns
    -------
    Comparison
        `.pairs`, each with `.a .b .difference .low .high .z .p_value .adjusted_p_value` (Holm's,
        over all pairs) and more; `.estimates`, their `.covariance`, `.names`; `.omnibus`, one test
        of equal values in all models, with `.statistic` (χ²), `.df` and `.p_value`. Differences are
        clipped to the range that the statistic implies, [−1, 1] for areas.

    Measured at 95 % (docs/coverage.json), models of AUC 0.8 and 0.7 or so: "auto" covers 94.5 to
    95.6 %, and 97.3 % with 20 + 20 items; "delong" covers 93.1 % with 20 + 1,980. With 8 + 392
    items and no difference "auto" finds one in 3.2 % of the runs, "delong" in 7.1 %. Where the
    first model is worse by exactly the margin, "auto" finds it not inferior in 5.7 % of the runs
    with 15 + 300 items ("delong" 8.7 %) and in 5.0 % with 40 + 40 and areas of 0.98 and 0.95
    ("delong" 10.5 %). Where there is no difference, the permutation test finds one at the 5 % level
    in 4.3 to 5.4 % of the runs. Over clusters of very unequal size (ten of 1 to 50 units, or forty
    of heavy-tailed sizes) "jackknife" covers 99 %, and "obuchowski" 87 % of the latter; clusters
    worth fewer than ten of equal size give a `SmallSampleWarning`. Numbers at a point of the curve
    are covered in 95 to 97 %; the sensitivity at an FPR of 0.1 with 8 + 392 items in 92.8 %.

    Two models that order the items alike differ by 0 with p = 1. Two that do not, but whose areas
    show no spread (1 and 1, or 1 and 0), have an interval by "mover" with Newcombe's limits rather
    than a point, by any closed method; the `.method` of the pair is then "mover". Any other
    difference without spread that is not 0 gives a `SmallSampleWarning`.

    References
    ----------
    DeLong, DeLong, Clarke-Pearson (1988); Tukey (1958) and Kish (1965) for the jackknife of
    clusters; Obuchowski (1997); Bandos, Rockette, Gur
    (2005) for the exchange of ranks; Holm (1979); Schuirmann (1987) for two one-sided tests; Zou
    (2007), Zou & Donner (2008) for limits that are squared and added (MOVER); Newcombe (2006).

    Examples
    --------
    >>> import rocwalk as rw
    >>> y = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    >>> a = [0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.4, 0.35, 0.2]
    >>> b = [0.7, 0.9, 0.8, 0.2, 0.6, 0.55, 0.3, 0.4, 0.35, 0.5]
    >>> found = rw.compare(y, {"a": a, "b": b})
    >>> found.pairs[0]
    Pair(a='a', b='b', difference=0.2, low=-0.22298, high=0.62298, p_value=0.290002, \
method='mover')
    >>> print(found.pairs[0].sentence)
    a − b: difference in AUC +0.200, 95 % interval −0.223 to +0.623, p = 0.29 (mover).
    """
    plan = Plan(n_resamples, rng, threads, progress)
    if isinstance(statistic, str) and statistic in CLASS_NAMES:
        from rocwalk.inference.class_areas import CLASS_AREAS, compare_classes

        one = Request(CLASS_AREAS[statistic], confidence_level, method, plan, margin=margin)
        options = {"sample_weight": sample_weight, "invalid": invalid}
        options |= {"pos_label": pos_label, "truth": truth}
        return compare_classes(y_true, columns_by_name(scores), one, cluster, options)
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
    request = Request(asked, confidence_level, method, plan, margin=margin)
    one_of("method", method, METHODS)
    columns = columns_by_name(scores)
    if pos_label is not None and isinstance(columns, Mapping):
        matrices = [is_matrix(each) for each in columns.values()]
        if matrices and all(matrices):
            from rocwalk.inference.class_areas import columns_of_class

            y_true, columns = columns_of_class(y_true, columns, pos_label, invalid)
            pos_label = None
    panel = panel_from(
        y_true,
        columns,
        cluster,
        votes,
        threads=threads,
        sample_weight=sample_weight,
        pos_label=pos_label,
        truth=truth,
        invalid=invalid,
        probabilities=asked.needs_probabilities,
    )
    return compare_panel(panel, request)


def compare_panel(panel: Panel, request: Request) -> Comparison:
    """Return the comparison of all models; "auto" takes a closed form where there is one."""
    statistic = request.statistic
    with np.errstate(invalid="ignore"):  # no mass at all of one class
        refuse_few(Evidence(panel.models[0].tally))
    for model in panel.models:
        check_statistic(statistic, model.tally)
    hard, clustered = panel.even_weight is not None, panel.cluster is not None
    method = _method(panel, request)
    refuse_unfit(request, hard=hard, clustered=clustered)
    places = list(combinations(range(len(panel.names)), 2))
    compared = _by_bootstrap if method == "bootstrap" else _in_closed_form
    estimates, covariance, found, spread = compared(panel, request, method, places)
    at_point = statistic.limits is not None and not clustered and method != "bootstrap"
    for k, (a, b) in enumerate(places):  # no spread, of models that order differently
        if not (statistic.is_area or at_point) or found[k].standard_error > NOISE:
            continue
        if not np.array_equal(panel.models[a].mid_ranks, panel.models[b].mid_ranks):
            one, other = (
                Point(statistic, panel.evidence(each))
                if at_point
                else Area.of((estimates[each],) * 2, panel.evidence(each).effective_sizes)
                for each in (a, b)
            )
            found[k] = mover_of_samples(request, one, other, (estimates[a], estimates[b]))
    for each in found:
        if each.high - each.low <= NOISE < abs(each.difference):
            warn(SmallSampleWarning(each.method, NO_SPREAD, statistic=statistic.name))
    if method == "delong" and all(each.method == "mover" for each in found):
        method = "mover"
    if panel.votes is not None:
        method = _WITH_VOTES
    n_resamples = None if method in CLOSED else int(request.plan.n_resamples)
    if method == "permutation":
        for k, plan in enumerate(request.plan.spawn(len(places))):
            a, b = places[k]
            apart = np.abs(exchanged_differences(panel, a, b, plan))
            own = abs(panel.models[a].tally.area - panel.models[b].tally.area)
            extreme = np.count_nonzero(apart >= own - NOISE)  # of areas: others are in proportion
            p = (1 + int(extreme)) / (1 + len(apart))
            found[k] = replace(found[k], method=method, p_value=p, n_resamples=n_resamples)
    if clustered:
        warn_few_clusters(panel.items(0), method, statistic.name)
    else:
        warn_of_weights((Evidence(model.tally) for model in panel.models), method, statistic.name)
    return Comparison(
        statistic=statistic.name,
        method=method,
        names=panel.names,
        estimates=dict(zip(panel.names, estimates, strict=True)),
        covariance=read_only(covariance),
        pairs=adjusted_pairs(panel.names, found),
        confidence_level=float(request.level),
        error_degrees=_error_degrees(panel, spread),
        margin=None if request.margin is None else float(request.margin),
        n_resamples=n_resamples,
        spread=spread,
    )


def _method(panel: Panel, request: Request) -> str:
    """Return the method to use, or raise if the statistic or the votes do not allow it."""
    statistic, method = request.statistic, request.method
    if panel.votes is not None and method not in ("auto", "bootstrap"):
        raise OptionError(
            "does not draw votes again.",
            ("use 'bootstrap', or leave ", Argument("votes"), " out."),
            option="method",
            value=method,
        )
    if panel.votes is not None:
        return "bootstrap"
    if method in CLOSED:
        influence_of(statistic)
    if method != "auto":
        return method
    hard, clustered = panel.even_weight is not None, panel.cluster is not None
    return closed_method(statistic, hard=hard, clustered=clustered) or "bootstrap"


def _error_degrees(panel: Panel, spread: Spread | None) -> float:
    """Return the degrees of freedom of the covariance of all contrasts.

    Of areas of hard labels they are Welch's over the two classes, with the traces of the contrasts'
    covariances for variances; of clusters and of masses those that a pair has.
    """
    if panel.cluster is not None:
        return cluster_degrees(panel.items(0))
    if spread is not None:
        counts = spread.n_positives, spread.n_negatives
        traces = [
            max(float(part.trace() - part.sum() / len(part)), 0.0) / n
            for part, n in zip((spread.positives, spread.negatives), counts, strict=True)
        ]
        return welch_degrees([(each, each) for each in traces], counts) or min(counts) - 1.0
    return Evidence(panel.models[0].tally).mass_degrees


FEW_MISPLACED = (
    5  # of the smaller class; the skewness of two areas on the same rows cancels in part
)
_WITH_VOTES = "bootstrap-votes"
Places = Sequence[tuple[int, int]]
Compared = tuple[list[float], FloatArray, list[Difference], Spread | None]


def _in_closed_form(panel: Panel, request: Request, method: str, places: Places) -> Compared:
    """Return estimates, covariance and differences from ψ, and the spread of areas.

    Student's distribution has the effective number of clusters minus one for the jackknife, else
    the number of clusters minus one, of soft or weighted items the least degrees of freedom that
    Welch's can be, and else Welch's over the two classes; "delong" has the normal's. Pairs of areas
    of few hard labels are compared by MOVER unless another method is asked for.
    """
    statistic = request.statistic
    jackknifed = panel.cluster is not None and method in ("jackknife", "permutation")
    own = item_form(statistic, Evidence(panel.models[0].tally))
    if own is not None and own.psi is not None:
        estimates, psi = item_psi_of(panel, statistic, own.psi, request.plan.threads)
        parts = item_jackknife_parts(panel, own) if jackknifed else parts_of(panel, psi)
    else:
        influence = influence_of(statistic)
        estimates, psi = psi_of(panel, influence, request.plan.threads)
        parts = jackknife_parts(panel, influence) if jackknifed else parts_of(panel, psi)
    positives = int(np.count_nonzero(panel.positive))
    counts = positives, len(panel) - positives
    whole = Evidence(panel.models[0].tally)
    df: float | None = None
    if jackknifed:
        df = cluster_degrees(panel.items(0))
    elif panel.cluster is not None:
        df = panel.units - 1.0
    elif panel.even_weight is None:
        df = whole.mass_degrees
    by_welch = df is None and (method in ("delong-t", "mover") or not statistic.is_area)
    covariance = np.sum([part.covariance for part in parts], axis=0)
    few = [False] * len(estimates)
    if statistic.is_area and panel.even_weight is not None and panel.cluster is None:
        by_default = request.method in ("auto", "permutation")
        few = [
            method == "mover" or (by_default and are_few((each, each), counts, FEW_MISPLACED)[0])
            for each in estimates
        ]
    found = []
    for a, b in places:
        variances = [part.of_difference(a, b) for part in parts]
        if by_welch or few[a] or few[b]:
            df = welch_degrees([(each, each) for each in variances], counts)
        elif panel.cluster is None and not whole.weighs_alike:  # few heavy items may make the error
            df = max(min(whole.mass_degrees, contributing(psi[a] - psi[b]) - 1.0), 1.0)
        error = math.sqrt(max(sum(variances), 0.0))
        difference = estimates[a] - estimates[b]
        if not (few[a] or few[b]) or not error > NOISE:
            found.append(difference_of(request, method, difference, error, df=df))
            continue
        errors = [math.sqrt(max(float(covariance[each, each]), 0.0)) for each in (a, b)]
        one, other = (
            Area.of((estimates[each],) * 2, counts, own)
            for each, own in zip((a, b), errors, strict=True)
        )
        product = errors[0] * errors[1]
        together = float(covariance[a, b]) / product if product > 0 else 0.0
        found.append(
            mover_difference(
                request,
                one,
                other,
                difference=difference,
                correlation=min(max(together, -1.0), 1.0),
                error=error,
                df=df,
            )
        )
    if not statistic.is_area or panel.even_weight is None or panel.cluster is not None:
        return estimates, covariance, found, None
    up, right = (part.covariance for part in parts)
    return estimates, covariance, found, Spread.from_parts(up, right, counts)


def _by_bootstrap(panel: Panel, request: Request, _: str, places: Places) -> Compared:
    """Return estimates, covariance and differences from replicates that all models share.

    Hard labels are drawn class by class where the statistic depends on each class alone. The
    interval is of percentiles; the p-value is the normal's, with the error of the replicates.

    With votes, the differences are moved to have the estimate as their mean, because votes drawn
    twice are more extreme than they were; interval and p-values are then the conservative union
    with those over items alone.
    """
    statistic, votes = request.statistic, panel.votes
    hard = panel.even_weight is not None and panel.cluster is None
    if votes is not None or item_form(statistic, Evidence(panel.models[0].tally)) is not None:
        items = [panel.items(k) for k in range(len(panel.models))]
        estimates = [item_number(statistic, each) for each in items]
        scores, of = [each.scores for each in items], number_of_items(statistic)
        values = item_replicates(items[0], of, request.plan, votes, scores=scores)
    else:
        estimates = [float(statistic.of(model.tally)) for model in panel.models]
        values = model_replicates(
            panel, statistic, request.plan, stratified=statistic.conditional and hard
        )
    if votes is not None:
        values = values + (np.array(estimates) - np.nanmean(values, axis=0))
    found = []
    for a, b in places:
        with np.errstate(invalid="ignore"):  # infinite in both models
            differences = values[:, a] - values[:, b]
        found.append(bootstrap_difference(request, estimates[a] - estimates[b], differences))
    if votes is not None:
        alone = compare_panel(replace(panel, votes=None), replace(request, method="auto"))
        found = [
            replace(union_of(one, pair), method=_WITH_VOTES)
            for one, pair in zip(found, alone.pairs, strict=True)
        ]
    whole = values[np.isfinite(values).all(axis=1)]
    size = len(estimates)
    covariance = np.cov(whole, rowvar=False) if len(whole) > 1 else np.full((size, size), np.nan)
    return estimates, covariance, found, None
