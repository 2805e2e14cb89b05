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
        widths = "; ".join(
            width_text(low) if low == high else f"{width_text(low)} to {width_text(high)}"
            for low, high in one.widths
        )
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
    cube = (np.arange(_POSITIONS) / _POSITIONS) ** 3
    # in three digits: the widths that are shown are those that are used
    grid = [float(f"{width:.3g}") for width in _MIDDLE * cube / (1 - cube)]
    ends = {end for pair in one.widths for end in pair}
    widths = np.array(sorted({*grid, math.inf, *ends, one.nearest_width}))
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


def _or_none(widths: list[float]) -> list[float | None]:
    return [width if math.isfinite(width) else None for width in widths]
