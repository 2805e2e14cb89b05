"""Figures of papers: names, titles, axes, panels and the files they are written to."""

from __future__ import annotations

import io

import matplotlib.pyplot as plt

from rocwalk.papers.figure import figure_at, panels_in, sized_axes, white_box
from rocwalk.papers.row import Place


def made(title=""):
    return figure_at(
        Place("Some paper", "§2"),
        "Figure 3",
        "two curves",
        lambda ax: sized_axes(ax, (4, 3)),
        title,
    )


def test_names_and_captions_follow_from_the_heading():
    figure = made()
    assert (figure.name, figure.file_name) == (
        "some-paper-figure-3",
        "some-paper-figure-3.png",
    )
    assert (figure.paper, figure.place, figure.caption) == ("Some paper", "§2", "Two curves")


def test_the_title_is_the_caption_unless_there_is_another():
    assert made().draw(None).get_title(loc="left") == "Figure 3: two curves"
    assert made("ours").draw(None).get_title(loc="left") == "Figure 3: ours"


def test_new_axes_have_the_size_and_given_ones_stay():
    ax = sized_axes(None, (4, 3))
    assert ax.figure.get_size_inches().tolist() == [4, 3]
    assert sized_axes(ax, (9, 9)) is ax
    assert ax.figure.get_size_inches().tolist() == [4, 3]


def test_panels_are_children_of_bare_axes():
    ax, panels = panels_in(None, (6, 3), [(0, 0, 0.4, 1), (0.5, 0, 0.4, 1)])
    assert ax.child_axes == panels
    assert not ax.axison
    assert ax.figure.get_size_inches().tolist() == [6, 3]


def test_a_figure_is_written_as_png_and_closed():
    stream = io.BytesIO()
    made().write(stream)
    assert stream.getvalue().startswith(b"\x89PNG")
    assert plt.get_fignums() == []
    assert white_box(0.2)["boxstyle"] == "round,pad=0.2"
