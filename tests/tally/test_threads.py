"""Threads: how many share the work, the order of results, the same numbers from any number."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from rocwalk.errors import FitWarning, collecting, warn
from rocwalk.tally import threads
from rocwalk.tally.threads import (
    counts_of_rates,
    divided,
    in_threads,
    side_by_side,
    thread_count,
    thread_limit,
)


@pytest.mark.parametrize(("given", "limit"), [("1", 1), ("3", 3)])
def test_the_limit_is_the_environments(monkeypatch, given, limit):
    monkeypatch.setenv("ROCWALK_THREADS", given)
    assert thread_limit() == limit


@pytest.mark.parametrize("given", ["", "0", "many", "-2"])
def test_what_is_no_limit_is_one_thread_for_each_processor(monkeypatch, given):
    monkeypatch.setenv("ROCWALK_THREADS", given)
    assert thread_limit() == len(os.sched_getaffinity(0))


def test_few_rows_take_one_thread_and_many_no_more_than_the_limit(monkeypatch):
    monkeypatch.setenv("ROCWALK_THREADS", "4")
    rows = threads._ROWS_OF_THREAD
    assert [thread_count(n) for n in (0, rows, 2 * rows - 1, 2 * rows, 3 * rows, 99 * rows)] == [
        *(1, 1, 1),
        *(2, 3, 4),
    ]


@pytest.mark.parametrize("limit", ["1", "2", "5"])
def test_results_are_in_the_order_of_the_calls(monkeypatch, limit):
    monkeypatch.setenv("ROCWALK_THREADS", limit)
    assert in_threads([lambda k=k: k**2 for k in range(9)]) == [k**2 for k in range(9)]


def test_the_last_call_runs_in_the_callers_thread(monkeypatch):
    monkeypatch.setenv("ROCWALK_THREADS", "2")
    begun = threading.Event()

    def other():
        begun.set()
        return threading.get_ident()

    first, last = in_threads([other, lambda: begun.wait(60) and threading.get_ident()])
    assert last == threading.get_ident() != first


def test_calls_that_no_thread_has_begun_are_made_by_the_caller(monkeypatch):
    """As where all threads of the pool are busy, or where one of its own calls shares its work."""
    monkeypatch.setenv("ROCWALK_THREADS", "2")
    begun, done = threading.Event(), threading.Event()

    def busy():
        begun.set()
        assert done.wait(60)
        return in_threads([threading.get_ident, threading.get_ident])

    def meanwhile():
        assert begun.wait(60)
        found = in_threads([threading.get_ident] * 3)
        done.set()
        return found

    inner, own = in_threads([busy, meanwhile])
    assert own == [threading.get_ident()] * 3
    assert set(inner).isdisjoint(own)
    assert len(set(inner)) == 1


LATE = """
import sys, threading
import numpy as np
import rocwalk as rw

s = np.random.default_rng(1).random(300_000)
y = s + np.random.default_rng(2).random(300_000) > 1
pair = {"a": s, "b": s**2 + y}
methods = {"method": "percentile", "n_resamples": 20, "rng": 0}
compute = lambda: [
    rw.metrics.roc_auc_score(y, s), *rw.roc(y, s).fpr[:9], rw.interval(y, s, **methods).low,
    rw.compare(y, pair).pairs[0].p_value,
]
expected = compute() if sys.argv[1:] == ["before"] else None

def late():
    threading.main_thread().join()
    found = compute()
    print("same" if found == (expected or compute()) and len(found) == 12 else found)

threading.Thread(target=late).start()
"""


@pytest.mark.parametrize("pool", [[], ["before"]])
def test_a_thread_that_outlives_the_main_one_still_gets_its_numbers(pool):
    """No thread can be started any more, whether or not there was a pool before."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LATE, *pool],
        env=os.environ | {"ROCWALK_THREADS": "2"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("same\n", "")


@pytest.mark.parametrize("given", [1, 2, 5, None])
def test_work_side_by_side_is_in_the_order_of_the_items(monkeypatch, given):
    monkeypatch.setenv("ROCWALK_THREADS", "3")
    with collecting() as warnings:

        def square(k):
            warn(FitWarning(str(k)))
            return k**2

        assert list(side_by_side(square, range(20), given)) == [k**2 for k in range(20)]
    assert sorted(int(str(one)) for one in warnings) == list(range(20))


def test_the_threads_of_work_side_by_side_are_limited_by_the_environment(monkeypatch):
    monkeypatch.setenv("ROCWALK_THREADS", "1")
    assert set(side_by_side(lambda _: threading.get_ident(), range(9), None)) == {
        threading.get_ident()
    }


@pytest.mark.parametrize("which", [0, 1])
def test_an_error_of_any_call_is_raised(monkeypatch, which):
    monkeypatch.setenv("ROCWALK_THREADS", "2")
    calls = [lambda: 1, lambda: 1]
    calls[which] = lambda: 1 / 0
    with pytest.raises(ZeroDivisionError):
        in_threads(calls)


@pytest.mark.parametrize("limit", ["1", "2", "3"])
def test_columns_in_parts_are_those_of_numpy(monkeypatch, limit):
    monkeypatch.setenv("ROCWALK_THREADS", limit)
    monkeypatch.setattr(threads, "_ROWS_OF_THREAD", 50)
    column = np.arange(1001) ** 2
    assert divided(column, 7).tobytes() == (column / 7).tobytes()
    total = 3**33  # beyond 2⁵², where neighbours of k/n are still nearer to k than to k ± 1
    counts = np.random.default_rng(0).integers(0, 2**40, 1001)
    assert counts_of_rates(counts / 2**40, 2**40).tolist() == counts.tolist()
    assert counts_of_rates(np.array([0.0, 1.0]), total).tolist() == [0, total]
    assert divided(np.array([]), 2).tolist() == []


def test_a_forked_process_makes_a_pool_of_its_own(monkeypatch):
    monkeypatch.setenv("ROCWALK_THREADS", "2")
    in_threads([lambda: 1, lambda: 2])
    assert threads._POOL
    threads._forget_pool()  # what is registered to run after a fork
    assert not threads._POOL
    assert in_threads([lambda: 1, lambda: 2]) == [1, 2]
