"""What a stream is compared with: its labels, its tally, the version of a state, the lock."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest

import rocwalk as rw
from drift.samples import MONITORED, monitor, watch
from rocwalk.drift.e_process import WatchSettings
from rocwalk.drift.reference import other_label, read_reference, refuse_other_schema
from rocwalk.drift.stream import Settings
from rocwalk.errors import FileError, InputError, OneClassError, OptionError, ScoreError

SETTINGS = pytest.mark.parametrize("settings", [Settings, WatchSettings])


@SETTINGS
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ((None, None), (None, None)),
        (("ill", "well"), ("ill", "well")),
        ((np.int64(2), np.str_("no")), (2, "no")),
        ((True, None), (True, None)),
    ],
)
def test_labels_that_a_state_keeps_are_plain(settings, given, kept):
    made = settings(pos_label=given[0], neg_label=given[1])
    found = made.pos_label, made.neg_label
    assert found == kept
    assert [type(one) for one in found] == [type(one) for one in kept]


@SETTINGS
@pytest.mark.parametrize(
    ("given", "words"),
    [
        (((1, 2), None), "pos_label=(1, 2) is not a label that can be saved."),
        ((None, "no"), "neg_label needs the positive label too."),
        (("no", "no"), "neg_label='no' is the positive label too."),
    ],
)
def test_labels_that_no_state_keeps(settings, given, words):
    with pytest.raises(OptionError, match=re.escape(words)) as caught:
        settings(pos_label=given[0], neg_label=given[1])
    assert "\nHint: " in str(caught.value)


def test_a_pair_and_its_tally_are_one_reference():
    tally, sample = read_reference(MONITORED, None)
    again, none = read_reference(rw.tally(*MONITORED), None)
    assert none is None
    assert sample.length == len(MONITORED[0])
    for column in ("scores", "up", "right"):
        assert getattr(tally, column).tolist() == getattr(again, column).tolist()
    assert other_label(none) is None


def test_the_negative_label_is_that_of_the_reference():
    words = np.array(["well", "ill"])[MONITORED[0]]
    _, sample = read_reference((words, MONITORED[1]), Settings(pos_label="ill").labels)
    assert other_label(sample) == "well"
    assert Settings().labels is None


@pytest.mark.parametrize(
    ("reference", "kind", "words"),
    [
        ([1, 2, 3], InputError, "reference"),
        (([0, 1, 1], [0.1, 0.2, 0.3]), OneClassError, "fewer than two negative items"),
        (([0, 1, 0, 1], [0.1, 2.0, 0.3, 0.4]), ScoreError, "row 1 is 2"),
    ],
)
def test_references_that_are_refused(reference, kind, words):
    with pytest.raises(kind, match=words):
        read_reference(reference, None)


def test_a_state_of_another_version_is_refused():
    refuse_other_schema({"schema_version": 3}, "m.npz", "monitor", 3)
    with pytest.raises(
        FileError, match=re.escape("is a monitor of schema version 4; this rocwalk")
    ):
        refuse_other_schema({"schema_version": 4}, "m.npz", "monitor", 3)


@pytest.mark.parametrize("make", [monitor, watch])
def test_what_watches_a_stream_pickles_without_its_lock(make):
    one = make()
    again = pickle.loads(pickle.dumps(one))
    assert again.settings == one.settings
    assert again.reference.up.tolist() == one.reference.up.tolist()
    assert again._lock is not one._lock
    assert "_lock" not in one.__getstate__()
