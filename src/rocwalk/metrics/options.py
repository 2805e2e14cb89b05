"""The keywords of `roc_auc_score`, and what may not be given together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import OptionError
from rocwalk.typing import ArrayLike

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
