"""`rocwalk.report`: the page of `rocwalk report`, from Python and in notebooks."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from rocwalk.checks import one_of
from rocwalk.curves.choices import Costs
from rocwalk.curves.rules import YOUDEN, OperatingRule, operating_rule
from rocwalk.drift.request import margins_of
from rocwalk.errors import Argument, OptionError, RocwalkError
from rocwalk.evaluate.question import Question
from rocwalk.evaluate.study import Study, read_study
from rocwalk.inference.distributions import check_level
from rocwalk.plot import WORDS
from rocwalk.read.frames import Name
from rocwalk.read.long_votes import long_votes
from rocwalk.read.scales import VoteRule
from rocwalk.read.tallies import names_of
from rocwalk.read.text import FOUND, TextFormat
from rocwalk.read.times import check_window, refuse_numbers
from rocwalk.report.compare import check_pairs
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import shown
from rocwalk.report.page import render
from rocwalk.result import Result
from rocwalk.typing import AnyArray, BestMetric, Decimal, Invalid, SmoothMethod, Thousands, Words
from rocwalk.writing import Writer, bytes_writer, text_writer, write_aside, write_folder

if TYPE_CHECKING:
    from rocwalk.drift.drift import Drift


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """An interactive page on one or several models; make one with `rocwalk.report`.

    `drifts` may hold what has been found against the reference already, by the names of columns;
    `sections` names those to show, in their order, and is None for all. `margins` are those of
    drift, by test.
    """

    study: Study
    title: str
    options: Mapping[str, Any]
    seed: int = 0
    confidence_level: float = 0.95
    reference: Study | None = None
    drifts: Mapping[Any, Drift] = field(default_factory=dict)
    sections: tuple[str, ...] | None = None
    window: int | str = "month"
    margins: Mapping[str, float] | None = None
    rule: OperatingRule = YOUDEN
    smooth: tuple[SmoothMethod, ...] = ()
    calibration: bool = False
    equivalence: float | None = None
    curves: bool = False

    def __post_init__(self) -> None:
        if self.study.paired is not None and self.study.paired.times is not None:
            refuse_numbers(self.study.paired.times, self.window)

    @cached_property
    def html(self) -> str:
        """The page: one self-contained HTML document."""
        return render(self.findings, shown(self.title), self._subtitle(), self.sections)

    @cached_property
    def findings(self) -> Findings:
        """What the page is made from: every number of it, computed once."""
        return Findings(
            self.study,
            self.confidence_level,
            self.seed,
            self.options,
            self.reference,
            self.drifts,
            self.window,
            self.margins,
            rule=self.rule,
            smooth_methods=self.smooth,
            whole_calibration=self.calibration,
            equivalence=self.equivalence,
            whole_curves=self.curves,
        )

    def save(self, path: str | Path) -> None:
        """Write the page to a file, aside first and then renamed."""
        write_aside(path, text_writer(self.html))

    def figures(self, folder: str | Path, *, words: Words = "learning") -> list[Path]:
        """Write every chart as SVG and PNG and every table as CSV into a folder, without a browser.

        Parameters
        ----------
        folder
            Made if it is missing. Files of the same names are replaced, all of them or none.
        words
            "learning" for true and false positive rates, "clinical" for sensitivity and
            1 − specificity.

        Returns
        -------
        list
            The paths of the files.
        """
        return write_folder(folder, self.figure_writers(words))

    def figure_writers(self, words: Words = "learning") -> dict[str, Writer]:
        """Return what writes each file of `figures`, by its name."""
        from rocwalk.report.plot import figure_files
        from rocwalk.report.tables import table_files

        one_of("words", words, WORDS)
        files: dict[str, Writer] = {
            name: bytes_writer(content)
            for name, content in figure_files(self.findings, words).items()
        }
        tables = table_files(self.findings).items()
        return files | {name: text_writer(text) for name, text in tables}

    def _subtitle(self) -> str:
        words = _origin(self.study)
        if self.study.shared is None:
            words += f"; label “{shown(self.study.question.label)}”"
        return words if self.reference is None else f"{words}; against {_origin(self.reference)}"

    def _headline(self) -> dict[str, Any]:
        question = self.study.question
        return {
            "title": self.title,
            "rows": self.study.rows_read,
            "label": question.label,
            "scores": tuple(question.scores) or None,
        }

    def _columns(self) -> dict[str, AnyArray]:
        """Return one row a model: its numbers, and the ends of their intervals."""
        from rocwalk.report.tables import number_rows

        rows = number_rows(self.findings)
        keys = dict.fromkeys(key for row in rows for key in row)
        held = [key for key in keys if any(row.get(key) is not None for row in rows)]
        return {
            key: np.array([np.nan if row.get(key) is None else row[key] for row in rows])
            for key in held
        }

    def _repr_html_(self) -> str:
        try:
            page = self.html
        except RocwalkError as error:
            return f"<pre>{html.escape(str(error))}</pre>"
        return (
            f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:780px;border:0" '
            'sandbox="allow-scripts allow-downloads" title="rocwalk report"></iframe>'
        )


def _origin(study: Study) -> str:
    """Say how many rows were read, and from where."""
    names = [shown(Path(name).name) for name, _ in study.files]
    more = f" and {len(names) - 3:,} more files" if len(names) > 3 else ""
    where = ", ".join(names[:3]) + more or "a dataframe"
    if study.shared is not None:
        about = "about " if study.is_noised else ""
        return f"Counts of {about}{study.rows_read:,} items, shared in {where}"
    return f"{study.rows_read:,} rows of {where}"


def report(
    data: Any,
    *,
    label: Name | None = None,
    score: Name | Sequence[Name] | None = None,
    raters: Name | Sequence[Name] | None = None,
    item: Name | None = None,
    rater: Name | None = None,
    vote: Name | None = None,
    votes: Any = None,
    cut: Any = None,
    scale: Sequence[Any] | None = None,
    rater_weight: Mapping[Any, float] | None = None,
    weight: Name | None = None,
    fold: Name | None = None,
    cluster: Name | None = None,
    by: Name | Sequence[Name] | None = None,
    class_scores: Mapping[Any, Name] | None = None,
    pos_label: Any = None,
    invalid: Invalid = "raise",
    confidence_level: float = 0.95,
    costs: Costs | None = None,
    prevalence: float | None = None,
    threshold: float | None = None,
    rate: float | None = None,
    metric: BestMetric | None = None,
    beta: float | None = None,
    min_precision: float | None = None,
    min_tpr: float | None = None,
    min_specificity: float | None = None,
    smooth: SmoothMethod | Sequence[SmoothMethod] | None = None,
    calibration: bool = False,
    equivalence: float | None = None,
    curves: bool = False,
    title: str = "ROC analysis",
    reference: Any = None,
    time: Name | None = None,
    window: int | str | None = None,
    margin: bool | Mapping[str, float] | None = None,
    memory_limit: str | None = None,
    decimal: Decimal | None = None,
    thousands: Thousands | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> Report:
    """Return an interactive page on one or several models.

    Parameters
    ----------
    data
        A dataframe of pandas, polars or pyarrow; a lazy one of polars, DuckDB, Dask, Ibis or
        PySpark; a dict of columns; or a path, a pattern (``"scores-*.parquet"``) or a list of paths
        of CSV, TSV, Parquet or JSON-lines files.
    label, score, weight, fold, cluster, by
        Names of columns; `score` and `by` may be lists. Folds are averaged, clusters are units
        that intervals must respect, `by` makes subgroups.
    raters
        In place of `label`: the columns of several raters' votes, with gaps. The truth of an item
        is the share of its positive votes.
    item, rater, vote
        In place of `raters`, for a table in which each row is one vote: the columns of the item, of
        who voted and of the vote. All other columns are the same in all rows of an item.
    votes
        With `item`, `rater` and `vote`: the table of the votes, where `data` has the scores, one
        row an item. Any form that `data` may have.
    cut, scale, rater_weight
        What votes mean: the lowest rating that is positive; the ends of the scale, or all
        categories in their order (without a cut the mean rating, rescaled onto 0 to 1, is the
        truth); what a vote of each rater weighs. See `rocwalk.votes`.
    class_scores
        For several classes, in place of `score`: the column of scores of each label. With votes
        each vote is of a class, and has its share of the weight of its item.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans. Of votes
        all others are negative.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.
    confidence_level
        Of the intervals.
    costs, prevalence, threshold, rate
        The operating rule, which the whole page starts with: `Costs` of both mistakes, the share of
        positives where the rule will be used, a fixed threshold, or the share of items that may be
        called positive. Costs beside a threshold or a rate price it. Without any, the threshold of
        the largest TPR − FPR.
    metric, beta, min_precision, min_tpr, min_specificity
        Another metric that the threshold maximises, the weight of recall of "fbeta", and floors
        that it keeps to; see `rocwalk.best_threshold`.
    smooth
        Smooth curves that the page can show over the ROC curves, by the methods of
        `rocwalk.smooth_roc`: "binormal", "density", "beta", or several. "binormal" is always
        there for models of at most 4,000 distinct scores.
    calibration
        Also give the intervals of all distances from calibration, and compare recalibration maps on
        rows that they were not fitted to, as `rocwalk.sklearn.compare_recalibrations` does; that
        needs scikit-learn. Without it the page is made faster.
    equivalence
        For two or more models: the largest difference of areas that does not matter, chosen before
        the data are seen. The comparison then tests non-inferiority and equivalence; see `margin`
        of `rocwalk.compare`.
    curves
        For two or more models: also test whether the whole ROC curves are equal, as
        `rocwalk.compare_curves` does.
    title
        The title of the page.
    reference
        Earlier data with the same columns of labels, scores and weights: the page then says
        whether the models have drifted since, as `rocwalk.drift` does, at 1 − confidence_level.
    time, window
        The column of dates or numbers, and how long windows are ("month" by default): the page then
        follows the models over time, as `rocwalk.drift_over_time` does.
    margin
        With `reference` or `time`: True, or margins by name ("auc", "midpoint", "struggle_ratio"),
        within which changes of the model are no drift; see `rocwalk.drift`.
    memory_limit
        Files and lazy tables that would need more memory, as in "512MB", are tallied where they
        are; what needs every row, such as pairs of models, is then left out or refused.
    decimal, thousands
        For files of separated text: the decimal separator ("." or ","), and the thousands
        separator (``,`` ``.`` ``_`` ``'`` or a space), if there is one. By default numbers have a
        decimal point, or, where commas do not separate values, a decimal comma throughout; a file
        in which every comma could stand between thousands is refused.
    separator, encoding
        For files of separated text: the separator of values, by default found from the first lines,
        and the encoding, by default UTF-8, or UTF-16 with a byte-order mark.

    Examples
    --------
    >>> import rocwalk as rw
    >>> data = {"y": [1, 0, 1, 0], "model": [0.9, 0.8, 0.7, 0.1]}
    >>> page = rw.report(data, label="y", score="model")
    >>> page
    Report(title='ROC analysis', rows=4, label='y', scores=('model',))
    >>> page.html.startswith("<!doctype html>")
    True
    """
    span, margins = check_window("month" if window is None else window), margins_of(margin)
    if window is not None and time is None:
        raise OptionError(
            "is of windows of time, and no column of times is named.",
            ("pass ", Argument("time"), " too."),
            argument="window",
        )
    if margins is not None and reference is None and time is None:
        raise OptionError(
            "is of drift, and nothing is compared.",
            ("pass ", Argument("reference"), " or ", Argument("time"), " too."),
            argument="margin",
        )
    check_pairs(equivalence, len(names_of(score)), curves=curves)
    if calibration and class_scores:
        raise OptionError(
            "does not go together with several classes.",
            ("look at one class with ", Argument("score"), " and ", Argument("pos_label"), "."),
            argument="calibration",
        )
    chosen: dict[str, Any] = {
        "metric": metric,
        "beta": beta,
        "min_precision": min_precision,
        "min_tpr": min_tpr,
        "min_specificity": min_specificity,
    }
    rule = operating_rule(
        costs=costs, prevalence=prevalence, threshold=threshold, rate=rate, **chosen
    )
    methods = (smooth,) if isinstance(smooth, str) else tuple(smooth or ())
    for method in methods:
        one_of("smooth", method, get_args(SmoothMethod))
    question = Question(
        label=label,
        scores=names_of(score),
        raters=names_of(raters),
        long=long_votes(item, rater, vote, votes),
        votes=VoteRule(cut=cut, scale=scale, rater_weight=rater_weight),
        weight=weight,
        fold=fold,
        cluster=cluster,
        time=time,
        by=names_of(by),
        class_scores=class_scores,
        pos_label=pos_label,
        invalid=invalid,
    )
    options = {
        "label": label,
        "raters": raters,
        "item": item,
        "rater": rater,
        "vote": vote,
        "cut": cut,
        "scale": scale,
        "rater_weight": rater_weight,
        "score": score,
        "weight": weight,
        "fold": fold,
        "by": by,
    }
    options |= {
        "costs": None if costs is None else f"{costs.false_positive:g}:{costs.false_negative:g}",
        "prevalence": rule.prevalence,
        "threshold": threshold,
        "rate": rate,
        **chosen,
        "smooth": smooth,
        "calibration": calibration or None,
        "equivalence": equivalence,
        "curves": curves or None,
        "time": time,
        "window": None if time is None else span,
        "margin": None if margins is None else margin,
        "cluster": cluster,
        "class_scores": class_scores,
        "pos_label": pos_label,
        "invalid": invalid,
        "decimal": decimal,
        "thousands": thousands,
        "separator": separator,
        "encoding": encoding,
    }
    given = {name: value for name, value in options.items() if value is not None}
    level = check_level(confidence_level)
    form = TextFormat(decimal=decimal, thousands=thousands, separator=separator, encoding=encoding)
    study = read_study(
        data,
        question,
        same_rows=cluster is not None,
        in_pairs=len(question.scores) > 1 or calibration,
        memory_limit=memory_limit,
        form=form,
    )
    before = None if reference is None else read_reference(reference, question, memory_limit, form)
    return Report(
        study,
        title,
        given,
        confidence_level=level,
        reference=before,
        window=span,
        rule=rule,
        margins=margins,
        smooth=methods,
        calibration=calibration,
        equivalence=equivalence,
        curves=curves,
    )


def read_reference(
    data: Any, question: Question, memory_limit: str | None = None, form: TextFormat = FOUND
) -> Study:
    """Read the reference that a study is set against: labels, scores, weights and clusters."""
    if question.class_scores:
        raise OptionError(
            "A reference does not go together with several classes.",
            "leave the reference out, or look at one class with score and pos_label.",
        )
    if question.long is not None and question.long.data is not None:
        raise OptionError(
            "is the table of the votes of one sample, and a reference has votes of its own.",
            "let the scores stand beside the votes in both tables, one value an item.",
            argument="votes",
        )
    plain = replace(question, by=(), fold=None, time=None)
    return read_study(
        data,
        plain,
        same_rows=question.cluster is not None,
        memory_limit=memory_limit,
        form=form,
    )
