"""`rocwalk tally`: what a site shares in place of its rows."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from rocwalk.cli.options import OF_VOTES, refuse_hidden, refusing, shared_options
from rocwalk.cli.output import Row, asked, deliver, print_queries
from rocwalk.cli.terminal import print_folded, print_line, print_note, print_table
from rocwalk.errors import Argument, Option, OptionError, RocwalkError
from rocwalk.tally.sharing import SharedTally, share, shared_text

_HEADERS = {"score": "Score", "buckets": "Buckets", "positives": "Positives"}
_HEADERS |= {"negatives": "Negatives", "bucket_error": "AUC known to ±"}

_UNUSED = ("seed", "alpha")  # the noise has no seed


@refusing(*OF_VOTES, "weight", "fold", "cluster", "by", "class_scores", "seed", "alpha")
@click.command()
@shared_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="The file to write, such as site_a.tally: JSON text, to be read before it is sent.",
)
@click.option(
    "--buckets",
    type=click.IntRange(1, 2**20),
    default=256,
    show_default=True,
    help="The number of buckets of equal width in [0, 1]; the same at every site.",
)
@click.option(
    "--edges",
    metavar="E,E,…",
    help="In place of --buckets: the edges themselves, for scores outside [0, 1].",
)
@click.option(
    "--minimum",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="The number of items that a bucket holds at least.",
)
@click.option(
    "--epsilon",
    type=float,
    metavar="X",
    help="Add noise: the file is then X-differentially private for one added or removed row.",
)
def tally(**given: Any) -> None:
    """Write the tally of FILE...: edges of buckets, and positives and negatives between them.

    The file has no row, score, moment or extreme, and with --epsilon no exact count. It has the
    names of the scores. `rocwalk merge` adds up the files of several sites.

    \b
    Example:
      rocwalk tally predictions.csv --label y --score model -o site_a.tally --epsilon 1
    """
    refuse_hidden(given)
    buckets: Any = given["buckets"] if given["edges"] is None else _edges(given["edges"])
    study, source = asked("tally", given, by_tallies=True, one_class=True)
    parts: dict[str, SharedTally] = {}
    for (name, _), one in (study.models or {}).items():
        if not one.is_counts:
            raise OptionError(
                "has soft truth, and only counts can be shared.",
                ("name the positive label with ", Option("pos_label"), "."),
                argument="label",
            )
        if one.is_bucketed and study.is_large:
            raise OptionError(
                "is smaller than the data: shared buckets need the scores themselves.",
                "raise it, or split the file, write a tally of each part and merge them (with "
                "noise in each).",
                argument="memory_limit",
            )
        options = {"minimum": given["minimum"], "epsilon": given["epsilon"]}
        try:
            parts[str(name)] = share(one, buckets=buckets, **options)
        except RocwalkError as error:
            place = {} if isinstance(error, OptionError) else {"column": name}
            raise error.at(names={"buckets": Argument("edges")}, **place) from None
    rows = [{"score": name} | one.to_dict() for name, one in parts.items()]
    spent = None if given["epsilon"] is None else given["epsilon"] * len(parts)
    # what is exact of the rows stays here: their number, notes on them, the hash of their file
    known = {key: source[key] for key in ("rocwalk", "schema_version", "command", "options")}
    options = {key: value for key, value in known["options"].items() if key not in _UNUSED}
    results: Row = known | {
        "options": options,
        "notes": [],
        "tallies": rows,
        "epsilon_spent": spent,
        "output": str(given["output"]),
    }

    for note in source["notes"] if not given["quiet"] else ():
        print_note(note)

    def show() -> None:
        print_table("What leaves", _HEADERS, [_shown(row) for row in rows])
        if not given["quiet"]:
            print_folded(_privacy(spent, len(parts), given["minimum"]))
        print_line(f"The tally: {given['output']}")
        if given["explain"]:  # not in --json: what is asked may hold values of the rows
            print_queries(source, stderr=False)

    deliver(
        results, given, [_shown(row) for row in rows], show, {given["output"]: shared_text(parts)}
    )


def _shown(row: Row) -> Row:
    error = row["bucket_error"]
    known = "undefined" if math.isnan(error) else f"{error:.2g}"
    return {key: row[key] for key in _HEADERS} | {"bucket_error": known}


def _privacy(spent: float | None, scores: int, minimum: int) -> str:
    """Say what the file promises, and what it does not."""
    if spent is None:
        return (
            f"Each bucket holds at least {minimum} items, positives and negatives together. There "
            "is no noise: whoever knows all other rows of this site can tell the last one."
        )
    each = "" if scores == 1 else f", {spent / scores:g} for each of {scores} scores"
    return (
        f"The file is {spent:g}-differentially private{each}: for data that differ by one row "
        "added or removed. Further files of the same rows add to this, and so does this file if "
        "it is written anew."
    )


def _edges(text: str) -> list[float]:
    try:
        return [float(edge) for edge in text.split(",")]
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not a list of numbers, such as 0,10,20.", param_hint="--edges"
        ) from None
