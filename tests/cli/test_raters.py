"""`--raters` in place of `--label`: the truth is the share of positive votes."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import rocwalk as rw
from commands import count_calls

HEADER = ["ann", "bob", "cy", "a", "b"]
ROWS = [
    [1, 1, 1, 0.9, 0.4],
    [1, 0, "", 0.6, 0.7],
    [0, 0, 1, 0.5, 0.2],
    [0, 0, 0, 0.1, 0.3],
    ["", 1, 1, 0.7, 0.8],
    [0, 1, 0, 0.3, 0.6],
]
RATERS = ["--raters", "ann", "--raters", "bob", "--raters", "cy"]
TRUTH = [1, 0.5, 1 / 3, 0, 1, 1 / 3]
A, B = [row[3] for row in ROWS], [row[4] for row in ROWS]


@pytest.fixture
def votes(table):
    return table(HEADER, *ROWS)


def test_score_by_raters(run, votes):
    code, out, _ = run("score", votes, *RATERS, "--score", "a", "--score", "b", "--format", "json")
    assert code == 0
    read = json.loads(out)
    found = rw.reference_truth(TRUTH, A)
    row = read["models"][0]
    assert row["auc"] == pytest.approx(found.auc)
    assert row["auc_prt"] == pytest.approx(found.auc_prt)
    assert row["expected_auc"] == pytest.approx(found.expected_auc)
    assert row["auc_ceiling"] == pytest.approx(1 - found.aapcc)
    closed = rw.interval(TRUTH, A, statistic="auc_prt")
    assert (row["auc_prt_low"], row["auc_prt_high"]) == pytest.approx((closed.low, closed.high))
    assert row["h_measure"] == pytest.approx(rw.roc(TRUTH, A).h_measure())
    assert row["brier"] == pytest.approx(rw.roc(TRUTH, A).brier_curve().area)
    said = rw.votes({name: [row[k] if row[k] != "" else None for row in ROWS]
                     for k, name in enumerate(HEADER[:3])})  # fmt: skip
    assert read["votes"]["krippendorff_alpha"] == pytest.approx(said.krippendorff_alpha)
    assert read["votes"]["n_votes"] == 16
    measures = ("fleiss", "krippendorff", "ac1", "percent")
    for one, measure in zip(read["votes"]["agreement"], measures, strict=True):
        found_one = rw.agreement(said, measure=measure)
        assert (one["measure"], one["low"]) == (measure, pytest.approx(found_one.low))
    model = said.dawid_skene(prior=(4, 2))  # six items are few
    assert read["votes"]["prior"] == [[4, 2], [4, 2]]
    assert [one["sensitivity"] for one in read["votes"]["raters"]] == pytest.approx(
        model.sensitivity.tolist(), nan_ok=True
    )
    known = rw.rater_table(said, {"a": A, "b": B})
    for k, one in enumerate(read["votes"]["against_the_rest"]):
        assert (one["rater"], one["votes"]) == (HEADER[k], known.votes[k])
        assert one["kappa"] == pytest.approx(known.kappa[k])
        assert one["sensitivity_low"] == pytest.approx(known.sensitivity_interval[k, 0])
        changes = [effect.change[k] for effect in known.effects]
        assert list(one["auc_prt_changes"].values()) == pytest.approx(changes)
    _, out, err = run("score", votes, *RATERS, "--score", "a")
    assert "Raters, by Dawid and Skene, Beta priors" in out
    assert "Raters, each against the rest" in out
    assert "AUC_PRT of a without" in out
    assert "have Beta(4, 2) priors" in err
    assert "16 votes by 3 raters on 6 items" in out
    assert "AUC_PRT" in out
    assert f"against this truth; the highest is {1 - found.aapcc:.3f}." in out
    _, out, _ = run("score", votes, *RATERS, "--score", "a", "--format", "csv")
    (line,) = csv.DictReader(io.StringIO(out))
    assert float(line["auc_ceiling"]) == pytest.approx(1 - found.aapcc)


def test_compare_and_report_by_raters(run, votes, tmp_path):
    models = ["--score", "a", "--score", "b"]
    _, out, _ = run("compare", votes, *RATERS, *models, "--format", "json")
    pair = json.loads(out)["pairs"][0]
    expected = rw.compare(TRUTH, {"a": A, "b": B}, statistic="auc_prt").pairs[0]
    assert pair["statistic"] == "auc_prt"
    assert pair["difference"] == pytest.approx(expected.difference)
    assert pair["p_value"] == pytest.approx(expected.p_value)
    told = ["--statistic", "auc_prt", "--resample-votes", "--resamples", "50", "--seed", "1"]
    _, out, _ = run("compare", votes, *RATERS, *models, *told, "--format", "json")
    again = json.loads(out)["pairs"][0]
    assert again["method"] == "bootstrap-votes"
    assert again["low"] <= pair["low"] < pair["high"] <= again["high"]
    code, _, err = run("compare", votes, "--label", "a", *models, "--resample-votes")
    assert code == 2
    assert "--resample-votes goes with --raters" in err
    page = tmp_path / "page.html"
    code, _, _ = run("report", votes, *RATERS, *models, "-o", page)
    assert code == 0
    assert page.exists()


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # few rows, no spread
def test_tallies_and_report_from_python():
    data = {name: [row[k] if row[k] != "" else None for row in ROWS]
            for k, name in enumerate(HEADER)}  # fmt: skip
    tallies = rw.tallies(data, score=["a", "b"], raters=["ann", "bob", "cy"])
    assert tallies["a", ()].area == pytest.approx(rw.roc(TRUTH, A).area)
    assert tallies["b", ()].area == pytest.approx(rw.roc(TRUTH, B).area)
    assert rw.report(data, score="a", raters=["ann", "bob", "cy"]).html.startswith("<!doctype")
    with pytest.raises(rw.errors.OptionError, match="label and raters cannot both be given"):
        rw.tallies(data, score="a", label="ann", raters="bob")
    with pytest.raises(rw.errors.OptionError, match="label and raters cannot both be given"):
        rw.report(data, score="a", label="ann", raters="bob")


def test_text_votes_and_a_positive_one(run, table):
    rows = [[("yes", "no")[not v] if v != "" else "" for v in row[:3]] + row[3:] for row in ROWS]
    path = table(HEADER, *rows)
    code, out, _ = run(
        "score", path, *RATERS, "--score", "a", "--positive", "yes", "--format", "json"
    )
    assert code == 0
    assert json.loads(out)["models"][0]["auc"] == pytest.approx(rw.roc(TRUTH, A).area)


def test_an_item_without_a_vote(run, table):
    path = table(HEADER, *ROWS, ["", "", "", 0.2, 0.2])
    code, _, err = run("score", path, *RATERS, "--score", "a")
    assert code == 2
    assert "row 6, line 8" in err
    assert "has no vote" in err
    code, out, err = run(
        "score", path, *RATERS, "--score", "a", "--invalid", "drop", "--format", "json"
    )
    assert code == 0
    assert json.loads(out)["models"][0]["rows"] == 6
    assert json.loads(out)["rows"]["a"] == {"used": 6, "dropped": 1}
    assert err.count("left out") == 1
    _, _, err = run("score", path, *RATERS, "--score", "a", "--score", "b", "--invalid", "drop")
    (words,) = [line for line in err.splitlines() if "left out" in line]
    assert words.startswith("Note: Columns 'a' and 'b' of ")
    assert words.endswith(
        ": 1 of 7 rows was left out because a vote, score or weight was missing or not usable: "
        "row 6."
    )


def test_two_raters_leave_doubt_and_one_has_no_rates(run, votes):
    two = ["--raters", "ann", "--raters", "cy", "--score", "a", "--invalid", "drop"]
    code, out, err = run("score", votes, *two)
    assert code == 0
    assert "Note: No item has three votes, so the rates are not identified" in err
    assert "the models are held against the share of votes" in err
    assert "Raters, by Dawid and Skene" in out
    code, out, err = run("score", votes, "--raters", "bob", "--score", "a")
    assert (code, err) == (0, "")
    assert "Dawid" not in out
    assert "6 votes by 1 rater on 6 items" in out


def test_a_vote_in_another_spelling_speaks_of_the_option(run, table):
    path = table(["ann", "a"], ["Yes", 0.9], ["no", 0.2], ["yes", 0.4])
    code, _, err = run("score", path, "--raters", "ann", "--score", "a", "--positive", "Yes")
    assert code == 2
    assert "is 'yes', written differently from --positive 'Yes'." in err
    assert "pos_label" not in err


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        ([[2, 1, 1, 0.5, 0.5]], [], "is 2, not 0 or 1"),
        ([], ["--label", "ann"], "--label does not go together with --raters"),
        ([], ["--raters", "ann"], "--raters names 'ann' twice: name each rater once."),
        ([], ["--raters", "a"], "Column 'a' is named by --raters and by --score"),
        (
            [],
            ["--class-score", "x=a", "--cut", "1"],
            "--cut does not go together with --class-score",
        ),
    ],
)
def test_bad_raters(run, table, rows, options, words):
    path = table(HEADER, *ROWS, *rows)
    score = [] if "--class-score" in options else ["--score", "a"]
    code, _, err = run("score", path, *RATERS, *score, *options)
    assert code == 2
    assert words in err


def test_rows_that_one_model_lacks(run, table):
    path = table(HEADER, *ROWS, [1, 1, 0, "", 0.5])
    _, out, _ = run(
        "score", path, *RATERS, "--score", "a", "--score", "b", "--invalid", "drop",
        "--format", "json",
    )  # fmt: skip
    rows = json.loads(out)["models"]
    assert [row["rows"] for row in rows] == [6, 7]
    assert rows[0]["auc_prt"] == pytest.approx(rw.metrics.auc_prt_score(TRUTH, A))
    assert rows[1]["auc_prt"] is None  # its items are not those that all models share


def test_columns_of_one_name_in_two_types():
    data = {"y": [1, 0, 1, 0, 1, 0], 1: A, "1": B}
    html = rw.report(data, label="y", score=[1, "1"]).html
    found = rw.compare(data["y"], {"x": A, "y": B}).pairs[0].difference
    assert f"{abs(found):.4f}" in html
    assert np.isfinite(found)


def test_clusters_of_votes_with_a_missing_score():
    data = {name: [row[k] if row[k] != "" else None for row in ROWS]
            for k, name in enumerate(HEADER)}  # fmt: skip
    data["a"][2] = None
    data["patient"] = ["x", "x", "y", "y", "z", "z"]
    with pytest.warns(rw.errors.RocwalkWarning):
        page = rw.report(
            data, score="a", raters=["ann", "bob", "cy"], cluster="patient", invalid="drop"
        )
    assert page.study.paired.votes.tolist() == [3, 2, 3, 2, 3]


def test_all_truths_alike_have_no_auc_prt(run, table):
    rows = [[1, 0, 0.1 * k, 0.5] for k in range(1, 7)]
    path = table(["ann", "bob", "a", "b"], *rows)
    code, out, _ = run(
        "score", path, "--raters", "ann", "--raters", "bob", "--score", "a", "--format", "json"
    )
    assert code == 0
    assert json.loads(out)["models"][0]["auc_prt"] is None
    with pytest.raises(rw.errors.OneClassError, match="auc_prt does not exist"):
        rw.interval([0.5] * 6, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], statistic="auc_prt")


@pytest.mark.parametrize("command", ["score", "report"])
@pytest.mark.parametrize(("copies", "fits"), [(1, 2), (30, 1)], ids=["weak", "enough"])
def test_the_raters_are_fitted_once(run, table, tmp_path, monkeypatch, command, copies, fits):
    """A model that is weakly identified is fitted a second time, with priors."""
    page = ["-o", tmp_path / "page.html"] if command == "report" else []
    called = [command, table(HEADER, *ROWS * copies), *RATERS, "--score", "a", *page]
    run(*called)  # loads what it needs
    calls = count_calls(monkeypatch, "rocwalk.truth.rater_models", "fit_raters")
    code, _, err = run(*called)
    assert code == 0, err
    assert len(calls) == fits
