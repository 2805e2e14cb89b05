"""Pictures of smeared curves and of Area(d): they show what was computed, and nothing else."""

from __future__ import annotations

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocwalk as rw
from rocwalk.smear.plot import draw_family
from rocwalk.smear.widths import width_text

Y, P = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
TURNING = rw.datasets.paper_examples()["ferri_figure_5"]
NONE = ([1, 0, 1, 1], [1, 0.1, 0, 0])
ONLY_AT_INFINITY = ([1, 1, 1, 0], [0.9, 0.3, 0.3, 0.5])
EVERYWHERE = ([1, 1, 0], [0.7, 0.3, 0.5])


@pytest.fixture
def curve():
    return rw.smeared_roc(Y, P)


def drawn(ax, gid="curve"):
    return [line for line in ax.lines if line.get_gid() == gid]


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def words(ax):
    return [text.get_text() for text in ax.texts]


def boxes(ax):
    """Return where the words of the finished picture are, in pixels."""
    ax.figure.draw_without_rendering()
    return [text.get_window_extent() for text in ax.texts]


# -- curves --------------------------------------------------------------------------------------


def test_a_smeared_curve_lies_over_the_bare_one(curve):
    ax = curve.plot()
    (line,), (bare,) = drawn(ax), drawn(ax, "bare")
    assert line.get_xdata().tolist() == curve.fpr.tolist()
    assert line.get_ydata().tolist() == curve.tpr.tolist()
    assert bare.get_xdata().tolist() == rw.roc(Y, P).fpr.tolist()
    assert bare.get_linewidth() < line.get_linewidth()
    assert bare.get_alpha() < 1
    assert labels(ax) == ["Not smeared (d = 0)", "Smeared (d = 1.661, area = 0.658)"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("False positive rate", "True positive rate")


def test_names_and_kernels_are_told(curve):
    ax = curve.plot(name="model")
    normal = rw.smeared_roc(Y, P, width=1.5, kernel="normal").plot(ax)
    assert normal is ax
    assert labels(ax)[1:] == [
        "model (d = 1.661, area = 0.658)",
        "Smeared, normal (d = 1.5, area = 0.613)",
    ]
    assert len({line.get_color() for line in drawn(ax)}) == 2


def test_one_bare_curve_is_drawn_once_and_two_are_both_drawn(curve):
    ax = curve.plot(rw.smeared_roc(Y, P, width=0.5).plot())
    assert len(drawn(ax, "bare")) == 1
    rw.smeared_roc(Y, P[::-1], width=0.5).plot(ax)
    assert len(drawn(ax, "bare")) == 2
    assert labels(ax).count("Not smeared (d = 0)") == 1


def test_options_go_on_to_the_curve(curve):
    ax = curve.plot(chance=False, hull=True, color="red", label="mine")
    assert not drawn(ax, "chance")
    assert drawn(ax)[0].get_color() == drawn(ax, "bare")[0].get_color() == "red"
    assert labels(ax)[1] == "mine"
    assert len(ax.lines) == 3


def test_long_curves_are_thinned(rng):
    p = rng.random(20_000)
    ax = rw.smeared_roc(rng.random(20_000) < p, p, width=0.1).plot()
    for line in drawn(ax) + drawn(ax, "bare"):
        assert len(line.get_xdata()) < 2_200


@pytest.mark.parametrize("width", [0, np.inf])
def test_the_widths_at_the_ends(width):
    ax = rw.smeared_roc(Y, P, width=width).plot()
    assert f"(d = {width_text(width)}, area = " in labels(ax)[1]
    assert len(drawn(ax)) == 1


@pytest.mark.parametrize(
    ("width", "text"),
    [(0, "0"), (1.66094, "1.661"), (0.25, "0.25"), (6.827e-5, "6.827·10⁻⁵"), (1e12, "1·10¹²")],
)
def test_widths_are_written_as_people_do(width, text):
    assert width_text(width) == text


# -- small multiples -----------------------------------------------------------------------------


def family(widths, **options):
    curves = [rw.smeared_roc(Y, P, width=width) for width in widths]
    shown = [(c.walk, c.width, c.area) for c in curves]
    return curves, draw_family(shown, curves[0].bare, **options)


def test_a_family_has_a_panel_for_each_width():
    curves, ax = family([0, 0.5, 1, 2, 8])
    assert len(ax.child_axes) == 5
    for one, panel in zip(curves, ax.child_axes, strict=True):
        assert drawn(panel)[0].get_ydata().tolist() == one.tpr.tolist()
        assert drawn(panel, "bare")[0].get_ydata().tolist() == one.bare.tpr.tolist()
        assert panel.get_title(loc="left") == f"d = {width_text(one.width)}"
        assert panel.get_title(loc="right") == f"{one.area:.3f}"
        assert panel.get_aspect() == 1
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("False positive rate", "True positive rate")


def test_panels_lie_in_rows_without_touching():
    _, ax = family([0, 0.5, 1, 2, 8], columns=3)
    ax.figure.draw_without_rendering()
    places = [panel.get_tightbbox() for panel in ax.child_axes]
    assert all(a.x1 < b.x0 for a, b in pairwise(places[:3]))
    assert all(a.y0 > b.y1 for a, b in zip(places[:2], places[3:], strict=True))
    frame = ax.figure.bbox
    assert all(place.x0 > 0 and place.x1 < frame.x1 for place in places)
    ticks = [[len(t.get_text()) > 0 for t in panel.get_xticklabels()] for panel in ax.child_axes]
    assert [any(tick) for tick in ticks] == [False, False, True, True, True]


def test_a_family_is_drawn_into_given_axes():
    _, given = plt.subplots()
    _, ax = family([0, 1], ax=given, color="red")
    assert ax is given
    assert {line.get_color() for panel in ax.child_axes for line in drawn(panel)} == {"red"}


def test_the_panel_of_the_target_is_set_off():
    match = rw.matched_width(Y, P)
    _, ax = family([0, match.width, 8], target=match.target)
    colours = [drawn(panel)[0].get_color() for panel in ax.child_axes]
    assert colours[0] == colours[2] != colours[1]


# -- the area against the width ------------------------------------------------------------------


def test_the_area_is_drawn_with_its_levels_and_its_match():
    match = rw.matched_width(Y, P)
    ax = match.plot()
    (line,) = drawn(ax)
    widths, areas = line.get_data()
    assert areas.tolist() == match.areas(widths).tolist()
    assert (widths[0], areas[0]) == (0, match.auc)
    assert match.width in widths
    assert widths[-1] > match.width
    levels = sorted(level.get_ydata()[0] for level in drawn(ax, "level"))
    assert levels == pytest.approx([0.5, match.target, match.auc])
    assert words(ax) == ["½", "probabilistic AUC 0.658", "AUC 0.833", "d = 1.661"]
    (dot,) = drawn(ax, "match")
    assert (*dot.get_xdata(), *dot.get_ydata()) == (match.width, match.target)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Width d (uniform kernel)", "Area(d)")
    assert ax.get_xscale() == "linear"


def test_matches_of_all_sizes_are_seen():
    match = rw.matched_width(TURNING.y_true, TURNING.y_prob)
    ax = match.plot()
    assert ax.get_xscale() == "symlog"
    assert words(ax)[3:] == ["d = 6.827·10⁻⁵", "d = 0.09995", "d = 1.505"]
    places = [ax.transData.transform((low, 0.6))[0] for low, _ in match.widths]
    assert np.diff([0, *places]).min() > 40


@pytest.mark.parametrize(
    "data",
    [(Y, P), (TURNING.y_true, TURNING.y_prob), NONE, ONLY_AT_INFINITY, ([1, 0, 1], [0.95, 0.3, 0])],
)
@pytest.mark.parametrize("kernel", ["uniform", "normal"])
def test_no_words_lie_on_others_and_all_are_in_the_picture(data, kernel):
    ax = rw.matched_width(*data, kernel=kernel).plot()
    taken = boxes(ax)
    for k, box in enumerate(taken):
        assert not any(box.overlaps(other) for other in taken[:k])
        assert ax.figure.bbox.x0 <= box.x0
        assert box.x1 <= ax.figure.bbox.x1


def test_no_match_shows_the_nearest():
    match = rw.matched_width(*NONE)
    ax = match.plot()
    assert not drawn(ax, "match")
    (mark,) = drawn(ax, "nearest")
    assert (*mark.get_xdata(), *mark.get_ydata()) == (match.nearest_width, match.area)
    assert words(ax)[-1] == "no d matches\nnearest 1.129, short by 0.013"


def test_stretches_are_shaded():
    with pytest.warns(rw.errors.HardScoresWarning):
        ax = rw.matched_width([1, 0, 1, 0, 0], [1, 1, 0, 0, 0]).plot()
    assert words(ax)[-1] == "every d from 0 to 1"
    (span,) = [patch for patch in ax.patches if patch.get_gid() == "match"]
    assert (span.get_extents().x0, span.get_extents().x1) == tuple(
        ax.transData.transform([(0, 0), (1, 0)])[:, 0]
    )
    ax = rw.matched_width(*EVERYWHERE).plot()
    assert words(ax)[-1] == "every d from 0 on"
    assert np.diff(ax.get_ylim())[0] > 0.05


def test_a_match_at_infinity_is_said():
    ax = rw.matched_width(*ONLY_AT_INFINITY).plot()
    assert words(ax)[-1] == "only as d → ∞"
    assert not drawn(ax, "match")


def test_the_axis_can_be_cut_and_options_go_to_the_curve():
    _, given = plt.subplots()
    ax = rw.matched_width(Y, P).plot(given, end=10, color="red")
    assert ax is given
    assert ax.get_xlim() == (0, 10)
    assert drawn(ax)[0].get_color() == "red"
    assert rw.matched_width(Y, P).plot(end=1).get_xlim() == (0, 1)


def test_many_rows_are_drawn_quickly_enough_and_in_subfigures(rng):
    p = rng.random(20_000)
    part = plt.figure(layout="constrained").subfigures(1, 2)[1]
    ax = rw.matched_width(rng.random(20_000) < p, p).plot(part.subplots())
    assert len(drawn(ax)[0].get_xdata()) < 2_000


def test_areas_by_concentration_mark_every_match():
    found = rw.matched_concentration([1, 0, 1], [0.9, 0.5, 0.4])
    ax = found.plot()
    dots = [line for line in ax.lines if line.get_gid() == "match"]
    assert [float(dot.get_xdata()[0]) for dot in dots] == list(found.concentrations)
    (curve,) = (line for line in ax.lines if line.get_gid() == "curve")
    x, y = curve.get_data()
    assert y == pytest.approx(found.areas(x))


def test_score_noise_lies_inside_both_together():
    curve = rw.smeared_roc([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2], kernel="logit", width=1)
    ax = curve.band().plot()
    spans = {}
    for band in ax.collections:
        heights = band.get_paths()[0].vertices[:, 1]
        spans.setdefault(band.get_gid(), []).append(np.ptp(heights))
    assert len(spans["noise"]) == len(spans["sampling"]) == 2


@pytest.mark.parametrize(
    ("options", "label"),
    [
        ({"kernel": "coin"}, "Smeared, coin (λ = 1, area = 0.658)"),
        ({"kernel": "beta", "concentration": 10}, "Smeared, beta (κ = 10, area = 0.801)"),
        ({"kernel": "logit", "width": 2}, "Smeared, logit (d = 2, area = 0.813)"),
    ],
)
def test_labels_name_the_kernel_and_its_amount(options, label):
    curve = rw.smeared_roc([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2], **options)
    assert label in curve.plot().get_legend_handles_labels()[1]
    panels = curve.plot_family([0.25, 1]).child_axes
    assert len(panels) in (2, 3)
