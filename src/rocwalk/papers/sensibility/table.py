"""§2: Table 1, item by item."""

from __future__ import annotations

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.sensibility.place import (
    PRINTED_MIDPOINT,
    TABLE,
    THRESHOLD,
    analysis_of,
    at,
    numbered,
    sensible_items,
    tally_of,
    words,
)

_LABELS = "⁺ ⁺ ⁻ ⁺ ⁺ ⁻ ⁺ ⁻ ⁻ ⁻"
_SCORES = "1.0 0.9 0.8 0.7 0.6 0.5 0.4 0.3 0.2 0.0"
_PREDICTIONS = "⁺ ⁺ ⁺ ⁺ ⁺ ⁺ ⁺ ⁻ ⁻ ⁻"
_SENSIBLE = "yes yes no yes yes yes no yes yes yes"


def rows(examples: Examples) -> list[Row]:
    """Return the columns of the table, its midpoint, and the two sets."""
    example = examples[TABLE]
    return [*_columns(example), *_midpoint(example), *_sets(example)]


def _columns(example: PaperExample) -> list[Row]:
    here, ours, items = at("§2, Table 1"), tally_of(example), numbered(example)
    labels = " ".join("⁺" if up else "⁻" for up in ours.up)
    scores = tuple(ours.scores.tolist())
    predicted = " ".join("⁺" if score >= THRESHOLD else "⁻" for _, _, score in items)
    chosen = sensible_items(example, analysis_of(example).midpoint)
    sensible = " ".join("yes" if i in chosen else "no" for i, _, _ in items)
    return [
        here.number("examples", "10", len(items)),
        here.statement("labels: the steps of the walk", _LABELS, labels, holds=labels == _LABELS),
        here.statement(
            "scores: the thresholds of the walk",
            _SCORES,
            scores,
            holds=scores == tuple(map(float, _SCORES.split())),
        ),
        here.statement(
            f"predictions at the threshold {THRESHOLD}",
            _PREDICTIONS,
            predicted,
            holds=predicted == _PREDICTIONS,
        ),
        here.statement("sensible?", _SENSIBLE, sensible, holds=sensible == _SENSIBLE),
    ]


def _midpoint(example: PaperExample) -> list[Row]:
    here, found = at("§2, Table 1"), analysis_of(example)
    as_printed, ours = (
        sensible_items(example, middle) for middle in (PRINTED_MIDPOINT, found.midpoint)
    )
    below = max((s for s in example.y_prob if s < found.midpoint), default=0.0)
    above = min((s for s in example.y_prob if s >= found.midpoint), default=1.0)
    return [
        here.number(
            "midpoint t_s",
            f"{PRINTED_MIDPOINT}",
            found.midpoint,
            "Both forms of Eq. 1 give this: ten scores that add up to "
            f"{text_of(sum(example.y_prob))} over twice the number of positives.",
        ),
        here.statement(
            "items that are sensible at 0.56, and those at our t_s",
            "1 2 4 5 6 8 9 10",
            f"{words(as_printed)}; at {text_of(found.midpoint)} "
            f"{'the same' if as_printed == ours else words(ours)}",
            holds=words(as_printed) == words(ours) == "1 2 4 5 6 8 9 10",
            reason=f"Any midpoint above {text_of(below)}, up to {text_of(above)}, parts them so.",
        ),
    ]


def _sets(example: PaperExample) -> list[Row]:
    here, found = at("§2, Table 1"), analysis_of(example)
    chosen, items = sensible_items(example, found.midpoint), numbered(example)
    sets = [
        ("positives above the midpoint", "1 2 4 5", 1, True),
        ("negatives below the midpoint", "6 8 9 10", 0, True),
        ("positives below the midpoint: not sensible", "7", 1, False),
        ("negatives above the midpoint: not sensible", "3", 0, False),
    ]
    found_sets = [
        words([i for i, label, _ in items if label == side and (i in chosen) is sensible])
        for _, _, side, sensible in sets
    ]
    counts = tuple(map(float, (found.split.sensible, found.split.other)))
    return [
        *(
            here.statement(what, printed, f"item {ours}", holds=ours == printed)
            for (what, printed, _, _), ours in zip(sets, found_sets, strict=True)
        ),
        here.number(
            "sensible examples, and the others",
            "8 2",
            counts,
            "The text does not say where an item at the midpoint itself belongs; with us it counts "
            "as above.",
        ),
    ]
