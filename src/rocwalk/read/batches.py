"""Batches of predictions and labels: tables read and checked before they go into a store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from rocwalk.errors import Column, ColumnError, RocwalkError, collecting, warn
from rocwalk.read.arrays import check
from rocwalk.read.frames import (
    GROUP,
    LABEL,
    NUMBER,
    TEXT,
    Name,
    Table,
    column_names,
    objects,
    read_table,
    refuse_missing,
)
from rocwalk.read.labels import Labels, is_missing, missing_labels
from rocwalk.read.times import times_of
from rocwalk.texts import nearest
from rocwalk.typing import AnyArray, FloatArray

PREDICTIONS, LABELS = "predictions", "labels"


@dataclass(frozen=True, slots=True)
class Rows:
    """What was read of a batch: its kind, its columns, and how many rows had no label yet."""

    kind: str
    columns: Mapping[str, AnyArray]
    table: Table
    kept: AnyArray
    unlabelled: int = 0

    def __len__(self) -> int:
        return len(self.kept)

    @property
    def digest(self) -> str:
        """The SHA-256 of the content, in whatever order the rows are."""
        content = {name: one for name, one in self.columns.items() if name != "arrived"}
        return digest_of(content, by="id")


def utc_now() -> datetime:
    """Return the time in UTC, without an offset."""
    return datetime.now(UTC).replace(tzinfo=None)


def digest_of(columns: Mapping[str, AnyArray], by: str) -> str:
    """Return the SHA-256 of columns, in the order of one of them."""
    order, found = np.argsort(columns[by], kind="stable"), hashlib.sha256()
    for name, column in columns.items():
        one = column[order]
        plain = json.dumps(one.tolist()).encode() if one.dtype.kind == "O" else one.tobytes()
        found.update(name.encode() + plain)
    return found.hexdigest()


# -- reading batches -------------------------------------------------------------------------------


def read_predictions(
    data: Any,
    *,
    id: Name,  # noqa: A002  # as the column is called
    time: Name,
    score: Name,
    weight: Name | None = None,
    segments: Sequence[Name] = (),
    invalid: str = "raise",
) -> Rows:
    """Read the columns of predictions; scores are probabilities."""
    roles = {id: TEXT, time: GROUP, score: NUMBER} | dict.fromkeys(segments, GROUP)
    if weight is not None:
        roles[weight] = NUMBER
    table = read_table(data, roles, may_be_empty=True)
    moments = _moments(table, time)
    kept, scores, weights = _checked_scores(table, score, weight, invalid)
    columns = {
        "id": _texts(table, id)[kept],
        "time": moments[kept],
        "score": scores,
        "weight": weights,
        "segments": _segments(table, segments)[kept],
    }
    return Rows(PREDICTIONS, columns, table, kept)


def read_label_rows(
    data: Any,
    *,
    id: Name,  # noqa: A002  # as the column is called
    label: Name,
    time: Name | None = None,
    labels: Labels | None = None,
    invalid: str = "raise",
) -> Rows:
    """Read the columns of labels; a row whose label is missing is not labelled yet.

    `labels` are those of both classes, where they are not 0/1, −1/1 or booleans. Without `time` a
    label was known when it was added.
    """
    roles = {id: TEXT, label: LABEL} | ({} if time is None else {time: GROUP})
    table = read_table(data, roles, may_be_empty=True)
    is_there = ~missing_labels(table[label])
    kept, values = np.flatnonzero(is_there), np.empty(0)
    arrived = np.full(len(table), np.datetime64(utc_now(), "us"))
    if time is not None and len(kept):
        column = table[time].copy()
        column[~is_there] = column[kept[0]]  # a time is needed where there is a label
        arrived = _moments(Table({time: column}, table.origin, table.parts), time)
    if len(kept):
        kept, values = _checked_labels(table, label, kept, labels, invalid)
    columns = {"id": _texts(table, id)[kept], "label": values}
    arrived = arrived[kept]
    columns["arrived" if time is None else "time"] = arrived
    return Rows(LABELS, columns, table, kept, int((~is_there).sum()))


def read_reference(
    data: Any,
    *,
    score: Name,
    label: Name,
    weight: Name | None = None,
    segments: Sequence[Name] = (),
    labels: Labels | None = None,
    invalid: str = "raise",
) -> dict[str, AnyArray]:
    """Read the rows of a reference: scores, labels, weights and segments."""
    roles = {score: NUMBER, label: LABEL} | dict.fromkeys(segments, GROUP)
    if weight is not None:
        roles[weight] = NUMBER
    table = read_table(data, roles)
    kept, scores, weights = _checked_scores(table, score, weight, invalid)
    labelled, values = _checked_labels(table, label, kept, labels, invalid)
    place = np.searchsorted(kept, labelled)
    return {
        "score": scores[place],
        "label": values,
        "weight": weights[place],
        "segments": _segments(table, segments)[labelled],
    }


def _checked_scores(
    table: Table, score: Name, weight: Name | None, invalid: str
) -> tuple[AnyArray, FloatArray, FloatArray]:
    """Return which rows can be used, their scores, and their weights or NaN; errors name a row."""
    weights = None if weight is None else table[weight]
    names = {"y_score": Column(score), "y_prob": Column(score), "sample_weight": Column(weight)}
    if not len(table):
        return np.arange(0), np.empty(0), np.empty(0)
    unlabelled = np.zeros(len(table))
    with _named(table, names):
        sample = check(
            unlabelled, table[score], sample_weight=weights, probabilities=True, invalid=invalid,
            with_advice=False,
        )  # fmt: skip
    kept = np.arange(len(table)) if sample.rows is None else sample.rows
    if sample.weights is None:
        return kept, sample.scores, np.full(len(kept), np.nan)
    return kept, sample.scores, sample.weights * sample.unit


def _checked_labels(
    table: Table, label: Name, rows: AnyArray, labels: Labels | None, invalid: str
) -> tuple[AnyArray, FloatArray]:
    """Return which of the rows can be used, and their labels as 0, 1 or soft truth."""
    with _named(table, {"y_true": Column(label)}, rows):
        sample = check(
            table[label][rows], np.zeros(len(rows)), pos_label=labels, invalid=invalid,
            with_advice=False,
        )  # fmt: skip
    kept = rows if sample.rows is None else rows[sample.rows]
    return kept, sample.truth.astype(np.float64)


@contextmanager
def _named(
    table: Table, names: Mapping[str, Column], rows: AnyArray | None = None
) -> Iterator[None]:
    """Let errors and warnings name columns, rows and files."""

    def placed(one: Any) -> Any:
        row = one.fields.row
        row = row if row is None or rows is None else int(rows[row])
        return one.at(names=names, **table.where(row))

    with collecting() as given:
        try:
            yield
        except RocwalkError as error:
            raise placed(error) from None
    for one in given:
        warn(placed(one))


def _texts(table: Table, name: Name) -> AnyArray:
    """Return identifiers as text, or raise at the first that is missing."""
    column, found = table[name], []
    for row, value in enumerate(column.tolist()):
        if is_missing(value) or value == "":
            raise ColumnError(
                "is missing.", "every row needs an id.", column=name, **table.where(row)
            )
        if isinstance(value, float):
            if not value.is_integer():
                raise ColumnError(
                    f"is {value!r}, which is not an id.",
                    "pass ids as text or as whole numbers.",
                    column=name,
                    **table.where(row),
                )
            value = int(value)  # noqa: PLW2901  # a gap elsewhere has made floats of integers
        found.append(str(value))
    return objects(found)


def _moments(table: Table, name: Name) -> AnyArray:
    """Return times as datetimes, or raise for numbers."""
    if not len(table):
        return np.empty(0, dtype="datetime64[us]")
    times = times_of(table, name)
    if times.dtype.kind != "M":
        raise ColumnError(
            "holds numbers, and a store keeps dates.",
            "write times as 2024-05-31 or 2024-05-31T12:00.",
            column=name,
            **table.where(),
        )
    return times.astype("datetime64[us]")


def _segments(table: Table, names: Sequence[Name]) -> AnyArray:
    """Return the segments of each row as JSON, with every value as text."""
    if not names:
        return objects(["{}"] * len(table))
    columns = [table[name].tolist() for name in names]
    known: dict[tuple[Any, ...], str] = {}
    found = []
    for values in zip(*columns, strict=True):
        if values not in known:
            texts = [None if is_missing(value) else str(value) for value in values]
            named = dict(zip(map(str, names), texts, strict=True))
            known[values] = json.dumps(named, sort_keys=True, ensure_ascii=False)
        found.append(known[values])
    return objects(found)


def kinds_in(data: Any, *, score: Name, label: Name) -> list[str]:
    """Return what data hold, by the names of their columns: predictions, labels, or both."""
    names = column_names(data)
    kinds = [PREDICTIONS] * (score in names) + [LABELS] * (label in names)
    if not kinds:
        refuse_missing(
            [score],
            names,
            "the data",
            f"name the column of scores, or of labels: {nearest(str(score), map(str, names))}",
        )
    return kinds
