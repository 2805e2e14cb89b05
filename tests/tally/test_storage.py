"""Saving and loading tallies."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import File, FileError
from rocwalk.tally.storage import _BASE, TALLY_SCHEMA, _digest, load_tallies, save_tallies
from tally_rows import COLUMNS, assert_same


def tallies():
    rng = np.random.default_rng(3)
    y, s = rng.integers(0, 2, 200), rng.integers(0, 50, 200) / 50
    hard = rw.tally(y, s)
    return {
        "hard": hard,
        "soft": rw.tally(rng.random(200), s),
        "weighted": rw.tally(y, s, sample_weight=rng.random(200)),
        "tiny": rw.tally(y, s, sample_weight=rng.random(200) * 1e-200),
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
    with pytest.raises(FileError, match="has schema version 99; this rocwalk reads 2"):
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


# -- damage, and what no tally can hold --------------------------------------------------------


def written(path, arrays, header=None, *, sealed=True):
    """Write arrays as a tally's file; `sealed` with the checksum that belongs to them."""
    columns = sorted(name.removeprefix("score.") for name in arrays)
    head = {
        "format": "rocwalk",
        "schema_version": TALLY_SCHEMA,
        "kind": "tally",
        "parts": {"score": {"steps": "truth", "threshold": None, "unit": 1.0, "columns": columns}},
    } | (header or {})
    if sealed:
        head["sha256"] = _digest(head, arrays)
    np.savez(path, header=np.array(json.dumps(head)), **arrays)


PLAIN = {
    "score.scores": np.array([0.9, 0.1]),
    "score.up": np.array([1, 0]),
    "score.right": np.array([0, 1]),
}
WEIGHTED = PLAIN | {
    "score.up": np.array([2.0, 0.0]),
    "score.right": np.array([0.0, 1.0]),
    "score.count": np.array([2, 1]),
    "score.up_squared": np.array([2.0, 0.0]),
    "score.up_right": np.array([0.0, 0.0]),
    "score.right_squared": np.array([0.0, 1.0]),
}
BUCKETED = PLAIN | {
    "score.highest": np.array([0.95, 0.1]),
    "score.up_score": np.array([0.93, 0.0]),
    "score.right_score": np.array([0.0, 0.1]),
    "score.cell_low": np.array([0.5, -np.inf]),
    "score.cell_high": np.array([np.inf, 0.4]),
}


@pytest.mark.parametrize(
    "arrays", [PLAIN, WEIGHTED, BUCKETED], ids=["plain", "weighted", "buckets"]
)
def test_the_files_that_the_next_tests_spoil_are_sound(tmp_path, arrays):
    written(tmp_path / "a.npz", arrays)
    assert rw.Tally.load(tmp_path / "a.npz").area == 1.0


@pytest.mark.parametrize(
    ("arrays", "change"),
    [
        (PLAIN, {"score.scores": np.array([0.1, 0.9])}),
        (PLAIN, {"score.scores": np.array([0.1, 0.1])}),
        (PLAIN, {"score.scores": np.array([np.nan, 0.1])}),
        (PLAIN, {"score.scores": np.array([np.inf, 0.1])}),
        (PLAIN, {"score.scores": np.array([9, 1])}),
        (PLAIN, {"score.up": np.array([-1, 1])}),
        (PLAIN, {"score.up": np.array([1, 1, 1])}),
        (PLAIN, {"score.up": np.array([[1], [1]])}),
        (PLAIN, {"score.up": np.array(["a", "b"])}),
        (PLAIN, {"score.up": np.array([1, 1], dtype=np.int8)}),
        (PLAIN, {"score.up": np.array([1.0, 0.0])}),
        (PLAIN, {"score.other": np.array([1, 2])}),
        (PLAIN, {"score.count": np.array([1, 2])}),
        (PLAIN, {"score.up": np.array([2**62, 2**62])}),
        (WEIGHTED, {"score.up": np.array([np.nan, 1.0])}),
        (WEIGHTED, {"score.up": np.array([1.7e308, 1.7e308])}),
        (WEIGHTED, {"score.count": np.array([-2, 1])}),
        (WEIGHTED, {"score.count": np.array([2.0, 1.0])}),
        (WEIGHTED, {"score.up_squared": np.array([5.0, 0.0])}),
        (WEIGHTED, {"score.up_squared": np.array([1.0, 0.0])}),
        (WEIGHTED, {"score.right_squared": np.array([0.0, np.nan])}),
        (WEIGHTED, {"score.up_right": np.array([1.0, 0.0])}),
        (BUCKETED, {"score.highest": np.array([0.8, 0.1])}),
        (BUCKETED, {"score.highest": np.array([0.95, 0.9])}),
        (BUCKETED, {"score.up_score": np.array([0.5, 0.0])}),
        (BUCKETED, {"score.right_score": np.array([0.0, np.inf])}),
        (BUCKETED, {"score.cell_low": np.array([0.92, 0.0])}),
        (BUCKETED, {"score.cell_high": np.array([1.0, 0.6])}),
        (BUCKETED, {"score.cell_high": np.array([1.0, np.nan])}),
    ],
)
def test_what_no_tally_can_hold_is_refused(tmp_path, arrays, change):
    path = tmp_path / "a.npz"
    written(path, arrays | change)
    with pytest.raises(FileError, match="is not a tally of rocwalk, or is damaged") as caught:
        rw.Tally.load(path)
    assert caught.value.fields.file == File(str(path))


@pytest.mark.parametrize(
    "header",
    [
        {"parts": {}},
        {"parts": []},
        {"format": "other"},
        {
            "parts": {
                "score": {"steps": "foo", "threshold": None, "unit": 1.0, "columns": sorted(_BASE)}
            }
        },
        {
            "parts": {
                "score": {"steps": "both", "threshold": "x", "unit": 1.0, "columns": sorted(_BASE)}
            }
        },
        {"parts": {"score": {"steps": "truth", "threshold": None}}},
        {
            "parts": {
                "score": {
                    "steps": "truth",
                    "threshold": None,
                    "unit": 2.0,
                    "columns": sorted(_BASE),
                }
            }
        },
        {
            "parts": {
                "score": {
                    "steps": "truth",
                    "threshold": None,
                    "unit": None,
                    "columns": sorted(_BASE),
                }
            }
        },
    ],
)
def test_headers_that_no_tally_has(tmp_path, header):
    written(tmp_path / "a.npz", PLAIN, header)
    with pytest.raises(FileError, match="is not a tally of rocwalk, or is damaged"):
        rw.Tally.load(tmp_path / "a.npz")


def test_a_column_that_the_header_lists_must_be_there(tmp_path):
    """Without `highest`, a bucketed tally would pass for an exact one."""
    path = tmp_path / "a.npz"
    tallies()["bucketed"].save(path)
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    for name in arrays:
        np.savez(path, **{n: a for n, a in arrays.items() if n != name})
        with pytest.raises(FileError, match="or is damaged"):
            rw.Tally.load(path)
    changed = arrays | {"score.up": arrays["score.up"][::-1]}
    np.savez(path, **changed)
    with pytest.raises(FileError, match="or is damaged"):
        rw.Tally.load(path)


def saved(folder):
    """Return loading functions, files and what must not change, one for each kind of file."""
    y, s = np.array([0, 1, 1, 0] * 30), np.arange(120) % 50 / 50
    pair = rw.truth_tally((y + 0.5) / 2, s)
    pair.save(folder / "pair.npz")
    tallies()["bucketed"].save(folder / "bucketed.npz")
    rw.DriftMonitor((y, s)).update(y, s, batch="one").save(folder / "state.npz")
    watch = rw.DriftWatch((y, s))
    watch.update(y, s)
    watch.save(folder / "watch.npz")
    return [
        (rw.Tally.load, "bucketed.npz", lambda one: one.auc_bounds),
        (rw.TruthTally.load, "pair.npz", lambda one: (one.by_score.area, one.by_truth.area)),
        (
            rw.DriftMonitor.load,
            "state.npz",
            lambda one: (one.reference.area, one.current.area, one.batches, one.settings),
        ),
        (
            rw.DriftWatch.load,
            "watch.npz",
            lambda one: (one.reference.area, one.state, one.settings, one.dependence),
        ),
    ]


KINDS = ["tally", "truth_tally", "drift_monitor", "drift_watch"]


@pytest.mark.parametrize("kind", range(4), ids=KINDS)
def test_sixteen_zero_bytes_never_change_what_is_read(tmp_path, kind):
    load, name, content = saved(tmp_path)[kind]
    path = tmp_path / name
    before, whole, refused = content(load(path)), path.read_bytes(), 0
    for place in range(0, len(whole) - 16, 7):
        path.write_bytes(whole[:place] + bytes(16) + whole[place + 16 :])
        try:
            again = load(path)
        except FileError:
            refused += 1
        else:
            assert content(again) == before
    assert refused > 100


def test_a_pair_of_tallies_that_are_not_of_the_same_items_is_refused(tmp_path):
    path = tmp_path / "pair.npz"
    pair = {"score": tallies()["hard"], "truth": tallies()["hard"] + tallies()["hard"]}
    save_tallies(path, "truth_tally", pair)
    with pytest.raises(FileError, match="is not a truth tally of rocwalk, or is damaged"):
        rw.TruthTally.load(path)


def test_packed_files_are_read_up_to_a_limit(tmp_path):
    path = tmp_path / "a.npz"
    tally = tallies()["hard"]
    tally.save(path)
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    np.savez_compressed(path, **arrays)
    assert_same(rw.Tally.load(path), tally)
    size = sum(member.file_size for member in zipfile.ZipFile(path).infolist())
    assert_same(rw.Tally.load(path, max_bytes=size), tally)
    assert_same(rw.Tally.load(path, max_bytes=None), tally)
    with pytest.raises(FileError, match=rf"has {size:,} bytes when unpacked, more than max_bytes="):
        rw.Tally.load(path, max_bytes=size - 1)


@pytest.mark.parametrize("way", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damage_to_packed_files_is_a_file_error(tmp_path, way):
    path = tmp_path / "a.npz"
    tallies()["hard"].save(path)
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w", way) as file:
        for name, content in members.items():
            file.writestr(name, content)
    whole = path.read_bytes()
    for place in range(30, len(whole) - 4, 11):
        path.write_bytes(whole[:place] + b"\xff\xff\xff\xff" + whole[place + 4 :])
        try:
            assert rw.Tally.load(path).area == tallies()["hard"].area
        except FileError:
            continue


def test_an_array_that_claims_too_many_rows_is_a_file_error(tmp_path):
    path = tmp_path / "a.npz"
    written(path, PLAIN)
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    name = "score.up.npy"
    members[name] = members[name].replace(b"(2,), }          ", b"(2000000000000,),}", 1)
    assert b"2000000000000" in members[name]
    with zipfile.ZipFile(path, "w") as file:
        for one, content in members.items():
            file.writestr(one, content)
    with pytest.raises(FileError) as caught:
        rw.Tally.load(path)
    assert caught.value.fields.file == File(str(path))


def test_errors_of_writing_name_the_file_as_a_field(tmp_path):
    for path in (tmp_path, tmp_path / "no" / "a.npz"):
        with pytest.raises(FileError) as caught:
            tallies()["hard"].save(path)
        assert caught.value.fields.file == File(str(path))
