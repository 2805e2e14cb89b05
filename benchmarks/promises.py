"""What a promise is, how times are taken, and the data that most promises are measured on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

MANY = 10**7
PROMISES: list[Promise] = []


@dataclass
class Promise:
    name: str
    measure: Callable[[], float]
    bound: float
    at_least: bool

    def kept(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value <= self.bound


def promise(name: str, *, at_least: float | None = None, at_most: float | None = None):
    """Register what measures a promise; without a bound nothing is promised on this machine."""

    def register(measure):
        bound = at_least if at_least is not None else at_most
        if bound is not None:
            PROMISES.append(Promise(name, measure, bound, at_least is not None))
        return measure

    return register


def best_of(*calls: Callable[[], object], rounds: int = 5) -> list[float]:
    """Time the calls in turns and return the best time of each."""
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            call()
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def data(n: int = MANY):
    """Scores and 10 % positives, from separate seeds; the scores know a little about the labels."""
    labels = np.random.default_rng(1).random(n) < 0.1
    scores = np.random.default_rng(2).random(n)
    return labels.astype(np.int64), np.where(labels, np.sqrt(scores), scores)


# the instructions that NumPy sorts with, by preference; its versions name them in two ways
SORT_PATHS = {
    "AVX-512": ("X86_V4", "AVX512_SKX"),
    "AVX2": ("X86_V3", "AVX2"),
    "SVE": ("SVE",),
    "ASIMD": ("ASIMD",),
}


def sort_path() -> str:
    """Return which instructions NumPy sorts with, of those that are not switched off."""
    from numpy._core._multiarray_umath import __cpu_features__ as found

    for path, names in SORT_PATHS.items():
        if any(found.get(name) for name in names):
            return path
    return "baseline"


def is_switched() -> bool:
    """Return whether some of NumPy's instructions are switched off, as by bench-switched."""
    return bool(os.environ.get("NPY_DISABLE_CPU_FEATURES"))


SLOW_SORT = 40e-9  # seconds a row from which numpy.sort is slow


@cache
def sort_time() -> float:
    """Return the CPU seconds that numpy.sort takes for a row of 10⁷, on its one thread."""
    _, s = data()
    times = []
    for _ in range(3):
        start = time.process_time()
        np.sort(s)
        times.append(time.process_time() - start)
    return min(times) / MANY


def is_slow_sort() -> bool:
    return sort_time() > SLOW_SORT
