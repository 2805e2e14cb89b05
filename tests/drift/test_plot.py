"""Pictures of drift over time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from rocwalk.drift.e_process import ChangePoint, WatchState
from rocwalk.drift.plot import draw_timeline, draw_watch


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


def test_the_line_of_a_watch_goes_through_its_alarm():
    """An alarm inside a block of rows lies above the values at both ends of the block."""
    point = ChangePoint(row=50, low=1, high=100, rows=(50,))
    state = WatchState(
        rows=150, log_e_value=2.0, log_threshold=3.0, margin=0.0, alarm_at=120, change_point=point
    )
    ax = draw_watch(np.array([50, 100, 150]), np.array([0.5, 2.5, 2.0]), state)
    by_gid = {line.get_gid(): line for line in ax.lines}
    curve, alarm = by_gid["curve"].get_xydata().tolist(), by_gid["alarm"].get_xydata().tolist()
    assert curve == [[50, 0.5], [100, 2.5], [120, 3], [150, 2]]
    assert alarm == [[120, 3]]


@pytest.mark.parametrize("n", [4, 12])
def test_labels_of_a_timeline_do_not_overlap(n):
    axes = timeline(n)
    axes[0].figure.canvas.draw()
    labels = [text for text in axes[-1].get_xticklabels() if text.get_text()]
    assert labels[0].get_text() == "2025-01"
    boxes = [text.get_window_extent() for text in labels]
    assert not any(a.overlaps(b) for a, b in pairwise(boxes))
