"""Items and evidence: masses, units, effective sizes, clusters and votes, item by item."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given

import rocwalk as rw
from rocwalk.errors import InputError, LabelError, OneClassError, OptionError, TallyError
from rocwalk.inference.items import (
    Evidence,
    Items,
    check_votes,
    cluster_codes,
    codes_of,
    counted,
    evidence_from,
    few_units,
    refuse_few,
)
from rocwalk.read.arrays import check
from samples import NO_ADVICE, hard_samples, weighted_samples

pytestmark = NO_ADVICE


def sample(y, s, weight=None):
    return check(y, s, sample_weight=weight)


@given(weighted_samples())
def test_masses_and_units_by_definition(drawn):
    y, s, w = drawn
    items = Items.from_truth(y, w, s)
    assert items.up.tolist() == [a * b for a, b in zip(w.tolist(), y.tolist(), strict=True)]
    np.testing.assert_allclose(items.right, [a * (1 - b) for a, b in zip(w, y, strict=True)])
    np.testing.assert_allclose(items.weight, w)
    np.testing.assert_allclose(items.truth, y)
    descending = sorted(set(s.tolist()), reverse=True)
    assert items.rows.tolist() == [descending.index(score) for score in s.tolist()]
    assert items.clusters == len(items) == len(y)
    assert items.by_unit(w) is w


@given(weighted_samples())
def test_effective_sizes_are_those_of_kish(drawn):
    y, s, w = drawn
    evidence = evidence_from(sample(y, s, w))
    for found, mass in zip(evidence.effective_sizes, (w * y, w - w * y), strict=True):
        assert found == pytest.approx(mass.sum() ** 2 / (mass**2).sum())
    smallest = min(evidence.effective_sizes)
    assert evidence.mass_degrees == pytest.approx(max(smallest - 1, 1))


@given(hard_samples())
def test_one_weight_for_all_is_known_and_counted_as_one(drawn):
    y, s = drawn
    for weight in (1.0, 0.3, 7.0):
        evidence = evidence_from(sample(y, s, np.full(len(y), weight)))
        assert evidence.even_weight == pytest.approx(weight)
        assert evidence.weighs_alike
        assert evidence.class_counts == pytest.approx((y.sum(), (1 - y).sum()))
        counts = counted(evidence).tally
        assert counts.is_counts
        assert (counts.total_up, counts.total_right) == (y.sum(), (1 - y).sum())


def test_weights_that_vary_and_soft_truth_have_no_one_weight():
    weighted = evidence_from(sample([0, 1, 1, 0], [0.1, 0.4, 0.3, 0.2], [1, 2, 1, 1]))
    assert weighted.even_weight is None
    assert not weighted.weighs_alike
    assert not weighted.is_soft
    assert counted(weighted) is weighted
    soft = evidence_from(sample([0.2, 0.9, 0.4], [0.1, 0.4, 0.3]))
    assert soft.even_weight is None
    assert soft.weighs_alike
    assert soft.is_soft


def test_clusters_are_the_units():
    y, s = [0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.3, 0.2, 0.5, 0.6]
    evidence = evidence_from(sample(y, s), ["b", "a", "a", "b", "c", "c"])
    assert evidence.cluster.tolist() == [1, 0, 0, 1, 2, 2]
    assert (evidence.units, evidence.items.clusters) == (3, 3)
    assert evidence.items.by_unit(np.arange(6.0)).tolist() == [3, 3, 9]
    assert evidence.effective_sizes == (2, 2)
    assert not evidence.is_counts
    assert Evidence(rw.tally(y, s)).units == 6


def test_clusters_of_names_that_have_no_order():
    assert codes_of(np.array(["a", 1, "a", 2], dtype=object)).tolist() == [2, 0, 2, 1]


@pytest.mark.parametrize(
    ("cluster", "words"),
    [
        ([1, 2], "The lengths differ: cluster has 2 rows, y_true 4."),
        ([1, 2, None, 1], "cluster at row 2 is missing (NaN or null)."),
        ([1, 1, 1, 1], "All rows belong to one cluster, so nothing can be resampled."),
    ],
)
def test_clusters_that_are_refused(cluster, words):
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        cluster_codes(cluster, sample([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]))
    assert "\nHint: " in str(caught.value)


def test_a_tally_has_no_clusters_and_no_items():
    tally = rw.tally([0, 1], [0.1, 0.2])
    with pytest.raises(TallyError, match="Clusters need the items"):
        evidence_from(tally, [1, 2])
    with pytest.raises(TallyError, match="BCa needs the items, and a tally of masses"):
        evidence_from(tally).need_items("BCa")


@pytest.mark.parametrize(
    ("y", "cluster", "words"),
    [
        ([1, 0, 0], None, "fewer than two positive items"),
        ([1, 0], None, "fewer than two positive and negative items"),
        ([1, 1, 0, 0], [1, 1, 2, 3], "fewer than two positive clusters"),
        ([1, 1, 0, 0], None, None),
        ([0.5, 0.2], None, None),
        ([0.5], None, "fewer than two positive items"),
    ],
)
def test_too_few_units_are_named(y, cluster, words):
    scores = np.linspace(0.1, 0.9, len(y))
    evidence = evidence_from(check(y, scores), cluster)
    assert few_units(evidence) == words
    if words is None:
        refuse_few(evidence)
    else:
        with pytest.raises(OneClassError, match=f"The sample has {words}, so the standard error"):
            refuse_few(evidence)


@pytest.mark.parametrize(
    ("votes", "kind", "words"),
    [
        ([3, 3], InputError, "The lengths differ: votes has 2 rows, y_true 3."),
        ([3, 0, 3], InputError, "votes at row 1 is 0, not a number of votes."),
        ([3, 1.5, 3], InputError, "votes at row 1 is 1.5, not a number of votes."),
        ([4, 2, 3], LabelError, "y_true at row 2 is 0.5, which is not a share of 3 votes."),
    ],
)
def test_votes_that_are_refused(votes, kind, words):
    data = check([0.25, 0.5, 0.5], [0.1, 0.2, 0.3])
    with pytest.raises(kind, match=re.escape(words)):
        check_votes(votes, data)


def test_votes_of_kept_rows():
    assert check_votes([4, 2, 8], check([0.25, 0.5, 0.5], [0.1, 0.2, 0.3])).tolist() == [4, 2, 8]
    with pytest.raises(OptionError, match="votes= needs the items, not a Tally"):
        check_votes([1], rw.tally([0, 1], [0.1, 0.2]))
