"""What Gredlics, Raicu & Furst print, section by section, beside what rocwalk computes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np

from rocwalk.curves.choices import Costs
from rocwalk.curves.mixing import mix
from rocwalk.curves.roc import Curve, roc
from rocwalk.datasets.papers import PaperExample
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
from rocwalk.truth.reference_truth import ReferenceTruth, reference_truth
from rocwalk.truth.votes import votes_to_truth
from rocwalk.typing import FloatArray

at = partial(Place, "Truth")

HARD, SOFT = "truth_figure_1", "truth_figure_3"
_SCORES = "0.8 0.75 0.7 0.6 0.4 0.33 0.3 0.18 0.17 0.16 0.11 0.1"
_CLASSES = "1 0 1 1 1 0 1 0 1 0 0 0"
_TRUTHS = "0.83 0.9 0.72 0.25 0.34 0.5 0.4 0.96 0.29 0.6 0.2 0.15"


def truth_rows(examples: Examples) -> list[Row]:
    """Return every row of the paper, in its order."""
    return [
        *_background_table_1(examples),
        *_background_figures(examples),
        *_methodology(examples),
        *_methodology_figure_3(examples),
        *_methodology_figure_4(examples),
        *_discussion_perfect(examples),
        *_discussion_worst(examples),
        *_auc_prt(examples),
        *_closing_sections(examples),
    ]


def truth_of(example: PaperExample) -> ReferenceTruth:
    """Return an example between its worst and its perfect curve."""
    return reference_truth(example.y_true, example.y_prob)


def _columns_of(example: PaperExample) -> tuple[FloatArray, FloatArray]:
    """Return truth and score of each instance, the highest score first."""
    truth, scores = np.array(example.y_true, dtype=float), np.array(example.y_prob, dtype=float)
    order = np.argsort(-scores, kind="stable")
    return truth[order], scores[order]


def _ends_of(curve: Curve) -> tuple[str, bool]:
    """Return the points at the thresholds +∞ and −∞ as text, and whether they are the corners."""
    none, everything = curve.at(np.inf), curve.at(-np.inf)
    text = f"{point_text(none.fpr, none.tpr)} to {point_text(everything.fpr, everything.tpr)}"
    return text, (none.fpr, none.tpr, everything.fpr, everything.tpr) == (0, 0, 1, 1)


def _drawn_points(here: Place, of: str, curve: Curve) -> Iterator[Row]:
    """Yield the rates of a curve that the paper draws."""
    yield here.unprinted(f"FPR of {of}", numbers(curve.fpr), DRAWN)
    yield here.unprinted(f"TPR of {of}", numbers(curve.tpr), DRAWN)


# -- Background: the confusion matrix (Table I) and Eqs. 1 to 3, on the rows of Figure 1 ---------


def _background_table_1(examples: Examples) -> Iterator[Row]:
    """Yield Table I and the three rates; the cells of the formulas are counted row by row."""
    example = examples[HARD]
    threshold = 0.5
    tp, fp, fn, tn = counted = counted_cells(example, threshold)
    point = curve_of(example).at(threshold)
    ours, where = cells_of(point.confusion), f"Figure 1 at {threshold}"
    yield at("Background, Table I").statement(
        f"confusion matrix, {where}",
        "TP FP / FN TN",
        f"{text_of(ours[:2])} / {text_of(ours[2:])}",
        holds=ours == counted,
        reason="The paper names no threshold. It predicts 1 above the threshold, we also at "
        "it; no score lies there.",
    )
    yield at("Background, Eq. 1").formula(
        f"accuracy, {where}",
        "(TP + TN) / (TP + FN + FP + TN)",
        (tp + tn) / (tp + fn + fp + tn),
        point.accuracy,
    )
    yield at("Background, Eq. 2").formula(
        f"true positive rate, {where}", "TP / (TP + FN)", tp / (tp + fn), point.tpr
    )
    yield at("Background, Eq. 2").formula(
        f"sensitivity, {where}", "the true positive rate", tp / (tp + fn), point.recall
    )
    yield at("Background, Eq. 3").formula(
        f"false positive rate, {where}", "FP / (TN + FP)", fp / (tn + fp), point.fpr
    )
    yield at("Background, Eq. 3").formula(
        f"false positive rate from specificity, {where}",
        "1 − specificity",
        1 - tn / (tn + fp),
        1 - point.specificity,
    )


# -- Background: known classes (Figure 1), and four instances with one score (Figure 2) ----------

_TIED = slice(4, 8)


def best_order(examples: Examples) -> Curve:
    """Return the curve of scores that put every positive above every negative."""
    truth, scores = _columns_of(examples[HARD])
    return roc(truth, scores + truth)


def orders(examples: Examples) -> dict[str, Curve]:
    """Return the curve of tied rows, and those that take positives or negatives first.

    Figure 2 prints no data. Ours are the rows of Figure 1 with the fifth to eighth score made
    equal.
    """
    truth, scores = _columns_of(examples[HARD])
    equal = np.array(scores)
    equal[_TIED] = scores[_TIED].mean()
    apart = 1e-6 * truth
    return {
        "optimistic": roc(truth, equal + apart),
        "pessimistic": roc(truth, equal - apart),
        "expected": roc(truth, equal),
    }


def _background_figures(examples: Examples) -> Iterator[Row]:
    """Yield the curve of known classes (Figure 1), and four instances of one score (Figure 2)."""
    here, curve = at("Background, Figure 1"), curve_of(examples[HARD])
    truth, scores = _columns_of(examples[HARD])
    classes = " ".join(text_of(float(up)) for up in np.diff(curve.walk.up))
    yield here.number("instances", "12", len(curve.thresholds) - 1)
    yield here.column("scores: the thresholds of the walk", _SCORES, numbers(curve.thresholds[1:]))
    yield here.column("true classes: the steps of the walk", _CLASSES, classes)
    ends, corners = _ends_of(curve)
    tp, fp, _, _ = cells_of(curve.at(-np.inf).confusion)
    yield here.statement(
        "from the threshold +∞ to −∞",
        "from (0, 0), all negative, to (1, 1), all positive",
        f"{ends}, where {text_of(tp + fp)} are called positive",
        holds=corners,
    )
    yield here.formula(
        "steps up",
        "1 / (TP + FN) for a true class 1",
        numbers(truth / truth.sum()),
        numbers(np.diff(curve.tpr)),
    )
    yield here.formula(
        "steps right",
        "1 / (FP + TN) for a true class 0",
        numbers((1 - truth) / (1 - truth).sum()),
        numbers(np.diff(curve.fpr)),
    )
    yield here.unprinted("AUC", curve.area, DRAWN)
    best = best_order(examples)
    ups, rights = ((np.diff(mass) > 0).sum() for mass in (best.walk.up, best.walk.right))
    yield here.statement(
        "the perfect classifier",
        "up to (0, 1), then right to (1, 1)",
        f"{ups} steps up to (0, {text_of(best.at(fpr=0.0).tpr)}), {rights} steps right",
        holds=(0.0, 1.0) in points_of(best),
    )
    tied = points_of(roc(truth, np.zeros(len(scores))))
    yield here.statement(
        "a random classifier",
        "the diagonal from (0, 0) to (1, 1)",
        f"{' to '.join(point_text(*point) for point in tied)}, {len(scores)} scores all equal",
        holds=tied == [(0.0, 0.0), (1.0, 1.0)],
    )

    here, curves = at("Background, Figure 2"), orders(examples)
    expected, truth = curves["expected"], _columns_of(examples[HARD])[0][_TIED]
    ours = "The figure prints no data; ours are the rows of Figure 1, scores 5 to 8 made equal."
    start, stop = points_of(expected)[_TIED.start : _TIED.start + 2]
    total = expected.walk.right[-1], expected.walk.up[-1]
    by_hand = (1 - truth).sum() / total[0], truth.sum() / total[1]
    run = stop[0] - start[0], stop[1] - start[1]
    yield here.statement(
        "the segment of four equal scores",
        "a straight diagonal line",
        f"{point_text(*start)} to {point_text(*stop)}",
        holds=np.allclose(run, by_hand),
        reason=ours,
    )
    areas = {name: curve.area for name, curve in curves.items()}
    yield here.formula(
        "area: the line bisects",
        "half-way between the optimistic and the pessimistic curve",
        (areas["optimistic"] + areas["pessimistic"]) / 2,
        areas["expected"],
        f"{text_of(areas['pessimistic'])} to {text_of(areas['optimistic'])}. {ours}",
    )


# -- Methodology: how much of each class an instance is, and how far it steps (Figure 3) ---------


def _methodology(examples: Examples) -> Iterator[Row]:
    """Yield the votes, Eqs. 4 and 5, and the segments of a truth of 0 or 1."""
    experts, curve, hard = 100, curve_of(examples[SOFT]), curve_of(examples[HARD])
    truth, classes = _columns_of(examples[SOFT])[0], _columns_of(examples[HARD])[0]
    said = np.arange(experts) < np.rint(experts * truth)[:, None]
    yield at("Methodology").formula(
        "f of each instance from votes of 0 and 1",
        "the average score given by the experts",
        numbers(truth),
        numbers(votes_to_truth(said.astype(float))),
        f"The paper prints no votes; ours are {experts} for each instance.",
    )
    yield at("Methodology, Eq. 4").formula(
        "positive classes", "Σ f(i)", truth.sum(), float(curve.walk.up[-1])
    )
    yield at("Methodology, Eq. 5").formula(
        "negative classes",
        "m − Σ f(i)",
        len(truth) - truth.sum(),
        float(curve.walk.right[-1]),
        "The text calls the number of instances m, and j once more; j is never used.",
    )
    ups, rights = np.diff(hard.tpr), np.diff(hard.fpr)
    ones, zeros = classes == 1, classes == 0
    known = at("Methodology, truth 0 or 1")
    yield known.statement(
        "segments of Figure 1 where f is exactly 1",
        "vertical, 1 / Pos_Classes long",
        f"{ones.sum()} of {text_of(float(ups.max()))}",
        holds=np.allclose(ups[ones], 1 / classes.sum()) and not rights[ones].any(),
    )
    yield known.statement(
        "segments of Figure 1 where f is exactly 0",
        "horizontal, 1 / Neg_Classes long",
        f"{zeros.sum()} of {text_of(float(rights.max()))}",
        holds=np.allclose(rights[zeros], 1 / (1 - classes).sum()) and not ups[zeros].any(),
    )


def _methodology_figure_3(examples: Examples) -> Iterator[Row]:
    """Yield the table of Figure 3, its first segment, and all segments."""
    here, curve = at("Methodology, Figure 3"), curve_of(examples[SOFT])
    truth, _ = _columns_of(examples[SOFT])
    masses, printed_truth = numbers(np.diff(curve.walk.up)), tuple(map(float, _TRUTHS.split()))
    yield here.column("p(i): the thresholds of the walk", _SCORES, numbers(curve.thresholds[1:]))
    yield here.statement(
        "f(i): the steps of the walk",
        _TRUTHS,
        masses,
        holds=np.allclose(masses, truth) and numbers(truth) == printed_truth,
    )
    yield here.formula(
        "first segment: FPR at its end",
        "(1 − f) / Neg_Classes",
        (1 - truth[0]) / (1 - truth).sum(),
        float(curve.fpr[1]),
    )
    yield here.formula(
        "first segment: TPR at its end",
        "f / Pos_Classes",
        truth[0] / truth.sum(),
        float(curve.tpr[1]),
    )
    between = 0.775
    point = curve.at(between)
    yield here.statement(
        f"point for a threshold between 0.8 and 0.75, here {between}",
        "the end of the first segment",
        point_text(point.fpr, point.tpr),
        holds=(point.fpr, point.tpr) == points_of(curve)[1],
    )
    ups, rights = np.diff(curve.tpr), np.diff(curve.fpr)
    yield here.formula(
        "all segments: change of TPR",
        "f(i) / Pos_Classes",
        numbers(truth / truth.sum()),
        numbers(ups),
    )
    yield here.formula(
        "all segments: change of FPR",
        "(1 − f(i)) / Neg_Classes",
        numbers((1 - truth) / (1 - truth).sum()),
        numbers(rights),
    )
    angled = int(((ups > 0) & (rights > 0)).sum())
    angles = np.degrees(np.arctan2(ups, rights))
    by_truth = angles[np.argsort(truth, kind="stable")]
    yield here.statement(
        "angle of each segment, degrees",
        "angled, by the probability of the positive class",
        numbers(angles),
        holds=angled == len(truth) and bool((np.diff(by_truth) >= 0).all()),
        reason="The larger f, the steeper.",
    )


# -- Methodology: the whole curve of the example, and its hull (Figure 4) ------------------------


def _methodology_figure_4(examples: Examples) -> Iterator[Row]:
    """Yield the whole curve, and its hull."""
    here, curve = at("Methodology, Figure 4"), truth_of(examples[SOFT]).curve
    hull, (ends, corners) = curve.hull, _ends_of(curve)
    yield here.statement(
        "the curve from the threshold +∞ to −∞",
        "from (0, 0) to (1, 1)",
        f"{ends}, {len(curve.walk)} points",
        holds=corners,
    )
    yield from _drawn_points(here, "its points", curve)
    yield here.unprinted("AUC", curve.area, DRAWN)
    yield from _drawn_points(here, "the hull", hull)
    yield here.unprinted("thresholds of the hull, after ∞", numbers(hull.thresholds[1:]), DRAWN)
    yield here.unprinted("area under the hull", hull.area, DRAWN)
    slopes = numbers(np.diff(hull.tpr) / np.diff(hull.fpr))
    # the inner vertices that are best for a slope between those of their two edges
    between = [curve.best(slope=(steep + flat) / 2) for steep, flat in pairwise(slopes)]
    vertices = points_of(hull)[1:-1]
    chosen = sum((b.fpr, b.tpr) == v for b, v in zip(between, vertices, strict=True))
    yield here.statement(
        "slopes at which the best point of the hull changes",
        "points that nothing dominates, each for a range of skew ratios",
        slopes,
        holds=chosen == len(slopes) - 1,
        reason=f"Between two of them one vertex is best: {text_of(chosen)} vertices, and the "
        "two ends.",
    )


# -- Discussion: what a perfect classifier can reach (Figure 5), and AAPCC -----------------------


def _height(point: tuple[float, float]) -> float:
    """Return how far a point lies above the diagonal."""
    return point[1] - point[0]


def area_above(truth: FloatArray) -> float:
    """Return the area above the curve that orders instances by their truth."""
    return 1 - roc(truth, truth, truth="soft").area


def _discussion_perfect(examples: Examples) -> Iterator[Row]:
    """Yield what a perfect classifier reaches (Figure 5), and the sentences on AAPCC."""
    here, known = at("Discussion, Figure 5"), truth_of(examples[HARD])
    (truth, _), (classes, _) = (_columns_of(examples[name]) for name in (SOFT, HARD))
    curve, classic = truth_of(examples[SOFT]).perfect, known.perfect
    corner, nearest = (max(points_of(one), key=_height) for one in (classic, curve))
    yield at("Discussion, truth 0 or 1").statement(
        "perfect curve of Figure 1",
        "up to (0, 1), then right to (1, 1)",
        f"passes through {point_text(*corner)}, {text_of(float(classic.walk.up[-1]))} instances "
        f"up and {text_of(float(classic.walk.right[-1]))} right",
        holds=corner == (0, 1),
    )
    yield here.statement(
        "perfect curve of Figure 3 and the point (0, 1)",
        "never reaches it",
        f"leaves FPR 0 at TPR {text_of(curve.at(fpr=0.0).tpr)} and reaches TPR 1 at FPR "
        f"{text_of(curve.at(tpr=1.0).fpr)}; furthest above the diagonal at "
        f"{point_text(*nearest)}",
        holds=(0.0, 1.0) not in points_of(curve),
    )
    yield from _drawn_points(here, "the perfect curve", curve)
    yield here.unprinted("AAPCC", 1 - curve.area, DRAWN)

    yield at("Discussion, truth 0 or 1").statement(
        "AAPCC of Figure 1",
        "equal to 0",
        f"{text_of(known.aapcc)}, {text_of(classes.sum())} of class 1 and "
        f"{text_of((1 - classes).sum())} of class 0",
        holds=known.aapcc == 0,
    )

    here = at("Discussion, AAPCC")
    shares = (0.1, 0.01, 0.001)
    ends = np.rint(truth), np.ones(len(truth)), np.full(len(truth), 0.5)
    sharp, one_end, vague = (
        numbers([area_above(end + share * (truth - end)) for share in shares]) for end in ends
    )
    left = f"{', '.join(map(text_of, shares))} of the way left"
    yield here.statement(
        f"AAPCC when every f is nearer to its end, 0 or 1: {left}",
        "close to 0 for little uncertainty",
        sharp,
        holds=sharp[-1] < 0.01 and bool((np.diff(sharp) <= 0).all()),
        reason="It takes certain instances of both classes; see the next row.",
    )
    yield here.unprinted(
        f"AAPCC when every f is nearer to 1: {left}",
        one_end,
        "Every instance is nearly certain, and AAPCC is far from 0 all the same: no order can "
        "set apart what is all alike. It measures how far f spreads, not how sure f is.",
    )
    yield here.statement(
        f"AAPCC when every f is nearer to 0.5: {left}",
        "close to 0.5 for high uncertainty",
        vague,
        holds=vague[-1] > 0.49 and bool((np.diff(vague) >= 0).all()),
    )
    half, other = (area_above(np.full(len(truth), value)) for value in (0.5, 0.9))
    yield here.statement(
        "AAPCC when every f is 0.5",
        "equal to 0.5",
        f"{text_of(half)}, {len(truth)} instances",
        holds=bool(np.isclose(half, 0.5)),
        reason=f"So it is for any one value: {text_of(float(other))} when every f is 0.9. "
        "AUC_PRT is then undefined, 0/0, and rocwalk says so.",
    )


# -- Discussion: the worst classifier (Figure 6), AUWCC, and the random one ----------------------


def mirrored(found: ReferenceTruth) -> tuple[FloatArray, FloatArray]:
    """Return FPR and TPR of the perfect curve mirrored across the diagonal: rates swapped."""
    return found.perfect.tpr, found.perfect.fpr


def _discussion_worst(examples: Examples) -> Iterator[Row]:
    """Yield the worst classifier (Figure 6), AUWCC, and the random classifier."""
    found = truth_of(examples[SOFT])
    here, worst, perfect = at("Discussion, Figure 6"), found.worst, found.perfect
    lowest = min(points_of(worst), key=_height)
    yield here.statement(
        "worst curve of Figure 3 and the point (1, 0)",
        "does not reach it",
        f"furthest below the diagonal at {point_text(*lowest)}",
        holds=(1.0, 0.0) not in points_of(worst),
        reason="The caption says so of the perfect classifier; the worst is meant.",
    )
    yield from _drawn_points(here, "the worst curve", worst)
    x, y = mirrored(found)
    off = y - highest_tpr(worst.walk, x)
    k = int(np.argmax(np.abs(off)))
    largest = float(np.abs(off).max())
    yield here.statement(
        "the worst curve and the perfect one mirrored across the diagonal",
        "the same",
        f"apart by up to {text_of(largest)} of TPR: at FPR {text_of(float(x[k]))} the mirror "
        f"image has {text_of(float(y[k]))}, the worst curve {text_of(float(y[k] - off[k]))}",
        holds=largest < 1e-9,
        reason="Not so. To reverse an order is to turn its curve round (½, ½), which takes (x, "
        "y) to (1 − x, 1 − y); a mirror would take it to (y, x), which no order of these "
        "instances reaches. They agree where every f is 0 or 1, and where f and 1 − f take "
        "the same values. The area under both is the same.",
    )
    turned = np.abs([1 - perfect.fpr[::-1] - worst.fpr, 1 - perfect.tpr[::-1] - worst.tpr]).max()
    apart = "nothing" if turned < 1e-12 else text_of(float(turned))
    yield here.unprinted(
        "the worst curve and the perfect one turned round (½, ½)",
        f"{len(worst.walk)} points, apart by {apart}",
        "This is what holds.",
    )
    yield here.formula("AUWCC", "equal to AAPCC", found.aapcc, found.auwcc)

    truth, rng = _columns_of(examples[SOFT])[0], np.random.default_rng(2012)
    copies = (1, 30, 1000)
    curves = [roc(np.tile(truth, k), rng.random(k * len(truth))) for k in copies]
    gaps = numbers([np.abs(curve.tpr - curve.fpr).max() for curve in curves])
    sizes = ", ".join(map(str, copies))
    yield at("Discussion, random classifier").statement(
        f"largest |TPR − FPR| of random scores, the rows of Figure 3 taken {sizes} times",
        "approaches the diagonal with many more instances",
        gaps,
        holds=bool((np.diff(gaps) < 0).all()),
        reason="One draw of random scores for each; with more rows it comes nearer still.",
    )


# -- AUC_PRT as printed (Eq. 6) and as meant (Figure 7) ------------------------------------------


def _auc_prt(examples: Examples) -> Iterator[Row]:
    """Yield both forms of AUC_PRT, what each gives the best and the worst order, and Figure 7."""
    found, known = truth_of(examples[SOFT]), truth_of(examples[HARD])
    truth, _ = _columns_of(examples[SOFT])
    best, worst = reference_truth(truth, truth), reference_truth(truth, -truth)
    above, region = found.auc - found.auwcc, 1 - found.auwcc - found.aapcc
    printed, meant = above / (1 - found.auwcc), "(AUC − AUWCC) / (1 − AUWCC − AAPCC)"
    equation, figure = at("AUC_PRT, Eq. 6"), at("AUC_PRT, Figure 7")
    yield equation.formula(
        "AUC_PRT of Figure 3",
        "(AUC − AUWCC) / (1 − AUWCC)",
        printed,
        found.auc_prt,
        f"AAPCC is missing below the line: this gives {text_of(printed)}. The caption of "
        "Figure 7 divides by the region between the worst and the perfect curve, "
        f"{meant}, and only so is a perfect classifier worth 1, as the text says.",
    )
    yield equation.formula(
        "AUC_PRT of Figure 3, as printed",
        "(AUC − AUWCC) / (1 − AUWCC)",
        printed,
        found.auc_prt_printed,
        "Kept as auc_prt_printed.",
    )
    yield at("AUC_PRT, text").statement(
        "a perfect classifier, by Eq. 6 as printed",
        "1",
        best.auc_prt_printed,
        holds=abs(best.auc_prt_printed - 1) < 1e-12,
        reason="Eq. 6 falls short of what the text says of it wherever experts disagree.",
    )
    for who, value, end in (
        ("a perfect classifier", 1, best),
        ("the worst possible classifier", 0, worst),
    ):
        yield at("AUC_PRT, text").statement(
            f"{who}, by the region",
            f"{value}",
            f"{text_of(round(end.auc_prt, 12) + 0.0)}, with an AUC of {text_of(end.auc)}",
            holds=abs(end.auc_prt - value) < 1e-12,
        )
    yield figure.unprinted("numerator: area between the curve and the worst one", above, DRAWN)
    yield figure.formula(
        "denominator: area between the worst and the perfect curve",
        "the region between AUWCC and AAPCC",
        found.perfect.area - found.auwcc,
        region,
    )
    yield figure.formula(
        "AUC_PRT of Figure 3, by the caption", meant, above / region, found.auc_prt
    )
    yield at("AUC_PRT, truth 0 or 1").unprinted(
        "AUC_PRT of Figure 1",
        known.auc_prt,
        f"Its AUC is {text_of(known.auc)}: where the truth is known the two are the same.",
    )
    yield at("AUC_PRT, beside it").unprinted(
        "AUC without the pairs of an instance with itself",
        found.expected_auc,
        "Those pairs count half and pull the AUC towards ½, the more the fewer instances.",
    )


# -- Advantages, disadvantages, future work and conclusion ---------------------------------------


def _closing_sections(examples: Examples) -> Iterator[Row]:
    """Yield advantages, future work and conclusion."""
    found = truth_of(examples[SOFT])
    truth, scores = _columns_of(examples[SOFT])
    times = 10
    weight = truth / times + 1 - truth  # positive mass a tenth, negative mass unchanged
    rarer = roc(truth / times / weight, scores, sample_weight=weight)
    yield at("Advantages, skew").statement(
        f"the curve when the positive class is {times} times as rare",
        "not affected by a skewed distribution of f",
        f"prevalence {text_of(found.prevalence)} and {text_of(rarer.prevalence or 0.0)}, AUC "
        f"{text_of(found.auc)} and {text_of(rarer.area)}",
        holds=np.allclose(rarer.fpr, found.curve.fpr) and np.allclose(rarer.tpr, found.curve.tpr),
        reason="The mass of one class alone is changed; the rates of each class stay as they were.",
    )
    rates, lead = lead_of(found.perfect, found.curve)
    both = {"perfect": found.perfect, "classifier": found.curve}  # shared vertices: the first
    used = {rule.model for x in rates[1:-1] for rule in mix(both, fpr=float(x)).rules}
    yield at("Advantages, hull").statement(
        "is the classifier of Figure 3 dominated, here by the perfect one?",
        "the hull can tell",
        f"TPR lower by {text_of(float(lead.min()))} to {text_of(float(lead.max()))}; the "
        f"common hull uses {', '.join(sorted(used))}",
        holds=bool((lead >= -1e-12).all()) and used == {"perfect"},
    )

    curve, here = found.curve, at("Advantages, iso-performance lines")
    best = {cost: curve.best(Costs(false_positive=1, false_negative=cost)) for cost in (0.2, 1, 5)}
    for cost, choice in best.items():
        yield here.unprinted(
            f"best threshold when a miss costs {text_of(cost)} times a false alarm",
            f"{text_of(choice.threshold)}, at {point_text(choice.fpr, choice.tpr)}, slope "
            f"{text_of(choice.slope)}",
            "The text says that such lines find the threshold; the example is ours.",
        )
    later, ours = at("Future work"), "Named, not computed, in the paper."
    yield later.unprinted(
        "H-measure, prior of Hand & Anagnostopoulos 2014", curve.h_measure("hand2014"), ours
    )
    yield later.unprinted("H-measure, prior of Hand 2009", curve.h_measure("hand2009"), ours)
    yield later.unprinted(
        "H-measure of the perfect classifier, and H as a share of it",
        (found.perfect.h_measure(), found.h_prt),
        f"{ours} With uncertain truth no classifier reaches H = 1.",
    )
    yield later.unprinted("area under the cost curve", found.cost_area, ours)
    yield later.unprinted(
        "(1/4 − area) / (1/4 − perfect) of the cost curve, 1/4 without a model",
        found.cost_area_prt,
        ours,
    )
    yield later.unprinted("area under the Brier curve", curve.brier_curve().area, ours)
    yield at("Conclusion").statement(
        "AUC of a perfect classifier, Figure 3",
        "does not reach 1",
        float(found.perfect.area),
        holds=found.perfect.area < 1,
    )
