"""How scores have shifted between two samples: what is known of drift before labels arrive.

The two distributions of scores are compared by Kolmogorov and Smirnov's largest gap and by their
means. What is expected of the new scores follows from the calibration map of a labelled reference
(`rocwalk.drift.causes`), or, without labels, takes every score for the probability that its item is
positive.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.checks import as_number
from rocwalk.curves.choices import Costs
from rocwalk.drift.causes import expected_of
from rocwalk.drift.drift import sample_evidence
from rocwalk.drift.findings import Part
from rocwalk.drift.request import DriftRequest
from rocwalk.errors import InputError, OptionError, TallyError, lacking
from rocwalk.inference.distributions import above, in_errors, p_words, quantile, welch_degrees
from rocwalk.inference.items import Evidence, refuse_few
from rocwalk.read.arrays import as_probabilities
from rocwalk.result import Result, numeral
from rocwalk.tally.order import sorted_scores, tally_of_labels, tally_of_masses
from rocwalk.tally.tally import Tally, refuse_other_scores
from rocwalk.truth.reference_truth import expected_auc
from rocwalk.typing import ArrayLike, Bounds, FloatArray, IntArray, Range


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScoreShift(Result):
    """Scores without labels against those of a reference; from `rocwalk.score_shift`.

    `gap` is the largest gap between the two distributions of scores, Kolmogorov and Smirnov's.
    The expected prevalences and areas are estimates under the assumption that the scores are
    calibrated; if calibration has drifted they are wrong, which only labels can show. `method` says
    whether `p_value` is "exact" or "asymptotic". Where a tally is bucketed, the bounds are the
    lowest, the middle and the highest possible value; the test uses the lowest gap.

    `expected` maps "auc", "positives", "prevalence", "midpoint", "struggle_ratio" and, with costs,
    "cost" to what the calibration map of a labelled reference expects of the current scores, with
    intervals; None without labels.
    """

    mean_reference: float
    mean_current: float
    difference: float
    low: float
    high: float
    mean_p_value: float
    gap: float
    gap_at: float
    p_value: float
    method: str
    alpha: float
    expected_auc_reference: float
    expected_auc_current: float
    gap_bounds: Bounds | None = None
    expected_auc_reference_bounds: Bounds | None = None
    expected_auc_current_bounds: Bounds | None = None
    expected: Mapping[str, Part] | None = None

    @property
    def shifted(self) -> bool:
        """Whether the distributions of scores differ, at α."""
        return self.p_value < self.alpha

    @property
    def expected_prevalence(self) -> tuple[float, float]:
        """The mean scores: the prevalences if the scores are calibrated."""
        return self.mean_reference, self.mean_current

    @property
    def cannot_see(self) -> str:
        """What scores without labels do not show, in words."""
        return (
            "What labels alone show is a change of outcomes given the scores: a model may have "
            "drifted while its scores stay as they were, and scores may shift while its "
            "probabilities still hold. Compare again by rocwalk.drift once there are labels."
        )

    @property
    def summary(self) -> str:
        """The finding in words."""
        found = "have shifted" if self.shifted else "have not visibly shifted"
        words = (
            f"The scores {found}: mean {numeral(self.mean_reference)} → "
            f"{numeral(self.mean_current)}, largest gap between the distributions {self.gap:.3f} "
            f"({p_words(self.p_value)}). "
        )
        if self.expected is None:
            return words + (
                "If the scores are still calibrated, which cannot be seen without labels, the "
                f"expected AUC is {self.expected_auc_reference:.3f} → "
                f"{self.expected_auc_current:.3f}."
            )
        auc, positives = self.expected["auc"], self.expected["positives"]
        words += (
            "If outcomes given the scores are still those of the reference, which cannot be seen "
            f"without labels, an AUC of {auc.value:.3f} ({auc.low:.3f} to {auc.high:.3f}) and "
            f"{positives.value:,.0f} positives ({positives.low:,.0f} to {positives.high:,.0f}) are "
            "expected"
        )
        cost = self.expected.get("cost")
        if cost is not None:
            words += f", at a mean cost of {cost.value:.4g} ({cost.low:.4g} to {cost.high:.4g})"
        return f"{words}."

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with what is expected of the current scores."""
        known = {name: one.to_dict() for name, one in (self.expected or {}).items()}
        words = {"summary": self.summary, "cannot_see": self.cannot_see}
        return Result.to_dict(self) | words | ({"expected": known} if known else {})

    def _headline(self) -> dict[str, Any]:
        names = [name for name in self.__slots__ if name != "expected" and name[:1] != "_"]
        if self.gap_bounds is None:
            names = [name for name in names if not name.endswith("_bounds")]
        return {"shifted": self.shifted} | {name: getattr(self, name) for name in names}


def score_shift(
    reference: Any,
    current: ArrayLike,
    *,
    alpha: float = 0.05,
    costs: Costs | None = None,
    threshold: float = 0.5,
    pos_label: Any = None,
) -> ScoreShift:
    """Return whether the scores have shifted: what is known of drift before labels arrive.

    Parameters
    ----------
    reference
        A column of probabilities in [0, 1], at least two; every score counts once. Or a pair
        (y_true, y_prob), whose labels give what is `.expected` of the current scores. Or a
        `Tally` of hard labels without weights; a bucketed one gives bounds, and the test uses the
        lowest gap that the buckets allow. A tally of weighted or soft items is refused, because the
        test counts scores.
    current
        A column of probabilities, or a `Tally`, whose labels are not used.
    alpha
        The significance level of the test of Kolmogorov and Smirnov, and of the intervals.
    costs, threshold
        With a labelled reference: the `rocwalk.Costs` of wrong decisions and the score from which
        items are predicted positive, for the mean cost that is expected.
    pos_label
        The label of the positive class in `y_true`; needed unless labels are 0/1, −1/1 or booleans.

    Returns
    -------
    ScoreShift
        `.shifted .gap .p_value .method .difference .low .high .expected_auc_reference
        .expected_auc_current .expected .summary .cannot_see`.

    The p-value is the share of all ways to divide the pooled scores, tied as they are, into two
    samples of these sizes that have a gap as large. It is exact up to 20,000 scores in all and 10⁷
    pairs; above, it is Kolmogorov's limit with Stephens' correction, which is conservative with
    ties. At the 5 % level 8 + 8 scores without shift are called shifted in 1.9 % of samples (gaps
    are multiples of 1/8), by the limit in 8.7 %. The interval and the p-value of the mean are
    Welch's.

    `.expected` follows from the calibration map P(y | p) of a labelled reference, also where the
    scores are no probabilities of the outcome; its intervals hold the uncertainty of the map. The
    expected prevalence (the mean score) and `.expected_auc_current` take every score for the
    probability that its item is positive. All are estimates under the assumption that P(y | p) has
    not changed. Scores may shift while the model stays right (another population), and a model may
    go wrong while its scores stay: use `rocwalk.drift` once there are labels.

    References
    ----------
    Smirnov (1939); Schröer & Trenkler (1995), Exact and randomization distributions of
    Kolmogorov–Smirnov tests two or three samples, for ties; Stephens (1970) for the correction of
    the limit; Welch (1947).

    Examples
    --------
    >>> import rocwalk as rw
    >>> found = rw.score_shift([0.1, 0.2, 0.4, 0.7], [0.6, 0.7, 0.8, 0.9])
    >>> found.shifted, round(found.gap, 2), round(found.expected_auc_reference, 3)
    (False, 0.75, 0.84)
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> p = rng.beta(2, 3, 2000)
    >>> labelled = rng.random(1000) < p[:1000], p[:1000]
    >>> found = rw.score_shift(labelled, p[1000:] ** 0.5)
    >>> found.expected["positives"]
    Part(value=626.304, low=587.344, high=665.265, standard_error=19.8783)
    """
    request = DriftRequest(alpha)
    is_labelled = isinstance(reference, tuple) and len(reference) == 2
    if costs is not None and not is_labelled:
        raise OptionError(
            "Costs need labels, and the reference has none.", "pass reference=(y_true, y_prob)."
        )
    given: Any = costs
    if given is not None and not isinstance(given, Costs):
        hint = "pass Costs(false_positive=…, false_negative=…)."
        raise OptionError("is not a Costs object.", hint, option="costs", value=given)
    known = None
    if is_labelled:
        with lacking("invalid"):
            known = sample_evidence("reference", reference, None, pos_label, "hard", "raise")
        refuse_few(known)
        reference = reference[1]
    if isinstance(reference, Tally) or isinstance(current, Tally):
        tallies = _scores_tally("reference", reference), _scores_tally("current", current)
        found = shift_of_tallies(*tallies, request.alpha)
    else:
        columns = _probabilities("reference", reference), _probabilities("current", current)
        found = shift_of(*columns, request.alpha)
    if known is None:
        return found
    return _with_expected(found, known, _scores_tally("current", current), costs, threshold)


def labelled_shift(
    reference: Evidence,
    current: Tally,
    alpha: float,
    costs: Costs | None = None,
    threshold: float = 0.5,
) -> ScoreShift:
    """Return the shift from a labelled reference to scores, with what is expected of these."""
    tallies = _scores_tally("reference", reference.tally), _scores_tally("current", current)
    found = shift_of_tallies(*tallies, DriftRequest(alpha).alpha)
    return _with_expected(found, reference, tallies[1], costs, threshold)


def _with_expected(
    found: ScoreShift, known: Evidence, scores: Tally, costs: Costs | None, threshold: float
) -> ScoreShift:
    prices = None if costs is None else (costs.false_positive, costs.false_negative)
    at = as_number("threshold", threshold)
    return replace(
        found, expected=expected_of(known, scores, DriftRequest(found.alpha), prices, at)
    )


def _scores_tally(name: str, scores: ArrayLike) -> Tally:
    """Return the tally of a column of probabilities, or a tally that counts them."""
    if not isinstance(scores, Tally):
        column = _probabilities(name, scores)
        ends = float(column.min()), float(column.max())
        return tally_of_labels(np.zeros(len(column), dtype=bool), column, *ends)
    if not scores.is_counts or scores.steps != "truth":
        raise TallyError(
            f"{name} is a tally of masses, and a shift counts scores.",
            'pass a tally of hard labels without weights, with steps="truth".',
        )
    refuse_other_scores(scores)
    if scores.total_count < 2:
        raise InputError(f"{name} has fewer than two scores.", "a shift needs at least two.")
    return scores


def _probabilities(name: str, column: ArrayLike) -> FloatArray:
    """Return a column of probabilities, or raise with the row."""
    scores = as_probabilities(column, name)
    if len(scores) < 2:
        raise InputError(f"{name} has fewer than two scores.", "a shift needs at least two.")
    return scores + 0.0


def shift_of(reference: FloatArray, current: FloatArray, alpha: float) -> ScoreShift:
    """Return how the second column of scores differs from the first."""
    both = reference, current
    places = np.union1d(reference, current)
    below = [np.searchsorted(sorted_scores(each), places, side="right") for each in both]
    gaps = np.abs(below[0] / len(reference) - below[1] / len(current))
    k = int(gaps.argmax())
    variances = [(float(x.var(ddof=1)) / len(x),) * 2 for x in both]
    means = float(reference.mean()), float(current.mean())
    areas = [expected_auc(tally_of_masses(scores, None, scores)) for scores in both]
    p_value, method = smirnov(float(gaps[k]), len(reference), len(current), below[0] + below[1])
    return ScoreShift(
        **shift_of_means(means, variances, (len(reference), len(current)), alpha),
        gap=float(gaps[k]),
        gap_at=float(places[k]),
        p_value=p_value,
        method=method,
        alpha=alpha,
        expected_auc_reference=areas[0],
        expected_auc_current=areas[1],
    )


def shift_of_tallies(reference: Tally, current: Tally, alpha: float) -> ScoreShift:
    """Return how the scores of the second tally differ from those of the first; labels unused.

    Of buckets, the variance is the largest possible one, and the gap lies between the gap that
    every order inside the buckets has and the largest that one can have. Its p-value is the largest
    that an order can have: that of scores without ties.
    """
    both = reference, current
    places = np.unique(np.concatenate([x for t in both for x in (t.scores, t.highest)]))
    ends, variances = [], []
    for tally in both:
        share = np.append(0, np.cumsum((tally.up + tally.right)[::-1])) / tally.total_count
        ended = np.searchsorted(tally.highest[::-1], places, side="right")
        begun = np.searchsorted(tally.scores[::-1], places, side="right")
        ends.append((share[ended], share[begun]))  # the least and the most share up to each place
        count, mean, spread = _moments(tally)
        squares = (mean - tally.mean_score) ** 2
        times = tally.total_count * (tally.total_count - 1)
        between, within = float((count * squares).sum()), float((count * spread).sum())
        variances.append((between / times, (between + within) / times))
    (low_1, high_1), (low_2, high_2) = ends
    sure = np.maximum(np.maximum(low_1 - high_2, low_2 - high_1), 0.0)
    k = int(sure.argmax())
    least, most = float(sure[k]), float(np.maximum(high_1 - low_2, high_2 - low_1).max())
    areas = [_expected_auc(tally) for tally in both]
    bucketed = any(tally.is_bucketed for tally in both)
    means, counts = (
        (reference.mean_score, current.mean_score),
        (reference.total_count, current.total_count),
    )
    until = None if bucketed else np.rint(low_1 * counts[0] + low_2 * counts[1]).astype(np.int64)
    p_value, method = smirnov(least, *counts, until)
    return ScoreShift(
        **shift_of_means(means, variances, counts, alpha),
        gap=(least + most) / 2,
        gap_at=float(places[k]),
        p_value=p_value,
        method=method,
        alpha=alpha,
        expected_auc_reference=areas[0][1],
        expected_auc_current=areas[1][1],
        gap_bounds=(least, (least + most) / 2, most) if bucketed else None,
        expected_auc_reference_bounds=areas[0] if bucketed else None,
        expected_auc_current_bounds=areas[1] if bucketed else None,
    )


def shift_of_means(
    means: tuple[float, float], variances: Sequence[Range], counts: tuple[int, int], alpha: float
) -> dict[str, Any]:
    """Return the fields of the two means: their difference, its interval and its p-value.

    `variances` are the least and the most that those of the means can be; the test is Welch's
    (1947) with the most variance and the least degrees of freedom.
    """
    difference, error = means[1] - means[0], math.sqrt(sum(most for _, most in variances))
    df = welch_degrees(variances, counts)
    reach = quantile(1 - alpha / 2, df) * error
    return {
        "mean_reference": means[0],
        "mean_current": means[1],
        "difference": difference,
        "low": difference - reach,
        "high": difference + reach,
        "mean_p_value": min(2 * above(abs(in_errors(difference, error)), df), 1.0),
    }


MOST_SCORES, MOST_PAIRS = 20_000, 10**7  # up to which the distribution of the gap is exact


def smirnov(gap: float, one: int, other: int, until: IntArray | None = None) -> tuple[float, str]:
    """Return the probability of a gap as large or larger, and whether it is exact or asymptotic.

    `until` are the numbers of pooled scores up to each distinct one; None without ties. A division
    of the pooled scores into two samples is a path from (0, 0) to (n, m), one step a score. Of all
    paths to (i, j), the share Q(i, j) has passed a gap |i/n − j/m| as large at the end of a tie:
    Q = 1 where (i, j) is such a place, else i/(i + j)·Q(i − 1, j) + j/(i + j)·Q(i, j − 1). All
    terms are positive, so that small p-values are exact, too.
    """
    from scipy.special import kolmogorov

    total = one + other
    if total > MOST_SCORES or one * other > MOST_PAIRS:
        root = math.sqrt(one * other / total)
        return float(kolmogorov((root + 0.12 + 0.11 / root) * gap)), "asymptotic"
    few, many = min(one, other), max(one, other)
    least = round(gap * one * other)  # gaps are multiples of 1/(n·m)
    is_end = np.ones(total + 1, dtype=bool)
    if until is not None:
        is_end[:] = False
        is_end[until] = True
    i = np.arange(few + 1)
    passed = np.zeros(few + 1)  # Q(i, k − i) along the diagonal of k scores
    passed[0] = float(least <= 0)
    for k in range(1, total + 1):
        from_left = np.concatenate(([0.0], passed[:-1]))
        passed = (i * from_left + (k - i) * passed) / k  # outside the grid the factors cut it off
        if is_end[k]:
            passed[np.abs(i * many - (k - i) * few) >= least] = 1.0
        low, high = max(0, k - many), min(k, few)
        passed[:low] = passed[high + 1 :] = 0.0
    return float(min(passed[few], 1.0)), "exact"


def _moments(tally: Tally) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return of each row the number of scores, their mean, and the most they vary about it."""
    count = (tally.up + tally.right).astype(np.float64)
    mean = np.clip((tally.up_score + tally.right_score) / count, tally.scores, tally.highest)
    spread = np.where(count > 1, (tally.highest - mean) * (mean - tally.scores), 0.0)
    return count, mean, spread


def _expected_auc(tally: Tally) -> Bounds:
    """Return the bounds of (N − D/2)/(UR − D), each score being the truth of its item.

    D = Σs(1 − s) is known up to how much the scores of a bucket vary, N up to half the pairs
    inside the buckets. The area rises with N; with D it rises or falls throughout.
    """
    count, mean, spread = _moments(tally)
    up, right = count * mean, count * (1 - mean)
    own = count * mean * (1 - mean)
    least, most = float((own - count * spread).sum()), float(own.sum())
    wide = tally.highest > tally.scores
    unordered = float((up * right - own + count * spread)[wide].sum()) / 2
    heights = np.cumsum(up) - up / 2
    middle, whole = float(heights @ right), float(up.sum() * right.sum())
    found = [
        (pairs - diagonal / 2) / (whole - diagonal)
        for pairs in (middle - unordered, middle + unordered)
        for diagonal in (least, most)
        if whole > diagonal
    ]
    low, high = (min(found), max(found)) if found else (math.nan, math.nan)
    low, high = max(low, 0.0), min(high, 1.0)
    return low, (low + high) / 2, high
