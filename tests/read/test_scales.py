"""What votes mean: one positive vote, a cut, mean ratings, weights of raters; long and wide."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocwalk as rw
from rocwalk.errors import (
    FitWarning,
    InputError,
    LabelError,
    OptionError,
    RatingScaleWarning,
    WeightError,
)

RATINGS = {"ann": [1, 2, 4, 3, None], "bob": [1, 3, 4, 2, 2], "cy": [2, None, 3, 1, 4]}
NAMES = {1: "none", 2: "mild", 3: "clear", 4: "severe"}
WORDS = {name: [NAMES.get(one) for one in column] for name, column in RATINGS.items()}
ORDER = list(NAMES.values())
LONG = [
    {"case": f"c{i}", "reader": name, "said": value}
    for name, column in RATINGS.items()
    for i, value in enumerate(column)
    if value is not None
]
COLUMNS = {"item": "case", "rater": "reader", "vote": "said"}
RULES = {
    "a cut": {"cut": 3},
    "a cut on a scale": {"cut": 3, "scale": (1, 5)},
    "one against the rest": {"pos_label": 4},
    "the mean": {"scale": (1, 4)},
    "the mean of a longer scale": {"scale": (0, 5)},
    "weights": {"cut": 3, "rater_weight": {"ann": 2, "cy": 0.5}},
    "a rater left out": {"scale": (1, 4), "rater_weight": {"cy": 0}},
}


def by_hand(rule):
    """The truth of each item by a plain loop."""
    low, high = rule.get("scale") or (None, None)
    weights = dict.fromkeys(RATINGS, 1.0) | rule.get("rater_weight", {})
    found = []
    for i in range(5):
        up = total = 0.0
        for name, column in RATINGS.items():
            vote = column[i]
            if vote is None:
                continue
            if "cut" in rule:
                worth = float(vote >= rule["cut"])
            elif "pos_label" in rule:
                worth = float(vote == rule["pos_label"])
            else:
                worth = (vote - low) / (high - low)
            up, total = up + weights[name] * worth, total + weights[name]
        found.append(up / total)
    return found


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_truth_is_that_of_a_loop_wide_and_long_in_any_order(rule, rng):
    expected = by_hand(rule)
    wide = rw.votes(RATINGS, **rule)
    assert wide.truth.tolist() == pytest.approx(expected, abs=1e-15)
    assert rw.votes_to_truth(RATINGS, **rule).tolist() == wide.truth.tolist()
    rows = pd.DataFrame(LONG)
    for table in (rows, rows.sample(frac=1, random_state=3), pl.DataFrame(LONG)):
        long = rw.votes(table, **COLUMNS, **rule)
        truth = dict(zip(long.items.tolist(), long.truth.tolist(), strict=True))
        assert [truth[f"c{i}"] for i in range(5)] == pytest.approx(expected, abs=1e-15)
        numbers = (long.fleiss_kappa, long.krippendorff_alpha, long.split_share)
        known = (wide.fleiss_kappa, wide.krippendorff_alpha, wide.split_share)
        assert numbers == pytest.approx(known, abs=1e-12)
        assert long.reading == wide.reading


def test_words_in_an_order_are_ratings_at_equal_distances():
    assert rw.votes(WORDS, scale=ORDER).truth == pytest.approx(
        rw.votes(RATINGS, scale=(1, 4)).truth
    )
    cut = rw.votes(WORDS, scale=ORDER, cut="clear")
    assert cut.truth == pytest.approx(rw.votes(RATINGS, cut=3).truth)
    assert (
        cut.reading
        == "Ratings of 'clear' or more are positive votes (they go from 'none' to 'severe')."
    )
    one = rw.votes(WORDS, pos_label="severe")
    assert one.truth == pytest.approx(rw.votes(RATINGS, pos_label=4).truth)
    assert one.reading == (
        "Votes for 'severe' are positive, all others negative: 'clear', 'mild' and 'none'."
    )
    assert "at equal distances" in rw.votes(WORDS, scale=ORDER).reading


def test_two_kinds_say_nothing_of_their_reading():
    assert rw.votes([[1, 0], [0, 0]]).reading == ""
    assert rw.votes([["y", "n"], ["n", "n"]], pos_label="y").reading == ""
    assert rw.votes([[1, 2], [2, 2]], pos_label=2).reading == ""
    plain = rw.votes([[1, 0], [0, 0]])
    assert "reading" not in repr(plain)


def test_ratings_without_a_scale_are_noticed_and_with_one_are_not():
    with pytest.warns(RatingScaleWarning, match="ratings from 1 to 4 without a cut") as said:
        found = rw.votes(RATINGS)
    assert said[0].filename == __file__
    assert "scale=(1, 4)" in str(said[0].message)
    assert found.truth == pytest.approx(rw.votes(RATINGS, scale=(1, 4)).truth)
    assert "rescaled from 1 to 4 onto 0 to 1" in found.sentence
    rw.votes([[0, 1], [1, 1]])  # votes, no ratings: no warning, which would be an error here


@pytest.mark.parametrize(
    "table",
    [
        [[0, 1], [1, 2]],  # 0 and 1, and a mistake?
        [[0, 1], [1, -1]],  # or a code for a gap
        [[1, 2], [2, 1]],
        [[1, 2], [3, 9]],
        [[1, 2], [3, 2.5]],
        [[0, 1], [0.5, 1]],
    ],
)
def test_numbers_that_may_be_something_else_are_not_taken_for_ratings(table):
    with pytest.raises(LabelError, match="not 0 or 1") as said:
        rw.votes(table)
    assert "cut=" in said.value.hint
    assert "scale=" in said.value.hint
    values = np.array(table, dtype=float)
    low, high = float(values.min()), float(values.max())
    assert rw.votes(table, scale=(low, high)).truth == pytest.approx(
        ((values - low) / (high - low)).mean(axis=1)
    )


def test_agreement_of_ratings_is_that_of_their_categories():
    found = rw.votes(RATINGS, scale=(1, 4))
    table = pd.DataFrame(RATINGS)
    assert found.fleiss_kappa == pytest.approx(rw.agreement(table, measure="fleiss").estimate)
    interval = rw.agreement(table, measure="krippendorff", level="interval")
    assert found.krippendorff_alpha == pytest.approx(interval.estimate)
    again = rw.agreement(found, measure="krippendorff", level="interval")
    assert (again.estimate, again.low) == pytest.approx((interval.estimate, interval.low))
    assert again.categories == (1, 2, 3, 4)
    assert "Krippendorff's interval alpha" in found.sentence
    cut = rw.votes(RATINGS, cut=3)
    two = pd.DataFrame(
        {k: [None if v is None else int(v >= 3) for v in c] for k, c in RATINGS.items()}
    )
    assert cut.fleiss_kappa == pytest.approx(rw.votes(two).fleiss_kappa)
    assert "Krippendorff's alpha" in cut.sentence


def test_one_weight_for_all_changes_nothing_and_scaling_neither():
    plain = rw.votes(RATINGS, cut=3).truth.tolist()
    assert rw.votes(RATINGS, cut=3, rater_weight={"ann": 1}).truth.tolist() == plain
    one = rw.votes(RATINGS, cut=3, rater_weight={"ann": 2, "bob": 1, "cy": 4})
    other = rw.votes(RATINGS, cut=3, rater_weight={"ann": 20, "bob": 10, "cy": 40})
    assert one.truth == pytest.approx(other.truth, abs=1e-15)
    assert one.reading.endswith("The raters have different weights in the truth.")
    twice = rw.votes(RATINGS | {"ann again": RATINGS["ann"]}, cut=3)
    assert rw.votes(RATINGS, cut=3, rater_weight={"ann": 2}).truth == pytest.approx(twice.truth)
    assert rw.votes(RATINGS, cut=3, rater_weight={"cy": 0}).raters == ("ann", "bob")
    numbers = pd.DataFrame(LONG).replace({"reader": {"ann": 1, "bob": 2, "cy": 3}})
    named = rw.votes(numbers, **COLUMNS, cut=3, rater_weight={"1": 2})
    assert named.truth == pytest.approx(rw.votes(RATINGS, cut=3, rater_weight={"ann": 2}).truth)


def test_a_model_of_raters_needs_a_cut():
    with pytest.raises(InputError, match="these are ratings") as said:
        rw.votes(RATINGS, scale=(1, 4)).dawid_skene()
    assert "cut=" in said.value.hint
    with pytest.raises(InputError, match="these are ratings"):
        rw.votes_to_truth(RATINGS, scale=(1, 4), method="dawid-skene")
    table = {name: [1, 0, 1, 0, 1] for name in "abc"}
    with pytest.warns(FitWarning, match="weakly identified"):
        fitted = rw.votes(table, cut=1).dawid_skene()
    assert fitted.truth == pytest.approx([1, 0, 1, 0, 1])


BAD = {
    "cut and pos_label": ({"cut": 3, "pos_label": 4}, OptionError, "do not go together"),
    "ends and pos_label": (
        {"scale": (1, 4), "pos_label": 4}, OptionError, "does not go together with the ends",
    ),
    "a cut at the lowest": ({"cut": 1}, OptionError, "cut=1 is outside the scale: ratings go from 1 to 4"),
    "a cut above all": ({"cut": 5}, OptionError, "all votes would be negative"),
    "a cut outside a named scale": ({"cut": 6, "scale": (1, 5)}, OptionError, "from 1 to 5"),
    "a word as cut": ({"cut": "clear"}, OptionError, "not a number, as the ratings are"),
    "outside the scale": ({"scale": (1, 3)}, LabelError, "at row 2, column 'ann' is 4, outside the scale"),
    "outside, with a cut": ({"scale": (1, 3), "cut": 2}, LabelError, "is 4, outside the scale"),
    "an unknown category": (
        {"scale": [1, 2, 3]}, LabelError, "is 4, which is not among the categories 1, 2, 3",
    ),
    "an unknown category, one against the rest": (
        {"scale": [1, 2, 3], "pos_label": 3}, LabelError, "is 4, which is not among the categories",
    ),
    "a cut that is no category": (
        {"scale": [1, 2, 3, 4], "cut": 2.5}, OptionError, "is not among the categories",
    ),
    "a scale downwards": ({"scale": (4, 1)}, OptionError, "does not go upwards"),
    "a scale of one": ({"scale": [1]}, OptionError, "fewer than two entries"),
    "a scale in words": ({"scale": "1:4"}, OptionError, "is not a list"),
    "a category twice": ({"scale": [1, 2, 2, 4]}, OptionError, "has 2 twice"),
    "an unknown rater": (
        {"cut": 3, "rater_weight": {"dan": 2}}, OptionError, "names 'dan', who is not a rater",
    ),
    "a negative weight": (
        {"cut": 3, "rater_weight": {"ann": -1}}, WeightError, "of 'ann' is -1",
    ),
    "no weight": (
        {"cut": 3, "rater_weight": dict.fromkeys(RATINGS, 0)}, WeightError, "all weights are 0",
    ),
    "weights in a list": ({"cut": 3, "rater_weight": [1, 2, 3]}, OptionError, "not a mapping"),
    "nobody says it": ({"pos_label": 7}, LabelError, "No vote is pos_label=7"),
    "an item of absent raters": (
        {"cut": 3, "rater_weight": {"bob": 0, "cy": 0}}, LabelError, "row 4 has no vote",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "kind", "words"), BAD.values(), ids=list(BAD))
def test_rules_that_cannot_be(rule, kind, words):
    with pytest.raises(kind, match=words) as said:
        rw.votes(RATINGS, **rule)
    assert said.value.hint


def test_words_are_no_ratings_without_an_order():
    with pytest.raises(LabelError, match="is 'none', not a rating") as said:
        rw.votes(WORDS, cut=3)
    assert "scale=" in said.value.hint
    with pytest.raises(LabelError, match="is 'none', not a rating"):
        rw.votes(WORDS, scale=(1, 4))


def test_counts_have_no_ratings():
    for name, value in {"cut": 3, "scale": (1, 4), "rater_weight": {"a": 1}}.items():
        with pytest.raises(OptionError, match="does not go together with counts"):
            rw.votes({"k": [1], "n": [2]}, positives="k", totals="n", **{name: value})


def test_tallies_take_two_kinds_only():
    data = RATINGS | {"p": [0.1, 0.2, 0.3, 0.4, 0.5]}
    with pytest.raises(LabelError, match="not 0 or 1"):
        rw.tallies(data, raters=list(RATINGS), score="p")
