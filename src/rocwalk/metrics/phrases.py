"""scikit-learn's words: its phrases in our errors, and its warnings."""

from __future__ import annotations

import re
import sys
from functools import cache

from rocwalk.errors import LabelError, OptionError, RocwalkError, UndefinedMetricWarning, warn

ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."
ONE_DIMENSION = "y should be a 1d array, got an array of shape {shape} instead."

# what `check` says, and how scikit-learn says it: code that looks for its phrases finds them
_THEIR_PHRASES = (
    (r"lengths differ", "Found input variables with inconsistent numbers of samples: {numbers}."),
    (r"are empty", "Found array with 0 sample(s) while a minimum of 1 is required."),
    (r"^y_true.* is missing", "Input y_true contains NaN."),
    (r"^y_\w+ .*is NaN", "Input contains NaN."),
    (r"^sample_weight.* is nan", "Input sample_weight contains NaN."),
    (r"^y_true.* is -?inf\.", "Input y_true contains infinity."),
    (r"is -?inf\.", "Input contains infinity or a value too large for dtype('float64')."),
    (r"^y_true has the labels .*\binf\b", "Input y_true contains infinity."),
    (r"0 and 1 only|outside \[0, 1\]\.\nHint: soft", "continuous format is not supported."),
    (r"All weights are zero", "Sample weights must contain at least one non-zero number."),
)


class BytesLabelError(LabelError, TypeError):
    """Labels of bytes, which scikit-learn refuses with a TypeError."""


class NoAverageError(OptionError, NotImplementedError):
    """An average that scikit-learn refuses with a NotImplementedError."""


def not_supported(kind: str, found: str) -> LabelError:
    """Return the error for labels of a kind that the function does not take."""
    return LabelError(
        f"{kind} format is not supported: {found}.",
        "pass labels of two kinds, name the positive one with pos_label=, or pass probabilities "
        "in [0, 1]; rocwalk.multiclass takes several classes.",
    )


def in_their_words(error: RocwalkError) -> RocwalkError:
    """Return the same error with scikit-learn's phrase for it, if it has one, after our own."""
    for pattern, phrase in _THEIR_PHRASES:
        if re.search(pattern, str(error)):
            numbers = [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", error.what)]
            words = phrase.format(numbers=numbers)
            return type(error)(f"{error.what} {words}", error.hint)
    return error


def warn_undefined(message: str) -> None:
    """Warn that the number does not exist; the warning is scikit-learn's too if that is loaded."""
    theirs = sys.modules.get("sklearn.exceptions")
    category = _joint_warning(theirs.UndefinedMetricWarning) if theirs else UndefinedMetricWarning
    warn(category(message))


@cache
def _joint_warning(theirs: type[Warning]) -> type[UndefinedMetricWarning]:
    words = {"__doc__": UndefinedMetricWarning.__doc__, "__module__": __name__}
    return type("UndefinedMetricWarning", (UndefinedMetricWarning, theirs), words)
