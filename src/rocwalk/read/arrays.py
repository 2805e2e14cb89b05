"""Check arrays once, at the door; behind it there are only numbers.

`check` turns labels, scores and weights of any kind into a `Sample` of clean NumPy arrays, or
raises an error that names the row. NumPy arrays take a short way that imports nothing; other
columns are converted by `rocwalk.read.frames` first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.errors import (
    DroppedRowsWarning,
    HardScoresWarning,
    InputError,
    LabelError,
    OptionError,
    ScoreError,
    SwappedArgumentsWarning,
    WeightError,
    one_of,
    warn,
)
from rocwalk.read.labels import PEEK, is_missing, original_row, read_labels
from rocwalk.tally.order import tally_of_labels, tally_of_masses
from rocwalk.tally.steps import check_threshold, step_rule
from rocwalk.tally.tally import Tally
from rocwalk.tally.truth import TruthTally, tally_by_truth, truth_tally_of_tally
from rocwalk.typing import (
    AnyArray,
    ArrayLike,
    BoolArray,
    FloatArray,
    IntArray,
    Invalid,
    Steps,
    StepThreshold,
    Truth,
)

_EXACT_INTEGER = 2**53


_NUMBERS = (bool, int, float, np.number, np.bool_)


_NOT_NUMBERS = (np.complexfloating, np.timedelta64)  # which NumPy counts among the numbers


_NAMES_SHOWN = 5


_NO_ROWS: IntArray = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Sample:
    """Clean data, at least one row of it.

    `truth` holds 0/1 labels (bool or int64) or soft truth in [0, 1]; `low` and `high` are the
    extreme scores; `dropped` are the rows left out because they were invalid. `rows` are the rows
    that are left of the caller's `length`, or None for all.
    """

    truth: AnyArray
    scores: FloatArray
    weights: FloatArray | None
    is_hard: bool
    low: float
    high: float
    dropped: IntArray
    rows: IntArray | None = None
    length: int = 0

    @property
    def is_counts(self) -> bool:
        """Whether the masses are counts: hard labels, no weights."""
        return self.is_hard and self.weights is None

    def tally(self) -> Tally:
        """Count or add up the sample by distinct score, with steps="truth"."""
        if self.is_counts:
            return tally_of_labels(self.truth, self.scores, self.low, self.high)
        return tally_of_masses(self.truth, self.weights, self.scores)

    def take(self, rows: IntArray) -> Sample:
        """Return the sample of some of its rows, at least one."""
        scores = self.scores[rows]
        return replace(
            self,
            truth=self.truth[rows],
            scores=scores,
            weights=None if self.weights is None else self.weights[rows],
            low=float(scores.min()),
            high=float(scores.max()),
        )

    def truth_tally(self) -> TruthTally:
        """Count or add up the sample by distinct score, and by the truth itself."""
        if self.is_counts:
            return truth_tally_of_tally(self.tally())
        return TruthTally(self.tally(), tally_by_truth(self.truth, self.weights))


@dataclass(frozen=True, slots=True)
class Fault:
    """Rows that cannot be used, and the words for the first of them."""

    rows: BoolArray
    error: Callable[[int, str], Exception]


def check(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
    probabilities: bool = False,
) -> Sample:
    """Return clean arrays, or raise an error that names the row and ends in a hint."""
    one_of("truth", truth, ("auto", "hard", "soft"))
    one_of("invalid", invalid, ("raise", "drop"))
    labels, scores = as_array(y_true, "y_true"), as_array(y_score, "y_score")
    weights = None if sample_weight is None else as_array(sample_weight, "sample_weight")
    _check_lengths(labels, scores, weights)
    length = len(scores)
    scores = as_floats(scores, "y_score", ScoreError)
    rows: IntArray | None = None
    if weights is not None:
        weights, rows = _weighed(weights)
        if rows is not None:
            labels, scores = labels[rows], scores[rows]
    low, high = float(scores.min()), float(scores.max())
    faults = [*_label_faults(labels), *_score_faults(scores, low, high, probabilities)]
    if weights is not None:
        faults += _weight_faults(weights, rows)
    dropped = _NO_ROWS
    if faults:
        kept, dropped = _settle(faults, invalid, rows)
        labels, scores = labels[kept], scores[kept]
        weights = None if weights is None else weights[kept]
        rows = kept if rows is None else rows[kept]
        low, high = float(scores.min()), float(scores.max())
    values, is_hard = read_labels(labels, pos_label, truth, rows)
    sample = Sample(values, scores, weights, is_hard, low, high, dropped, rows, length)
    _warn_of_mistakes(sample)
    return sample


def as_array(column: ArrayLike, name: str) -> AnyArray:
    """Return a column as a one-dimensional NumPy array; missing values become NaN or None."""
    if type(column) is np.ndarray:
        array = column
    else:
        from rocwalk.read.frames import column_to_numpy

        array = column_to_numpy(column, name)
    if array.ndim != 1:
        raise InputError(
            f"{name} has {array.ndim} dimensions, shape {array.shape}.",
            "pass one column; for several classes use rocwalk.multiclass."
            if array.ndim == 2
            else f"pass a one-dimensional array or column as {name}.",
        )
    return array


# -- lengths and weights -------------------------------------------------------------------------


def _check_lengths(labels: AnyArray, scores: AnyArray, weights: AnyArray | None) -> None:
    n = len(scores)
    if len(labels) != n or (weights is not None and len(weights) != n):
        also = "" if weights is None else f", sample_weight {len(weights):,}"
        raise InputError(
            f"The lengths differ: y_true has {len(labels):,} rows, y_score {n:,}{also}.",
            "pass columns of one length, row by row of the same items.",
        )
    if not n:
        raise InputError("y_true and y_score are empty.", "pass at least one row.")


def _weighed(column: AnyArray) -> tuple[FloatArray, IntArray | None]:
    """Return the weights that are not zero, and which rows have them if not all have.

    Weight 0 means absent.
    """
    weights = as_floats(column, "sample_weight", WeightError)
    zero = weights == 0
    if not zero.any():
        return weights, None
    if zero.all():
        raise WeightError("All weights are zero.", "at least one row needs a positive weight.")
    rows = np.flatnonzero(~zero)
    return weights[rows], rows


def _weight_faults(weights: FloatArray, rows: IntArray | None) -> list[Fault]:
    def words(row: int, where: str) -> Exception:
        return WeightError(
            f"sample_weight{where} is {weights[row]:g}.",
            "weights are finite and not negative; a row of weight 0 is left out.",
        )

    with np.errstate(over="ignore"):
        total = weights.sum()
    if weights.min() > 0 and total < np.inf:
        return []
    if np.isfinite(weights).all() and weights.min() > 0:
        raise WeightError(
            "The weights add up to more than float64 can hold.",
            "divide all weights by a constant; only their proportions matter.",
        )
    negative = np.flatnonzero(weights < 0)
    if len(negative):  # a sign is a mistake in the whole column, not a row to drop
        raise words(int(negative[0]), _at(original_row(rows, negative[0]), len(negative)))
    return [Fault(~np.isfinite(weights), words)]


# -- scores --------------------------------------------------------------------------------------


def as_floats(column: AnyArray, name: str, error: type[InputError] | Any) -> FloatArray:
    """Return a column of any kind as float64, or raise `error` where that would lose something."""
    if column.dtype == np.float64:
        return column
    kind = column.dtype.kind
    if kind in "bf" or (kind in "iu" and column.dtype.itemsize < 8):
        return column.astype(np.float64)
    if kind in "iu":
        return _exact_floats(column, name, error)
    return _parsed_floats(column, name, error)


def as_probabilities(column: ArrayLike, name: str) -> FloatArray:
    """Return a column of numbers in [0, 1], or raise at the first row that is none."""
    scores = as_floats(as_array(column, name), name, ScoreError)
    wrong = np.flatnonzero(~((scores >= 0) & (scores <= 1)))
    if len(wrong):
        raise ScoreError(
            f"{name} at row {wrong[0]} is {scores[wrong[0]]:g}, outside [0, 1].",
            "pass probabilities, without missing values.",
        )
    return scores


def _exact_floats(column: AnyArray, name: str, error: Any) -> FloatArray:
    floats = column.astype(np.float64)
    if len(column) and max(abs(int(column.min())), abs(int(column.max()))) > _EXACT_INTEGER:
        lost = np.flatnonzero(floats.astype(object) != column.astype(object))
        if len(lost):
            raise error(
                f"{name}{_at(int(lost[0]), len(lost))} is the integer {column[lost[0]]}, "
                "which float64 cannot hold exactly.",
                "subtract a constant or rank the values first, so that unequal ones stay unequal.",
            )
    return floats


def _parsed_floats(column: AnyArray, name: str, error: Any) -> FloatArray:
    """Read a column of Python objects; None counts as missing, anything else must be a number."""
    floats = np.empty(len(column))
    for row, value in enumerate(column):
        if is_missing(value):
            floats[row] = np.nan
        elif isinstance(value, _NUMBERS) and not isinstance(value, _NOT_NUMBERS):
            floats[row] = _one_float(value, row, name, error)
        else:
            raise error(
                f"{name} at row {row} is {_plainly(value)!r}, not a number.",
                f"pass numbers as {name}; text must be converted before.",
            )
    return floats


def _plainly(value: Any) -> Any:
    """Return a NumPy scalar as the Python value that it shows as."""
    return value.item() if isinstance(value, np.generic) else value


def _one_float(value: Any, row: int, name: str, error: Any) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = float("nan")
    if isinstance(value, int) and number != value:
        raise error(
            f"{name} at row {row} is the integer {value}, which float64 cannot hold exactly.",
            "subtract a constant or rank the values first, so that unequal ones stay unequal.",
        )
    return number


def _score_faults(scores: FloatArray, low: float, high: float, probabilities: bool) -> list[Fault]:
    def words(row: int, where: str) -> Exception:
        value = scores[row]
        if np.isfinite(value):
            return ScoreError(
                f"y_prob{where} is {_briefly(value)}, outside [0, 1].",
                "this needs probabilities: calibrate the scores or map them to [0, 1] first.",
            )
        return ScoreError(
            f"y_score{where} is {value}.".replace("nan", "NaN (or missing)"),
            'scores must be finite; invalid="drop" leaves such rows out and says so.',
        )

    if probabilities:
        fine = low >= 0.0 and high <= 1.0
        return [] if fine else [Fault(~((scores >= 0.0) & (scores <= 1.0)), words)]
    fine = math.isfinite(low) and math.isfinite(high)
    return [] if fine else [Fault(~np.isfinite(scores), words)]


def _briefly(value: float) -> str:
    """Write a score outside [0, 1] in few digits that show it to be so."""
    brief = f"{value:g}"
    return repr(float(value)) if 0 <= float(brief) <= 1 else brief


# -- labels --------------------------------------------------------------------------------------


def _label_faults(labels: AnyArray) -> list[Fault]:
    kind = labels.dtype.kind

    def words(row: int, where: str) -> Exception:
        infinite = kind == "f" and np.isinf(labels[row])
        return LabelError(
            f"y_true{where} is {labels[row] if infinite else 'missing (NaN or null)'}.",
            'every row needs a label; invalid="drop" leaves such rows out and says so.',
        )

    if kind == "f" and not (np.isfinite(labels.min()) and np.isfinite(labels.max())):
        return [Fault(~np.isfinite(labels), words)]
    if kind in "mM" and np.isnat(labels).any():
        return [Fault(np.isnat(labels), words)]
    if kind == "O":
        missing = np.array([is_missing(value) for value in labels], dtype=bool)
        return [Fault(missing, words)] if missing.any() else []
    return []


# -- faults and mistakes -------------------------------------------------------------------------


def _at(row: int, count: int) -> str:
    return f" at row {row}" + (f" (the first of {count:,})" if count > 1 else "")


def _settle(faults: list[Fault], invalid: str, rows: IntArray | None) -> tuple[IntArray, IntArray]:
    """Raise at the first fault, or say which rows to keep and which were dropped."""
    bad = np.logical_or.reduce([fault.rows for fault in faults])
    if invalid == "raise" or bad.all():
        first = np.flatnonzero(faults[0].rows)
        raise faults[0].error(int(first[0]), _at(original_row(rows, first[0]), len(first)))
    kept, dropped = np.flatnonzero(~bad), np.flatnonzero(bad)
    if rows is not None:
        dropped = rows[dropped]
    _warn_of_dropped(dropped, len(kept))
    return kept, dropped


def _warn_of_dropped(dropped: IntArray, kept: int) -> None:
    first = ", ".join(str(row) for row in dropped[:_NAMES_SHOWN])
    more = ", …" if len(dropped) > _NAMES_SHOWN else ""
    message = (
        f"{len(dropped):,} of {len(dropped) + kept:,} rows were left out because a label, score "
        f"or weight was missing or not usable: rows {first}{more}."
    )
    warn(DroppedRowsWarning(message, tuple(dropped.tolist())))


def _warn_of_mistakes(sample: Sample) -> None:
    """Warn when the arguments look swapped or the scores look like predicted classes."""
    if sample.is_hard:
        if sample.low == 0.0 and sample.high == 1.0 and _only_classes(sample.scores):
            warn(
                HardScoresWarning(
                    "The scores are all 0 or 1, so the curve has one corner. "
                    "Hint: pass predict_proba or decision_function, not predict."
                )
            )
    elif len(sample.scores) > 3 and sample.low < sample.high and _two_values(sample):
        warn(
            SwappedArgumentsWarning(
                "y_true looks like probabilities and y_score takes only two values. "
                "Hint: the order is (y_true, y_score); were they swapped?"
            )
        )


def _only_classes(scores: FloatArray) -> bool:
    """Whether all scores are 0 or 1; a look at the first ones settles most cases."""
    return all(bool(np.all((part == 0) | (part == 1))) for part in (scores[:PEEK], scores))


def _two_values(sample: Sample) -> bool:
    return all(
        bool(np.all((part == sample.low) | (part == sample.high)))
        for part in (sample.scores[:PEEK], sample.scores)
    )


# -- rw.tally, and what the other functions make of the evidence that users pass -------------------


def tally(
    y_true: ArrayLike,
    y_score: ArrayLike = None,
    *,
    steps: Steps | None = None,
    threshold: StepThreshold | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> Tally:
    """Count labels (or add up masses) by distinct score.

    Parameters
    ----------
    y_true, y_score
        Labels or soft truth, and scores; higher means more positive. Or one `Tally`.
    steps
        How far an item of score s steps: "truth" (a positive climbs by 1, a negative goes right
        by 1), or "single", "both" or "blind", as `rocwalk.soft_roc` describes. Default: "truth" for
        two columns; a `Tally` keeps its own. Only a `Tally` with steps="truth" can be converted.
    threshold
        For steps="both": the score from which an item is predicted positive, a number or "mean"
        (the overall mean score). Default: 0.5 for two columns; a `Tally` keeps its own.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.tally([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1]).up.tolist()
    [1, 1, 0]
    """
    reading = (sample_weight, pos_label, truth, invalid)
    return whole_tally(y_true, y_score, *reading, steps, threshold).turned(steps, threshold)


def whole_tally(
    y_true: ArrayLike,
    y_score: ArrayLike,
    sample_weight: ArrayLike,
    pos_label: Any,
    truth: str,
    invalid: str,
    steps: str | None,
    threshold: float | str | None,
) -> Tally:
    """Return the tally before it is converted to the steps that are asked for."""
    rule = step_rule("truth" if steps is None else steps)
    check_threshold(threshold)
    data = evidence_of(
        y_true,
        y_score,
        sample_weight,
        pos_label,
        truth,
        invalid,
        probabilities=rule.needs_probabilities,
    )
    return data if isinstance(data, Tally) else data.tally()


def evidence_of(
    y_true: ArrayLike,
    y_score: ArrayLike,
    sample_weight: ArrayLike,
    pos_label: Any,
    truth: str,
    invalid: str,
    *,
    probabilities: bool = True,
) -> Sample | Tally:
    """Check two columns at the door, or pass a tally on."""
    if isinstance(y_true, Tally):
        one_of("invalid", invalid, ("raise", "drop"))
        _refuse_beside_tally(y_score, sample_weight, pos_label, truth)
        return y_true
    if y_score is None:
        name = "y_prob" if probabilities else "y_score"
        raise OptionError(f"{name} is missing.", f"pass (y_true, {name}), or one Tally.")
    return check(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        truth=truth,
        invalid=invalid,
        probabilities=probabilities,
    )


def _refuse_beside_tally(y_score: Any, sample_weight: Any, pos_label: Any, truth: str) -> None:
    if any(value is not None for value in (y_score, sample_weight, pos_label)) or truth != "auto":
        raise OptionError(
            "A Tally was given together with scores, weights or a reading of labels.",
            "a Tally stands alone: all this was settled when it was made.",
        )
