"""What Castro da Silva (2006) prints, section by section, beside what rocwalk computes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations

import numpy as np

from rocwalk.curves.averages import AveragedCurve, average
from rocwalk.curves.classes import multiclass
from rocwalk.curves.misclassification import misclassification_front
from rocwalk.curves.mixing import mix
from rocwalk.curves.operating_points import OperatingPoint
from rocwalk.curves.roc import Curve, roc
from rocwalk.papers.examples import (
    Examples,
    cells_of,
    counted_cells,
    curve_of,
    lead_of,
    numbers,
    points_of,
)
from rocwalk.papers.row import DRAWN, Place, Row, point_text, text_of
from rocwalk.tally.walk import highest_tpr
from rocwalk.typing import AnyArray, FloatArray

at = partial(Place, "Classic")

THRESHOLD = 0.54  # of Figura 1 and Eq. 1, which print none
_TABLE = "classic_table_1"
_VALUES = (
    "0.9 0.8 0.7 0.6 0.55 0.54 0.53 0.52 0.51 0.505 0.4 0.39 0.38 0.37 0.36 0.35 0.34 0.33 0.30 0.1"
)
_CLASSES = "p p n p p p n n p n p n p n n n p n p n"
_OUR_CURVES = "Two samples of ours; the paper draws its curves without data."
_OUR_ROWS = "Twelve rows of ours; the paper works no example."
_NAMES = ("a", "b", "c")


def classic_rows(examples: Examples) -> list[Row]:
    """Return every row of the paper, in its order."""
    return [
        *_section_2(examples),
        *_section_3_1(examples),
        *_section_3_2(examples),
        *_section_4(examples),
        *_section_5(examples),
        *_section_6(examples),
        *_section_7_and_annexes(examples),
    ]


def curves_a_and_b(examples: Examples) -> tuple[Curve, Curve]:
    """Return the two curves that stand in for those of Figuras 4 and 5."""
    return curve_of(examples["classic_figure_4_a"]), curve_of(examples["classic_figure_4_b"])


# -- §2: the confusion matrix and the metrics ----------------------------------------------------


def _section_2(examples: Examples) -> Iterator[Row]:
    """Yield Figura 1 and Eq. 1; the cells behind the formulas are counted row by row."""
    counted = counted_cells(examples[_TABLE], THRESHOLD)
    point = curve_of(examples[_TABLE]).at(THRESHOLD)
    ours = cells_of(point.confusion)
    tp, fp, fn, tn = counted
    p, n = tp + fn, fp + tn
    precision, recall = tp / (tp + fp), tp / p
    printed_f = 2 * (precision + recall) / (precision + recall + 1)
    here, where = at("§2, Eq. 1"), f"Tabela 1 at {THRESHOLD}"
    yield at("§2, Figura 1").statement(
        f"confusion matrix, {where}",
        "TP FP / FN TN, totals P N",
        f"{text_of(ours[:2])} / {text_of(ours[2:])}, "
        f"totals {text_of((ours[0] + ours[2], ours[1] + ours[3]))}",
        holds=ours == counted,
        reason="Rows are the predicted class here; to_array() has scikit-learn's layout.",
    )
    yield here.formula(f"tp rate, {where}", "TP / P", tp / p, point.tpr)
    yield here.formula(f"fp rate, {where}", "FP / N", fp / n, point.fpr)
    yield here.formula(f"precision, {where}", "TP / (TP + FP)", precision, point.precision)
    yield here.formula(f"recall, {where}", "tp rate = TP / P", recall, point.recall)
    yield here.formula(
        f"accuracy, {where}", "(TP + TN) / (P + N)", (tp + tn) / (p + n), point.accuracy
    )
    yield here.formula(
        f"F measure, {where}",
        "2(precision + recall) / (precision + recall + 1)",
        printed_f,
        point.f_measure,
        "A slip: F is 2·precision·recall / (precision + recall) and never exceeds 1. The "
        f"printed form gives {text_of(printed_f)} here.",
    )


# -- §3.1: ROC space -----------------------------------------------------------------------------

_THRESHOLD_A, _THRESHOLD_B, _SHARE_C = 0.54, 0.4, 0.7


def classifiers(examples: Examples) -> dict[str, OperatingPoint]:
    """Return the five discrete classifiers of Figura 2 as points.

    The figure prints no data. Ours are rules on the instances of Tabela 1: A and B are thresholds,
    E decides against B throughout, D knows the class, C ignores the value and says p to a fixed
    share.
    """
    example = examples[_TABLE]
    truth, values = np.array(example.y_true), np.array(example.y_prob)
    whole = curve_of(example)
    below_b = float(np.nextafter(-_THRESHOLD_B, np.inf))  # −value ≥ this means value < threshold
    return {
        "A": whole.at(_THRESHOLD_A),
        "B": whole.at(_THRESHOLD_B),
        "C": roc(truth, np.zeros(len(truth))).at(fpr=_SHARE_C),
        "D": roc(truth, values + truth).at(1.0),
        "E": roc(truth, -values).at(below_b),
    }


def _counts_text(point: OperatingPoint) -> str:
    """Write a point with the instances that it calls p."""
    tp, fp, fn, tn = cells_of(point.confusion)
    called = f"{text_of(tp)} of {text_of(tp + fn)} p"
    wrongly = f"{text_of(fp)} of {text_of(fp + tn)} n"
    return f"{point_text(point.fpr, point.tpr)}: calls {called} and {wrongly} positive"


def _section_3_1(examples: Examples) -> Iterator[Row]:
    """Yield the corners of ROC space, and the five classifiers of Figura 2."""
    here, curve = at("§3.1"), curve_of(examples[_TABLE])
    never, always = curve.at(np.inf), curve.at(-np.inf)
    yield here.statement(
        "never saying p, Tabela 1 above all values",
        "(0, 0): no false positives, no true positives",
        _counts_text(never),
        holds=(never.fpr, never.tpr) == (0, 0),
    )
    yield here.statement(
        "always saying p, Tabela 1 below all values",
        "(1, 1)",
        _counts_text(always),
        holds=(always.fpr, always.tpr) == (1, 1),
    )

    here, (a, b, c, d, e) = at("§3.1, Figura 2"), classifiers(examples).values()
    yield here.statement(
        "D is perfect",
        "(0, 1)",
        _counts_text(d),
        holds=(d.fpr, d.tpr) == (0, 1),
        reason="The figure prints no coordinates; our D knows the class.",
    )
    yield here.statement(
        "C is random: on the diagonal",
        "tp rate = fp rate",
        _counts_text(c),
        holds=bool(np.isclose(c.tpr, c.fpr)),
        reason=f"Our C says p with probability {_SHARE_C}, whatever the value.",
    )
    yield here.statement(
        "A is more conservative than B",
        "A lies nearer to the tp rate axis",
        f"A {point_text(a.fpr, a.tpr)}, B {point_text(b.fpr, b.tpr)}",
        holds=a.fpr < b.fpr,
        reason=f"Our A: value ≥ {_THRESHOLD_A}; our B: value ≥ {_THRESHOLD_B}.",
    )
    yield here.statement(
        "E is worse than random",
        "below the diagonal",
        f"E {point_text(e.fpr, e.tpr)}: tp rate − fp rate = {text_of(e.youden)}",
        holds=e.tpr < e.fpr,
        reason=f"Our E: value < {_THRESHOLD_B}.",
    )
    yield here.statement(
        "B is E negated: negating reflects a point in (½, ½)",
        "B = E negated",
        f"E {point_text(e.fpr, e.tpr)}, negated {point_text(1 - e.fpr, 1 - e.tpr)}, "
        f"B {point_text(b.fpr, b.tpr)}",
        holds=np.allclose((1 - e.fpr, 1 - e.tpr), (b.fpr, b.tpr)),
    )


# -- §3.2: Tabela 1 and its curve ----------------------------------------------------------------


def _section_3_2(examples: Examples) -> Iterator[Row]:
    """Yield Tabela 1, read back from the walk, and the curve of Figura 3."""
    example = examples[_TABLE]
    curve = curve_of(example)
    points, thresholds = len(set(points_of(curve))), len(curve.thresholds)
    up, right = np.diff(curve.walk.up) > 0, np.diff(curve.walk.right) > 0
    slanting = int((up & right).sum())
    table, figure = at("§3.2, Tabela 1"), at("§3.2, Figura 3")
    yield at("§3.2").statement(
        "each threshold gives a point of its own",
        "a point for each threshold",
        f"{thresholds} thresholds from inf to {text_of(float(curve.thresholds[-1]))}, "
        f"{points} points",
        holds=points == thresholds,
    )
    yield table.number("instances", "20", len(example.y_true))
    yield table.column("values: the thresholds of the walk", _VALUES, numbers(curve.thresholds[1:]))
    yield table.column(
        "classes: the steps of the walk", _CLASSES, " ".join("p" if one else "n" for one in up)
    )
    yield figure.unprinted("TP after each instance", numbers(curve.walk.up[1:]), DRAWN)
    yield figure.unprinted("FP after each instance", numbers(curve.walk.right[1:]), DRAWN)
    yield figure.unprinted("area under the curve", curve.area, "The paper gives no area for it.")
    yield at("§3.2").statement(
        "a finite sample gives a step function",
        "steps, up or right",
        f"{up.sum() - slanting} up, {right.sum() - slanting} right, {slanting} slanting",
        holds=slanting == 0,
        reason="True here because no p and n share a value; those that do make a slant.",
    )


# -- §4: the area --------------------------------------------------------------------------------

_CROSSING = 0.6


def _section_4(examples: Examples) -> Iterator[Row]:
    """Yield the range of the area, and A and B of Figura 4 on two samples of ours."""
    here, example = at("§4"), examples[_TABLE]
    truth, values = np.array(example.y_true), np.array(example.y_prob)
    worst, best = roc(truth, values - truth).area, roc(truth, values + truth).area
    tied, negated = roc(truth, np.zeros(len(truth))).area, roc(truth, -values).area
    sample = f"{int(truth.sum())} p and {int((1 - truth).sum())} n of Tabela 1"
    yield here.statement(
        "range of the area",
        "0.0 to 1.0",
        f"{text_of(worst)} to {text_of(best)}, the {sample} in the worst and best order",
        holds=(worst, best) == (0, 1),
    )
    yield here.statement(
        "area of a random classifier",
        "0.5",
        f"{text_of(tied)}, the {sample} all tied",
        holds=tied == 0.5,
    )
    yield here.statement(
        "no classifier has an area below 0.5",
        "none below 0.5",
        negated,
        holds=negated >= 0.5,
        reason="Not so: this is Tabela 1 with its values negated, 1 − AUC. A classifier that "
        "is worse than random can be negated, and should be, but not silently.",
    )

    here, (a, b) = at("§4, Figura 4"), curves_a_and_b(examples)
    rates, lead = lead_of(b, a)
    a_leads, b_leads = rates[lead < 0], rates[lead > 0]
    yield here.statement(
        "B is better than A on average",
        "larger area for B",
        f"A {text_of(a.area)}, B {text_of(b.area)}",
        holds=b.area > a.area,
        reason=_OUR_CURVES,
    )
    yield here.statement(
        "A leads on one side, B on the other",
        f"A above B only for fp rate > {_CROSSING}",
        f"A leads at {_range_text(a_leads)}, B at {_range_text(b_leads)}",
        holds=len(a_leads) > 0 and bool(a_leads[0] >= _CROSSING and (b_leads < _CROSSING).all()),
        reason=f"{_OUR_CURVES} At a jump the upper end counts.",
    )


def _range_text(rates: FloatArray) -> str:
    """Write the smallest and largest rate."""
    if not len(rates):
        return "no fp rate"
    return f"fp rate {text_of(float(rates[0]))} to {text_of(float(rates[-1]))}"


# -- §5: averages of curves ----------------------------------------------------------------------

_MEAN_RATE, _MEAN_THRESHOLD = 0.3, 0.5


def vertical_mean(a: Curve, b: Curve) -> AveragedCurve:
    """Return curve C of Figura 5."""
    return average([a, b], how="vertical")


def _section_5(examples: Examples) -> Iterator[Row]:
    """Yield both ways of averaging, on the curves that stand in for A and B."""
    here, (a, b) = at("§5, Figura 5"), curves_a_and_b(examples)
    c = vertical_mean(a, b)
    rates = np.unique([*a.fpr, *b.fpr])
    of_a, of_b, of_c = (highest_tpr(curve.walk, rates) for curve in (a, b, c))
    between = (np.minimum(of_a, of_b) <= of_c) & (of_c <= np.maximum(of_a, of_b))
    at_zero = f"A {text_of(of_a[0])}, B {text_of(of_b[0])}, C {text_of(of_c[0])}"
    tpr_a, tpr_b, tpr_c = (curve.at(fpr=_MEAN_RATE).tpr for curve in (a, b, c))
    point_a, point_b = a.at(_MEAN_THRESHOLD), b.at(_MEAN_THRESHOLD)
    mean = average([a, b], how="threshold").at(_MEAN_THRESHOLD)
    by_hand = (point_a.fpr + point_b.fpr) / 2, (point_a.tpr + point_b.tpr) / 2
    yield here.formula(
        f"C is the vertical mean of A and B: tp rate at fp rate {_MEAN_RATE}",
        "the mean of the tp rates of A and B",
        (tpr_a + tpr_b) / 2,
        tpr_c,
        f"{_OUR_CURVES} A has {text_of(tpr_a)} there, B has {text_of(tpr_b)}.",
    )
    yield here.statement(
        "C runs between A and B",
        "C is the mean of the two",
        f"at {between.sum()} of {len(rates)} fp rates; at 0 they have {at_zero}",
        holds=bool(between.all()),
        reason=_OUR_CURVES,
    )
    yield here.unprinted(
        "area under C",
        c.area,
        f"It is the mean of A's {text_of(a.area)} and B's {text_of(b.area)}: vertical "
        "averaging keeps areas.",
    )
    yield at("§5").statement(
        f"mean by threshold, at {_MEAN_THRESHOLD}",
        "the mean of the points that the curves have there",
        point_text(mean.fpr, mean.tpr),
        holds=np.allclose(by_hand, (mean.fpr, mean.tpr)),
        reason=f"{_OUR_CURVES} Their points are {point_text(point_a.fpr, point_a.tpr)} and "
        f"{point_text(point_b.fpr, point_b.tpr)}.",
    )


# -- §6: several classes -------------------------------------------------------------------------


def _section_6(examples: Examples) -> Iterator[Row]:
    """Yield Eqs. 2 to 5 on twelve rows of three classes.

    The samples are of one class against the rest; the class of a row is the one whose sample calls
    it positive.
    """
    members = [examples[f"classic_class_{name}"] for name in _NAMES]
    truth = np.array(_NAMES)[np.array([member.y_true for member in members]).argmax(axis=0)]
    scores = np.array([member.y_prob for member in members]).T
    result = multiclass(truth, scores, labels=_NAMES)
    called = np.array(_NAMES)[scores.argmax(axis=1)]
    matrix = np.array([[np.sum((called == i) & (truth == j)) for j in _NAMES] for i in _NAMES])
    off = ~np.eye(len(matrix), dtype=bool)
    yield at("§6").statement(
        "kinds of error among three classes",
        "n² − n",
        f"{off.sum()}, which hold {matrix[off].sum()} of {matrix.sum()} rows",
        holds=int(off.sum()) == len(_NAMES) ** 2 - len(_NAMES),
        reason="Twelve rows of ours, each given to the class of its highest score.",
    )
    areas, ours = [curve_of(m).area for m in members], [result.curves[n].area for n in _NAMES]
    yield at("§6, Eqs. 2 and 3").statement(
        "one curve for each class, all others negative",
        "n curves for n classes",
        ", ".join(f"{n}: AUC {text_of(v)}" for n, v in zip(_NAMES, ours, strict=True)),
        holds=np.allclose(ours, areas),
        reason=_OUR_ROWS,
    )
    shares = [float(np.mean(truth == name)) for name in _NAMES]
    yield at("§6, Eq. 4").formula(
        "Provost & Domingos",
        "Σ AUC(c_i)·p(c_i)",
        float(np.dot(areas, shares)),
        result.provost_domingos,
        _OUR_ROWS,
    )
    pairs = list(permutations(range(len(_NAMES)), 2))
    printed_sum = 2 * sum(_pair_area(truth, scores, i, j) for i, j in pairs) / len(pairs)
    yield at("§6, Eq. 5").formula(
        "Hand & Till",
        "2 / (|C|(|C| − 1)) · Σ AUC(c_i, c_j) over (c_i, c_j) ∈ C",
        printed_sum,
        result.hand_till,
        f"A slip: over all pairs (c_i, c_j) the printed sum gives {text_of(printed_sum)}, more "
        "than an area can be. Each pair counts once, i < j, with the mean of A(i|j) and "
        "A(j|i).",
    )
    front = misclassification_front(
        truth, scores, labels=_NAMES, n_rules=500, n_refined=100, n_points=5000, rng=0
    )
    yield at("§6, Everson & Fieldsend").unprinted(
        "volume of the six misclassification rates that the front dominates, beyond chance",
        front.volume,
        f"The paper names the method. Monte Carlo, standard error {front.standard_error:.4f}; "
        "twelve rows of ours.",
    )
    twice = np.concatenate((np.arange(len(truth)), np.flatnonzero(truth == _NAMES[-1])))
    other = multiclass(truth[twice], scores[twice], labels=_NAMES)
    yield at("§6, Eq. 5").statement(
        f"Hand & Till ignores the shares of the classes: class {_NAMES[-1]} taken twice",
        "does not depend on the class distribution",
        f"{text_of(result.hand_till)} → {text_of(other.hand_till)}; Eq. 4: "
        f"{text_of(result.provost_domingos)} → {text_of(other.provost_domingos)}",
        holds=bool(np.isclose(result.hand_till, other.hand_till)),
        reason=_OUR_ROWS,
    )


def _pair_area(truth: AnyArray, scores: FloatArray, i: int, j: int) -> float:
    """Return A(i|j): how often a row of class i has a higher score for i than a row of class j."""
    own, other = scores[truth == _NAMES[i], i], scores[truth == _NAMES[j], i]
    difference = own[:, None] - other
    return float(np.mean((difference > 0) + (difference == 0) / 2))


# -- §7 and Anexos 1 and 2: combined classifiers, and the printed functions -----------------------


def _section_7_and_annexes(examples: Examples) -> Iterator[Row]:
    """Yield what mixing A and B reaches, and what the printed functions give.

    Re-created are the sort that finds nothing at or below 0, the loop that collects the points,
    and the last trapezoid, whose height is taken from the wrong total.
    """
    rate, (a, b) = 0.5, curves_a_and_b(examples)
    mixed = mix({"A": a, "B": b}, fpr=rate)
    alone = a.at(fpr=rate).tpr, b.at(fpr=rate).tpr
    yield at("§7").statement(
        f"combining classifiers: tp rate at fp rate {rate}",
        "may reach what neither does alone",
        f"A {text_of(alone[0])}, B {text_of(alone[1])}, mixed {text_of(mixed.tpr)}",
        holds=mixed.tpr > max(alone),
        reason=_OUR_CURVES,
    )
    yield from _letters()

    truth = np.array(examples[_TABLE].y_true, dtype=float)
    values = np.array(examples[_TABLE].y_prob)
    theirs, ours = points_of_annex(truth, values), points_of(roc(truth, values))
    yield at("Anexo 1").statement(
        "points of the curve of Tabela 1",
        "(FP / N, TP / P) before each new score, and after the last",
        " ".join(point_text(*point) for point in ours),
        holds=len(theirs) == len(ours) and np.allclose(theirs, ours),
        reason=f"The printed loop gives the same {len(theirs)} points, those of Figura 3.",
    )
    backward, logarithms = truth[::-1], np.log(values[::-1])
    order = order_of_annex(logarithms)
    by_their_sort = roc(backward[order], np.linspace(1, 0, len(order))).area
    yield at("Anexo 1").formula(
        "area of Tabela 1, scored by the logarithm of the value, last row first",
        "a sort by falling score, each search starting from 0",
        by_their_sort,
        roc(backward, logarithms).area,
        "A slip: scores that are not positive are never found, so never put in order. This "
        f"sort leads to {text_of(by_their_sort)}; no increasing function of the score may "
        "change an area.",
    )
    first, last = slice(10), slice(10, None)
    yield _last_trapezoid("Tabela 1", truth, values)
    yield _last_trapezoid("the first ten rows of Tabela 1", truth[first], values[first])
    yield _last_trapezoid("the last ten rows of Tabela 1", truth[last], values[last])


def _letters() -> Iterator[Row]:
    """Yield Fawcett's example of the CoIL challenge: 4,000 customers, 6 % buy, 800 letters."""
    cells = [48, 96, 96, 376, 564, 2820]  # A = (0.1, 0.2) calls score 3, B = (0.25, 0.6) also 2
    buys, scores = np.repeat([1, 1, 1, 0, 0, 0], cells), np.repeat([3, 2, 1, 3, 2, 1], cells)
    budget = roc(buys, scores).at(rate=0.2)
    cited, fawcett = at("§7, CoIL challenge"), "The paper cites the case; Fawcett (2006) works it."
    yield cited.unprinted(
        "800 letters to 4,000 customers: probability k of B = (0.25, 0.6), else A = (0.1, 0.2)",
        1 - budget.share,
        fawcett,
    )
    yield cited.unprinted("(FPR, TPR) of this mixture", (budget.fpr, budget.tpr), fawcett)
    models = {
        "A": roc(buys, np.where(scores >= 3, 2, 1)),
        "B": roc(buys, np.where(scores >= 2, 2, 1)),
    }
    mixed = mix(models, rate=0.2)
    yield cited.unprinted(
        "(FPR, TPR) of the best mixture with 800 letters",
        (mixed.fpr, mixed.tpr),
        "A lies below the line from (0, 0) to B: B or no letter at all, at random, finds more "
        "buyers with as many letters.",
    )


def _last_trapezoid(of: str, truth: FloatArray, values: FloatArray) -> Row:
    theirs = area_of_annex(truth, values)
    p, n = int(truth.sum()), int(len(truth) - truth.sum())
    shown = "and cannot show where P = N" if p == n else f"and gives {text_of(theirs)} here"
    return at("Anexo 2").formula(
        f"area of {of}",
        "trapezoids, the last one up to the height N",
        theirs,
        roc(truth, values).area,
        f"The N is a slip for P {shown}: {p} p and {n} n.",
    )


def order_of_annex(scores: FloatArray) -> list[int]:
    """Return the order that the annexes sort into: positive scores fall, the others stay behind.

    >>> order_of_annex(np.array([0.2, 0.9, 0.5])), order_of_annex(np.array([-0.5, -0.1, 0.4]))
    ([1, 2, 0], [2, 1, 0])
    """
    order = list(range(len(scores)))
    for place in range(len(order)):
        found = [k for k in range(place, len(order)) if scores[order[k]] > 0]
        best = max(found, key=lambda k: scores[order[k]], default=place)
        order[place], order[best] = order[best], order[place]
    return order


def points_of_annex(truth: FloatArray, scores: FloatArray) -> list[tuple[float, float]]:
    """Return (FPR, TPR) as the loop of Anexo 1 collects them.

    >>> points_of_annex(np.array([1.0, 0, 1]), np.array([0.9, 0.5, 0.5]))
    [(0.0, 0.0), (0.0, 0.5), (1.0, 1.0)]
    """
    order = order_of_annex(scores)
    p, n = float(truth.sum()), float((1 - truth).sum())
    tp, fp, previous, points = 0.0, 0.0, -1.0, []
    for label, score in zip(truth[order].tolist(), scores[order].tolist(), strict=True):
        if score != previous:
            points.append((fp / n, tp / p))
            previous = score
        tp, fp = tp + label, fp + 1 - label
    return [*points, (fp / n, tp / p)]


def area_of_annex(truth: FloatArray, scores: FloatArray) -> float:
    """Return the area as Anexo 2 adds it up: all trapezoids, the last one up to N instead of P."""
    walk = roc(truth, scores).walk
    up, right = walk.up.astype(float), walk.right.astype(float)
    p, n = up[-1], right[-1]
    up[-1] = n
    return float(np.sum(np.diff(right) * (up[1:] + up[:-1]) / 2) / (p * n))
