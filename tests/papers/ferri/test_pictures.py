"""Ferri et al. on scored AUC and smeared curves: what the pictures show."""

from __future__ import annotations

import pytest

from paper_rows import drawn, lines_of


def test_families_show_every_width_and_set_the_matches_off():
    ax = drawn("ferri-figure-5")
    heads = [panel.get_title(loc="left") for panel in ax.child_axes]
    assert heads == [
        *("d = 0", "d = 6.827·10⁻⁵", "d = 0.05", "d = 0.09995"),
        *("d = 0.4", "d = 0.8", "d = 1.505", "d = 8"),
    ]
    colours = [lines_of(panel)[0].get_color() for panel in ax.child_axes]
    assert [k for k in range(8) if colours[k] != colours[0]] == [1, 3, 6]
    heads = [panel.get_title(loc="left") for panel in drawn("ferri-figure-4").child_axes]
    assert "d = 1.661" in heads


@pytest.mark.parametrize("number", [1, 3, 7])
def test_the_scores_stand_above_the_curve(number):
    ax = drawn(f"ferri-figure-{number}")
    (strip,) = ax.child_axes
    assert strip.get_xlim()[0] > strip.get_xlim()[1]
    words = [text.get_text() for text in strip.texts]
    assert words == ["0", "1", "0.9⁺", "0.6⁻", "0.55⁺", "0.2⁻", "0.1⁻"]
    assert len(strip.collections) == (0 if number == 1 else 5)


def test_the_slopes_touch_both_curves():
    bare, smeared = drawn("ferri-slopes").child_axes
    squares = {line.get_gid(): line for line in bare.lines if line.get_marker() == "s"}
    points = {name: (*line.get_xdata(), *line.get_ydata()) for name, line in squares.items()}
    assert points["60°"] == (0, 0.5)
    assert points["45°"] == points["30°"] == pytest.approx((1 / 3, 1))
    for panel in (bare, smeared):
        assert [text.get_text() for text in panel.texts] == ["60°", "45°", "30°"]
    assert [label.get_text() for label in bare.get_legend().get_texts()] == [
        "ROC curve (AUC = 0.833)",
        "Edge of the hull, 56.3°",
        "Best points",
    ]
    labels = [label.get_text() for label in smeared.get_legend().get_texts()]
    assert labels[1:] == [
        "Smeared (d = 1.661, area = 0.658)",
        "Best points, smeared",
        "As printed",
    ]


def test_the_examples_mark_the_printed_widths():
    ax = drawn("ferri-example-1")
    assert "σ = d/√12" in ax.get_title(loc="left")
    marks = {line.get_gid(): line.get_xdata()[0] for line in ax.child_axes[1].lines}
    assert marks["printed 1.65"] == 1.65
    assert marks["printed 1.74"] == 1.74
    assert marks["d = 1.661"] == pytest.approx(1.66094, abs=1e-5)


def test_figure_6_speaks_as_the_paper_does():
    words = [text.get_text() for text in drawn("ferri-figure-6").texts]
    assert "pAUC 0.670" in words
    assert {"d = 6.827·10⁻⁵", "d = 0.09995", "d = 1.505"} <= set(words)
