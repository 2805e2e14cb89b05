"""The commands on files that are larger than the memory they may take."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocwalk as rw
from commands import process

ROWS = 1_500_000  # more distinct scores than exact tallies may have rows
LIMIT = ["--memory-limit", "110MB"]
MODELS = ["--label", "y", "--score", "p", "--score", "q"]


def columns(seed, power):
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 2, ROWS)
    return {
        "y": (rng.random(ROWS) < p**power).astype(np.int8),
        "p": p,
        "q": np.clip(p + rng.normal(0, 0.1, ROWS), 0, 1),
        "g": rng.choice(["f", "m"], ROWS),
        "fold": rng.integers(0, 3, ROWS),
        "vote": (rng.random(ROWS) < p).astype(np.int8),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    data = {"now": columns(1, 1.0), "then": columns(2, 1.3)}
    for name, one in data.items():
        pq.write_table(pa.table(one), folder / f"{name}.parquet")
    return folder, data


def run(files, *arguments, code=0):
    folder, _ = files
    found = process(*arguments, *LIMIT, "--json", "found.json", cwd=folder)
    assert found.returncode == code, found.stderr
    return found, json.loads((folder / "found.json").read_text())


@pytest.mark.slow
def test_score(files):
    arguments = ["score", "now.parquet", *MODELS, "--by", "g", "--fold", "fold"]
    found, results = run(files, *arguments)
    assert "larger than the memory limit of 110MB" in found.stderr + found.stdout
    data = files[1]["now"]
    for row in results["models"]:
        exact = rw.tally(data["y"], data[row["model"]])
        assert row["auc_bounds"][0] <= exact.area <= row["auc_bounds"][2]
        assert abs(row["auc"] - exact.area) <= row["auc_bounds"][2] - row["auc"]
        inner = rw.interval(exact)
        assert row["auc_low"] <= inner.low
        assert inner.high <= row["auc_high"]
        assert row["rows"] == ROWS
        score = rw.metrics.probabilistic_auc_score(data["y"], data[row["model"]])
        assert row["probabilistic_auc"] == pytest.approx(score, rel=1e-12)
        assert row["brier"] is None
    groups = {(row["model"], row["by g"]): row for row in results["subgroups"]}
    for (model, group), row in groups.items():
        chosen = data["g"] == group
        exact = rw.tally(data["y"][chosen], data[model][chosen]).area
        assert row["auc_bounds"][0] <= exact <= row["auc_bounds"][2]
    assert [row["folds"] for row in results["folds"]] == [3, 3]


@pytest.mark.slow
def test_raters_and_a_positive_label(files):
    _, voted = run(
        files, "score", "now.parquet", "--raters", "y", "--raters", "vote", "--score", "p"
    )
    data = files[1]["now"]
    exact = rw.tally((data["y"] + data["vote"]) / 2, data["p"], truth="soft").area
    assert voted["models"][0]["auc"] == pytest.approx(exact, abs=2e-5)
    _, negated = run(
        files, "score", "now.parquet", "--label", "y", "--score", "p", "--positive", "0"
    )
    assert negated["models"][0]["auc"] == pytest.approx(
        1 - rw.tally(data["y"], data["p"]).area, abs=2e-5
    )


@pytest.mark.slow
def test_drift_and_its_page(files):
    found, results = run(
        files, "drift", "then.parquet", "now.parquet", "--label", "y", "--score", "p",
        "-o", "drift.html", "--fail-on-drift", code=1,
    )  # fmt: skip
    assert results["models"][0]["verdict"] == "both"
    for name in ("then", "now"):
        assert found.stderr.count(f"Note: '{name}.parquet' is larger than the memory limit") == 1
    assert found.stderr.count("larger than the memory limit of 110MB") == 2
    assert "pairs" not in found.stderr
    assert "bucketed" in results["models"][0]["summary"]
    data = files[1]
    exact = rw.drift(*(rw.tally(data[k]["y"], data[k]["p"]) for k in ("then", "now")))
    for name in ("auc", "midpoint"):
        ours = next(row for row in results["models"][0]["findings"] if row["name"] == name)
        assert ours["difference"] == pytest.approx(exact.findings[name].difference, abs=5e-5)
        tiny = 1e-5 * exact.findings[name].standard_error  # errors of large samples are of groups
        assert ours["low"] <= exact.findings[name].low + tiny
        assert exact.findings[name].high - tiny <= ours["high"]
    assert "The curves are not drawn" in (files[0] / "drift.html").read_text()


@pytest.mark.slow
def test_the_page_says_by_name_what_is_left_out(files):
    run(files, "report", "now.parquet", *MODELS, "--by", "g", "--reference", "then.parquet",
        "-o", "report.html")  # fmt: skip
    page = (files[0] / "report.html").read_text()
    for what in ("Calibration", "Smearing", "A soft curve", "The Brier score"):
        assert f"Left out: {what} needs every score, and this tally is bucketed." in page
    assert "p, from buckets: AUC ± " in page
    assert "pairs need every row" in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["compare", "now.parquet", *MODELS], "pairs need every row"),
        (
            ["score", "now.parquet", *MODELS, "--cluster", "g"],
            "--cluster needs every row in memory",
        ),
        (["report", "now.parquet", *MODELS, "--time", "fold"], "--time needs every row in memory"),
        (
            [
                "score",
                "now.parquet",
                "--label",
                "g",
                "--class-score",
                "f=p",
                "--class-score",
                "m=q",
            ],
            "--class-score needs every row in memory",
        ),
    ],
)
def test_what_needs_every_row_is_refused_by_name(files, arguments, words):
    found = process(*arguments, *LIMIT, cwd=files[0])
    assert found.returncode == 2
    assert words in found.stderr
    assert "--memory-limit" in found.stderr


@pytest.mark.slow
def test_a_larger_limit_reads_every_row(files):
    folder, _ = files
    found = process("compare", "now.parquet", *MODELS, "--memory-limit", "2GB", "--statistic", "auc",
                    cwd=folder)  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert "Differences on the same rows" in found.stdout


def test_an_amount_that_is_none(tmp_path):
    (tmp_path / "a.csv").write_text("y,p\n1,0.5\n0,0.4\n")
    found = process("score", "a.csv", "--memory-limit", "much", cwd=tmp_path)
    assert found.returncode == 2
    assert "--memory-limit 'much' is not an amount of memory" in found.stderr


@pytest.mark.slow
def test_shared_buckets_need_the_scores(files):
    """Buckets that were made for speed are not those that sites agreed on."""
    folder, _ = files
    found = process("tally", "now.parquet", *MODELS, *LIMIT, "-o", "x.tally", cwd=folder)
    assert found.returncode == 2
    assert "--memory-limit is smaller than the data" in found.stderr
    assert not (folder / "x.tally").exists()
