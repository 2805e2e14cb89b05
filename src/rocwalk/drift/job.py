"""`rw.run_job`: a monitoring job that a config describes, run again and again."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rocwalk.checks import as_number
from rocwalk.drift.monitor import DriftMonitor, differences
from rocwalk.drift.stream import MonitorCheck
from rocwalk.errors import Column, FileError, OptionError, RocwalkError
from rocwalk.read.frames import LABEL, NUMBER, read_table
from rocwalk.read.opening import open_named, opened
from rocwalk.read.sources import find_files, refuse_unreadable
from rocwalk.read.tallies import tallies
from rocwalk.read.text import FOUND, TextFormat
from rocwalk.texts import nearest
from rocwalk.typing import Invalid
from rocwalk.writing import TIMEOUT, exclusive

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
    "decimal": "text",
    "thousands": "text",
    "separator": "text",
    "encoding": "text",
}
_FORM = ("decimal", "thousands", "separator", "encoding")
_COLUMNS = {"label": "text", "score": "text", "weight": "text"}
_NEEDED = ("reference", "columns.label", "columns.score")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A monitoring job as its config describes it."""

    reference: Path
    label: str
    score: str
    weight: str | None = None
    state: Path | None = None
    pos_label: Any = None
    invalid: Invalid = "raise"
    form: TextFormat = FOUND
    options: Mapping[str, Any] = field(default_factory=dict)

    def monitor(self) -> DriftMonitor:
        """Return a monitor that has counted nothing yet."""
        with opened(self.reference, self.form) as reference:
            read = tallies(
                reference,
                label=self.label,
                score=self.score,
                weight=self.weight,
                pos_label=self.pos_label,
                invalid=self.invalid,
            )
        negative, positive = (None, self.pos_label) if read.labels is None else read.labels
        return DriftMonitor(read.only, pos_label=positive, neg_label=negative, **self.options)

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
        """Let the monitor count a file; one of the same name and content is counted once.

        A file without rows, such as that of a day on which nothing happened, changes nothing.
        """
        numbers = [self.score] if self.weight is None else [self.score, self.weight]
        with open_named([path], self.form) as files:
            roles = {self.label: LABEL} | dict.fromkeys(numbers, NUMBER)
            table = read_table(files, roles, may_be_empty=True)
            ((_, digest),) = files.digests()
        if not len(table):
            return
        batch = f"{path.name} sha256:{digest}"
        weight = None if self.weight is None else table[self.weight]
        options = {"pos_label": self.pos_label, "invalid": self.invalid, "batch": batch}
        try:
            monitor.update(table[self.label], table[self.score], sample_weight=weight, **options)
        except RocwalkError as error:
            names = {"y_true": Column(self.label), "sample_weight": Column(self.weight)}
            names |= dict.fromkeys(("y_score", "y_prob"), Column(self.score))
            raise error.at(names=names, **table.where(error.fields.row)) from None


def run_job(
    config: str | Path | Mapping[str, Any], files: Any, *, timeout: float = TIMEOUT
) -> MonitorCheck:
    """Count new files, save the state, and return whether the stream has drifted.

    Parameters
    ----------
    config
        A TOML file, or a mapping of the same keys: `reference` (a file), `columns` (a table with
        `label`, `score` and perhaps `weight`) and `state` (the file to keep the state in) are
        needed; `alpha`, `minimum`, `window`, `looks`, `fixed_reference` and `name` are those of
        `rocwalk.DriftMonitor`; `positive` is the label that counts as positive, and `invalid` is
        "raise" or "drop"; `decimal`, `thousands` and `separator` are the signs before decimals,
        between thousands and between values in separated text, and `encoding` is its encoding.
        Paths in a file are relative to its folder.
    files
        A path, a pattern or a list of them; files are counted in the order of their names.
    timeout
        How many seconds to wait for another job that uses the same state; then FileError.

    All files are counted or none. A file of the same name and content is counted once, so a job
    that was killed can be run again. A file without rows changes nothing. One job at a time uses a
    state, and the next waits for it; for many files and models see `rocwalk.MonitorStore`.
    """
    job = read_config(config)
    if job.state is None:
        raise _config_error("state is missing.", "name the file that keeps the state.")
    with exclusive(job.state, as_number("timeout", timeout)):
        monitor = job.resumed()
        for path in find_files(files):
            job.feed(monitor, path)
        monitor.save(job.state)
    return monitor.check()


def read_config(config: str | Path | Mapping[str, Any]) -> Job:
    """Read and check the config of a job; errors name the key."""
    if isinstance(config, Mapping):
        folder, given = Path(), dict(config)
    else:
        path = Path(config)
        folder = path.parent
        refuse_unreadable(path)
        try:
            given = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise FileError(
                f"The config {str(path)!r} is not TOML: {error}.", 'write it as key = "value".'
            ) from None
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
        form=TextFormat(**{key: given.pop(key, None) for key in _FORM}),
        options=given,
    )


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
