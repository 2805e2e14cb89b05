"""Labels, scores and weights of any kind, checked once and made into clean arrays.

`check` turns labels, scores and weights of any kind into a `Sample` of clean NumPy arrays, or
raises an error that names the row. NumPy arrays are checked directly, which imports nothing; other
columns are converted by `rocwalk.read.frames` first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, partial
from typing import Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import (
    Argument,
    DroppedRowsWarning,
    InputError,
    LabelError,
    Option,
    OptionError,
    Part,
    RocwalkError,
    ScoreError,
    Text,
    WeightError,
    warn,
)
from rocwalk.read.advice import FEWEST_ROWS, kind_mistake, mistake_in
from rocwalk.read.labels import (
    EXACT_INTEGERS,
    GREATER,
    PEEK,
    Labels,
    is_missing,
    labels_seen,
    missing_labels,
    original_row,
    plain,
    read_labels,
    refuse_nested,
)
from rocwalk.tally.order import Order, order_of, tally_of_labels, tally_of_masses
from rocwalk.tally.sharing import SharedTally
from rocwalk.tally.steps import check_threshold, step_rule
from rocwalk.tally.tally import Tally, unit_of
from rocwalk.tally.truth import TruthTally, tally_by_truth, truth_tally_of_tally
from rocwalk.texts import joined, written
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

_NUMBERS = (bool, int, float, Decimal, np.number, np.bool_)
_NOT_NUMBERS = (np.complexfloating, np.timedelta64)  # which NumPy counts among the numbers
_NO_ROWS: IntArray = np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class Sample:
    """Clean data, at least one row of it; its order and its tally are computed once.

    `truth` holds 0/1 labels (bool or int64) or soft truth in [0, 1]; `low` and `high` are the
    extreme scores; `dropped` are the rows left out because they were invalid. `rows` are the rows
    that are left of the caller's `length`, or None for all. `weights` are in multiples of `unit`.
    `labels` are those of both classes if the positive one was named, as far as they are known.
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
    unit: float = 1.0
    labels: Labels | None = None

    @property
    def is_counts(self) -> bool:
        """Whether the masses are counts: hard labels, no weights."""
        return self.is_hard and self.weights is None

    @property
    def has_two_scores(self) -> bool:
        """Whether all scores are the lowest or the highest; the first ones settle most cases."""
        return all(
            bool(np.all((part == self.low) | (part == self.high)))
            for part in (self.scores[:PEEK], self.scores)
        )

    @cached_property
    def order(self) -> Order:
        """The rows in order of decreasing score, and the scores in that order.

        A tally that is made later uses it; without it a tally alone is made faster.
        """
        return order_of(self.scores, self.low, self.high)

    def tally(self, *, for_curve: bool = False) -> Tally:
        """Count or add up the sample by distinct score, with steps="truth".

        A tally made `for_curve` has its rates at once, and computes its counts on first use.
        """
        if "_tally" not in vars(self):
            order: Order | None = vars(self).get("order")
            if self.is_counts:
                ends = self.low, self.high
                made = tally_of_labels(self.truth, self.scores, *ends, order, for_curve=for_curve)
            else:
                made = tally_of_masses(self.truth, self.weights, self.scores, order, self.unit)
            vars(self)["_tally"] = made
        tally: Tally = vars(self)["_tally"]
        return tally

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
        return TruthTally(self.tally(), tally_by_truth(self.truth, self.weights, self.unit))


@dataclass(frozen=True, slots=True)
class _Fault:
    """The rows of a column that cannot be used, the error for the value in such a row, and why."""

    column: AnyArray
    rows: BoolArray
    error: Callable[[Any], RocwalkError]
    why: str


def check(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
    probabilities: bool = False,
    argument: str | None = None,
    score_name: Hashable = None,
    is_share_of_votes: bool = False,
    with_advice: bool = True,
) -> Sample:
    """Return clean arrays, or raise an error that names the row and ends in a hint.

    `argument` is what the caller calls the scores, by default y_prob if they must be
    `probabilities`, else y_score. `score_name` is the name of the column of scores, if it has one.
    Truth that is a share of votes cannot have been swapped with the scores. `with_advice` warns of
    what looks like a mistake.
    """
    if score_name is None and type(y_score) is not np.ndarray:
        score_name = getattr(y_score, "name", None)
    one_of("truth", truth, ("auto", "hard", "soft"))
    one_of("invalid", invalid, ("raise", "drop"))
    argument = argument or argument_of(probabilities)
    labels, scores = as_labels(y_true), as_array(y_score, argument)
    weights = None if sample_weight is None else as_array(sample_weight, "sample_weight")
    _check_lengths(labels, scores, weights, argument)
    length = len(scores)
    scores = as_floats(scores, argument, ScoreError)
    rows: IntArray | None = None
    unit = 1.0
    if weights is not None:
        weights = as_floats(weights, "sample_weight", WeightError)
        if not weights.all():  # weight 0 means absent
            rows = np.flatnonzero(weights)
            labels, scores, weights = labels[rows], scores[rows], weights[rows]
        _refuse_weights(weights, rows)
        unit = unit_of(float(weights.max(where=np.isfinite(weights), initial=0.0)))
        if unit != 1.0:
            weights = weights / unit
    low, high = float(scores.min()), float(scores.max())
    faults = _faults(labels, scores, weights, low, high, probabilities, argument)
    dropped = _NO_ROWS
    if faults:
        kept, dropped = _settle(faults, invalid, rows)
        labels, scores = labels[kept], scores[kept]
        weights = None if weights is None else weights[kept]
        rows = kept if rows is None else rows[kept]
        low, high = float(scores.min()), float(scores.max())
    values, is_hard = read_labels(labels, pos_label, truth, rows)
    both = None
    if pos_label is not None and pos_label is not GREATER:
        both = labels_seen(labels, values, pos_label)
    sample = Sample(values, scores, weights, is_hard, low, high, dropped, rows, length, unit, both)
    if not with_advice:
        return sample
    is_swap = not (is_hard or is_share_of_votes)
    called = {"y_score": Argument(argument)}
    if (is_swap or (low, high) == (0.0, 1.0)) and sample.has_two_scores:
        mistake = mistake_in(low, high, len(scores), is_swap=is_swap)
        if mistake is not None:
            warn(mistake.at(names=called))
    if score_name is not None or high - low >= FEWEST_ROWS - 1:
        strange = kind_mistake(scores, high - low, score_name)
        if strange is not None:
            warn(strange.at(names=called))
    return sample


def as_array(column: ArrayLike, name: str) -> AnyArray:
    """Return a column as a one-dimensional NumPy array; missing values become NaN or None."""
    if type(column) is np.ndarray:
        array = column
    else:
        from rocwalk.read.frames import column_to_numpy

        array = column_to_numpy(column, name)
    if array.ndim != 1:
        hint = one_column_hint(array.shape, name)
        raise InputError(f"has {array.ndim} dimensions, shape {array.shape}.", hint, argument=name)
    if array.dtype.kind == "V":
        hint = ("pass one of its fields as ", Argument(name), ".")
        raise InputError("holds records, not single values.", hint, argument=name)
    return array


def as_labels(y_true: ArrayLike) -> AnyArray:
    """Return a column of labels as an array that holds one label per row."""
    labels = as_array(y_true, "y_true")
    refuse_nested(labels)
    return labels


def one_column_hint(shape: tuple[int, ...], name: str) -> Text:
    """Return what to pass in place of a matrix; two columns of scores are those of two classes."""
    if len(shape) > 2:
        return "pass a one-dimensional array or column as ", Argument(name), "."
    if not name.startswith(("y_score", "y_prob", "scores")):
        return "pass one column; for several classes use rocwalk.multiclass."
    if shape[1:] == (2,):
        return "use [:, 1], the column of the positive class: pass ", Argument(name), "[:, 1]."
    return (
        "pass one column; of several classes rocwalk.interval and rocwalk.compare take all ",
        *("columns with ", Option("pos_label"), " or ", Option("statistic", "hand_till")),
        ", rocwalk.multiclass has the curves.",
    )


def argument_of(probabilities: bool) -> str:
    """Return the usual name of the argument of scores."""
    return "y_prob" if probabilities else "y_score"


def _check_lengths(
    labels: AnyArray, scores: AnyArray, weights: AnyArray | None, argument: str
) -> None:
    n = len(scores)
    if len(labels) != n or (weights is not None and len(weights) != n):
        counts = (len(labels), n) if weights is None else (len(labels), n, len(weights))
        parts: list[Part] = ["The lengths differ: ", Argument("y_true"), f" has {counts[0]:,} rows"]
        for name, count in zip((argument, "sample_weight"), counts[1:], strict=False):
            parts += [", ", Argument(name), f" {count:,}"]
        raise InputError(
            (*parts, "."),
            "pass columns of one length, row by row of the same items.",
            problem="unequal_lengths",
            counts=counts,
        )
    if not n:
        raise InputError(
            (Argument("y_true"), " and ", Argument(argument), " are empty."),
            "pass at least one row.",
            problem="empty",
        )


def check_weights(column: AnyArray) -> FloatArray:
    """Return the weights of all rows, or raise if one is negative or not finite, or all are 0."""
    weights = as_floats(column, "sample_weight", WeightError)
    odd = np.flatnonzero(~np.isfinite(weights))
    if len(odd):
        raise _weight_error(weights[odd[0]]).at(row=int(odd[0]), count=len(odd))
    rows = np.flatnonzero(weights)
    _refuse_weights(weights[rows], rows)
    return weights


def _refuse_weights(weights: FloatArray, rows: IntArray | None) -> None:
    """Raise for weights that are a mistake in the whole column; `rows` are those with a weight."""
    if not len(weights):
        raise WeightError(
            "is zero in all rows.",
            "at least one row needs a positive weight.",
            argument="sample_weight",
            problem="zero_weights",
        )
    if weights.min() > 0:
        return
    negative = np.flatnonzero(weights < 0)
    if len(negative):
        error = _weight_error(weights[negative[0]])
        raise error.at(row=original_row(rows, negative[0]), count=len(negative))


# -- numbers ---------------------------------------------------------------------------------------


def as_floats(column: AnyArray, name: str, error: type[RocwalkError]) -> FloatArray:
    """Return a column of any kind as float64, or raise `error` where that would lose something."""
    if column.dtype == np.float64:
        return column
    kind = column.dtype.kind
    if kind == "f" and column.dtype.itemsize > 8:
        return _narrowed(column, name, error)
    if kind in "bf" or (kind in "iu" and column.dtype.itemsize < 8):
        return column.astype(np.float64)
    if kind in "iu":
        floats = column.astype(np.float64)
        if len(column) and max(abs(int(column.min())), abs(int(column.max()))) > EXACT_INTEGERS:
            lost = np.flatnonzero(floats.astype(object) != column.astype(object))
            if len(lost):
                raise _inexact(column[lost[0]], name, error).at(row=int(lost[0]), count=len(lost))
        return floats
    floats = np.empty(len(column))
    for row, value in enumerate(column):
        if is_missing(value):
            floats[row] = np.nan
        elif isinstance(value, _NUMBERS) and not isinstance(value, _NOT_NUMBERS):
            try:
                number = float(value)
            except (OverflowError, ValueError):  # an integer beyond float64, a signalling NaN
                number = math.nan
            if isinstance(value, int) and number != value:
                raise _inexact(value, name, error).at(row=row)
            floats[row] = number
        else:
            raise error(
                f"is {plain(value)!r}, not a number.",
                ("pass numbers as ", Argument(name), "; text must be converted before."),
                argument=name,
                row=row,
            )
    return floats


def _narrowed(column: AnyArray, name: str, error: type[RocwalkError]) -> FloatArray:
    """Return long doubles as float64; raise where unequal scores become equal, or infinite."""
    with np.errstate(over="ignore", under="ignore"):
        floats: FloatArray = column.astype(np.float64)
    lost = np.isinf(floats) & np.isfinite(column)
    if error is ScoreError and not lost.any():
        order = np.argsort(column, kind="stable")
        same = (floats[order][1:] == floats[order][:-1]) & (column[order][1:] != column[order][:-1])
        lost[order[1:][same]] = True
    rows = np.flatnonzero(lost)
    if len(rows):
        raise _inexact(str(column[rows[0]]), name, error).at(row=int(rows[0]), count=len(rows))
    return floats


def _inexact(value: Any, name: str, error: type[RocwalkError]) -> RocwalkError:
    number = value if isinstance(value, str) else f"the integer {written(int(value))}"
    return error(
        f"is {number}, which float64 cannot hold exactly.",
        "subtract a constant or rank the values first, so that unequal ones stay unequal.",
        argument=name,
    )


def as_probabilities(column: ArrayLike, name: str) -> FloatArray:
    """Return a column of numbers in [0, 1], or raise at the first row outside it."""
    scores = as_floats(as_array(column, name), name, ScoreError)
    wrong = np.flatnonzero(~((scores >= 0) & (scores <= 1)))
    if len(wrong):
        raise ScoreError(
            f"is {scores[wrong[0]]:g}, outside [0, 1].",
            "pass probabilities, without missing values.",
            argument=name,
            row=int(wrong[0]),
        )
    return scores


# -- values that cannot be used --------------------------------------------------------------------


def _faults(
    labels: AnyArray,
    scores: FloatArray,
    weights: FloatArray | None,
    low: float,
    high: float,
    probabilities: bool,
    argument: str,
) -> list[_Fault]:
    """Return the faults of the labels, of the scores (from `low` to `high`) and of the weights."""
    faults, kind, score_error = [], labels.dtype.kind, partial(_score_error, argument)
    if kind == "f" and not (np.isfinite(labels.min()) and np.isfinite(labels.max())):
        why = "is missing or infinite"
        faults.append(_Fault(labels, ~np.isfinite(labels), _label_error, why))
    elif kind in "mMO":
        missing = missing_labels(labels)
        if missing.any():
            faults.append(_Fault(labels, missing, _label_error, "is missing"))
    if probabilities and not (low >= 0.0 and high <= 1.0):
        outside = ~((scores >= 0.0) & (scores <= 1.0))
        faults.append(_Fault(scores, outside, score_error, "is missing or outside [0, 1]"))
    elif not (math.isfinite(low) and math.isfinite(high)):
        faults.append(_Fault(scores, ~np.isfinite(scores), score_error, NOT_FINITE))
    if weights is not None and not math.isfinite(weights.max()):
        faults.append(_Fault(weights, ~np.isfinite(weights), _weight_error, NOT_FINITE))
    return faults


def _label_error(value: Any) -> LabelError:
    infinite = isinstance(value, np.floating) and bool(np.isinf(value))
    return LabelError(
        f"is {value}." if infinite else "is missing (NaN or null).",
        ("every row needs a label; ", Option("invalid", "drop"), " leaves such rows out."),
        argument="y_true",
        problem="infinite" if infinite else "missing",
    )


def _score_error(argument: str, value: float) -> ScoreError:
    if math.isfinite(value):
        brief = f"{value:g}"
        if 0 <= float(brief) <= 1:  # so few digits do not show that it is outside
            brief = repr(float(value))
        return ScoreError(
            f"is {brief}, outside [0, 1].",
            "this needs probabilities: calibrate the scores or map them to [0, 1] first.",
            argument=argument,
        )
    return ScoreError(
        "is NaN (or missing)." if math.isnan(value) else f"is {value}.",
        ("scores must be finite; ", Option("invalid", "drop"), " leaves such rows out."),
        argument=argument,
        problem="nan" if math.isnan(value) else "infinite",
    )


def _weight_error(value: float) -> WeightError:
    return WeightError(
        f"is {value:g}.",
        "weights are finite and not negative; a row of weight 0 is left out.",
        argument="sample_weight",
        problem="nan" if math.isnan(value) else "infinite" if math.isinf(value) else None,
    )


def _settle(faults: list[_Fault], invalid: str, rows: IntArray | None) -> tuple[IntArray, IntArray]:
    """Return the rows to keep and those that are dropped, with a warning; or raise."""
    bad = np.logical_or.reduce([fault.rows for fault in faults])
    if invalid == "drop" and bad.all():
        errors = [fault.error(fault.column[np.argmax(fault.rows)]) for fault in faults]
        causes = [
            ((error.fields.subject or "", f" {fault.why}"), int(np.count_nonzero(fault.rows)))
            for fault, error in zip(faults, errors, strict=True)
        ]
        raise nothing_left(len(bad), causes, type(errors[0]))
    if invalid == "raise":
        first = np.flatnonzero(faults[0].rows)
        error = faults[0].error(faults[0].column[first[0]])
        raise error.at(row=original_row(rows, first[0]), count=len(first))
    kept, dropped = np.flatnonzero(~bad), np.flatnonzero(bad)
    if rows is not None:
        dropped = rows[dropped]
    warn(DroppedRowsWarning(len(bad), dropped.tolist()))
    return kept, dropped


NOT_FINITE = "is NaN, missing or infinite"


def nothing_left(
    total: int, causes: Sequence[tuple[Text, int | None]], kind: type[RocwalkError] = InputError
) -> RocwalkError:
    """Return the error for a table of which ``invalid="drop"`` leaves no row.

    `causes` say what is wrong, and in how many of all rows.
    """
    parts: list[Text] = [Option("invalid", "drop"), f" leaves none of {total:,} rows: "]
    for place, (why, count) in enumerate(causes):
        between = " and " if place == len(causes) - 1 else ", "
        parts += [between if place else "", why, "" if count is None else f" in {count:,}"]
    return kind(
        (*parts, "."),
        "no row can be used: are these the right columns, and were they read and joined as meant?",
        problem="nothing_left",
        counts=(total, *(count for _, count in causes if count is not None)),
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
    *,
    for_curve: bool = False,
    argument: str = "y_score",
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
        argument=argument,
    )
    if isinstance(data, Tally):
        return data
    return data.tally(for_curve=for_curve and rule.name == "truth")


def evidence_of(
    y_true: ArrayLike,
    y_score: ArrayLike,
    sample_weight: ArrayLike,
    pos_label: Any,
    truth: str,
    invalid: str,
    *,
    probabilities: bool = True,
    argument: str | None = None,
) -> Sample | Tally:
    """Return two columns, checked, or the tally that is given in their place.

    `argument` is what the caller calls the scores, as in `check`.
    """
    if isinstance(y_true, Tally):
        one_of("invalid", invalid, ("raise", "drop"))
        refuse_beside_tally(y_score, sample_weight, pos_label, truth)
        return y_true
    if isinstance(y_true, SharedTally):
        hint = "pass its .tally(), in which each bucket is one row."
        raise OptionError("is a SharedTally.", hint, argument="y_true")
    if y_score is None:
        argument = argument or argument_of(probabilities)
        hint = f"pass (y_true, {argument}), or one Tally."
        raise OptionError("is missing.", hint, argument=argument)
    return check(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        truth=truth,
        invalid=invalid,
        probabilities=probabilities,
        argument=argument,
    )


def refuse_beside_tally(
    y_score: ArrayLike, sample_weight: ArrayLike, pos_label: Any, truth: str
) -> None:
    """Raise for arguments that a tally has settled already."""
    columns = {"y_score": y_score, "sample_weight": sample_weight, "pos_label": pos_label}
    given = [name for name, value in columns.items() if value is not None]
    given += [] if truth == "auto" else ["truth"]
    if given:
        raise OptionError(
            f"{joined(given)} cannot be given together with a Tally.",
            "pass the Tally alone, without y_score, sample_weight, pos_label or truth.",
        )
