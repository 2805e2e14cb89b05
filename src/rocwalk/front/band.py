"""`rocwalk.band`: a ROC curve with its uncertainty, drawn as a ribbon."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.errors import InputError, OptionError, ScoreError
from rocwalk.front.average import AveragedCurve
from rocwalk.front.curve import Curve, curve_of, evidence_of
from rocwalk.intake.arrays import as_array, as_floats
from rocwalk.measure.reading import highest_tpr
from rocwalk.result import Result
from rocwalk.typing import AnyArray, ArrayLike, FloatArray
from rocwalk.uncertainty.bands import BandQuestion, edges_of, lies_inside, sides, walk_through
from rocwalk.uncertainty.evidence import evidence_from
from rocwalk.uncertainty.interval import check_level
from rocwalk.uncertainty.resample import Plan, Progress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WORDS = {
    "simultaneous": "simultaneous {level} band",
    "pointwise": "pointwise {level} band",
    "folds": "{level} interval of the mean over folds",
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Band(Result):
    """A ROC curve between a lower and an upper one. Make one with `rocwalk.band`.

    `kind` is "simultaneous", "pointwise" or "folds"; `method` says how the edges were found;
    `reach` is how far a simultaneous band slides the curve, in FPR and in TPR; `failed` counts
    the replicates that had no curve and were left out.
    """

    curve: Curve
    lower: Curve
    upper: Curve
    kind: str
    method: str
    confidence_level: float
    reach: tuple[float, float] | None = None
    n_resamples: int | None = None
    failed: int = 0

    @property
    def words(self) -> str:
        """What the band is, as the legend says it."""
        return _WORDS[self.kind].format(level=f"{100 * self.confidence_level:g} %")

    def contains(self, fpr: ArrayLike, tpr: ArrayLike) -> bool:
        """Return whether another curve, or a piece of one, lies wholly inside the band.

        The points are joined by straight lines; neither rate may fall. Touching is inside.
        """
        return lies_inside(self.lower.walk, self.upper.walk, *_polyline(fpr, tpr))

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the curve over a ribbon into `ax` or a new picture and return the axes.

        The options are those of `Curve.plot`.
        """
        from rocwalk.draw.bands import draw_band

        edges = (self.lower.walk, self.upper.walk)
        return draw_band(
            self.curve.walk, self.curve.area, edges, self.words, ax, name=name, **options
        )

    def _headline(self) -> dict[str, Any]:
        return {
            "band": self.kind,
            "method": self.method,
            "confidence_level": self.confidence_level,
            "area": self.curve.area,
            "reach": self.reach,
            "n_resamples": self.n_resamples,
            "failed": self.failed or None,
        }

    def _columns(self) -> dict[str, AnyArray]:
        fpr = np.unique(self.curve.fpr)
        low = sides(self.lower.fpr, self.lower.tpr, fpr)
        return {
            "fpr": fpr,
            "lower": low[0 if self.kind == "simultaneous" else 1],
            "tpr": highest_tpr(self.curve.walk, fpr),
            "upper": highest_tpr(self.upper.walk, fpr),
        }


def band(
    y_true: ArrayLike,
    y_score: ArrayLike = None,
    *,
    kind: str = "simultaneous",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    cluster: ArrayLike = None,
    threads: int | None = None,
    progress: Progress | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> Band:
    """Return the ROC curve with a band around it."""
    question = BandQuestion(
        kind, method, confidence_level, Plan(n_resamples, rng, threads, progress)
    )
    data = evidence_of(
        y_true, y_score, sample_weight, pos_label, truth, invalid, probabilities=False
    )
    evidence = evidence_from(data, cluster)
    curve = curve_of(evidence.tally)
    edges = edges_of(evidence, question)
    return Band(
        curve=curve,
        lower=Curve(edges.lower),
        upper=Curve(edges.upper),
        kind=kind,
        method=edges.method,
        confidence_level=float(confidence_level),
        reach=edges.reach,
        n_resamples=None if edges.method == "dkw" else int(n_resamples),
        failed=edges.failed,
    )


def fold_band(average: AveragedCurve, confidence_level: float = 0.95) -> Band:
    """Return the mean curve of several folds with Student's interval of the mean at each point."""
    level = check_level(confidence_level)
    _refuse_unfit(average)
    from scipy.special import stdtrit

    quantile = float(stdtrit(average.curves - 1, 0.5 + level / 2)) / math.sqrt(average.curves)
    right, up = quantile * average.fpr_spread, quantile * average.tpr_spread
    lower, upper = (
        _monotone(average.fpr + side * right, average.tpr - side * up, side) for side in (1, -1)
    )
    return Band(
        curve=average,
        lower=lower,
        upper=upper,
        kind="folds",
        method="student",
        confidence_level=level,
    )


def _monotone(fpr: FloatArray, tpr: FloatArray, side: int) -> Curve:
    """Return the edge, cut to the unit square and moved outward where it would fall."""
    order = slice(None, None, -1)
    x, y = np.clip(fpr, 0.0, 1.0), np.clip(tpr, 0.0, 1.0)
    if side > 0:
        x, y = np.maximum.accumulate(x), np.minimum.accumulate(y[order])[order]
    else:
        x, y = np.minimum.accumulate(x[order])[order], np.maximum.accumulate(y)
    return Curve(walk_through(x, y))


def _refuse_unfit(average: Any) -> None:
    if not isinstance(average, AveragedCurve):
        raise InputError(
            f"average is a {type(average).__name__}.", "pass what rocwalk.average(curves) returns."
        )
    if average.curves < 2:
        raise OptionError("One curve has no spread over folds.", "average two curves at least.")
    if average.how == "threshold":
        raise OptionError(
            "A mean by threshold varies in both rates at once.",
            "use how='vertical' or how='horizontal' when averaging.",
        )


def _polyline(fpr: ArrayLike, tpr: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return two columns of rates that never fall, or raise."""
    x, y = (
        as_floats(as_array(column, name), name, ScoreError)
        for column, name in ((fpr, "fpr"), (tpr, "tpr"))
    )
    if len(x) != len(y) or not len(x):
        raise InputError(
            f"fpr has {len(x):,} points and tpr {len(y):,}.", "pass the two rates of every point."
        )
    for name, rates in (("fpr", x), ("tpr", y)):
        if not (np.all(np.diff(rates) >= 0) and rates[0] >= 0 and rates[-1] <= 1):
            raise InputError(
                f"{name} falls somewhere, or leaves [0, 1].",
                "pass the points of a curve in order, from the lowest rates to the highest.",
            )
    return x, y
