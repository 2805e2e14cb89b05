"""Errors and warnings: what is wrong and where, as fields, and a hint.

An error is made where the knowledge is, and worded when it is shown. Its text may hold markers
(`Option`, `Argument`, `Column`, `File`), and its `fields` say which argument, column, row or file
it is about. A caller that knows more adds it with `at`, for instance the column that an array was
read from; no caller rewrites a text. The library words an option as ``pos_label=``, the command
line as ``--positive``, from the same marker: see `Wording`.

Every error is a `ValueError`, so code written for scikit-learn's metrics catches it without change.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, ParamSpec, Self, TypeVar

from rocwalk.texts import joined, shown, written

__all__ = [
    "AbsentClassWarning",
    "BucketedWarning",
    "ColumnError",
    "DroppedRowsWarning",
    "FileError",
    "FitWarning",
    "HardScoresWarning",
    "InputError",
    "LabelError",
    "MissingLibraryError",
    "OneClassError",
    "OptionError",
    "RatingScaleWarning",
    "RocwalkError",
    "RocwalkWarning",
    "ScoreError",
    "ScoreKindWarning",
    "SeededNoiseWarning",
    "SmallSampleWarning",
    "SwappedArgumentsWarning",
    "TallyError",
    "ToleranceWarning",
    "UndefinedMetricWarning",
    "WeightError",
]


def __dir__() -> list[str]:
    return __all__


# -- markers in texts, and fields ------------------------------------------------------------------


class _Absent(Enum):  # None may be a value
    VALUE = "absent"


@dataclass(frozen=True, slots=True)
class Option:
    """An argument as a caller writes it, with a value or without: ``pos_label=1``, ``labels=``.

    With a `statistic` it is the point of the curve at which that is asked for.
    """

    name: str
    value: Any = _Absent.VALUE
    statistic: str | None = None

    @property
    def has_value(self) -> bool:
        """Whether the argument is named with a value."""
        return self.value is not _Absent.VALUE


@dataclass(frozen=True, slots=True)
class Argument:
    """The name of an argument, such as `y_true`."""

    name: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; with `others`, several columns of which the same is true."""

    name: Hashable
    others: tuple[Hashable, ...] = ()


COPIES: dict[str, str] = {}  # what the originals of temporary copies are called, by their paths


@dataclass(frozen=True, slots=True)
class File:
    """A file by its path; with `others`, several files that are read as one table.

    A temporary copy is called like its original, as long as it is among the `COPIES`.
    """

    name: str
    others: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", COPIES.get(self.name, self.name))
        object.__setattr__(self, "others", tuple(COPIES.get(one, one) for one in self.others))


Part = str | Option | Argument | Column | File
Text = Part | tuple["Text", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """What is known of an error or a warning beside its text.

    Parameters
    ----------
    subject
        What the text is a predicate of. Without a subject the text is a whole sentence.
    column, file
        Where the fault is; named before a sentence that does not name them itself.
    row, line, index, count
        The row (from 0), the line of the file (from 1), the column of a matrix (from 0), and how
        many rows have the same fault, of which `row` is the first.
    names
        What the arguments of a function are to the caller, for instance
        ``{"y_score": Column("p")}``; a matrix is several columns, of which `index` is one.
    problem, counts
        The kind of fault, such as "unequal_lengths", and its numbers, for programs.
    remark
        A sentence to add.
    lacks
        Options that the function which was called does not have: the hint is without them.
    """

    subject: Part | None = None
    column: Column | None = None
    file: File | None = None
    row: int | None = None
    line: int | None = None
    index: int | None = None
    count: int = 1
    names: Mapping[str, Part] = field(default_factory=dict)
    problem: str | None = None
    counts: tuple[int, ...] = ()
    remark: str = ""
    lacks: tuple[str, ...] = ()

    def called(self, part: Part) -> Part:
        """Return an argument as what it is to the caller, and any other part unchanged."""
        if not isinstance(part, Argument):
            return part
        name = self.names.get(part.name, part)
        if isinstance(name, Column) and name.others and self.index is not None:
            return Column((name.name, *name.others)[self.index])
        return name


def _flat(text: Text) -> tuple[Part, ...]:
    """Return the parts of a text, whose parts may be texts themselves."""
    return (
        tuple(part for one in text for part in _flat(one)) if isinstance(text, tuple) else (text,)
    )


def _marked(
    *,
    argument: str | None = None,
    option: str | None = None,
    value: Any = _Absent.VALUE,
    column: Hashable = _Absent.VALUE,
    file: str | Sequence[str] | _Absent | None = _Absent.VALUE,
    **fields: Any,
) -> dict[str, Any]:
    """Return fields in which plain names have become markers."""
    if argument is not None:
        fields["subject"] = Argument(argument)
    if option is not None:
        fields["subject"] = Option(option, value)
    if column is not _Absent.VALUE:
        marked = column is None or isinstance(column, Column)
        fields["column"] = column if marked else Column(column)
    if not isinstance(file, _Absent):
        first, *others = (file,) if isinstance(file, str) else file or (None,)
        fields["file"] = None if first is None else File(first, tuple(others))
    return fields


# -- wording ---------------------------------------------------------------------------------------


class Wording:
    """How markers are written: here as they are known to a caller of the library."""

    def argument(self, name: str) -> str:
        """Write the name of an argument."""
        return name

    def option(self, option: Option) -> str:
        """Write an argument and its value, if it has one."""
        return f"{option.name}={written(option.value) if option.has_value else ''}"

    def file(self, name: str) -> str:
        """Write the name of a file."""
        return repr(name)

    def part(self, part: Part) -> str:
        """Write one part of a text."""
        if isinstance(part, str):
            return part
        if isinstance(part, Option):
            return self.option(part)
        if isinstance(part, Argument):
            return self.argument(part.name)
        if isinstance(part, Column):
            names = [repr(name) for name in (part.name, *part.others)]
            return f"columns {joined(names)}" if part.others else f"column {names[0]}"
        if not part.others:
            return self.file(part.name)
        ends = f"{self.file(part.name)} … {self.file(part.others[-1])}"
        return f"{1 + len(part.others)} files ({ends})"


LIBRARY = Wording()


class _Message:
    """A text and a hint in parts, and fields: what errors and warnings share."""

    _between = " Hint: "
    args: tuple[Any, ...]
    fields: Fields
    _what: tuple[Part, ...]
    _hint: tuple[Part, ...]

    def __init__(self, what: Text, hint: Text = "", **fields: Any) -> None:
        known = _marked(**fields)
        known.setdefault("subject", known.get("column", known.get("file")))
        self.fields = Fields(**known)
        self._what, self._hint = _flat(what), _flat(hint)
        self.args = (self._whole(),)

    @property
    def what(self) -> str:
        """What is wrong, and where, in the words of the library."""
        return self.worded()[0]

    @property
    def hint(self) -> str:
        """What to do about it, in the words of the library."""
        return self.worded()[1]

    def at(self, **fields: Any) -> Self:
        """Return the same error or warning with further fields: plain values, or markers.

        >>> error = ScoreError("is NaN.", "scores must be finite.", argument="y_score", row=3)
        >>> error.what
        'y_score at row 3 is NaN.'
        >>> error.at(names={"y_score": Column("p")}, line=5, file="x.csv").what
        "Column 'p' at row 3, line 5 of 'x.csv' is NaN."
        """
        return _remade(
            type(self), vars(self) | {"fields": replace(self.fields, **_marked(**fields))}
        )

    def worded(self, words: Wording = LIBRARY) -> tuple[str, str]:
        """Return what is wrong, and where, and what to do about it."""
        parts, known = self._placed(), self.fields
        what = "".join(words.part(part) for part in parts)
        if isinstance(parts[0], Column | File):
            what = what[0].upper() + what[1:]
        possible = _possible(self._hint, known.lacks)
        hint = "".join(words.part(known.called(part)) for part in possible)
        return f"{what} {known.remark}" if known.remark else what, hint

    def _placed(self) -> list[Part]:
        """Return the parts of the whole sentence, with what is known of the place."""
        known, subject = self.fields, self.fields.subject
        parts = [known.called(part) for part in self._sentence()]
        if subject is not None:
            who = known.called(subject)
            if isinstance(who, Argument) and known.column is not None:
                who = known.column
            parts = [*_subject(known, who), " ", *parts]
        if known.column is not None and not any(isinstance(part, Column) for part in parts):
            parts = [known.column, ": ", *parts] if subject is None else parts
        if known.file is None or any(isinstance(part, File) for part in parts):
            return parts
        for place, part in enumerate(parts):
            if isinstance(part, Column):
                return [*parts[: place + 1], " of ", known.file, *parts[place + 1 :]]
        return parts if isinstance(subject, Option) else [known.file, ": ", *parts]

    def _sentence(self) -> tuple[Part, ...]:
        return self._what

    def _whole(self) -> str:
        what, hint = self.worded()
        return f"{what}{self._between}{hint}" if hint else what

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _remade, (type(self), vars(self))


_Kind = TypeVar("_Kind", bound=_Message)


def _possible(hint: tuple[Part, ...], lacks: tuple[str, ...]) -> tuple[Part, ...]:
    """Return a hint up to the clause with the first option that is not there."""
    for place, part in enumerate(hint):
        if isinstance(part, Option) and part.name in lacks:
            before = str(hint[place - 1]).rpartition(";")[0] if place else ""
            kept = (*hint[: max(place - 1, 0)], before)
            return (*kept, ".") if any(kept) else ()
    return hint


def _subject(known: Fields, subject: Part) -> list[Part]:
    """Return the subject of a sentence and where it is: the row, the line and the file."""
    if isinstance(subject, File) and known.line is not None:
        return [f"Line {known.line} of ", subject]
    if known.row is None:
        return [subject]
    where = f" at row {known.row}"
    if known.index is not None and isinstance(subject, Argument):
        where += f", column {known.index}"
    if known.line is not None:
        where += f", line {known.line}"
    file: list[Part] = [] if known.file is None else [" of ", known.file]
    count = f" (the first of {known.count:,})" if known.count > 1 else ""
    return [subject, where, *file, count]


def _remade(kind: type[_Kind], state: Mapping[str, Any]) -> _Kind:
    """Return an error or a warning of this state."""
    made = kind.__new__(kind)
    made.__dict__.update(state)
    made.args = (made._whole(),)  # noqa: SLF001
    return made


# -- errors ----------------------------------------------------------------------------------------


class RocwalkError(_Message, ValueError):
    """The root of all errors that rocwalk raises on purpose."""

    _between = "\nHint: "


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


class MissingLibraryError(RocwalkError, ImportError):
    """A library that a part of rocwalk needs is not installed; the hint names the extra."""


class TallyError(RocwalkError):
    """Tallies that do not fit together, or a tally that cannot answer the question."""


class ColumnError(RocwalkError):
    """A column that is missing, ambiguous or of the wrong type."""


class FileError(RocwalkError):
    """A file that cannot be read or written."""


# -- warnings --------------------------------------------------------------------------------------


class RocwalkWarning(_Message, UserWarning):
    """The root of all warnings that rocwalk gives."""


class UndefinedMetricWarning(RocwalkWarning):
    """The number asked for does not exist for these data; the answer is NaN."""


class AbsentClassWarning(UndefinedMetricWarning):
    """A class that was named has no rows; its curve and its pairs are NaN."""


class SwappedArgumentsWarning(RocwalkWarning):
    """`y_true` looks like scores and `y_score` looks like labels."""


class HardScoresWarning(RocwalkWarning):
    """The scores are all 0 or 1: predicted classes, not scores."""


class ScoreKindWarning(RocwalkWarning):
    """The scores look like numbers of rows, of items or of raters, which have no order."""


class RatingScaleWarning(RocwalkWarning):
    """Votes are ratings of which neither the scale nor a cut was named: their mean is the truth."""


class DroppedRowsWarning(RocwalkWarning):
    """Rows were left out because the caller asked for ``invalid="drop"``.

    `rows` are the numbers of all of them, counted from 0, where the table has an order; `count` is
    how many there are, of `total` rows.
    """

    def __init__(
        self,
        total: int,
        rows: Sequence[int] = (),
        *,
        count: int | None = None,
        because: str = "a label, score or weight was missing or not usable",
        scope: str = "",
    ) -> None:
        self.total = total
        self.rows: tuple[int, ...] = tuple(map(int, rows))
        self.count: int = len(rows) if count is None else count
        self.because = because
        self.scope = scope
        super().__init__("")

    def of_votes(self) -> Self:
        """Return the same for a table in which raters' votes make the labels."""
        because = "a vote, score or weight was missing or not usable"
        return _remade(type(self), vars(self) | {"because": because})

    def _sentence(self) -> tuple[Part, ...]:
        one = self.count == 1
        left = f"{self.count:,} of {self.total:,} rows {'was' if one else 'were'} left out"
        text = f"{left}{self.scope} because {self.because}"
        if self.rows:
            text += f": row{'' if one else 's'} {shown(self.rows)}"
            if self.fields.file is not None and self.fields.file.others:
                text += ", counted through the files in their order"
        return (f"{text}.",)


class SeededNoiseWarning(RocwalkWarning):
    """The noise of a tally that is saved was drawn from a seed; who knows it can subtract it."""


class ToleranceWarning(RocwalkWarning):
    """Buckets could not be made as fine as the tolerance asks; the certificate says how fine."""


class BucketedWarning(RocwalkWarning):
    """A plain number comes from a bucketed tally; `bounds` are the lowest, itself and the highest.

    What carries its bounds itself, such as a `Curve`, gives no warning.
    """

    def __init__(self, what: Text, hint: Text = "", bounds: tuple[float, ...] = ()) -> None:
        self.bounds = bounds
        super().__init__(what, hint)


class FitWarning(RocwalkWarning):
    """A model was fitted, but the fit has not converged or is not identified by the data."""


class SmallSampleWarning(RocwalkWarning):
    """An interval, a band or a test is not reliable here: the data are too few for its method.

    In simulations of such data (docs/measured.rst) the method does not keep its level. `method` is
    what was used, `statistic` the number that it was used for, and `because` the reason, such as
    "there are 8 positives"; numbers of the reason are in `fields.counts`.
    """

    def __init__(
        self, method: str, because: str, hint: Text = "", *, statistic: str = "auc", **fields: Any
    ) -> None:
        self.method = method
        self.statistic = statistic
        self.because = because
        super().__init__("", hint, **fields)

    def _sentence(self) -> tuple[Part, ...]:
        return (f"{self.method!r} of {self.statistic} is not reliable here: {self.because}.",)


@dataclass(frozen=True, slots=True)
class _Collector:
    """Where the warnings of some kinds go, and where the others go."""

    kinds: tuple[type[Warning], ...]
    given: list[Any]
    outer: _Collector | None


_COLLECTOR: ContextVar[_Collector | None] = ContextVar("_COLLECTOR", default=None)
_P = ParamSpec("_P")
_T = TypeVar("_T")


@contextmanager
def collecting(*kinds: type[Warning]) -> Iterator[list[Any]]:
    """Collect the warnings that `warn` is given, of these kinds or of all, in a list.

    Only those of this thread or task, and of threads that are started with a copy of its context:
    `warnings.catch_warnings` would replace the filters of the whole process, so that threads at
    work at the same time lose warnings.

    >>> with collecting() as given:
    ...     warn(FitWarning("EM has not converged."))
    >>> [str(one) for one in given]
    ['EM has not converged.']
    """
    given: list[Any] = []
    token = _COLLECTOR.set(_Collector(kinds or (Warning,), given, _COLLECTOR.get()))
    try:
        yield given
    finally:
        _COLLECTOR.reset(token)


def in_this_context(work: Callable[_P, _T]) -> Callable[_P, _T]:
    """Return a function that does the work as here, in whatever thread: `collecting` collects it.

    >>> import threading
    >>> with collecting() as given:
    ...     thread = threading.Thread(target=in_this_context(warn), args=(FitWarning("No."),))
    ...     thread.start(), thread.join()
    (None, None)
    >>> len(given)
    1
    """
    context = copy_context()

    def done(*args: _P.args, **options: _P.kwargs) -> _T:
        return context.copy().run(work, *args, **options)

    return done


def warn(warning: Warning) -> None:
    """Give a warning that points at the user's own line, however deep in rocwalk it arose.

    Inside `collecting` it is added to the list instead.
    """
    collector = _COLLECTOR.get()
    while collector is not None:
        if isinstance(warning, collector.kinds):
            collector.given.append(warning)
            return
        collector = collector.outer
    frame, level = sys._getframe(1), 2  # noqa: SLF001
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("rocwalk."):
        frame, level = frame.f_back, level + 1
    warnings.warn(warning, stacklevel=level)


def together(given: Iterable[RocwalkWarning]) -> list[RocwalkWarning]:
    """Return warnings of which those that say the same of several columns are one.

    >>> odd = [RocwalkWarning("All are 0.").at(column=name) for name in "ab"]
    >>> [str(one) for one in together(odd)]
    ["Columns 'a' and 'b': All are 0."]
    """
    found: dict[tuple[Any, ...], list[RocwalkWarning]] = {}
    for one in given:
        key = type(one), str(one.at(column=None)), one.fields.column is None
        found.setdefault(key, []).append(one)
    whole = []
    for same in found.values():
        columns = [one.fields.column for one in same if one.fields.column is not None]
        names = list(dict.fromkeys(column.name for column in columns))
        column = Column(names[0], tuple(names[1:])) if names else None
        whole.append(same[0].at(column=column))
    return whole


# -- what is not there -----------------------------------------------------------------------------


def optional(module: str, extra: str, what: str, library: str = "") -> Any:
    """Return a module that not every user needs, or raise an error that names its extra.

    >>> optional("no_such_library", "plot", "A picture")
    Traceback (most recent call last):
    rocwalk.errors.MissingLibraryError: A picture needs no_such_library, which is not installed.
    Hint: install it with: pip install "rocwalk[plot]"
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingLibraryError(
            f"{what} needs {library or module.partition('.')[0]}, which is not installed.",
            f'install it with: pip install "rocwalk[{extra}]"',
        ) from error


@contextmanager
def lacking(*options: str) -> Iterator[None]:
    """Leave options that a function does not have out of the hints of its errors.

    >>> with lacking("invalid"):
    ...     hint = ("scores must be finite; ", Option("invalid", "drop"), " leaves such rows out.")
    ...     raise ScoreError("is NaN.", hint, argument="y_score")
    Traceback (most recent call last):
    rocwalk.errors.ScoreError: y_score is NaN.
    Hint: scores must be finite.
    """
    try:
        yield
    except RocwalkError as error:
        raise error.at(lacks=options) from None
