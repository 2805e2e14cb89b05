"""`rw.sensibility`: whether probabilities fall on the right side of the midpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocwalk.errors import OptionError, UndefinedMetricWarning, as_number, warn
from rocwalk.front.evidence import evidence_of
from rocwalk.measure.bounds import slack_of
from rocwalk.measure.sensibility import Split, bounded_split
from rocwalk.result import Result
from rocwalk.typing import AnyArray, ArrayLike, Bounds, FloatArray
from rocwalk.walk.curve import refuse_one_class, walk_of
from rocwalk.walk.tally import Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, repr=False)
class SensibilityPoint(Result):
    """Sensibility and capability at a threshold; from `Sensibility.at`.

    The bounds are the lowest, the given and the highest value; equal unless bucketed.
    """

    threshold: float
    sensibility: float
    capability: float
    sensibility_bounds: Bounds
    capability_bounds: Bounds

    def _headline(self) -> dict[str, Any]:
        numbers = ("threshold", "sensibility", "capability")
        bounds = ("sensibility_bounds", "capability_bounds")
        apart = [name for name in bounds if getattr(self, name)[0] < getattr(self, name)[2]]
        return {name: getattr(self, name) for name in (*numbers, *apart)}


@dataclass(frozen=True, eq=False, repr=False)
class Sensibility(Result):
    """The midpoint, the struggle ratio, and two curves; make one with `rocwalk.sensibility`.

    The midpoint is exact from buckets too. Where it lies inside one, the rest has bounds.
    """

    split: Split

    @property
    def midpoint(self) -> float:
        """t_s: half the sum of the scores over the positive mass, or the one that was given."""
        return self.split.midpoint

    @property
    def struggle_ratio(self) -> float:
        """Mass on the wrong side of the midpoint over mass on the right side; less is better."""
        return self.split.struggle_ratio

    @property
    def struggle_ratio_bounds(self) -> Bounds:
        """The lowest, the middle and the highest struggle ratio; equal unless bucketed."""
        return self.split.struggle_ratio_bounds

    @property
    def thresholds(self) -> FloatArray:
        """Decreasing thresholds, the first is +inf; predict positive when score ≥ threshold."""
        return self.split.walk.thresholds

    @property
    def sensibility(self) -> FloatArray:
        """The accuracy on the sensible mass at each threshold."""
        return self.split.sensibility

    @property
    def capability(self) -> FloatArray:
        """The accuracy on the other mass at each threshold."""
        return self.split.capability

    @property
    def sensibility_bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The lowest, the middle and the highest sensibility at each threshold."""
        return self.split.sensibility_bounds

    @property
    def capability_bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The lowest, the middle and the highest capability at each threshold."""
        return self.split.capability_bounds

    @property
    def sentence(self) -> str:
        """What the numbers mean, in words."""
        return (
            f"Midpoint {self.midpoint:.3f}: for every sensible item, one on the right side of it, "
            f"there are {self.struggle_ratio:.3f} on the wrong side.{self._doubt}"
        )

    @property
    def _doubt(self) -> str:
        """Say how far a bucket leaves the ratio open, if one does."""
        if not self.split.corners:
            return ""
        off = slack_of(self.struggle_ratio_bounds)
        return f" Scores are bucketed: this is within ± {off:.2g} of the exact value."

    def at(self, threshold: float) -> SensibilityPoint:
        """Return sensibility and capability of the rule "score ≥ threshold".

        >>> import rocwalk as rw
        >>> found = rw.sensibility([1, 1, 0, 1, 0], [0.9, 0.6, 0.5, 0.3, 0.1])
        >>> found.at(0.35)
        SensibilityPoint(threshold=0.35, sensibility=1, capability=0)
        """
        asked = as_number("threshold", threshold)
        one, other = self.split.bounds_at(asked)
        return SensibilityPoint(asked, one[1], other[1], one, other)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw both curves against the threshold, with the midpoint."""
        from rocwalk.draw.sensibility import draw_sensibility

        return draw_sensibility(self.split, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "midpoint": self.midpoint,
            "struggle_ratio": self.struggle_ratio,
            "sensible": self.split.sensible,
            "non_sensible": self.split.other,
            "points": len(self.thresholds),
            **self._open(),
        }

    def _open(self) -> dict[str, Any]:
        """Return the bounds that a bucket around the midpoint leaves, if there is one."""
        if not self.split.corners:
            return {}
        return {
            "struggle_ratio_bounds": self.struggle_ratio_bounds,
            "sensible_bounds": self.split.sensible_bounds,
            "non_sensible_bounds": self.split.other_bounds,
        }

    def _columns(self) -> dict[str, AnyArray]:
        columns = {
            "thresholds": self.thresholds,
            "at_sensible": self.sensibility,
            "at_non_sensible": self.capability,
        }
        if not self.split.corners:
            return columns
        return columns | {
            "lowest_at_sensible": self.sensibility_bounds[0],
            "highest_at_sensible": self.sensibility_bounds[2],
            "lowest_at_non_sensible": self.capability_bounds[0],
            "highest_at_non_sensible": self.capability_bounds[2],
        }


def sensibility(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    midpoint: float | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> Sensibility:
    """Return the sensibility analysis of probabilities: midpoint, struggle ratio and two curves.

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities in [0, 1]. Or one `Tally`.
    midpoint
        Where to split, for instance the midpoint of training data; else t_s = Σw·p / (2·Σw·f).
    sample_weight, pos_label, truth, invalid
        As for `rocwalk.tally`. With soft truth, an item counts on both sides by its mass.

    Notes
    -----
    Sensible are positives at or above the midpoint and negatives below it. At a threshold,
    sensibility is the accuracy on them, capability the accuracy on the others; at the midpoint they
    are 1 and 0. An empty set has no accuracy: NaN, with a warning.

    References
    ----------
    Klement, Japkowicz & Matwin (2009), Class probabilities and the ROC curve in changing
    environments. (The first form of its Eq. 1 needs d to be the odds n⁺/n⁻, not n⁺/n; its Table 1
    prints a midpoint of 0.56 where Eq. 1 gives 0.54.)

    Examples
    --------
    >>> import rocwalk as rw
    >>> example = rw.datasets.paper_examples()["sensibility_table_1"]
    >>> found = rw.sensibility(example.y_true, example.y_prob)
    >>> found
    Sensibility(midpoint=0.54, struggle_ratio=0.25, sensible=8, non_sensible=2, points=11)
    >>> found.at(0.35)
    SensibilityPoint(threshold=0.35, sensibility=0.875, capability=0.5)
    """
    at = None if midpoint is None else _checked(midpoint)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    tally = data if isinstance(data, Tally) else data.tally()
    if tally.steps != "truth":
        raise OptionError(
            f"A tally with steps={tally.steps!r} has no midpoint.", 'use steps="truth".'
        )
    if not (tally.total_up > 0 and tally.total_right > 0):
        refuse_one_class(walk_of(tally))
    found = Sensibility(bounded_split(tally, at))
    for words, mass in (("sensible", found.split.sensible), ("non-sensible", found.split.other)):
        if not mass > 0:
            warn(
                UndefinedMetricWarning(
                    f"There is no {words} item, so the accuracy on them is undefined and NaN. "
                    "Hint: check the midpoint and the probabilities."
                )
            )
    return found


def _checked(midpoint: float) -> float:
    value = as_number("midpoint", midpoint)
    if not 0 <= value < float("inf"):
        raise OptionError(
            f"midpoint={midpoint!r} is not a midpoint.", "pass a finite number of 0 or more."
        )
    return value
