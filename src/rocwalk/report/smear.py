"""The section on smeared curves: from the bare walk to the diagonal as scores become segments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwalk.report.evidence import Content, Embedded, Material
from rocwalk.report.numbers import rate
from rocwalk.smear.widths import WidthMatch, width_text
from rocwalk.tally.walk import refuse_buckets

_POSITIONS = 120


_MIDDLE = 2.0  # small widths are spread as their cube roots, widths far beyond this are crowded


_SURE = 1e-8  # so that all digits that are shown are sure


def smear_scores(material: Material) -> Content | None:
    """The curves of smeared scores with Area(d), of the models whose scores are probabilities."""
    found = [(k, one.match) for k, one in enumerate(material.summaries)]
    for k in material.probabilities:
        refuse_buckets(material.tallies[k], "Smearing")
    whole = [(k, one) for k, one in found if one is not None]
    if not whole:
        return None
    return Content(
        {
            "models": [(k, material.names[k]) for k, _ in whole],
            "rows": [_row(material.names[k], one) for k, one in whole],
            "others": [material.names[k] for k, one in found if one is None],
            "exactness": _exactness([material.models[k] for k, _ in whole]),
        },
        {
            "description": "ROC curve of the smeared scores",
            "description_of_areas": "Area under the smeared curve by width",
            "models": {str(k): _positions(one) for k, one in whole},
        },
    )


def _positions(one: WidthMatch) -> dict[str, Any]:
    """Return the positions of the slider with their areas, and what is said of the model."""
    ends = {end for pair in one.widths for end in pair}
    widths = np.array(sorted({*_grid(), *ends, one.nearest_width}))
    return {
        "widths": _or_none(widths.tolist()),  # None: without limit
        "areas": one.areas(widths, within=_SURE).tolist(),
        "matched": [_or_none(list(pair)) for pair in one.widths],
        "start": int(np.searchsorted(widths, one.nearest_width)),
        "auc": one.auc,
        "target": one.target,
        "words": _words(one),
    }


def _grid() -> list[float]:
    """Return widths from none to infinite, in three digits: what is shown is what is used.

    >>> _grid()[0], _grid()[60], _grid()[-2:]
    (0.0, 0.286, [78.7, inf])
    """
    cube = (np.arange(_POSITIONS) / _POSITIONS) ** 3
    return [*(float(f"{d:.3g}") for d in _MIDDLE * cube / (1 - cube)), math.inf]


def _or_none(widths: list[float]) -> list[float | None]:
    return [width if math.isfinite(width) else None for width in widths]


def _words(one: WidthMatch) -> str:
    """Say what the width is and what it means; or that there is none."""
    if one.exists:
        return one.sentence
    return f"{one.sentence} The curve of this nearest width is drawn at first."


def _row(name: str, one: WidthMatch) -> list[str]:
    widths = "; ".join(_width(*pair) for pair in one.widths)
    nearest = f"none, the nearest is {width_text(one.nearest_width)}"
    return [name, rate(one.auc), rate(one.target), widths or nearest]


def _width(low: float, high: float) -> str:
    """Write a width, or a stretch of them.

    >>> _width(1.66094, 1.66094), _width(0.0, float("inf"))
    ('1.661', '0 to ∞')
    """
    ends = [width_text(end) for end in (low, high)]
    return ends[0] if low == high else " to ".join(ends)


def _exactness(models: list[Embedded]) -> str | None:
    """Say what is not exact where the page carries buckets of scores."""
    if not any(one.tally.is_bucketed for one in models):
        return None
    return (
        "Areas and widths are exact. The drawn curve of a model of very many scores is not: it "
        "puts neighbouring scores of a class together at their mean."
    )
