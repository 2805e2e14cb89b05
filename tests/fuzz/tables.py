"""Tables in files: rows as plain values, written in some format, then perhaps broken.

As long as nothing is broken, what the columns mean stays known: labels, scores and weights as
numbers. A table that is written in an odd but valid way must give the right number or be refused.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from fuzz.columns import SCORES, WEIGHTS, Sample
from fuzz.draw import Draw

ROLES = ("label", "a", "b", "weight", "group", "fold", "cluster", "time", "r1", "r2", "r3")

# hostile names of columns and values: what drives terminals, ends markup, breaks pages and formats
NAMES = (
    "\x1b[2J", "\x1b]0;owned\x07", "\x9b2J", "[/red]", "[red]x", "a\x08b", "a\rb", "a\nb", "a\u202eb",
    "a\u200bb", "a\u2028b", "\x01\x7f", "</script><script>x", "<img src=x onerror=x>", "{{7*7}}",
    "${x}", "'", '"', "`", "a,b", "a;b", "a\tb", "=1+1", "--label", "-", " a ", "ä", "名", "%s", "\\",
    "a" * 300, "NULL", "nan", "1", "true", ".*", "a.b", "a[0]", "index", "y_true", "literal", "😀",
)  # fmt: skip


@dataclass(frozen=True)
class Table:
    """Columns by name, what they are for, and what they mean if that is known."""

    names: dict[str, str]
    columns: dict[str, list[Any]]
    positive: Any
    negative: Any
    kind: str
    sample: Sample
    other_scores: np.ndarray


def draw_table(draw: Draw, like: Table | None = None) -> Table:
    """Draw a table with a column for every role; with names and labels like those of another."""
    n = draw.rarely(draw.whole(20, 60), (1, 2, 3, 8, 150))
    positive = draw.rng.random(n) < draw.rarely(0.4, (0.0, 0.1, 0.9, 1.0), 0.1)
    kind = like.kind if like else draw.rarely("probabilities", SCORES, 0.4)
    scores = np.asarray(SCORES[kind](draw.rng, positive), dtype=np.float64)
    weights = WEIGHTS[draw.pick([k for k in WEIGHTS if k != "none"])](draw.rng, n)
    other = np.clip(np.round(0.1 * positive + draw.rng.random(n) * 0.9, 3), 0, 1)
    yes, no = draw.rarely((1, 0), (("yes", "no"), (True, False), (2, 1), ("1", "b"), *_ODD_LABELS))
    if like is not None:
        names, yes, no = like.names, like.positive, like.negative
    else:
        names = {role: role for role in ROLES}
        for role in draw.some(ROLES, 3):
            name = draw.rarely(role, NAMES, 0.6)
            if name not in names.values():
                names[role] = name
    votes = draw.rng.random((3, n)) < 0.2 + 0.6 * positive
    days = draw.rng.integers(0, 120, n)
    columns: dict[str, list[Any]] = {
        "label": [yes if one else no for one in positive],
        "a": scores.tolist(),
        "b": other.tolist(),
        "weight": weights.tolist(),
        "group": [draw.pick(_GROUPS) for _ in range(n)] if draw.chance(0.3) else ["x", "y"] * n,
        "fold": [k % 3 for k in range(n)],
        "cluster": draw.rng.integers(0, 1 + n // 3, n).tolist(),
        "time": [str(np.datetime64("2026-01-01") + int(day)) for day in days],
        **{f"r{k + 1}": [int(vote) for vote in votes[k]] for k in range(3)},
    }
    columns["group"] = columns["group"][:n]
    return Table(names, columns, yes, no, kind, Sample(positive, scores, weights), other)


_ODD_LABELS = (("\x1b[31m", "[/red]"), ("<b>", "é"), (" yes", "no"))
_GROUPS = ("x", "y", "\x1b[2J", "[/red]", "<script>", "a,b", "NA", 'q"', "z\nz")


# -- formats ---------------------------------------------------------------------------------------


def _separated(draw: Draw, table: Table, separator: str) -> tuple[bytes, dict[str, Any]]:
    """Write separated text, in some notation of numbers, quoting, line ending and encoding."""
    decimal = draw.rarely(".", (",",), 0.15)
    thousands = draw.rarely("", (",", ".", " ", "'"), 0.1)
    ending = draw.rarely("\n", ("\r\n", "\r", "mixed"))
    quoting = draw.rarely(csv.QUOTE_MINIMAL, (csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC))

    def text(value: Any) -> Any:
        if not isinstance(value, float):
            return value
        if thousands and 1000 <= abs(value) < 1e15 and value == round(value):
            return f"{int(value):,}".replace(",", thousands)
        return repr(value).replace(".", decimal)

    stream = io.StringIO()
    writer = csv.writer(
        stream,
        delimiter=separator,
        lineterminator="\n" if ending == "mixed" else ending,
        quoting=quoting,
    )
    writer.writerow([table.names[role] for role in table.columns])
    rows = zip(*table.columns.values(), strict=True)
    writer.writerows([text(value) for value in row] for row in rows)
    written = stream.getvalue()
    if ending == "mixed":
        lines = written.split("\n")
        written = "".join(one + draw.pick(("\n", "\r\n")) for one in lines[:-1])
    encoding = draw.rarely("utf-8", ("utf-8-sig", "utf-16", "cp1252", "latin-1"), 0.1)
    content = written.encode(encoding, "replace")
    told = {}
    if draw.chance(0.5):
        told = {"--encoding": encoding} if encoding != "utf-8" else {}
        told |= {"--thousands": thousands} if thousands else {}
        told |= {"--decimal": decimal} if decimal != "." else {}
    return content, told


def _json_lines(draw: Draw, table: Table) -> bytes:
    names = [table.names[role] for role in table.columns]
    rows = zip(*table.columns.values(), strict=True)
    plain = draw.chance(0.5)
    return b"".join(
        json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=plain).encode() + b"\n"
        for row in rows
    )


def _parquet(draw: Draw, table: Table) -> bytes:
    columns = {}
    for role, values in table.columns.items():
        is_float = bool(values) and isinstance(values[0], float)
        kind = draw.rarely(
            None, (pa.float64(), pa.large_string(), pa.dictionary(pa.int32(), pa.string()))
        )
        try:
            columns[table.names[role]] = pa.array(values, kind if not is_float else None)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            columns[table.names[role]] = pa.array(values)
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream, row_group_size=draw.pick((1, 7, 1000)))
    return stream.getvalue()


def write_table(draw: Draw, table: Table) -> tuple[str, bytes, dict[str, Any]]:
    """Write a table in some format; return the ending of its name, its bytes, and options."""
    ending = draw.pick((".csv", ".csv", ".csv", ".tsv", ".txt", ".jsonl", ".parquet"))
    told: dict[str, Any] = {}
    if ending == ".parquet":
        return ending, _parquet(draw, table), told
    if ending == ".jsonl":
        content = _json_lines(draw, table)
    else:
        separator = "\t" if ending == ".tsv" else draw.rarely(",", (";", "|", "\t"))
        content, told = _separated(draw, table, separator)
    if draw.chance(0.1):
        return f"{ending}.gz", gzip.compress(content), told
    return ending, content, told


# -- what may be wrong -----------------------------------------------------------------------------


def odd_values(draw: Draw, table: Table) -> None:
    """Put values that do not belong there into some columns."""
    for role in draw.some(table.columns, 2):
        column = table.columns[role]
        for _ in range(draw.whole(1, 3)):
            column[draw.whole(0, len(column) - 1)] = draw.pick(_ODD)


_ODD = (
    None, "", "NA", "nan", "inf", "-inf", "x", "1,000", "1.000,5", "0_5", "٣", "1e999", "0x10", "--",
    "=1+1", "\x1b[2J", "[/red]", '"', "'", "\x00", "1e-400", "-0", "+1", " 0.5 ", "½", "²", 2, -1, 1e300,
    10**30, True, float("nan"), float("inf"), "a" * 5000, "2026-02-30", "now", "today", [1], {"a": 1},
)  # fmt: skip


def _cut(draw: Draw, content: bytes) -> bytes:
    return content[: draw.whole(0, len(content))]


def _flip(draw: Draw, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(draw.whole(1, 5)):
        changed[draw.whole(0, len(changed) - 1)] = draw.whole(0, 255)
    return bytes(changed)


def _insert(draw: Draw, content: bytes) -> bytes:
    place = draw.whole(0, len(content))
    return content[:place] + draw.pick(_BYTES) + content[place:]


_BYTES = (
    b'"', b"\x00", b"\xff\xfe", b"\n", b"\r", b",,,,", b'""', b'a"b', b"\xef\xbb\xbf", b"\n\n\n", b"\\",
    b"\x1b[2J", b"[" * 2000, b"{", b"\x1a", b"\xc3\x28", b"x" * 200_000, b'"' + b"y" * 140_000,
)  # fmt: skip


def _drop_line(draw: Draw, content: bytes) -> bytes:
    lines = content.split(b"\n")
    del lines[draw.whole(0, len(lines) - 1)]
    return b"\n".join(lines)


def _double(draw: Draw, content: bytes) -> bytes:
    return content + content


def _double_header(draw: Draw, content: bytes) -> bytes:
    head, _, rest = content.partition(b"\n")
    return head + b"," + head + b"\n" + rest


def _ragged(draw: Draw, content: bytes) -> bytes:
    lines = content.split(b"\n")
    k = draw.whole(0, len(lines) - 1)
    lines[k] = lines[k].replace(b",", b"", 1) if draw.chance(0.5) else lines[k] + b",7"
    return b"\n".join(lines)


def _other(draw: Draw, content: bytes) -> bytes:
    return draw.pick(
        (b"", b"\n", b"PAR1", b"PAR1PAR1", b"{}", b"[]", b"null\n", b"\x1f\x8b\x08", b"y,a\n")
    )


BREAKS: dict[str, Callable[[Draw, bytes], bytes]] = {
    "cut short": _cut,
    "bytes changed": _flip,
    "bytes inserted": _insert,
    "a line missing": _drop_line,
    "written twice": _double,
    "header twice": _double_header,
    "ragged": _ragged,
    "another content": _other,
}
