"""Displays in scikit-learn's manner: the mechanism of `Display`, and what its subclasses draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rocwalk.curves.averages import average
from rocwalk.curves.bands import band, fold_band
from rocwalk.curves.roc import roc
from rocwalk.drift.sensibility import sensibility
from rocwalk.evaluate.estimators import positive_class, scores_of
from rocwalk.metrics.curve import check_drop, corners
from rocwalk.plot import with_legend
from rocwalk.sklearn.rows import Rows, first_estimator, fold_rows, label_to_name, repeats_of
from rocwalk.smear.curves import smeared_roc
from rocwalk.truth.reference_truth import reference_truth
from rocwalk.typing import ArrayLike, FloatArray, Invalid, ResponseMethod, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D

_FAINT: Mapping[str, Any] = {"linewidth": 0.9, "linestyle": "-", "alpha": 0.45, "zorder": 1.6}


class Display:
    """A result of rocwalk and, after cross-validation, one for each fold; drawn by `plot`.

    A subclass defines in `measured` what it computes from truth and scores. Everything is computed
    when a display is made; `plot` only draws.

    Attributes
    ----------
    result
        What rocwalk found: a curve or another result, with all its numbers.
    folds
        The results of the folds, if there are any.
    ax_, figure_, line_, fold_lines_, chance_level_
        After `plot`: the axes, the figure, the line of the result (a list if there are several),
        the lines of the folds, and the line of the trivial classifiers or None.
    """

    response_method: ClassVar[str] = "predict_proba"
    fold_options: ClassVar[Mapping[str, Any]] = {}
    own_options: ClassVar[tuple[str, ...]] = ()  # of the display, not of what it draws

    ax_: Axes
    figure_: Figure | SubFigure
    line_: Line2D | list[Line2D]
    fold_lines_: list[Line2D]
    chance_level_: Line2D | None

    def __init__(self, result: Any, *, folds: Sequence[Any] = (), name: str | None = None) -> None:
        self.result = result
        self.folds = list(folds)
        self.name = name

    @classmethod
    def measured(cls, y_true: ArrayLike, y_prob: ArrayLike, **options: Any) -> Any:
        """Return what is to be drawn; each display has its own."""
        raise NotImplementedError

    @classmethod
    def measured_folds(
        cls, parts: Sequence[Rows], reading: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[Any, list[Any]]:
        """Return the result of all folds together, and that of each; here of the pooled rows."""
        folds = [cls._of_rows(part, **reading, **options) for part in parts]
        return cls._of_rows(Rows.pooled(parts), **reading, **options), folds

    @classmethod
    def _of_rows(cls, rows: Rows, **options: Any) -> Any:
        return cls.measured(rows.truth, rows.scores, sample_weight=rows.weights, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        sample_weight: ArrayLike = None,
        pos_label: Any = None,
        truth: Truth = "auto",
        invalid: Invalid = "raise",
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Mapping[str, Any] | None = None,
        alpha: float | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = False,
        **options: Any,
    ) -> Self:
        """Draw labels (of two, the greater is positive) or soft truth beside predicted scores.

        Parameters
        ----------
        y_true
            Labels, or soft truth in [0, 1].
        y_prob
            Scores; higher means more positive.
        sample_weight
            Weights of the rows, not negative.
        pos_label
            The label of the positive class. Default: the greater of two.
        truth
            "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
        invalid
            "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.
        name
            The label in the legend.
        ax
            The axes to draw into. Default: new ones.
        curve_kwargs
            Passed on to matplotlib for the line of the result.
        alpha
            The opacity of that line.
        plot_chance_level
            Whether the trivial classifiers are drawn.
        chance_level_kw
            Passed on to matplotlib for their line.
        despine
            Remove the upper and the right edge of the axes.
        options
            Passed on to the function of rocwalk that the display is named after.
        """
        own = {name: options.pop(name) for name in cls.own_options if name in options}
        result = cls.measured(
            y_true,
            y_prob,
            sample_weight=sample_weight,
            pos_label=label_to_name(y_true, pos_label, truth),
            truth=truth,
            invalid=invalid,
            **options,
        )
        return cls(result, name=name, **own).plot(
            ax,
            curve_kwargs=curve_kwargs,
            alpha=alpha,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
        )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        response_method: ResponseMethod | None = None,
        pos_label: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Draw the scores of a fitted classifier for `X` against the truth `y`, hard or soft.

        Parameters
        ----------
        estimator
            A fitted classifier of two classes, or a pipeline that ends in one.
        X, y
            Rows, and their labels or soft truth.
        response_method
            "auto" (probabilities if there are any), "predict_proba" or "decision_function".
        pos_label
            The label of the positive class. Default: the greater of two.
        name
            The label in the legend. Default: the name of the estimator's class.
        options
            Passed on to `from_predictions`.
        """
        positive = positive_class(estimator, pos_label)
        scores = scores_of(estimator, X, response_method or cls.response_method, positive)
        called = name or type(estimator).__name__
        return cls.from_predictions(y, scores, pos_label=positive, name=called, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike = None,
        response_method: ResponseMethod | None = None,
        pos_label: Any = None,
        truth: Truth = "auto",
        invalid: Invalid = "raise",
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Mapping[str, Any] | None = None,
        fold_kwargs: Mapping[str, Any] | None = None,
        alpha: float | None = None,
        plot_chance_level: bool = True,
        chance_level_kwargs: Mapping[str, Any] | None = None,
        despine: bool = False,
        **options: Any,
    ) -> Self:
        """Draw each fold of a cross-validation thin, and all of them together bold.

        Parameters
        ----------
        cv_results
            What ``cross_validate(…, return_estimator=True, return_indices=True)`` returns.
        X, y
            What was cross-validated; `y` may also be soft truth of the same rows.
        sample_weight
            Weights of the rows, not negative.
        response_method
            "auto" (probabilities if there are any), "predict_proba" or "decision_function".
        pos_label
            The label of the positive class. Default: the greater of two.
        truth
            "hard" for labels, "soft" for probabilities, "auto" for whichever `y` holds.
        invalid
            "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.
        name
            The label in the legend.
        ax
            The axes to draw into. Default: new ones.
        curve_kwargs
            Passed on to matplotlib for the line of the result.
        fold_kwargs
            Passed on to matplotlib for the lines of the folds.
        alpha
            The opacity of that line.
        plot_chance_level
            Whether the trivial classifiers are drawn.
        chance_level_kwargs
            Passed on to matplotlib for their line; in `plot` it is `chance_level_kw`, as in
            scikit-learn.
        despine
            Remove the upper and the right edge of the axes.
        options
            Passed on to the function of rocwalk that the display is named after.
        """
        own = {name: options.pop(name) for name in cls.own_options if name in options}
        positive = positive_class(first_estimator(cv_results), pos_label)
        rows = fold_rows(
            cv_results,
            X,
            y,
            sample_weight=sample_weight,
            response_method=response_method or cls.response_method,
            pos_label=positive,
        )
        reading = {
            "pos_label": label_to_name(y, positive, truth),
            "truth": truth,
            "invalid": invalid,
        }
        result, folds = cls.measured_folds(list(rows), reading, options)
        return cls(result, folds=folds, name=name, **own).plot(
            ax,
            curve_kwargs=curve_kwargs,
            fold_kwargs=fold_kwargs,
            alpha=alpha,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kwargs,
            despine=despine,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Mapping[str, Any] | None = None,
        fold_kwargs: Mapping[str, Any] | None = None,
        alpha: float | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw into `ax` or a new picture; folds are thin and in the colour of the result.

        Parameters
        ----------
        ax
            The axes to draw into. Default: new ones.
        name
            The name in the legend. Default: that of the display.
        curve_kwargs, fold_kwargs
            Keywords of matplotlib's ``plot`` for the result and for the lines of the folds.
        alpha
            The opacity of the result, from 0 to 1.
        plot_chance_level
            Whether to draw the line of the trivial classifiers, where the picture has one. (The
            default of scikit-learn's displays is False.)
        chance_level_kw
            Keywords of matplotlib for that line; a ``label`` puts it into the legend.
        despine
            Remove the upper and the right edge of the axes, and end the others at 0 and 1.
        """
        before = [] if ax is None else list(ax.lines)
        look = ({} if alpha is None else {"alpha": alpha}) | dict(curve_kwargs or {})
        ax = self.result.plot(ax, name=name or self.name, **look)
        lines = _new_curves(ax, before)
        self.ax_ = ax
        self.figure_ = ax.figure
        self.line_ = lines[0] if len(lines) == 1 else lines
        look = {"color": lines[0].get_color(), **_FAINT, **self.fold_options, **(fold_kwargs or {})}
        self.fold_lines_ = []
        for fold in self.folds:  # the curve alone, not in the legend and without a new colour
            drawn = [*ax.lines, *ax.patches]
            fold.plot(ax, **look)
            curves = _new_curves(ax, drawn)
            for one in [*ax.lines, *ax.patches]:
                if one not in drawn and one not in curves:
                    one.remove()
            for line in curves:
                line.set_label("_fold")
                line.set_gid("fold")
            self.fold_lines_ += curves
        chance = next((one for one in ax.lines if one.get_gid() == "chance"), None)
        if chance is not None and not plot_chance_level:
            if chance not in before:
                chance.remove()
            chance = None
        if chance is not None and chance_level_kw:
            chance.set(**chance_level_kw)
        self.chance_level_ = chance
        if self.folds or chance_level_kw:
            with_legend(ax, "best")
        if despine:
            for side in ("top", "right"):
                ax.spines[side].set_visible(False)
            for side in ("left", "bottom"):
                ax.spines[side].set_bounds(0, 1)
        return self

    def __repr__(self) -> str:
        folds = f", folds={len(self.folds)}" if self.folds else ""
        return f"{type(self).__name__}({self.result!r}{folds})"


def _new_curves(ax: Axes, before: Sequence[Any]) -> list[Line2D]:
    """Return the curves that were drawn since."""
    return [line for line in ax.lines if line.get_gid() == "curve" and line not in before]


# -- the displays ----------------------------------------------------------------------------------


class RocDisplay(Display):
    """A ROC curve, hard or soft: `rocwalk.roc` with its options, such as ``steps="both"``.

    Of folds it draws the vertical average, with a ribbon of one standard deviation. With
    ``drop_intermediate=True``, scikit-learn's default, `fpr`, `tpr` and the lines leave out points
    between two equal steps, as `rocwalk.metrics.roc_curve` does; the picture and `result` are the
    same.

    Examples
    --------
    >>> display = RocDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.7, 0.8, 0.9], name="model")
    >>> display
    RocDisplay(Curve(area=0.75, points=5, prevalence=0.5, steps='truth'))
    >>> display.line_.get_label()
    'model (AUC = 0.750)'
    """

    response_method: ClassVar[str] = "auto"
    own_options: ClassVar[tuple[str, ...]] = ("drop_intermediate",)

    def __init__(
        self,
        result: Any,
        *,
        folds: Sequence[Any] = (),
        name: str | None = None,
        drop_intermediate: bool = False,
    ) -> None:
        super().__init__(result, folds=folds, name=name)
        check_drop(drop_intermediate, "RocDisplay")
        self.drop_intermediate = drop_intermediate

    @classmethod
    def measured(cls, y_true: ArrayLike, y_prob: ArrayLike, **options: Any) -> Any:
        """Return the curve."""
        return roc(y_true, y_prob, **options)

    @classmethod
    def measured_folds(
        cls, parts: Sequence[Rows], reading: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[Any, list[Any]]:
        """Return the vertical average, and the curve of each fold."""
        folds = [cls._of_rows(part, **reading, **options) for part in parts]
        return average(folds), folds

    def plot(self, ax: Axes | None = None, **options: Any) -> Self:
        """Draw into `ax` or a new picture; the keywords are those of `Display.plot`.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        super().plot(ax, **options)
        if self.drop_intermediate:
            drawn = self.line_ if isinstance(self.line_, list) else [self.line_]
            curves = [self.result, *self.folds]
            for curve, line in zip(curves, [*drawn[:1], *self.fold_lines_], strict=False):
                line.set_data(*self._points(curve))
        return self

    def _points(self, curve: Any) -> tuple[FloatArray, FloatArray]:
        """Return the points to draw; an average has no tally, and keeps all."""
        tally = getattr(curve, "tally", None)
        if not self.drop_intermediate or tally is None:
            return curve.fpr, curve.tpr
        kept = corners(tally)
        return curve.fpr[kept], curve.tpr[kept]

    @property
    def fpr(self) -> FloatArray:
        """False positive rates of the curve, or of the average of the folds."""
        return self._points(self.result)[0]

    @property
    def tpr(self) -> FloatArray:
        """True positive rates of the curve, or of the average of the folds."""
        return self._points(self.result)[1]

    @property
    def roc_auc(self) -> float:
        """The area; for folds the mean of their areas."""
        return float(self.result.area)


class SmearedRocDisplay(RocDisplay):
    """A smeared ROC curve over the bare one: `rocwalk.smeared_roc`, with its `width`."""

    response_method: ClassVar[str] = "predict_proba"
    own_options: ClassVar[tuple[str, ...]] = ()  # a smeared curve has no steps

    @classmethod
    def measured(cls, y_true: ArrayLike, y_prob: ArrayLike, **options: Any) -> Any:
        """Return the smeared curve."""
        return smeared_roc(y_true, y_prob, **options)


class BandDisplay(Display):
    """A ROC curve with a band around it: `rocwalk.band`.

    Of folds it draws the average with the interval of the mean, `rocwalk.fold_band`; of the
    options only `confidence_level` then has a meaning.
    """

    response_method: ClassVar[str] = "auto"

    @classmethod
    def measured(cls, y_true: ArrayLike, y_prob: ArrayLike, **options: Any) -> Any:
        """Return the band with its curve."""
        return band(y_true, y_prob, **options)

    @classmethod
    def measured_folds(
        cls, parts: Sequence[Rows], reading: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[Any, list[Any]]:
        """Return the interval of the mean over folds, and the curve of each fold."""
        _, folds = RocDisplay.measured_folds(parts, reading, {})
        return fold_band(average(folds, repeats=repeats_of(parts)), **options), folds


class ReadOffDisplay(Display):
    """What a ROC curve shows in other axes; of folds the pooled rows, whose tallies add up.

    `reading_of` is the method of the curve, which takes a prevalence if it is not the data's own.
    """

    reading_of: ClassVar[str]

    @classmethod
    def measured(
        cls,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        prevalence: float | None = None,
        **options: Any,
    ) -> Any:
        """Return the reading of the curve."""
        return getattr(roc(y_true, y_prob, **options), cls.reading_of)(prevalence)


class PrecisionRecallDisplay(ReadOffDisplay):
    """Precision against recall, `Curve.precision_recall`; of folds the pooled rows."""

    reading_of: ClassVar[str] = "precision_recall"
    response_method: ClassVar[str] = "auto"


class CostDisplay(ReadOffDisplay):
    """Drummond & Holte's cost curve, `Curve.cost_curve`; of folds the pooled rows."""

    reading_of: ClassVar[str] = "cost_curve"
    response_method: ClassVar[str] = "auto"
    fold_options: ClassVar[Mapping[str, Any]] = {"lines": False}


class BrierDisplay(ReadOffDisplay):
    """The Brier curve, `Curve.brier_curve`; of folds the pooled rows."""

    reading_of: ClassVar[str] = "brier_curve"


class NetBenefitDisplay(ReadOffDisplay):
    """Net benefit against the threshold, `Curve.decision_curve`; of folds the pooled rows."""

    reading_of: ClassVar[str] = "decision_curve"


class CalibrationDisplay(Display):
    """The reliability diagram off the hull, `Curve.calibration`; of folds the pooled rows."""

    @classmethod
    def measured(cls, y_true: ArrayLike, y_prob: ArrayLike, **options: Any) -> Any:
        """Return the calibrated value of each block of scores."""
        return roc(y_true, y_prob, **options).calibration()


class SensibilityDisplay(Display):
    """Sensibility and capability, `rocwalk.sensibility`; of folds the pooled rows."""

    @classmethod
    def measured(cls, y_true: ArrayLike, y_prob: ArrayLike, **options: Any) -> Any:
        """Return the two curves and the midpoint."""
        return sensibility(y_true, y_prob, **options)


class ReferenceTruthDisplay(Display):
    """A curve between the worst and the perfect order of soft truth: `rocwalk.reference_truth`."""

    response_method: ClassVar[str] = "auto"

    @classmethod
    def measured(cls, y_true: ArrayLike, y_prob: ArrayLike, **options: Any) -> Any:
        """Return the curve and its region."""
        return reference_truth(y_true, y_prob, **options)

    @classmethod
    def measured_folds(
        cls, parts: Sequence[Rows], reading: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[Any, list[Any]]:
        """Return the region of the pooled rows, and the bare curve of each fold."""
        pooled = cls._of_rows(Rows.pooled(parts), **reading, **options)
        return pooled, RocDisplay.measured_folds(parts, reading, {})[1]
