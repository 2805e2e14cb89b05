"""Write the comparison down: papers.csv, papers.json and the pictures."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rocwalk.errors import FileError
from rocwalk.papers.figure import Figure
from rocwalk.papers.row import Row, text_of
from rocwalk.plot import write_png
from rocwalk.result import SCHEMA_VERSION, strict_value
from rocwalk.version import __version__
from rocwalk.writing import text_writer, write_aside


def write_papers(
    directory: str | Path, rows: Sequence[Row], figures: Sequence[Figure]
) -> list[Path]:
    """Write the table as CSV and JSON, and every figure as PNG; return the files.

    The directory is made if it is missing. Each file is written aside and renamed, so that a
    failure leaves the old one as it was.
    """
    target = _made(Path(directory))
    texts = {"papers.csv": to_csv(rows), "papers.json": to_json(rows, figures) + "\n"}
    for name, text in texts.items():
        write_aside(target / name, text_writer(text))
    for figure in figures:
        write_aside(target / figure.file_name, partial(write_png, figure.draw(None)))
    return [target / name for name in (*texts, *(figure.file_name for figure in figures))]


def to_csv(rows: Sequence[Row]) -> str:
    """Return the rows as CSV; numbers at full precision, several numbers as text."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, Row.__slots__, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        row.to_dict() | ({"computed": text_of(row.computed)} if _is_several(row) else {})
        for row in rows
    )
    return stream.getvalue()


def to_json(rows: Sequence[Row], figures: Sequence[Figure]) -> str:
    """Return rows and figures as strict JSON, with the version that computed them."""
    content = {
        "rocwalk": __version__,
        "schema_version": SCHEMA_VERSION,
        "rows": [row.to_dict() for row in rows],
        "figures": [
            {"paper": f.paper, "name": f.name, "caption": f.caption, "file": f.file_name}
            for f in figures
        ],
    }
    return json.dumps(strict_value(content), indent=2, ensure_ascii=False, allow_nan=False)


def _is_several(row: Row) -> bool:
    return isinstance(row.computed, tuple)


def _made(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            f"The folder {str(directory)!r} could not be made: {error.strerror or error}.",
            "name a folder that you may write to, and that is not a file.",
        ) from error
    return directory
