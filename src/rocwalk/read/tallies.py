"""`rocwalk.tallies`: tallies of a dataframe or of files, one for each score and each group."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import as_number, as_whole, one_of
from rocwalk.errors import (
    Argument,
    Column,
    DroppedRowsWarning,
    OptionError,
    RocwalkError,
    RocwalkWarning,
    TallyError,
    collecting,
    warn,
)
from rocwalk.read.arrays import Sample, check
from rocwalk.read.frames import GROUP, LABEL, NUMBER, Name, Table, grouped, objects, read_table
from rocwalk.read.labels import Negative
from rocwalk.read.lazy import Progress, open_lazy, stays_lazy
from rocwalk.read.opening import opened
from rocwalk.read.queries import noting_queries
from rocwalk.read.roles import BUCKETS, LIMIT, Reading, Roles
from rocwalk.read.scales import VoteRule
from rocwalk.read.text import TextFormat
from rocwalk.read.votes import TRUTH, with_truth
from rocwalk.result import Result
from rocwalk.tally.steps import StepRule, check_threshold, step_rule
from rocwalk.tally.tally import Tally
from rocwalk.texts import shown
from rocwalk.typing import (
    AnyArray,
    Decimal,
    IntArray,
    Invalid,
    Steps,
    StepThreshold,
    Thousands,
    Truth,
)

if TYPE_CHECKING:
    from rocwalk.read.lazy_tallies import Gathered

Key = tuple[Name, tuple[Any, ...]]


_TAKEN = (  # names in the frame and the dict of `Tallies`, which a group's column may not take
    *("kind", "schema_version", "tallies", "scores", "by", "total_rows", "total_dropped"),
    *("score", "rows", "positives", "negatives", "auc", "certificate"),
)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Tallies(Result, Mapping[Key, Tally]):
    """A mapping from (score column, group) to tallies; a group is a tuple, () without `by`.

    `dropped` is the number of rows left out of each tally because they were invalid, and
    `dropped_rows` says which, counted from 0, if the table has an order (a lazy one has none).
    `labels` are the negative and the positive label, if the latter was named and both occur.
    `queries` are those sent to the engine that groups the rows, in its own language.
    """

    parts: Mapping[Key, Tally]
    by: tuple[Name, ...] = ()
    dropped_rows: Mapping[Key, IntArray] = field(default_factory=dict)
    dropped_counts: Mapping[Key, int] = field(default_factory=dict)
    labels: tuple[Any, Any] | None = None
    queries: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("parts", "dropped_rows", "dropped_counts"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        for rows in self.dropped_rows.values():
            rows.flags.writeable = False

    def __reduce__(self) -> tuple[type[Tallies], tuple[Any, ...]]:
        dropped = (dict(self.dropped_rows), dict(self.dropped_counts))
        return type(self), (dict(self.parts), self.by, *dropped, self.labels, self.queries)

    def __getitem__(self, key: Key) -> Tally:
        return self.parts[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def only(self) -> Tally:
        """The tally, if there is just one."""
        if len(self) != 1:
            raise TallyError(
                f"There are {len(self)} tallies, not one: {shown(list(self), 6)}.",
                "take one by its key, as in tallies[score, group], or add them up.",
            )
        return next(iter(self.parts.values()))

    @property
    def rows(self) -> Mapping[Key, int]:
        """The number of rows in each tally, without rows that were dropped or have weight 0."""
        return {key: tally.total_count for key, tally in self.items()}

    @property
    def dropped(self) -> Mapping[Key, int]:
        """The number of rows that were left out of each tally because they were invalid."""
        counted = self.dropped_counts
        return {key: counted.get(key, len(self.dropped_rows.get(key, ()))) for key in self}

    @property
    def certificate(self) -> float:
        """How far any area can be from the exact one at most: 0 unless some tally is bucketed."""
        known = [tally.certificate for tally in self.values() if tally.is_bucketed]
        return max((one for one in known if not math.isnan(one)), default=0.0)

    def _headline(self) -> dict[str, Any]:
        return {
            "tallies": len(self),
            "scores": tuple(dict.fromkeys(score for score, _ in self)),
            "by": self.by or None,
            "total_rows": sum(self.rows.values()),
            "total_dropped": sum(self.dropped.values()),
            "certificate": self.certificate or None,
        }

    def _columns(self) -> dict[str, AnyArray]:
        tallies = list(self.values())
        groups = {
            f"by_{name}" if name in _TAKEN else str(name): objects([key[1][i] for key in self])
            for i, name in enumerate(self.by)
        }
        return {
            "score": objects([score for score, _ in self]),
            **groups,
            "rows": np.array(list(self.rows.values()), dtype=np.int64),
            "positives": np.array([tally.class_masses[0] for tally in tallies]),
            "negatives": np.array([tally.class_masses[1] for tally in tallies]),
            "auc": np.array([tally.area for tally in tallies]),
            "certificate": np.array([tally.certificate for tally in tallies]),
        }


def tallies(
    data: Any,
    *,
    score: Name | Sequence[Name],
    label: Name | None = None,
    raters: Name | Sequence[Name] | None = None,
    weight: Name | None = None,
    by: Name | Sequence[Name] | None = None,
    steps: Steps = "truth",
    threshold: StepThreshold = 0.5,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
    tolerance: float | None = None,
    limit: int | None = None,
    buckets: int = BUCKETS,
    memory_limit: str | None = None,
    decimal: Decimal | None = None,
    thousands: Thousands | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    progress: Progress | None = None,
) -> Tallies:
    """Tally the columns of a dataframe or of files, for each score column and each group.

    Parameters
    ----------
    data
        Any dataframe that narwhals knows: pandas, polars, pyarrow; a lazy one (polars, DuckDB,
        Dask, Ibis, PySpark) is grouped in its own engine, and only sums come back. A dict of
        columns. A dataset of pyarrow, a RecordBatchReader, or anything else that hands out a
        stream of Arrow. A path, a pattern (``"scores-*.parquet"``), a folder or a list of paths of
        CSV, TSV, Parquet, JSON-lines or Excel files, which may be larger than memory; a Delta or an
        Iceberg table on disk; an address (``"s3://bucket/scores.parquet"``); a table of a database,
        as ``"scores.duckdb::table"``, ``"scores.db::table"`` or `rocwalk.source`. Only the columns
        that are named are read.
    score, label, weight
        Names of columns; `score` may be a list. The label holds hard labels or soft truth.
    raters
        In place of `label`: the columns of several raters' votes, 0 and 1 with gaps. The truth of a
        row is the share of positive votes; see `rocwalk.votes`.
    by
        One or several columns whose values make the groups. A missing value is a group of its
        own, None.
    steps
        How far an item of score s steps: "truth" (a positive climbs by 1, a negative goes right
        by 1), or "single", "both" or "blind", as `rocwalk.soft_roc` describes.
    threshold
        For steps="both": the score from which an item is predicted positive, a number or "mean"
        (the mean score over all groups, so that the groups' tallies add up).
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever the label holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning. Each
        score column is checked by itself: a row that one score lacks is left out for that score
        only.
    tolerance
        How far the area of a bucketed tally may be from the exact one. The worst buckets are made
        finer in further passes until that holds, or a warning says why it cannot.
    limit
        The most rows that exact tallies may have together, or that refining may lead to. If there
        are more distinct scores, they share buckets, and each tally carries a certificate: see
        `rocwalk.Tally.auc_bounds`. The default is no limit for what is in memory already, else
        2²⁰. With 0 all scores share buckets, and those of parts add up to those of the whole.
    buckets
        About how many buckets there are before any refining.
    memory_limit
        How much memory the reading of files may take, as in "512MB"; what needs more goes through
        a folder for temporary files.
    decimal, thousands
        For files of separated text: the decimal separator ("." or ","), and the thousands
        separator (``,`` ``.`` ``_`` ``'`` or a space), if there is one. By default numbers have a
        decimal point, or, where commas do not separate values, a decimal comma throughout; a file
        in which every comma could stand between thousands is refused.
    separator, encoding
        For files of separated text: the separator of values, by default found from the first lines,
        and the encoding, by default UTF-8, or UTF-16 with a byte-order mark.
    progress
        A function of (done, total) that is told how far the reading of large files is.

    Returns
    -------
    Tallies
        Always a mapping from (score, group) to tallies, in the order of `score` and then of the
        sorted groups; `.only` is the single one. A group whose rows were all dropped has an empty
        tally.

    Examples
    --------
    >>> data = {"y": [1, 0, 1, 0], "p": [0.9, 0.8, 0.7, 0.1], "sex": ["f", "f", "m", "m"]}
    >>> tallies(data, score="p", label="y").only
    Tally(rows=4, items=4, total_up=2, total_right=2, steps='truth', bucketed=False)
    >>> list(tallies(data, score="p", label="y", by="sex"))
    [('p', ('f',)), ('p', ('m',))]
    """
    rule = step_rule(steps)
    scores, groups, voters = score_names(score), names_of(by), names_of(raters)
    reading = Reading(
        pos_label=pos_label,
        truth=truth,
        invalid=invalid,
        needs_probabilities=rule.needs_probabilities,
        limit=LIMIT if limit is None else limit,
        buckets=buckets,
        tolerance=tolerance,
    )
    _check_options(label, voters, threshold, reading)
    numbers = scores if weight is None else (*scores, weight)
    roles = dict.fromkeys(groups, GROUP) | dict.fromkeys(voters or (label,), LABEL)
    roles |= dict.fromkeys(numbers, NUMBER)  # a column that is also a group is read as the other
    places = Roles(scores=scores, label=label, raters=voters, weight=weight, groups=groups)
    form = TextFormat(decimal=decimal, thousands=thousands, separator=separator, encoding=encoding)
    with noting_queries() as queries, opened(data, form) as known:
        if stays_lazy(known, roles, limit, memory_limit):
            from rocwalk.read.lazy_tallies import gather

            with open_lazy(known, roles, memory_limit, progress) as source:
                found = of_gathered(gather(source, places, reading), places, rule, threshold)
                return replace(found, queries=tuple(queries))
        table = read_table(known, roles)
        if voters:
            table, _ = with_truth(
                table, voters, VoteRule(pos_label=pos_label, two_kinds=True), invalid
            )
            label, pos_label = TRUTH, None
        options = {"pos_label": pos_label, "truth": truth, "invalid": invalid}
        columns = replace(places, label=label)
        samples = check_columns(table, columns, rule, options)
        return tallies_of(table, samples, columns, rule, threshold)


def check_columns(
    table: Table, roles: Roles, rule: StepRule, options: Mapping[str, Any]
) -> dict[Name, Sample]:
    """Return each score column with the labels and weights, checked.

    Errors and warnings name columns and files in place of arguments.
    """
    samples = {}
    for name in roles.scores:
        names = {"y_true": Column(roles.label), "sample_weight": Column(roles.weight)}
        names |= dict.fromkeys(("y_score", "y_prob"), Column(name))
        with collecting(RocwalkWarning) as given:
            try:
                samples[name] = check(
                    table[roles.label],
                    table[name],
                    sample_weight=None if roles.weight is None else table[roles.weight],
                    probabilities=rule.needs_probabilities,
                    score_name=name,
                    is_share_of_votes=roles.label == TRUTH,
                    **options,
                )
            except RocwalkError as error:
                place = table.where(error.fields.row)
                raise error.at(names=names, column=name, **place) from None
        for one in given:
            message = one.at(names=names, column=name, **table.where())
            if isinstance(message, DroppedRowsWarning) and roles.label == TRUTH:
                message = message.of_votes()
            warn(message)
    return samples


def tallies_of(
    table: Table,
    samples: Mapping[Name, Sample],
    roles: Roles,
    rule: StepRule,
    threshold: StepThreshold = 0.5,
) -> Tallies:
    """Return the tallies of checked columns of a table, for each group."""
    values, codes = grouped(table, roles.groups)
    count = len(values)
    parts: dict[Key, Tally] = {}
    dropped: dict[Key, IntArray] = {}
    for name, sample in samples.items():
        keys = [(name, value) for value in values]
        split = [sample.tally()] if count == 1 else []
        if count > 1:
            own = codes if sample.rows is None else codes[sample.rows]
            none = np.empty(0, dtype=np.int64 if sample.is_counts else np.float64)
            for rows in _by_group(np.arange(len(own)), own, count):
                if len(rows):
                    split.append(sample.take(rows).tally())
                else:
                    split.append(Tally(sample.scores[rows], none, none.copy()))
        parts |= zip(keys, _turned(split, rule, threshold), strict=True)
        dropped |= zip(keys, _by_group(sample.dropped, codes[sample.dropped], count), strict=True)
    known = [sample.labels for sample in samples.values() if sample.labels is not None]
    both = [one for one in known if one.negative is not Negative.ONE]
    labels = (both[0].negative, both[0].positive) if both else None
    return Tallies(parts, roles.groups, dropped, labels=labels)


def _by_group(rows: IntArray, codes: IntArray, count: int) -> list[IntArray]:
    """Return rows sorted into their groups, which `codes` number."""
    if count == 1:
        return [rows]
    ends = np.cumsum(np.bincount(codes, minlength=count))[:-1]
    return np.split(rows[np.argsort(codes, kind="stable")], ends)


def of_gathered(
    gathered: Gathered, roles: Roles, rule: StepRule, threshold: StepThreshold = 0.5
) -> Tallies:
    """Return what was gathered of a lazy table, turned, in the order of the scores."""
    parts: dict[Key, Tally] = {}
    for name in roles.scores:
        own = {key: part for key, part in gathered.parts.items() if key[0] == name}
        parts |= zip(own, _turned(list(own.values()), rule, threshold), strict=True)
    counts, labels = gathered.dropped, gathered.labels
    return Tallies(parts, roles.groups, dropped_counts=counts, labels=labels)


def _turned(parts: Sequence[Tally], rule: StepRule, threshold: StepThreshold) -> list[Tally]:
    """Return all parts with the steps of a rule, by one threshold, so that they still add up."""
    if threshold == "mean" and rule.uses_threshold:
        threshold = Tally.merge(parts).mean_score
    return [part.turned(rule.name, threshold) for part in parts]


# -- options -------------------------------------------------------------------------------------


def names_of(given: Any) -> tuple[Name, ...]:
    """Return one name, a list of names or None as a tuple of names."""
    if given is None:
        return ()
    return tuple(given) if isinstance(given, list | tuple) else (given,)


def score_names(score: Any) -> tuple[Name, ...]:
    """Return the names of the score columns; raise if there are none or one is named twice."""
    names = names_of(score)
    if not names:
        hint = "pass the name of a column, or a list of them."
        raise OptionError("names no column.", hint, argument="score")
    for i, name in enumerate(names):
        if name in names[:i]:
            hint = "name each score column once."
            raise OptionError(f"names {name!r} twice.", hint, argument="score")
    return names


def check_labels(label: Any, raters: Sequence[Name]) -> None:
    """Raise unless there is either a column of labels or columns of raters."""
    if label is None and not raters:
        raise OptionError("is missing.", "name the column of labels.", argument="label")
    if label is not None and raters:
        both = Argument("label"), " and ", Argument("raters"), " cannot both be given."
        raise OptionError(both, "give one of them.")


def _check_options(label: Any, raters: Sequence[Name], threshold: Any, reading: Reading) -> None:
    check_labels(label, raters)
    one_of("truth", reading.truth, ("auto", "hard", "soft"))
    one_of("invalid", reading.invalid, ("raise", "drop"))
    check_threshold(threshold)
    tolerance = reading.tolerance
    if tolerance is not None and not 0 < as_number("tolerance", tolerance) < 1:
        raise OptionError(
            "is not a number between 0 and 1.",
            "name the largest error of an area, as in tolerance=1e-6.",
            option="tolerance",
            value=tolerance,
        )
    as_whole("limit", reading.limit, 0)
    as_whole("buckets", reading.buckets, 2)
