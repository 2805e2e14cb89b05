"""§4.2, first method: steps both ways without a look at the labels."""

from __future__ import annotations

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.soft.place import at, curve_by, models

_METHOD = "§4.2, first method"


def rows(examples: Examples) -> list[Row]:
    """Return the normalisation, what it leaves out, and the bound that it is said to be."""
    found = [row for model, example in models(examples).items() for row in _model(model, example)]
    return [*found, _bound_of_both(examples["soft_bound"])]


def _model(model: str, example: PaperExample) -> list[Row]:
    here, curve, n = at(f"{_METHOD}, {model}"), curve_by("blind", example), len(example.y_prob)
    m = sum(example.y_prob) / n
    swapped = PaperExample(tuple(1 - y for y in example.y_true), example.y_prob, example.source)
    other, auc = curve_by("blind", swapped).area, curve_of(example).area
    return [
        here.formula("vertical normalisation", "1 / (m n)", 1 / (m * n), 1 / curve.walk.up[-1]),
        here.formula(
            "horizontal normalisation",
            "1 / ((1 − m) n)",
            1 / ((1 - m) * n),
            1 / curve.walk.right[-1],
        ),
        here.statement(
            "the labels play no part",
            "excluded",
            f"area {text_of(curve.area)}, with all labels swapped {text_of(other)}",
            holds=curve.area == other,
        ),
        here.statement(
            "area, as a bound on the AUC",
            "some form of an upper bound on performance",
            curve.area,
            holds=curve.area >= auc,
            reason=f"Not one: the AUC of the same scores is {text_of(auc)}. With the labels left "
            "out, the curve says how far apart the scores lie, and nothing about who is right.",
        ),
    ]


def _bound_of_both(example: PaperExample) -> Row:
    blind, both = curve_by("blind", example).area, curve_by("both", example).area
    return at(f"{_METHOD}, our sample").statement(
        "area of 0.9⁺ 0.6⁻, as a bound on the second method's",
        "some form of an upper bound on performance",
        f"{text_of(blind)}, and by the second method {text_of(both)}",
        holds=blind >= both,
        reason="On Table 1 it lies above the second method's curve, on this sample of ours below.",
    )
