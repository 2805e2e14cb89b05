"""Several classes: the front of misclassification rates, and the volume that it dominates.

A rule gives an item of class probabilities p to the class argmin_j Σ_i λ_ij·p_i, where λ_ij ≥ 0 is
the cost of calling an item of class i one of class j, and λ_ii = 0. It has k(k − 1) rates, the
shares of class i that are called j. A rule is dominated if another one has no higher rate and a
lower one; the rules that are not form the front, which for two classes is the staircase of the ROC
curve. See "Several classes" in docs/mathematics.rst.

References
----------
Everson, Fieldsend (2006). Multi-class ROC analysis from a multi-objective optimisation perspective.
Pattern Recognition Letters 27, 918-927.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import as_whole
from rocwalk.errors import LabelError
from rocwalk.read.matrices import ClassSample, check_classes, refuse_binary_options
from rocwalk.result import Result
from rocwalk.seeds import generator_of
from rocwalk.tally.tally import read_only
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, FloatArray, IntArray, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CELLS = 2_000_000  # numbers that are held at once
_BLOCK = 256
_STEPS = (0.5, 0.2, 0.1, 0.05)  # standard deviations of log λ around rules of the front


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MisclassificationFront(Result):
    """The rules that no other rule dominates; make one with `rocwalk.misclassification_front`.

    Attributes
    ----------
    labels
        The k classes, in the order of the columns.
    pairs
        The k(k − 1) pairs (class, called), in the order of the columns of `rates`.
    rates
        One row a rule: the share of each class that is called another one.
    costs
        One k × k matrix λ a rule. A rule that calls one class throughout has a column of zeros.
    volume, standard_error
        The volume of the unit cube of rates that the front dominates, minus that of rules that call
        classes at random; and the standard error of its Monte Carlo, 0 for two classes, where it is
        exact. The volume of the rules that were found is a lower bound of that of all rules.
    dominated, by_chance
        The two volumes themselves, from the same points.
    rules
        How many rules were tried.
    """

    labels: tuple[Any, ...]
    pairs: tuple[tuple[Any, Any], ...]
    rates: FloatArray
    costs: FloatArray
    volume: float
    standard_error: float
    dominated: float
    by_chance: float
    rules: int

    def plot(self, ax: Axes | None = None, **options: Any) -> Any:
        """Draw the front of two classes, or of three: one panel a class, and return the axes.

        A panel has the two ways to miss its class on the axes; a point is a rule, coloured by the
        mean of its errors over the classes. `ax` is one axes for two classes, three for three.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_front

        return draw_front(self, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "classes": len(self.labels),
            "front": len(self.rates),
            "volume": self.volume,
            "standard_error": self.standard_error,
            "rules": self.rules,
        }

    def _columns(self) -> dict[str, AnyArray]:
        names = [f"{true} called {called}" for true, called in self.pairs]
        return {name: self.rates[:, k] for k, name in enumerate(names)}


def misclassification_front(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike = None,
    n_rules: int = 10_000,
    n_refined: int = 2_000,
    n_points: int = 20_000,
    rng: np.random.Generator | int | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> MisclassificationFront:
    """Return the rules for several classes that no other rule dominates, and their volume.

    Rules give an item to the class argmin_j Σ_i λ_ij·p_i, the first of equally cheap ones, or all
    items to one class. The costs λ are drawn from a Dirichlet distribution, and then around the
    rules of the front. For two classes all thresholds are tried, and the volume is that under the
    steps of the ROC curve minus ½, exactly.

    Parameters
    ----------
    y_true
        The class of each item.
    y_prob
        One row per item and one column per class: a dataframe or a dict of columns, whose names
        are the classes, in any order; or an array or a list of lists, with columns in the order of
        `labels`. Probabilities, whose rows need not sum to 1.
    labels
        The classes. Default: the sorted labels of `y_true`. Each needs rows.
    n_rules
        How many costs are drawn from Dirichlet(1, …, 1).
    n_refined
        How many more are drawn in each of four rounds, around rules of the front so far.
    n_points
        How many points of the cube the volume is estimated from.
    rng
        A generator, or a seed.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label, truth
        Accepted for uniformity; several classes have no positive one and no soft truth, so anything
        but the defaults (or truth="hard") is refused.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    The time grows with the number of rows times that of rules.

    References
    ----------
    Everson & Fieldsend (2006), Multi-class ROC analysis from a multi-objective optimisation
    perspective, Pattern Recognition Letters 27, 918–927.

    Examples
    --------
    >>> import rocwalk as rw
    >>> two = rw.misclassification_front([1, 0, 1, 0], [[0.1, 0.9], [0.2, 0.8], [0.3, 0.7], [1, 0]])
    >>> two
    MisclassificationFront(classes=2, front=2, volume=0.25, standard_error=0, rules=6)
    >>> two.rates.tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    refuse_binary_options(pos_label, truth)
    drawn = as_whole("n_rules", n_rules, 1)
    refined = as_whole("n_refined", n_refined, 0)
    points = as_whole("n_points", n_points, 2)
    sample = check_classes(
        y_true, y_prob, labels=labels, sample_weight=sample_weight, invalid=invalid
    )
    absent = [label for label, mass in zip(sample.labels, sample.masses, strict=True) if mass == 0]
    if absent or len(sample.labels) < 2:
        which = f"The class {absent[0]!r} has no rows" if absent else "There is only one class"
        raise LabelError(
            f"{which}, so its misclassification rates are undefined.",
            "a front needs two classes or more, each with rows; leave the others out of labels.",
        )
    generator = generator_of(rng)
    costs, rates, tried = _front(sample, drawn, refined, generator)
    dominated, by_chance, error = _volumes(rates, len(sample.labels), points, generator)
    return MisclassificationFront(
        labels=sample.labels,
        pairs=tuple(permutations(sample.labels, 2)),
        rates=read_only(rates),
        costs=read_only(costs),
        volume=dominated - by_chance,
        standard_error=error,
        dominated=dominated,
        by_chance=by_chance,
        rules=tried,
    )


# -- rules and the front -------------------------------------------------------------------------


def _front(
    sample: ClassSample, drawn: int, refined: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, int]:
    """Return the costs and the rates of the rules of the front, and how many were tried."""
    k = len(sample.labels)
    if k == 2:  # with the costs of a row, the rule cuts at its own odds
        rows = np.unique(sample.scores, axis=0)
        costs = _matrices(rows[:, ::-1], 2)
    else:
        costs = _matrices(rng.dirichlet(np.ones(k * (k - 1)), drawn), k)
    constant = 1 - np.tile(np.eye(k), (k, 1, 1))  # rule j calls every item j, at no cost
    constant[range(k), :, range(k)] = 0
    into = np.array([called for _, called in permutations(range(k), 2)])
    always = (into == np.arange(k)[:, None]).astype(np.float64)
    costs = np.concatenate([constant, costs])
    rates = np.concatenate([always, rates_of_rules(sample, costs[k:])])
    tried = len(rates)
    kept = not_dominated(rates)
    for step in _STEPS if refined and k > 2 else ():
        around = costs[kept][rng.integers(0, len(kept), refined)]
        more = around * np.exp(step * rng.standard_normal(around.shape))
        more /= more.sum(axis=(1, 2), keepdims=True)
        costs = np.concatenate([costs[kept], more])
        rates = np.concatenate([rates[kept], rates_of_rules(sample, more)])
        tried += refined
        kept = not_dominated(rates)
    return costs[kept], rates[kept], tried


def _matrices(entries: FloatArray, k: int) -> FloatArray:
    """Return λ matrices with a zero diagonal, from their k(k − 1) other entries."""
    costs = np.zeros((len(entries), k, k))
    costs[:, ~np.eye(k, dtype=bool)] = entries
    return costs


def rates_of_rules(sample: ClassSample, costs: FloatArray) -> FloatArray:
    """Return the k(k − 1) misclassification rates of each rule, in the order of the pairs.

    They are quotients of counts; those of float masses have twelve digits, for rounding errors.
    """
    k = len(sample.labels)
    rates = np.empty((len(costs), k * (k - 1)))
    for i in range(k):
        own = sample.codes == i
        weights = None if sample.weights is None else sample.weights[own]
        total = own.sum() if weights is None else weights.sum()
        chunk = max(_CELLS // (k * int(own.sum())), 1)
        for start in range(0, len(costs), chunk):
            some = costs[start : start + chunk]
            expected = np.tensordot(sample.scores[own], some, axes=(1, 1))  # item, rule, called
            called = expected.argmin(axis=2)
            others = [j for j in range(k) if j != i]
            for at, j in enumerate(others):
                hit = called == j
                mass = hit.sum(axis=0) if weights is None else weights @ hit
                rates[start : start + chunk, i * (k - 1) + at] = mass / total
    return rates if sample.weights is None else np.round(rates, 12)


def not_dominated(rates: FloatArray) -> IntArray:
    """Return the rows that no other row dominates, of equal ones the first.

    A row can only be dominated by one of a smaller sum, so rows are taken in this order.

    >>> not_dominated(np.array([[0, 1], [0.5, 0.5], [0.5, 0.6], [0.5, 0.5], [1, 0.0]])).tolist()
    [0, 1, 4]
    """
    unique, first = np.unique(rates, axis=0, return_index=True)
    order = np.argsort(unique.sum(axis=1), kind="stable")  # lexicographic where sums are equal
    kept: IntArray = np.empty(0, dtype=np.int64)
    for start in range(0, len(order), _BLOCK):
        block = order[start : start + _BLOCK]
        block = block[~covered(unique[block], unique[kept])]
        below = (unique[block][:, None] <= unique[block][None]).all(axis=2)
        block = block[~np.triu(below, 1).any(axis=0)]
        kept = np.concatenate([kept, block])
    return first[kept]


def covered(points: FloatArray, front: FloatArray) -> BoolArray:
    """Return which points some row of the front is at or below in every coordinate."""
    found = np.zeros(len(points), dtype=bool)
    chunk = max(_CELLS // max(front.size, 1), 1)
    for start in range(0, len(points), chunk):
        some = points[start : start + chunk]
        below = np.ones((len(some), len(front)), dtype=bool)
        for column in range(front.shape[1]):
            below &= front[:, column] <= some[:, column, None]
        found[start : start + chunk] = below.any(axis=1)
    return found


# -- the volume ----------------------------------------------------------------------------------


def _volumes(
    rates: FloatArray, k: int, points: int, rng: np.random.Generator
) -> tuple[float, float, float]:
    """Return the volume that the front dominates, that of chance, and the error of the difference.

    Rules that call class j with probability q_j have the rates q_j, whatever the class; a point of
    the cube is dominated by one of them if Σ_j min_{i ≠ j} z_ij ≥ 1.
    """
    if k == 2:
        order = np.argsort(rates[:, 0])
        x, y = rates[order, 0], rates[order, 1]
        return float(np.diff(np.append(x, 1.0)) @ (1 - y)), 0.5, 0.0
    z = rng.random((points, k * (k - 1)))
    pairs = list(permutations(range(k), 2))
    into = [[at for at, (_, called) in enumerate(pairs) if called == j] for j in range(k)]
    by_chance = sum(z[:, columns].min(axis=1) for columns in into) >= 1
    by_front = covered(z, rates)
    difference = by_front.astype(np.float64) - by_chance
    error = float(difference.std(ddof=1) / np.sqrt(points))
    return float(by_front.mean()), float(np.mean(by_chance)), error
