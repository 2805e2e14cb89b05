"""Background: the confusion matrix (Table I) and Eqs. 1 to 3, on the rows of Figure 1."""

from __future__ import annotations

from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.truth.place import HARD, at

THRESHOLD = 0.5


def rows(examples: Examples) -> list[Row]:
    """Return Table I and the three rates; the cells of the formulas are counted row by row."""
    example = examples[HARD]
    pairs = [(s >= THRESHOLD, y == 1) for y, s in zip(example.y_true, example.y_prob, strict=True)]
    tp, fp = pairs.count((True, True)), pairs.count((True, False))
    fn, tn = pairs.count((False, True)), pairs.count((False, False))
    point = curve_of(example).at(THRESHOLD)
    cells, where = point.confusion, f"Figure 1 at {THRESHOLD}"
    ours = cells.true_positives, cells.false_positives, cells.false_negatives, cells.true_negatives
    return [
        at("Background, Table I").statement(
            f"confusion matrix, {where}",
            "TP FP / FN TN",
            f"{text_of(ours[:2])} / {text_of(ours[2:])}",
            holds=ours == (tp, fp, fn, tn),
            reason="The paper names no threshold. It predicts 1 above the threshold, we also at "
            "it; no score lies there.",
        ),
        at("Background, Eq. 1").formula(
            f"accuracy, {where}",
            "(TP + TN) / (TP + FN + FP + TN)",
            (tp + tn) / (tp + fn + fp + tn),
            point.accuracy,
        ),
        at("Background, Eq. 2").formula(
            f"true positive rate, {where}", "TP / (TP + FN)", tp / (tp + fn), point.tpr
        ),
        at("Background, Eq. 2").formula(
            f"sensitivity, {where}", "the true positive rate", tp / (tp + fn), point.recall
        ),
        at("Background, Eq. 3").formula(
            f"false positive rate, {where}", "FP / (TN + FP)", fp / (tn + fp), point.fpr
        ),
        at("Background, Eq. 3").formula(
            f"false positive rate from specificity, {where}",
            "1 − specificity",
            1 - tn / (tn + fp),
            1 - point.specificity,
        ),
    ]
