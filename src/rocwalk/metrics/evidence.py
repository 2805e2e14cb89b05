"""The keywords of `roc_auc_score`, and what may not be given together."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from rocwalk.errors import BucketedWarning, OptionError, RocwalkError, one_of, warn
from rocwalk.metrics.labels import (
    ONE_DIMENSION,
    are_standard,
    in_their_words,
    kind_of_labels,
    one_column,
    refuse_matrix,
    refuse_unnamed,
    warn_undefined,
)
from rocwalk.read.arrays import Sample, check
from rocwalk.tally.tally import Tally, refuse_other_scores
from rocwalk.tally.walk import EXACT_TALLY, slack_of
from rocwalk.typing import ArrayLike, Bounds

AVERAGES = ("micro", "macro", "samples", "weighted", None)


MULTI_CLASS = ("raise", "ovr", "ovo")


@dataclass(frozen=True, slots=True)
class Options:
    """The keywords of `roc_auc_score`."""

    average: str | None
    sample_weight: ArrayLike
    max_fpr: float | None
    multi_class: str
    labels: ArrayLike
    pos_label: Any
    truth: str
    invalid: str


def check_options(average: str | None, multi_class: str, max_fpr: float | None) -> None:
    """Raise, as scikit-learn does, for a value that is not among those allowed."""
    words = "a str among {{{}}}"
    if average not in AVERAGES:
        names = words.format(", ".join(repr(name) for name in AVERAGES if name))
        raise _wrong_option("average", average, f"{names} or None")
    if multi_class not in MULTI_CLASS:
        names = words.format(", ".join(map(repr, MULTI_CLASS)))
        raise _wrong_option("multi_class", multi_class, names)
    number: object = max_fpr
    if number is not None and not (isinstance(number, float | int | np.number) and 0 < number <= 1):
        raise _wrong_option("max_fpr", max_fpr, "a float in the range (0.0, 1.0] or None")


def _wrong_option(name: str, value: object, allowed: str) -> OptionError:
    return OptionError(
        f"The '{name}' parameter of roc_auc_score must be {allowed}. Got {value!r} instead.",
        "the default suits one column of labels.",
    )


def refuse_beside_tally(
    y_score: ArrayLike, sample_weight: ArrayLike, pos_label: Any, truth: str
) -> None:
    """Raise for what a tally has settled already."""
    keywords = {"y_score": y_score, "sample_weight": sample_weight, "pos_label": pos_label}
    given = [name for name, value in keywords.items() if value is not None]
    if truth != "auto":
        given.append("truth")
    if given:
        raise OptionError(
            f"{' and '.join(given)} cannot be given together with a Tally.",
            "a tally holds labels, scores and weights already: pass it alone.",
        )


# -- check what the metrics are given --------------------------------------------------------------


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
                f"{high:.9g}.",
                f"for the exact value {EXACT_TALLY}.",
                bounds,
            )
        )
    return value
