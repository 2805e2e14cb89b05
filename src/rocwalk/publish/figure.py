"""Figures of a paper: `rocwalk.figure`, with a caption, and how they are written to files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocwalk.checks import as_whole, one_of
from rocwalk.curves.choices import Costs
from rocwalk.curves.costs import DecisionCurve, brier_losses
from rocwalk.curves.roc import Curve
from rocwalk.errors import OptionError
from rocwalk.methods import Methods
from rocwalk.plot import WORDS
from rocwalk.publish.accuracy import chosen_words, rule_words, size_words
from rocwalk.publish.comparison import auc_comparison, interval_on
from rocwalk.publish.content import distinct, with_interval
from rocwalk.publish.formats import ending
from rocwalk.publish.table import refuse_unfit, report_on
from rocwalk.read.frames import Name
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import count, decimals_of, level_words
from rocwalk.result import Result
from rocwalk.statistic import words_of
from rocwalk.tally.walk import walk_of
from rocwalk.texts import joined
from rocwalk.truth.reader_studies import ReaderStudy
from rocwalk.typing import Invalid, PaperFigureKind, PaperStyle, PaperWidth, Words
from rocwalk.writing import bytes_writer, write_aside

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocwalk.publish.plot import Look

STYLES, WIDTHS = ("journal", "colour"), ("single", "double")
OF_MODELS = ("roc", "calibration", "decision", "comparison")
KINDS = (*OF_MODELS, "readers")
ENDINGS = (".pdf", ".svg", ".png", ".tif", ".tiff")
LEAST_DOTS, DOTS = 72, 600
_MOST_DOTS = 2400
_MOST_LINES = 8  # that still differ in grey


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PaperFigure(Result):
    """A figure for a paper; make one with `rocwalk.figure`.

    `caption` is a draft of the text below it: what is drawn, from how many items, with which
    intervals; `labels` are those of the lines.
    """

    kind: str
    style: str
    width: str
    words: str
    caption: str
    labels: tuple[str, ...]
    source: Findings | ReaderStudy
    made_by: Methods

    @property
    def _look(self) -> Look:
        from rocwalk.publish.plot import INCHES, Look

        return Look(self.style, INCHES[self.width], self.words)

    def plot(self) -> Axes:
        """Draw the figure, and return its axes."""
        from rocwalk.publish.plot import draw_figure, styled

        with styled(self._look):
            axes: Axes = draw_figure(self.kind, self.source, self.labels, self._look)
        return axes

    def encoded(self, path: str | Path, *, dots_per_inch: int = DOTS) -> bytes:
        """Return the content of a file in the format that the ending of its name asks for.

        Parameters
        ----------
        path
            The name of the file: its ending is .pdf, .svg, .png or .tif.
        dots_per_inch
            The resolution of PNG and TIFF.
        """
        found = ending(path, ENDINGS, "a figure")
        dots = as_whole("dots_per_inch", dots_per_inch, LEAST_DOTS)
        if dots > _MOST_DOTS:
            hint = f"journals ask for 300 to 1200; ask for {_MOST_DOTS} at most."
            raise OptionError("is too fine.", hint, option="dots_per_inch", value=dots_per_inch)
        from rocwalk.publish.plot import FORMATS, figure_bytes

        return figure_bytes(self.kind, self.source, self.labels, self._look, FORMATS[found], dots)

    def save(self, path: str | Path, *, dots_per_inch: int = DOTS) -> None:
        """Write the figure to a file, aside first and then renamed.

        Parameters
        ----------
        path
            Its ending says in which format: .pdf, .svg, .png, .tif or .tiff.
        dots_per_inch
            Of PNG and TIFF, 72 to 2400; journals ask for 300 at least.
        """
        write_aside(path, bytes_writer(self.encoded(path, dots_per_inch=dots_per_inch)))

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        return self.made_by

    def __repr__(self) -> str:
        return f"PaperFigure({self.kind!r}, style={self.style!r}, width={self.width!r})"

    def _headline(self) -> dict[str, Any]:
        return {
            "figure": self.kind,
            "style": self.style,
            "width": self.width,
            "words": self.words,
            "caption": self.caption,
        }


def figure(
    data: Any,
    kind: PaperFigureKind = "roc",
    *,
    label: Name | None = None,
    score: Name | Sequence[Name] | None = None,
    weight: Name | None = None,
    cluster: Name | None = None,
    pos_label: Any = None,
    invalid: Invalid | None = None,
    confidence_level: float | None = None,
    costs: Costs | None = None,
    prevalence: float | None = None,
    threshold: float | None = None,
    rate: float | None = None,
    style: PaperStyle = "journal",
    width: PaperWidth = "single",
    words: Words = "clinical",
) -> PaperFigure:
    """Return a figure for a paper, which `.save` writes as PDF, SVG, PNG or TIFF.

    Parameters
    ----------
    data
        A dataframe, a dict of columns, or files, which `rocwalk.report` reads, too; or a `Report`
        that was made already, and then no columns. For "readers", a `ReaderStudy`.
    kind
        "roc": the curve of each model with its area and interval in the legend, and its operating
        point. "calibration": the observed share of positives by predicted probability. "decision":
        net benefit by threshold probability. "comparison": the difference in area of every pair of
        models. "readers": the curves of all readers, and the mean of each test.
    label, score, weight, cluster
        Names of columns; `score` may be a list. Clusters are units that intervals must respect.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    invalid
        "raise", the default, or "drop" to leave out rows with a missing or unusable value, with a
        warning.
    confidence_level
        Of the intervals. Default: 0.95.
    costs, prevalence, threshold, rate
        The operating rule that "roc" marks: `Costs` of both mistakes, the share of positives where
        the rule will be used, a threshold that was fixed before the data were seen, or the share of
        items that may be called positive. Without any, the threshold of the largest sensitivity +
        specificity on these data.
    style
        "journal": 8-point sans serif without a grid, lines that differ in dashes and in grey;
        "colour": the look of the other plots.
    width
        "single" for one column of a journal (89 mm), "double" for two (183 mm).
    words
        "clinical" for sensitivity and 1 − specificity, "learning" for true and false positive rate.

    Examples
    --------
    >>> import rocwalk as rw
    >>> data = {"y": [1, 1, 0, 1, 0, 0], "model": [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]}
    >>> found = rw.figure(data, "roc", label="y", score="model", threshold=0.5)
    >>> print(found.caption)
    ROC curve of model; 6 items, 3 positive. In brackets: 95 % confidence interval. Circle: \
positive if score ≥ 0.5. The threshold was given, not chosen on these data.
    """
    one_of("kind", kind, KINDS)
    options = {
        "label": label,
        "score": score,
        "weight": weight,
        "cluster": cluster,
        "pos_label": pos_label,
        "invalid": invalid,
        "confidence_level": confidence_level,
        "costs": costs,
        "prevalence": prevalence,
        "threshold": threshold,
        "rate": rate,
    }
    given = {name: value for name, value in options.items() if value is not None}
    look: dict[str, str] = {"style": style, "width": width, "words": words}
    if isinstance(data, ReaderStudy) or kind == "readers":
        return readers_figure(data, kind, given, look)
    return figure_of(report_on(data, given).findings, kind, look)


def figure_of(findings: Findings, kind: str, look: dict[str, str]) -> PaperFigure:
    """Return a figure of what was found; raise where there is none of this kind."""
    check_look(look)
    refuse_unfit(findings)
    if len(findings.names) > _MOST_LINES:
        raise OptionError(
            f"There are {len(findings.names)} models, and lines of more than {_MOST_LINES} cannot "
            "be told apart in grey.",
            "draw fewer models.",
        )
    caption, labels, made = _OF_MODELS[kind](findings)
    return PaperFigure(
        kind=kind, caption=caption, labels=tuple(labels), source=findings, made_by=made, **look
    )


def check_look(look: dict[str, str]) -> None:
    """Raise for a style, a width or words that there are not."""
    for name, allowed in (("style", STYLES), ("width", WIDTHS), ("words", WORDS)):
        one_of(name, look[name], allowed)


Drawn = tuple[str, list[str], Methods]  # the caption, the labels of lines, and the methods


def _roc(findings: Findings) -> Drawn:
    names, labels = distinct(findings.names), []
    made = Curve(walk_of(findings.tallies[0])).methods()
    for k, name in enumerate(names):
        area = interval_on(findings, k, "auc")
        value = findings.tallies[k].area
        ends = (value, float("nan"), float("nan"))
        if area is not None:
            ends, made = (area.estimate, area.low, area.high), made + area.methods()
        labels.append(f"{name}: AUC {with_interval(ends)}")
    rules = [f"{rule_words(findings, k)} ({name})" for k, name in enumerate(names)]
    plural, rule = ("", rule_words(findings, 0)) if len(names) == 1 else ("s", joined(rules))
    caption = (
        f"ROC curve{plural} of {joined(names)}; {size_words(findings)}, {_positive(findings)} "
        f"positive. In brackets: {level_words(findings.level)} confidence interval{plural}. "
        f"Circle{plural}: positive if score {rule}. {chosen_words(findings)}"
    )

    return _plain(caption), labels, made


def _calibration(findings: Findings) -> Drawn:
    names = distinct(findings.names)
    if len(findings.calibrations) < len(names):
        raise OptionError(
            f"Calibration is of probabilities, and scores of {joined(findings.others or names)} "
            "are not all in [0, 1], or share buckets.",
            "name columns of probabilities only.",
        )
    made = Methods(())
    for found in findings.calibrations.values():
        if len(names) == 1:
            found.confidence_band  # noqa: B018  # drawn, and so named by the methods
        made += found.methods()
    band = (
        f" Shaded: pointwise {level_words(findings.level)} confidence band."
        if len(names) == 1
        else ""
    )
    caption = (
        f"Calibration of {joined(names)}; {size_words(findings)}, {_positive(findings)} positive. "
        "Isotonic regression of the outcome on the predicted probability; the diagonal is perfect "
        f"calibration. At the foot: the distribution of the predictions.{band}"
    )

    return _plain(caption), names, made


def _decision(findings: Findings) -> Drawn:
    names = distinct(findings.names)
    if len(findings.probabilities) < len(names):
        raise OptionError(
            f"Net benefit is of probabilities, and scores of {joined(findings.others)} are not all "
            "in [0, 1].",
            "name columns of probabilities only.",
        )
    caption = (
        f"Decision curves of {joined(names)}; {size_words(findings)}, {_positive(findings)} "
        "positive. Net benefit by threshold probability, against treating all and treating none."
    )
    first = findings.tallies[0]
    made = DecisionCurve(brier_losses(findings.models[0].exact, first)).methods()

    return _plain(caption), names, made


def _comparison(findings: Findings) -> Drawn:
    names, found = distinct(findings.names), auc_comparison(findings)
    caption = (
        f"Differences in AUC between {joined(names)} on the same items, with "
        f"{level_words(findings.level)} confidence intervals; the dashed line is no difference."
    )

    return _plain(caption), names, found.methods()


_OF_MODELS: dict[str, Callable[[Findings], Drawn]] = {
    "roc": _roc,
    "calibration": _calibration,
    "decision": _decision,
    "comparison": _comparison,
}


def readers_figure(
    data: Any, kind: str, given: dict[str, Any], look: dict[str, str]
) -> PaperFigure:
    """Return the figure of a reader study; raise if it is none, or if columns are named beside."""
    check_look(look)
    if not isinstance(data, ReaderStudy) or kind != "readers":
        raise OptionError(
            'A reader study and the kind "readers" go together.',
            'pass what rocwalk.reader_study returned, and kind="readers".',
        )
    if given:
        raise OptionError(
            "does not go together with a reader study, which has its own.",
            "pass it to rocwalk.reader_study.",
            argument=next(iter(given)),
        )
    if len(data.tests) > _MOST_LINES:
        raise OptionError(
            f"There are {len(data.tests)} tests, and lines of more than {_MOST_LINES} cannot be "
            "told apart in grey.",
            "draw fewer tests.",
        )
    number = words_of(data.statistic)
    tests = distinct([str(test) for test in data.tests])
    labels = [
        f"{name}: mean {number} {with_interval((mean.estimate, mean.low, mean.high))}"
        for name, mean in zip(tests, data.means, strict=True)
    ]
    level = level_words(data.confidence_level)
    caption = (
        f"ROC curves of {joined(tests)}: {len(data.readers)} readers (thin) and their mean "
        f"(thick); {data.n_positives:,} positive and {data.n_negatives:,} negative cases. In "
        f"brackets: {level} confidence intervals of the mean {number}."
    )

    return PaperFigure(
        kind=kind,
        caption=_plain(caption),
        labels=tuple(labels),
        source=data,
        made_by=data.methods(),
        **look,
    )


def _positive(findings: Findings) -> str:
    tally = findings.tallies[0]
    return count(tally.total_up, decimals_of(tally.total_up + tally.total_right))


def _plain(caption: str) -> str:
    return caption.replace("\N{NO-BREAK SPACE}", " ")
