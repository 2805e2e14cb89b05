"""Simulate sites that share tallies: how far the area moves, and how often its interval holds.

    python benchmarks/sharing.py     # writes docs/sharing.json

Scores are 1/(1 + e^(−x)), x normal with mean 1.2·y − 2 and standard deviation 1, 10 % positives.
Exits with 1 if the root mean square of (shared area − area of all rows) is more than a quarter away
from the formula of the noise, where the noise is at least half of the error of the buckets, or if
the interval covers less than 93 %, or more than 97 % where the buckets add less than a fifth of the
standard error and the noise moves the number of positives by less than a tenth: beyond that the
formula, which is of first order in the noise, makes intervals conservative. Where the noise can
leave no positives, nothing is promised.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np

import rocwalk as rw
from rocwalk.tally.sharing import noise_variance

TABLE = Path(__file__).parent.parent / "docs" / "sharing.json"
RUNS, SITES, PREVALENCE, EFFECT = 1_000, 5, 0.1, 1.2
AREA = 0.5 * (1 + math.erf(EFFECT / 2))  # Φ(1.2/√2)
CELLS = [
    (rows, buckets, epsilon)
    for rows in (1_000, 10_000)
    for buckets in (64, 256, 1024)
    for epsilon in (None, 0.5, 1.0, 4.0)
]


def site(rng: np.random.Generator, rows: int) -> rw.Tally:
    y = (rng.random(rows) < PREVALENCE).astype(np.int64)
    return rw.tally(y, 1 / (1 + np.exp(-rng.normal(EFFECT * y - 2, 1))))


def measured(rows: int, buckets: int, epsilon: float | None, runs: int = RUNS) -> dict[str, object]:
    rng = np.random.default_rng([rows, buckets, int(10 * (epsilon or 0))])
    moved, noise, slack, error, covered, lost = [], [], [], [], 0, 0
    for _ in range(runs):
        sites = [site(rng, rows) for _ in range(SITES)]
        shared = sum(rw.share(one, buckets=buckets, epsilon=epsilon, rng=rng) for one in sites)
        if min(shared.total_up, shared.total_right) <= 0:
            lost += 1
            continue
        found = rw.interval(shared)
        moved.append(found.estimate - rw.Tally.merge(sites).area)
        noise.append(found.privacy_error)
        slack.append(found.bucket_error)
        error.append(found.standard_error)
        covered += found.low <= AREA <= found.high
    rmse, formula = float(np.sqrt(np.mean(np.square(moved)))), float(np.mean(noise))
    buckets_error, whole = float(np.mean(slack)), float(np.mean(error))
    covered /= runs - lost
    kept = covered >= 0.93
    if epsilon is not None and formula >= buckets_error / 2:
        kept &= abs(rmse / formula - 1) <= 0.25
    moved_positives = math.sqrt(SITES * buckets * (noise_variance(epsilon) if epsilon else 0.0))
    if buckets_error < whole / 5 and moved_positives < PREVALENCE * SITES * rows / 10:
        kept &= covered <= 0.97
    return {
        "sites": SITES, "rows": rows, "buckets": buckets, "epsilon": epsilon, "runs": runs,
        "rmse": rmse, "privacy_error": formula, "bucket_error": buckets_error,
        "standard_error": whole, "coverage": covered, "undefined": lost,
        "kept": bool(kept or lost),
    }  # fmt: skip


def main() -> int:
    found = []
    for cell in CELLS:
        found.append(measured(*cell))
        print({key: round(v, 4) if isinstance(v, float) else v for key, v in found[-1].items()})
    TABLE.write_text(json.dumps({"area": AREA, "cells": found}, indent=1) + "\n")
    return 0 if all(cell["kept"] for cell in found) else 1


if __name__ == "__main__":
    sys.exit(main())
