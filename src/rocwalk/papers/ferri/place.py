"""Places in Ferri's paper, and what its sections are computed with."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import class_scores
from rocwalk.papers.row import Place, Value, text_of
from rocwalk.smear.areas import smeared_area
from rocwalk.smear.curves import SmearedCurve, smeared_roc
from rocwalk.smear.widths import WidthMatch, matched_width

NAME = "Ferri"
# §2.3 has σ = d/2; the printed normal widths agree better with that of the segment
SD_OF_SEGMENT = 12**-0.5


def at(place: str) -> Place:
    """Return a place in this paper."""
    return Place(NAME, place)


def area_at(example: PaperExample, width: float, **kernel: Any) -> float:
    """Return Area(d) of an example."""
    return float(smeared_area(example.y_true, example.y_prob, width=width, **kernel))


@lru_cache(maxsize=64)
def match_of(example: PaperExample, **kernel: Any) -> WidthMatch:
    """Return the widths at which the area of an example is its probabilistic AUC.

    Many rows ask for the same ones.
    """
    return matched_width(example.y_true, example.y_prob, **kernel)


def matched_curve(example: PaperExample, **kernel: Any) -> SmearedCurve:
    """Return the smeared curve of the matched width, or of the nearest where none matches."""
    width = match_of(example, **kernel).nearest_width
    return smeared_roc(example.y_true, example.y_prob, width=width, **kernel)


def width_of(match: WidthMatch) -> Value:
    """Return the smallest width that matches, or say that there is none."""
    return "none" if match.width is None else match.width


def pairs_of(example: PaperExample) -> list[tuple[float, float]]:
    """Return every positive score with every negative one."""
    positive, negative = class_scores(example)
    return [(x, y) for x in positive for y in negative]


def signed_text(example: PaperExample) -> str:
    """Write a sample as the paper does.

    >>> signed_text(PaperExample((1, 0), (0.9, 0.1), "mine"))
    '0.9⁺ 0.1⁻'
    """
    pairs = zip(example.y_true, example.y_prob, strict=True)
    return " ".join(f"{text_of(score)}{'⁺' if label == 1 else '⁻'}" for label, score in pairs)
