"""`rocwalk drift`: the verdict on the terminal, as data, and as an exit code."""

from __future__ import annotations

import json
import re

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


OPTIONS = ["--label", "y", "--score", "model"]


def test_a_build_that_fails_says_why_beside_a_table_of_numbers(run, files, table):
    _, paths = files
    options = [*OPTIONS, "--fail-on-drift", "--format", "csv"]
    code, out, err = run("drift", paths["reference"], paths["moved"], *options)
    assert code == 1
    assert "drifted" not in out
    assert "Note: model: The probabilities have drifted" in err
    wrong = table(["y", "model"], *[(k % 2, 0.0 if k % 2 else 1.0) for k in range(60)])
    code, _, err = run("drift", wrong, wrong, *options)
    assert code == 2
    assert "Note: model: Nothing can be decided" in err
    code, _, err = run("drift", paths["reference"], paths["calm"], *options)
    assert (code, err) == (0, "")


@pytest.fixture
def few(table):
    rng = np.random.default_rng(1)
    y, p = rows(rng, n=12)
    small = list(zip(y.tolist(), p.tolist(), strict=True))
    return table(["y", "model"], *small, name="few.csv"), (int(y.sum()), int(12 - y.sum()))


def test_too_few_items_decide_nothing(run, files, few, tmp_path):
    _, paths = files
    path, (positives, negatives) = few
    page = tmp_path / "drift.html"
    command = ["drift", paths["reference"], path, *OPTIONS]
    code, out, err = run(*command, "--fail-on-drift", "-o", page)
    assert code == 2
    assert "model: undecidable" in out
    assert "Nothing can be decided: no drift is seen, but there are too few items" in out
    assert "No drift is seen" not in out
    words = (
        f"has {positives} positive and {negatives} negative items, too few to decide: 20 of each"
    )
    assert f"few.csv' {words} are needed (--minimum).\n" in err
    assert err.count("Note: ") == 1
    assert words in page.read_text(encoding="utf-8")
    code, out, _ = run(*command, "--format", "json")
    assert code == 0
    (model,) = json.loads(out)["models"]
    assert (model["verdict"], model["drifted"]) == ("undecidable", False)
    code, out, err = run(*command, "--fail-on-drift", "--minimum", min(positives, negatives))
    assert (code, err) == (0, "")
    assert "No drift is seen" in out
    code, _, err = run("drift", path, paths["reference"], *OPTIONS, "--fail-on-drift")
    assert code == 2
    assert words in err
    code, _, err = run(*command, "--minimum", 1)
    assert code == 2
    assert "--minimum" in err


def test_drift_that_is_found_in_few_items_fails_a_build(run, files, table):
    _, paths = files
    backward = [(k % 2, 0.9 - 0.8 * (k % 2) + 0.001 * k) for k in range(30)]
    path = table(["y", "model"], *backward, name="backward.csv")
    code, out, err = run("drift", paths["reference"], path, *OPTIONS, "--fail-on-drift")
    assert code == 1
    assert "The ranking has drifted" in out
    assert "too few to decide" in err


def test_what_cannot_be_tested_is_no_drift(run, table):
    wrong = [(k % 2, 0.0 if k % 2 else 1.0) for k in range(60)]
    path = table(["y", "model"], *wrong)
    code, out, _ = run("drift", path, path, *OPTIONS, "--fail-on-drift")
    assert code == 2
    assert "model: undecidable" in out
    assert "Nothing can be decided: there is no test of the struggle ratio" in out


def test_errors_name_the_file_and_the_column(run, files, table):
    _, paths = files
    for content, words in (
        ([(1, 0.2), (1, 0.4)], "' has no negative item among the rows used"),
        ([(1, 15.5), (1, 0.4), (0, 3), (0, 2)], "' has the score 15.5, outside [0, 1]."),
        ([(1, 0.5), (1, 0.4), (0, 0.3)], "' has fewer than two negative items"),
    ):
        odd = table(["y", "model"], *content, name="odd.csv")
        for pair in ((paths["reference"], odd), (odd, paths["reference"])):
            code, _, err = run("drift", *pair, *OPTIONS)
            assert code == 2
            assert f"odd.csv{words}" in err
    assert "Error: Column 'model' of '" in err
    odd = table(["y", "model"], (1, 0.2), (1, 0.4), name="odd.csv")
    code, _, err = run("report", paths["moved"], *OPTIONS, "--reference", odd)
    assert code == 2
    assert "odd.csv' has no negative item" in err


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
        (["--class-score", "a=y"], "--class-score does not go together with drift"),
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


def test_a_page_is_written_when_it_is_asked_for(run, files, tmp_path):
    samples, paths = files
    page = tmp_path / "drift.html"
    options = ["--label", "y", "--score", "model", "--format", "json"]
    code, out, _ = run("drift", paths["reference"], paths["moved"], *options)
    assert code == 0
    assert "page" not in json.loads(out)
    assert not list(tmp_path.glob("**/*.html"))
    code, out, _ = run("drift", paths["reference"], paths["moved"], *options, "-o", page)
    assert code == 0
    assert json.loads(out)["page"] == str(page)
    html = page.read_text(encoding="utf-8")
    sections = re.findall(r'<section id="(\w+)"', html)
    assert sections == [
        "summary", "drift", "sensibility", "calibration", "distributions", "provenance",
    ]  # fmt: skip
    assert rw.drift(samples["reference"], samples["moved"]).summary in html
    assert "400 rows of moved.csv" in html
    assert "against 400 rows of reference.csv" in html


def test_the_page_says_what_the_terminal_says(run, files, tmp_path):
    _, paths = files
    page = tmp_path / "drift.html"
    options = ["--label", "y", "--score", "model", "--method", "bootstrap", "--resamples", 60]
    options += ["--fixed-reference", "--alpha", 0.01, "--seed", 3, "-o", page]
    _, out, _ = run("drift", paths["reference"], paths["moved"], *options, "--format", "json")
    (model,) = json.loads(out)["models"]
    html = page.read_text(encoding="utf-8")
    assert model["summary"] in html
    assert "99\xa0% interval" in html
    assert "intervals of resampled items" in html
    code, out, _ = run(
        "drift", paths["reference"], paths["moved"], *options, "--fail-on-drift"
    )  # the page of a failed build is there to look at
    assert code == 1
    assert "The page: " in out


def test_a_page_is_never_written_over_the_data(run, files):
    _, paths = files
    options = ["--label", "y", "--score", "model", "-o"]
    for name in ("reference", "moved"):
        code, _, err = run("drift", paths["reference"], paths["moved"], *options, paths[name])
        assert code == 2
        assert "would be written over" in err


def test_columns_are_guessed_once(run, files):
    _, paths = files
    code, _, err = run("drift", paths["reference"], paths["moved"])
    assert code == 0
    assert err.count("the label column is 'y'") == 1


def test_a_report_against_a_reference(run, files, tmp_path):
    samples, paths = files
    page = tmp_path / "report.html"
    options = ["--label", "y", "--score", "model", "-o", page]
    code, out, _ = run(
        "report", paths["moved"], *options, "--reference", paths["reference"], "--format", "json"
    )
    assert code == 0
    read = json.loads(out)
    found = rw.drift(samples["reference"], samples["moved"])
    (model,) = read["drift"]
    assert (model["model"], model["verdict"]) == ("model", "estimation")
    assert model["summary"] == found.summary
    assert read["reference"]["rows_read"] == 400
    assert [one["name"].rsplit("/")[-1] for one in read["files"]] == ["moved.csv", "reference.csv"]
    assert read["rows_read"] == 400
    html = page.read_text(encoding="utf-8")
    assert found.summary in html
    assert '<section id="drift"' in html
    code, out, _ = run("report", paths["moved"], *options, "--reference", paths["reference"])
    assert "against the reference: The probabilities have drifted" in " ".join(out.split())
    code, out, _ = run("report", paths["moved"], *options, "--format", "json")
    assert "drift" not in json.loads(out)
    assert '<section id="drift"' not in page.read_text(encoding="utf-8")


def test_a_report_refuses_a_reference_that_it_cannot_use(run, files, tmp_path, table):
    _, paths = files
    output = ["-o", tmp_path / "report.html"]
    named = ["--label", "y", "--score", "model"]
    code, _, err = run("report", paths["moved"], *named, *output, "--reference", "nowhere.csv")
    assert code == 2
    assert "nowhere.csv" in err
    code, _, err = run(
        "report", paths["moved"], *named, "-o", paths["calm"], "--reference", paths["calm"]
    )
    assert code == 2
    assert "would be written over" in err
    three = table(["y", "p", "q", "r"], ("a", 0.6, 0.2, 0.2), ("b", 0.2, 0.6, 0.2),
                  ("c", 0.2, 0.2, 0.6), ("a", 0.4, 0.3, 0.3), name="three.csv")  # fmt: skip
    classes = [one for pair in ("a=p", "b=q", "c=r") for one in ("--class-score", pair)]
    code, _, err = run("report", three, "--label", "y", *classes, *output, "--reference", three)
    assert code == 2
    assert "--reference does not go together with --class-score" in err
