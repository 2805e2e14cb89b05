"""`rocwalk figure`: figures for a paper, in the format that the file's ending asks for."""

from __future__ import annotations

from pathlib import Path
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
    parse_rule,
    refuse_hidden,
    refusing,
    rule_options,
    shared_options,
    text_options,
)
from rocwalk.cli.output import Row, asked, deliver, quietly
from rocwalk.cli.readers import read_readers, study_options
from rocwalk.cli.terminal import print_folded, print_line
from rocwalk.plot import WORDS
from rocwalk.publish.figure import (
    DOTS,
    ENDINGS,
    STYLES,
    WIDTHS,
    PaperFigure,
    figure_of,
    readers_figure,
)
from rocwalk.publish.formats import ending
from rocwalk.report.findings import Findings

_LOOK = (
    click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        required=True,
        metavar="FILE",
        help="The file to write; its ending says what: .pdf, .svg, .png or .tif.",
    ),
    click.option(
        "--style",
        type=click.Choice(STYLES),
        default=STYLES[0],
        show_default=True,
        help="Lines in black and shades of grey, or in the colours of the other plots.",
    ),
    click.option(
        "--width",
        type=click.Choice(WIDTHS),
        default=WIDTHS[0],
        show_default=True,
        help="One column of a journal (89 mm) or two (183 mm).",
    ),
    click.option(
        "--words",
        type=click.Choice(WORDS),
        default=WORDS[1],
        show_default=True,
        help="True and false positive rates, or sensitivity and 1 − specificity.",
    ),
    click.option(
        "--dpi",
        "dots_per_inch",
        type=int,
        default=DOTS,
        show_default=True,
        metavar="N",
        help="Dots per inch of PNG and TIFF.",
    ),
)
_UNUSED = ("by", "fold", "class_scores", "raters")


@click.group(cls=Subcommands)
def figure() -> None:
    """Draw a figure for a paper, with a draft of its caption.

    \b
    Examples:
      rocwalk figure roc predictions.csv --label y --score a --score b -o figure1.pdf
      rocwalk figure calibration predictions.csv --label y --score a -o figure2.tif --dpi 600
    """


def _look_options(command: Command) -> Command:
    for option in reversed(_LOOK):
        command = option(command)
    return command


def _of_models(kind: str, words: str) -> click.Command:
    """Return the command that draws one kind of figure of models."""

    @figure.command(kind, help=words)
    @shared_options
    @_look_options
    @rule_options
    def draw(**given: Any) -> None:
        refuse_hidden(given)
        ending(given["output"], ENDINGS, "a figure")
        rule = parse_rule(given)
        study, source = asked(
            f"figure {kind}", given, same_rows=kind == "comparison", in_pairs=True
        )
        findings = Findings(study, 1 - given["alpha"], given["seed"], rule=rule)
        made = quietly("Drawing…", lambda _: figure_of(findings, kind, _look(given)))
        _deliver(made, source, given)

    return draw


_KINDS = {
    "roc": "ROC curves of the models in FILE..., with AUC and interval, and operating points.",
    "calibration": "Calibration curves of the probabilities in FILE...",
    "decision": "Net benefit of the probabilities in FILE... (decision curves).",
    "comparison": "Differences in AUC of every pair of models in FILE..., with intervals.",
}
for _kind, _words in _KINDS.items():
    refusing(*_UNUSED)(_of_models(_kind, _words))


@figure.command()
@study_options
@_look_options
@text_options
@JSON_FILE
@FORMAT
@ALPHA
@QUIET
def readers(**given: Any) -> None:
    """ROC curves of every reader and test in FILE..., and the mean of each test."""
    ending(given["output"], ENDINGS, "a figure")
    study, source = read_readers("figure readers", given)
    made = quietly("Drawing…", lambda _: readers_figure(study, "readers", {}, _look(given)))
    _deliver(made, source, given)


def _look(given: dict[str, Any]) -> dict[str, str]:
    return {name: given[name] for name in ("style", "width", "words")}


def _deliver(made: PaperFigure, source: Row, given: dict[str, Any]) -> None:
    """Write the figure, and print its caption and its methods."""
    dots = given["dots_per_inch"]
    content = quietly("Drawing…", lambda _: made.encoded(given["output"], dots_per_inch=dots))
    said: Row = {"kind": made.kind, "file": str(given["output"]), "caption": made.caption}
    said |= {"methods": made.methods().text}
    record = source | {"options": options_given(given), "figure": said}

    def show() -> None:
        if not given["quiet"]:
            print_folded(f"Caption: {made.caption}")
            print_folded(f"Methods: {made.methods().text}")
        print_line(f"The figure: {given['output']}")

    deliver(record, given, [said], show, {given["output"]: content})
