"""How errors and notes are worded on the command line: with its options, and with its files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from rocwalk.errors import File, Option, OptionError, RocwalkError, RocwalkWarning, Wording

if TYPE_CHECKING:  # the study loads all that can be measured, and --help needs none of it
    from rocwalk.evaluate.study import Study

# arguments of the library, and what they are on the command line
_OPTIONS = {
    "alpha": "--alpha",
    "beta": "--beta",
    "buckets": "--buckets",
    "auc": "--auc",
    "auc_1": "--auc-1",
    "auc_2": "--auc-2",
    "by": "--by",
    "case": "--case",
    "cases": "--cases",
    "class_scores": "--class-score",
    "cluster": "--cluster",
    "correlation": "--correlation",
    "covariance": "--covariance",
    "cut": "--cut",
    "decimal": "--decimal",
    "difference": "--difference",
    "dots_per_inch": "--dpi",
    "edges": "--edges",
    "encoding": "--encoding",
    "epsilon": "--epsilon",
    "false_negative": "--costs",
    "false_positive": "--costs",
    "fold": "--fold",
    "half_width": "--half-width",
    "invalid": "--invalid",
    "item": "--item",
    "label": "--label",
    "labels": "--class-score",
    "margin": "--margin",
    "equivalence": "--equivalence",
    "curves": "--curves",
    "max_fpr": "--max-fpr",
    "memory_limit": "--memory-limit",
    "method": "--method",
    "metric": "--metric",
    "min_precision": "--min-precision",
    "min_specificity": "--min-specificity",
    "min_tpr": "--min-tpr",
    "minimum": "--minimum",
    "minimum_coverage": "--minimum-coverage",
    "n_resamples": "--resamples",
    "neg_label": "--negative",
    "null": "--null",
    "pos_label": "--positive",
    "power": "--power",
    "prevalence": "--prevalence",
    "query": "--query",
    "rate": "--rate",
    "rater": "--rater",
    "rater_weight": "--rater-weight",
    "raters": "--raters",
    "rating": "--rating",
    "ratio": "--ratio",
    "reader": "--reader",
    "readers": "--readers",
    "rng": "--seed",
    "scale": "--scale",
    "score": "--score",
    "sensitivity": "--sensitivity",
    "separator": "--separator",
    "specificity": "--specificity",
    "statistic": "--statistic",
    "table": "--table",
    "test": "--test",
    "thousands": "--thousands",
    "threshold": "--threshold",
    "time": "--time",
    "vote": "--vote",
    "votes": "--votes",
    "weight": "--weight",
    "window": "--window",
}
_PLAIN = ("invalid",)  # whose values are words of the command line, written without quotes

STANDARD_INPUT: ContextVar[str] = ContextVar("STANDARD_INPUT", default="-")  # where its copy is


class CommandLine(Wording):
    """How markers in errors and notes are written on the command line.

    >>> words = CommandLine()
    >>> words.option(Option("pos_label", "yes")), words.option(Option("invalid", "drop"))
    ("--positive 'yes'", '--invalid drop')
    """

    def argument(self, name: str) -> str:
        """Write an argument as the option that it comes from."""
        return _OPTIONS.get(name, name)

    def option(self, option: Option) -> str:
        """Write an option and its value, if it has one."""
        if option.statistic is not None:
            return f"--statistic {option.statistic}@{option.name}={option.value:g}"
        if option.name not in _OPTIONS:
            return super().option(option)
        name = _OPTIONS[option.name]
        if not option.has_value:
            return name
        if option.name == "margin" and isinstance(option.value, dict):
            return " ".join(f"{name} {key}={value:g}" for key, value in option.value.items())
        if option.name == "scale":
            are_ends = len(option.value) == 2 and not any(isinstance(x, str) for x in option.value)
            return f"{name} {(':' if are_ends else ',').join(map(str, option.value))}"
        return f"{name} {option.value if option.name in _PLAIN else repr(option.value)}"

    def file(self, name: str) -> str:
        """Write a file as the user named it."""
        return "standard input" if name in ("-", STANDARD_INPUT.get()) else repr(name)


COMMAND_LINE = CommandLine()


@contextmanager
def naming(file: str | None) -> Iterator[None]:
    """Let errors name the file that they are about, where a command reads several samples."""
    try:
        yield
    except OptionError:
        raise
    except RocwalkError as error:
        if file is None or error.fields.file is not None:
            raise
        raise error.at(file=file) from error


@contextmanager
def naming_options(*arguments: str) -> Iterator[None]:
    """Let errors name arguments by options that mean something else for other commands."""
    try:
        yield
    except RocwalkError as error:
        options = {name: f"--{name.replace('_', '-')}" for name in arguments}
        raise error.at(names=options | dict(error.fields.names)) from None


def notes_on(study: Study, file: str | None = None) -> list[str]:
    """Return what was noticed while a study was read, and which models rank nothing.

    Where a command reads several samples, every note names the `file` of this one.
    """
    from rocwalk.evaluate.study import LARGE

    noticed = list(study.noticed)
    for (name, _), tally in ({} if study.models is None else study.models).items():
        if len(tally) == 1 and not tally.is_bucketed:
            text = f"has the same score for all items, {tally.scores[0]:g}: it ranks nothing, and "
            noticed.append(RocwalkWarning(f"{text}its AUC is 0.5.", column=name))
    if file is not None:
        noticed = [
            one.at(subject=File(file)) if one.fields.problem == LARGE else one.at(file=file)
            for one in noticed
        ]
    worded = [one.worded(COMMAND_LINE) for one in noticed]
    return [f"{what} Hint: {hint}" if hint else what for what, hint in worded]
