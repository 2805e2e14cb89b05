"""Numbers of sensibility analysis, as plain floats."""

from __future__ import annotations

from math import nan
from typing import Any

from rocwalk.checks import as_number
from rocwalk.drift.sensibility import Split, bounded_split
from rocwalk.metrics.evidence import evidence_of, said_if_open, said_if_undefined
from rocwalk.tally.tally import Tally
from rocwalk.typing import ArrayLike, Invalid, Truth


def sensibility_score(
    y_true: ArrayLike | Tally,
    y_prob: ArrayLike = None,
    *,
    threshold: float = 0.5,
    midpoint: float | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return the accuracy of "score ≥ threshold" on the sensible items.

    These are positives at or above the midpoint and negatives below it; see `rocwalk.sensibility`.

    Parameters
    ----------
    y_true
        Labels (of two, the greater is positive) or probabilities of truth; or a `Tally` in place of
        both columns.
    y_prob
        Predicted probabilities, in [0, 1].
    threshold
        The rule predicts positive when the score is at least this.
    midpoint
        Where to split the scores. Default: that of the data, t_s = Σw·p / (2·Σw·f).
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; every other label is negative. Default: the greater of two.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    NaN with an `UndefinedMetricWarning` if there is no such item, or one class only.

    References
    ----------
    Klement, Japkowicz & Matwin (2009), section 2.

    Examples
    --------
    >>> sensibility_score([1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.4], threshold=0.75)
    0.6666666666666666
    """
    split = _split(y_true, y_prob, midpoint, sample_weight, pos_label, truth, invalid)
    return said_if_undefined(_at(split, threshold, 0, "sensibility"), "sensibility")


def capability_score(
    y_true: ArrayLike | Tally,
    y_prob: ArrayLike = None,
    *,
    threshold: float = 0.5,
    midpoint: float | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return the accuracy of "score ≥ threshold" on the items that are not sensible.

    These are positives below the midpoint and negatives at or above it; see `rocwalk.sensibility`.

    Parameters
    ----------
    y_true
        Labels (of two, the greater is positive) or probabilities of truth; or a `Tally` in place of
        both columns.
    y_prob
        Predicted probabilities, in [0, 1].
    threshold
        The rule predicts positive when the score is at least this.
    midpoint
        Where to split the scores. Default: that of the data, t_s = Σw·p / (2·Σw·f).
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; every other label is negative. Default: the greater of two.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    NaN with an `UndefinedMetricWarning` if there is no such item, or one class only.

    References
    ----------
    Klement, Japkowicz & Matwin (2009), section 2.

    Examples
    --------
    >>> capability_score([1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.4], threshold=0.3)
    0.5
    """
    split = _split(y_true, y_prob, midpoint, sample_weight, pos_label, truth, invalid)
    return said_if_undefined(_at(split, threshold, 1, "capability"), "capability")


def struggle_ratio(
    y_true: ArrayLike | Tally,
    y_prob: ArrayLike = None,
    *,
    midpoint: float | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return the items on the wrong side of the midpoint over those on the right side.

    Parameters
    ----------
    y_true
        Labels (of two, the greater is positive) or probabilities of truth; or a `Tally` in place of
        both columns.
    y_prob
        Predicted probabilities, in [0, 1].
    midpoint
        Where to split the scores. Default: that of the data, t_s = Σw·p / (2·Σw·f).
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; every other label is negative. Default: the greater of two.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Lower is better; infinite if no item is on the right side. One class gives NaN and an
    `UndefinedMetricWarning`.

    References
    ----------
    Klement, Japkowicz & Matwin (2009), section 2.

    Examples
    --------
    >>> struggle_ratio([1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.4])
    0.6666666666666666
    """
    split = _split(y_true, y_prob, midpoint, sample_weight, pos_label, truth, invalid)
    if split is None:
        return said_if_undefined(nan, "struggle ratio")
    return said_if_open(split.struggle_ratio_bounds, "struggle ratio")


def _split(
    y_true: ArrayLike | Tally, y_prob: ArrayLike, midpoint: float | None, *reading: Any
) -> Split | None:
    at = None if midpoint is None else as_number("midpoint", midpoint)
    data = evidence_of(y_true, y_prob, *reading)
    tally = data if isinstance(data, Tally) else data.tally()
    both = tally.total_up > 0 and tally.total_right > 0
    return bounded_split(tally, at) if both else None


def _at(split: Split | None, threshold: float, which: int, name: str) -> float:
    asked = as_number("threshold", threshold)
    return nan if split is None else said_if_open(split.bounds_at(asked)[which], name)
