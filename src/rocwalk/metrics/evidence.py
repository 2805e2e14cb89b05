"""Check what the metrics are given: two columns with labels of any two kinds, or a tally."""

from __future__ import annotations

from math import isnan
from typing import Any

from rocwalk.errors import BucketedWarning, RocwalkError, one_of, warn
from rocwalk.intake.arrays import Sample, check
from rocwalk.measure.bounds import EXACT_TALLY, slack_of
from rocwalk.measure.probabilistic import refuse_other_scores
from rocwalk.metrics.labels import (
    are_standard,
    kind_of_labels,
    one_column,
    refuse_matrix,
    refuse_unnamed,
)
from rocwalk.metrics.options import refuse_beside_tally
from rocwalk.metrics.phrases import ONE_DIMENSION, in_their_words, warn_undefined
from rocwalk.typing import ArrayLike, Bounds
from rocwalk.walk.tally import Tally


def evidence_of(
    y_true: ArrayLike | Tally,
    y_prob: ArrayLike,
    sample_weight: ArrayLike,
    pos_label: Any,
    truth: str,
    invalid: str,
    *,
    probabilities: bool = True,
) -> Sample | Tally:
    """Check one column of labels of any two kinds beside scores or probabilities, or a tally."""
    one_of("truth", truth, ("auto", "hard", "soft"))
    one_of("invalid", invalid, ("raise", "drop"))
    if isinstance(y_true, Tally):
        refuse_beside_tally(y_prob, sample_weight, pos_label, truth)
        return refuse_other_scores(y_true) if probabilities else y_true
    keywords: dict[str, Any] = {
        "sample_weight": sample_weight,
        "truth": truth,
        "invalid": invalid,
        "probabilities": probabilities,
    }
    name = "y_prob" if probabilities else "y_score"
    if invalid == "raise":
        try:  # the short way for plain labels
            return check(y_true, y_prob, pos_label=pos_label, **keywords)
        except ValueError:
            pass  # other labels, a matrix of one column or a mistake: look closer
    y_true, y_prob = one_column(y_true, "y_true"), one_column(y_prob, name)
    try:
        refuse_matrix(y_prob, name, ONE_DIMENSION)
        if pos_label is None and truth != "soft":
            kind, classes = kind_of_labels(y_true)
            if kind == "multiclass":
                refuse_unnamed(kind, classes)
            if kind == "binary" and not are_standard(classes):
                pos_label = classes[-1]
        return check(y_true, y_prob, pos_label=pos_label, **keywords)
    except RocwalkError as error:
        raise in_their_words(error) from None


def said_if_undefined(value: float, name: str) -> float:
    """Return the value; NaN with a warning that says why."""
    if isnan(value):
        warn_undefined(
            f"Only one class is present in y_true, so the {name} is not defined and is NaN. "
            "Hint: it compares positives with negatives."
        )
    return value


def said_if_open(bounds: Bounds, name: str) -> float:
    """Return the middle of bounds; if they are apart, with a warning that has them."""
    low, value, high = bounds
    if low < high:
        warn(
            BucketedWarning(
                f"The {name} of this bucketed tally, {value:.6g}, is within "
                f"± {slack_of(bounds):.2g} of the exact value: that lies between {low:.9g} and "
                f"{high:.9g}. "
                f"Hint: for the exact value {EXACT_TALLY}.",
                bounds,
            )
        )
    return value
