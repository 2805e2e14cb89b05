"""From the options of a command to a question about data: columns, guesses, standard input."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from rocwalk.cli.notes import STANDARD_INPUT
from rocwalk.cli.options import (
    parse_class_scores,
    parse_rater_weights,
    parse_rating,
    parse_scale,
)
from rocwalk.cli.terminal import print_note
from rocwalk.errors import Argument, ColumnError, FileError
from rocwalk.evaluate.question import Question
from rocwalk.read.addresses import shown_address, source
from rocwalk.read.frames import column_names
from rocwalk.read.long_votes import long_votes
from rocwalk.read.opening import open_named
from rocwalk.read.scales import VoteRule
from rocwalk.read.text import TextFormat
from rocwalk.texts import shown
from rocwalk.writing import temporary_folder

# options whose names in the code differ from those on the command line
_WRITTEN = {
    "scores": "score",
    "class_scores": "class_score",
    "json_file": "json",
    "form": "format",
    "margins": "margin",
    "second": "on",
    "smooth_methods": "smooth",
    "rater_weights": "rater_weight",
}
_OF_TWO_CLASSES = (
    *("scores", "by", "fold", "cluster", "cut", "scale"),
    *("positive", "costs", "threshold", "rate", "prevalence", "max_fpr", "metric", "beta"),
    *("min_precision", "min_tpr", "min_specificity"),
)
FORM = ("decimal", "thousands", "separator", "encoding")
_LABELS = ("label", "labels", "y", "y_true", "target", "truth", "outcome", "class")
_SCORES = ("score", "scores", "y_score", "y_prob", "prob", "probability", "prediction", "p")


def ask(given: dict[str, Any]) -> tuple[Any, Question]:
    """Return the files and the question that the shared options name; guesses are said aloud."""
    classes = parse_class_scores(given["class_scores"])
    label, scores, raters = given["label"], given["scores"], given["raters"]
    _refuse_together(given)
    files: Any = [at_hand(name) for name in given["files"]]
    if given["table"] is not None or given["query"] is not None:
        option = "--table" if given["query"] is None else "--query"
        if len(files) > 1:
            raise click.UsageError(f"{option} is for one database or workbook.")
        files = [source(files[0], table=given["table"], query=given["query"])]
    apart = None if given["votes"] is None else [at_hand(given["votes"])]
    long = long_votes(given["item"], given["rater"], given["vote"], apart)
    single = [given["weight"], given["fold"], given["cluster"], given.get("time")]
    single += [given["item"], given["rater"], given["vote"]]
    named = [*single, *given["by"], *scores, *raters, *classes.values()]
    needs_label = label is None and not raters and long is None
    needs_score = not scores and not classes
    form = TextFormat(**{key: given[key] for key in FORM})
    if needs_label or needs_score or form.given:  # open, so that they are looked into once
        files = click.get_current_context().with_resource(open_named(files, form))
    if needs_label:
        label = _guess(files, "label", _LABELS, named, given["quiet"])
    if needs_score:
        scores = (_guess(files, "score", _SCORES, [label, *named], given["quiet"]),)
    return files, Question(
        label=label,
        scores=scores,
        raters=raters,
        long=long,
        votes=VoteRule(
            cut=None if given["cut"] is None else parse_rating(given["cut"]),
            scale=parse_scale(given["scale"]),
            rater_weight=parse_rater_weights(given["rater_weights"]),
        ),
        weight=given["weight"],
        fold=given["fold"],
        cluster=given["cluster"],
        time=given.get("time"),
        by=given["by"],
        class_scores=classes or None,
        positive=given["positive"],
        invalid=given["invalid"],
    )


def _refuse_together(given: dict[str, Any]) -> None:
    """Raise for options that contradict each other; nothing is accepted and then ignored."""
    if given["class_scores"]:
        for name in _OF_TWO_CLASSES:
            if given.get(name) not in (None, ()):
                option = _WRITTEN.get(name, name).replace("_", "-")
                raise click.UsageError(
                    f"--{option} does not go together with --class-score: it is for two classes."
                )
    raters = given["raters"]
    if given["label"] is not None and raters:
        raise click.UsageError("--label does not go together with --raters: give one of them.")
    if given["label"] is not None and given["vote"] is not None:
        raise click.UsageError("--label does not go together with --vote: give one of them.")
    if given["positive"] is not None and given["cut"] is not None:
        raise click.UsageError("--positive does not go together with --cut: give one of them.")
    for place, name in enumerate(raters):
        if name in raters[:place]:
            raise click.UsageError(f"--raters names {name!r} twice: name each rater once.")
        if name in given["scores"]:
            raise click.UsageError(
                f"Column {name!r} is named by --raters and by --score: votes are the truth that "
                "scores are compared with."
            )


def _guess(
    files: Any,
    role: str,
    usual: Sequence[str],
    taken: Sequence[str | None],
    quiet: bool,
) -> str:
    """Return the one obvious column for a role, and say so, or raise with what there is."""
    free = [str(name) for name in column_names(files) if name not in taken]
    likely = [name for name in free if name.casefold() in usual] or (free if len(free) == 1 else [])
    if len(likely) == 1:
        if not quiet:
            print_note(f"the {role} column is {likely[0]!r}, guessed from its name or place.")
        return likely[0]
    found = "several columns could be it" if likely else "no column has an obvious name for it"
    raise ColumnError(
        f"is missing, and {found}: {shown(likely or free, 12)}.",
        ("name it with ", Argument(role), " COL."),
        argument=role,
    )


def at_hand(name: str) -> str:
    """Return a path; standard input is copied to a file that lives as long as the command."""
    if name != "-":
        return name
    if sys.stdin is None:
        raise FileError("Standard input is closed.", "send the data to it, or name a file.")
    path = click.get_current_context().with_resource(temporary_folder()) / "standard-input.csv"
    try:
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
    except OSError as error:
        raise FileError(
            f"Standard input could not be copied to a temporary file: {error.strerror or error}.",
            "send data to it, and set TMPDIR to a folder that has room for them; or name a file.",
        ) from error
    STANDARD_INPUT.set(str(path))
    return str(path)


def _without_secret(value: Any) -> Any:
    """Return the address of a database as it may be shown, and any other value unchanged."""
    return shown_address(value) if isinstance(value, str) else value


def options_given(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given, as plain values for the provenance."""
    plain = {}
    for name, value in given.items():
        if value is not None and value != () and value is not False:
            written = str(value) if isinstance(value, Path) else value
            is_many = isinstance(value, tuple)
            shown_value = [*map(_without_secret, value)] if is_many else _without_secret(written)
            plain[_WRITTEN.get(name, name)] = shown_value
    return plain
