"""What the pictures of reference truth, votes and raters hold."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocwalk as rw
from rocwalk.truth.plot import draw_raters, draw_shares


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def lines(ax, gid):
    return [one for one in ax.lines if one.get_gid() == gid]


def reference(seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 6, 80) / 5
    return rw.reference_truth(truth, np.clip(truth + rng.normal(0, 0.4, 80), 0, 1))


def test_the_region_lies_between_the_worst_and_the_perfect_curve():
    found = reference()
    ax = found.plot(name="a")
    perfect, worst = lines(ax, "edge")
    assert [one.get_label() for one in (perfect, worst)] == ["perfect", "worst"]
    assert np.trapezoid(perfect.get_ydata(), perfect.get_xdata()) == pytest.approx(1 - found.aapcc)
    assert np.trapezoid(worst.get_ydata(), worst.get_xdata()) == pytest.approx(found.auwcc)
    (curve,) = lines(ax, "curve")
    assert curve.get_label() == f"a (AUC = {found.auc:.3f}, AUC_PRT = {found.auc_prt:.3f})"


def test_a_second_curve_shares_the_region_of_the_first():
    ax = reference().plot(name="a")
    reference(1).plot(ax, name="b")
    assert sum(patch.get_gid() == "region" for patch in ax.patches) == 1
    assert len(lines(ax, "curve")) == 2


NAMES = ("ann", "bob", "cid")
SENSITIVITY, SPECIFICITY = np.array([0.9, 0.6, 0.9]), np.array([0.8, 0.7, 0.805])


def test_raters_are_points_with_names():
    ax = draw_raters(NAMES, SENSITIVITY, SPECIFICITY)
    (points,) = lines(ax, "raters")
    assert points.get_xdata() == pytest.approx(1 - SPECIFICITY)
    assert points.get_ydata() == pytest.approx(SENSITIVITY)
    assert sorted(text.get_text() for text in ax.texts) == sorted(NAMES)


def test_names_of_raters_with_equal_rates_stand_below_each_other():
    ax = draw_raters(NAMES, SENSITIVITY, SPECIFICITY)
    place = {text.get_text(): (text.xy, text.xyann) for text in ax.texts}
    assert place["ann"][0] == place["cid"][0]
    assert place["ann"][1] != place["cid"][1]
    assert place["bob"][0] != place["ann"][0]


def test_a_rater_without_rates_has_no_name_and_many_raters_have_none():
    ax = draw_raters(("ann", "bob"), np.array([0.9, np.nan]), np.array([0.8, 0.5]))
    assert [text.get_text() for text in ax.texts] == ["ann"]
    many = np.linspace(0.1, 0.9, 21)
    assert not draw_raters(range(21), many, many).texts


def test_intervals_of_raters_are_crosses():
    ends = tuple(np.column_stack([one - 0.05, one + 0.05]) for one in (SENSITIVITY, SPECIFICITY))
    ax = draw_raters(NAMES, SENSITIVITY, SPECIFICITY, ends=ends)
    up, right = [one for one in ax.collections if one.get_gid() == "interval"]
    assert [segment[:, 1].tolist() for segment in up.get_segments()] == ends[0].tolist()
    sides = [sorted(segment[:, 0]) for segment in right.get_segments()]
    assert sides == [pytest.approx(sorted(1 - each)) for each in ends[1]]


def test_few_shares_have_a_bar_each_and_many_share_bins():
    truth = np.array([0, 0.5, 0.5, 1, 1, 1])
    ax = draw_shares(truth)
    assert [bar.get_height() for bar in ax.patches] == [1, 2, 3]
    assert [bar.get_x() + bar.get_width() / 2 for bar in ax.patches] == pytest.approx([0, 0.5, 1])
    many = np.random.default_rng(0).random(500)
    bars = draw_shares(many).patches
    assert len(bars) == 40
    assert sum(bar.get_height() for bar in bars) == 500


def test_bars_of_near_shares_do_not_overlap():
    truth = np.array([0.5, 0.51, 0.52])
    bars = sorted(draw_shares(truth).patches, key=lambda bar: bar.get_x())
    ends = [bar.get_x() + bar.get_width() for bar in bars]
    assert all(end < bar.get_x() for end, bar in zip(ends, bars[1:], strict=False))
