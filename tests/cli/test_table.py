"""`rocwalk table`: files by their ending and texts."""

from __future__ import annotations

import json

import pytest

import rocwalk as rw
from commands import EXAMPLE, MODELS


@pytest.mark.parametrize("kind", ["accuracy", "comparison", "subgroups", "stard", "tripod"])
def test_a_table_is_that_of_the_library(run, tmp_path, kind):
    by = ["--by", "size"] if kind not in ("accuracy", "comparison") else []
    file = tmp_path / "t.docx"
    words = [EXAMPLE, *MODELS, *by, "--threshold", "0.4", "--alpha", "0.1"]
    code, out, err = run("table", kind, *words, "-o", file, "--format", "json")
    assert (code, err) == (0, "")
    columns = {
        "label": "malignant",
        "score": ["logistic", "naive_bayes"],
        "by": "size" if by else None,
    }
    found = rw.table(EXAMPLE, kind, **columns, threshold=0.4, confidence_level=0.9)
    read = json.loads(out)["table"]
    assert tuple(map(tuple, read["rows"])) == found.rows
    assert read["methods"] == found.methods().text
    assert file.read_bytes() == found.docx


def test_a_table_is_printed(run):
    code, out, _ = run("table", "accuracy", EXAMPLE, *MODELS)
    assert code == 0
    assert "Sensitivity" in out
    assert "better than it is" in out.replace("\n    ", " ")
    code, out, _ = run("table", "subgroups", EXAMPLE, *MODELS, "--by", "size", "--format", "csv")
    assert out.splitlines()[0].startswith("Model,Subgroup,Items,Positive,AUC (95")
    assert len(out.splitlines()) == 7
