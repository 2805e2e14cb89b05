"""Charts and tables of a report as files, drawn without a browser."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree as ET

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocwalk as rw
from rocwalk.curves.plot import draw_roc
from rocwalk.errors import OptionError
from rocwalk.tally.walk import walk_of

PNG = b"\x89PNG\r\n"


@pytest.fixture(scope="module")
def small():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    data = {"y": y, "=net": 1 / (1 + np.exp(-rng.normal(2 * y - 1))), "fold": np.arange(60) % 3}
    return rw.report(data, label="y", score="=net", fold="fold", by="fold")


@pytest.fixture(scope="module")
def plain():
    """A report of scores that are no probabilities, which has few charts."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    return rw.report({"y": y, "marker": rng.normal(3 * y, 2)}, label="y", score="marker")


def test_every_chart_is_svg_and_png_and_every_table_csv(small, tmp_path):
    paths = small.figures(tmp_path / "new" / "folder", words="clinical")
    named = {path.name: path for path in paths}
    charts = {name.removesuffix(".svg") for name in named if name.endswith(".svg")}
    assert {f"{name}.png" for name in charts} <= set(named)
    assert charts >= {
        "roc", "band-net", "precision-recall", "cost-curves", "net-benefit", "calibration-net",
        "brier-curve-net", "scores-net", "sensibility-net", "smeared-area-net", "soft-roc-net",
        "folds-net", "subgroups-net",
    }  # fmt: skip
    assert {"models.csv", "roc.csv", "calibration.csv", "subgroups.csv", "verdict.csv"} <= set(
        named
    )
    for name, path in named.items():
        content = path.read_bytes()
        assert content.startswith(PNG) if name.endswith(".png") else content
        if name.endswith(".svg"):
            ET.fromstring(content)
    assert "1 − specificity" in named["roc.svg"].read_text(encoding="utf-8")
    assert plt.get_fignums() == []
    rows = list(csv.DictReader(io.StringIO(named["models.csv"].read_text(encoding="utf-8"))))
    assert rows[0]["model"] == "'=net"
    assert float(rows[0]["auc"]) == small.findings.summaries[0].auc


def test_figures_are_written_over_in_other_words(plain, tmp_path):
    plain.figures(tmp_path, words="clinical")
    before = (tmp_path / "roc.svg").read_text(encoding="utf-8")
    plain.figures(tmp_path)
    again = (tmp_path / "roc.svg").read_text(encoding="utf-8")
    assert "1 − specificity" in before
    assert "False positive rate" in again
    assert before != again


def test_a_failure_leaves_no_half_of_the_figures(plain, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "rocwalk.writing._fill", lambda *_: (_ for _ in ()).throw(OSError(28, "full"))
    )
    with pytest.raises(rw.errors.FileError):
        plain.figures(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_words_of_axes_are_one_setting():
    walk = walk_of(rw.tally([1, 0, 1, 0], [4, 3, 2, 1]))
    ax = draw_roc(walk, 0.75, words="clinical")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("1 − specificity", "Sensitivity")
    ax = rw.roc([1, 0], [2, 1]).plot()
    assert ax.get_xlabel() == "False positive rate"
    ax = rw.roc([1, 0], [2, 1]).precision_recall().plot(words="clinical")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Sensitivity", "Positive predictive value")
    with pytest.raises(OptionError, match="'learning', 'clinical'"):
        rw.roc([1, 0], [2, 1]).plot(words="french")
    plt.close("all")


def test_figures_from_the_command_line(run, table, tmp_path):
    folder, page = tmp_path / "figures", tmp_path / "page.html"
    data = table(["y", "marker"], *([k % 2, 3 * (k % 2) + k % 7] for k in range(40)))
    column = ["--label", "y", "--score", "marker"]
    code, out, err = run("report", data, *column, "-o", page, "--figures", folder)
    assert (code, err) == (0, "")
    assert f"files in {folder}" in out
    assert (folder / "roc.svg").exists()
    assert (folder / "models.csv").exists()
