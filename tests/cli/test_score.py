"""`rocwalk score`: tables, JSON and CSV have the numbers of the library."""

from __future__ import annotations

import csv
import io
import json
import os

import numpy as np
import polars as pl
import pytest

import rocwalk as rw
from commands import EXAMPLE, MODELS, example_column


def test_table(run):
    code, out, err = run("score", EXAMPLE, *MODELS)
    assert (code, err) == (0, "")
    for text in ("logistic", "naive_bayes", "569", "212", "0.8856", "0.8666", "Best threshold"):
        assert text in out
    assert "logistic: A random positive outscores a random negative with probability 0.886" in out


def test_json_has_the_librarys_numbers_and_provenance(run):
    code, out, _ = run("score", EXAMPLE, *MODELS, "--format", "json")
    read = json.loads(out)
    assert code == 0
    assert read["rocwalk"] == rw.__version__
    assert read["command"] == "score"
    assert read["options"]["score"] == ["logistic", "naive_bayes"]
    assert read["options"]["files"] == [str(EXAMPLE)]
    assert read["rows"]["logistic"] == {"used": 569, "dropped": 0}
    y = np.array(example_column("malignant"), dtype=int)
    for row in read["models"]:
        curve = rw.roc(y, np.array(example_column(row["model"]), dtype=float))
        assert row["auc"] == curve.area
        assert row["hull_area"] == curve.hull.area
        assert (row["threshold"], row["threshold_above"]) == (
            curve.best().threshold,
            curve.best().interval[0],
        )
        assert (row["tpr"], row["fpr"]) == (curve.best().tpr, curve.best().fpr)


def test_csv(run):
    code, out, _ = run("score", EXAMPLE, *MODELS, "--by", "size", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert [row["model"] for row in rows] == ["logistic", "naive_bayes"] + ["logistic"] * 2 + [
        "naive_bayes"
    ] * 2
    assert [row["by size"] for row in rows] == ["", "", "large", "small", "large", "small"]
    assert float(rows[0]["auc"]) == pytest.approx(0.8856, abs=1e-4)


def test_gaps_between_subgroups(run):
    _, out, _ = run("score", EXAMPLE, *MODELS, "--by", "size", "--format", "json")
    found = json.loads(out)["subgroup_gaps"]
    assert [row["model"] for row in found] == ["logistic", "naive_bayes"]
    y, s, size = map(np.array, (example_column(k) for k in ("malignant", "logistic", "size")))
    known = rw.subgroups(y.astype(int), s.astype(float), size)
    assert found[0]["gap_high"] == pytest.approx(known.gap.high)
    assert found[0]["bpsn"] == pytest.approx([one.bpsn.estimate for one in known.background])
    assert found[0]["equality_p_value"] == pytest.approx(known.equality.p_value)
    _, out, _ = run("score", EXAMPLE, *MODELS, "--by", "size")
    assert "Subgroups against the rest" in out
    assert "no gap is shown" in out


def test_folds_of_clusters(run, tmp_path):
    rng = np.random.default_rng(3)
    patient = np.repeat(np.arange(30), 5)
    y = rng.integers(0, 2, len(patient))
    score = y + rng.normal(size=30)[patient] + rng.normal(size=len(y))
    columns = {"y": y, "s": score.round(3), "patient": patient, "f": patient % 3}
    columns["mixed"] = np.arange(len(y)) % 3
    file = tmp_path / "folds.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([list(columns), *zip(*columns.values(), strict=True)])
    options = ["--label", "y", "--score", "s", "--cluster", "patient", "--format", "json"]
    found = json.loads(run("score", file, *options, "--fold", "f")[1])
    one = rw.cross_validation(y, columns["s"], columns["f"], cluster=patient).models[0]
    (told,) = found["folds"]
    assert (told["mean_auc_low"], told["mean_auc_high"]) == pytest.approx((one.low, one.high))
    assert told["interval_method"] == "jackknife"
    assert found["notes"] == []
    mixed = json.loads(run("score", file, *options, "--fold", "mixed")[1])
    assert "30 clusters have rows in several folds" in mixed["notes"][0]
    few = ["--label", "y", "--score", "s", "--cluster", "f"]
    _, _, err = run("score", file, *few)
    assert "not reliable here: there are 3 clusters" in err


def test_tests_of_several_models_have_the_adjusted_p_values_of_the_page(run):
    """What the terminal, the JSON output and the first screen say of subgroups is one test."""
    _, out, _ = run("score", EXAMPLE, *MODELS, "--by", "size", "--format", "json")
    rows = json.loads(out)["subgroup_gaps"]
    data = pl.read_csv(EXAMPLE).to_dict(as_series=False)
    names = [row["model"] for row in rows]
    groups = rw.report(data, label="malignant", score=names, by=["size"]).findings.groups
    for row in rows:
        test = groups.tests[row["model"]]
        assert test.comparisons == 2
        assert row["equality_chi_squared"] == test.chi_squared
        assert row["meaning"][1] == test.sentence
        assert "(Holm, 2 models)" in test.sentence
    _, out, _ = run("score", EXAMPLE, *MODELS, "--by", "size")
    assert out.count("(Holm, 2 models)") == 2


def test_weighted_positives_are_named(run, tmp_path):
    """With weights of more than one, positives may outnumber rows."""
    path = tmp_path / "weighted.csv"
    path.write_text("y,p,w\n" + "\n".join(f"{k % 2},{k / 9},3" for k in range(10)) + "\n")
    words = "Positives are the sum of their weights, rows are counted."
    code, out, _ = run("score", path, "--label", "y", "--score", "p", "--weight", "w")
    assert code == 0
    assert words in out
    _, out, _ = run("score", path, "--label", "y", "--score", "p")
    assert words not in out
    page = rw.report(path, label="y", score="p", weight="w")
    assert words in page.html


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "f1",
            "needs a threshold.\nHint: name it after an @, as in --statistic 'f1@threshold=0.2'",
        ),
        ("lift", "as in --statistic 'lift@rate=0.05'"),
        ("expected_cost@threshold=0.3", "'expected_cost@threshold=0.3,costs=1:5'"),
    ],
)
def test_a_statistic_without_its_point_is_told_how_to_name_it(run, text, words):
    """--threshold is the rule of the command, so the hint must not ask for it."""
    code, _, err = run("score", EXAMPLE, *MODELS, "--statistic", text, "--threshold", "0.2")
    assert code == 2
    assert words in err


def test_subgroups_and_folds(run):
    _, out, _ = run("score", EXAMPLE, *MODELS, "--by", "size", "--fold", "fold", "--format", "json")
    read = json.loads(out)
    y, s, size, fold = map(
        np.array, (example_column(k) for k in ("malignant", "logistic", "size", "fold"))
    )
    y, s = y.astype(int), s.astype(float)
    large = next(
        r for r in read["subgroups"] if (r["model"], r["by size"]) == ("logistic", "large")
    )
    assert large["auc"] == rw.roc(y[size == "large"], s[size == "large"]).area
    areas = [rw.roc(y[fold == k], s[fold == k]).area for k in sorted(set(fold))]
    whole = rw.cross_validation(y, s, fold).models[0]
    assert read["folds"][0] == {
        "model": "logistic",
        "folds": 5,
        "undefined": 0,
        "mean_auc": pytest.approx(np.mean(areas)),
        "mean_auc_low": pytest.approx(whole.low),
        "mean_auc_high": pytest.approx(whole.high),
        "interval_method": "influence",
        "spread": pytest.approx(np.std(areas, ddof=1)),
        "lowest": min(areas),
        "highest": max(areas),
    }
    other = np.array(example_column("naive_bayes"), dtype=float)
    pair = rw.cross_validation(y, {"logistic": s, "naive_bayes": other}, fold).pairs[0]
    told = read["fold_pairs"][0]
    assert (told["a"], told["b"]) == ("logistic", "naive_bayes")
    assert told["p_value"] == pytest.approx(pair.p_value)
    assert told["meaning"] == pair.sentence
    _, out, _ = run("score", EXAMPLE, *MODELS, "--by", "size", "--fold", "fold")
    assert "Over the folds, logistic − naive_bayes: difference in AUC" in " ".join(out.split())
    assert "Subgroups by size" in out
    assert "Folds of fold" in out


def test_costs_prevalence_and_partial_area(run):
    _, out, _ = run(
        "score", EXAMPLE, *MODELS, "--costs", "1:5", "--prevalence", "0.1", "--max-fpr", "0.2",
        "--format", "json",
    )  # fmt: skip
    row = json.loads(out)["models"][0]
    y = np.array(example_column("malignant"), dtype=int)
    curve = rw.roc(y, np.array(example_column("logistic"), dtype=float))
    best = curve.best(rw.Costs(false_positive=1, false_negative=5, prevalence=0.1))
    assert (row["threshold"], row["expected_cost"]) == (best.threshold, best.expected_cost)
    assert row["partial_auc"] == curve.partial_area(0.2)
    assert row["standardized_partial_auc"] == curve.partial_area(0.2, standardized=True)
    _, out, _ = run("score", EXAMPLE, *MODELS, "--max-fpr", "0.2")
    assert "Partial AUC" in out
    assert "(raw)" in out


def test_the_best_threshold_closest_to_the_corner(run):
    model = ["--label", "malignant", "--score", "forest"]
    arguments = ["score", EXAMPLE, *model, "--metric", "closest"]
    _, out, _ = run(*arguments, "--format", "json")
    found = json.loads(out)
    y = np.array(example_column("malignant"), dtype=int)
    curve = rw.roc(y, np.array(example_column("forest"), dtype=float))
    best = curve.best(metric="closest")
    assert found["metric"] == "closest"
    assert found["models"][0]["threshold"] == best.threshold != curve.best().threshold
    assert "Best threshold: the shortest distance from the corner (0, 1)." in run(*arguments)[1]
    assert "Best threshold: the largest TPR − FPR." in run("score", EXAMPLE, *model)[1]


def test_a_budget_of_calls(run):
    arguments = ["score", EXAMPLE, "--label", "malignant", "--score", "forest", "--rate", "0.3"]
    _, out, _ = run(*arguments, "--format", "json")
    found = json.loads(out)
    y = np.array(example_column("malignant"), dtype=int)
    curve = rw.roc(y, np.array(example_column("forest"), dtype=float))
    row = found["models"][0]
    assert found["metric"] == "sensitivity"
    assert row["threshold"] == curve.best(rate=0.3).threshold
    assert (row["tpr_at_rate"], row["fpr_at_rate"]) == (
        curve.at(rate=0.3).tpr,
        curve.at(rate=0.3).fpr,
    )
    assert row["lift"] == pytest.approx(curve.lift(0.3))
    assert row["ks"] == curve.ks
    words = run(*arguments)[1]
    assert "Best threshold: the highest sensitivity within the budget of calls." in words
    assert "Lift there" in words
    plain = run("score", EXAMPLE, "--label", "malignant", "--score", "forest")[1]
    assert "budget" not in plain
    assert "Lift" not in plain
    assert "highest F1" in run(*arguments, "--metric", "f1")[1]
    code, _, error = run(*arguments[:-1], "1.5")
    assert code == 2
    assert "--rate 1.5 is outside [0, 1]" in error


def test_weights_and_soft_truth(run, table):
    path = table(["y", "s", "w"], [0.9, 0.8, 1], [0.2, 0.4, 2], [0.6, 0.1, 1], [0.1, 0.3, 0])
    _, out, _ = run(
        "score", path, "--label", "y", "--score", "s", "--weight", "w", "--format", "json"
    )
    row = json.loads(out)["models"][0]
    assert row["rows"] == 3
    assert row["auc"] == rw.roc([0.9, 0.2, 0.6], [0.8, 0.4, 0.1], sample_weight=[1, 2, 1]).area


def test_text_labels_and_a_positive(run, table):
    path = table(["y", "s"], ["sick", 0.9], ["well", 0.8], ["sick", 0.7], ["well", 0.1])
    code, _, err = run("score", path, "--label", "y", "--score", "s")
    assert code == 2
    assert "labels sick, well, which do not say which one is positive" in err
    _, out, _ = run(
        "score", path, "--label", "y", "--score", "s", "--positive", "sick", "--format", "json"
    )
    assert json.loads(out)["models"][0]["auc"] == 0.75
    code, _, err = run("score", path, "--label", "y", "--score", "s", "--positive", "sik")
    assert code == 2
    assert f"No row has the label 'sik' in column 'y' of {str(path)!r}.\nHint: did you mean" in err
    assert "did you mean 'sick'?" in err


def test_areas_of_classes_have_intervals(run, table, rng):
    labels = np.array(["a", "b", "c"])[np.arange(60) % 3]
    scores = (0.6 * rng.random((60, 3)) + 0.4 * (labels[:, None] == ["a", "b", "c"])).round(3)
    rows = [[label, *map(float, row)] for label, row in zip(labels, scores, strict=True)]
    rows.append(["d", 0.5, 0.5, 0.5])  # too few for an interval
    path, options = table(["y", "pa", "pb", "pc"], *rows), ["--label", "y"]
    for pair in ("a=pa", "b=pb", "c=pc", "d=pa"):
        options += ["--class-score", pair]
    code, out, err = run("score", path, *options, "--format", "json")
    assert code == 0, err
    columns = np.array([[*row[1:], row[1]] for row in rows])
    for row in json.loads(out)["classes"][:3]:
        known = rw.interval([r[0] for r in rows], columns, pos_label=row["class"])
        assert (row["auc"], row["auc_low"], row["auc_high"]) == (
            known.estimate, known.low, known.high,
        )  # fmt: skip
    assert json.loads(out)["classes"][3]["auc_low"] is None
    _, out, _ = run("score", path, *options)
    assert f"{row['auc']:.4f} ({row['auc_low']:.3f} to {row['auc_high']:.3f})" in out


def test_several_classes(run, table):
    rows = [["a", 0.7, 0.2, 0.1], ["a", 0.4, 0.5, 0.1], ["b", 0.2, 0.6, 0.2], ["c", 0.1, 0.2, 0.7]]
    path = table(["y", "pa", "pb", "pc"], *rows)
    options = ["--label", "y"]
    for pair in ("a=pa", "b=pb", "c=pc"):
        options += ["--class-score", pair]
    _, out, _ = run("score", path, *options, "--format", "json")
    read = json.loads(out)
    expected = rw.multiclass([r[0] for r in rows], [r[1:] for r in rows])
    assert read["hand_till"] == expected.hand_till
    assert read["provost_domingos"] == expected.provost_domingos
    assert [c["auc"] for c in read["classes"]] == list(expected.areas.values())
    _, out, _ = run("score", path, *options)
    assert "Hand & Till: 1.0000 (mean over pairs)" in out
    # a class that is named but absent is undefined, and said so
    code, out, err = run("score", path, *options, "--class-score", "d=pa")
    assert code == 0
    assert "undefined" in out
    assert "Column 'y' has no rows of 'd'" in err


def test_dropped_rows_are_reported(run, table):
    path = table(["y", "s"], [1, 0.9], [0, ""], [1, 0.7], [0, 0.1])
    code, _, err = run("score", path, "--label", "y", "--score", "s")
    assert code == 2
    assert "line 3 of" in err
    assert "Hint:" in err
    code, out, err = run(
        "score", path, "--label", "y", "--score", "s", "--invalid", "drop", "--format", "json"
    )
    assert code == 0
    assert err.startswith("Note: Column 's' of ")
    assert "1 of 4 rows was left out because a label, score or weight was missing" in err
    assert "row 1." in err
    read = json.loads(out)
    assert read["rows"]["s"] == {"used": 3, "dropped": 1}
    assert len(read["notes"]) == 1
    _, _, err = run("score", path, "--label", "y", "--score", "s", "--invalid", "drop", "--quiet")
    assert err == ""


def test_quiet_leaves_explanations_out(run):
    _, out, _ = run("score", EXAMPLE, *MODELS, "--quiet")
    assert "A random positive" not in out
    assert "0.8856" in out


@pytest.mark.parametrize("command", ["score", "report", "compare"])
def test_no_curve_ends_in_one_block(run, table, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    options = ["--label", "y", "--score", "s", "--score", "t"]
    path = table(["y", "s", "t"], [1, 0.9, 0.1], [1, 0.4, 0.2])
    code, out, err = run(command, path, *options)
    assert (code, out) == (2, "")
    assert "Column 'y' has no negative item among the rows used" in err
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize("command", ["score", "report", "compare"])
def test_one_score_for_all_items_is_a_baseline(run, table, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    path = table(["y", "s", "t"], *([k % 2, 0.4, 0.1 * k] for k in range(10)))
    options = ["--label", "y", "--score", "s", "--score", "t", "--format", "json"]
    code, out, err = run(command, path, *options)
    assert code == 0
    words = (
        "Column 's' has the same score for all items, 0.4: it ranks nothing, and its AUC is 0.5."
    )
    assert err == f"Note: {words}\n"
    read = json.loads(out)
    assert read["notes"] == [words]
    first = read["pairs"][0]["value"] if command == "compare" else read["models"][0]["auc"]
    assert first == 0.5


def test_scores_that_rank_backwards(run, table):
    rows = [[k % 2, 0.9 - 0.5 * (k % 2) + 0.001 * k] for k in range(40)]
    path = table(["y", "s"], *rows)
    code, out, err = run("score", path, "--label", "y", "--score", "s")
    assert code == 0
    assert "s: the scores rank backwards, the whole interval of the AUC lies below 0.5." in err
    assert "Hint: is the other label the positive one (--positive)" in err
    assert "Best threshold: the largest TPR − FPR. A threshold of ∞ calls no item positive" in out
    code, out, err = run("score", path, "--label", "y", "--score", "s", "--positive", 0)
    assert (code, err) == (0, "")
    assert "∞" not in out


def test_what_the_best_threshold_is_best_for(run):
    _, out, _ = run("score", EXAMPLE, *MODELS)
    assert "Best threshold: the largest TPR − FPR.\n" in out
    _, out, _ = run("score", EXAMPLE, *MODELS, "--costs", "1:5")
    assert (
        "Best threshold: the least expected cost at costs of 1 : 5 (false alarm : miss).\n" in out
    )
    _, out, _ = run("score", EXAMPLE, *MODELS, "--threshold", "0.3")
    assert "Threshold: the threshold that was given.\n" in out
    assert "The rates are those of the threshold that was given." in out
    assert "Best threshold" not in out
    assert "too good" not in out
    _, out, _ = run("score", "--help")
    assert "largest TPR − FPR" in out


def test_subgroups_and_folds_of_one_class_are_said(run, table):
    rows = [
        [1, 0.9, "a"],
        [0, 0.2, "a"],
        [1, 0.4, "b"],
        [0, 0.5, "b"],
        [1, 0.7, "c"],
        [1, 0.6, "c"],
    ]
    for order in (rows, rows[::-1]):
        path = table(["y", "s", "g"], *order)
        options = ["--label", "y", "--score", "s", "--by", "g", "--fold", "g"]
        code, out, err = run("score", path, *options)
        assert code == 0
        assert "undefined" in out
        assert "s: 1 folds have one class only and are left out" in err
        _, out, _ = run("score", path, *options, "--format", "json")
        fold = json.loads(out)["folds"][0]
        assert (fold["folds"], fold["mean_auc"], fold["lowest"], fold["highest"]) == (2, 0.5, 0, 1)


def test_all_rows_decide_whether_scores_are_probabilities(run, table):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 80)
    marker = np.where(y == 1, 1.1, 0.6) * rng.random(80)
    sex = np.where(marker > 1, "f", np.where(rng.random(80) < 0.5, "m", "f"))
    assert marker.max() > 1 > marker[sex == "m"].max()
    path = table(["y", "marker", "sex"], *zip(y, marker, sex, strict=True))
    options = ["--label", "y", "--score", "marker", "--by", "sex", "--fold", "sex"]
    _, out, _ = run("score", path, *options, "--format", "json")
    read = json.loads(out)
    assert [row["by sex"] for row in read["subgroups"]] == ["f", "m"]
    for row in read["models"] + read["subgroups"]:
        assert (row["probabilistic_auc"], row["matched_width"], row["brier"]) == (None,) * 3
        assert any("not all within [0, 1]" in one for one in row["meaning"])


def test_several_files_and_patterns(run, table, tmp_path):
    one = table(["y", "s"], [1, 0.9], [0, 0.8], name="a1.csv")
    other = table(["y", "s"], [1, 0.7], [0, 0.1], name="a2.csv")
    for files in ([one, other], [tmp_path / "a*.csv"]):
        _, out, _ = run("score", *files, "--label", "y", "--score", "s", "--format", "json")
        assert json.loads(out)["models"][0]["auc"] == 0.75


def test_json_file(run, tmp_path):
    target = tmp_path / "out.json"
    code, out, _ = run("score", EXAMPLE, *MODELS, "--json", target)
    assert code == 0
    assert "logistic" in out
    assert json.loads(target.read_text())["models"][0]["model"] == "logistic"
    assert target.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_failure_leaves_the_old_json_file(run, table, tmp_path):
    target = tmp_path / "out.json"
    target.write_text("old")
    broken = table(["y", "s"], [1, "x"])
    code, _, _ = run("score", broken, "--label", "y", "--score", "s", "--json", target)
    assert code == 2
    assert target.read_text() == "old"
    code, _, err = run("score", EXAMPLE, *MODELS, "--json", tmp_path / "no" / "out.json")
    assert code == 2
    assert "could not be written: No such file or directory" in err
    assert not list(tmp_path.glob("*.part"))


def test_the_seed_is_kept_and_printed_where_something_is_drawn(run):
    _, out, _ = run("compare", EXAMPLE, *MODELS, "--method", "bootstrap", "--resamples", "50")
    assert "Seed: 0" in out
    for command in ("score", "compare"):
        _, out, _ = run(command, EXAMPLE, *MODELS)
        assert "Seed" not in out
        _, out, _ = run(command, EXAMPLE, *MODELS, "--format", "json")
        assert json.loads(out)["options"]["seed"] == 0


HOSTILE = [
    "[/bad]",
    "[red]x[/red]",
    "\x1b[31mred",
    '"><script>',
    "a\u2028b",
    "=1+1",
    'quo"te',
    "o'clock; drop",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_column_names_are_text(run, table, name):
    path = table(["y", name], [1, 0.9], [0, 0.8], [1, 0.7], [0, 0.1])
    code, out, _ = run("score", path, "--label", "y", "--score", name)
    assert code == 0
    assert "\x1b" not in out
    assert "\u2028" not in out
    if name.isprintable():
        assert name in out
    code, _, err = run("score", path, "--label", name + "x", "--score", name)
    assert code == 2
    assert "\x1b" not in err


def test_csv_output_holds_no_formulas(run, table):
    path = table(["y", "=1+1"], [1, 0.9], [0, 0.8])
    _, out, _ = run("score", path, "--label", "y", "--score", "=1+1", "--format", "csv")
    assert next(csv.DictReader(io.StringIO(out)))["model"] == "'=1+1"


def test_ambiguous_commas_are_refused_and_options_settle_them(run, tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("y\ts\n0\t900\n0\t950\n1\t1,000\n1\t1,250\n0\t990\n1\t2,100\n")
    command = ("score", path, "--label", "y", "--score", "s", "--format", "json")
    code, _, err = run(*command)
    assert code == 2
    assert "Column 's' at row 2, line 4 of" in err
    assert "read with --decimal ',' as 1, or with --thousands ',' as 1000" in err
    for options, area in ((("--thousands", ","), 1.0), (("--decimal", ","), 0.0)):
        code, out, _ = run(*command, *options)
        read = json.loads(out)
        assert (code, read["models"][0]["auc"]) == (0, area)
        assert read["options"][options[0][2:]] == options[1]


def test_separator_and_encoding(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("größe~s\n1~0.5\n0~0.25\n".encode("cp1252"))
    options = ("--separator", "~", "--encoding", "cp1252", "--format", "json")
    for columns in (("--label", "größe"), ("--label", "größe", "--score", "s")):
        code, out, _ = run("score", path, *columns, *options)
        assert (code, json.loads(out)["models"][0]["auc"]) == (0, 1.0)
    code, _, err = run("score", path, "--separator", "~", "--label", "größe", "--score", "s")
    assert code == 2
    assert "as in --encoding 'cp1252'" in err


def test_a_rule_is_given_as_a_threshold_or_a_budget(run):
    _, out, _ = run("score", EXAMPLE, *MODELS, "--threshold", "0.5", "--format", "json")
    read = json.loads(out)
    y = np.array(example_column("malignant"), dtype=int)
    curve = rw.roc(y, np.array(example_column("logistic"), dtype=float))
    row = read["models"][0]
    assert (row["threshold"], row["tpr"]) == (0.5, curve.at(0.5).tpr)
    assert read["rule"]["kind"] == "threshold"
    code, _, err = run("score", EXAMPLE, *MODELS, "--threshold", "0.5", "--rate", "0.1")
    assert code != 0
    assert "also how to choose one" in err
