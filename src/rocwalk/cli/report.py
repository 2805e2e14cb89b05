"""`rocwalk report`: the interactive page, and a summary on the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rocwalk.cli.asking import ask, options_given
from rocwalk.cli.options import shared_options
from rocwalk.cli.output import deliver, provenance, quietly
from rocwalk.cli.score import csv_rows, print_scores, score_study, undefined_notes
from rocwalk.cli.terminal import plain
from rocwalk.intake.study import read_study
from rocwalk.page.report import Report


@click.command(short_help="The main job: one interactive HTML page, and a summary.")
@shared_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("report.html"),
    show_default=True,
    metavar="FILE",
    help="The page to write.",
)
@click.option("--title", default="ROC analysis", show_default=True, help="The title of the page.")
def report(**given: Any) -> None:
    """Write one self-contained interactive page on the models in FILE..., and print a summary.

    The page opens offline in any browser; it loads nothing and sends nothing.

    \b
    Example:
      rocwalk report predictions.csv --label y --score model_a --score model_b
    """
    files, question = ask(given)
    study = quietly("Reading…", lambda: read_study(files, question))
    page = Report(study, given["title"], options_given(given), given["seed"])
    quietly("Drawing the page…", lambda: page.save(given["output"]))
    results = provenance("report", given, study) | score_study(study)
    results["page"] = str(given["output"])
    results["notes"] += undefined_notes(results)

    def show() -> None:
        print_scores(results, study, quiet=given["quiet"])
        click.echo(f"The page: {plain(given['output'])} (seed {given['seed']})")

    deliver(results, given, csv_rows(results), show)
