"""`rocwalk drift`: a later sample against a reference, for people and for CI."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from rocwalk.cli.asking import options_given
from rocwalk.cli.options import shared_but_files
from rocwalk.cli.output import Progress, Row, asked, deliver, print_seed, quietly
from rocwalk.cli.terminal import plain, print_folded, print_table
from rocwalk.front.drift import drift as find_drift
from rocwalk.intake.study import Study
from rocwalk.page.numbers import p_text, signed
from rocwalk.page.report import Report
from rocwalk.uncertainty.drift import Drift

_HEADERS = {
    "words": "Number",
    "reference": "Reference",
    "current": "Current",
    "difference": "Difference",
    "p_value": "p",
    "adjusted_p_value": "Adjusted p",
    "at": "At",
}
_UNUSED = ("by", "fold", "cluster", "class_scores")
_SECTIONS = ("summary", "drift", "sensibility", "calibration", "distributions", "provenance")


@click.command(short_help="Sensibility analysis between two samples; can fail a build.")
@shared_but_files
@click.argument("reference", metavar="REFERENCE")
@click.argument("current", metavar="CURRENT")
@click.option("--fail-on-drift", is_flag=True, help="Exit with 1 if any model has drifted; for CI.")
@click.option(
    "--method",
    type=click.Choice(["analytic", "bootstrap"]),
    default="analytic",
    show_default=True,
    help="How intervals and p-values are found.",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=2),
    default=2000,
    show_default=True,
    help="Replicates of a bootstrap.",
)
@click.option(
    "--fixed-reference", is_flag=True, help="Take the reference as it is, without spread."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write an interactive page on the drift.",
)
def drift(**given: Any) -> None:
    """Say whether the ranking or the probabilities of a model have drifted.

    REFERENCE and CURRENT are files of labels and probabilities with the same columns. The verdict
    rests on AUC, midpoint and struggle ratio, adjusted for three tests at --alpha (Holm).

    \b
    Example:
      rocwalk drift reference.csv today.csv --label y --score model --fail-on-drift
    """
    _refuse_unused(given)
    study, source = _read(given["reference"], given)
    later, more = _read(given["current"], like(study, given))
    source = source | {key: source[key] + more[key] for key in ("files", "notes", "rows_read")}
    source["rows"] = {"reference": study.rows, "current": later.rows}
    found = _found(study, later, given)
    results = source | {"models": [drift_result(name, one) for name, one in found.items()]}
    pages = {}
    if given["output"] is not None:
        results["page"] = str(given["output"])
        pages[given["output"]] = _page(study, later, found, given)
    rows = [{"model": name} | row for name, one in found.items() for row in _rows(one)]

    def show() -> None:
        for name, one in found.items():
            print_table(f"{name}: {one.verdict}", _HEADERS, [_written(row) for row in _rows(one)])
            if not given["quiet"]:
                print_folded(f"{plain(name)}: {one.summary}")
        print_seed(given)
        if pages:
            click.echo(f"The page: {plain(given['output'])}")

    try:
        deliver(results, given, rows, show, pages)
    except BrokenPipeError:  # whoever reads has gone; the exit code still counts
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if given["fail_on_drift"]:
        _fail_on(found)


def _refuse_unused(given: dict[str, Any]) -> None:
    for name in _UNUSED:
        if given[name]:
            option = "class-score" if name == "class_scores" else name
            raise click.UsageError(f"--{option} does not go together with drift.")


def _fail_on(found: dict[str, Drift]) -> None:
    """End with 1 if a model has drifted or cannot be tested."""
    if any(one.drifted or one.untested for one in found.values()):
        raise click.exceptions.Exit(1)


def like(study: Study, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options that read the same columns of another file, with nothing to guess."""
    label = given["label"] if given["raters"] else study.question.label
    return given | {"label": label, "scores": study.question.scores}


def _page(study: Study, later: Study, found: dict[str, Drift], given: dict[str, Any]) -> str:
    """Return the page on the drift: that of the current sample, with the reference."""
    page = Report(
        later,
        "Drift analysis",
        options_given(given),
        given["seed"],
        1 - given["alpha"],
        reference=study,
        drifts=found,
        sections=_SECTIONS,
    )
    return quietly("Drawing the page…", lambda _: page.html)


def _read(file: str, given: dict[str, Any]) -> tuple[Study, Row]:
    study, source = asked("drift", given | {"files": (file,)})
    source["options"].pop("files", None)
    return study, source


def _found(reference: Study, current: Study, given: dict[str, Any]) -> dict[str, Drift]:
    """Return the drift of each model."""
    later = {name: tally for (name, _), tally in (current.models or {}).items()}
    found = {}
    for (name, _), tally in (reference.models or {}).items():

        def work(progress: Progress | None, pair: tuple[Any, Any] = (tally, later[name])) -> Drift:
            return find_drift(
                *pair,
                alpha=given["alpha"],
                method=given["method"],
                n_resamples=given["resamples"],
                rng=given["seed"],
                fixed_reference=given["fixed_reference"],
                progress=progress,
            )

        found[str(name)] = quietly(f"Comparing {name}…", work)
    return found


def _rows(one: Drift) -> list[Row]:
    return [
        {"words": each.words} | each._headline()  # noqa: SLF001
        for each in one.findings.values()
    ]


def drift_result(name: str, one: Drift) -> Row:
    """Return the drift of a model as data."""
    return {
        "model": name,
        "verdict": one.verdict,
        "drifted": one.drifted,
        "prevalence_only": one.prevalence_only,
        "alpha": one.alpha,
        "method": one.method,
        "summary": one.summary,
        "findings": _rows(one),
    }


def _written(row: Row) -> Row:
    ends = f"{signed(row['difference'])} ({signed(row['low'], 3)} to {signed(row['high'], 3)})"
    words: Row = {"difference": ends, "p_value": p_text(row["p_value"])}
    if row["adjusted_p_value"] is not None:
        words["adjusted_p_value"] = p_text(row["adjusted_p_value"])
    return row | words
