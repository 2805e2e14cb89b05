"""Cells of scores, and the local linear regression of outcomes on them.

Everything about calibration that smooths, draws or resamples works on at most about 768 cells: the
rows of the tally where there are no more, else runs of neighbouring scores. A run holds at most
1/256 of the mass, spans at most 1/256 in the score, and at most 1/256 of the range of the logit.

The smooth calibration curve is g(s) = s + d(s), where d is the local linear regression of the
residual y − s on logit(s): weighted least squares with the tricube weights of the nearest `span` of
the mass (Cleveland 1979; Fan & Gijbels 1996). If the scores are probabilities, the residual has the
mean 0 at every score, so that the curve has no bias then, whatever the span. The curve is linear in
the outcomes; its variance follows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.curves.calibration import scores_of
from rocwalk.curves.hull import vertices_together
from rocwalk.inference.closed_forms import clopper_pearson
from rocwalk.inference.items import Evidence, Items
from rocwalk.inference.resampling import Plan, run_blocks
from rocwalk.tally.tally import read_only
from rocwalk.tally.walk import refuse_buckets
from rocwalk.typing import AnyArray, FloatArray, IntArray, MassArray

SPAN = 0.3
_MOST, _PARTS = 768, 256
_ROWS = 32  # of the smoother at once
_LEAST = np.finfo(np.float64).tiny
_TIE = 1e-9  # shares of mass that differ by less are equal


@dataclass(frozen=True, eq=False)
class Cells:
    """Scores in increasing order with their masses, and the smoother of a span.

    `observed` is the share of positive mass. `squares` are Σu², Σu·r and Σr² over the items.
    `starts` are the rows of the tally, counted from the lowest score, at which cells begin.
    """

    scores: FloatArray
    mass: FloatArray
    observed: FloatArray
    squares: tuple[FloatArray, FloatArray, FloatArray]
    starts: IntArray
    evidence: Evidence
    span: float

    @property
    def share(self) -> FloatArray:
        """The share of all mass in each cell."""
        shares: FloatArray = self.mass / self.mass.sum()
        return shares

    @property
    def residual(self) -> FloatArray:
        """The observed share minus the score."""
        return self.observed - self.scores

    @cached_property
    def logit(self) -> FloatArray:
        """The logit of the scores; infinite of 0 and 1."""
        with np.errstate(divide="ignore"):
            return read_only(np.log(self.scores) - np.log1p(-self.scores))

    @cached_property
    def smoother(self) -> FloatArray:
        """The matrix L of the local linear regression: d = L·residual.

        Scores of exactly 0 and 1 have no logit: they are fitted by their own mean.
        """
        whole = np.eye(len(self.scores))
        for places, near, weight in self._weights():
            whole[np.ix_(places, near)] = weight
        return whole

    def smoothed(self, residual: FloatArray) -> FloatArray:
        """Return d = L·residual of one column, without the matrix."""
        found = residual.copy()
        for places, near, weight in self._weights():
            found[places] = weight @ residual[near]
        return found

    def _weights(self) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
        """Yield some rows of L: their places, where they are not 0, and their values there."""
        inside = np.isfinite(self.logit)
        x, mass = self.logit[inside], self.mass[inside]
        if not len(x):
            return
        reach, places = _reach(x, mass, self.span), np.flatnonzero(inside)
        for start in range(0, len(x), _ROWS):  # in the cache
            rows = slice(start, start + _ROWS)
            own, far = x[rows, None], reach[rows, None]
            ends = float((own - far).min()), float((own + far).max())
            near = slice(np.searchsorted(x, ends[0]), np.searchsorted(x, ends[1], side="right"))
            apart = x[near]
            part = np.abs(own - apart)  # in place, because memory is what this loop waits for
            with np.errstate(over="ignore"):
                part /= np.maximum(far, _LEAST)  # 0 at the place itself, also where the reach is 0
            np.minimum(part, 1.0, out=part)
            rest = part * part
            rest *= part
            np.subtract(1.0, rest, out=rest)
            weight = rest * rest
            weight *= rest
            weight *= mass[near]
            weight /= weight.sum(axis=1, keepdims=True)
            middle = (weight @ apart)[:, None]
            np.subtract(apart, middle, out=part)
            pull = np.multiply(weight, part, out=rest)
            spread = np.einsum("ij,ij->i", pull, part)[:, None]
            wide = spread > 1e-12 * np.maximum(far, 1e-300) ** 2
            pull *= np.divide(own - middle, spread, out=np.zeros_like(own), where=wide)
            weight += pull
            yield places[rows], places[near], weight

    @cached_property
    def smooth(self) -> FloatArray:
        """The smooth calibration curve at the cells, within 0 and 1."""
        return read_only(np.clip(self.scores + self.smoothed(self.residual), 0.0, 1.0))

    def at(self, scores: FloatArray, values: FloatArray) -> FloatArray:
        """Return values of the cells at other scores: the distance from the score on a line."""
        apart = np.interp(scores, self.scores, values - self.scores)
        return np.clip(scores + apart, 0.0, 1.0)

    # -- variance ------------------------------------------------------------------------------

    def item_variance(self, centre: FloatArray) -> FloatArray:
        """Return the variance of the observed share of each cell if its mean is `centre`.

        Of hard labels centre·(1 − centre)·Σw²/W²; of soft truth the sum of squared residuals of the
        items over W², because soft truth varies less than labels do.
        """
        uu, ur, rr = self.squares
        if not self.evidence.is_soft:
            variance = centre * (1 - centre) * (uu + rr)
        else:
            at = self.smooth
            variance = (1 - at) ** 2 * uu - 2 * at * (1 - at) * ur + at**2 * rr
        found: FloatArray = np.maximum(variance, 0.0) / self.mass**2
        return found

    def smooth_variance(self, centre: FloatArray) -> FloatArray:
        """Return the variance of the smooth curve at the cells.

        Of clusters by their sums, and at least that of single items: a curve that is fitted to few
        clusters leaves residuals that are too small, so that a band by the sums alone would hold
        the curve near its ends in 90 % of samples of 50 patients.
        """
        found: FloatArray = self.smoother**2 @ self.item_variance(centre)
        if self.evidence.cluster is None:
            return found
        items, cells, residual = self._items()
        units = items.clusters
        variance = np.empty(len(self.scores))
        for k, row in enumerate(self.smoother):
            variance[k] = float((items.by_unit(row[cells] * residual) ** 2).sum())
        return np.maximum(variance * units / (units - 1), found)

    def _items(self) -> tuple[Items, IntArray, FloatArray]:
        """Return the items, the cell of each, and its residual as a share of the cell's mass."""
        items = self.evidence.need_items("A band of clusters")
        lowest = len(self.evidence.tally) - 1
        cells = np.searchsorted(self.starts, lowest - items.rows, side="right") - 1
        residual = items.up - self.smooth[cells] * items.weight
        return items, cells, residual / self.mass[cells]

    # -- draws ---------------------------------------------------------------------------------

    def drawn(
        self, centre: FloatArray, plan: Plan, of: Callable[[FloatArray], FloatArray]
    ) -> FloatArray:
        """Return a function of drawn observed shares, whose mean is `centre`: one row a draw.

        Counts of hard labels are drawn; of weights, soft truth and clusters the residuals are
        multiplied by normal noise, one number for each unit (wild bootstrap).
        """
        size = len(self.scores)
        if self.evidence.is_counts:
            counts = np.rint(self.mass).astype(np.int64)

            def draw(rng: np.random.Generator, times: int) -> FloatArray:
                shares: FloatArray = binomials(rng, counts, centre, times) / self.mass
                return shares

        elif self.evidence.cluster is None:
            error = np.sqrt(self.item_variance(centre))

            def draw(rng: np.random.Generator, times: int) -> FloatArray:
                return centre + error * rng.standard_normal((times, size))

        else:
            items, cells, residual = self._items()

            def draw(rng: np.random.Generator, times: int) -> FloatArray:
                noise = rng.standard_normal((times, items.clusters))
                sums = [np.bincount(cells, residual * each[items.cluster], size) for each in noise]
                return centre + np.array(sums)

        return run_blocks(plan, 2 * size, lambda rng, times: of(draw(rng, times)))


_FEW = 8  # items of a cell, up to which binomial numbers are found from one uniform number each


def binomials(
    rng: np.random.Generator, counts: IntArray, shares: FloatArray, times: int
) -> AnyArray:
    """Return ``rng.binomial(counts, shares, (times, len(counts)))``: the same numbers, sooner.

    NumPy inverts the distribution one number at a time. Where counts are small, a whole column is
    compared with its cumulative probabilities at once. A share of 0 takes no uniform number.
    """
    if not len(counts) or counts.min() < 1 or counts.max() > _FEW:
        return rng.binomial(counts, shares, (times, len(counts)))
    held = np.flatnonzero(shares > 0)
    uniform = rng.random((times, len(held)))
    n, share = counts[held].astype(np.int8), shares[held]
    p = np.minimum(share, 1 - share)
    mass = np.exp(n * np.log1p(-p))
    below = mass.copy()
    drawn: AnyArray = (uniform > below).view(np.int8)
    for k in range(1, int(n.max(initial=1))):
        more = np.flatnonzero(n > k)
        mass[more] *= (n[more] - k + 1) / k * (p[more] / (1 - p[more]))
        below[more] += mass[more]
        drawn[:, more] += uniform[:, more] > below[more]
    is_high = (share > 0.5).astype(np.int8)  # those are drawn as n minus the others
    drawn *= 1 - 2 * is_high
    drawn += n * is_high
    if len(held) == len(counts):
        return drawn
    found = np.zeros((times, len(counts)), dtype=np.int8)
    found[:, held] = drawn
    return found


def cells_of(evidence: Evidence, span: float = SPAN) -> Cells:
    """Return the cells of probabilities; computed once for a tally and a span."""
    tally = evidence.tally
    key = f"cells {span} {id(evidence.cluster)}"
    if key in tally.known:
        found: Cells = tally.known[key]
        return found
    refuse_buckets(tally, "Calibration")
    scores = scores_of(tally, "Calibration")[::-1]
    masses = (tally.up + tally.right)[::-1]
    starts = _runs(scores, masses) if len(scores) > _MOST else np.arange(len(scores))
    columns = (tally.up, tally.right, tally.up_squared, tally.up_right, tally.right_squared)
    up, right, uu, ur, rr = (
        np.add.reduceat(column[::-1], starts).astype(np.float64) for column in columns
    )
    mass, moment = up + right, np.add.reduceat(masses * scores, starts)
    middle = scores if len(starts) == len(scores) else np.clip(moment / mass, 0.0, 1.0)
    found = Cells(
        read_only(middle),
        read_only(mass),
        read_only(up / mass),
        (uu, ur, rr),
        starts,
        evidence,
        span,
    )
    tally.known[key] = found
    return found


def _runs(scores: FloatArray, mass: MassArray) -> IntArray:
    """Return where the runs of scores begin: even in mass, in the score and in its logit.

    Each rises with the row, so the rows at which it enters a part are found by bisection.
    """
    inner = np.searchsorted(scores, [0.0, np.nextafter(1.0, 0.0)], side="right")
    first, last = inner[0], inner[1] - 1  # of the scores that are not 0 or 1
    below = np.cumsum(mass)

    def logit(row: AnyArray) -> AnyArray:
        return np.log(scores[row]) - np.log1p(-scores[row])

    def of_logit(row: IntArray) -> FloatArray:
        if first > last:
            return np.where(row > last, 1.0, 0.0)
        lowest, highest = logit(first), logit(last)
        wide = highest - lowest if highest > lowest else 1.0
        part = (logit(np.clip(row, first, last)) - lowest) / wide
        return np.where(row < first, 0.0, np.where(row > last, 1.0, part))

    ways: tuple[Callable[[IntArray], FloatArray], ...] = (
        lambda row: (below[row] - mass[row]) / below[-1],
        lambda row: scores[row],
        of_logit,
    )
    parts = np.arange(1, _PARTS)
    starts = [np.array([0, first, last + 1])]  # 0 and 1 stay alone
    for way in ways:
        before, found = np.full(len(parts), -1), np.full(len(parts), len(scores))
        for _ in range(len(scores).bit_length()):
            row = (before + found) // 2
            is_open = found - before > 1
            reached = is_open & (np.minimum(way(row) * _PARTS, _PARTS - 1) >= parts)
            before = np.where(is_open & ~reached, row, before)
            found = np.where(reached, row, found)
        starts.append(found)
    begun = np.unique(np.concatenate(starts))
    return begun[begun < len(scores)]


def _reach(x: FloatArray, mass: FloatArray, span: float) -> FloatArray:
    """Return from each x the least distance within which a share `span` of the mass lies.

    The cells from l on hold enough up to a cell r(l). With a lower l, x_l lies further from x and
    x_r(l) nearer, so that the farther of both is least where the two distances cross.
    """
    below = np.append(0.0, np.cumsum(mass)) / mass.sum()
    last = np.searchsorted(below[1:], below[:-1] + (span - _TIE))
    ends = np.append(x, np.inf)[last]  # none where too little is left
    own = np.arange(len(x))
    low, high = np.full(len(x), -1), own + 1  # the crossing lies between them
    for _ in range(len(x).bit_length()):
        middle = np.maximum((low + high) // 2, 0)
        is_left = x - x[middle] >= ends[middle] - x  # the left one is the farther
        is_apart = high - low > 1
        low = np.where(is_apart & is_left, middle, low)
        high = np.where(is_apart & ~is_left, middle, high)
    left = np.where(low >= 0, x - x[low], np.inf)
    right = np.where(high <= own, ends[np.minimum(high, own)] - x, np.inf)
    return np.minimum(left, right)


def isotonic(values: FloatArray, mass: FloatArray) -> FloatArray:
    """Return the isotonic regression of each row of values."""
    from scipy.optimize import isotonic_regression

    rows = [isotonic_regression(row, weights=mass).x for row in np.atleast_2d(values)]
    return np.array(rows)


def isotonic_counts(shares: FloatArray, mass: FloatArray) -> FloatArray:
    """Return the isotonic regression of each row of shares of counts: slopes of hulls."""
    counts = np.rint(mass).astype(np.int64)
    up = np.rint(shares * mass).astype(np.int64)
    falling = np.stack([up, counts - up])[:, :, ::-1]  # from the highest score down
    ups, rights = np.pad(np.cumsum(falling, axis=2), ((0, 0), (0, 0), (1, 0)))
    corners = np.flatnonzero(vertices_together(ups, rights))
    length, ups, rights = ups.shape[1], ups.ravel(), rights.ravel()
    steps = np.diff(corners)
    within = corners[1:] % length > 0  # a step to the start of the next row is none
    rise, run = np.diff(ups[corners])[within], np.diff(rights[corners])[within]
    values: FloatArray = np.repeat(rise / (rise + run), steps[within])
    return values.reshape(len(up), -1)[:, ::-1]


def weighted_quantile(values: FloatArray, share: FloatArray, at: float) -> FloatArray:
    """Return for each row the least value at or below which a share `at` of the mass lies."""
    order = np.argsort(values, axis=1, kind="stable")
    below = np.cumsum(share[order], axis=1)
    place = np.minimum((below < at - _TIE).sum(axis=1), values.shape[1] - 1)
    found: FloatArray = np.take_along_axis(
        np.take_along_axis(values, order, axis=1), place[:, None], axis=1
    )[:, 0]
    return found


def exact_band(
    share: FloatArray, variance: FloatArray, plain: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return the limits of Clopper & Pearson (1934) of a smoothed share.

    The number of items is what the share is worth, share·(1 − share)/variance; where the share is 0
    or 1, one over `plain`, the sum of the squared weights of the items. Of rare positives Wilson's
    limits (1927) hold the share in 90 % of samples only.
    """
    inner = share * (1 - share)
    with np.errstate(divide="ignore", invalid="ignore"):
        count = np.where((inner > 1e-12) & (variance > 0), inner / variance, 1 / plain)
    count = np.minimum(count, 4 / plain)
    up = share * count
    return clopper_pearson(up, count - up, level)


def sure_span(span: float) -> float:
    """Return the span, or raise unless it is a share of the mass."""
    from rocwalk.checks import as_number
    from rocwalk.errors import OptionError

    if not 0 < as_number("span", span) <= 1 or math.isnan(span):
        raise OptionError(
            "is outside (0, 1].",
            "the span is the share of the items that a point of the curve is fitted to.",
            option="span",
            value=span,
        )
    return float(span)
