"""`rocwalk table`: tables and check-lists for a paper, in the format of the file's ending."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rocwalk.cli.options import (
    Subcommands,
    parse_rule,
    refuse_hidden,
    refusing,
    rule_options,
    shared_options,
)
from rocwalk.cli.output import Row, asked, deliver, quietly
from rocwalk.cli.terminal import print_folded, print_line, print_table
from rocwalk.publish.formats import ending
from rocwalk.publish.table import ENDINGS, PaperTable, table_of
from rocwalk.report.findings import Findings

_UNUSED = ("fold", "class_scores", "raters")
_KINDS = {
    "accuracy": "Counts and accuracy of the models in FILE... at a threshold, after STARD.",
    "comparison": "Models in FILE... beside each other, and their differences from the first.",
    "subgroups": "AUC, sensitivity and specificity in each subgroup of --by.",
    "stard": "The check-list of STARD 2015, filled where the data can fill it.",
    "tripod": "The check-list of TRIPOD+AI, filled where the data can fill it.",
}


@click.group(cls=Subcommands)
def table() -> None:
    """Make a table or a check-list for a paper.

    \b
    Examples:
      rocwalk table accuracy predictions.csv --label y --score a --threshold 0.4 -o table2.docx
      rocwalk table subgroups predictions.csv --label y --score a --by sex -o table3.tex
      rocwalk table stard predictions.csv --label y --score a -o stard.docx
    """


def _of_kind(kind: str, words: str) -> click.Command:
    """Return the command that makes one kind of table."""

    @table.command(kind, help=words)
    @shared_options
    @click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Also write the table; its ending says what: .md, .tex, .html, .docx or .csv.",
    )
    @rule_options
    def make(**given: Any) -> None:
        refuse_hidden(given)
        if given["output"] is not None:
            ending(given["output"], ENDINGS, "a table")
        if kind == "subgroups" and not given["by"]:
            raise click.UsageError("Name the column of the subgroups with --by.")
        rule = parse_rule(given)
        study, source = asked(f"table {kind}", given, same_rows=kind == "comparison", in_pairs=True)
        findings = Findings(study, 1 - given["alpha"], given["seed"], rule=rule)
        made = quietly("Measuring…", lambda _: table_of(findings, kind))
        _deliver(made, source, given)

    return make


for _kind, _words in _KINDS.items():
    hidden = _UNUSED if _kind in ("subgroups", "stard", "tripod") else (*_UNUSED, "by")
    refusing(*hidden)(_of_kind(_kind, _words))


def _deliver(made: PaperTable, source: Row, given: dict[str, Any]) -> None:
    """Write the table, if it has a file, and print it."""
    files = {} if given["output"] is None else {given["output"]: made.encoded(given["output"])}
    said: Row = {"kind": made.kind, "title": made.title, "headers": list(made.headers)}
    said |= {"rows": [list(row) for row in made.rows], "notes": list(made.notes)}
    said |= {"methods": made.methods().text}
    rows = [dict(zip(made.headers, row, strict=True)) for row in made.rows]

    def show() -> None:
        headers = {str(place): name for place, name in enumerate(made.headers)}
        cells: list[Row] = [{str(k): cell for k, cell in enumerate(row)} for row in made.rows]
        print_table(made.title, headers, cells)
        if not given["quiet"]:
            for note in made.notes:
                print_folded(note)
            print_folded(f"Methods: {made.methods().text}")
        if given["output"] is not None:
            print_line(f"The table: {given['output']}")

    deliver(source | {"table": said}, given, rows, show, files)
