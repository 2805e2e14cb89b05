"""Several classes: a walk of each class against the rest, and areas between pairs of classes.

Item x has a class and one score per class, the column of that class. For classes i and j, A(i|j)
is the share of pairs (one item of i, one of j) in which the item of i has the higher score in
column i, ties counting one half. From it and from the areas AUC(c) of class c against the rest:

* Provost & Domingos: Σ AUC(c)·p(c), p(c) the share of class c;
* Hand & Till: 2/(k(k − 1)) Σ_{i<j} A(i, j), with A(i, j) = ½[A(i|j) + A(j|i)].

A class without rows has no area: it is NaN, and the sums run over the k classes that are present.

References
----------
Provost, Domingos (2000). Well-trained PETs: improving probability estimation trees, §6.2.
Hand, Till (2001). A simple generalisation of the area under the ROC curve for multiple class
classification problems. Machine Learning 45, 171-186, Eq. 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.intake.matrices import ClassSample, check_classes, warn_of_absent
from rocwalk.measure.area import area, auc_of_sample
from rocwalk.typing import ArrayLike, BoolArray, FloatArray
from rocwalk.walk.curve import Walk, walk_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassAreas:
    """The walks and areas of several classes.

    Attributes
    ----------
    labels
        The classes, in the order of the columns.
    walks, areas, prevalence
        By label: the walk against the rest, its area, and the share p(c) of the whole mass. An
        absent class has NaN rates, a NaN area and the share 0.
    pairwise
        A(i, j) by pair of labels, i before j in `labels`; NaN if one of them is absent.
    provost_domingos, hand_till
        The two summaries over the classes that are present; NaN for fewer than two.
    """

    labels: tuple[Any, ...]
    walks: dict[Any, Walk]
    areas: dict[Any, float]
    pairwise: dict[tuple[Any, Any], float]
    prevalence: dict[Any, float]
    provost_domingos: float
    hand_till: float


def compare_classes(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike = None,
    sample_weight: ArrayLike = None,
    invalid: str = "raise",
) -> ClassAreas:
    """Return the walk of each class against the rest, all pairwise areas, and their summaries.

    Parameters
    ----------
    y_true
        The class of each item.
    y_prob
        One row per item and one column per class: an array, a list of lists or a dataframe. Any
        finite scores will do; rows need not sum to 1.
    labels
        The class of each column. Default: the labels of `y_true`, sorted.
    sample_weight
        A mass for each item; items of weight 0 are absent.
    invalid
        "raise", or "drop" to leave out rows with a missing label, score or weight.

    Ties count one half. A class without rows is NaN with an `AbsentClassWarning`.

    References
    ----------
    Provost & Domingos (2000), §6.2; Hand & Till (2001), Eq. 7.

    Examples
    --------
    >>> y_prob = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]]
    >>> result = compare_classes(["a", "a", "b", "c"], y_prob)
    >>> result.areas["b"], result.pairwise["a", "b"], result.hand_till
    (1.0, 1.0, 1.0)
    """
    sample = check_classes(
        y_true, y_prob, labels=labels, sample_weight=sample_weight, invalid=invalid
    )
    warn_of_absent(sample)
    return measure_classes(sample)


def measure_classes(sample: ClassSample) -> ClassAreas:
    """Return all walks, areas and summaries of checked data."""
    names, pairs = sample.labels, pairwise_areas(sample)
    walks = [walk_of(part.tally()) for part in sample.against_rest()]
    areas, shares = np.array([area(walk) for walk in walks]), sample.shares
    above = zip(*np.triu_indices(len(names), 1), strict=True)
    return ClassAreas(
        labels=names,
        walks=dict(zip(names, walks, strict=True)),
        areas=dict(zip(names, areas.tolist(), strict=True)),
        pairwise={(names[i], names[j]): float(pairs[i, j]) for i, j in above},
        prevalence=dict(zip(names, shares.tolist(), strict=True)),
        provost_domingos=provost_domingos(areas, shares),
        hand_till=hand_till(pairs),
    )


# -- areas and summaries -------------------------------------------------------------------------


def areas_against_rest(sample: ClassSample) -> FloatArray:
    """Return AUC(c) of each class against the rest; NaN where either has no rows."""
    return np.array([auc_of_sample(part) for part in sample.against_rest()])


def pairwise_areas(sample: ClassSample) -> FloatArray:
    """Return the symmetric matrix of A(i, j) = ½[A(i|j) + A(j|i)].

    The diagonal is NaN, and so are the rows and columns of absent classes.
    """
    codes, masses = sample.codes, sample.masses
    weights = np.ones(len(codes)) if sample.weights is None else sample.weights
    one_sided = np.empty((len(masses), len(masses)))
    for i, column in enumerate(sample.scores.T):
        wins = weights * _mass_above(column, codes == i, weights)
        one_sided[i] = np.bincount(codes, wins, len(masses))
    pairs = np.outer(masses, masses)
    pairs[pairs == 0] = np.nan
    np.fill_diagonal(pairs, np.nan)
    one_sided /= pairs
    both: FloatArray = (one_sided + one_sided.T) / 2
    return both


def provost_domingos(areas: FloatArray, shares: FloatArray) -> float:
    """Return Σ AUC(c)·p(c) over the classes that are present; NaN for fewer than two."""
    present = ~np.isnan(areas)
    return float(areas[present] @ shares[present]) if present.any() else float("nan")


def hand_till(pairs: FloatArray) -> float:
    """Return the mean of A(i, j) over the pairs of classes that are present, NaN without one."""
    above = pairs[np.triu_indices(len(pairs), 1)]
    present = above[~np.isnan(above)]
    return float(present.mean()) if len(present) else float("nan")


def _mass_above(scores: FloatArray, own: BoolArray, weights: FloatArray) -> FloatArray:
    """Return for each item the mass of the `own` items with a higher score, half of it if tied."""
    order = np.argsort(scores[own])
    ordered = scores[own][order]
    mass = np.concatenate(([0.0], np.cumsum(weights[own][order])))
    below = mass[np.searchsorted(ordered, scores, "left")]
    below_or_tied = mass[np.searchsorted(ordered, scores, "right")]
    above: FloatArray = mass[-1] - (below + below_or_tied) / 2
    return above
