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
from rocwalk.typing import AnyArray, ArrayLike, FloatArray, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Multiclass(Result):
    """Curves and areas of several classes; make one with `rocwalk.multiclass`.

    Attributes
    ----------
    labels
        The classes, in the order of the columns.
    walks, areas, prevalence
        By label: the walk against the rest, its area, and the share p(c) of the whole mass. An
        absent class has NaN rates, a NaN area and the share 0.
    pairwise
        A(i, j) = ½[A(i|j) + A(j|i)] by pair of labels, i before j in `labels`; NaN if one of them
        is absent.
    provost_domingos, hand_till
        Σ AUC(c)·p(c) and 2/(k(k − 1)) Σ_{i<j} A(i, j), over the k classes that are present; NaN for
        fewer than two.
    """

    labels: tuple[Any, ...]
    walks: Mapping[Any, Walk]
    areas: Mapping[Any, float]
    pairwise: Mapping[tuple[Any, Any], float]
    prevalence: Mapping[Any, float]
    provost_domingos: float
    hand_till: float

    @cached_property
    def curves(self) -> Mapping[Any, Curve]:
        """The curve of each class against the rest; NaN rates and area for an absent class."""
        return {label: Curve(walk) for label, walk in self.walks.items()}

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the curve of every class that is present against the rest.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_overlay

        present = {k: walk for k, walk in self.walks.items() if not np.isnan(self.areas[k])}
        named = {f"{k} against the rest": (walk, self.areas[k]) for k, walk in present.items()}
        return draw_overlay(named, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "classes": len(self.labels),
            "hand_till": self.hand_till,
            "provost_domingos": self.provost_domingos,
        }

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "label": np.array([str(label) for label in self.labels]),
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
        One row per item and one column per class: a dataframe or a dict of columns, whose names
        are the classes, in any order; or an array or a list of lists, with columns in the order of
        `labels`. The names that pandas and polars make up for an array (0, 1, … and column_0,
        column_1, …) are taken for none, unless they are the classes. Any finite scores are
        accepted; rows need not sum to 1.
    labels
        The classes. Default: the sorted labels of `y_true`. A class that is named but has no rows
        is NaN with a warning, and the sums run over the others.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label, truth
        Accepted for uniformity; several classes have no positive one and no soft truth, so anything
        but the defaults (or truth="hard") is refused.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Ties count one half. A class without rows is NaN with an `AbsentClassWarning`.

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
    >>> columns = {"c": [0.1, 0.1, 0.2, 0.7], "a": [0.7, 0.4, 0.2, 0.1], "b": [0.2, 0.5, 0.6, 0.2]}
    >>> rw.multiclass(["a", "a", "b", "c"], columns)
    Multiclass(classes=3, hand_till=1, provost_domingos=1)
    """
    refuse_binary_options(pos_label, truth)
    sample = check_classes(
        y_true, y_prob, labels=labels, sample_weight=sample_weight, invalid=invalid
    )
    warn_of_absent(sample)
    return measure_classes(sample)


def measure_classes(sample: ClassSample) -> Multiclass:
    """Return all curves, areas and summaries of checked data."""
    names, pairs = sample.labels, pairwise_areas(sample)
    walks = [walk_of(part.tally()) for part in sample.against_rest()]
    areas, shares = np.array([area(walk) for walk in walks]), sample.shares
    above = zip(*np.triu_indices(len(names), 1), strict=True)
    return Multiclass(
        labels=names,
        walks=dict(zip(names, walks, strict=True)),
        areas=dict(zip(names, areas.tolist(), strict=True)),
        pairwise={(names[i], names[j]): float(pairs[i, j]) for i, j in above},
        prevalence=dict(zip(names, shares.tolist(), strict=True)),
        provost_domingos=provost_domingos(areas, shares),
        hand_till=hand_till(pairs),
    )


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
        own = codes == i
        order = np.argsort(column[own])
        ordered = column[own][order]
        mass = np.concatenate(([0.0], np.cumsum(weights[own][order])))
        below = mass[np.searchsorted(ordered, column, "left")]
        below_or_tied = mass[np.searchsorted(ordered, column, "right")]
        above = mass[-1] - (below + below_or_tied) / 2  # mass of class i with a higher score
        one_sided[i] = np.bincount(codes, weights * above, len(masses))
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
