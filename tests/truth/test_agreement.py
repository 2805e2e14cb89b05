"""Agreement of raters: intervals, forms of votes, words, and refusals."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import rocwalk as rw
from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    LabelError,
    OptionError,
    UndefinedMetricWarning,
)
from rocwalk.truth.chance_agreement import LEVELS, TITLES
from truth.ratings import FULL, ratings, table_for


@pytest.mark.parametrize("measure", list(TITLES))
def test_bootstrap_is_near_the_closed_form_and_repeats(measure):
    table = table_for(measure, n=120)
    closed = rw.agreement(table, measure=measure)
    one, two = (rw.agreement(table, measure=measure, method="bootstrap", rng=1) for _ in range(2))
    assert one.estimate == closed.estimate
    assert (one.low, one.high) == (two.low, two.high)
    assert one.standard_error == pytest.approx(closed.standard_error, rel=0.2)
    assert (one.method, one.n_resamples) == ("bootstrap", 2000)


def test_two_raters_scott_cohen_and_conger():
    table = ratings(2, raters=2)
    cohen, conger = (rw.agreement(table, measure=name) for name in ("cohen", "conger"))
    assert cohen.estimate == pytest.approx(conger.estimate, abs=1e-14)
    n = len(table)
    assert conger.standard_error == pytest.approx(cohen.standard_error * math.sqrt(n / (n - 1)))
    fleiss = rw.agreement(table, measure="fleiss").estimate
    pooled = np.bincount(table.astype(int).ravel()) / table.size
    observed = np.mean(table[:, 0] == table[:, 1])
    by_chance = (pooled**2).sum()
    assert fleiss == pytest.approx((observed - by_chance) / (1 - by_chance))
    reach = stats.t.ppf(0.975, n - 1) * conger.standard_error
    assert conger.low == pytest.approx(conger.estimate - reach)


# -- laws ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", list(TITLES))
def test_order_of_items_and_raters_and_names_of_categories(measure):
    table = table_for(measure)
    first = rw.agreement(table, measure=measure)
    rng = np.random.default_rng(0)
    mixed = rw.agreement(rng.permutation(table)[:, ::-1], measure=measure)
    assert mixed.estimate == pytest.approx(first.estimate, abs=1e-12)
    assert mixed.low == pytest.approx(first.low, abs=1e-12)
    words = np.array(["", "a", "b", "c", "d"], dtype=object)[table.astype(int)]
    named = rw.agreement(words, measure=measure, categories=list("abcd"))
    assert named.estimate == pytest.approx(first.estimate, abs=1e-12)


def test_wide_long_files_and_votes_agree(tmp_path):
    table = ratings(4, raters=3, gaps=0.1)
    names = ["ann", "bob", "cy"]
    wide = pd.DataFrame(table, columns=names)
    first = rw.agreement(wide, measure="ac1")
    long = wide.stack().rename_axis(["item", "rater"]).rename("vote").reset_index()
    again = rw.agreement(long, measure="ac1", item="item", rater="rater", vote="vote")
    assert again.estimate == pytest.approx(first.estimate, abs=1e-14)
    wide.to_csv(tmp_path / "wide.csv", index=False)
    assert rw.agreement(tmp_path / "wide.csv", measure="ac1").low == pytest.approx(first.low)
    binary = (table > 2).astype(float)
    binary[np.isnan(table)] = np.nan
    votes = rw.votes(binary)
    for measure in ("fleiss", "krippendorff"):
        own = votes.fleiss_kappa if measure == "fleiss" else votes.krippendorff_alpha
        for given in (votes, binary):
            assert rw.agreement(given, measure=measure).estimate == pytest.approx(own, abs=1e-14)
    counts = rw.votes({"k": votes.positives, "n": votes.counts}, positives="k", totals="n")
    assert rw.agreement(counts).low == pytest.approx(rw.agreement(votes).low)
    some = rw.agreement(wide, raters=["ann", "cy"], measure="cohen", invalid="drop")
    assert some.n_raters == 2


def test_perfect_agreement_and_a_category_that_nobody_used():
    found = rw.agreement([[1, 1], [2, 2], [3, 3]], measure="cohen")
    assert (found.estimate, found.low, found.high) == pytest.approx((1, 1, 1))
    three = rw.agreement([[1, 1], [2, 2], [1, 2]], measure="ac1", categories=[1, 2, 3])
    two = rw.agreement([[1, 1], [2, 2], [1, 2]], measure="ac1")
    assert three.estimate > two.estimate  # chance has more to choose from
    assert three.categories == (1, 2, 3)


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", list(TITLES))
def test_the_sentence_says_which_one(measure):
    found = rw.agreement(table_for(measure), measure=measure, rng=0)
    title = TITLES[measure]
    assert found.sentence.lower().startswith(title.lower())
    how = "bootstrap over items" if found.method == "bootstrap" else "closed form"
    assert how in found.sentence
    others = [name for name in TITLES.values() if name not in title and title not in name]
    assert not any(name.lower() in found.sentence.lower() for name in others)
    if len(LEVELS[measure]) > 1:
        assert f"({found.level})" in found.sentence


def test_votes_that_are_all_alike():
    with pytest.warns(UndefinedMetricWarning, match="so Fleiss' kappa is not defined"):
        found = rw.agreement([[1, 1], [1, 1], [1, 1]])
    assert math.isnan(found.estimate)
    assert math.isnan(found.low)
    assert "is undefined" in found.sentence
    assert rw.agreement([[1, 1], [1, 1]], measure="percent").estimate == 1


TWO = [[1, 2], [2, 2], [3, 3]]
REFUSED = {
    "three raters": (
        lambda: rw.agreement(FULL, measure="cohen"), OptionError, "is for two raters, and there are 4",
    ),
    "an unknown measure": (lambda: rw.agreement(TWO, measure="kappa"), OptionError, "measure='kappa'"),
    "a level of Cohen's": (
        lambda: rw.agreement(TWO, measure="cohen", level="ordinal"),
        OptionError, "does not go together with Cohen's kappa.*'krippendorff', 'ac2'",
    ),
    "an unknown level": (
        lambda: rw.agreement(TWO, measure="ac2", level="ratio"), OptionError, "level='ratio'",
    ),
    "words without an order": (
        lambda: rw.agreement([["low", "high"], ["low", "mid"]], measure="linear"),
        OptionError, "order of the categories .* is not known.*categories",
    ),
    "differences of words": (
        lambda: rw.agreement([["low", "high"], ["low", "mid"]], measure="krippendorff",
                             level="interval"),
        OptionError, "needs votes that are numbers",
    ),
    "a vote that is no category": (
        lambda: rw.agreement(TWO, categories=[1, 2]), LabelError, "A vote is 3, which is not among",
    ),
    "mixed types": (
        lambda: rw.agreement(np.array([[1, "a"], [2, "b"]], dtype=object)),
        LabelError, "mix the types int, str",
    ),
    "no closed form": (
        lambda: rw.agreement(FULL, measure="krippendorff", level="ordinal", method="closed"),
        OptionError, "has no closed form",
    ),
    "one item": (lambda: rw.agreement([[1, 2]]), InputError, "Fewer than two items"),
    "no pairs": (
        lambda: rw.agreement([[1, None], [None, 2]]), InputError, "Fewer than two items",
    ),
    "an item without a vote": (
        lambda: rw.agreement([[1, 1], [None, None], [1, 2]]), LabelError, "row 1 has no vote",
    ),
    "who voted": (
        lambda: rw.agreement(rw.votes({"k": [1, 2], "n": [3, 3]}, positives="k", totals="n"),
                             measure="conger"),
        InputError, "needs to know who voted",
    ),
    "options of votes that were read": (
        lambda: rw.agreement(rw.votes([[1, 0], [1, 1]]), categories=[0, 1]),
        OptionError, "these have been read",
    ),
    "a level of confidence": (
        lambda: rw.agreement(TWO, confidence_level=95), OptionError, r"outside \(0, 1\)",
    ),
    "two forms": (
        lambda: rw.agreement({"a": [1], "b": [1]}, item="a", rater="b", vote="c", raters=["a"]),
        OptionError, "do not go together",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("ask", "kind", "words"), REFUSED.values(), ids=list(REFUSED))
def test_refusals(ask, kind, words):
    with pytest.raises(kind, match=f"(?s){words}") as caught:
        ask()
    assert caught.value.hint


def test_items_without_a_vote_can_be_dropped():
    with pytest.warns(DroppedRowsWarning, match="1 of 4 rows"):
        found = rw.agreement([[1, 1], [None, None], [1, 2], [2, 2]], invalid="drop")
    assert found.n_items == 3


def test_the_picture():
    ax = rw.agreement(FULL).plot()
    assert any(line.get_gid() == "no effect" for line in ax.lines)
