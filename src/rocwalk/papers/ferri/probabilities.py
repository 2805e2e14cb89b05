"""§2: the probabilistic Gini and AUC, by their formulas and on the two examples in the text."""

from __future__ import annotations

from rocwalk.datasets.papers import PaperExample
from rocwalk.metrics.probabilities import probabilistic_auc_score, probabilistic_gini_score
from rocwalk.papers.examples import Examples, class_means, curve_of
from rocwalk.papers.ferri.place import at
from rocwalk.papers.row import Row, text_of

_SLOPE = 2.0  # stands for any above 1
_THRESHOLDS = (0.99, 0.55)


def rows(examples: Examples) -> list[Row]:
    """Return the definitions, the two examples and the remark on Figure 2."""
    return [
        *_definitions(examples),
        *_example("first", examples["ferri_auc_above"], "0.65⁺ 0.55⁻ 0.45⁻ 0.35⁻", ("1", "0.6")),
        *_example("second", examples["ferri_auc_below"], "1⁺ 0.1⁻ 0⁺", ("0.5", "0.7")),
        _remark(examples),
    ]


def _definitions(examples: Examples) -> list[Row]:
    here, example = at("§2, definitions"), examples["ferri_figure_1"]
    (of_positives, of_negatives), data = class_means(example), (example.y_true, example.y_prob)
    gini, ours = probabilistic_gini_score(*data), probabilistic_auc_score(*data)
    printed = of_positives - of_negatives + 1
    return [
        here.formula("pGINI of Figure 1", "m⁺ − m⁻", of_positives - of_negatives, gini),
        here.formula(
            "pAUC of Figure 1",
            "m⁺ − m⁻ + 1 = m⁺ + (1 − m⁻)",
            printed,
            ours,
            f"The ½ is missing: this gives {text_of(printed)}, and up to 2. The text before it "
            "adds 1 and divides by 2, and §2.1 has the ½.",
        ),
        here.formula(
            "pAUC of Figure 1, in words",
            "the mean of m⁺ and of the mean of 1 − score over the negatives",
            (of_positives + (1 - of_negatives)) / 2,
            ours,
        ),
    ]


def _example(which: str, example: PaperExample, sample: str, printed: tuple[str, str]) -> list[Row]:
    here = at(f"§2, {which} example")
    auc = curve_of(example).area
    ours = probabilistic_auc_score(example.y_true, example.y_prob)
    return [
        here.number(f"AUC of {sample}", printed[0], auc),
        here.number(f"pAUC of {sample}", printed[1], ours),
    ]


def _remark(examples: Examples) -> Row:
    curve = curve_of(examples["ferri_figure_2b"])
    points = [curve.at(threshold) for threshold in _THRESHOLDS]
    best = curve.best(slope=_SLOPE)
    low, high = best.interval
    return at("§2, on Figure 2").statement(
        "right curve, slopes above 1: thresholds 0.99 and 0.55",
        "are the same",
        f"({text_of(points[0].fpr)}, {text_of(points[0].tpr)}) and ({text_of(points[1].fpr)}, "
        f"{text_of(points[1].tpr)}); the best have {text_of(low)} < threshold ≤ {text_of(high)}",
        holds=all((p.fpr, p.tpr) == (best.fpr, best.tpr) for p in points),
        reason=f"Slope {text_of(_SLOPE)} stands for all of them.",
    )
