"""Votes one a row beside scores: the same numbers as with one column a rater, or a named error."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import rocwalk as rw
from rocwalk.errors import ColumnError, DroppedRowsWarning, LabelError, OptionError

RATERS = ["ann", "bob", "cy"]
WIDE = pd.DataFrame(
    {
        "case": [f"c{i}" for i in range(8)],
        "ann": [1, 2, 4, 3, 1, 4, 2, 3],
        "bob": [1, 3, 4, 2, 2, 4, 1, 4],
        "cy": [2, np.nan, 3, 1, 4, 3, np.nan, 4],
        "p": [0.1, 0.4, 0.8, 0.35, 0.3, 0.9, 0.2, 0.7],
        "q": [0.3, 0.2, 0.9, 0.15, 0.6, 0.5, 0.1, 0.8],
        "site": ["x", "y"] * 4,
    }
)
LONG = (
    WIDE.melt(["case", "p", "q", "site"], RATERS, "reader", "said").dropna().astype({"said": int})
)
COLUMNS = {"item": "case", "rater": "reader", "vote": "said"}
OPTIONS = ["--item", "case", "--rater", "reader", "--vote", "said", "--score", "p", "--score", "q"]
AS_COLUMNS = [word for name in RATERS for word in ("--raters", name)]
RULES = {
    "cut": ["--cut", "3"],
    "one against the rest": ["--positive", "4"],
    "mean": ["--scale", "1:4"],
    "mean of a list": ["--scale", "1,2,3,4"],
    "weights": ["--cut", "3", "--rater-weight", "ann=2", "--rater-weight", "cy=0.5"],
}


@pytest.fixture
def files(tmp_path):
    WIDE.to_csv(tmp_path / "wide.csv", index=False)
    LONG.to_csv(tmp_path / "long.csv", index=False)
    LONG[list(COLUMNS.values())].to_csv(tmp_path / "votes.csv", index=False)
    WIDE[["case", "p", "q", "site"]].to_csv(tmp_path / "scores.csv", index=False)
    return tmp_path


def ran(run, *words):
    code, out, err = run(*words, "--format", "json")
    assert code == 0, err
    found = json.loads(out)
    return {key: found[key] for key in found if key not in ("options", "files", "page")}


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
@pytest.mark.parametrize("command", ["score", "compare"])
def test_long_is_wide_is_two_files(run, files, command, rule):
    wide = ran(run, command, files / "wide.csv", *AS_COLUMNS, *OPTIONS[6:], *rule)
    assert ran(run, command, files / "long.csv", *OPTIONS, *rule) == wide
    apart = ["--votes", files / "votes.csv"]
    assert ran(run, command, files / "scores.csv", *OPTIONS, *apart, *rule) == wide


def test_the_order_of_the_rows_changes_nothing(run, files):
    score = ["--site", "--by", "site"][1:]
    one = ran(run, "score", files / "long.csv", *OPTIONS, "--cut", "3", *score)
    LONG.sample(frac=1, random_state=5).to_csv(files / "long.csv", index=False)
    other = ran(run, "score", files / "long.csv", *OPTIONS, "--cut", "3", *score)
    for a, b in zip(
        one["models"] + one["subgroups"], other["models"] + other["subgroups"], strict=True
    ):
        assert a["auc"] == pytest.approx(b["auc"], abs=1e-12)
        assert a["auc_prt"] == pytest.approx(b["auc_prt"], abs=1e-12)


def test_the_numbers_are_those_of_the_library(run, files):
    truth = rw.votes(LONG, **COLUMNS, scale=(1, 4))
    scores = WIDE.set_index("case").loc[truth.items]
    found = ran(run, "score", files / "long.csv", *OPTIONS, "--scale", "1:4")
    expected = rw.reference_truth(truth.truth, scores["p"])
    assert found["models"][0]["auc_prt"] == pytest.approx(expected.auc_prt)
    assert found["votes"]["reading"] == truth.reading
    assert found["votes"]["fleiss_kappa"] == pytest.approx(truth.fleiss_kappa)
    assert found["votes"]["raters"] == []  # a model of raters is of two kinds of votes
    code, out, _ = run("score", files / "long.csv", *OPTIONS, "--scale", "1:4")
    assert code == 0
    assert "mean rating, rescaled from 1 to 4 onto 0 to 1" in " ".join(out.split())
    code, out, err = run("score", files / "long.csv", *OPTIONS)
    assert "Note: The votes are ratings from 1 to 4 without a cut" in err
    assert "--scale 1:4" in err


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
@pytest.mark.parametrize("rule", [{"cut": 3}, {"scale": (1, 4)}, {"pos_label": 4}])
def test_the_page_says_how_votes_were_read(rule):
    page = rw.report(LONG, score=["p", "q"], **COLUMNS, **rule)
    wide = rw.report(WIDE, score=["p", "q"], raters=RATERS, **rule)
    assert page.findings.raters.votes[0].reading in " ".join(page.html.split()).replace(
        "&#39;", "'"
    )
    assert page.findings.raters.votes[0].reading
    assert page.findings.places[0][0].auc_prt == pytest.approx(wide.findings.places[0][0].auc_prt)
    apart = rw.report(
        WIDE[["case", "p", "q"]],
        score=["p", "q"],
        votes=LONG[list(COLUMNS.values())],
        **COLUMNS,
        **rule,
    )
    assert apart.findings.places[0][0].auc_prt == pytest.approx(wide.findings.places[0][0].auc_prt)
    assert ("Dawid" in page.html) == ("scale" not in rule)


def test_clusters_weights_and_groups_belong_to_items(files, run):
    LONG.assign(patient=LONG["case"].str[1].astype(int) // 2, w=1 + LONG["p"]).to_csv(
        files / "long.csv", index=False
    )
    WIDE.assign(patient=WIDE["case"].str[1].astype(int) // 2, w=1 + WIDE["p"]).to_csv(
        files / "wide.csv", index=False
    )
    more = ["--cut", "3", "--cluster", "patient", "--weight", "w"]
    long = ran(run, "score", files / "long.csv", *OPTIONS, *more)
    assert long == ran(run, "score", files / "wide.csv", *AS_COLUMNS, *OPTIONS[6:], *more)


def test_every_class_against_the_rest(run, files):
    shares = {k: (LONG["said"] == k).groupby(LONG["case"]).mean() for k in (1, 2, 3, 4)}
    scores = WIDE.assign(**{f"p{k}": (WIDE["p"] * k * 7) % 1 for k in (1, 2, 3, 4)})
    scores.to_csv(files / "scores.csv", index=False)
    classes = [word for k in (1, 2, 3, 4) for word in ("--class-score", f"{k}=p{k}")]
    apart = [*OPTIONS[:6], "--votes", files / "votes.csv"]
    found = ran(run, "score", files / "scores.csv", *apart, *classes)
    for row, k in zip(found["classes"], (1, 2, 3, 4), strict=True):
        truth = shares[k].loc[WIDE["case"]].to_numpy()
        area = rw.roc(truth, scores[f"p{k}"], truth="soft").area
        assert row["auc"] == pytest.approx(area, abs=1e-12)
        assert row["prevalence"] == pytest.approx(truth.mean())
    assert ran(run, "score", files / "scores.csv", *AS_COLUMNS, *classes) == found
    assert found["rows"] == {"classes": {"used": 8, "dropped": 0}}
    assert found["hand_till_low"] < found["hand_till"] < found["hand_till_high"]
    weighed = ran(run, "score", files / "scores.csv", *apart, *classes, "--rater-weight", "cy=0")
    two = [word for name in RATERS[:2] for word in ("--raters", name)]
    assert weighed["classes"] == ran(run, "score", files / "scores.csv", *two, *classes)["classes"]


def test_items_without_votes_and_votes_without_items(run, files):
    more = pd.concat([WIDE, WIDE.iloc[:1].assign(case="c9")])
    more.to_csv(files / "scores.csv", index=False)
    apart = [*OPTIONS, "--votes", files / "votes.csv", "--cut", "3"]
    code, _, err = run("score", files / "scores.csv", *apart)
    assert code == 2
    assert "Item 'c9' at row 8, line 10" in err
    assert "has no vote" in err
    code, out, err = run(
        "score", files / "scores.csv", *apart, "--invalid", "drop", "--format", "json"
    )
    assert json.loads(out)["rows"]["p"] == {"used": 8, "dropped": 1}
    WIDE.iloc[1:].to_csv(files / "scores.csv", index=False)
    code, _, err = run("score", files / "scores.csv", *apart)
    assert code == 2
    assert "is on item 'c0', which has no row of scores" in err
    code, out, err = run(
        "score", files / "scores.csv", *apart, "--invalid", "drop", "--format", "json"
    )
    assert code == 0
    assert "the item of the vote has no row of scores" in err
    assert json.loads(out)["rows"]["p"] == {"used": 7, "dropped": 0}


BAD = {
    "a score that differs": (
        LONG.assign(p=np.arange(len(LONG)) / 100), {}, ColumnError,
        r"Column 'p' is 0.0 at row 0 and 0.08 at row 8, which are both of item 'c0'",
    ),
    "twice": (
        pd.concat([LONG, LONG.iloc[:1]]), {}, LabelError, "Rater 'ann' votes twice on item 'c0'",
    ),
    "no rater": ({"case": [1], "said": [1], "p": [1]}, {"rater": None}, OptionError, "rater is missing"),
    "one column twice": (LONG, {"rater": "case"}, OptionError, "fewer than three columns"),
    "raters too": (LONG, {"raters": ["a"]}, OptionError, "raters and rater do not go together"),
    "a label too": (LONG, {"label": "site"}, OptionError, "cannot both be given"),
    "the rater as a score": (LONG, {"score": "reader"}, OptionError, "names 'reader', who voted"),
    "an item twice": (
        pd.concat([WIDE, WIDE.iloc[:1]]), {"votes": LONG}, ColumnError,
        "Column 'case' names 'c0' at row 0 and again at row 8",
    ),
    "no such column": (LONG, {"vote": "sad"}, ColumnError, "'sad'"),
    "a cut without votes": (
        WIDE, {"item": None, "rater": None, "vote": None, "label": "ann"}, OptionError, "is of votes",
    ),
    "votes without columns": (
        WIDE, {"item": None, "rater": None, "vote": None, "votes": LONG}, OptionError,
        "of which no column is named",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "more", "kind", "words"), BAD.values(), ids=list(BAD))
def test_tables_that_cannot_be(data, more, kind, words):
    options = {"score": "p", "cut": 3} | COLUMNS | more
    with pytest.raises(kind, match=words) as said:
        rw.report(data, **options)
    assert said.value.hint


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
def test_a_reference_has_votes_of_its_own():
    with pytest.raises(OptionError, match="votes is the table of the votes of one sample"):
        rw.report(WIDE, score="p", cut=3, votes=LONG, reference=WIDE, **COLUMNS)
    page = rw.report(LONG, score="p", cut=3, reference=LONG, **COLUMNS)
    assert page.html.startswith("<!doctype html>")


def test_votes_without_a_name_are_dropped_aloud():
    lost = LONG.copy()
    lost.loc[lost.index[0], "reader"] = None
    with pytest.raises(LabelError, match="Column 'reader' at row 0 is missing"):
        rw.report(lost, score="p", cut=3, **COLUMNS)
    with pytest.warns(DroppedRowsWarning, match="1 of 22 rows was left out"):
        page = rw.report(lost, score="p", cut=3, invalid="drop", **COLUMNS)
    assert page.findings.raters.votes[0].counts.sum() == len(LONG) - 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--cut", "3", "--positive", "4"], "--positive does not go together with --cut"),
        (["--cut", "9"], "--cut 9 is outside the scale"),
        (["--scale", "1:3"], "is 4, outside the scale from 1 to 3"),
        (["--label", "site"], "--label does not go together with --vote"),
        (["--rater-weight", "ann"], "'ann' is not RATER=X"),
        (
            ["--rater-weight", "dan=2", "--cut", "3"],
            "--rater-weight names 'dan', who is not a rater",
        ),
        (["--rater-weight", "ann=1", "--rater-weight", "ann=2"], "'ann' is given twice"),
        (["--cut", "3", "--memory-limit", "1KB"], "--vote needs every row in memory"),
    ],
)
def test_options_that_cannot_be(run, files, options, words):
    code, _, err = run("score", files / "long.csv", *OPTIONS, *options)
    assert code == 2
    assert words in " ".join(err.split())


def test_the_number_of_a_rater_is_no_score(run, files):
    LONG.assign(
        reader=LONG["reader"].map({"ann": 1, "bob": 2, "cy": 3}), bad=LONG["said"] // 3
    ).to_csv(files / "long.csv", index=False)
    code, _, err = run("score", files / "long.csv", "--label", "bad", "--score", "reader")
    assert code == 0
    assert "looks like numbers of raters, which have no order" in err
    code, _, err = run("score", files / "long.csv", "--label", "bad", "--score", "p")
    assert (code, err) == (0, "")
