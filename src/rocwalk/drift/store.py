"""`rw.MonitorStore`: models that are watched over time, from predictions and labels in a store.

`rocwalk.read.store` keeps the rows, `rocwalk.drift.windows` makes windows of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from rocwalk.checks import as_number, one_of
from rocwalk.drift.request import margins_of
from rocwalk.drift.timeline import MINIMUM
from rocwalk.drift.windows import (
    ModelSettings,
    MonitorStatus,
    MonitorWindow,
    alarm_of,
    streams_of,
)
from rocwalk.errors import Argument, OptionError
from rocwalk.read.batches import (
    LABELS,
    PREDICTIONS,
    digest_of,
    kinds_in,
    read_label_rows,
    read_predictions,
    read_reference,
)
from rocwalk.read.frames import is_files
from rocwalk.read.labels import plain
from rocwalk.read.opening import opened
from rocwalk.read.store import Alarm, Batch, Store, known_model
from rocwalk.read.times import check_window, shown_moment
from rocwalk.texts import shown
from rocwalk.typing import Adjustment, AnyArray, BatchKind, Invalid
from rocwalk.writing import TIMEOUT


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a batch: by kind "added", "replaced" or "unchanged", and how many rows.

    `unlabelled` are the rows of a batch of labels whose label is missing: they wait for it.
    """

    name: str | None
    done: Mapping[str, str]
    rows: Mapping[str, int] = field(default_factory=dict)
    unlabelled: int = 0


class MonitorStore:
    """Predictions and labels of models in use, kept in one DuckDB file or in PostgreSQL.

    Predictions come first and labels later, or the other way round; they are joined by id. Several
    processes and threads may use a store at once: each call is one transaction that is on the disk
    when it returns, and whoever cannot have the store within `timeout` gets a `FileError`.

    Parameters
    ----------
    address
        The path of a DuckDB file that `create` has made, or a PostgreSQL address
        (``postgresql://user@host/database``, with ``pip install rocwalk[postgresql]``).
    timeout
        How many seconds to wait while another process or thread has the store.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(2)
    >>> y = (rng.random(3000) < 0.4).astype(int)
    >>> p = 1 / (1 + np.exp(-rng.normal(2 * y - 1)))
    >>> p[2000:] **= 2
    >>> days = np.datetime64("2026-01-01") + np.arange(3000) * 90 // 3000
    >>> rows = {"id": np.arange(3000), "time": days, "score": p, "label": y}
    >>> folder = tempfile.TemporaryDirectory()
    >>> store = rw.MonitorStore.create(f"{folder.name}/monitor.duckdb")
    >>> store.add_model("triage", reference_period=("2026-01-01", "2026-02-01"))
    True
    >>> store.add_predictions(rows, batch="first").done
    {'predictions': 'added'}
    >>> store.add_labels(rows, batch="first").done
    {'labels': 'added'}
    >>> [(one.start, one.rows, one.status) for one in store.windows()]
    [('2026-01-01', 1034, 'reference'), ('2026-02-01', 933, 'none'), ('2026-03-01', 1033, 'drift')]
    >>> folder.cleanup()
    """

    def __init__(self, address: str | Path, *, timeout: float = TIMEOUT) -> None:
        self._store = Store(address, as_number("timeout", timeout))

    @classmethod
    def create(cls, address: str | Path, *, timeout: float = TIMEOUT) -> MonitorStore:
        """Make an empty store, or open the one that is there.

        Parameters
        ----------
        address
            The path of a DuckDB file, or a PostgreSQL address.
        timeout
            How many seconds to wait while another process or thread has the store.
        """
        store = cls(address, timeout=timeout)
        store._store.create()
        return store

    @property
    def models(self) -> dict[str, ModelSettings]:
        """The settings of each model, by name."""
        stored = self._store.models()
        return {name: ModelSettings.from_json(one) for name, one in stored.items()}

    def add_model(
        self,
        model: str,
        *,
        id: str = "id",  # noqa: A002  # as the column is called
        time: str = "time",
        score: str = "score",
        label: str = "label",
        weight: str | None = None,
        label_time: str | None = None,
        segments: Sequence[str] = (),
        window: int | str = "month",
        reference: Any = None,
        reference_period: tuple[Any, Any] | None = None,
        alpha: float = 0.05,
        adjustment: Adjustment = "holm",
        minimum: int = MINIMUM,
        minimum_coverage: float = 0.0,
        fixed_reference: bool = False,
        margin: bool | Mapping[str, float] | None = None,
        pos_label: Any = None,
        neg_label: Any = None,
        invalid: Invalid = "raise",
        replace: bool = False,
        create: bool = False,
    ) -> bool:
        """Add a model to watch; return False if it is there with the same settings.

        Parameters
        ----------
        model
            The name of the model.
        id, time, score, label, weight
            The names of the columns in the data that will be added. Scores are probabilities, and
            times are dates.
        label_time
            The column that says when a label was known. By default it is when it was added.
        segments
            Columns by which the rows can be looked at in parts.
        window
            "hour", "day", "week" (from Monday), "month", "quarter" or "year"; a span such as "7D"
            (h hours, D days, W weeks, M months); or how many predictions make a window.
        reference
            Data with the columns `score`, `label`, `weight` and `segments`, such as a file.
        reference_period
            In place of `reference`: the first moment, and the first moment after, of the
            predictions in the store that are the reference. Without any reference, windows have
            numbers and no verdict.
        alpha, adjustment
            The significance level, which "holm" and "bonferroni" hold over all windows of a model,
            and over all its segments together where it is followed by segments; "none" holds it in
            each window by itself.
        minimum
            A window with fewer positives or negatives than this is "undecidable".
        minimum_coverage
            A window in which a smaller share of rows has a label is "undecidable": labels that come
            early may be unlike those that come late.
        fixed_reference
            Take the reference without sampling error.
        margin
            True, or margins by name: changes within them are no drift; see `rocwalk.drift`.
        pos_label, neg_label
            The labels of both classes, unless labels are 0/1, −1/1, booleans or soft truth.
        invalid
            What to do with rows of the reference that cannot be used: "raise" or "drop".
        replace
            Replace the settings of a model that is there.
        create
            Make the store first, unless it is there. Nothing is made if the settings or the
            reference are wrong.
        """
        if not model:
            raise OptionError("The name of the model is empty.", "name the model.")
        if reference is not None and reference_period is not None:
            raise OptionError(
                (Argument("reference"), " and ", Argument("reference_period"), " are both given."),
                "give one of them.",
            )
        period = None if reference_period is None else _period(reference_period)
        settings = ModelSettings(
            id=id,
            time=time,
            score=score,
            label=label,
            weight=weight,
            label_time=label_time,
            segments=tuple(segments),
            window=window,
            alpha=alpha,
            adjustment=adjustment,
            minimum=minimum,
            minimum_coverage=minimum_coverage,
            fixed_reference=fixed_reference,
            margin=margins_of(margin),
            pos_label=plain(pos_label),
            neg_label=plain(neg_label),
            reference_period=period,
        )
        settings, rows = self._with_reference(settings, reference, invalid)
        if create:
            self._store.create()
        return self._store.set_model(model, asdict(settings), rows, replace=replace)

    @staticmethod
    def _with_reference(
        settings: ModelSettings, reference: Any, invalid: str
    ) -> tuple[ModelSettings, dict[str, AnyArray] | None]:
        """Return the settings with what tells a reference from another, and its rows."""
        if reference is None:
            return settings, None
        with opened(reference) as data:
            rows = read_reference(
                data,
                score=settings.score,
                label=settings.label,
                weight=settings.weight,
                segments=settings.segments,
                labels=settings.labels,
                invalid=invalid,
            )
        words = f"{len(rows['score']):,} rows, sha256:{digest_of(rows, by='score')}"
        return replace(settings, reference=words), rows

    def add(
        self,
        data: Any,
        *,
        model: str | None = None,
        batch: str | None = None,
        replace: bool = False,
        invalid: Invalid = "raise",
    ) -> Added:
        """Add predictions, labels, or both, by the columns that the data have.

        Parameters
        ----------
        data
            A dataframe, a dict of columns, or the path of a file, as for `rocwalk.tallies`. It may
            have no rows.
        model
            The model whose predictions they are, and whose columns. May be left out if the store
            has one model.
        batch
            The name of the batch. The same batch again, with the same content in any order of rows,
            changes nothing; another content under the same name is an error. Default: the name of
            the file, else the digest of the content.
        replace
            Replace a batch of this name.
        invalid
            "raise", or "drop" to leave out rows with an unusable value, with a warning.
        """
        return self._add(data, None, model, batch, replace, invalid)

    def add_predictions(
        self,
        data: Any,
        *,
        model: str | None = None,
        batch: str | None = None,
        replace: bool = False,
        invalid: Invalid = "raise",
    ) -> Added:
        """Add predictions of a model: ids, times, scores, and weights and segments if it has them.

        An id that is there with another score, time, weight or segment is an error; with the same
        it counts once.

        Parameters
        ----------
        data
            A dataframe, a dict of columns, or the path of a file. It may have no rows.
        model
            The model whose columns they have. May be left out if the store has one model.
        batch
            The name of the batch; default: the name of the file, else the digest of the content.
        replace
            Replace a batch of this name.
        invalid
            "raise", or "drop" to leave out rows with an unusable value, with a warning.
        """
        return self._add(data, (PREDICTIONS,), model, batch, replace, invalid)

    def add_labels(
        self,
        data: Any,
        *,
        model: str | None = None,
        batch: str | None = None,
        replace: bool = False,
        invalid: Invalid = "raise",
    ) -> Added:
        """Add labels of items: ids and labels, before or after their predictions.

        Labels belong to items, so they count for all models. A missing label means that there is
        none yet. An id that is there with another label is an error.

        Parameters
        ----------
        data
            A dataframe, a dict of columns, or the path of a file. It may have no rows.
        model
            The model whose columns they have. May be left out if the store has one model.
        batch
            The name of the batch; default: the name of the file, else the digest of the content.
        replace
            Replace a batch of this name.
        invalid
            "raise", or "drop" to leave out rows with an unusable value, with a warning.
        """
        return self._add(data, (LABELS,), model, batch, replace, invalid)

    def _add(
        self,
        data: Any,
        kinds: Sequence[str] | None,
        model: str | None,
        batch: str | None,
        again: bool,
        invalid: str,
    ) -> Added:
        if batch == "":
            raise OptionError("The name of the batch is empty.", "name it, or leave batch= out.")
        models = self.models
        model = known_model(models, model)
        one = models[model]
        with opened(data) as known:
            if batch is None and is_files(data):
                batch = known.batch_name
            if kinds is None:
                kinds = kinds_in(known, score=one.score, label=one.label)
            parts = [
                read_predictions(
                    known,
                    id=one.id,
                    time=one.time,
                    score=one.score,
                    weight=one.weight,
                    segments=one.segments,
                    invalid=invalid,
                )
                if kind == PREDICTIONS
                else read_label_rows(
                    known,
                    id=one.id,
                    label=one.label,
                    time=one.label_time,
                    labels=one.labels,
                    invalid=invalid,
                )
                for kind in kinds
            ]
        done = self._store.add(parts, model=model, name=batch, replace=again)
        rows = {part.kind: len(part) for part in parts}
        return Added(batch, done, rows, sum(part.unlabelled for part in parts))

    def withdraw(
        self, batch: str, *, kind: BatchKind | None = None, model: str | None = None
    ) -> int:
        """Remove the rows of a batch; return how many it had.

        Parameters
        ----------
        batch
            The name of the batch.
        kind
            "predictions" or "labels"; default: both, where a batch has both.
        model
            The model of the predictions, where several have a batch of this name.
        """
        if kind is not None:
            one_of("kind", kind, get_args(BatchKind))
        return self._store.withdraw(batch, kind=kind, model=model)

    @property
    def batches(self) -> tuple[Batch, ...]:
        """The batches in the order in which they came, withdrawn ones too."""
        return tuple(self._store.batches())

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """The alarms that `status` has raised, with their notes; they outlive their data."""
        return tuple(self._store.alarms())

    def status(
        self,
        *,
        model: str | None = None,
        by: str | Sequence[str] = (),
        window: int | str | None = None,
    ) -> MonitorStatus:
        """Return every window of the models, with its numbers and its verdict.

        New alarms are kept in the store; see `alarms` and `acknowledge`.

        Parameters
        ----------
        model
            The model; default: all.
        by
            Columns of segments: each of their values is a stream of its own, compared with the
            same segment of the reference.
        window
            Other windows than those of the model.
        """
        if window is not None:
            window = check_window(window)
        snapshot = self._store.snapshot(model)
        by = (by,) if isinstance(by, str) else tuple(by)
        streams = tuple(streams_of(snapshot, by, window))
        found = MonitorStatus(streams, snapshot.labels_without_prediction)
        known = {one.key for one in snapshot.alarms}
        alarms = [
            alarm_of(one, stream.settings)
            for stream in streams
            for one in stream.windows
            if one.drifted
        ]
        new = [one for one in alarms if one.key not in known]
        if new:
            self._store.record(new)
        return found

    def windows(
        self,
        *,
        model: str | None = None,
        by: str | Sequence[str] = (),
        window: int | str | None = None,
    ) -> tuple[MonitorWindow, ...]:
        """Return the windows of `status`.

        Parameters
        ----------
        model
            The model; default: all.
        by
            Columns of segments.
        window
            Other windows than those of the model.
        """
        return self.status(model=model, by=by, window=window).windows

    def acknowledge(
        self,
        start: Any,
        note: str,
        *,
        model: str | None = None,
        segments: Mapping[str, str | None] | None = None,
    ) -> int:
        """Acknowledge the alarms of a window with a note; return how many there were.

        An acknowledged alarm is open again if the verdict on its window changes.

        Parameters
        ----------
        start
            The start of the window, as `status` shows it.
        note
            What was found or done.
        model
            The model; default: the only one.
        segments
            The segment, as ``{"site": "north"}``; default: the stream of all rows.
        """
        if not note.strip():
            raise OptionError("The note is empty.", "say what was found, or what was done.")
        model = known_model(self._store.models(), model)
        asked = dict(segments or {})
        own = [one for one in self._store.alarms() if (one.model, one.segments) == (model, asked)]
        try:
            moment = np.datetime64(str(start), "us").item()
        except ValueError:
            moment = None
        found = [one for one in own if one.start == moment]
        if not found:
            starts = list(dict.fromkeys(shown_moment(np.datetime64(one.start)) for one in own))
            raise OptionError(
                f"There is no alarm of {model!r} in a window from {start}.",
                f"there are alarms from {shown(starts, 12)}." if starts else "there are no alarms.",
            )
        self._store.acknowledge(found, note)
        return len(found)

    def __repr__(self) -> str:
        return f"MonitorStore({self._store.database.name})"


def _period(given: Any) -> tuple[str, str]:
    """Return two moments as text, or raise."""
    try:
        start, end = (np.datetime64(str(one), "us") for one in given)
        is_span = bool(start < end)  # not of NaT
    except (TypeError, ValueError):
        is_span = False
    if not is_span:
        raise OptionError(
            "is not a pair of a moment and a later one.",
            "pass the first moment and the first one after, such as ('2024-01-01', '2024-07-01').",
            option="reference_period",
            value=given,
        )
    return str(shown_moment(start)), str(shown_moment(end))
