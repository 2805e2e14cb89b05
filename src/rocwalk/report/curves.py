"""The sections that follow the models: curves, thresholds, costs, precision, distributions."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any

import numpy as np

from rocwalk.curves.bands import Edges
from rocwalk.curves.precision import precision_walk
from rocwalk.report.evidence import (
    MAX_ROWS,
    Content,
    Embedded,
    Material,
    band_rows,
    replicates_on,
    ribbon,
)
from rocwalk.report.numbers import level_words, rate, with_ends
from rocwalk.tally.tally import Tally

_BINS = 40


_MOST_HULLS = 3  # more hulls or ribbons than this hide the curves; boxes show them


_RATES = (
    ("tpr", "Sensitivity", "true positive rate, recall"),
    ("specificity", "Specificity", "1 − false positive rate"),
    ("fpr", "False positive rate", "false alarms among negatives"),
    ("accuracy", "Accuracy", "right decisions in these data"),
    ("f_measure", "F measure", "of precision and recall"),
    ("youden", "TPR − FPR", "Youden’s index"),
)


_VALUES = (
    ("precision", "Positive predictive value", "of those called positive"),
    ("negative_predictive_value", "Negative predictive value", "of those called negative"),
)


def draw_roc(material: Material) -> Content | None:
    """The curves of all models with their bands and hulls."""
    if not material.models:
        return None
    named = ", ".join(f"{one.name} {rate(one.area)}" for one in material.models)
    return Content(
        {
            "exactness": _exactness(material.models),
            "few": len(material.models) <= _MOST_HULLS,
            "bands": _band_words(material),
            "bare": [
                f"{name} has no band: {band}"
                for name, band in zip(material.names, material.bands, strict=True)
                if isinstance(band, str)
            ],
        },
        {
            "description": f"ROC curves; areas: {named}",
            "areas": [
                with_ends(one.area, ends["auc_low"], ends["auc_high"])
                for one, ends in zip(material.models, material.intervals, strict=True)
            ],
            "bands": [
                None if isinstance(band, str) else _carried(one, band)
                for one, band in zip(material.models, material.bands, strict=True)
            ],
        },
    )


def _carried(one: Embedded, band: Edges) -> dict[str, Any]:
    return ribbon(band.lower, band.upper) | {"rows": band_rows(one.exact, band.lower, band.upper)}


def _band_words(material: Material) -> str | None:
    """Say what the ribbons mean and how they were found."""
    study, drawn = material.study, zip(material.bands, material.tallies, strict=True)
    counts = [replicates_on(study, tally) for band, tally in drawn if isinstance(band, Edges)]
    if not counts:
        return None
    level = level_words(material.level)
    units = "items" if study.question.cluster is None else "clusters"
    return (
        f"The ribbons are simultaneous {level} bands: with this confidence the whole true curve "
        f"of a model lies inside its ribbon. A curve is slid to either side until {level} of "
        f"{min(counts):,} curves of resampled {units} lie inside, and a little further where "
        f"{units} are few (fixed width, seed {material.seed}). Ribbons that overlap do not show "
        "that models are alike."
    )


def _exactness(models: list[Embedded]) -> str:
    """Say which numbers are exact, and what the drawn line hides."""
    hidden = max(one.area_hidden for one in models)
    if all(len(one.walk) == len(one.exact) for one in models):
        return "Exact: every point of every curve is in this page."
    points = max(len(one.exact) for one in models)
    return (
        f"The curves have up to {points:,} points; this page carries at most {MAX_ROWS + 1:,} of "
        "each, with the corners of the hulls. Counts, rates, thresholds and areas are exact; "
        f"only the drawn lines are not, and they hide an area of at most {_upper(hidden)}."
    )


def _upper(bound: float) -> str:
    """Write a bound in two digits, rounded up.

    >>> _upper(9.61e-05)
    '0.000097'
    """
    return f"{Context(prec=2, rounding=ROUND_CEILING).create_decimal(Decimal(bound)):f}"


def set_threshold(material: Material) -> Content | None:
    """A threshold and all that follows from it."""
    if not material.models:
        return None
    return Content(
        {"names": material.names, "rates": _RATES, "values": _VALUES},
        {
            "description": "ROC curve with the point of the threshold",
            "start": [_youden_index(one) for one in material.models],
        },
    )


def _youden_index(one: Embedded) -> int:
    return int(one.hull[np.argmax((one.walk.tpr - one.walk.fpr)[one.hull])])


def weigh_costs(material: Material) -> Content | None:
    """The best thresholds for costs and a prevalence."""
    if not material.models:
        return None
    regret = max(one.regret for one in material.models)
    words = None
    if regret:
        words = (
            "A hull here has more corners than the page can carry. The numbers of the rules shown "
            f"are exact; a rule that is better by at most {_upper(regret)} × cost of a miss × "
            "prevalence may lie between them."
        )
    return Content({"regret": words}, {"description": "Hulls with the line of equal cost"})


def draw_precision(material: Material) -> Content | None:
    """Precision against recall."""
    if not material.models:
        return None
    areas = [rate(precision_walk(one.exact).average_precision) for one in material.models]
    return Content({}, {"description": "Precision against recall", "average_precision": areas})


def spread_scores(material: Material) -> Content | None:
    """The scores of the two classes, in equal bins."""
    if not material.models:
        return None
    models = [_histogram(tally) for tally in material.tallies]
    far = [n for n, one in zip(material.names, models, strict=True) if one is None]
    return Content({"far": far}, {"description": "share of each class by score", "models": models})


def _histogram(tally: Tally) -> dict[str, list[float]] | None:
    """Return the shares of each class in bins; None if the scores lie too far apart to draw."""
    low, high = float(tally.scores[-1]), float(tally.highest[0])
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low == high:
        pad = max(1.0, abs(low) / 100)
        low, high = low - pad, high + pad
    if not math.isfinite(high - low):
        return None
    edges = np.linspace(low, high, _BINS + 1)
    columns: dict[str, Any] = {"up": tally.up, "right": tally.right}
    shares = {
        name: np.histogram(tally.scores, edges, weights=mass / mass.sum())[0].tolist()
        for name, mass in columns.items()
    }
    return {"edges": edges.tolist(), **shares}
