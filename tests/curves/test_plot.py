"""Pictures of curves."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgba

import rocwalk as rw
from rocwalk.drift.plot import window_labels
from rocwalk.errors import FitWarning
from rocwalk.truth.plot import draw_shares
from samples import NO_ADVICE

Y, S = [1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.4]


def drawn(ax, gid="curve"):
    return [line for line in ax.lines if line.get_gid() == gid]


@pytest.fixture
def curve():
    return rw.roc(Y, S)


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
    with pytest.warns(FitWarning, match="weakly identified"):
        ax = rw.votes(table).dawid_skene().plot()
    ax.figure.canvas.draw()
    first, second, _ = (text.get_window_extent() for text in ax.texts)
    assert not first.overlaps(second)


def test_labels_of_windows():
    assert window_labels(["2025-01-06T10:00:00", "2025-01-13T09:00:00"]) == [
        "2025-01-06",
        "2025-01-13",
    ]
    times = ["2025-01-06T10:00:00", "2025-01-06T10:00:30"]
    assert window_labels(times, 24) == ["2025-01-06 10:00:00", "2025-01-06 10:00:30"]
    assert window_labels(["2025-01-06", "2025-02-13"], "week") == ["2025-01-06", "2025-02-13"]


pytestmark = NO_ADVICE
FAWCETT = rw.datasets.paper_examples()["classic_table_1"]
CURVE = rw.roc(FAWCETT.y_true, FAWCETT.y_prob)
OTHER = rw.roc([1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.1, 0.4, 0.2])
COSTS = [rw.Costs(false_positive=one, false_negative=5 - one) for one in (4, 1, 2.5, 0, 5)]
RESULTS = {
    "cost_curve": lambda curve: curve.cost_curve(),
    "cost_curve.loss": lambda curve: curve.cost_curve().loss,
    "brier_curve": lambda curve: curve.brier_curve(),
    "rate_curve": lambda curve: curve.rate_curve(),
    "decision_curve": lambda curve: curve.decision_curve(),
    "price": lambda curve: curve.price(COSTS),
    "calibration": lambda curve: curve.calibration(),
}
every_result = pytest.mark.parametrize("name", RESULTS)
AXES = {
    "cost_curve": ("Probability cost PC(+)", "Normalised expected cost"),
    "decision_curve": ("Threshold probability", "Net benefit"),
    "price": ("Cost of a false positive, as a share of both", "Expected cost of one item"),
    "calibration": ("Score", "Share of positives"),
}
LOSS_AXES = ("Cost proportion c of a false positive", "Loss Q")


def only(ax, gid="curve"):
    (line,) = drawn(ax, gid)
    return line.get_xdata(), line.get_ydata()


def trivial(ax):
    return [line for line in ax.lines if line.get_gid() in ("chance", "trivial")]


def words(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


@every_result
def test_a_result_is_drawn_into_new_or_given_axes(name):
    result = RESULTS[name](CURVE)
    ax = result.plot(name="model")
    assert (ax.get_xlabel(), ax.get_ylabel()) == AXES.get(name, LOSS_AXES)
    assert any(text.startswith("model") for text in words(ax))
    _, given = plt.subplots()
    assert result.plot(given) is given
    assert len(drawn(given)) == 1


@every_result
def test_a_second_curve_looks_different_and_trivial_lines_are_drawn_once(name):
    ax = RESULTS[name](CURVE).plot(name="a")
    before = len(trivial(ax))
    RESULTS[name](OTHER).plot(ax=ax, name="b")
    one, other = drawn(ax)
    assert one.get_color() != other.get_color()
    assert one.get_linestyle() != other.get_linestyle()
    assert len(trivial(ax)) == before == (2 if name == "decision_curve" else 1)
    assert sum(text.startswith(("a", "b")) for text in words(ax)) >= 2


@every_result
def test_options_of_every_result_go_to_matplotlib(name):
    (line,) = drawn(RESULTS[name](CURVE).plot(color="red", linewidth=5))
    assert (line.get_color(), line.get_linewidth()) == ("red", 5)


@every_result
def test_a_picture_can_be_written(name, tmp_path):
    ax = RESULTS[name](CURVE).plot()
    ax.figure.savefig(tmp_path / "picture.png", dpi=40)
    assert (tmp_path / "picture.png").stat().st_size > 1_000


@pytest.mark.parametrize("name", sorted(set(RESULTS) - {"calibration", "price", "decision_curve"}))
@pytest.mark.parametrize("turned", [False, True])
def test_both_curves_stay_inside_the_frame(name, turned):
    curves = [CURVE, OTHER][:: -1 if turned else 1]
    ax = None
    for curve in curves:
        ax = RESULTS[name](curve).plot(ax)
    _within(ax)


def _within(ax):
    low, high = ax.get_ylim()
    for line in drawn(ax):
        assert low <= line.get_ydata().min()
        assert line.get_ydata().max() <= high


def test_a_cost_curve_is_its_corners_over_the_lines_of_its_rules():
    costs = CURVE.cost_curve()
    ax = costs.plot()
    x, y = only(ax)
    assert x.tolist() == costs.probability_cost.tolist()
    assert y.tolist() == costs.expected_cost.tolist()
    lines = [(*line.get_xdata(), *line.get_ydata()) for line in drawn(ax, "line")]
    rules = costs.to_dict()
    assert lines == [(0, 1, f, 1 - t) for f, t in zip(rules["fpr"], rules["tpr"], strict=True)]
    assert {line.get_color() for line in drawn(ax, "line")} == {drawn(ax)[0].get_color()}
    assert [tuple(points) for points in only(ax, "chance")] == [(0, 0.5, 1), (0, 0.5, 0)]
    assert words(ax) == ["lower envelope"]


def test_the_lines_of_the_rules_can_be_left_out():
    assert not drawn(CURVE.cost_curve().plot(lines=False), "line")


def test_of_many_rules_some_lines_are_drawn():
    x = np.linspace(0, 1, 401)
    y = np.repeat([1, 0], 401)
    weights = np.concatenate([np.gradient(x**0.3), np.gradient(x)]) + 1e-9
    curve = rw.roc(y, np.tile(-x, 2), sample_weight=weights)
    costs = curve.cost_curve()
    assert len(costs.to_dict()["fpr"]) > 100
    ax = costs.plot()
    assert 10 < len(drawn(ax, "line")) <= 41
    assert only(ax)[0].tolist() == costs.probability_cost.tolist()


@pytest.mark.parametrize("prevalence", [None, 0.2])
@pytest.mark.parametrize("name", ["brier_curve", "cost_curve.loss", "rate_curve"])
def test_a_loss_curve_is_drawn_as_it_is(name, prevalence):
    method = name.split(".", maxsplit=1)[0]
    losses = getattr(CURVE, method)(prevalence)
    losses = losses.loss if name == "cost_curve.loss" else losses
    ax = losses.plot()
    x, y = only(ax)
    if name == "rate_curve":
        assert y == pytest.approx(losses.at(x))
        assert set(losses.cost_proportion) <= set(x)
        assert len(x) > 400  # it bends between its points
        assert np.trapezoid(y, x) == pytest.approx(losses.area, abs=1e-5)
    else:
        assert x.tolist() == losses.cost_proportion.tolist()
        assert y.tolist() == losses.loss.tolist()
        assert np.trapezoid(y, x) == pytest.approx(losses.area, abs=1e-12)
    share = prevalence or 0.5
    below, peak = only(ax, "chance")
    assert list(below) == [0, share, 1]
    assert peak == pytest.approx([0, 2 * share * (1 - share), 0])
    said = {
        "brier_curve": "Brier curve",
        "cost_curve.loss": "best rule",
        "rate_curve": "rate-driven",
    }
    assert words(ax) == [f"{said[name]} (area {losses.area:.4f})"]


@pytest.mark.parametrize("name", ["brier_curve", "cost_curve.loss", "rate_curve"])
def test_long_loss_curves_are_drawn_with_fewer_points(name, rng):
    s = rng.random(20_000)
    losses = RESULTS[name](rw.roc(rng.random(20_000) < s, s))
    x, y = only(losses.plot())
    assert len(x) < 4_100
    assert (x[0], x[-1]) == (0, 1)
    assert y == pytest.approx(losses.at(x))
    assert np.trapezoid(y, x) == pytest.approx(losses.area, abs=1e-3)


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_a_decision_curve_is_drawn_beside_treating_all_and_none(prevalence):
    decisions = CURVE.decision_curve(prevalence)
    ax = decisions.plot()
    x, y = only(ax)
    assert y == pytest.approx(decisions.at(x))
    assert set(FAWCETT.y_prob) <= set(x)
    assert (x[0], x[-1]) == (0, 0.99)
    treat_all, treat_none = drawn(ax, "trivial")
    share = prevalence or 0.5
    t = treat_all.get_xdata()
    assert treat_all.get_ydata() == pytest.approx(share - (1 - share) * t / (1 - t))
    assert set(treat_none.get_ydata()) == {0}
    assert words(ax) == ["treat all", "treat none", "model"]


def test_a_more_common_condition_stays_in_the_frame():
    ax = CURVE.decision_curve(0.1).plot()
    CURVE.decision_curve(0.6).plot(ax)
    assert drawn(ax)[1].get_ydata().max() <= ax.get_ylim()[1]


def test_long_decision_curves_are_drawn_with_fewer_points(rng):
    s = rng.random(20_000)
    decisions = rw.roc(rng.random(20_000) < s, s).decision_curve()
    x, y = only(decisions.plot())
    assert len(x) < 2_600
    assert y == pytest.approx(decisions.at(x))


def test_prices_are_drawn_in_order_of_the_share():
    prices = CURVE.price(COSTS)
    ax = prices.plot()
    x, y = only(ax)
    assert x.tolist() == [0, 0.2, 0.5, 0.8, 1]
    order = [3, 1, 2, 0, 4]
    assert y.tolist() == prices.expected_cost[order].tolist()
    x, y = only(ax, "trivial")
    assert x.tolist() == [0, 0.2, 0.5, 0.8, 1]
    assert y == pytest.approx((prices.expected_cost + prices.saved)[order])
    assert words(ax) == ["always or never positive", "best rule"]
    _within(ax)


def test_prices_at_which_nothing_is_lost():
    perfect = rw.roc([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])
    ax = perfect.price([rw.Costs(false_positive=1, false_negative=0)]).plot()
    assert only(ax)[1].tolist() == [0]
    assert ax.get_ylim()[1] > ax.get_ylim()[0]


def test_a_cheaper_price_list_leaves_the_first_in_the_frame():
    ax = CURVE.price(rw.Costs(false_positive=100, false_negative=100)).plot()
    CURVE.price(rw.Costs(false_positive=1, false_negative=1)).plot(ax)
    _within(ax)


def test_a_reliability_diagram_is_drawn_as_it_is():
    found = CURVE.calibration()
    ax = found.plot()
    x, y = only(ax)
    blocks = found.blocks
    assert x.tolist() == np.column_stack([blocks.lowest, blocks.highest]).ravel().tolist()
    assert y.tolist() == np.repeat(blocks.value, 2).tolist()
    assert y == pytest.approx(found.calibrate(x))
    assert [tuple(points) for points in only(ax, "chance")] == [(0, 1), (0, 1)]
    assert words(ax) == ["perfectly calibrated", "observed"]


@pytest.mark.parametrize("weight", [1, 2.5])
def test_the_foot_of_the_diagram_shows_where_the_mass_lies(weight):
    y, s = [1, 0, 1, 0], [0.31, 0.31, 0.9, 1]
    ax = rw.roc(y, s, sample_weight=[weight] * 4).calibration().plot(color="red")
    (stairs,) = ax.patches
    heights, edges, _ = stairs.get_data()
    assert edges == pytest.approx(np.linspace(0, 1, 41))
    assert np.flatnonzero(heights).tolist() == [12, 36, 39]
    assert heights[[12, 36, 39]] == pytest.approx([0.12, 0.06, 0.06])
    assert stairs.get_facecolor()[:3] == to_rgba("red")[:3]


@pytest.mark.parametrize("method", ["isotonic", "smooth"])
def test_a_single_score_is_a_point_of_the_reliability_diagram(method):
    one, several = (rw.calibration(Y * 4, s * 4, method=method) for s in ([0.5] * 5, S))
    (line,) = drawn(one.plot())
    assert line.get_marker() == "o"
    assert set(line.get_xdata()) == {0.5}
    assert line.get_ydata()[0] == pytest.approx(0.6)
    assert drawn(several.plot())[0].get_marker() == "None"
