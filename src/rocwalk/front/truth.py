"""`rw.reference_truth`: a model against a truth that is a probability."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocwalk.errors import LabelError
from rocwalk.front.curve import Curve, curve_of
from rocwalk.front.evidence import evidence_of
from rocwalk.measure import truth as measure
from rocwalk.measure.bounds import slack_of
from rocwalk.result import Result
from rocwalk.typing import AnyArray, ArrayLike, Bounds
from rocwalk.walk.tally import Tally
from rocwalk.walk.truth import TruthTally, truth_tally_of_tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
        return Curve(measure.perfect_walk(self.evidence.by_truth))

    @cached_property
    def worst(self) -> Curve:
        """The curve of the worst order: the perfect one turned round (½, ½)."""
        return Curve(measure.worst_walk(self.evidence.by_truth))

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
        return measure.expected_auc(self.evidence.by_score)

    @property
    def auc_bounds(self) -> Bounds:
        """The lowest, the middle and the highest AUC; equal unless bucketed."""
        return self.curve.area_bounds

    @property
    def expected_auc_bounds(self) -> Bounds:
        """The same of the expected AUC."""
        return measure.expected_auc_bounds(self.evidence.by_score)

    @property
    def auc_prt_bounds(self) -> Bounds:
        """The same of AUC_PRT."""
        return measure.auc_prt_bounds(self.evidence)

    @property
    def auc_prt_printed_bounds(self) -> Bounds:
        """The same of the paper's Eq. 6 as printed."""
        return measure.auc_prt_printed_bounds(self.evidence)

    @property
    def aapcc(self) -> float:
        """The area above the perfect curve."""
        return 1 - self.perfect.area

    @property
    def auwcc(self) -> float:
        """The area under the worst curve; it equals `aapcc`."""
        return self.worst.area

    @cached_property
    def auc_prt(self) -> float:
        """The share of the region between worst and perfect that lies under the curve.

        (AUC − AUWCC) / (1 − AUWCC − AAPCC): 0 for the worst, ½ for chance, 1 for the perfect.
        """
        return measure.auc_prt(self.evidence)

    @cached_property
    def auc_prt_printed(self) -> float:
        """The paper's Eq. 6 as printed, (AUC − AUWCC) / (1 − AUWCC)."""
        return measure.auc_prt_printed(self.evidence)

    @property
    def prevalence(self) -> float:
        """The share of positive mass."""
        return self.evidence.by_score.prevalence

    @property
    def sentence(self) -> str:
        """What the numbers mean, in words."""
        return (
            f"AUC {self.auc:.3f}, where no order of these items can reach more than "
            f"{1 - self.aapcc:.3f}: AUC_PRT {self.auc_prt:.3f} of the way from the worst order to "
            f"the best.{self._doubt}"
        )

    @property
    def _doubt(self) -> str:
        """Say how far buckets leave AUC_PRT open, if they do."""
        if self.curve.walk.is_exact:
            return ""
        off = slack_of(self.auc_prt_bounds)
        return f" Scores are bucketed: AUC_PRT is within ± {off:.2g} of the exact value."

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the curve inside the region between the worst and the perfect one."""
        from rocwalk.draw.truth import draw_region

        walks = (self.worst.walk, self.perfect.walk)
        return draw_region(self.curve.walk, self.auc, walks, self.auc_prt, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        names = ("auc", "auc_prt", "auc_prt_printed", "aapcc", "auwcc", "expected_auc")
        numbers = {name: getattr(self, name) for name in names}
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
    truth: str = "auto",
    invalid: str = "raise",
) -> TruthTally:
    """Add up masses by score and by truth: the mergeable evidence of `rocwalk.reference_truth`.

    The parameters are those of `rocwalk.tally`. A `Tally` of hard labels will do in place of both
    columns; one of soft truth will not, because it has lost the truth of the items.

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
    truth: str = "auto",
    invalid: str = "raise",
) -> ReferenceTruth:
    """Set a model against a truth that is a probability, such as the share of experts' votes.

    Parameters
    ----------
    y_true
        The truth of each item in [0, 1]: the share of raters who said "positive"
        (`rocwalk.votes_to_truth`), or any probability. Or one `TruthTally`.
    y_score
        Scores; higher means more positive.
    sample_weight, pos_label, truth, invalid
        As for `rocwalk.tally`.

    Returns
    -------
    ReferenceTruth
        `.curve .perfect .worst .hull .auc .auc_prt .auc_prt_printed .aapcc .auwcc .expected_auc`.

    The items need two different truths at least: else every order is as good as any other.
    For hard labels the perfect curve is the corner (0, 1), and AUC_PRT is the AUC.

    Raters count here as they are. Designs in which readers are themselves a sample of all readers
    (multi-reader multi-case studies) need another method, which this is not.

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
    found = ReferenceTruth(evidence)
    _ = found.curve  # raises if a class has no mass
    if len(evidence.by_truth) < 2:
        same = evidence.by_truth.scores[0]
        raise LabelError(
            f"All items have the same truth, {same:g}, so every order of them is as good as any "
            "other, and AUC_PRT is undefined.",
            "check y_true; rocwalk.roc gives the curve by itself.",
        )
    return found
