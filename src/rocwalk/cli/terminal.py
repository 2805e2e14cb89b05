"""What commands print: tables, notes and errors, with every name shown as plain text.

All text passes `visible`, which leaves nothing that could drive the terminal, and no text is read
as markup. All output passes `_write`: a reader of standard output that has gone is no error, any
other failure is; failures of standard error are ignored, for there is nowhere to report them.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO

from rocwalk.errors import FileError
from rocwalk.texts import visible

if TYPE_CHECKING:  # rich loads with the first table, note or error, not with the help
    from rich.console import Console
    from rich.table import Table

_WIDTH_OFF_TERMINAL = 200


@cache
def _console_class() -> type[Console]:
    from rich.console import Console

    class Collecting(Console):
        """A console on which a terminal that has gone ends nothing: the command goes on."""

        @property
        def encoding(self) -> str:
            """The encoding of the stream, also while its text is collected."""
            return _encoding(_stream(stderr=self.stderr))

        def on_broken_pipe(self) -> None:
            """Go on without a terminal."""

    return Collecting


def console(*, stderr: bool = False) -> Console:
    """Return a console that neither guesses at markup nor squeezes piped output.

    Off a terminal it is as wide as the variable COLUMNS says, and wide without it.
    """
    width = None
    if not is_terminal(_stream(stderr=stderr)):
        said = os.environ.get("COLUMNS", "")
        width = int(said) if said.isdecimal() and int(said) else _WIDTH_OFF_TERMINAL
    make = _console_class()
    return make(stderr=stderr, markup=False, emoji=False, highlight=False, width=width)


def _stream(*, stderr: bool) -> TextIO | None:
    return sys.stderr if stderr else sys.stdout


def _encoding(stream: TextIO | None) -> str:
    return (getattr(stream, "encoding", None) or "utf-8").lower()


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream, which is None if it was closed at the start, is a terminal."""
    return stream is not None and stream.isatty()


def open_output() -> None:
    """Make standard output ready: what its encoding lacks is escaped; raise if it is closed."""
    if sys.stdout is None:
        raise FileError(
            "Standard output is closed, and results are printed there.",
            "leave it open, or send it to a file or to /dev/null.",
        )
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _write(text: str, *, stderr: bool = False) -> None:
    """Write text that is safe to show; a reader that has gone is no error."""
    stream = _stream(stderr=stderr)
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        discard(stream)
        if not stderr and not isinstance(error, BrokenPipeError):
            raise FileError(
                f"Standard output could not be written: {error.strerror or error}.",
                "check that the device has room, or send the output elsewhere.",
            ) from error


def discard(stream: TextIO) -> None:
    """Let what is still to be written to a stream vanish, at the end of the process too."""
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), stream.fileno())


@contextlib.contextmanager
def _collected(*, stderr: bool = False) -> Iterator[Console]:
    """Collect what is printed on a console, then write it."""
    out, text = console(stderr=stderr), io.StringIO()
    out.file = text
    yield out
    _write(text.getvalue(), stderr=stderr)


def cell(value: Any) -> str:
    """Write a value for a table; a minus as wide as a plus.

    >>> cell(0.123456), cell(12345), cell(None), cell(float("nan")), cell(2.0), cell(-0.5)
    ('0.1235', '12,345', '', 'undefined', '2', '−0.5')
    >>> cell(float("inf"))
    '∞'
    """
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return visible(value)
    if isinstance(value, int):
        return minus(f"{value:,}")
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    whole = value.is_integer() and abs(value) < 1e15
    return minus(f"{value:,.0f}" if whole else f"{value:.4g}")


def minus(number: str) -> str:
    """Return a number with the minus sign that all numbers on the terminal have."""
    return f"−{number[1:]}" if number.startswith("-") else number


def print_heading(text: str) -> None:
    """Print a line that stands out on a terminal."""
    from rich.text import Text

    with _collected() as out:
        out.print(Text(visible(text), "bold"), soft_wrap=True)


def print_line(text: str) -> None:
    """Print a line."""
    _write(f"{visible(text)}\n")


def print_text(text: str) -> None:
    """Print text of our own, which holds no name from data, as it is."""
    _write(text)


def print_folded(text: str) -> None:
    """Print a sentence, folded to the width of the terminal."""
    width = console().width
    lines = textwrap.wrap(visible(text), width, subsequent_indent="    ")
    _write("\n".join(lines).replace("\N{NO-BREAK SPACE}", " ") + "\n")


def print_json(text: str) -> None:
    """Print JSON of `json_text`; characters that the terminal lacks are escaped."""
    encoding = _encoding(sys.stdout)
    lacking = {c for c in set(text) if not c.encode(encoding, "ignore")}
    _write(text.translate({ord(c): json.dumps(c)[1:-1] for c in lacking}) + "\n")


def print_sentences(name: Any, sentences: Sequence[str]) -> None:
    """Print the sentences on something, one a line."""
    for k, sentence in enumerate(sentences):
        print_folded(f"{visible(name)}: {sentence}" if k == 0 else f"  {sentence}")


def print_table(
    title: str,
    headers: Mapping[str, str],
    rows: Sequence[Mapping[str, Any]],
    *,
    upright: bool = False,
) -> bool:
    """Print rows as a table; columns in which nothing stands are left out.

    Where it is too wide, or with `upright`, rows stand beside each other as columns; return whether
    they do.
    """
    from rich.cells import cell_len
    from rich.text import Text

    shown = {k: h for k, h in headers.items() if any(row.get(k) is not None for row in rows)}
    names = [visible(header) for header in shown.values()]
    lines = [[cell(row.get(key)) for key in shown] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(names, *lines, strict=True)]
    with _collected() as out:
        # each column has a space on either side, and a line on its right; the first on its left too
        upright = upright or sum(widths) + 3 * len(widths) + 1 > out.width
        if upright:
            out.print(Text(visible(title), "bold"))
            out.print(Text(_upright(names, lines, out.width)), soft_wrap=True)
        else:
            numeric = [
                all(isinstance(row.get(k), int | float | None) for row in rows) for k in shown
            ]
            out.print(_table(title, names, lines, numeric))
    return upright


def _table(
    title: str, names: Sequence[str], lines: Sequence[Sequence[str]], numeric: Sequence[bool]
) -> Table:
    """Return a table with columns of numbers on the right."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(visible(title)), title_justify="left", title_style="bold")
    for name, is_numeric in zip(names, numeric, strict=True):
        table.add_column(Text(name), justify="right" if is_numeric else "left")
    for line in lines:
        table.add_row(*map(Text, line))
    return table


def _upright(names: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str:
    """Return rows as columns beside each other, as many as fit, where a table would be cut off."""
    from rich.cells import cell_len, set_cell_size

    names = [f"  {name}" for name in names]
    first = max(map(cell_len, names), default=0)
    columns, lines = list(rows), []
    while columns:
        block: list[Sequence[str]] = []
        room = width - first
        while columns and (not block or room >= 2 + max(map(cell_len, columns[0]))):
            block.append(columns.pop(0))
            room -= 2 + max(map(cell_len, block[-1]))
        widths = [max(map(cell_len, column)) for column in block]
        for name, *cells in zip(names, *block, strict=True):
            padded = (
                set_cell_size(words, width) for words, width in zip(cells, widths, strict=True)
            )
            lines.append("  ".join([set_cell_size(name, first), *padded]).rstrip())
        lines.append("")
    return "\n".join(lines)


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as CSV; text that a spreadsheet would run as a formula gets a leading quote."""
    from rocwalk.result import csv_text  # loads NumPy, which the help does not need

    _write(csv_text(rows))


def print_note(text: str) -> None:
    """Print a remark on stderr."""
    _print_on_stderr(("Note: ", "yellow"), visible(text))


def print_error(what: str, hint: str | None) -> None:
    """Print an error on stderr as one readable block."""
    lines = [visible(line) for line in what.splitlines()]
    _print_on_stderr(("Error: ", "bold red"), "\n".join(lines))
    if hint:
        _print_on_stderr(("Hint: ", "bold"), visible(hint))


def _print_on_stderr(*parts: str | tuple[str, str]) -> None:
    """Print words, of which some have a style."""
    from rich.text import Text

    with _collected(stderr=True) as out:
        out.print(Text.assemble(*parts), soft_wrap=True)
