"""§7: classifiers combined to reach a performance that neither has."""

from __future__ import annotations

from rocwalk.curves.mixing import mix
from rocwalk.papers.classic.area import OUR_CURVES, curves_a_and_b
from rocwalk.papers.classic.place import at
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, text_of

RATE = 0.5


def rows(examples: Examples) -> list[Row]:
    """Return what interpolation between A and B reaches."""
    a, b = curves_a_and_b(examples)
    mixed = mix({"A": a, "B": b}, fpr=RATE)
    alone = a.at(fpr=RATE).tpr, b.at(fpr=RATE).tpr
    return [
        at("§7").statement(
            f"combining classifiers: tp rate at fp rate {RATE}",
            "may reach what neither does alone",
            f"A {text_of(alone[0])}, B {text_of(alone[1])}, mixed {text_of(mixed.tpr)}",
            holds=mixed.tpr > max(alone),
            reason=OUR_CURVES,
        )
    ]
