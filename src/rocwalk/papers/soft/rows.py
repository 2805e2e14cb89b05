"""What Klement & Flach (2008) print, section by section, beside what rocwalk computes.

Step rules, by rocwalk's names: "truth" is the ordinary curve, "single" that of §4.1, "blind" and
"both" the two methods of §4.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from rocwalk.curves.roc import Curve, roc
from rocwalk.datasets.papers import PaperExample
from rocwalk.metrics.probabilities import scored_auc_score
from rocwalk.papers.examples import (
    Examples,
    class_means,
    class_scores,
    curve_of,
    lead_of,
    moves_of,
    numbers,
    points_of,
    same_points,
)
from rocwalk.papers.row import DRAWN, Place, Row, point_text, text_of
from rocwalk.read.arrays import tally
from rocwalk.tally.tally import Tally
from rocwalk.typing import Steps

at = partial(Place, "Soft")

THRESHOLD = 0.5
_LABELS = "⁺ ⁺ ⁻ ⁺ ⁻ ⁻"
_SCORES = {"C1": "0.80 0.70 0.60 0.40 0.30 0.20", "C2": "0.99 0.78 0.68 0.58 0.38 0.01"}
_THRESHOLDS = "1 0.79 0.69 0.59 0.39 0.29 0.00"


def soft_rows(examples: Examples) -> list[Row]:
    """Return every row of the paper, in its order."""
    both = models(examples).items()
    return [
        *_section_1(examples),
        *_sections_2_to_4(examples),
        *(row for model, example in both for row in _section_4_1(model, example)),
        *_section_4_2_first_method(examples),
        *(
            row
            for model, example in both
            for part in (_section_4_2_rule, _section_4_2_curve)
            for row in part(model, example)
        ),
        *_section_5(examples),
    ]


def models(examples: Examples) -> dict[str, PaperExample]:
    """Return both models of Table 1."""
    return {"C1": examples["soft_c1"], "C2": examples["soft_c2"]}


def curve_by(steps: Steps, example: PaperExample) -> Curve:
    """Return the curve of an example by a step rule."""
    return roc(example.y_true, example.y_prob, steps=steps, threshold=THRESHOLD)


def _ranked(example: PaperExample) -> list[tuple[float, float]]:
    """Return (label, score) of each example, the highest score first."""
    pairs = zip(example.y_true, example.y_prob, strict=True)
    return sorted(pairs, key=lambda pair: -pair[1])


def _drawn_curve(section: str, model: str, curve: Curve) -> list[Row]:
    """Return area and points of a soft curve; Figure 2 draws those of C1."""
    here = at(f"{section}, Figure 2, C1" if model == "C1" else f"{section}, {model}")
    reason = DRAWN if model == "C1" else "Figure 2 draws C1 only."
    return [
        here.unprinted("area of the curve", curve.area, reason),
        here.unprinted("TPR of its points", numbers(curve.tpr), reason),
        here.unprinted("FPR of its points", numbers(curve.fpr), reason),
    ]


# -- §1: classification, ranking and estimation --------------------------------------------------


def _section_1(examples: Examples) -> Iterator[Row]:
    """Yield the measures of classification, ranking and estimation on Table 1."""
    here, both = at("§1, both models"), models(examples)
    curves = {model: curve_of(example) for model, example in both.items()}
    accuracy = {model: curve.at(THRESHOLD).accuracy for model, curve in curves.items()}
    brier = {model: curve.brier_curve().area for model, curve in curves.items()}
    area = {model: curve.area for model, curve in curves.items()}
    same = [len(set(one.values())) == 1 for one in (accuracy, area, brier)]
    yield here.statement(
        f"accuracy at {THRESHOLD}, AUC and Brier score of Table 1",
        "measure different things",
        "; ".join(f"{m} {text_of((accuracy[m], area[m], brier[m]))}" for m in both),
        holds=same == [False, True, False],
    )
    yield here.statement(
        "better estimates do not imply a better ranking",
        "not implied",
        f"Brier score {text_of(tuple(brier.values()))}, AUC {text_of(tuple(area.values()))}",
        holds=brier["C2"] < brier["C1"] and area["C2"] <= area["C1"],
    )
    for model, example in both.items():
        yield at(f"§1, {model}").unprinted(
            "scored AUC, the mean of (sᵢ − sⱼ) over pairs in order",
            scored_auc_score(example.y_true, example.y_prob),
            "The text names it as another measure that joins ranks and margins.",
        )


# -- §§2 to 4: two models with the same ROC curve, and its steps ---------------------------------


def _sections_2_to_4(examples: Examples) -> Iterator[Row]:
    """Yield margins, Table 1 and Figure 1, then decisions and the steps of the ordinary curve."""
    margin = curve_of(examples["soft_margin"])
    point, ups = margin.at(THRESHOLD), moves_of(margin.tpr)
    yield at("§2, margins").statement(
        f"0.9⁺ and 0.51⁺ at the threshold {THRESHOLD}",
        "both classified as positive; their margin is ignored",
        f"{text_of(point.confusion.true_positives)} of {text_of(margin.walk.up[-1])} "
        f"classified as positive; steps up {text_of(ups)}",
        holds=point.tpr == 1 and len(set(ups)) == 1,
        reason="A curve needs a negative too; it is ours, 0.1⁻.",
    )
    both = models(examples)
    curves = {model: curve_of(example) for model, example in both.items()}
    for model, curve in curves.items():
        here = at(f"§2, Table 1, {model}")
        labels = " ".join("⁺" if up else "⁻" for up in np.diff(curve.walk.up))
        reached = [curve.at(float(threshold)) for threshold in _THRESHOLDS.split()]
        points = [(point.fpr, point.tpr) for point in reached]
        yield here.column("labels: the steps of the walk", _LABELS, labels)
        yield here.column(
            "scores: the thresholds of the walk", _SCORES[model], numbers(curve.thresholds[1:])
        )
        yield here.statement(
            "points at the printed ROC thresholds: the whole curve",
            _THRESHOLDS,
            " ".join(point_text(*point) for point in points),
            holds=points == points_of(curve),
        )
    gaps = tuple(abs(a - b) for a, b in zip(both["C1"].y_prob, both["C2"].y_prob, strict=False))
    yield at("§2, Table 1, both models").statement(
        "|score by C1 − score by C2|", "different for every instance", gaps, holds=min(gaps) > 0
    )
    one, other = curves.values()
    same = same_points(one, other)
    yield at("§2, Figure 1, both models").statement(
        "the ROC curves of C1 and C2",
        "identical",
        f"{len(one.walk)} and {len(other.walk)} points, "
        f"{'the same' if same else 'not the same'}; "
        f"AUC {text_of(one.area)} and {text_of(other.area)}",
        holds=same,
    )
    for model, curve in curves.items():
        yield at(f"§2, Figure 1, {model}").unprinted("AUC", curve.area, DRAWN)

    for model, example in both.items():
        curve = curves[model]
        cells = [curve.at(score).confusion for _, score in _ranked(example)]
        called = tuple(cell.true_positives + cell.false_positives for cell in cells)
        yield at(f"§3, {model}").statement(
            "examples called positive when the threshold is the highest score, the second, …",
            "scores higher than or equal to the threshold",
            called,
            holds=called == tuple(range(1, len(called) + 1)),
        )
    for model, example in both.items():
        here, curve = at(f"§4, {model}"), curves[model]
        n_plus, n_minus = map(len, class_scores(example))
        yield here.formula("vertical steps", "1 / n⁺", (1 / n_plus,) * n_plus, moves_of(curve.tpr))
        yield here.formula(
            "horizontal steps", "1 / n⁻", (1 / n_minus,) * n_minus, moves_of(curve.fpr)
        )


# -- §4.1: steps sized by the score, in one direction each (Figure 2, the upper curve) -----------


def _section_4_1(model: str, example: PaperExample) -> Iterator[Row]:
    """Yield the formulas of steps in one direction each, and what the text says of their curve."""
    here, curve, bare = at(f"§4.1, {model}"), curve_by("single", example), curve_of(example)
    m_plus, m_minus = class_means(example)
    n_plus, n_minus = map(len, class_scores(example))
    up = [s for label, s in _ranked(example) if label == 1]
    right = [1 - s for label, s in _ranked(example) if label == 0]
    printed_runs = tuple(r / (m_minus * n_minus) for r in right)
    yield here.formula(
        "vertical normalisation", "1 / (m⁺ n⁺)", 1 / (m_plus * n_plus), 1 / curve.walk.up[-1]
    )
    yield here.formula(
        "horizontal normalisation",
        "1 / ((1 − m⁻) n⁻)",
        1 / ((1 - m_minus) * n_minus),
        1 / curve.walk.right[-1],
    )
    yield here.formula(
        "vertical steps",
        "sᵢ⁺ / (m⁺ n⁺)",
        tuple(u / (m_plus * n_plus) for u in up),
        moves_of(curve.tpr),
    )
    yield here.formula(
        "horizontal steps",
        "(1 − sᵢ⁻) / (m⁻ n⁻)",
        printed_runs,
        moves_of(curve.fpr),
        "A slip: m⁻ stands where the normalisation, a few sentences before, has 1 − m⁻. These "
        f"steps add up to {text_of(sum(printed_runs))} where they should fill the unit square.",
    )
    goes_up, goes_right = np.diff(curve.walk.up) > 0, np.diff(curve.walk.right) > 0
    both = goes_up & goes_right
    yield here.statement(
        "directions of a step",
        "up or right, never both",
        f"{(goes_up & ~both).sum()} up, {(goes_right & ~both).sum()} right, {both.sum()} both",
        holds=not both.any(),
        reason="Examples of both classes with one score would step together, as a slant.",
    )
    if model == "C1":
        soft_lengths, bare_lengths = (np.diff(one.fpr) + np.diff(one.tpr) for one in (curve, bare))
        ratios = numbers(soft_lengths / bare_lengths)
        middle = ratios[len(ratios) // 2 - 1 : len(ratios) // 2 + 1]
        yield at("§4.1, Figure 2, C1").statement(
            "length of each step over that of the ordinary one",
            "stretched at the lower left and upper right, shrunk near the corner (0, 1)",
            ratios,
            holds=ratios[0] > 1 and ratios[-1] > 1 and max(middle) < 1,
        )
    _, lead = lead_of(curve, bare)
    yield here.statement(
        "the curve against the ordinary one",
        "optimistic; mostly dominates it",
        f"TPR higher by {text_of(float(lead.min()))} to {text_of(float(lead.max()))}; area "
        f"{text_of(curve.area)} over {text_of(bare.area)}",
        holds=bool((lead >= -1e-12).all()) and curve.area > bare.area,
        reason="Always, not mostly: weighting positives by s and negatives by 1 − s moves the "
        "point of each threshold up or left, never down or right.",
    )
    yield from _drawn_curve("§4.1", model, curve)


# -- §4.2, first method: steps both ways that ignore the labels ----------------------------------


def _section_4_2_first_method(examples: Examples) -> Iterator[Row]:
    """Yield the normalisation of steps without labels, and the bound that they are said to be."""
    for model, example in models(examples).items():
        here, curve = at(f"§4.2, first method, {model}"), curve_by("blind", example)
        n = len(example.y_prob)
        m = sum(example.y_prob) / n
        swapped = PaperExample(tuple(1 - y for y in example.y_true), example.y_prob, example.source)
        other, auc = curve_by("blind", swapped).area, curve_of(example).area
        yield here.formula(
            "vertical normalisation", "1 / (m n)", 1 / (m * n), 1 / curve.walk.up[-1]
        )
        yield here.formula(
            "horizontal normalisation",
            "1 / ((1 − m) n)",
            1 / ((1 - m) * n),
            1 / curve.walk.right[-1],
        )
        yield here.statement(
            "the labels play no part",
            "excluded",
            f"area {text_of(curve.area)}, with all labels swapped {text_of(other)}",
            holds=curve.area == other,
        )
        yield here.statement(
            "area, as a bound on the AUC",
            "some form of an upper bound on performance",
            curve.area,
            holds=curve.area >= auc,
            reason=f"Not one: the AUC of the same scores is {text_of(auc)}. With the labels left "
            "out, the curve says how far apart the scores lie, and nothing about who is right. It "
            "bounds the expected area of any order if the scores are true probabilities.",
        )

    example = examples["soft_bound"]
    blind, both = curve_by("blind", example).area, curve_by("both", example).area
    yield at("§4.2, first method, our sample").statement(
        "area of 0.9⁺ 0.6⁻, as a bound on the second method's",
        "some form of an upper bound on performance",
        f"{text_of(blind)}, and by the second method {text_of(both)}",
        holds=blind >= both,
        reason="On Table 1 it lies above the second method's curve, on this sample of ours below.",
    )


# -- §4.2: steps both ways, turned by the decision (Figure 2, the lower curve) -------------------


def climbs_of(example: PaperExample) -> tuple[float, ...]:
    """Return how far each example climbs, by the words of the paper: s if right, else 1 − s.

    >>> climbs_of(PaperExample((1, 0, 0), (0.75, 0.625, 0.25), "mine"))
    (0.75, 0.375, 0.25)
    """
    return tuple(s if (s >= THRESHOLD) == (label == 1) else 1 - s for label, s in _ranked(example))


def over_pairs(ups: tuple[float, ...], rights: tuple[float, ...]) -> float:
    """Return the area of steps that are taken one after the other, pair by pair.

    >>> over_pairs((1.0, 0.0), (0.0, 1.0)), over_pairs((0.5, 0.5), (0.5, 0.5))
    (1.0, 0.5)
    """
    weights = [[(i < j) + 0.5 * (i == j) for j in range(len(rights))] for i in range(len(ups))]
    return float(np.array(ups) @ np.array(weights) @ np.array(rights)) / (sum(ups) * sum(rights))


def _section_4_2_rule(model: str, example: PaperExample) -> Iterator[Row]:
    """Yield the rule of steps both ways, and their normalisation."""
    curve = curve_by("both", example)
    here, climbs = at(f"§4.2, {model}"), climbs_of(example)
    ups, rights = numbers(np.diff(curve.walk.up)), numbers(np.diff(curve.walk.right))
    one_by_one = Tally.merge(
        [
            tally([y], [s], steps="both", threshold=THRESHOLD)
            for y, s in zip(example.y_true, example.y_prob, strict=True)
        ]
    )
    merged = float(one_by_one.total_up), float(one_by_one.total_right)
    totals = float(curve.walk.up[-1]), float(curve.walk.right[-1])
    (start, *_, stop), smallest = points_of(curve), min(*ups, *rights)
    yield here.formula(
        "climbs, before they are normalised",
        "sᵢ if classified correctly, else 1 − sᵢ",
        climbs,
        ups,
    )
    yield here.formula(
        "runs, before they are normalised",
        "1 − sᵢ if classified correctly, else sᵢ",
        tuple(1 - climb for climb in climbs),
        rights,
    )
    yield here.unprinted(
        "normalisation: all climbs and all runs, added up",
        totals,
        "Left out for want of space. Each direction is divided by its total.",
    )
    yield here.statement(
        "the same totals, from one example after the other",
        "can be calculated incrementally",
        merged,
        holds=np.allclose(merged, totals),
    )
    yield here.statement(
        "an ROC curve still",
        "all properties preserved",
        f"from {point_text(*start)} to {point_text(*stop)} in {len(ups)} steps, none below "
        f"{text_of(smallest)}",
        holds=[start, stop] == [(0, 0), (1, 1)] and smallest >= 0,
    )
    yield here.formula(
        "its area over pairs",
        "the definition of the area remains valid",
        over_pairs(ups, rights),
        curve.area,
        "Over all pairs of a climb and a later run; an example with itself counts half.",
    )


def _section_4_2_curve(model: str, example: PaperExample) -> Iterator[Row]:
    """Yield the threshold of the rule, and its curve."""
    here, (m_plus, m_minus) = at(f"§4.2, {model}"), class_means(example)
    n_plus, n_minus = map(len, class_scores(example))
    c = n_plus / (n_plus + n_minus)
    ours = tally(example.y_true, example.y_prob, steps="both", threshold="mean").threshold
    assert ours is not None
    middle = (m_plus + m_minus) / 2
    yield here.formula(
        "threshold where scores are not calibrated",
        "the mean of m⁺ and m⁻, weighted by c = n⁺ / n",
        c * m_plus + (1 - c) * m_minus,
        ours,
        "It is the mean of all scores. The paper takes it from training data; here from Table "
        "1 itself.",
    )
    yield here.statement(
        "that threshold, and the middle of m⁺ and m⁻",
        "close to the middle",
        (ours, middle),
        holds=abs(ours - middle) < (m_plus - m_minus) / 4,
        reason="Equal here, with as many positives as negatives. The fewer one class has, the "
        "nearer the threshold lies to the mean of the other.",
    )

    soft = curve_by("both", example)
    if model == "C1":
        here, bare = at("§4.2, Figure 2, C1"), curve_of(example)
        positive, negative = class_scores(example)
        _, lag = lead_of(bare, soft)
        yield here.statement(
            "the curve against the ordinary one",
            "more pessimistic",
            f"TPR lower by {text_of(float(lag.min()))} to {text_of(float(lag.max()))}; area "
            f"{text_of(soft.area)} under {text_of(bare.area)}",
            holds=bool((lag >= 0).all()) and soft.area < bare.area,
        )
        yield here.statement(
            "scores that bring a penalty",
            "positives below 1, negatives above 0: all",
            f"positives up to {text_of(max(positive))}, negatives from {text_of(min(negative))}",
            holds=max(positive) < 1 and min(negative) > 0,
        )
    yield from _drawn_curve("§4.2", model, soft)


# -- §5: the conclusion --------------------------------------------------------------------------


def _section_5(examples: Examples) -> Iterator[Row]:
    """Yield the areas that the conclusion compares."""
    areas = {
        steps: tuple(curve_by(steps, example).area for example in models(examples).values())
        for steps in ("truth", "single", "both")
    }
    yield at("§5, both models").statement(
        "areas of C1 and C2: ordinary, in a single direction, in both",
        "the soft curve takes the scores in, the ordinary one does not",
        "; ".join(text_of(pair) for pair in areas.values()),
        holds=[len(set(pair)) for pair in areas.values()] == [1, 2, 2],
    )
