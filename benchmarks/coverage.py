"""Simulate how often intervals hold the truth, and how wide they are.

    python benchmarks/coverage.py                 # everything: writes docs/coverage.json
    python benchmarks/coverage.py tiny auc        # only the cells whose name has all the words

Exits with 1 if a method that is documented as nominal covers outside [93, 97] %, or one that is
documented as conservative less than 94 %. Cells that are documented otherwise, with their number
in the docstring of `rocwalk.interval`, are reported and not judged.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri

import rocwalk as rw

TABLE = Path(__file__).parent.parent / "docs" / "coverage.json"
LEVEL = 0.95
ANALYTIC_RUNS, BOOTSTRAP_RUNS = 10_000, 2_000
RESAMPLES = 1_000
BOOTSTRAPS = ("percentile", "basic", "bca")
SHIFT = math.sqrt(2) * ndtri(0.8)  # binormal scores of area 0.8


# -- settings: a sample, and the true value of a statistic -----------------------------------------


@dataclass(frozen=True)
class Setting:
    """How a sample is drawn, and the truth about it."""

    name: str
    draw: Callable[[np.random.Generator], dict]
    truth: dict[str, float]


def binormal(n_up: int, n_right: int):
    """Normal scores, brought to (0, 1) by Φ, which changes no rank."""
    labels = np.repeat([1, 0], [n_up, n_right])

    def draw(rng: np.random.Generator) -> dict:
        z = rng.normal(size=n_up + n_right) + SHIFT * (labels - 0.5)
        return {"y_true": labels, "y_score": ndtr(z)}

    return draw


LEVELS = ndtri(np.array([0.2, 0.45, 0.7, 0.9]))


def tied(rng: np.random.Generator) -> dict:
    labels = np.repeat([1, 0], [60, 90])
    z = rng.normal(size=150) + SHIFT * (labels - 0.5)
    return {"y_true": labels, "y_score": np.searchsorted(LEVELS, z) / 4}


def clustered(rng: np.random.Generator) -> dict:
    """Fifty patients of one to six units each; a patient shifts all its scores."""
    sizes = rng.integers(1, 7, 50)
    cluster = np.repeat(np.arange(50), sizes)
    labels = (rng.random(len(cluster)) < np.repeat(rng.choice([0.3, 0.7], 50), sizes)).astype(int)
    shift = np.repeat(rng.normal(0, math.sqrt(0.5), 50), sizes)
    z = SHIFT * (labels - 0.5) + shift + rng.normal(0, math.sqrt(0.5), len(cluster))
    return {"y_true": labels, "y_score": ndtr(z), "cluster": cluster}


VOTES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
SHARES = np.array([0.3, 0.2, 0.15, 0.15, 0.2])


def soft(rng: np.random.Generator) -> dict:
    """Two hundred items judged by four raters; the score follows the share of votes."""
    truth = rng.choice(VOTES, 200, p=SHARES)
    return {
        "y_true": truth,
        "y_score": ndtr(2 * (truth - 0.5) + rng.normal(size=200)),
        "truth": "soft",
    }


# -- the truth -------------------------------------------------------------------------------------


def tied_truth() -> dict[str, float]:
    edges = np.concatenate(([-np.inf], LEVELS, [np.inf]))
    up, right = (np.diff(ndtr(edges - sign * SHIFT / 2)) for sign in (1, -1))
    area = float(sum(up[i] * (right[:i].sum() + right[i] / 2) for i in range(len(up))))
    means = [float((mass * np.arange(5) / 4).sum()) for mass in (up, right)]
    return {"auc": area, "probabilistic_auc": 0.5 * (1 + means[0] - means[1])}


def binormal_truth(share: float) -> dict[str, float]:
    """Means and rates of Φ(N(±δ/2, 1)), in closed form; E Φ(N(m, 1)) = Φ(m/√2)."""
    mean = float(ndtr(SHIFT / 2 / math.sqrt(2)))
    return {
        "auc": 0.8,
        "probabilistic_auc": mean,
        "sensitivity": float(ndtr(SHIFT / 2)),
        "specificity": float(ndtr(SHIFT / 2)),
        "precision": share,
        "partial_auc": partial_truth(),
    }


@cache
def partial_truth() -> float:
    """McClish's standardised partial area of the binormal curve up to 0.2."""
    x = np.linspace(0, 0.2, 200_001)[1:]
    area = float(np.trapezoid(np.append(0.0, ndtr(SHIFT + ndtri(x))), np.append(0.0, x)))
    return 0.5 * (1 + (area - 0.02) / (0.2 - 0.02))


def soft_truth() -> dict[str, float]:
    pairs = np.multiply.outer(SHARES * VOTES, SHARES * (1 - VOTES))
    wins = ndtr(2 * np.subtract.outer(VOTES, VOTES) / math.sqrt(2))
    area = float((pairs * wins).sum() / pairs.sum())
    means = ndtr(2 * (VOTES - 0.5) / math.sqrt(2))
    up, right = (
        float((SHARES * mass * means).sum() / (SHARES * mass).sum()) for mass in (VOTES, 1 - VOTES)
    )
    return {"auc": area, "probabilistic_auc": 0.5 * (1 + up - right)}


SETTINGS = {
    one.name: one
    for one in (
        Setting("binormal", binormal(100, 100), binormal_truth(0.5)),
        Setting("tied", tied, tied_truth()),
        Setting("tiny", binormal(20, 20), binormal_truth(0.5)),
        Setting("imbalanced", binormal(20, 1980), binormal_truth(0.01)),
        Setting("clustered", clustered, binormal_truth(0)),
        Setting("soft", soft, soft_truth()),
    )
}  # fmt: skip


# -- cells: a setting, a statistic, a method, and what is promised ---------------------------------


@dataclass(frozen=True)
class Cell:
    """One interval in one setting; promise is "nominal", "conservative" or "noted"."""

    setting: str
    statistic: str
    method: str
    promise: str = "nominal"
    options: tuple[tuple[str, object], ...] = ()

    @property
    def name(self) -> str:
        return f"{self.setting} {self.statistic} {self.method}"

    @property
    def is_bootstrap(self) -> bool:
        return self.method in BOOTSTRAPS

    def interval(self, sample: dict, rng: np.random.Generator) -> rw.Interval:
        method, _, scale = self.method.partition("-")
        options = dict(self.options) | ({"scale": scale} if scale else {})
        if self.is_bootstrap:
            options |= {"n_resamples": RESAMPLES, "rng": rng, "threads": 1}
        return rw.interval(**sample, statistic=self.statistic, method=method, **options)


def cells(settings: str, statistic: str, methods: str, promise: str = "nominal", **options):
    """Return a cell for each of the settings and methods."""
    return [
        Cell(setting, statistic, method, promise, tuple(options.items()))
        for setting in settings.split()
        for method in methods.split()
    ]


EVERY = " ".join(SETTINGS)
CELLS = [
    *cells(EVERY, "auc", "auto"),
    *cells("binormal tied", "auc", "delong-plain"),
    *cells("tiny imbalanced", "auc", "delong-plain", "noted"),
    *cells("binormal tied tiny", "auc", "newcombe", "conservative"),
    *cells("imbalanced", "auc", "newcombe", "noted"),
    *cells(EVERY, "probabilistic_auc", "auto"),
    *cells("binormal tiny imbalanced", "sensitivity", "wilson", threshold=0.5),
    *cells("binormal tiny imbalanced", "specificity", "wilson", threshold=0.5),
    *cells("binormal tied soft", "auc", "percentile basic bca"),
    *cells("clustered", "auc", "percentile"),
    *cells("clustered", "auc", "basic", "noted"),
    *cells("clustered", "auc", "bca"),
    *cells("tiny imbalanced", "auc", "percentile basic bca", "noted"),
    *cells("binormal", "partial_auc", "percentile", max_fpr=0.2),
]


def simulate(cell: Cell, runs: int, seed: object) -> dict[str, float]:
    """Return the coverage and the mean width of a cell."""
    setting = SETTINGS[cell.setting]
    truth, rng = setting.truth[cell.statistic], np.random.default_rng(seed)
    held, width = 0, 0.0
    for _ in range(runs):
        found = cell.interval(setting.draw(rng), rng)
        held += found.low <= truth <= found.high
        width += found.high - found.low
    return {"coverage": held / runs, "mean_width": width / runs, "runs": runs}


def kept(cell: Cell, coverage: float) -> bool:
    """Whether the coverage is what is promised."""
    if cell.promise == "noted":
        return True
    return coverage >= 0.94 if cell.promise == "conservative" else 0.93 <= coverage <= 0.97


def main(words: list[str]) -> int:
    rows, missed = [], 0
    for k, cell in enumerate(CELLS):
        if not all(word in cell.name for word in words):
            continue
        start = time.perf_counter()
        runs = BOOTSTRAP_RUNS if cell.is_bootstrap else ANALYTIC_RUNS
        result = simulate(cell, runs, [2026, k])
        missed += not kept(cell, result["coverage"])
        mark = "ok" if kept(cell, result["coverage"]) else "MISS"
        print(
            f"{mark:<5}{cell.name:42}{100 * result['coverage']:7.2f} %{result['mean_width']:9.4f}  "
            f"{cell.promise:13}{time.perf_counter() - start:6.1f} s",
            flush=True,
        )
        rows.append(
            {
                "setting": cell.setting,
                "statistic": cell.statistic,
                "method": cell.method,
                "promise": cell.promise,
            }
            | result
        )
    if not words:
        TABLE.write_text(
            json.dumps({"level": LEVEL, "resamples": RESAMPLES, "cells": rows}, indent=1) + "\n"
        )
    print(f"\n{missed} missed" if missed else "\nall kept")
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
