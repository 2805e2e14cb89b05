"""§1: classification, ranking and estimation are three tasks, each with a measure of its own."""

from __future__ import annotations

from rocwalk.metrics.probabilities import scored_auc_score
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.soft.place import THRESHOLD, at, models


def rows(examples: Examples) -> list[Row]:
    """Return the three measures on Table 1, and the scored AUC that the text refers to."""
    curves = {model: curve_of(example) for model, example in models(examples).items()}
    accuracy = {model: curve.at(THRESHOLD).accuracy for model, curve in curves.items()}
    brier = {model: curve.brier_curve().area for model, curve in curves.items()}
    area = {model: curve.area for model, curve in curves.items()}
    return [
        at("§1, both models").statement(
            f"accuracy at {THRESHOLD}, AUC and Brier score of Table 1",
            "measure different things",
            "; ".join(
                f"{model} {text_of((accuracy[model], area[model], brier[model]))}"
                for model in curves
            ),
            holds=_same(area) and not _same(accuracy) and not _same(brier),
        ),
        at("§1, both models").statement(
            "better estimates do not imply a better ranking",
            "not implied",
            f"Brier score {text_of(tuple(brier.values()))}, AUC {text_of(tuple(area.values()))}",
            holds=brier["C2"] < brier["C1"] and area["C2"] <= area["C1"],
        ),
        *(
            at(f"§1, {model}").unprinted(
                "scored AUC, the mean of (sᵢ − sⱼ) over pairs in order",
                scored_auc_score(example.y_true, example.y_prob),
                "The text names it as another measure that joins ranks and margins.",
            )
            for model, example in models(examples).items()
        ),
    ]


def _same(numbers: dict[str, float]) -> bool:
    return len(set(numbers.values())) == 1
