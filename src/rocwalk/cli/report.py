"""`rocwalk report`: the interactive page, and a summary on the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rocwalk.cli.asking import options_given
from rocwalk.cli.options import shared_options
from rocwalk.cli.output import asked, deliver, print_seed, quietly
from rocwalk.cli.score import csv_rows, fold_notes, print_scores, score_study
from rocwalk.cli.terminal import plain
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
    study, source = asked("report", given, same_rows=given["cluster"] is not None)
    scores = quietly("Measuring…", lambda _: score_study(study, level=1 - given["alpha"]))
    results = source | scores | {"page": str(given["output"])}
    results["notes"] += fold_notes(results)
    page = Report(study, given["title"], options_given(given), given["seed"], 1 - given["alpha"])
    html = quietly("Drawing the page…", lambda _: page.html)

    def show() -> None:
        print_scores(results, study, quiet=given["quiet"])
        print_seed(given)
        click.echo(f"The page: {plain(given['output'])}")

    deliver(results, given, csv_rows(results), show, {given["output"]: html})
