"""`rw.DriftMonitor`: drift in a stream of batches, of which only tallies are kept."""

from __future__ import annotations

import hashlib
import logging
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.errors import (
    FileError,
    InputError,
    OneClassError,
    OptionError,
    RocwalkError,
    TallyError,
    nearest,
)
from rocwalk.front.drift import sample_evidence
from rocwalk.intake.arrays import Sample, check
from rocwalk.intake.frames import LABEL, NUMBER, Table, read_table
from rocwalk.intake.paths import find_files, refuse_unreadable
from rocwalk.intake.tallies import tallies
from rocwalk.measure.probabilistic import refuse_other_scores
from rocwalk.result import Result, strict_value
from rocwalk.typing import AnyArray, ArrayLike
from rocwalk.uncertainty.estimation import class_sizes
from rocwalk.uncertainty.monitor import (
    ClosedWindow,
    MonitorCheck,
    Settings,
    Stream,
    items_of,
    judged,
)
from rocwalk.uncertainty.timeline import DRIFT
from rocwalk.walk.storage import damaged, load_with_settings, save_tallies
from rocwalk.walk.tally import ITEM_COLUMNS, Tally

MONITOR_SCHEMA = 1
_KIND = "drift_monitor"

logger = logging.getLogger("rocwalk.monitor")
logger.addHandler(logging.NullHandler())  # silent unless the user sets logging up


class DriftMonitor(Result):
    """Watch a stream of labels and probabilities for drift from a reference.

    Batches go in with `update`, the answer comes from `check` at any moment, monitors of several
    workers add with ``+``. Only tallies are kept. Hard labels without weights are counted exactly:
    without windows neither the cut into batches nor the order of merging changes a bit.

    Parameters
    ----------
    reference
        A pair (y_true, y_prob), or a `Tally` with steps="truth". Against a bucketed one drift is
        called only where it is there for every order inside the buckets.
    alpha
        The level at which drift is called, as in `rocwalk.drift`.
    minimum
        With fewer positive or negative items than this the answer is "undecidable", never fine.
        Under soft truth or weights these are the numbers of items that the masses are worth.
    window
        How many items make a window, in the order in which they come. Each window is judged once,
        when it is full, and then closed. Without it there is one sample that grows.
    looks
        How many decisions are planned: checks of a growing sample, or windows. Each is made at
        alpha/looks (Bonferroni).
    fixed_reference
        Take the reference as it is, without spread.
    name
        What is watched, for the log and the alarm.

    Notes
    -----
    What is controlled: one decision raises a false alarm with probability alpha, up to the normal
    approximation of `rocwalk.drift`; all `looks` decisions together raise any with probability
    alpha at most, however they depend on each other. What is not: with looks=1, checking a growing
    sample again and again raises false alarms more often than alpha (ten looks in 18 % of 600
    simulated streams at alpha = 5 %), and so do many windows. Checks between two windows cost
    nothing: they repeat what was decided when a window closed.

    An alarm in a window stays until `reset`. What was found is logged under "rocwalk.monitor":
    closed windows at level INFO, drift at level WARNING.

    Monitors with windows merge too: closed windows are put together in the order of their numbers,
    and open ones are added; if that fills a window, it is closed with all the items that it has.

    Privacy: the state holds every distinct score of the reference, of the open window and of the
    window that answers, and distinct scores can identify rows. If the state is to be shared, put
    the scores into buckets before they come here: round those of the reference and of all batches
    alike. That also bounds the size of the state, which is otherwise that of the open window.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = (rng.random(3000) < 0.3).astype(int)
    >>> p = 1 / (1 + np.exp(-rng.normal(2 * y - 1.5)))
    >>> monitor = DriftMonitor((y[:1000], p[:1000]))
    >>> monitor.update(y[1000:1010], p[1000:1010]).check().status
    'undecidable'
    >>> monitor.update(y[1010:2000], p[1010:2000]).check().status
    'none'
    >>> monitor.reset()
    >>> found = monitor.update(y[2000:], p[2000:] ** 2).check()
    >>> found.status, found.verdict
    ('drift', 'estimation')
    """

    def __init__(
        self,
        reference: Any,
        *,
        alpha: float = 0.05,
        minimum: int = 20,
        window: int | None = None,
        looks: int = 1,
        fixed_reference: bool = False,
        name: str | None = None,
    ) -> None:
        self._settings = Settings(alpha, minimum, window, looks, fixed_reference, name)
        self._reference = _checked_reference(reference, self._settings)
        self._stream = Stream()

    @property
    def reference(self) -> Tally:
        """The tally of the reference."""
        return self._reference

    @property
    def settings(self) -> Settings:
        """What the monitor was made with."""
        return self._settings

    @property
    def current(self) -> Tally | None:
        """The tally of the open window; None while it is empty."""
        return self._stream.current

    @property
    def windows(self) -> tuple[ClosedWindow, ...]:
        """What came out of the closed windows."""
        return self._stream.windows

    @property
    def items(self) -> int:
        """How many items were counted, in closed windows and in the open one."""
        return sum(one.items for one in self.windows) + items_of(self.current)

    @property
    def batches(self) -> frozenset[str]:
        """The names of the batches that were counted, of those that had one."""
        return self._stream.batches

    # -- counting ----------------------------------------------------------------------------

    def update(
        self,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        sample_weight: ArrayLike = None,
        pos_label: Any = None,
        truth: str = "auto",
        invalid: str = "raise",
        batch: str | None = None,
    ) -> DriftMonitor:
        """Count a batch; one that cannot be read raises and changes nothing.

        A batch with a name is counted once: the same name again is left out, with a word in the
        log, so that whoever is not sure that a batch has arrived may send it again. The other
        parameters are those of `rocwalk.tally`.
        """
        named = frozenset() if batch is None else frozenset([_checked_name(batch)])
        if named & self.batches:
            logger.warning("%s: batch %r was counted before and is left out", self._label, batch)
            return self
        sample = check(
            y_true,
            y_prob,
            sample_weight=sample_weight,
            pos_label=pos_label,
            truth=truth,
            invalid=invalid,
            probabilities=True,
        )
        stream = self._stream
        for part in _parts(sample, self._settings.window, items_of(stream.current)):
            stream = stream.grown(part, self.reference, self._settings)
        self._become(replace(stream, batches=stream.batches | named))
        return self

    def merge(self, other: DriftMonitor) -> DriftMonitor:
        """Return a monitor that has counted what both have.

        Both need the same reference and settings, and no batch of one name.
        """
        if not isinstance(other, DriftMonitor):
            raise InputError(
                f"A {type(other).__name__} cannot be merged into a monitor.",
                "pass another DriftMonitor.",
            )
        _refuse_unlike(self, other)
        merged = DriftMonitor(self.reference, **asdict(self._settings))
        merged._stream = self._stream.joined(other._stream)
        merged._become(merged._stream.grown(None, self.reference, self._settings))
        return merged

    def __add__(self, other: object) -> DriftMonitor:
        if isinstance(other, DriftMonitor):
            return self.merge(other)
        return self if isinstance(other, int) and other == 0 else NotImplemented  # for sum()

    __radd__ = __add__

    def reset(self) -> None:
        """Forget all but the reference and the settings."""
        self._stream = Stream()

    def _become(self, stream: Stream) -> None:
        """Take on what was counted, and log the windows that were closed on the way."""
        before, self._stream = len(self._stream.windows), stream
        for one in stream.windows[before:]:
            level = logging.WARNING if one.status == DRIFT else logging.INFO
            words = (self._label, one.number, one.items, one.status, one.reason)
            logger.log(level, "%s: window %d closed with %d items: %s. %s", *words)

    # -- answering ---------------------------------------------------------------------------

    def check(self) -> MonitorCheck:
        """Say whether the stream has drifted: the sample that grows, or the closed windows.

        With windows the answer is that of the last one that has drifted, or else of the last one.
        """
        found = self._answer()
        if found.drifted:
            logger.warning("%s: drift. %s", self._label, found.reason)
        return found

    def _answer(self) -> MonitorCheck:
        size, speaker = self._settings.window, self._stream.speaker
        if size is None:
            return judged(self.reference, self.current, self._settings)
        found = judged(self.reference, self._stream.kept, self._settings)
        if speaker is None:
            words = f"No window is full yet: {items_of(self.current):,} of {size:,} items."
            return replace(found, reason=words)
        words = f"Window {speaker.number} of {len(self.windows)}: {found.reason}"
        return replace(found, reason=words, window=speaker.number)

    @property
    def _label(self) -> str:
        return self._settings.name or "monitor"

    # -- keeping -----------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the state to an ``.npz`` file: after a kill there is the old one or the new one."""
        stream = self._stream
        parts = {"reference": self.reference, "current": stream.current, "kept": stream.kept}
        settings = {
            "schema_version": MONITOR_SCHEMA,
            "options": asdict(self._settings),
            "windows": [strict_value(asdict(one)) for one in stream.windows],
            "batches": sorted(stream.batches),
        }
        save_tallies(path, _KIND, {k: v for k, v in parts.items() if v is not None}, settings)

    @staticmethod
    def load(path: str | Path) -> DriftMonitor:
        """Read a state that `save` wrote, bit for bit; no pickles are opened."""
        parts, settings = load_with_settings(path, _KIND)
        _refuse_other_schema(path, settings.get("schema_version"))
        try:
            monitor = DriftMonitor(parts["reference"], **settings["options"])
            monitor._stream = _restored(parts, settings)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise damaged(path, _KIND) from error
        return monitor

    @staticmethod
    def from_config(config: str | Path | Mapping[str, Any]) -> DriftMonitor:
        """Start a monitor from the config of a job: a TOML file or a mapping; see `run_job`."""
        return read_config(config).monitor()

    def _headline(self) -> dict[str, Any]:
        return {
            "name": self._settings.name,
            "items": self.items,
            "open_items": items_of(self.current),
            "closed_windows": len(self.windows),
            "reference_items": items_of(self.reference),
            **{key: v for key, v in asdict(self._settings).items() if key != "name"},
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows = [one._headline() for one in self.windows]  # noqa: SLF001
        return {key: np.array([row[key] for row in rows]) for key in rows[0]} if rows else {}


# -- what goes in --------------------------------------------------------------------------------


def _checked_reference(reference: Any, settings: Settings) -> Tally:
    tally = sample_evidence("reference", reference, None, None, "auto", "raise").tally
    refuse_other_scores(tally)
    positives, negatives = class_sizes(tally)
    if not settings.allows(positives, negatives):
        raise OneClassError(
            f"reference has {positives:,.6g} positive and {negatives:,.6g} negative items, fewer "
            f"than minimum={settings.minimum}.",
            "a reference needs as many of each class as a decision does.",
        )
    return tally


def _checked_name(batch: Any) -> str:
    if not isinstance(batch, str):
        raise OptionError(f"batch={batch!r} is not text.", "name a batch in quotes.")
    return batch


def _parts(sample: Sample, window: int | None, taken: int) -> Iterator[Tally]:
    """Cut a batch where windows end; `taken` items are in the open window already."""
    count = len(sample.scores)
    if window is None or taken + count <= window:
        yield sample.tally()
        return
    for begin, end in pairwise([0, *range(window - taken, count, window), count]):
        yield sample.take(np.arange(begin, end)).tally()


# -- what fits together --------------------------------------------------------------------------


def differences(one: DriftMonitor, other: DriftMonitor) -> list[str]:
    """Say in what two monitors differ, apart from what they have counted."""
    found = []
    for setting in fields(Settings):
        ours, theirs = (getattr(each.settings, setting.name) for each in (one, other))
        if ours != theirs:
            found.append(f"{setting.name}={ours!r} and {setting.name}={theirs!r}")
    if not _is_same(one.reference, other.reference):
        counts = f"{items_of(one.reference):,} and {items_of(other.reference):,}"
        found.append(f"the references, of {counts} items")
    return found


def _is_same(one: Tally, other: Tally) -> bool:
    """Whether two tallies are the same, bit for bit."""
    return one.is_counts == other.is_counts and all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("scores", "up", "right", *ITEM_COLUMNS)
    )


def _refuse_unlike(one: DriftMonitor, other: DriftMonitor) -> None:
    found = differences(one, other)
    if found:
        raise TallyError(
            f"These monitors differ, so they do not merge: {'; '.join(found)}.",
            "start all workers with the same reference and the same settings.",
        )
    twice = sorted(one.batches & other.batches)
    if twice:
        raise TallyError(
            f"Both monitors have counted the batch {twice[0]!r}.",
            "give each batch to one worker, else its items would count double.",
        )


def _restored(parts: Mapping[str, Tally], settings: Mapping[str, Any]) -> Stream:
    """Return what was saved of a stream, or raise if its parts do not fit together."""
    windows = tuple(_restored_window(each) for each in settings["windows"])
    kept = parts.get("kept")
    if (kept is None) != (not windows):
        raise ValueError("a window without its tally, or a tally without its window")
    return Stream(parts.get("current"), windows, kept, frozenset(settings["batches"]))


def _restored_window(saved: Mapping[str, Any]) -> ClosedWindow:
    p_values = {name: math.nan if p is None else p for name, p in saved["p_values"].items()}
    return ClosedWindow(**{**saved, "p_values": p_values})


def _refuse_other_schema(path: str | Path, version: Any) -> None:
    if version != MONITOR_SCHEMA:
        raise FileError(
            f"{str(path)!r} is a drift monitor of schema version {version}; "
            f"this rocwalk reads {MONITOR_SCHEMA}.",
            "read it with the version of rocwalk that wrote it, or upgrade rocwalk.",
        )


# -- a job that runs again and again -------------------------------------------------------------

_TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "a number": (int, float),
    "true or false": (bool,),
    "a table": (dict,),
    "text, a number, true or false": (str, int, float, bool),
}
_CONFIG = {
    "reference": "text",
    "columns": "a table",
    "state": "text",
    "positive": "text, a number, true or false",
    "invalid": "text",
    "alpha": "a number",
    "minimum": "a number",
    "window": "a number",
    "looks": "a number",
    "fixed_reference": "true or false",
    "name": "text",
}
_COLUMNS = {"label": "text", "score": "text", "weight": "text"}
_NEEDED = ("reference", "columns.label", "columns.score")
_ARGUMENT = re.compile(r"\b(y_true|y_score|y_prob|sample_weight)\b(?: at row (\d+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A monitoring job, as its config says."""

    reference: Path
    label: str
    score: str
    weight: str | None = None
    state: Path | None = None
    pos_label: Any = None
    invalid: str = "raise"
    options: Mapping[str, Any] = field(default_factory=dict)

    def monitor(self) -> DriftMonitor:
        """Return a monitor that has counted nothing yet."""
        read = tallies(
            self.reference,
            label=self.label,
            score=self.score,
            weight=self.weight,
            pos_label=self.pos_label,
            invalid=self.invalid,
        )
        return DriftMonitor(read.only, **self.options)

    def resumed(self) -> DriftMonitor:
        """Return the monitor whose state was saved, or one that has counted nothing yet."""
        fresh = self.monitor()
        if self.state is None or not self.state.exists():
            return fresh
        monitor = DriftMonitor.load(self.state)
        found = differences(monitor, fresh)
        if found:
            raise OptionError(
                f"The state {str(self.state)!r} is not that of this config: {'; '.join(found)}.",
                "put the config back, or name another file as state to start anew.",
            )
        return monitor

    def feed(self, monitor: DriftMonitor, path: Path) -> None:
        """Let the monitor count a file; one of the same name and content is counted once."""
        refuse_unreadable(path)
        with path.open("rb") as file:
            batch = f"{path.name} sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
        numbers = [self.score] if self.weight is None else [self.score, self.weight]
        table = read_table(path, {self.label: LABEL} | dict.fromkeys(numbers, NUMBER))
        weight = None if self.weight is None else table[self.weight]
        options = {"pos_label": self.pos_label, "invalid": self.invalid, "batch": batch}
        try:
            monitor.update(table[self.label], table[self.score], sample_weight=weight, **options)
        except RocwalkError as error:
            raise self._placed(error, table) from None

    def _placed(self, error: RocwalkError, table: Table) -> RocwalkError:
        """Return the error with columns and places in the file instead of arguments and rows."""
        names = {"y_true": self.label, "sample_weight": self.weight}

        def words(found: re.Match[str]) -> str:
            name = names.get(found[1], self.score)
            return f"column {name!r} at {table.place(int(found[2]))}" if found[2] else f"{name!r}"

        what = _ARGUMENT.sub(words, error.what)
        return type(error)(f"In {table.origin}: {what}", _ARGUMENT.sub(words, error.hint))


def run_job(config: str | Path | Mapping[str, Any], files: Any) -> MonitorCheck:
    """Count new files, save the state, and say whether the stream has drifted.

    Parameters
    ----------
    config
        A TOML file, or a mapping of the same keys: `reference` (a file), `columns` (a table with
        `label`, `score` and perhaps `weight`) and `state` (the file to keep the state in) are
        needed; `alpha`, `minimum`, `window`, `looks`, `fixed_reference` and `name` are those of
        `rocwalk.DriftMonitor`; `positive` is the label that counts as positive, and `invalid` is
        "raise" or "drop". Paths in a file are relative to its folder.
    files
        A path, a pattern or a list of them; files are counted in the order of their names.

    All files are counted or none. A file of the same name and content is counted once, so a job
    that was killed can be run again. One job at a time may use a state: of two at once the last
    to save wins. Workers side by side need a state each; load and add these.
    """
    job = read_config(config)
    if job.state is None:
        raise _config_error("state is missing.", "name the file that keeps the state.")
    monitor = job.resumed()
    for path in find_files(files):
        job.feed(monitor, path)
    monitor.save(job.state)
    return monitor.check()


def read_config(config: str | Path | Mapping[str, Any]) -> Job:
    """Read and check the config of a job; errors name the key."""
    folder = Path() if isinstance(config, Mapping) else Path(config).parent
    given = dict(config) if isinstance(config, Mapping) else _toml(Path(config))
    _check_keys(given, _CONFIG, "")
    columns = given.pop("columns", {})
    _check_keys(columns, _COLUMNS, "columns.")
    for key in _NEEDED:
        if key.removeprefix("columns.") not in (columns if "." in key else given):
            raise _config_error(f"{key} is missing.", f"{', '.join(_NEEDED)} are needed.")
    state = given.pop("state", None)
    return Job(
        **columns,
        reference=folder / given.pop("reference"),
        state=None if state is None else folder / state,
        pos_label=given.pop("positive", None),
        invalid=given.pop("invalid", "raise"),
        options=given,
    )


def _toml(path: Path) -> dict[str, Any]:
    refuse_unreadable(path)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(
            f"The config {str(path)!r} is not TOML: {error}.", 'write it as key = "value".'
        ) from None


def _check_keys(given: Mapping[str, Any], known: Mapping[str, str], prefix: str) -> None:
    """Raise if a key is not known, or its value is of another type."""
    for key, value in given.items():
        if key not in known:
            raise _config_error(f"{prefix}{key} is not known.", nearest(str(key), known))
        types = _TYPES[known[key]]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise _config_error(f"{prefix}{key} is {value!r}.", f"{key} is {known[key]}.")


def _config_error(what: str, hint: str) -> OptionError:
    return OptionError(f"In the config, {what}", hint)
