"""Several models resampled together: the paired bootstrap, and the exchange of ranks (SPEC §9)."""

from __future__ import annotations

import numpy as np

from rocwalk.typing import FloatArray, IntArray
from rocwalk.uncertainty.panel import Model, Panel
from rocwalk.uncertainty.resample import Plan, areas_together, drawn_counts, run_blocks, tally_of
from rocwalk.uncertainty.statistic import Statistic


def model_replicates(
    panel: Panel, statistic: Statistic, plan: Plan, *, stratified: bool
) -> FloatArray:
    """Return the statistic of every model in every replicate: one row a replicate.

    All models of a replicate have the same items, drawn once. A replicate that lacks a class is
    NaN.
    """

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        counts = _drawn_items(panel, rng, times, stratified=stratified)
        return np.stack([_replicated(model, statistic, counts) for model in panel.models], axis=1)

    return run_blocks(plan, 2 * len(panel), work)


def _drawn_items(
    panel: Panel, rng: np.random.Generator, times: int, *, stratified: bool
) -> IntArray:
    """Return how often each item is drawn; one row a replicate, items in the order of the data."""
    if not stratified:
        counts = drawn_counts(rng, panel.units, times, panel.units)
        return counts if panel.cluster is None else counts[:, panel.cluster]
    counts = np.empty((times, len(panel)), dtype=np.int64)
    for inside in (panel.positive, ~panel.positive):
        n = int(np.count_nonzero(inside))
        counts[:, inside] = drawn_counts(rng, n, times, n)
    return counts


def _replicated(model: Model, statistic: Statistic, counts: IntArray) -> FloatArray:
    drawn = counts[:, model.order]
    up, right = (model.by_row(drawn * mass) for mass in (model.items.up, model.items.right))
    both = (up.sum(axis=1) > 0) & (right.sum(axis=1) > 0)
    values = np.full(len(counts), np.nan)
    many = statistic.together
    if many is not None:
        values[both] = many(model.tally.scores, up[both], right[both])
    else:
        values[both] = [
            statistic.of(tally_of(model.tally, *masses))
            for masses in zip(up[both], right[both], strict=True)
        ]
    return values


# -- the permutation test ------------------------------------------------------------------------


def exchanged_differences(panel: Panel, a: int, b: int, plan: Plan) -> FloatArray:
    """Return the differences of AUC when units exchange the mid-ranks of two models at random.

    Under the null hypothesis the two ranks of an item may be exchanged (Bandos, Rockette & Gur
    2005). A cluster exchanges all of its ranks or none.
    """
    ranks = np.stack([panel.models[a].mid_ranks, panel.models[b].mid_ranks])
    values, codes = np.unique(ranks, return_inverse=True)
    one, other = codes.reshape(ranks.shape)
    masses = (panel.up.astype(np.float64), panel.right.astype(np.float64))

    def area(places: IntArray) -> FloatArray:
        up, right = (_by_place(places, mass, len(values)) for mass in masses)
        return areas_together(np.empty(0), up, right)

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        swap = rng.integers(0, 2, (times, panel.units), dtype=np.int8).astype(bool)
        swap = swap if panel.cluster is None else swap[:, panel.cluster]
        return area(np.where(swap, other, one)) - area(np.where(swap, one, other))

    return run_blocks(plan, 4 * len(panel), work)


def _by_place(places: IntArray, mass: FloatArray, length: int) -> FloatArray:
    """Return the mass at each place; one row a replicate."""
    times = len(places)
    flat = (places + (np.arange(times) * length)[:, None]).ravel()
    total = np.bincount(flat, np.broadcast_to(mass, places.shape).ravel(), times * length)
    return total.reshape(times, length).astype(np.float64, copy=False)
