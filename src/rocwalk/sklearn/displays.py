"""The displays: each is named after what rocwalk draws, and says how it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rocwalk.front.average import average
from rocwalk.front.band import band, fold_band
from rocwalk.front.curve import roc
from rocwalk.front.sensibility import sensibility
from rocwalk.front.smear import smeared_roc
from rocwalk.front.truth import reference_truth
from rocwalk.sklearn.display import Display
from rocwalk.sklearn.rows import Rows
from rocwalk.typing import ArrayLike, FloatArray


class RocDisplay(Display):
    """A ROC curve, hard or soft: `rocwalk.roc` with its options, such as ``steps="both"``.

    Of folds it draws the vertical average, with a ribbon of one standard deviation.

    Examples
    --------
    >>> display = RocDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.7, 0.8, 0.9], name="model")
    >>> display
    RocDisplay(Curve(area=0.75, points=5, prevalence=0.5, steps='truth'))
    >>> display.line_.get_label()
    'model (AUC = 0.750)'
    """

    response_method: ClassVar[str] = "auto"

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

    @property
    def fpr(self) -> FloatArray:
        """False positive rates of the curve, or of the average of the folds."""
        found: FloatArray = self.result.fpr
        return found

    @property
    def tpr(self) -> FloatArray:
        """True positive rates of the curve, or of the average of the folds."""
        found: FloatArray = self.result.tpr
        return found

    @property
    def roc_auc(self) -> float:
        """The area; for folds the mean of their areas."""
        return float(self.result.area)


class SmearedRocDisplay(RocDisplay):
    """A smeared ROC curve over the bare one: `rocwalk.smeared_roc`, with its `width`."""

    response_method: ClassVar[str] = "predict_proba"

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
        mean, folds = RocDisplay.measured_folds(parts, reading, {})
        return fold_band(mean, **options), folds


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
