"""The data that rows and figures are computed from."""

from __future__ import annotations

from collections.abc import Mapping

from rocwalk.datasets.papers import PaperExample
from rocwalk.front.curve import Curve, roc

Examples = Mapping[str, PaperExample]


def curve_of(example: PaperExample) -> Curve:
    """Return the ROC curve of an example."""
    return roc(example.y_true, example.y_prob)
