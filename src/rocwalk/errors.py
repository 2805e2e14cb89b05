"""What rocwalk says when something is wrong: errors and warnings, each with a hint.

Every error names what was wrong and where, and ends in a hint. Each is a `ValueError`, so code
written for scikit-learn's metrics catches it without change.
"""

from __future__ import annotations

import difflib
import math
import sys
import warnings
from collections.abc import Iterable
from typing import Any


class RocwalkError(ValueError):
    """The root of all errors that rocwalk raises on purpose."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(f"{what}\nHint: {hint}")
        self.what = what
        self.hint = hint

    def __reduce__(self) -> tuple[type[RocwalkError], tuple[str, str]]:
        return type(self), (self.what, self.hint)


class InputError(RocwalkError):
    """An array that cannot be read as numbers: its type, shape or length is wrong."""


class LabelError(RocwalkError):
    """Labels (`y_true`) that are neither hard labels nor probabilities."""


class ScoreError(RocwalkError):
    """Scores that are not finite, or not probabilities where probabilities are needed."""


class WeightError(RocwalkError):
    """Weights that are negative, not finite, or all zero."""


class OneClassError(RocwalkError):
    """A curve was asked for, but there is no positive or no negative mass."""


class OptionError(RocwalkError):
    """An argument outside the values that it may take."""


class TallyError(RocwalkError):
    """Tallies that do not fit together, or a tally that cannot answer the question."""


class ColumnError(RocwalkError):
    """A column that is missing, ambiguous or of the wrong type."""


class FileError(RocwalkError):
    """A file that cannot be read or written."""


class RocwalkWarning(UserWarning):
    """The root of all warnings that rocwalk gives."""


class UndefinedMetricWarning(RocwalkWarning):
    """The number asked for does not exist for these data; the answer is NaN."""


class AbsentClassWarning(UndefinedMetricWarning):
    """A class that was named has no rows; its curve and its pairs are NaN."""


class SwappedArgumentsWarning(RocwalkWarning):
    """`y_true` looks like scores and `y_score` looks like labels."""


class HardScoresWarning(RocwalkWarning):
    """The scores are all 0 or 1: predicted classes, not scores."""


class DroppedRowsWarning(RocwalkWarning):
    """Rows were left out because the caller said ``invalid="drop"``.

    `rows` holds the positions of all of them, counted from 0.
    """

    def __init__(self, message: str, rows: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.rows = rows


class ToleranceWarning(RocwalkWarning):
    """Buckets could not be made as fine as the tolerance asks; the certificate says how fine."""


class BucketedWarning(RocwalkWarning):
    """A plain number comes from a bucketed tally; `bounds` are the lowest, itself and the highest.

    What carries its bounds itself, such as a `Curve`, gives no warning.
    """

    def __init__(self, message: str, bounds: tuple[float, ...] = ()) -> None:
        super().__init__(message)
        self.bounds = bounds


class FitWarning(RocwalkWarning):
    """A model was fitted, but its numbers have not settled or the data cannot tell them."""


def warn(warning: Warning) -> None:
    """Give a warning that points at the user's own line, however deep in rocwalk it arose."""
    frame, level = sys._getframe(1), 2  # noqa: SLF001
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("rocwalk."):
        frame, level = frame.f_back, level + 1
    warnings.warn(warning, stacklevel=level)


def nearest(name: str, candidates: Iterable[str]) -> str:
    """Return a half-sentence that names the candidate closest to `name`, or all of them.

    >>> nearest("modle", ["label", "model"])
    "did you mean 'model'?"
    """
    known = list(candidates)
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(repr(candidate) for candidate in known[:12])
    return f"there are: {shown}{', …' if len(known) > 12 else ''}"


def as_number(argument: str, value: Any) -> float:
    """Return the value as a float, or raise if it is not one number; NaN is not.

    >>> as_number("fpr", 1)
    1.0
    """
    if isinstance(value, str | bytes | bool) or not hasattr(value, "__float__"):
        raise OptionError(
            f"{argument}={value!r} is not a number.", f"pass one number as {argument}."
        )
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise OptionError(
            f"{argument}={value!r} is not a number.", f"pass one number as {argument}."
        )
    return number


def one_of(argument: str, value: object, allowed: Iterable[str]) -> None:
    """Raise unless `value` is one of the allowed words."""
    words = list(allowed)
    if value not in words:
        raise OptionError(
            f"{argument}={value!r} is not known.",
            f"{argument} is one of {', '.join(repr(word) for word in words)}.",
        )


def sentence(text: str) -> str:
    """Return text that begins with a capital letter.

    >>> sentence("column 'p' is missing.")
    "Column 'p' is missing."
    """
    return text[0].upper() + text[1:]
