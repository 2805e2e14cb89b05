"""The options that commands share, in one block."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import cleandoc
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from rocwalk.curves.choices import METRICS, Costs
from rocwalk.curves.rules import OperatingRule, operating_rule
from rocwalk.drift.request import margins_of
from rocwalk.errors import Option, OptionError, RocwalkError
from rocwalk.read.numerals import THOUSANDS
from rocwalk.read.sources import find_files
from rocwalk.read.times import check_window
from rocwalk.statistic import NOUNS, Statistic, at_of_text, find, lacking, statistic_of
from rocwalk.typing import SmoothMethod
from rocwalk.writing import refuse_same

Command = TypeVar("Command", bound=Callable[..., Any])

FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...")

FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="What to print.",
)

INVALID = click.option(
    "--invalid",
    type=click.Choice(["raise", "drop"]),
    default="raise",
    show_default=True,
    help="What to do with rows that have missing or unusable values.",
)

TEXT = (
    click.option(
        "--decimal",
        type=click.Choice([".", ","]),
        help="The decimal separator of separated text.  [default: found from the file]",
    ),
    click.option(
        "--thousands",
        type=click.Choice(list(THOUSANDS)),
        help="The thousands separator of separated text.  [default: none]",
    ),
    click.option(
        "--separator",
        metavar="SIGN",
        help="The separator of values, or the word tab.  [default: found from the file]",
    ),
    click.option(
        "--encoding",
        metavar="NAME",
        help="The encoding of separated text, such as cp1252 or utf-16.  [default: utf-8]",
    ),
)

DATABASE = (
    click.option(
        "--table",
        metavar="NAME",
        help="The table of a database, or the sheet of a workbook, that FILE names; FILE::NAME "
        "means the same.",
    ),
    click.option(
        "--query", metavar="SQL", help="In place of --table: a SELECT that the database answers."
    ),
    click.option(
        "--explain",
        is_flag=True,
        help="Also print the queries that were sent to the engine that holds the data.",
    ),
)

JSON_FILE = click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the results and their provenance to a JSON file.",
)

ALPHA = click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Intervals hold with probability 1 − alpha.",
)

QUIET = click.option("--quiet", is_flag=True, help="Leave out notes and explanations.")

SHARED = (
    click.option(
        "--label", metavar="COL", help="The column of labels, or of soft truth in [0, 1]."
    ),
    click.option(
        "--score", "scores", multiple=True, metavar="COL", help="A column of scores; repeatable."
    ),
    click.option(
        "--raters",
        multiple=True,
        metavar="COL",
        help="In place of --label: a column of a rater's votes, with gaps; repeatable.",
    ),
    click.option(
        "--item",
        metavar="COL",
        help="With --rater and --vote, in place of --label: a row is one vote, on this item.",
    ),
    click.option("--rater", metavar="COL", help="Who cast the vote of the row."),
    click.option("--vote", metavar="COL", help="The vote of the row."),
    click.option(
        "--votes",
        metavar="FILE",
        help="With --item, --rater and --vote: the file of the votes; FILE... then has the scores, "
        "one row for each item.",
    ),
    click.option(
        "--cut", metavar="X", help="Votes are ratings; those from this value on are positive."
    ),
    click.option(
        "--scale",
        metavar="LOW:HIGH",
        help="The ends of the ratings, as in 1:5, or all categories in their order, as in "
        "low,middle,high. Without --cut the mean rating, rescaled onto 0 to 1, is the truth.",
    ),
    click.option(
        "--rater-weight",
        "rater_weights",
        multiple=True,
        metavar="RATER=X",
        help="The weight of a rater's votes in the truth, 1 by default; 0 leaves the rater out; "
        "repeatable.",
    ),
    click.option("--weight", metavar="COL", help="The column of weights."),
    click.option("--fold", metavar="COL", help="The column of cross-validation folds."),
    click.option(
        "--cluster",
        metavar="COL",
        help="The column of the unit that rows belong to, such as a patient; intervals "
        "take it into account.",
    ),
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
    INVALID,
    *TEXT,
    *DATABASE,
    click.option(
        "--memory-limit",
        metavar="SIZE",
        help="Files that need more memory than this are not read into memory.  [default: 1GB]",
    ),
    JSON_FILE,
    FORMAT,
    ALPHA,
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Seed of all random draws.",
    ),
    QUIET,
)


OF_VOTES = ("raters", "item", "rater", "vote", "votes", "cut", "scale", "rater_weights")


def text_options(command: Command) -> Command:
    """Add the options that say how separated text is written."""
    for option in reversed(TEXT):
        command = option(command)
    return command


def shared_options(command: Command) -> Command:
    """Add the files and the shared options to a command, in their order."""
    return FILES(shared_but_files(command))


def shared_but_files(command: Command) -> Command:
    """Add the shared options to a command that names its files in a way of its own.

    Before anything else the command refuses to write over one of its own files.
    """

    @wraps(command)
    def careful(**given: Any) -> Any:
        refuse_overwriting(given)
        return command(**given)

    for option in reversed(SHARED):
        careful = option(careful)
    return careful  # type: ignore[return-value]  # click's options keep the signature


_READ = ("reference", "current", "second", "votes")  # options and arguments that name one file each
_WRITTEN = ("output", "json_file")


def refuse_overwriting(given: dict[str, Any]) -> None:
    """Raise if a file that is to be written is another one of this command."""
    named = [*given.get("files", ()), *(given.get(name) for name in _READ)]
    if named.count("-") > 1:
        raise click.UsageError("Standard input (-) is named twice: it can be read once.")
    inputs: list[Path] = []
    for name in named:
        if name not in (None, "-"):
            with contextlib.suppress(RocwalkError):  # a file that is missing is named when read
                inputs += find_files(name)
    outputs = [given[name] for name in _WRITTEN if given.get(name) is not None]
    refuse_same(outputs, inputs)


def refusing(*names: str) -> Callable[[click.Command], click.Command]:
    """Leave shared options that a command refuses out of its help."""

    def hidden(command: click.Command) -> click.Command:
        for option in command.params:
            if isinstance(option, click.Option) and option.name in names:
                option.hidden = True
        return command

    return hidden


def refuse_hidden(given: dict[str, Any]) -> None:
    """Raise for options that the command refuses; nothing is accepted and then ignored."""
    command = click.get_current_context().command
    for option in command.params:
        if not (isinstance(option, click.Option) and option.hidden):
            continue
        value = given[str(option.name)]
        if value and value != option.default:
            raise click.UsageError(f"{option.opts[0]} does not go together with {command.name}.")


_RULE = (
    click.option(
        "--metric",
        type=click.Choice(METRICS),
        help="What the best threshold maximises. Default: TPR − FPR or cost (youden); with --rate "
        "without --costs the sensitivity.",
    ),
    click.option("--beta", type=float, metavar="X", help="The weight of recall of --metric fbeta."),
    click.option(
        "--min-precision",
        type=float,
        metavar="X",
        help="The least precision of the best threshold.",
    ),
    click.option(
        "--min-tpr", type=float, metavar="X", help="The least sensitivity of the best threshold."
    ),
    click.option(
        "--min-specificity",
        type=float,
        metavar="X",
        help="The least specificity of the best threshold.",
    ),
    click.option(
        "--costs",
        metavar="FP:FN",
        help="Costs of a false positive and a false negative, for the best threshold.",
    ),
    click.option(
        "--threshold",
        type=float,
        metavar="X",
        help="The rule score ≥ X, fixed before the data were seen; --costs then price it.",
    ),
    click.option(
        "--rate",
        type=float,
        metavar="X",
        help="A budget: call at most this share of the items positive. Adds TPR and lift there.",
    ),
    click.option(
        "--prevalence",
        type=float,
        metavar="X",
        help="Share of positives where the rule will be used.",
    ),
)


def rule_options(command: Command) -> Command:
    """Add the options that say which threshold is used, and what mistakes cost."""
    for option in reversed(_RULE):
        command = option(command)
    return command


def parse_rule(given: dict[str, Any]) -> OperatingRule:
    """Return the operating rule that the options mean."""
    return operating_rule(
        costs=parse_costs(given["costs"], given["prevalence"]) if given["costs"] else None,
        prevalence=given["prevalence"],
        threshold=given["threshold"],
        rate=given["rate"],
        metric=given["metric"],
        beta=given["beta"],
        min_precision=given["min_precision"],
        min_tpr=given["min_tpr"],
        min_specificity=given["min_specificity"],
    )


def parse_costs(text: str | None, prevalence: float | None) -> Costs | None:
    """Read "FP:FN" and the prevalence; with a prevalence alone both mistakes cost the same."""
    if text is None:
        if prevalence is None:
            return None
        text = "1:1"
    try:
        false_positive, false_negative = map(float, text.split(":"))
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not FP:FN, such as 1:5.", param_hint="--costs"
        ) from None
    return Costs(
        false_positive=false_positive, false_negative=false_negative, prevalence=prevalence
    )


class Subcommands(click.Group):
    """Commands of a command; each is listed with its whole first sentence."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write what each command is for."""
        told = [(name, cleandoc(one.help or "")) for name, one in sorted(self.commands.items())]
        with formatter.section("Commands"):
            formatter.write_dl([(name, text.partition("\n\n")[0]) for name, text in told])


def parse_statistic(text: str) -> tuple[str, dict[str, Any]]:
    """Read NAME or NAME@KEY=VALUE,…, such as sensitivity@fpr=0.1; costs are FP:FN."""
    try:
        return at_of_text(text, lambda costs: parse_costs(costs, None))
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not NAME@KEY=VALUE, such as sensitivity@fpr=0.1.",
            param_hint="--statistic",
        ) from None


_EXAMPLES = {"costs": "1:5", "max_fpr": "0.1", "rate": "0.05"}  # of values after an @


def statistic_named(text: str, usual: Mapping[str, Any] | None = None) -> Statistic:
    """Return the statistic of NAME@KEY=VALUE,…; without an @ the values are those of `usual`."""
    name, told = parse_statistic(text)
    values = told or {k: value for k, value in (usual or {}).items() if value is not None}
    entry = find(name)
    missing = [] if entry is None else lacking(entry, values)
    if missing:
        known = [f"{k}={value:g}" for k, value in told.items() if k != "costs"]
        after = ",".join([*known, *(f"{k}={_EXAMPLES.get(k, '0.2')}" for k in missing)])
        raise OptionError(
            f"needs {NOUNS.get(missing[0], missing[0])}.",
            ("name it after an @, as in ", Option("statistic", f"{name}@{after}"), "."),
            option="statistic",
            value=name,
        )
    return statistic_of(name, **values)


def parse_window(text: str) -> int | str:
    """Return how many rows make a window, or a span of the calendar; raise for any other word."""
    is_count = text.isdecimal() and len(text) <= 18  # a number of rows that a file can have
    return check_window(int(text) if is_count else text)


def parse_rating(text: str) -> float | int | str:
    """Return a rating as the number that it is, or a word."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def parse_scale(text: str | None) -> list[Any] | None:
    """Read "LOW:HIGH", the ends of a scale of numbers, or categories between commas."""
    if text is None:
        return None
    ends = [parse_rating(part.strip()) for part in text.split(":")]
    if len(ends) == 2 and not any(isinstance(end, str) for end in ends):
        return ends
    return [parse_rating(part.strip()) for part in text.split(",")]


def parse_rater_weights(given: tuple[str, ...]) -> dict[str, float] | None:
    """Read "RATER=X" pairs; a name may hold an equals sign."""
    weights: dict[str, float] = {}
    for text in given:
        name, _, value = text.rpartition("=")
        try:
            weight = float(value)
        except ValueError:
            weight = math.nan
        if not name or math.isnan(weight):
            raise click.BadParameter(
                f"{text!r} is not RATER=X, such as ann=2.", param_hint="--rater-weight"
            )
        if name in weights:
            raise click.BadParameter(f"{name!r} is given twice.", param_hint="--rater-weight")
        weights[name] = weight
    return weights or None


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


SMOOTH = click.option(
    "--smooth",
    "smooth_methods",
    type=click.Choice(get_args(SmoothMethod)),
    multiple=True,
    help="Add a smooth curve with its area, a model of the scores; repeatable.",
)

CALIBRATION = click.option(
    "--calibration",
    is_flag=True,
    help="Add every number of calibration with its interval, losses in their parts, tests, and "
    "recalibrations on rows that they were not fitted to.",
)

CURVES = click.option(
    "--curves",
    is_flag=True,
    help="Also test whether the whole ROC curves are equal (Venkatraman's permutation test): "
    "curves that cross may have equal areas.",
)

MARGIN = click.option(
    "--margin",
    "margins",
    multiple=True,
    is_flag=False,
    flag_value="default",
    metavar="[NAME=VALUE]",
    help="Changes within margins are no drift: auc=0.02, midpoint=0.1 (of log observed/expected) "
    "and struggle_ratio=0.05 (a share), unless set by name; repeatable.",
)


def parse_margins(given: tuple[str, ...]) -> bool | dict[str, float] | None:
    """Read "NAME=VALUE" pairs; the flag alone takes the defaults, and without it there are none."""
    margins: dict[str, float] = {}
    for text in given:
        if text == "default":
            continue
        name, _, value = text.partition("=")
        try:
            margins[name] = float(value)
        except ValueError:
            raise click.BadParameter(
                f"{text!r} is not NAME=VALUE, such as auc=0.02.", param_hint="--margin"
            ) from None
    margins_of(margins)  # refuses unknown names, before anything is read
    return margins or (True if given else None)
