"""Bands around a ROC curve: simultaneous (DKW, fixed width) and pointwise (SPEC §9).

A simultaneous band holds the whole true curve with the stated confidence. Both methods slide the
curve by (−e⁻, +e⁺) and by (+e⁻, −e⁺); they differ in how far. A pointwise band holds the true TPR
at each FPR taken alone, and the whole curve much less often.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocwalk.errors import OneClassError, OptionError, one_of
from rocwalk.measure.bounds import refuse_buckets
from rocwalk.measure.thinning import spread
from rocwalk.typing import FloatArray
from rocwalk.uncertainty.closed import effective_sizes, wilson
from rocwalk.uncertainty.evidence import Evidence, refuse_few
from rocwalk.uncertainty.question import check_level, normal_quantile
from rocwalk.uncertainty.resample import Plan, Resampler, coarse, run_blocks
from rocwalk.walk.curve import Walk, refuse_one_class, walk_of
from rocwalk.walk.tally import Tally

METHODS = {"simultaneous": ("fixed-width", "dkw"), "pointwise": ("percentile",)}
_MOST_RATES = 2**8  # a pointwise band is computed at so many rates at most
_EVEN_RATES = 65  # of which so many lie evenly, for curves of few points
_GIVES_WAY = 1e-12  # so far beyond an edge a curve touches it still


@dataclass(frozen=True, slots=True)
class BandQuestion:
    """What is asked for: kind, method, level, and the plan of a bootstrap."""

    kind: str
    method: str
    level: float
    plan: Plan

    def __post_init__(self) -> None:
        check_level(self.level)
        one_of("kind", self.kind, METHODS)
        one_of(
            "method", self.method, ("auto", *(name for names in METHODS.values() for name in names))
        )
        if self.method not in ("auto", *METHODS[self.kind]):
            raise OptionError(
                f"method={self.method!r} does not make a {self.kind} band.",
                f"for kind={self.kind!r} use {' or '.join(map(repr, METHODS[self.kind]))}.",
            )

    @property
    def chosen(self) -> str:
        """The method; "auto" takes the first of its kind."""
        return METHODS[self.kind][0] if self.method == "auto" else self.method


@dataclass(frozen=True, eq=False)
class Edges:
    """The lower and the upper edge of a band, and how they were made.

    `reach` is how far the curve was slid, (e⁻, e⁺); `failed` counts replicates without a curve.
    """

    lower: Walk
    upper: Walk
    method: str
    reach: tuple[float, float] | None = None
    failed: int = 0


def edges_of(evidence: Evidence, question: BandQuestion) -> Edges:
    """Return the edges of the band, by the method that is asked for or that suits.

    Of buckets the lower edge is that of the lowest curve and the upper edge that of the highest
    that they allow: sliding keeps the order of curves, so these hold the edges of any order.
    """
    refuse_one_class(walk_of(evidence.tally))
    refuse_few(evidence)
    if evidence.tally.is_bucketed:
        return _edges_of_buckets(evidence, question)
    return _MAKERS[question.chosen](_as_counts(evidence), question)


def _edges_of_buckets(evidence: Evidence, question: BandQuestion) -> Edges:
    """Return the DKW band of a bucketed tally; all other bands are resampled and need the order."""
    if question.kind != "simultaneous" or question.method == "fixed-width":
        refuse_buckets(evidence.tally, f"A {question.kind} band by a bootstrap")
    weight = evidence.even_weight
    if weight is None:
        refuse_buckets(evidence.tally, "A band of soft or weighted items")
    low, high = (_dkw(_counts(one, weight or 1.0), question) for one in evidence.tally.extremes)
    return Edges(low.lower, high.upper, "dkw", low.reach)


def _as_counts(evidence: Evidence) -> Evidence:
    """Return counts where every item has the same weight, so that this weight changes nothing."""
    weight, tally = evidence.even_weight, evidence.tally
    if weight is None or tally.is_counts or evidence.cluster is not None:
        return evidence
    return _counts(tally, weight)


def _counts(tally: Tally, weight: float) -> Evidence:
    up, right = (np.rint(mass / weight).astype(np.int64) for mass in (tally.up, tally.right))
    return Evidence(Tally(tally.scores, up, right, tally.steps, tally.threshold))


def hardness(evidence: Evidence) -> float:
    """Return 1 − 4·Σur / Σ(u + r)²: 1 for hard labels, 0 where all truth is one half.

    The additions for few items rest on items that belong to one class; soft items need less.
    """
    tally = evidence.tally
    both = float(tally.up_right.sum())
    return 1 - 4 * both / (float(tally.up_squared.sum() + tally.right_squared.sum()) + 2 * both)


# -- edges ---------------------------------------------------------------------------------------


def walk_through(fpr: FloatArray, tpr: FloatArray) -> Walk:
    """Return a walk from (0, 0) through some points to (1, 1), with neither masses nor scores."""
    right = np.concatenate(([0.0], fpr, [1.0]))
    up = np.maximum.accumulate(np.concatenate(([0.0], tpr, [1.0])))
    kept = np.append(True, (np.diff(right) > 0) | (np.diff(up) > 0))
    return Walk(np.full(int(kept.sum()), np.nan), up[kept], right[kept], None)


def slid(walk: Walk, right: float, up: float) -> Walk:
    """Return the walk slid by (right, up), of unlike signs, and cut to the unit square.

    Beyond its ends the walk goes on along the sides of the square: an upper edge is 1 on the right
    of where the slid walk ends, a lower edge is 0 on the left of where it begins.
    """
    at_fpr = min(max(-right if right < 0 else 1 - right, 0.0), 1.0)  # here it crosses a side
    at_tpr = min(max(-up if up < 0 else 1 - up, 0.0), 1.0)
    fpr = np.append(walk.fpr, (at_fpr, np.interp(at_tpr, walk.tpr, walk.fpr)))
    tpr = np.append(walk.tpr, (np.interp(at_fpr, walk.fpr, walk.tpr), at_tpr))
    order = np.lexsort((tpr, fpr))
    return walk_through(np.clip(fpr[order] + right, 0.0, 1.0), np.clip(tpr[order] + up, 0.0, 1.0))


def sides(fpr: FloatArray, tpr: FloatArray, at: FloatArray) -> FloatArray:
    """Return the TPR of a polyline on the left and on the right of each rate, as two rows.

    They differ where it jumps, and are its lowest and its highest TPR there.
    """
    left = np.interp(-at, -fpr[::-1], tpr[::-1])
    return np.stack((left, np.interp(at, fpr, tpr)))


def lies_inside(lower: Walk, upper: Walk, fpr: FloatArray, tpr: FloatArray) -> bool:
    """Return whether a curve, or a piece of one, lies wholly between two edges.

    All three are straight between their points, so it is enough to look at every point, and at
    either side of every jump. Touching an edge is inside: the edges give way by 10⁻¹².
    """
    low = lower.fpr + _GIVES_WAY, lower.tpr - _GIVES_WAY
    high = upper.fpr - _GIVES_WAY, upper.tpr + _GIVES_WAY
    places = np.unique(np.concatenate((low[0], high[0], fpr)))
    places = places[(places >= fpr[0]) & (places <= fpr[-1])]
    least, most, mine = (sides(*line, places) for line in (low, high, (fpr, tpr)))
    most[0, 0] = most[1, 0]  # nothing of a piece is left of where it begins,
    least[1, -1] = least[0, -1]  # nor right of where it ends
    return bool(np.all((least <= mine) & (mine <= most)))


# -- simultaneous --------------------------------------------------------------------------------


def _dkw(evidence: Evidence, question: BandQuestion) -> Edges:
    """Return the band of Dvoretzky, Kiefer & Wolfowitz (1956), with Massart's (1990) constant.

    Each class's distribution lies within e = √(ln(2/α′)/(2n)) of the observed one with confidence
    1 − α′ = √(1 − α), so both do with 1 − α; and then the true curve lies in
    [TPR(x − e⁻) − e⁺, TPR(x + e⁻) + e⁺].
    """
    if not evidence.is_counts:
        raise OptionError(
            "method='dkw' is for hard labels of one weight, without clusters.",
            "use 'fixed-width', which takes soft truth, weights and clusters.",
        )
    far = math.sqrt(math.log(2 / (1 - math.sqrt(question.level))) / 2)
    return _slid_edges(evidence, far, "dkw")


def _fixed_width(evidence: Evidence, question: BandQuestion) -> Edges:
    """Return the band that holds the wanted share of bootstrap curves wholly (Campbell 1994).

    The curve is slid along lines on which both rates move by the same number d of standard errors,
    d/√n⁻ and d/√n⁺. Two additions keep the promise for few items: half an item of the rarer class,
    because replicates jump at the scores where the curve jumps and so miss half a jump; and never
    less than the rule of three, 1 − α^(1/n): no smaller rate can be told from 0 with n items. Both
    count as much as the truth is hard.
    """
    distances = _distances(evidence, question.plan)
    found = np.sort(distances[~np.isnan(distances)])
    _refuse_too_few(len(found))
    wanted = float(found[math.ceil(question.level * len(found)) - 1])
    sizes = effective_sizes(evidence)
    half = 0.5 / math.sqrt(min(sizes))
    three = max(math.sqrt(n) * (1 - (1 - question.level) ** (1 / n)) for n in sizes)
    far = max(wanted + hardness(evidence) * half, hardness(evidence) * three)
    return _slid_edges(evidence, far, "fixed-width", len(distances) - len(found))


def _slid_edges(evidence: Evidence, far: float, method: str, failed: int = 0) -> Edges:
    """Return the edges of a curve that is slid so many standard errors to either side."""
    n_up, n_right = effective_sizes(evidence)
    walk, right, up = walk_of(evidence.tally), far / math.sqrt(n_right), far / math.sqrt(n_up)
    return Edges(slid(walk, right, -up), slid(walk, -right, up), method, (right, up), failed)


def _distances(evidence: Evidence, plan: Plan) -> FloatArray:
    """Return how many standard errors the curve must be slid until a replicate lies inside.

    The lines along which it is slid are those of constant w = √n⁻·FPR + √n⁺·TPR. On each of them
    the curve has one point and the replicate has one. So both are functions TPR(w), straight
    between points, and the answer is √n⁺ times their largest difference.
    """
    up, right = (math.sqrt(n) for n in effective_sizes(evidence))
    evidence = coarse(evidence)
    walk = walk_of(evidence.tally)

    def way(fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        return (right * fpr + up * tpr) / (right + up)

    def distances(fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        mine, theirs = way(walk.fpr, walk.tpr), way(fpr, tpr)
        at_theirs = np.interp(theirs.ravel(), mine, walk.tpr).reshape(tpr.shape) - tpr
        at_mine = _read_rows(theirs, tpr, mine) - walk.tpr
        gaps = np.hstack((at_theirs, at_mine))
        largest: FloatArray = up * np.abs(gaps, out=gaps).max(axis=1)
        return largest

    return _replicated(evidence, plan, distances)


# -- pointwise -----------------------------------------------------------------------------------


def _percentile(evidence: Evidence, question: BandQuestion) -> Edges:
    """Return the percentiles of the replicates' TPR on the left and on the right of each rate.

    They are widened to Wilson's interval of that TPR as a share of n⁺ items, which is what a known
    threshold would leave unknown; so they do not shrink to a point where the TPR is 0 or 1. The
    softer the truth, the less of this is needed and done.
    Between two rates the edges are straight; but where the rates are not all those at which the
    curve bends, the lower edge keeps the value of the rate before and the upper edge takes that of
    the rate after.
    """
    walk = walk_of(evidence.tally)
    rates, are_all = _rates_to_read(walk)
    values = _tprs_at(evidence, rates, question.plan)
    kept = values[~np.isnan(values[:, 0])]
    _refuse_too_few(len(kept))
    tails = ((1 - question.level) / 2, (1 + question.level) / 2)
    low, high = np.quantile(kept, tails, axis=0).reshape(2, 2, -1)
    own = sides(walk.fpr, walk.tpr, rates)
    least = own + hardness(evidence) * (_wilson_at(own, evidence, question.level) - own)
    low, high = np.minimum(low, least[0]), np.maximum(high, least[1])
    if not are_all:
        low[0, 1:], high[1, :-1] = low[1, :-1], high[0, 1:]
    lower, upper = (walk_through(np.repeat(rates, 2), edge.T.ravel()) for edge in (low, high))
    return Edges(lower, upper, "percentile", None, len(values) - len(kept))


def _wilson_at(shares: FloatArray, evidence: Evidence, level: float) -> FloatArray:
    """Return the lower and the upper ends of Wilson's intervals of shares of the positives."""
    count, z = effective_sizes(evidence)[0], normal_quantile(0.5 + level / 2)
    ends = [wilson(float(share), count, z) for share in shares.ravel()]
    return np.array(ends).T.reshape(2, *shares.shape)


def _rates_to_read(walk: Walk) -> tuple[FloatArray, bool]:
    """Return the rates of the curve and some even ones, and True; or if too many a part of them."""
    rates = np.union1d(walk.fpr, np.linspace(0.0, 1.0, _EVEN_RATES))
    if len(rates) <= _MOST_RATES:
        return rates, True
    return np.unique(walk.fpr[spread(walk.fpr + walk.tpr, _MOST_RATES)]), False


def _tprs_at(evidence: Evidence, rates: FloatArray, plan: Plan) -> FloatArray:
    """Return the TPR of each replicate on the left of all the rates, then on the right of them."""

    def read(fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        left = _read_rows(-fpr[:, ::-1], tpr[:, ::-1], -rates)
        return np.hstack((left, _read_rows(fpr, tpr, rates)))

    return _replicated(coarse(evidence), plan, read, 4 * len(rates))


# -- replicates ----------------------------------------------------------------------------------


def _replicated(
    evidence: Evidence,
    plan: Plan,
    of: Callable[[FloatArray, FloatArray], FloatArray],
    numbers: int = 0,
) -> FloatArray:
    """Return a function of the FPRs and TPRs of all replicates; NaN where there is no curve.

    Counts are resampled class by class, all else item by item or cluster by cluster.
    """
    if not evidence.is_counts:
        evidence.need_items("The bootstrap of this band")
    resampler = Resampler(evidence, stratified=evidence.is_counts)

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        tpr, fpr = (_rates_by_row(mass) for mass in resampler.draw(rng, times))
        values = of(fpr, tpr)
        values[(fpr[:, -1] < 1) | (tpr[:, -1] < 1)] = np.nan
        return values

    return run_blocks(plan, max(resampler.width, numbers), work)


def _rates_by_row(mass: FloatArray) -> FloatArray:
    """Return the cumulative shares of each row, from 0 to 1; all 0 where there is no mass."""
    total = np.zeros((mass.shape[0], mass.shape[1] + 1))
    np.cumsum(mass, axis=1, out=total[:, 1:])
    whole = total[:, -1:]
    return np.divide(total, whole, out=np.zeros_like(total), where=whole > 0)


def _read_rows(x: FloatArray, y: FloatArray, at: FloatArray) -> FloatArray:
    """Return the y of each row's polyline at the same places, the last where it jumps.

    The rows are laid end to end, 2 apart, so that all of them are read at once.
    """
    apart = 2.0 * np.arange(len(x))[:, None]
    read: FloatArray = np.interp((at + apart).ravel(), (x + apart).ravel(), y.ravel())
    return read.reshape(len(x), len(at))


def _refuse_too_few(found: int) -> None:
    if found < 2:
        raise OneClassError(
            "Fewer than two replicates have a curve.",
            "there are too few items of one class for a bootstrap, or n_resamples is too small.",
        )


_MAKERS = {"dkw": _dkw, "fixed-width": _fixed_width, "percentile": _percentile}
