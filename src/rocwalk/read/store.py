"""The store of a monitor: predictions, labels and the batches that they came in.

The tables, in schema version 1:

``store``
    One row: the schema version, and which rocwalk made it when.
``models``
    The models that are watched, each with its settings as JSON.
``reference_rows``
    The rows of references that were given as data: score, label, weight, segments.
``batches``
    What was added: kind ("predictions" or "labels"), model, name, digest of the content, number of
    rows, and when it was added and withdrawn.
``predictions``
    One row an item and batch: model, id, time, score, weight, segments as JSON.
``labels``
    One row an item and batch: id, the time at which the label was known, label. Labels belong to
    items, not to models.
``alarms``
    The windows that were found to have drifted, with the note that acknowledged them.

Predictions and labels are joined by id, in whichever order they come. An item that is in several
batches counts once, and has one value in all of them: another value is refused. A batch has a name
and a content: the same batch again changes nothing, and another content under the same name has to
be a replacement. All times are in UTC, or all in one local time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.errors import FileError, InputError, OptionError
from rocwalk.read.batches import LABELS, PREDICTIONS, Rows, utc_now
from rocwalk.read.sessions import Session, database_of
from rocwalk.texts import nearest, shown
from rocwalk.typing import AnyArray, FloatArray
from rocwalk.version import __version__
from rocwalk.writing import TIMEOUT

STORE_SCHEMA = 1
_NAME, _TIME, _COUNT, _REAL = "{text} NOT NULL", "TIMESTAMP NOT NULL", "BIGINT NOT NULL", "{real}"
_TABLES: dict[str, dict[str, str]] = {
    "store": {"schema_version": _COUNT, "made_by": _NAME, "made": _TIME},
    "models": {"model": _NAME, "settings": _NAME, "made": _TIME},
    "reference_rows": {
        "model": _NAME,
        "score": f"{_REAL} NOT NULL",
        "label": f"{_REAL} NOT NULL",
        "weight": _REAL,
        "segments": _NAME,
    },
    "batches": {
        "batch": _COUNT,
        "kind": _NAME,
        "model": _NAME,
        "name": _NAME,
        "digest": _NAME,
        "row_count": _COUNT,
        "added": _TIME,
        "withdrawn": "TIMESTAMP",
    },
    "predictions": {
        "batch": _COUNT,
        "model": _NAME,
        "id": _NAME,
        "time": _TIME,
        "score": f"{_REAL} NOT NULL",
        "weight": _REAL,
        "segments": _NAME,
    },
    "labels": {"batch": _COUNT, "id": _NAME, "time": _TIME, "label": f"{_REAL} NOT NULL"},
    "alarms": {
        "model": _NAME,
        "segments": _NAME,
        "span": _NAME,
        "start": _TIME,
        "verdict": _NAME,
        "summary": _NAME,
        "raised": _TIME,
        "acknowledged": "TIMESTAMP",
        "note": "TEXT",
    },
}


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch: its number, kind, model ("" for labels), name and digest, and when it came."""

    number: int
    kind: str
    model: str
    name: str
    digest: str
    rows: int
    added: datetime
    withdrawn: datetime | None


@dataclass(frozen=True, slots=True)
class Alarm:
    """A window that has drifted: when that was first seen, and the note that acknowledged it."""

    model: str
    segments: Mapping[str, str | None]
    window: str
    start: datetime
    verdict: str
    summary: str
    raised: datetime
    acknowledged: datetime | None = None
    note: str | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells one alarm from another: model, segments, windows, start and verdict."""
        segments = json.dumps(self.segments, sort_keys=True, ensure_ascii=False)
        return self.model, segments, self.window, self.start, self.verdict


@dataclass(frozen=True, slots=True)
class Items:
    """The predictions of a model in order of time, with their labels.

    `label` is NaN and `label_time` NaT where there is no label yet; `weight` is NaN without
    weights. `segments` are numbers of `values`.
    """

    time: AnyArray
    score: FloatArray
    weight: FloatArray
    label: FloatArray
    label_time: AnyArray
    segments: AnyArray
    values: tuple[Mapping[str, str | None], ...]

    def __len__(self) -> int:
        return len(self.time)

    def taken(self, rows: AnyArray) -> Items:
        """Return some of the rows."""
        columns = ("time", "score", "weight", "label", "label_time", "segments")
        return replace(self, **{name: getattr(self, name)[rows] for name in columns})


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a store holds at one moment, by model; a reference that is no data has no items."""

    models: Mapping[str, Mapping[str, Any]]
    items: Mapping[str, Items]
    references: Mapping[str, Items]
    alarms: list[Alarm]
    labels_without_prediction: int


# -- the store -------------------------------------------------------------------------------------


class Store:
    """Predictions, labels, batches and alarms in a DuckDB file or a PostgreSQL database.

    Each method is one transaction, which is on the disk when the method returns.
    """

    def __init__(self, address: str | Path, timeout: float = TIMEOUT) -> None:
        self.address, self.database = address, database_of(address, timeout)

    def create(self) -> bool:
        """Make the tables; return False if there is a store already."""
        tables = []
        for table, columns in _TABLES.items():
            typed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
            types = {"text": self.database.text_type, "real": "DOUBLE PRECISION"}
            tables.append(f"CREATE TABLE {table} ({typed.format(**types)})")
        made = (
            f"INSERT INTO store VALUES ({STORE_SCHEMA}, '{__version__}', "
            f"CAST('{utc_now().isoformat()}' AS TIMESTAMP))"
        )
        is_new = self.database.create([*tables, made])
        if not is_new:
            with self.session(write=False):  # it is a store, and of this schema
                pass
        return is_new

    @contextmanager
    def session(self, *, write: bool) -> Iterator[Session]:
        """Give one transaction with a store of this schema."""
        with self.database.session(write=write) as session:
            if not session.has("store"):
                raise FileError(
                    f"{self.database.name} is not a store of rocwalk.",
                    "make one with rocwalk monitor init, or MonitorStore.create.",
                )
            ((version,),) = session.rows("SELECT schema_version FROM store")
            if version != STORE_SCHEMA:
                raise FileError(
                    f"{self.database.name} is a store of schema version {version}; this rocwalk "
                    f"reads and writes {STORE_SCHEMA}, and does not migrate stores.",
                    "use the version of rocwalk that made it, or add the batches to a new store.",
                    problem="schema_version",
                    counts=(version, STORE_SCHEMA),
                )
            yield session

    # -- models ------------------------------------------------------------------------------

    def models(self) -> dict[str, dict[str, Any]]:
        """Return the settings of each model, by name."""
        with self.session(write=False) as session:
            return _models(session)

    def set_model(
        self,
        model: str,
        settings: Mapping[str, Any],
        reference: Mapping[str, AnyArray] | None,
        *,
        replace: bool = False,
    ) -> bool:
        """Add a model, with the rows of a reference that is data; return False if it is there.

        Other settings than those of a model that is there are an error, unless they replace them.
        """
        text = json.dumps(settings, sort_keys=True)
        with self.session(write=True) as session:
            rows = session.rows("SELECT settings FROM models WHERE model = ?", model)
            if rows and rows[0][0] == text:
                return False
            if rows and not replace:
                old, new = json.loads(rows[0][0]), json.loads(text)
                unlike = [key for key in new if old.get(key) != new[key]]
                changes = "; ".join(f"{k} was {old.get(k)!r}, is {new[k]!r}" for k in unlike)
                raise OptionError(
                    f"The model {model!r} is in the store with other settings: {changes}.",
                    "give the same settings, name another model, or replace them.",
                    problem="other_settings",
                )
            session.run("DELETE FROM models WHERE model = ?", model)
            session.run("DELETE FROM reference_rows WHERE model = ?", model)
            session.run("INSERT INTO models VALUES (?, ?, ?)", model, text, utc_now())
            if reference is not None:
                session.load("given", reference)
                session.run(
                    "INSERT INTO reference_rows "
                    "SELECT CAST(? AS TEXT), score, label, weight, segments FROM given",
                    model,
                )
        return True

    # -- batches -----------------------------------------------------------------------------

    def add(
        self, parts: Sequence[Rows], *, model: str, name: str | None, replace: bool = False
    ) -> dict[str, str]:
        """Add predictions of a model, labels, or both of one batch, in one transaction.

        Return what was done by kind: "added", "replaced", or "unchanged" for a batch of this name
        and content that is there. Without a name it is the digest of the content.
        """
        done = {}
        with self.session(write=True) as session:
            for rows in parts:
                owner = model if rows.kind == PREDICTIONS else ""
                done[rows.kind] = _add(session, rows, owner, name, replace)
        return done

    def batches(self) -> list[Batch]:
        """Return all batches in the order in which they came, withdrawn ones too."""
        with self.session(write=False) as session:
            return [Batch(*row) for row in session.rows("SELECT * FROM batches ORDER BY batch")]

    def withdraw(self, name: str, *, kind: str | None = None, model: str | None = None) -> int:
        """Remove the rows of a batch, of one kind or both; return how many rows it had."""
        with self.session(write=True) as session:
            there = [
                Batch(*row)
                for row in session.rows(
                    "SELECT * FROM batches WHERE withdrawn IS NULL ORDER BY batch"
                )
            ]
            fits = [one for one in there if kind in (None, one.kind)]
            fits = [one for one in fits if model in (None, one.model) or one.kind == LABELS]
            found = [one for one in fits if one.name == name]
            owners = {one.model for one in found if one.kind == PREDICTIONS}
            if not found:
                names = dict.fromkeys(one.name for one in fits)
                raise OptionError(
                    f"There is no batch {name!r} to withdraw.",
                    nearest(name, names) if names else "the store has no batches.",
                )
            if len(owners) > 1:
                raise OptionError(
                    f"The batch {name!r} is one of several models: {', '.join(sorted(owners))}.",
                    "name the model.",
                )
            for one in found:
                _withdraw(session, one.number, one.kind)
        return sum(one.rows for one in found)

    # -- what there is -----------------------------------------------------------------------

    def snapshot(self, model: str | None = None) -> Snapshot:
        """Return all models, or one, with their items, references and alarms, at one moment."""
        with self.session(write=False) as session:
            models = _models(session)
            if model is not None:
                models = {model: models[known_model(models, model)]}
            return Snapshot(
                models=models,
                items={name: _items(session.columns(_ITEMS, name)) for name in models},
                references={name: _items(session.columns(_REFERENCE, name)) for name in models},
                alarms=_alarms(session),
                labels_without_prediction=int(session.rows(_WAITING)[0][0]),
            )

    # -- alarms ------------------------------------------------------------------------------

    def alarms(self) -> list[Alarm]:
        """Return all alarms in the order in which they were raised."""
        with self.session(write=False) as session:
            return _alarms(session)

    def record(self, alarms: Sequence[Alarm]) -> None:
        """Keep alarms that are not known yet; those that are keep their time and their note."""
        with self.session(write=True) as session:
            for one in alarms:
                if not session.rows(f"SELECT 1 FROM alarms WHERE {_OF_ALARM}", *one.key):
                    session.run(
                        "INSERT INTO alarms VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
                        *one.key,
                        one.summary,
                        one.raised,
                    )

    def acknowledge(self, alarms: Sequence[Alarm], note: str) -> None:
        """Keep a note on alarms, and that they were acknowledged now."""
        asked = f"UPDATE alarms SET acknowledged = ?, note = ? WHERE {_OF_ALARM}"
        with self.session(write=True) as session:
            for one in alarms:
                session.run(asked, utc_now(), note, *one.key)


_ITEMS = (
    "SELECT p.time AS time, p.score AS score, p.weight AS weight, p.segments AS segments, "
    "l.label AS label, l.time AS label_time FROM "
    "(SELECT id, min(time) AS time, min(score) AS score, min(weight) AS weight, "
    "min(segments) AS segments FROM predictions WHERE model = ? GROUP BY id) p LEFT JOIN "
    "(SELECT id, min(label) AS label, min(time) AS time FROM labels GROUP BY id) l "
    "ON l.id = p.id ORDER BY p.time, p.id"
)
_REFERENCE = "SELECT score, weight, label, segments FROM reference_rows WHERE model = ?"
_WAITING = (
    "SELECT count(DISTINCT id) FROM labels l "
    "WHERE NOT EXISTS (SELECT 1 FROM predictions p WHERE p.id = l.id)"
)


def _items(found: dict[str, AnyArray]) -> Items:
    """Return the columns of a query as items; those of a reference have no times."""
    texts, codes = np.unique(found["segments"].astype(str), return_inverse=True)
    never = np.full(len(codes), np.datetime64("NaT"), dtype="datetime64[us]")
    values = tuple(json.loads(text) for text in texts.tolist())
    return Items(
        **({"time": never, "label_time": never} | found | {"segments": codes}), values=values
    )


def _models(session: Session) -> dict[str, dict[str, Any]]:
    rows = session.rows("SELECT model, settings FROM models ORDER BY made, model")
    return {name: json.loads(settings) for name, settings in rows}


def _alarms(session: Session) -> list[Alarm]:
    rows = session.rows("SELECT * FROM alarms ORDER BY raised, model, segments, start")
    return [Alarm(row[0], json.loads(row[1]), *row[2:]) for row in rows]


def known_model(models: Mapping[str, Any], model: str | None) -> str:
    """Return the name of a model, by default the only one, or raise."""
    if model is None and len(models) == 1:
        return next(iter(models))
    if model is None or model not in models:
        if not models:
            what, hint = "The store has no models.", "add one with rocwalk monitor init."
        elif model is None:
            what, hint = f"The store has {len(models)} models.", f"name one: {shown(list(models))}."
        else:
            what, hint = f"There is no model {model!r} in the store.", nearest(model, models)
        raise OptionError(what, hint)
    return model


_OF_ALARM = "model = ? AND segments = ? AND span = ? AND start = ? AND verdict = ?"


def _add(session: Session, rows: Rows, owner: str, name: str | None, replace: bool) -> str:
    """Add the rows of one kind, unless the batch is there; return what was done."""
    digest = rows.digest
    name = name or f"sha256:{digest}"
    known = session.rows(
        "SELECT batch, digest FROM batches "
        "WHERE kind = ? AND model = ? AND name = ? AND withdrawn IS NULL",
        rows.kind, owner, name,
    )  # fmt: skip
    if known and known[0][1] == digest:
        return "unchanged"
    if known and not replace:
        raise InputError(
            f"The batch {name!r} of {rows.kind} is in the store with another content.",
            "replace it if this is the right one, or give the batch another name.",
            problem="other_content",
        )
    if known:
        _withdraw(session, known[0][0], rows.kind)
    given = dict(rows.columns)
    if "arrived" in given:
        given["time"] = given.pop("arrived")
    session.load(f"given_{rows.kind}", given | {"place": np.arange(len(rows), dtype=np.int64)})
    _refuse_other_values(session, rows, owner)
    ((number,),) = session.rows("SELECT coalesce(max(batch), 0) + 1 FROM batches")
    session.run(
        "INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
        number, rows.kind, owner, name, digest, len(rows), utc_now(),
    )  # fmt: skip
    if rows.kind == PREDICTIONS:
        session.run(
            "INSERT INTO predictions SELECT DISTINCT CAST(? AS BIGINT), CAST(? AS TEXT), id, time, "
            "score, weight, segments FROM given_predictions",
            number,
            owner,
        )
    else:
        session.run(
            "INSERT INTO labels SELECT CAST(? AS BIGINT), id, min(time), min(label) "
            "FROM given_labels GROUP BY id",
            number,
        )
    return "replaced" if known else "added"


def _withdraw(session: Session, number: int, kind: str) -> None:
    """Remove the rows of a batch, and note when."""
    session.run(f"DELETE FROM {kind} WHERE batch = ?", number)  # one of two names
    session.run("UPDATE batches SET withdrawn = ? WHERE batch = ?", utc_now(), number)


def _refuse_other_values(session: Session, rows: Rows, owner: str) -> None:
    """Raise if an item has one value here and another one here or in another batch."""
    compared = ("label",) if rows.kind == LABELS else ("score", "time", "weight", "segments")
    differs = " OR ".join(f"b.{one} IS DISTINCT FROM a.{one}" for one in compared)
    values = ", ".join(f"a.{one}, b.{one}" for one in compared)
    twice = session.rows(
        f"SELECT a.place, b.place, {values} FROM given_{rows.kind} a JOIN given_{rows.kind} b "
        f"ON b.id = a.id AND b.place > a.place WHERE {differs} ORDER BY b.place, a.place LIMIT 1"
    )
    elsewhere = session.rows(
        f"SELECT b.place, n.name, {values} FROM {rows.kind} a JOIN given_{rows.kind} b "
        f"ON b.id = a.id JOIN batches n ON n.batch = a.batch WHERE "
        f"{'a.model = ? AND ' if owner else ''}({differs}) ORDER BY b.place, n.batch LIMIT 1",
        *([owner] if owner else []),
    )
    if not twice and not elsewhere:
        return
    found = twice or elsewhere
    first, second, *pairs = found[0]
    place = int(rows.kept[second if twice else first])
    unlike = [k for k in range(len(compared)) if pairs[2 * k] != pairs[2 * k + 1]]
    name, before, now = compared[unlike[0]], pairs[2 * unlike[0]], pairs[2 * unlike[0] + 1]
    where = f"row {int(rows.kept[first])}" if twice else f"the batch {second!r}"
    one = rows.columns["id"][second if twice else first]
    raise InputError(
        f"The id {one!r} at row {rows.table.where(place)['row']} has the {name} {now!s}, and "
        f"{before!s} in {where}.",
        "an id is one item, with one value; withdraw or replace the batch that is wrong.",
        problem="other_value",
        subject=None,
        **{key: value for key, value in rows.table.where(place).items() if key != "row"},
    )
