"""Simulate how often drift is called where there is none, and how often it is seen where it is.

    python benchmarks/false_alarms.py                  # everything: writes docs/false_alarms.json
    python benchmarks/false_alarms.py season clumps    # only the cells whose name has all the
                                                       # words; the other rows of the table stay
    python benchmarks/false_alarms.py --resume         # only the runs that the table still lacks

Runs are made in blocks of 100, each with a seed of its own, one block of every cell after the
other, so that an interrupted simulation leaves a table with fewer runs.

Every run draws a reference and a current sample and asks `rocwalk.drift` for its verdict, for what
the comparison of AUC, midpoint and struggle ratio alone says (`changed`), and for the intervals of
θ, of the effects and of the parts of the changes. Exits with 1 if a promise is missed: without a
change of P(y | p), drift is called in at most 6.5 % of the runs; with a change in at least the
share that the cell states; and where intervals are judged, at most 7 % of them miss. Cells with
neither are documented exceptions: they are measured and reported. A row below 3.5 % is marked as
conservative in the documentation.

P(y | p) is the same in both samples of a world; only the mix of scores moves with its `shift` on
the scale of log-odds:

* calibrated: log-odds of the risk π are N(−1, 1.2²) + shift, the score is π;
* overconfident: the score has the log-odds 2·logit π + ½;
* power: the score is π^1.5;
* clumps: 25 scores from 0 to 1, the truth of each jittered by N(0, 0.35²) log-odds;
* trees: the score is m/50 for m of 50 votes that are positive with probability π, and P(y | m) is
  (m + 2)/54.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

import numpy as np
from scipy.special import expit, logit, ndtri

import rocwalk as rw
from rocwalk.errors import OneClassError, RocwalkWarning

TABLE = Path(__file__).parent.parent / "docs" / "false_alarms.json"
ALPHA, MOST, MOST_MISSED = 0.05, 0.065, 0.07
RUNS, BLOCK = 2_000, 100
MIDDLE, SPREAD = -1.0, 1.2  # of the log-odds of risks
NUMBERS = ("auc", "midpoint", "struggle_ratio")
MANY = 1_000_000  # rows of the sample whose parts are the true ones where the mix has moved

Rng = np.random.Generator
Sample = tuple[np.ndarray, np.ndarray]


# -- worlds: labels and scores of risks with these log-odds ----------------------------------------


def calibrated(rng: Rng, odds: np.ndarray, _: np.ndarray) -> Sample:
    return rng.random(len(odds)) < expit(odds), expit(odds)


def overconfident(rng: Rng, odds: np.ndarray, _: np.ndarray) -> Sample:
    return rng.random(len(odds)) < expit(odds), expit(2 * odds + 0.5)


def power(rng: Rng, odds: np.ndarray, _: np.ndarray) -> Sample:
    return rng.random(len(odds)) < expit(odds), expit(odds) ** 1.5


def clumps(rng: Rng, odds: np.ndarray, jitter: np.ndarray) -> Sample:
    level = np.rint(24 * expit(odds)).astype(int)
    truth = expit(logit(np.clip(np.arange(25) / 24, 0.01, 0.99)) + 0.35 * jitter)
    return rng.random(len(odds)) < truth[level], level / 24


def trees(rng: Rng, odds: np.ndarray, _: np.ndarray) -> Sample:
    votes = rng.binomial(50, expit(odds))
    return rng.random(len(odds)) < (votes + 2) / 54, votes / 50


def five_scores(rng: Rng, odds: np.ndarray, _: np.ndarray) -> Sample:
    level = np.rint(4 * expit(odds)).astype(int)
    truth = np.array([0.05, 0.3, 0.5, 0.65, 0.9])
    return rng.random(len(odds)) < truth[level], level / 4


def of_shape(risk: Callable[[np.ndarray], np.ndarray]) -> Callable:
    """Uniform scores whose calibration map is far from the identity."""

    def world(rng: Rng, odds: np.ndarray, _: np.ndarray) -> Sample:
        scores = rng.random(len(odds))
        return rng.random(len(odds)) < risk(scores), scores

    return world


WORLDS = {
    "calibrated": calibrated,
    "overconfident": overconfident,
    "power": power,
    "clumps": clumps,
    "trees": trees,
}


# -- two samples -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """A reference and a current sample, and more options of `rocwalk.drift` for them."""

    reference: Sample
    current: Sample
    options: dict = field(default_factory=dict)


Draw = Callable[[Rng], Pair]
Shift = Callable[[Rng], float]


def nothing(_: Rng) -> float:
    return 0.0


def season(amplitude: float) -> Shift:
    """The shift of one of twelve months."""
    return lambda rng: amplitude * math.sin(2 * math.pi * rng.integers(12) / 12)


def moved(shift: float) -> Shift:
    return lambda _: shift


def mix(
    world: Callable, sizes: tuple[int, int], shift: Shift = nothing, middle: float = MIDDLE
) -> Draw:
    """Two samples of a world, the second with its mix of risks shifted."""

    def draw(rng: Rng) -> Pair:
        jitter = rng.normal(size=25)
        samples = [
            world(rng, rng.normal(middle + by, SPREAD, n), jitter)
            for n, by in zip(sizes, (0.0, shift(rng)), strict=True)
        ]
        return Pair(samples[0], samples[1])

    return draw


def changed_model(
    sizes: tuple[int, int],
    *,
    odds: float = 1.0,
    slope: float = 1.0,
    noise: float = 0.0,
    shift: Shift = nothing,
) -> Draw:
    """Calibrated scores; then other odds or another slope of the truth, or noise on the scores."""

    def draw(rng: Rng) -> Pair:
        old = rng.normal(MIDDLE, SPREAD, sizes[0])
        new = rng.normal(MIDDLE + shift(rng), SPREAD, sizes[1])
        truth = expit(MIDDLE + slope * (new - MIDDLE) + math.log(odds))
        scores = expit(new + rng.normal(0, noise, sizes[1]))
        current = rng.random(sizes[1]) < truth, scores
        return Pair(calibrated(rng, old, old), current)

    return draw


def soft_and_weighted(sizes: tuple[int, int], shift: Shift) -> Draw:
    """The truth is the share of five raters, and weights have a Gamma distribution."""

    def draw(rng: Rng) -> Pair:
        samples, weights = [], []
        for n, by in zip(sizes, (0.0, shift(rng)), strict=True):
            odds = rng.normal(MIDDLE + by, SPREAD, n)
            samples.append((rng.binomial(5, expit(odds)) / 5, expit(odds)))
            weights.append(rng.gamma(2.0, size=n))
        return Pair(samples[0], samples[1], {"sample_weight": tuple(weights), "truth": "soft"})

    return draw


def in_clusters(sizes: tuple[int, int], shift: Shift, *, told: bool) -> Draw:
    """Clusters of five whose log-odds and outcomes have half of their variance in common."""

    def shared(rng: Rng, cluster: np.ndarray) -> np.ndarray:
        own, common = rng.normal(size=len(cluster)), rng.normal(size=cluster[-1] + 1)[cluster]
        return (own + common) / math.sqrt(2)

    def draw(rng: Rng) -> Pair:
        samples, clusters = [], []
        for n, by in zip(sizes, (0.0, shift(rng)), strict=True):
            cluster = np.arange(n) // 5
            risk = expit(MIDDLE + by + SPREAD * shared(rng, cluster))
            samples.append((shared(rng, cluster) < ndtri(risk), risk))
            clusters.append(cluster)
        return Pair(samples[0], samples[1], {"cluster": tuple(clusters)} if told else {})

    return draw


def none_of(pair: Pair) -> Pair:
    """The same samples, without positives in the current one."""
    return Pair(pair.reference, (np.zeros(len(pair.current[0])), pair.current[1]))


def flu(domain: str, sizes: tuple[int, int]) -> Draw:
    """A Naive Bayes trained on 1,000 of NGP, on others of NGP and on a sample of the domain."""

    def draw(rng: Rng) -> Pair:
        model = rw.datasets.naive_bayes(rw.datasets.flu("NGP", 1000, rng))
        names = zip(("NGP", domain), sizes, strict=True)
        samples = [rw.datasets.flu(name, n, rng) for name, n in names]
        first, second = ((one.y, model.predict(one)) for one in samples)
        return Pair(first, second)

    return draw


# -- cells -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """Two samples, how often drift may or must be called, and the true θ and parts if known.

    `at_most` and `at_least` bound the share of runs that call drift; with neither, the cell is a
    documented exception. `significant` is the least share with a significant test where a margin
    keeps it from being drift. `parts` is a function that returns the true parts; where it is given
    with `judged`, intervals may miss in 7 % of the runs.
    """

    name: str
    draw: Draw
    at_most: float | None = None
    at_least: float | None = None
    significant: float | None = None
    runs: int = RUNS
    odds: float | None = None
    parts: Callable[[], dict[str, float]] | None = None
    judged: bool = False
    options: tuple[tuple[str, object], ...] = ()

    @property
    def promise(self) -> str:
        if self.at_most is not None:
            return "level" if self.significant is None else "margin"
        return "noted" if self.at_least is None else "power"

    def kept(self, row: dict) -> bool:
        drifted, significant = (row[name] / row["runs"] for name in ("drifted", "significant"))
        chance = 0.0 if row["runs"] >= RUNS else 2 * math.sqrt(ALPHA * (1 - ALPHA) / row["runs"])
        return (
            (self.at_most is None or drifted <= self.at_most + chance)
            and (self.at_least is None or drifted >= self.at_least)
            and (self.significant is None or significant >= self.significant)
            and not (self.judged and most_missed(row) > MOST_MISSED)
        )


def most_missed(row: dict) -> float:
    """Return the largest share of intervals that miss; NaN if no true value is known."""
    return max((missed / known for missed, known in row["missed"].values()), default=math.nan)


def missed_by(found: rw.Drift, cell: Cell) -> dict[str, bool]:
    """Return which of the intervals whose true value is known do not hold it."""
    missed = {}
    if cell.odds is not None:
        missed["θ"] = not found.odds.low <= cell.odds <= found.odds.high
    if cell.odds == 1.0:
        for name, test in found.tests.items():
            if not math.isnan(test.low):
                missed[name] = not test.low <= 0 <= test.high
    for key, value in {} if cell.parts is None else cell.parts().items():
        number, name = key.split(": ")
        part = getattr(found.findings[number], name)
        if not math.isnan(part.low):
            missed[key] = not part.low - 1e-12 <= value <= part.high + 1e-12
    return missed


def simulate(cell: Cell, runs: int, seed: object) -> dict:
    """Count verdicts, changes, runs with a significant test, and intervals that miss, of all."""
    rng = np.random.default_rng(seed)
    counts, verdicts, missed, known = Counter(), Counter(), Counter(), Counter()
    for _ in range(runs):
        pair = cell.draw(rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocwalkWarning)
            try:
                found = rw.drift(
                    pair.reference, pair.current, alpha=ALPHA, **pair.options, **dict(cell.options)
                )
            except OneClassError:  # fewer than two positives by chance: undecidable, no alarm
                verdicts["undecidable"] += 1
                continue
        verdicts[found.verdict] += 1
        adjusted = [found.findings[name].adjusted_p_value for name in NUMBERS]
        counts["drifted"] += found.drifted
        counts["changed"] += any(p_value < ALPHA for p_value in adjusted)
        counts["significant"] += any(t.adjusted_p_value < ALPHA for t in found.tests.values())
        for name, is_missed in missed_by(found, cell).items():
            known[name] += 1
            missed[name] += is_missed
    return {
        "runs": runs,
        **{name: int(counts[name]) for name in ("drifted", "changed", "significant")},
        "verdicts": {name: verdicts[name] for name in sorted(verdicts)},
        "missed": {name: [int(missed[name]), known[name]] for name in known},
    }


def added(one: dict | None, other: dict) -> dict:
    """Return the counts of two blocks together."""
    if one is None:
        return other
    verdicts = Counter(one["verdicts"]) + Counter(other["verdicts"])
    names = {**one["missed"], **other["missed"]}
    none = [0, 0]
    return {
        **{name: one[name] + other[name] for name in ("runs", "drifted", "changed", "significant")},
        "verdicts": {name: verdicts[name] for name in sorted(verdicts)},
        "missed": {
            name: [
                a + b
                for a, b in zip(
                    one["missed"].get(name, none), other["missed"].get(name, none), strict=True
                )
            ]
            for name in names
        },
    }


def no_parts() -> dict[str, float]:
    """The parts of a population and a model that are unchanged."""
    return {f"{number}: {part}": 0.0 for number in NUMBERS for part in ("population", "odds")}


@cache
def true_parts(shift: float, odds: float) -> dict[str, float]:
    """The parts in very large samples of calibrated scores, whose truth is taken as soft."""
    values = []
    for by, factor in ((0.0, 1.0), (shift, 1.0), (shift, odds)):
        quantiles = ndtri((np.arange(MANY) + 0.5) / MANY)
        risk = MIDDLE + by + SPREAD * quantiles
        tally = rw.tally(expit(risk + math.log(factor)), expit(risk), truth="soft")
        found = rw.sensibility(tally)
        values.append((tally.area, found.midpoint, found.struggle_ratio))
    parts = {}
    for k, number in enumerate(NUMBERS):
        parts[f"{number}: population"] = values[1][k] - values[0][k]
        parts[f"{number}: odds"] = values[2][k] - values[1][k]
    return parts


def of(sizes: tuple[int, int]) -> str:
    return f"{sizes[0]:,} and {sizes[1]:,}"


def level(name: str, draw: Draw, **more: object) -> Cell:
    return Cell(name, draw, at_most=MOST, **more)


SMALL, LARGE, SWAPPED = (3_000, 180), (3_000, 1_000), (1_000, 3_000)
HUGE, TWO = (100_000, 100_000), (30_000, 10_000)
RARE = -3.55  # the middle of the log-odds at a prevalence of 5 %
EVEN = {"odds": 1.0, "parts": no_parts}
MARGIN = (("margin", True),)
SLOW = 300  # runs where precision is not needed

CELLS = [
    # nothing changes
    *(
        level(f"no change, {of(sizes)}", mix(calibrated, sizes), **EVEN, judged=True)
        for sizes in (SMALL, (1_000, 1_000), (10_000, 1_000))
    ),
    level("no change, 5 % prevalence, 3,000 and 400", mix(calibrated, (3_000, 400), middle=RARE)),
    level("no change, 20 positives, 3,000 and 65", mix(calibrated, (3_000, 65))),
    level("no change, 10 positives, 3,000 and 200", mix(calibrated, (3_000, 200), middle=RARE)),
    *(
        level(f"no change, {few} positives, {of(sizes)}", mix(calibrated, sizes, middle=RARE))
        for few, sizes in ((1, (3_000, 20)), (3, (3_000, 60)), (5, (3_000, 100)))
    ),
    level("no change, 1 positive, 3,000 and 200", mix(calibrated, (3_000, 200), moved(-2.6), RARE)),
    level("no change, 3 positives in clusters, 2,000 and 600",
          in_clusters((2_000, 600), moved(-5.0), told=True)),
    Cell(
        "no positives where 7 are expected, 3,000 and 140",
        lambda rng: none_of(mix(calibrated, (3_000, 140), middle=RARE)(rng)),
        at_least=0.9,
        runs=SLOW,
    ),
    *(
        level(f"no change, {name}, {of(sizes)}", mix(of_shape(risk), sizes))
        for name, risk in (
            ("a step from 5 to 95 %", lambda p: np.where(p > 0.5, 0.95, 0.05)),
            ("separated classes", lambda p: p > 0.5),
        )
        for sizes in ((300, 200), LARGE)
    ),
    # a season of case mix
    *(
        level(
            f"season ±{amplitude:g}, {name}, {of(sizes)}", mix(world, sizes, season(amplitude)),
            odds=1.0,
        )
        for amplitude in (0.75, 1.5)
        for name, world in WORLDS.items()
        for sizes in (SMALL, LARGE)
    ),
    # clusters, soft truth and weights, few scores
    level("clusters of 5, season ±0.75, 2,000 and 600",
          in_clusters((2_000, 600), season(0.75), told=True), odds=1.0),
    Cell("clusters of 5, not told, season ±0.75, 2,000 and 600",
         in_clusters((2_000, 600), season(0.75), told=False), runs=SLOW),
    level("soft truth and weights, season ±0.75, 2,000 and 600",
          soft_and_weighted((2_000, 600), season(0.75)), odds=1.0),
    level("five scores with 0 and 1, season ±0.75, 3,000 and 1,000",
          mix(five_scores, LARGE, season(0.75)), odds=1.0),
    # the mix moves far
    *(
        level(f"mix {by:+g}, {name}, {of(LARGE)}", mix(world, LARGE, moved(by)))
        for by in (-2.0, 3.0)
        for name, world in WORLDS.items()
    ),
    *(
        Cell(f"mix {by:+g}, {name}, {of(SWAPPED)}", mix(world, SWAPPED, moved(by)), runs=SLOW)
        for by in (-2.0, 3.0)
        for name, world in WORLDS.items()
    ),
    # the flu populations: DP is another population of the same model, FC another class definition
    level("flu, NGP again, 1,000 and 1,000", flu("NGP", (1_000, 1_000))),
    Cell("flu, DP, 1,000 and 1,000", flu("DP", (1_000, 1_000)), runs=1_000),
    Cell("flu, FC, 1,000 and 1,000", flu("FC", (1_000, 1_000)), at_least=0.99, runs=SLOW),
    level("flu, NGP again, 10,000 and 3,000", flu("NGP", (10_000, 3_000)), runs=SLOW),
    level("flu, DP, 10,000 and 3,000", flu("DP", (10_000, 3_000)), runs=SLOW),
    Cell("flu, FC, 10,000 and 3,000", flu("FC", (10_000, 3_000)), at_least=0.99, runs=100),
    # the model changes
    *(
        Cell(f"{name}, {of(sizes)}", changed_model(sizes, **how), at_least=least, runs=SLOW,
             odds=how.get("odds"))
        for name, how, bounds in (
            ("odds × 1.3", {"odds": 1.3}, (0.09, 0.74)),
            ("odds × 2", {"odds": 2.0}, (0.88, 0.98)),
            ("slope 0.7", {"slope": 0.7}, (0.30, 0.84)),
            ("noise 0.8", {"noise": 0.8}, (0.46, 0.95)),
        )
        for sizes, least in zip((SMALL, LARGE), bounds, strict=True)
    ),
    # parts of a change of population and odds
    Cell("odds × 1.5 and mix +0.75, 3,000 and 1,000",
         changed_model(LARGE, odds=1.5, shift=moved(0.75)), at_least=0.9, odds=1.5,
         parts=partial(true_parts, 0.75, 1.5), judged=True),
    # margins
    Cell("margin, odds × 1.1, 100,000 and 100,000", changed_model(HUGE, odds=1.1),
         at_most=0.2, significant=0.9, runs=20, options=MARGIN),
    Cell("margin, slope 0.95, 100,000 and 100,000", changed_model(HUGE, slope=0.95),
         runs=20, options=MARGIN),
    Cell("margin, odds × 1.3, 100,000 and 100,000", changed_model(HUGE, odds=1.3),
         at_least=0.95, runs=20, options=MARGIN),
    Cell("margin, slope 0.7, 100,000 and 100,000", changed_model(HUGE, slope=0.7),
         at_least=0.95, runs=20, options=MARGIN),
    Cell("margin, odds × 1.1, 30,000 and 10,000", changed_model(TWO, odds=1.1),
         runs=100, options=MARGIN),
]  # fmt: skip


# -- the table -------------------------------------------------------------------------------------


def blocks_of(cell: Cell) -> list[int]:
    """Return the runs of each block of a cell."""
    whole, rest = divmod(cell.runs, BLOCK)
    return [BLOCK] * whole + [rest] * (rest > 0)


def printed(cell: Cell, row: dict) -> None:
    drifted, changed = (100 * row[name] / row["runs"] for name in ("drifted", "changed"))
    print(
        f"{'ok' if cell.kept(row) else 'MISS':<5}{cell.name:58}{row['runs']:5} runs"
        f"{drifted:6.1f} %{changed:7.1f} %  {cell.promise:7}{100 * most_missed(row):6.1f}",
        flush=True,
    )


def main(words: list[str]) -> int:
    resumes, words = "--resume" in words, [word for word in words if word != "--resume"]
    old = json.loads(TABLE.read_text(encoding="utf-8"))["rows"] if words or resumes else []
    asked = [cell for cell in CELLS if all(word in cell.name for word in words)]
    rows = {row["cell"]: row for row in old}
    for cell in asked if not resumes else []:
        rows.pop(cell.name, None)
    for k in range(max(len(blocks_of(cell)) for cell in asked)):
        for cell in asked:
            blocks, before = blocks_of(cell), rows.get(cell.name)
            done = 0 if before is None else before["runs"]
            if k >= len(blocks) or done > sum(blocks[:k]):
                continue
            found = simulate(cell, blocks[k], [2009, zlib.crc32(cell.name.encode()), k])
            rows[cell.name] = {
                "cell": cell.name, "promise": cell.promise, **added(before, found)
            }  # fmt: skip
            table = [rows[each.name] for each in CELLS if each.name in rows]
            text = json.dumps({"alpha": ALPHA, "rows": table}, ensure_ascii=False)
            TABLE.write_text(text.replace('{"cell"', '\n{"cell"') + "\n", encoding="utf-8")
            printed(cell, rows[cell.name])
    missed = [cell.name for cell in asked if not cell.kept(rows[cell.name])]
    print("\nall kept" if not missed else "\nmissed:\n" + "\n".join(missed))
    return int(bool(missed))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
