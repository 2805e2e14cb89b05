"""The compiled kernel against NumPy's way: the same bits, for any scores and any number of threads."""

from __future__ import annotations

import dataclasses
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.tally import kernel, threads
from rocwalk.tally.order import (
    order_of,
    pairs_of_labels,
    places_of,
    sorted_classes,
    sorted_scores,
    tally_of_labels,
    tally_of_masses,
)
from rocwalk.tally.sums import class_moments
from rocwalk.tally.threads import counts_of_rates
from rocwalk.tally.walk import walk_of

COMPILED = kernel._KERNEL
CASES, SEEDS = 100, range(24)  # 2,400 cases
EXTREMES = [-1.7e308, 1.7e308, 0.0, -0.0, 5e-324, -5e-324, 1.0, -1.0, 2.2e-308, 1e-310]
KINDS = {
    "uniform": lambda rng, n: rng.random(n),
    "few distinct": lambda rng, n: rng.integers(0, 7, n) / 7,
    "three digits": lambda rng, n: np.round(rng.random(n), 3),
    "heavy tails": lambda rng, n: np.exp(rng.normal(size=n) * 40),
    "any scale": lambda rng, n: rng.normal(size=n) * 10.0 ** rng.integers(-300, 300),
    "extremes": lambda rng, n: rng.choice(EXTREMES, n),
    "subnormal": lambda rng, n: rng.integers(-9, 9, n) * 5e-324,
    "sorted": lambda rng, n: np.sort(rng.random(n)),
    "falling": lambda rng, n: -np.sort(rng.random(n)),
    "one score": lambda rng, n: np.full(n, rng.random()),
    "crowded": lambda rng, n: np.where(rng.random(n) < 0.01, rng.random(n), rng.random(n) * 1e-14),
    "one outlier": lambda rng, n: np.append(rng.normal(size=n - 1) * 1e-6, 1.0),
    "integers": lambda rng, n: rng.integers(-5000, 5000, n).astype(np.float64),
    "single precision": lambda rng, n: rng.random(n, dtype=np.float32).astype(np.float64),
    "neighbours": lambda rng, n: 0.5 + rng.integers(0, 3 * n, n) * 2.0**-53,
}


@pytest.fixture
def small(monkeypatch):
    """Let the kernel take any number of rows, and threads any part of them."""
    assert COMPILED is not None, "the kernel was not built: is there a C compiler?"
    monkeypatch.setattr(kernel, "_FEWEST", 1)
    monkeypatch.setattr(threads, "_ROWS_OF_THREAD", 1)
    monkeypatch.setattr(kernel, "_ROWS_OF_SLOT", 64)


def results(truth, soft, weights, scores):
    """Everything that is made of an order, as bytes."""
    low, high = float(scores.min()), float(scores.max())
    tally = tally_of_labels(truth, scores, low, high)
    pairs = pairs_of_labels(truth, scores, low, high)
    curve = tally_of_labels(truth, scores, low, high, for_curve=True)
    walk, totals = walk_of(curve), (curve.total_up, curve.total_right)
    found = {
        "rates": [walk.thresholds, walk.tpr, walk.fpr, np.array(totals)],
        "counts of rates": [curve.scores, curve.up, curve.right, walk.up, walk.right],
        "pairs": [np.array((0, 0, 0) if pairs is None else pairs)],
        "tally": [tally.scores, tally.up, tally.right],
        "order": order_of(scores),
        "classes": sorted_classes(truth.astype(bool), scores, low, high),
        "sorted": [sorted_scores(scores)],
        "moments": [np.array(class_moments(truth, soft - 0.3))],
    }
    rising = sorted_scores(scores)
    for name, queries in {
        "own places": rising,
        "places of positives": rising[sorted_scores(soft) > 0.5],
        "shifted places": rising / 2 + (high / 8 - low / 8),
        "places between": rising[1:] / 2 + rising[:-1] / 2,
        "infinite places": np.array([-np.inf, *rising, np.inf]),
    }.items():
        found[name] = [places_of(rising, queries, side) for side in ("left", "right")]
    for name, masses in {
        "weights": (truth, weights),
        "soft": (soft, None),
        "both": (soft, weights),
    }.items():
        made = tally_of_masses(*masses, scores)
        found[name] = [made.scores, made.up, made.right, made.count, made.up_squared]
    return {
        name: [(column.dtype.str, column.tobytes()) for column in columns]
        for name, columns in found.items()
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_the_kernel_gives_the_bits_of_numpy(seed, small, monkeypatch):
    rng = np.random.default_rng(seed)
    for case in range(CASES):
        kind = list(KINDS)[(case + seed) % len(KINDS)]
        n = int(rng.choice([1, 2, 3, 10, 100, 700, 3000], p=[0.1, 0.1, 0.1, 0.2, 0.25, 0.2, 0.05]))
        scores = KINDS[kind](rng, n)
        labels = rng.random(n) < rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        truth = labels.astype(np.int64) if case % 2 else labels
        soft, weights = rng.integers(0, 5, n) / 4, rng.random(n) + 0.1
        columns = (truth, soft, weights, scores)
        monkeypatch.setattr(threads, "thread_limit", lambda count=1 + case % 3: count)
        monkeypatch.setattr(kernel, "_KERNEL", COMPILED)
        ours = results(*columns)
        monkeypatch.setattr(kernel, "_KERNEL", None)
        theirs = results(*columns)
        if "extremes" in kind or "any" in kind:  # where NumPy's keys lack the bits to count pairs
            ours["pairs"] = theirs["pairs"] = pairs_by_hand(labels, scores, ours["pairs"])
        for name in theirs:
            assert ours[name] == theirs[name], (seed, case, kind, n, name)


def pairs_by_hand(labels, scores, found):
    one, other = scores[labels][:, None], scores[~labels]
    halves = 2 * int((one > other).sum()) + int((one == other).sum())
    expected = np.array((halves, labels.sum(), (~labels).sum()), dtype=np.int64)
    assert found == [(expected.dtype.str, expected.tobytes())]
    return found


def test_many_rows_in_many_slots(monkeypatch):
    """Slots, threads and levels of the sort as they are, without a change of limits."""
    rng = np.random.default_rng(1)
    n = 300_000
    for kind in ("uniform", "three digits", "crowded", "one outlier", "single precision"):
        scores, labels = KINDS[kind](rng, n), rng.random(n) < 0.3
        columns = (labels, rng.integers(0, 9, n) / 8, rng.random(n), scores)
        monkeypatch.setattr(kernel, "_KERNEL", COMPILED)
        ours = results(*columns)
        monkeypatch.setattr(kernel, "_KERNEL", None)
        assert ours == results(*columns), kind


def test_counts_follow_from_rates_up_to_the_most_rows():
    rng = np.random.default_rng(3)
    for total in (1, 3, 1000, 2**20 + 1, 2**31 - 1, *rng.integers(1, 2**31, 100).tolist()):
        counts = np.append(rng.integers(0, total, 1000, endpoint=True), [0, 1, total - 1, total])
        assert (counts_of_rates(counts / total, total) == counts).all(), total


def test_a_curve_keeps_no_counts_until_they_are_used(small):
    rng = np.random.default_rng(4)
    scores, labels = rng.random(999), rng.random(999) < 0.5
    curve, counted = rw.roc(labels, scores), rw.tally(labels, scores)
    for owner in (curve.tally, curve.walk):
        assert not {"up", "right"} & set(vars_of(owner))
    assert curve.fpr[-1] == curve.tpr[-1] == 1.0
    assert repr(curve.tally) == repr(counted)
    assert pickle.loads(pickle.dumps(curve)).walk.up.tolist() == [0, *np.cumsum(counted.up)]
    assert (curve.tally + counted).up.tolist() == (2 * counted.up).tolist()
    assert not curve.tally.up.flags.writeable
    with pytest.raises(AttributeError, match="'Tally' object has no attribute 'upp'"):
        _ = curve.tally.upp


def vars_of(owner):
    """The attributes that are set, of an object with or without slots."""
    if hasattr(owner, "__dict__"):
        return vars(owner)
    fields = {field.name: vars(type(owner))[field.name] for field in dataclasses.fields(owner)}
    return {name for name, slot in fields.items() if is_set(slot, owner)}


def is_set(slot, owner):
    try:
        slot.__get__(owner)
    except AttributeError:
        return False
    return True


def test_columns_of_any_layout_are_read_right(small):
    rng = np.random.default_rng(2)
    scores, labels = rng.random(999), rng.random(999) < 0.5
    expected = rw.metrics.roc_auc_score(labels, scores)
    spaced = np.zeros((999, 3))
    spaced[:, 1] = scores
    foreign = scores.astype(scores.dtype.newbyteorder())
    shifted = np.frombuffer(b"\0" + scores.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert not shifted.flags.aligned
    for column in (spaced[:, 1], foreign, shifted, scores[::-1][::-1]):
        assert rw.metrics.roc_auc_score(labels, column) == expected
        assert rw.metrics.roc_auc_score(labels.astype(np.int8), column) == expected
        assert order_of(column)[0].tolist() == np.argsort(-scores, kind="stable").tolist()


def test_rows_that_change_after_they_were_counted_are_refused():
    plan = (1.0, 4.0, 3.0, kernel._rank(1.0), 0)
    scores, nothing = np.linspace(0, 1, 100), np.empty(0, dtype=np.uint8)
    places, keys = np.full(4, 90, dtype=np.int64), np.empty(100, dtype=np.uint64)
    with pytest.raises(ValueError, match="cannot be scattered"):
        COMPILED.scatter(scores, nothing, nothing, 0, 100, plan, places, keys, 8)


@pytest.mark.parametrize(
    ("starts", "outs"),
    [
        ([0, 5, 4], 10),  # starts that fall
        ([0, 5, 99], 10),  # beyond the keys
        ([-1, 5, 10], 10),
        ([0, 5, 10], 9),  # results that are too short
    ],
)
def test_slots_that_do_not_fit_are_refused(starts, outs):
    keys, room = np.zeros(10, dtype=np.uint64), [np.zeros(outs) for _ in range(3)]
    with pytest.raises(ValueError, match="cannot be finished"):
        COMPILED.finish(1, keys, np.array(starts), 0, 1, 0, *room, np.zeros(1, dtype=np.int64))


@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize("part", ["all", "few", "many", "first"])
def test_keys_that_no_score_has_are_not_followed_beyond_their_slot(kind, part):
    """They are found where another thread changes the scores between counting and scattering.

    Under the sanitizers nothing outside of the columns is read or written; here the call ends.
    """
    n, m = 300, 700
    keys = np.random.default_rng(5).integers(0, 2**20, n + m).astype(np.uint64)
    changed = {"all": slice(0, n + m), "few": slice(9, n), "many": slice(n, n + m), "first": [0, n]}
    keys[changed[part]] = 2**64 - 1
    for starts in ([0, n, n + m], [0, m, n + m], [0, n + m, n + m], [0, 0, n + m]):
        own, found = keys.copy(), np.zeros(1, dtype=np.int64)
        outs = [np.zeros(n + m) for _ in range(3)]
        COMPILED.finish(kind, own, np.array(starts), 0, 1, 2**63, *outs, found)
        assert 0 <= found[0] <= n + m


@pytest.mark.parametrize("after", [False, True])
def test_places_are_written_within_their_room_for_columns_in_no_order(after):
    """Under the sanitizers nothing outside of the columns is read or written."""
    rng = np.random.default_rng(6)
    for scores, queries in (
        (rng.random(50), rng.random(90)),
        (np.full(50, np.nan), rng.random(9)),
        (rng.random(50), np.full(90, np.nan)),
        (np.empty(0), rng.random(3)),
        (rng.random(3), np.empty(0)),
    ):
        places = np.full(len(queries), -1)
        COMPILED.places(scores, queries, after, places)
        assert ((places >= 0) & (places <= len(scores))).all()
    with pytest.raises(ValueError, match="no room"):
        COMPILED.places(np.zeros(3), np.zeros(3), after, np.zeros(2, dtype=np.int64))


def test_scores_that_are_not_numbers_stay_within_their_slots():
    scores = np.array([np.nan, np.inf, -np.inf, 0.5])
    for grid in (4.0, 0.0):
        plan = (1.0, grid, 3.0, kernel._rank(1.0), 60)
        counts, nothing = np.zeros(4, dtype=np.int64), np.empty(0, dtype=np.uint8)
        COMPILED.scatter(scores, nothing, nothing, 0, 4, plan, counts, nothing, 0)
        assert counts.sum() == 4


def in_process(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


SWITCH = "import rocwalk as rw; v = rw.show_versions(); print(v['kernel'], v['threads'])"


def test_the_environment_switches_the_kernel_off_and_limits_its_threads():
    on = in_process(SWITCH, ROCWALK_THREADS="3", ROCWALK_PURE="")
    assert on.splitlines()[-1] == "True 3"
    off = in_process(SWITCH, ROCWALK_PURE="1")
    assert off.splitlines()[-1].startswith("False ")


def test_a_forked_process_has_threads_of_its_own():
    code = """
import os, warnings
import numpy as np
from rocwalk.tally import threads
from rocwalk.tally.order import pairs_of_labels
warnings.simplefilter("ignore")
s = np.random.default_rng(1).random(600_000)
expected = pairs_of_labels(s > 0.5, s, s.min(), s.max())
assert threads._POOL
child = os.fork()
if not child:
    os._exit(0 if pairs_of_labels(s > 0.5, s, s.min(), s.max()) == expected else 1)
print(os.waitpid(child, 0)[1])
"""
    assert in_process(code, ROCWALK_THREADS="2", ROCWALK_PURE="") == "0"
