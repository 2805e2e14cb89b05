"""The statistics that can carry an interval, by name, and what is known of each."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import OptionError, as_number, nearest
from rocwalk.measure.area import area, partial_area
from rocwalk.measure.brier import brier
from rocwalk.measure.h_measure import h_measure
from rocwalk.measure.hull import hull
from rocwalk.measure.point import OperatingPoint, point_at_threshold
from rocwalk.measure.precision import precision_walk
from rocwalk.measure.pricing import envelope
from rocwalk.measure.probabilistic import (
    probabilistic_auc,
    probabilistic_gini,
    refuse_other_scores,
    scored_auc,
)
from rocwalk.measure.sensibility import midpoint, split_of
from rocwalk.typing import FloatArray
from rocwalk.uncertainty.influence import (
    Influence,
    auc_influence,
    probabilistic_auc_influence,
)
from rocwalk.uncertainty.itemwise import OF_ITEMS, OfItems
from rocwalk.uncertainty.resample import partial_areas
from rocwalk.walk.curve import walk_of
from rocwalk.walk.tally import Tally


@dataclass(frozen=True, slots=True)
class Statistic:
    """A number of a tally.

    `range` is where it can lie; intervals are clipped to it. `conditional` says that it depends on
    each class alone, so that the classes may be resampled apart; a number that depends on the
    prevalence must not be. `influence` gives its standard error without resampling. `rate` marks a
    proportion at a threshold: which class it is a share of. `of_items` is how soft truth is dealt
    with where a tally by score does not suffice; `of` is then the number of hard labels.
    """

    name: str
    of: Callable[[Tally], float]
    range: tuple[float, float] = (float("-inf"), float("inf"))
    conditional: bool = False
    influence: Callable[[Tally], Influence] | None = None
    threshold: float | None = None
    needs_probabilities: bool = False
    of_items: OfItems | None = None
    needs_both: bool = True  # without both classes it does not exist


_UNIT = (0.0, 1.0)
_POSITIVE = (0.0, float("inf"))


def _auc(tally: Tally) -> float:
    return tally.area


def _hull_area(tally: Tally) -> float:
    return area(hull(walk_of(tally)))


def _average_precision(tally: Tally) -> float:
    return precision_walk(walk_of(tally)).average_precision


def _gini_influence(tally: Tally) -> Influence:
    half = probabilistic_auc_influence(tally)
    value = 2 * half.estimate - 1
    blur = None if half.blur is None else half.blur.times(2, (value, value))
    return Influence(value, 2 * half.up, 2 * half.right, blur)


def _struggle_ratio(tally: Tally) -> float:
    whole = tally.total_up > 0 and tally.total_right > 0
    return split_of(tally).struggle_ratio if whole else float("nan")


def _h_measure(tally: Tally) -> float:
    whole = tally.total_up > 0 and tally.total_right > 0
    return h_measure(envelope(walk_of(tally))) if whole else float("nan")


_PLAIN = {
    one.name: one
    for one in (
        Statistic("auc", _auc, _UNIT, conditional=True, influence=auc_influence),
        *(
            Statistic(
                name, _auc, _UNIT, conditional=True, influence=auc_influence, of_items=of_items
            )
            for name, of_items in OF_ITEMS.items()
        ),
        Statistic("midpoint", midpoint, _POSITIVE, needs_probabilities=True),
        Statistic("struggle_ratio", _struggle_ratio, _POSITIVE, needs_probabilities=True),
        Statistic("h_measure", _h_measure, _UNIT),
        Statistic("hull_area", _hull_area, (0.5, 1.0), conditional=True),
        Statistic("average_precision", _average_precision, _UNIT),
        Statistic(
            "probabilistic_auc",
            probabilistic_auc,
            _UNIT,
            conditional=True,
            influence=probabilistic_auc_influence,
            needs_probabilities=True,
        ),
        Statistic(
            "probabilistic_gini",
            probabilistic_gini,
            (-1.0, 1.0),
            conditional=True,
            influence=_gini_influence,
            needs_probabilities=True,
        ),
        Statistic("scored_auc", scored_auc, _UNIT, conditional=True, needs_probabilities=True),
        Statistic("brier", brier, _UNIT, needs_probabilities=True, needs_both=False),
        Statistic("prevalence", lambda tally: tally.prevalence, _UNIT, needs_both=False),
        Statistic("mean_score", lambda tally: tally.mean_score, needs_both=False),
    )
}
RATES = ("sensitivity", "specificity", "precision", "negative_predictive_value", "accuracy")
_CONDITIONAL_RATES = ("sensitivity", "specificity")
NAMES = (*_PLAIN, "partial_auc", *RATES)


def statistic_of(
    asked: Any, *, threshold: float | None = None, max_fpr: float | None = None
) -> Statistic:
    """Return the statistic that a name, a partial of a metric or a function of a tally means."""
    if isinstance(asked, Statistic):
        return asked
    if isinstance(asked, str):
        return _named(asked, threshold, max_fpr)
    if not callable(asked):
        raise OptionError(
            f"statistic={asked!r} is neither a name nor a function.",
            "pass a name such as 'auc', a functools.partial of a metric, or a function of a Tally.",
        )
    _refuse_idle(threshold, "threshold")
    _refuse_idle(max_fpr, "max_fpr")
    inner = asked.func if isinstance(asked, functools.partial) else asked
    name = getattr(inner, "__name__", type(asked).__name__)
    of_metrics = getattr(inner, "__module__", "").startswith("rocwalk.metrics")
    if of_metrics and name == "auc_prt_score":
        return _PLAIN["auc_prt"]
    return Statistic(name, asked, _RANGES.get(name, _UNIT) if of_metrics else _ANY)


_ANY = (float("-inf"), float("inf"))
_RANGES = {"probabilistic_gini_score": (-1.0, 1.0), "struggle_ratio": _POSITIVE}  # of metrics


def _named(name: str, threshold: float | None, max_fpr: float | None) -> Statistic:
    if name == "partial_auc":
        _refuse_idle(threshold, "threshold")
        if max_fpr is None:
            raise OptionError(
                "statistic='partial_auc' needs to know up to where.",
                "give max_fpr=, for instance max_fpr=0.2.",
            )
        up_to = _Partial(as_number("max_fpr", max_fpr))
        return Statistic(name, up_to, _UNIT, conditional=True)
    _refuse_idle(max_fpr, "max_fpr")
    if name in RATES:
        if threshold is None:
            raise OptionError(
                f"statistic={name!r} needs a threshold.", "give threshold=, for instance 0.5."
            )
        at = as_number("threshold", threshold)
        apart = name in _CONDITIONAL_RATES
        return Statistic(name, _Rate(name, at), _UNIT, conditional=apart, threshold=at)
    _refuse_idle(threshold, "threshold")
    if name not in _PLAIN:
        raise OptionError(f"statistic={name!r} is not known.", nearest(name, NAMES))
    return _PLAIN[name]


def _refuse_idle(value: Any, argument: str) -> None:
    if value is not None:
        raise OptionError(
            f"{argument}={value!r} has no meaning for this statistic.",
            "threshold goes with rates such as 'sensitivity', max_fpr with 'partial_auc'.",
        )


@dataclass(frozen=True, slots=True)
class _Partial:
    """The standardised partial area up to a rate."""

    max_fpr: float

    def __call__(self, tally: Tally) -> float:
        return partial_area(walk_of(tally), self.max_fpr, standardized=True)

    def together(self, _: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
        """Return it of many replicates, one row each."""
        return partial_areas(self.max_fpr, up, right)


@dataclass(frozen=True, slots=True)
class _Rate:
    """A rate at a threshold."""

    name: str
    threshold: float

    def __call__(self, tally: Tally) -> float:
        point: OperatingPoint = point_at_threshold(walk_of(tally), self.threshold)
        return float(getattr(point, self.name))


def registered_name(statistic: Statistic) -> str:
    """Return the name if the statistic is the one known by it; a function may bear it by chance."""
    return statistic.name if _PLAIN.get(statistic.name) is statistic else ""


def check_statistic(statistic: Statistic, tally: Tally) -> None:
    """Raise if the statistic needs probabilities and these scores are none."""
    if statistic.needs_probabilities:
        refuse_other_scores(tally)


def is_auc(statistic: Statistic) -> bool:
    """Whether it is the area under the curve; a function of that name need not be."""
    return statistic.influence is auc_influence


def refuse_lost_truth(statistic: Statistic, tally: Tally) -> None:
    """Raise where a number needs the truth of the items, and models are compared."""
    if statistic.of_items is not None and not tally.is_counts and np.any(tally.up_right):
        raise OptionError(
            f"Models are not compared by {statistic.name} where truth is soft.",
            "compare them by 'auc': on the same items AUC_PRT differs by ΔAUC / (1 − 2·AAPCC).",
        )


def value_of(statistic: Statistic, tally: Tally) -> float:
    """Return the number of a tally; raise where a function gives none."""
    try:
        return float(statistic.of(tally))
    except TypeError as error:
        raise OptionError(
            f"statistic={statistic.name!r} gives no number of one Tally: {error}.",
            "pass a function that takes a Tally and returns a number.",
        ) from error
