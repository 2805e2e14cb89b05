"""`rocwalk compare`: models on the same rows, in pairs."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import click

from rocwalk.cli.options import shared_options
from rocwalk.cli.output import Row, asked, deliver, print_seed
from rocwalk.cli.terminal import plain, print_table
from rocwalk.intake.study import Study
from rocwalk.measure.precision import precision_walk
from rocwalk.measure.summary import summary
from rocwalk.walk.curve import walk_of

_HEADERS = {
    "one": "Model",
    "other": "Against",
    "measure": "Measure",
    "value": "Model has",
    "other_value": "Against has",
    "difference": "Difference",
}


@click.command(short_help="Models on the same rows, in pairs.")
@shared_options
def compare(**given: Any) -> None:
    """Compare two or more models on the same rows of FILE..., in pairs.

    Rows that one model lacks are left out for all when --invalid drop is given.

    \b
    Example:
      rocwalk compare predictions.csv --label y --score model_a --score model_b
    """
    if len(given["scores"]) < 2:
        raise click.UsageError("Give --score twice or more: there is nothing to compare.")
    for option in ("by", "fold"):
        if given[option]:
            raise click.UsageError(f"--{option} does not go together with compare.")
    study, source = asked("compare", given, same_rows=True)
    pairs = compare_models(study)

    def show() -> None:
        _print(pairs, quiet=given["quiet"])
        print_seed(given)

    deliver(source | {"pairs": pairs}, given, pairs, show)


def compare_models(study: Study) -> list[Row]:
    """Return the differences of each pair of models in each measure."""
    parts = {} if study.models is None else study.models
    measured = {}
    for (name, _), tally in parts.items():
        walk, sums = walk_of(tally), summary(tally)
        measured[str(name)] = {
            "AUC": sums.auc,
            "hull area": sums.hull_area,
            "average precision": precision_walk(walk).average_precision,
        }
    return [
        {
            "one": one,
            "other": other,
            "measure": measure,
            "value": value,
            "other_value": measured[other][measure],
            "difference": value - measured[other][measure],
        }
        for one, other in combinations(measured, 2)
        for measure, value in measured[one].items()
    ]


def _print(pairs: list[Row], *, quiet: bool) -> None:
    print_table("Differences on the same rows", _HEADERS, pairs)
    if quiet:
        return
    for pair in pairs:
        if pair["measure"] == "AUC":
            more = "more" if pair["difference"] >= 0 else "less"
            click.echo(
                f"{plain(pair['one'])} orders {abs(100 * pair['difference']):.2f} % {more} of the "
                f"positive–negative pairs rightly than {plain(pair['other'])}. "
                "There is no interval here yet: the difference may be chance."
            )
