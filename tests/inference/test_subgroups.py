"""Subgroups: against intervals and comparisons of the rows themselves, and counts of pairs."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from inference.grouped import sample
from rocwalk.errors import InputError, OneClassError, RocwalkWarning, TallyError


def test_each_subgroup_is_measured_as_its_own_rows():
    y, s, by = sample(gap=0.8)
    found = rw.subgroups(y, s, by)
    assert found.names == ("a", "b", "c")
    for name, one, rest in zip(found.names, found.intervals, found.against_rest, strict=True):
        inside = by == name
        known = rw.interval(y[inside], s[inside])
        assert (one.estimate, one.low, one.high) == (known.estimate, known.low, known.high)
        apart = rw.compare_samples((y[inside], s[inside]), (y[~inside], s[~inside]))
        assert (rest.difference, rest.low, rest.high) == (apart.difference, apart.low, apart.high)
        assert rest.adjusted_p_value >= rest.p_value


def test_the_gap_is_that_of_two_samples_if_there_are_two():
    """The interval of |difference| is that of the difference, by MOVER from the same limits."""
    y, s, by = sample(seed=3, gap=1.0)
    two = by != "b"
    found = rw.subgroups(y[two], s[two], by[two])
    (a, c), gap = found.intervals, found.gap
    assert (gap.largest, gap.smallest) == ("a", "c")
    assert gap.low == pytest.approx(
        gap.estimate - np.hypot(a.estimate - a.low, c.high - c.estimate), abs=2e-3
    )
    assert gap.high == pytest.approx(
        gap.estimate + np.hypot(a.high - a.estimate, c.estimate - c.low)
    )


def test_the_gap_says_no_more_than_is_shown():
    y, s, by = sample(seed=4)
    alike = rw.subgroups(y, s, by)
    assert alike.gap.low == 0 < alike.gap.estimate < alike.gap.high
    assert alike.gap.sentence.endswith("; no gap is shown.")
    assert alike.equality.p_value > 0.05
    y, s, by = sample(seed=4, gap=1.2)
    apart = rw.subgroups(y, s, by)
    assert apart.gap.low > 0
    assert "no gap is shown" not in apart.gap.sentence
    assert apart.equality.p_value < 0.05
    assert "c − the rest" in apart.sentence
    assert "c − the rest" not in alike.sentence


def test_no_gap_has_no_ends():
    y, s, by = np.tile([1, 1, 0, 0], 20), np.tile([0.9, 0.4, 0.6, 0.1], 20), np.arange(80) // 40
    gap = rw.subgroups(y, s, by, statistic="sensitivity", threshold=0.5).gap
    assert gap.estimate == 0
    assert gap.sentence.startswith("Sensitivity is the same in all subgroups: a gap of 0.000, ")
    assert gap.sentence.endswith("; no gap is shown.")


@pytest.mark.parametrize(
    ("statistic", "told"),
    [
        ("brier", {"n_resamples": 50, "rng": 0}),
        ("average_precision", {"n_resamples": 50, "rng": 0}),
        ("sensitivity", {"threshold": 0.5}),
        ("partial_auc", {"max_fpr": 0.3, "n_resamples": 50, "rng": 0}),
    ],
)
def test_any_statistic(statistic, told):
    y, s, by = sample(gap=0.8)
    s = 1 / (1 + np.exp(-s))
    found = rw.subgroups(y, s, by, statistic=statistic, **told)
    assert found.background is None
    points = {k: v for k, v in told.items() if k not in ("n_resamples", "rng")}
    for name, one in zip(found.names, found.intervals, strict=True):
        inside = by == name
        known = rw.interval(
            y[inside], s[inside], statistic=statistic, n_resamples=20, rng=0, **points
        )
        assert one.estimate == pytest.approx(known.estimate)
    values = [one.estimate for one in found.intervals]
    assert found.gap.estimate == pytest.approx(max(values) - min(values))
    assert found.gap.low <= found.gap.estimate <= found.gap.high
    again = rw.subgroups(y, s, by, statistic=statistic, **told)
    assert again.to_dict() == found.to_dict()


def test_clusters_within_subgroups_are_as_separate_samples():
    y, s, by = sample(360)
    cluster = np.array([f"{g}{k}" for g, k in zip(by, np.arange(360) // 12, strict=True)])
    found = rw.subgroups(y, s, by, cluster=cluster)
    inside = by == "a"
    pair = (y[inside], s[inside]), (y[~inside], s[~inside])
    known = rw.compare_samples(*pair, cluster=(cluster[inside], cluster[~inside]))
    assert found.against_rest[0].low == pytest.approx(known.low)
    assert found.against_rest[0].method == known.method == "jackknife"


def test_clusters_that_span_subgroups_lend_precision():
    """Twins in two subgroups: the difference has almost no error, and the gap a narrow interval."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 200)
    s = rng.normal(y, 1)
    both = np.concatenate((s, s + rng.normal(0, 0.05, 200)))
    y, by = np.tile(y, 2), np.repeat(["a", "b"], 200)
    together = rw.subgroups(y, both, by, cluster=np.tile(np.arange(200), 2))
    alone = rw.subgroups(y, both, by)
    assert together.against_rest[0].standard_error < alone.against_rest[0].standard_error / 3
    assert together.gap.high < alone.gap.high / 2
    with pytest.raises(InputError, match="cluster at row 200 belongs to a cluster with rows in "):
        rw.subgroups(y, both, by, cluster=np.tile(np.arange(200), 2), statistic="average_precision")


def test_what_is_refused_and_what_is_left_out():
    y, s, by = sample(60)
    with pytest.raises(InputError, match="by has one value in all rows, 'x'"):
        rw.subgroups(y, s, ["x"] * 60)
    with pytest.raises(InputError, match="by at row 7 is missing"):
        rw.subgroups(y, s, [None if k == 7 else g for k, g in enumerate(by)])
    with pytest.raises(InputError, match="by has 3 rows, y_true 60"):
        rw.subgroups(y, s, by[:3])
    with pytest.raises(TallyError, match="Subgroups need the items"):
        rw.subgroups(rw.tally(y, s), None, by)
    with pytest.warns(RocwalkWarning, match="1 row has no subgroup and is left out"):
        dropped = rw.subgroups(
            y, s, [None if k == 7 else g for k, g in enumerate(by)], invalid="drop"
        )
    kept = np.arange(60) != 7
    assert dropped.to_dict() == rw.subgroups(y[kept], s[kept], by[kept]).to_dict()
    one_class = np.where(by == "b", 1, y)
    with pytest.warns(RocwalkWarning, match="left out: 'b' has fewer than two negative items"):
        found = rw.subgroups(one_class, s, by)
    assert (found.names, found.left_out) == (("a", "c"), ("b",))
    inside = by == "a"  # b still counts among the rest
    known = rw.compare_samples((one_class[inside], s[inside]), (one_class[~inside], s[~inside]))
    assert found.against_rest[0].difference == known.difference
    with pytest.raises(OneClassError, match="Fewer than two subgroups have enough items"):
        rw.subgroups(np.where(by == "a", y, 1), s, by)


def test_weights_of_one_are_no_weights_and_rows_may_be_in_any_order():
    y, s, by = sample(120)
    found = rw.subgroups(y, s, by).to_dict()
    order = np.random.default_rng(0).permutation(120)
    for again in (
        rw.subgroups(y, s, by, sample_weight=np.full(120, 3.0)),
        rw.subgroups(y[order], s[order], by[order]),
        rw.subgroups(y, np.exp(s), by),
    ):
        same = again.to_dict()
        assert list(same) == list(found)
        for key, value in found.items():
            is_number = isinstance(value, float) or (isinstance(value, list) and key != "group")
            assert same[key] == (pytest.approx(value) if is_number else value), key


def test_the_picture_has_a_row_for_each_subgroup():
    ax = rw.subgroups(*sample(120)).plot()
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]
    assert ax.get_xlabel() == "AUC of each subgroup, 95 % intervals"
