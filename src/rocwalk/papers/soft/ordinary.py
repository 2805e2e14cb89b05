"""§§3 and 4: how scores decide, and the steps of the ordinary curve."""

from __future__ import annotations

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, class_scores, curve_of
from rocwalk.papers.row import Row
from rocwalk.papers.soft.place import at, models, moves_of, signed_scores


def rows(examples: Examples) -> list[Row]:
    """Return the rule for a threshold, and the sizes of the ordinary steps."""
    return [
        *(_decision(model, example) for model, example in models(examples).items()),
        *(row for model, example in models(examples).items() for row in _steps(model, example)),
    ]


def _decision(model: str, example: PaperExample) -> Row:
    curve = curve_of(example)
    cells = [curve.at(score).confusion for _, score in signed_scores(example)]
    called = tuple(cell.true_positives + cell.false_positives for cell in cells)
    return at(f"§3, {model}").statement(
        "examples called positive when the threshold is the highest score, the second, …",
        "scores higher than or equal to the threshold",
        called,
        holds=called == tuple(range(1, len(called) + 1)),
    )


def _steps(model: str, example: PaperExample) -> list[Row]:
    here, curve = at(f"§4, {model}"), curve_of(example)
    positive, negative = class_scores(example)
    return [
        here.formula(
            "vertical steps", "1 / n⁺", (1 / len(positive),) * len(positive), moves_of(curve.tpr)
        ),
        here.formula(
            "horizontal steps", "1 / n⁻", (1 / len(negative),) * len(negative), moves_of(curve.fpr)
        ),
    ]
