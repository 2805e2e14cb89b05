"""`rocwalk tally` and `rocwalk merge`: several sites, one report, no rows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import rocwalk as rw
from cli.sites import column


@pytest.fixture
def shared(run, files, tmp_path):
    def write(*options):
        paths = []
        for k, path in enumerate(files):
            paths.append(tmp_path / f"site_{k}.tally")
            code, _, error = run(
                *("tally", path, "--label", "y", "--score", "a", "--score", "b"),
                *("-o", paths[-1], *options),
            )
            assert code == 0, error
        return paths

    return write


def test_the_sum_is_that_of_the_library(run, shared):
    code, out, _ = run("merge", *shared(), "--format", "json")
    assert code == 0
    for name, found in zip("ab", json.loads(out)["scores"], strict=True):
        place = 1 + "ab".index(name)
        parts = [rw.share(rw.tally(column(k)[0], column(k)[place])) for k in range(3)]
        expected = rw.interval(sum(parts))
        assert found["score"] == name
        assert found["sites"] == 3
        assert found["auc"]["estimate"] == expected.estimate
        assert (found["auc"]["low"], found["auc"]["high"]) == (expected.low, expected.high)
        exact = rw.metrics.roc_auc_score(
            *(np.concatenate([column(k)[c] for k in range(3)]) for c in (0, place))
        )
        assert abs(found["auc"]["estimate"] - exact) <= found["auc"]["bucket_error"]


def test_the_page_has_the_curve_and_says_where_the_rows_are(run, shared, tmp_path):
    page = tmp_path / "all.html"
    code, out, error = run("merge", *shared(), "-o", page)
    assert code == 0, error
    assert "All sites together" in out
    assert "The rows stayed at 3 sites" in error
    text = page.read_text()
    assert "The rows stayed at 3 sites" in text
    assert "larger than the memory limit" not in text
    for scores in column(0)[1:]:
        assert not any(repr(value) in text for value in scores.tolist())


def test_noise_is_said(run, shared, files, tmp_path):
    code, out, _ = run(
        *("tally", files[0], "--label", "y", "--score", "a", "--score", "b"),
        *("--epsilon", 1, "-o", tmp_path / "x.tally"),
    )
    assert code == 0
    assert "2-differentially private, 1 for each of 2 scores" in " ".join(out.split())
    _, out, _ = run("tally", files[0], "--label", "y", "--score", "a", "-o", tmp_path / "y.tally")
    assert "differentially private" not in out
    assert "There is no noise" in out
    _, out, error = run("merge", *shared("--epsilon", 4))
    assert "have noise for privacy" in error
    _, out, error = run("merge", *shared())
    assert "have noise for privacy" not in error


def test_sums_can_be_merged_again(run, shared, tmp_path):
    paths = shared()
    both = tmp_path / "both.tally"
    assert run("merge", *paths[:2], "-o", both, "--quiet")[0] == 0
    one, other = (
        json.loads(run("merge", *names, "--format", "json")[1])["scores"]
        for names in (paths, [both, paths[2]])
    )
    assert [each["auc"] for each in one] == [each["auc"] for each in other]
    assert other[0]["sites"] == 3


def test_what_does_not_go_together(run, shared, files, table, tmp_path):
    paths = shared()
    out = tmp_path / "o.html"
    only = tmp_path / "only.tally"
    run("tally", files[0], "--label", "y", "--score", "a", "-o", only)
    code, _, error = run("merge", *paths, only, "-o", out)
    assert code == 2
    assert "has the scores 'a', 'b', and" in error
    assert "only.tally' has 'a'" in error
    coarse = tmp_path / "coarse.tally"
    run("tally", files[0], "--label", "y", "--score", "a", "--buckets", 8, "-o", coarse)
    code, _, error = run("merge", only, coarse, "-o", out)
    assert code == 2
    assert "different buckets do not add" in error
    assert "only.tally" in error
    code, _, error = run("merge", files[0], "-o", out)
    assert code == 2
    assert "is not a shared tally of rocwalk" in error
    code, _, error = run("merge", *paths, "-o", tmp_path / "x.pdf")
    assert code == 2
    assert "ends neither in .html nor in .tally" in error
    code, _, error = run("merge", *paths, "-o", paths[0])
    assert code == 2
    assert not out.exists()


# -- the page --------------------------------------------------------------------------------------


@pytest.fixture
def page(run, shared, tmp_path):
    def write(*options):
        path = tmp_path / "all.html"
        code, _, error = run(
            "merge", *shared(*options), "-o", path, "--json", tmp_path / "all.json"
        )
        assert code == 0, error
        return path.read_text(), json.loads((tmp_path / "all.json").read_text())

    return write


NOISED = (
    "The counts have noise for privacy",
    "Every interval includes it",
    "estimated from noised counts",
    "with the error of the noise added",
    "and for the noise",
    "Counts of about",
)


def test_the_page_says_of_noise_what_holds(page):
    noised, found = page("--epsilon", 2, "--buckets", 32)
    plain, _ = page("--buckets", 32)
    for words in NOISED:
        assert words in noised
        assert words not in plain
    for words in (
        "Exact: every point of every curve",
        "larger memory limit",
        "curves of resampled items",
        "the distinct scores of the models",
        "Rows read",
    ):
        assert words not in noised
        assert words not in plain
    for one in found["scores"]:
        area = one["auc"]
        words = f"{area['estimate']:.4f} ({area['low']:.3f} to {area['high']:.3f})"
        # the verdict or the table of models, the legend of the curves, the table of accuracy
        assert noised.replace("\u00a0", " ").count(words) >= 2, words


def test_the_page_has_costs_and_calibration(page):
    text, _ = page("--epsilon", 2, "--buckets", 32)
    for words in ("H-measure: 1 for perfect ranking", "Expected / observed", "Groups of a"):
        assert words in text
    assert "Left out: The midpoint needs the sum of the scores" in text
    assert "Left out: Calibration" not in text


# -- files that do not belong together -------------------------------------------------------------


def test_no_site_counts_double(run, shared, tmp_path):
    paths = shared()
    out = tmp_path / "o.html"
    code, _, error = run("merge", *paths, paths[0], "-o", out)
    assert code == 2
    assert "is named twice" in error
    copy = tmp_path / "copy.tally"
    copy.write_bytes(paths[0].read_bytes())
    code, _, error = run("merge", *paths, copy, "-o", out)
    assert code == 2
    assert "is a copy of" in error
    assert not out.exists()


def test_a_file_that_is_not_there(run, tmp_path):
    code, out, err = run("merge", tmp_path / "no.tally")
    assert (code, out) == (2, "")
    assert "Error: There is no file " in err


def test_a_site_without_one_class_shares_too(run, table, shared, tmp_path):
    path = table(["y", "a", "b"], *([0, (k + 1) / 60, 0.5] for k in range(50)), name="none.csv")
    for options in ([], ["--epsilon", 1]):
        out = tmp_path / "none.tally"
        command = ("tally", path, "--label", "y", "--score", "a", "--score", "b", "-o", out)
        assert run(*command, *options)[0] == 0
        paths = shared(*options)
        code, text, _ = run("merge", *paths, out, "--format", "json")
        assert code == 0
        assert json.loads(text)["scores"][0]["sites"] == 4
    run("tally", path, "--label", "y", "--score", "a", "-o", tmp_path / "one.tally")
    code, _, error = run("merge", tmp_path / "one.tally")
    assert code == 2
    assert "has no positive items" in error


def test_noise_that_is_larger_than_the_counts(run, table, tmp_path):
    path = table(["y", "a"], *([k % 2, (k + 1) / 60] for k in range(50)), name="few.csv")
    out, page = tmp_path / "few.tally", tmp_path / "few.html"
    command = ("tally", path, "--label", "y", "--score", "a", "--epsilon", 0.001, "-o", out)
    for _ in range(20):  # until the noise of one class is negative: half of the times, or more
        run(*command)
        part = json.loads(out.read_text())["parts"][0]
        if min(sum(part["positives"]), sum(part["negatives"])) <= 0:
            break
    code, _, error = run("merge", out, "-o", page)
    assert code == 2
    assert "the noise is larger than the counts" in error
    assert not page.exists()


@pytest.mark.parametrize("end", [0, 100, -20])
def test_a_file_that_was_cut_short(run, shared, tmp_path, end):
    paths = shared()
    paths[1].write_text(paths[1].read_text()[:end])
    code, _, error = run("merge", *paths, "-o", tmp_path / "o.html")
    assert code == 2
    assert "site_1.tally' is not a shared tally of rocwalk, or is damaged" in error
    assert not (tmp_path / "o.html").exists()


# -- the guide -------------------------------------------------------------------------------------


def test_the_guide_for_five_hospitals_runs(run, table, tmp_path, monkeypatch):
    """Every command of docs/sharing.rst, in its order, on five files of rows."""
    guide = (Path(__file__).parents[2] / "docs" / "sharing.rst").read_text()
    commands = [line.split()[1:] for line in guide.splitlines() if line.startswith("    rocwalk ")]
    assert [one[0] for one in commands] == ["tally"] * 5 + ["merge"] * 3
    monkeypatch.chdir(tmp_path)
    for k in range(1, 6):
        y, scores, _ = column(k, 2000)
        table(
            ["y", "model"], *zip(y.tolist(), scores.tolist(), strict=True), name=f"hospital_{k}.csv"
        )
    printed = []
    for command in commands:
        code, out, error = run(*command)
        assert code == 0, error
        printed.append(out)
    assert "The rows stayed at 5 sites" in Path("all.html").read_text()
    areas = [re.search(r"0\.\d+ \(.*?\)", text).group() for text in (printed[5], printed[7])]
    assert areas[0] == areas[1]
    assert "│ model │ 5 " in printed[7]
