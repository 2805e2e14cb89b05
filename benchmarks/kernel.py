"""Promises that rest on the compiled kernel, and what is left of them by NumPy alone.

Against scikit-learn and numpy.sort with all threads (wall time) and with one (CPU time), in
processes of their own where the first call counts (`first.py`). Which instructions numpy.sort uses
is printed, because its speed, and so some promises, depend on them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import rivals
from first import touched
from promises import MANY, best_of, data, is_slow_sort, promise

import rocwalk as rw
from sklearn import metrics as sk

HERE = Path(__file__).parent
HAS_KERNEL = rw.show_versions()["kernel"]


def bound(with_kernel: float | None, numpy_alone: float | None) -> float | None:
    """Return what is promised here; None for nothing, as by NumPy alone where it sorts slowly."""
    if HAS_KERNEL:
        return with_kernel
    return None if numpy_alone is None or is_slow_sort() else numpy_alone


def fresh(measure: str, **environment: str) -> list[float]:
    """Return the numbers that an expression of first.py gives in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", f"import json, first; print(json.dumps(first.{measure}))"],
        cwd=HERE, env=os.environ | environment, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


@cache
def one_thread() -> list[float]:
    return fresh("one_thread()", ROCWALK_THREADS="1")


@cache
def hundred_million() -> list[float]:
    return fresh("hundred_million()")


def against_sklearn(truth: np.ndarray, weights: np.ndarray | None) -> float:
    """Return how much faster the AUC is than scikit-learn's; of soft truth than a weighted one."""
    y, s = data()
    theirs_weights = weights if truth.dtype.kind == "i" else truth
    ours, theirs = best_of(
        lambda: rw.metrics.roc_auc_score(truth, s, sample_weight=weights),
        lambda: sk.roc_auc_score(y, s, sample_weight=theirs_weights),
        rounds=2,
    )
    return theirs / ours


def against_sort(truth: np.ndarray, s: np.ndarray) -> float:
    ours, limit = best_of(lambda: rw.metrics.roc_auc_score(truth, s), lambda: np.sort(s), rounds=7)
    return ours / limit


@promise("roc_auc_score, 10⁷: times faster than scikit-learn", at_least=bound(30, 20))
def auc_against_sklearn() -> float:
    return against_sklearn(data()[0], None)


@promise(
    "roc_auc_score, 10⁷, one thread, CPU: times faster than scikit-learn", at_least=bound(25, None)
)
def auc_of_one_thread() -> float:
    ours, theirs, _ = one_thread()
    return theirs / ours


@promise(
    "roc, 10⁷, first call of a process: times faster than scikit-learn", at_least=bound(10, None)
)
def first_curve() -> float:
    """Each in processes of its own, in turns: the memory of either is as new as the other's."""
    turns = [[fresh(f"first_curve({name!r})")[0] for name in ("ours", "theirs")] for _ in range(3)]
    ours, theirs = np.min(turns, axis=0)
    return theirs / ours


@promise("roc, 10⁷: times faster than scikit-learn", at_least=bound(12, 8))
def curve_against_sklearn() -> float:
    y, s = data()
    ours, theirs = best_of(lambda: touched(rw.roc(y, s)), lambda: sk.roc_curve(y, s), rounds=3)
    return theirs / ours


@promise("weighted AUC, 10⁷: times faster than scikit-learn", at_least=bound(10, 5))
def weights_against_sklearn() -> float:
    return against_sklearn(data()[0], np.random.default_rng(3).random(MANY))


@promise("soft truth, 10⁷: times faster than scikit-learn weighted", at_least=bound(10, 5))
def soft_against_sklearn() -> float:
    return against_sklearn(np.random.default_rng(3).random(MANY), None)


@promise(
    "roc_auc_score, 10⁷ int64: multiple of numpy.sort",
    at_most=bound(0.5 if HAS_KERNEL and is_slow_sort() else 1.0, 2.0),
)
def auc_against_sort() -> float:
    return against_sort(*data())


@promise("roc_auc_score, 10⁷ bool: multiple of numpy.sort", at_most=bound(None, 1.7))
def auc_of_bool_against_sort() -> float:
    y, s = data()
    return against_sort(y.astype(bool), s)


@promise(
    "roc_auc_score, 10⁷ int64, one thread, CPU: multiple of numpy.sort", at_most=bound(1.6, None)
)
def auc_of_one_thread_against_sort() -> float:
    ours, _, sort = one_thread()
    return ours / sort


@promise(
    "roc_auc_score, 10⁷ rows with ties: times less CPU than the fastest rival",
    at_least=bound(rivals.PROMISED, None),
)
def auc_against_rivals() -> float:
    """Seven libraries in an environment of their own, which `make bench` makes."""
    ratio: float = rivals.measured_apart()["ratio"]
    return ratio


@promise("roc_auc_score, 10⁸ rows: nanoseconds of CPU a row", at_most=bound(40, None))
def auc_of_hundred_million() -> float:
    return hundred_million()[0] * 10


@promise("roc_auc_score, 10⁸ rows: peak above the input, multiple of it", at_most=bound(1.5, None))
def memory_of_hundred_million() -> float:
    return hundred_million()[1]
