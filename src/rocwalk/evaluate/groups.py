"""A test between subgroups: whether the AUC of a model is the same in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocwalk.curves.area import AUC
from rocwalk.errors import OneClassError
from rocwalk.inference.distributions import welch_degrees
from rocwalk.inference.influence import auc_influence, error_range
from rocwalk.inference.items import Evidence, refuse_few
from rocwalk.inference.omnibus import omnibus_of
from rocwalk.typing import IntArray


@dataclass(frozen=True, slots=True)
class GroupTest:
    """Wald's test that all areas are equal: χ², its degrees of freedom, the p-value.

    `left_out` counts subgroups with too few items of a class.
    """

    chi_squared: float
    df: int
    p_value: float
    left_out: int


def group_test(parts: Sequence[tuple[Evidence, IntArray | None]]) -> GroupTest | None:
    """Return the test of equal AUC over subgroups; None of fewer than two.

    Each part is the evidence on a subgroup and, with clusters, the cluster of each item among all
    clusters, of which one may reach into several subgroups. V is the covariance of the areas: that
    of their influence functions, summed over clusters. χ² and p-value are those of `omnibus_of`,
    with Welch's degrees of freedom over the subgroups.
    """
    known = []
    for evidence, units in parts:
        try:
            refuse_few(evidence)
        except OneClassError:
            continue
        if evidence.tally.is_bucketed:
            return None
        known.append((evidence, units))
    if len(known) < 2:
        return None
    areas = np.array([evidence.tally.area for evidence, _ in known])
    covariance = _covariance(known)
    errors = np.diag(covariance)
    sizes = [evidence.mass_degrees + 1 for evidence, _ in known]
    df_error = welch_degrees([(float(each), float(each)) for each in errors], sizes)
    found = omnibus_of(AUC.words, areas, covariance, df_error)
    if np.isnan(found.p_value) or found.df < len(areas) - 1:  # areas without an error, such as 1
        return None
    return GroupTest(found.statistic, found.df, found.p_value, len(parts) - len(known))


def _covariance(known: Sequence[tuple[Evidence, IntArray | None]]) -> np.ndarray:
    """Return the covariance of the areas, over items or over clusters."""
    errors = [error_range(evidence, auc_influence(evidence.tally))[1] for evidence, _ in known]
    covariance = np.diag(np.square(errors))
    if any(units is None for _, units in known):
        return covariance
    count = 1 + max(int(units.max()) for _, units in known if units is not None)
    sums = []
    for evidence, units in known:
        items, psi = evidence.need_items("Clusters"), auc_influence(evidence.tally)
        each = items.up * psi.up[items.rows] + items.right * psi.right[items.rows]
        sums.append(np.bincount(units, each, count))  # type: ignore[arg-type]
    shared = np.array(sums) @ np.array(sums).T
    shared[np.diag_indices(len(sums))] = np.square(errors)
    return shared
