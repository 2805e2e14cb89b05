"""Simulate streams under a watch: how often it raises a false alarm, and how soon a right one.

    python benchmarks/watch.py     # writes docs/watch.json

A stream has 10,000 rows; a change comes after 2,000. Exits with 1 if there are false alarms in more
than 5 % of the streams without change, or, with an average run length of 100,000 rows, in more than
10,000/100,000 of them, up to three standard errors.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import rocwalk as rw

TABLE = Path(__file__).parent.parent / "docs" / "watch.json"
ROWS, CHANGE, SOON, NEAR = 10_000, 2_000, 3_000, 100
ALPHA, RUN_LENGTH = 0.05, 100_000
REFERENCES = (1_000, 20_000)
METHODS: dict[str, dict[str, float]] = {
    "margin 0.2": {},
    "margin 0": {"margin": 0.0},
    "margin 0, run length 100,000": {"margin": 0.0, "average_run_length": RUN_LENGTH},
}

Rng = np.random.Generator
Sample = tuple[np.ndarray, np.ndarray]
Drawing = Callable[[Rng, int, int], tuple[Sample, Sample]]


def expit(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def logit(p: np.ndarray) -> np.ndarray:
    return np.log(p) - np.log1p(-p)


# -- worlds: the score that a model gives to a case whose log-odds are x, and what is true of it ---


def of_calibrated(x: np.ndarray, _rng: Rng) -> Sample:
    return x, expit(x)


def of_overconfident(x: np.ndarray, _rng: Rng) -> Sample:
    return x, expit(2 * x + 0.5)


def of_power(x: np.ndarray, _rng: Rng) -> Sample:
    return x, expit(x) ** 1.5


def of_clumps(x: np.ndarray, rng: Rng) -> Sample:
    """25 scores, 0 and 1 among them, with log-odds that no smooth curve follows."""
    place = np.rint(24 * expit(x)).astype(int)
    odds = logit(np.clip(np.arange(25), 0.5, 23.5) / 24) + rng.normal(0, 0.35, 25)
    return odds[place], place / 24


def of_trees(x: np.ndarray, _rng: Rng) -> Sample:
    """Votes of 50 trees, among them none and all."""
    return x, np.rint(50 * expit(1.5 * x)) / 50


WORLDS = (of_calibrated, of_overconfident, of_power, of_clumps, of_trees)


@dataclass(frozen=True)
class Change:
    """What happens to a stream after its first 2,000 rows, or to its population throughout."""

    odds: float = 1.0
    slope: float = 1.0
    season: float = 0.0
    cluster: float = 0.0  # the standard deviation that the log-odds of five rows share

    def draw(self, rng: Rng, size: int, world: int = 0) -> tuple[Sample, Sample]:
        """A reference of this size, and a stream."""
        t = np.arange(-size, ROWS)
        shift = np.where(t >= 0, self.season * np.sin(2 * np.pi * t / 2_500), 0.0)
        x = -1 + shift + 1.2 * rng.normal(size=len(t))
        odds, p = WORLDS[world](x, rng)
        late = t >= CHANGE
        odds = np.where(late, -1 + self.slope * (odds + 1) + math.log(self.odds), odds)
        shared = np.repeat(rng.normal(size=len(t) // 5), 5)
        y = (rng.random(len(t)) < expit(odds + self.cluster * shared)).astype(int)
        return (y[:size], p[:size]), (y[size:], p[size:])


def unchanged(rng: Rng, size: int, run: int) -> tuple[Sample, Sample]:
    return Change().draw(rng, size, run % len(WORLDS))


def season(rng: Rng, size: int, run: int) -> tuple[Sample, Sample]:
    return Change(season=1.5).draw(rng, size, run % len(WORLDS))


def flu(domain: str) -> Drawing:
    """A Naive Bayes of NGP, on NGP and then on another domain."""

    def draw(rng: Rng, size: int, _run: int) -> tuple[Sample, Sample]:
        model = rw.datasets.naive_bayes(rw.datasets.flu("NGP", 1_000, rng))
        drawn = [("NGP", size), ("NGP", CHANGE), (domain, ROWS - CHANGE)]
        found = (rw.datasets.flu(name, n, rng) for name, n in drawn)
        reference, before, after = ((one.y, model.predict(one)) for one in found)
        whole = tuple(np.concatenate(pair) for pair in zip(before, after, strict=True))
        return reference, whole

    return draw


@dataclass(frozen=True)
class Cell:
    """Streams of one kind; `changes` says whether there is a change of P(y | p) to be found.

    `judged` cells fail the program if there are too many false alarms.
    """

    name: str
    draw: Drawing
    runs: int = 60
    changes: bool = False
    judged: bool = False


def of_change(change: Change) -> Drawing:
    return lambda rng, size, _run: change.draw(rng, size)


CELLS = [
    Cell("no change, five models", unchanged, 200, judged=True),
    Cell("the population has a season of ±1.5 log-odds, five models", season),
    Cell("no change, five rows share log-odds (sd 1)", of_change(Change(cluster=1.0))),
    Cell("flu, NGP then FC", flu("FC"), changes=True),
    Cell("odds times 1.3", of_change(Change(odds=1.3)), changes=True),
    Cell("odds times 2", of_change(Change(odds=2)), changes=True),
    Cell("slope 0.7", of_change(Change(slope=0.7)), changes=True),
    Cell("flu, NGP then DP: another population", flu("DP")),
]


def simulate(cell: Cell, size: int, seed: object) -> list[dict[str, object]]:
    """Return a row for each method: shares of alarms, delays, and how change points were placed."""
    rng = np.random.default_rng(seed)
    found: dict[str, list[rw.WatchState]] = {name: [] for name in METHODS}
    for run in range(cell.runs):
        reference, stream = cell.draw(rng, size, run)
        for name, options in METHODS.items():
            found[name].append(rw.DriftWatch(reference, alpha=ALPHA, **options).update(*stream))
    rows = []
    for name, states in found.items():
        row = {"cell": cell.name, "reference": size, "method": name, "runs": cell.runs}
        row |= {"changes": cell.changes, "ever": share(one.alarm for one in states)}
        if cell.changes:
            right = [one for one in states if one.alarm and one.alarm_at > CHANGE]
            delays = [one.alarm_at - CHANGE for one in right]
            row["false"] = share(one.alarm and one.alarm_at <= CHANGE for one in states)
            row["soon"] = sum(delay <= SOON for delay in delays) / cell.runs
            row["delays"] = np.quantile(delays, [0.5, 0.9]).tolist() if delays else None
            points = [one.change_point for one in right]
            row["near"] = share(abs(one.row - CHANGE) <= NEAR for one in points)
            row["covered"] = share(CHANGE in one.rows for one in points)
            row["blocks"] = float(np.mean([len(one.rows) for one in points])) if points else None
        rows.append(row)
    return rows


def share(hits: object) -> float | None:
    listed = list(hits)
    return sum(listed) / len(listed) if listed else None


def kept(row: dict) -> bool:
    """Whether false alarms are as rare as promised, up to three standard errors."""
    if not next(cell for cell in CELLS if cell.name == row["cell"]).judged:
        return True
    most = ROWS / RUN_LENGTH if "run length" in row["method"] else ALPHA
    return row["ever"] <= most + 3 * math.sqrt(most * (1 - most) / row["runs"])


def main() -> int:
    rows = []
    for k, cell in enumerate(CELLS):
        for size in REFERENCES:
            rows += simulate(cell, size, [2024, k, size])
            for row in rows[-len(METHODS) :]:
                shown = [f"{100 * row['ever']:6.1f} %", row.get("delays"), row.get("soon")]
                shown += [row.get(name) for name in ("near", "covered", "blocks")]
                print(cell.name, size, row["method"], *shown, flush=True)
    TABLE.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")
    missed = [row for row in rows if not kept(row)]
    for row in missed:
        print("MISS", row["cell"], row["reference"], row["method"], f"{100 * row['ever']:.1f} %")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
