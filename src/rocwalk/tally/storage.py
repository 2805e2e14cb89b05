"""Write tallies to files and read them back: NumPy's ``.npz``, no pickles, a schema version.

A file has a kind and one or more named parts, each a tally, so that a pair of tallies (one keyed
by score, one keyed by truth) is a file of the same schema. Each column is an array called
``part.column``; the header is JSON, and may hold settings beside the parts.

The header lists the columns of each part and has the SHA-256 of itself and of all columns, so that
a file which was damaged or lacks a column is refused. On reading, a tally must also keep the laws
that hold for every tally: `check_laws`. Files of schema version 1, which was never released, had
no checksum and are refused.
"""

from __future__ import annotations

import hashlib
import json
import math
import zipfile
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.errors import File, FileError
from rocwalk.tally.steps import step_rule
from rocwalk.tally.tally import CELL_COLUMNS, ITEM_COLUMNS, LIMBS, SPAN_COLUMNS, Tally
from rocwalk.typing import AnyArray, MassArray
from rocwalk.writing import write_aside

TALLY_SCHEMA = 2
MOST_BYTES = 2**32  # of the arrays of a file, unless a caller allows more

_BASE = ("scores", "up", "right")
_KNOWN = (*_BASE, *ITEM_COLUMNS, *SPAN_COLUMNS, *CELL_COLUMNS, "noise")
_ALL_OR_NONE = (ITEM_COLUMNS, SPAN_COLUMNS, CELL_COLUMNS)
_MOMENTS = ("up_score", "right_score")
_ROUNDING = 1e-9  # relative, of sums that were added in another order


def save_tallies(
    path: str | Path,
    kind: str,
    parts: Mapping[str, Tally],
    settings: Mapping[str, Any] | None = None,
) -> None:
    """Write the parts to `path`; a failure leaves an older file there untouched.

    `settings` are plain values for the header; floats come back bit for bit.
    """
    arrays: dict[str, Any] = {}
    described = {}
    for part, tally in parts.items():
        columns = {name: getattr(tally, name) for name in _BASE} | dict(tally.stored)
        arrays |= {f"{part}.{name}": column for name, column in columns.items()}
        described[part] = {
            "steps": tally.steps,
            "threshold": tally.threshold,
            "unit": tally.unit,
            "columns": sorted(columns),
        }
    header: dict[str, Any] = {
        "format": "rocwalk",
        "schema_version": TALLY_SCHEMA,
        "kind": kind,
        "parts": described,
    }
    if settings is not None:
        header["settings"] = dict(settings)
    header["sha256"] = _digest(header, arrays)
    text = np.array(json.dumps(header))
    write_aside(path, lambda file: np.savez(file, header=text, **arrays))


def load_tallies(
    path: str | Path, kind: str, max_bytes: int | None = MOST_BYTES
) -> dict[str, Tally]:
    """Read the parts of a file that `save_tallies` wrote."""
    return load_with_settings(path, kind, max_bytes)[0]


def load_with_settings(
    path: str | Path, kind: str, max_bytes: int | None = MOST_BYTES
) -> tuple[dict[str, Tally], dict[str, Any]]:
    """Read the parts and the settings of a file that `save_tallies` wrote.

    Whatever is wrong with the file raises FileError: damage, a missing column, values that no tally
    has, another kind or schema, or arrays of more than `max_bytes` when unpacked.
    """
    try:
        # opened here, because NumPy leaves a damaged file open
        with Path(path).open("rb") as raw, zipfile.ZipFile(raw) as packed:
            _refuse_large(packed, path, max_bytes)
            raw.seek(0)
            with np.load(raw, allow_pickle=False) as file:
                header = json.loads(str(file["header"]))
                _check_header(header, kind, path)
                arrays = {name: file[name] for name in file.files if name != "header"}
        if header.pop("sha256") != _digest(header, arrays):
            raise ValueError("the checksum is another one")
        parts = {name: _part(arrays, name, rule) for name, rule in header["parts"].items()}
        return parts, dict(header.get("settings", {}))
    except FileNotFoundError as error:
        raise absent(path) from error
    except FileError:
        raise
    except MemoryError as error:
        raise FileError(
            "does not fit into memory.", "read it on a machine with more memory.", file=str(path)
        ) from error
    except Exception as error:  # of NumPy, zipfile, zlib and json, for a file that is damaged
        raise damaged(path, kind) from error


def absent(path: str | Path) -> FileError:
    """Return the error for a file that is not there."""
    what = "There is no file ", File(str(path)), "."
    return FileError(what, "check the path.", file=str(path), subject=None)


def damaged(path: str | Path, kind: str) -> FileError:
    """Return the error for a file that does not hold what its kind should."""
    return FileError(
        f"is not a {kind.replace('_', ' ')} of rocwalk, or is damaged.",
        "load a file that save wrote, and copy it again if it was cut short.",
        file=str(path),
    )


def _digest(header: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> str:
    """Return the SHA-256 of a header and of all arrays: names, types, shapes and values."""
    found = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(arrays):
        column = arrays[name]
        found.update(f"{name} {column.dtype.str} {column.shape}".encode())
        found.update(np.ascontiguousarray(column).data)
    return found.hexdigest()


def _refuse_large(packed: zipfile.ZipFile, path: str | Path, max_bytes: int | None) -> None:
    """Raise if the members are larger than the limit when unpacked, or packed in another way."""
    members = packed.infolist()
    size = sum(member.file_size for member in members)
    if max_bytes is not None and size > max_bytes:
        raise FileError(
            f"has {size:,} bytes when unpacked, more than max_bytes={max_bytes:,}.",
            "if you trust the file, raise max_bytes=; None is no limit.",
            file=str(path),
        )
    if any(m.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for m in members):
        raise ValueError("packed in a way that NumPy does not write")
    if len({member.filename for member in members}) < len(members):
        raise ValueError("two members of one name")


def _check_header(header: Any, kind: str, path: str | Path) -> None:
    if header["format"] != "rocwalk":
        raise ValueError("not a file of rocwalk")
    version = header["schema_version"]
    if version != TALLY_SCHEMA:
        raise FileError(
            f"has schema version {version}; this rocwalk reads {TALLY_SCHEMA}.",
            "read it with the version of rocwalk that wrote it, or upgrade rocwalk.",
            file=str(path),
        )
    if header["kind"] != kind:
        raise FileError(
            f"holds a {header['kind']!r}, not a {kind!r}.",
            "load it with the class that saved it.",
            file=str(path),
        )
    if not header["parts"]:
        raise ValueError("no parts")


def _part(arrays: Mapping[str, AnyArray], part: str, rule: dict[str, Any]) -> Tally:
    """Return one tally of the file; raise ValueError unless its columns are those of a tally."""
    prefix = f"{part}."
    columns = {n.removeprefix(prefix): a for n, a in arrays.items() if n.startswith(prefix)}
    if sorted(columns) != rule["columns"]:
        raise ValueError("other columns than the header lists")
    scores, up, right = (columns.pop(name) for name in _BASE)
    tally = Tally(scores, up, right, rule["steps"], rule["threshold"], columns, rule["unit"])
    check_laws(tally)
    return tally


def check_laws(tally: Tally) -> None:
    """Raise ValueError unless these are columns that a tally can have.

    * Scores are finite and strictly decreasing; rows and their buckets do not overlap, low ≤ high.
    * Masses are finite and not negative, both counts or both not; so are the moments.
    * Σu² lies between (Σu)²/n and (Σu)², likewise Σr²; Σur lies between 0 and Σu·Σr.
    * Σu·s lies between the row's lowest and highest score times Σu, likewise Σr·s.
    """
    names = set(tally.stored)
    columns = {name: getattr(tally, name) for name in _BASE} | dict(tally.stored)

    def law(words: str, *holds: Any) -> None:
        if not all(bool(np.all(one)) for one in holds):
            raise ValueError(words)

    law("columns of a tally", names <= set(_KNOWN))
    for group in _ALL_OR_NONE:
        law("all columns of a group or none", len(names & set(group)) in (0, len(group)))
    for name, column in columns.items():
        is_limbs = name in _MOMENTS and column.ndim == 2
        law("shape", column.shape == ((len(tally), 2) if is_limbs else (len(tally),)))
        law("type", column.dtype == (np.int64 if is_limbs or name == "count" else column.dtype))
        law("type", column.dtype in (np.int64, np.float64), ~np.isnan(column))
    ends = (tally.scores, tally.highest, tally.cell_low, tally.cell_high)
    law("scores are floats", *(one.dtype == np.float64 for one in ends))
    law("scores are finite", np.isfinite(tally.scores), np.isfinite(tally.highest))
    cells = (tally.cell_low, tally.scores, tally.highest, tally.cell_high)
    for low, high in pairwise(cells):
        law("low ≤ high", low <= high)
    law("rows are apart", tally.cell_high[1:] < tally.cell_low[:-1])
    law("both counts or both not", tally.up.dtype == tally.right.dtype)
    law("masses", *(np.isfinite(mass) & (mass >= 0) for mass in (tally.up, tally.right)))
    law("counts", tally.count >= 0, float(tally.count.sum(dtype=np.float64)) < 2.0**62)
    law("masses that add", *(math.isfinite(float(m.sum())) for m in (tally.up, tally.right)))
    step_rule(tally.steps)
    law("unit", math.frexp(tally.unit)[0] == 0.5, tally.unit == 1 or not tally.is_counts)
    law("threshold", tally.threshold is None or math.isfinite(float(tally.threshold)))
    law("noise", tally.noise.dtype == np.float64, np.isfinite(tally.noise) & (tally.noise >= 0))
    if "count" in names:
        law("moments", *(columns[name] >= 0 for name in ITEM_COLUMNS))
        up, right = (mass.astype(np.float64) for mass in (tally.up, tally.right))
        some = tally.count > 0
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            for mass, squares in ((up, tally.up_squared), (right, tally.right_squared)):
                law("Σu² ≤ (Σu)²", _at_most(squares, mass * mass))
                law("(Σu)² ≤ n·Σu²", _at_most((mass * mass)[some], (tally.count * squares)[some]))
            law("Σur ≤ Σu·Σr", _at_most(tally.up_right, up * right))
    if "highest" in names:
        for mass, moment in ((tally.up, tally.up_score), (tally.right, tally.right_score)):
            law("moments are finite", np.isfinite(moment))
            size = mass * np.maximum(abs(tally.scores), abs(tally.highest))
            slack = _ROUNDING * size + tally.count / (LIMBS[0] * LIMBS[1])
            law("Σu·s in its range", moment >= mass * tally.scores - slack)
            law("Σu·s in its range", moment <= mass * tally.highest + slack)


def _at_most(low: MassArray, high: MassArray) -> AnyArray:
    """Whether low ≤ high up to rounding; products may have left the range of float64."""
    return (low <= high * (1 + _ROUNDING) + np.finfo(np.float64).tiny) | ~np.isfinite(high)
