"""What commands print: tables, notes and errors, with every name shown as plain text."""

from __future__ import annotations

import csv
import io
import math
import sys
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

_WIDTH_OFF_TERMINAL = 200
_RISKY_IN_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r")


def console(*, stderr: bool = False) -> Console:
    """Return a console that neither guesses at markup nor squeezes piped output."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else _WIDTH_OFF_TERMINAL
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False, width=width)


def plain(value: Any) -> str:
    r"""Write a name without control characters, which could drive the terminal.

    >>> print(plain("a\x1b[31mb"))
    a\x1b[31mb
    """
    text = str(value)
    return "".join(
        c if unicodedata.category(c)[0] != "C" and c not in "\u2028\u2029" else repr(c)[1:-1]
        for c in text
    )


def cell(value: Any) -> str:
    """Write a value for a table.

    >>> cell(0.123456), cell(12345), cell(None), cell(float("nan")), cell(2.0)
    ('0.1235', '12,345', '', 'undefined', '2')
    """
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return plain(value)
    if isinstance(value, int):
        return f"{value:,}"
    if math.isnan(value):
        return "undefined"
    return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.4g}"


def print_folded(text: str) -> None:
    """Print a sentence, folded to the width of the terminal."""
    click.echo(textwrap.fill(text, console().width, subsequent_indent="    "))


def print_sentences(name: Any, sentences: Sequence[str]) -> None:
    """Print what is said of something, a sentence a line."""
    for k, sentence in enumerate(sentences):
        print_folded(f"{plain(name)}: {sentence}" if k == 0 else f"  {sentence}")


def print_table(title: str, headers: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as a table; columns in which nothing stands are left out."""
    table = Table(title=Text(plain(title)), title_justify="left", title_style="bold")
    shown = {k: h for k, h in headers.items() if any(row.get(k) is not None for row in rows)}
    for key, header in shown.items():
        numeric = all(isinstance(row.get(key), int | float | None) for row in rows)
        table.add_column(Text(plain(header)), justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*(Text(cell(row.get(key))) for key in shown))
    out = console()
    unbounded = out.options.update(max_width=10_000)
    if Measurement.get(out, unbounded, table).maximum <= out.width:
        out.print(table)
    else:
        _print_upright(title, shown, rows, out)


def _print_upright(
    title: str, headers: Mapping[str, str], rows: Sequence[Mapping[str, Any]], out: Console
) -> None:
    """Print each row as lines of its own, where a table would be cut off."""
    out.print(Text(plain(title), "bold"))
    widest = max(map(len, headers.values()), default=0)
    for row in rows:
        for key, header in headers.items():
            out.print(Text(f"  {plain(header):<{widest}}  {cell(row.get(key))}"), soft_wrap=True)
        out.print()


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as CSV; text that a spreadsheet would run as a formula gets a leading quote."""
    stream = io.StringIO()
    keys = list(dict.fromkeys(key for row in rows for key in row))
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([_harmless(key) for key in keys])
    writer.writerows([_harmless(row.get(key)) for key in keys] for row in rows)
    click.echo(stream.getvalue(), nl=False)


def _harmless(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = plain(value)
    return "'" + text if text.startswith(_RISKY_IN_SPREADSHEETS) else text


def print_note(text: str) -> None:
    """Print a remark on stderr."""
    console(stderr=True).print(Text.assemble(("Note: ", "yellow"), plain(text)), soft_wrap=True)


def print_error(what: str, hint: str | None) -> None:
    """Print an error on stderr as one readable block."""
    out = console(stderr=True)
    lines = [plain(line) for line in what.splitlines()]
    out.print(Text.assemble(("Error: ", "bold red"), "\n".join(lines)), soft_wrap=True)
    if hint:
        out.print(Text.assemble(("Hint: ", "bold"), plain(hint)), soft_wrap=True)
