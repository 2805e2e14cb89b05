"""§2: the confusion matrix (Figura 1) and the metrics (Eq. 1), at a threshold of Tabela 1."""

from __future__ import annotations

from rocwalk.curves.operating_points import Confusion, OperatingPoint
from rocwalk.papers.classic.place import at
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, text_of

THRESHOLD = 0.54


def rows(examples: Examples) -> list[Row]:
    """Return Figura 1 and Eq. 1; the cells behind the formulas are counted row by row."""
    example = examples["classic_table_1"]
    called = [score >= THRESHOLD for score in example.y_prob]
    pairs = list(zip(called, map(bool, example.y_true), strict=True))
    counted = Confusion(
        true_positives=pairs.count((True, True)),
        false_positives=pairs.count((True, False)),
        false_negatives=pairs.count((False, True)),
        true_negatives=pairs.count((False, False)),
    )
    point = curve_of(example).at(THRESHOLD)
    return [_matrix(counted, point.confusion), *_metrics(counted, point)]


def _matrix(counted: Confusion, ours: Confusion) -> Row:
    tp, fp, fn, tn = (text_of(cell) for cell in _cells(ours))
    return at("§2, Figura 1").statement(
        f"confusion matrix, Tabela 1 at {THRESHOLD}",
        "TP FP / FN TN, totals P N",
        f"{tp} {fp} / {fn} {tn}, totals {text_of(_p(ours))} {text_of(_n(ours))}",
        holds=_cells(ours) == _cells(counted),
        reason="Rows are the predicted class here; to_array() has scikit-learn's layout.",
    )


def _metrics(counted: Confusion, point: OperatingPoint) -> list[Row]:
    tp, fp, _, tn = _cells(counted)
    p, n = _p(counted), _n(counted)
    here = at("§2, Eq. 1")
    recall, precision = tp / p, tp / (tp + fp)
    return [
        here.formula(_at("tp rate"), "TP / P", tp / p, point.tpr),
        here.formula(_at("fp rate"), "FP / N", fp / n, point.fpr),
        here.formula(_at("precision"), "TP / (TP + FP)", precision, point.precision),
        here.formula(_at("recall"), "tp rate = TP / P", recall, point.recall),
        here.formula(_at("accuracy"), "(TP + TN) / (P + N)", (tp + tn) / (p + n), point.accuracy),
        _f_measure(precision, recall, point.f_measure),
    ]


def _f_measure(precision: float, recall: float, ours: float) -> Row:
    printed = 2 * (precision + recall) / (precision + recall + 1)
    return at("§2, Eq. 1").formula(
        _at("F measure"),
        "2(precision + recall) / (precision + recall + 1)",
        printed,
        ours,
        f"A slip: F is 2·precision·recall / (precision + recall) and never exceeds 1. The printed "
        f"form gives {text_of(printed)} here.",
    )


def _at(what: str) -> str:
    return f"{what}, Tabela 1 at {THRESHOLD}"


def _cells(matrix: Confusion) -> tuple[float, float, float, float]:
    return (
        matrix.true_positives,
        matrix.false_positives,
        matrix.false_negatives,
        matrix.true_negatives,
    )


def _p(matrix: Confusion) -> float:
    return matrix.true_positives + matrix.false_negatives


def _n(matrix: Confusion) -> float:
    return matrix.false_positives + matrix.true_negatives
