"""The ROC curve: `rocwalk.roc`, its result `Curve`, and `rocwalk.overlay`.

See "The walk" and "Areas" in docs/mathematics.rst.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from rocwalk.curves.area import area, partial_area
from rocwalk.curves.budget import Gains, ks, lift, lift_bounds
from rocwalk.curves.choices import Choice, Costs, Limits, best
from rocwalk.curves.costs import (
    CostCurve,
    DecisionCurve,
    LossCurve,
    Losses,
    PriceList,
    brier_losses,
    envelope,
    price,
    rate_losses,
)
from rocwalk.curves.h_measure import h_measure
from rocwalk.curves.hull import hull, thinned
from rocwalk.curves.operating_points import (
    OperatingPoint,
    point_at_fpr,
    point_at_rate,
    point_at_threshold,
    point_at_tpr,
    point_or_box,
)
from rocwalk.curves.precision import PrecisionRecall, precision_walk
from rocwalk.curves.reliability import Calibration, calibration_of
from rocwalk.errors import (
    InputError,
    OneClassError,
    OptionError,
    TallyError,
    kind_of,
)
from rocwalk.methods import Methods, methods_of
from rocwalk.read.arrays import whole_tally
from rocwalk.result import Result
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import (
    EXACT_TALLY,
    Walk,
    refuse_buckets,
    refuse_one_class,
    rising_bounds,
    walk_of,
)
from rocwalk.typing import (
    AnyArray,
    ArrayLike,
    BestMetric,
    Bounds,
    FloatArray,
    Invalid,
    Prior,
    Steps,
    StepThreshold,
    Truth,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Result):
    """A ROC curve: points, thresholds, area, hull, operating points and costs.

    Make one with `rocwalk.roc` or `rocwalk.soft_roc`. `walk` holds its points; `tally` is the tally
    that it was made from, or None for a hull or an average.
    """

    walk: Walk
    tally: Tally | None = None

    cuts_scores: ClassVar[bool] = True  # "score ≥ threshold" is a rule that reaches the points

    @property
    def fpr(self) -> FloatArray:
        """False positive rates, from 0 to 1."""
        return self.walk.fpr

    @property
    def tpr(self) -> FloatArray:
        """True positive rates, from 0 to 1."""
        return self.walk.tpr

    @property
    def thresholds(self) -> FloatArray:
        """Decreasing thresholds, the first is +inf; predict positive when score ≥ threshold."""
        return self.walk.thresholds

    @property
    def prevalence(self) -> float | None:
        """U / (U + R); None when the curve carries no masses."""
        return self.walk.prevalence

    @cached_property
    def area(self) -> float:
        """The area under the curve; exact for hard labels without weights."""
        return area(self.walk)

    @cached_property
    def area_bounds(self) -> Bounds:
        """The lowest, the middle and the highest area; equal unless the tally is bucketed."""
        if self.tally is not None:
            return self.tally.auc_bounds
        return rising_bounds(self.walk, area)

    @cached_property
    def extremes(self) -> tuple[Curve, Curve]:
        """The lowest and the highest curve that the tally allows; both this one unless bucketed."""
        if self.walk.is_exact:
            return self, self
        low, high = self.walk.extremes
        return Curve(low), Curve(high)

    @cached_property
    def hull(self) -> Curve:
        """The upper convex hull: strict vertices with the curve's own thresholds."""
        return Curve(hull(self.walk))

    def partial_area(
        self, max_fpr: float = 1.0, min_tpr: float = 0.0, *, standardized: bool = False
    ) -> float:
        """Return ∫₀^a (TPR(x) − b)₊ dx with a = max_fpr and b = min_tpr.

        Parameters
        ----------
        max_fpr, min_tpr
            The false positive rate up to which, and the true positive rate above which the area is
            taken.
        standardized
            Return McClish's ½(1 + (P − chance)/(max − chance)), which is ½ for chance and 1 for a
            perfect curve.

        Examples
        --------
        >>> import rocwalk as rw
        >>> curve = rw.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1])
        >>> round(curve.partial_area(max_fpr=0.5), 6)
        0.388889
        """
        return partial_area(self.walk, max_fpr, min_tpr, standardized)

    def partial_area_bounds(
        self, max_fpr: float = 1.0, min_tpr: float = 0.0, *, standardized: bool = False
    ) -> Bounds:
        """Return the lowest, the middle and the highest partial area; equal unless bucketed.

        Parameters
        ----------
        max_fpr
            The false positive rate up to which the area is taken.
        min_tpr
            The true positive rate above which the area is taken.
        standardized
            Standardize it by McClish, so that chance is ½ and a perfect order 1.
        """
        return rising_bounds(
            self.walk, lambda walk: partial_area(walk, max_fpr, min_tpr, standardized)
        )

    def at(
        self,
        threshold: float | None = None,
        *,
        fpr: float | None = None,
        tpr: float | None = None,
        rate: float | None = None,
        prevalence: float | None = None,
    ) -> OperatingPoint:
        """Return the point at a threshold, at a rate, or within a budget of calls.

        Parameters
        ----------
        threshold
            The rule "score ≥ threshold", without interpolation.
        fpr
            Return the highest TPR at this FPR.
        tpr
            Return the lowest FPR at this TPR.
        rate
            Return the point at which this share of the items is called positive:
            ρ = π⁺·TPR + π⁻·FPR. A budget of 800 calls among 4,000 items is rate=0.2.
        prevalence
            With `rate`: the share π⁺ of positives where the rule will be used. Default: that of the
            data.

        Exactly one of `threshold`, `fpr`, `tpr` and `rate` is given. Between two points of the
        curve the result has both thresholds and the probability of using the first. For a bucketed
        tally `fpr_bounds` and `tpr_bounds` bound the rates of the exact curve; a threshold inside a
        bucket gives the middle of the bucket's two ends.

        Examples
        --------
        >>> import rocwalk as rw
        >>> curve = rw.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1])
        >>> curve.at(0.7).confusion
        Confusion(true_positives=2, false_positives=0, false_negatives=1, true_negatives=3)
        >>> curve.at(0.7).at_prevalence(0.01).negative_predictive_value > 0.99
        True
        >>> curve.at(rate=0.25)
        OperatingPoint(fpr=0, tpr=0.5, threshold=0.9, other_threshold=0.8, share=0.5, \
prevalence=0.5)
        """
        refuse_one_class(self.walk)
        given = [value for value in (threshold, fpr, tpr, rate) if value is not None]
        if len(given) != 1:
            raise OptionError(
                f"{len(given)} of threshold, fpr, tpr and rate are given.",
                "give exactly one of them.",
            )
        if rate is not None:
            return point_at_rate(self.walk, rate, prevalence)
        if prevalence is not None:
            hint = "it goes with rate=; elsewhere use .at(…).at_prevalence(…)."
            raise OptionError(
                "has no meaning without a rate.", hint, option="prevalence", value=prevalence
            )
        if threshold is not None:
            if self.tally is None:  # a hull or an average, whose steps are no buckets
                return point_at_threshold(self.walk, threshold)
            return point_or_box(self.walk, threshold)
        if fpr is not None:
            return point_at_fpr(self.walk, fpr)
        return point_at_tpr(self.walk, given[0])

    def best(
        self,
        costs: Costs | None = None,
        *,
        slope: float | None = None,
        metric: BestMetric | None = None,
        beta: float | None = None,
        rate: float | None = None,
        min_precision: float | None = None,
        min_tpr: float | None = None,
        min_specificity: float | None = None,
        prevalence: float | None = None,
    ) -> Choice:
        """Return the best threshold for costs, a slope or a metric, within limits.

        Parameters
        ----------
        costs
            The costs of the two kinds of mistakes, as `rocwalk.Costs`.
        slope
            The slope m of lines of equal cost, 1 by default.
        metric
            What to maximise. "youden": TPR − m·FPR, which has the least expected cost. "closest":
            the point of the curve that minimises (1 − TPR)² + m·FPR², its squared distance from the
            corner (0, 1), as pROC's ``best.method="closest.topleft"`` with its weights; it has no
            meaning in terms of cost, see Perkins & Schisterman. "accuracy", "balanced_accuracy",
            "f1", "fbeta", "mcc" (undefined for a rule that calls all or no items positive),
            "sensitivity", "specificity". Default: "youden"; within limits "sensitivity", and with
            `min_tpr` "specificity", unless `costs` or `slope` is given.
        beta
            For metric="fbeta": the weight of recall, 2 by default.
        rate
            A budget: at most this share of the items is called positive.
        min_precision, min_tpr, min_specificity
            Floors that the rule must reach.
        prevalence
            The share of positives where the rule will be used; rates of calls, precision, accuracy,
            F and Matthews' correlation depend on it. Default: that of the costs, else of the data.

        The choice is exact over all thresholds; of equally good ones the smallest FPR is taken. A
        rule within a budget does not use up what a randomised one could: see `at` with ``rate=``.

        References
        ----------
        Youden (1950), Index for rating diagnostic tests; Perkins & Schisterman (2006), The
        inconsistency of "optimal" cutpoints obtained using two criteria based on the receiver
        operating characteristic curve.

        Examples
        --------
        >>> import rocwalk as rw
        >>> curve = rw.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1])
        >>> curve.best(rw.Costs(false_positive=1, false_negative=4))
        Choice(threshold=0.5, fpr=0.333333, tpr=1, interval=(0.3, 0.5), slope=0.25, \
expected_cost=0.166667)
        >>> curve.best(metric="closest")
        Choice(threshold=0.8, fpr=0, tpr=0.666667, interval=(0.6, 0.8), slope=1, \
metric='closest', distance=0.333333, tied_at=0.5)
        >>> curve.best(rate=0.5)
        Choice(threshold=0.8, fpr=0, tpr=0.666667, interval=(0.6, 0.8), \
metric='sensitivity', value=0.666667, tied_at=0.6)
        """
        limits = Limits(
            rate=rate,
            min_precision=min_precision,
            min_tpr=min_tpr,
            min_specificity=min_specificity,
        )
        return best(
            self.walk, costs, slope, metric, beta=beta, limits=limits, prevalence=prevalence
        )

    @cached_property
    def gains(self) -> Gains:
        """The cumulative gains curve: TPR against the rate of calls ρ = π⁺·TPR + π⁻·FPR."""
        return Gains(self.walk)

    def lift(self, rate: float, prevalence: float | None = None) -> float:
        """Return TPR/ρ at a rate of calls ρ: the lift over as many calls at random.

        Parameters
        ----------
        rate
            The share of items that are called positive, above 0; at 0 the lift is NaN.
        prevalence
            The share of positives. Default: that of the data.

        References
        ----------
        Ling & Li (1998), Data mining for direct marketing: problems and solutions, KDD-98, 73–79.

        Examples
        --------
        >>> import rocwalk as rw
        >>> curve = rw.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1])
        >>> round(curve.lift(0.5), 6), curve.gains.at(0.25)
        (1.333333, 0.5)
        """
        return lift(self.walk, rate, prevalence)

    def lift_bounds(self, rate: float, prevalence: float | None = None) -> Bounds:
        """Return the lowest, the middle and the highest lift; equal unless bucketed.

        Parameters
        ----------
        rate
            The share of the items that may be called positive.
        prevalence
            The share of positives. Default: that of the data.
        """
        return lift_bounds(self.walk, rate, prevalence)

    @property
    def ks(self) -> float:
        """max(TPR − FPR), the one-sided distance of Kolmogorov and Smirnov between the classes."""
        return ks(self.walk)

    @property
    def ks_bounds(self) -> Bounds:
        """The lowest, the middle and the highest KS distance; equal unless bucketed."""
        return rising_bounds(self.walk, ks)

    def price(self, costs: Costs | Iterable[Costs]) -> PriceList:
        """Return the best rule and its expected cost for each of several costs.

        Parameters
        ----------
        costs
            One or several `rocwalk.Costs`.

        Examples
        --------
        >>> import rocwalk as rw
        >>> curve = rw.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1])
        >>> costs = [rw.Costs(false_positive=1, false_negative=miss) for miss in (1, 2, 5)]
        >>> curve.price(costs).expected_cost.round(4).tolist()
        [0.1667, 0.1667, 0.1667]
        """
        return price(self.walk, costs)

    def cost_curve(self, prevalence: float | None = None) -> CostCurve:
        """Return Drummond & Holte's cost curve: the lower envelope, which is the hull.

        Parameters
        ----------
        prevalence
            The share of positives. Default: that of the data.

        References
        ----------
        Drummond & Holte (2006), Cost curves: an improved method for visualizing classifier
        performance, Machine Learning 65, 95–130.

        Examples
        --------
        >>> import rocwalk as rw
        >>> curve = rw.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1])
        >>> curve.cost_curve().at(0.5)
        0.16666666666666663
        """
        return CostCurve(envelope(self.walk, prevalence))

    def brier_curve(self, prevalence: float | None = None) -> LossCurve:
        """Return the loss of the rule "score ≥ c" where a false positive costs c.

        The area under it is the Brier score. Needs the scores, and they must be probabilities.

        Parameters
        ----------
        prevalence
            The share of positives. Default: that of the data.

        References
        ----------
        Hernández-Orallo, Flach & Ferri (2011), Brier curves: a new cost-based visualisation of
        classifier performance.
        """
        return LossCurve("score", self._score_losses("A Brier curve", prevalence))

    def rate_curve(self, prevalence: float | None = None) -> LossCurve:
        """Return the loss of predicting a share of 1 − c positive where a false positive costs c.

        The area under it is π⁺π⁻(1 − 2·AUC) + 1/3.

        Parameters
        ----------
        prevalence
            The share of positives. Default: that of the data.

        References
        ----------
        Hernández-Orallo, Flach & Ferri (2013), ROC curves in cost space, Machine Learning 93.
        """
        limits = None
        if not self.walk.is_exact:
            low, high = self.walk.extremes
            limits = rate_losses(low, prevalence), rate_losses(high, prevalence)
        return LossCurve("rate", rate_losses(self.walk, prevalence), limits)

    def decision_curve(self, prevalence: float | None = None) -> DecisionCurve:
        """Return the net benefit of the rule "score ≥ t" against the threshold probability t.

        Parameters
        ----------
        prevalence
            The share of positives. Default: that of the data.

        References
        ----------
        Vickers & Elkin (2006), Decision curve analysis, Medical Decision Making 26, 565–574.

        Examples
        --------
        >>> import rocwalk as rw
        >>> curve = rw.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1])
        >>> round(curve.decision_curve().at(0.5), 6)
        0.333333
        """
        return DecisionCurve(self._score_losses("A decision curve", prevalence))

    def _score_losses(self, what: str, prevalence: float | None) -> Losses:
        tally = self._scored(what)
        refuse_buckets(tally, what)
        return brier_losses(self.walk, tally, prevalence)

    def h_measure(self, prior: Prior = "hand2014", prevalence: float | None = None) -> float:
        """Return Hand's H-measure: 1 − L/L_max, with a beta prior of the cost of a false positive.

        Parameters
        ----------
        prior
            "hand2014" is Beta(π⁺ + 1, π⁻ + 1), "hand2009" Beta(2, 2), "r" Beta(2, 1 + π⁻/π⁺) as in
            the R package hmeasure; or a pair (a, b).
        prevalence
            The share of positives, if it is not the curve's own.

        A curve below the diagonal is not flipped: its hull is the diagonal, and H is 0.

        References
        ----------
        Hand (2009), Measuring classifier performance; Hand & Anagnostopoulos (2014), A better Beta
        for the H measure.

        Examples
        --------
        >>> import rocwalk as rw
        >>> fawcett = rw.datasets.paper_examples()["classic_table_1"]
        >>> curve = rw.roc(fawcett.y_true, fawcett.y_prob)
        >>> round(curve.h_measure(), 6), round(curve.h_measure("hand2009"), 6)
        (0.248528, 0.255302)
        """
        return h_measure(envelope(self.walk, prevalence), prior)

    def h_measure_bounds(
        self, prior: Prior = "hand2014", prevalence: float | None = None
    ) -> Bounds:
        """Return the lowest, the middle and the highest H-measure; equal unless bucketed.

        The prior and the largest loss depend on the prevalence only, and the loss of the best rules
        does not increase when the curve rises.

        Parameters
        ----------
        prior
            "hand2014" is Beta(π⁺ + 1, π⁻ + 1), "hand2009" Beta(2, 2), "r" Beta(2, 1 + π⁻/π⁺) as in
            the R package hmeasure; or a pair (a, b).
        prevalence
            The share of positives. Default: that of the data.
        """
        return rising_bounds(
            self.walk,
            lambda walk: h_measure(envelope(walk, prevalence), prior),
        )

    def calibration(self) -> Calibration:
        """Return the calibration of the scores as probabilities, with the hull's edges as bins.

        References
        ----------
        Fawcett & Niculescu-Mizil (2007), PAV and the ROC convex hull; Dimitriadis, Gneiting &
        Jordan (2021), Stable reliability diagrams for probabilistic classifiers.

        Examples
        --------
        >>> import rocwalk as rw
        >>> curve = rw.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1])
        >>> curve.calibration().blocks.value.tolist()
        [0.0, 0.5, 1.0]
        """
        return calibration_of(self._scored("Calibration"))

    def _scored(self, what: str) -> Tally:
        """Return the tally, or raise if the thresholds of the walk are not its scores."""
        if self.tally is None or not self.cuts_scores:
            raise TallyError(
                f"{what} needs every score, and a hull, an average or a smeared curve does not "
                "have them.",
                "use the curve that it was made from.",
            )
        return self.tally

    def precision_recall(self, prevalence: float | None = None) -> PrecisionRecall:
        """Return precision against recall.

        Parameters
        ----------
        prevalence
            The share of positives. Default: that of the data.
        """
        if self.tally is None and not self.walk.is_exact:
            raise TallyError(
                "Precision and recall of a hull, an average or a thinned curve need every score, "
                "and its tally is bucketed.",
                f"use the curve that it was made from, or {EXACT_TALLY}.",
            )
        return precision_walk(self.walk, prevalence)

    def thinned(self, max_points: int = 2000) -> ThinnedCurve:
        """Return a curve of fewer points, for drawing only, with a bound on the area lost."""
        walk, area_lost = thinned(self.walk, max_points)
        return ThinnedCurve(walk, None, area_lost)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the curve and return the axes.

        Parameters
        ----------
        ax
            The matplotlib axes to draw into. Default: those of a new figure.
        name
            The name of the curve in the legend.
        options
            ``hull=True`` adds the hull, ``chance=False`` leaves out the diagonal; all others go to
            matplotlib's ``plot``.
        """
        from rocwalk.curves.plot import draw_roc

        return draw_roc(self.walk, self.area, ax, name=name, **options)

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        steps = "truth" if self.tally is None else self.tally.steps
        return methods_of(
            "ROC curves are empirical, and the area under the curve (AUC) counts ties as one "
            "half [@fawcett2006]."
            if steps == "truth"
            else f"Soft ROC curves have steps that depend on the scores (“{steps}”) [@klement2008]."
        )

    def _headline(self) -> dict[str, Any]:
        rule = self.tally.steps if self.tally is not None else None
        return {
            "area": self.area,
            "points": len(self.walk),
            "prevalence": self.prevalence,
            "steps": rule,
            **self._open_area(),
        }

    def _open_area(self) -> dict[str, Any]:
        """Return the bounds of the area, if it has any."""
        return {} if self.walk.is_exact else {"area_bounds": self.area_bounds}

    def _columns(self) -> dict[str, AnyArray]:
        return {"thresholds": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}


@dataclass(frozen=True, eq=False, repr=False)
class ThinnedCurve(Curve):
    """A curve of fewer points, for drawing; `area_lost` bounds the error of its area."""

    area_lost: float = 0.0

    @cached_property
    def area_bounds(self) -> Bounds:
        """The bounds of the area, widened by the area that thinning may have lost."""
        low, middle, high = super().area_bounds
        return max(low - self.area_lost, 0.0), middle, min(high + self.area_lost, 1.0)

    def _headline(self) -> dict[str, Any]:
        return super()._headline() | {"area_lost": self.area_lost}


def roc(
    y_true: ArrayLike,
    y_score: ArrayLike = None,
    *,
    steps: Steps | None = None,
    threshold: StepThreshold | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> Curve:
    """Return the ROC curve of labels (hard or soft) and scores, or of a `Tally`.

    Parameters
    ----------
    y_true, y_score
        Labels or soft truth, and scores; higher means more positive. Or one `Tally`.
    steps
        How far an item of score s steps: "truth" (a positive climbs by 1, a negative goes right
        by 1), or "single", "both" or "blind", as `rocwalk.soft_roc` describes. Default: "truth" for
        two columns; a `Tally` keeps its own. Only a `Tally` with steps="truth" can be converted.
    threshold
        For steps="both": the score from which an item is predicted positive, a number or "mean"
        (the overall mean score). Default: 0.5 for two columns; a `Tally` keeps its own.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Equal scores make one straight segment. Both classes are needed.

    References
    ----------
    Fawcett (2006), An introduction to ROC analysis, Algorithm 1; for soft truth Gredlics, Raicu &
    Furst, Receiver operator characteristic curves … with probabilistic reference truth.

    Examples
    --------
    >>> import rocwalk as rw
    >>> curve = rw.roc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> curve
    Curve(area=0.75, points=5, prevalence=0.5, steps='truth')
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    reading = (sample_weight, pos_label, truth, invalid)
    whole = whole_tally(y_true, y_score, *reading, steps, threshold, for_curve=True)
    return curve_by_steps(whole, steps, threshold)


def curve_by_steps(whole: Tally, steps: Steps | None, threshold: StepThreshold | None) -> Curve:
    """Return the curve by a step rule; both classes must be present, for every rule."""
    if whole.steps == "truth" and not (whole.total_up > 0 and whole.total_right > 0):
        refuse_one_class(whole)
    return curve_of(whole.turned(steps, threshold))


def curve_of(evidence: Tally) -> Curve:
    """Return the curve of a tally; raise if a class has no mass."""
    sides = {"up": evidence.total_up, "right": evidence.total_right}
    missing = [side for side, mass in sides.items() if not mass > 0]
    if missing and evidence.steps != "truth":
        raise OneClassError(
            f"With steps={evidence.steps!r} no item steps {' or '.join(missing)}, so there is no "
            "soft ROC curve.",
            "both classes are needed, and scores that are not 0 or 1 throughout; try steps='both'.",
        )
    refuse_one_class(evidence)
    return Curve(walk_of(evidence), evidence)


def walks_of(
    curves: Iterable[Curve] | Mapping[Any, Curve], *, by_threshold: bool = False
) -> list[Walk]:
    """Return the walks of a list or a dict of curves, or raise."""
    if isinstance(curves, Curve):
        raise InputError("One curve was given.", "pass a list or a dict of curves.")
    if not isinstance(curves, Iterable):
        raise InputError(f"curves is {kind_of(curves)}.", "pass a list or a dict of curves.")
    members = list(curves.values() if isinstance(curves, Mapping) else curves)
    for i, member in enumerate(members):
        if not isinstance(member, Curve):
            raise InputError(
                f"Item {i} is {kind_of(member)}, not a curve.",
                "make curves with rocwalk.roc(y_true, y_score).",
            )
        if by_threshold and not member.cuts_scores:
            raise InputError(
                f"Item {i} is smeared: a position on its axis is not a threshold of the scores.",
                "use rocwalk.roc, or read a smeared point back with best().interval.",
            )
    return [member.walk for member in members]


def overlay(curves: Mapping[str, Curve], ax: Axes | None = None, **options: Any) -> Axes:
    """Draw several named curves into one plot and return its axes.

    Parameters
    ----------
    curves
        A dict from names to curves.
    ax
        The matplotlib axes to draw into. Default: those of a new figure.
    options
        Keywords of each curve's ``plot``.

    Curves can also be added one by one, as in scikit-learn, with ``curve.plot(ax=ax, name="b")``.

    Examples
    --------
    >>> import rocwalk as rw
    >>> curve = rw.roc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> axes = rw.overlay({"a": curve, "its hull": curve.hull})
    >>> [line.get_label() for line in axes.lines if line.get_gid() == "curve"]
    ['a (AUC = 0.750)', 'its hull (AUC = 0.875)']
    """
    from rocwalk.curves.plot import draw_overlay

    if not isinstance(curves, Mapping):
        raise InputError(
            f"curves is {kind_of(curves)}.", 'pass a dict of curves, such as {"a": curve}.'
        )
    walks = walks_of(curves)
    named = zip(curves.items(), walks, strict=True)
    return draw_overlay({name: (walk, c.area) for (name, c), walk in named}, ax, **options)
