"""Ways to a threshold: for a model, a validation part and conditions, the score from which on
"positive" is predicted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

import rocwalk as rw

from .conditions import Conditions

WIDTHS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
TRIED = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # widths that cross-validation chooses from
FOLDS = 5
LOGIT_WIDTHS = (0.5, 1.0, 2.0, 4.0)
CONCENTRATIONS = (3.0, 10.0, 30.0, 100.0, 300.0)
TINY = 1e-6  # scores of 0 and 1 are moved by this before their log-odds are taken


@dataclass(frozen=True)
class Validation:
    """Labels and probabilities of a validation part, and the conditions of use."""

    y: np.ndarray
    p: np.ndarray
    conditions: Conditions
    rng: np.random.Generator

    @cached_property
    def tally(self) -> rw.Tally:
        return rw.tally(self.y, self.p)

    @cached_property
    def curve(self) -> rw.Curve:
        return rw.roc(self.tally)

    @cached_property
    def matched(self) -> rw.WidthMatch:
        return rw.matched_width(self.tally)


Method = Callable[[Validation], np.ndarray]


# -- from curves -----------------------------------------------------------------------------------


def best_vertex(curve: rw.Curve, slopes: np.ndarray) -> np.ndarray:
    """Return the vertex that maximises TPR − m·FPR for each slope; on a tie that of least FPR."""
    gains = curve.tpr[None, :] - slopes[:, None] * curve.fpr[None, :]
    return np.argmax(gains >= gains.max(axis=1, keepdims=True) - 1e-12, axis=1)


def by_hull(data: Validation) -> np.ndarray:
    """The threshold of the best vertex of the ROC hull: the lowest score called positive."""
    hull = data.curve.hull
    return hull.thresholds[best_vertex(hull, data.conditions.slopes)]


def by_hull_between(data: Validation) -> np.ndarray:
    """Half-way between the lowest score called positive and the next one below it."""
    return between_scores(data, np.searchsorted(np.sort(-data.p), -by_hull(data), side="right"))


def between_scores(data: Validation, counts: np.ndarray) -> np.ndarray:
    """Return the middle between the k-th and the (k+1)-th score; infinite for none and for all."""
    scores = np.concatenate(([math.inf], -np.sort(-data.p), [-math.inf]))
    with np.errstate(invalid="ignore"):
        return (scores[counts] + scores[counts + 1]) / 2


def by_position(curve: rw.Curve, data: Validation) -> np.ndarray:
    """The position on the score axis of the best point of a smeared curve."""
    return curve.thresholds[best_vertex(curve, data.conditions.slopes)]


def by_best(curve: rw.SmearedCurve, data: Validation) -> np.ndarray:
    """The position of the best point itself, which may lie between two points of the polyline."""
    slopes = data.conditions.slopes
    return curve.data.best_places(best_vertex(curve, slopes), slopes)


def by_count(curve: rw.Curve, data: Validation) -> np.ndarray:
    """The paper's reading: as many positives as at the best point, as a cut between two scores."""
    best = best_vertex(curve, data.conditions.slopes)
    positives = int(data.y.sum())
    counts = curve.tpr[best] * positives + curve.fpr[best] * (len(data.y) - positives)
    return between_scores(data, np.floor(counts + 0.5).astype(int))


Reading = Callable[[rw.Curve, Validation], np.ndarray]


def smeared(width: float, read: Reading = by_position, kernel: str = "uniform") -> Method:
    """From the curve smeared to a fixed width."""
    return lambda data: read(rw.smeared_roc(data.tally, width=width, kernel=kernel), data)


def matched(read: Reading = by_position) -> Method:
    """From the curve of the matched width, or of the nearest one where none matches."""

    def method(data: Validation) -> np.ndarray:
        width = data.matched.nearest_width
        if math.isinf(width):
            return by_hull(data)
        return read(rw.smeared_roc(data.tally, width=width), data)

    return method


def rule_of_thumb(values: np.ndarray) -> float:
    """Silverman's bandwidth as the width of a segment with the same standard deviation."""
    quartiles = np.subtract(*np.percentile(values, [75, 25])) / 1.34
    spreads = [each for each in (values.std(ddof=1), quartiles) if each > 0]
    return math.sqrt(12) * 0.9 * min(spreads, default=0.0) * len(values) ** -0.2


def by_rule_of_thumb(data: Validation) -> np.ndarray:
    """From the curve smeared to Silverman's width."""
    width = rule_of_thumb(data.p)
    return by_position(rw.smeared_roc(data.tally, width=width), data) if width else by_hull(data)


def by_cross_validation(data: Validation) -> np.ndarray:
    """From the curve of the width that loses least in five folds of the validation part.

    One width for all conditions of a world; of equal ones the smallest.
    """
    fold = np.empty(len(data.y), dtype=int)
    for label in (0, 1):
        rows = data.rng.permutation(np.flatnonzero(data.y == label))
        fold[rows] = np.arange(len(rows)) % FOLDS
    total = np.zeros((len(TRIED), len(data.conditions.slopes)))
    for held in range(FOLDS):
        inside, outside = fold != held, fold == held
        if len(np.unique(data.y[outside])) < 2:
            continue  # its rates are undefined
        tally = rw.tally(data.y[inside], data.p[inside])
        curve = rw.roc(data.y[outside], data.p[outside])
        for k, width in enumerate(TRIED):
            smear = rw.smeared_roc(tally, width=width)
            total[k] += data.conditions.losses(curve, by_position(smear, data))
    by_worlds = total.reshape(len(TRIED), 2, -1).sum(axis=2)
    found = [by_position(rw.smeared_roc(data.tally, width=w), data) for w in TRIED]
    chosen = [found[k].reshape(2, -1)[world] for world, k in enumerate(by_worlds.argmin(axis=0))]
    return np.concatenate(chosen)


# -- from probabilities ----------------------------------------------------------------------------


def by_raw_score(data: Validation) -> np.ndarray:
    """c itself: right if the scores are probabilities, and blind to the validation part."""
    return data.conditions.cuts


def by_isotonic(data: Validation) -> np.ndarray:
    """Where the isotonic calibration, linear between its steps, reaches c."""
    fit = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(data.p, data.y)
    x, level = fit.X_thresholds_, fit.y_thresholds_
    cuts = data.conditions.cuts
    after = np.searchsorted(level, cuts, side="left")
    at = np.where(after == 0, -math.inf, math.inf)
    inner = (after > 0) & (after < len(level))
    k = after[inner]
    share = (cuts[inner] - level[k - 1]) / (level[k] - level[k - 1])
    at[inner] = x[k - 1] + share * (x[k] - x[k - 1])
    return at


def log_odds(p: np.ndarray) -> np.ndarray:
    """Return ln p/(1 − p), finite also for scores of 0 and 1."""
    inside = np.clip(p, TINY, 1 - TINY)
    return np.log(inside) - np.log1p(-inside)


def by_platt(data: Validation) -> np.ndarray:
    """Where a logistic curve in the log-odds of the score reaches c.

    The targets are Platt's, (n⁺ + 1)/(n⁺ + 2) and 1/(n⁻ + 2), so that the curve is finite. If it
    does not rise, all rows are called what costs less.
    """
    x = log_odds(data.p)
    n = np.bincount(data.y, minlength=2)
    target = np.where(data.y == 1, (n[1] + 1) / (n[1] + 2), 1 / (n[0] + 2))
    centre, spread = x.mean(), x.std() or 1.0
    columns = np.tile((x - centre) / spread, 2)[:, None]
    label = np.repeat([1, 0], len(x))
    weight = np.concatenate([target, 1 - target])
    fit = LogisticRegression(C=np.inf).fit(columns, label, sample_weight=weight)
    slope, shift = float(fit.coef_[0, 0]), float(fit.intercept_[0])
    odds = log_odds(data.conditions.cuts)
    if slope <= 1e-6:
        return np.where(odds <= math.log(n[1] / n[0]), -math.inf, math.inf)
    return 1 / (1 + np.exp(-(centre + spread * (odds - shift) / slope)))


# -- kernels that stay inside [0, 1] ---------------------------------------------------------------


def by_kernel(read: Reading = by_position, **options: object) -> Method:
    """From the curve of a kernel with a fixed width or concentration."""
    return lambda data: read(rw.smeared_roc(data.tally, **options), data)


def by_rule_of_thumb_in_log_odds(data: Validation) -> np.ndarray:
    """From the logit curve of Silverman's width of the log-odds."""
    width = rule_of_thumb(log_odds(data.p))
    return by_kernel(kernel="logit", width=width)(data) if width else by_hull(data)


def by_matched_logit(data: Validation) -> np.ndarray:
    """From the logit curve of the matched width, or of the nearest one; the hull if infinite."""
    width = rw.matched_width(data.tally, kernel="logit").nearest_width
    return by_hull(data) if math.isinf(width) else by_kernel(kernel="logit", width=width)(data)


METHODS: dict[str, Method] = {
    "ROC hull": by_hull,
    "ROC hull, between scores": by_hull_between,
    **{f"uniform, d = {width:g}": smeared(width) for width in WIDTHS},
    "uniform, d = 0.2, by count": smeared(0.2, by_count),
    "uniform, matched": matched(),
    "uniform, matched, by count": matched(by_count),
    "uniform, rule of thumb": by_rule_of_thumb,
    "uniform, cross-validated": by_cross_validation,
    "normal, d = 0.2": smeared(0.2, kernel="normal"),
    "isotonic": by_isotonic,
    "Platt": by_platt,
    "raw score": by_raw_score,
}

LOGIT: dict[str, Method] = {
    **{f"logit, d = {d:g}": by_kernel(kernel="logit", width=d) for d in LOGIT_WIDTHS},
    "logit, rule of thumb": by_rule_of_thumb_in_log_odds,
    "logit, matched": by_matched_logit,
}

BETA: dict[str, Method] = {
    "ROC hull": by_hull,
    **{
        f"beta, κ = {k:g}": by_kernel(by_best, kernel="beta", concentration=k)
        for k in CONCENTRATIONS
    },
}
