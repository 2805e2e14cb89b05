"""The paper on sensibility and capability: what the pictures show."""

from __future__ import annotations

import pytest

from paper_rows import drawn, lines_of
from rocwalk.papers.sensibility.rows import TRAIN
from rocwalk.papers.sensibility.rows import drawn as drawn_cases


@pytest.mark.parametrize(("number", "name"), [(1, "NGP-Test"), (2, "DP-Test"), (3, "FC-Test")])
def test_the_domains_are_drawn_side_by_side(number, name):
    ax = drawn(f"sensibility-figure-{number}")
    assert "re-created with our own parameters" in ax.get_title(loc="left")
    left, right = ax.child_axes
    assert [text.get_text() for text in left.get_legend().get_texts()] == [
        f"{TRAIN} sensibility", f"{TRAIN} capability", f"{name} sensibility", f"{name} capability",
    ]  # fmt: skip
    cases = [drawn_cases()[TRAIN], drawn_cases()[name]]
    assert [text.get_text() for text in right.get_legend().get_texts()] == [
        f"{one} (AUC = {case.curve.area:.3f})"
        for one, case in zip((TRAIN, name), cases, strict=True)
    ]
    assert [text.get_text() for text in left.texts[:2]] == [
        f"$t_s$ = {case.analysis.midpoint:.3f}" for case in cases
    ]
    assert "both split at the training midpoint" in ax.get_title(loc="left")
    for k in range(2):  # both curves meet 1 and 0 at the midpoint of training
        sensible, capable = lines_of(left)[2 * k : 2 * k + 2]
        at = sensible.get_xdata().tolist().index(cases[0].analysis.midpoint)
        assert (sensible.get_ydata()[at], capable.get_ydata()[at]) == (1, 0)


def test_table_1_of_sensibility_sets_two_items_off():
    items, curves = drawn("sensibility-table-1").child_axes
    dots = {line.get_gid(): line for line in items.lines if line.get_gid()}
    hollow = [name for name, dot in dots.items() if dot.get_markerfacecolor() == "white"]
    assert len(dots) == 10
    assert hollow == ["item 3", "item 7"]
    points = [line for line in curves.lines if line.get_gid() == "point"]
    assert [(*p.get_xdata(), *p.get_ydata()) for p in points] == [(0.35, 0.875), (0.35, 0.5)]
    (end,) = [line for line in curves.lines if line.get_gid() == "end"]
    assert (end.get_xdata()[0], end.get_ydata()[0]) == (0, 4 / 8)
    for panel in (items, curves):
        assert "printed 0.56" in [text.get_text() for text in panel.texts]
