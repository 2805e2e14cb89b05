"""What every command does with its results: collect notes, write JSON, print in a form."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from rocwalk.cli.asking import ask, options_given
from rocwalk.cli.notes import STANDARD_INPUT, naming, notes_on
from rocwalk.cli.terminal import (
    console,
    is_terminal,
    print_csv,
    print_json,
    print_line,
    print_note,
)
from rocwalk.errors import Argument, OneClassError, collecting
from rocwalk.evaluate.study import Study, read_study
from rocwalk.read.queries import noting_queries
from rocwalk.result import SCHEMA_VERSION, json_text
from rocwalk.texts import visible
from rocwalk.version import __version__
from rocwalk.writing import Writer, bytes_writer, text_writer, write_all_aside

Row = dict[str, Any]
Progress = Callable[[int, int], None]
Answer = TypeVar("Answer")


def asked(
    command: str,
    given: dict[str, Any],
    *,
    same_rows: bool = False,
    in_pairs: bool = False,
    by_tallies: bool = False,
    one_class: bool = False,
    file: str | None = None,
) -> tuple[Study, Row]:
    """Read what the options name; return the study and where its results come from.

    Data of one class are refused, unless `one_class` says that they will do. Where a command reads
    several samples, `file` is the one that errors and notes name. With `by_tallies`, tallies are
    all that the command needs, and an engine that holds the rows makes them.
    """

    def work(progress: Progress | None) -> Study:
        files, question = ask(given)
        return read_study(
            files,
            question,
            same_rows=same_rows,
            in_pairs=in_pairs,
            by_tallies=by_tallies,
            memory_limit=given["memory_limit"],
            progress=progress,
        )

    with naming(file), noting_queries() as queries:
        study = quietly("Reading…", work)
        if not one_class:
            _refuse_one_class(study)
    spooled = {STANDARD_INPUT.get(): "standard input"}
    files = tuple((spooled.get(name, name), digest) for name, digest in study.files)
    study = replace(study, files=files, notes=tuple(notes_on(study, file)))
    rows = "fetched" if study.is_in_memory else "grouped"
    asked_for = {"queries": queries, "rows_were": rows} if given["explain"] else {}
    return study, provenance(command, given, study) | asked_for


def quietly(words: str, work: Callable[[Progress | None], Answer]) -> Answer:
    """Do some work, and show a bar on stderr, only on a terminal; warnings are kept as notes.

    The work is given a function of (done, all), or None where there is no bar.
    """
    with collecting(), _bar(words) as progress:
        return work(progress)


@contextmanager
def _bar(words: str) -> Iterator[Progress | None]:
    if not is_terminal(sys.stderr):
        yield None
        return
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(visible(words), total=None)
        yield lambda done, whole: bar.update(task, completed=done, total=whole)


def _refuse_one_class(study: Study) -> None:
    """Raise if a model has no curve because there is one class only."""
    label = study.question.label
    for tally in ({} if study.models is None else study.models).values():
        for kind, mass in (("positive", tally.total_up), ("negative", tally.total_right)):
            if not mass > 0:
                raise OneClassError(
                    f"has no {kind} item among the rows used, so there is no curve and no area.",
                    ("check the labels, and which one is positive (", Argument("pos_label"), ")."),
                    column=label,
                )


def provenance(command: str, given: dict[str, Any], study: Study) -> Row:
    """Return where results come from: version, options, rows used and dropped, file hashes."""
    return {
        "rocwalk": __version__,
        "schema_version": SCHEMA_VERSION,
        "command": command,
        "options": options_given(given),
        "files": [{"name": name, "sha256": digest or None} for name, digest in study.files],
        "rows_read": study.rows_read,
        "rows": study.rows,
        "notes": list(study.notes),
    }


def deliver(
    results: Row,
    given: dict[str, Any],
    rows: list[Row],
    show: Callable[[], None],
    pages: Mapping[Path, str | bytes] | None = None,
) -> None:
    """Write the files that are asked for, all or none, then print the results in their form."""
    text = ""
    if given["json_file"] is not None or given["form"] == "json":
        text = json_text(results, indent=2)
    files = dict(pages or {})
    if given["json_file"] is not None:
        files[given["json_file"]] = text + "\n"
    writers: dict[str | Path, Writer] = {
        path: text_writer(content) if isinstance(content, str) else bytes_writer(content)
        for path, content in files.items()
    }
    write_all_aside(writers)
    if not given["quiet"]:
        for note in results["notes"]:
            print_note(note)
    if given["form"] == "json":
        print_json(text)
    elif given["form"] == "csv":
        print_csv(rows)
    else:
        show()
    if "queries" in results and given["form"] != "json":
        print_queries(results, stderr=given["form"] == "csv")


def print_queries(results: Row, *, stderr: bool) -> None:
    """Print what the engine that holds the data was asked; on stderr where stdout is data."""
    queries = results["queries"]
    if not queries:
        queries = ["-- No engine was asked: the rows were read into memory."]
    elif results["rows_were"] == "grouped":
        queries = ["-- The engine grouped the rows: sums came back, no rows.", *queries]
    else:
        queries = ["-- The rows were fetched: what was asked for needs single items.", *queries]
    for line in "\n\n".join(queries).splitlines():
        print_note(line) if stderr else print_line(line)


def print_seed(given: dict[str, Any], *, drawn: bool = True) -> None:
    """Print the seed, where something was drawn at random."""
    if drawn and not given["quiet"]:
        print_line(f"Seed: {given['seed']}")
