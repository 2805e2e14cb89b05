"""Methodology: how much of each class an instance is, and how far it steps (Figure 3)."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.papers.truth.place import HARD, SCORES, SOFT, at, columns_of, numbers
from rocwalk.truth.agreement import votes_to_truth

EXPERTS = 100
BETWEEN = 0.775
_TRUTHS = "0.83 0.9 0.72 0.25 0.34 0.5 0.4 0.96 0.29 0.6 0.2 0.15"


def rows(examples: Examples) -> list[Row]:
    """Return the votes, Eqs. 4 and 5, the segments, and the table of Figure 3."""
    curve = curve_of(examples[SOFT])
    return [
        _votes(examples),
        *_totals(examples, curve),
        *_hard_segments(examples),
        *_table(examples, curve),
        *_first_segment(examples, curve),
        *_segments(examples, curve),
    ]


def _votes(examples: Examples) -> Row:
    truth, _ = columns_of(examples[SOFT])
    said = np.arange(EXPERTS) < np.rint(EXPERTS * truth)[:, None]
    ours = numbers(votes_to_truth(said.astype(float)))
    return at("Methodology").formula(
        "f of each instance from votes of 0 and 1",
        "the average score given by the experts",
        numbers(truth),
        ours,
        f"The paper prints no votes; ours are {EXPERTS} for each instance.",
    )


def _totals(examples: Examples, curve: Curve) -> list[Row]:
    truth, _ = columns_of(examples[SOFT])
    return [
        at("Methodology, Eq. 4").formula(
            "positive classes", "Σ f(i)", truth.sum(), float(curve.walk.up[-1])
        ),
        at("Methodology, Eq. 5").formula(
            "negative classes",
            "m − Σ f(i)",
            len(truth) - truth.sum(),
            float(curve.walk.right[-1]),
            "The text calls the number of instances m, and j once more; j is never used.",
        ),
    ]


def _hard_segments(examples: Examples) -> list[Row]:
    here, curve = at("Methodology, truth 0 or 1"), curve_of(examples[HARD])
    truth, _ = columns_of(examples[HARD])
    ups, rights = np.diff(curve.tpr), np.diff(curve.fpr)
    return [
        here.statement(
            "segments of Figure 1 where f is exactly 1",
            "vertical, 1 / Pos_Classes long",
            f"{(truth == 1).sum()} of {text_of(float(ups.max()))}",
            holds=np.allclose(ups[truth == 1], 1 / truth.sum()) and not rights[truth == 1].any(),
        ),
        here.statement(
            "segments of Figure 1 where f is exactly 0",
            "horizontal, 1 / Neg_Classes long",
            f"{(truth == 0).sum()} of {text_of(float(rights.max()))}",
            holds=np.allclose(rights[truth == 0], 1 / (1 - truth).sum())
            and not ups[truth == 0].any(),
        ),
    ]


def _table(examples: Examples, curve: Curve) -> list[Row]:
    here, truth = at("Methodology, Figure 3"), numbers(columns_of(examples[SOFT])[0])
    scores = numbers(curve.thresholds[1:])
    ours = numbers(np.diff(curve.walk.up))
    return [
        here.statement(
            "p(i): the thresholds of the walk",
            SCORES,
            scores,
            holds=scores == tuple(map(float, SCORES.split())),
        ),
        here.statement(
            "f(i): the steps of the walk",
            _TRUTHS,
            ours,
            holds=np.allclose(ours, truth) and truth == tuple(map(float, _TRUTHS.split())),
        ),
    ]


def _first_segment(examples: Examples, curve: Curve) -> list[Row]:
    here, (truth, _) = at("Methodology, Figure 3"), columns_of(examples[SOFT])
    point = curve.at(BETWEEN)
    return [
        here.formula(
            "first segment: FPR at its end",
            "(1 − f) / Neg_Classes",
            (1 - truth[0]) / (1 - truth).sum(),
            float(curve.fpr[1]),
        ),
        here.formula(
            "first segment: TPR at its end",
            "f / Pos_Classes",
            truth[0] / truth.sum(),
            float(curve.tpr[1]),
        ),
        here.statement(
            f"point for a threshold between 0.8 and 0.75, here {BETWEEN}",
            "the end of the first segment",
            point_text(point.fpr, point.tpr),
            holds=(point.fpr, point.tpr) == (curve.fpr[1], curve.tpr[1]),
        ),
    ]


def _segments(examples: Examples, curve: Curve) -> list[Row]:
    here, (truth, _) = at("Methodology, Figure 3"), columns_of(examples[SOFT])
    ups, rights = np.diff(curve.tpr), np.diff(curve.fpr)
    angled = int(((ups > 0) & (rights > 0)).sum())
    angles = numbers(np.degrees(np.arctan2(ups, rights)))
    order = np.argsort(truth, kind="stable")
    return [
        here.formula(
            "all segments: change of TPR",
            "f(i) / Pos_Classes",
            numbers(truth / truth.sum()),
            numbers(ups),
        ),
        here.formula(
            "all segments: change of FPR",
            "(1 − f(i)) / Neg_Classes",
            numbers((1 - truth) / (1 - truth).sum()),
            numbers(rights),
        ),
        here.statement(
            "angle of each segment, degrees",
            "angled, by the probability of the positive class",
            angles,
            holds=angled == len(truth) and bool((np.diff(np.array(angles)[order]) >= 0).all()),
            reason="The larger f, the steeper.",
        ),
    ]
