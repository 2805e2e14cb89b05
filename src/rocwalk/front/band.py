"""`rocwalk.band`: a ROC curve with its uncertainty, drawn as a ribbon."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.errors import InputError, OptionError, ScoreError
from rocwalk.front.average import AveragedCurve
from rocwalk.front.curve import Curve, curve_of
from rocwalk.front.evidence import evidence_of
from rocwalk.intake.arrays import as_array, as_floats
from rocwalk.measure.reading import highest_tpr
from rocwalk.result import Result
from rocwalk.typing import AnyArray, ArrayLike, FloatArray
from rocwalk.uncertainty.bands import BandQuestion, edges_of, lies_inside, sides, walk_through
from rocwalk.uncertainty.evidence import evidence_from
from rocwalk.uncertainty.question import check_level
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
    def is_bucketed(self) -> bool:
        """Whether the curve is that of a bucketed tally, known between bounds only."""
        return self.curve.tally is not None and self.curve.tally.is_bucketed

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
            **({"area_bounds": self.curve.area_bounds} if self.is_bucketed else {}),
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
    """Return the ROC curve with a band around it.

    Parameters
    ----------
    y_true, y_score
        Labels or soft truth, and scores. Or one `Tally` of hard labels of one weight; all else
        needs the items. A bucketed tally has "dkw" only, which holds for every order inside the
        buckets: the edges are those of the lowest and of the highest curve that they allow.
    kind
        "simultaneous": the whole true curve lies inside with the stated confidence.
        "pointwise": at each FPR alone the true TPR lies inside; the whole curve seldom does.
    method
        "auto" takes "fixed-width" or "percentile".

        * "fixed-width" (simultaneous; any truth, weights, clusters) slides the curve by (∓e⁻, ±e⁺)
          with e⁻ : e⁺ = 1/√n⁻ : 1/√n⁺, just so far that the stated share of bootstrap curves lies
          wholly inside, and half an item further; at least by the rule of three, 1 − α^(1/n).
          For soft truth and weights n⁺ is (Σu)²/Σu², with clusters their number.
        * "dkw" (simultaneous; hard labels of one weight) slides it by e = √(ln(2/α′)/(2n)),
          α′ = 1 − √(1 − α): [TPR(x − e⁻) − e⁺, TPR(x + e⁻) + e⁺], 0 below for x < e⁻ and 1 above
          for x > 1 − e⁻. No resampling, and a guarantee, but half again as wide.
        * "percentile" (pointwise): percentiles of the bootstrap curves' highest TPR at each FPR of
          the curve (256 of them at most), widened to Wilson's interval of a share of n⁺ items.
    confidence_level
        Between 0 and 1.
    n_resamples, rng, threads, progress
        For a bootstrap: how many replicates, from which seed or generator (the same seed gives the
        same bits on any number of threads), and a function of (done, all).
    cluster
        The unit that is drawn whole, such as a patient or a day, row by row.
    sample_weight, pos_label, truth, invalid
        As for `rocwalk.tally`. One weight for all rows changes nothing.

    Notes
    -----
    Both edges are curves. At a jump a simultaneous band reaches from the lowest TPR of its lower
    edge to the highest of its upper edge; a pointwise one is read at the highest TPR of all three.
    Hard labels of one weight are resampled class by class, all else item by item or cluster by
    cluster. More than 4,096 distinct scores are run together before they are resampled, which
    moves no replicate by more than about 1/2048; the band is put around the exact curve.

    Measured at 95 %, two normals, 1,000 runs of 1,000 replicates (the last row: 600 of 600): in
    which share of the runs the whole true curve is inside, and the mean area of the band.

    ==========================  =============  =============
    sample                      fixed-width    dkw
    ==========================  =============  =============
    20 + 20, AUC 0.76           0.982 (0.61)   1.000 (0.77)
    50 + 50, AUC 0.76           0.990 (0.43)   1.000 (0.58)
    100 + 100, AUC 0.76         0.986 (0.32)   1.000 (0.45)
    100 + 100, AUC 0.98         0.968 (0.12)   1.000 (0.29)
    50 + 50, five scores        0.970 (0.36)   1.000 (0.59)
    100 + 100, five scores      0.967 (0.27)   1.000 (0.46)
    20 + 1,980                  0.965 (0.46)   0.993 (0.53)
    ==========================  =============  =============

    So both are conservative, and "auto" takes the narrower one. With soft truth and weights fixed
    width covers 0.98, with clusters 0.99. Without its two small additions it covers less than it
    says where items are few: 0.83 at 20 + 20 with AUC 0.98 (600 runs), 0.92 at 20 + 2,000 (450).

    Pointwise bands cover 0.94 to 1 at FPR 0.1, 0.3 and 0.5 with as many negatives as positives; so
    they do with soft truth and weights. They cover too little where few negatives tell the FPR:
    0.90 at FPR 0.05 with 20 + 20; 0.72, 0.89 and 0.92 at FPR 0.05, 0.1 and 0.3 with 200 + 20.

    In the settings of docs/coverage.json (AUC 0.77 to 0.8; 2,000 runs of 500 replicates, for
    "dkw" 10,000) fixed width covers 0.964 to 0.990, "dkw" 0.998 or more, and a pointwise band at
    FPR 0.3 0.946 to 0.974.

    Along lines of slope −√(n⁻/n⁺) both rates move by as many standard errors. The slope is also
    given as −√(n⁺/n⁻), which is the same for as many positives as negatives; for others its bands
    are wider at the same coverage (0.38 instead of 0.31 with 50 + 500, 300 runs).

    References
    ----------
    Campbell (1994), Advances in statistical methodology for the evaluation of diagnostic and
    laboratory tests; Macskassy, Provost & Rosset (2005), ROC confidence bands; Dvoretzky, Kiefer &
    Wolfowitz (1956) with the constant of Massart (1990); Hanley & Lippman-Hand (1983) for the rule
    of three.

    Examples
    --------
    >>> import rocwalk as rw
    >>> y = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0] * 10
    >>> s = [0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.4, 0.35, 0.2] * 10
    >>> found = rw.band(y, s, method="dkw")
    >>> found
    Band(band='simultaneous', method='dkw', confidence_level=0.95, area=0.72, \
reach=(0.209028, 0.209028))
    >>> found.contains([0, 1], [0, 1])
    True
    """
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
    """Return the mean curve of several folds with an interval of the mean at each point.

    mean ± t·spread/√k, with Student's t of k − 1 degrees of freedom for k folds, cut to [0, 1]: of
    the TPR at each FPR for a vertical average, of the FPR at each TPR for a horizontal one. An
    edge that would fall is moved outward until it does not.

    The interval is pointwise. It tells how the mean varies over folds, and tends to be too narrow
    for the curve of a model on new data: folds share most of their training rows, so their curves
    are not independent, and no unbiased estimate of the variance exists.

    References
    ----------
    Bengio & Grandvalet (2004), No unbiased estimator of the variance of k-fold cross-validation.

    Examples
    --------
    >>> import rocwalk as rw
    >>> scores = ([0.9, 0.8, 0.7, 0.1], [0.9, 0.2, 0.8, 0.1], [0.9, 0.3, 0.6, 0.5])
    >>> mean = rw.average([rw.roc([1, 0, 1, 0], s) for s in scores])
    >>> rw.fold_band(mean)
    Band(band='folds', method='student', confidence_level=0.95, area=0.916667)
    """
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
