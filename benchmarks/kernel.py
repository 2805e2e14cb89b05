"""Promises that rest on the compiled kernel, and those that hold without it.

Against scikit-learn and numpy.sort with all threads (wall time) and with one (CPU time), in
processes of their own where the first call counts. Which instructions numpy.sort uses is printed,
because its speed, and so some promises, depend on them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from promises import MANY, best_of, data, promise

import rocwalk as rw
from sklearn import metrics as sk

HERE = Path(__file__).parent
HAS_KERNEL = rw.show_versions()["kernel"]
SLOW_SORT = 40e-9  # seconds a row from which numpy.sort is slow


def fresh(measure: str, **environment: str) -> list[float]:
    """Return the numbers that an expression of this module gives in a process of its own."""
    code = f"import json, kernel; print(json.dumps(kernel.{measure}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=HERE, env=os.environ | environment, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def once(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def processor_time(call: Callable[[], object], rounds: int = 3) -> float:
    """Return the least CPU time of a call."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


@cache
def seconds_a_row() -> float:
    _, s = data()
    return processor_time(lambda: np.sort(s)) / MANY


def touched(curve):
    return curve.fpr, curve.tpr, curve.thresholds


def first_curves() -> list[float]:
    """Return the time of the first curve of this process, ours and scikit-learn's."""
    y, s = data()
    rw.roc(y[:1000], s[:1000]), sk.roc_curve(y[:1000], s[:1000])  # imports
    return [once(lambda: touched(rw.roc(y, s))), once(lambda: sk.roc_curve(y, s))]


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


if HAS_KERNEL:

    @promise("roc_auc_score, 10⁷, all threads: times faster than scikit-learn", at_least=30)
    def auc_against_sklearn() -> float:
        y, s = data()
        ours, theirs = best_of(
            lambda: rw.metrics.roc_auc_score(y, s), lambda: sk.roc_auc_score(y, s), rounds=2
        )
        return theirs / ours

    @promise("roc_auc_score, 10⁷, one thread, CPU: times faster than scikit-learn", at_least=25)
    def auc_of_one_thread() -> float:
        ours, theirs, _ = fresh("one_thread()", ROCWALK_THREADS="1")
        return theirs / ours

    @promise("roc, 10⁷, first call of a process: times faster than scikit-learn", at_least=10)
    def first_curve() -> float:
        ours, theirs = np.min([fresh("first_curves()") for _ in range(5)], axis=0)
        return theirs / ours

    @promise("weighted AUC, 10⁷, all threads: times faster than scikit-learn", at_least=10)
    def weights_against_sklearn() -> float:
        y, s = data()
        w = np.random.default_rng(3).random(MANY)
        ours, theirs = best_of(
            lambda: rw.metrics.roc_auc_score(y, s, sample_weight=w),
            lambda: sk.roc_auc_score(y, s, sample_weight=w),
            rounds=2,
        )
        return theirs / ours

    @promise("soft truth, 10⁷, all threads: times faster than scikit-learn weighted", at_least=10)
    def soft_against_sklearn() -> float:
        y, s = data()
        f = np.random.default_rng(3).random(MANY)
        ours, theirs = best_of(
            lambda: rw.metrics.roc_auc_score(f, s),
            lambda: sk.roc_auc_score(y, s, sample_weight=f),
            rounds=2,
        )
        return theirs / ours

    AT_MOST = 0.5 if seconds_a_row() > SLOW_SORT else 1.0

    @promise("roc_auc_score, 10⁷ int64, all threads: multiple of numpy.sort", at_most=AT_MOST)
    def auc_against_sort() -> float:
        y, s = data()
        ours, limit = best_of(lambda: rw.metrics.roc_auc_score(y, s), lambda: np.sort(s), rounds=7)
        return ours / limit

    @promise("roc_auc_score, 10⁷ int64, one thread, CPU: multiple of numpy.sort", at_most=1.6)
    def auc_of_one_thread_against_sort() -> float:
        ours, _, sort = fresh("one_thread()", ROCWALK_THREADS="1")
        return ours / sort

    @promise("roc_auc_score, 10⁸ rows: nanoseconds of CPU a row", at_most=40)
    def auc_of_hundred_million() -> float:
        return fresh("hundred_million()")[0] * 10

    @promise("roc_auc_score, 10⁸ rows: peak above the input, multiple of it", at_most=1.5)
    def memory_of_hundred_million() -> float:
        return fresh("hundred_million()")[1]

elif seconds_a_row() <= SLOW_SORT:  # the promises of NumPy alone, where numpy.sort is healthy

    @promise("roc_auc_score, 10⁷ int64: times faster than scikit-learn", at_least=20)
    def auc_against_sklearn() -> float:
        y, s = data()
        ours, theirs = best_of(
            lambda: rw.metrics.roc_auc_score(y, s), lambda: sk.roc_auc_score(y, s), rounds=2
        )
        return theirs / ours

    @promise("roc_auc_score, 10⁷ int64: multiple of numpy.sort", at_most=2.0)
    def auc_against_sort() -> float:
        y, s = data()
        ours, limit = best_of(lambda: rw.metrics.roc_auc_score(y, s), lambda: np.sort(s), rounds=7)
        return ours / limit

    @promise("roc_auc_score, 10⁷ bool: multiple of numpy.sort", at_most=1.7)
    def auc_of_bool_against_sort() -> float:
        y, s = data()
        labels = y.astype(bool)
        ours, limit = best_of(
            lambda: rw.metrics.roc_auc_score(labels, s), lambda: np.sort(s), rounds=7
        )
        return ours / limit

    @promise("roc, 10⁷: times faster than scikit-learn's roc_curve", at_least=8)
    def curve_against_sklearn() -> float:
        y, s = data()
        ours, theirs = best_of(lambda: touched(rw.roc(y, s)), lambda: sk.roc_curve(y, s), rounds=3)
        return theirs / ours

    @promise("roc_auc_score with weights, 10⁷: times faster than scikit-learn", at_least=5)
    def weights_against_sklearn() -> float:
        y, s = data()
        w = np.random.default_rng(3).random(MANY)
        ours, theirs = best_of(
            lambda: rw.metrics.roc_auc_score(y, s, sample_weight=w),
            lambda: sk.roc_auc_score(y, s, sample_weight=w),
            rounds=2,
        )
        return theirs / ours

    @promise("soft truth, 10⁷: times faster than scikit-learn with weights", at_least=5)
    def soft_against_sklearn() -> float:
        y, s = data()
        f = np.random.default_rng(3).random(MANY)
        ours, theirs = best_of(
            lambda: rw.metrics.roc_auc_score(f, s),
            lambda: sk.roc_auc_score(y, s, sample_weight=f),
            rounds=2,
        )
        return theirs / ours
