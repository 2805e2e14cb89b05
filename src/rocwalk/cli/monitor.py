"""`rocwalk monitor`: models in use, watched from a store of predictions and labels."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import click

from rocwalk.cli.asking import FORM, options_given
from rocwalk.cli.notes import COMMAND_LINE
from rocwalk.cli.options import (
    ALPHA,
    INVALID,
    JSON_FILE,
    MARGIN,
    QUIET,
    parse_margins,
    parse_window,
    text_options,
)
from rocwalk.cli.output import Row, deliver
from rocwalk.cli.terminal import (
    print_folded,
    print_line,
    print_note,
    print_table,
    print_text,
)
from rocwalk.drift.store import MonitorStore
from rocwalk.drift.timeline import MINIMUM
from rocwalk.drift.window_numbers import NUMBERS
from rocwalk.drift.windows import MonitorStatus, MonitorWindow
from rocwalk.errors import RocwalkWarning, collecting
from rocwalk.read.addresses import is_address, shown_address
from rocwalk.read.opening import open_named
from rocwalk.read.sources import find_files
from rocwalk.read.text import TextFormat
from rocwalk.report.monitor import monitor_page
from rocwalk.report.numbers import percent, rate, signed
from rocwalk.result import SCHEMA_VERSION
from rocwalk.statistic import statistic_of
from rocwalk.version import __version__
from rocwalk.writing import TIMEOUT, text_writer, write_aside

Answer = TypeVar("Answer")

STORE = click.argument("store", metavar="STORE")
MODEL = click.option("--model", metavar="NAME", help="The model.  [default: the only one]")
TIME_LIMIT = click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    default=TIMEOUT,
    show_default=True,
    help="Seconds to wait while another process uses the store.",
)
BY = click.option(
    "--by", multiple=True, metavar="COL", help="Follow each segment separately; repeatable."
)
WINDOW = click.option(
    "--window",
    metavar="SPAN",
    help="Windows other than those of the model.",
)
_HEADERS = {
    "start": "From",
    "rows": "Rows",
    "labelled": "Labelled",
    "label_delay": "Delay, days",
    "positives": "Positives",
    **{name: statistic_of(name).heading for name in NUMBERS[:-1]},
    "log_oe": "log O/E",
    "verdict": "Verdict",
}
_FORMATS = ["table", "json", "csv", "prometheus"]


@click.group()
def monitor() -> None:
    """Watch models in use: predictions first, labels later, joined by id.

    STORE is a DuckDB file, or a PostgreSQL address (postgresql://user@host/database). Several
    processes may use it at once; each command is one transaction.

    \b
    Example:
      rocwalk monitor init store.duckdb --score p --label y --reference reference.csv
      rocwalk monitor add store.duckdb predictions-*.csv
      rocwalk monitor add store.duckdb labels-*.csv
      rocwalk monitor status store.duckdb --fail-on-drift
    """


@monitor.command(short_help="Make a store, and add a model to watch.")
@STORE
@click.option("--model", metavar="NAME", default="model", show_default=True, help="Its name.")
@click.option("--id", "id_", metavar="COL", default="id", show_default=True, help="Column of ids.")
@click.option(
    "--time", metavar="COL", default="time", show_default=True, help="Column of times: dates."
)
@click.option(
    "--score",
    metavar="COL",
    default="score",
    show_default=True,
    help="Column of scores: probabilities.",
)
@click.option(
    "--label", metavar="COL", default="label", show_default=True, help="Column of labels."
)
@click.option("--weight", metavar="COL", help="Column of weights.")
@click.option(
    "--label-time",
    metavar="COL",
    help="Column that says when a label was known.  [default: when it was added]",
)
@click.option(
    "--segment",
    "segments",
    multiple=True,
    metavar="COL",
    help="Column of segments, for --by; repeatable.",
)
@click.option(
    "--window",
    metavar="SPAN",
    default="month",
    show_default=True,
    help="hour, day, week, month, quarter, year, a span such as 7D, or a number of rows.",
)
@click.option("--reference", metavar="FILE", help="The reference: a file of scores and labels.")
@click.option(
    "--reference-from", metavar="DATE", help="In place of --reference: the start of a period."
)
@click.option(
    "--reference-to", metavar="DATE", help="With --reference-from: the first moment after it."
)
@ALPHA
@click.option(
    "--minimum",
    type=click.IntRange(min=2),
    default=MINIMUM,
    show_default=True,
    metavar="N",
    help="A window with fewer positive or negative items than this is undecidable.",
)
@click.option(
    "--minimum-coverage",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="X",
    help="A window in which a smaller share of rows has a label is undecidable.",
)
@MARGIN
@click.option("--positive", metavar="VALUE", help="The positive label, unless labels are 0 and 1.")
@click.option("--negative", metavar="VALUE", help="The negative label, with --positive.")
@INVALID
@text_options
@click.option("--replace", is_flag=True, help="Replace the settings of a model that is there.")
@TIME_LIMIT
@QUIET
def init(**given: Any) -> None:
    """Make STORE, unless it is there, and add a model to it.

    The names of the columns are kept, so that add needs files only.
    """
    start, end = given["reference_from"], given["reference_to"]
    if (start is None) != (end is None):
        raise click.UsageError("--reference-from and --reference-to go together.")
    if start is not None and given["reference"] is not None:
        raise click.UsageError("--reference does not go together with --reference-from.")
    settings = {
        "id": given["id_"],
        **{key: given[key] for key in ("time", "score", "label", "weight", "label_time")},
        **{key: given[key] for key in ("segments", "alpha", "minimum", "minimum_coverage")},
        "window": parse_window(given["window"]),
        "margin": parse_margins(given["margins"]),
        "reference_period": None if start is None else (start, end),
        "pos_label": given["positive"],
        "neg_label": given["negative"],
        "invalid": given["invalid"],
        "replace": given["replace"],
    }
    store, model = MonitorStore(given["store"], timeout=given["timeout"]), given["model"]
    with ExitStack() as stack:
        if given["reference"] is not None:
            files = stack.enter_context(open_named(given["reference"], _form(given)))
            settings["reference"] = files
        is_new = _noted(lambda: store.add_model(model, **settings, create=True), given)
    if not given["quiet"]:
        words = "is watched" if is_new else "was there already, with the same settings"
        print_line(f"{given['store']}: the model {model!r} {words}.")


@monitor.command(short_help="Add files of predictions, of labels, or of both.")
@STORE
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@MODEL
@click.option(
    "--batch", metavar="NAME", help="The name of the batch, for one file.  [default: its name]"
)
@click.option("--replace", is_flag=True, help="Replace batches of the same name.")
@INVALID
@text_options
@TIME_LIMIT
@QUIET
def add(**given: Any) -> None:
    """Add FILE... to STORE; each file is a batch and one transaction.

    A file with the column of scores has predictions, one with the column of labels has labels. The
    same file again changes nothing. Another content under the same name needs --replace.
    """
    tables = [name for name in given["files"] if is_address(name)]
    paths = find_files([name for name in given["files"] if name not in tables])
    if given["batch"] is not None and len(paths) + len(tables) > 1:
        raise click.UsageError("--batch is for one file.")
    store = MonitorStore(given["store"], timeout=given["timeout"])
    for path in (*paths, *tables):
        with open_named([path], _form(given)) as files:
            found = _noted(
                lambda files=files: store.add(  # type: ignore[misc]
                    files,
                    model=given["model"],
                    batch=given["batch"],
                    replace=given["replace"],
                    invalid=given["invalid"],
                ),
                given,
            )
        if given["quiet"]:
            continue
        done = [f"{found.rows[kind]:,} {kind} {word}" for kind, word in found.done.items()]
        waiting = f"; {found.unlabelled:,} rows have no label yet" if found.unlabelled else ""
        print_line(f"{files.batch_name}: {', '.join(done)}{waiting}.")


@monitor.command(short_help="Remove the rows of a batch.")
@STORE
@click.argument("batch", metavar="BATCH")
@MODEL
@click.option("--kind", type=click.Choice(["predictions", "labels"]), help="[default: both]")
@TIME_LIMIT
@QUIET
def withdraw(**given: Any) -> None:
    """Remove the rows of BATCH from STORE."""
    store = MonitorStore(given["store"], timeout=given["timeout"])
    rows = store.withdraw(given["batch"], kind=given["kind"], model=given["model"])
    if not given["quiet"]:
        print_line(f"{given['batch']}: {rows:,} rows withdrawn.")


@monitor.command(short_help="Acknowledge an alarm with a note.")
@STORE
@click.argument("start", metavar="START")
@click.option("--note", required=True, metavar="TEXT", help="What was found, or what was done.")
@MODEL
@click.option(
    "--segment",
    "segments",
    multiple=True,
    metavar="COL=VALUE",
    help="The segment, as with --by; repeatable.",
)
@TIME_LIMIT
@QUIET
def acknowledge(**given: Any) -> None:
    """Acknowledge the alarm of the window from START, as status shows it."""
    segments: dict[str, str | None] = {}
    for text in given["segments"]:
        column, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not COL=VALUE.", param_hint="--segment")
        segments[column] = value
    store = MonitorStore(given["store"], timeout=given["timeout"])
    store.acknowledge(given["start"], given["note"], model=given["model"], segments=segments)
    if not given["quiet"]:
        print_line(f"{given['start']}: acknowledged.")


@monitor.command(short_help="Every window with its numbers and its verdict; can fail a build.")
@STORE
@MODEL
@BY
@WINDOW
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="table",
    show_default=True,
    help="What to print.",
)
@JSON_FILE
@click.option(
    "--fail-on-drift",
    is_flag=True,
    help="Exit with 1 if an alarm is open, else with 2 if no window of a model can be decided.",
)
@TIME_LIMIT
@QUIET
def status(**given: Any) -> None:
    """Print each window of the models in STORE, with intervals and the verdict.

    Numbers have intervals at 1 − alpha of the model. An alarm is open until it is acknowledged.
    """
    found, notes = _status(given)
    flat = [one.to_row() for one in found.windows]
    results = {
        "rocwalk": __version__,
        "schema_version": SCHEMA_VERSION,
        "command": "monitor status",
        "options": options_given(given),
        "notes": notes,
        "drifted": found.drifted,
        "summary": found.summary,
        "labels_without_prediction": found.labels_without_prediction,
        "references": [
            None if one.reference is None else one.reference.to_row() for one in found.streams
        ],
        "windows": [one.to_dict() for one in found.windows],
    }

    def show() -> None:
        if given["form"] == "prometheus":
            print_text(found.to_prometheus())
            return
        for stream in found.streams:
            about = stream.reference
            rows = [_cells(one) for one in stream.windows]
            if about is not None:
                rows.insert(0, _cells(about) | {"start": "all of it"})
            print_table(stream.name, _HEADERS, rows)
            if given["quiet"]:
                continue
            print_folded(f"{stream.name}: {stream.summary}")
            for one in stream.windows:
                words = one.reason or ("" if one.drift is None else one.drift.summary)
                words = f"acknowledged: {one.note}" if one.note else words
                if one.is_open or one.note or (one.reason and one.rows):
                    print_folded(f"{stream.name}, from {one.start}, {one.verdict}: {words}")
        if found.labels_without_prediction and not given["quiet"]:
            print_line(f"{found.labels_without_prediction:,} labels wait for their predictions.")

    deliver(results, given, flat, show)
    if given["fail_on_drift"]:
        if found.drifted and given["form"] != "table" and not given["quiet"]:
            print_note(found.summary)
        undecided = any(not one.is_decidable for one in found.streams)
        raise click.exceptions.Exit(1 if found.drifted else 2 if undecided else 0)


@monitor.command(short_help="Write a page on all windows.")
@STORE
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="The page to write.",
)
@MODEL
@BY
@WINDOW
@click.option("--title", default="Models in use", show_default=True, help="The title of the page.")
@click.option(
    "--refresh",
    type=click.IntRange(min=1),
    metavar="SECONDS",
    help="Let browsers load the page again after so many seconds.",
)
@TIME_LIMIT
@QUIET
def report(**given: Any) -> None:
    """Write a page on all windows of the models in STORE.

    Run it again, for instance after each add, and the page shows what is in the store then.
    """
    found, notes = _status(given)
    page = monitor_page(
        found,
        title=given["title"],
        subtitle=f"From {shown_address(given['store'])}",
        notes=notes,
        refresh=given["refresh"],
    )
    write_aside(given["output"], text_writer(page))
    if not given["quiet"]:
        for note in notes:
            print_note(note)
        print_line(f"The page: {given['output']}")


def _status(given: Row) -> tuple[MonitorStatus, list[str]]:
    """Return the status that is asked for, and what was noticed."""
    store = MonitorStore(given["store"], timeout=given["timeout"])
    window = None if given["window"] is None else parse_window(given["window"])
    with collecting(RocwalkWarning) as noticed:
        found = store.status(model=given["model"], by=given["by"], window=window)
    return found, [_words(one) for one in noticed]


def _noted(work: Callable[[], Answer], given: Row) -> Answer:
    """Do some work, and print what it warns of as notes."""
    with collecting(RocwalkWarning) as noticed:
        done = work()
    if not given["quiet"]:
        for one in noticed:
            print_note(_words(one))
    return done


def _words(warning: RocwalkWarning) -> str:
    what, hint = warning.worded(COMMAND_LINE)
    return f"{what} Hint: {hint}" if hint else what


def _form(given: Row) -> TextFormat:
    return TextFormat(**{key: given[key] for key in FORM})


def _cells(one: MonitorWindow) -> Row:
    """Return a window as the words of a table."""
    share = "" if one.labelled == one.rows else f" ({percent(one.coverage)})"
    numbers = {}
    for name, (value, low, high) in one.numbers.items():
        write = signed if name == "log_oe" else rate
        ends = "" if math.isnan(low + high) else f" ({write(low, 3)}, {write(high, 3)})"
        numbers[name] = None if math.isnan(value) else f"{write(value, 3)}{ends}"
    return {
        "start": one.start,
        "rows": one.rows,
        "labelled": f"{one.labelled:,}{share}",
        "label_delay": None if math.isnan(one.label_delay) else round(one.label_delay, 1),
        "positives": one.positives,
        **numbers,
        "verdict": f"{one.verdict} (noted)" if one.drifted and not one.is_open else one.verdict,
    }
