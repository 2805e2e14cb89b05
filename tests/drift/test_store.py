"""A store of predictions and labels: verdicts, references, alarms and settings."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import rocwalk as rw
from drift.samples import MODEL, PERIOD, rows
from rocwalk.errors import OptionError, RocwalkWarning


def test_numbers_and_verdicts_are_those_of_the_library(whole):
    found = whole.status()
    data = rows()
    by_month = {str(k): part for k, part in data.groupby(data["time"].dt.to_period("M"))}
    reference = by_month["2026-01"]
    assert [one.status for one in found.windows] == ["reference", "none", "drift", "drift"]
    for one in found.windows:
        part = by_month[one.start[:7]]
        y, p = part["label"].to_numpy(), part["score"].to_numpy()
        assert (one.rows, one.labelled, one.positives) == (len(part), len(part), y.sum())
        for name in ("auc", "midpoint", "struggle_ratio"):
            known = rw.interval(y, p, statistic=name)
            assert one.numbers[name] == (known.estimate, known.low, known.high)
        squares = (y - p) ** 2
        reach = 1.959964 * squares.std(ddof=1) / math.sqrt(len(part))
        expected = [squares.mean(), squares.mean() - reach, squares.mean() + reach]
        assert one.numbers["brier"] == pytest.approx(expected, rel=1e-6)
        value, low, high = one.numbers["log_oe"]
        assert value == pytest.approx(math.log(y.sum() / p.sum()))
        assert low < value < high
        assert one.label_delay == 6
        if one.status != "reference":
            drift = rw.drift((reference["label"], reference["score"]), (y, p))
            assert one.drift.verdict == drift.verdict
            smallest = [each.adjusted_p_value for each in drift.findings.values() if each.decides]
            assert one.p_value == pytest.approx(np.nanmin(smallest))
    assert found.drifted
    assert [one.start for one in found.alarms] == ["2026-03-01", "2026-04-01"]
    assert "2 of 3 windows have drifted, the first from 2026-03-01" in found.summary


def test_without_a_change_there_is_no_alarm(empty):
    empty.add_model("m", **MODEL, **PERIOD)
    empty.add(rows(power=1.0), batch="all")
    assert [one.status for one in empty.windows()] == ["reference", "none", "none", "none"]
    assert not empty.alarms


def test_false_alarms_are_adjusted_over_segments_too(whole):
    alone, split = whole.status(), whole.status(by="site")
    assert [one.streams for one in (*alone.streams, *split.streams)] == [1, 2, 2]
    assert [one.e_threshold for one in split.streams] == [40, 40]
    assert "over all 2 segments together" in split.summary
    assert "segments" not in alone.summary
    data = rows()
    for stream, site in zip(split.streams, ("north", "south"), strict=True):
        own = data[data["site"] == site]
        first = own["time"] < np.datetime64("2026-02-01")
        found = rw.drift_over_time(
            own[~first], label="label", score="score", time="time", alpha=0.025,
            reference=own[first],
        )  # fmt: skip
        tested = [one for one in stream.windows if one.status != "reference"]
        assert [one.status for one in tested] == [one.status for one in found.windows]
        for one, expected in zip(tested, found.windows, strict=True):
            assert one.adjusted_p_value == min(2 * expected.adjusted_p_value, 1)


def test_a_reference_may_be_a_file(empty, tmp_path):
    data = rows()
    january = data["time"] < np.datetime64("2026-02-01")
    data[january].to_csv(tmp_path / "reference.csv", index=False)
    empty.add_model("m", **MODEL, reference=tmp_path / "reference.csv")
    empty.add(data[~january], batch="later")
    found = empty.status()
    assert [one.status for one in found.windows] == ["none", "drift", "drift"]
    (stream,) = found.streams
    assert (stream.reference.rows, stream.reference.start) == (int(january.sum()), None)
    assert empty.add_model("m", **MODEL, reference=data[january][::-1]) is False  # the same rows
    with pytest.raises(OptionError, match="with other settings: reference was '620 rows, sha256:"):
        empty.add_model("m", **MODEL, reference=data)


def test_a_reference_without_one_class_decides_nothing(empty):
    data = rows()
    empty.add_model("m", **MODEL, **PERIOD)
    empty.add(data.assign(label=data["label"].where(data["time"] >= "2026-02-01", 0)), batch="all")
    found = empty.windows()
    assert [one.status for one in found] == ["reference"] + ["undecidable"] * 3
    assert found[1].reason.startswith("the reference cannot be used.")


def test_a_partial_reference_is_not_taken_silently(empty):
    data = rows()
    empty.add_model("m", **MODEL, **PERIOD)
    empty.add(data[data["time"] >= np.datetime64("2026-01-12")], batch="late")
    words = "The reference, 2026-01-01 to 2026-02-01, is partial: its rows are of 2026-01-12 to "
    with pytest.warns(RocwalkWarning, match=words):
        empty.status()
    empty.add(data, batch="all")
    empty.status()


def test_soft_truth_and_weights(empty):
    data = rows()
    truth = np.clip(0.1 + 0.8 * data["label"] + 0.05 * (data["id"] % 3 - 1), 0, 1)
    weight = 1.0 + data["id"] % 4
    empty.add_model("m", label_time="known", weight="w", **PERIOD)
    empty.add(data.assign(label=truth, w=weight), batch="all")
    one = empty.windows()[1]
    part = (data["time"] >= "2026-02-01") & (data["time"] < "2026-03-01")
    y, p, w = truth[part], data["score"][part], weight[part]
    known = rw.interval(y, p, sample_weight=w, statistic="auc")
    assert one.numbers["auc"] == pytest.approx((known.estimate, known.low, known.high))
    assert one.numbers["log_oe"][0] == pytest.approx(math.log((w * y).sum() / (w * p).sum()))
    assert one.positives == pytest.approx(y.sum())


def test_an_alarm_is_acknowledged_with_a_note_until_its_verdict_changes(empty):
    data = rows()
    empty.add_model("m", **MODEL, **PERIOD)
    empty.add(data, batch="all")
    assert [one.is_open for one in empty.status().alarms] == [True, True]
    assert [one.note for one in empty.alarms] == [None, None]
    with pytest.raises(
        OptionError,
        match="no alarm of 'm' in a window from 2026-02-01.\nHint: there are alarms from '2026-03-01', '2026-04-01'",
    ):
        empty.acknowledge("2026-02-01", "fine")
    with pytest.raises(OptionError, match="The note is empty"):
        empty.acknowledge("2026-03-01", " ")
    assert empty.acknowledge("2026-03-01", "recalibrated on 2 April") == 1
    found = empty.status()
    assert [one.note for one in found.alarms] == ["recalibrated on 2 April", None]
    assert [one.start for one in found.open_alarms] == ["2026-04-01"]
    empty.acknowledge("2026-04-01", "the same")
    assert not empty.status().drifted
    before = found.alarms[0].verdict
    late = data["time"] >= np.datetime64("2026-03-01")
    flipped = data.assign(score=data["score"].where(~late, 1 - data["score"]))
    empty.add(flipped, batch="all", replace=True)
    found = empty.status()
    assert found.alarms[0].verdict != before
    assert found.drifted  # another finding, which nobody has seen
    assert len(empty.alarms) == 4
    empty.withdraw("all")
    assert empty.status().windows == ()
    assert len(empty.alarms) == 4  # what was raised stays known


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"window": "fortnight"},
            "window='fortnight' is not known.\nHint: window is one of 'hour'",
        ),
        ({"window": 0}, "window=0 is smaller than 1"),
        ({"alpha": 2}, "alpha=2 is outside"),
        ({"minimum": 1}, "minimum=1 is smaller than 2"),
        ({"minimum_coverage": 1.5}, "minimum_coverage=1.5 is not a share"),
        ({"adjustment": "some"}, "adjustment='some' is not known"),
        ({"pos_label": "ill"}, "pos_label is given without neg_label"),
        ({"neg_label": "ill"}, "neg_label is given without pos_label"),
        ({"score": "id"}, "The column 'id' is named twice"),
        (
            {"reference_period": ("2026-02-01", "2026-01-01")},
            "is not a pair of a moment and a later",
        ),
        ({"reference_period": ("soon", "later")}, "is not a pair of a moment and a later"),
        ({"reference_period": ("2026", "2027"), "reference": {}}, "are both given"),
    ],
)
def test_settings_that_are_wrong_are_refused_before_anything_is_written(tmp_path, options, words):
    store = rw.MonitorStore(tmp_path / "store.duckdb")
    with pytest.raises(OptionError, match=re.escape(words).replace(r"\ ", " ")):
        store.add_model("m", **options, create=True)
    assert list(tmp_path.iterdir()) == []


def test_times_that_make_too_many_windows_are_refused(empty):
    empty.add_model("m", window="hour")
    empty.add({"id": ["a", "b"], "time": ["1026-01-01", "2026-01-01"], "score": [0.1, 0.2]})
    with pytest.raises(OptionError, match="From 1026-01-01 to 2026-01-01 there are 8,765,"):
        empty.status()


def test_margins_of_a_model(empty):
    wide = {"auc": 0.5, "midpoint": 3.0, "struggle_ratio": 5.0}
    empty.add_model("m", **MODEL, **PERIOD, margin=wide)
    empty.add(rows(), batch="all")
    assert [one.status for one in empty.status().windows] == ["reference", "none", "none", "none"]
    with pytest.raises(OptionError, match="is not a number that has a margin"):
        empty.add_model("other", **MODEL, **PERIOD, margin={"gini": 1})
