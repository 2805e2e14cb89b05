"""Grouping in the table's engine: sums of cells, and the passes that make cells finer."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import polars as pl
import pytest

import rocwalk as rw
from rocwalk.errors import DroppedRowsWarning, ToleranceWarning
from rocwalk.read import grouping
from rocwalk.read.grouping import (
    Cells,
    Step,
    intervals_of,
    next_step,
    probed,
    wide_cells,
)
from rocwalk.read.lazy import open_lazy
from rocwalk.read.lazy_tallies import gather
from rocwalk.read.roles import Reading, Roles
from rocwalk.tally.buckets import Layout

LAYOUT = Layout.covering(0.0, 1.0, 16)


def sample(rows=5000, seed=1):
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.4).astype(int)
    return {
        "y": y,
        "s": np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1),
        "w": rng.integers(0, 4, rows),
    }


def tally_of(data, weight=None, **reading):
    roles = Roles(scores=("s",), label="y", raters=(), weight=weight, groups=())
    with open_lazy(pl.LazyFrame(data), dict.fromkeys(data, "number"), None, None) as source:
        (found,) = gather(source, roles, Reading(**reading)).parts.values()
    return found


def wide(scores):
    """Return the tally of scores in the cells of `LAYOUT`."""
    return tally_of({"y": np.arange(len(scores)) % 2, "s": scores}, limit=1, buckets=16)


def test_few_rows_are_exact_and_many_are_in_buckets():
    data = sample()
    exact = rw.tally(data["y"], data["s"])
    found = tally_of(data)
    for name in ("scores", "up", "right"):
        np.testing.assert_array_equal(getattr(found, name), getattr(exact, name))
    coarse = tally_of(data, limit=100, buckets=64)
    assert coarse.is_bucketed
    assert len(coarse) <= 2 * 64
    low, _, high = coarse.auc_bounds
    assert low <= exact.area <= high


def test_weights_are_summed_and_rows_without_weight_are_absent():
    data = sample(500)
    exact = rw.tally(data["y"], data["s"], sample_weight=data["w"])
    found = tally_of(data, weight="w")
    assert found.total_count == np.count_nonzero(data["w"])
    np.testing.assert_array_equal(found.scores, exact.scores)
    np.testing.assert_allclose(found.up, exact.up, rtol=1e-12)


def test_the_tolerance_holds_or_a_warning_says_by_how_much_not():
    data = sample()
    area = rw.tally(data["y"], data["s"]).area
    for tolerance in (1e-2, 1e-3):
        found = tally_of(data, limit=3000, buckets=16, tolerance=tolerance)
        assert found.certificate <= tolerance
        assert abs(found.area - area) <= tolerance
    with pytest.warns(ToleranceWarning, match="and the limit is 40"):
        found = tally_of(data, limit=40, buckets=16, tolerance=1e-9)
    assert found.certificate > 1e-9
    assert abs(found.area - area) <= found.certificate


def test_wide_cells_are_those_with_several_scores():
    data = np.array([0.01, 0.02, 0.5, 0.9, 0.91, 0.92])
    found = wide_cells([wide(data)], LAYOUT)
    assert found.rows.tolist() == [2, 3]
    np.testing.assert_array_equal(found.keys, np.unique(LAYOUT.keys(data))[[0, 2]])
    assert (found.slack > 0).all()
    both = wide_cells([wide(data), wide(data)], LAYOUT)
    assert both.rows.tolist() == [4, 6]
    assert both.tallies.tolist() == [2, 2]
    np.testing.assert_allclose(both.slack, found.slack)  # in the tally where it is most


def cells(slack, rows, used=None):
    n = len(slack)
    return Cells(
        np.arange(n), np.array(slack, dtype=float), np.array(rows),
        np.ones(n, dtype=int) if used is None else np.array(used), np.ones(n, dtype=int),
    )  # fmt: skip


def test_cells_that_fit_are_read_score_by_score():
    found = next_step(cells([0.4, 0.1], [10, 10]), LAYOUT, 0, 0.01, total=2, limit=20)
    assert isinstance(found, Step)
    assert found.depth is None
    assert found.keys.tolist() == [0, 1]


def test_cells_that_add_little_stay_as_they_are():
    found = next_step(cells([0.4, 0.001, 0.002], [10, 10, 10]), LAYOUT, 0, 0.01, 3, 100)
    assert found.keys.tolist() == [0]


def test_cells_are_halved_as_often_as_the_tolerance_asks_and_the_limit_allows():
    wanted = next_step(cells([0.4], [10_000]), LAYOUT, 0, 0.1, total=1, limit=5000)
    assert wanted.depth == 3  # 0.4 / 2³ = half of the tolerance
    fewer = next_step(cells([0.4], [10_000]), LAYOUT, 0, 0.1, total=1, limit=4)
    assert fewer.depth == 2
    none = next_step(cells([0.4], [10_000]), LAYOUT, 0, 0.1, total=1, limit=1)
    assert none == "the tallies would need about 8 rows"


@pytest.mark.parametrize("keys", [[12], [10, 11, 12], [0, 9, 10, 15, 22]])
def test_intervals_hold_their_cells_and_no_others(keys):
    found = [LAYOUT.keys(np.array(ends)).tolist() for ends in intervals_of(np.array(keys), LAYOUT)]
    held = [key for low, high in found for key in range(low, high + 1)]
    assert held == keys


def test_very_many_intervals_are_joined_across_the_smallest_gaps():
    layout = Layout.covering(0.0, 1.0, 2**16)
    gaps = np.array([2, 3] * 200 + [50] * 20)
    keys = np.cumsum(gaps)
    found = intervals_of(keys, layout)
    assert len(found) == 100
    low, high = layout.cells(keys)
    assert all(any(a <= x and y <= b for a, b in found) for x, y in zip(low, high, strict=True))
    assert all(one[1] < other[0] for one, other in itertools.pairwise(found))


def test_the_cells_that_are_looked_at_first_hold_the_thirds_of_the_rows():
    assert probed(cells([1] * 6, [1, 1, 1, 1, 1, 1])).tolist() == [1, 3]
    assert probed(cells([1, 1], [100, 1])).tolist() == [0]


def passes(monkeypatch):
    """Return a list that gets the layout of each pass over the rows, None for single scores."""
    made, whole = [], grouping.group_rows

    def counted(frame, how, layout, *rest):
        made.append(layout)
        return whole(frame, how, layout, *rest)

    monkeypatch.setattr(grouping, "group_rows", counted)
    return made


def test_a_few_rows_show_that_the_scores_are_too_many(monkeypatch):
    """The cells that are looked at first are then not grouped."""
    made = passes(monkeypatch)
    assert len(tally_of(sample(), limit=100, buckets=64)) <= 2 * 64
    assert [layout is None for layout in made] == [False]


def test_rows_that_are_all_of_their_cells_say_how_many_scores_there_are(monkeypatch):
    data = sample(300)
    made = passes(monkeypatch)
    found = tally_of(data, limit=250, buckets=4)  # about 300 scores
    assert found.is_bucketed
    assert [layout is None for layout in made] == [False]


@pytest.mark.parametrize("digits", [1, 2, 3, 9])
@pytest.mark.parametrize("limit", [30, 150, 900, 4999])
@pytest.mark.parametrize("invalid", ["raise", "drop"])
def test_the_first_rows_decide_as_all_rows_of_the_cells_do(monkeypatch, digits, limit, invalid):
    data = sample()
    data["s"] = np.round(data["s"], digits)
    if invalid == "drop":
        data["s"][::7] = np.nan
    groups = {"g": np.arange(len(data["s"])) % 2}
    told = {"label": "y", "score": "s", "limit": limit, "buckets": 16, "invalid": invalid}

    def found():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DroppedRowsWarning)
            return [
                (place, part.scores.tobytes(), part.up.tobytes(), part.is_bucketed)
                for by in ({}, {"by": "g"})
                for place, part in rw.tallies(pl.LazyFrame(data | groups), **told, **by).items()
            ]

    few = found()
    monkeypatch.setattr(grouping, "_MOST_FIRST_ROWS", 0)
    assert found() == few
