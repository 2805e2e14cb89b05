"""What every command does with its results: collect notes, write JSON, print in a form."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from rocwalk.cli.asking import STDIN_NAME, options_given
from rocwalk.cli.terminal import console, print_csv, print_note
from rocwalk.errors import RocwalkError
from rocwalk.intake.study import Study
from rocwalk.result import SCHEMA_VERSION, strict_value
from rocwalk.version import __version__
from rocwalk.writing import write_aside

Row = dict[str, Any]
Answer = TypeVar("Answer")


@contextmanager
def busy(words: str) -> Iterator[None]:
    """Show what is going on, on stderr and only on a terminal; keep warnings for the notes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = console(stderr=True)
        if out.is_terminal:
            with out.status(words):
                yield
        else:
            yield


def quietly(words: str, work: Callable[[], Answer]) -> Answer:
    """Do some work that may take a while; files read from standard input are called so."""
    try:
        with busy(words):
            return work()
    except RocwalkError as error:
        if STDIN_NAME not in error.what:
            raise
        what = " ".join(
            "'standard input'" if STDIN_NAME in word else word for word in error.what.split(" ")
        )
        raise type(error)(what, error.hint) from error


def provenance(command: str, given: dict[str, Any], study: Study) -> Row:
    """Return where results come from: version, options, rows used and dropped, file hashes."""
    return {
        "rocwalk": __version__,
        "schema_version": SCHEMA_VERSION,
        "command": command,
        "options": options_given(given),
        "files": [{"name": name, "sha256": digest} for name, digest in study.files],
        "rows_read": study.rows_read,
        "rows": study.rows,
        "notes": list(study.notes),
    }


def deliver(results: Row, given: dict[str, Any], rows: list[Row], show: Callable[[], None]) -> None:
    """Write the JSON file if one is asked for, then print the results in the form asked for."""
    text = json.dumps(strict_value(results), indent=2, ensure_ascii=False)
    if given["json_file"] is not None:
        write_text(given["json_file"], text + "\n")
    if not given["quiet"]:
        for note in results["notes"]:
            print_note(note)
    if given["form"] == "json":
        click.echo(text)
    elif given["form"] == "csv":
        print_csv(rows)
    else:
        show()


def write_text(path: Path, text: str) -> None:
    """Write text to a file, aside first and then renamed."""
    write_aside(path, lambda file: _write(file, text.encode("utf-8")))


def _write(file: Any, content: bytes) -> None:
    file.write(content)
