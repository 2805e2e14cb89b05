"""`rocwalk drift`: the verdict on the terminal, as data, and as an exit code."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.cli.drift import drift_result
from rocwalk.cli.verdict import Verdict


def rows(rng, power=1.0, n=400):
    """Return scores that are true probabilities, raised to a power."""
    p = 1 / (1 + np.exp(-rng.normal(-0.5, 1.5, n)))
    y = (rng.random(n) < p).astype(int)
    return y, p**power


def world(rng, *, shift=0.0, odds=1.0, slope=1.0, noise=0.0, n=3000):
    """Return labels of true probabilities, and scores: as good, or worse by slope, odds, noise."""
    x = rng.normal(-1 + shift, 1.2, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-(np.log(odds) + slope * x)))).astype(int)
    return y, 1 / (1 + np.exp(-(x + noise * rng.normal(size=n))))


@pytest.fixture
def written(table):
    """Write samples of two columns, and more columns, as files."""

    def write(name, sample, **more):
        columns = [*(one.tolist() for one in sample), *more.values()]
        return table(["y", "model", *more], *zip(*columns, strict=True), name=f"{name}.csv")

    return write


@pytest.fixture
def files(written):
    rng = np.random.default_rng(2)
    samples = {"reference": rows(rng, n=2000), "calm": rows(rng), "moved": rows(rng, 3.0, 2000)}
    return samples, {name: written(name, sample) for name, sample in samples.items()}


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
    assert (model["changed"], model["suitable"]) == (True, None)
    assert model["advice"] == found.advice
    for one, each in zip(model["findings"], found.findings.values(), strict=True):
        assert (one["p_value"] is None) == np.isnan(each.p_value)
        assert one["difference"] == pytest.approx(each.difference)
    area = model["findings"][0]
    assert area["model"]["p_value"] == pytest.approx(found.findings["auc"].model.p_value)
    parts = [area[name]["value"] for name in ("population", "odds", "model")]
    assert sum(parts) == pytest.approx(area["difference"])
    assert model["odds"]["value"] == pytest.approx(found.odds.value)
    assert [one["name"] for one in model["tests"]] == list(found.tests)
    assert [one["name"].rsplit("/")[-1] for one in read["files"]] == ["reference.csv", "moved.csv"]
    assert read["rows_read"] == 4000


def test_a_build_can_fail_on_drift(run, files):
    _, paths = files
    options = ["--label", "y", "--score", "model", "--fail-on-drift"]
    code, out, _ = run("drift", paths["reference"], paths["moved"], *options)
    assert code == 1
    assert "The probabilities have drifted: given the scores" in out
    code, out, _ = run("drift", paths["reference"], paths["calm"], *options)
    assert code == 0
    assert "No drift is seen" in out
    code, _, _ = run("drift", paths["reference"], paths["moved"], *options[:-1])
    assert code == 0


OPTIONS = ["--label", "y", "--score", "model"]


def test_csv_is_one_line_a_model_with_the_verdict(run, files, table):
    samples, paths = files
    command = [*OPTIONS, "--format", "csv", "--fail-on-drift"]
    code, out, err = run("drift", paths["reference"], paths["moved"], *command)
    assert (code, err) == (1, "")
    header, line = csv.reader(out.splitlines())
    row, found = (
        dict(zip(header, line, strict=True)),
        rw.drift(samples["reference"], samples["moved"]),
    )
    assert (row["model"], row["verdict"], row["drifted"]) == ("model", "estimation", "True")
    assert row["summary"] == found.summary
    assert float(row["auc_model"]) == found.findings["auc"].model.value
    assert float(row["odds"]) == found.odds.value
    both = [(y, p, 1 - p) for y, p in zip(*(x.tolist() for x in samples["calm"]), strict=True)]
    two = table(["y", "model", "other"], *both, name="two.csv")
    code, out, _ = run("drift", two, two, *OPTIONS, "--score", "other", "--format", "csv")
    assert [line.split(",")[:2] for line in out.splitlines()[1:]] == [
        ["model", "none"], ["other", "none"],
    ]  # fmt: skip


VERDICTS = {
    "No drift is seen: given the scores": "none",
    "The population has changed, the model has not": "population",
    "Positives are more frequent at every score": "prevalence",
    "The probabilities have drifted: given the scores": "estimation",
    "The ranking has drifted: the scores separate the classes worse": "ranking",
    "Both the ranking and the probabilities have drifted": "both",
}
CASES = {
    "none": (11, {}, (0, 0)),
    "population": (11, {"shift": 0.9}, (0, 1)),
    "prevalence": (11, {"odds": 2.0}, (1, 1)),
    "ranking": (18, {"noise": 0.7}, (1, 1)),
    "both": (11, {"slope": 0.6}, (1, 1)),
}


@pytest.mark.parametrize(("verdict", "case"), CASES.items())
def test_each_verdict_is_said_where_it_holds_and_nowhere_else(run, written, verdict, case):
    seed, change, codes = case
    rng = np.random.default_rng(seed)
    paths = [written("reference", world(rng)), written("current", world(rng, **change))]
    code, out, _ = run("drift", *paths, *OPTIONS, "--fail-on", "drift")
    assert code == codes[0]
    said = " ".join(out.split())
    assert [VERDICTS[words] for words in VERDICTS if words in said] == [verdict]
    assert f"model: {verdict}" in out
    assert ("multiply the odds of every score by" in said) == (verdict == "prevalence")
    assert run("drift", *paths, *OPTIONS, "--fail-on", "any")[0] == codes[1]
    assert run("drift", *paths, *OPTIONS, "--fail-on-drift")[0] == codes[0]


def test_the_table_shows_the_parts_of_the_three_numbers(run, files):
    samples, paths = files
    _, out, _ = run("drift", paths["reference"], paths["moved"], *OPTIONS)
    found = rw.drift(samples["reference"], samples["moved"])
    for name in ("auc", "midpoint", "struggle_ratio"):
        one = found.findings[name]
        (line,) = [line for line in out.splitlines() if line.startswith(f"│ {one.words} ")]
        cells = [cell.strip() for cell in line.strip("│").split("│")]
        assert cells[1] == f"{one.reference:.4f} → {one.current:.4f}"
        parts = [one.population, one.odds, one.model]
        for shown, part in zip(cells[3:6], parts, strict=True):
            if name == "midpoint" and part is one.model:
                assert shown == "—"
            else:
                value = float(shown.split()[0].replace("−", "-"))
                assert value == pytest.approx(part.value, abs=6e-5)
    (line,) = [line for line in out.splitlines() if line.startswith("│ refinement ")]
    assert "undefined" not in line
    assert not line.split("│")[4].strip()


def test_margins(run, written):
    rng = np.random.default_rng(5)
    paths = [written("reference", world(rng, n=20_000)), written("now", world(rng, odds=1.6))]
    command = ["drift", *paths, *OPTIONS, "--fail-on-drift", "--format", "json"]
    assert run(*command)[0] == 1
    code, out, _ = run(*command, "--margin")
    assert code == 1
    (model,) = json.loads(out)["models"]
    assert model["suitable"] is False
    assert [one["margin"] for one in model["tests"]] == [pytest.approx(np.log(1.1)), 0.02, 0.05]
    wide = ["--margin", "auc=0.2", "--margin", "midpoint=0.6", "--margin", "struggle_ratio=0.9"]
    code, out, _ = run(*command, *wide)
    (model,) = json.loads(out)["models"]
    assert (code, model["suitable"], model["drifted"]) == (0, True, False)
    code, out, _ = run(*command[:-2], *wide)
    assert out.count("within") >= 3
    for given, words in (
        ("uac=0.1", "did you mean 'auc'"),
        ("auc", "'auc' is not NAME=VALUE"),
        ("auc=-1", "--margin auc=-1 is not a positive number.\nHint: a margin is positive"),
    ):
        code, out, err = run(*command, "--margin", given)
        assert (code, out) == (2, "")
        assert words in err


def test_clusters_widen_the_intervals(run, written):
    rng = np.random.default_rng(6)
    samples = [tuple(np.repeat(column, 4) for column in world(rng, n=300)) for _ in range(2)]
    unit = (np.arange(1200) // 4).tolist()
    paths = [written(f"f{k}", sample, patient=unit) for k, sample in enumerate(samples)]
    command = ["drift", *paths, *OPTIONS, "--format", "json"]
    plain, clustered = (
        json.loads(run(*command, *more)[1])["models"][0] for more in ((), ("--cluster", "patient"))
    )
    found = rw.drift(*samples, cluster=(unit, unit))
    assert clustered["verdict"] == found.verdict
    for k, name in enumerate(found.tests):
        one = clustered["tests"][k]
        assert one["p_value"] == pytest.approx(found.tests[name].p_value)
        width = plain["tests"][k]["high"] - plain["tests"][k]["low"]
        assert one["high"] - one["low"] > 1.5 * width
    code, _, err = run(*command, "--cluster", "patiens")
    assert code == 2
    assert "did you mean 'patient'" in err


@pytest.fixture
def few(table):
    rng = np.random.default_rng(1)
    y, p = rows(rng, n=24)
    small = list(zip(y.tolist(), p.tolist(), strict=True))
    return table(["y", "model"], *small, name="few.csv"), (int(y.sum()), int(24 - y.sum()))


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
    assert "Both the ranking and the probabilities have drifted" in out
    assert "too few to decide" in err


def test_what_cannot_be_tested_is_no_drift(run, files, table):
    _, paths = files
    path = table(["y", "model"], *[(int(k < 3), 0.1 + 0.01 * k) for k in range(40)])
    code, out, _ = run(
        "drift", paths["reference"], path, *OPTIONS, "--minimum", 2, "--alpha", 1e-6,
        "--fail-on-drift",
    )  # fmt: skip
    assert code == 2
    assert "model: undecidable" in out
    assert "Nothing can be decided: there is no test of the AUC (the current sample has" in out


def test_a_file_without_positives_has_a_level(run, files, table, tmp_path):
    _, paths = files
    many = table(["y", "model"], *[(0, 0.2 + 0.005 * k) for k in range(100)], name="many.csv")
    page = tmp_path / "drift.html"
    command = [*OPTIONS, "--fail-on-drift"]
    code, out, err = run("drift", paths["reference"], many, *command, "-o", page)
    assert code == 1
    assert "The probabilities have drifted: 0 of 100 items are positive" in out
    assert "many.csv' has 0 positive and 100 negative items" in err
    html = page.read_text(encoding="utf-8")
    assert "they need items of both classes" in html
    assert 'id="sensibility"' not in html
    low = table(["y", "model"], *[(0, 1e-4) for _ in range(30)], name="low.csv")
    code, out, _ = run("drift", paths["reference"], low, *command)
    assert code == 2
    assert "model: undecidable" in out
    assert "The level alone shows no drift: 0 of 30 items are positive" in out
    code, out, _ = run("drift", paths["reference"], many, *OPTIONS, "--format", "json")
    (model,) = json.loads(out)["models"]
    assert (model["verdict"], model["findings"][0]["current"]) == ("estimation", None)
    assert model["conclusion"] in model["summary"]


def test_errors_name_the_file_and_the_column(run, files, table):
    _, paths = files
    for content, words in (
        ([(1, 0.2), (1, 0.4)], "' has no negative item among the rows used"),
        ([(1, 15.5), (1, 0.4), (0, 3), (0, 2)], "' has the score 15.5, outside [0, 1]."),
        ([(1, 0.5), (1, 0.4), (0, 0.3)], "' has fewer than two negative items"),
    ):
        odd = table(["y", "model"], *content, name="odd.csv")
        pairs = [(paths["reference"], odd)] if "outside" in words else []  # few items may be tested
        for pair in (*pairs, (odd, paths["reference"])):
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
    assert both[0][1].startswith("model,verdict,drifted,changed,suitable,reference_items")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--by", "y"], "--by does not go together with drift"),
        (["--fold", "y"], "--fold does not go together with drift"),
        (["--class-score", "a=y"], "--class-score does not go together with drift"),
        (["--fail-on", "any", "--fail-on-drift"], "does not go together with --fail-on any"),
        (["--fail-on", "none"], "--fail-on"),
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
    found = rw.drift(samples["reference"], samples["moved"])
    conclusion, advice, _ = found.summary.partition(found.advice)
    assert conclusion.strip() in html
    assert advice in html
    assert "2,000 rows of moved.csv" in html
    assert "against 2,000 rows of reference.csv" in html


def test_the_page_says_what_the_terminal_says(run, files, tmp_path):
    _, paths = files
    page = tmp_path / "drift.html"
    options = ["--label", "y", "--score", "model", "--method", "bootstrap", "--resamples", 60]
    options += ["--fixed-reference", "--alpha", 0.01, "--seed", 3, "-o", page]
    _, out, _ = run("drift", paths["reference"], paths["moved"], *options, "--format", "json")
    (model,) = json.loads(out)["models"]
    html = page.read_text(encoding="utf-8")
    conclusion, advice, _ = model["summary"].partition(model["advice"])
    assert conclusion.strip() in html
    assert advice in html
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
    assert model["tests"] == drift_result("model", Verdict(found))["tests"]
    assert read["reference"]["rows_read"] == 2000
    assert [one["name"].rsplit("/")[-1] for one in read["files"]] == ["moved.csv", "reference.csv"]
    assert read["rows_read"] == 2000
    html = page.read_text(encoding="utf-8")
    assert found.conclusion in html
    assert found.advice in html
    assert '<section id="drift"' in html
    code, out, _ = run("report", paths["moved"], *options, "--reference", paths["reference"])
    assert "against the reference: The probabilities have drifted" in " ".join(out.split())
    code, out, _ = run("report", paths["moved"], *options, "--format", "json")
    assert "drift" not in json.loads(out)
    assert '<section id="drift"' not in page.read_text(encoding="utf-8")


def test_margins_of_a_report(run, written, tmp_path):
    rng = np.random.default_rng(5)
    paths = [written("reference", world(rng, n=20_000)), written("now", world(rng, odds=1.6))]
    page = tmp_path / "report.html"
    command = ["report", paths[1], *OPTIONS, "--format", "json", "-o", page]
    wide = ["--margin", "auc=0.2", "--margin", "midpoint=0.6", "--margin", "struggle_ratio=0.9"]
    code, out, _ = run(*command, "--reference", paths[0], "--margin")
    (model,) = json.loads(out)["drift"]
    assert (code, model["drifted"], model["suitable"]) == (0, True, False)
    assert "no longer a suitable test set" in page.read_text(encoding="utf-8")
    code, out, _ = run(*command, "--reference", paths[0], *wide)
    (model,) = json.loads(out)["drift"]
    assert (model["drifted"], model["suitable"]) == (False, True)
    assert json.loads(out)["options"]["margin"] == wide[1::2]
    assert "still a suitable test set" in page.read_text(encoding="utf-8")
    code, _, err = run(*command, "--margin")
    assert code == 2
    assert "--margin goes with --reference or --time" in err


def test_margins_of_windows(run, written, tmp_path):
    rng = np.random.default_rng(5)
    both = [world(rng, n=4000), world(rng, odds=1.6)]
    table = tuple(np.concatenate(columns) for columns in zip(*both, strict=True))
    path = written("dated", table, row=list(range(7000)))
    command = ["report", path, *OPTIONS, "--time", "row", "--window", 4000, "--format", "json"]
    command += ["-o", tmp_path / "report.html"]
    drifted = []
    for margin in (
        [],
        ["--margin", "auc=0.4", "--margin", "midpoint=2", "--margin", "struggle_ratio=3"],
    ):
        code, out, _ = run(*command, *margin)
        assert code == 0
        drifted.append(json.loads(out)["timeline"][0]["drifted"])
    assert drifted == [True, False]


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
