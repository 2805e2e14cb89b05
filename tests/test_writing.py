"""Files written whole or not at all, and what killed processes leave behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rocwalk import writing
from rocwalk.errors import FileError
from rocwalk.writing import (
    exclusive,
    refuse_same,
    remove_leftovers,
    temporary_folder,
    text_writer,
    write_all_aside,
    write_aside,
    write_folder,
)


@pytest.fixture(autouse=True)
def _fresh():
    writing._remove_leftovers.cache_clear()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# -- one file under two names ----------------------------------------------------------------------


def twins(folder):
    """Two names of one file, by what makes them one."""
    (folder / "sub").mkdir()
    (folder / "linked").symlink_to(folder / "sub")
    (folder / "there.html").write_text("old")
    (folder / "hard.html").hardlink_to(folder / "there.html")
    (folder / "soft.html").symlink_to("there.html")
    (folder / "dangling.html").symlink_to("new.html")
    return {
        "equal": ("x.html", "x.html"),
        "dots": ("sub/x.html", "sub/../sub/x.html"),
        "a dot": ("sub/x.html", "./sub/./x.html"),
        "a linked folder": ("sub/x.html", "linked/x.html"),
        "absolute": ("sub/x.html", str(folder / "sub" / "x.html")),
        "a link": ("there.html", "soft.html"),
        "a hard link": ("there.html", "hard.html"),
        "a dangling link": ("new.html", "dangling.html"),
        "case": ("sub/x.html", "sub/X.HTML"),
        "accents": ("sub/\xe9.html", "sub/e\u0301.html"),
    }


KINDS = [
    *("equal", "dots", "a dot", "a linked folder", "absolute", "a link", "a hard link"),
    *("a dangling link", "case", "accents"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_two_names_of_one_file_are_refused(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    one, other = twins(tmp_path)[kind]
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    with pytest.raises(FileError, match="would be written over"):
        refuse_same([one, other])
    if kind not in ("case", "accents", "a dangling link"):
        with pytest.raises(FileError, match="would be written over"):
            refuse_same([one], [other])
    if one != other:
        with pytest.raises(FileError, match="would be written over"):
            write_all_aside({one: text_writer("1"), other: text_writer("2")})
    assert sorted(str(path) for path in tmp_path.rglob("*")) == before


def test_other_files_are_not_refused(tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text("")
    refuse_same([tmp_path / "a.html", tmp_path / "sub" / "a.html"], [tmp_path / "b.html"])


# -- all or none -----------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", [OSError(13, "denied"), KeyboardInterrupt(), SystemExit(143)])
@pytest.mark.parametrize("last", [1, 2, 3])
def test_a_failure_between_two_names_restores_the_first(tmp_path, monkeypatch, stop, last):
    paths = [tmp_path / name for name in "abc"]
    paths[0].write_text("old a")
    paths[2].write_text("old c")
    replace, calls = Path.replace, []

    def failing(self, target):
        if Path(target) in paths and len(calls) < last:
            calls.append(target)
            if len(calls) == last:
                raise stop
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises((FileError, KeyboardInterrupt, SystemExit)):
        write_all_aside({path: text_writer(f"new {path.name}") for path in paths})
    assert names(tmp_path) == ["a", "c"]
    assert [path.read_text() for path in (paths[0], paths[2])] == ["old a", "old c"]


def test_files_without_hard_links_are_copied_to_be_restored(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "hardlink_to", lambda *_: (_ for _ in ()).throw(OSError(1, "no")))
    (tmp_path / "a").write_text("old")
    write_all_aside({tmp_path / name: text_writer("new") for name in "ab"})
    assert [(tmp_path / name).read_text() for name in "ab"] == ["new", "new"]
    assert names(tmp_path) == ["a", "b"]


@pytest.mark.parametrize("within", ["new", "new/below/it"])
def test_a_folder_is_made_with_all_its_files_or_not_at_all(tmp_path, within):
    def fail(_):
        raise KeyboardInterrupt

    writers = {"a.txt": text_writer("a"), "b.txt": fail}
    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path / within, writers)
    assert names(tmp_path) == []
    seen = []
    look = {"b.txt": lambda _: seen.append((tmp_path / "new").exists())}
    found = write_folder(tmp_path / within, writers | look)
    assert seen == [False]
    assert found == [tmp_path / within / "a.txt", tmp_path / within / "b.txt"]
    assert names(tmp_path / within) == ["a.txt", "b.txt"]
    assert names(tmp_path) == ["new"]
    (tmp_path / within / "other.txt").write_text("mine")
    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path / within, {"a.txt": text_writer("new"), "b.txt": fail})
    assert (tmp_path / within / "a.txt").read_text() == "a"
    write_folder(tmp_path / within, {"a.txt": text_writer("new")})
    assert names(tmp_path / within) == ["a.txt", "b.txt", "other.txt"]


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path):
    write_aside(tmp_path / ("x" * 250 + ".html"), text_writer("x"))
    with pytest.raises(FileError, match="could not be written: File name too long"):
        write_aside(tmp_path / ("x" * 251 + ".html"), text_writer("x"))
    assert len(names(tmp_path)) == 1


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "", "/"])
def test_what_is_no_name(name):
    with pytest.raises(FileError, match="is not the name of a file"):
        write_aside(name, text_writer("x"))


def test_a_link_that_leads_round_in_a_circle(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(FileError, match="Too many levels of symbolic links"):
        write_aside(tmp_path / "a", text_writer("x"))
    assert names(tmp_path) == ["a", "b"]


def test_bytes_of_a_name_that_are_no_text_are_escaped(tmp_path):
    write_aside(tmp_path / "x", text_writer(os.fsdecode(b'"\xff"')))
    assert (tmp_path / "x").read_bytes() == b'"\\udcff"'


# -- what killed processes leave -------------------------------------------------------------------


def leftovers(folder):
    """A temporary file and a temporary folder as a killed process leaves them."""
    name = f"{writing._prefix()}{0:016x}"
    file, inner = folder / f".{name}.part", folder / name
    file.write_text("half")
    inner.mkdir()
    (inner / "spilled").write_text("rows")
    return file, inner


def test_what_dead_processes_left_is_removed_by_the_next_write(tmp_path):
    file, inner = leftovers(tmp_path)
    write_aside(tmp_path / "page.html", text_writer("new"))
    assert names(tmp_path) == ["page.html"]
    assert not file.exists()
    assert not inner.exists()


def test_what_is_in_use_belongs_to_another_or_is_no_leftover_stays(tmp_path, monkeypatch):
    mine = [".x.html.part", "rocwalk-notes", ".rocwalk-0-0.part", "rocwalk-ffffffff-" + "0" * 16]
    for name in mine:
        (tmp_path / name).write_text("mine")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with temporary_folder() as held:
        (held / "rows").write_text("in use")
        during = []

        def write(_):
            writing._remove_leftovers.cache_clear()
            remove_leftovers(tmp_path)
            during.extend(names(tmp_path))

        write_aside(tmp_path / "page.html", write)
        assert held.name in during
        assert len([name for name in during if name.endswith(".part")]) == 3
        assert (held / "rows").read_text() == "in use"
    assert names(tmp_path) == sorted([*mine, "page.html"])
    file, inner = leftovers(tmp_path)
    writing._remove_leftovers.cache_clear()
    another = os.geteuid() + 1
    monkeypatch.setattr("os.geteuid", lambda: another)
    remove_leftovers(tmp_path)
    assert file.exists()
    assert inner.exists()


def test_links_among_leftovers_are_not_followed(tmp_path):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "x").write_text("x")
    (tmp_path / f"{writing._prefix()}{0:016x}").symlink_to("precious")
    remove_leftovers(tmp_path)
    assert (tmp_path / "precious" / "x").read_text() == "x"


def test_a_temporary_folder_that_another_process_took_for_a_leftover_is_made_anew(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    lock, taken = writing._lock, []

    def late(handle):
        if not taken:
            taken.extend(tmp_path.iterdir())
            taken[0].rmdir()
        return lock(handle)

    monkeypatch.setattr(writing, "_lock", late)
    with temporary_folder() as folder:
        assert folder.is_dir()
        assert folder != taken[0]
    assert names(tmp_path) == []


def test_a_temporary_folder_that_was_removed_before_it_was_open_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    opened, removed = os.open, []

    def late(path, *arguments, **options):
        if not removed:
            removed.append(Path(path))
            removed[0].rmdir()
        return opened(path, *arguments, **options)

    monkeypatch.setattr(os, "open", late)
    with temporary_folder() as folder:
        assert folder.is_dir()
        assert folder != removed[0]
    assert names(tmp_path) == []


def test_no_temporary_folder(monkeypatch):
    def nowhere():
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr("tempfile.gettempdir", nowhere)
    with (
        pytest.raises(FileError, match="No temporary folder could be made") as caught,
        temporary_folder(),
    ):
        pass
    assert "TMPDIR" in caught.value.hint


# -- locks -----------------------------------------------------------------------------------------


def test_one_thread_has_a_lock_at_a_time_and_nothing_is_left(tmp_path):
    holders, most = [], []

    def work(k):
        with exclusive(tmp_path / "file"):
            holders.append(k)
            most.append(len(holders))
            time.sleep(0.001)
            holders.remove(k)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(40)))
    assert most == [1] * 40
    assert names(tmp_path) == []


def test_whoever_takes_a_lock_again_and_again_keeps_nobody_out(tmp_path):
    path, done, left = tmp_path / "file", threading.Event(), []

    def greedy():
        for k in range(200):
            with exclusive(path):
                time.sleep(0.02)
            if done.is_set():
                left.append(199 - k)
                return

    thread = threading.Thread(target=greedy)
    thread.start()
    with exclusive(path):
        done.set()
    thread.join()
    assert left


def test_a_lock_that_is_held_is_an_error_after_a_while(tmp_path):
    with (
        exclusive(tmp_path / "file"),
        pytest.raises(
            FileError, match="file' is in use by another process or thread, for more than 0 "
        ),
        exclusive(tmp_path / "file", timeout=0),
    ):
        pass
    with (
        pytest.raises(FileError, match="file' could not be written: No such file"),
        exclusive(tmp_path / "no" / "file"),
    ):
        pass
    assert names(tmp_path) == []


def test_the_lock_of_a_killed_process_is_free(tmp_path):
    code = (
        "import os, sys\nfrom rocwalk.writing import exclusive\n"
        "with exclusive(sys.argv[1]):\n    os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "file"], check=False)
    assert (done.returncode, names(tmp_path)) == (-9, [".file.lock"])
    with exclusive(tmp_path / "file", timeout=0):
        pass
    assert names(tmp_path) == []
