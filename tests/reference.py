"""Slow references, written differently from the library on purpose: pairs, fractions, loops."""

from __future__ import annotations

from fractions import Fraction
from itertools import product


def step(rule, f, s, w=1, t=Fraction(1, 2)):
    """The step of one item, straight from the table of rules."""
    u, r = {
        "truth": (w * f, w * (1 - f)),
        "single": (w * f * s, w * (1 - f) * (1 - s)),
        "blind": (w * s, w * (1 - s)),
    }.get(rule, (None, None))
    if rule == "both":
        u = w * (f * s + (1 - f) * (1 - s)) if s >= t else w * (f * (1 - s) + (1 - f) * s)
        r = w - u
    return u, r


def exact(values):
    """Read decimals as the fractions that they print as."""
    return [Fraction(str(value)) for value in values]


def auc_by_pairs(truth, scores, weights=None, rule="truth", t=Fraction(1, 2)):
    """Σᵢⱼ uᵢ·rⱼ·[1(sᵢ > sⱼ) + ½·1(sᵢ = sⱼ)] / (U·R), over all pairs."""
    weights = [1] * len(truth) if weights is None else weights
    steps = [step(rule, f, s, w, t) for f, s, w in zip(truth, scores, weights, strict=True)]
    won = sum(
        u * r * ((si > sj) + Fraction((si == sj), 2))
        for (si, (u, _)), (sj, (_, r)) in product(zip(scores, steps, strict=True), repeat=2)
    )
    return won / (sum(u for u, _ in steps) * sum(r for _, r in steps))


def points_by_threshold(truth, scores, weights=None):
    """(fpr, tpr, threshold) by asking each threshold anew."""
    weights = [1] * len(truth) if weights is None else weights
    rows = list(zip(truth, scores, weights, strict=True))
    up, right = sum(w * f for f, _, w in rows), sum(w * (1 - f) for f, _, w in rows)
    thresholds = [float("inf"), *sorted(set(scores), reverse=True)]
    return [
        (
            sum(w * (1 - f) for f, s, w in rows if s >= t) / right,
            sum(w * f for f, s, w in rows if s >= t) / up,
            t,
        )
        for t in thresholds
    ]


def hull_by_brute_force(points):
    """Keep a point if no line between two others passes on or above it."""
    kept = []
    for x, y, t in points:
        if (x, y) in ((0, 0), (1, 1)):
            kept.append((x, y, t))
            continue
        covered = any(
            (x1, y1) != (x, y)
            and (x2, y2) != (x, y)
            and x1 <= x <= x2
            and (y1 + (y2 - y1) * (x - x1) / (x2 - x1) >= y if x2 > x1 else max(y1, y2) > y)
            for (x1, y1, _), (x2, y2, _) in product(points, repeat=2)
        )
        if not covered:
            kept.append((x, y, t))
    return kept
