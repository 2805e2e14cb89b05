"""The accuracy of a rule "score ≥ threshold" with intervals, as STARD asks: `rw.accuracy_table`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rocwalk.checks import as_number
from rocwalk.curves.choices import best
from rocwalk.curves.coordinates import RATES
from rocwalk.curves.operating_points import OperatingPoint, point_at_threshold
from rocwalk.curves.rules import YOUDEN
from rocwalk.errors import TallyError, UndefinedMetricWarning, collecting
from rocwalk.inference.distributions import check_level
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence, evidence_from, refuse_few
from rocwalk.inference.methods_words import interval_words, level_words
from rocwalk.inference.request import Request
from rocwalk.inference.resampled_intervals import BOOTSTRAP
from rocwalk.inference.resampling import Plan
from rocwalk.methods import Methods
from rocwalk.read.arrays import evidence_of
from rocwalk.result import Result
from rocwalk.statistic import entries, statistic_of
from rocwalk.tally.walk import EXACT_TALLY, walk_of
from rocwalk.texts import joined
from rocwalk.typing import AnyArray, ArrayLike, Bounds, Invalid, Truth

_CLINICAL = {  # names that differ from the titles of the registry, or are not in it
    "auc": "Area under the ROC curve",
    "precision": "Positive predictive value",
    "positive_likelihood_ratio": "Positive likelihood ratio",
    "negative_likelihood_ratio": "Negative likelihood ratio",
}

RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")
_OF_TALLIES = ("auc", "prevalence", *RATES)
NUMBERS = (*_OF_TALLIES, *RATIOS)  # the rows of the table

RESAMPLES = 2000  # with clusters
_OF_RATIOS = "ratio"  # the method of their intervals
Ends = tuple[float, float, float]  # estimate, low, high


@dataclass(frozen=True, eq=False, repr=False)
class AccuracyTable(Result):
    """The accuracy of the rule "score ≥ threshold", each number with its interval.

    Make one with `rocwalk.accuracy_table`. `numbers` maps a name to (estimate, low, high).
    `auc_bounds` are the lowest, the middle and the highest area where a tally is bucketed;
    `interval_methods` are those of the numbers that have one of their own. `chosen_by`
    says how the threshold was chosen on the same data, and is empty for one that was given.
    """

    point: OperatingPoint
    numbers: dict[str, Ends]
    confidence_level: float
    auc_bounds: Bounds | None = None
    interval_methods: Mapping[str, str] = field(default_factory=dict)
    chosen_by: str = ""

    @property
    def threshold(self) -> float:
        """Predict positive when the score is at least this."""
        return self.point.threshold

    @property
    def words(self) -> dict[str, str]:
        """The name of each number as a reader knows it."""
        return {name: _CLINICAL.get(name) or entries()[name].title for name in self.numbers}

    @property
    def sentence(self) -> str:
        """What the rule finds and what it spares, in words."""
        found, spared = (
            f"{100 * value:.1f} % ({100 * low:.1f} to {100 * high:.1f} %)"
            for value, low, high in (self.numbers["sensitivity"], self.numbers["specificity"])
        )
        return (
            f"{rule_words(f'{self.threshold:g}')} finds {found} of the positives and spares "
            f"{spared} of the negatives; in brackets {100 * self.confidence_level:g} % intervals."
        )

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        level = level_words(self.confidence_level)
        short = f"{self.threshold:g}"  # rounded it could decide otherwise
        rule = short if float(short) == self.threshold else repr(float(self.threshold))
        said = [f"An item counts as positive where its score is {rule} or more."]
        if self.chosen_by:
            said.append(
                f"The threshold has {self.chosen_by} on the same data, which makes the accuracy "
                "look better than it is."
            )
        by_method: dict[str, list[str]] = {}
        for name, method in self.interval_methods.items():
            words = self.words[name]
            by_method.setdefault(method, []).append(words[:1].lower() + words[1:])
        for method, names in by_method.items():
            by = interval_words(method, RESAMPLES if method in BOOTSTRAP else None)
            said.append(f"{level} confidence intervals of {joined(names)} use {by}.")
        return Methods(tuple(said))

    def _headline(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold,
            "true_positives": self.point.confusion.true_positives,
            "false_positives": self.point.confusion.false_positives,
            "false_negatives": self.point.confusion.false_negatives,
            "true_negatives": self.point.confusion.true_negatives,
            "confidence_level": self.confidence_level,
            **({} if self.auc_bounds is None else {"auc_bounds": self.auc_bounds}),
        }

    def _columns(self) -> dict[str, AnyArray]:
        estimate, low, high = np.array(list(self.numbers.values())).T
        names = np.array(list(self.words.values()))
        return {"number": names, "estimate": estimate, "low": low, "high": high}


def accuracy_table(
    y_true: ArrayLike,
    y_score: ArrayLike = None,
    *,
    threshold: float | None = None,
    confidence_level: float = 0.95,
    cluster: ArrayLike = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> AccuracyTable:
    """Return the accuracy of the rule "score ≥ threshold", each number with its interval.

    Parameters
    ----------
    y_true, y_score
        Labels or soft truth, and scores. Or one `Tally`. Of a bucketed one everything but the area
        is exact at the end of a bucket, and a threshold inside a bucket is refused; the area has
        `.auc_bounds`.
    threshold
        Where the rule cuts, fixed before the data were seen. Without it the best by Youden's
        index on these data is taken, which flatters the rule; of buckets the best of their ends.
    confidence_level
        Between 0 and 1.
    cluster
        The unit that rows belong to, such as a patient.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Shares have Wilson's intervals (for masses with the effective number of items, for clusters with
    the number of independent items that they are worth; the prevalence of clusters has a bootstrap
    with a fixed seed), the area its own, and likelihood ratios limits from those of their two
    shares. What cannot be computed is NaN; a ratio over nothing is infinite.

    References
    ----------
    Bossuyt et al. (2015), STARD 2015; Wilson (1927); Donner & Zou (2012), Closed-form confidence
    intervals for functions of the normal mean and standard deviation, for the limits of ratios.

    Examples
    --------
    >>> import rocwalk as rw
    >>> y = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    >>> s = [0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.4, 0.35, 0.2]
    >>> found = rw.accuracy_table(y, s, threshold=0.5)
    >>> [round(number, 3) for number in found.numbers["sensitivity"]]
    [0.8, 0.376, 0.964]
    >>> print(found.sentence)
    A score of 0.5 or more finds 80.0 % (37.6 to 96.4 %) of the positives and spares 40.0 % (11.8 \
to 76.9 %) of the negatives; in brackets 95 % intervals.
    """
    level = check_level(confidence_level)
    cut = None if threshold is None else as_number("threshold", threshold)
    data = evidence_of(
        y_true, y_score, sample_weight, pos_label, truth, invalid, probabilities=False
    )
    evidence = evidence_from(data, cluster)
    if cut is None:
        chosen = best(walk_of(evidence.tally)).threshold
        return replace(accuracy_of(evidence, chosen, level), chosen_by=YOUDEN.words)
    return accuracy_of(evidence, cut, level)


def accuracy_of(evidence: Evidence, threshold: float, level: float) -> AccuracyTable:
    """Return the table of a rule: area, prevalence, rates, predictive values, likelihood ratios."""
    tally = evidence.tally
    refuse_few(evidence)
    inside = np.flatnonzero((tally.scores < threshold) & (tally.highest >= threshold))
    if len(inside):  # which items of this bucket lie above is not known
        low, high = tally.scores[inside[0]], tally.highest[inside[0]]
        raise TallyError(
            f"lies inside a bucket from {low:g} to {high:g}, and this tally is bucketed: the "
            "accuracy table needs every score there.",
            f"take an end of a bucket, such as {float(low)!r}; or {EXACT_TALLY}.",
            option="threshold",
            value=threshold,
        )
    numbers: dict[str, Ends] = {}
    methods: dict[str, str] = {}
    for name in _OF_TALLIES:
        statistic = statistic_of(name, threshold=threshold if name in RATES else None)
        with collecting(UndefinedMetricWarning):  # the table shows NaN
            value = statistic.of(tally)
        if math.isnan(value):
            numbers[name] = (math.nan, math.nan, math.nan)
            continue
        by_wilson = statistic.share is not None and evidence.cluster is None
        method = "wilson" if by_wilson else "auto"
        found = interval_of(evidence, Request(statistic, level, method, Plan(RESAMPLES, 0)))
        methods[name] = found.method
        numbers[name] = (found.estimate, found.low, found.high)
    sensitivity, specificity = numbers["sensitivity"], numbers["specificity"]
    numbers["positive_likelihood_ratio"] = ratio(sensitivity, _rest(specificity))
    numbers["negative_likelihood_ratio"] = ratio(_rest(sensitivity), specificity)
    methods |= {name: _OF_RATIOS for name in RATIOS if not math.isnan(numbers[name][1])}
    point = point_at_threshold(walk_of(tally), threshold)
    bounds = tally.auc_bounds if tally.is_bucketed else None
    return AccuracyTable(point, numbers, level, bounds, methods)


def rule_words(threshold: str) -> str:
    """Name the rule "score ≥ threshold" as the subject of a sentence.

    >>> rule_words("0.5"), rule_words("inf")
    ('A score of 0.5 or more', 'The rule that calls no item positive')
    """
    if threshold == "inf":
        return "The rule that calls no item positive"
    return f"A score of {threshold} or more"


def _rest(share: Ends) -> Ends:
    """Return 1 − share, with its limits."""
    estimate, low, high = share
    return 1 - estimate, 1 - high, 1 - low


def ratio(one: Ends, other: Ends) -> Ends:
    """Return the ratio of two independent shares with limits from theirs (Donner & Zou 2012).

    With shares p and q, the lower limit is {pq − √[(pq)² − l·u′(2p − l)(2q − u′)]} / {u′(2q − u′)}
    for the lower limit l of p and the upper limit u′ of q; likewise above. A denominator of zero
    gives an infinite ratio with a finite lower limit.

    >>> [round(x, 3) for x in ratio((0.8, 0.7, 0.87), (0.2, 0.13, 0.3))]
    [4.0, 2.605, 6.197]
    """
    (p, low, high), (q, q_low, q_high) = one, other
    value = p / q if q > 0 else (math.inf if p > 0 else math.nan)

    def limit(end: float, other: float, side: int) -> float:
        below = other * (2 * q - other)
        if below == 0:
            return math.inf if side > 0 else math.nan
        inside = (p * q) ** 2 - end * other * (2 * p - end) * (2 * q - other)
        return (p * q + side * math.sqrt(max(inside, 0.0))) / below

    return value, limit(low, q_high, -1), limit(high, q_low, 1)
