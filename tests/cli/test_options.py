"""What options mean: costs, statistics, scales, weights, classes and margins, and what is refused."""

from __future__ import annotations

import re

import click
import pytest

import rocwalk as rw
from rocwalk.cli.options import (
    parse_class_scores,
    parse_costs,
    parse_margins,
    parse_rater_weights,
    parse_rating,
    parse_scale,
    parse_statistic,
    parse_window,
)
from rocwalk.errors import OptionError


def test_costs():
    assert parse_costs("1:5", None) == rw.Costs(false_positive=1, false_negative=5)
    found = parse_costs("2:0.5", 0.1)
    assert found == rw.Costs(false_positive=2, false_negative=0.5, prevalence=0.1)
    assert parse_costs(None, 0.1) == rw.Costs(false_positive=1, false_negative=1, prevalence=0.1)
    assert parse_costs(None, None) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("auc", ("auc", {})),
        ("sensitivity@fpr=0.1", ("sensitivity", {"fpr": 0.1})),
        ("partial_auc@max-fpr=0.2,min_tpr=0.5", ("partial_auc", {"max_fpr": 0.2, "min_tpr": 0.5})),
        (
            "expected_cost@costs=1:5",
            ("expected_cost", {"costs": rw.Costs(false_positive=1, false_negative=5)}),
        ),
    ],
)
def test_statistics(text, expected):
    assert parse_statistic(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("500", 500), ("month", "month"), ("7D", "7D")])
def test_windows(text, expected):
    assert parse_window(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("3", 3), ("2.5", 2.5), ("good", "good"), ("1e2", 100.0)]
)
def test_ratings(text, expected):
    found = parse_rating(text)
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, None),
        ("1:5", [1, 5]),
        ("0 : 2.5", [0, 2.5]),
        ("low, mid,high", ["low", "mid", "high"]),
        ("1,2,3", [1, 2, 3]),
        ("a:b", ["a:b"]),
    ],
)
def test_scales(text, expected):
    assert parse_scale(text) == expected


def test_pairs_of_names_and_values():
    assert parse_rater_weights(("ann=2", "a=b=0.5")) == {"ann": 2.0, "a=b": 0.5}
    assert parse_rater_weights(()) is None
    assert parse_class_scores(("cat=p_cat", "dog=p=2")) == {"cat": "p_cat", "dog": "p=2"}
    assert parse_margins(()) is None
    assert parse_margins(("default",)) is True
    assert parse_margins(("default", "auc=0.05")) == {"auc": 0.05}


@pytest.mark.parametrize(
    ("call", "hint", "words"),
    [
        (lambda: parse_costs("5", None), "--costs", "'5' is not FP:FN, such as 1:5."),
        (lambda: parse_costs("a:b", None), "--costs", "'a:b' is not FP:FN, such as 1:5."),
        (
            lambda: parse_statistic("sensitivity@fpr"),
            "--statistic",
            "'sensitivity@fpr' is not NAME@KEY=VALUE, such as sensitivity@fpr=0.1.",
        ),
        (
            lambda: parse_rater_weights(("ann",)),
            "--rater-weight",
            "'ann' is not RATER=X, such as ann=2.",
        ),
        (
            lambda: parse_rater_weights(("ann=nan",)),
            "--rater-weight",
            "'ann=nan' is not RATER=X, such as ann=2.",
        ),
        (
            lambda: parse_rater_weights(("ann=1", "ann=2")),
            "--rater-weight",
            "'ann' is given twice.",
        ),
        (
            lambda: parse_class_scores(("cat",)),
            "--class-score",
            "'cat' is not LABEL=COL, such as cat=p_cat.",
        ),
        (
            lambda: parse_class_scores(("cat=a", "cat=b")),
            "--class-score",
            "'cat' is given twice.",
        ),
        (
            lambda: parse_margins(("auc",)),
            "--margin",
            "'auc' is not NAME=VALUE, such as auc=0.02.",
        ),
    ],
)
def test_texts_that_are_refused_name_their_option(call, hint, words):
    with pytest.raises(click.BadParameter, match=re.escape(words)) as caught:
        call()
    assert caught.value.param_hint == hint


@pytest.mark.parametrize("text", ["fortnight", "0", "9" * 19])
def test_windows_that_are_refused(text):
    with pytest.raises(OptionError, match="window="):
        parse_window(text)


def test_margins_of_unknown_numbers_are_refused_before_anything_is_read():
    with pytest.raises(OptionError, match="brier"):
        parse_margins(("brier=0.1",))
