"""Drift in a stream: batches, workers, windows, states that outlive a kill, jobs."""

from __future__ import annotations

import itertools
import json
import logging
import os
import pickle
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from drift.samples import MONITORED as REFERENCE
from drift.samples import batch as sample
from drift.samples import monitor, state
from rocwalk.drift.monitor import DriftMonitor
from rocwalk.errors import (
    FileError,
    InputError,
    LabelError,
    OneClassError,
    OptionError,
    ScoreError,
    TallyError,
    WeightError,
)
from rocwalk.inference.influence import class_sizes
from rocwalk.tally.storage import load_with_settings, save_tallies

# -- batches -------------------------------------------------------------------------------------


def test_batches_are_the_whole_and_answer_as_drift_does():
    y, p = sample(1)
    whole, parts = monitor().update(y, p), monitor()
    for rows in np.array_split(np.arange(len(y)), 7):
        assert parts.update(y[rows], p[rows]) is parts
    assert state(parts) == state(whole)
    assert parts.items == len(y)
    found = parts.check()
    assert found.drift.to_json() == rw.drift(REFERENCE, (y, p)).to_json()
    assert (found.status, found.verdict, found.window) == ("none", "none", None)
    assert found.reason == found.drift.summary


@given(st.lists(st.integers(1, 599), max_size=6), st.booleans())
def test_neither_cuts_nor_order_nor_workers_matter(cuts, windows):
    y, p = sample(2, digits=2)
    options = {"window": 250} if windows else {}
    whole, parts = monitor(**options).update(y, p), monitor(**options)
    edges = [0, *sorted(set(cuts)), len(y)]
    pieces = [(y[a:b], p[a:b]) for a, b in itertools.pairwise(edges)]
    for piece in pieces:
        parts.update(*piece)
    assert state(parts) == state(whole)  # windows follow the stream, however it is cut
    if not windows:
        workers = [monitor().update(*piece) for piece in pieces]
        assert state(sum(workers)) == state(sum(workers[::-1])) == state(whole)


def test_soft_truth_and_weights_agree_closely():
    y, p = sample(3)
    w = np.random.default_rng(3).uniform(0.5, 2, len(y))
    soft = np.clip(y * 0.8 + 0.1, 0, 1)
    whole, parts = monitor().update(soft, p, sample_weight=w), monitor()
    for rows in np.array_split(np.random.default_rng(4).permutation(len(y)), 5):
        parts.update(soft[rows], p[rows], sample_weight=w[rows])
    for name in ("scores", "up", "right", "count", "up_squared"):
        ours, theirs = getattr(parts.current, name), getattr(whole.current, name)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    tally = rw.tally(soft, p, sample_weight=w)
    assert whole.check().drift.to_json() == rw.drift(rw.tally(*REFERENCE), tally).to_json()


@pytest.mark.parametrize(
    ("batch", "options", "kind"),
    [
        (([1, 0], [0.5, 1.5]), {}, ScoreError),
        (([1, 0], [0.5, np.nan]), {}, ScoreError),
        (([1, 2], [0.5, 0.4]), {}, LabelError),
        (([1], [0.5, 0.4]), {}, InputError),
        (([], []), {}, InputError),
        (([1, 0], [0.5, 0.4]), {"sample_weight": [1, -1]}, WeightError),
        (([1, 0], [0.5, 0.4]), {"truth": "maybe"}, OptionError),
        (([1, 0], [0.5, 0.4]), {"batch": 7}, OptionError),
    ],
)
def test_a_bad_batch_changes_nothing(batch, options, kind):
    watched = monitor(window=500).update(*sample(1))
    before = state(watched)
    with pytest.raises(kind, match="Hint: "):
        watched.update(*batch, **options)
    assert state(watched) == before


def test_labels_may_have_names_and_rows_may_be_left_out():
    y, p = sample(1)
    named = monitor().update(np.where(y, "ill", "well"), p, pos_label="ill")
    assert state(named) == state(monitor().update(y, p))
    broken = np.append(p, np.nan)
    with pytest.warns(rw.errors.DroppedRowsWarning):
        dropped = monitor().update(np.append(y, 1), broken, invalid="drop")
    assert state(dropped) == state(named)


WORDS = np.array(["well", "ill"])


def test_a_batch_whose_labels_are_not_those_of_the_reference_changes_nothing(tmp_path):
    y, p = sample(1)
    watched = DriftMonitor((WORDS[REFERENCE[0]], REFERENCE[1]), pos_label="ill")
    assert watched.settings.neg_label == "well"
    watched.update(WORDS[y], p)
    before = state(watched)
    bad = {
        "another spelling": (
            np.where(y, "Ill", "well"),
            {},
            "row .* has the label 'Ill' beside pos",
        ),
        "a third label": (np.where(p > 0.5, "n/k", WORDS[y]), {}, "has the label 'n/k' beside pos"),
        "one class with another name": (["fine"] * len(y), {}, "has the label 'fine' beside pos"),
        "another positive label": (WORDS[y], {"pos_label": "well"}, "is not the positive label of"),
        "numbers": (y, {}, "pos_label='ill' is text, but y_true holds numbers"),
    }
    watched.save(tmp_path / "state.npz")
    for one in (watched, DriftMonitor.load(tmp_path / "state.npz"), sum([watched])):
        for labels, options, words in bad.values():
            with pytest.raises(LabelError, match=words):
                one.update(labels, p, **options)
        assert state(one) == before
    watched.update(["well"] * 3, [0.1, 0.2, 0.3])  # a batch may hold one class only
    assert watched.items == len(y) + 3
    plain = monitor().update(y, p).update([0] * 3, [0.1, 0.2, 0.3])
    assert state(watched)[1:] == state(plain)[1:]


def test_a_monitor_without_known_labels_refuses_a_misspelt_positive():
    y, p = sample(1)
    watched = monitor()
    before = state(watched)
    with pytest.raises(
        LabelError, match="No row has the label 'Ill' in y_true.\nHint: did you mean"
    ):
        watched.update(WORDS[y], p, pos_label="Ill")
    with pytest.raises(LabelError, match="has the label 'n/k' beside pos_label='ill' and 'well'"):
        watched.update(np.where(p > 0.8, "n/k", WORDS[y]), p, pos_label="ill")
    assert state(watched) == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pos_label": ["a"]}, r"pos_label=\['a'\] is not a label that can be saved"),
        ({"neg_label": "a"}, "neg_label needs the positive label too"),
        ({"pos_label": "a", "neg_label": "a"}, "neg_label='a' is the positive label too"),
    ],
)
def test_labels_that_a_monitor_cannot_have(options, words):
    with pytest.raises(OptionError, match=words):
        DriftMonitor(rw.tally(*REFERENCE), **options)


def test_a_named_batch_counts_once(caplog):
    batch = sample(1)
    watched = monitor(name="triage").update(*batch, batch="monday")
    once = state(watched)
    assert watched.batches == {"monday"}
    assert state(watched.update(*batch, batch="monday")) == once
    assert "triage: batch 'monday' was counted before and is left out" in caplog.text
    with pytest.raises(TallyError, match="Both monitors have counted the batch 'monday'"):
        watched + monitor(name="triage").update(*batch, batch="monday")
    both = watched + monitor(name="triage").update(*batch, batch="tuesday")
    assert both.batches == {"monday", "tuesday"}


# -- deciding ------------------------------------------------------------------------------------


def test_too_few_of_a_class_is_undecidable_never_fine():
    y, p = sample(1, 1000)
    ill, well = np.flatnonzero(y == 1), np.flatnonzero(y == 0)[:100]
    watched = monitor(minimum=30)
    empty = watched.check()
    assert (empty.status, empty.items, empty.drift) == ("undecidable", 0, None)
    p = p**3
    watched.update(y[well], p[well]).update(y[ill[:29]], p[ill[:29]])
    found = watched.check()
    assert (found.status, found.verdict, found.drifted) == ("undecidable", "undecidable", False)
    assert found.reason == (
        f"There are too few items to decide: 29 positive and {len(well)} negative, where 30 of "
        "each are needed."
    )
    assert watched.update(y[ill[29:30]], p[ill[29:30]]).check().status == "drift"


def test_a_number_without_a_test_is_undecidable_too():
    y = np.repeat([1, 0], 30)
    constant = y, np.full(60, 0.5)  # one score orders nothing
    found = DriftMonitor(constant).update(*constant).check()
    assert found.status == "undecidable"
    assert found.reason == "These data give no test of the AUC."


def test_sizes_of_classes_under_weights_and_soft_truth():
    y, p = sample(1, 50)
    counts = (float(y.sum()), float(50 - y.sum()))
    assert class_sizes(rw.tally(y, p)) == counts
    assert class_sizes(rw.tally(y, p, sample_weight=np.full(50, 0.1))) == pytest.approx(counts)
    assert class_sizes(rw.tally(np.full(50, 0.02), p)) == pytest.approx((1, 49))
    heavy = np.where(np.arange(50) == 0, 5.0, 1.0)
    one_positive = (np.arange(50) == 0).astype(int)
    assert class_sizes(rw.tally(one_positive, p, sample_weight=heavy))[0] == pytest.approx(1)


def test_looks_share_out_alpha():
    y, p = sample(1)
    moved = p**1.25
    tests = rw.drift(REFERENCE, (y, moved)).tests
    p_value = min(one.adjusted_p_value for one in tests.values())
    for alpha, looks, status in [(0.5, 1, "drift"), (0.5, int(0.5 / p_value) + 1, "none")]:
        found = monitor(alpha=alpha, looks=looks).update(y, moved).check()
        assert found.status == status
        assert found.drift.alpha == alpha / looks


def test_margins_are_kept_with_the_state(tmp_path):
    wide = {"auc": 0.5, "midpoint": 3.0, "struggle_ratio": 5.0}
    y, p = sample(1)
    watched = monitor(margin=wide).update(y, p**2)
    assert monitor().update(y, p**2).check().drifted
    assert not watched.check().drifted
    watched.save(tmp_path / "state.npz")
    assert not DriftMonitor.load(tmp_path / "state.npz").check().drifted


def test_more_looks_than_planned_are_an_error(tmp_path):
    watched = monitor(looks=2)
    assert watched.update(*sample(1, 10)).check().status == "undecidable"  # no decision, no look
    watched.update(*sample(1, 300))
    assert watched.check().status == watched.check().status == "none"  # the same items: one look
    watched.update(*sample(2, 300)).save(tmp_path / "state.npz")
    watched.check()
    again = DriftMonitor.load(tmp_path / "state.npz")
    again.check()
    for one in (watched, again):
        with pytest.raises(
            OptionError, match=r"planned 2 looks, and this is number 3.*\n.*DriftWatch"
        ):
            one.update(*sample(3, 300)).check()
    windows = monitor(window=200, looks=2).update(*sample(1, 450))
    with pytest.raises(OptionError, match="planned 2 windows, and this is number 3"):
        windows.update(*sample(2, 300), batch="third")
    assert (windows.items, len(windows.windows), windows.batches) == (450, 2, frozenset())
    unplanned = monitor()
    for seed in range(3):
        unplanned.update(*sample(seed, 200)).check()


@pytest.mark.slow
def test_false_alarms_over_many_looks():
    def alarms(looks, seeds):
        raised = []
        for seed in seeds:
            rng = np.random.default_rng(seed)
            stream = DriftMonitor(sample(rng, 500), looks=looks)
            if any(stream.update(*sample(rng, 100)).check().drifted for _ in range(10)):
                raised.append(seed)
        return raised

    often = alarms(1, range(80))
    assert len(often) > 8  # what the docstring warns of
    assert len(alarms(10, often)) <= 6  # a tenth of α raises no alarm where α raises none


# -- windows -------------------------------------------------------------------------------------


def test_windows_close_when_full_and_are_judged_once():
    watched = monitor(window=400)
    y, p = sample(1, 1000)
    assert watched.update(y[:399], p[:399]).windows == ()
    early = watched.check()
    assert early.status == "undecidable"
    assert early.reason == "No window is full yet: 399 of 400 items."
    watched.update(y[399:], p[399:])
    assert [(one.number, one.items, one.status) for one in watched.windows] == [
        (1, 400, "none"), (2, 400, "none"),
    ]  # fmt: skip
    assert watched.current.total_count == 200
    assert watched.items == 1000
    second = rw.drift(REFERENCE, (y[400:800], p[400:800]))
    found = watched.check()
    assert found.drift.to_json() == second.to_json()
    assert (found.window, found.items) == (2, 400)
    assert found.reason.startswith("Window 2 of 2: No drift is seen")
    assert watched.windows[1].p_values == {
        name: second.findings[name].model.adjusted_p_value for name in ("auc", "midpoint", "struggle_ratio")
    }  # fmt: skip


def test_an_alarm_stays_until_reset():
    watched = monitor(window=300)
    watched.update(*sample(1, 300)).update(*sample(2, 300, power=2)).update(*sample(3, 300))
    assert [one.status for one in watched.windows] == ["none", "drift", "none"]
    found = watched.check()
    assert (found.status, found.window, found.verdict) == ("drift", 2, "prevalence")
    watched.reset()
    assert state(watched) == state(monitor(window=300))
    assert watched.update(*sample(1, 300)).check().status == "none"


def test_a_window_of_one_class_is_undecidable_never_fine():
    watched = monitor(window=100).update(*sample(1, 100))
    watched.update(np.zeros(100), np.linspace(0, 0.01, 100))
    assert [one.status for one in watched.windows] == ["none", "undecidable"]
    assert all(np.isnan(p) for p in watched.windows[1].p_values.values())
    found = watched.check()
    assert (found.status, found.drift) == ("undecidable", None)
    assert found.reason.startswith("Window 2 of 2: There are too few items to decide: 0 positive")


def test_a_class_that_is_missing_where_many_are_expected_is_drift():
    watched = monitor(window=100).update(*sample(1, 100))
    watched.update(np.zeros(100), np.linspace(0, 1, 100))
    assert [one.status for one in watched.windows] == ["none", "drift"]
    found = watched.check()
    assert (found.verdict, found.positives, found.window) == ("estimation", 0, 2)
    assert "0 of 100 items are positive where the reference expects" in found.reason
    assert watched.windows[1].p_values["midpoint"] < 1e-6
    assert np.isnan(watched.windows[1].p_values["auc"])
    patient = monitor(minimum=60).update(np.zeros(100), np.linspace(0, 1, 100)).check()
    assert (patient.status, patient.drift) == ("undecidable", None)  # 50 were expected


def test_what_is_logged(caplog):
    caplog.set_level(logging.INFO, logger="rocwalk.monitor")
    watched = monitor(window=300, name="triage")
    watched.update(*sample(1, 300)).update(*sample(2, 300, power=2))
    watched.check()
    said = [(one.levelname, one.getMessage()) for one in caplog.records]
    assert [level for level, _ in said] == ["INFO", "WARNING", "WARNING"]
    assert said[0][1].startswith("triage: window 1 closed with 300 items: none. No drift is seen")
    assert said[1][1].startswith(
        "triage: window 2 closed with 300 items: drift. Positives are more"
    )
    assert said[2][1].startswith("triage: drift. Window 2 of 2: Positives are more frequent")
    caplog.clear()
    monitor(window=300).update(*sample(1, 100)).check()
    assert caplog.records == []


# -- merging -------------------------------------------------------------------------------------


def test_merging_windows_commutes_and_loses_nothing():
    one = monitor(window=200).update(*sample(1, 500)).update(*sample(2, 150, power=3))
    other = monitor(window=200).update(*sample(3, 350))
    both = one + other
    assert state(both) == state(other + one)
    assert both.items == one.items + other.items == 1000
    assert [window.number for window in both.windows] == [1, 2, 3, 4, 5]
    assert both.windows[-1].items == 200  # two open windows that were full together
    assert both.current is None
    drifted = (monitor(window=200).update(*sample(4, 200, power=3))) + one
    assert drifted.check().drift.to_json() == (one + drifted).check().drift.to_json()
    assert drifted.check().status == "drift"


def test_merging_leaves_both_as_they_are():
    one, other = monitor().update(*sample(1)), monitor().update(*sample(2))
    before = state(one), state(other)
    merged = one.merge(other)
    assert (state(one), state(other)) == before
    assert merged.items == one.items + other.items
    assert state(one + monitor()) == state(one)
    assert state(sum([one])) == state(one)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": 0.01}, r"alpha=0.05 and alpha=0.01"),
        ({"minimum": 30, "looks": 2}, r"minimum=20 and minimum=30; looks=1 and looks=2"),
        ({"window": 100}, r"window=None and window=100"),
        ({"name": "b"}, r"name=None and name='b'"),
        ({"fixed_reference": True}, r"fixed_reference=False and fixed_reference=True"),
    ],
)
def test_unlike_monitors_refuse_to_merge_and_say_why(options, words):
    with pytest.raises(TallyError, match=f"differ, so they do not merge: {words}"):
        monitor() + monitor(**options)


def test_unlike_references_refuse_to_merge():
    with pytest.raises(TallyError, match="the references, of 1,000 and 900 items"):
        monitor() + DriftMonitor(sample(0, 900))
    with pytest.raises(TallyError, match="the references"):
        monitor() + DriftMonitor((REFERENCE[0], np.nextafter(REFERENCE[1], 0)))
    with pytest.raises(InputError, match="A int cannot be merged"):
        monitor().merge(5)
    with pytest.raises(TypeError):
        monitor() + "text"


# -- making --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": 1.5}, r"alpha=1.5 is outside \(0, 1\)"),
        ({"alpha": "a"}, "alpha='a' is not a number"),
        ({"minimum": 1}, "minimum=1 is smaller than 2"),
        ({"minimum": 2.5}, "minimum=2.5 is not a whole number"),
        ({"looks": 0}, "looks=0 is smaller than 1"),
        ({"window": 39}, "window=39 is smaller than 40"),
        ({"window": float("inf")}, "window=inf is not a whole number"),
        ({"name": 5}, "name=5 is not text"),
    ],
)
def test_bad_settings(options, words):
    with pytest.raises(OptionError, match=words):
        monitor(**options)


@pytest.mark.parametrize(
    ("reference", "kind", "words"),
    [
        (5, InputError, "reference is an int, not a pair"),
        (([1, 0], [0.5, 0.4]), OneClassError, "fewer than two"),
        (sample(0, 30), OneClassError, "reference has 9 positive and 21 negative items, fewer"),
        (rw.tally(*REFERENCE, steps="single"), TallyError, "steps='single'"),
        (rw.tally(REFERENCE[0], 2 * REFERENCE[1]), ScoreError, r"outside \[0, 1\]"),
        # there is no invalid= that could leave the row out
        (([1, 0], [0.5, np.nan]), ScoreError, r"reference at row 1 is NaN.*\nHint: .*finite\.$"),
    ],
)
def test_bad_references(reference, kind, words):
    with pytest.raises(kind, match=words):
        DriftMonitor(reference)


def test_a_tally_is_a_reference():
    assert state(DriftMonitor(rw.tally(*REFERENCE))) == state(monitor())


# -- what every result does ----------------------------------------------------------------------


def alarm():
    return monitor(window=300, name="triage").update(*sample(2, 300, power=2)).check()


def test_an_alarm_is_strict_json():
    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    read = json.loads(alarm().to_json(), parse_constant=refuse)
    assert read["kind"] == "MonitorCheck"
    assert read["schema_version"] == 1
    assert (read["name"], read["status"], read["verdict"]) == ("triage", "drift", "prevalence")
    assert {one["name"] for one in read["findings"]} >= {"auc", "midpoint", "struggle_ratio"}
    assert alarm().to_json() == alarm().to_json()  # no time, nothing random
    nothing = json.loads(monitor().check().to_json(), parse_constant=refuse)
    assert (nothing["status"], nothing["findings"]) == ("undecidable", [])


def test_results_show_themselves_and_pickle():
    watched = monitor(window=300, name="triage").update(*sample(2, 700, power=2))
    for result in (watched, watched.check(), watched.windows[0]):
        assert len(repr(result)) < 250
        assert repr(pickle.loads(pickle.dumps(result))) == repr(result)
        assert len(result.to_frame("pandas")) >= 1
        assert "table" in result._repr_html_()
    assert list(watched.to_frame("pandas")["status"]) == ["drift", "drift"]
    assert state(pickle.loads(pickle.dumps(watched))) == state(watched)


# -- states --------------------------------------------------------------------------------------


def kinds():
    soft = np.clip(sample(1)[0] * 0.8 + 0.1, 0, 1)
    return {
        "new": monitor(),
        "counts": monitor(name="triage", alpha=0.1 + 0.2).update(*sample(1), batch="é\0"),
        "soft": monitor().update(soft, sample(1)[1]),
        "windows": monitor(window=250, looks=3).update(*sample(1, power=2)),
        "one class": monitor(window=100).update(np.zeros(150), np.linspace(0, 1, 150)),
        "weighted": DriftMonitor(rw.tally(*REFERENCE, sample_weight=REFERENCE[1] + 1)),
    }


@pytest.mark.parametrize("kind", ["new", "counts", "soft", "windows", "one class", "weighted"])
def test_states_come_back_bit_for_bit(tmp_path, kind):
    watched, path = kinds()[kind], tmp_path / "state.npz"
    watched.save(path)
    again = DriftMonitor.load(path)
    assert state(again) == state(watched)
    assert again.check().to_json() == watched.check().to_json()
    more = sample(9, 333)
    assert state(again.update(*more)) == state(watched.update(*more))


def test_states_of_the_future_are_refused_by_name(tmp_path):
    path = tmp_path / "state.npz"
    monitor().save(path)
    parts, settings = load_with_settings(path, "drift_monitor")
    save_tallies(path, "drift_monitor", parts, settings | {"schema_version": 2})
    with pytest.raises(FileError, match="monitor of schema version 2; this rocwalk reads 1"):
        DriftMonitor.load(path)
    header = {"format": "rocwalk", "schema_version": 99, "kind": "drift_monitor", "parts": {}}
    np.savez(path, header=np.array(json.dumps(header)))
    with pytest.raises(FileError, match="has schema version 99; this rocwalk reads 2"):
        DriftMonitor.load(path)


def test_what_is_no_state_is_refused(tmp_path):
    path = tmp_path / "state.npz"
    with pytest.raises(FileError, match="There is no file"):
        DriftMonitor.load(path)
    rw.tally(*REFERENCE).save(path)
    with pytest.raises(FileError, match="holds a 'tally', not a 'drift_monitor'"):
        DriftMonitor.load(path)
    monitor(window=100).update(*sample(1)).save(path)
    with pytest.raises(FileError, match="holds a 'drift_monitor', not a 'tally'"):
        rw.Tally.load(path)
    whole = path.read_bytes()
    for share in (0, 0.3, 0.9):
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(FileError, match="is not a drift monitor of rocwalk, or is damaged"):
            DriftMonitor.load(path)
    path.write_bytes(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
    with pytest.raises(FileError, match="or is damaged"):
        DriftMonitor.load(path)


@pytest.mark.parametrize(
    "change",
    [
        {"options": {"alpha": 7}},
        {"options": {"colour": "blue"}},
        {"options": None},
        {"windows": [{"number": 1}]},
        {"windows": []},
        {"batches": None},
    ],
)
def test_settings_that_no_monitor_has_are_damage(tmp_path, change):
    path = tmp_path / "state.npz"
    monitor(window=100).update(*sample(1)).save(path)
    parts, settings = load_with_settings(path, "drift_monitor")
    save_tallies(path, "drift_monitor", parts, settings | change)
    with pytest.raises(FileError, match="is not a drift monitor of rocwalk, or is damaged"):
        DriftMonitor.load(path)


def test_a_reference_must_be_there(tmp_path):
    path = tmp_path / "state.npz"
    monitor().update(*sample(1)).save(path)
    parts, settings = load_with_settings(path, "drift_monitor")
    save_tallies(path, "drift_monitor", {"current": parts["current"]}, settings)
    with pytest.raises(FileError, match="or is damaged"):
        DriftMonitor.load(path)


# -- dying ---------------------------------------------------------------------------------------

DEATHS = textwrap.dedent(
    """
    import builtins, json, os, pathlib, sys

    from rocwalk.drift.monitor import DriftMonitor

    folder, how = pathlib.Path(sys.argv[1]), sys.argv[2]
    path = folder / "state.npz"
    old, new = ((folder / name).read_bytes() for name in ("old", "new"))
    monitor = DriftMonitor.load(folder / "new")
    calls = ("fsync", "replace", "rename", "chmod", "unlink", "open", "close")
    plain = {name: getattr(os, name) for name in calls}
    plain_open = open


    def die_at(last):
        seen = []

        def watched(name, call, half=None):
            def watching(*arguments, **options):
                seen.append(name)
                ends = len(seen) == last
                if ends and how == "before":
                    os._exit(77)
                if ends and how == "half" and half is not None:
                    half(*arguments)
                    os._exit(77)
                try:
                    return call(*arguments, **options)
                finally:
                    if ends:
                        os._exit(77)

            return watching

        class Watched:
            def __init__(self, file):
                self.file = file
                self.write = watched("write", self.whole, self.half)

            def __getattr__(self, name):
                return getattr(self.file, name)

            def __enter__(self):
                return self

            def __exit__(self, *error):
                self.file.close()

            def whole(self, data):
                written = self.file.write(data)
                if how != "before":  # before: what was written may still be in the buffer
                    self.file.flush()
                return written

            def half(self, data):
                self.whole(bytes(data)[: len(bytes(data)) // 2])

        def opened(file, mode="r", *others, **options):
            found = plain_open(file, mode, *others, **options)
            return Watched(found) if isinstance(file, int) and mode == "wb" else found

        for name, call in plain.items():
            setattr(os, name, watched(name, call))
        builtins.open = opened
        return seen


    def one_life(last):
        child = os.fork()
        if child:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        seen = die_at(last)
        monitor.save(path)
        (folder / "calls").write_text(json.dumps(seen))
        os._exit(0)


    outcomes, code = [], 77
    while code == 77:
        path.write_bytes(old)
        code = one_life(len(outcomes) + 1)
        content = path.read_bytes()
        outcomes.append("old" if content == old else "new" if content == new else "broken")
        DriftMonitor.load(path)
        monitor.save(path)  # what the dead left behind does not stand in the way
        assert path.read_bytes() == new
    print(json.dumps({"code": code, "outcomes": outcomes}))
    """
)


@pytest.mark.parametrize("how", ["before", "half", "after"])
def test_a_kill_at_any_call_leaves_the_old_state_or_the_new(tmp_path, how):
    watched = monitor(window=250).update(*sample(1), batch="a")
    watched.save(tmp_path / "old")
    watched.update(*sample(2, 500), batch="b").save(tmp_path / "new")
    done = subprocess.run(
        [sys.executable, "-c", DEATHS, str(tmp_path), how],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    calls, outcomes = json.loads((tmp_path / "calls").read_text()), found["outcomes"]
    assert found["code"] == 0
    assert len(outcomes) == len(calls) + 1  # one death at each call, and one life
    assert outcomes[-1] == "new"
    # the state turns at the rename, once, and the contents are on the disk by then
    turn = calls.index("replace")
    old = turn + (how == "before")
    assert outcomes == ["old"] * old + ["new"] * (len(outcomes) - old)
    assert calls.count("write") > 20
    written = [k for k, call in enumerate(calls) if call == "write"]
    synced = [k for k, call in enumerate(calls) if call == "fsync"]
    assert max(written) < synced[0] < turn < synced[1]


# -- several at once -----------------------------------------------------------------------------


@pytest.mark.parametrize("window", [None, 400])
def test_eight_threads_share_a_monitor_and_lose_nothing(window):
    shared = monitor(window=window)
    batches = [(f"{k}", *sample(k, 50)) for k in range(64)]

    def work(one):
        name, y, p = one
        shared.update(y, p, batch=name)
        shared.check()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, [*batches, *batches]))
    assert shared.rows == shared.items == 64 * 50
    assert shared.batches == {name for name, _, _ in batches}
    if window is None:
        alone = monitor()
        for _, y, p in batches:
            alone.update(y, p)
        assert np.array_equal(shared.current.up, alone.current.up)
        assert np.array_equal(shared.current.right, alone.current.right)
    else:
        assert [one.items for one in shared.windows] == [400] * 8


def test_a_copy_of_a_monitor_is_its_own():
    watched = monitor().update(*sample(1))
    other = pickle.loads(pickle.dumps(watched))
    other.update(*sample(2))
    assert (watched.rows, other.rows) == (len(sample(1)[0]), len(sample(1)[0]) + len(sample(2)[0]))
