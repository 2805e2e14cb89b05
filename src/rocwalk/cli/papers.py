"""`rocwalk papers`: every printed figure of the papers beside the computed one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from rocwalk.cli.options import FORMAT
from rocwalk.cli.output import quietly
from rocwalk.cli.terminal import plain, print_table
from rocwalk.papers.comparison import (
    PAPERS,
    all_figures,
    all_rows,
    to_csv,
    to_json,
    write_papers,
)
from rocwalk.papers.row import Row, text_of

_HEADERS = {
    "place": "Place",
    "what": "What",
    "printed": "Printed",
    "computed": "Computed",
    "verdict": "Agrees, or why not",
}
_SIGNS = {True: "✓", False: "✗", None: "–"}


@click.command(short_help="Every printed figure of the papers beside the computed one.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also write papers.csv, papers.json and the pictures into this folder.",
)
@FORMAT
def papers(output: Path | None, form: str) -> None:
    """Print what the papers print beside what rocwalk computes from the same data.

    ✓ agrees; ✗ differs, with the reason; – has nothing to be checked against. Nothing computed is
    stored: every number is worked out anew.

    \b
    Example:
      rocwalk papers -o papers
    """
    rows, figures = all_rows(), all_figures()
    if output is not None:
        quietly("Drawing…", lambda _: write_papers(output, rows, figures))
    if form == "json":
        click.echo(to_json(rows, figures))
    elif form == "csv":
        click.echo(to_csv(rows), nl=False)
    else:
        _print_papers(rows)
        if output is not None:
            click.echo(
                f"Written: papers.csv, papers.json, {len(figures)} pictures in {plain(output)}"
            )


def _print_papers(rows: Sequence[Row]) -> None:
    for paper in PAPERS:
        own = [row for row in rows if row.paper == paper.name]
        print_table(f"{paper.name}: {paper.title}", _HEADERS, [_shown(row) for row in own])
        click.echo(_count(own))


def _shown(row: Row) -> dict[str, str]:
    return {
        "place": row.place,
        "what": row.what,
        "printed": row.printed,
        "computed": text_of(row.computed),
        "verdict": f"{_SIGNS[row.agrees]} {row.reason}".rstrip(),
    }


def _count(rows: Sequence[Row]) -> str:
    verdicts = [row.agrees for row in rows]
    agree, differ, unprinted = (verdicts.count(verdict) for verdict in _SIGNS)
    judged = f"✓ {agree} agree   ✗ {differ} differ, with the reason"
    return f"{judged}   – {unprinted} have nothing to be checked against"
