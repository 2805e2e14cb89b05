"""The bootstrap: replicates of a statistic, the same for a seed on any number of threads.

Counts of hard labels are resampled as two multinomials over the rows of the tally (stratified), or
as one over both classes. Everything else is resampled item by item, or cluster by cluster: whole
units are drawn, and their masses added up by row. Replicates are made in blocks, and each block
has a seed of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.checks import as_whole
from rocwalk.errors import OneClassError, OptionError, RocwalkWarning, collecting
from rocwalk.inference.distributions import above, normal_quantile
from rocwalk.inference.items import Evidence, Items
from rocwalk.progress import progress_of
from rocwalk.seeds import generator_of
from rocwalk.statistic import Statistic
from rocwalk.tally.order import tally_of_masses
from rocwalk.tally.tally import Tally
from rocwalk.tally.threads import side_by_side
from rocwalk.tally.walk import spread, walk_of
from rocwalk.typing import FloatArray, IntArray, MassArray

Progress = Callable[[int, int], None]  # of (done, all)


@dataclass(frozen=True, slots=True)
class Plan:
    """The number of replicates, their seed or generator, the threads, and a progress callback."""

    n_resamples: int
    rng: Any = None
    threads: int | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        as_whole("n_resamples", self.n_resamples, 1)
        as_whole("threads", 1 if self.threads is None else self.threads, 1)
        object.__setattr__(self, "progress", progress_of(self.progress))
        if self.rng is not None:
            self.generator()

    def generator(self) -> np.random.Generator:
        """Return the generator that seeds of blocks are spawned from."""
        generator = generator_of(self.rng)
        if not hasattr(generator.bit_generator.seed_seq, "spawn"):
            raise OptionError(
                "cannot spawn seeds.",
                "pass a whole number, or numpy.random.default_rng(…).",
                option="rng",
                value=self.rng,
            )
        return generator

    def seeds(self, count: int) -> list[np.random.SeedSequence]:
        """Return a number of independent seeds."""
        seeds: list[np.random.SeedSequence]
        seeds = self.generator().bit_generator.seed_seq.spawn(count)  # type: ignore[attr-defined]
        return seeds

    def spawn(self, count: int) -> list[Plan]:
        """Return a number of plans with independent seeds, which report their progress as one."""
        progress = self.progress

        def part(k: int) -> Progress | None:
            if progress is None:
                return None
            return lambda done, total: progress(k * total + done, count * total)

        return [
            replace(self, rng=seed, progress=part(k)) for k, seed in enumerate(self.seeds(count))
        ]


_CELLS = 2**18  # the numbers that a block holds at most, unless one replicate has more
_MOST_IN_BLOCK = 512
_FEW_CELLS = 2**22  # in all blocks: a few hundredths of a second, for which no threads are started


def run_blocks(
    plan: Plan, width: int, work: Callable[[np.random.Generator, int], FloatArray]
) -> FloatArray:
    """Return the results of all blocks, joined; `width` is how many numbers a replicate takes."""
    size = max(min(_CELLS // max(width, 1), _MOST_IN_BLOCK), 1)
    total = int(plan.n_resamples)
    threads = plan.threads or (1 if width * total <= _FEW_CELLS else None)
    sizes = [min(size, total - at) for at in range(0, total, size)]
    seeds = plan.seeds(len(sizes))
    results: list[FloatArray] = [np.empty(0)] * len(sizes)
    done = 0

    def run(k: int) -> int:
        results[k] = work(np.random.Generator(np.random.PCG64(seeds[k])), sizes[k])
        return sizes[k]

    for finished in side_by_side(run, range(len(sizes)), threads):
        done += finished
        if plan.progress is not None:
            plan.progress(done, total)
    return np.concatenate(results)


def drawn_counts(rng: np.random.Generator, units: int, times: int, draws: int) -> IntArray:
    """Return how often each of the units is drawn, `times` times over: one row a replicate."""
    picked = rng.integers(0, units, (times, draws))
    picked += (np.arange(times) * units)[:, None]
    return np.bincount(picked.ravel(), minlength=times * units).reshape(times, units)


def summed(masses: FloatArray, places: IntArray, length: int) -> FloatArray:
    """Return the sums of the masses at each of `length` places: one row a replicate.

    `places` are those of the items, the same for all replicates or one row for each.
    """
    times = len(masses)
    flat = (np.arange(times) * length)[:, None] + places
    total = np.bincount(flat.ravel(), masses.ravel(), times * length)
    return total.reshape(times, length).astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class Resampler:
    """Draws masses by row of the tally: two matrices, one row a replicate.

    Counts that were shared with noise get as much noise once more.
    `halves` takes each unit with probability one half in place of drawing with replacement.
    """

    evidence: Evidence
    stratified: bool
    halves: bool = False

    @property
    def width(self) -> int:
        """How many numbers a replicate takes."""
        tally, items = self.evidence.tally, self.evidence.items
        drawn = tally.total_count if self.evidence.is_counts or items is None else len(items)
        return 2 * max(len(tally), drawn)

    def draw(self, rng: np.random.Generator, times: int) -> tuple[MassArray, MassArray]:
        """Return the up and the right masses of `times` replicates."""
        tally = self.evidence.tally
        if self.evidence.is_counts and self.halves:
            size = (times, len(tally))
            return rng.binomial(tally.up, 0.5, size), rng.binomial(tally.right, 0.5, size)
        if self.evidence.is_counts:
            masses = (tally.up, tally.right)
            if self.stratified:
                up, right = (_drawn_rows(rng, mass, times) for mass in masses)
            else:
                both = _drawn_rows(rng, np.concatenate(masses), times)
                up, right = both[:, : len(tally)], both[:, len(tally) :]
            if tally.is_noised:  # rounded, and no count is negative
                errors = np.sqrt(tally.noise)
                up, right = (
                    np.maximum(drawn + np.rint(rng.normal(0, errors, drawn.shape)).astype(int), 0)
                    for drawn in (up, right)
                )
            return up, right
        items = self.evidence.need_items("This bootstrap")
        counts = (
            rng.integers(0, 2, (times, items.clusters))
            if self.halves
            else drawn_counts(rng, items.clusters, times, items.clusters)
        )
        if items.cluster is not None:
            counts = counts[:, items.cluster]
        rows, length = items.rows, len(tally)
        ups, rights = (summed(counts * mass, rows, length) for mass in (items.up, items.right))
        return ups, rights


def _drawn_rows(rng: np.random.Generator, counts: IntArray, times: int) -> IntArray:
    """Draw as many items as there are, with replacement, and count them by row."""
    total = int(counts.sum())
    held = np.flatnonzero(counts)
    if total > 32 * len(held):
        drawn = np.zeros((times, len(counts)), dtype=np.int64)
        drawn[:, held] = rng.multinomial(total, counts[held] / total, size=times)
        return drawn
    rows = np.repeat(np.arange(len(counts)), counts)  # of the items
    picked = rows[rng.integers(0, total, (times, total))]
    picked += (np.arange(times) * len(counts))[:, None]
    return np.bincount(picked.ravel(), minlength=times * len(counts)).reshape(times, -1)


_MOST_ROWS = 2**12


def coarse(evidence: Evidence) -> Evidence:
    """Return evidence of about 2¹² rows at most, by merging neighbouring scores.

    Runs of scores are cut evenly along the curve, so that the coarse curve stays within 1/2048 of
    the exact one in both rates. It is meant for replicates only.
    """
    tally, items = evidence.tally, evidence.items
    if len(tally) <= _MOST_ROWS:
        return evidence
    walk = walk_of(tally)
    starts = np.unique(spread(walk.fpr + walk.tpr, _MOST_ROWS + 1))[:-1]
    if items is not None:  # the number of the run, counted down, is the score
        runs = np.searchsorted(starts, items.rows, side="right")
        items = replace(items, scores=-runs.astype(np.float64), order=None)
    return Evidence(tally.coarsened(starts), items)


def replicates(
    evidence: Evidence,
    statistic: Statistic,
    plan: Plan,
    *,
    stratified: bool,
    halves: bool = False,
) -> FloatArray:
    """Return the statistic of each replicate, or of each half-sample; NaN where it does not exist.

    They are computed together where the statistic knows how. A replicate that lacks a class has
    no value if the statistic needs both classes.
    """
    if statistic.replicates is not None and evidence.is_counts and stratified:
        return statistic.replicates(evidence.tally, plan)
    resampler = Resampler(evidence, stratified, halves)
    many, both = statistic.together, statistic.needs_both

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        up, right = resampler.draw(rng, times)
        if many is not None:
            found = many(evidence.tally.scores, up, right)
            return np.where(up.any(axis=1) & right.any(axis=1), found, np.nan) if both else found
        values = np.full(times, np.nan)
        for k, (u, r) in enumerate(zip(up, right, strict=True)):
            if not both or (u.any() and r.any()):
                values[k] = statistic.of(tally_of(evidence.tally, u, r))
        return values

    with collecting(RocwalkWarning):  # what a replicate lacks is counted
        return run_blocks(plan, resampler.width, work)


def existing(values: FloatArray, name: str) -> FloatArray:
    """Return the replicates in which a statistic exists; raise if there are fewer than two."""
    kept = values[~np.isnan(values)]
    if len(kept) < 2:
        raise OneClassError(
            f"{name} exists in fewer than two replicates.",
            "there are too few items of one class for a bootstrap, or n_resamples is too small.",
        )
    return kept


def quantiles(values: FloatArray, shares: Sequence[float]) -> list[float]:
    """Return quantiles; where some values are infinite, of the values themselves."""
    method = "linear" if np.isfinite(values).all() else "nearest"
    found = [np.quantile(values, min(max(share, 0.0), 1.0), method=method) for share in shares]  # type: ignore[call-overload]
    return [float(value) for value in found]


def bca_tails(
    level: float, estimate: float, values: FloatArray, psi: FloatArray, times: FloatArray
) -> tuple[float, float]:
    """Return the probabilities of BCa limits (Efron 1987): Φ(b + (b + z)/(1 − a·(b + z))) for ∓z.

    The bias b is Φ⁻¹ of the share of replicates below the estimate, ties one half; the
    acceleration is a = Σψ³ / (6·(Σψ²)^{3/2}) over the units that are drawn, of which `times` have
    the influence ψ. Where all replicates lie on one side, there is no correction.
    """
    below = np.count_nonzero(values < estimate) + np.count_nonzero(values == estimate) / 2
    if below in (0, len(values)):
        return (1 - level) / 2, (1 + level) / 2
    bias, z = normal_quantile(below / len(values)), normal_quantile(0.5 + level / 2)
    second = float((times * psi**2).sum())
    skew = float((times * psi**3).sum()) / (6 * second**1.5) if second > 0 else 0.0
    low, high = (above(-bias - (bias + end) / (1 - skew * (bias + end)), None) for end in (-z, z))
    return low, high


def spread_of(values: FloatArray) -> float:
    """Return the standard deviation; infinite where some value is."""
    return float(values.std(ddof=1)) if np.isfinite(values).all() else math.inf


def auc_replicates(tally: Tally, plan: Plan) -> FloatArray:
    """Return AUC of stratified replicates of counts: draws, counts and running sums of ranks.

    A negative of a replicate outscores no positive that stands above it; so its worth is the
    number of drawn positives above, and ties count one half.
    """
    up, right = tally.up, tally.right
    above = np.cumsum(up)
    ends = np.repeat(above, right)  # positives at or above each negative, in order of score
    begins = np.repeat(above - up, right)
    positives, negatives = int(above[-1]), int(right.sum())
    tied = bool(np.any(up * right))
    whole = (1 + tied) * positives * negatives

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        ups = np.zeros((times, positives + 1), dtype=np.int64)
        np.cumsum(drawn_counts(rng, positives, times, positives), axis=1, out=ups[:, 1:])
        rights = drawn_counts(rng, negatives, times, negatives)
        worth = ups.take(ends, axis=1)
        if tied:
            worth += ups.take(begins, axis=1)
        areas: FloatArray = np.einsum("ij,ij->i", worth, rights) / whole
        return areas

    return run_blocks(plan, positives + negatives, work)


def tally_of(like: Tally, up: FloatArray, right: FloatArray) -> Tally:
    """Return the tally of one replicate, without the rows that it lacks."""
    held = np.flatnonzero((up > 0) | (right > 0))
    return Tally(like.scores[held], up[held], right[held], like.steps, like.threshold)


def areas_together(_: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
    """Return the areas of many replicates, one row each."""
    heights = np.cumsum(up, axis=1) * 2 - up
    whole = 2.0 * up.sum(axis=1) * right.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        areas: FloatArray = np.einsum("ij,ij->i", heights.astype(np.float64), right) / whole
    return areas


def tally_of_items(items: Items) -> Tally:
    """Return the tally by score, with the moments of the items."""
    return tally_of_masses(items.truth, items.weight, items.scores)


def number_of_items(statistic: Statistic) -> Callable[[Items], float]:
    """Return a statistic as a function of items, by their own form or by their tally."""
    if statistic.of_items is not None:
        return statistic.of_items.of
    return lambda items: float(statistic.of(tally_of_items(items)))


def item_number(statistic: Statistic, items: Items) -> float:
    """Return a statistic of items, or raise where it does not exist."""
    value = number_of_items(statistic)(items)
    if math.isnan(value):
        raise OneClassError(
            f"{statistic.name} does not exist for these items.",
            "AUC_PRT and H_PRT need two different truths, the expected AUC two items.",
        )
    return value


def item_replicates(
    items: Items,
    of: Callable[[Items], float],
    plan: Plan,
    votes: IntArray | None = None,
    *,
    scores: Sequence[FloatArray] | None = None,
    halves: bool = False,
) -> FloatArray:
    """Return the number in each replicate of as many units, drawn with replacement.

    One row a replicate and one column for each of `scores`, by default the items' own; all columns
    of a replicate have the same items. With `votes`, the votes of each drawn item are drawn again,
    too, from its share of positives. `halves` takes each unit with probability one half instead.
    """
    columns = [items.scores] if scores is None else list(scores)
    if items.cluster is not None:
        order = np.argsort(items.cluster, kind="stable")
        starts = np.searchsorted(items.cluster[order], np.arange(items.clusters + 1))

    def draw(rng: np.random.Generator) -> IntArray:
        units = items.clusters
        picked = (
            np.flatnonzero(rng.integers(0, 2, units)) if halves else rng.integers(0, units, units)
        )
        if items.cluster is None:
            return picked
        sizes = np.diff(starts)[picked]  # the members of each drawn cluster
        offsets = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        members: IntArray = order[np.repeat(starts[picked], sizes) + offsets]
        return members

    def values(rng: np.random.Generator) -> list[float]:
        picked = draw(rng)
        up, right = items.up[picked], items.right[picked]
        if votes is not None:
            share = np.clip(items.truth[picked], 0.0, 1.0)
            weight = up + right
            up = weight * (rng.binomial(votes[picked], share) / votes[picked])
            right = weight - up
        if not (up.any() and right.any()):
            return [math.nan] * len(columns)
        return [of(Items(up, right, column[picked])) for column in columns]

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        return np.array([values(rng) for _ in range(times)])

    with collecting(RocwalkWarning):  # what a replicate lacks is counted
        return run_blocks(plan, 4 * len(items), work)
