"""Promises on start-up and on small data, where what is loaded and checked outweighs the numbers.

Start-up is CPU time, in user and system mode together, as a multiple of ``import numpy``: the least
of several runs in turns, with bytecode that was written before.
"""

from __future__ import annotations

import os
import sys
import tempfile

import numpy as np
from once import EXAMPLE, MODELS, START, processor_time
from promises import best_of, data, promise

import rocwalk as rw

FEW = 10_000
SCORE = ["score", str(EXAMPLE), "--label", "malignant", "--fold", "fold", "--by", "size"]
SCORE += [word for model in MODELS for word in ("--score", model)]


def in_imports(words: list[str], rounds: int = 8) -> float:
    """Return the CPU time of a command as a multiple of ``import numpy``."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        commands = (
            [sys.executable, "-c", START, *words],
            [sys.executable, "-c", "import numpy"],
        )
        times = [[processor_time(one, environment) for one in commands] for _ in range(rounds)][1:]
    ours, numpy = (min(column) for column in zip(*times, strict=True))
    return ours / numpy


@promise("rocwalk --help: CPU time as a multiple of import numpy", at_most=1.8)
def help_time() -> float:
    return in_imports(["--help"])


@promise("rocwalk score, bundled example: CPU time as a multiple of import numpy", at_most=5.5)
def score_time() -> float:
    return in_imports(SCORE)


def small_sample():
    y, s = data(FEW)
    return y, s, np.clip(s + np.random.default_rng(5).normal(0, 0.2, FEW), 0, 1)


def in_budgets(call) -> float:
    """Return the time of a call as a share of 3 × argsort of two columns, plus 100 µs."""
    _, s, other = small_sample()
    ours, pair = best_of(call, lambda: (np.argsort(s), np.argsort(other)), rounds=300)
    return ours / (3 * pair + 100e-6)


@promise("interval, 10,000 rows: share of 3 × two numpy.argsort + 100 µs", at_most=1)
def small_interval() -> float:
    y, s, _ = small_sample()
    return in_budgets(lambda: rw.interval(y, s))


@promise("compare, 10,000 rows: share of 3 × two numpy.argsort + 100 µs", at_most=1)
def small_comparison() -> float:
    y, s, other = small_sample()
    return in_budgets(lambda: rw.compare(y, {"a": s, "b": other}))
