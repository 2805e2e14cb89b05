"""`rocwalk plan`: how large a study must be, or what a study of a given size can find."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from rocwalk.cli.asking import options_given
from rocwalk.cli.options import (
    ALPHA,
    FORMAT,
    JSON_FILE,
    QUIET,
    Command,
    Subcommands,
    text_options,
)
from rocwalk.cli.output import Row, deliver, quietly
from rocwalk.cli.readers import plans_of, print_plans, read_readers, study_options
from rocwalk.cli.terminal import print_folded, print_table
from rocwalk.inference.accuracy_size import AccuracySize, accuracy_sample_size
from rocwalk.inference.power import (
    auc_power,
    auc_sample_size,
    difference_power,
    difference_sample_size,
)
from rocwalk.inference.study_design import FORMULAS, PowerAnalysis
from rocwalk.report.numbers import rate
from rocwalk.result import SCHEMA_VERSION
from rocwalk.version import __version__

_UNIT = click.FloatRange(0, 1, min_open=True, max_open=True)
_POWER = click.option(
    "--power",
    type=_UNIT,
    default=0.8,
    show_default=True,
    help="The probability with which the difference is to be found.",
)
_COUNTS = (
    click.option(
        "--positives",
        type=click.IntRange(min=1),
        metavar="N",
        help="With --negatives: ask for power.",
    ),
    click.option(
        "--negatives",
        type=click.IntRange(min=1),
        metavar="N",
        help="With --positives: ask for the power of a study of this size.",
    ),
)
_TEST = (
    click.option(
        "--ratio",
        type=float,
        default=1.0,
        show_default=True,
        metavar="X",
        help="Negatives for each positive.",
    ),
    click.option("--one-sided", is_flag=True, help="Test in one direction: the area is larger."),
    click.option(
        "--formula",
        type=click.Choice(FORMULAS),
        default=FORMULAS[0],
        show_default=True,
        help="The power of rocwalk's own test, or Obuchowski & McClish's as in pROC.",
    ),
)
_OUT = (JSON_FILE, FORMAT, ALPHA, QUIET)


def _options(*options: Any) -> Callable[[Command], Command]:
    """Return a decorator that adds options in their order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@click.group(cls=Subcommands)
def plan() -> None:
    """Plan a study: its size for a power or a precision, or the power of its size.

    \b
    Examples:
      rocwalk plan auc --auc 0.75
      rocwalk plan difference --auc-1 0.85 --auc-2 0.80 --correlation 0.6
      rocwalk plan accuracy --sensitivity 0.9 --specificity 0.8 --half-width 0.05 --prevalence 0.2
      rocwalk plan readers pilot.csv --truth disease --reader reader --test modality \\
        --case patient --rating score --difference 0.05
    """


@plan.command()
@click.option("--auc", type=float, required=True, metavar="X", help="The area that is expected.")
@click.option(
    "--null",
    type=float,
    default=0.5,
    show_default=True,
    metavar="X",
    help="The area of the null hypothesis.",
)
@_options(_POWER, *_COUNTS, *_TEST, *_OUT)
def auc(**given: Any) -> None:
    """Size or power of a study which shows that one AUC differs from a null value."""
    told = _told(given) | {"null": given["null"]}
    counts = _counts(given)
    if counts is None:
        found = _worked(
            partial(
                auc_sample_size, given["auc"], power=given["power"], ratio=given["ratio"], **told
            )
        )
    else:
        found = _worked(partial(auc_power, given["auc"], *counts, **told))
    _deliver_power("auc", found, given)


@plan.command()
@click.option("--auc-1", type=float, required=True, metavar="X", help="The first area.")
@click.option("--auc-2", type=float, required=True, metavar="X", help="The second area.")
@click.option(
    "--correlation",
    type=float,
    metavar="X",
    help="The correlation of the scores of both models within a class, on the same rows (paired); "
    "without it the areas are those of separate samples (unpaired).",
)
@_options(_POWER, *_COUNTS, *_TEST, *_OUT)
def difference(**given: Any) -> None:
    """Size or power of a study which shows that two AUCs differ, paired or unpaired."""
    told = _told(given) | {"correlation": given["correlation"]}
    areas, counts = (given["auc_1"], given["auc_2"]), _counts(given)
    if counts is None:
        told |= {"power": given["power"], "ratio": given["ratio"]}
        found = _worked(lambda: difference_sample_size(*areas, **told))
    else:
        found = _worked(partial(difference_power, *areas, *counts, **told))
    _deliver_power("difference", found, given)


@plan.command()
@click.option("--sensitivity", type=float, metavar="X", help="The sensitivity that is expected.")
@click.option("--specificity", type=float, metavar="X", help="The specificity that is expected.")
@click.option(
    "--half-width",
    type=float,
    default=0.05,
    show_default=True,
    metavar="X",
    help="Half of the width that an interval may have.",
)
@click.option(
    "--prevalence",
    type=float,
    metavar="X",
    help="The share of positives among the subjects: also says how many subjects.",
)
@_options(*_OUT)
def accuracy(**given: Any) -> None:
    """Size of a study in which sensitivity and specificity have narrow intervals."""
    found = accuracy_sample_size(
        sensitivity=given["sensitivity"],
        specificity=given["specificity"],
        half_width=given["half_width"],
        prevalence=given["prevalence"],
        confidence_level=1 - given["alpha"],
    )
    _deliver("accuracy", [found.to_dict()], given, partial(_show_accuracy, found, given["quiet"]))


@plan.command()
@study_options
@click.option(
    "--difference",
    type=float,
    required=True,
    metavar="X",
    help="The difference between the means of two tests that is to be found.",
)
@_POWER
@text_options
@_options(*_OUT)
def readers(**given: Any) -> None:
    """Cases and readers of a reader study, planned from the ratings of a pilot in FILE..."""
    study, source = read_readers("plan readers", given)
    plans = plans_of(study, given)
    rows = [_row(one.to_dict()) for one in plans]

    def show() -> None:
        print_plans(plans)
        if not given["quiet"]:
            for one in plans:
                print_folded(one.sentence)

    deliver(source | {"plan": rows}, given, rows, show)


def _told(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the test."""
    side = "greater" if given["one_sided"] else "two-sided"
    return {"alpha": given["alpha"], "alternative": side, "formula": given["formula"]}


def _counts(given: dict[str, Any]) -> tuple[int, int] | None:
    """Return the numbers of items, if they are given; raise for options that would be ignored."""
    counts = given["positives"], given["negatives"]
    if counts == (None, None):
        return None
    if None in counts:
        raise click.UsageError("--positives and --negatives go together: give both numbers.")
    context = click.get_current_context()
    for name in ("power", "ratio"):
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(
                f"--{name} does not go together with --positives: it is for finding the size."
            )
    return counts


def _worked(work: Any) -> PowerAnalysis:
    found: PowerAnalysis = quietly("Planning…", lambda _: work())
    return found


def _row(numbers: Row) -> Row:
    """Return the numbers of a result without what says its kind."""
    return {key: numbers[key] for key in numbers if key not in ("kind", "schema_version")}


def _deliver_power(kind: str, found: PowerAnalysis, given: dict[str, Any]) -> None:
    def show() -> None:
        headers = {"n_positives": "Positives", "n_negatives": "Negatives", "power": "Power"}
        row = found.to_dict() | {"power": rate(found.power, 3)}
        print_table(f"Plan: {found.of}", headers, [row])
        if not given["quiet"]:
            print_folded(found.sentence)

    _deliver(kind, [found.to_dict()], given, show)


def _deliver(kind: str, found: list[Row], given: dict[str, Any], show: Any) -> None:
    """Print a plan that needs no data."""
    rows = [_row(one) for one in found]
    results: Row = {
        "rocwalk": __version__,
        "schema_version": SCHEMA_VERSION,
        "command": f"plan {kind}",
        "options": options_given(given),
        "notes": [],
        "plan": rows,
    }
    deliver(results, given, rows, show)


def _show_accuracy(found: AccuracySize, quiet: bool) -> None:
    headers = {"what": "For", "expected": "Expected", "size": "Size", "chance": "Narrow enough"}
    rows: list[Row] = []
    for name, noun in (("sensitivity", "positives"), ("specificity", "negatives")):
        count = getattr(found, f"n_{noun}")
        if count is not None:
            chance = rate(getattr(found, f"{name}_chance"), 3)
            value = f"{getattr(found, name):g}"
            rows.append(
                {"what": name, "expected": value, "size": f"{count:,} {noun}", "chance": chance}
            )
    title = f"Plan: intervals of ± {found.half_width:g}"
    print_table(title, headers, rows)
    if not quiet:
        print_folded(found.sentence)
        print_folded(
            "Narrow enough: the probability that the interval of the study is no wider, as the "
            "observed share varies."
        )
