"""§2: struggle ratio, sensibility and capability, and what always holds of them."""

from __future__ import annotations

import numpy as np

from rocwalk.datasets.papers import PaperExample
from rocwalk.drift.sensibility import Sensibility
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.sensibility.place import (
    TABLE,
    THRESHOLD,
    analysis_of,
    at,
    errors_of,
    sensible_items,
    words,
)


def rows(examples: Examples) -> list[Row]:
    """Return the three numbers of Table 1, their curves and their laws."""
    example = examples[TABLE]
    found = analysis_of(example)
    return [
        *_struggle(example, found),
        *_at_threshold(example, found),
        *_curves(example, found),
        *_laws(example, found),
    ]


def _struggle(example: PaperExample, found: Sensibility) -> list[Row]:
    here, chosen = at("§2, Table 1"), len(sensible_items(example, found.midpoint))
    return [
        here.formula(
            "struggle ratio, counted",
            "non-sensible / sensible = 2 / 8",
            (len(example.y_true) - chosen) / chosen,
            found.struggle_ratio,
        ),
        here.number("struggle ratio", "0.25", found.struggle_ratio),
    ]


def _at_threshold(example: PaperExample, found: Sensibility) -> list[Row]:
    here, point = at("§2, Table 1"), found.at(THRESHOLD)
    chosen, wrong = sensible_items(example, found.midpoint), errors_of(example, THRESHOLD)
    missed = [i for i in wrong if i in chosen]
    failed = [i for i in wrong if i not in chosen]
    right, others = len(chosen) - len(missed), len(example.y_true) - len(chosen)
    return [
        here.formula(
            f"sensibility at {THRESHOLD}, counted",
            "7 of 8 sensible examples",
            right / len(chosen),
            point.sensibility,
        ),
        here.number(f"sensibility at {THRESHOLD}, %", "87.5", 100 * point.sensibility),
        here.statement(
            "the sensible example that is classified incorrectly",
            "6",
            f"item {words(missed)}",
            holds=missed == [6],
        ),
        here.formula(
            f"capability at {THRESHOLD}, counted",
            "1 of 2 non-sensible examples",
            (others - len(failed)) / others,
            point.capability,
        ),
        here.number(f"capability at {THRESHOLD}, %", "50", 100 * point.capability),
        here.statement(
            "the non-sensible example that is classified incorrectly",
            "3",
            f"item {words(failed)}",
            holds=failed == [3],
        ),
    ]


def _curves(example: PaperExample, found: Sensibility) -> list[Row]:
    here = at("§2, all thresholds")
    different = [len(np.unique(values)) for values in (found.sensibility, found.capability)]
    drawn = "The text says that they are generated; the numbers for Table 1 are ours."
    return [
        here.statement(
            "what depends on the threshold",
            "one midpoint and one struggle ratio; sensibility and capability vary",
            f"t_s {text_of(found.midpoint)}, struggle ratio {text_of(found.struggle_ratio)}; "
            f"{different[0]} and {different[1]} values over {len(found.thresholds)} thresholds",
            holds=min(different) > 1,
        ),
        here.statement(
            "thresholds",
            "all, as for an ROC curve",
            tuple(found.thresholds[1:].tolist()),
            holds=np.array_equal(found.thresholds, curve_of(example).thresholds),
            reason="Those of the ROC curve, after ∞; between two of them nothing changes.",
        ),
        here.unprinted("sensibility at each, from ∞", tuple(found.sensibility.tolist()), drawn),
        here.unprinted("capability at each, from ∞", tuple(found.capability.tolist()), drawn),
    ]


def _laws(example: PaperExample, found: Sensibility) -> list[Row]:
    here, middle, curve = at("§2, laws"), found.at(found.midpoint), curve_of(example)
    point, accuracy = found.at(THRESHOLD), curve.at(THRESHOLD).accuracy
    sensible, other = found.split.sensible, found.split.other
    mixed = (sensible * point.sensibility + other * point.capability) / (sensible + other)
    return [
        here.unprinted(
            "sensibility and capability at the midpoint",
            f"{text_of(middle.sensibility)} and {text_of(middle.capability)}, at "
            f"{text_of(found.midpoint)}",
            "Always 1 and 0: the midpoint decides every sensible item rightly and no other.",
        ),
        here.unprinted(
            "accuracy at the midpoint",
            curve.at(found.midpoint).accuracy,
            "Always 1 / (1 + struggle ratio), here "
            f"{text_of(1 / (1 + found.struggle_ratio))}: the struggle ratio says no more than the "
            "accuracy at t_s.",
        ),
        here.unprinted(
            f"accuracy at {THRESHOLD}",
            accuracy,
            "Always the mean of sensibility and capability, weighted by the numbers of items; here "
            f"{text_of(mixed)}.",
        ),
    ]
