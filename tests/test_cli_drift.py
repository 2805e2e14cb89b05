"""`rocwalk drift`: the verdict on the terminal, as data, and as an exit code."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocwalk as rw


def rows(rng, power=1.0, n=400):
    y = (rng.random(n) < 0.4).astype(int)
    p = (1 / (1 + np.exp(-rng.normal(2 * y - 1)))) ** power
    return y, p


@pytest.fixture
def files(table):
    rng = np.random.default_rng(1)
    samples = {"reference": rows(rng), "calm": rows(rng), "moved": rows(rng, 2.0)}
    paths = {
        name: table(["y", "model"], *zip(y.tolist(), p.tolist(), strict=True), name=f"{name}.csv")
        for name, (y, p) in samples.items()
    }
    return samples, paths


def test_the_numbers_are_those_of_the_library(run, files):
    samples, paths = files
    code, out, _ = run(
        "drift", paths["reference"], paths["moved"], "--label", "y", "--score", "model",
        "--format", "json",
    )  # fmt: skip
    assert code == 0
    read = json.loads(out)
    (model,) = read["models"]
    found = rw.drift(samples["reference"], samples["moved"])
    assert model["verdict"] == found.verdict == "estimation"
    assert model["drifted"] is True
    assert model["summary"] == found.summary
    assert [one["p_value"] for one in model["findings"]] == pytest.approx(
        [one.p_value for one in found.findings.values()]
    )
    assert [one["name"].rsplit("/")[-1] for one in read["files"]] == ["reference.csv", "moved.csv"]
    assert read["rows_read"] == 800


def test_a_build_can_fail_on_drift(run, files):
    _, paths = files
    options = ["--label", "y", "--score", "model", "--fail-on-drift"]
    code, out, _ = run("drift", paths["reference"], paths["moved"], *options)
    assert code == 1
    assert "The probabilities have drifted although the ranking has not" in out
    code, out, _ = run("drift", paths["reference"], paths["calm"], *options)
    assert code == 0
    assert "No drift is seen" in out
    code, _, _ = run("drift", paths["reference"], paths["moved"], *options[:-1])
    assert code == 0


def test_resampled_and_as_csv(run, files):
    _, paths = files
    options = ["--label", "y", "--score", "model", "--method", "bootstrap", "--resamples", 50]
    both = [
        run("drift", paths["reference"], paths["moved"], *options, "--seed", 3, "--format", "csv")
        for _ in range(2)
    ]
    assert both[0] == both[1]
    assert both[0][1].startswith("model,words,name,reference,current,difference")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--by", "y"], "--by does not go together with drift"),
        (["--fold", "y"], "--fold does not go together with drift"),
        (["--cluster", "y"], "--cluster does not go together with drift"),
        (["--alpha", "2"], "--alpha"),
    ],
)
def test_what_it_would_ignore_is_refused(run, files, options, words):
    _, paths = files
    code, _, err = run(
        "drift", paths["reference"], paths["moved"], "--label", "y", "--score", "model", *options
    )
    assert code == 2
    assert words in err


def test_a_missing_file_and_a_missing_column(run, files):
    _, paths = files
    code, _, err = run("drift", paths["reference"], "nowhere.csv", "--label", "y")
    assert code == 2
    assert "nowhere.csv" in err
    code, _, err = run(
        "drift", paths["reference"], paths["moved"], "--label", "y", "--score", "modle"
    )
    assert code == 2
    assert "did you mean 'model'?" in err
