"""`rocwalk compare`: differences on the same rows, margins, whole curves, refusals."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import rocwalk as rw
from commands import (
    EXAMPLE,
    MODEL_NAMES,
    MODELS,
    count_calls,
    example_column,
)
from rocwalk.evaluate.summary import summary


def test_compare_prints_differences_on_the_same_rows(run):
    code, out, _ = run("compare", EXAMPLE, *MODELS, "--score", "forest", "--format", "json")
    read = json.loads(out)
    assert code == 0
    assert len(read["pairs"]) == 6
    y = np.array(example_column("malignant"), dtype=int)
    curves = {
        n: rw.roc(y, np.array(example_column(n), dtype=float)) for n in ("logistic", "forest")
    }
    pair = next(
        p
        for p in read["pairs"]
        if (p["a"], p["b"], p["statistic"]) == ("logistic", "forest", "auc")
    )
    assert pair["difference"] == curves["logistic"].area - curves["forest"].area
    found = rw.compare(y, {n: np.array(example_column(n), dtype=float) for n in MODEL_NAMES})
    expected = found.pairs[1]
    assert (expected.a, expected.b) == ("logistic", "forest")
    for name in ("low", "high", "z", "p_value", "adjusted_p_value", "method"):
        assert pair[name] == getattr(expected, name)
    _, out, _ = run("compare", EXAMPLE, *MODELS)
    assert "Of 100 positive–negative pairs logistic orders 1.90 more rightly" in out
    assert "+0.0190 (+0.012 to +0.026)" in out


def test_compare_by_other_statistics_resamples_with_the_seed(run):
    options = ["--statistic", "average_precision", "--statistic", "sensitivity", "--threshold", 0.5]
    options += ["--resamples", 200, "--seed", 7, "--format", "json"]
    read = [json.loads(run("compare", EXAMPLE, *MODELS, *options)[1]) for _ in range(2)]
    assert read[0] == read[1]
    y = np.array(example_column("malignant"), dtype=int)
    scores = {n: np.array(example_column(n), dtype=float) for n in MODEL_NAMES[:2]}
    found = rw.compare(y, scores, statistic="average_precision", n_resamples=200, rng=7)
    first = read[0]["pairs"][0]
    assert (first["low"], first["high"]) == (found.pairs[0].low, found.pairs[0].high)
    assert [pair["statistic"] for pair in read[0]["pairs"]] == ["average_precision", "sensitivity"]


def test_compare_against_a_margin(run):
    _, out, _ = run("compare", EXAMPLE, *MODELS, "--margin", 0.05, "--format", "json")
    auc = json.loads(out)["pairs"][0]
    assert auc["equivalent"] is True
    assert auc["non_inferior"] is True
    assert auc["adjusted_equivalence_p_value"] >= auc["equivalence_p_value"]
    assert auc["adjusted_non_inferior_p_value"] >= auc["non_inferior_p_value"]


def test_compare_says_what_is_found_against_a_margin(run):
    _, out, _ = run("compare", EXAMPLE, *MODELS, "--margin", 0.05)
    words = " ".join(out.split())
    assert "Equivalent: the two differ by less than 0.05" in words
    _, out, _ = run("compare", EXAMPLE, *MODELS, "--margin", 0.0001)
    assert "Equivalent" not in out
    _, out, _ = run("compare", EXAMPLE, *MODELS)
    assert "inferior" not in out


def test_compare_whole_curves(run):
    options = ["--curves", "--resamples", 99, "--seed", 3]
    code, out, _ = run("compare", EXAMPLE, *MODELS, *options, "--format", "json")
    assert code == 0
    (read,) = json.loads(out)["curves"]
    y = np.array(example_column("malignant"), dtype=int)
    scores = {n: np.array(example_column(n), dtype=float) for n in MODEL_NAMES[:2]}
    (found,) = rw.compare_curves(y, scores, n_resamples=99, rng=3).pairs
    assert (read["statistic"], read["p_value"]) == (found.statistic, found.p_value)
    _, out, _ = run("compare", EXAMPLE, *MODELS, *options)
    assert "Whole ROC curves on the same rows" in out
    assert "equal at every point, not whether their areas are" in " ".join(out.split())
    _, out, _ = run("compare", EXAMPLE, *MODELS)
    assert "Whole ROC curves" not in out


def test_compare_checks_and_sorts_each_column_once(run, monkeypatch):
    run("compare", EXAMPLE, *MODELS)  # loads what it needs
    checks = count_calls(monkeypatch, "rocwalk.read.arrays", "check")
    sorts = count_calls(monkeypatch, "rocwalk.tally.order", "descending_order")
    code, _, _ = run("compare", EXAMPLE, *MODELS)
    assert (code, len(checks), len(sorts)) == (0, 2, 2)


def test_compare_by_clusters(run):
    _, out, _ = run("compare", EXAMPLE, *MODELS, "--cluster", "fold", "--format", "json")
    assert json.loads(out)["pairs"][0]["method"] == "jackknife"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--statistic", "auk"], "--statistic 'auk' is not known.\nHint: did you mean 'auc'?"),
        (
            ["--statistic", "sensitivity"],
            "needs a threshold.\nHint: name it after an @, as in --statistic 'sensitivity@thresh",
        ),
        (
            ["--method", "obuchowski"],
            "is for clusters of hard labels.\nHint: give --cluster, or use 'influence'.",
        ),
        (["--threshold", "0.5"], "--threshold goes with --statistic"),
        (["--max-fpr", "0.5"], "--max-fpr goes with --statistic partial_auc"),
        (["--margin", "-1"], "--margin -1.0 is not a finite number"),
        (["--method", "permutation", "--statistic", "brier"], "is for the AUC"),
        (["--resamples", "0"], "--resamples"),
    ],
)
def test_compare_refuses_with_words(run, options, words):
    code, _, err = run("compare", EXAMPLE, *MODELS, *options)
    assert code == 2
    assert words in err


def test_scores_that_are_no_probabilities_are_named_with_their_file(run, table):
    rows = [[k % 2, (k * 37 % 41) / 41, (k * 29 % 43) / 10] for k in range(40)]
    path = table(["y", "a", "b"], *rows)
    columns = ["--label", "y", "--score", "a", "--score", "b"]
    code, out, err = run("compare", path, *columns, "--statistic", "brier")
    assert (code, out) == (2, "")
    assert f"Error: Column 'b' of {str(path)!r} has the score 4.1, outside [0, 1]." in err


def test_the_hint_for_a_point_of_the_curve_works(run):
    _, _, err = run("compare", EXAMPLE, *MODELS, "--statistic", "sensitivity")
    hint = shlex.split(err.partition(", as in ")[2].strip().removesuffix("."))
    assert hint[0] == "--statistic"
    assert run("compare", EXAMPLE, *MODELS, *hint)[0] == 0


def test_compare_drops_a_row_for_all_models(run, table):
    path = table(
        ["y", "a", "b"],
        [1, 0.9, 0.1], [0, "", 0.9], [1, 0.7, 0.8], [0, 0.1, 0.2], [1, 0.3, ""], [0, 0.8, 0.7],
    )  # fmt: skip
    options = ["--label", "y", "--score", "a", "--score", "b"]
    code, _, err = run("compare", path, *options)
    assert code == 2
    code, out, err = run("compare", path, *options, "--invalid", "drop", "--format", "json")
    assert code == 0
    assert "2 rows lack a usable value for some model" in err
    auc = json.loads(out)["pairs"][0]
    assert auc["statistic"] == "auc"
    assert auc["value"] == summary(rw.tally([1, 1, 0, 0], [0.9, 0.7, 0.1, 0.8])).auc
    assert auc["other_value"] == summary(rw.tally([1, 1, 0, 0], [0.1, 0.8, 0.2, 0.7])).auc


def test_compare_wants_two_models(run):
    code, _, err = run("compare", EXAMPLE, "--label", "malignant", "--score", "forest")
    assert code == 2
    assert "Give --score twice or more" in err


def test_compare_refuses_what_it_would_ignore(run):
    for option in ("--by", "--fold"):
        code, _, err = run("compare", EXAMPLE, *MODELS, option, "size")
        assert code == 2
        assert f"{option} does not go together with compare" in err
    with pytest.raises(rw.errors.OptionError, match="Subgroups and folds do not go together"):
        rw.report({"y": ["a", "b"]}, label="y", class_scores={"a": "y"}, by="y")
