"""Cases of the command line: files of any kind and options of any kind.

A command ends with 0, with 1 for drift that it was asked to fail on, or with 2 and an error in
words. It shows data as text only, writes files whole or not at all, leaves nothing behind, and
never prints another number than scikit-learn.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cli.test_hostile import assert_text
from fuzz.columns import Sample
from fuzz.draw import Draw
from fuzz.library import CLOSE, area_of
from fuzz.tables import BREAKS, NAMES, Table, draw_table, odd_values, write_table
from rocwalk.cli.main import main

_NEVER = ("this is a bug", "Traceback (most")
_OLD = b"an older file"
_HOSTILE_HTML = ("</script><script>x", "<img src=x", "<script>x")


@dataclass
class Command:
    """A command, its files, and what is known of its answer.

    `is_known` says that the files mean what was drawn: then a number is the right one. If nothing
    at all is odd, `is_plain`, there is an answer.
    """

    words: list[str]
    files: dict[str, bytes]
    tables: list[Table]
    options: dict[str, list[Any]] = field(default_factory=dict)
    stdin: bytes = b""
    is_known: bool = True
    is_plain: bool = False

    def add(self, name: str, value: Any = None) -> None:
        """Add an option."""
        self.options.setdefault(name, []).append(value)

    @property
    def arguments(self) -> list[str]:
        """The words of the command line."""
        given = [
            word
            for name, values in self.options.items()
            for value in values
            for word in ([name] if value is None else [name, str(value)])
        ]
        return [*self.words, *given]


def check_command(draw: Draw) -> None:
    """Check one case of the command line, in a folder of its own."""
    command = draw_command(draw)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        try:
            check_in(draw, command, folder)
        except BaseException as error:
            error.add_note(f"rocwalk {command.arguments!r}\n{_files_shown(command)}")
            raise


def _files_shown(command: Command) -> str:
    return "\n".join(f"  {name}: {content[:1500]!r}" for name, content in command.files.items())


# -- what is asked ---------------------------------------------------------------------------------

COMMANDS = ("score", "score", "score", "compare", "compare", "drift", "drift", "shift", "report")


def draw_command(draw: Draw) -> Command:
    """Draw a command with its files."""
    draw.is_calm = draw.chance(0.2)
    name = draw.pick(COMMANDS)
    first = draw_table(draw)
    command = Command([name], {}, [first], is_plain=draw.is_calm)
    _add_file(draw, command, "data", first)
    if name in ("drift", "shift"):
        second = draw_table(draw, first)
        command.tables.append(second)
        _add_file(draw, command, "more", second)
        command.words += list(command.files)
    else:
        command.words += list(command.files)
        if draw.chance(0.04):
            command.words += list(command.files)  # a file named twice
            command.is_known = False
    if draw.chance(0.05):
        path = command.words[1]
        command.words[1], command.stdin = "-", command.files[path]
        command.is_known = command.is_known and path.endswith(".csv")
    if draw.chance(0.03):
        command.words[1] = draw.pick(("missing.csv", "", ".", "*.csv", "data", "\x1b[2J.csv"))
        command.is_known = False
    _add_columns(draw, command, name)
    _add_form(draw, command)
    for option, (sensible, odd) in OPTIONS[name].items():
        if draw.chance(0.1) and (sensible or not odd):
            command.add(option, draw.pick(sensible) if sensible else None)
    if name in ("compare", "drift"):
        command.add("--resamples", 20)
    if draw.chance(0.12):
        option = draw.pick([option for option, (_, odd) in OPTIONS[name].items() if odd])
        command.add(option, draw.rarely(draw.pick(OPTIONS[name][option][1]), NAMES))
        command.is_known = command.is_known and option not in _TEXT_FORM
    if draw.chance(0.02):
        command.add(
            draw.pick([*OPTIONS["score"], *OPTIONS["drift"], "--nothing"]), draw.pick(NAMES)
        )
        command.is_known = False
    return command


def _add_file(draw: Draw, command: Command, name: str, table: Table) -> None:
    """Write the table to a file, perhaps with odd values or broken."""
    if draw.chance(0.1):
        odd_values(draw, table)
        command.is_known = False
    try:
        ending, content, told = write_table(draw, table)
    except (OverflowError, TypeError, ValueError):  # values that this format cannot hold
        ending, content, told = ".csv", b"label,a,b\n1,0.5,0.5\n0,0.2,0.1\n", {}
    for option, value in told.items():
        command.options[option] = [value]
    if draw.chance(0.12):
        content = BREAKS[draw.pick(BREAKS)](draw, content or b"\n")
        command.is_known = False
    if draw.chance(0.03):
        ending = draw.pick((".csv", ".jsonl", ".parquet", ".pdf", "", ".csv.gz", ".CSV"))
        command.is_known = False
    stem = draw.rarely(name, ("ä b", "[red]", "a%20b"), 0.05)
    command.files[f"{stem}{ending}"] = content


def _add_columns(draw: Draw, command: Command, name: str) -> None:
    """Name labels and scores: usually columns that are there."""
    names, positive = command.tables[0].names, command.tables[0].positive
    scores = ["a", "b"]
    if name != "compare" and draw.chance(0.4):
        scores = draw.pick((["a"], ["b"], ["b", "a"]))
    if draw.chance(0.1):
        for role in ("r1", "r2", "r3"):
            command.add("--raters", names[role])
        command.is_known = False
    elif not draw.chance(0.03):
        command.add("--label", names["label"])
    for role in scores:
        command.add("--score", names[role])
    if positive != 1 or draw.chance(0.1):
        command.add("--positive", draw.rarely(positive, (1, 0, "yes", "no", "Yes", "", "b"), 0.1))
    if draw.chance(0.06):
        option = draw.pick(("--label", "--score", "--weight", "--by", "--fold", "--raters"))
        command.add(option, draw.pick((*names.values(), *NAMES)))
        command.is_known = False
    if name in ("score", "report") and draw.chance(0.04):
        for role in ("a", "b"):
            command.add("--class-score", f"{draw.pick((0, 1, 'yes', ''))}={names[role]}")
        command.is_known = False
    for option, role, commands in _MORE_COLUMNS:
        if name in commands and draw.chance(0.15):
            command.add(option, names[role])
    if name == "report" and draw.chance(0.15):
        command.add("--reference", next(iter(command.files)))


_MORE_COLUMNS = (
    ("--weight", "weight", ("score", "report", "compare", "drift")),
    ("--cluster", "cluster", ("score", "report", "compare")),
    ("--by", "group", ("score", "report")),
    ("--fold", "fold", ("score", "report")),
    ("--time", "time", ("report",)),
)


def _add_form(draw: Draw, command: Command) -> None:
    """Say what to print and to write."""
    command.add("--format", draw.rarely("json", ("table", "csv"), 0.4))
    if draw.chance(0.2):
        command.add("--json", draw.rarely("out.json", _ODD_PATHS, 0.1))
    if command.words[0] == "report" or (command.words[0] == "drift" and draw.chance(0.2)):
        command.add("-o", draw.rarely("out.html", _ODD_PATHS, 0.05))


_ODD_PATHS = ("no/out.html", ".", "", "data.csv", "a" * 300, "out.json", "\x1b[2J.html")
_NO_NUMBERS = ("-1", "2", "nan", "inf", "1e-300", "1e300", "x", "½", "")

# options that may go with a command: values that make sense, and values that hardly do; an option
# without values is a flag
Values = tuple[tuple[str, ...], tuple[str, ...]]
_TEXT_FORM: dict[str, Values] = {
    "--separator": ((), (",", ";", "tab", "x", "ab", "")),
    "--encoding": ((), ("utf-8", "cp1252", "utf-16", "utf-7", "idna", "hex", "nothing", "\x1b")),
    "--decimal": ((), (".", ",")),
    "--thousands": ((), (",", ".", "'", " ", "_")),
}
SHARED: dict[str, Values] = {
    "--invalid": (("raise", "drop", "drop"), ("x",)),
    "--memory-limit": (("1KB", "1KB", "10MB"), ("0", "x", "-1", "1e400GB")),
    "--alpha": (("0.05", "0.5"), ("0", "1", "1e-300", "x")),
    "--seed": (("0", "7"), ("-1", "99999999999999999999", "x")),
    "--quiet": ((), ()),
    **_TEXT_FORM,
}
OPTIONS: dict[str, dict[str, Values]] = {
    "score": SHARED
    | {
        "--max-fpr": (("0.1", "1"), ("0", *_NO_NUMBERS)),
        "--rate": (("0.2", "1"), ("-1", "x", "2")),
        "--metric": (("youden", "closest", "f1", "fbeta", "mcc", "accuracy"), ("x",)),
        "--costs": (("1:5", "0:1"), ("0:0", "1:", "-1:1", "nan:1", "1e300:1e-300", "x")),
        "--prevalence": (("0.1", "0.5"), ("0", "1", *_NO_NUMBERS)),
        "--threshold": (("0.5", "-3"), _NO_NUMBERS),
    },
    "report": SHARED
    | {
        "--costs": (("1:5", "0:1"), ("0:0", "x")),
        "--prevalence": (("0.1",), ("0", "1")),
        "--threshold": (("0.5",), _NO_NUMBERS),
        "--rate": (("0.2",), ("1.5",)),
        "--title": (NAMES, ()),
        "--window": ((), ("day", "week", "month", "year", "10", "0", "-1", "²", "x")),
        "--margin": ((), ("auc=0.1", "auc", "x=1", "midpoint=nan", "struggle_ratio=-1")),
    },
    "compare": SHARED
    | {
        "--statistic": (("auc", "probabilistic_auc", "h_measure"), ("partial_auc", "tpr", "x")),
        "--method": (("auto", "bootstrap"), ("permutation", "delong", "x")),
        "--margin": (("0.1",), _NO_NUMBERS),
        "--curves": ((), ()),
        "--threshold": ((), ("0.5", *_NO_NUMBERS)),
        "--max-fpr": ((), ("0.5", *_NO_NUMBERS)),
    },
    "drift": SHARED
    | {
        "--fail-on-drift": ((), ()),
        "--minimum": (("2", "20"), ("1000", "1", "x")),
        "--method": (("analytic", "bootstrap"), ("x",)),
        "--fixed-reference": ((), ()),
        "--margin": (("auc=0.1", "midpoint=0.5"), ("auc", "x=1", "midpoint=nan")),
    },
    "shift": SHARED
    | {
        "--costs": (("1:5", "0:1"), ("0:0", "1:", "-1:1", "nan:1", "1e300:1e-300", "x")),
        "--threshold": (("0.5", "0"), _NO_NUMBERS),
    },
}


# -- what comes out --------------------------------------------------------------------------------


class Stream(io.TextIOWrapper):
    """A standard stream that may claim to be a terminal."""

    def __init__(self, encoding: str, *, is_terminal: bool = False, content: bytes = b"") -> None:
        self.bytes = io.BytesIO(content)
        self.is_terminal = is_terminal
        super().__init__(self.bytes, encoding, errors="backslashreplace", newline="")

    def isatty(self) -> bool:
        return self.is_terminal

    @property
    def text(self) -> str:
        self.flush()
        return self.bytes.getvalue().decode(self.encoding)


@contextlib.contextmanager
def surroundings(folder: Path, streams: dict[str, Stream], columns: int) -> Iterator[None]:
    """Let a command run in a folder, with its own streams and folder of temporary files."""
    kept = {name: getattr(sys, name) for name in streams}
    temporary, environment = tempfile.tempdir, dict(os.environ)
    tempfile.tempdir = str(folder / "tmp")
    os.environ |= {"TERM": "xterm-256color", "COLUMNS": str(columns)}
    try:
        for name, stream in streams.items():
            setattr(sys, name, stream)
        with contextlib.chdir(folder / "work"), warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        for name, stream in kept.items():
            setattr(sys, name, stream)
        tempfile.tempdir = temporary
        for name in os.environ.keys() - environment.keys():
            del os.environ[name]
        os.environ |= environment


def check_in(draw: Draw, command: Command, folder: Path) -> None:
    """Run a command in a folder, and check all that it leaves there and prints."""
    work = folder / "work"
    for name in ("work", "tmp"):
        (folder / name).mkdir()
    for name, content in command.files.items():
        (work / name).write_bytes(content)
    outputs = [str(path) for option in ("-o", "--json") for path in command.options.get(option, ())]
    older = [name for name in ("out.html", "out.json") if name in outputs and draw.chance(0.3)]
    for name in older:
        (work / name).write_bytes(_OLD)
    before = {path.name: path.read_bytes() for path in work.iterdir()}
    is_terminal, encoding = draw.chance(0.3), draw.rarely("utf-8", ("ascii", "latin-1"), 0.1)
    streams = {
        "stdin": Stream("utf-8", content=command.stdin),
        "stdout": Stream(encoding, is_terminal=is_terminal),
        "stderr": Stream(encoding, is_terminal=is_terminal),
    }
    with surroundings(folder, streams, draw.pick((40, 80, 200))):
        code = _exit_code(command.arguments)
    printed, said = streams["stdout"].text, streams["stderr"].text
    for shown in (printed, said):
        assert not any(words in shown for words in _NEVER), shown
        assert_text(shown, "x")
        assert is_terminal or "\x1b" not in shown, shown
    check_code(command, code, said)
    check_files(work, before, outputs, code, said)
    assert not list((folder / "tmp").iterdir()), "a temporary file is left"
    check_numbers(command, code, printed, work)


def _exit_code(arguments: list[str]) -> int:
    try:
        main(arguments)
    except SystemExit as ended:
        return int(ended.code or 0)
    raise AssertionError("The command returned without an exit code.")


def check_code(command: Command, code: int, said: str) -> None:
    """The exit code is 0, or 2 with an error in words, or 1 for drift; plain data give 0."""
    assert code in (0, 1, 2), (code, said)
    if code == 1:
        assert "--fail-on-drift" in command.options, said
    if code == 2 and "--fail-on-drift" not in command.options:
        assert "Error: " in said, said
    if command.is_plain and all(_is_enough(table) for table in command.tables):
        assert code != 2 or "--fail-on-drift" in command.options, said


def _is_enough(table: Table) -> bool:
    counts = np.bincount(table.sample.positive, minlength=2)
    scores = table.sample.scores
    is_varied = len(np.unique(scores)) > 2
    return bool(is_varied and min(counts) >= 4 and scores.min() >= 0 and scores.max() <= 1)


def check_files(
    work: Path, before: dict[str, bytes], outputs: list[str], code: int, said: str
) -> None:
    """Files are whole, or absent, or the older ones; nothing else is new or has changed."""
    after = {path.name: path.read_bytes() for path in work.iterdir() if path.is_file()}
    assert after.keys() - before.keys() <= set(outputs), (sorted(after), outputs)
    assert before.keys() <= after.keys(), "a file has vanished"
    failed = code == 2 and "Error: " in said
    for name, content in after.items():
        if name in outputs and content != before.get(name):
            assert not failed, f"{name} is written though the command failed: {said}"
            check_whole(content.decode())
        else:
            assert content == before[name], f"{name} has changed"
    if code != 2:
        for name in outputs:
            assert name not in ("out.html", "out.json") or after[name] != _OLD, f"{name} is missing"


def check_whole(text: str) -> None:
    """A page has its end and no script of others; JSON parses."""
    if text.lstrip().startswith("<"):
        assert text.rstrip().endswith("</html>")
        for hostile in _HOSTILE_HTML:
            assert hostile not in text, f"{hostile} is in the page as it is"
    else:
        json.loads(text)


def check_numbers(command: Command, code: int, printed: str, work: Path) -> None:
    """The areas in JSON are scikit-learn's, where the file means what was drawn."""
    if code == 2:
        return
    texts = [printed] if command.options["--format"] == ["json"] else []
    if command.options.get("--json") == ["out.json"]:
        texts.append((work / "out.json").read_text())
    for text in texts:
        results = json.loads(text)
        if command.is_known:
            for model, found in areas_in(results):
                right = right_area(command, model)
                if right is not None:
                    assert abs(found - right) <= CLOSE, (model, found, right)


def areas_in(results: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Return the models and their areas that a command prints."""
    for row in results.get("models", ()):
        if "auc" in row:
            yield row["model"], row["auc"]
        for finding in row.get("findings", ()):
            if finding["words"] == "AUC":
                yield row["model"], finding["reference"]
    for row in results.get("pairs", ()):
        if row.get("statistic") == "auc":
            yield row["a"], row["value"]
            yield row["b"], row["other_value"]


def right_area(command: Command, model: str) -> float | None:
    """Return the area of a model by scikit-learn; None if it is not known what was asked."""
    table = command.tables[0]
    positive = command.options.get("--positive", [table.positive])[-1]
    if str(positive) != str(table.positive):
        return None
    scores = table.sample.scores if model == table.names["a"] else table.other_scores
    weights = table.sample.weights if "--weight" in command.options else None
    return area_of(Sample(table.sample.positive, scores, weights))
