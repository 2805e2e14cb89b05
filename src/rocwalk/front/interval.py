"""`rw.interval`: a number with its uncertainty."""

from __future__ import annotations

from typing import Any

from rocwalk.front.evidence import evidence_of
from rocwalk.typing import ArrayLike
from rocwalk.uncertainty.evidence import evidence_from
from rocwalk.uncertainty.interval import interval_of
from rocwalk.uncertainty.itemwise import check_votes
from rocwalk.uncertainty.question import Interval, Question
from rocwalk.uncertainty.resample import Plan, Progress
from rocwalk.uncertainty.statistic import statistic_of


def interval(
    y_true: ArrayLike,
    y_score: ArrayLike = None,
    *,
    statistic: Any = "auc",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    cluster: ArrayLike = None,
    votes: ArrayLike = None,
    scale: str | None = None,
    threshold: float | None = None,
    max_fpr: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> Interval:
    """Return a statistic with its interval.

    Parameters
    ----------
    y_true, y_score
        Labels or soft truth, and scores. Or one `Tally`. Soft or weighted tallies have closed
        forms only, because a bootstrap needs the items. So have bucketed ones: `.bounds` says
        between which values the number lies, and the interval holds for every order inside the
        buckets; a statistic that has none is refused by name.
    statistic
        A name ("auc", "probabilistic_auc", "auc_prt", "expected_auc", "h_measure", "brier",
        "partial_auc" with `max_fpr`, "sensitivity" and other rates with `threshold`, …), a
        `functools.partial` of a function in `rocwalk.metrics`, or a function of a `Tally`.
    method
        "auto" takes a closed form where there is a good one and says in `.method` what it took:
        "delong" (AUC of hard labels), "influence" (soft truth, weights, probabilistic AUC),
        "obuchowski" (clusters), "newcombe" (AUC of 0 or 1), "wilson" (rates at a threshold), else
        "bca". Also "percentile" and "basic".
    threshold, max_fpr
        Where a rate is read, and up to where a partial area goes.
    confidence_level
        Between 0 and 1.
    n_resamples, rng, threads, progress
        For a bootstrap: how many replicates, from which seed or generator (the same seed gives the
        same bits on any number of threads), and a function of (done, all).
    cluster
        The unit that is drawn whole, such as a patient or a day, row by row.
    votes
        For a bootstrap of soft truth that is a share of votes: how many votes each row has. The
        votes within an item are then drawn again, too, as often as the item is drawn. Votes drawn
        twice are more extreme than they were, so replicates are moved to have the estimate as their
        mean. The interval is never shorter than that of the items alone.
    scale
        "plain" or "logit" for a closed form; "auto" takes the logit for AUC.
    sample_weight, pos_label, truth, invalid
        As for `rocwalk.tally`. Errors do not change when all weights are scaled.

    Measured at 95 % (docs/coverage.json): "delong" on the plain scale covers 91.8 % with 20 + 20
    items and 91.6 % with 20 + 1,980. With 20 + 1,980 "percentile" covers 91.4 %, "basic" 89.2 % and
    "bca" 93.6 %; "basic" covers 89.2 % with 20 + 20 and 91.6 % over 50 clusters. "auto" covers 94
    to 97 % in every setting measured.

    From buckets: AUC (in the bounds of the tally; V⁺ and V⁻ of a bucket's items are known to half
    its mass, so by the triangle inequality is the error), probabilistic AUC and Gini, midpoint and
    mean score (exact; the squares of the scores in a bucket are bounded by its ends), prevalence
    (exact), Brier score and struggle ratio (between bounds), and rates (exact at the end of a
    bucket, between bounds inside). Each error is the largest that the buckets allow.

    Hard labels without weights are resampled class by class where the statistic depends on each
    class alone; all else is resampled as one sample. Bounds are clipped to the statistic's range.

    References
    ----------
    DeLong, DeLong, Clarke-Pearson (1988); Obuchowski (1997) for clusters; Newcombe (2006), method
    5; Wilson (1927); Efron (1987) for BCa.

    Examples
    --------
    >>> import rocwalk as rw
    >>> y = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    >>> s = [0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.4, 0.35, 0.2]
    >>> rw.interval(y, s)
    Interval(statistic='auc', estimate=0.72, low=0.235698, high=0.95544, \
standard_error=0.181108, method='delong-logit', confidence_level=0.95)
    """
    plan = Plan(n_resamples, rng, threads, progress)
    asked = statistic_of(statistic, threshold=threshold, max_fpr=max_fpr)
    data = evidence_of(
        y_true,
        y_score,
        sample_weight,
        pos_label,
        truth,
        invalid,
        probabilities=asked.needs_probabilities,
    )
    counts = None if votes is None else check_votes(votes, data)
    question = Question(asked, confidence_level, method, scale, plan, counts)
    return interval_of(evidence_from(data, cluster), question)
