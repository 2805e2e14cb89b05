"""Places in the Soft paper, and what its sections are computed with."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve, roc
from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Place, Row
from rocwalk.typing import AnyArray, Steps

NAME = "Soft"
MODELS = {"C1": "soft_c1", "C2": "soft_c2"}
THRESHOLD = 0.5
DRAWN = "The figure draws it; the number is ours."

Signed = list[tuple[float, float]]


def at(place: str) -> Place:
    """Return a place in this paper."""
    return Place(NAME, place)


def models(examples: Examples) -> dict[str, PaperExample]:
    """Return both models of Table 1."""
    return {model: examples[name] for model, name in MODELS.items()}


def curve_by(steps: Steps, example: PaperExample) -> Curve:
    """Return the curve of an example by a step rule; "truth" is the ordinary one."""
    return roc(example.y_true, example.y_prob, steps=steps, threshold=THRESHOLD)


def signed_scores(example: PaperExample) -> Signed:
    """Return (label, score) of each example, the highest score first."""
    pairs = zip(example.y_true, example.y_prob, strict=True)
    return sorted(pairs, key=lambda pair: -pair[1])


def steps_of(cumulative: AnyArray) -> tuple[float, ...]:
    """Return the steps of one direction, in the order of the walk."""
    return tuple(np.diff(cumulative).tolist())


def moves_of(cumulative: AnyArray) -> tuple[float, ...]:
    """Return the steps of one direction without those that do not move."""
    return tuple(step for step in steps_of(cumulative) if step > 0)


def drawn_rows(section: str, model: str, curve: Curve) -> list[Row]:
    """Return area and points of a soft curve; Figure 2 draws those of C1."""
    here = at(f"{section}, Figure 2, C1" if model == "C1" else f"{section}, {model}")
    reason = DRAWN if model == "C1" else "Figure 2 draws C1 only."
    return [
        here.unprinted("area of the curve", curve.area, reason),
        here.unprinted("TPR of its points", tuple(curve.tpr.tolist()), reason),
        here.unprinted("FPR of its points", tuple(curve.fpr.tolist()), reason),
    ]
