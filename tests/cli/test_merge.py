"""`rocwalk tally` and `rocwalk merge`: several sites, one report, no rows."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocwalk as rw


def column(seed, n=600):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    scores = (1 / (1 + np.exp(-rng.normal(effect * y - 1, 1))) for effect in (1.5, 0.7))
    return y, *scores


@pytest.fixture
def files(table):
    return [
        table(["y", "a", "b"], *zip(*(c.tolist() for c in column(k)), strict=True), name=f"{k}.csv")
        for k in range(3)
    ]


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
    assert "has the scores 'a', and" in error
    coarse = tmp_path / "coarse.tally"
    run("tally", files[0], "--label", "y", "--score", "a", "--buckets", 8, "-o", coarse)
    code, _, error = run("merge", only, coarse, "-o", out)
    assert code == 2
    assert "unlike buckets do not add" in error
    assert "coarse.tally" in error
    code, _, error = run("merge", files[0], "-o", out)
    assert code == 2
    assert "is not a shared tally of rocwalk" in error
    code, _, error = run("merge", *paths, "-o", tmp_path / "x.pdf")
    assert code == 2
    assert "ends neither in .html nor in .tally" in error
    code, _, error = run("merge", *paths, "-o", paths[0])
    assert code == 2
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--epsilon", "-1"], "--epsilon"),
        (["--edges", "0,x"], "is not a list of numbers"),
        (["--edges", "0,0.1"], "is outside the buckets, 0 to 0.1"),
        (["--minimum", "100000"], "fewer than"),
        (["--by", "y"], "--by does not go together with tally"),
        (["--seed", "3"], "--seed does not go together with tally"),
        (["--alpha", "0.1"], "--alpha does not go together with tally"),
    ],
)
def test_bad_options_of_tally(run, files, tmp_path, options, words):
    out = tmp_path / "x.tally"
    code, _, error = run("tally", files[0], "--label", "y", "--score", "a", *options, "-o", out)
    assert code == 2
    assert words in error
    assert not out.exists()


def test_soft_truth_is_not_shared(run, table, tmp_path):
    path = table(["y", "a"], [0.2, 0.1], [0.7, 0.9], [0.4, 0.3], name="soft.csv")
    code, _, error = run("tally", path, "--label", "y", "--score", "a", "-o", tmp_path / "x.tally")
    assert code == 2
    assert "only counts can be shared" in error
