"""Coefficients of agreement: statsmodels, krippendorff, irrCAC, published examples, and by hand."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import krippendorff
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats import inter_rater

import rocwalk as rw
from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    LabelError,
    OptionError,
    UndefinedMetricWarning,
)
from rocwalk.truth.chance_agreement import LEVELS, TITLES

NAN = float("nan")
# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C: four observers, twelve
# units; also Gwet, Handbook of Inter-Rater Reliability.
PUBLISHED = [
    [1, 1, NAN, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NAN, 5, 5, 5], [NAN, NAN, 1, 1], [NAN, NAN, 3, NAN],
]  # fmt: skip
FULL = [row for row in PUBLISHED if not np.isnan(row).any()]


def ratings(seed=0, n=40, raters=3, skill=0.7, gaps=0.0):
    rng = np.random.default_rng(seed)
    base = rng.integers(1, 5, n)
    table = np.column_stack(
        [np.where(rng.random(n) < skill, base, rng.integers(1, 5, n)) for _ in range(raters)]
    ).astype(float)
    table[rng.random(table.shape) < gaps] = np.nan
    table[np.isnan(table).all(axis=1), 0] = 1
    return table


# -- other sources ---------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["cohen", "linear", "quadratic"])
@pytest.mark.parametrize("seed", range(3))
def test_two_raters_against_statsmodels(measure, seed):
    table = ratings(seed, raters=2)
    weights = None if measure == "cohen" else measure
    expected = inter_rater.cohens_kappa(inter_rater.to_table(table.astype(int))[0], wt=weights)
    found = rw.agreement(table, measure=measure)
    assert found.estimate == pytest.approx(expected.kappa, abs=1e-12)
    assert found.standard_error == pytest.approx(expected.std_kappa, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((expected.kappa_low, expected.kappa_upp))


def test_the_table_of_fleiss_cohen_and_everitt():
    """Their Table 1, n = 200: κ = .429, and a large-sample variance of .002885."""
    counts = np.array([[106, 10, 4], [22, 28, 10], [2, 12, 6]])
    pairs = [(i, j) for i in range(3) for j in range(3) for _ in range(counts[i, j])]
    found = rw.agreement(pairs, measure="cohen")
    assert found.estimate == pytest.approx(0.429, abs=5e-4)
    assert found.standard_error**2 == pytest.approx(0.002885, abs=5e-7)


@pytest.mark.parametrize("seed", range(3))
def test_fleiss_against_statsmodels(seed):
    table = ratings(seed, raters=4)
    counts = inter_rater.aggregate_raters(table.astype(int))[0]
    found = rw.agreement(table, measure="fleiss")
    assert found.estimate == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_alpha_against_krippendorff(level, gaps):
    table = ratings(1, raters=4, gaps=gaps)
    expected = krippendorff.alpha(table.T, level_of_measurement=level)
    found = rw.agreement(table, measure="krippendorff", level=level, rng=0, n_resamples=50)
    assert found.estimate == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_of_krippendorffs_own_example(level, alpha):
    found = rw.agreement(PUBLISHED, measure="krippendorff", level=level, rng=0, n_resamples=50)
    assert found.estimate == pytest.approx(alpha, abs=5e-4)


# irrCAC 0.4.4, `tests/peers/make_irrcac.py`: value, standard error and lower end of complete rows
IRRCAC = {
    ("fleiss", "nominal"): (0.6414565826, 0.1855712733, 0.2026502495),
    ("conger", "nominal"): (0.6457564576, 0.178311423, 0.2241169425),
    ("ac1", "nominal"): (0.6743002545, 0.1768442542, 0.2561300423),
    ("ac2", "ordinal"): (0.797925124, 0.1534499619, 0.4350736227),
    ("ac2", "interval"): (0.8168207838, 0.1506302934, 0.4606367389),
}


@pytest.mark.parametrize(("measure", "level"), IRRCAC, ids=" ".join)
def test_against_irrcac(measure, level):
    value, error, low = IRRCAC[measure, level]
    found = rw.agreement(FULL, measure=measure, level=level)
    assert found.estimate == pytest.approx(value, abs=1e-9)
    assert found.standard_error == pytest.approx(error, abs=1e-9)
    assert found.low == pytest.approx(low, abs=1e-9)
    assert found.high == 1  # clipped, as there


@pytest.mark.parametrize(
    ("level", "value", "error"),
    [("nominal", 0.6526610644, 0.1855712733), ("interval", 0.6770833333, 0.2489764904)],
)
def test_alpha_against_irrcac(level, value, error):
    """Its error of α is that of κ; α = 1 − (1 − κ)(N − 1)/N of N votes has (N − 1)/N of it."""
    found = rw.agreement(FULL, measure="krippendorff", level=level)
    assert found.estimate == pytest.approx(value, abs=1e-9)
    assert found.standard_error == pytest.approx(error * 31 / 32, abs=1e-9)


# with gaps, as R's irrCAC and Gwet's Handbook print them
WITH_GAPS = {"conger": 0.76282, "ac1": 0.77544}


@pytest.mark.parametrize("measure", WITH_GAPS)
def test_values_with_gaps(measure):
    found = rw.agreement(PUBLISHED, measure=measure)
    assert found.estimate == pytest.approx(WITH_GAPS[measure], abs=5e-6)


# -- by hand ---------------------------------------------------------------------------------------


def slow(measure, level, table, q):
    """Coefficients by counting pairs of votes, one by one."""
    table = [[int(v) - 1 for v in row if not math.isnan(v)] for row in table]

    def apart(a, b):
        if level == "ordinal":
            span = abs(a - b) + 1
            return span * (span - 1) / (q * (q - 1))
        if level == "interval":
            return (a - b) ** 2 / (q - 1) ** 2
        return float(a != b)

    compared = [row for row in table if len(row) > 1]
    observed = np.mean([np.mean([apart(*p) for p in combinations(row, 2)]) for row in compared])
    if measure == "percent":
        return 1 - observed
    if measure == "fleiss":
        pooled = [v for row in compared for v in row]
        return 1 - observed / np.mean([apart(a, b) for a in pooled for b in pooled])
    if measure == "conger":  # complete rows only
        columns = list(zip(*table, strict=True))
        chance = [
            np.mean([apart(a, b) for a in one for b in two])
            for one, two in permutations(columns, 2)
        ]
        return 1 - observed / np.mean(chance)
    share = np.mean([[row.count(k) / len(row) for k in range(q)] for row in table], axis=0)
    like = sum(1 - apart(a, b) for a in range(q) for b in range(q))
    expected = like / (q * (q - 1)) * sum(p * (1 - p) for p in share)
    return 1 - observed / (1 - expected)


@pytest.mark.parametrize("gaps", [0.0, 0.25])
@pytest.mark.parametrize(
    ("measure", "level"),
    [("fleiss", "nominal"), ("conger", "nominal"), ("ac1", "nominal"), ("ac2", "ordinal"),
     ("ac2", "interval"), ("ac2", "nominal"), ("percent", "nominal")],
)  # fmt: skip
def test_values_by_counting_pairs(measure, level, gaps):
    if measure == "conger" and gaps:
        return  # the margins of raters are then of different items
    table = ratings(3, raters=4, gaps=gaps)
    found = rw.agreement(table, measure=measure, level=level, categories=[1, 2, 3, 4])
    assert found.estimate == pytest.approx(slow(measure, level, table, 4), abs=1e-12)


CLOSED = [
    (measure, level) for measure, levels in LEVELS.items() for level in levels
    if (measure, level) != ("krippendorff", "ordinal")
]  # fmt: skip


def table_for(measure, n=60, gaps=0.0):
    return ratings(
        5, n=n, raters=2 if measure in ("cohen", "linear", "quadratic") else 4, gaps=gaps
    )


@pytest.mark.parametrize(("measure", "level"), CLOSED, ids=" ".join)
@pytest.mark.parametrize("gaps", [0.0, 0.15])
def test_closed_errors_are_those_of_the_jackknife_over_items(measure, level, gaps):
    """Leaving out each item in turn, an estimate of the same error in another way."""
    table = table_for(measure, n=60, gaps=gaps)
    names = {"measure": measure, "level": level, "categories": [1, 2, 3, 4]}
    closed = rw.agreement(table, **names).standard_error
    without = [
        rw.agreement(np.delete(table, k, axis=0), **names).estimate for k in range(len(table))
    ]
    n = len(without)
    jackknife = math.sqrt((n - 1) * np.var(without))
    assert closed == pytest.approx(jackknife, rel=0.1)


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
