"""From estimators, or a table of scores, to a decision: `rocwalk.evaluate` and its result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.averages import AveragedCurve, average
from rocwalk.curves.choices import Costs
from rocwalk.curves.recalibration import left_out_words
from rocwalk.curves.roc import Curve
from rocwalk.curves.rules import YOUDEN, OperatingRule, operating_rule
from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    OneClassError,
    OptionError,
    RocwalkError,
    RocwalkWarning,
    SmallSampleWarning,
    UndefinedMetricWarning,
    collecting,
    warn,
)
from rocwalk.evaluate.folds import WholeFolds, whole_folds
from rocwalk.evaluate.out_of_fold import Turns, study_out_of_fold
from rocwalk.evaluate.question import Question
from rocwalk.evaluate.study import Study, read_study
from rocwalk.evaluate.summary import Summary, applied, applies, evidence_on, summary
from rocwalk.inference.closed_forms import share_masses, wilson
from rocwalk.inference.comparisons import Comparison, compare_panel
from rocwalk.inference.cross_validation import (
    CrossValidation,
    check_rope,
    cross_validation_of,
    warn_of_parted,
)
from rocwalk.inference.distributions import check_level, normal_quantile
from rocwalk.inference.fold_means import fold_mean
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence, Items
from rocwalk.inference.panel import panel_of
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.progress import Progress, progress_of
from rocwalk.read.frames import Name
from rocwalk.read.tallies import names_of
from rocwalk.result import Result, numeral
from rocwalk.statistic import Statistic, at_of_text, in_table, statistic_of, words_of
from rocwalk.tally.tally import Tally, in_unit_range, read_only
from rocwalk.tally.walk import walk_of
from rocwalk.typing import AnyArray, ArrayLike, BestMetric, FloatArray, Invalid, ResponseMethod

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RATES = ("threshold", "tpr", "fpr", "expected_cost")  # of the operating rule


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a model with its interval; NaN where it is undefined or has none."""

    estimate: float
    low: float
    high: float
    method: str


_NOTHING = Number(math.nan, math.nan, math.nan, "")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Evaluation(Result):
    """Models on the same rows: numbers with intervals, comparison, curves, page.

    Make one with `rocwalk.evaluate`. Each part is computed when it is first asked for. `asked` are
    the names of the statistics, or functions; `rule` is the operating rule.
    """

    study: Study
    asked: tuple[Any, ...]
    confidence_level: float = 0.95
    rope: float = 0.01
    rule: OperatingRule = YOUDEN
    n_resamples: int = 2000
    seed: Any = None
    turns: Turns | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def _statistics(self) -> tuple[Statistic, ...]:
        return tuple(_statistic(one) for one in self.asked)

    @property
    def statistics(self) -> tuple[str, ...]:
        """The names of the numbers."""
        return tuple(one.name for one in self._statistics)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(str(name) for name, _ in self.study.models or ())

    @property
    def repeats(self) -> int:
        """How often the rows were split into folds."""
        return 1 if self.turns is None else self.turns.repeats

    @cached_property
    def scores(self) -> Mapping[str, FloatArray]:
        """The scores of each model, row by row; of estimators out of fold, one line a repeat."""
        if self.turns is not None:
            return MappingProxyType({str(k): v for k, v in self.turns.scores.items()})
        if self.study.paired is None:
            raise InputError(self.study.why_unpaired, "without all rows there are tallies only.")
        scores = {str(name): read_only(s) for name, s in self.study.paired.scores.items()}
        return MappingProxyType(scores)

    # -- numbers -----------------------------------------------------------------------------

    @cached_property
    def numbers(self) -> Mapping[str, Mapping[str, Number | None]]:
        """The numbers of each model by name; None where a number does not apply to its scores."""
        return {
            str(name): {one.name: self._number(one, name, tally) for one in self._statistics}
            for (name, _), tally in (self.study.models or {}).items()
        }

    def _number(self, statistic: Statistic, name: Any, tally: Tally) -> Number | None:
        """Return a number: its mean over folds, or that of all rows."""
        both = tally.total_up > 0 and tally.total_right > 0
        folds, told = self.study.folds, (statistic, tally, both, in_unit_range(tally))
        is_share = statistic.share is not None and not statistic.values
        if both and folds is not None and not is_share:
            return self._mean(statistic, name) if applies(*told) else None
        value = applied(*told)
        if value is None or not both:
            return None if value is None else Number(value, math.nan, math.nan, "")
        if folds is not None and statistic.share is not None and self._clusters is None:
            hits, count, squares = share_masses(tally, statistic.share, None)
            z = normal_quantile(0.5 + self.confidence_level / 2)
            ends = wilson(hits / count, count**2 / squares / self.repeats, z)
            return Number(value, *ends, "wilson")  # of the rows, not of the fits
        evidence = self._evidence(name, tally)
        plan = Plan(max(self.n_resamples, 1), self.seed)
        request = Request(statistic, self.confidence_level, "auto", plan)
        if self.n_resamples == 0 and not _is_closed(statistic, evidence):
            return Number(value, math.nan, math.nan, "")
        try:
            with collecting(RocwalkWarning):  # as in the tables of the command line
                one = interval_of(evidence, request)
        except RocwalkError:  # too few items of a class, an infinite number, buckets
            return Number(value, math.nan, math.nan, "")
        return Number(one.estimate, one.low, one.high, one.method)

    def _mean(self, statistic: Statistic, name: Any) -> Number:
        """Return the mean of a number over the folds."""
        # its cell is NaN; of few clusters it was said when they were read
        with collecting(UndefinedMetricWarning, SmallSampleWarning):
            found = fold_mean(
                name,
                statistic,
                self._folds[name],
                self.confidence_level,
                repeats=self.repeats,
                clusters=None if self._clusters is None else self._clusters[name],
            )
        return Number(found.estimate, found.low, found.high, found.method)

    def _evidence(self, name: Any, tally: Tally) -> Evidence:
        """Return the evidence on a model, with its items where resampling needs them."""
        evidence, paired = evidence_on(self.study, name, tally), self.study.paired
        if evidence.items is not None or evidence.even_weight is not None or paired is None:
            return evidence
        if len(paired.truth) != tally.total_count:
            return evidence
        return Evidence(tally, paired.items(name))

    @cached_property
    def summaries(self) -> Mapping[str, Summary]:
        """All registered numbers of the scores of all rows together, with the operating rule."""
        models = (self.study.models or {}).items()
        return {str(name): summary(tally, rule=self.rule) for (name, _), tally in models}

    # -- folds -------------------------------------------------------------------------------

    @cached_property
    def _whole(self) -> WholeFolds:
        """The folds that have both classes in every model."""
        found = whole_folds(self.study.folds or {})
        left = found.count - len(found.lost)
        if left < 2 or left % self.repeats:
            raise OneClassError(
                f"Folds with items of both classes: {left} of {found.count}.",
                "a cross-validation needs two folds or more with both classes, in every repeat as "
                "many; take fewer folds, or stratify them.",
            )
        if found.lost:
            why = "their fold has items of one class only"
            rows = self.study.rows_read
            warn(DroppedRowsWarning(rows, count=found.lost_rows, because=why))
        return found

    @property
    def _folds(self) -> Mapping[Any, list[Tally]]:
        return self._whole.tallies

    @cached_property
    def _clusters(self) -> Mapping[Any, list[Items]] | None:
        """The items of these folds in clusters, by model; None without clusters."""
        found = {name: self.study.clusters_of(name, self._whole.names) for name in self._folds}
        known = {name: items for name, items in found.items() if items is not None}
        if not known:
            return None
        first = next(iter(known.values()))
        warn_of_parted([one.cluster for one in first if one.cluster is not None], self.repeats)
        return known

    # -- comparison, curves, page ------------------------------------------------------------

    @cached_property
    def comparison(self) -> CrossValidation | Comparison | None:
        """Every pair of models by AUC; over folds where there are any. None of one model."""
        return None if len(self.names) < 2 else self.compare("auc")

    def compare(self, statistic: Any = "auc") -> CrossValidation | Comparison:
        """Compare every pair of models.

        Parameters
        ----------
        statistic
            A name such as "auc" or "brier", with its point such as "sensitivity@fpr=0.1", or a
            function of a `Tally`.

        Returns
        -------
        CrossValidation or Comparison
            Over folds the corrected resampled t-test and the posterior of each difference, as
            `rocwalk.cross_validation`; without folds a paired test, as `rocwalk.compare`.
        """
        asked = _statistic(statistic)
        if asked.needs_probabilities:
            for name, one in self.summaries.items():
                if not one.has_probabilities:
                    raise InputError(
                        f"The scores of {name!r} are not probabilities, which {asked.words} needs.",
                        "compare by 'auc', or calibrate the model first.",
                    )
        if self.study.folds is not None:
            return cross_validation_of(
                asked,
                self._folds,
                self.confidence_level,
                self.rope,
                self.repeats,
                self._clusters,
            )
        paired = self.study.paired
        if paired is None:
            raise InputError(self.study.why_unpaired, "compare models on rows that all can use.")
        if len(self.names) < 2:
            raise InputError("There is one model only.", "a comparison needs two.")
        panel = panel_of(paired.samples, paired.cluster_codes)
        plan = Plan(max(self.n_resamples, 1), self.seed)
        return compare_panel(panel, Request(asked, self.confidence_level, "auto", plan))

    @cached_property
    def curves(self) -> Mapping[str, Curve | AveragedCurve]:
        """The ROC curve of each model; with folds the mean curve, which `fold_band` takes."""
        if self.study.folds is None:
            return {
                str(name): Curve(walk_of(tally), tally)
                for (name, _), tally in (self.study.models or {}).items()
            }
        return {
            str(name): average([Curve(walk_of(one)) for one in parts], repeats=self.repeats)
            for name, parts in self._folds.items()
        }

    def report(self, title: str = "ROC analysis") -> Any:
        """Return the page on these models, a `rocwalk.Report`; of repeats that of the first."""
        study = self.study
        if self.turns is not None and self.turns.repeats > 1:
            first = self.turns.columns
            study = read_study(first, self.turns.question, in_pairs=True)
            title = f"{title}: the first of {self.turns.repeats} repeats"
        question = study.question
        told: dict[str, Any] = {
            "label": question.label,
            "score": list(question.scores),
            "fold": question.fold,
            "weight": question.weight,
            "cluster": question.cluster,
        }
        page = import_module("rocwalk").Report  # of a later room, by its public name
        return page(
            study,
            title,
            {name: value for name, value in told.items() if value is not None},
            confidence_level=self.confidence_level,
            rule=self.rule,
        )

    # -- as a result -------------------------------------------------------------------------

    @property
    def sentences(self) -> list[str]:
        """The first number of each model with its interval, then each pair of models."""
        first = self.statistics[0]
        level = f"{100 * self.confidence_level:g} %"
        over = self._over_folds
        said = []
        for name, numbers in self.numbers.items():
            one = numbers[first]
            if one is None:
                said.append(f"{name}: {words_of(first)} does not apply to its scores.")
            elif math.isnan(one.low):
                said.append(f"{name}: {words_of(first)} {numeral(one.estimate)}{over}.")
            else:
                said.append(
                    f"{name}: {words_of(first)} {numeral(one.estimate)}{over}, {level} interval "
                    f"{numeral(one.low)} to {numeral(one.high)} ({one.method})."
                )
        if {"calibration_slope", "calibration_intercept"} & set(self.statistics):
            for (model, _), tally in (self.study.models or {}).items():
                once = tally
                if self.repeats > 1:  # whose rows are in the tally once for each repeat
                    parts = self._folds[model]
                    once = sum(parts[1 : len(parts) // self.repeats], start=parts[0])
                words = left_out_words(once)
                said += [] if words is None else [f"{model}: {words}"]
        if self.comparison is None:
            return said
        if isinstance(self.comparison, Comparison):
            return [*said, self.comparison.sentence]
        return said + [pair.sentence for pair in self.comparison.pairs]

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        return " ".join(self.sentences)

    @property
    def _over_folds(self) -> str:
        if self.study.folds is None:
            return ""
        return f" over {len(next(iter(self._folds.values())))} folds"

    def plot(self, ax: Axes | None = None, *, statistic: str | None = None, **options: Any) -> Axes:
        """Draw a number of each model with its interval.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        statistic
            The name of the number. Default: the first of `statistics`.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.inference.plot import draw_forest

        name = self.statistics[0] if statistic is None else statistic
        if name not in self.statistics:
            hint = f"it has {', '.join(self.statistics)}."
            raise OptionError("was not evaluated.", hint, option="statistic", value=name)
        found = {model: numbers[name] or _NOTHING for model, numbers in self.numbers.items()}
        lines = [(model, one.estimate, one.low, one.high) for model, one in found.items()]
        level = f"{100 * self.confidence_level:g} %"
        words = f"{words_of(name)}{self._over_folds}, {level} intervals"
        return draw_forest(lines, words, ax, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the comparison."""
        compared = None if self.comparison is None else self.comparison.to_dict()
        return Result.to_dict(self) | {"comparison": compared}

    def _headline(self) -> dict[str, Any]:
        folds = None if self.study.folds is None else len(next(iter(self._folds.values())))
        return {
            "models": self.names,
            "rows": self.study.rows_read // self.repeats,
            "folds": folds,
            "repeats": None if folds is None else self.repeats,
            "confidence_level": self.confidence_level,
            "rule": self.rule.words,
        }

    def _columns(self) -> dict[str, AnyArray]:
        """Return one row a model: counts, every number with its interval, the operating rule."""
        columns: dict[str, list[Any]] = {"model": list(self.names)}
        tallies = list((self.study.models or {}).values())
        for k, name in enumerate(("positives", "negatives")):
            columns[name] = [one.class_masses[k] / self.repeats for one in tallies]
        for name in self.statistics:
            found = [numbers[name] or _NOTHING for numbers in self.numbers.values()]
            if all(one is _NOTHING for one in found):
                continue
            columns[name] = [one.estimate for one in found]
            columns[f"{name}_low"] = [one.low for one in found]
            columns[f"{name}_high"] = [one.high for one in found]
            columns[f"{name}_method"] = [one.method for one in found]
        choices = [
            self.rule.choose(walk_of(one)) if min(one.class_masses) > 0 else None for one in tallies
        ]
        for name in _RATES:
            values = [getattr(one, name, None) for one in choices]
            if any(value is not None for value in values):
                columns[name] = [math.nan if value is None else value for value in values]
        return {name: np.array(values) for name, values in columns.items()}


def _is_closed(statistic: Statistic, evidence: Evidence) -> bool:
    """Whether the interval needs no resampling."""
    positive = statistic.estimate is not None and statistic.by_logarithm
    share = statistic.share is not None and statistic.threshold is not None
    return statistic.influence is not None or (evidence.cluster is None and (positive or share))


# -- the public function ---------------------------------------------------------------------------


def evaluate(
    models: Any,
    X: Any = None,
    y: ArrayLike = None,
    *,
    label: Name | None = None,
    score: Name | Sequence[Name] | None = None,
    weight: Name | None = None,
    fold: Name | None = None,
    cluster: Name | None = None,
    cv: Any = None,
    repeats: int | None = None,
    groups: ArrayLike = None,
    sample_weight: ArrayLike = None,
    response_method: ResponseMethod | None = None,
    statistics: Sequence[Any] | None = None,
    costs: Costs | None = None,
    prevalence: float | None = None,
    threshold: float | None = None,
    rate: float | None = None,
    metric: BestMetric | None = None,
    beta: float | None = None,
    min_precision: float | None = None,
    min_tpr: float | None = None,
    min_specificity: float | None = None,
    confidence_level: float = 0.95,
    rope: float = 0.01,
    n_resamples: int = 2000,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    pos_label: Any = None,
    invalid: Invalid = "raise",
) -> Evaluation:
    """Evaluate estimators by cross-validation, or the columns of scores of a table.

    ``evaluate({name: estimator}, X, y)`` fits copies of classifiers to the folds and evaluates the
    scores of the rows that each fit has not seen. ``evaluate(data, label=…, score=[…])`` evaluates
    scores that exist, as ``rocwalk score`` does.

    Parameters
    ----------
    models
        A dict from names to classifiers of scikit-learn's kind, which are copied and not changed;
        or a dataframe, a dict of columns, or a path of a file.
    X, y
        For estimators: the rows and their labels, of two classes.
    label, score
        For a table: the column of labels, and the columns of scores.
    weight, fold, cluster
        For a table: columns of weights, of folds (the scores are then out of fold), and of units
        such as patients.
    cv
        For estimators: the number of folds, a splitter of scikit-learn, or pairs (train, test).
        Folds of a number are stratified. Every row that is tested must be tested as often as the
        others. Default: 5.
    repeats
        For estimators: how often the rows are split into `cv` folds. Default: once.
    groups
        For estimators: the group of each row, such as a patient, which stays in one fold. Groups
        are the clusters of the intervals.
    sample_weight
        For estimators: weights of the rows, for fitting and for evaluating. An estimator that takes
        none is refused.
    response_method
        For estimators: "predict_proba", "decision_function", or "auto", the default, for the first
        of both that an estimator has.
    statistics
        Names of registered statistics, or functions of a `Tally`. Default: those of the summary of
        ``rocwalk score``. A statistic that needs probabilities is left empty for other scores.
        Numbers at a point of the curve name it, as in "sensitivity@fpr=0.1",
        "net_benefit@threshold=0.2" or "partial_auc@max_fpr=0.1".
    costs, prevalence, threshold, rate
        The operating rule: `Costs` of both mistakes, the share of positives where the rule will be
        used, a fixed threshold, or the share of items that may be called positive. Without any, the
        threshold of the largest TPR − FPR. With folds it is chosen on the scores of all folds
        together.
    metric, beta, min_precision, min_tpr, min_specificity
        Other operating rules: what the threshold maximises, and floors that it keeps to, as in
        `Curve.best`.
    confidence_level
        Of the intervals.
    rope
        The largest difference between models that does not matter, for the statement over folds.
    n_resamples
        Replicates of the intervals of a table without folds that need resampling; 0 for closed
        forms only.
    rng
        A seed or a `numpy.random.Generator`, for the folds and for resampling. Without it a number
        of folds is not shuffled unless there are repeats.
    n_jobs
        For estimators: how many fits run at a time, by joblib as in scikit-learn.
    progress
        For estimators: a function of (done, all) that is called after each fit; True prints a line.
    pos_label
        The positive label. Default: of two labels of estimators the greater, as in scikit-learn.
    invalid
        For a table: "raise", or "drop" to leave out rows with a missing or unusable value.

    Returns
    -------
    Evaluation
        ``.to_frame()`` has one row a model with every statistic, its interval and method.
        ``.comparison``, ``.compare(statistic)``, ``.curves``, ``.scores``, ``.report()``,
        ``.sentences``, ``.plot()``.

    With folds a number is the mean over the folds, and intervals and comparisons know of them, as
    in `rocwalk.cross_validation`: scores of different fits are not ranked against each other.
    With groups or clusters the intervals of areas are those of a jackknife over them within the
    folds. Without folds intervals are those of `rocwalk.interval`.

    References
    ----------
    LeDell, Petersen & van der Laan (2015); Nadeau & Bengio (2003); Benavoli, Corani, Demšar &
    Zaffalon (2017): see `rocwalk.cross_validation`.

    Examples
    --------
    >>> import rocwalk as rw
    >>> data = {"y": [1, 0, 1, 0], "a": [0.9, 0.2, 0.4, 0.6], "b": [3, 1, 4, 1]}
    >>> found = rw.evaluate(data, label="y", score=["a", "b"], statistics=["auc", "brier"], rng=0)
    >>> found.numbers["a"]["auc"].estimate, found.numbers["b"]["brier"]
    (0.75, None)
    """
    level, wide = check_level(confidence_level), check_rope(rope)
    rule = operating_rule(
        costs=costs,
        prevalence=prevalence,
        threshold=threshold,
        rate=rate,
        metric=metric,
        beta=beta,
        min_precision=min_precision,
        min_tpr=min_tpr,
        min_specificity=min_specificity,
    )
    common = {
        "asked": _asked(statistics),
        "confidence_level": level,
        "rope": wide,
        "rule": rule,
        "n_resamples": n_resamples,
        "seed": rng,
    }
    of_table = {"label": label, "score": score, "weight": weight, "fold": fold, "cluster": cluster}
    if X is None and y is None:
        of_estimators = {
            "cv": cv,
            "repeats": repeats,
            "groups": groups,
            "sample_weight": sample_weight,
            "response_method": response_method,
            "n_jobs": n_jobs,
            "progress": progress,
        }
        _refuse(of_estimators, "estimators", "X and y")
        question = Question(
            label=label,
            scores=names_of(score),
            weight=weight,
            fold=fold,
            cluster=cluster,
            pos_label=pos_label,
            invalid=invalid,
        )
        study = read_study(
            models, question, same_rows=cluster is not None, in_pairs=len(question.scores) > 1
        )
        return Evaluation(study=study, **common)
    of_table["invalid"] = None if invalid == "raise" else invalid
    _refuse(of_table, "a table of scores", "data without X and y")
    study, turns = study_out_of_fold(
        models,
        X,
        y,
        cv=5 if cv is None else cv,
        repeats=1 if repeats is None else repeats,
        groups=groups,
        sample_weight=sample_weight,
        asked=(response_method or "auto", pos_label),
        rng=rng,
        n_jobs=n_jobs,
        progress=progress_of(progress),
    )
    return Evaluation(study=study, turns=turns, **common)


def _asked(statistics: Sequence[Any] | None) -> tuple[Any, ...]:
    """Return the statistics to compute; by default those of the summary, the AUC first."""
    if statistics is None:
        listed = [one for one in in_table("summary") if not one.keywords]
        return tuple(one.name for one in sorted(listed, key=lambda one: not one.is_area))
    if isinstance(statistics, str) or callable(statistics):
        statistics = [statistics]
    asked = tuple(statistics)
    names = [_statistic(one).name for one in asked]
    if not names or len(set(names)) < len(names):
        raise OptionError(
            "Statistics are named twice." if names else "No statistic is named.",
            "name each statistic once, as in statistics=['auc', 'brier'].",
        )
    return asked


def _statistic(asked: Any) -> Statistic:
    """Return a statistic; of text with a point, such as "sensitivity@fpr=0.1", under that name."""
    if not isinstance(asked, str) or "@" not in asked:
        return statistic_of(asked)
    try:
        name, values = at_of_text(asked, _costs_of)
    except ValueError:
        raise OptionError(
            "is not NAME@KEY=VALUE.",
            "as in 'sensitivity@fpr=0.1'.",
            option="statistic",
            value=asked,
        ) from None
    return replace(statistic_of(name, **values), name=asked)


def _costs_of(text: str) -> Costs:
    false_positive, false_negative = map(float, text.split(":"))
    return Costs(false_positive=false_positive, false_negative=false_negative)


def _refuse(given: Mapping[str, Any], what: str, where: str) -> None:
    """Raise if an option was given that is of the other kind of call."""
    for name, value in given.items():
        if value is not None and value is not False:
            raise OptionError(f"is an option of {what}.", f"pass {where}.", argument=name)
