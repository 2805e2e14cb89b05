"""Areas under the walk: the AUC and the partial AUC."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from rocwalk.checks import as_number
from rocwalk.errors import OptionError
from rocwalk.inference.influence import auc_influence
from rocwalk.inference.resampling import areas_together, auc_replicates
from rocwalk.read.arrays import Sample
from rocwalk.statistic import UNIT, Places, Statistic, register
from rocwalk.tally.order import pairs_of_labels
from rocwalk.tally.tally import area_of_steps
from rocwalk.tally.walk import Walk, highest_tpr, lowest_fpr, on_walk, rising_on_walk
from rocwalk.typing import FloatArray


def area(walk: Walk) -> float:
    """Return the area under the walk, the trapezoids Σ Δright·(up before + up after) / (2UR).

    Exact for counts. NaN when a class has no mass.
    """
    return area_of_steps(np.diff(walk.up), np.diff(walk.right))


def auc_of_sample(sample: Sample) -> float:
    """Return the AUC of checked data; NaN when a class has no mass.

    AUC = Σᵢⱼ uᵢ·rⱼ·[1(sᵢ > sⱼ) + ½·1(sᵢ = sⱼ)] / (U·R), all pairs, i = j included.
    Hard labels without weights need no tally: counting pairs suffices.
    """
    if sample.is_counts:
        pairs = pairs_of_labels(sample.truth, sample.scores, sample.low, sample.high)
        if pairs is not None:
            halves, positives, negatives = pairs
            both = positives * negatives
            return halves / (2 * both) if both else float("nan")
    return sample.tally().area


def partial_area(
    walk: Walk, max_fpr: float = 1.0, min_tpr: float = 0.0, standardized: bool = False
) -> float:
    """Return P = ∫₀^a (TPR(x) − b)₊ dx with a = `max_fpr` and b = `min_tpr`.

    `standardized` gives McClish's ½(1 + (P − chance)/(max − chance)), with max = a(1 − b) and
    chance = (a − b)₊²/2, which is ½ for a diagonal walk and 1 for a perfect one.
    """
    max_fpr, min_tpr = as_number("max_fpr", max_fpr), as_number("min_tpr", min_tpr)
    if not 0 < max_fpr <= 1:
        hint = "pass a rate, such as 0.1."
        raise OptionError("is outside (0, 1].", hint, option="max_fpr", value=max_fpr)
    if not 0 <= min_tpr < 1:
        hint = "pass a rate, such as 0.8."
        raise OptionError("is outside [0, 1).", hint, option="min_tpr", value=min_tpr)
    if max_fpr == 1 and min_tpr == 0:
        part = area(walk)
    elif np.isnan(walk.fpr[-1]) or np.isnan(walk.tpr[-1]):
        part = float("nan")
    else:
        start, end = lowest_fpr(walk, np.array([min_tpr])), np.array([max_fpr])
        inside = (walk.fpr > start) & (walk.fpr <= max_fpr)
        x = np.concatenate((start, walk.fpr[inside], end))
        y = np.concatenate((highest_tpr(walk, start), walk.tpr[inside], highest_tpr(walk, end)))
        above = float(np.sum(np.diff(x) * ((y[1:] + y[:-1]) / 2 - min_tpr)))
        part = above if start[0] < max_fpr else 0.0
    return float(_standardized(part, max_fpr, min_tpr)) if standardized else part


def _standardized(part: Any, max_fpr: float, min_tpr: float = 0.0) -> Any:
    """Return McClish's ½(1 + (P − chance)/(max − chance)) of a partial area or of several."""
    most, chance = max_fpr * (1 - min_tpr), max(max_fpr - min_tpr, 0.0) ** 2 / 2
    return 0.5 * (1 + (part - chance) / (most - chance))


AUC = register(
    Statistic(
        "auc",
        on_walk(area),
        title="AUC",
        noun="AUC",
        symbol="A",
        sentence="The probability that a random positive outscores a random negative; ties count "
        "one half.",
        references=("Fawcett 2006", "DeLong, DeLong & Clarke-Pearson 1988"),
        cited="fawcett2006",
        range=UNIT,
        direction="higher",
        conditional=True,
        is_area=True,
        influence=auc_influence,
        bounds=attrgetter("auc_bounds"),
        together=areas_together,
        replicates=auc_replicates,
        metric="roc_auc_score",
        places=Places(summary=20, models=20, page=20, drift=10),
    )
)


def partial_areas(
    _: FloatArray, up: FloatArray, right: FloatArray, max_fpr: float, min_tpr: float = 0.0
) -> FloatArray:
    """Return partial areas: of each step only what lies before one rate and above the other."""
    before_up, before_right = (np.cumsum(mass, axis=1) - mass for mass in (up, right))
    whole_up, whole_right = (mass.sum(axis=1, dtype=np.float64) for mass in (up, right))
    run = np.clip(max_fpr * whole_right[:, None] - before_right, 0, right)
    share = np.divide(run, right, out=np.zeros_like(run, dtype=np.float64), where=right > 0)
    start, end = before_up, before_up + share * up
    if min_tpr > 0:  # a step that crosses the floor counts from where it does
        floor = min_tpr * whole_up[:, None]
        rise = end - start
        above = np.divide(end - floor, rise, out=(end > floor).astype(np.float64), where=rise > 0)
        run = run * np.clip(above, 0.0, 1.0)
        start, end = np.maximum(start - floor, 0.0), np.maximum(end - floor, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        areas: FloatArray = np.einsum("ij,ij->i", run, (start + end) / 2)
        areas /= whole_up * whole_right
    return areas


def standardized_partial_areas(
    scores: FloatArray, up: FloatArray, right: FloatArray, max_fpr: float, min_tpr: float = 0.0
) -> FloatArray:
    """Return McClish's standardized partial areas."""
    areas = partial_areas(scores, up, right, max_fpr, min_tpr)
    standardized: FloatArray = _standardized(areas, max_fpr, min_tpr)
    return standardized


PARTIAL_AUC = register(
    Statistic(
        "partial_auc",
        on_walk(partial_area),
        title="Partial AUC (raw)",
        noun="partial AUC (raw)",
        sentence="The area up to a false positive rate, or above a true positive rate, not "
        "standardized: up to the rate a, a²/2 for chance and a for a perfect order.",
        references=("McClish 1989",),
        cited="mcclish1989",
        range=UNIT,
        direction="higher",
        conditional=True,
        bounds=rising_on_walk(partial_area),
        together=partial_areas,
        parameters=("max_fpr",),
        options=("min_tpr",),
        fallback={"max_fpr": 1.0},
        places=Places(summary=40, models=30),
    )
)

_STANDARDIZED = partial(partial_area, standardized=True)

STANDARDIZED_PARTIAL_AUC = register(
    Statistic(
        "standardized_partial_auc",
        on_walk(_STANDARDIZED),
        title="Standardized partial AUC (McClish)",
        sentence="The area up to a false positive rate, or above a true positive rate, "
        "standardized by McClish so that chance is one half and a perfect order 1.",
        references=("McClish 1989",),
        range=UNIT,
        direction="higher",
        conditional=True,
        bounds=rising_on_walk(_STANDARDIZED),
        together=standardized_partial_areas,
        parameters=("max_fpr",),
        options=("min_tpr",),
        fallback={"max_fpr": 1.0},
        places=Places(summary=41),
    )
)
