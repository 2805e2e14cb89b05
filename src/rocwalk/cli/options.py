"""The options that commands share, in one block."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...")

SHARED = (
    click.option(
        "--label", metavar="COL", help="The column of labels, or of soft truth in [0, 1]."
    ),
    click.option(
        "--score", "scores", multiple=True, metavar="COL", help="A column of scores; repeatable."
    ),
    click.option("--weight", metavar="COL", help="The column of weights."),
    click.option("--fold", metavar="COL", help="The column of cross-validation folds."),
    click.option(
        "--by", multiple=True, metavar="COL", help="Report subgroups of this column; repeatable."
    ),
    click.option(
        "--class-score",
        "class_scores",
        multiple=True,
        metavar="LABEL=COL",
        help="The score column of a class, for several classes; repeatable.",
    ),
    click.option("--positive", metavar="VALUE", help="The label that counts as positive."),
    click.option(
        "--invalid",
        type=click.Choice(["raise", "drop"]),
        default="raise",
        show_default=True,
        help="What to do with rows that have missing or unusable values.",
    ),
    click.option(
        "--json",
        "json_file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Also write the results and their provenance to a JSON file.",
    ),
    click.option(
        "--format",
        "form",
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help="What to print.",
    ),
    click.option("--quiet", is_flag=True, help="Leave out notes and explanations."),
)


def shared_options(command: Command) -> Command:
    """Add the shared options to a command, in their order."""
    for option in reversed(SHARED):
        command = option(command)
    return FILES(command)


def parse_costs(text: str | None) -> tuple[float, float] | None:
    """Read "FP:FN", the costs of a false positive and of a false negative."""
    if text is None:
        return None
    parts = text.split(":")
    try:
        false_positive, false_negative = map(float, parts)
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not FP:FN, such as 1:5.", param_hint="--costs"
        ) from None
    return false_positive, false_negative


def parse_class_scores(given: tuple[str, ...]) -> dict[str, str]:
    """Read "LABEL=COL" pairs."""
    pairs: dict[str, str] = {}
    for text in given:
        label, equals, column = text.partition("=")
        if not equals or not label or not column:
            raise click.BadParameter(
                f"{text!r} is not LABEL=COL, such as cat=p_cat.", param_hint="--class-score"
            )
        if label in pairs:
            raise click.BadParameter(f"{label!r} is given twice.", param_hint="--class-score")
        pairs[label] = column
    return pairs
