"""Buckets: cells that nest and touch, certificates that hold, parts that add up to the whole."""

from __future__ import annotations

import math
import warnings

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rocwalk as rw
from engines import ENGINES, QUIET_SPARK, spark_session
from rocwalk.errors import OptionError, ToleranceWarning
from rocwalk.read.grouping import with_key
from rocwalk.tally.buckets import Layout
from samples import NO_ADVICE, hard_samples, weighted_samples

pytestmark = [QUIET_SPARK, *NO_ADVICE]
spark = pytest.fixture(scope="module")(spark_session)

LEVELS = [1, 2, 3, 7, 12, 16, 21, 30, 50]
CORNERS = [
    *(0.0, 5e-324, 1e-323, 2.0**-1022, 2.0**-1022 * 1.5, 1e-300, 1e-17, 2.0**-53, 1e-9),
    *(0.25, 0.5 - 2.0**-54, 0.5, 0.5 + 2.0**-53, 0.1 + 0.2, 0.75),
    *(1.0 - 1e-9, 1.0 - 2.0**-52, 1.0 - 2.0**-53, 1.0),
]
UNIT = st.one_of(st.sampled_from(CORNERS), st.floats(0, 1))
WIDE = st.one_of(st.floats(-50, 50), st.integers(-8, 8).map(float), st.floats(-1e-6, 1e-6))
STORED = ("scores", "up", "right", "count", "highest", "cell_low", "cell_high")


def after(values):
    return np.nextafter(values, np.inf)


def before(values):
    return np.nextafter(values, -np.inf)


# -- layouts -------------------------------------------------------------------------------------


@given(st.lists(UNIT, min_size=2), st.sampled_from(LEVELS))
def test_numbers_of_cells_rise_with_the_scores(scores, level):
    keys = Layout(level).keys(np.sort(scores))
    assert (np.diff(keys) >= 0).all()
    assert keys[0] >= 0
    assert keys[-1] <= Layout(level).keys(np.ones(1))


@given(UNIT, st.sampled_from(LEVELS))
def test_a_cell_holds_the_scores_of_its_number_and_no_others(score, level):
    layout = Layout(level)
    key = layout.keys(np.array([score]))
    low, high = layout.cells(key)
    assert low <= score <= high
    assert layout.keys(low) == key == layout.keys(high)
    assert low == 0.0 or layout.keys(before(low)) < key
    assert high == 1.0 or layout.keys(after(high)) > key


@pytest.mark.parametrize("level", [level for level in LEVELS if level <= 16])
def test_cells_touch_from_end_to_end(level):
    layout = Layout(level)
    first, last = layout.keys(np.array([5e-324, 1.0])).tolist()
    assert last - first == 2**level
    low, high = layout.cells(np.array([0, *range(first, last + 1)]))
    assert low[0] == 0.0
    assert high[-1] == 1.0
    assert np.array_equal(after(high[:-1]), low[1:])
    assert (low <= high).all()  # none is empty


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_and_everything_have_cells_of_their_own(level):
    layout = Layout(level)
    nearest = np.array([0.0, 5e-324, 1 - 2.0**-53, 1.0])
    first, second, third, last = layout.keys(nearest).tolist()
    assert first < second <= third < last
    assert layout.cells(np.array([first])) == (0.0, 0.0)
    assert layout.cells(np.array([last])) == (1.0, 1.0)


@given(st.lists(UNIT, min_size=1), st.sampled_from(LEVELS[:6]), st.integers(1, 20))
def test_halving_nests(scores, level, depth):
    coarse = Layout(level)
    fine = coarse.finer(depth)
    ends = fine.cells(fine.keys(np.array(scores)))
    assert np.array_equal(coarse.keys(ends[0]), coarse.keys(ends[1]))


@given(st.lists(WIDE, min_size=2), st.integers(2, 2**16), st.integers(0, 6))
@example([-5e-324, 5e-324], 2**16, 3)
@example([-1.7e308, 1.7e308], 2**16, 3)
@example([1e15, 1e15 + 1.0], 2**16, 0)
@example([7.0, 7.0], 2, 0)
def test_scores_outside_have_cells_of_one_width(scores, count, depth):
    scores = np.sort(scores)
    coarse = Layout.covering(scores[0], scores[-1], count)
    layout = coarse.finer(min(depth, coarse.finest - coarse.level))
    keys = layout.keys(scores)
    low, high = layout.cells(keys)
    assert (np.diff(keys) >= 0).all()
    assert keys[0] >= 0
    assert ((low <= scores) & (scores <= high)).all()
    assert np.array_equal(layout.keys(low), keys)
    fine = np.abs(high) > 1e-300  # a half of the last float before 0 is 0
    assert np.array_equal(layout.keys(high)[fine], keys[fine])
    assert np.array_equal(coarse.keys(low)[fine], coarse.keys(high)[fine])
    if not coarse.is_unit:
        assert coarse.keys(scores)[-1] <= count


@pytest.mark.parametrize("count", [2, 3, 64, 1000, 2**16])
def test_about_as_many_cells_as_asked_for(count):
    unit = Layout.covering(0.0, 1.0, count)
    assert count / 2 <= 2**unit.level <= count
    other = Layout.covering(-3.0, 4.0, count)
    assert count / 4 - 1 <= other.keys(np.array([4.0]))[0] + 1 <= count


def adversaries(layout, low, high):
    """Scores at and beside the ends of cells, and in the corners."""
    rng = np.random.default_rng(3)
    scores = np.concatenate(
        (CORNERS, rng.uniform(low / 2, high / 2, 300) * 2, rng.beta(0.05, 3, 300))
    )
    scores = np.append(scores[(scores >= low) & (scores <= high)], [low, high])
    ends = np.concatenate(layout.cells(layout.keys(scores)))
    every = np.concatenate((scores, ends, after(ends), before(ends)))
    return np.unique(every[(every >= low) & (every <= high)])


LAYOUTS = {f"level {level}": (Layout(level), 0.0, 1.0) for level in (1, 4, 10, 16, 33, 50)}
LAYOUTS["logits"] = (Layout.covering(-12.5, 9.25, 1000), -12.5, 9.25)
LAYOUTS["logits, finer"] = (Layout.covering(-12.5, 9.25, 1000).finer(9), -12.5, 9.25)
LAYOUTS["huge"] = (Layout.covering(-1.7e308, 1.7e308, 1000), -1.7e308, 1.7e308)
LAYOUTS["tiny"] = (Layout.covering(-1e-320, 1e-310, 1000), -1e-320, 1e-310)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n == "spark" else n for n in ENGINES]
)
def test_engines_number_the_cells_as_numpy_does(name, request):
    if name == "spark":
        request.getfixturevalue("spark")
    slow = name in ("spark", "dask", "dask, pyarrow")
    for which in ("level 16", "logits") if slow else LAYOUTS:
        layout, low, high = LAYOUTS[which]
        scores = adversaries(layout, low, high)
        frame = nw.from_native(ENGINES[name]({"v": scores})).lazy()
        found = with_key(frame.select("v"), layout).select("v", "k").collect("pyarrow")
        values, keys = (found.get_column(one).to_numpy() for one in "vk")
        assert np.array_equal(np.sort(values), scores)
        assert np.array_equal(keys, layout.keys(values))


# -- tallies in buckets --------------------------------------------------------------------------


def bucketed(y, p, w=None, **options):
    """The tally of a table in memory that is read as a lazy one."""
    columns = {"y": y, "p": p} if w is None else {"y": y, "p": p, "w": w}
    weight = None if w is None else "w"
    return rw.tallies(
        pl.DataFrame(columns), score="p", label="y", weight=weight, **{"limit": 0, **options}
    ).only


def continuous(n=4000, seed=8):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, np.clip(0.2 * y + 0.8 * rng.random(n), 0, 1)


@given(hard_samples(), st.integers(2, 40), st.booleans())
@settings(max_examples=60)
def test_the_certificate_holds(sample, buckets, is_outside):
    y, p = sample
    p = 8 * p - 3 if is_outside else p
    tally, exact = bucketed(y, p, buckets=buckets), rw.tally(y, p)
    assert abs(tally.area - exact.area) <= tally.certificate + 1e-15
    low, middle, high = tally.auc_bounds
    assert low - 1e-15 <= exact.area <= high + 1e-15
    assert middle == tally.area
    assert (tally.total_up, tally.total_right) == (exact.total_up, exact.total_right)
    assert tally.up_score.sum() == pytest.approx(exact.up_score.sum(), abs=1e-12)
    assert tally.right_score.sum() == pytest.approx(exact.right_score.sum(), abs=1e-12)


@given(weighted_samples(), st.integers(2, 40))
@settings(max_examples=40)
def test_the_certificate_holds_for_weights_and_soft_truth(sample, buckets):
    y, p, w = sample
    tally, exact = bucketed(y, p, w, buckets=buckets), rw.tally(y, p, sample_weight=w)
    assert abs(tally.area - exact.area) <= tally.certificate + 1e-12
    assert tally.up_right.sum() == pytest.approx(exact.up_right.sum(), rel=1e-12)


@given(hard_samples(min_size=8), st.integers(2, 8), st.sampled_from([0.3, 0.03, 1e-6]))
@settings(max_examples=40)
def test_the_tolerance_is_reached_or_the_reason_given(sample, limit, tolerance):
    y, p = sample
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tally = bucketed(y, p, limit=limit, buckets=2, tolerance=tolerance)
    exact = rw.tally(y, p)
    assert abs(tally.area - exact.area) <= tally.certificate + 1e-15
    if tally.certificate > tolerance:
        assert [type(one.message) for one in caught] == [ToleranceWarning]
    else:
        assert not caught


@pytest.mark.parametrize("tolerance", [1e-2, 1e-3, 1e-4])
def test_a_tolerance_costs_few_rows(tolerance):
    y, p = continuous()
    rough = bucketed(y, p, buckets=16)
    tally = bucketed(y, p, buckets=16, limit=3000, tolerance=tolerance)
    assert rough.certificate > tolerance
    assert 0 <= tally.certificate <= tolerance
    assert len(tally) <= 3000
    assert abs(tally.area - rw.tally(y, p).area) <= tally.certificate


def test_a_tolerance_is_reached_in_every_group_and_for_every_score():
    y, p = continuous()
    data = {"y": y, "p": p, "q": 10 * p - 4 + np.sin(50 * p), "g": np.arange(len(y)) % 3}
    found = rw.tallies(
        pl.LazyFrame(data),
        score=["p", "q"],
        label="y",
        by="g",
        limit=3000,
        buckets=16,
        tolerance=1e-3,
    )
    assert len(found) == 6
    assert 0 < found.certificate <= 1e-3
    for (name, (group,)), tally in found.items():
        rows = data["g"] == group
        exact = rw.tally(y[rows], data[name][rows])
        assert abs(tally.area - exact.area) <= tally.certificate


def test_a_tolerance_out_of_reach_says_why():
    y, p = continuous()
    with pytest.warns(
        ToleranceWarning,
        match=r"^The certificate is [\d.e-]+, not 1e-06: the tallies would need about [\d,]+ rows, "
        r"and the limit is 40\. Hint: raise limit=, or accept a larger tolerance=\.$",
    ) as caught:
        tally = bucketed(y, p, buckets=16, limit=40, tolerance=1e-6)
    assert caught[0].filename == __file__
    assert tally.certificate > 1e-6
    assert abs(tally.area - rw.tally(y, p).area) <= tally.certificate


def test_neighbouring_floats_can_be_told_apart():
    """Where the cells cannot be cut any more, the scores themselves are the groups."""
    p = np.repeat(0.3 + np.arange(8) * math.ulp(0.3), 25)
    y = np.random.default_rng(2).integers(0, 2, len(p))
    tally = bucketed(y, p, buckets=4, limit=20, tolerance=1e-9)
    assert tally.certificate == 0.0
    assert tally.area == rw.tally(y, p).area
    assert len(tally) == 8


# -- exact, if the scores fit --------------------------------------------------------------------


@pytest.mark.parametrize("make", [pl.DataFrame, pl.LazyFrame, pa.table])
@pytest.mark.parametrize(
    ("digits", "limit", "is_exact"),
    [(2, 500, True), (3, 2000, True), (3, 100, False), (17, 1000, False), (17, 4000, True)],
)
def test_the_scores_decide(make, digits, limit, is_exact):
    y, p = continuous()
    p = np.round(p, digits)
    options = {"score": "p", "label": "y", "limit": limit, "buckets": 64}
    tally = rw.tallies(make({"y": y, "p": p}), **options).only
    assert tally.is_bucketed is not is_exact
    if is_exact:
        exact = rw.tally(y, p)
        assert np.array_equal(tally.scores, exact.scores)
        assert np.array_equal(tally.up, exact.up)
        assert tally.certificate == 0.0
        assert dict(tally.stored) == {}


def test_a_table_in_memory_is_exact_unless_a_limit_is_set():
    y, p = continuous()
    assert not rw.tallies({"y": y, "p": p}, score="p", label="y").only.is_bucketed
    assert not rw.tallies(pa.table({"y": y, "p": p}), score="p", label="y").only.is_bucketed
    assert not rw.tallies(pl.LazyFrame({"y": y, "p": p}), score="p", label="y").only.is_bucketed
    assert bucketed(y, p, buckets=100).is_bucketed


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"limit": -1}, r"limit=-1 is smaller than 0\.\nHint: "),
        ({"limit": 2.5}, r"limit=2\.5 is not a whole number"),
        ({"buckets": 1}, r"buckets=1 is smaller than 2\.\nHint: "),
        ({"buckets": True}, r"buckets=True is not a number"),
        (
            {"tolerance": 0},
            r"tolerance=0 is not a number between 0 and 1\.\nHint: name the largest",
        ),
        ({"tolerance": "small"}, r"tolerance"),
    ],
)
def test_options_that_make_no_sense(options, words):
    with pytest.raises(OptionError, match=f"^{words}"):
        rw.tallies(pl.LazyFrame({"y": [1, 0], "p": [0.5, 0.2]}), score="p", label="y", **options)


# -- scores in a crowd ---------------------------------------------------------------------------


def crowd(name, n=60_000):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, n)
    scores = {
        "uniform": lambda: rng.random(n),
        "rare": lambda: rng.beta(0.5, 200, n),
        "near 0": lambda: rng.random(n) ** 4 * 1e-3,
        "near 1": lambda: 1 - rng.random(n) ** 4 * 1e-3,
        "at both ends": lambda: rng.beta(0.4, 0.4, n),
        "very rare": lambda: rng.beta(0.05, 20, n),
        "a billionth": lambda: rng.random(n) * 1e-9,
    }[name]()
    return y, scores


def of_one_width(y, p):
    """The certificate of as many buckets of one width."""
    return rw.tally(y, p).bucketed(np.linspace(0, 1, 2**16 + 1)[1:-1]).certificate


CROWDS = {"rare": 2e-4, "near 0": 2e-4, "near 1": 2e-4, "very rare": 1e-4, "a billionth": 2e-3}


@pytest.mark.parametrize(
    ("name", "most"), [("uniform", 1.5e-5), ("at both ends", 1e-5), *CROWDS.items()]
)
def test_buckets_suit_scores_in_a_crowd(name, most):
    y, p = crowd(name)
    assert bucketed(y, p).certificate < most


@pytest.mark.parametrize("name", ["uniform", "at both ends", *CROWDS])
def test_the_certificate_holds_in_a_crowd(name):
    y, p = crowd(name)
    tally, exact = bucketed(y, p), rw.tally(y, p)
    assert len(tally) <= 2**16 + 2
    assert abs(tally.area - exact.area) <= tally.certificate


@pytest.mark.parametrize("name", list(CROWDS))
def test_buckets_of_one_width_suit_a_crowd_less(name):
    y, p = crowd(name)
    assert bucketed(y, p).certificate < of_one_width(y, p) / 10


@pytest.mark.parametrize("name", ["at both ends", "very rare", "a billionth"])
def test_a_tolerance_is_reached_in_a_crowd(name):
    y, p = crowd(name)
    tally = bucketed(y, p, limit=50_000, buckets=2**10, tolerance=1e-4)
    assert tally.certificate <= 1e-4
    assert len(tally) <= 50_000
    assert abs(tally.area - rw.tally(y, p).area) <= tally.certificate


# -- parts and the whole -------------------------------------------------------------------------


def bits(tally):
    columns = {name: getattr(tally, name) for name in STORED} | dict(tally.stored)
    return {name: (column.dtype.str, column.tobytes()) for name, column in columns.items()}


def saved_and_loaded(parts, folder):
    """Send tallies through files, as workers do."""
    for place, part in enumerate(parts):
        part.save(folder / f"{place}.npz")
    return [rw.Tally.load(folder / f"{place}.npz") for place in range(len(parts))]


@pytest.mark.parametrize("buckets", [8, 500, 2**16])
def test_parts_in_buckets_add_up_to_the_whole(tmp_path, buckets):
    y, p = continuous()
    p[:7] = [0.0, 1.0, 5e-324, 1 - 2**-53, 0.5, 2**-1022, 0.1 + 0.2]
    whole = bucketed(y, p, buckets=buckets)
    rng = np.random.default_rng(6)
    owner = rng.choice(5, len(y), p=[0.001, 0.009, 0.09, 0.4, 0.5])
    parts = [bucketed(y[owner == k], p[owner == k], buckets=buckets) for k in range(5)]
    parts = saved_and_loaded(parts, tmp_path)
    for order in (range(5), range(4, -1, -1), rng.permutation(5)):
        assert bits(sum(parts[k] for k in order)) == bits(whole)
        assert bits(rw.Tally.merge([parts[k] for k in order])) == bits(whole)
    assert bits((parts[0] + parts[3]) + (parts[4] + (parts[1] + parts[2]))) == bits(whole)


@given(hard_samples(min_size=6), st.integers(2, 12), st.data())
@settings(max_examples=40)
def test_parts_of_any_kind_add_up_to_the_whole(sample, buckets, data):
    y, p = sample
    owner = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(y), max_size=len(y))))
    parts = [
        bucketed(y[owner == k], p[owner == k], buckets=buckets) for k in range(3) if k in owner
    ]
    total, whole = rw.Tally.merge(parts), bucketed(y, p, buckets=buckets)
    for name in STORED:
        assert np.array_equal(getattr(total, name), getattr(whole, name))
    assert total.area == whole.area
    assert total.certificate == whole.certificate
    assert np.array_equal(total.up_score, whole.up_score)


def test_parts_of_unlike_engines_add_up_to_the_whole():
    y, p = continuous()
    whole = bucketed(y, p, buckets=500)
    names = ["pandas", "pyarrow", "duckdb", "ibis"]
    parts = [
        rw.tallies(
            ENGINES[name]({"y": y[place::4], "p": p[place::4]}),
            score="p",
            label="y",
            limit=0,
            buckets=500,
        ).only
        for place, name in enumerate(names)
    ]
    assert bits(rw.Tally.merge(parts)) == bits(whole)


def test_exact_parts_add_up_to_the_exact_whole(tmp_path):
    y, p = continuous()
    p = np.round(p, 3)
    parts = [
        rw.tallies(pl.LazyFrame({"y": y[k::3], "p": p[k::3]}), score="p", label="y").only
        for k in range(3)
    ]
    assert bits(sum(saved_and_loaded(parts, tmp_path))) == bits(rw.tally(y, p))


def test_soft_parts_in_buckets_add_up_to_the_last_bits():
    _, p = continuous()
    rng = np.random.default_rng(9)
    soft, w = rng.random(len(p)), rng.random(len(p)) + 0.1
    whole = bucketed(soft, p, w, buckets=300)
    total = rw.Tally.merge([bucketed(soft[k::3], p[k::3], w[k::3], buckets=300) for k in range(3)])
    for name in ("scores", "count", "highest", "cell_low", "cell_high"):
        assert np.array_equal(getattr(total, name), getattr(whole, name))
    for name in ("up", "right", "up_score", "right_score", "up_squared", "up_right"):
        np.testing.assert_allclose(getattr(total, name), getattr(whole, name), rtol=1e-12)


def test_parts_of_logits_add_up_within_the_certificate():
    """Their cells suit the scores of each part; where they overlap, rows run together."""
    y, p = continuous()
    logits = 6 * p - 2
    total = rw.Tally.merge(
        [bucketed(y[k::3], logits[k::3] * (1 if k else 0.5), buckets=64) for k in range(3)]
    )
    exact = rw.tally(
        np.concatenate([y[k::3] for k in range(3)]),
        np.concatenate([logits[k::3] * (1 if k else 0.5) for k in range(3)]),
    )
    assert (total.total_up, total.total_right) == (exact.total_up, exact.total_right)
    assert abs(total.area - exact.area) <= total.certificate


def test_a_refined_part_and_a_rough_one_add_up():
    y, p = continuous()
    rough = bucketed(y[::2], p[::2], buckets=16)
    fine = bucketed(y[1::2], p[1::2], buckets=16, limit=900, tolerance=1e-3)
    total, whole = rough + fine, bucketed(y, p, buckets=16)
    assert bits(total) == bits(whole)
