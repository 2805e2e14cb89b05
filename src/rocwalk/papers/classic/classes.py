"""§6: several classes, on twelve rows of three classes (the paper works no example)."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from rocwalk.curves.classes import Multiclass, multiclass
from rocwalk.papers.classic.place import at
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, text_of
from rocwalk.typing import AnyArray, FloatArray

_NAMES = ("a", "b", "c")
_OURS = "Twelve rows of ours; the paper works no example."


def rows(examples: Examples) -> list[Row]:
    """Return Eqs. 2 to 5 and what is said of them."""
    truth, scores = _sample(examples)
    result = multiclass(truth, scores, labels=_NAMES)
    areas = [curve_of(examples[f"classic_class_{name}"]).area for name in _NAMES]
    return [
        _errors(truth, scores),
        _one_against_rest(result, areas),
        _provost_domingos(result, areas, truth),
        _hand_till(result, truth, scores),
        _without_shares(result, truth, scores),
    ]


def _sample(examples: Examples) -> tuple[AnyArray, FloatArray]:
    """Return the class of each row and its scores, from the samples of one class against the rest.

    The class of a row is the one whose sample calls it positive.
    """
    members = [examples[f"classic_class_{name}"] for name in _NAMES]
    belongs = np.array([member.y_true for member in members])
    return np.array(_NAMES)[belongs.argmax(axis=0)], np.array([m.y_prob for m in members]).T


def _errors(truth: AnyArray, scores: FloatArray) -> Row:
    called = np.array(_NAMES)[scores.argmax(axis=1)]
    matrix = np.array([[np.sum((called == i) & (truth == j)) for j in _NAMES] for i in _NAMES])
    off = ~np.eye(len(matrix), dtype=bool)
    k = len(_NAMES)
    return at("§6").statement(
        "kinds of error among three classes",
        "n² − n",
        f"{off.sum()}, which hold {matrix[off].sum()} of {matrix.sum()} rows",
        holds=int(off.sum()) == k**2 - k,
        reason="Twelve rows of ours, each given to the class of its highest score.",
    )


def _one_against_rest(result: Multiclass, areas: list[float]) -> Row:
    ours = [result.curves[name].area for name in _NAMES]
    return at("§6, Eqs. 2 and 3").statement(
        "one curve for each class, all others negative",
        "n curves for n classes",
        ", ".join(f"{n}: AUC {text_of(v)}" for n, v in zip(_NAMES, ours, strict=True)),
        holds=np.allclose(ours, areas),
        reason=_OURS,
    )


def _provost_domingos(result: Multiclass, areas: list[float], truth: AnyArray) -> Row:
    shares = [float(np.mean(truth == name)) for name in _NAMES]
    return at("§6, Eq. 4").formula(
        "Provost & Domingos",
        "Σ AUC(c_i)·p(c_i)",
        float(np.dot(areas, shares)),
        result.provost_domingos,
        _OURS,
    )


def _hand_till(result: Multiclass, truth: AnyArray, scores: FloatArray) -> Row:
    ordered = list(permutations(range(len(_NAMES)), 2))
    total = sum(_pair_area(truth, scores, i, j) for i, j in ordered)
    literal = 2 * total / len(ordered)
    return at("§6, Eq. 5").formula(
        "Hand & Till",
        "2 / (|C|(|C| − 1)) · Σ AUC(c_i, c_j) over (c_i, c_j) ∈ C",
        literal,
        result.hand_till,
        f"A slip: over all pairs (c_i, c_j) the printed sum gives {text_of(literal)}, more than "
        "an area can be. Each pair counts once, i < j, with the mean of A(i|j) and A(j|i).",
    )


def _pair_area(truth: AnyArray, scores: FloatArray, i: int, j: int) -> float:
    """Return A(i|j): how often a row of class i has a higher score for i than a row of class j."""
    own, other = scores[truth == _NAMES[i], i], scores[truth == _NAMES[j], i]
    difference = own[:, None] - other
    return float(np.mean((difference > 0) + (difference == 0) / 2))


def _without_shares(result: Multiclass, truth: AnyArray, scores: FloatArray) -> Row:
    twice = np.concatenate((np.arange(len(truth)), np.flatnonzero(truth == _NAMES[-1])))
    other = multiclass(truth[twice], scores[twice], labels=_NAMES)
    return at("§6, Eq. 5").statement(
        f"Hand & Till ignores the shares of the classes: class {_NAMES[-1]} taken twice",
        "does not depend on the class distribution",
        f"{text_of(result.hand_till)} → {text_of(other.hand_till)}; Eq. 4: "
        f"{text_of(result.provost_domingos)} → {text_of(other.provost_domingos)}",
        holds=bool(np.isclose(result.hand_till, other.hand_till)),
        reason=_OURS,
    )
