"""`rocwalk report`: the interactive page, and a summary on the terminal."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import click

from rocwalk.cli.asking import options_given
from rocwalk.cli.options import (
    CALIBRATION,
    CURVES,
    MARGIN,
    SMOOTH,
    parse_margins,
    parse_rule,
    parse_window,
    rule_options,
    shared_options,
)
from rocwalk.cli.output import Row, asked, deliver, print_seed, quietly
from rocwalk.cli.score import csv_rows, print_scores, score_study
from rocwalk.cli.terminal import print_folded, print_heading, print_line
from rocwalk.drift.request import margins_of
from rocwalk.evaluate.study import Study
from rocwalk.plot import WORDS
from rocwalk.report.compare import check_pairs
from rocwalk.report.findings import Findings
from rocwalk.report.report import Report
from rocwalk.report.verdict.verdict import question_words, verdict
from rocwalk.writing import write_folder


@click.command()
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
@click.option(
    "--figures",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also write every chart as SVG and PNG, and every table as CSV, into this folder.",
)
@click.option(
    "--words",
    type=click.Choice(WORDS),
    default=WORDS[0],
    show_default=True,
    help="With --figures: true and false positive rates, or sensitivity and 1 − specificity.",
)
@click.option("--time", metavar="COL", help="The column of dates: follow the models over time.")
@click.option(
    "--window",
    show_default="month",
    metavar="N|NAME",
    help="With --time: hour, day, week, month, quarter, year, a span such as 7D, or a number of "
    "rows.",
)
@click.option(
    "--equivalence",
    type=float,
    metavar="X",
    help="The largest difference between models that does not matter: the comparison then tests "
    "non-inferiority and equivalence.",
)
@CURVES
@CALIBRATION
@SMOOTH
@rule_options
@MARGIN
def report(**given: Any) -> None:
    """Write one self-contained interactive page on the models in FILE..., and print a summary.

    The page opens offline in any browser; it loads nothing and sends nothing.

    \b
    Example:
      rocwalk report predictions.csv --label y --score model_a --score model_b
    """
    _refuse_together(given)
    window, rule = parse_window(given["window"] or "month"), parse_rule(given)
    margins = margins_of(parse_margins(given["margins"]))
    study, source = asked(
        "report",
        given,
        same_rows=given["cluster"] is not None,
        in_pairs=len(given["scores"]) > 1 or given["calibration"],
    )
    reference: Study | None = None
    read: Row = {}
    if given["reference"] is not None:
        if given["votes"] is not None:
            raise click.UsageError("--reference does not go together with --votes.")
        from rocwalk.cli.drift import like

        unread = {"by": (), "fold": None, "time": None}
        other = like(study, given) | unread | {"files": (given["reference"],)}
        reference, read = asked(
            "report", other, file=given["reference"], same_rows=given["cluster"] is not None
        )
    page = Report(
        study,
        given["title"],
        options_given(given),
        given["seed"],
        1 - given["alpha"],
        reference,
        window=window,
        rule=rule,
        margins=margins,
        smooth=given["smooth_methods"],
        calibration=given["calibration"],
        equivalence=given["equivalence"],
        curves=given["curves"],
    )
    findings = page.findings
    html = quietly("Drawing the page…", lambda _: page.html)
    scores = quietly("Measuring…", lambda _: score_study(findings))
    notes = source["notes"] + scores["notes"]
    results = source | scores | {"notes": notes, "page": str(given["output"])}
    if reference is not None:
        results |= {key: results[key] + read[key] for key in ("files", "notes")}
        results["reference"] = {key: read[key] for key in ("files", "rows_read", "rows")}
    results["verdict"] = [
        {"claim": said.name, "question": question_words(findings, said.question)}
        | {"words": said.words.replace("\N{NO-BREAK SPACE}", " ")}
        for said in verdict(findings)
    ]
    results |= _asked_for(findings, given)

    def show() -> None:
        if not given["quiet"]:
            for question, claims in groupby(results["verdict"], itemgetter("question")):
                print_heading(question)
                for said in claims:
                    print_folded(f"  {said['words']}")
            print_line("")
        print_scores(results, study, quiet=given["quiet"])
        if "calibration" in results:
            from rocwalk.cli.calibration import print_calibration

            print_calibration(results["calibration"], findings.level, quiet=given["quiet"])
        for one in results.get("drift", ()):
            print_folded(f"{one['model']}, against the reference: {one['summary']}")
        for one in results.get("timeline", ()):
            print_folded(f"{one['model']}, over time: {one['summary']}")
        print_seed(given, drawn=bool(findings.models))
        if given["figures"] is not None:
            print_line(f"The figures: {len(results['figures'])} files in {given['figures']}")
        print_line(f"The page: {given['output']}")

    if given["figures"] is not None:
        figures = quietly("Drawing the figures…", lambda _: page.figure_writers(given["words"]))
        results["figures"] = [str(path) for path in write_folder(given["figures"], figures)]
    deliver(results, given, csv_rows(results), show, {given["output"]: html})


def _refuse_together(given: Row) -> None:
    """Raise where options do not go together, or lack the one that they go with."""
    if given["window"] is not None and given["time"] is None:
        raise click.UsageError("--window goes with --time.")
    for option in ("reference", "calibration"):
        if given[option] and given["class_scores"]:
            raise click.UsageError(f"--{option} does not go together with --class-score.")
    check_pairs(given["equivalence"], len(given["scores"]), curves=given["curves"])
    if given["margins"] and given["reference"] is None and given["time"] is None:
        raise click.UsageError("--margin goes with --reference or --time.")


def _asked_for(findings: Findings, given: Row) -> Row:
    """Return what options ask for beside the page: drift, calibration, windows of time."""
    results: Row = {}
    if given["reference"] is not None:
        from rocwalk.cli.drift import drift_result
        from rocwalk.cli.verdict import Verdict

        results["drift"] = [
            drift_result(findings.names[k], Verdict(one))
            if not isinstance(one, str)
            else {"model": findings.names[k], "verdict": None, "summary": f"not compared: {one}"}
            for k, one in findings.drift.models.items()
        ]
    if given["calibration"]:
        from rocwalk.cli.calibration import calibration_rows

        results["calibration"] = quietly("Calibrating…", lambda _: calibration_rows(findings))
    if given["time"] is not None:
        results["timeline"] = [
            {"model": name, "drifted": one.drifted} | one.to_dict()
            if not isinstance(one, str)
            else {"model": name, "drifted": None, "summary": f"not followed: {one}"}
            for name, one in zip(findings.names, findings.drift.timelines, strict=False)
        ]
    return results
