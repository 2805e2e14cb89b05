"""Names and values from data on a terminal: shown as text, whatever they hold.

Every command runs on a pseudo-terminal, where colours and progress bars are shown, with hostile text
in every place where text can come from.
"""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import sys
import threading

import pytest

from commands import COMMANDS, filled, sample_rows

HOSTILE = {
    "clears the screen": "\x1b[2J",
    "sets the title": "\x1b]0;owned\x07",
    "colours": "\x1b[31mred",
    "one character introduces it": "\x9b2J",
    "ends no markup": "[/red]",
    "is markup": "[red]x[/red]",
    "is a link": "[link=https://example.org]x[/link]",
    "goes back": "a\x08\x08b",
    "starts the line again": "a\rb",
    "breaks the line": "a\nb",
    "turns direction": "a\u202eb",
    "has no width": "a\u200bb",
    "separates lines": "a\u2028b",
    "is no text": "a\x01\x7f",
}
# what rich itself writes: colours, and a bar that is drawn over itself
_OURS = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|2K|1A)|\x1b\]8;[^\x1b]*\x1b\\")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028\u202e]")


@pytest.fixture
def on_terminal(monkeypatch):
    """Run a command on a pseudo-terminal; return its exit code and what the terminal received."""

    def run(arguments):
        from rocwalk.cli.main import main

        reading, side = pty.openpty()
        received = []

        def receive():
            while True:
                try:
                    part = os.read(reading, 65536)
                except OSError:  # the other side is closed
                    return
                received.append(part)

        thread = threading.Thread(target=receive)
        thread.start()
        with monkeypatch.context() as patch, os.fdopen(side, "w", encoding="utf-8") as terminal:
            patch.setattr(sys, "stdout", terminal)
            patch.setattr(sys, "stderr", terminal)
            patch.setenv("TERM", "xterm-256color")
            with pytest.raises(SystemExit) as ended:
                main([str(one) for one in arguments])
        thread.join()
        os.close(reading)
        return ended.value.code, b"".join(received).decode().replace("\r\n", "\n")

    return run


def assert_text(shown, name):
    assert "this is a bug" not in shown
    assert "Traceback" not in shown
    if not name.isprintable():
        assert name not in shown.replace("\n", " ")
    rest = _OURS.sub("", shown).replace("\r", "")
    assert not _CONTROL.search(rest), repr(rest)


def is_readable(name):
    """Whether a CSV file must be readable with such a name in it."""
    return "\r" not in name


def write(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return path


@pytest.fixture
def words(tmp_path):
    return {
        "data": tmp_path / "data.csv",
        "more": tmp_path / "more.csv",
        "page": tmp_path / "p.html",
    }


@pytest.mark.parametrize("sign", ["\u200b", "\u200e", "\u202e", "\u2066", "\ufeff", "\u2028"])
def test_hidden_characters_are_spelled_out_in_page_and_json(on_terminal, tmp_path, sign):
    data = write(
        tmp_path / f"d{sign}.csv", ["y", f"a{sign}", "b", f"g{sign}", "f"], sample_rows(60)
    )
    page, numbers = tmp_path / "p.html", tmp_path / "n.json"
    given = ["--label", "y", "--score", f"a{sign}", "--by", f"g{sign}"]
    code, shown = on_terminal(
        ["report", data, *given, "--output", page, "--json", numbers, "--title", f"t{sign}"]
    )
    assert code == 0, shown
    for text in (page.read_text(encoding="utf-8"), numbers.read_text(encoding="utf-8")):
        assert sign not in text
        assert f"a\\u{ord(sign):04x}" in text
    assert f"d\\u{ord(sign):04x}.csv" in page.read_text(encoding="utf-8")
    models = json.loads(numbers.read_text(encoding="utf-8"))["models"]
    assert [one["model"] for one in models] == [f"a{sign}"]


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("command", COMMANDS)
def test_names_of_columns(on_terminal, words, command, kind):
    name = HOSTILE[kind]
    names = {letter: f"{name}{letter}" for letter in "yabgf"}
    for file, n in (("data", 60), ("more", 80)):
        write(words[file], names.values(), sample_rows(n))
    called = [names.get(word, word) for word in filled(command, **words)]
    code, shown = on_terminal(called)
    if is_readable(name):
        assert code == 0, shown
    assert_text(shown, name)
    for changed in ("y", "a"):  # errors name columns, too
        wrong = [f"{name}!" if word == names[changed] else word for word in called]
        code, shown = on_terminal(wrong)
        assert code == 2
        assert_text(shown, name)
    code, shown = on_terminal(called[: called.index("--label")])  # to be guessed
    assert_text(shown, name)


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("command", COMMANDS)
def test_values_and_options(on_terminal, words, command, kind):
    name = HOSTILE[kind]
    rows = [[f"{name}{y}", a, b, f"{name}{g}", f"{name}{f}"] for y, a, b, g, f in sample_rows()]
    for file in ("data", "more"):
        write(words[file], "yabgf", rows)
    called = filled(command, **words)
    for positive in (f"{name}1", f"{name}!"):
        code, shown = on_terminal([*called, "--positive", positive])
        if is_readable(name) and positive == f"{name}1":
            assert code == 0, shown
        assert_text(shown, name)
    rows[7][1] = name
    write(words["data"], "yabgf", rows)
    code, shown = on_terminal([*called, "--positive", f"{name}1"])
    assert code == 2
    assert_text(shown, name)
    for option in ("--weight", "--memory-limit", "--seed", "--format", f"--{name}", "--json"):
        code, shown = on_terminal([*called, "--positive", f"{name}1", option, f"{name}/{name}"])
        assert code == 2
        assert_text(shown, name)


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("command", COMMANDS)
def test_names_of_files(on_terminal, tmp_path, command, kind):
    name = HOSTILE[kind].replace("/", "\u2215")
    words = {
        "data": write(tmp_path / f"{name}.csv", "yabgf", sample_rows()),
        "more": write(tmp_path / f"{name}2.csv", "yabgf", sample_rows(80)),
        "page": tmp_path / f"{name}.html",
    }
    called = filled(command, **words)
    code, shown = on_terminal([*called, "--json", tmp_path / f"{name}.json"])
    assert code == 0, shown
    assert_text(shown, name)
    for changed in words:
        code, shown = on_terminal(filled(command, **words | {changed: tmp_path / name / name}))
        assert code == 2 or changed not in COMMANDS[command]
        assert_text(shown, name)
    words["data"].write_bytes(b"\x1b]0;owned\x07\n1,2,3,4\n")
    code, shown = on_terminal(called)
    assert code == 2
    assert_text(shown, name)


@pytest.mark.parametrize("form", ["json", "csv"])
@pytest.mark.parametrize("kind", HOSTILE)
def test_other_forms(on_terminal, words, kind, form):
    name = HOSTILE[kind]
    write(words["data"], ["y", name, "b", "g", "f"], sample_rows())
    called = ["score", words["data"], "--label", "y", "--score", name, "--format", form]
    code, shown = on_terminal(called)
    assert code == 0 or not is_readable(name)
    assert_text(shown, name)


@pytest.mark.parametrize("kind", HOSTILE)
def test_raters_classes_and_pages(on_terminal, words, monkeypatch, kind):
    monkeypatch.setattr("rocwalk.cli.papers.all_figures", list)
    name = HOSTILE[kind]
    raters = [f"{name}{k}" for k in range(3)]
    rows = [[int((k * 7 + j) % 3 > 0) for j in range(3)] + [k / 60] for k in range(60)]
    write(words["data"], [*raters, "s"], rows)
    votes = [word for rater in raters for word in ("--raters", rater)]
    _, shown = on_terminal(["score", words["data"], *votes, "--score", "s"])
    assert_text(shown, name)
    classes = [
        [f"{name}{k % 3}", *((1 if j == k % 3 else 0.5) / 2 for j in range(3))] for k in range(30)
    ]
    write(words["data"], ["y", *raters], classes)
    pairs = [
        word for k, each in enumerate(raters) for word in ("--class-score", f"{name}{k}={each}")
    ]
    _, shown = on_terminal(["score", words["data"], "--label", "y", *pairs])
    assert_text(shown, name)
    _, shown = on_terminal(["papers", "-o", words["page"].parent / "no" / name / "x.html"])
    assert_text(shown, name)
