"""`rocwalk drift`: a later sample against a reference, for people and for CI."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from rocwalk.cli.asking import options_given
from rocwalk.cli.options import refuse_hidden, refusing, shared_but_files
from rocwalk.cli.output import Row, asked, deliver, print_seed, quietly
from rocwalk.cli.terminal import print_folded, print_line, print_note, print_table
from rocwalk.cli.verdict import Verdict, exit_code, too_few
from rocwalk.drift.drift import Drift
from rocwalk.drift.drift import drift as find_drift
from rocwalk.drift.timeline import MINIMUM
from rocwalk.errors import Column, RocwalkError
from rocwalk.evaluate.study import Study
from rocwalk.inference.items import Evidence, refuse_few
from rocwalk.report.numbers import p_text, signed, with_ends
from rocwalk.report.report import Report
from rocwalk.tally.tally import refuse_other_scores

_HEADERS = {
    "words": "Number",
    "reference": "Reference",
    "current": "Current",
    "difference": "Difference",
    "p_value": "p",
    "adjusted_p_value": "Adjusted p",
    "at": "At",
}
_SECTIONS = ("summary", "drift", "sensibility", "calibration", "distributions", "provenance")


@refusing("by", "fold", "cluster", "class_scores")
@click.command(short_help="Sensibility analysis between two samples; can fail a build.")
@shared_but_files
@click.argument("reference", metavar="REFERENCE")
@click.argument("current", metavar="CURRENT")
@click.option(
    "--fail-on-drift",
    is_flag=True,
    help="For CI: exit with 1 if any model has drifted, else with 2 if one cannot be decided.",
)
@click.option(
    "--minimum",
    type=click.IntRange(min=2),
    default=MINIMUM,
    show_default=True,
    metavar="N",
    help="With fewer positive or negative items than this in a file the answer is undecidable, "
    "unless drift is found.",
)
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
    rests on AUC, midpoint and struggle ratio, adjusted for three tests at --alpha (Holm). It is
    undecidable, never fine, where a file has too few items or a number has no test.

    \b
    Example:
      rocwalk drift reference.csv today.csv --label y --score model --fail-on-drift
    """
    refuse_hidden(given)
    study, source = _read(given["reference"], given)
    later, more = _read(given["current"], like(study, given))
    source = source | {key: source[key] + more[key] for key in ("files", "notes", "rows_read")}
    source["rows"] = {"reference": study.rows, "current": later.rows}
    found = _found(study, later, given)
    few = tuple(dict.fromkeys(words for one in found.values() for words in one.few))
    later, source["notes"] = replace(later, notes=later.notes + few), [*source["notes"], *few]
    results = source | {"models": [drift_result(name, one) for name, one in found.items()]}
    pages = {}
    if given["output"] is not None:
        results["page"] = str(given["output"])
        page = Report(
            later,
            "Drift analysis",
            options_given(given),
            given["seed"],
            1 - given["alpha"],
            reference=study,
            drifts={name: one.drift for name, one in found.items()},
            sections=_SECTIONS,
        )
        pages[given["output"]] = quietly("Drawing the page…", lambda _: page.html)
    rows = [{"model": name} | row for name, one in found.items() for row in _rows(one.drift)]

    def show() -> None:
        for name, one in found.items():
            table = _rows(one.drift)
            for row in table:
                row["difference"] = with_ends(row["difference"], row["low"], row["high"], signed)
                for key in ("p_value", "adjusted_p_value"):
                    row[key] = None if row[key] is None else p_text(row[key])
            print_table(f"{name}: {one.word}", _HEADERS, table)
            if not given["quiet"]:
                print_folded(f"{name}: {one.summary}")
        print_seed(given)
        if pages:
            print_line(f"The page: {given['output']}")

    deliver(results, given, rows, show, pages)
    if given["fail_on_drift"]:
        for name, one in found.items():  # a table of numbers does not say why the build fails
            if given["form"] == "csv" and one.word != "none" and not given["quiet"]:
                print_note(f"{name}: {one.summary}")
        raise click.exceptions.Exit(exit_code(found.values()))


def like(study: Study, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options that read the same columns of another file, with nothing to guess."""
    label = given["label"] if given["raters"] else study.question.label
    return given | {"label": label, "scores": study.question.scores}


def _read(file: str, given: dict[str, Any]) -> tuple[Study, Row]:
    study, source = asked("drift", given | {"files": (file,)}, file=file)
    source["options"].pop("files", None)
    return study, source


def _found(reference: Study, current: Study, given: dict[str, Any]) -> dict[str, Verdict]:
    """Return the drift of each model, and whether there are items enough to decide it."""
    later = {name: tally for (name, _), tally in (current.models or {}).items()}
    found = {}
    for (name, _), tally in (reference.models or {}).items():
        few = []
        for one, file in ((tally, given["reference"]), (later[name], given["current"])):
            try:
                refuse_other_scores(one)
                refuse_few(Evidence(one))
            except RocwalkError as error:
                raise error.at(subject=Column(name), file=file) from error
            few += too_few(one, file, given["minimum"])
        work = partial(
            find_drift,
            tally,
            later[name],
            alpha=given["alpha"],
            method=given["method"],
            n_resamples=given["resamples"],
            rng=given["seed"],
            fixed_reference=given["fixed_reference"],
        )
        drifted = quietly(f"Comparing {name}…", lambda p, work=work: work(progress=p))  # type: ignore[misc]
        found[str(name)] = Verdict(drifted, tuple(few))
    return found


def _rows(one: Drift) -> list[Row]:
    return [
        {"words": each.words} | each._headline()  # noqa: SLF001
        for each in one.findings.values()
    ]


def drift_result(name: str, one: Verdict) -> Row:
    """Return the drift of a model as data."""
    return {
        "model": name,
        "verdict": one.word,
        "drifted": one.drift.drifted,
        "prevalence_only": one.drift.prevalence_only,
        "alpha": one.drift.alpha,
        "method": one.drift.method,
        "summary": one.summary,
        "findings": _rows(one.drift),
    }
