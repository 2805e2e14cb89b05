"""Streams as values: growing, closing windows, joining, and the window that is reported."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import rocwalk as rw
from drift.samples import MONITORED, batch, monitor
from rocwalk.drift.stream import ClosedWindow, Stream, items_of, judged, reported_of

REFERENCE = rw.tally(*MONITORED)


def settings(**options):
    return monitor(**options).settings


def window(number, status, items=100):
    return ClosedWindow(number, items, 30.0, 70.0, status, "none", {"auc": math.nan}, "")


@pytest.mark.parametrize(
    ("statuses", "reported"),
    [
        ([], None),
        (["fine"], 1),
        (["fine", "undecidable"], 2),
        (["drift", "fine"], 1),
        (["drift", "drift", "fine"], 2),
    ],
)
def test_the_last_window_that_drifted_is_reported_else_the_last(statuses, reported):
    windows = [window(k, status) for k, status in enumerate(statuses, 1)]
    found = reported_of(windows)
    assert (None if found is None else found.number) == reported


def test_a_stream_grows_and_closes_a_window_when_it_is_full():
    options = settings(window=300)
    first, second = rw.tally(*batch(1, 200)), rw.tally(*batch(2, 100))
    open_ = Stream().grown(first, REFERENCE, options)
    assert (items_of(open_.current), open_.windows) == (200, ())
    closed = open_.grown(second, REFERENCE, options)
    assert closed.current is None
    (found,) = closed.windows
    assert (found.number, found.items) == (1, 300)
    alone = judged(REFERENCE, first + second, options)
    assert (found.status, found.verdict, found.reason) == (
        alone.status,
        alone.verdict,
        alone.reason,
    )
    assert closed.kept.total_count == 300
    assert open_.windows == ()  # a stream is a value
    assert closed.grown(None, REFERENCE, options) is closed


def test_without_a_window_it_only_grows():
    options = settings()
    stream = Stream()
    for seed in range(3):
        stream = stream.grown(rw.tally(*batch(seed, 50)), REFERENCE, options)
    assert (items_of(stream.current), stream.windows) == (150, ())


def test_joined_streams_add_open_windows_and_number_the_closed_ones():
    one = Stream(rw.tally(*batch(1, 40)), (window(1, "fine", 10),), None, frozenset("a"), 1, 40)
    other = Stream(rw.tally(*batch(2, 60)), (window(1, "drift", 20),), None, frozenset("b"), 2, 60)
    found, turned = one.joined(other), other.joined(one)
    assert items_of(found.current) == 100
    assert [each.number for each in found.windows] == [1, 2]
    assert sorted(each.items for each in found.windows) == [10, 20]
    assert [w.to_json() for w in found.windows] == [w.to_json() for w in turned.windows]
    assert found.batches == {"a", "b"}
    assert (found.looked, found.seen) == (3, 60)
    assert found.reported.status == "drift"


@pytest.mark.parametrize("seed", [3, 4])
def test_a_judgement_is_that_of_drift_and_few_items_decide_nothing(seed):
    options = settings(minimum=20)
    tally = rw.tally(*batch(seed, 400, power=2.0))
    found = judged(REFERENCE, tally, options)
    expected = rw.drift(REFERENCE, tally, alpha=options.level)
    assert found.drifted is expected.drifted
    assert found.reason == expected.summary
    few = judged(REFERENCE, rw.tally([0, 1, 1], [0.1, 0.5, 0.4]), options)
    assert few.status == "undecidable"
    assert few.reason == (
        "There are too few items to decide: 2 positive and 1 negative, where 20 of each are needed."
    )
    assert judged(REFERENCE, None, options).items == 0


def test_settings_share_out_alpha_and_limit_the_looks():
    many = settings(window=300, looks=4, alpha=0.08)
    assert many.level == pytest.approx(0.02)
    full = Stream(windows=tuple(window(k, "fine") for k in range(1, 5)))
    with pytest.raises(rw.errors.RocwalkError, match="4"):
        full.grown(rw.tally(*batch(1, 300)), REFERENCE, many)
    assert replace(full, looked=1).windows == full.windows
    assert np.isnan(full.windows[0].to_dict()["auc_p_value"])
