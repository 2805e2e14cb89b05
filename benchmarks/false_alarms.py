"""Simulate how often drift is called where there is none, and how often it is seen where it is.

    python benchmarks/false_alarms.py     # writes docs/false_alarms.json

Exits with 1 if false alarms are more than 1.5 points from α, or if drift between the flu domains
is seen in fewer than 95 % of runs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import rocwalk as rw

TABLE = Path(__file__).parent.parent / "docs" / "false_alarms.json"
ALPHA, SLACK, POWER = 0.05, 0.015, 0.95
RUNS = 2_000
STRENGTH = 1.4  # of calibrated scores: the logit of p is that of the prevalence and δ·z

Rng = np.random.Generator
Sample = tuple[np.ndarray, np.ndarray]


def calibrated(
    rng: Rng, n: int, prevalence: float, *, ties: int | None = None, fixed: bool = False
) -> Sample:
    """Labels, and probabilities that are right about them; the prevalence drawn or by design."""
    y = np.arange(n) < round(prevalence * n) if fixed else rng.random(n) < prevalence
    z = rng.normal(size=n) + STRENGTH * (y - 0.5)
    p = 1 / (1 + np.exp(-(np.log(prevalence / (1 - prevalence)) + STRENGTH * z)))
    return y.astype(int), p if ties is None else np.round(p * ties) / ties


@dataclass(frozen=True)
class Cell:
    """Two samples and how they are compared; `calls` says whether drift ought to be called."""

    name: str
    draw: Callable[[Rng], tuple[Sample, Sample]]
    calls: bool = False
    options: tuple[tuple[str, object], ...] = ()
    by_area: bool = False  # look at the AUC alone, for comparison; not judged

    def run(self, rng: Rng) -> bool:
        reference, current = self.draw(rng)
        if self.by_area:
            return rw.compare_samples(reference, current).p_value < ALPHA
        return rw.drift(reference, current, alpha=ALPHA, **dict(self.options)).drifted

    def kept(self, share: float) -> bool:
        if self.by_area:
            return True
        return share >= POWER if self.calls else abs(share - ALPHA) <= SLACK


def twice(one: int, other: int, prevalence: float, **how: object) -> Callable[[Rng], tuple]:
    def draw(rng: Rng) -> tuple[Sample, Sample]:
        first, second = (calibrated(rng, n, prevalence, **how) for n in (one, other))
        return first, second

    return draw


def flu(domain: str) -> Callable[[Rng], tuple]:
    """A Naive Bayes trained on one NGP sample, on another one and on a sample of the domain."""

    def draw(rng: Rng) -> tuple[Sample, Sample]:
        model = rw.datasets.naive_bayes(rw.datasets.flu("NGP", 1000, rng))
        samples = [rw.datasets.flu(name, 1000, rng) for name in ("NGP", domain)]
        first, second = ((one.y, model.predict(one)) for one in samples)
        return first, second

    return draw


FIXED = (("fixed_prevalence", True),)
CELLS = [
    Cell("equal sizes, 500 and 500", twice(500, 500, 0.3)),
    Cell("unequal sizes, 2,000 and 300", twice(2000, 300, 0.3)),
    Cell("5 % prevalence, 2,000 and 2,000", twice(2000, 2000, 0.05)),
    Cell("heavy ties, six scores, 500 and 500", twice(500, 500, 0.3, ties=5)),
    Cell("prevalence by design, 500 and 500", twice(500, 500, 0.3, fixed=True), options=FIXED),
    Cell(
        "prevalence by design, 5 %, 2,000 and 2,000",
        twice(2000, 2000, 0.05, fixed=True),
        options=FIXED,
    ),
    Cell("flu, NGP again, 1,000", flu("NGP")),
    Cell("flu, DP, 1,000", flu("DP"), calls=True),
    Cell("flu, FC, 1,000", flu("FC"), calls=True),
    Cell("flu, FC, 1,000, by the AUC alone", flu("FC"), by_area=True),
]


def simulate(cell: Cell, runs: int, seed: object) -> float:
    """Return the share of runs in which drift is called."""
    rng = np.random.default_rng(seed)
    return sum(cell.run(rng) for _ in range(runs)) / runs


def main() -> int:
    missed, rows = 0, []
    for k, cell in enumerate(CELLS):
        share = simulate(cell, RUNS, [2009, k])
        kept = cell.kept(share)
        missed += not kept
        rows.append({"cell": cell.name, "called": share, "runs": RUNS, "drifts": cell.calls})
        print(f"{'ok' if kept else 'MISS':5}{cell.name:48}{100 * share:6.2f} %", flush=True)
    TABLE.write_text(json.dumps({"alpha": ALPHA, "rows": rows}, indent=1) + "\n")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
