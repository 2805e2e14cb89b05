"""Reference truth: a curve between the worst and the best that an uncertain truth allows.

Where the truth of an item is a probability, no order of the items reaches AUC 1. The best order is
by truth, the worst is the reverse; AUC_PRT is the position of the AUC between the areas of both.
See Gredlics, Raicu & Furst and docs/mathematics.rst, Reference truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocwalk.curves.roc import Curve, curve_of
from rocwalk.errors import LabelError
from rocwalk.methods import Methods, methods_of
from rocwalk.read.arrays import evidence_of
from rocwalk.result import Result
from rocwalk.tally.tally import Tally
from rocwalk.tally.truth import TruthTally, truth_tally_of_tally
from rocwalk.tally.walk import refuse_buckets, refuse_one_class, slack_of, walk_of
from rocwalk.typing import AnyArray, ArrayLike, Bounds, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def expected_auc(tally: Tally) -> float:
    """Return (N − D/2) / (U·R − D): the AUC without the pairs of an item with itself.

    N is the numerator of the AUC and D = Σ uᵢ·rᵢ. It is the ratio of expectations when each item
    draws its label; for hard labels it is the AUC. NaN if no other pairs are left.
    """
    return _expected(tally, tally.area)


def expected_auc_bounds(tally: Tally) -> Bounds:
    """Return the lowest, the middle and the highest expected AUC: it rises with the AUC.

    D = Σ uᵢ·rᵢ is exact from buckets.
    """
    low, middle, high = (_expected(tally, area) for area in tally.auc_bounds)
    return low, middle, high


def _expected(tally: Tally, area: float) -> float:
    up, right = tally.total_up, tally.total_right
    own = float(tally.up_right.sum())
    pairs = up * right - own
    if not pairs > 0:
        return math.nan
    return (area * up * right - own / 2) / pairs if own else area


def auc_prt(evidence: TruthTally) -> float:
    """Return (AUC − AUWCC) / (1 − AUWCC − AAPCC), 0 for the worst order and 1 for the best.

    AAPCC, the area above the perfect curve, and AUWCC, the area under the worst, are the same.
    NaN if all items have the same truth. For hard labels it is the AUC.
    """
    return _share(evidence, evidence.by_score.area)


def auc_prt_bounds(evidence: TruthTally) -> Bounds:
    """Return the lowest, the middle and the highest AUC_PRT: it rises with the AUC."""
    low, middle, high = (_share(evidence, area) for area in evidence.by_score.auc_bounds)
    return low, middle, high


def _share(evidence: TruthTally, area: float) -> float:
    if len(evidence.by_truth) < 2:
        return math.nan
    lost = _lost(evidence)
    return (area - lost) / (1 - 2 * lost)


def _lost(evidence: TruthTally) -> float:
    """Return the area above the perfect curve."""
    refuse_buckets(evidence.by_truth, "The best order of items", "every truth")
    return 1 - evidence.by_truth.area


def auc_prt_printed(evidence: TruthTally) -> float:
    """Return (AUC − AUWCC) / (1 − AUWCC), as the paper's Eq. 6 prints it.

    It gives the perfect classifier less than 1 wherever experts disagree.
    """
    return _printed(evidence, evidence.by_score.area)


def auc_prt_printed_bounds(evidence: TruthTally) -> Bounds:
    """Return the lowest, the middle and the highest value of the printed form."""
    low, middle, high = (_printed(evidence, area) for area in evidence.by_score.auc_bounds)
    return low, middle, high


def _printed(evidence: TruthTally, area: float) -> float:
    lost = _lost(evidence)
    return (area - lost) / (1 - lost)


_NO_MODEL = 0.25  # the area under min(PC, 1 − PC), the cost curve of always or never positive


def of_the_possible(reached: float, possible: float) -> float:
    """Return the share of what the best order reaches; NaN where even that is nothing."""
    return reached / possible if possible > 0 else math.nan


@dataclass(frozen=True, eq=False, repr=False)
class ReferenceTruth(Result):
    """A curve between the worst and the best that the truth allows.

    Make one with `rocwalk.reference_truth`. Where experts disagree no classifier reaches AUC 1:
    the best order of the items is by their truth, the worst is the reverse.
    """

    evidence: TruthTally

    @cached_property
    def curve(self) -> Curve:
        """The curve of the scores."""
        return curve_of(self.evidence.by_score)

    @cached_property
    def perfect(self) -> Curve:
        """The curve of the best order, by truth; equal truths tie."""
        return Curve(walk_of(self.evidence.by_truth))

    @cached_property
    def worst(self) -> Curve:
        """The curve of the worst order: the perfect one turned round (½, ½)."""
        best = self.evidence.by_truth
        return Curve(walk_of(Tally(-best.scores[::-1], best.up[::-1], best.right[::-1])))

    @property
    def hull(self) -> Curve:
        """The upper convex hull of the curve."""
        return self.curve.hull

    @property
    def auc(self) -> float:
        """The area under the curve, all pairs, an item with itself included."""
        return self.curve.area

    @cached_property
    def expected_auc(self) -> float:
        """The area without the pairs of an item with itself: (N − D/2)/(U·R − D)."""
        return expected_auc(self.evidence.by_score)

    @property
    def auc_bounds(self) -> Bounds:
        """The lowest, the middle and the highest AUC; equal unless bucketed."""
        return self.curve.area_bounds

    @property
    def expected_auc_bounds(self) -> Bounds:
        """The lowest, the middle and the highest expected AUC."""
        return expected_auc_bounds(self.evidence.by_score)

    @property
    def auc_prt_bounds(self) -> Bounds:
        """The lowest, the middle and the highest AUC_PRT."""
        return auc_prt_bounds(self.evidence)

    @property
    def auc_prt_printed_bounds(self) -> Bounds:
        """The lowest, the middle and the highest value of the paper's Eq. 6 as printed."""
        return auc_prt_printed_bounds(self.evidence)

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        return self.curve.methods() + methods_of(
            "The truth of an item is the probability that it is positive. AUC_PRT places the area "
            "between those of the worst and of the best order that this truth allows [@gredlics]."
        )

    @property
    def aapcc(self) -> float:
        """The area above the perfect curve."""
        return _lost(self.evidence)

    @property
    def auwcc(self) -> float:
        """The area under the worst curve, the perfect one turned round: it equals `aapcc`."""
        return self.aapcc

    @cached_property
    def auc_prt(self) -> float:
        """The share of the region between worst and perfect that lies under the curve.

        (AUC − AUWCC) / (1 − AUWCC − AAPCC): 0 for the worst, ½ for chance, 1 for the perfect.
        """
        return auc_prt(self.evidence)

    @cached_property
    def auc_prt_printed(self) -> float:
        """The paper's Eq. 6 as printed, (AUC − AUWCC) / (1 − AUWCC)."""
        return auc_prt_printed(self.evidence)

    @cached_property
    def h_measure(self) -> float:
        """Hand's H-measure of the curve, with the prior of Hand and Anagnostopoulos (2014)."""
        return self.curve.h_measure()

    @cached_property
    def h_prt(self) -> float:
        """H/H_perfect: the share of what the best order of these items avoids of the largest loss.

        With soft truth the perfect order does not reach H = 1. NaN if it does not exceed 0.
        """
        return of_the_possible(self.h_measure, self.perfect.h_measure())

    @property
    def h_prt_bounds(self) -> Bounds:
        """The lowest, the middle and the highest H_PRT."""
        possible = self.perfect.h_measure()
        low, middle, high = (of_the_possible(h, possible) for h in self.curve.h_measure_bounds())
        return low, middle, high

    @cached_property
    def cost_area(self) -> float:
        """The area under Drummond and Holte's cost curve; lower is better, 1/4 without a model."""
        return self.curve.cost_curve().area

    @cached_property
    def cost_area_prt(self) -> float:
        """(none − area)/(none − perfect), with "none" = 1/4 the area of always or never positive.

        It is 1 for the best order of these items and 0 if no threshold helps. NaN if none can.
        """
        return of_the_possible(
            _NO_MODEL - self.cost_area, _NO_MODEL - self.perfect.cost_curve().area
        )

    @property
    def cost_area_prt_bounds(self) -> Bounds:
        """The lowest, the middle and the highest rescaled cost area."""
        low, middle, high = self.curve.cost_curve().area_bounds
        possible = _NO_MODEL - self.perfect.cost_curve().area
        return (
            of_the_possible(_NO_MODEL - high, possible),
            of_the_possible(_NO_MODEL - middle, possible),
            of_the_possible(_NO_MODEL - low, possible),
        )

    @property
    def prevalence(self) -> float:
        """The share of positive mass."""
        return self.evidence.by_score.prevalence

    @property
    def sentence(self) -> str:
        """The numbers in words."""
        words = (
            f"AUC {self.auc:.3f}, where no order of these items can reach more than "
            f"{1 - self.aapcc:.3f}: AUC_PRT {self.auc_prt:.3f} of the way from the worst order to "
            "the best."
        )
        if self.curve.walk.is_exact:
            return words
        off = slack_of(self.auc_prt_bounds)
        return f"{words} Scores are bucketed: AUC_PRT is within ± {off:.2g} of the exact value."

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the curve inside the region between the worst and the perfect one.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.truth.plot import draw_region

        walks = (self.worst.walk, self.perfect.walk)
        return draw_region(self.curve.walk, self.auc, walks, self.auc_prt, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        areas = ("auc", "auc_prt", "auc_prt_printed", "aapcc", "auwcc", "expected_auc")
        costs = ("h_measure", "h_prt", "cost_area", "cost_area_prt")
        numbers = {name: getattr(self, name) for name in (*areas, *costs)}
        if not self.curve.walk.is_exact:
            open_ones = ("auc_bounds", "auc_prt_bounds", "expected_auc_bounds")
            numbers |= {name: getattr(self, name) for name in open_ones}
        return {**numbers, "prevalence": self.prevalence, "points": len(self.curve.walk)}

    def _columns(self) -> dict[str, AnyArray]:
        curve = self.curve
        return {"thresholds": curve.thresholds, "fpr": curve.fpr, "tpr": curve.tpr}


def truth_tally(
    y_true: ArrayLike,
    y_score: ArrayLike = None,
    *,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> TruthTally:
    """Add up masses by score and by truth: the mergeable evidence of `rocwalk.reference_truth`.

    Parameters
    ----------
    y_true, y_score
        Labels or soft truth, and scores; higher means more positive. Or one `Tally` of hard labels;
        a `Tally` of soft truth does not hold the truth of the items.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Examples
    --------
    >>> import rocwalk as rw
    >>> parts = [rw.truth_tally([0.2, 0.9], [0.1, 0.8]), rw.truth_tally([0.5], [0.4])]
    >>> sum(parts)
    TruthTally(items=3, scores=3, truths=3, total_up=1.6, total_right=1.4)
    """
    if isinstance(y_true, TruthTally) and y_score is None:
        return y_true
    data = evidence_of(
        y_true, y_score, sample_weight, pos_label, truth, invalid, probabilities=False
    )
    return truth_tally_of_tally(data) if isinstance(data, Tally) else data.truth_tally()


def reference_truth(
    y_true: ArrayLike,
    y_score: ArrayLike = None,
    *,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> ReferenceTruth:
    """Evaluate a model against a truth that is a probability, such as the share of experts' votes.

    Parameters
    ----------
    y_true
        The truth of each item in [0, 1]: the share of positive votes
        (`rocwalk.votes_to_truth`), or any probability. Or one `TruthTally`.
    y_score
        Scores; higher means more positive.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Returns
    -------
    ReferenceTruth
        `.curve .perfect .worst .hull .auc .auc_prt .auc_prt_printed .aapcc .auwcc .expected_auc
        .h_measure .h_prt .cost_area .cost_area_prt`.

    The items need two different truths at least: else every order is as good as any other.
    For hard labels the perfect curve is the corner (0, 1), and AUC_PRT is the AUC.

    With shares of votes, AUC_PRT grows with the number of raters, because the region between the
    worst and the perfect curve depends on it: 0.745, 0.764, 0.789 and 0.809 with 3, 5, 11 and 25
    raters in one simulation of the same items and model (docs/truth.rst). Two studies with
    different numbers of raters are not comparable by it.

    The raters are taken as fixed. Designs in which readers are themselves a sample of all readers
    (multi-reader multi-case studies) need another method.

    References
    ----------
    Gredlics, Raicu & Furst, Receiver operator characteristic curves … with probabilistic reference
    truth. Its Eq. 6 prints 1 − AUWCC below the line; its text and Figure 7 mean the region between
    the worst and the perfect curve, as here.

    Examples
    --------
    >>> import rocwalk as rw
    >>> example = rw.datasets.paper_examples()["truth_figure_3"]
    >>> found = rw.reference_truth(example.y_true, example.y_prob)
    >>> round(found.auc, 6), round(found.auc_prt, 6), round(found.auc_prt_printed, 6)
    (0.675929, 0.783857, 0.599859)
    """
    evidence = truth_tally(
        y_true, y_score, sample_weight=sample_weight, pos_label=pos_label, truth=truth,
        invalid=invalid,
    )  # fmt: skip
    refuse_one_class(evidence.by_score)
    if len(evidence.by_truth) < 2:
        same = evidence.by_truth.scores[0]
        raise LabelError(
            f"All items have the same truth, {same:g}, so every order of them is as good as any "
            "other, and AUC_PRT is undefined.",
            "check y_true; rocwalk.roc gives the curve by itself.",
        )
    return ReferenceTruth(evidence)
