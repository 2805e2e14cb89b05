"""Words on methods: every method that a result can have is named, with a citation that exists."""

from __future__ import annotations

import re

import pytest

import rocwalk as rw
from commands import ROOT
from rocwalk.inference import methods_words as words
from rocwalk.inference.differences import CLOSED

ENTRIES = (ROOT / "src" / "rocwalk" / "references.bib").read_text(encoding="utf-8")
Y = [0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0]
S = [k / 20 for k in range(20)]
INTERVALS = ["auto", "delong", "newcombe", "percentile", "basic", "bca"]


def keys(text):
    return re.findall(r"@(\w+)", text)


@pytest.mark.parametrize("table", ["_INTERVALS", "_DIFFERENCES"])
def test_every_citation_has_an_entry(table):
    for text in getattr(words, table).values():
        for key in keys(text):
            assert f"{{{key}," in ENTRIES, key


@pytest.mark.parametrize("method", INTERVALS)
def test_methods_of_intervals_are_known(method):
    with rw.errors.collecting():
        found = rw.interval(Y, S, method=method, n_resamples=50, rng=0)
    assert "of rocwalk" not in words.interval_words(found.method)


@pytest.mark.parametrize("scale", ["plain", "logit"])
def test_scales_of_intervals_are_known(scale):
    with rw.errors.collecting():
        found = rw.interval(Y, S, method="delong", scale=scale)
    assert "of rocwalk" not in words.interval_words(found.method)


@pytest.mark.parametrize("method", [*CLOSED, "permutation", "bootstrap"])
def test_methods_of_differences_are_known(method):
    assert "of rocwalk" not in words.difference_words(method)


def test_the_longest_name_decides():
    """'delong-newcombe' begins with 'delong', which has other words."""
    assert "Newcombe" in words.interval_words("delong-newcombe")
    assert "logit scale" in words.interval_words("delong-logit")
    assert "logit" not in words.interval_words("delong-plain")


def test_an_unknown_method_is_named_as_it_is():
    assert words.interval_words("magic") == "the method “magic” of rocwalk"


def test_resamples_are_counted_where_there_are_any():
    assert words.interval_words("bca", 2000).endswith(" (2,000 resamples)")
    assert "resamples" not in words.interval_words("wilson")


def test_numbers_of_classes_are_cited_though_they_are_not_registered():
    assert words.number_words("hand_till").endswith("[@hand2001]")


def test_what_is_not_there_is_not_said():
    assert words.adjusted_words(1) == []
    assert "3 pairs" in words.adjusted_words(3)[0]
    assert words.margin_words(None) == []
    assert "0.05 [@schuirmann1987]" in words.margin_words(0.05)[0]
    assert words.level_words(0.999) == "99.9 %"
