"""Randomised rules that reach any point of the common hull of several models.

A point on the line between two vertices is reached by using one vertex's rule with some probability
and the other's otherwise. The rules may be thresholds of one model or of two. See "Classic
analysis" in docs/mathematics.rst.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.choices import best, gain_of
from rocwalk.curves.hull import hull_index, vertices_of
from rocwalk.curves.operating_points import (
    OperatingPoint,
    point_at_fpr,
    point_at_rate,
    point_at_tpr,
)
from rocwalk.curves.overlay import walks_of
from rocwalk.curves.roc import Curve
from rocwalk.errors import InputError, Option, OptionError, ScoreError
from rocwalk.read.arrays import as_array, as_floats
from rocwalk.result import Result
from rocwalk.seeds import generator_of
from rocwalk.tally.walk import Walk, refuse_one_class, refuse_without_thresholds, share_of_positives
from rocwalk.texts import kind_of, nearest
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, Bounds, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Predict positive when the model's score is ≥ threshold; used with some probability."""

    model: str
    threshold: float
    probability: float


@dataclass(frozen=True, eq=False)
class CommonHull:
    """The hull of several curves: a walk whose thresholds are the numbers of its vertices.

    Thresholds of different models have no common order, so each vertex keeps its own.
    """

    walk: Walk
    models: tuple[str, ...]
    thresholds: FloatArray


def common_hull(walks: Mapping[str, Walk]) -> CommonHull:
    """Return the hull of all curves together; a shared vertex belongs to the earlier model.

    It does not decrease when one of the curves rises, so with bucketed tallies the exact hull lies
    between the common hulls of their extremes. Vertices are compared as counts if all curves share
    the totals, else as rates; those of float masses by twelve digits, for rounding errors.
    """
    if not walks:
        raise OptionError("There is no curve to mix.", "pass a dict of at least one curve.")
    for walk in walks.values():
        refuse_one_class(walk)
        refuse_without_thresholds(walk)
    totals = {(walk.up[-1].item(), walk.right[-1].item()) for walk in walks.values()}
    same = len(totals) == 1 and all(walk.up.dtype.kind == "i" for walk in walks.values())
    index = [vertices_of(walk) for walk in walks.values()]
    vertices = list(zip(walks.values(), index, strict=True))
    up = np.concatenate([(w.up if same else w.tpr)[i] for w, i in vertices])
    right = np.concatenate([(w.right if same else w.fpr)[i] for w, i in vertices])
    thresholds = np.concatenate([w.thresholds[i] for w, i in vertices])
    owner = np.repeat(np.arange(len(walks)), [len(i) for i in index])
    x, y = (right, up) if same else (np.round(right, 12), np.round(up, 12))
    order = np.lexsort((owner, y, x))
    first = np.append(True, (np.diff(x[order]) != 0) | (np.diff(y[order]) != 0))
    order = order[first]
    order = order[hull_index(up[order], right[order])]
    names = list(walks)
    walk = Walk(np.arange(len(order), dtype=np.float64), up[order], right[order], None)
    if not all(one.is_exact for one in walks.values()):
        walk = replace(walk, between=partial(_extreme_hulls, walks))
    return CommonHull(walk, tuple(names[i] for i in owner[order]), thresholds[order])


def _extreme_hulls(walks: Mapping[str, Walk]) -> tuple[Walk, Walk]:
    low, high = ({name: walk.extremes[k] for name, walk in walks.items()} for k in (0, 1))
    return common_hull(low).walk, common_hull(high).walk


def mixed_rules(
    hull: CommonHull,
    *,
    fpr: float | None = None,
    tpr: float | None = None,
    slope: float | None = None,
    rate: float | None = None,
    prevalence: float | None = None,
) -> tuple[OperatingPoint, tuple[Rule, ...], tuple[float, float] | None]:
    """Return the requested point, the one or two rules that reach it, and a range.

    The range is that of the highest TPR − slope·FPR if a slope is given and the range is not a
    point, else None.
    """
    given = [value for value in (fpr, tpr, slope, rate) if value is not None]
    if len(given) != 1:
        raise OptionError(
            f"{len(given)} of fpr, tpr, slope and rate are given.", "give exactly one of them."
        )
    gain: tuple[float, float] | None = None
    if slope is not None:
        choice = best(hull.walk, slope=slope)
        point, gain = choice.point, choice.value_range
    elif rate is not None:
        point = point_at_rate(hull.walk, rate, prevalence)
    elif fpr is not None:
        point = point_at_fpr(hull.walk, fpr)
    else:
        point = point_at_tpr(hull.walk, given[0])
    rules = [_rule(hull, point.threshold, point.share)]
    if point.other_threshold is not None:
        rules.append(_rule(hull, point.other_threshold, 1 - point.share))
    return point, tuple(rules), gain


def _rule(hull: CommonHull, vertex: float, probability: float) -> Rule:
    """Return the rule of a vertex, which is given by its number."""
    i = int(vertex)
    return Rule(model=hull.models[i], threshold=float(hull.thresholds[i]), probability=probability)


def decide(rules: Sequence[Rule], scores: Mapping[str, FloatArray], chance: FloatArray) -> AnyArray:
    """Return the decision for each item; `chance` holds one uniform number per item."""
    decisions = [scores[rule.model] >= rule.threshold for rule in rules]
    if len(rules) == 1:
        return decisions[0]
    return np.where(chance < rules[0].probability, decisions[0], decisions[1])


@dataclass(frozen=True, eq=False, repr=False)
class Mix(Result):
    """One or two rules that together reach (`fpr`, `tpr`) in expectation.

    From bucketed tallies the rules are real and reach the point exactly, but rules inside a bucket
    might reach a better one: see `fpr_bounds`, `tpr_bounds` and `gain_bounds`.
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
        """Return True where an item is predicted positive; the rule is drawn for each item.

        Parameters
        ----------
        scores
            The scores of the same items by every model that a rule uses, by name.
        rng
            A seed or a `numpy.random.Generator`.
        """
        if not isinstance(scores, Mapping):
            raise InputError(
                f"scores is {kind_of(scores)}.",
                'pass a dict with the scores of each model, such as {"a": scores}.',
            )
        columns = {rule.model: self._scores(scores, rule.model) for rule in self.rules}
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise InputError(
                f"The models' scores have different lengths: {sorted(lengths)}.",
                "pass the scores of the same items, in the same order.",
            )
        chance = generator_of(rng).random(lengths.pop())
        return decide(self.rules, columns, chance)

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
        """Draw the curves, their common hull and the point that the rules reach.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_mix

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
    rate: float | None = None,
    prevalence: float | None = None,
) -> Mix:
    """Return the randomised rule that reaches a point of the common hull of several models.

    Parameters
    ----------
    curves
        A dict from the names of the models to their curves. A vertex that two models share belongs
        to the earlier one.
    fpr
        Reach the highest point at this false positive rate.
    tpr
        Reach the leftmost point at this true positive rate.
    slope
        Reach the vertex that maximises TPR − slope·FPR, by one rule.
    rate
        Reach the highest point at which this share of the items is called positive, a budget:
        ρ = π⁺·TPR + π⁻·FPR.
    prevalence
        With `rate`: the share π⁺ of positives where the rule will be used. Default: that of the
        data, which must be the same for all curves.

    Exactly one of `fpr`, `tpr`, `slope` and `rate` is given.

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
    >>> rw.mix({"a": curve}, rate=0.25)
    Mix(fpr=0, tpr=0.5, rules='a ≥ 0.9 (p = 1)')
    """
    if not isinstance(curves, Mapping):
        raise InputError(
            f"curves is {kind_of(curves)}.", 'pass a dict of curves, such as {"a": curve}.'
        )
    walks = dict(zip(curves, walks_of(curves, by_threshold=True), strict=True))
    hull = common_hull(walks)
    if rate is None and prevalence is not None:
        hint = ("it goes with ", Option("rate"), ".")
        raise OptionError(
            "has no meaning without a rate.", hint, option="prevalence", value=prevalence
        )
    share = _common_prevalence(walks) if rate is not None and prevalence is None else prevalence
    point, rules, gain = mixed_rules(
        hull, fpr=fpr, tpr=tpr, slope=slope, rate=rate, prevalence=share
    )
    return Mix(point.fpr, point.tpr, rules, hull, walks, point, slope, gain)


def _common_prevalence(walks: Mapping[str, Walk]) -> float:
    """Return the prevalence of the data if all curves share it, or raise."""
    known = {name: share_of_positives(walk, None) for name, walk in walks.items()}
    low, high = min(known.values()), max(known.values())
    if high - low > 1e-9:
        raise OptionError(
            f"The curves have different prevalences, from {low:.6g} to {high:.6g}, so the rate of "
            "calls of a mixture is not known.",
            (
                "give ",
                Option("prevalence"),
                ", the share of positives where the rule will be used.",
            ),
        )
    return next(iter(known.values()))
