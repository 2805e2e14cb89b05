"""`rocwalk report`: the interactive page, and a summary on the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rocwalk.cli.asking import options_given
from rocwalk.cli.drift import drift_result, like
from rocwalk.cli.options import shared_options
from rocwalk.cli.output import Row, asked, deliver, print_seed, quietly
from rocwalk.cli.score import csv_rows, print_scores, score_study
from rocwalk.cli.terminal import plain, print_folded
from rocwalk.cli.verdict import Verdict
from rocwalk.drift.drift import Drift
from rocwalk.drift.timeline import DriftTimeline
from rocwalk.evaluate.study import Study
from rocwalk.report.report import Report


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
@click.option(
    "--reference",
    metavar="FILE",
    help="Earlier data with the same columns: the page then has a section on drift.",
)
@click.option("--time", metavar="COL", help="The column of dates: follow the models over time.")
@click.option(
    "--window",
    show_default="month",
    metavar="N|NAME",
    help="With --time: day, week, month, year, or how many rows make a window.",
)
def report(**given: Any) -> None:
    """Write one self-contained interactive page on the models in FILE..., and print a summary.

    The page opens offline in any browser; it loads nothing and sends nothing.

    \b
    Example:
      rocwalk report predictions.csv --label y --score model_a --score model_b
    """
    if given["window"] is not None and given["time"] is None:
        raise click.UsageError("--window goes with --time.")
    study, source = asked("report", given, same_rows=given["cluster"] is not None)
    scores = quietly("Measuring…", lambda _: score_study(study, level=1 - given["alpha"]))
    notes = source["notes"] + scores["notes"]
    results = source | scores | {"notes": notes, "page": str(given["output"])}
    window = given["window"] or "month"
    reference, more = _read_reference(study, given)
    page = Report(
        study,
        given["title"],
        options_given(given),
        given["seed"],
        1 - given["alpha"],
        reference,
        window=int(window) if window.isdigit() else window,
    )
    html = quietly("Drawing the page…", lambda _: page.html)
    if reference is not None:
        results |= {key: results[key] + more[key] for key in ("files", "notes")}
        results["reference"] = {key: more[key] for key in ("files", "rows_read", "rows")}
        results["drift"] = _drifts(page)
    if given["time"] is not None:
        results["timeline"] = _timelines(page)

    def show() -> None:
        print_scores(results, study, quiet=given["quiet"])
        for one in results.get("drift", ()):
            print_folded(f"{plain(one['model'])}, against the reference: {one['summary']}")
        for one in results.get("timeline", ()):
            print_folded(f"{plain(one['model'])}, over time: {one['summary']}")
        print_seed(given)
        click.echo(f"The page: {plain(given['output'])}")

    deliver(results, given, csv_rows(results), show, {given["output"]: html})


def _read_reference(study: Study, given: dict[str, Any]) -> tuple[Study | None, Row]:
    """Read the labels, scores and weights of the reference, if there is one."""
    if given["reference"] is None:
        return None, {}
    if given["class_scores"]:
        raise click.UsageError("--reference does not go together with --class-score.")
    other = {"files": (given["reference"],), "by": (), "fold": None, "cluster": None, "time": None}
    return asked("report", like(study, given) | other, file=given["reference"])


def _drifts(page: Report) -> list[Row]:
    """Return what has drifted, for each model; or why it cannot be told."""
    material = page.material
    return [
        drift_result(material.names[k], Verdict(one))
        if isinstance(one, Drift)
        else {"model": material.names[k], "verdict": None, "summary": f"not compared: {one}"}
        for k, one in material.drifts.items()
    ]


def _timelines(page: Report) -> list[Row]:
    """Return what became of each model over time; or why it cannot be told."""
    material = page.material
    return [
        {"model": name, "drifted": one.drifted, "summary": one.summary} | one._headline()  # noqa: SLF001
        if isinstance(one, DriftTimeline)
        else {"model": name, "drifted": None, "summary": f"not followed: {one}"}
        for name, one in zip(material.names, material.timelines, strict=False)
    ]
