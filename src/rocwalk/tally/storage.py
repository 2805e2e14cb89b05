"""Write tallies to files and read them back: NumPy's ``.npz``, no pickles, a schema version.

A file has a kind and one or more named parts, each a tally, so that a pair of tallies (one keyed
by score, one keyed by truth) is a file of the same schema. Each column is an array called
``part.column``; the header is JSON, and may hold settings beside the parts.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.errors import FileError
from rocwalk.tally.steps import step_rule
from rocwalk.tally.tally import CELL_COLUMNS, ITEM_COLUMNS, SPAN_COLUMNS, Tally
from rocwalk.writing import write_aside

TALLY_SCHEMA = 1

_BASE = ("scores", "up", "right")
_KNOWN = (*_BASE, *ITEM_COLUMNS, *SPAN_COLUMNS, *CELL_COLUMNS)

# the errors of NumPy, zipfile and json for a file that is damaged or of another kind
_DAMAGES = (
    AttributeError,
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


def save_tallies(
    path: str | Path,
    kind: str,
    parts: Mapping[str, Tally],
    settings: Mapping[str, Any] | None = None,
) -> None:
    """Write the parts to `path`; a failure leaves an older file there untouched.

    `settings` are plain values for the header; floats come back bit for bit.
    """
    header: dict[str, Any] = {
        "format": "rocwalk",
        "schema_version": TALLY_SCHEMA,
        "kind": kind,
        "parts": {n: {"steps": t.steps, "threshold": t.threshold} for n, t in parts.items()},
    }
    if settings is not None:
        header["settings"] = dict(settings)
    arrays: dict[str, Any] = {}
    for part, tally in parts.items():
        base = {name: getattr(tally, name) for name in _BASE}
        arrays |= {f"{part}.{name}": column for name, column in (base | dict(tally.stored)).items()}
    described = np.array(json.dumps(header))
    write_aside(path, lambda file: np.savez(file, header=described, **arrays))


def load_tallies(path: str | Path, kind: str) -> dict[str, Tally]:
    """Read the parts of a file that `save_tallies` wrote."""
    return load_with_settings(path, kind)[0]


def load_with_settings(path: str | Path, kind: str) -> tuple[dict[str, Tally], dict[str, Any]]:
    """Read the parts and the settings of a file that `save_tallies` wrote."""
    try:
        # opened here, because NumPy leaves a damaged file open
        with Path(path).open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            header = json.loads(str(file["header"]))
            _check_header(header, kind, path)
            parts = {name: _part(file, name, rule) for name, rule in header["parts"].items()}
            return parts, dict(header.get("settings", {}))
    except FileNotFoundError as error:
        raise FileError(f"There is no file {str(path)!r}.", "check the path.") from error
    except (*_DAMAGES, zipfile.BadZipFile) as error:
        if isinstance(error, FileError):
            raise
        raise damaged(path, kind) from error


def damaged(path: str | Path, kind: str) -> FileError:
    """Return the error for a file that does not hold what its kind should."""
    return FileError(
        f"{str(path)!r} is not a {kind.replace('_', ' ')} of rocwalk, or is damaged.",
        "load a file that save wrote, and copy it again if it was cut short.",
    )


def _check_header(header: Any, kind: str, path: str | Path) -> None:
    if header["format"] != "rocwalk":
        raise ValueError("not a file of rocwalk")
    version = header["schema_version"]
    if version != TALLY_SCHEMA:
        raise FileError(
            f"{str(path)!r} has schema version {version}; this rocwalk reads {TALLY_SCHEMA}.",
            "read it with the version of rocwalk that wrote it, or upgrade rocwalk.",
        )
    if header["kind"] != kind:
        raise FileError(
            f"{str(path)!r} holds a {header['kind']!r}, not a {kind!r}.",
            "load it with the class that saved it.",
        )
    if not header["parts"]:
        raise ValueError("no parts")


def _part(file: Any, part: str, rule: dict[str, Any]) -> Tally:
    """Return one tally of the file; raise ValueError unless its columns are those of a tally."""
    prefix = f"{part}."
    columns = {n.removeprefix(prefix): file[n] for n in file.files if n.startswith(prefix)}
    scores, up, right = (columns[name] for name in _BASE)
    is_sound = (
        set(columns) <= set(_KNOWN)
        and all(len(column) == len(scores) for column in columns.values())
        and all(column.dtype.kind in "if" for column in columns.values())
        and scores.dtype == np.float64
        and bool(np.isfinite(scores).all() and (np.diff(scores) < 0).all())
        and all(bool(np.isfinite(mass).all() and (mass >= 0).all()) for mass in (up, right))
    )
    if not is_sound:
        raise ValueError("columns that no tally has")
    step_rule(rule["steps"])
    base = {name: columns.pop(name) for name in _BASE}
    return Tally(**base, steps=rule["steps"], threshold=rule["threshold"], stored=columns)
