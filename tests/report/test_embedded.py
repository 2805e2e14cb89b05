"""Models as a page carries them: exact up to a size, then thinned with what that hides."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import OneClassError
from rocwalk.report import embedded
from rocwalk.report.embedded import MAX_ROWS, band_rows, drawn, embed, outward
from rocwalk.tally.walk import walk_of


def tally_of(n, seed=0, digits=None):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    scores = rng.normal(y, 1.0)
    return rw.tally(y, scores if digits is None else np.round(scores, digits))


def test_a_short_curve_is_carried_whole():
    tally = tally_of(300)
    found = embed("m", tally)
    assert found.walk is found.exact
    assert (found.area_hidden, found.regret) == (0.0, 0.0)
    rows = found.to_json()
    assert rows["scores"] == tally.scores.tolist()
    assert rows["up"][-1] == tally.total_up
    assert "highest" not in rows
    assert "up_score" not in rows
    vertices = np.flatnonzero(np.isin(found.walk.tpr, rw.roc(*columns_of(tally)).hull.tpr))
    assert set(found.hull.tolist()) <= set(vertices.tolist())


def columns_of(tally):
    """Return labels and scores that have this tally."""
    y = np.repeat(np.tile([1, 0], len(tally)), np.column_stack([tally.up, tally.right]).ravel())
    return y, np.repeat(tally.scores, tally.count)


@pytest.fixture(scope="module")
def long():
    return tally_of(3 * MAX_ROWS)


def test_a_long_curve_is_thinned_and_its_numbers_stay_exact(long):
    found = embed("m", long)
    assert len(found.walk) <= MAX_ROWS
    assert found.area == pytest.approx(long.area, abs=1e-12)
    carried = np.trapezoid(found.walk.tpr, found.walk.fpr)
    assert abs(carried - long.area) <= found.area_hidden + 1e-12
    points = set(zip(found.exact.fpr.tolist(), found.exact.tpr.tolist(), strict=True))
    assert set(zip(found.walk.fpr.tolist(), found.walk.tpr.tolist(), strict=True)) <= points
    assert found.tally.up.sum() == long.total_up
    assert {"highest", "up_score", "right_score"} <= set(found.to_json())


def test_the_point_of_the_first_threshold_is_always_carried(long):
    for threshold in (long.scores[1234], long.scores[7777], float(long.scores[0])):
        assert threshold in embed("m", long, threshold).walk.thresholds


def test_few_corners_lose_at_most_what_is_said(monkeypatch):
    monkeypatch.setattr(embedded, "_MAX_CORNERS", 12)
    tally = tally_of(2 * MAX_ROWS, seed=3)
    found = embed("m", tally)
    assert found.regret > 0
    exact, kept = found.exact, found.walk
    corners = found.hull
    for slope in (0.2, 0.7, 1.0, 2.5, 9.0):
        best = (exact.tpr - slope * exact.fpr).max()
        carried = (kept.tpr[corners] - slope * kept.fpr[corners]).max()
        assert best - carried <= found.regret * (1 + 1e-9) + 1e-12


def test_one_class_has_no_curve_to_carry():
    with pytest.raises(OneClassError, match="There is no negative mass"):
        embed("m", rw.tally([1, 1], [0.1, 0.2]))


@pytest.mark.parametrize("side", [-1, 1])
def test_an_edge_is_rounded_outward_only(side, long):
    edge = walk_of(long)
    fpr, tpr = map(np.array, outward(edge, side))
    assert len(fpr) < 1000
    assert (np.diff(fpr) >= 0).all()
    assert (np.diff(tpr) >= 0).all()
    assert 0 <= min(fpr.min(), tpr.min()) <= max(fpr.max(), tpr.max()) <= 1
    # on each line of slope −1 the drawn edge is as far out as the edge itself, or farther
    way, out = edge.fpr + edge.tpr, side * (edge.tpr - edge.fpr)
    shown = np.interp(way, fpr + tpr, side * (tpr - fpr))
    assert (shown >= out - 2e-6).all()


def test_tables_of_bands_have_the_outer_ends():
    lower, upper = walk_of(tally_of(50)), walk_of(tally_of(50, seed=1))
    rows = band_rows(lower, lower, upper)
    assert rows["fpr"] == pytest.approx(np.linspace(0, 1, 101))
    assert rows["high"][-1] == rows["tpr"][-1] == 1
    assert rows["low"][0] == 0
    few = drawn(walk_of(tally_of(5000)))
    assert len(few["fpr"]) <= 401
