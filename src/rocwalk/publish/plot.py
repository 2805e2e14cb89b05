"""Figures of a paper, drawn with matplotlib: sizes, fonts and lines that journals ask for."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rocwalk.curves.costs import brier_losses, useful_end
from rocwalk.curves.hull import thinned
from rocwalk.curves.plot import FPR, TPR, draw_benefit, draw_calibration, draw_chance, draw_roc
from rocwalk.errors import RocwalkWarning, collecting, optional
from rocwalk.inference.plot import draw_forest
from rocwalk.plot import (
    DASHES,
    MAX_POINTS,
    PALETTE,
    pyplot,
    square_axes,
    with_legend,
    wording,
)
from rocwalk.publish.comparison import auc_comparison
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import level_words
from rocwalk.truth.reader_studies import ReaderStudy

INCHES = {"single": 89 / 25.4, "double": 183 / 25.4}  # one and two columns of a journal
# dark ones first, so that each differs from its neighbour in grey; later ones repeat the dashes
_JOURNAL = ("#000000", "#0072B2", "#D55E00", "#006D4F", "#8A8A8A", "#56B4E9", "#E69F00", "#CC79A7")
MOST_LINES = len(_JOURNAL)
FORMATS = {".pdf": "pdf", ".svg": "svg", ".png": "png", ".tif": "tiff", ".tiff": "tiff"}

_LEGEND_LETTERS, _ROW_LETTERS = (
    14,
    7.5,
)  # that fit an inch of a figure, in a legend and as names of rows
_FONTS = ["Arial", "Helvetica", "Liberation Sans", "DejaVu Sans"]
_STYLES: dict[str, dict[str, Any]] = {
    "journal": {
        "font.family": "sans-serif",
        "font.sans-serif": _FONTS,
        "font.size": 8,
        "axes.labelsize": 8,
        "axes.linewidth": 0.8,
        "xtick.labelsize": 7,
        "ytick.labelsize": 7,
        "legend.fontsize": 7,
        "lines.linewidth": 1.2,
        "axes.unicode_minus": True,
        "text.parse_math": False,  # a name between dollars is a name
    },
    "colour": {"font.size": 9, "lines.linewidth": 1.6, "text.parse_math": False},
}
_WRITTEN = {
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "rocwalk",
}


@dataclass(frozen=True)
class Look:
    """How a figure is drawn: its style, its width in inches, and the words of its axes."""

    style: str
    inches: float
    words: str

    def line(self, place: int) -> dict[str, Any]:
        """Return colour, dashes and width of a line; no two are alike in grey."""
        colours = _JOURNAL if self.style == "journal" else PALETTE
        return {
            "color": colours[place % len(colours)],
            "linestyle": DASHES[place % len(DASHES)],
            "linewidth": _STYLES[self.style]["lines.linewidth"],
        }

    def wrapped(self, label: str, letters: float = _LEGEND_LETTERS) -> str:
        """Return a label in lines that fit the width; matplotlib hides one that starts with _."""
        lines = textwrap.wrap(label, int(self.inches * letters))
        return f" {label}" if label[:1] == "_" and len(lines) == 1 else "\n".join(lines)


def draw_figure(
    kind: str, source: Findings | ReaderStudy, labels: Sequence[str], look: Look
) -> Any:
    """Draw a kind of figure, and return its axes."""
    draw: Any = {
        "roc": draw_roc_figure,
        "calibration": draw_calibration_figure,
        "decision": draw_decision_figure,
        "comparison": draw_comparison_figure,
        "readers": draw_readers_figure,
    }[kind]
    return draw(source, labels, look)


def figure_bytes(
    figure: str,
    source: Findings | ReaderStudy,
    labels: Sequence[str],
    look: Look,
    kind: str,
    dots_per_inch: int,
) -> bytes:
    """Return a figure in a format, the same bytes for the same figure."""
    plt = pyplot()  # first: without matplotlib it says which extra is missing
    with styled(look), plt.rc_context(_WRITTEN):
        drawn, stream = draw_figure(figure, source, labels, look).figure, io.BytesIO()
        known: dict[str, dict[str, Any]] = {
            "pdf": {"metadata": {"CreationDate": None, "ModDate": None}},
            "svg": {"metadata": {"Date": None}},
        }
        pixels = "png" if kind == "tiff" else kind
        drawn.savefig(stream, format=pixels, dpi=dots_per_inch, **known.get(kind, {}))
        plt.close(drawn)
    if kind == "tiff":  # in RGB: journals refuse transparency
        image: Any = optional("PIL.Image", "plot", "A picture")
        png, stream, dots = stream, io.BytesIO(), (dots_per_inch, dots_per_inch)
        image.open(png).convert("RGB").save(stream, "TIFF", compression="tiff_lzw", dpi=dots)
    return stream.getvalue()


@contextmanager
def styled(look: Look) -> Iterator[None]:
    """Draw in a style inside the block."""
    with (
        pyplot().rc_context(_STYLES[look.style]),
        collecting(RocwalkWarning),
        wording(look.words),
    ):
        yield


def _axes(look: Look, height: float | None = None) -> Any:
    """Return new axes as wide as the look says; square unless a height is given."""
    size = (look.inches, look.inches if height is None else height)
    return pyplot().subplots(figsize=size, layout="constrained")[1]


def _finished(ax: Any, look: Look, first: str | None = None) -> Any:
    """Add the legend, below the axes if it hides a line in every corner; no grid for journals."""
    with_legend(ax, first=first)
    legend, figure = ax.get_legend(), ax.figure
    if legend is not None:
        box = legend.get_window_extent()
        if box.y1 < ax.get_window_extent().y0:  # the axes keep their size
            figure.set_size_inches(look.inches, figure.get_figheight() + box.height / figure.dpi)
            figure.draw_without_rendering()  # the layout is right from the second time on
    if look.style == "journal":
        ax.grid(visible=False)
        for side in ("left", "bottom"):
            ax.spines[side].set_color("black")
    return ax


# -- models ----------------------------------------------------------------------------------------


def draw_roc_figure(findings: Findings, labels: Sequence[str], look: Look) -> Any:
    """Draw the ROC curve of each model, labelled with its area, and its operating point."""
    ax = _axes(look)
    for k, one in enumerate(findings.models):
        draw_roc(one.exact, one.area, ax, label=look.wrapped(labels[k]), **look.line(k))
    for k, summary in enumerate(findings.summaries):
        if summary.choice is not None:
            label = "operating point" if k == len(findings.names) - 1 else None
            ax.plot(
                [summary.choice.fpr], [summary.choice.tpr], "o", markersize=5, zorder=4,
                markerfacecolor="white", markeredgecolor=look.line(k)["color"], gid="point",
                label=label,
            )  # fmt: skip
    return _finished(ax, look)


def draw_calibration_figure(findings: Findings, labels: Sequence[str], look: Look) -> Any:
    """Draw the calibration curve of each model; of one model with its band of confidence."""
    ax = _axes(look)
    band = "confidence" if len(findings.calibrations) == 1 else None
    for k, found in findings.calibrations.items():
        draw_calibration(found, ax, name=look.wrapped(labels[k]), band=band, **look.line(k))
    ax.set(xlabel="Predicted probability", ylabel="Observed share")
    return _finished(ax, look, "upper left")


def draw_decision_figure(findings: Findings, labels: Sequence[str], look: Look) -> Any:
    """Draw the net benefit of each model, of treating all and of treating none."""
    ax, places = _axes(look, 0.75 * look.inches), findings.probabilities
    far = max(useful_end(findings.summaries[k].prevalence) for k in places)
    for k in places:
        losses = brier_losses(findings.models[k].exact, findings.tallies[k])
        draw_benefit(losses, ax, name=look.wrapped(labels[k]), end=far, **look.line(k))
    trivial = [line for line in ax.lines if line.get_gid() == "trivial"]
    for line, dashes in zip(trivial, (":", "-"), strict=False):
        # thin, so that neither is one of the models in grey
        line.set(linewidth=0.5 * look.line(0)["linewidth"], linestyle=dashes)
    return _finished(ax, look, "upper right")


def draw_comparison_figure(findings: Findings, labels: Sequence[str], look: Look) -> Any:
    """Draw the difference in area of every pair of models with its interval."""
    pairs = auc_comparison(findings).pairs
    names = [look.wrapped(f"{labels[one.a]} − {labels[one.b]}", _ROW_LETTERS) for one in pairs]
    row = 0.14 + 0.14 * max(1 + name.count("\n") for name in names)
    ax = _axes(look, 0.9 + row * len(pairs))
    lines = [
        (name, pair.difference, pair.low, pair.high)
        for name, pair in zip(names, pairs, strict=True)
    ]
    words = f"Difference in AUC ({level_words(findings.level)} CI)"
    draw_forest(lines, words, ax, no_effect=0.0, color="black")
    return _finished(ax, look)


# -- readers ---------------------------------------------------------------------------------------


def draw_readers_figure(study: ReaderStudy, labels: Sequence[str], look: Look) -> Any:
    """Draw the curve of every reader thinly, and the mean curve of each test."""
    ax = square_axes(_axes(look), FPR, TPR)
    draw_chance(ax)
    for k, (test, curves) in enumerate(study.curves.items()):
        line = look.line(k)
        thin = line | {"linewidth": 0.4 * line["linewidth"], "alpha": 0.5, "gid": "reader"}
        for curve in curves.values():
            few, _ = thinned(curve.walk, MAX_POINTS)
            ax.plot(few.fpr, few.tpr, **thin)
        mean = study.mean_curves[test]
        thick = line | {"linewidth": 1.4 * line["linewidth"], "label": look.wrapped(labels[k])}
        draw_roc(mean.walk, mean.area, ax, **thick)
    return _finished(ax, look)
