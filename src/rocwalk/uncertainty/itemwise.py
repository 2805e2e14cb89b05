"""Numbers that need every item's own truth, and replicates of items with their votes (SPEC §5, §9).

A tally by score has lost which masses belong to one item. AUC_PRT sets the order of the scores
against the order of the truths, and the expected AUC leaves the pairs of an item with itself out;
both are computed from items. So is a bootstrap that draws the votes within an item again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwalk.errors import InputError, LabelError, OptionError
from rocwalk.intake.arrays import Sample, as_array, as_floats
from rocwalk.typing import ArrayLike, FloatArray, IntArray
from rocwalk.uncertainty.evidence import Items
from rocwalk.uncertainty.influence import share_above
from rocwalk.uncertainty.resample import Plan, run_blocks
from rocwalk.walk.counting import tally_of_masses
from rocwalk.walk.tally import Tally, area_of_steps


# -- orders --------------------------------------------------------------------------------------


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


# -- AUC_PRT and expected AUC --------------------------------------------------------------------


def _auc_prt(items: Items) -> float:
    rows = _truth_rows(items)
    perfect = _area(items, rows)
    return (_area(items, items.rows) + perfect - 1) / (2 * perfect - 1) if rows.any() else np.nan


def _auc_prt_psi(items: Items) -> FloatArray:
    """Return dA/(2P − 1) + (1 − 2A)·dP/(2P − 1)², A the area and P that of the perfect order."""
    rows = _truth_rows(items)
    area, perfect = _area(items, items.rows), _area(items, rows)
    width = 2 * perfect - 1
    psi: FloatArray = _area_psi(items, items.rows) / width
    psi += _area_psi(items, rows) * (1 - 2 * area) / width**2
    return psi


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


# -- replicates ----------------------------------------------------------------------------------


def tally_of_items(items: Items) -> Tally:
    """Return the tally by score, with the moments of the items."""
    return tally_of_masses(items.truth, items.weight, items.scores)


def item_replicates(
    items: Items, of: Callable[[Items], float], plan: Plan, votes: IntArray | None
) -> FloatArray:
    """Return the number in each replicate: items are drawn, and their votes again if given."""

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        return np.array([of(_drawn(items, votes, rng)) for _ in range(times)])

    return run_blocks(plan, 4 * len(items), work)


def _drawn(items: Items, votes: IntArray | None, rng: np.random.Generator) -> Items:
    """Return as many units drawn with replacement; each draw of an item has votes of its own."""
    picked = rng.integers(0, items.clusters, items.clusters)
    if items.cluster is not None:
        picked = _members(items.cluster, picked)
    up, right = items.up[picked], items.right[picked]
    if votes is not None:
        share = np.clip(items.truth[picked], 0.0, 1.0)
        weight = up + right
        up = weight * (rng.binomial(votes[picked], share) / votes[picked])
        right = weight - up
    return Items(up, right, items.scores[picked])


def _members(cluster: IntArray, picked: IntArray) -> IntArray:
    """Return the items of the clusters that were drawn, as often as each was."""
    order = np.argsort(cluster, kind="stable")
    starts = np.searchsorted(cluster[order], np.arange(int(cluster.max()) + 2))
    sizes = np.diff(starts)[picked]
    offsets = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    members: IntArray = order[np.repeat(starts[picked], sizes) + offsets]
    return members


def check_votes(votes: ArrayLike, data: Sample | Tally) -> IntArray:
    """Return how many votes stand behind the truth of each kept row, or raise."""
    if isinstance(data, Tally):
        raise OptionError("votes= needs the items, not a Tally.", "pass (y_true, y_score).")
    column = as_floats(as_array(votes, "votes"), "votes", InputError)
    if len(column) != data.length:
        raise InputError(
            f"The lengths differ: votes has {len(column):,} rows, y_true {data.length:,}.",
            "say for every row how many raters voted.",
        )
    counts = column if data.rows is None else column[data.rows]
    wrong = np.flatnonzero(~((counts >= 1) & (counts == np.round(counts))))
    if len(wrong):
        raise InputError(
            f"votes at row {_row(data, wrong[0])} is {counts[wrong[0]]:g}, not a number of votes.",
            "every item needs one vote at least.",
        )
    said = counts * data.truth
    split = np.flatnonzero(np.abs(said - np.round(said)) > 1e-6 * counts)
    if len(split):
        k = split[0]
        raise LabelError(
            f"y_true at row {_row(data, k)} is {float(data.truth[k]):g}, which is no share of "
            f"{counts[k]:g} votes.",
            "with votes=, y_true is the share of positive votes.",
        )
    return counts.astype(np.int64)


def _row(data: Sample, k: int) -> int:
    return int(k if data.rows is None else data.rows[k])
