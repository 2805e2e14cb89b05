"""Truth tallies: by score and by truth of the same items, added, saved and refused."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given

import rocwalk as rw
from rocwalk.errors import FileError, TallyError
from rocwalk.tally.storage import save_tallies
from rocwalk.tally.truth import TruthTally, tally_by_truth, truth_tally_of_tally
from samples import NO_ADVICE, soft_samples

pytestmark = NO_ADVICE


def test_moments_of_distinct_truths_follow_from_their_masses(rng):
    truth = rng.permutation(np.linspace(0, 1, 500))
    found, twice = tally_by_truth(truth, None), tally_by_truth(np.repeat(truth, 2), None)
    assert not found.stored
    for name in ("scores", "up", "right", "count", "up_squared", "up_right", "right_squared"):
        factor = 1 if name == "scores" else 2
        assert (factor * getattr(found, name)).tolist() == getattr(twice, name).tolist(), name


@given(soft_samples())
def test_masses_by_truth_are_counted(drawn):
    truth, _ = drawn
    found = tally_by_truth(truth, None)
    values = sorted(set(truth.tolist()), reverse=True)
    assert found.scores.tolist() == values
    for k, value in enumerate(values):
        times = np.sum(truth == value)
        assert found.up[k] == pytest.approx(times * value)
        assert found.right[k] == pytest.approx(times * (1 - value))
        assert found.count[k] == times
        assert found.up_right[k] == pytest.approx(times * value * (1 - value))


@given(soft_samples())
def test_parts_add_up_to_the_whole(drawn):
    y, s = drawn
    whole = rw.truth_tally(y, s)
    parts = [rw.truth_tally(y[k : k + 1], s[k : k + 1], truth="soft") for k in range(len(y))]
    for found in (sum(parts), TruthTally.merge(parts), parts[0] + TruthTally.merge(parts[1:])):
        np.testing.assert_allclose(found.by_truth.up, whole.by_truth.up)
        np.testing.assert_allclose(found.by_score.right, whole.by_score.right)
        assert found.by_score.total_count == len(y)


def test_other_things_do_not_add():
    one = rw.truth_tally([0.2, 0.8], [0.1, 0.4])
    assert one.__add__(1.5) is NotImplemented
    assert one + 0 is one


def test_hard_labels_imply_their_truth():
    tally = rw.tally([0, 1, 1, 0, 0], [0.1, 0.4, 0.3, 0.2, 0.5])
    found = truth_tally_of_tally(tally).by_truth
    assert found.scores.tolist() == [1, 0]
    assert (found.up.tolist(), found.right.tolist()) == ([2, 0], [0, 3])
    assert truth_tally_of_tally(rw.tally([1, 1], [0.1, 0.2])).by_truth.scores.tolist() == [1]


@pytest.mark.parametrize(
    ("tally", "words"),
    [
        (lambda: rw.tally([0, 1], [0.1, 0.4], steps="both"), "A tally with steps='both' holds no"),
        (lambda: rw.tally([0.2, 0.9], [0.1, 0.4]), "A tally by score has lost the truth of the"),
    ],
)
def test_a_tally_without_the_truth_is_refused(tally, words):
    with pytest.raises(TallyError, match=re.escape(words)):
        truth_tally_of_tally(tally())


def test_it_is_saved_and_what_does_not_belong_together_is_damage(tmp_path):
    one = rw.truth_tally([0.2, 0.8, 0.5], [0.1, 0.4, 0.4])
    path = tmp_path / "one.npz"
    one.save(path)
    again = TruthTally.load(path)
    assert again.by_truth.up.tobytes() == one.by_truth.up.tobytes()
    assert again.to_dict() == one.to_dict()
    other = rw.truth_tally([0.2, 0.8], [0.1, 0.4])
    save_tallies(path, "truth_tally", {"score": one.by_score, "truth": other.by_truth})
    with pytest.raises(FileError, match="is not a truth tally of rocwalk, or is damaged"):
        TruthTally.load(path)
    save_tallies(path, "truth_tally", {"score": one.by_score})
    with pytest.raises(FileError, match="or is damaged"):
        TruthTally.load(path)
