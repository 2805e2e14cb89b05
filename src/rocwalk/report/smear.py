"""The section on smeared curves: from the bare walk to the diagonal as scores become segments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import rate
from rocwalk.smear.widths import WidthMatch, width_text
from rocwalk.tally.walk import refuse_buckets

_POSITIONS = 120
_MIDDLE = 2.0  # small widths are spread as their cube roots, widths far beyond this are crowded
_SURE = 1e-8  # so that all digits that are shown are sure


def smear_section(findings: Findings) -> Content | None:
    """The curves of smeared scores with Area(d), of the models whose scores are probabilities."""
    for k in findings.probabilities:
        refuse_buckets(findings.tallies[k], "Smearing")
    matches = [one.match for one in findings.summaries]
    found = [(k, one) for k, one in enumerate(matches) if one is not None]
    if not found:
        return None
    rows = []
    for k, one in found:
        widths = "; ".join(_width_words(*pair) for pair in one.widths)
        nearest = f"none, the nearest is {width_text(one.nearest_width)}"
        rows.append([findings.names[k], rate(one.auc), rate(one.target), widths or nearest])
    exactness = None
    if any(findings.models[k].tally.is_bucketed for k, _ in found):
        exactness = (
            "Areas and widths are exact. The drawn curve of a model of very many scores is not: it "
            "puts neighbouring scores of a class together at their mean."
        )
    return Content(
        {
            "models": [(k, findings.names[k]) for k, _ in found],
            "rows": rows,
            "others": [findings.names[k] for k, one in enumerate(matches) if one is None],
            "exactness": exactness,
        },
        {
            "description": "ROC curve of the smeared scores",
            "description_of_areas": "Area under the smeared curve by width",
            "models": {str(k): _positions(one) for k, one in found},
        },
    )


def _positions(one: WidthMatch) -> dict[str, Any]:
    """Return the positions of the slider with their areas, and what is said of the model."""
    ends = {end for pair in one.widths for end in pair}
    widths = np.array(sorted({*_grid(), *ends, one.nearest_width}))
    words = one.sentence
    if not one.exists:
        words += " The curve of this nearest width is drawn at first."
    return {
        "widths": _or_none(widths.tolist()),  # None: without limit
        "areas": one.areas(widths, within=_SURE).tolist(),
        "matched": [_or_none(list(pair)) for pair in one.widths],
        "start": int(np.searchsorted(widths, one.nearest_width)),
        "auc": one.auc,
        "target": one.target,
        "words": words,
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


def _width_words(low: float, high: float) -> str:
    """Write a width, or a stretch of them.

    >>> _width_words(1.66094, 1.66094), _width_words(0.0, float("inf"))
    ('1.661', '0 to ∞')
    """
    ends = [width_text(end) for end in (low, high)]
    return ends[0] if low == high else " to ".join(ends)
