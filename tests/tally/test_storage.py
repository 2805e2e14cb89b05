"""Saving and loading tallies."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import FileError
from rocwalk.tally.storage import load_tallies, save_tallies
from tally.test_tally import COLUMNS, assert_same


def tallies():
    rng = np.random.default_rng(3)
    y, s = rng.integers(0, 2, 200), rng.integers(0, 50, 200) / 50
    hard = rw.tally(y, s)
    return {
        "hard": hard,
        "soft": rw.tally(rng.random(200), s),
        "weighted": rw.tally(y, s, sample_weight=rng.random(200)),
        "both": rw.tally(y, s, steps="both", threshold="mean"),
        "bucketed": hard.bucketed(np.linspace(0, 1, 9)),
    }


@pytest.mark.parametrize("kind", tallies())
def test_round_trip(tmp_path, kind):
    tally = tallies()[kind]
    tally.save(tmp_path / "a.npz")
    again = rw.Tally.load(tmp_path / "a.npz")
    assert_same(again, tally)
    assert set(again.stored) == set(tally.stored)
    for name in COLUMNS:
        assert getattr(again, name).dtype == getattr(tally, name).dtype
    assert_same(again + again, tally + tally)


def test_a_file_holds_several_parts(tmp_path):
    # the evidence for a probabilistic truth is a pair: by score and by truth
    pair = {"score": tallies()["soft"], "truth": tallies()["hard"]}
    save_tallies(tmp_path / "pair.npz", "truth_tally", pair)
    again = load_tallies(tmp_path / "pair.npz", "truth_tally")
    for name, tally in pair.items():
        assert_same(again[name], tally)
    with pytest.raises(FileError, match="holds a 'truth_tally', not a 'tally'"):
        rw.Tally.load(tmp_path / "pair.npz")


def test_another_schema_is_refused_by_name(tmp_path):
    path = tmp_path / "new.npz"
    header = {"format": "rocwalk", "schema_version": 99, "kind": "tally", "parts": {}}
    np.savez(path, header=np.array(json.dumps(header)))
    with pytest.raises(FileError, match="has schema version 99; this rocwalk reads 1"):
        rw.Tally.load(path)


def test_what_is_no_tally_is_refused(tmp_path):
    with pytest.raises(FileError, match="There is no file"):
        rw.Tally.load(tmp_path / "none.npz")
    junk = tmp_path / "junk.npz"
    for content in (b"", b"junk", b"PK\x03\x04 cut short"):
        junk.write_bytes(content)
        with pytest.raises(FileError, match="is not a tally of rocwalk, or is damaged"):
            rw.Tally.load(junk)
    np.savez(junk, other=np.arange(3))
    with pytest.raises(FileError, match="is not a tally of rocwalk"):
        rw.Tally.load(junk)
    np.savez(junk, header=np.array({"a": 1}, dtype=object))  # a pickle is never opened
    with pytest.raises(FileError, match="is not a tally of rocwalk"):
        rw.Tally.load(junk)


def test_a_truncated_file_is_refused(tmp_path):
    path = tmp_path / "a.npz"
    tallies()["hard"].save(path)
    whole = path.read_bytes()
    for share in (0.2, 0.6, 0.95):
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(FileError, match="or is damaged"):
            rw.Tally.load(path)


def test_a_failed_save_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    tallies()["hard"].save(path)
    before = path.read_bytes()

    def full_disk(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full_disk)
    with pytest.raises(FileError, match=r"could not be written: No space left on device"):
        tallies()["soft"].save(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.npz"]


def test_saving_into_a_missing_folder(tmp_path):
    with pytest.raises(FileError, match=r"could not be written: No such file or directory"):
        tallies()["hard"].save(tmp_path / "no" / "a.npz")


def test_a_saved_tally_is_a_plain_zip_of_arrays(tmp_path):
    path = tmp_path / "a.npz"
    tallies()["hard"].save(path)
    assert set(zipfile.ZipFile(path).namelist()) == {
        "header.npy", "score.scores.npy", "score.up.npy", "score.right.npy",
    }  # fmt: skip
