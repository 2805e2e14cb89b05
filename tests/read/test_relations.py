"""Files that are too large for memory as one lazy table: its columns, and where its rows are."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rocwalk.errors import ColumnError, FileError
from rocwalk.read.files import open_paths
from rocwalk.read.frames import LABEL, NUMBER
from rocwalk.read.relations import fits_memory, open_relation

ROLES = {"y": LABEL, "s": NUMBER}


def text(path, *rows):
    path.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in rows))
    return path


def parquet(path, **columns):
    pq.write_table(pa.table(columns), path)
    return path


def collected(paths, roles=ROLES, where=None):
    with open_paths(paths) as files, open_relation(files, roles, None, None) as source:
        found = source.run(source.frame)
        places = "" if where is None else flat(source.where(*where))
        return {name: found[source.column(name)].tolist() for name in roles}, places


def flat(words):
    if isinstance(words, tuple):
        return "".join(map(flat, words))
    return getattr(words, "name", words)


def test_text_and_parquet_give_the_same_columns(tmp_path):
    rows = [(1, 0.1), (0, 1 / 3), (1, 1e-300)]
    one, _ = collected([text(tmp_path / "a.csv", *rows)])
    made = parquet(tmp_path / "a.parquet", y=[y for y, _ in rows], s=[s for _, s in rows])
    other, _ = collected([made])
    assert one == other == {"y": [1, 0, 1], "s": [0.1, 1 / 3, 1e-300]}


def test_rows_of_several_files_are_placed_in_theirs(tmp_path):
    paths = [text(tmp_path / "a.csv", (1, 0.5)), text(tmp_path / "b.csv", (0, 0.5), (1, -2))]
    _, places = collected(paths, where=("s", "v < 0"))
    assert places.startswith(", first at ")
    assert "b.csv" in places
    assert "line 3" in places
    assert "a.csv" not in places
    _, places = collected(paths, where=("s", "v > 5"))
    assert places == ""


def test_no_more_than_three_places_are_named(tmp_path):
    path = parquet(tmp_path / "a.parquet", y=[1] * 9, s=[-1.0] * 9)
    _, places = collected([path], where=("s", "v < 0"))
    assert places.count(";") == 2


def test_a_label_is_a_number_only_if_it_is_one_in_all_files(tmp_path):
    paths = [text(tmp_path / "a.csv", (1, 0.5)), text(tmp_path / "b.csv", ("no", 0.5))]
    found, _ = collected(paths)
    assert sorted(found["y"]) == ["1", "no"]
    found, _ = collected(paths[:1])
    assert found["y"] == [1]


def test_types_that_change_between_files_are_refused(tmp_path):
    paths = [
        parquet(tmp_path / "a.parquet", y=[1], s=[0.5]), parquet(tmp_path / "b.parquet", y=[1], s=["x"]),
    ]  # fmt: skip
    with pytest.raises(ColumnError, match="'s' is of type DOUBLE in .*, but VARCHAR in"):
        collected(paths)
    with pytest.raises(FileError, match="is Parquet and .* is text"):
        collected([paths[0], text(tmp_path / "c.csv", (1, 0.5))])


def test_files_fit_the_memory_or_they_do_not(tmp_path):
    path = text(tmp_path / "a.csv", *[(1, 0.5)] * 1000)
    with open_paths([path]) as files:
        assert fits_memory(files, 2, "1MB")
        assert not fits_memory(files, 2, "1KB")
    path = parquet(tmp_path / "a.parquet", y=[1] * 1000, s=[0.5] * 1000)
    with open_paths([path]) as files:
        assert fits_memory(files, 2, "1MB")
        assert not fits_memory(files, 2, "1KB")


def test_nothing_is_left_of_what_was_staged(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    collected([text(tmp_path / "a.csv", (1, 0.5))])
    assert list(folder.iterdir()) == []
    with (
        pytest.raises(ZeroDivisionError),
        open_paths([tmp_path / "a.csv"]) as files,
        open_relation(files, ROLES, None, None),
    ):
        raise ZeroDivisionError
    assert list(folder.iterdir()) == []
