"""`rocwalk.mix`: a randomised rule that reaches a point of the common hull."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.errors import InputError, OptionError, ScoreError, nearest
from rocwalk.front.average import walks_of
from rocwalk.front.curve import Curve
from rocwalk.intake.arrays import as_array, as_floats
from rocwalk.measure import mixing
from rocwalk.measure.choose import gain_of
from rocwalk.measure.mixing import CommonHull, Rule
from rocwalk.measure.point import OperatingPoint
from rocwalk.result import Result
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, Bounds
from rocwalk.walk.curve import Walk

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Mix(Result):
    """One or two rules that together reach (`fpr`, `tpr`) in expectation.

    From bucketed tallies the rules are real and reach the point exactly, but rules inside a bucket
    might reach a better one: `fpr_bounds`, `tpr_bounds` and `gain_bounds` say how much better.
    """

    fpr: float
    tpr: float
    rules: tuple[Rule, ...]
    common_hull: CommonHull
    walks: Mapping[str, Walk]
    point: OperatingPoint
    slope: float | None = None
    gain_range: tuple[float, float] | None = None

    @property
    def fpr_bounds(self) -> Bounds:
        """The bounds of the lowest FPR at ``tpr=``; all the same unless bucketed."""
        return self.point.fpr_bounds

    @property
    def tpr_bounds(self) -> Bounds:
        """The bounds of the highest TPR at ``fpr=``; all the same unless bucketed."""
        return self.point.tpr_bounds

    @property
    def gain_bounds(self) -> Bounds | None:
        """The bounds of the highest TPR − slope·FPR; None without ``slope=``."""
        if self.slope is None:
            return None
        gain = gain_of(self.fpr, self.tpr, self.slope)
        low, high = self.gain_range or (gain, gain)
        return low, gain, high

    def decide(
        self, scores: Mapping[str, ArrayLike], *, rng: np.random.Generator | int | None = None
    ) -> BoolArray:
        """Return True where an item is called positive; each item draws its rule anew.

        `scores` has the scores of every model that a rule uses; `rng` is a generator or a seed.
        """
        if not isinstance(scores, Mapping):
            raise InputError(
                f"scores is a {type(scores).__name__}.",
                'pass a dict with the scores of each model, such as {"a": scores}.',
            )
        columns = {rule.model: self._scores(scores, rule.model) for rule in self.rules}
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise InputError(
                f"The models' scores have different lengths: {sorted(lengths)}.",
                "pass the scores of the same items, in the same order.",
            )
        chance = np.random.default_rng(rng).random(lengths.pop())
        return mixing.decide(self.rules, columns, chance)

    def _scores(self, scores: Mapping[str, ArrayLike], model: str) -> AnyArray:
        if model not in scores:
            raise OptionError(
                f"The scores of the model {model!r} are missing.",
                nearest(str(model), map(str, scores)),
            )
        name = f"scores[{model!r}]"
        column = as_floats(as_array(scores[model], name), name, ScoreError)
        bad = np.flatnonzero(~np.isfinite(column))
        if len(bad):
            raise ScoreError(
                f"{name} at row {bad[0]} is {column[bad[0]]}, not a finite number.",
                "every item needs a score; leave out or fill in the missing ones first.",
            )
        return column

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the curves, their common hull and the point that the mix reaches."""
        from rocwalk.draw.curves import draw_mix

        return draw_mix(self.walks, self.common_hull.walk, self.fpr, self.tpr, ax, **options)

    def _headline(self) -> dict[str, Any]:
        words = " or ".join(
            f"{rule.model} ≥ {rule.threshold:.6g} (p = {rule.probability:.4g})"
            for rule in self.rules
        )
        ranges = {
            "fpr_bounds": None if self.point.fpr_range is None else self.fpr_bounds,
            "tpr_bounds": None if self.point.tpr_range is None else self.tpr_bounds,
            "gain_bounds": None if self.gain_range is None else self.gain_bounds,
        }
        bounds = {name: value for name, value in ranges.items() if value is not None}
        return {"fpr": self.fpr, "tpr": self.tpr, "rules": words, **bounds}

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "model": np.array([rule.model for rule in self.rules]),
            "threshold": np.array([rule.threshold for rule in self.rules]),
            "probability": np.array([rule.probability for rule in self.rules]),
        }


def mix(
    curves: Mapping[str, Curve],
    *,
    fpr: float | None = None,
    tpr: float | None = None,
    slope: float | None = None,
) -> Mix:
    """Return the randomised rule that reaches a point of the common hull of several models.

    ``fpr=`` takes the highest point at that rate, ``tpr=`` the leftmost, ``slope=`` the best
    vertex (one rule). On a shared vertex the earlier model wins.

    References
    ----------
    Provost & Fawcett (2001), Robust classification for imprecise environments; Fawcett (2006),
    §10, Interpolating classifiers.

    Examples
    --------
    >>> import rocwalk as rw
    >>> curve = rw.roc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> rule = rw.mix({"a": curve}, fpr=0.25)
    >>> rule
    Mix(fpr=0.25, tpr=0.75, rules='a ≥ 0.9 (p = 0.5) or a ≥ 0.7 (p = 0.5)')
    >>> rule.decide({"a": [0.95, 0.8, 0.1]}, rng=0).tolist()
    [True, False, False]
    """
    if not isinstance(curves, Mapping):
        raise InputError(
            f"curves is a {type(curves).__name__}.", 'pass a dict of curves, such as {"a": curve}.'
        )
    walks = dict(zip(curves, walks_of(curves, by_threshold=True), strict=True))
    hull = mixing.common_hull(walks)
    point, rules, gain = mixing.mixed_rules(hull, fpr=fpr, tpr=tpr, slope=slope)
    return Mix(point.fpr, point.tpr, rules, hull, walks, point, slope, gain)
