"""Pictures: they show what was computed, and nothing else."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocwalk as rw

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
