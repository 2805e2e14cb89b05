"""The e-process of a watch: its starts, its blocks and its change points."""

from __future__ import annotations

import math

import numpy as np
import pytest

from drift.samples import ALTERNATIVES, watch
from drift.samples import stream as sample
from rocwalk.drift import e_process
from rocwalk.drift.e_process import change_point_of, log_start
from rocwalk.drift.likelihood_ratios import (
    SHIFTS,
    SLOPES,
)


def test_the_alternatives_are_twenty_and_the_starts_add_up_to_one():
    assert len(set(ALTERNATIVES)) == 20
    assert sorted(SHIFTS[SLOPES == 0]) == [-1.2, -0.8, -0.5, -0.3, -0.15, 0.15, 0.3, 0.5, 0.8, 1.2]
    assert sorted(SLOPES[SHIFTS == 0]) == [-1.3, -0.9, -0.6, -0.3, 0.4, 0.8]
    b = np.arange(1, 100_001)
    total = sum(math.exp(log_start(int(k))) for k in b)
    rest = 1 / (2.109742801 * math.log(100_001.5))  # ∫ dx/(x·ln²x)
    assert total + rest == pytest.approx(1, abs=1e-9)


def test_evidence_has_no_ceiling_but_the_shown_value_has():
    found = watch(margin=0).update(np.ones(3000, dtype=int), np.full(3000, 0.2))
    assert found.log_e_value > 1000
    assert found.e_value == pytest.approx(1e250)


# -- the change point ------------------------------------------------------------------------------


def test_the_set_of_change_points_holds_95_percent():
    sums = np.zeros((4, 20))
    sums[2, :10], sums[3, :10] = 1.0, 5.0
    found = change_point_of([0, 50, 100, 150], sums, np.log([0.25] * 4), 180)
    score = [math.log((10 * math.exp(s) + 10) / 20) for s in (6, 6, 6, 5)]
    share = np.exp(score) / np.exp(score).sum()
    assert found.row == 0  # the first of equal scores
    assert share[:3].sum() < 0.95
    assert (found.rows, found.low, found.high) == ((0, 50, 100, 150), 0, 179)
    sums[1, :10] = -20.0
    found = change_point_of([0, 50, 100, 150], sums, np.log([0.25] * 4), 180)
    assert (found.row, found.rows, found.low, found.high) == (100, (100, 150), 100, 179)


def test_old_blocks_are_joined_and_change_no_evidence(monkeypatch):
    y, p = sample(12, 6000, change=5000, odds=3)
    whole = watch()
    expected = whole.update(y, p)
    monkeypatch.setattr(e_process, "MOST_BLOCKS", 32)
    one = watch()
    found = one.update(y, p)
    assert len(one._run.sums) < 32 <= len(whole._run.sums)
    assert (found.log_e_value, found.alarm_at) == (expected.log_e_value, expected.alarm_at)
    assert found.change_point.row == expected.change_point.row
    assert sum(one._run.sums) == pytest.approx(sum(whole._run.sums), rel=1e-9)
    assert len(one.to_frame()) == len(one._run.trace)
    rows = one.to_frame("pandas")["rows_so_far"].to_numpy()
    assert rows[-1] == 6000
    assert (np.diff(rows) > 0).all()
