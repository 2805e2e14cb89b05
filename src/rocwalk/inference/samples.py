"""Two separate samples: the difference of a statistic between them (SPEC §9)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.errors import InputError, OptionError
from rocwalk.inference.closed_forms import mass_degrees
from rocwalk.inference.differences import (
    Difference,
    Gap,
    Request,
    Spread,
    bootstrap_gap,
    closed_method,
    influence_of,
    newcombe_gap,
    plain_gap,
    plans,
    refuse_unfit,
    tests_of,
)
from rocwalk.inference.influence import (
    Influence,
    Range,
    error_range,
    least_degrees,
    two_sample_ranges,
    two_sample_variances,
)
from rocwalk.inference.interval import NOISE
from rocwalk.inference.intervals import has_closed_form, measured
from rocwalk.inference.items import (
    Evidence,
    check_statistic,
    counted,
    evidence_from,
    refuse_few,
    refuse_lost_truth,
)
from rocwalk.inference.panel import refuse_few_clusters
from rocwalk.inference.resampling import Plan, Progress, replicates
from rocwalk.read.arrays import evidence_of
from rocwalk.statistic import Statistic, statistic_of
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import refuse_buckets
from rocwalk.typing import Bounds, ComparisonMethod, Invalid, Truth


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SampleComparison(Difference):
    """Two separate samples: the first less the second."""

    estimates: tuple[float, float]
    spreads: tuple[Spread, Spread] | None = None

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        return f"First less second sample: {self._words()}"

    @property
    def _name(self) -> str:
        return "first − second sample"

    def _headline(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "estimates": self.estimates,
            **self._tests(),
            "confidence_level": self.confidence_level,
            **self._margins(),
            "n_resamples": self.n_resamples,
            "failed": self.failed or None,
        }

    def __repr__(self) -> str:
        shown = {key: getattr(self, key) for key in ("difference", "low", "high", "p_value")}
        numbers = ", ".join(f"{key}={value:.6g}" for key, value in shown.items())
        return f"SampleComparison(statistic={self.statistic!r}, {numbers}, method={self.method!r})"


# -- two separate samples ------------------------------------------------------------------------


def compare_evidence(one: Evidence, other: Evidence, request: Request) -> SampleComparison:
    """Return the difference of a statistic between two separate samples."""
    both, statistic = (one, other), request.statistic
    for evidence in both:
        check_statistic(statistic, evidence.tally)
        refuse_lost_truth(statistic, evidence.tally)
        with np.errstate(invalid="ignore"):  # no mass at all of one class
            refuse_few(evidence)
        _refuse_lone_clusters(evidence)
    method = _chosen_apart(both, request)
    if method == "bootstrap":
        gap, estimates = _resampled_apart(both, request)
        spreads = None
    else:
        gap, estimates, spreads = _closed_apart(both, request, method)
    if statistic.is_area and not gap.standard_error > NOISE:
        gap = newcombe_gap(one, other, request)
    elif statistic.is_area and gap.bounds is not None and not gap.least_error > NOISE:
        gap = _joined(gap, newcombe_gap(one, other, request))
    return SampleComparison(estimates=estimates, spreads=spreads, **tests_of(gap, request))


def _joined(gap: Gap, other: Gap) -> Gap:
    """Return what holds for orders inside the buckets with spread and for those without."""
    return replace(
        gap,
        low=min(gap.low, other.low),
        high=max(gap.high, other.high),
        standard_error=max(gap.standard_error, other.standard_error),
        z=min(gap.in_errors, other.in_errors, key=abs),
        p_value=max(gap.chance, other.chance),
    )


def _refuse_lone_clusters(evidence: Evidence) -> None:
    """Raise where clusters are given, but one class is in one of them only."""
    items = evidence.items
    if items is None or items.cluster is None or evidence.even_weight is None:
        return
    sums = (items.by_unit(mass) for mass in (items.up, items.right))
    refuse_few_clusters([int(np.count_nonzero(each)) for each in sums])


def _chosen_apart(both: Sequence[Evidence], request: Request) -> str:
    hard = all(evidence.even_weight is not None for evidence in both)
    clustered = any(evidence.cluster is not None for evidence in both)
    if request.method == "delong-t":
        raise OptionError(
            "method='delong-t' is for models on the same rows.",
            "use 'delong', which has Student's distribution for separate samples.",
        )
    if request.method == "permutation":
        raise OptionError(
            "method='permutation' exchanges models within items, and separate samples share none.",
            "use 'auto' or 'bootstrap'.",
        )
    if request.method == "auto":
        found = closed_method(request.statistic, hard=hard, clustered=clustered)
        return found or _chosen_without_influence(both, request)
    if request.method == "influence" and _of_sample(both, request.statistic):
        return "influence"
    refuse_unfit(request, hard=hard, clustered=clustered)
    if request.method == "bootstrap":
        _refuse_buckets(both, f"The bootstrap of {request.statistic.name}")
    return request.method


def _chosen_without_influence(both: Sequence[Evidence], request: Request) -> str:
    """Return the method for a number that is resampled wherever every score is known."""
    if _of_sample(both, request.statistic):
        return "influence"
    _refuse_buckets(both, f"The difference of {request.statistic.name}")
    return "bootstrap"


def _of_sample(both: Sequence[Evidence], statistic: Statistic) -> bool:
    return has_closed_form(statistic, *(evidence.tally for evidence in both))


def _refuse_buckets(both: Sequence[Evidence], what: str) -> None:
    for evidence in both:
        refuse_buckets(evidence.tally, what)


Apart = tuple[Gap, tuple[float, float]]


def _closed_apart(
    both: Sequence[Evidence], request: Request, method: str
) -> tuple[Gap, tuple[float, float], tuple[Spread, Spread] | None]:
    """Return estimate ± quantile · √(se₁² + se₂²)."""
    if _of_sample(both, request.statistic):
        return _of_samples(both, request)
    of = influence_of(request.statistic)
    influences = [of(evidence.tally) for evidence in both]
    pairs = list(zip(both, influences, strict=True))
    errors = [error_range(*pair) for pair in pairs]
    estimates = (influences[0].estimate, influences[1].estimate)
    bounds = _bounds_apart(both, estimates, [one.ends for one in influences])
    df = _df_apart(pairs, errors, method, request.statistic)
    gap = _gap_apart(estimates, errors, request, (method, df, bounds))
    if method != "delong" or bounds is not None:
        return gap, estimates, None
    first, second = (_spread_alone(*pair) for pair in pairs)
    return gap, estimates, (first, second)


def _of_samples(
    both: Sequence[Evidence], request: Request
) -> tuple[Gap, tuple[float, float], None]:
    """Return the difference of a number of buckets that depends on the prevalence."""
    one, other = (measured(request.statistic, evidence.tally) for evidence in both)
    estimates, errors = (one.value, other.value), [one.errors, other.errors]
    bounds = _bounds_apart(both, estimates, [one.ends, other.ends])
    if not math.isfinite(sum(estimates) + errors[0][1] + errors[1][1]):
        _refuse_buckets(both, f"The difference of {request.statistic.name}")
    return _gap_apart(estimates, errors, request, ("influence", None, bounds)), estimates, None


def _gap_apart(
    estimates: tuple[float, float],
    errors: Sequence[Range],
    request: Request,
    how: tuple[str, float | None, Bounds | None],
) -> Gap:
    method, df, bounds = how
    least, most = (math.hypot(*(error[k] for error in errors)) for k in (0, 1))
    gap = plain_gap(estimates[0] - estimates[1], most, request, method, df, bounds)
    return replace(gap, least_error=least)


def _bounds_apart(
    both: Sequence[Evidence], estimates: tuple[float, float], ends: Sequence[Range]
) -> Bounds | None:
    """Return the bounds of the difference if a sample is bucketed."""
    if not any(evidence.tally.is_bucketed for evidence in both):
        return None
    low, high = ends[0][0] - ends[1][1], ends[0][1] - ends[1][0]
    return low, estimates[0] - estimates[1], high


def _df_apart(
    pairs: Sequence[tuple[Evidence, Influence]],
    errors: Sequence[Range],
    method: str,
    statistic: Statistic,
) -> float | None:
    """Return the degrees of freedom: (Σse²)² / Σ se⁴/(n − 1) over the samples.

    n is the number of items for DeLong, or of clusters. For a difference of means, the sums are
    over the classes of both samples; else None, the normal. Of buckets the least they can be.
    Where truth is soft or weights vary, n is the effective number of the smaller class.
    """
    if method == "delong" or any(evidence.cluster is not None for evidence, _ in pairs):
        squares = [(least**2, most**2) for least, most in errors]
        return least_degrees(squares, [_units(evidence) for evidence, _ in pairs])
    if any(evidence.even_weight is None for evidence, _ in pairs):
        squares = [(least**2, most**2) for least, most in errors]
        return least_degrees(squares, [mass_degrees(evidence) + 1.0 for evidence, _ in pairs])
    if statistic.is_area:
        return None
    variances = [part for pair in pairs for part in two_sample_ranges(*pair)]
    return least_degrees(variances, [n for evidence, _ in pairs for n in class_counts(evidence)])


def _units(evidence: Evidence) -> int:
    """Return how many units there are: items, or clusters."""
    if evidence.items is None or evidence.cluster is None:
        return evidence.tally.total_count
    return evidence.items.clusters


def class_counts(evidence: Evidence) -> tuple[int, int]:
    """Return the numbers of positives and negatives of hard labels of one weight."""
    weight, tally = evidence.even_weight or 1.0, evidence.tally
    return round(tally.total_up / weight), round(tally.total_right / weight)


def _spread_alone(evidence: Evidence, influence: Influence) -> Spread:
    up, right = two_sample_variances(evidence, influence)
    positives, negatives = class_counts(evidence)
    matrices = (np.array([[up * positives]]), np.array([[right * negatives]]))
    return Spread(*matrices, positives, negatives)


def _resampled_apart(both: Sequence[Evidence], request: Request) -> Apart:
    """Return percentiles of the differences of replicates drawn separately from each sample."""
    statistic, values = request.statistic, []
    for evidence, plan in zip(map(counted, both), plans(request.plan, 2), strict=True):
        stratified = statistic.conditional and evidence.is_counts
        values.append(replicates(evidence, statistic, plan, stratified=stratified))
    first, second = (float(statistic.of(evidence.tally)) for evidence in both)
    gap = bootstrap_gap(first - second, values[0] - values[1], request, "bootstrap")
    return gap, (first, second)


def compare_samples(
    sample_1: Any,
    sample_2: Any,
    *,
    statistic: Any = "auc",
    method: ComparisonMethod = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    cluster: Any = None,
    margin: float | None = None,
    threshold: float | None = None,
    max_fpr: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    sample_weight: Any = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> SampleComparison:
    """Compare a statistic between two separate samples: the first less the second.

    Parameters
    ----------
    sample_1, sample_2
        Each a pair (y_true, y_score), or a `Tally`. Where one is bucketed, `.bounds` are those of
        the difference, and interval and p-values hold for every order inside the buckets.
    method
        "auto" takes a closed form where there is one, with √(se₁² + se₂²), and says what it took:

        * "delong": AUC of hard labels. Student's distribution with Welch's degrees of freedom over
          the two samples, df = (se₁² + se₂²)² / (se₁⁴/(n₁−1) + se₂⁴/(n₂−1)), in `.df`, as pROC
          has it;
        * "influence": soft truth, weights, probabilistic AUC; "obuchowski": clusters of hard
          labels, where n₁ and n₂ count clusters;
        * "bootstrap": all else; each sample is drawn by itself; the interval is of percentiles, z
          and p are the normal's with the replicates' standard error. From buckets midpoint,
          struggle ratio, mean score, prevalence and Brier score have the closed form instead, and
          all else is refused by name.
    statistic
        A name ("auc", "probabilistic_auc", "auc_prt", "expected_auc", "h_measure", "brier",
        "partial_auc" with `max_fpr`, "sensitivity" and other rates with `threshold`, …), a
        `functools.partial` of a function in `rocwalk.metrics`, or a function of a `Tally`.
    confidence_level
        Between 0 and 1.
    n_resamples
        The number of bootstrap replicates.
    rng
        A seed or a `numpy.random.Generator`; the same seed gives the same bits on any number of
        threads.
    threads
        The number of threads. Default: as many as there are processors.
    progress
        A function of (done, all) that is called while replicates are computed.
    cluster
        A pair of columns, one for each sample: the unit that is drawn whole, such as a patient or a
        day. Either may be None.
    margin
        The largest difference that does not matter. Adds `.non_inferior_p_value` (one-sided, of
        sample_1 − sample_2 ≤ −margin) and `.equivalence_p_value` (two one-sided tests), and their
        verdicts at 1 − confidence_level.
    threshold
        For rates such as "sensitivity": the score from which an item is predicted positive.
    max_fpr
        For "partial_auc": the false positive rate up to which the area is taken.
    sample_weight
        A pair of columns, one for each sample: weights of the rows, not negative; rows of weight 0
        are left out. Either may be None.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Returns
    -------
    SampleComparison
        `.difference .low .high .z .p_value .standard_error .df .method .estimates`.

    Measured at 95 % (docs/coverage.json), AUC 0.8 and 0.7 or so: "auto" covers 94.3 to 95.5 % in
    every setting, "bootstrap" 93.8 % with 100 + 100 items each and 94.1 % with soft truth.

    References
    ----------
    DeLong, DeLong, Clarke-Pearson (1988); Welch (1947).

    Examples
    --------
    >>> import rocwalk as rw
    >>> before = ([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1])
    >>> after = ([1, 0, 0, 1, 1, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1])
    >>> rw.compare_samples(before, after)
    SampleComparison(statistic='auc', difference=0.333333, low=-0.489494, high=1, \
p_value=0.372913, method='delong')
    """
    plan = Plan(n_resamples, rng, threads, progress)
    asked = statistic_of(statistic, threshold=threshold, max_fpr=max_fpr)
    request = Request(asked, confidence_level, method, margin, plan)
    clusters, weights = two_columns("cluster", cluster), two_columns("sample_weight", sample_weight)
    options = (pos_label, truth, invalid, asked.needs_probabilities)
    one, other = (
        _evidence(f"sample_{k + 1}", sample, clusters[k], weights[k], options)
        for k, sample in enumerate((sample_1, sample_2))
    )
    return compare_evidence(one, other, request)


def two_columns(argument: str, given: Any) -> tuple[Any, Any]:
    """Return one column for each sample."""
    if given is None:
        return None, None
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InputError(
            f"{argument} is a {type(given).__name__}, not a pair of columns.",
            f"pass {argument}=(one, other), a column for each sample; either may be None.",
        )
    return given[0], given[1]


def _evidence(
    name: str, sample: Any, cluster: Any, weight: Any, options: tuple[Any, str, str, bool]
) -> Evidence:
    """Check one sample: a pair of columns, or a tally."""
    pos_label, truth, invalid, probabilities = options
    y_true, y_score = (sample, None) if isinstance(sample, Tally) else pair_of(name, sample)
    data = evidence_of(
        y_true, y_score, weight, pos_label, truth, invalid, probabilities=probabilities
    )
    return evidence_from(data, cluster)


def pair_of(name: str, sample: Any, scores: str = "y_score") -> tuple[Any, Any]:
    """Return the labels and the scores of a sample."""
    if not isinstance(sample, tuple | list) or len(sample) != 2:
        raise InputError(
            f"{name} is a {type(sample).__name__}, not a pair (y_true, {scores}).",
            f"pass {name} as (y_true, {scores}), or as one Tally.",
        )
    return sample[0], sample[1]
