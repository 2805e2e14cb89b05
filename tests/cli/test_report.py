"""`rocwalk report`: the page, its files and its summary."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

import rocwalk as rw
from commands import (
    EXAMPLE,
    MODELS,
)


def test_report_writes_one_page_and_prints_the_summary(run, tmp_path):
    page = tmp_path / "page.html"
    code, out, err = run("report", EXAMPLE, *MODELS, "-o", page, "--title", "Tumours & co")
    assert (code, err) == (0, "")
    assert "0.8856" in out
    assert out.startswith("Which model ranks best?\n  logistic ranks best: AUC 0.8856 (")
    assert "\nAre the probabilities calibrated?\n" in out
    assert f"Seed: 0\nThe page: {page}\n" in out
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert "Tumours &amp; co" in html
    assert [entry.name for entry in tmp_path.iterdir()] == ["page.html"]


def test_report_by_default_is_report_html_here(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, _ = run("report", EXAMPLE, *MODELS, "--quiet")
    assert code == 0
    assert (tmp_path / "report.html").stat().st_size > 10_000


@pytest.mark.parametrize("unit", [1e20, 1e40, 1e111, 1e300, 1e-40, 1e-300])
def test_weights_of_any_size(run, table, tmp_path, unit):
    rows = [[k % 2, (k * 7 % 20 + k % 2) / 21, (1 + k % 3) * unit] for k in range(20)]
    page = tmp_path / "page.html"
    words = ["report", table("yaw", *rows), "--label", "y", "--score", "a", "--weight", "w"]
    code, out, err = run(*words, "-o", page)
    assert (code, err) == (0, "")
    assert f"{20 * unit:.4g}" in out
    if unit > 1e15:
        assert f"{20 * unit:.3e}" in page.read_text(encoding="utf-8")


def test_the_same_page_from_python(run, tmp_path):
    page = tmp_path / "page.html"
    run("report", EXAMPLE, *MODELS, "-o", page, "--by", "size", "--fold", "fold")
    report = rw.report(
        str(EXAMPLE), label="malignant", score=["logistic", "naive_bayes"], by="size", fold="fold"
    )

    def data(html):
        return html.split('id="rocwalk-data">')[1].split("</script>")[0]

    assert data(report.html) == data(page.read_text(encoding="utf-8"))


def test_report_as_json_names_the_page_and_the_files(run, tmp_path):
    page = tmp_path / "page.html"
    _, out, _ = run("report", EXAMPLE, *MODELS, "-o", page, "--format", "json", "--seed", "7")
    read = json.loads(out)
    assert read["page"] == str(page)
    assert read["options"]["seed"] == 7
    assert read["schema_version"] == 1
    assert len(read["files"][0]["sha256"]) == 64


def test_a_report_over_time_says_what_became_of_the_models(run, table, tmp_path):
    rng = np.random.default_rng(1)
    y = (rng.random(1200) < 0.4).astype(int)
    p = 1 / (1 + np.exp(-rng.normal(2 * y - 1)))
    p[800:] **= 2
    path = table(["y", "p", "k"], *zip(y.tolist(), p.tolist(), range(1200), strict=True))
    options = ["--label", "y", "--score", "p", "-o", tmp_path / "page.html"]
    code, _, err = run("report", path, *options, "--window", 400)
    assert code == 2
    assert "--window goes with --time." in err
    code, _, err = run("report", path, *options, "--window", "fortnight", "--time", "k")
    assert code == 2
    assert "--window 'fortnight' is not known." in err
    assert not (tmp_path / "page.html").exists()
    code, out, _ = run("report", path, *options, "--window", 400, "--time", "k")
    assert code == 0
    assert "p, over time: 1 of 2 windows have drifted, the first from 800" in out
    _, out, _ = run("report", path, *options, "--window", 400, "--time", "k", "--format", "json")
    (one,) = json.loads(out)["timeline"]
    assert (one["model"], one["windows"], one["alarms"]) == ("p", 2, 1)
    known = rw.drift_over_time({"y": y, "p": p, "k": np.arange(1200)}, label="y", score="p",
                               time="k", window=400)  # fmt: skip
    assert one["verdict"] == [each.verdict for each in known.windows]
    assert one["auc"] == [each.numbers["auc"][0] for each in known.windows]
    _, out, _ = run("report", path, *options, "--window", 2000, "--time", "k")
    assert "p, over time: not followed: There is one window only, so there is nothing" in out


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([[1, 0.9], [1, 0.4]], [], "Column 'y' has no negative item"),
        ([[1, 0.9], [0, "x"]], [], "is 'x', not a number"),
        ([["a", 0.9], ["b", 0.4], ["c", 0.3]], [], "--positive"),
        ([[1, 0.9], [0, 0.4, 7]], [], "Line 3 of"),
    ],
)
def test_a_failure_leaves_the_old_page(run, table, tmp_path, rows, options, message):
    page = tmp_path / "page.html"
    page.write_text("old")
    path = table(["y", "s"], *rows)
    code, out, err = run("report", path, "--label", "y", "--score", "s", "-o", page, *options)
    assert (code, out) == (2, "")
    assert message in err
    assert page.read_text() == "old"
    assert not list(tmp_path.glob(".*part"))


def test_an_unwritable_place(run, tmp_path):
    code, _, err = run("report", EXAMPLE, *MODELS, "-o", tmp_path / "no" / "page.html")
    assert code == 2
    assert "could not be written: No such file or directory" in err


@pytest.mark.slow
def test_ten_thousand_columns(run, tmp_path):
    path = tmp_path / "wide.csv"
    names = [f"c{i}" for i in range(9_998)]
    path.write_text("\n".join(",".join(row) for row in (["y", "s", *names], ["1", "0.9", *["0"] * 9_998], ["0", "0.4", *["0"] * 9_998])) + "\n")  # fmt: skip
    code, _, _ = run("report", path, "--label", "y", "--score", "s", "-o", tmp_path / "p.html")
    assert code == 0


def test_options_of_two_classes_do_not_go_with_several(run, table):
    path = table(["y", "pa", "pb"], ["a", 0.7, 0.3], ["b", 0.2, 0.8], ["b", "", 0.8])
    classes = ["--label", "y", "--class-score", "a=pa", "--class-score", "b=pb"]
    for option in (["--by", "y"], ["--fold", "y"], ["--positive", "a"], ["--costs", "1:2"]):
        code, _, err = run("score", path, *classes, *option)
        assert code == 2
        assert f"{option[0]} does not go together with --class-score" in err
    code, _, err = run("score", path, *classes)
    assert code == 2
    assert "Column 'pa' at row 2, line 4 of" in err
    assert "--invalid drop" in err
    _, out, _ = run("score", path, *classes, "--invalid", "drop", "--format", "json")
    assert json.loads(out)["rows"] == {"classes": {"used": 2, "dropped": 1}}
    _, out, _ = run("score", path, *classes, "--invalid", "drop", "--format", "csv")
    assert "hand_till" in out


def test_folds_in_csv(run):
    _, out, _ = run("score", EXAMPLE, *MODELS, "--fold", "fold", "--format", "csv")
    assert "fold_mean_auc" in out.splitlines()[0]


def test_examples_folder_has_what_the_demo_needs():
    assert EXAMPLE.exists()
    assert Path("Makefile").name in {p.name for p in EXAMPLE.parents[1].iterdir()}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\x00\x01\x02PK\xff\xfe", "is not text"),
        (b"y,s\n1,0.5\n0,0.4,0.3\n", "Line 3 of"),
        (b'y,s\n1,"0.5\n0,0.4\n', "line"),
        (b"y\x00,\x00s\x00\n\x00", "is not text"),
        (b"\xff\xfey\x00,\x00s\x00\n\x00", "There are no rows"),
        (b"y,y,s\n1,1,0.5\n", "2 columns called 'y'"),
    ],
    ids=["empty", "junk", "ragged", "open quote", "zero bytes", "utf-16", "duplicate"],
)
@pytest.mark.parametrize("command", ["score", "report"])
def test_broken_files_end_in_one_block(run, tmp_path, command, content, message):
    path = tmp_path / "broken.csv"
    path.write_bytes(content)
    before = sorted(tmp_path.iterdir())
    code, out, err = run(command, path, "--label", "y", "--score", "s")
    assert (code, out) == (2, "")
    assert message in err
    assert "\nHint: " in err
    assert "Traceback" not in err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "name", ["[red]bad.csv", '"><script>alert(1)<.csv', "\x1b[31mred.csv", "=1+1.csv"]
)
def test_hostile_file_names_are_text(run, tmp_path, name):
    path = tmp_path / name
    path.write_text("y,s\n1,0.9\n0,0.8\n1,0.7\n0,0.1\n")
    page = tmp_path / "p.html"
    code, out, err = run("report", path, "--label", "y", "--score", "s", "-o", page)
    assert code == 0, err
    assert "\x1b" not in out + err
    assert "<script>alert" not in page.read_text(encoding="utf-8")
    code, _, err = run("score", path, "--label", "no", "--score", "s")
    assert code == 2
    assert "\x1b" not in err


def test_hostile_values_are_text(run, table, tmp_path):
    evil = ["</script><script>alert(1)</script>", "[/bad]", "\x1b[31m", "=1+1", "a\u2028b"]
    rows = [[label, 0.1 * k, value] for k, value in enumerate(evil) for label in (0, 1)]
    path = table(["y", "s", "g"], *rows)
    page = tmp_path / "p.html"
    options = ["--label", "y", "--score", "s", "--by", "g"]
    code, out, err = run("report", path, *options, "-o", page)
    assert code == 0, err
    assert "\x1b" not in out
    assert "<script>alert" not in page.read_text(encoding="utf-8")
    _, out, _ = run("score", path, *options, "--format", "csv")
    assert ",'=1+1" in out


def test_no_file_is_written_over_another_of_the_command(run, tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("y,s\n1,0.9\n0,0.8\n")
    before = data.read_text()
    page = tmp_path / "page.html"
    code, _, err = run("report", data, "-o", data, "--quiet")
    assert code == 2
    assert "would be written over" in err
    assert data.read_text() == before
    code, _, err = run("report", data, "-o", page, "--json", page, "--quiet")
    assert code == 2
    assert "would be written over" in err
    assert not page.exists()


def test_all_files_are_written_or_none(run, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("old")
    code, _, _ = run("report", EXAMPLE, *MODELS, "-o", page, "--json", tmp_path / "no" / "x.json")
    assert code == 2
    assert page.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["page.html"]


def test_links_permissions_and_pipes(run, tmp_path):
    real, link, pipe = tmp_path / "real.html", tmp_path / "link.html", tmp_path / "pipe.html"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    code, _, _ = run("report", EXAMPLE, *MODELS, "-o", link)
    assert code == 0
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert real.stat().st_mode & 0o777 == 0o600
    os.mkfifo(pipe)
    code, _, err = run("report", EXAMPLE, *MODELS, "-o", pipe)
    assert code == 2
    assert "is not a regular file" in err
    assert pipe.is_fifo()
