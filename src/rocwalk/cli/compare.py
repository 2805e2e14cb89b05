"""`rocwalk compare`: models on the same rows, in pairs."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from rocwalk.cli.options import (
    CURVES,
    parse_statistic,
    refuse_hidden,
    refusing,
    shared_options,
    statistic_named,
)
from rocwalk.cli.output import Progress, Row, asked, deliver, print_seed, quietly
from rocwalk.cli.terminal import print_folded, print_table
from rocwalk.curves.curve_tests import CurveComparison, curves_of_panel
from rocwalk.errors import (
    Column,
    InputError,
    RocwalkError,
)
from rocwalk.evaluate.study import Study
from rocwalk.inference.comparisons import Comparison, compare_panel
from rocwalk.inference.differences import METHODS
from rocwalk.inference.panel import Panel, panel_of
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.report.findings import area_of
from rocwalk.report.numbers import p_text, signed, with_ends
from rocwalk.statistic import entries
from rocwalk.tally.tally import refuse_other_scores

_HEADERS = {
    "statistic": "Statistic",
    "a": "Model",
    "b": "Against",
    "value": "Model has",
    "other_value": "Against has",
    "difference": "Difference",
    "z": "z",
    "p_value": "p",
    "adjusted_p_value": "Adjusted p",
    "adjusted_non_inferior_p_value": "Adjusted p not worse",
    "adjusted_equivalence_p_value": "Adjusted p equivalent",
    "method": "Method",
}
_CURVE_HEADERS = {
    "a": "Model",
    "b": "Against",
    "distance": "Mean distance in TPR",
    "statistic": "E",
    "p_value": "p",
    "adjusted_p_value": "Adjusted p",
}
_P_VALUES = (
    "p_value",
    "adjusted_p_value",
    "adjusted_non_inferior_p_value",
    "adjusted_equivalence_p_value",
)


def _needing(parameter: str) -> list[str]:
    """Return the names of the statistics that need a parameter."""
    return [name for name, entry in entries().items() if parameter in entry.keywords]


@refusing("by", "fold", "class_scores")
@click.command()
@shared_options
@click.option(
    "--statistic",
    "statistics",
    multiple=True,
    metavar="NAME",
    help=f"What to compare; repeatable. One of {', '.join(entries())}. Numbers at a point of the "
    "curve name it, as in sensitivity@fpr=0.1, precision@rate=0.05, net_benefit@threshold=0.2, "
    "expected_cost@costs=1:5,threshold=0.3 or partial_auc@min_tpr=0.9. "
    "[default: auc, of soft truth auc_prt; and probabilistic_auc for probabilities]",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    show_default=True,
    help="How intervals and p-values are found; auto takes a closed form where there is one.",
)
@click.option(
    "--margin",
    type=float,
    metavar="X",
    help="The largest difference that does not matter; tests non-inferiority and equivalence.",
)
@CURVES
@click.option(
    "--threshold",
    type=float,
    metavar="X",
    help=f"The threshold at which {', '.join(_needing('threshold'))} are computed.",
)
@click.option(
    "--max-fpr",
    type=float,
    metavar="X",
    help=f"The false positive rate up to which {', '.join(_needing('max_fpr'))} is computed.",
)
@click.option(
    "--resample-votes",
    is_flag=True,
    help="With votes as the truth: the bootstrap also draws the votes within an item again.",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="Replicates of a bootstrap or a permutation test.",
)
def compare(**given: Any) -> None:
    """Compare two or more models on the same rows of FILE..., in pairs.

    Every pair gets the difference with its interval and a paired test; p-values are also adjusted
    for the number of pairs (Holm), also those against a margin, and verdicts are by the adjusted
    ones. Rows that one model lacks are left out for all when --invalid drop is given.

    \b
    Example:
      rocwalk compare predictions.csv --label y --score model_a --score model_b
    """
    refuse_hidden(given)
    if len(given["scores"]) < 2:
        raise click.UsageError("Give --score twice or more: there is nothing to compare.")
    study, source = asked("compare", given, same_rows=True)
    panel, found = _compared(study, given)

    def whole_curves(progress: Progress | None) -> CurveComparison:
        plan = Plan(given["resamples"], given["seed"], progress=progress)
        return curves_of_panel(panel, plan, 1 - given["alpha"])

    curves = quietly("Comparing whole curves…", whole_curves) if given["curves"] else None
    rows = []
    for one in found:
        for pair in one.pairs:
            row = {"statistic": one.statistic, "a": pair.a, "b": pair.b}
            row |= {"value": one.estimates[pair.a], "other_value": one.estimates[pair.b]}
            numbers = pair.to_dict()
            row |= {key: numbers[key] for key in numbers if key not in ("kind", "schema_version")}
            rows.append(row)

    def show() -> None:
        _print(found, rows, quiet=given["quiet"])
        if curves is not None:
            _print_curves(curves, quiet=given["quiet"])
        print_seed(given, drawn=curves is not None or any(one.n_resamples for one in found))

    level = 1 - given["alpha"]
    omnibus = {one.statistic: one.omnibus.to_dict() for one in found}
    record = source | {"confidence_level": level, "pairs": rows, "omnibus": omnibus}
    if curves is not None:
        record |= {"curves": [pair.to_dict() for pair in curves.pairs]}
    deliver(record, given, rows, show)


def _compared(study: Study, given: dict[str, Any]) -> tuple[Panel, list[Comparison]]:
    """Return the models on the same rows, and their comparison by each statistic asked for."""
    paired = study.paired
    if paired is None:
        raise InputError(
            f"The models cannot be compared: {study.why_unpaired}",
            "raise --memory-limit, if the memory is there."
            if study.is_large
            else "check the columns of scores.",
        )
    fit = all(((column >= 0) & (column <= 1)).all() for column in paired.scores.values())
    area = area_of(paired)
    usual = (area, "probabilistic_auc") if fit else (area,)
    statistics = dict.fromkeys(given["statistics"] or usual)
    names = {parse_statistic(text)[0] for text in statistics}
    for option in ("threshold", "max_fpr"):
        needed = _needing(option)
        if given[option] is not None and not names & set(needed):
            raise click.UsageError(
                f"--{option.replace('_', '-')} goes with --statistic {' or '.join(needed)}."
            )

    again = given["resample_votes"]
    if again and paired.votes is None:
        raise click.UsageError("--resample-votes goes with --raters, whose votes are drawn again.")
    files = tuple(map(str, given["files"]))
    panel = panel_of(paired.samples, paired.cluster_codes, paired.votes if again else None)

    def compared(progress: Progress | None, text: str) -> Comparison:
        name, _ = parse_statistic(text)
        usual = {key: given[key] for key in ("threshold", "max_fpr") if name in _needing(key)}
        statistic = statistic_named(text, usual)
        if statistic.needs_probabilities:
            for model, one in zip(panel.names, panel.models, strict=True):
                try:
                    refuse_other_scores(one.tally)
                except RocwalkError as error:
                    raise error.at(subject=Column(model), file=files) from None
        plan = Plan(given["resamples"], given["seed"], progress=progress)
        level, method = 1 - given["alpha"], given["method"]
        return compare_panel(panel, Request(statistic, level, method, plan, margin=given["margin"]))

    found = [quietly(f"Comparing {text}…", partial(compared, text=text)) for text in statistics]
    return panel, found


def _print(found: list[Comparison], rows: list[Row], *, quiet: bool) -> None:
    """Print the differences with their intervals, and what they mean."""
    written = []
    for row in rows:
        words = {"difference": with_ends(row["difference"], row["low"], row["high"], signed)}
        words |= {name: p_text(row[name]) for name in _P_VALUES if row[name] is not None}
        written.append(row | words)
    print_table("Differences on the same rows", _HEADERS, written)
    if quiet:
        return
    level = f"{100 * found[0].confidence_level:g} %"
    many = len(found[0].pairs) > 1
    adjusted = " Adjusted p: Holm's, over all pairs of a statistic." if many else ""
    print_folded(f"In brackets: {level} intervals of the differences.{adjusted}")
    if many:
        for one in found:
            print_folded(one.omnibus.sentence)
    for pair in (pair for one in found for pair in one.pairs):
        sentence = pair.sentence
        if pair.statistic == "auc":
            more = "more" if pair.difference >= 0 else "fewer"
            sentence = (
                f"Of 100 positive–negative pairs {pair.a} orders "
                f"{abs(100 * pair.difference):.2f} {more} rightly than {pair.b}."
            )
            if pair.margin_sentence is not None:
                sentence += f" {pair.margin_sentence}"
        if not pair.adjusted_p_value < 1 - pair.confidence_level and not pair.equivalent:
            sentence += " Chance could have made this difference; that does not make the two equal."
        print_folded(sentence)


def _print_curves(found: CurveComparison, *, quiet: bool) -> None:
    """Print the tests of whole curves, and what they test."""
    written = []
    for pair in found.pairs:
        row = pair.to_dict() | {
            "distance": f"{pair.distance:.4f}",
            "statistic": f"{pair.statistic:g}",
        }
        words = {name: p_text(row[name]) for name in _P_VALUES[:2] if row[name] is not None}
        written.append(row | words)
    print_table("Whole ROC curves on the same rows", _CURVE_HEADERS, written)
    if quiet:
        return
    print_folded(
        "Venkatraman's test asks whether two curves are equal at every point, not whether their "
        "areas are; the distance is at the same number of calls."
    )
    for pair in found.pairs:
        print_folded(pair.sentence)
