"""Shared tallies: what leaves, how they add, the noise, and files."""

from __future__ import annotations

import json
import math
import warnings
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import FileError, OptionError, SeededNoiseWarning, TallyError
from rocwalk.tally.sharing import (
    _epsilon,
    _kept_edges,
    _secret_integers,
    load_shared,
    noise_variance,
    placements,
    save_shared,
    two_sided_geometric,
)


def sample(seed=0, n=2000):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.2).astype(int)
    return y, 1 / (1 + np.exp(-rng.normal(1.2 * y - 1.5, 1)))


def tally(seed=0, n=2000):
    return rw.tally(*sample(seed, n))


# -- buckets ---------------------------------------------------------------------------------------


def test_counts_are_those_of_a_histogram():
    y, s = sample()
    shared = rw.share(rw.tally(y, s), buckets=32, minimum=1)
    for label, counts in ((1, shared.up), (0, shared.right)):
        # the slow reference: one comparison for each bucket
        low, high = shared.edges[:-1], shared.edges[1:]
        of_class = s[y == label]
        expected = [int(((of_class >= a) & (of_class < b)).sum()) for a, b in zip(low, high)]  # noqa: B905
        assert counts.tolist() == expected


@pytest.mark.parametrize("minimum", [1, 5, 10, 100, 700])
def test_no_bucket_holds_fewer_than_the_minimum(minimum):
    for seed in range(20):
        shared = rw.share(tally(seed, 700 + 50 * seed), minimum=minimum)
        assert (shared.up + shared.right).min() >= minimum
        assert set(shared.edges) <= set(shared.grid)


def test_edges_are_cut_wherever_both_sides_hold_enough():
    """No kept run can be cut again at an edge of the grid."""
    rng = np.random.default_rng(4)
    for _ in range(200):
        items = rng.poisson(rng.choice([0.5, 3, 20]), size=rng.integers(1, 70))
        if items.sum() < 10:
            continue
        starts = [*_kept_edges(items, 10), len(items)]
        for a, b in pairwise(starts):
            run = items[a:b]
            assert run.sum() >= 10
            assert not any(run[:k].sum() >= 10 and run[k:].sum() >= 10 for k in range(1, len(run)))


def test_round_edges_are_kept_first():
    assert _kept_edges(np.full(8, 5), 20).tolist() == [0, 4]
    assert _kept_edges(np.array([30, 0, 0, 0, 0, 0, 9, 1]), 10).tolist() == [0, 4]


def test_sites_keep_most_edges_in_common():
    sites = [rw.share(tally(seed, 1000)) for seed in range(5)]
    assert len(sum(sites)) > 0.6 * min(map(len, sites))


def test_only_edges_and_two_counts_leave(tmp_path):
    y, s = sample()
    rw.share(rw.tally(y, s), buckets=16).save(tmp_path / "a.tally")
    found = json.loads((tmp_path / "a.tally").read_text())
    assert set(found) == {"format", "schema_version", "grid", "minimum", "epsilons", "parts"}
    assert found["grid"] == [k / 16 for k in range(17)]
    (part,) = found["parts"]
    assert set(part) == {"score", "edges", "positives", "negatives"}
    numbers = {*found["grid"], *part["edges"], *part["positives"], *part["negatives"]}
    assert not numbers & set(s)


def test_the_bytes_of_a_noised_file_hold_nothing_but_the_release(tmp_path):
    """Every byte follows from the grid, minimum, epsilon, name and noised counts: written here anew.

    So there is no time, path, seed, version, exact total or number of rows in it.
    """
    path, shared = tmp_path / "a.tally", rw.share(tally(), buckets=4, epsilon=0.5)
    shared.save(path)
    expected = (
        '{\n  "format": "rocwalk shared tally",\n  "schema_version": 1,\n'
        '  "grid": [0.0, 0.25, 0.5, 0.75, 1.0],\n  "minimum": 10,\n  "epsilons": [0.5],\n'
        '  "parts": [\n    {"score": "", "edges": [0, 1, 2, 3, 4], '
        f'"positives": {shared.up.tolist()}, "negatives": {shared.right.tolist()}}}\n  ]\n}}\n'
    )
    assert path.read_text() == expected


def test_a_file_of_seeded_noise_is_warned_of(tmp_path):
    seeded = rw.share(tally(), epsilon=1, rng=0)
    secret = rw.share(tally(1), epsilon=1)
    for one in (seeded, seeded + secret, sum([secret, seeded])):
        assert one.is_seeded
        with pytest.warns(SeededNoiseWarning, match="drawn from a seed"):
            one.save(tmp_path / "a.tally")
    for one in (secret, rw.share(tally(), rng=0)):  # no noise, no seed
        assert not one.is_seeded
        one.save(tmp_path / "a.tally")
    assert "seed" not in (tmp_path / "a.tally").read_text()


def test_areas_and_bounds_are_those_of_the_bucketed_tally():
    exact = tally()
    shared = rw.share(exact, buckets=64, minimum=1)
    rows = exact.bucketed(np.arange(1, 64) / 64)
    assert shared.area == rows.area == shared.tally().area
    assert shared.bucket_error == pytest.approx(rows.certificate, abs=1e-15)
    assert abs(shared.area - exact.area) <= shared.bucket_error
    low, _, high = shared.tally().auc_bounds
    assert low <= exact.area <= high


def test_scores_are_known_to_their_buckets():
    y, s = sample()
    shared = rw.share(rw.tally(y, s), buckets=64, minimum=1)
    apart = shared.tally().mean_score - s.mean()
    assert abs(apart) <= shared.score_error <= 1 / 64  # outer buckets are empty and merged
    assert shared.tally().highest.max() <= 1


def test_edges_of_other_scores():
    y, s = sample()
    edges = np.linspace(0, 100, 33)
    wide, unit = (
        rw.share(rw.tally(y, s * k), buckets=b) for k, b in ((100, edges), (1, edges / 100))
    )
    assert wide.up.tolist() == unit.up.tolist()
    with pytest.raises(TallyError, match=r"The score .* is outside the buckets, 0 to 1"):
        rw.share(rw.tally(y, s * 100))


def test_the_highest_edge_belongs_to_the_last_bucket():
    shared = rw.share(rw.tally([1, 0, 1, 0], [1.0, 0.0, 1.0, 0.5]), buckets=2, minimum=1)
    assert (shared.up.tolist(), shared.right.tolist()) == ([0, 2], [1, 1])


# -- adding ----------------------------------------------------------------------------------------


def test_sites_add_up_to_all_rows():
    parts = [tally(seed, 800) for seed in range(4)]
    whole = rw.share(rw.Tally.merge(parts), buckets=32, minimum=1)
    total = sum(rw.share(part, buckets=32, minimum=1) for part in parts)
    common = np.isin(whole.edges, total.edges)
    starts = np.flatnonzero(common)[:-1]
    assert total.up.tolist() == np.add.reduceat(whole.up, starts).tolist()
    assert total.sites == 4
    shuffled = sum(rw.share(part, buckets=32, minimum=1) for part in parts[::-1])
    assert total.right.tolist() == shuffled.right.tolist()


def test_unlike_tallies_do_not_add():
    one = rw.share(tally())
    with pytest.raises(TallyError, match="of different buckets do not add: 256 and 64"):
        one + rw.share(tally(), buckets=64)
    with pytest.raises(TallyError, match="with noise and one without do not add"):
        one + rw.share(tally(), epsilon=1)
    with pytest.raises(TypeError):
        one + tally()


# -- noise -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.5])
def test_the_noise_has_the_two_sided_geometric_distribution(epsilon):
    """By counts of each value against P(k) = (1 − q)/(1 + q)·q^|k|, at five standard errors."""
    n, q = 200_000, math.exp(-epsilon)
    drawn = two_sided_geometric(Fraction(epsilon), n, 7)
    for k in range(-6, 7):
        chance = (1 - q) / (1 + q) * q ** abs(k)
        assert abs((drawn == k).mean() - chance) < 5 * math.sqrt(chance / n)
    assert drawn.var() == pytest.approx(noise_variance(epsilon), rel=0.03)
    k = np.arange(-200, 201)
    assert noise_variance(epsilon) == pytest.approx(((1 - q) / (1 + q) * q ** abs(k) * k**2).sum())


def test_neighbours_differ_by_at_most_the_factor_that_epsilon_allows():
    """P(count + noise = k) of 3 and of 4 items differ by e^ε at most, in 400,000 draws."""
    noise = two_sided_geometric(Fraction(1), 400_000, 3)
    for k in range(-1, 9):
        one, other = (noise + 3 == k).mean(), (noise + 4 == k).mean()
        slack = 5 * math.sqrt((one + other) / len(noise))
        assert one <= math.e * other + slack
        assert other <= math.e * one + slack


def test_secret_integers_are_even():
    drawn = _secret_integers(3, 30_000)
    assert set(drawn) == {0, 1, 2}
    assert abs(np.bincount(drawn) / 30_000 - 1 / 3).max() < 5 * math.sqrt(2 / 9 / 30_000)


def test_noise_without_a_seed_is_new_each_time():
    one, other = (rw.share(tally(), epsilon=0.5) for _ in range(2))
    assert one.up.tolist() != other.up.tolist()
    seeded = [rw.share(tally(), epsilon=0.5, rng=3).up.tolist() for _ in range(2)]
    assert seeded[0] == seeded[1]


@pytest.mark.parametrize("epsilon", [0.1, 1 / 3, 0.001, 2.123456789012345, 100, 1])
def test_epsilon_is_never_rounded_up(epsilon):
    used = _epsilon(epsilon)
    assert Fraction(epsilon) - Fraction(1, 10**9) <= used <= Fraction(repr(float(epsilon)))
    assert used.denominator <= 10**9


def test_every_count_of_the_grid_gets_noise_and_nothing_is_merged():
    y, s = np.array([1, 0] * 50), np.linspace(0.4, 0.6, 100)
    shared = rw.share(rw.tally(y, s), buckets=512, epsilon=0.5, rng=1)
    assert shared.edges.tolist() == shared.grid.tolist()
    empty = np.ones(512, dtype=bool)
    empty[(s * 512).astype(int)] = False
    assert (shared.up[empty] != 0).mean() == pytest.approx(2 / (1 + math.exp(0.5)), abs=0.12)
    assert (shared.up < 0).any()


def test_negative_counts_stay_in_sums_and_leave_the_tally_of_curves():
    sites = [rw.share(tally(seed, 5000), epsilon=1, rng=seed) for seed in range(5)]
    total = sum(sites)
    assert total.up.tolist() == np.sum([one.up for one in sites], axis=0).tolist()
    assert (total.up < 0).any()
    rows = total.tally()
    assert (rows.up >= 0).all()
    assert (rows.right >= 0).all()
    assert (rows.total_up, rows.total_right) == (total.total_up, total.total_right)
    cells = np.rint((rows.highest - rows.scores) * 256)
    assert rows.noise == pytest.approx(cells * total.noise_variance)
    least = np.maximum(3 * np.sqrt(2 * rows.noise), 10)
    assert ((rows.up + rows.right)[:-1] >= least[:-1]).all()  # the last takes what is left
    assert rows.scores[-1] == 0
    assert rw.roc(rows).area == pytest.approx(total.area, abs=3 * total.privacy_error)


def test_noise_larger_than_the_counts_gives_no_curve():
    shared = rw.share(tally(n=12), buckets=4096, epsilon=0.01, rng=2)
    with pytest.raises(TallyError, match="noise is larger than the counts"):
        shared.tally()


@pytest.mark.parametrize("positives", [[3, -3], [3, -7]])
def test_noise_that_leaves_no_positives_leaves_no_area(positives):
    up, right = np.array(positives), np.array([20, 30])
    shared = rw.SharedTally(np.array([0, 0.5, 1]), np.array([0, 0.5, 1]), up, right, 10, (1.0,))
    found = shared.to_dict()
    assert all(math.isnan(found[name]) for name in ("area", "bucket_error", "privacy_error"))
    with pytest.raises(ValueError, match="the noise is larger than the counts"):
        rw.interval(shared)


def test_the_privacy_error_is_the_spread_of_the_area():
    exact = tally(1, 20_000)
    shared = [rw.share(exact, epsilon=1, rng=seed) for seed in range(300)]
    spread = np.std([one.area for one in shared], ddof=1)
    assert np.mean([one.privacy_error for one in shared]) == pytest.approx(spread, rel=0.15)
    assert rw.share(exact).privacy_error == 0
    assert not rw.share(exact).tally().is_noised


def test_tallies_with_noise_add_and_keep_it(tmp_path):
    one, other = (rw.share(tally(k, 5000), epsilon=1, rng=k).tally() for k in range(2))
    both = one + other
    assert both.noise.sum() == pytest.approx(one.noise.sum() + other.noise.sum())
    assert both.is_shared
    both.save(tmp_path / "x.npz")
    assert rw.Tally.load(tmp_path / "x.npz").noise.tolist() == both.noise.tolist()
    assert not tally().is_shared
    assert not tally().noise.any()


def test_placements_are_shares_of_the_other_class():
    shared = rw.share(tally(), buckets=16, minimum=1)
    above, below = placements(shared)
    assert shared.up @ above / shared.total_up == pytest.approx(shared.area)
    assert shared.right @ below / shared.total_right == pytest.approx(shared.area)


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"buckets": 0}, "buckets=0 is smaller than 1"),
        ({"buckets": 2.5}, "buckets=2.5 is not a whole number"),
        ({"buckets": 2**21}, "are too many"),
        ({"buckets": [0, 0.5, 0.5, 1]}, "neither a number of buckets nor a list of increasing"),
        ({"buckets": [0, math.nan]}, "neither a number of buckets nor a list of increasing"),
        ({"buckets": ["a", "b"]}, "neither a number of buckets nor a list of increasing"),
        ({"minimum": 0}, "minimum=0 is smaller than 1"),
        ({"epsilon": 0}, "epsilon=0 is out of range"),
        ({"epsilon": -1}, "epsilon=-1 is out of range"),
        ({"epsilon": math.inf}, "epsilon=inf is out of range"),
        ({"epsilon": "1"}, "epsilon='1' is not a number"),
    ],
)
def test_options(options, words):
    with pytest.raises(OptionError, match=words):
        rw.share(tally(), **options)


def test_only_counts_are_shared():
    y, s = sample(n=50)
    for odd in (
        rw.tally(s, s),
        rw.tally(y, s, sample_weight=s),
        rw.tally(y, s, steps="single"),
    ):
        with pytest.raises(TallyError, match="Only counts can be shared"):
            rw.share(odd)
    with pytest.raises(OptionError, match="is not a Tally"):
        rw.share(y)
    with pytest.raises(TallyError, match="There are 5 items, fewer than minimum=10"):
        rw.share(tally(n=5))
    with pytest.raises(TallyError, match="its buckets are not inside the shared ones"):
        rw.share(tally().bucketed(np.array([0.3, 0.7])), buckets=4)


def test_a_bucketed_tally_whose_buckets_fit_is_shared():
    exact = tally()
    coarse = exact.bucketed(np.arange(1, 64) / 64)
    one, other = (rw.share(each, buckets=16) for each in (exact, coarse))
    assert one.to_dict() == other.to_dict()


def test_other_functions_say_what_to_pass():
    shared = rw.share(tally())
    with pytest.raises(OptionError, match=r"y_true is a SharedTally.*\n?.*pass its \.tally\(\)"):
        rw.roc(shared)


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [None, 0.7])
def test_round_trip(tmp_path, epsilon):
    parts = {
        name: rw.share(tally(seed), epsilon=epsilon, rng=1)
        for seed, name in enumerate(("a", "Größe |"))
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SeededNoiseWarning)
        save_shared(tmp_path / "x.tally", parts)
        parts["a"].save(tmp_path / "one.tally")
    for name, again in load_shared(tmp_path / "x.tally").items():
        assert again.to_dict() == parts[name].to_dict()
        assert again.epsilons == parts[name].epsilons
    with pytest.raises(FileError, match="holds the tallies of 2 scores"):
        rw.SharedTally.load(tmp_path / "x.tally")
    assert rw.SharedTally.load(tmp_path / "one.tally").to_dict() == parts["a"].to_dict()


def broken():
    """Return what can be wrong with a file, by name, as a change of its header."""

    def part(**values):
        return lambda head: head["parts"][0].update(values)

    return {
        "another format": lambda head: head.update(format="x"),
        "no parts": lambda head: head.update(parts=[]),
        "a grid out of order": lambda head: head["grid"].reverse(),
        "counts of other lengths": part(positives=[1, 2]),
        "counts that are floats": lambda head: head["parts"][0]["positives"].append(0.5),
        "edges out of order": lambda head: head["parts"][0]["edges"].reverse(),
        "a count below zero": lambda head: head["parts"][0]["negatives"].__setitem__(0, -5),
        "fewer items than the minimum": lambda head: head.update(minimum=10**6),
        "noise at some sites": lambda head: head.update(epsilons=[None, 1.0]),
        "no site": lambda head: head.update(epsilons=[]),
        "an epsilon below zero": lambda head: head.update(epsilons=[-1.0]),
    }


@pytest.mark.parametrize("fault", broken())
def test_damaged_files_are_refused(tmp_path, fault):
    path = tmp_path / "x.tally"
    rw.share(tally(), buckets=8).save(path)
    head = json.loads(path.read_text())
    broken()[fault](head)
    path.write_text(json.dumps(head))
    with pytest.raises(FileError, match="is not a shared tally of rocwalk, or is damaged"):
        rw.SharedTally.load(path)


def test_other_files(tmp_path):
    with pytest.raises(FileError, match="There is no file"):
        rw.SharedTally.load(tmp_path / "none.tally")
    (tmp_path / "x.tally").write_bytes(b"\xff\x00")
    with pytest.raises(FileError, match="is damaged"):
        rw.SharedTally.load(tmp_path / "x.tally")
    path = tmp_path / "y.tally"
    rw.share(tally(), buckets=8).save(path)
    path.write_text(path.read_text().replace('"schema_version": 1', '"schema_version": 9'))
    with pytest.raises(FileError, match="has schema version 9; this rocwalk reads 1"):
        rw.SharedTally.load(path)
