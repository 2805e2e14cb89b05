"""§4.2: steps both ways, sized by the score and turned by the decision (Figure 2, lower curve)."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve
from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, class_means, class_scores, curve_of
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.papers.soft.place import (
    THRESHOLD,
    at,
    curve_by,
    drawn_rows,
    models,
    signed_scores,
    steps_of,
)
from rocwalk.read.arrays import tally
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import highest_tpr


def rows(examples: Examples) -> list[Row]:
    """Return the rule, the normalisation, the threshold, Figure 2 and the conclusion."""
    found = [row for model, example in models(examples).items() for row in _model(model, example)]
    return [*found, _told_apart(examples)]


def _model(model: str, example: PaperExample) -> list[Row]:
    curve = curve_by("both", example)
    return [
        *_steps(model, example, curve),
        *_normalisation(model, example, curve),
        *_still_a_curve(model, curve),
        *_threshold(model, example),
        *(_figure_2(example, curve) if model == "C1" else []),
        *drawn_rows("§4.2", model, curve),
    ]


def climbs_of(example: PaperExample) -> tuple[float, ...]:
    """Return how far each example climbs, by the words of the paper: s if right, else 1 − s.

    >>> climbs_of(PaperExample((1, 0, 0), (0.75, 0.625, 0.25), "mine"))
    (0.75, 0.375, 0.25)
    """
    return tuple(
        s if (s >= THRESHOLD) == (label == 1) else 1 - s for label, s in signed_scores(example)
    )


def _steps(model: str, example: PaperExample, curve: Curve) -> list[Row]:
    here, climbs = at(f"§4.2, {model}"), climbs_of(example)
    return [
        here.formula(
            "climbs, before they are normalised",
            "sᵢ if classified correctly, else 1 − sᵢ",
            climbs,
            steps_of(curve.walk.up),
        ),
        here.formula(
            "runs, before they are normalised",
            "1 − sᵢ if classified correctly, else sᵢ",
            tuple(1 - climb for climb in climbs),
            steps_of(curve.walk.right),
        ),
    ]


def _normalisation(model: str, example: PaperExample, curve: Curve) -> list[Row]:
    here, pairs = at(f"§4.2, {model}"), zip(example.y_true, example.y_prob, strict=True)
    parts = [tally([y], [s], steps="both", threshold=THRESHOLD) for y, s in pairs]
    whole = Tally.merge(parts)
    totals = float(whole.total_up), float(whole.total_right)
    return [
        here.unprinted(
            "normalisation: all climbs and all runs, added up",
            (float(curve.walk.up[-1]), float(curve.walk.right[-1])),
            "Left out for want of space. Each direction is divided by its total.",
        ),
        here.statement(
            "the same totals, from one example after the other",
            "can be calculated incrementally",
            totals,
            holds=np.allclose(totals, (curve.walk.up[-1], curve.walk.right[-1])),
        ),
    ]


def _still_a_curve(model: str, curve: Curve) -> list[Row]:
    here, ups, rights = at(f"§4.2, {model}"), *map(steps_of, (curve.walk.up, curve.walk.right))
    start, stop = ((curve.fpr[k], curve.tpr[k]) for k in (0, -1))
    smallest = min(*ups, *rights)
    return [
        here.statement(
            "an ROC curve still",
            "all properties preserved",
            f"from {point_text(*start)} to {point_text(*stop)} in {len(ups)} steps, none below "
            f"{text_of(smallest)}",
            holds=start == (0, 0) and stop == (1, 1) and smallest >= 0,
        ),
        here.formula(
            "its area over pairs",
            "the definition of the area remains valid",
            over_pairs(ups, rights),
            curve.area,
            "Over all pairs of a climb and a later run; an example with itself counts half.",
        ),
    ]


def over_pairs(ups: tuple[float, ...], rights: tuple[float, ...]) -> float:
    """Return the area of steps that are taken one after the other, pair by pair.

    >>> over_pairs((1.0, 0.0), (0.0, 1.0)), over_pairs((0.5, 0.5), (0.5, 0.5))
    (1.0, 0.5)
    """
    weights = [[(i < j) + 0.5 * (i == j) for j in range(len(rights))] for i in range(len(ups))]
    return float(np.array(ups) @ np.array(weights) @ np.array(rights)) / (sum(ups) * sum(rights))


def _threshold(model: str, example: PaperExample) -> list[Row]:
    here, (m_plus, m_minus) = at(f"§4.2, {model}"), class_means(example)
    n_plus, n_minus = map(len, class_scores(example))
    c = n_plus / (n_plus + n_minus)
    ours = tally(example.y_true, example.y_prob, steps="both", threshold="mean").threshold
    assert ours is not None
    middle = (m_plus + m_minus) / 2
    return [
        here.formula(
            "threshold where scores are not calibrated",
            "the mean of m⁺ and m⁻, weighted by c = n⁺ / n",
            c * m_plus + (1 - c) * m_minus,
            ours,
            "It is the mean of all scores. The paper takes it from training data; here from Table "
            "1 itself.",
        ),
        here.statement(
            "that threshold, and the middle of m⁺ and m⁻",
            "close to the middle",
            (ours, middle),
            holds=abs(ours - middle) < (m_plus - m_minus) / 4,
            reason="Equal here, with as many positives as negatives. The fewer one class has, the "
            "nearer the threshold lies to the mean of the other.",
        ),
    ]


def _figure_2(example: PaperExample, soft: Curve) -> list[Row]:
    here, bare = at("§4.2, Figure 2, C1"), curve_of(example)
    positive, negative = class_scores(example)
    rates = np.unique([*bare.fpr, *soft.fpr])
    lag = highest_tpr(bare.walk, rates) - highest_tpr(soft.walk, rates)
    return [
        here.statement(
            "the curve against the ordinary one",
            "more pessimistic",
            f"TPR lower by {text_of(float(lag.min()))} to {text_of(float(lag.max()))}; area "
            f"{text_of(soft.area)} under {text_of(bare.area)}",
            holds=bool((lag >= 0).all()) and soft.area < bare.area,
        ),
        here.statement(
            "scores that bring a penalty",
            "positives below 1, negatives above 0: all",
            f"positives up to {text_of(max(positive))}, negatives from {text_of(min(negative))}",
            holds=max(positive) < 1 and min(negative) > 0,
        ),
    ]


def _told_apart(examples: Examples) -> Row:
    areas = {
        steps: tuple(curve_by(steps, example).area for example in models(examples).values())
        for steps in ("truth", "single", "both")
    }
    return at("§5, both models").statement(
        "areas of C1 and C2: ordinary, in a single direction, in both",
        "the soft curve takes the scores in, the ordinary one does not",
        "; ".join(text_of(pair) for pair in areas.values()),
        holds=[len(set(pair)) for pair in areas.values()] == [1, 2, 2],
    )
