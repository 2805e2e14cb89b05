"""`rocwalk shift`: scores without labels against a labelled reference."""

from __future__ import annotations

from typing import Any

import click

from rocwalk.cli.asking import FORM, at_hand
from rocwalk.cli.drift import like
from rocwalk.cli.notes import naming
from rocwalk.cli.options import (
    OF_VOTES,
    parse_costs,
    refuse_hidden,
    refusing,
    shared_but_files,
)
from rocwalk.cli.output import Row, asked, deliver, quietly
from rocwalk.cli.terminal import print_folded, print_table
from rocwalk.drift.shift import ScoreShift, labelled_shift
from rocwalk.errors import Column, RocwalkError, RocwalkWarning, collecting
from rocwalk.evaluate.study import Study
from rocwalk.evaluate.summary import evidence_on
from rocwalk.inference.items import refuse_few
from rocwalk.read.arrays import check
from rocwalk.read.frames import NUMBER, Name, read_table
from rocwalk.read.opening import open_named
from rocwalk.read.text import TextFormat
from rocwalk.report.numbers import p_text, rate, signed, with_ends
from rocwalk.statistic import statistic_of
from rocwalk.tally.tally import Tally, refuse_other_scores

_HEADERS = {
    "words": "Expected of these scores",
    "before": "Reference",
    "expected": "Now",
}
_SCORES = {
    "words": "Scores",
    "before": "Reference",
    "now": "Now",
    "difference": "Difference",
    "p": "p",
}


@refusing("by", "fold", "class_scores", "weight", "cluster", "seed", *OF_VOTES)
@click.command()
@shared_but_files
@click.argument("reference", metavar="REFERENCE")
@click.argument("current", metavar="CURRENT")
@click.option(
    "--costs",
    metavar="FP:FN",
    help="Costs of a false positive and a false negative, for the mean cost that is expected.",
)
@click.option(
    "--threshold",
    type=float,
    default=0.5,
    show_default=True,
    help="With --costs: the score from which items are predicted positive.",
)
def shift(**given: Any) -> None:
    """Test for drift before labels are known: how scores have moved, and what to expect of them.

    REFERENCE is a file of labels and probabilities, CURRENT one with the same columns of scores; it
    needs no labels, and labels in it are not used. AUC, positives, prevalence, midpoint, struggle
    ratio and cost are those that the reference expects of the new scores, with intervals, if
    outcomes given the scores are still the same. Whether they are cannot be seen without labels:
    use `rocwalk drift` when they have come.

    \b
    Example:
      rocwalk shift reference.csv today.csv --label y --score model
    """
    refuse_hidden(given)
    costs = parse_costs(given["costs"], None)
    study, source = asked(
        "shift",
        given | {"files": (given["reference"],)},
        file=given["reference"],
        by_tallies=True,
    )
    source["options"].pop("files", None)
    scores, files, notes = _scores(like(study, given))
    source["files"] += files
    source["notes"] += notes
    rows = {str(name): tally.total_count for name, tally in scores.items()}
    source["rows"] = {"reference": study.rows, "current": rows}
    found = {
        str(name): _shift(study, name, tally, scores[name], given, costs)
        for (name, _), tally in (study.models or {}).items()
    }
    results = source | {"models": [{"model": k} | one.to_dict() for k, one in found.items()]}

    def show() -> None:
        for (name, _), tally in (study.models or {}).items():
            _show(str(name), found[str(name)], tally, quiet=given["quiet"])

    deliver(results, given, [_csv_row(name, one) for name, one in found.items()], show)


def _scores(given: dict[str, Any]) -> tuple[dict[Name, Tally], list[Row], list[str]]:
    """Read the columns of scores of the current file; return them, its digest, and notes."""
    file, tallies = given["current"], {}
    form = TextFormat(**{key: given[key] for key in FORM})
    with (
        naming(file),
        collecting(RocwalkWarning) as noticed,
        open_named([at_hand(file)], form) as files,
    ):
        table = read_table(files, dict.fromkeys(given["scores"], NUMBER))
        digests = [{"name": str(name), "sha256": digest} for name, digest in files.digests()]
        for name in given["scores"]:
            try:
                sample = check(
                    [0] * len(table),
                    table[name],
                    invalid=given["invalid"],
                    probabilities=True,
                    with_advice=False,
                )
            except RocwalkError as error:
                names = dict.fromkeys(("y_score", "y_prob"), Column(name))
                raise error.at(names=names, **table.where(error.fields.row)) from None
            tallies[name] = sample.tally()
    return tallies, digests, [one.what for one in noticed]


def _shift(
    study: Study, name: Name, tally: Tally, scores: Tally, given: dict[str, Any], costs: Any
) -> ScoreShift:
    try:
        refuse_other_scores(tally)
        evidence = evidence_on(study, name, tally)
        refuse_few(evidence)
    except RocwalkError as error:
        raise error.at(subject=Column(name), file=given["reference"]) from error
    return quietly(
        f"Comparing {name}…",
        lambda _: labelled_shift(evidence, scores, given["alpha"], costs, given["threshold"]),
    )


def _show(name: str, one: ScoreShift, reference: Tally, *, quiet: bool) -> None:
    """Print the sentences, the shift of the scores, and what is expected of them."""
    if not quiet:
        print_folded(f"{name}: {one.summary} {one.cannot_see}")
    moved = [
        {
            "words": "mean score",
            "before": rate(one.mean_reference),
            "now": rate(one.mean_current),
            "difference": with_ends(one.difference, one.low, one.high, signed),
            "p": p_text(one.mean_p_value),
        },
        {
            "words": f"largest gap, at {rate(one.gap_at, 3)}",
            "difference": rate(one.gap),
            "p": p_text(one.p_value),
        },
    ]
    print_table(f"{name}: {'shifted' if one.shifted else 'not visibly shifted'}", _SCORES, moved)
    rows: list[Row] = []
    for key, part in (one.expected or {}).items():
        row: Row = {"words": key, "expected": with_ends(part.value, part.low, part.high)}
        if key == "positives":
            row["before"] = f"{reference.total_up:,} of {reference.total_count:,}"
            row["expected"] = f"{part.value:,.0f} ({part.low:,.0f} to {part.high:,.0f})"
        elif key == "cost":
            row["words"] = "mean cost"
        else:
            entry = statistic_of(key)
            row |= {"words": entry.words, "before": rate(float(entry.of(reference)))}
        rows.append(row)
    print_table("", _HEADERS, rows)


def _csv_row(name: str, one: ScoreShift) -> Row:
    """Return a model as one line: the shift, and what is expected with both ends."""
    row = one.to_dict()
    expected = row.pop("expected")
    flat = {
        f"expected_{key}{end}": part[field]
        for key, part in expected.items()
        for end, field in (("", "value"), ("_low", "low"), ("_high", "high"))
    }
    return {"model": name} | row | flat
