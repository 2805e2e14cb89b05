"""AUC_PRT, expected AUC and H_PRT of items whose truth is a probability, with their errors.

The perfect curve is made of the same items as the curve of the scores, so both change when an item
does. With A the area of the scores and P that of the perfect order, AUC_PRT = ½ + (A − ½)/(2P − 1),
and its influence function is ψ_A/(2P − 1) − (2A − 1)·ψ_P/(2P − 1)². For items of weight w it is

    Σᵢⱼ wᵢwⱼ·|fᵢ − fⱼ|·[1 if the scores order the pair as the truths do, ½ if they tie] /
    Σᵢⱼ wᵢwⱼ·|fᵢ − fⱼ|,

a share of rightly ordered pairs in which a pair counts as much as its truths differ. A pair of an
item with itself has no weight in it, so AUC_PRT has no bias towards ½ as the area has.
"""

from __future__ import annotations

import math

import numpy as np

from rocwalk.curves.area import AUC
from rocwalk.curves.h_measure import H_MEASURE
from rocwalk.inference.influence import auc_influence, share_above
from rocwalk.inference.items import Items
from rocwalk.inference.jackknife import falls
from rocwalk.inference.resampling import tally_of_items
from rocwalk.statistic import UNIT, OfItems, Places, Statistic, register
from rocwalk.tally.order import tally_of_masses
from rocwalk.tally.tally import area_of_steps
from rocwalk.truth.reference_truth import expected_auc, expected_auc_bounds, of_the_possible
from rocwalk.typing import FloatArray, IntArray


def _masses(items: Items, rows: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the masses by row, from the first row to the last."""
    length = int(rows.max()) + 1
    up, right = (np.bincount(rows, mass, length) for mass in (items.up, items.right))
    return up.astype(np.float64), right.astype(np.float64)


def _truth_rows(items: Items) -> IntArray:
    """Return the place of each item's truth among the distinct truths, the highest first."""
    return np.unique(-items.truth, return_inverse=True)[1].reshape(-1)


def _area(items: Items, rows: IntArray) -> float:
    return area_of_steps(*_masses(items, rows))


def _area_psi(items: Items, rows: IntArray) -> FloatArray:
    """Return ψ of the area of an order: u(V⁺ − A)/U + r(V⁻ − A)/R."""
    up, right = _masses(items, rows)
    area = area_of_steps(up, right)
    below, above = 1 - share_above(right), share_above(up)
    psi: FloatArray = items.up * (below[rows] - area) / up.sum()
    psi += items.right * (above[rows] - area) / right.sum()
    return psi


def _areas_without(items: Items) -> FloatArray:
    """Return the area under the curve of the items without each unit in turn."""
    influence = auc_influence(tally_of_items(items))
    areas: FloatArray = influence.estimate - falls(items, influence)
    return areas


def auc_prt_of_items(items: Items) -> float:
    """Return AUC_PRT of items; NaN if all have the same truth."""
    rows = _truth_rows(items)
    perfect = _area(items, rows)
    return (_area(items, items.rows) + perfect - 1) / (2 * perfect - 1) if rows.any() else np.nan


def auc_prt_psi(items: Items) -> FloatArray:
    """Return dA/(2P − 1) + (1 − 2A)·dP/(2P − 1)², A the area and P that of the perfect order."""
    rows = _truth_rows(items)
    area, perfect = _area(items, items.rows), _area(items, rows)
    width = 2 * perfect - 1
    psi: FloatArray = _area_psi(items, items.rows) / width
    psi += _area_psi(items, rows) * (1 - 2 * area) / width**2
    return psi


_NARROW = 1e-12  # of a region between worst and perfect curve that is none


def _auc_prt_without(items: Items) -> FloatArray:
    """Return AUC_PRT without each unit; NaN where the truths of all others are the same."""
    area = _areas_without(items)
    by_truth = Items(items.up, items.right, items.truth, items.cluster)
    width = 2 * _areas_without(by_truth) - 1
    found = np.full(len(area), np.nan)
    np.divide(area - 0.5, width, out=found, where=width > _NARROW)
    found += 0.5
    return found


def _expected_auc(items: Items) -> float:
    own = float((items.up * items.right).sum())
    up, right = float(items.up.sum()), float(items.right.sum())
    pairs = up * right - own
    return (_area(items, items.rows) * up * right - own / 2) / pairs if pairs > 0 else np.nan


def _expected_auc_psi(items: Items) -> FloatArray:
    """Return ψ of (N − D/2)/(U·R − D), each sum changed by one item."""
    up, right = _masses(items, items.rows)
    total_up, total_right = up.sum(), right.sum()
    below, above = total_right * (1 - share_above(right)), total_up * share_above(up)
    expected, own = _expected_auc(items), items.up * items.right
    numerator = items.up * below[items.rows] + items.right * above[items.rows] - own / 2
    pairs = items.up * total_right + items.right * total_up - own
    psi: FloatArray = (numerator - expected * pairs) / (total_up * total_right - own.sum())
    psi -= psi.mean()
    return psi


def _expected_auc_without(items: Items) -> FloatArray:
    """Return (N − D/2)/(U·R − D) without each unit; NaN where no other pairs are left."""
    up, right, own = (
        mass.sum() - items.by_unit(mass) for mass in (items.up, items.right, items.up * items.right)
    )
    pairs = up * right - own
    found = np.full(len(pairs), np.nan)
    np.divide(_areas_without(items) * up * right - own / 2, pairs, out=found, where=pairs > 0)
    return found


def _h_prt(items: Items) -> float:
    """Return H/H_perfect, the latter of the same items in the order of their truth."""
    weight, truth = items.weight, items.truth
    up, right = float(items.up.sum()), float(items.right.sum())
    if not (up > 0 and right > 0):
        return math.nan
    perfect = H_MEASURE.of(tally_of_masses(truth, weight, truth))
    return of_the_possible(H_MEASURE.of(tally_of_items(items)), perfect)


AUC_PRT = register(
    Statistic(
        "auc_prt",
        AUC.of,
        title="AUC_PRT",
        noun="AUC_PRT",
        sentence="How far the order of the scores has come from the worst (0) to the best (1) "
        "order that an uncertain truth allows.",
        references=("Gredlics, Raicu & Furst",),
        cited="gredlics",
        range=UNIT,
        direction="higher",
        conditional=True,
        is_area=True,
        influence=auc_influence,
        of_items=OfItems(auc_prt_of_items, auc_prt_psi, _auc_prt_without),
        places=Places(probabilities=10),
    )
)


EXPECTED_AUC = register(
    Statistic(
        "expected_auc",
        expected_auc,
        title="Expected AUC",
        sentence="The AUC that labels drawn from the uncertain truth would have.",
        range=UNIT,
        direction="higher",
        conditional=True,
        is_area=True,
        influence=auc_influence,
        bounds=expected_auc_bounds,
        of_items=OfItems(_expected_auc, _expected_auc_psi, _expected_auc_without),
        places=Places(summary=80, probabilities=20),
    )
)


H_PRT = register(
    Statistic(
        "h_prt",
        H_MEASURE.of,
        title="H_PRT",
        noun="H_PRT",
        sentence="The H-measure as a share of that of the best order that an uncertain truth "
        "allows.",
        references=("Hand & Anagnostopoulos 2014", "Gredlics, Raicu & Furst"),
        range=UNIT,
        direction="higher",
        of_hull=True,
        bounds=H_MEASURE.bounds,
        of_items=OfItems(_h_prt),
    )
)
