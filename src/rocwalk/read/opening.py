"""One way in: whatever a user names as data is opened here, and read by what `Opened` can do.

Files and folders are read by `files`, DuckDB and SQLite files and Arrow's streams by `duck_tables`,
Delta and Iceberg tables by `lakes`, buckets and links by `remote`, PostgreSQL by `postgres`.
Dataframes, lazy ones too, are open already: narwhals knows them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from rocwalk.errors import File, FileError, Option, OptionError
from rocwalk.read.addresses import (
    POSTGRESQL,
    STORES,
    WEB,
    DataSource,
    scheme_of,
    shown_address,
    source,
)
from rocwalk.read.copies import SHEETS
from rocwalk.read.files import open_paths
from rocwalk.read.frames import Opened, is_arrow_dataset, is_arrow_stream, is_files
from rocwalk.read.sources import ending
from rocwalk.read.text import FOUND, TextFormat

DATABASES = (".duckdb", ".ddb", ".db", ".db3", ".sqlite", ".sqlite3")
_SCHEMES = (*POSTGRESQL, *STORES, *WEB, "file")


@contextmanager
def opened(data: Any, form: TextFormat = FOUND) -> Iterator[Any]:
    """Give data open, so that all that is read of them looks into each file once.

    Dataframes, dicts of columns and what is open are given as they are.
    """
    if isinstance(data, Opened):
        yield data
        return
    if is_files(data):
        with open_named(data, form) as known:
            yield known
        return
    if form.given:
        hint = "leave it out, or pass the path of a file."
        raise OptionError((form.given[0], " is for files, and the data are none."), hint)
    if is_arrow_dataset(data) or is_arrow_stream(data):
        from rocwalk.read.duck_tables import open_dataset, open_stream

        with (open_dataset if is_arrow_dataset(data) else open_stream)(data) as known:
            yield known
        return
    yield data


@contextmanager
def open_named(data: Any, form: TextFormat = FOUND) -> Iterator[Opened]:
    """Open paths, patterns, folders, addresses or tables of databases, or what is open already."""
    if isinstance(data, Opened):
        yield data
        return
    named = [_named(one) for one in (data if isinstance(data, list | tuple) else [data])]
    kinds = [_kind(one) for one in named]
    if len(named) > 1:
        for one, kind in zip(named, kinds, strict=True):
            if kind not in ("files", "remote"):
                shown = File(shown_address(one.address))
                raise FileError(
                    (shown, " is a table of its own and cannot be read together with others."),
                    "name it alone, or join the tables first.",
                )
        if len(set(kinds)) > 1:
            raise FileError(
                "Some of the files are on this machine, others are not.",
                "read one or the other, or copy them to one place.",
            )
    first, kind = named[0], kinds[0]
    if kind != "files":
        if kind != "remote" and form.given:
            shown = File(shown_address(first.address))
            text = (form.given[0], " is for separated text, which ", shown, " is not.")
            raise OptionError(text, "leave it out.")
        with _open_table(kind, named, form) as table:
            yield table
        return
    _refuse_query(first)
    paths = [one.address for one in named]
    with open_paths(paths, form, first.table) as files:
        yield files


def _named(given: Any) -> DataSource:
    """Return what is named by a path, an address, or a source."""
    if isinstance(given, DataSource):
        return given
    text = os.fsdecode(given)
    if scheme_of(text) == "file":
        text = unquote(urlsplit(text).path)
    return source(text) if text else DataSource(text)


def _kind(given: DataSource) -> str:
    """Return who opens what is named."""
    scheme = scheme_of(given.address)
    if scheme == POSTGRESQL[0]:
        return "postgresql"
    if scheme in STORES or scheme in WEB:
        return "remote"
    if scheme:
        raise FileError(
            (File(shown_address(given.address)), f" begins with {scheme}://, which is not known."),
            f"addresses begin with {', '.join(f'{one}://' for one in _SCHEMES)}; other databases "
            "are read as a table of Ibis.",
        )
    path = Path(given.address).expanduser()
    if os.path.isdir(path):  # noqa: PTH112  # of any length
        return kind_of_folder(path)
    if path.name.endswith(".metadata.json"):
        return "iceberg"
    if path.suffix.lower() in DATABASES and "*" not in path.name:
        return "database"
    return "files"


def kind_of_folder(path: Path) -> str:
    """Return what a folder is: a Delta table, an Iceberg table, or a place of files.

    The Parquet files of such tables are not all of their present state, so they are not read as
    files.
    """
    if (path / "_delta_log").is_dir():
        return "delta"
    if next((path / "metadata").glob("*.metadata.json"), None) is not None:
        return "iceberg"
    return "files"


def _refuse_query(given: DataSource) -> None:
    """Raise for a query, or a table, of something that has none."""
    if given.query is not None:
        raise OptionError(
            ("is for databases, and ", File(given.address), " is none."),
            "leave it out.",
            option="query",
            value=given.query,
        )
    if given.table is not None and ending(Path(given.address)) not in SHEETS:
        raise OptionError(
            ("is for databases and workbooks, and ", File(given.address), " is neither."),
            ("leave ", Option("table"), " out."),
            option="table",
            value=given.table,
        )


@contextmanager
def _open_table(kind: str, named: Sequence[DataSource], form: TextFormat) -> Iterator[Opened]:
    """Open what is no file of its own on this machine; each kind loads what it needs."""
    given, path = named[0], Path(named[0].address).expanduser()
    if kind == "remote":
        from rocwalk.read.remote import open_remote

        found: Any = open_remote(named, form)
    elif kind == "postgresql":
        from rocwalk.read.postgres import open_postgres

        found = open_postgres(given)
    elif kind == "database":
        from rocwalk.read.duck_tables import open_database_file

        found = open_database_file(given)
    else:
        from rocwalk.read.lakes import open_delta, open_iceberg

        _refuse_query(given)
        found = (open_delta if kind == "delta" else open_iceberg)(path)
    with found as table:
        yield table
