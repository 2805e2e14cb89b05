"""Tables of a paper: their numbers are the library's, in every format."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
import zipfile

import numpy as np
import pytest

import rocwalk as rw
from commands import EXAMPLE, example_column
from rocwalk.errors import ColumnError, FileError, OneClassError, OptionError
from rocwalk.publish.checklist import BLANK, STARD, TRIPOD
from rocwalk.publish.formats import latex_words

COLUMNS = {"label": "malignant", "score": ["logistic", "forest"]}
Y = np.array(example_column("malignant"), int)
FOREST = np.array(example_column("forest"), float)
LOGISTIC = np.array(example_column("logistic"), float)
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.fixture(scope="module")
def page():
    return rw.report(EXAMPLE, **COLUMNS, by="size", threshold=0.4)


def rows(table):
    return {row[0]: row[1:] for row in table.rows}


def test_the_accuracy_is_that_of_the_library(page):
    found = rows(rw.table(page, "accuracy"))
    alone = rw.accuracy_table(Y, FOREST, threshold=0.4)
    cells = alone.point.confusion
    assert found["True positives"][1] == str(cells.true_positives)
    assert found["True negatives"][1] == str(cells.true_negatives)
    assert found["Positive if score"] == ("≥ 0.4", "≥ 0.4")
    value, low, high = alone.numbers["sensitivity"]
    hits = cells.true_positives
    assert (
        found["Sensitivity"][1]
        == f"{value:.3f} ({low:.3f} to {high:.3f}), {hits}/{hits + cells.false_negatives}"
    )
    value, low, high = alone.numbers["positive_likelihood_ratio"]
    assert found["Positive likelihood ratio"][1] == f"{value:.2f} ({low:.2f} to {high:.2f})"
    assert len(found) == 1 + 4 + len(alone.numbers)


def test_a_chosen_threshold_is_said_to_be_chosen(page):
    given, chosen = rw.table(page), rw.table(EXAMPLE, **COLUMNS)
    assert "given, not chosen" in given.notes[0]
    assert "on these data, which makes the accuracy look better" in chosen.notes[0]
    assert "better than it is" not in given.methods().text
    assert "better than it is" in chosen.methods().text
    assert "threshold of its own" in chosen.methods().text
    assert "0.4 or more" in given.methods().text


def test_differences_are_those_from_the_first_model(page):
    table = rw.table(page, "comparison")
    pair = rw.compare(Y, {"logistic": LOGISTIC, "forest": FOREST}).pairs[0]
    first, second = table.rows
    assert first[2] == "reference"
    assert second[2] == f"+{-pair.difference:.4f} (+{-pair.high:.4f} to +{-pair.low:.4f})"
    assert second[3] == "0.0455"
    assert "Adjusted p" not in table.headers
    three = rw.table(
        EXAMPLE, "comparison", label="malignant", score=["logistic", "naive_bayes", "forest"]
    )
    all_pairs = rw.compare(
        Y, {"l": LOGISTIC, "n": np.array(example_column("naive_bayes"), float), "f": FOREST}
    )
    assert "Adjusted p" in three.headers
    found = next(one for one in all_pairs.pairs if (one.a, one.b) == ("l", "f"))
    assert float(three.rows[2][4]) == pytest.approx(found.adjusted_p_value, abs=1e-4)
    assert "holm1979" in three.methods().keys
    assert "holm1979" not in table.methods().keys


def test_scores_that_are_no_probabilities_have_no_brier_score():
    data = {"y": Y, "a": LOGISTIC * 10, "b": FOREST}
    table = rw.table(data, "comparison", label="y", score=["a", "b"])
    assert not any("Brier" in name for name in table.headers)
    assert "brier1950" not in table.methods().keys


def test_subgroups_are_measured_at_the_threshold_of_all(page):
    table = rw.table(page, "subgroups")
    small = np.array(example_column("size")) == "small"
    alone = rw.accuracy_table(Y[small], FOREST[small], threshold=0.4)
    row = next(row for row in table.rows if row[:2] == ("forest", "small"))
    assert row[2:4] == (str(small.sum()), str(Y[small].sum()))
    for cell, name in zip(row[4:], ("auc", "sensitivity", "specificity"), strict=True):
        value, low, high = alone.numbers[name]
        assert cell == f"{value:.3f} ({low:.3f} to {high:.3f})"
    assert "predictive" not in table.methods().text
    assert [row[1] for row in table.rows[:3]] == ["All", "large", "small"]


def test_a_subgroup_of_one_class_is_not_estimable():
    data = {"y": Y, "s": FOREST, "g": np.where((Y == 1) & (FOREST > 0.9), "high", "rest")}
    table = rw.table(data, "subgroups", label="y", score="s", by="g")
    row = next(row for row in table.rows if row[0] == "high")
    assert row[3] == "not estimable"


def test_what_has_no_table_is_refused(page):
    with pytest.raises(OptionError, match="There are no subgroups"):
        rw.table(EXAMPLE, "subgroups", **COLUMNS)
    with pytest.raises(OptionError, match="cannot be compared: There is one model only"):
        rw.table(EXAMPLE, "comparison", label="malignant", score="forest")
    with pytest.raises(OptionError, match="kind='best'"):
        rw.table(page, "best")
    with pytest.raises(OptionError, match="label does not go together with a report"):
        rw.table(page, label="malignant")
    with pytest.raises(ColumnError):
        rw.table(EXAMPLE, label="no", score="forest")


def odd_report(name):
    """Reports on data that are unusual, by what is unusual in them."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    data = {"y": y, "soft": 0.2 + 0.6 * y, "one": np.ones(60, int), "same": np.full(60, 0.5)}
    data |= {"a": 0.3 * y + 0.7 * rng.random(60), "b": 0.2 * y + 0.8 * rng.random(60)}
    data |= {"w": 0.1 + rng.random(60), "c": np.arange(60) // 3, "g": np.arange(60) % 3}
    given = {"label": "y", "score": ["a", "b"], "by": "g"} | {
        "soft truth": {"label": "soft"},
        "weights": {"weight": "w"},
        "clusters": {"cluster": "c"},
        "one class": {"label": "one"},
        "constant score": {"score": ["a", "same"]},
        "nothing called": {
            "score": ["same", "b"],
            "costs": rw.Costs(false_positive=100, false_negative=1),
        },
    }[name]
    return rw.report(data, **given)


@pytest.mark.parametrize(
    "name", ["soft truth", "weights", "clusters", "constant score", "nothing called"]
)
def test_odd_data_have_every_table_and_figure_that_is_defined(name):
    page = odd_report(name)
    for kind in ("accuracy", "subgroups", "stard", "tripod"):
        assert rw.table(page, kind).docx
    assert rw.figure(page, "roc").encoded("f.svg")
    if name == "soft truth":
        with pytest.raises(OptionError, match="The models were not compared by AUC"):
            rw.table(page, "comparison")
    else:
        assert rw.table(page, "comparison").methods().keys
    if name == "nothing called":
        assert rows(rw.table(page))["Positive if score"][0] == "∞ (none is called positive)"
    if name == "weights":
        assert "/" not in rows(rw.table(page))["Sensitivity"][0]


def test_one_class_has_neither_a_table_nor_a_figure():
    page = odd_report("one class")
    for make, kind in (
        (rw.table, "accuracy"),
        (rw.table, "stard"),
        (rw.figure, "calibration"),
        (rw.figure, "roc"),
    ):
        with pytest.raises(OneClassError, match="There are items of one class only"):
            make(page, kind)


def test_several_classes_are_refused():
    data = {
        "y": ["a", "b", "c"] * 4,
        "p": [0.2, 0.3, 0.5] * 4,
        "q": [0.3] * 12,
        "r": [0.5, 0.4, 0.2] * 4,
    }
    page = rw.report(data, label="y", class_scores={"a": "p", "b": "q", "c": "r"})
    for make in (rw.table, rw.figure):
        with pytest.raises(OptionError, match="are for two classes"):
            make(page)


# -- check-lists -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "items", "filled"), [
    ("stard", STARD, {"12a", "14", "16", "17", "19", "23", "24"}),
    ("tripod", TRIPOD, {"11", "12e", "14", "15", "20a", "21", "23a", "23b"}),
])  # fmt: skip
def test_a_list_is_filled_where_the_data_can_fill_it(page, kind, items, filled):
    table = rw.table(page, kind)
    assert len(table.rows) == len(items) == {"stard": 34, "tripod": 52}[kind]
    assert {row[1] for row in table.rows if row[3] != BLANK} == filled
    assert f"{len(filled)} of {len(items)} items" in table.title
    found = {row[1]: row[3] for row in table.rows}
    counts = "163 true positives, 62 false positives, 49 false negatives, 295 true negatives"
    assert kind == "tripod" or counts in found["23"]
    assert "569 rows" in found["16" if kind == "stard" else "11"]
    assert table.methods().keys[0] == {"stard": "bossuyt2015", "tripod": "collins2024"}[kind]


def test_without_subgroups_the_list_does_not_claim_any():
    data = {"y": [1, 0, 1, 0, 1, 0], "s": [0.9, 0.1, 0.8, 0.4, 0.3, None]}
    with pytest.warns(rw.errors.DroppedRowsWarning):
        table = rw.table(data, "stard", label="y", score="s", invalid="drop")
    found = {row[1]: row[3] for row in table.rows}
    assert found["17"] == BLANK
    assert "1 (s)" in found["16"]
    assert "5 analysed, 3 positive and 2 negative" in found["19"]


def test_numbers_of_items_are_those_of_the_lists():
    assert [number for _, number, _ in STARD if number.isdigit()][-1] == "30"
    assert len({int(re.sub(r"\D", "", number)) for _, number, _ in STARD}) == 30
    assert len({int(re.sub(r"\D", "", number)) for _, number, _ in TRIPOD}) == 27


# -- formats ---------------------------------------------------------------------------------------


def odd_table():
    names = ["a|b", "<script>x", "50% & {_}", "=1+1", "\u202e\x07z"]
    data = {"y": [1, 0] * 10} | {
        name: [0.1 * (k % 7) + 0.2 * (k % 2) for k in range(20)] for name in names
    }
    return rw.table(data, "accuracy", label="y", score=names, threshold=0.3)


def test_csv_and_markdown_have_every_cell(page):
    table = rw.table(page, "comparison")
    read = list(csv.reader(io.StringIO(table.csv)))
    assert tuple(read[0]) == table.headers
    assert read[2][1] == table.rows[1][1]
    lines = table.markdown.splitlines()
    assert lines[0] == f"**{table.title}**"
    assert lines[2].split(" | ")[1] == table.headers[1]
    assert odd_table().markdown.splitlines()[2].count("\\|") == 1


def test_markup_in_names_is_text():
    table = odd_table()
    assert "<script>" not in table.html
    assert "&lt;script&gt;x" in table.html
    assert r"50\% \& \{\_\}" in table.latex
    assert "'=1+1" in table.csv
    for text in (table.html, table.markdown, table.latex, table.csv):
        assert "\u202e" not in text
        assert "\x07" not in text


def test_latex_is_balanced(page):
    for kind in ("accuracy", "stard"):
        text = rw.table(page, kind).latex
        assert text.count(r"\begin{") == text.count(r"\end{")
        assert re.sub(r"\\[{}]", "", text).count("{") == re.sub(r"\\[{}]", "", text).count("}")
        assert r"\toprule" in text
    assert latex_words("p < 0.05") == r"p $<$ 0.05"
    assert r"\begin{longtable}" in rw.table(page, "stard").latex


@pytest.mark.parametrize("kind", ["accuracy", "comparison", "subgroups", "stard", "tripod"])
def test_a_word_document_has_every_cell(page, kind):
    table = rw.table(page, kind)
    with zipfile.ZipFile(io.BytesIO(table.docx)) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            ET.fromstring(archive.read(name))
        root = ET.fromstring(archive.read("word/document.xml"))
        types = archive.read("[Content_Types].xml").decode()
        assert all(f"/{name}" in types for name in ("word/document.xml", "word/styles.xml"))
    found = [
        tuple("".join(cell.itertext()) for cell in row.iter(f"{_W}tc"))
        for row in root.iter(f"{_W}tr")
    ]
    assert found == [table.headers, *table.rows]
    assert len(list(root.iter(f"{_W}tblHeader"))) == 1
    said = "".join(root.itertext())
    assert said.startswith(table.title)
    assert table.notes[0] in said
    grid = [int(one.get(f"{_W}w")) for one in root.iter(f"{_W}gridCol")]
    size = next(root.iter(f"{_W}pgSz"))
    assert sum(grid) <= int(size.get(f"{_W}w")) - 2 * 1134 + len(grid)
    assert (size.get(f"{_W}orient") == "landscape") == (len(table.headers) > 5)


def test_a_word_document_of_odd_names_is_still_xml():
    table = odd_table()
    with zipfile.ZipFile(io.BytesIO(table.docx)) as archive:
        root = ET.fromstring(archive.read("word/document.xml"))
    assert "<script>x" in "".join(root.itertext())
    assert table.docx == odd_table().docx


@pytest.mark.parametrize("name", ["t.md", "t.tex", "t.HTML", "t.docx", "t.csv"])
def test_files_are_written_by_their_ending(page, tmp_path, name):
    table = rw.table(page)
    table.save(tmp_path / name)
    assert (tmp_path / name).read_bytes() == table.encoded(name)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_files_that_cannot_be_are_refused(page, tmp_path):
    table = rw.table(page)
    with pytest.raises(
        FileError, match=r"has the ending '\.pdf', which is not a format of a table"
    ):
        table.save(tmp_path / "t.pdf")
    with pytest.raises(FileError, match="has no ending"):
        table.save(tmp_path / "t")
    with pytest.raises(FileError, match="could not be written"):
        table.save(tmp_path / "no" / "t.md")
    assert not list(tmp_path.iterdir())
