"""What is measured in a process of its own, by one thread or in the first call; see kernel.py."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from promises import data

import rocwalk as rw
from sklearn import metrics as sk


def processor_time(call: Callable[[], object], rounds: int = 3) -> float:
    """Return the least CPU time of a call."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def touched(curve):
    return curve.fpr, curve.tpr, curve.thresholds


def first_curve(whose: str) -> list[float]:
    """Return the time of the first curve of this process, "ours" or scikit-learn's."""
    y, s = data()

    def curve(n: int) -> object:
        return touched(rw.roc(y[:n], s[:n])) if whose == "ours" else sk.roc_curve(y[:n], s[:n])

    curve(1000)  # imports
    start = time.perf_counter()
    kept = curve(len(y))
    seconds = time.perf_counter() - start
    del kept
    return [seconds]


def one_thread() -> list[float]:
    """Return CPU times of the AUC, ours with one thread, scikit-learn's and that of numpy.sort."""
    y, s = data()
    ours = processor_time(lambda: rw.metrics.roc_auc_score(y, s))
    theirs = processor_time(lambda: sk.roc_auc_score(y, s), rounds=1)
    return [ours, theirs, processor_time(lambda: np.sort(s))]


def hundred_million() -> list[float]:
    """Return the CPU seconds of 10⁸ rows, and the peak of memory as a multiple of the input."""
    rng = np.random.default_rng(1)
    s = rng.random(10**8)
    y = rng.random(10**8) < s
    rw.metrics.roc_auc_score(y[:1000], s[:1000])  # imports
    seconds = processor_time(lambda: rw.metrics.roc_auc_score(y, s), rounds=2)
    tracemalloc.start()
    rw.metrics.roc_auc_score(y, s)
    return [seconds, tracemalloc.get_traced_memory()[1] / (y.nbytes + s.nbytes)]
