"""Monitoring a stream for drift: batches go in, a verdict comes out, only tallies are kept.

`Settings` hold how a `DriftMonitor` decides and a `Stream` what it has counted; `judged` compares a
tally with the reference; `MonitorCheck` and `ClosedWindow` are its answers.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.drift.reference import (
    Watching,
    other_label,
    read_reference,
    refuse_other_schema,
)
from rocwalk.drift.request import DRIFT, margins_of
from rocwalk.drift.stream import (
    ClosedWindow,
    MonitorCheck,
    Settings,
    Stream,
    items_of,
    judged,
)
from rocwalk.errors import (
    InputError,
    OneClassError,
    Option,
    OptionError,
    TallyError,
    lacking,
)
from rocwalk.inference.influence import class_sizes
from rocwalk.read.arrays import Sample
from rocwalk.result import strict_value
from rocwalk.tally.storage import damaged, load_with_settings, save_tallies
from rocwalk.tally.tally import ITEM_COLUMNS, Tally
from rocwalk.typing import AnyArray, ArrayLike, Invalid, Truth

MONITOR_SCHEMA = 1
_KIND = "drift_monitor"
logger = logging.getLogger("rocwalk.monitor")
logger.addHandler(logging.NullHandler())  # silent unless the user sets logging up


class DriftMonitor(Watching[Settings]):
    """Watch a stream of labels and probabilities for drift from a reference.

    Batches go in with `update`, the answer comes from `check` at any moment, monitors of several
    workers add with ``+``. Threads may share one: each call sees all batches of the calls before
    it. Only tallies are kept. Hard labels without weights are counted exactly:
    without windows neither the cut into batches nor the order of merging changes a bit.

    Parameters
    ----------
    reference
        A pair (y_true, y_prob), or a `Tally` with steps="truth". Against a bucketed one drift is
        detected only if it is present for every order inside the buckets.
    alpha
        The significance level, as in `rocwalk.drift`.
    minimum
        With fewer positive or negative items than this the answer is "undecidable", never "none";
        it is "drift" if as many were expected of the scores and that alone is significant. Under
        soft truth or weights these are the numbers of items equivalent to the masses.
    window
        How many items make a window, in the order of their arrival. Each window is tested once,
        when it is full, and then closed. Without it there is one growing sample.
    looks
        How many decisions are planned: checks of a growing sample, or windows. Each is made at
        alpha/looks (Bonferroni), and one more than planned is an error. 1, the default, plans
        nothing. It is no longer needed: `rocwalk.DriftWatch` may be looked at any number of times.
    fixed_reference
        Take the reference without sampling error.
    name
        What is watched, for the log and the alarm.
    pos_label
        The label of the positive class, in the reference and in all batches; needed unless labels
        are 0/1, −1/1 or booleans.
    neg_label
        The label of the negative class. Default: the other label of the reference, if that is a
        pair. A batch with a label that is neither is refused; without `neg_label` a batch may hold
        `pos_label` and any one other label.
    margin
        True, or margins by name: changes within them are no drift; see `rocwalk.drift`.

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
    ('drift', 'prevalence')
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
        pos_label: Any = None,
        neg_label: Any = None,
        margin: bool | Mapping[str, float] | None = None,
    ) -> None:
        settings = Settings(
            *(alpha, minimum, window, looks, fixed_reference, name, pos_label, neg_label),
            margin=margins_of(margin),
        )
        with lacking("invalid"):
            tally, sample = read_reference(reference, settings.labels)
        if other_label(sample) is not None:
            settings = replace(settings, neg_label=other_label(sample))
        positives, negatives = class_sizes(tally)
        if not settings.allows(positives, negatives):
            raise OneClassError(
                (
                    f"reference has {positives:,.6g} positive and {negatives:,.6g} negative ",
                    *("items, fewer than ", Option("minimum", settings.minimum), "."),
                ),
                "a reference needs as many of each class as a decision does.",
            )
        self._start(tally, settings)
        self._stream = Stream()

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
        stream = self._stream
        return sum(one.items for one in stream.windows) + items_of(stream.current)

    @property
    def rows(self) -> int:
        """How many rows were counted; a row is an item."""
        return self.items

    @property
    def batches(self) -> frozenset[str]:
        """The names of the batches that were counted, of those that had one."""
        return self._stream.batches

    def update(
        self,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        sample_weight: ArrayLike = None,
        pos_label: Any = None,
        truth: Truth = "auto",
        invalid: Invalid = "raise",
        batch: str | None = None,
    ) -> DriftMonitor:
        """Count a batch; one that cannot be read raises and changes nothing.

        A batch with a name is counted once: a second batch of the same name is left out with a
        warning in the log, so that a batch may be sent again if it is not certain that it has
        arrived.

        Parameters
        ----------
        y_true, y_prob
            Labels or soft truth, and probabilities in [0, 1].
        sample_weight
            Weights of the rows, not negative; rows of weight 0 are left out.
        pos_label
            The label of the positive class; needed unless the monitor knows it or labels are 0/1,
            −1/1 or booleans. A batch may hold one class only; a third label is refused.
        truth
            "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
        invalid
            "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.
        batch
            The name of the batch.
        """
        if not isinstance(batch, str | None):
            raise OptionError(
                "is not text.", "name a batch in quotes.", option="batch", value=batch
            )
        sample = self._checked(y_true, y_prob, sample_weight, pos_label, truth, invalid)
        with self._lock:
            self._count(sample, batch)
        return self

    def _count(self, sample: Sample, batch: str | None) -> None:
        """Count a batch that is not counted yet, cut where windows end."""
        named = frozenset() if batch is None else frozenset([batch])
        stream, window, count = self._stream, self._settings.window, len(sample.scores)
        if named & stream.batches:
            logger.warning("%s: batch %r was counted before and is left out", self._label, batch)
            return
        cuts = [0, count]
        if window is not None:
            room = window - items_of(stream.current)
            cuts = [0, *range(room, count, window), count]
        for begin, end in pairwise(cuts):
            part = sample if len(cuts) == 2 else sample.take(np.arange(begin, end))
            stream = stream.grown(part.tally(), self.reference, self._settings)
        self._become(replace(stream, batches=stream.batches | named))

    def merge(self, other: DriftMonitor) -> DriftMonitor:
        """Return a monitor that has counted what both have.

        Both need the same reference and settings, and no batch of one name.
        """
        if not isinstance(other, DriftMonitor):
            raise InputError(
                f"A {type(other).__name__} cannot be merged into a monitor.",
                "pass another DriftMonitor.",
            )
        found = differences(self, other)
        if found:
            raise TallyError(
                f"These monitors differ, so they do not merge: {'; '.join(found)}.",
                "start all workers with the same reference and the same settings.",
            )
        ours, theirs = self._stream, other._stream  # a thread may change either meanwhile
        twice = sorted(ours.batches & theirs.batches)
        if twice:
            raise TallyError(
                f"Both monitors have counted the batch {twice[0]!r}.",
                "give each batch to one worker, else its items would count double.",
            )
        merged = DriftMonitor(self.reference, **asdict(self._settings))
        merged._stream = ours.joined(theirs)
        merged._become(merged._stream.grown(None, self.reference, self._settings))
        return merged

    def __add__(self, other: object) -> DriftMonitor:
        if isinstance(other, DriftMonitor):
            return self.merge(other)
        return self if isinstance(other, int) and other == 0 else NotImplemented  # for sum()

    __radd__ = __add__

    def reset(self) -> None:
        """Forget all but the reference and the settings."""
        with self._lock:
            self._stream = Stream()

    def _become(self, stream: Stream) -> None:
        """Take on what was counted, and log the windows that were closed on the way."""
        before, self._stream = len(self._stream.windows), stream
        for one in stream.windows[before:]:
            level = logging.WARNING if one.status == DRIFT else logging.INFO
            words = (self._label, one.number, one.items, one.status, one.reason)
            logger.log(level, "%s: window %d closed with %d items: %s. %s", *words)

    def check(self) -> MonitorCheck:
        """Return whether the stream has drifted: the growing sample, or the closed windows.

        With windows the answer is that of the last one that has drifted, or else of the last one.
        """
        with self._lock:
            self._refuse_look()
            stream = self._stream
        size, reported = self._settings.window, stream.reported
        tally = stream.current if size is None else stream.kept
        found = judged(self.reference, tally, self._settings)
        if size is not None and reported is None:
            words = f"No window is full yet: {items_of(stream.current):,} of {size:,} items."
            found = replace(found, reason=words)
        elif reported is not None:
            words = f"Window {reported.number} of {len(stream.windows)}: {found.reason}"
            found = replace(found, reason=words, window=reported.number)
        if found.drifted:
            logger.warning("%s: drift. %s", self._label, found.reason)
        return found

    def _refuse_look(self) -> None:
        """Count one more look at a growing sample, or raise if it was not planned.

        Looking again at the same items is no new decision, and neither is one of too few items.
        """
        stream, settings = self._stream, self._settings
        items = items_of(stream.current)
        if settings.window is not None or stream.current is None or items == stream.seen:
            return
        if not settings.allows(*class_sizes(stream.current)):
            return
        settings.refuse_more(stream.looked + 1)
        self._stream = replace(stream, looked=stream.looked + 1, seen=items)

    @property
    def _label(self) -> str:
        return self._settings.name or "monitor"

    def save(self, path: str | Path) -> None:
        """Write the state to an ``.npz`` file: after a kill there is the old one or the new one."""
        stream = self._stream
        parts = {"reference": self.reference, "current": stream.current, "kept": stream.kept}
        settings = {
            "schema_version": MONITOR_SCHEMA,
            "options": asdict(self._settings),
            "windows": [strict_value(asdict(one)) for one in stream.windows],
            "batches": sorted(stream.batches),
            "looked": [stream.looked, stream.seen],
        }
        save_tallies(path, _KIND, {k: v for k, v in parts.items() if v is not None}, settings)

    @staticmethod
    def load(path: str | Path, *, max_bytes: int | None = 2**32) -> DriftMonitor:
        """Read a state that `save` wrote, bit for bit; no pickles are opened.

        A file that was damaged, lacks a column or holds what no state can have raises FileError;
        so does one with more than `max_bytes` when unpacked.

        Parameters
        ----------
        path
            The file.
        max_bytes
            The most bytes that the file may have when unpacked. None: no limit.
        """
        parts, settings = load_with_settings(path, _KIND, max_bytes)
        refuse_other_schema(settings, path, "drift monitor", MONITOR_SCHEMA)
        try:
            monitor = DriftMonitor(parts["reference"], **settings["options"])
            windows, kept = [], parts.get("kept")
            for each in settings["windows"]:
                p_values = each["p_values"].items()
                known = {name: math.nan if p is None else p for name, p in p_values}
                windows.append(ClosedWindow(**{**each, "p_values": known}))
            if (kept is None) != (not windows):
                raise ValueError("a window without its tally, or a tally without its window")
            batches = frozenset(settings["batches"])
            looked, seen = map(int, settings.get("looked", (0, 0)))
            monitor._stream = Stream(
                parts.get("current"), tuple(windows), kept, batches, looked, seen
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise damaged(path, _KIND) from error
        return monitor

    @staticmethod
    def from_config(config: str | Path | Mapping[str, Any]) -> DriftMonitor:
        """Start a monitor from the config of a job: a TOML file or a mapping; see `run_job`."""
        from rocwalk.drift.job import read_config

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


def differences(one: DriftMonitor, other: DriftMonitor) -> list[str]:
    """Return in what two monitors differ, apart from what they have counted."""
    found = []
    for setting in fields(Settings):
        ours, theirs = (getattr(each.settings, setting.name) for each in (one, other))
        if ours != theirs:
            found.append(f"{setting.name}={ours!r} and {setting.name}={theirs!r}")
    first, second = one.reference, other.reference
    is_same = first.is_counts == second.is_counts and all(
        np.array_equal(getattr(first, name), getattr(second, name))
        for name in ("scores", "up", "right", *ITEM_COLUMNS)
    )
    if not is_same:
        found.append(f"the references, of {items_of(first):,} and {items_of(second):,} items")
    return found
