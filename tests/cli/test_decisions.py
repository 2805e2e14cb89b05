"""`rocwalk score` with --resamples, --on, --calibration and --smooth, against the library."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.sklearn import compare_recalibrations

NAMES = ["y", "a", "raw", "who"]


def rows(seed, n=160):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    logit = rng.normal(1.3 * y - 0.6, 1)
    a = np.round(1 / (1 + np.exp(-1.7 * logit)), 4)
    return y, a, np.round(logit, 3), np.arange(n) // 2


Y, A, RAW, WHO = rows(1)
Y2, A2, RAW2, WHO2 = rows(2, 120)


@pytest.fixture
def file(table):
    return table(NAMES, *zip(Y, A, RAW, WHO, strict=True))


def asked(run, *arguments):
    code, out, err = run("score", *arguments, "--label", "y", "--format", "json")
    assert code == 0, err
    return json.loads(out)


def test_the_choice_of_a_threshold_is_resampled(run, file):
    options = ["--metric", "f1", "--min-precision", "0.5", "--resamples", "100", "--seed", "3"]
    (row,) = asked(run, file, "--score", "a", *options)["chosen"]
    known = rw.best_threshold(Y, A, metric="f1", min_precision=0.5, n_resamples=100, rng=3)
    assert row["threshold"] == known.threshold
    assert (row["threshold_low"], row["threshold_high"]) == known.threshold_interval
    assert (row["tpr_low"], row["tpr_high"]) == (known.tpr.low, known.tpr.high)
    assert row["meaning"] == known.sentence
    code, out, _ = run("score", file, "--label", "y", "--score", "a", *options)
    assert code == 0
    assert "The choice of the threshold" in out
    assert "without the optimism of a choice on the same rows" in " ".join(out.split())
    quiet = run("score", file, "--label", "y", "--score", "a", *options, "--quiet")[1]
    assert "optimism" not in quiet
    assert "The choice of the threshold" in quiet


def test_a_second_sample_is_judged_by_the_threshold_of_the_first(run, file, tmp_path):
    second = tmp_path / "second.csv"
    with second.open("w", newline="") as out:
        csv.writer(out).writerows([NAMES, *zip(Y2, A2, RAW2, WHO2, strict=True)])
    found = asked(run, file, "--score", "a", "--costs", "1:4", "--on", second)
    (row,) = found["second"]
    costs = rw.Costs(false_positive=1, false_negative=4)
    known = rw.best_threshold(Y, A, costs=costs, n_resamples=10, rng=0).on(Y2, A2)
    assert row["threshold"] == rw.roc(Y, A).best(costs).threshold
    assert row["true_positives"] == known.confusion.true_positives
    ends = [row[f"expected_cost{end}"] for end in ("", "_low", "_high")]
    cost = known.expected_cost
    assert ends == pytest.approx([cost.estimate, cost.low, cost.high])
    assert row["sensitivity"] == pytest.approx(known.table.numbers["sensitivity"][0])
    assert {one["name"] for one in found["files"]} == {str(file), str(second)}
    out = run("score", file, "--label", "y", "--score", "a", "--on", second)[1]
    assert "The same thresholds in" in out
    code, _, err = run("score", file, "--label", "y", "--score", "a", "--on", tmp_path / "none.csv")
    assert code == 2
    assert "none.csv" in err


def test_a_second_sample_may_not_be_written_over(run, file, tmp_path):
    second = tmp_path / "second.csv"
    second.write_text("y,a\n1,0.5\n0,0.2\n")
    code, _, err = run("score", file, "--label", "y", "--on", second, "--json", second)
    assert code == 2
    assert "second.csv" in err
    assert second.read_text().startswith("y,a")


def test_the_whole_calibration(run, file):
    found = asked(run, file, "--score", "a", "--score", "raw", "--calibration")
    row, other = found["calibration"]
    assert "reach outside 0 to 1" in other["why_not"]
    known = rw.calibration(Y, A, n_resamples=200, rng=0)
    for name, one in row["numbers"].items():
        assert one["estimate"] == pytest.approx(known.intervals[name].estimate, rel=1e-9), name
    assert row["numbers"]["slope"]["low"] == pytest.approx(known.interval("slope").low)
    tests = {one["test"]: one["p_value"] for one in row["tests"]}
    assert tests["Spiegelhalter"] == pytest.approx(known.spiegelhalter.p_value)
    assert tests["Hosmer–Lemeshow"] == pytest.approx(known.hosmer_lemeshow().p_value)
    maps = compare_recalibrations(Y, A, random_state=0)
    assert row["recalibrations"]["best"] == maps.best
    by_name = {one["method"]: one["brier_loss"] for one in row["recalibrations"]["maps"]}
    assert by_name["platt"] == pytest.approx(float(maps.calibrations["platt"].brier))
    out = run("score", file, "--label", "y", "--score", "a", "--calibration")[1]
    for words in ("Losses in their parts", "Tests of calibration", "Recalibrations, on rows"):
        assert words in out
    assert "leave out" not in out  # no score is 0 or 1


def test_the_report_calibrates_as_score_does(run, file, tmp_path):
    options = ["--score", "a", "--calibration"]
    score = asked(run, file, *options)["calibration"]
    page = str(tmp_path / "page.html")
    told = ["--label", "y", *options, "-o", page]
    code, out, _ = run("report", file, *told, "--format", "json")
    assert code == 0
    assert json.loads(out)["calibration"] == score
    assert "Recalibrations, on rows" in run("report", file, *told)[1]
    html = Path(page).read_text(encoding="utf-8")
    assert f"a: {score[0]['recalibrations']['meaning']}" in html


def test_the_report_compares_with_a_margin_and_by_whole_curves(run, file, tmp_path):
    page = tmp_path / "page.html"
    told = ["--label", "y", "-o", str(page), "--score", "a"]
    code, _, err = run("report", file, *told, "--score", "raw", "--equivalence", "0.1", "--curves")
    assert code == 0, err
    html = page.read_text(encoding="utf-8")
    assert "Against the margin of 0.1" in html
    assert "Whole ROC curves on the same rows" in html
    for options in (["--equivalence", "0.1"], ["--curves"]):
        code, _, err = run("report", file, *told, *options)
        assert code == 2
        assert f"{options[0]} needs two models or more" in " ".join(err.split())


def test_scores_of_zero_and_one_are_counted_where_the_slope_is_shown(run, table):
    sure = np.where(np.arange(len(A)) < 3, 1.0, A)
    file = table(["y", "a"], *zip(Y, sure, strict=True))
    words = "The calibration slope leaves out 3 items with a score of exactly 0 or 1"
    found = asked(run, file, "--score", "a", "--calibration")
    assert words in found["models"][0]["meaning"][-1]
    assert found["calibration"][0]["left_out"] == 3
    plain = table(["y", "a"], *zip(Y, A, strict=True))
    assert not any(
        words in one for one in asked(run, plain, "--score", "a")["models"][0]["meaning"]
    )


def test_clusters_are_kept_together_by_recalibrations_and_have_no_smooth_curve(run, file):
    options = ["--cluster", "who", "--calibration", "--smooth", "binormal"]
    found = asked(run, file, "--score", "a", *options)
    known = compare_recalibrations(Y, A, random_state=0, cluster=WHO)
    told = found["calibration"][0]["recalibrations"]
    assert told["meaning"] == known.sentence
    assert told["best"] == known.best
    assert [one["method"] for one in told["maps"]] == known.to_dict()["method"]
    assert "in clusters" in found["smooth"][0]["why_not"]
    out = run("score", file, "--label", "y", "--score", "a", *options)[1]
    assert "has no binormal curve" in out
    assert "No recalibrations" not in out


def test_smooth_curves(run, file):
    methods = ["--smooth", "binormal", "--smooth", "density", "--smooth", "beta"]
    found = asked(run, file, "--score", "a", "--score", "raw", *methods)
    by_key = {(row["model"], row["method"]): row for row in found["smooth"]}
    for method in ("binormal", "density", "beta"):
        known = rw.smooth_roc(Y, A, method=method)
        row = by_key["a", method]
        assert (row["area"], row["low"]) == pytest.approx((known.area, known.interval[0]))
    assert "outside [0, 1]" in by_key["raw", "beta"]["why_not"]
    out = run("score", file, "--label", "y", "--score", "a", "--smooth", "binormal")[1]
    assert "Smooth curves" in out
    assert "hold if the model does" in " ".join(out.split())


def test_what_is_asked_for_is_in_the_csv(run, file):
    options = ["--smooth", "beta", "--calibration", "--resamples", "20", "--on", file]
    out = run("score", file, "--label", "y", "--score", "a", "--format", "csv", *options)[1]
    (row,) = csv.DictReader(io.StringIO(out))
    known = rw.smooth_roc(Y, A, method="beta")
    assert float(row["smooth_beta"]) == pytest.approx(known.area)
    assert float(row["calibration_e90"]) == pytest.approx(rw.calibration(Y, A).e90)
    assert float(row["chosen_threshold"]) == float(row["on_threshold"]) == float(row["threshold"])


def test_several_classes_have_none_of_these(run, table):
    file = table(["y", "p", "q"], ["a", 0.9, 0.1], ["b", 0.2, 0.8], ["a", 0.7, 0.3])
    classes = ["--label", "y", "--class-score", "a=p", "--class-score", "b=q"]
    for option in (["--calibration"], ["--smooth", "beta"], ["--resamples", "9"], ["--on", file]):
        code, _, err = run("score", file, *classes, *option)
        assert code == 2
        assert f"{option[0]} does not go together with --class-score" in err
    code, _, err = run("report", file, *classes, "--calibration")
    assert code == 2
    assert "--calibration does not go together with --class-score" in err


def test_few_items_have_no_recalibrations(run, table):
    file = table(["y", "a"], *zip([0, 1, 0, 1, 0, 1], [0.2, 0.7, 0.3, 0.1, 0.6, 0.9], strict=True))
    (row,) = asked(run, file, "--score", "a", "--calibration")["calibration"]
    assert "a class has fewer items" in row["recalibrations"]["why_not"]
    assert row["tests"]
