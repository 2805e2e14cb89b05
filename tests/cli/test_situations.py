"""Ordinary situations that no command may call a bug: streams, folders, names and disks.

Each situation is tried with each command. It ends in 0, or in 2 with an error and a hint; 1 means a
finding that the user asked to fail on, and nothing else.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from commands import COMMAND, COMMANDS, filled, process, sample_rows
from rocwalk import writing

HEADER = ["y", "a", "b", "g", "f"]


@pytest.fixture(autouse=True)
def _fresh():
    writing._remove_leftovers.cache_clear()


@pytest.fixture
def words(table, tmp_path):
    """The placeholders of commands: two files of data, and a page."""
    data = table(HEADER, *sample_rows(), name="data.csv")
    more = table(HEADER, *sample_rows(80), name="more.csv")
    return {"data": data, "more": more, "page": tmp_path / "page.html"}


def assert_explained(code, err):
    assert code == 2, err
    assert "Error: " in err
    assert "\nHint: " in err
    assert "Traceback" not in err
    assert "this is a bug" not in err


# -- where results are written ---------------------------------------------------------------------

# the capabilities with which root reads and writes where it may not
_HEADER, _OVERRIDES = 0x20080522, 0b110


@contextlib.contextmanager
def without_privileges():
    """Let permissions count for root too."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, whole = (ctypes.c_uint32 * 2)(_HEADER, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, whole) == 0
    less = (ctypes.c_uint32 * 6)(*whole)
    less[0] &= ~_OVERRIDES
    assert libc.capset(header, less) == 0
    try:
        yield
    finally:
        assert libc.capset(header, whole) == 0


def locked_folder(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o000)
    return folder / "out"


def read_only_folder(tmp_path):
    folder = tmp_path / "read-only"
    folder.mkdir()
    folder.chmod(0o500)
    return folder / "out"


def loop(tmp_path):
    (tmp_path / "loop").symlink_to("pool")
    (tmp_path / "pool").symlink_to("loop")
    return tmp_path / "loop"


def below_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    return tmp_path / "file" / "out"


def a_device(_):
    return Path("/dev/full")


PLACES = {
    "a folder without any permission": locked_folder,
    "a folder that may not be written to": read_only_folder,
    "a name over 255 bytes": lambda tmp_path: tmp_path / ("\xe9" * 128),
    "a path over 4,096 bytes": lambda tmp_path: tmp_path.joinpath(*["x" * 200] * 25),
    "links in a circle": loop,
    "below links in a circle": lambda tmp_path: loop(tmp_path) / "out",
    "below a file": below_a_file,
    "a device": a_device,
}
OUTPUTS = [
    *((command, "--json") for command in COMMANDS),
    *(("report", "-o"), ("drift", "-o"), ("papers", "-o"), ("papers", "-o page")),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("command", "option"), OUTPUTS)
def test_places_that_cannot_be_written(run, words, tmp_path, monkeypatch, place, command, option):
    monkeypatch.setattr("rocwalk.cli.papers.all_figures", list)
    out = PLACES[place](tmp_path)
    if option == "-o page":
        out = out.with_name(f"{out.name}.html") if place != "a device" else out
    called = ["papers"] if command == "papers" else filled(command, **words)
    before = {path for path in tmp_path.rglob("*") if path != words["page"]}
    with without_privileges():
        code, _, err = run(*called, option.split()[0], out)
    if place.startswith("links") and option == "-o page":
        assert code == 0  # another name than the link's
        return
    assert_explained(code, err)
    for locked in ("locked", "read-only"):
        if (tmp_path / locked).exists():
            (tmp_path / locked).chmod(0o700)
    assert set(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_data_that_cannot_be_read(run, words, tmp_path, command):
    words["data"].chmod(0o000)
    with without_privileges():
        assert_explained(*run(*filled(command, **words))[::2])
    for place in (locked_folder, loop, below_a_file, PLACES["a name over 255 bytes"]):
        with without_privileges():
            code, _, err = run(*filled(command, **words | {"data": place(tmp_path)}))
        assert_explained(code, err)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("other", ["sub/../page.html", "linked/page.html", "PAGE.HTML"])
def test_no_file_is_written_over_another(run, words, tmp_path, monkeypatch, command, other):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "linked").symlink_to(".")
    read = []
    monkeypatch.setattr("rocwalk.cli.output.read_study", lambda *_, **__: read.append(1))
    page = ["-o", "page.html"] if command in ("report", "drift") else []
    called = filled(command, **words)[: -2 if command == "report" else None]
    if page:
        code, _, err = run(*called, *page, "--json", other)
        assert_explained(code, err)
        assert "would be written over" in err
    code, _, err = run(*called, *page, "--json", f"linked/{words['data'].name}")
    assert_explained(code, err)
    assert f"would be written over {str(words['data'])!r}" in err
    code, _, err = run(*called, *page, "--json", "sub/../data.csv")
    assert_explained(code, err)
    assert not read  # before any work
    assert not (tmp_path / "page.html").exists()


def test_a_pattern_is_not_written_over(run, words, tmp_path):
    called = ["score", tmp_path / "*.csv", "--label", "y", "--score", "a"]
    code, _, err = run(*called, "--json", words["more"])
    assert_explained(code, err)
    assert "would be written over" in err


# -- standard streams ------------------------------------------------------------------------------

STREAMS = [*COMMANDS, "papers"]


def called_with(command, words):
    return ["papers"] if command == "papers" else [str(w) for w in filled(command, **words)]


def run_on(arguments, monkeypatch, **streams):
    """Run a command in this process on other streams; return its exit code."""
    from rocwalk.cli.main import main

    for name, stream in streams.items():
        monkeypatch.setattr(sys, name, stream)
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


FORMS = [[], ["--format", "json"], ["--format", "csv"]]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[-1] if form else "table")
@pytest.mark.parametrize("command", STREAMS)
def test_a_full_device_on_stdout(words, monkeypatch, command, form):
    err = io.StringIO()
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        code = run_on([*called_with(command, words), *form], monkeypatch, stdout=full, stderr=err)
        monkeypatch.undo()
    assert_explained(code, err.getvalue())
    assert "Standard output could not be written: No space left on device." in err.getvalue()


@pytest.mark.parametrize("command", STREAMS)
def test_a_closed_stdout(words, monkeypatch, command):
    err = io.StringIO()
    assert_explained(
        run_on(called_with(command, words), monkeypatch, stdout=None, stderr=err), err.getvalue()
    )
    assert "Standard output is closed" in err.getvalue()
    assert not words["page"].exists()


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[-1] if form else "table")
@pytest.mark.parametrize("command", STREAMS)
def test_a_stdout_that_lacks_characters(words, monkeypatch, command, form, encoding):
    content = words["data"].read_text()
    words["data"].write_text(content.replace("y,a,b", "y,a\u2265\U0001f600,b"))
    words["more"].write_text(content.replace("y,a,b", "y,a\u2265\U0001f600,b"))
    called = called_with(command, words)
    called = ["a\u2265\U0001f600" if word == "a" else word for word in called]
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding)
    assert run_on([*called, *form], monkeypatch, stdout=out) == 0
    printed = raw.getvalue().decode(encoding)
    if form[-1:] == ["json"]:
        read = json.loads(printed)
        assert command == "papers" or "a\u2265\U0001f600" in json.dumps(read, ensure_ascii=False)
    elif command != "papers":
        assert "a\\u2265\\U0001f600" in printed


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("command", STREAMS)
def test_a_closed_or_full_stderr_changes_no_exit_code(words, monkeypatch, command, fails):
    called = [*called_with(command, words), *(["--no-such-option"] if fails else [])]
    assert run_on(called, monkeypatch, stderr=None) == 2 * fails
    monkeypatch.undo()
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        assert run_on(called, monkeypatch, stderr=full) == 2 * fails
        monkeypatch.undo()


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[-1] if form else "table")
@pytest.mark.parametrize("command", STREAMS)
def test_a_reader_that_has_gone_is_no_error(words, monkeypatch, command, form):
    err = io.StringIO()
    reading, writing_end = os.pipe()
    os.close(reading)
    with os.fdopen(writing_end, "w", encoding="utf-8") as gone:
        code = run_on([*called_with(command, words), *form], monkeypatch, stdout=gone, stderr=err)
        monkeypatch.undo()
    assert (code, "Error" in err.getvalue()) == (0, False)


@pytest.mark.parametrize("command", COMMANDS)
def test_standard_input_that_cannot_be_read(run, words, monkeypatch, command):
    called = filled(command, **words | {"data": "-"})
    monkeypatch.setattr(sys, "stdin", None)
    code, _, err = run(*called)
    assert_explained(code, err)
    assert "Standard input is closed." in err
    unreadable = SimpleNamespace(read=lambda _: (_ for _ in ()).throw(OSError(5, "Input/output")))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=unreadable))
    code, _, err = run(*called)
    assert_explained(code, err)
    assert "Standard input could not be copied" in err
    twice = filled(command, **words | {"data": "-", "more": "-"})
    code, _, err = run(*twice, *([] if command == "drift" else ["-"]))
    assert_explained(code, err)
    assert "Standard input (-) is named twice" in err


@contextlib.contextmanager
def no_room():
    """Let no file be written, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_room_for_temporary_files(run, words, monkeypatch, tmp_path, command):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    content = words["data"].read_bytes()
    called = filled(command, **words | {"data": "-"})
    for found in (str(temporary), None):  # a folder in use becomes full, or none is usable
        monkeypatch.setattr("tempfile.tempdir", found)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        with no_room():
            code, _, err = run(*called)
        assert_explained(code, err)
        assert "TMPDIR" in err
    assert not list(temporary.iterdir())


def test_no_room_to_tally_large_files(run, words, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", None)
    with no_room():
        code, _, err = run(
            "score", words["data"], "--label", "y", "--score", "a", "--memory-limit", "1KB"
        )
    assert_explained(code, err)
    assert "TMPDIR" in err


@pytest.mark.parametrize("window", ["\xb2", "\u0663", "1" * 5000, "-3", "0", "", "2.5", "\x1b[2J"])
def test_odd_windows(run, table, tmp_path, window):
    rows = [[*row, f"2024-01-{1 + k % 28:02}"] for k, row in enumerate(sample_rows())]
    path = table([*HEADER, "t"], *rows)
    options = ["--label", "y", "--score", "a", "--time", "t", "-o", tmp_path / "page.html"]
    code, _, err = run("report", path, *options, "--window", window)
    assert "this is a bug" not in err
    assert code in (0, 2)
    assert code == 0 or "\nHint: " in err


# -- as processes: exit codes that the interpreter could still change ------------------------------


def shell(script, *arguments, **options):
    """Run a line of bash in which "$@" is a command."""
    command = ["bash", "-c", script, "bash", *COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.fixture
def drifted(table):
    """A reference and a sample that has drifted."""
    rng = np.random.default_rng(1)
    paths = []
    for name, power in (("reference.csv", 1.0), ("moved.csv", 2.0)):
        y = (rng.random(400) < 0.4).astype(int)
        p = (1 / (1 + np.exp(-rng.normal(2 * y - 1)))) ** power
        paths.append(table(["y", "m"], *zip(y.tolist(), p.tolist(), strict=True), name=name))
    return ["drift", *paths, "--label", "y", "--score", "m"]


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ('"$@" --fail-on-drift | true; exit ${PIPESTATUS[0]}', 1),
        ('"$@" --fail-on-drift --format json | true; exit ${PIPESTATUS[0]}', 1),
        ('"$@" --fail-on-drift 2>&-', 1),
        ('"$@" --fail-on-drift > /dev/full', 2),
        ('"$@" --fail-on-drift >&-', 2),
        ('"$@" --fail-on-drift --no-such-option 2>&-', 2),
        ('"$@" --fail-on-drift --label nowhere 2> /dev/full', 2),
        ('"$@" --fail-on-drift --json nowhere/x.json >&- 2>&- <&-', 2),
        ('ROCWALK_TRACEBACK=1 "$@" --fail-on-drift --label nowhere', 2),
        ('"$@" | true; exit ${PIPESTATUS[0]}', 0),
        ('"${@:1:3}" --help | true; exit ${PIPESTATUS[0]}', 0),
    ],
)
def test_one_means_drift_and_nothing_else(drifted, script, code):
    done = shell(script, *drifted)
    assert done.returncode == code, done.stderr
    assert "Exception ignored" not in done.stderr
    assert ("Traceback" in done.stderr) == ("TRACEBACK" in script)


def test_a_missing_file_is_no_drift(drifted):
    done = shell('"$@" --fail-on-drift 2>&-', "drift", "no.csv", *drifted[2:])
    assert (done.returncode, done.stdout) == (2, "")


def test_an_installation_that_is_not_whole(tmp_path):
    (tmp_path / "rich").mkdir()
    (tmp_path / "rich" / "__init__.py").write_text("raise ImportError('broken')\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = process("score", "x.csv", env=os.environ | {"PYTHONPATH": path})
    assert done.returncode == 2
    assert done.stderr == "Error: rocwalk could not be loaded: ImportError: broken\n"


def test_a_file_does_not_take_the_place_of_a_closed_stream(words, tmp_path):
    done = shell('"$@" 0<&- 2>&-', *called_with("report", words))
    assert done.returncode == 0
    assert words["page"].read_bytes().startswith(b"<!doctype html>")


# -- signals ---------------------------------------------------------------------------------------


def waiting(tmp_path, *arguments):
    """Start a command that has copied a part of its standard input and waits for the rest."""
    temporary = tmp_path / "temporary"
    temporary.mkdir(exist_ok=True)
    before = set(temporary.iterdir())
    # under nohup, or in the background of a script, signals are ignored by inheritance
    command = ["env", "--default-signal", *COMMAND]
    running = subprocess.Popen(
        [*command, "report", "-", "--label", "y", "--score", "a", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(temporary)},
        text=True,
    )
    until = time.monotonic() + 300
    while not [
        path for path in temporary.glob("*/standard-input.csv") if path.parent not in before
    ]:
        assert running.poll() is None, running.stderr.read()
        assert time.monotonic() < until
        time.sleep(0.02)
    (held,) = set(temporary.iterdir()) - before
    return running, temporary, held


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_signal_that_ends_a_command_leaves_nothing(tmp_path, number, code):
    page = tmp_path / "page.html"
    page.write_text("old")
    running, temporary, _ = waiting(tmp_path, "-o", str(page))
    running.send_signal(number)
    _, err = running.communicate(timeout=300)
    assert running.returncode == code
    assert err.strip() == "Error: Stopped before the end; no file was left half-written."
    assert page.read_text() == "old"
    assert list(temporary.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "temporary"]


def test_what_a_killed_command_leaves_the_next_one_removes(tmp_path, words):
    killed, temporary, dead = waiting(tmp_path)
    killed.kill()
    killed.communicate(timeout=300)
    assert dead.exists()
    alive, _, held = waiting(tmp_path)
    assert not dead.exists()
    done = process("score", words["data"], env=os.environ | {"TMPDIR": str(temporary)})
    assert done.returncode == 2  # ambiguous columns; it has started all the same
    assert list(temporary.iterdir()) == [held]
    alive.send_signal(signal.SIGTERM)
    alive.communicate(timeout=300)
    assert list(temporary.iterdir()) == []
