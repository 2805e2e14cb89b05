"""Tables of a paper: which there are, of which data, and their files."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from commands import EXAMPLE
from publish.samples import COLUMNS, rows
from rocwalk.errors import ColumnError, FileError, OneClassError, OptionError


def test_what_has_no_table_is_refused(page):
    with pytest.raises(OptionError, match="There are no subgroups"):
        rw.table(EXAMPLE, "subgroups", **COLUMNS)
    with pytest.raises(OptionError, match="cannot be compared: There is one model only"):
        rw.table(EXAMPLE, "comparison", label="malignant", score="forest")
    with pytest.raises(OptionError, match="kind='best'"):
        rw.table(page, "best")
    with pytest.raises(OptionError, match="label does not go together with a report"):
        rw.table(page, label="malignant")
    for own in ({"confidence_level": 0.9}, {"confidence_level": 0.95}, {"invalid": "drop"}):
        with pytest.raises(OptionError, match=f"{next(iter(own))} does not go together with a rep"):
            rw.table(page, **own)
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
@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
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
