"""What the import contracts of pyproject.toml cannot say about the code."""

from __future__ import annotations

import ast

from commands import ROOT

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
