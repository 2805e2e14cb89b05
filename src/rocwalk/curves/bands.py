"""Bands around a ROC curve: `rocwalk.band` and `rocwalk.fold_band`.

A simultaneous band contains the whole true curve with the stated confidence. Both methods ("dkw"
and "fixed-width") slide the curve by (−e⁻, +e⁺) and by (+e⁻, −e⁺); they differ in how far. A
pointwise band contains the true TPR at each FPR taken alone, and the whole curve much less often.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.curves.averages import AveragedCurve
from rocwalk.curves.roc import Curve, curve_of
from rocwalk.errors import InputError, OneClassError, OptionError, ScoreError
from rocwalk.inference.closed_forms import wilson
from rocwalk.inference.distributions import check_level, normal_quantile, quantile
from rocwalk.inference.fold_means import fold_factor
from rocwalk.inference.items import Evidence, counted, counts_of, evidence_from, refuse_few
from rocwalk.inference.resampling import Plan, Progress, Resampler, coarse, run_blocks
from rocwalk.methods import Methods, methods_of
from rocwalk.read.arrays import as_array, as_floats, evidence_of
from rocwalk.result import Result
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk, highest_tpr, refuse_buckets, refuse_one_class, spread, walk_of
from rocwalk.texts import kind_of
from rocwalk.typing import (
    AnyArray,
    ArrayLike,
    BandKind,
    BandMethod,
    FloatArray,
    IntArray,
    Invalid,
    Truth,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

METHODS: dict[str, tuple[str, ...]] = {
    "simultaneous": ("fixed-width", "dkw"),
    "pointwise": ("percentile",),
}
_WORDS = {
    "simultaneous": "simultaneous {level} band",
    "pointwise": "pointwise {level} band",
    "folds": "{level} interval of the mean over folds",
}
_METHODS = {
    "fixed-width": "a band of fixed width by the bootstrap [@campbell1994; @macskassy2005]",
    "dkw": "the inequality of Dvoretzky, Kiefer and Wolfowitz for both classes "
    "[@campbell1994; @massart1990]",
    "percentile": "percentiles of bootstrapped curves",
    "nadeau-bengio": "the corrected variance over folds [@nadeau2003]",
    "delta": "the delta method on the normal scale",
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

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        drawn = "" if self.n_resamples is None else f" ({self.n_resamples:,} resamples)"
        words = f"{self.words[:1].upper()}{self.words[1:]}"
        said = f"{words} of the ROC curve: {_METHODS[self.method]}{drawn}."
        return self.curve.methods() + methods_of(said)

    def contains(self, fpr: ArrayLike, tpr: ArrayLike) -> bool:
        """Return whether another curve, or a piece of one, lies wholly inside the band.

        The points are joined by straight lines; neither rate may fall. Touching is inside.

        Parameters
        ----------
        fpr, tpr
            The two rates of each point, in order, from the lowest.
        """
        x, y = (
            as_floats(as_array(column, name), name, ScoreError)
            for column, name in ((fpr, "fpr"), (tpr, "tpr"))
        )
        if len(x) != len(y) or not len(x):
            raise InputError(
                f"fpr has {len(x):,} points and tpr {len(y):,}.",
                "pass the two rates of every point.",
            )
        for name, rates in (("fpr", x), ("tpr", y)):
            if not (np.all(np.diff(rates) >= 0) and rates[0] >= 0 and rates[-1] <= 1):
                raise InputError(
                    f"{name} falls somewhere, or leaves [0, 1].",
                    "pass the points of a curve in order, from the lowest rates to the highest.",
                )
        return lies_inside(self.lower.walk, self.upper.walk, x, y)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the curve over a ribbon into `ax` or a new picture and return the axes.

        The options are those of `Curve.plot`.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_band

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
    kind: BandKind = "simultaneous",
    method: BandMethod = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    cluster: ArrayLike = None,
    threads: int | None = None,
    progress: Progress | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> Band:
    """Return the ROC curve with a band around it.

    Parameters
    ----------
    y_true, y_score
        Labels or soft truth, and scores. Or one `Tally` of hard labels of one weight; all else
        needs the items. A bucketed tally has "dkw" only, which holds for every order inside the
        buckets: the edges are those of the lowest and of the highest curve that they allow. Of a
        tally that was shared with noise the band is wider by what the noise can move the curve.
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
    n_resamples
        The number of bootstrap replicates.
    rng
        A seed or a `numpy.random.Generator`; the same seed gives the same bits on any number of
        threads.
    threads
        The number of threads. Default: as many as there are processors.
    progress
        A function of (done, all) that is called while replicates are computed.
    cluster
        The unit that is drawn whole, such as a patient or a day, row by row.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out. One weight for
        all rows changes nothing.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

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
    check_level(confidence_level)
    one_of("kind", kind, METHODS)
    one_of("method", method, ("auto", *(name for names in METHODS.values() for name in names)))
    if method not in ("auto", *METHODS[kind]):
        raise OptionError(
            f"does not make a {kind} band.",
            f"for kind={kind!r} use {' or '.join(map(repr, METHODS[kind]))}.",
            option="method",
            value=method,
        )
    plan = Plan(n_resamples, rng, threads, progress)
    data = evidence_of(
        y_true, y_score, sample_weight, pos_label, truth, invalid, probabilities=False
    )
    evidence = evidence_from(data, cluster)
    curve = curve_of(evidence.tally)
    edges = edges_of(evidence, kind, method, level=confidence_level, plan=plan)
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

    Parameters
    ----------
    average
        What `rocwalk.average` returned for the curves of the folds, vertical or horizontal.
    confidence_level
        Between 0 and 1.

    mean ± t·spread·√{1/(kr) + 1/(k − 1)} for r repeats of k folds (`AveragedCurve.repeats`), with
    Student's t of k − 1 degrees of freedom, cut to [0, 1]: of the TPR at each FPR for a vertical
    average, of the FPR at each TPR for a horizontal one. An edge that would fall is moved outward
    until it does not.

    The interval is pointwise, of the mean that models fitted to such folds have on new data. Folds
    share most of their training rows, so their curves are not independent: 1/(k − 1) stands for
    that, and it does not fall with repeats, which split the same rows again and add nearly nothing.
    No unbiased estimate of the variance exists. More than 20 curves of which it was not said how
    many repeats they are give a `SmallSampleWarning`.

    Measured at 95 % (500 cross-validations of linear discriminants, 100 and 200 rows, 5 and 20
    features, 5 and 10 folds): the mean TPR at an FPR of 0.3 is inside in 95.6 to 99.4 %, the mean
    AUC in 94.4 to 99.0 %, without repeats and with 10. t·spread/√(kr) would be 87 to 94 % without
    repeats and 38 to 51 % with 10.

    References
    ----------
    Nadeau & Bengio (2003), Inference for the generalization error, with k − 1 degrees of freedom
    in place of kr − 1; Bengio & Grandvalet (2004), No unbiased estimator of the variance of k-fold
    cross-validation.

    Examples
    --------
    >>> import rocwalk as rw
    >>> scores = ([0.9, 0.8, 0.7, 0.1], [0.9, 0.2, 0.8, 0.1], [0.9, 0.3, 0.6, 0.5])
    >>> mean = rw.average([rw.roc([1, 0, 1, 0], s) for s in scores])
    >>> rw.fold_band(mean)
    Band(band='folds', method='nadeau-bengio', confidence_level=0.95, area=0.916667)
    """
    level = check_level(confidence_level)
    if not isinstance(average, AveragedCurve):
        raise InputError(
            f"average is {kind_of(average)}.", "pass what rocwalk.average(curves) returns."
        )
    if average.curves < 2:
        raise OptionError("One curve has no spread over folds.", "average at least two curves.")
    if average.how == "threshold":
        raise OptionError(
            "A mean by threshold varies in both rates at once.",
            "use how='vertical' or how='horizontal' when averaging.",
        )
    folds = average.curves // (average.repeats or 1)
    factor = fold_factor(average.curves, average.repeats)
    factor *= quantile(0.5 + level / 2, folds - 1)
    right, up, back = (
        factor * average.fpr_spread,
        factor * average.tpr_spread,
        slice(None, None, -1),
    )
    low_x, high_x = (np.clip(average.fpr + side * right, 0.0, 1.0) for side in (1, -1))
    low_y, high_y = (np.clip(average.tpr - side * up, 0.0, 1.0) for side in (1, -1))
    lower = walk_through(np.maximum.accumulate(low_x), np.minimum.accumulate(low_y[back])[back])
    upper = walk_through(np.minimum.accumulate(high_x[back])[back], np.maximum.accumulate(high_y))
    return Band(
        curve=average,
        lower=Curve(lower),
        upper=Curve(upper),
        kind="folds",
        method="nadeau-bengio",
        confidence_level=level,
    )


@dataclass(frozen=True, eq=False)
class Edges:
    """The lower and the upper edge of a band, and how they were made.

    `reach` is how far the curve was slid, (e⁻, e⁺); `failed` counts replicates without a curve.
    """

    lower: Walk
    upper: Walk
    method: str
    reach: tuple[float, float] | None = None
    failed: int = 0


def edges_of(
    evidence: Evidence, kind: str, method: str = "auto", *, level: float, plan: Plan
) -> Edges:
    """Return the edges of the band; method "auto" takes the first that `METHODS` has of its kind.

    A bucketed tally has "dkw" only, because all other bands are resampled and need the order. The
    lower edge is that of the lowest curve and the upper edge that of the highest that the buckets
    allow: sliding keeps the order of curves, so the band contains those of all orders.
    """
    tally, weight = evidence.tally, evidence.even_weight
    refuse_one_class(walk_of(tally))
    refuse_few(evidence)
    if tally.is_bucketed:
        if kind != "simultaneous" or method == "fixed-width":
            refuse_buckets(tally, f"A {kind} band by a bootstrap")
        if weight is None:
            refuse_buckets(tally, "A band of soft or weighted items")
        sampling = (1 + level) / 2 if tally.is_noised else level
        noise = _noise_reach(tally, level)
        low, high = (
            _dkw(Evidence(counts_of(one, weight or 1.0)), sampling, plan, noise)
            for one in tally.extremes
        )
        return Edges(low.lower, high.upper, "dkw", low.reach)
    make: dict[str, Callable[[Evidence, float, Plan], Edges]]
    make = {"dkw": _dkw, "fixed-width": _fixed_width, "percentile": _percentile}
    return make[METHODS[kind][0] if method == "auto" else method](counted(evidence), level, plan)


def _noise_reach(tally: Tally, level: float) -> float:
    """Return how many items the noise of shared counts may move any class's partial sums.

    With W the sums of the noise from the top and v the variance of the noise of all rows, the
    share F above a row moves by [(1 − F)·W − F·(W_all − W)]/n, a mean of a sum from the top and one
    from the bottom. Each exceeds x somewhere with a probability of at most 4·(1 − Φ(x/√v)) (Lévy's
    inequality), so that x = √v·Φ⁻¹(1 − α/32) holds for both, in both classes, with the probability
    1 − α/2. The other half of α is the sampling's.
    """
    if not tally.is_noised:
        return 0.0
    return math.sqrt(float(tally.noise.sum())) * normal_quantile(1 - (1 - level) / 32)


def _dkw(evidence: Evidence, level: float, _: Plan, noise: float = 0.0) -> Edges:
    """Return the band of Dvoretzky, Kiefer & Wolfowitz (1956), with Massart's (1990) constant.

    Each class's distribution lies within e = √(ln(2/α′)/(2n)) of the observed one with confidence
    1 − α′ = √(1 − α), so both do with 1 − α; and then the true curve lies in
    [TPR(x − e⁻) − e⁺, TPR(x + e⁻) + e⁺].
    """
    if not evidence.is_counts:
        raise OptionError(
            "is for hard labels of one weight, without clusters.",
            "use 'fixed-width', which takes soft truth, weights and clusters.",
            option="method",
            value="dkw",
        )
    far = math.sqrt(math.log(2 / (1 - math.sqrt(level))) / 2)
    return _slid_edges(evidence, far, "dkw", noise=noise)


def _fixed_width(evidence: Evidence, level: float, plan: Plan) -> Edges:
    """Return the band that contains the stated share of bootstrap curves wholly (Campbell 1994).

    The curve is slid along lines on which both rates move by the same number d of standard errors,
    d/√n⁻ and d/√n⁺. Two additions keep the coverage for few items: half an item of the rarer class,
    because replicates jump at the scores where the curve jumps and so miss half a jump; and never
    less than the rule of three, 1 − α^(1/n): no smaller rate can be distinguished from 0 with n
    items. Both count in proportion to `hardness`.
    """
    distances = _distances(evidence, plan)
    found = np.sort(distances[~np.isnan(distances)])
    _refuse_too_few(len(found))
    wanted = float(found[math.ceil(level * len(found)) - 1])
    sizes = evidence.effective_sizes
    half = 0.5 / math.sqrt(min(sizes))
    three = max(math.sqrt(n) * (1 - (1 - level) ** (1 / n)) for n in sizes)
    far = max(wanted + hardness(evidence) * half, hardness(evidence) * three)
    return _slid_edges(evidence, far, "fixed-width", len(distances) - len(found))


def hardness(evidence: Evidence) -> float:
    """Return 1 − 4·Σur / Σ(u + r)²: 1 for hard labels, 0 where all truth is one half.

    The additions for few items rest on items that belong to one class; soft items need less.
    """
    tally = evidence.tally
    both = float(tally.up_right.sum())
    return 1 - 4 * both / (float(tally.up_squared.sum() + tally.right_squared.sum()) + 2 * both)


def _slid_edges(
    evidence: Evidence, far: float, method: str, failed: int = 0, noise: float = 0.0
) -> Edges:
    """Return the edges of a curve that is slid to either side.

    By `far` standard errors, and by `noise` items that noise may have added or removed.
    """
    sizes, walk = evidence.effective_sizes, walk_of(evidence.tally)
    up, right = (far / math.sqrt(n) + noise / n for n in sizes)
    return Edges(slid(walk, right, -up), slid(walk, -right, up), method, (right, up), failed)


def _distances(evidence: Evidence, plan: Plan) -> FloatArray:
    """Return how many standard errors the curve must be slid until a replicate lies inside.

    The lines along which it is slid are those of constant w = √n⁻·FPR + √n⁺·TPR. On each of them
    the curve has one point and the replicate has one. So both are functions TPR(w), straight
    between points, and the answer is √n⁺ times their largest difference. That is at a corner of
    one of them: between two rows with positives only, or with negatives only, the curve and every
    replicate run straight, so these points are left out.
    """
    up, right = (math.sqrt(n) for n in evidence.effective_sizes)
    evidence = coarse(evidence)
    tally, walk = evidence.tally, walk_of(evidence.tally)
    climbs, runs = tally.up > 0, tally.right > 0
    straight = (climbs[1:] == climbs[:-1]) & (runs[1:] == runs[:-1]) & (climbs[1:] != runs[1:])
    corners = np.flatnonzero(np.concatenate(([True], ~straight, [True])))

    def way(fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        return (right * fpr + up * tpr) / (right + up)

    own = walk.tpr[corners]
    mine = way(walk.fpr[corners], own)

    def distances(fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        theirs = way(fpr, tpr)
        at_theirs = np.interp(theirs.ravel(), mine, own).reshape(tpr.shape) - tpr
        at_mine = _read_rows(theirs, tpr, mine) - own
        gaps = np.hstack((at_theirs, at_mine))
        largest: FloatArray = up * np.abs(gaps, out=gaps).max(axis=1)
        return largest

    return _replicated(evidence, plan, distances, points=corners)


_MOST_RATES = 2**8  # at which a pointwise band is computed
_EVEN_RATES = 65  # of which this many are evenly spaced, for curves of few points


def _percentile(evidence: Evidence, level: float, plan: Plan) -> Edges:
    """Return the percentiles of the replicates' TPR on the left and on the right of each rate.

    They are widened to Wilson's interval of that TPR as a share of n⁺ items, which is the
    uncertainty at a known threshold; so they do not shrink to a point where the TPR is 0 or 1. The
    widening is proportional to `hardness`.
    Between two rates the edges are straight; but where the rates are not all those at which the
    curve bends, the lower edge keeps the value of the rate before and the upper edge takes that of
    the rate after.
    """
    walk = walk_of(evidence.tally)
    rates = np.union1d(walk.fpr, np.linspace(0.0, 1.0, _EVEN_RATES))
    are_all = len(rates) <= _MOST_RATES
    if not are_all:
        rates = np.unique(walk.fpr[spread(walk.fpr + walk.tpr, _MOST_RATES)])

    def read(fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        left = _read_rows(-fpr[:, ::-1], tpr[:, ::-1], -rates)
        return np.hstack((left, _read_rows(fpr, tpr, rates)))

    values = _replicated(coarse(evidence), plan, read, 4 * len(rates))
    kept = values[~np.isnan(values[:, 0])]
    _refuse_too_few(len(kept))
    tails = ((1 - level) / 2, (1 + level) / 2)
    low, high = np.quantile(kept, tails, axis=0).reshape(2, 2, -1)
    own = sides(walk.fpr, walk.tpr, rates)
    count, z = evidence.effective_sizes[0], normal_quantile(0.5 + level / 2)
    limits = np.array([wilson(float(share), count, z) for share in own.ravel()])
    least = own + hardness(evidence) * (limits.T.reshape(2, *own.shape) - own)
    low, high = np.minimum(low, least[0]), np.maximum(high, least[1])
    if not are_all:
        low[0, 1:], high[1, :-1] = low[1, :-1], high[0, 1:]
    lower, upper = (walk_through(np.repeat(rates, 2), edge.T.ravel()) for edge in (low, high))
    return Edges(lower, upper, "percentile", None, len(values) - len(kept))


def _replicated(
    evidence: Evidence,
    plan: Plan,
    of: Callable[[FloatArray, FloatArray], FloatArray],
    numbers: int = 0,
    points: IntArray | None = None,
) -> FloatArray:
    """Return a function of the FPRs and TPRs of all replicates; NaN where there is no curve.

    Counts are resampled class by class, all else item by item or cluster by cluster. With `points`,
    the function is given these points of the curves only, the first and the last among them.
    """
    if not evidence.is_counts:
        evidence.need_items("The bootstrap of this band")
    resampler = Resampler(evidence, stratified=evidence.is_counts)

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        tpr, fpr = (_rates_by_row(mass, points) for mass in resampler.draw(rng, times))
        values = of(fpr, tpr)
        values[(fpr[:, -1] < 1) | (tpr[:, -1] < 1)] = np.nan
        return values

    return run_blocks(plan, max(resampler.width, numbers), work)


def _rates_by_row(mass: FloatArray, points: IntArray | None) -> FloatArray:
    """Return the cumulative shares of each row, from 0 to 1; all 0 where there is no mass."""
    sums = np.cumsum(mass, axis=1)
    if points is not None:
        sums = sums[:, points[1:] - 1]
    total = np.zeros((sums.shape[0], sums.shape[1] + 1))
    total[:, 1:] = sums
    whole = total[:, -1:]
    total /= np.where(whole > 0, whole, 1.0)
    return total


def _read_rows(x: FloatArray, y: FloatArray, at: FloatArray) -> FloatArray:
    """Return the y of each row's polyline at the same places, the last where it jumps.

    The rows are laid end to end, 2 apart, so that all of them are read at once.
    """
    apart = 2.0 * np.arange(len(x))[:, None]
    read: FloatArray = np.interp((at + apart).ravel(), (x + apart).ravel(), y.ravel())
    return read.reshape(len(x), len(at))


def _refuse_too_few(found: int) -> None:
    if found < 2:
        raise OneClassError(
            "Fewer than two replicates have a curve.",
            "there are too few items of one class for a bootstrap, or n_resamples is too small.",
        )


# -- edges as walks --------------------------------------------------------------------------------


def walk_through(fpr: FloatArray, tpr: FloatArray) -> Walk:
    """Return a walk from (0, 0) through some points to (1, 1), with neither masses nor scores."""
    right = np.concatenate(([0.0], fpr, [1.0]))
    up = np.maximum.accumulate(np.concatenate(([0.0], tpr, [1.0])))
    kept = np.append(True, (np.diff(right) > 0) | (np.diff(up) > 0))
    return Walk(np.full(int(kept.sum()), np.nan), up[kept], right[kept], None)


def slid(walk: Walk, right: float, up: float) -> Walk:
    """Return the walk slid by (right, up), of unlike signs, and cut to the unit square.

    Beyond its ends the walk follows the sides of the square: an upper edge is 1 on the right of
    where the slid walk ends, a lower edge is 0 on the left of where it begins.
    """
    at_fpr = min(max(-right if right < 0 else 1 - right, 0.0), 1.0)  # here it crosses a side
    at_tpr = min(max(-up if up < 0 else 1 - up, 0.0), 1.0)
    fpr = np.append(walk.fpr, (at_fpr, np.interp(at_tpr, walk.tpr, walk.fpr)))
    tpr = np.append(walk.tpr, (np.interp(at_fpr, walk.fpr, walk.tpr), at_tpr))
    order = np.lexsort((tpr, fpr))
    return walk_through(np.clip(fpr[order] + right, 0.0, 1.0), np.clip(tpr[order] + up, 0.0, 1.0))


def sides(fpr: FloatArray, tpr: FloatArray, at: FloatArray) -> FloatArray:
    """Return the TPR of a polyline on the left and on the right of each rate, as two rows.

    They differ where it jumps, and are its lowest and its highest TPR there.
    """
    left = np.interp(-at, -fpr[::-1], tpr[::-1])
    return np.stack((left, np.interp(at, fpr, tpr)))


_TOLERANCE = 1e-12


def lies_inside(lower: Walk, upper: Walk, fpr: FloatArray, tpr: FloatArray) -> bool:
    """Return whether a curve, or a piece of one, lies wholly between two edges.

    All three are straight between their points, so it is enough to look at every point, and at
    either side of every jump. Touching an edge is inside, with a tolerance of 10⁻¹².
    """
    low = lower.fpr + _TOLERANCE, lower.tpr - _TOLERANCE
    high = upper.fpr - _TOLERANCE, upper.tpr + _TOLERANCE
    places = np.unique(np.concatenate((low[0], high[0], fpr)))
    places = places[(places >= fpr[0]) & (places <= fpr[-1])]
    least, most, mine = (sides(*line, places) for line in (low, high, (fpr, tpr)))
    most[0, 0] = most[1, 0]  # nothing of a piece is left of where it begins,
    least[1, -1] = least[0, -1]  # nor right of where it ends
    return bool(np.all((least <= mine) & (mine <= most)))
