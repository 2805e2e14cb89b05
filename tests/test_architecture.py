"""What the import contracts of pyproject.toml cannot say about the code."""

from __future__ import annotations

import ast
import re

from commands import ROOT
from rocwalk.cli import notes

SOURCE = ROOT / "src" / "rocwalk"
FORBIDDEN_NAMES = {
    "utils",
    "helpers",
    "common",
    "base",
    "core",
    "misc",
    "front",
    "parts",
    "material",
}


def test_matplotlib_is_loaded_in_the_plot_files_only():
    """Elsewhere it is named for type checkers at most, which loads nothing."""
    for path in SOURCE.rglob("*.py"):
        if path.name == "plot.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        hidden = [
            inner
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for inner in ast.walk(node)
        ]
        loads = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            and node not in hidden
            and "matplotlib" in ast.unparse(node)
        ]
        assert not loads, path


def test_files_carry_the_nouns_of_the_field():
    names = {path.stem for path in SOURCE.rglob("*.py")} | {
        path.name for path in SOURCE.iterdir() if path.is_dir()
    }
    assert not names & FORBIDDEN_NAMES


def test_no_module_replaces_the_warning_filters_of_the_process():
    """`warnings.catch_warnings` is not thread-safe; `errors.collecting` is."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = {getattr(node, "id", None), getattr(node, "attr", None)}
            names |= {one.name for one in getattr(node, "names", ()) if isinstance(one, ast.alias)}
            assert "catch_warnings" not in names, f"{path}:{getattr(node, 'lineno', 0)}"


def test_errors_name_an_argument_and_its_value_as_a_field():
    """Then the command line words it as an option; only scikit-learn's phrases stay as they are."""
    for path in SOURCE.rglob("*.py"):
        if path.parent.name == "metrics":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Error"):
                texts = [
                    one for one in node.args[:1] if isinstance(one, ast.JoinedStr | ast.Constant)
                ]
                assert not any("=" in ast.unparse(one).split()[0] for one in texts), (
                    f"{path}:{node.lineno}"
                )


def test_errors_name_options_of_the_command_line_by_markers():
    """A text with ``buckets=`` in it would name no option there; `Option` says ``--buckets``."""
    named = re.compile(rf"\b({'|'.join(notes._OPTIONS)})=")
    example = re.compile(r"Costs\(|=[\[{]")  # code for callers of the library
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] in ("metrics", "sklearn"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            texts: list[ast.expr] = []
            if isinstance(node, ast.Call) and re.search(
                r"(Error|Warning)$", ast.unparse(node.func)
            ):
                texts = node.args[:2]
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("hint", "what"):
                texts = [node.value]
            for text in texts:
                words = [one.value for one in ast.walk(text) if isinstance(one, ast.Constant)]
                for one in filter(lambda word: isinstance(word, str), words):
                    assert not named.search(one) or example.search(one), f"{path}:{node.lineno}"


def test_most_private_functions_are_used_more_than_once():
    """A helper that is used in one place is there for its name; below half of all of them are.

    A function that is handed over, as a claim of the report or the value of a statistic is, counts
    like one that is called.
    """
    functions = used_once = 0
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in tree.body:
            name = getattr(function, "name", "")
            if not isinstance(function, ast.FunctionDef) or not re.match(r"_[^_]", name):
                continue
            own = {id(node) for node in ast.walk(function)}
            uses = [
                node
                for node in ast.walk(tree)
                if isinstance(node, ast.Name) and node.id == name and id(node) not in own
            ]
            functions += 1
            used_once += len(uses) == 1
    assert used_once / functions < 0.5, f"{used_once} of {functions}"


# -- tests mirror the rooms ------------------------------------------------------------------------

TESTS = ROOT / "tests"
# tests of a whole room, by what they hold it to
CROSS_CUTTING = {
    "cli/test_decisions.py": "options on calibration and thresholds, over score and report",
    "cli/test_hostile.py": "names and values that attack a terminal, over every command",
    "cli/test_large.py": "files larger than the memory, over every command",
    "cli/test_situations.py": "streams, folders, names and disks, over every command",
    "fuzz/test_fuzz.py": "odd columns, files and command lines",
    "inference/test_bucketed.py": "buckets, over every statistic",
    "inference/test_coverage.py": "the committed tables of coverage and false alarms",
    "inference/test_edges.py": "edges, over intervals, comparisons and drift",
    "peers/test_sklearn_suite.py": "scikit-learn's own tests",
    "read/test_engines.py": "one tally, over every engine",
    "read/test_large_files.py": "large files, over every format",
    "read/test_spark.py": "a Spark cluster",
    "report/test_large.py": "the page of data that stay where they are",
    "report/test_print.py": "the page on paper",
    "report/test_sections.py": "pointer, keyboard and screen readers, over every section",
    "report/test_sliders.py": "every slider of the page",
    "sklearn/test_package.py": "rocwalk.sklearn as a package",
    "smear/test_reference.py": "a reference implementation of smeared areas",
}
# modules that are tested under another name; the list can only shrink
TESTED_ELSEWHERE = {
    "cli/calibration.py": "cli/test_decisions.py",
    "cli/thresholds.py": "cli/test_decisions.py",
    "plot.py": "the test_plot.py of the rooms",
    "report/verdict/action.py": "report/verdict/test_verdict.py, which tries every claim",
    "report/verdict/changed.py": "report/verdict/test_verdict.py",
    "report/verdict/promise.py": "report/verdict/test_verdict.py",
    "report/verdict/ranking.py": "report/verdict/test_verdict.py",
    "result.py": "test_results.py",
}
_LONG = 80  # lines, from which on a module with functions has a test of its name


def test_every_test_names_a_module_of_its_room():
    scripts = SOURCE / "report" / "static"
    for path in TESTS.rglob("*/test_*.py"):
        name = path.relative_to(TESTS).as_posix()
        stem = path.stem.removeprefix("test_")
        is_named = (SOURCE / path.relative_to(TESTS)).with_name(f"{stem}.py").exists()
        is_script = path.parent.name == "report" and (scripts / f"{stem}.js").exists()
        assert (is_named or is_script) is not (name in CROSS_CUTTING), name


def test_every_long_module_has_a_test_of_its_name():
    found = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(SOURCE)
        holds = any(isinstance(node, ast.FunctionDef) for node in ast.walk(ast.parse(text)))
        if path.stem == "__init__" or len(text.splitlines()) <= _LONG or not holds:
            continue
        if not (TESTS / name).with_name(f"test_{path.name}").exists():
            found.add(name.as_posix())
    known = set(TESTED_ELSEWHERE)
    assert not found - known, "write a test of this name"
    assert not known - found, "there is a test of this name, so take the module from the list"
