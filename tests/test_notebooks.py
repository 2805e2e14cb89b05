"""The notebooks of the documentation, run anew; and the views that results have in a notebook."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

import rocwalk as rw

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
_PICTURES = ("image/png", "image/svg+xml")


def test_there_are_two():
    assert [path.stem for path in NOTEBOOKS] == ["auc-is-not-the-whole-story", "experts-and-drift"]


@every_notebook
@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning:jupyter_client", "ignore::DeprecationWarning:zmq"
)
def test_run_anew_it_says_what_is_stored(path, monkeypatch):
    monkeypatch.delenv("MPLBACKEND", raising=False)  # the kernel sets its own
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    options = {"timeout": 300, "kernel_name": "python3"}
    NotebookClient(fresh, resources={"metadata": {"path": str(path.parent)}}, **options).execute()
    for number, (old, new) in enumerate(zip(stored.cells, fresh.cells, strict=True)):
        assert said(new) == said(old), f"cell {number}: run the notebook and store it anew"


def said(cell):
    """Return what a cell printed and showed, without pictures.

    A kernel may send what is printed in several pieces; together they are what was printed.
    """
    found = []
    for output in cell.get("outputs", []):
        kind, name, text = output.output_type, output.get("name"), output.get("text")
        if kind == "stream" and found and found[-1][:2] == (kind, name):
            text = found.pop()[2] + text
        found.append((kind, name, text, _words(output.get("data", {}))))
    return found


def _words(data):
    return {kind: "a picture" if kind in _PICTURES else text for kind, text in data.items()}


@every_notebook
def test_it_is_stored_run_small_and_without_traces(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert sum(bool(cell.outputs) for cell in code) >= len(code) - 1
    assert any(
        kind in output.get("data", {})
        for cell in code
        for output in cell.outputs
        for kind in _PICTURES
    )
    assert not any(
        output.output_type == "error" or output.get("name") == "stderr"
        for cell in code
        for output in cell.outputs
    )
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert not any(cell.metadata for cell in notebook.cells)
    assert path.stat().st_size < 400_000
    texts = json.dumps([cell.source for cell in notebook.cells] + [said(cell) for cell in code])
    assert not re.search(r"/(home|root|tmp|usr|work|Users)/|[A-Z]:\\\\", texts)


# -- views -----------------------------------------------------------------------------------------

Y, S = [1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.4]


def test_names_are_shown_as_they_are():
    view = rw.drift((Y, S), (Y, S))._repr_html_()
    assert "<td>struggle_ratio</td>" in view
    assert "<td>capability_gap</td>" in view  # the last of eleven
    assert "np." not in view
    assert "np." not in repr(rw.mix({np.str_("a"): rw.roc(Y, S)}, fpr=0.2))


def test_a_table_of_one_row_is_shown():
    assert "<td>difference</td>" not in (
        view := rw.compare(Y, {"a": S, "b": S[::-1]})._repr_html_()
    )
    assert "<th>difference</th>" in view
    assert "<td>b</td>" in view
    assert (
        "<th>expected_cost</th>"
        in rw.roc(Y, S).price(rw.Costs(false_positive=1, false_negative=2))._repr_html_()
    )


def test_dates_are_shown_as_dates():
    days = np.arange("2026-01-01", "2026-01-21", dtype="datetime64[D]")
    table = {"y": Y * 4, "s": S * 4, "t": days}
    found = rw.drift_over_time(table, label="y", score="s", time="t", window=10, minimum=2)
    assert "<td>2026-01-11" in found._repr_html_()
    assert "datetime" not in found._repr_html_()
