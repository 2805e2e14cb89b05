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

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.area import area, auc_of_sample
from rocwalk.curves.roc import Curve
from rocwalk.read.matrices import ClassSample, check_classes, refuse_binary_options, warn_of_absent
from rocwalk.result import Result
from rocwalk.tally.walk import Walk, walk_of
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, FloatArray, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    invalid: Invalid = "raise",
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


# -- rocwalk.multiclass ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Multiclass(Result):
    """Curves and areas of several classes; make one with `rocwalk.multiclass`."""

    data: ClassAreas

    @cached_property
    def curves(self) -> Mapping[Any, Curve]:
        """The curve of each class against the rest; NaN rates and area for an absent class."""
        return {label: Curve(walk) for label, walk in self.data.walks.items()}

    @property
    def areas(self) -> Mapping[Any, float]:
        """The area of each class against the rest."""
        return self.data.areas

    @property
    def prevalence(self) -> Mapping[Any, float]:
        """The share of each class, p(c)."""
        return self.data.prevalence

    @property
    def pairwise(self) -> Mapping[tuple[Any, Any], float]:
        """A(i, j) = ½[A(i|j) + A(j|i)] for each pair of classes, i before j."""
        return self.data.pairwise

    @property
    def provost_domingos(self) -> float:
        """Σ AUC(c)·p(c), over the classes that are present."""
        return self.data.provost_domingos

    @property
    def hand_till(self) -> float:
        """2/(k(k − 1)) Σ_{i<j} A(i, j), over the k classes that are present."""
        return self.data.hand_till

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the curve of every class that is present against the rest."""
        from rocwalk.curves.plot import draw_overlay

        present = {k: w for k, w in self.data.walks.items() if not np.isnan(self.areas[k])}
        named = {
            f"{label} against the rest": (w, self.areas[label]) for label, w in present.items()
        }
        return draw_overlay(named, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "classes": len(self.data.labels),
            "hand_till": self.hand_till,
            "provost_domingos": self.provost_domingos,
        }

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "label": np.array([str(label) for label in self.data.labels]),
            "area": np.array(list(self.areas.values())),
            "prevalence": np.array(list(self.prevalence.values())),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the pairs as a list of [i, j, A(i, j)]."""
        pairs = [[str(i), str(j), value] for (i, j), value in self.pairwise.items()]
        return super().to_dict() | {"pairwise": pairs}


def multiclass(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> Multiclass:
    """Return one curve per class against the rest, all pairwise areas, and both summaries.

    Parameters
    ----------
    y_true
        The class of each item.
    y_prob
        One column of probabilities per class, in the order of `labels`; rows need not sum to 1.
    labels
        The classes of the columns; by default the sorted labels of `y_true`. A class that is
        named but has no rows is NaN with a warning, and the sums run over the others.
    sample_weight, invalid
        As for `rocwalk.tally`.
    pos_label, truth
        Taken as everywhere, but several classes have no positive one and no soft truth: anything
        but the defaults (or truth="hard") is refused.

    References
    ----------
    Provost & Domingos (2001), Well-trained PETs; Hand & Till (2001), Machine Learning 45,
    171-186; Castro da Silva (2006), §6, Eqs. 4 and 5.

    Examples
    --------
    >>> import rocwalk as rw
    >>> y_prob = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]]
    >>> result = rw.multiclass(["a", "a", "b", "c"], y_prob)
    >>> result
    Multiclass(classes=3, hand_till=1, provost_domingos=1)
    >>> result.curves["a"].area, result.pairwise["a", "b"]
    (1.0, 1.0)
    """
    refuse_binary_options(pos_label, truth)
    areas = compare_classes(
        y_true, y_prob, labels=labels, sample_weight=sample_weight, invalid=invalid
    )
    return Multiclass(areas)
