"""`rocwalk papers`: every printed figure of the papers beside the computed one."""

from __future__ import annotations

from pathlib import Path

import click

from rocwalk.cli.options import FORMAT
from rocwalk.cli.output import quietly
from rocwalk.cli.terminal import print_json, print_line, print_table, print_text
from rocwalk.papers.comparison import (
    PAPERS,
    all_figures,
    all_rows,
    counts_of,
    to_csv,
    to_json,
    write_papers,
)
from rocwalk.papers.row import text_of
from rocwalk.report.papers import papers_page
from rocwalk.writing import text_writer, write_aside

_HEADERS = {
    "place": "Place",
    "what": "What",
    "printed": "Printed",
    "computed": "Computed",
    "verdict": "Agrees, or why not",
}


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Also write one page, where the name ends in .html; else papers.csv, papers.json and the "
    "pictures into this folder.",
)
@FORMAT
def papers(output: Path | None, form: str) -> None:
    """Print what the papers print beside what rocwalk computes from the same data.

    ✓ agrees; ✗ differs, with the reason; – has nothing to be checked against. Nothing computed is
    stored: every number is worked out anew.

    \b
    Examples:
      rocwalk papers -o papers.html
      rocwalk papers -o papers
    """
    rows, figures = all_rows(), all_figures()
    written = ""
    if output is not None and output.suffix.lower() in {".html", ".htm"} and not output.is_dir():
        page = quietly("Drawing…", lambda _: papers_page(rows, figures))
        write_aside(output, text_writer(page))
        written = f"The page: {output}"
    elif output is not None:
        folder = output
        quietly("Drawing…", lambda _: write_papers(folder, rows, figures))
        written = f"Written: papers.csv, papers.json, {len(figures)} pictures in {output}"
    if form == "json":
        print_json(to_json(rows, figures))
    elif form == "csv":
        print_text(to_csv(rows))
    else:
        for paper in PAPERS:
            own = [row for row in rows if row.paper == paper.name]
            shown = [
                {
                    "place": row.place,
                    "what": row.what,
                    "printed": row.printed,
                    "computed": text_of(row.computed),
                    "verdict": f"{row.sign} {row.reason}".rstrip(),
                }
                for row in own
            ]
            print_table(f"{paper.name}: {paper.title}", _HEADERS, shown)
            agree, differ, unchecked = counts_of(own).values()
            print_line(
                f"✓ {agree} agree   ✗ {differ} differ, with the reason   "
                f"– {unchecked} have nothing to be checked against"
            )
        if written:
            print_line(written)
