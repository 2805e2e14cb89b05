"""`rocwalk drift`: a later sample against a reference, for people and for CI."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from rocwalk.cli.asking import options_given
from rocwalk.cli.options import MARGIN, parse_margins, refuse_hidden, refusing, shared_but_files
from rocwalk.cli.output import Progress, Row, asked, deliver, print_seed, quietly
from rocwalk.cli.terminal import print_folded, print_line, print_table
from rocwalk.cli.verdict import Verdict, exit_code, too_few
from rocwalk.drift.drift import Drift, drift_of
from rocwalk.drift.request import DECIDING, TESTS, DriftRequest, margins_of
from rocwalk.drift.timeline import MINIMUM
from rocwalk.drift.window_numbers import parts_row
from rocwalk.errors import Column, RocwalkError
from rocwalk.evaluate.study import Study
from rocwalk.evaluate.summary import evidence_on
from rocwalk.inference.items import Evidence, refuse_few
from rocwalk.inference.resampling import Plan
from rocwalk.report.numbers import p_text, rate, signed, with_ends
from rocwalk.report.report import Report
from rocwalk.tally.tally import refuse_other_scores

_HEADERS = {
    "words": "Number",
    "values": "Reference → now",
    "difference": "Difference",
    "population": "Population",
    "odds": "Odds",
    "model": "Model",
    "model_p": "p (model)",
    "margin": "Margin",
    "change_p": "p (difference)",
}
_OTHERS = {
    "words": "Other numbers",
    "values": "Reference → now",
    "difference": "Difference",
    "p": "p",
    "at": "At",
}
_SIZES = {True: "within", False: "beyond", None: "cannot tell"}
_SECTIONS = ("summary", "drift", "sensibility", "calibration", "distributions", "provenance")
_OF_ONE_CLASS = ("drift", "provenance")  # the others need both classes of the current file


@refusing("by", "fold", "class_scores", "votes")
@click.command()
@shared_but_files
@click.argument("reference", metavar="REFERENCE")
@click.argument("current", metavar="CURRENT")
@click.option(
    "--fail-on",
    type=click.Choice(["drift", "any"]),
    help="For CI: exit with 1 if any model has drifted (with any: also if only the population has "
    "changed), else with 2 if a model cannot be decided.",
)
@click.option("--fail-on-drift", is_flag=True, help="The same as --fail-on drift.")
@MARGIN
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
    "--fixed-reference", is_flag=True, help="Treat the reference as exact, without sampling error."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write an interactive page on the drift.",
)
def drift(**given: Any) -> None:
    """Test whether probabilities still hold on a later file, and if not, what has changed.

    REFERENCE and CURRENT are files of labels and probabilities with the same columns. The verdict
    is decided given the scores, by tests of level, ranking and struggle ratio, adjusted for three
    at --alpha (Holm): none, population (who is scored has changed, the model has not), prevalence,
    estimation, ranking or both; or undecidable, where a file has too few items for a decision or a
    number has no test.

    \b
    Example:
      rocwalk drift reference.csv today.csv --label y --score model --fail-on-drift
    """
    refuse_hidden(given)
    margins = margins_of(parse_margins(given["margins"]))
    if given["fail_on_drift"] and given["fail_on"] == "any":
        raise click.UsageError("--fail-on-drift does not go together with --fail-on any.")
    fail_on = "drift" if given["fail_on_drift"] else given["fail_on"]
    study, source = _read(given["reference"], given)
    later, more = _read(given["current"], like(study, given), one_class=True)
    source = source | {key: source[key] + more[key] for key in ("files", "notes", "rows_read")}
    source["rows"] = {"reference": study.rows, "current": later.rows}
    found = _found(study, later, given, margins)
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
        if not page.findings.has_curves:
            page = replace(page, sections=_OF_ONE_CLASS)
        pages[given["output"]] = quietly("Drawing the page…", lambda _: page.html)

    def show() -> None:
        for name, one in found.items():
            _show(name, one, quiet=given["quiet"])
        print_seed(given, drawn=given["method"] == "bootstrap" or bool(pages))
        if pages:
            print_line(f"The page: {given['output']}")

    deliver(results, given, [_csv_row(name, one) for name, one in found.items()], show, pages)
    if fail_on is not None:
        raise click.exceptions.Exit(exit_code(found.values(), on_change=fail_on == "any"))


def _show(name: str, one: Verdict, *, quiet: bool) -> None:
    """Print the verdict: a sentence, the three numbers with their parts, and the others."""
    if not quiet:
        print_folded(f"{name}: {one.summary}")
    deciding, others = [], []
    for each in one.drift.findings.values():
        row: Row = {
            "words": each.words,
            "values": f"{rate(each.reference)} → {rate(each.current)}",
            "difference": with_ends(each.difference, each.low, each.high, signed),
        }
        if not each.decides:
            p_value = None if math.isnan(each.p_value) else p_text(each.p_value)
            others.append(row | {"p": p_value, "at": each.at})
            continue
        parts = {"population": each.population, "odds": each.odds, "model": each.model}
        row |= {
            key: with_ends(part.value, part.low, part.high, signed)
            for key, part in parts.items()
            if part is not None
        }
        if each.name == "midpoint":  # its odds expect as many positives as are observed
            row["model"] = "—"
        if each.model is not None:
            row["model_p"] = p_text(each.model.adjusted_p_value)
        if one.drift.causes.tests[TESTS[each.name]].margin is not None:
            row["margin"] = _SIZES[each.equivalent]
        deciding.append(row | {"change_p": p_text(each.adjusted_p_value)})
    print_table(f"{name}: {one.word}", _HEADERS, deciding)
    print_table("", _OTHERS, others)


def _csv_row(name: str, one: Verdict) -> Row:
    """Return a model as one line: the verdict, the numbers that decide and their parts."""
    found = one.drift
    current = {each: found.findings[each].current for each in DECIDING}
    return {
        "model": name,
        "verdict": one.word,
        "drifted": found.drifted,
        "changed": found.changed,
        "suitable": found.suitable,
        "reference_items": found.counts[0],
        "current_items": found.counts[1],
        **current,
        **parts_row(found),
        "summary": one.summary,
    }


def like(study: Study, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options that read the same columns of another file, with nothing to guess."""
    has_votes = given["raters"] or given["vote"] is not None
    label = given["label"] if has_votes else study.question.label
    return given | {"label": label, "scores": study.question.scores}


def _read(file: str, given: dict[str, Any], *, one_class: bool = False) -> tuple[Study, Row]:
    study, source = asked(
        "drift",
        given | {"files": (file,)},
        file=file,
        same_rows=given["cluster"] is not None,
        by_tallies=given["output"] is None,
        one_class=one_class,
    )
    source["options"].pop("files", None)
    return study, source


def _found(
    reference: Study,
    current: Study,
    given: dict[str, Any],
    margins: Mapping[str, float] | None,
) -> dict[str, Verdict]:
    """Return the drift of each model, and whether there are items enough to decide it."""
    later = {name: tally for (name, _), tally in (current.models or {}).items()}
    found = {}
    for (name, _), tally in (reference.models or {}).items():
        few, samples = [], []
        for study, one, file in (
            (reference, tally, given["reference"]),
            (current, later[name], given["current"]),
        ):
            try:
                refuse_other_scores(one)
                samples.append(evidence_on(study, name, one))
                if study is reference:
                    refuse_few(samples[-1])
            except RocwalkError as error:
                raise error.at(subject=Column(name), file=file) from error
            few += too_few(one, file, given["minimum"])

        def work(progress: Progress | None, samples: list[Evidence] = samples) -> Drift:
            plan = Plan(given["resamples"], given["seed"], progress=progress)
            request = DriftRequest(
                given["alpha"],
                given["fixed_reference"],
                plan=plan if given["method"] == "bootstrap" else None,
                margins=margins,
            )
            return drift_of(samples[0], samples[1], request)

        found[str(name)] = Verdict(quietly(f"Comparing {name}…", work), tuple(few))
    return found


def drift_result(name: str, one: Verdict) -> Row:
    """Return the drift of a model as data."""
    found = one.drift
    return {
        "model": name,
        "verdict": one.word,
        "drifted": found.drifted,
        "changed": found.changed,
        "prevalence_only": found.prevalence_only,
        "suitable": found.suitable,
        "alpha": found.alpha,
        "method": found.method,
        "summary": one.summary,
        "conclusion": one.conclusion,
        "advice": None if one.undecidable else found.advice,
        "odds": found.odds.to_dict(),
        "tests": [each.to_dict() for each in found.tests.values()],
        "findings": [{"words": each.words} | each.to_dict() for each in found.findings.values()],
    }
