"""Windows of a monitor's store: rows, late labels, segments, numbers and Prometheus' text."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

import rocwalk as rw
from drift.samples import MODEL, PERIOD, N, rows
from rocwalk.errors import ColumnError, RocwalkWarning


@pytest.mark.parametrize("window", ["hour", "day", "week", "month", "quarter", "year", "7D", 500])
def test_windows_hold_every_row_once(whole, window):
    found = whole.windows(window=window)
    assert sum(one.rows for one in found) == N
    starts = [one.start for one in found]
    assert starts == sorted(starts)
    if window in ("week", "7D"):
        assert starts[0] == "2025-12-29"
    if window == "quarter":
        assert [(one.start, one.end) for one in found] == [
            ("2026-01-01", "2026-04-01"), ("2026-04-01", "2026-07-01"),
        ]  # fmt: skip
    if window == 500:
        assert [one.rows for one in found] == [500, 500, 500, 500, 400]
    if window == "hour":
        assert found[1].rows == 0  # all rows of a day are of midnight


def test_a_day_without_rows_is_a_window(empty):
    empty.add_model("m", window="day", **PERIOD)
    data = rows(n=600, days=30)
    quiet = data[data["time"] != np.datetime64("2026-01-20")]
    empty.add(quiet.assign(time=quiet["time"] + np.timedelta64(40, "D")), batch="all")
    with pytest.warns(RocwalkWarning, match="The reference, 2026-01-01 to 2026-02-01, has no rows"):
        found = empty.windows()
    assert len(found) == 30
    (one,) = [one for one in found if not one.rows]
    assert (one.start, one.status, one.reason) == ("2026-03-01", "undecidable", "it has no rows.")
    assert all(math.isnan(value) for ends in one.numbers.values() for value in ends)
    assert found[0].reason == "the model has no reference."


def test_labels_that_are_late_are_shown_and_may_be_waited_for(empty):
    data = rows()
    empty.add_model("m", **MODEL, **PERIOD)
    empty.add_predictions(data, batch="all")
    assert [one.labelled for one in empty.windows()] == [0] * 4
    assert empty.windows()[1].reason == "none of its rows has a label."
    empty.add_labels(data[data["id"] % 4 < 3], batch="first")
    windows = empty.windows()
    assert [round(one.coverage, 2) for one in windows] == [0.75] * 4
    assert [one.status for one in windows] == ["reference", "none", "drift", "drift"]
    empty.add_model("m", **MODEL, **PERIOD, minimum_coverage=0.8, replace=True)
    windows = empty.windows()
    assert [one.status for one in windows] == ["reference"] + ["undecidable"] * 3
    assert (
        windows[1].reason
        == "420 of 560 rows have a label, fewer than the share of 0.8 that is needed."
    )
    empty.add_labels(data, batch="all")
    assert [one.status for one in empty.windows()] == ["reference", "none", "drift", "drift"]


def test_each_segment_has_its_own_reference(whole):
    found = whole.status(by="site")
    data = rows()
    assert [one.name for one in found.streams] == ["m, site=north", "m, site=south"]
    for stream, site in zip(found.streams, ("north", "south"), strict=True):
        own = data[data["site"] == site]
        first = own[own["time"] < np.datetime64("2026-02-01")]
        auc = rw.roc(first["label"], first["score"]).area
        assert stream.reference.numbers["auc"][0] == auc
        assert sum(one.rows for one in stream.windows) == len(own)
    with pytest.raises(ColumnError, match="The model 'm' has no segments by 'sit'.\nHint: did you"):
        whole.status(by=["sit"])


def test_alarms_of_segments_are_their_own(empty):
    empty.add_model("m", **MODEL, **PERIOD)
    empty.add(rows(), batch="all")
    empty.status(by="site")
    empty.acknowledge("2026-03-01", "north is known", segments={"site": "north"})
    notes = {(one.segment, one.start): one.note for one in empty.status(by="site").alarms}
    assert notes["site=north", "2026-03-01"] == "north is known"
    assert notes["site=south", "2026-03-01"] is None
    assert [one.note for one in empty.status().alarms] == [None, None]


def test_numbers_to_plot(whole):
    found = whole.status()
    frame = found.to_frame("pandas")
    assert list(frame["start"]) == [one.start for one in found.windows]
    assert {"auc", "auc_low", "auc_high", "log_oe", "coverage", "label_delay", "verdict"} <= set(
        frame
    )
    assert frame["auc"][1] == found.windows[1].numbers["auc"][0]
    read = json.loads(found.windows[2].to_json())
    assert (read["segments"], read["status"]) == ({}, "drift")
    assert {one["name"] for one in read["findings"]} >= {"auc", "midpoint", "struggle_ratio"}


_LINE = re.compile(
    r'[a-zA-Z_:][\w:]*\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)+\} (?:NaN|[+-]?Inf|[-+\d.e]+)'
)


def test_prometheus_text(empty):
    empty.add_model('a "quoted"\nname', segments=["my site"], **PERIOD)
    data = rows().rename(columns={"site": "my site"})
    empty.add(data, batch="all")
    found = empty.status(by="my site")
    text = found.to_prometheus()
    assert text.endswith("\n")
    values = {}
    for line in text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP|TYPE) rocwalk_\w+ .+", line)
            continue
        assert _LINE.fullmatch(line), line
        name, _, value = line.rpartition(" ")
        values[name] = float(value)
    assert len(values) == text.count("# TYPE") * 2
    labels = '{model="a \\"quoted\\"\\nname",segment_my_site="north"}'
    last = found.streams[0].windows[-1]
    assert values[f"rocwalk_auc{labels}"] == last.numbers["auc"][0]
    assert values[f"rocwalk_drifted{labels}"] == 1
    assert values[f"rocwalk_open_alarms{labels}"] == 2
    seconds = values[f"rocwalk_window_start_seconds{labels}"]
    assert np.datetime64(int(seconds), "s") == np.datetime64(last.start)


def test_e_values_are_those_of_a_watch(whole):
    found, data = whole.status(), rows()
    watch = rw.DriftWatch(
        tuple(data[data["time"] < "2026-02-01"][name].to_numpy() for name in ("label", "score"))
    )
    assert math.isnan(found.windows[0].e_value)
    for one, end in zip(found.windows[1:], ("2026-03-01", "2026-04-01", "2026-05-01"), strict=True):
        part = data[(data["time"] >= one.start) & (data["time"] < end)]
        state = watch.update(part["label"].to_numpy(), part["score"].to_numpy())
        assert one.e_value == pytest.approx(state.e_value, rel=1e-9)
    assert [one.e_value >= 20 for one in found.windows[1:]] == [False, True, True]
    assert "rocwalk_e_value{" in found.to_prometheus()
    assert "e_value" in found.to_frame("pandas").columns
