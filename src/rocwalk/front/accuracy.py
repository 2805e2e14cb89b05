"""`rw.accuracy_table`: a rule as a clinical reader wants it reported."""

from __future__ import annotations

from typing import Any

from rocwalk.errors import as_number
from rocwalk.front.evidence import evidence_of
from rocwalk.measure.choose import best
from rocwalk.typing import ArrayLike
from rocwalk.uncertainty.accuracy import AccuracyTable, accuracy_of
from rocwalk.uncertainty.evidence import evidence_from
from rocwalk.uncertainty.question import check_level
from rocwalk.walk.curve import walk_of


def accuracy_table(
    y_true: ArrayLike,
    y_score: ArrayLike = None,
    *,
    threshold: float | None = None,
    confidence_level: float = 0.95,
    cluster: ArrayLike = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
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
    sample_weight, pos_label, truth, invalid
        As for `rocwalk.tally`.

    Shares have Wilson's intervals (for masses with the effective number of items, for clusters by
    a bootstrap with a fixed seed), the area its own, and likelihood ratios limits from those of
    their two shares. What cannot be computed is NaN; a ratio over nothing is infinite.

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
        cut = best(walk_of(evidence.tally)).threshold
    return accuracy_of(evidence, cut, level)
