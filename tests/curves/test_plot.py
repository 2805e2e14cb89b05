"""Pictures: they show what was computed, and nothing else."""

from __future__ import annotations

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocwalk as rw
from rocwalk.drift.plot import draw_timeline, window_labels
from rocwalk.truth.plot import draw_shares

Y, S = [1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.4]


@pytest.fixture
def curve():
    return rw.roc(Y, S)


def drawn(ax):
    return [line for line in ax.lines if line.get_gid() == "curve"]


def test_a_curve_is_drawn_as_it_is(curve):
    ax = curve.plot(name="model")
    (line,) = drawn(ax)
    assert line.get_xdata().tolist() == curve.fpr.tolist()
    assert line.get_ydata().tolist() == curve.tpr.tolist()
    assert [t.get_text() for t in ax.get_legend().get_texts()] == [
        f"model (AUC = {curve.area:.3f})"
    ]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("False positive rate", "True positive rate")


def test_curves_are_laid_over_each_other_in_scikit_learns_manner(curve):
    _, ax = plt.subplots()
    assert curve.plot(ax=ax, name="a") is ax
    assert curve.hull.plot(ax, name="b") is ax
    assert len(drawn(ax)) == 2
    assert len({line.get_color() for line in drawn(ax)}) == 2
    assert len([line for line in ax.lines if line.get_gid() == "chance"]) == 1


def test_overlay_keeps_the_order_of_the_names(curve):
    ax = rw.overlay({"b": curve, "a": curve.hull}, chance=False, hull=True)
    assert [line.get_label()[0] for line in drawn(ax)] == ["b", "a"]
    assert not [line for line in ax.lines if line.get_gid() == "chance"]
    assert len(ax.lines) == 4


def test_options_go_to_matplotlib(curve):
    (line,) = drawn(curve.plot(color="red", linewidth=5))
    assert (line.get_color(), line.get_linewidth()) == ("red", 5)


def test_long_curves_are_thinned_for_drawing_only(rng):
    s = rng.random(50_000)
    long = rw.roc(rng.random(50_000) < s, s)
    (line,) = drawn(long.plot())
    assert len(line.get_xdata()) < 2_200
    assert len(long.fpr) == 50_001
    (line,) = drawn(long.precision_recall().plot())
    assert len(line.get_xdata()) < 4_100


def test_averages_have_a_ribbon(curve):
    other = rw.roc(Y, [0.1, 0.8, 0.7, 0.2, 0.4])
    for how in ("vertical", "horizontal", "threshold"):
        ax = rw.average([curve, other], how=how).plot()
        assert len(ax.collections) == 1
        assert f"mean ({how})" in drawn(ax)[0].get_label()


def test_precision_recall_shows_chance(curve):
    ax = curve.precision_recall(prevalence=0.25).plot(name="a")
    (chance,) = [line for line in ax.lines if line.get_gid() == "chance"]
    assert set(chance.get_ydata()) == {0.25}
    assert not np.isnan(drawn(ax)[0].get_ydata()).any()


def test_a_mix_marks_its_point(curve):
    ax = rw.mix({"a": curve, "b": rw.roc(Y, [0.1, 0.8, 0.7, 0.2, 0.4])}, fpr=0.2).plot()
    labels = [t.get_text() for t in ax.get_legend().get_texts()]
    assert labels[:3] == ["a", "b", "common hull"]
    assert labels[3].startswith("(0.200, ")


def test_absent_classes_are_not_drawn():
    with pytest.warns(rw.errors.AbsentClassWarning):
        result = rw.multiclass([0, 1, 0, 1], np.eye(4, 3), labels=[0, 1, 2])
    assert len(drawn(result.plot())) == 2


# -- legends, votes, timelines -------------------------------------------------------------------


def hides(ax):
    ax.figure.canvas.draw()
    box = ax.get_legend().get_window_extent()
    points = [ax.transData.transform(line.get_xydata()) for line in drawn(ax)]
    return any(box.contains(x, y) for x, y in np.concatenate(points))


def test_a_legend_hides_no_curve(rng):
    y = rng.integers(0, 2, 400)
    good, bad = (rw.roc(y, sign * y + rng.normal(size=400)) for sign in (1, -1))
    assert not hides(good.plot())
    assert not hides(rw.roc(y, rng.normal(size=400) - 0.4 * y).plot(name="a name of some length"))
    assert not hides(rw.overlay({"one with a rather long name": good, "one turned round": bad}))
    truth = np.round(9 * rng.random(60)) / 9
    region = rw.reference_truth(truth, truth + rng.normal(size=60)).plot(name="model")
    assert not hides(region)
    assert region.get_legend().get_window_extent().y1 < region.get_window_extent().y0


def test_a_legend_in_a_picture_without_layout_stays_inside(rng):
    _, ax = plt.subplots()
    y = rng.integers(0, 2, 400)
    curves = {f"model {sign}": rw.roc(y, sign * y + rng.normal(size=400)) for sign in (1, -1)}
    rw.overlay(curves, ax)
    box, frame = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert frame.y0 <= box.y0 < box.y1 <= frame.y1


def test_votes_are_drawn_at_the_shares_that_occur():
    ax = rw.votes([[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 0, 1]]).plot()
    middles = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    assert middles == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert [bar.get_height() for bar in ax.patches] == [1, 1, 2, 1]
    assert all(tick == int(tick) for tick in ax.get_yticks())


def test_very_many_shares_are_drawn_as_bins(rng):
    ax = draw_shares(rng.random(500))
    assert len(ax.patches) == 40
    assert sum(bar.get_height() for bar in ax.patches) == 500


def test_raters_of_equal_rates_stand_below_each_other():
    table = [[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1], [0, 0, 0]]
    ax = rw.votes(table).dawid_skene().plot()
    ax.figure.canvas.draw()
    first, second, _ = (text.get_window_extent() for text in ax.texts)
    assert not first.overlaps(second)


def timeline(n=4, **options):
    values = {"auc": np.array([[0.95, 0.97, -0.02, 0.09]] * n)}
    values |= {
        name: np.array([[0.5, 0.4, -0.2, 0.1]] * n) for name in ("midpoint", "struggle_ratio")
    }
    labels = [f"2025-{k + 1:02d}-01T00:09:00" for k in range(n)]
    return draw_timeline(labels, values, np.arange(n) > 1, **options)


def test_a_timeline_fills_the_numbers_that_have_drifted():
    none, some = np.zeros(4, dtype=bool), np.arange(4) == 3
    moved = {"auc": none, "midpoint": some, "struggle_ratio": none}
    axes = timeline(moved=moved)
    for ax, own in zip(axes, moved.values(), strict=True):
        by_gid = {line.get_gid(): line for line in ax.lines}
        assert by_gid["alarm"].get_xdata().tolist() == [2, 3]
        assert by_gid["moved"].get_xdata().tolist() == np.flatnonzero(own).tolist()
    (bars,) = axes[0].collections
    assert max(point[1] for bar in bars.get_segments() for point in bar) == 1
    words = [text.get_text() for text in axes[0].get_legend().get_texts()]
    assert "reference + interval of the change" in words


@pytest.mark.parametrize("n", [4, 12])
def test_labels_of_a_timeline_do_not_overlap(n):
    axes = timeline(n)
    axes[0].figure.canvas.draw()
    labels = [text for text in axes[-1].get_xticklabels() if text.get_text()]
    assert labels[0].get_text() == "2025-01"
    boxes = [text.get_window_extent() for text in labels]
    assert not any(a.overlaps(b) for a, b in pairwise(boxes))


def test_labels_of_windows():
    assert window_labels(["2025-01-06T10:00:00", "2025-01-13T09:00:00"]) == [
        "2025-01-06",
        "2025-01-13",
    ]
    times = ["2025-01-06T10:00:00", "2025-01-06T10:00:30"]
    assert window_labels(times, 24) == ["2025-01-06 10:00:00", "2025-01-06 10:00:30"]
    assert window_labels(["2025-01-06", "2025-02-13"], "week") == ["2025-01-06", "2025-02-13"]
