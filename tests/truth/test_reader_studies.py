"""Reader studies: published numbers, slow references written differently, laws, and refusals."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import rocwalk as rw
from rocwalk.errors import (
    ColumnError,
    InputError,
    LabelError,
    OneClassError,
    OptionError,
    RocwalkError,
    ScoreError,
    UndefinedMetricWarning,
)
from rocwalk.truth.reader_power import future_power
from rocwalk.truth.reader_studies import ReaderComponents, components_of, error_of, global_test

NAMES = {"truth": "y", "reader": "who", "test": "how", "case": "case", "rating": "rating"}


def ratings_of(seed=0, tests=2, readers=4, positives=12, negatives=15, gap=0.6, levels=None):
    """Return a complete study as columns, and the ratings by test, reader and case."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([1, 0], [positives, negatives])
    shape = tests, readers, len(truth)
    values = truth * (1 + gap * np.arange(tests)[:, None, None])
    values = values + rng.normal(size=len(truth)) + rng.normal(size=(1, readers, len(truth)))
    values = values + rng.normal(size=shape)
    if levels is not None:
        values = np.digitize(values, levels).astype(float)
    test, reader, case = (axis.ravel() for axis in np.indices(shape))
    table = {
        "y": truth[case],
        "who": np.array([f"reader {k}" for k in range(readers)])[reader],
        "how": np.array([f"test {k}" for k in range(tests)])[test],
        "case": case + 100,
        "rating": values.ravel(),
    }
    return table, truth, values


def study_of(table, **options):
    return rw.reader_study(table, **NAMES, **options)


def slow_area(truth, scores):
    """The area by counting pairs."""
    up, right = scores[truth == 1], scores[truth == 0]
    return np.mean([(a > b) + 0.5 * (a == b) for a, b in product(up, right)])


def slow_delong(truth, cells):
    """DeLong's covariance from placements, as his paper writes it."""
    up, right = truth == 1, truth == 0
    v10 = np.array(
        [[np.mean((x > s[right]) + 0.5 * (x == s[right])) for x in s[up]] for s in cells]
    )
    v01 = np.array([[np.mean((s[up] > x) + 0.5 * (s[up] == x)) for x in s[right]] for s in cells])
    return np.cov(v10) / up.sum() + np.cov(v01) / right.sum()


def slow_jackknife(truth, cells, statistic=slow_area):
    """Pseudo-values: their covariance over cases, divided by the number of cases."""
    n = len(truth)
    kept = [np.arange(n) != k for k in range(n)]
    pseudo = [
        [n * statistic(truth, s) - (n - 1) * statistic(truth[k], s[k]) for k in kept] for s in cells
    ]
    return np.cov(pseudo) / n


def slow_unbiased(truth, cells):
    """A·B minus the mean of products over pairs that share no case, by looking at all of them."""
    up, right = np.flatnonzero(truth == 1), np.flatnonzero(truth == 0)
    kernels = [(s[up][:, None] > s[right]) + 0.5 * (s[up][:, None] == s[right]) for s in cells]
    matrix = np.empty((len(cells), len(cells)))
    for a, b in product(range(len(cells)), repeat=2):
        apart = [
            kernels[a][i, j] * kernels[b][k, m]
            for i, k in product(range(len(up)), repeat=2) if i != k
            for j, m in product(range(len(right)), repeat=2) if j != m
        ]  # fmt: skip
        matrix[a, b] = kernels[a].mean() * kernels[b].mean() - np.mean(apart)
    return matrix


# -- published numbers -----------------------------------------------------------------------------

# The data of Van Dyke et al. (1993), 5 readers, 2 tests, 45 + 69 cases, which R's MRMCaov and
# RJafroc carry: the areas, and the covariance components of their cases.
VAN_DYKE = np.array(
    [[0.91964573, 0.85877617, 0.90386473, 0.97310789, 0.82979066],
     [0.94782609, 0.90531401, 0.92173913, 0.99935588, 0.92995169]]
)  # fmt: skip


def matrix_of(var, cov1, cov2, cov3, tests=2, readers=5):
    """A covariance that is constant within each of its four parts."""
    one, many = np.eye(tests), np.eye(readers)
    return (
        var * np.kron(one, many)
        + cov1 * np.kron(1 - one, many)
        + cov2 * np.kron(one, 1 - many)
        + cov3 * np.kron(1 - one, 1 - many)
    )


def analysed(areas, matrix, readers="random", cases="random"):
    found = components_of(areas, matrix)
    error, df = error_of(found, *areas.shape, readers=readers, cases=cases)
    return found, error, df, *global_test(found.ms_test, error, len(areas) - 1, df)


def test_van_dyke_by_delong():
    matrix = matrix_of(0.00079213, 0.00034201, 0.00033953, 0.00023585)
    found, error, df, f, _ = analysed(VAN_DYKE, matrix)
    assert found.ms_test == pytest.approx(0.0047962, abs=5e-8)
    assert found.ms_test_reader == pytest.approx(0.00055103, abs=5e-9)
    assert error == pytest.approx(0.00106942, abs=5e-8)
    assert f == pytest.approx(4.48485, abs=2e-4)
    assert df == pytest.approx(15.0661, abs=2e-3)


def test_van_dyke_as_mrmcaov_prints_it():
    """Its call: mrmc(empirical_auc(truth, rating), treatment, reader, case, cov = unbiased)."""
    matrix = matrix_of(0.00078839, 0.00034167, 0.00033906, 0.00023561)
    _, error, df, f, p_value = analysed(VAN_DYKE, matrix)
    assert f == pytest.approx(4.4896, abs=2e-4)
    assert df == pytest.approx(15.034, abs=3e-3)
    assert p_value == pytest.approx(0.051162, abs=5e-6)
    reach = stats.t.ppf(0.975, df) * math.sqrt(2 * error / 5)
    gap = VAN_DYKE[0].mean() - VAN_DYKE[1].mean()
    assert gap == pytest.approx(-0.0438, abs=1e-5)
    assert (gap - reach, gap + reach) == pytest.approx((-0.087852, 0.0002513), abs=2e-6)


def test_a_future_study_like_van_dyke_has_the_power_of_its_own_f():
    """With the same numbers B = E, so the power is that of F with the observed noncentrality."""
    matrix = matrix_of(0.00079213, 0.00034201, 0.00033953, 0.00023585)
    found, error, df, f, _ = analysed(VAN_DYKE, matrix)
    gap = VAN_DYKE[0].mean() - VAN_DYKE[1].mean()
    power, noncentrality, own_df = future_power(
        found, tests=2, readers=5, case_ratio=1.0, spread=gap**2 / 2, alpha=0.05
    )
    assert noncentrality == pytest.approx(f, rel=1e-12)
    assert own_df == pytest.approx(df, rel=1e-12)
    critical = stats.f.ppf(0.95, 1, df)
    assert power == pytest.approx(stats.ncf.sf(critical, 1, df, f), abs=1e-9)
    assert error > 0


# -- the whole against references ------------------------------------------------------------------


@pytest.mark.parametrize("levels", [None, [0.0, 1.0, 2.0]], ids=["continuous", "tied"])
@pytest.mark.parametrize(
    ("covariance", "slow"),
    [("delong", slow_delong), ("jackknife", slow_jackknife), ("unbiased", slow_unbiased)],
)
def test_areas_and_covariance_against_slow_references(covariance, slow, levels):
    table, truth, values = ratings_of(readers=2, positives=4, negatives=5, levels=levels)
    found = study_of(table, covariance=covariance)
    cells = values.reshape(-1, values.shape[-1])
    expected = [[slow_area(truth, s) for s in of_test] for of_test in values]
    assert found.areas == pytest.approx(np.array(expected), abs=1e-14)
    assert found.matrix == pytest.approx(slow(truth, cells), abs=1e-14)
    assert found.covariance == covariance


def slow_mean_squares(areas):
    """Sums of squares of a two-way table, by a least-squares fit of dummy variables."""
    t, r = areas.shape
    test, reader = (axis.ravel() for axis in np.indices(areas.shape))
    y = areas.ravel()

    def rest(*columns):
        design = np.column_stack([np.ones(t * r), *columns])
        return float(((y - design @ np.linalg.lstsq(design, y, rcond=None)[0]) ** 2).sum())

    tests = [(test == i).astype(float) for i in range(1, t)]
    readers = [(reader == j).astype(float) for j in range(1, r)]
    both = rest(*tests, *readers)
    return (rest(*readers) - both) / (t - 1), both / ((t - 1) * (r - 1))


@pytest.mark.parametrize("tests", [2, 3])
def test_random_readers_and_cases_by_hand(tests):
    table, _, _ = ratings_of(tests=tests)
    found = study_of(table, confidence_level=0.9)
    areas, s, r = found.areas, found.matrix, 4
    place = {(i, j): i * r + j for i in range(tests) for j in range(r)}
    sums = {"var": [], "cov1": [], "cov2": [], "cov3": []}
    for (i, j), (k, m) in product(place, repeat=2):
        kind = {(True, True): "var", (False, True): "cov1", (True, False): "cov2"}
        sums[kind.get((i == k, j == m), "cov3")].append(s[place[i, j], place[k, m]])
    mean = {name: np.mean(values) for name, values in sums.items()}
    ms_t, ms_tr = slow_mean_squares(areas)
    components = found.components
    for name, value in mean.items():
        assert getattr(components, name) == pytest.approx(value, abs=1e-15)
    assert (components.ms_test, components.ms_test_reader) == pytest.approx((ms_t, ms_tr))
    error = ms_tr + max(r * (mean["cov2"] - mean["cov3"]), 0)
    df = error**2 / (ms_tr**2 / ((tests - 1) * (r - 1)))
    assert found.f == pytest.approx(ms_t / error)
    assert found.df == pytest.approx((tests - 1, df))
    assert found.p_value == pytest.approx(stats.f.sf(ms_t / error, tests - 1, df))
    for pair, (a, b) in zip(found.differences, [(0, 1), (0, 2), (1, 2)], strict=False):
        gap = areas[a].mean() - areas[b].mean()
        se = math.sqrt(2 * error / r)
        reach = stats.t.ppf(0.95, df) * se
        assert (pair.a, pair.b) == (f"test {a}", f"test {b}")
        assert (pair.difference, pair.standard_error) == pytest.approx((gap, se))
        assert (pair.low, pair.high) == pytest.approx((gap - reach, gap + reach))
        assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(gap) / se, df))
    assert len(found.differences) == tests * (tests - 1) // 2
    for i, one in enumerate(found.means):
        own = s[i * r : (i + 1) * r, i * r : (i + 1) * r]
        cov2 = max(own[~np.eye(r, dtype=bool)].mean(), 0)
        ms_r = areas[i].var(ddof=1)
        variance, both = (ms_r + r * cov2) / r, ms_r + r * cov2
        own_df = both**2 / (ms_r**2 / (r - 1))
        reach = stats.t.ppf(0.95, own_df) * math.sqrt(variance)
        assert one.test == f"test {i}"
        assert (one.estimate, one.df) == pytest.approx((areas[i].mean(), own_df))
        assert one.low == pytest.approx(areas[i].mean() - reach)
        assert one.high == pytest.approx(min(areas[i].mean() + reach, 1))


def test_fixed_readers_and_fixed_cases_by_hand():
    table, _, _ = ratings_of(tests=3)
    r, found = 4, study_of(table, readers="fixed")
    c = found.components
    error = c.var - c.cov1 + (r - 1) * max(c.cov2 - c.cov3, 0)
    assert found.df == (2, math.inf)
    assert found.p_value == pytest.approx(stats.chi2.sf(2 * c.ms_test / error, 2))
    reach = stats.norm.ppf(0.975) * math.sqrt(2 * error / r)
    pair = found.differences[0]
    assert pair.high - pair.low == pytest.approx(2 * reach)
    own = found.matrix[:r, :r]
    assert found.means[0].standard_error == pytest.approx(math.sqrt(own.sum()) / r)
    found = study_of(table, cases="fixed")
    c = found.components
    assert (found.f, found.df[1]) == pytest.approx((c.ms_test / c.ms_test_reader, 6))
    assert found.p_value == pytest.approx(stats.f.sf(found.f, 2, 6))
    assert found.means[0].standard_error == pytest.approx(found.areas[0].std(ddof=1) / 2)
    assert found.means[0].df == 3


def test_fixed_readers_of_one_test_are_the_paired_comparison_of_mean_areas():
    """With fixed readers the variance of a difference of means is that of S, if it is homogeneous."""
    table, _, _ = ratings_of(readers=2)
    found = study_of(table, readers="fixed")
    weights = np.array([1, 1, -1, -1]) / 2
    assert found.differences[0].standard_error ** 2 == pytest.approx(
        weights @ found.matrix @ weights, rel=1e-12
    )


@pytest.mark.parametrize(
    ("name", "options", "slow"),
    [
        ("h_measure", {}, lambda truth, s: rw.roc(truth, s).h_measure()),
        (
            "partial_auc",
            {"max_fpr": 0.3},
            lambda truth, s: rw.roc(truth, s).partial_area(max_fpr=0.3),
        ),
    ],
)
def test_other_statistics_by_jackknife(name, options, slow):
    table, truth, values = ratings_of()
    found = study_of(table, statistic=name, **options)
    cells = values.reshape(-1, values.shape[-1])
    assert found.covariance == "jackknife"
    assert found.areas.ravel() == pytest.approx([slow(truth, s) for s in cells])
    assert found.matrix == pytest.approx(slow_jackknife(truth, cells, slow), abs=1e-12)
    assert found.statistic == name


@pytest.mark.parametrize(
    ("name", "slow", "most"),
    [
        ("sensitivity", lambda truth, s: np.mean(s[truth == 1] >= 1.0), 0.05),
        ("accuracy", lambda truth, s: np.mean((s >= 1.0) == truth), 0.05),
        ("precision", lambda truth, s: np.mean(truth[s >= 1.0]), 0.2),  # a ratio: not linear
    ],
)
def test_rates_by_influence_and_by_jackknife(name, slow, most):
    table, truth, values = ratings_of()
    cells = values.reshape(-1, values.shape[-1])
    found = study_of(table, statistic=name, threshold=1.0)
    other = study_of(table, statistic=name, threshold=1.0, covariance="jackknife")
    assert (found.covariance, other.covariance) == ("delong", "jackknife")
    for one in (found, other):
        assert one.areas.ravel() == pytest.approx([slow(truth, s) for s in cells])
    assert other.matrix == pytest.approx(slow_jackknife(truth, cells, slow), abs=1e-12)
    assert np.diag(found.matrix) == pytest.approx(np.diag(other.matrix), rel=most)


def test_sensitivity_by_influence_is_the_covariance_of_hits():
    table, truth, values = ratings_of()
    hits = values.reshape(-1, values.shape[-1])[:, truth == 1] >= 1.0
    found = study_of(table, statistic="sensitivity", threshold=1.0, covariance="delong")
    assert found.matrix == pytest.approx(np.cov(hits) / hits.shape[1], abs=1e-12)


def test_a_function_of_a_tally_is_a_statistic():
    table, _, _ = ratings_of()
    found = study_of(table, statistic=lambda tally: tally.auc_bounds[1])
    assert found.areas == pytest.approx(study_of(table).areas)
    by_name = study_of(table, covariance="jackknife")
    assert found.matrix == pytest.approx(by_name.matrix, abs=1e-12)


# -- laws ------------------------------------------------------------------------------------------


def test_row_order_and_names_change_nothing():
    table, _, _ = ratings_of(tests=3)
    first = study_of(table)
    frame = pd.DataFrame(table)
    mixed = study_of(frame.sample(frac=1, random_state=3).reset_index(drop=True))
    assert mixed.f == pytest.approx(first.f, rel=1e-12)
    assert mixed.df == pytest.approx(first.df, rel=1e-12)
    for data in (pl.DataFrame(table), pl.LazyFrame(table), frame):
        assert study_of(data).f == first.f


def test_files_and_words(tmp_path):
    table, _, _ = ratings_of()
    frame = pd.DataFrame(table)
    frame["y"] = np.where(frame["y"] == 1, "ill", "well")
    frame.to_csv(tmp_path / "ratings.csv", index=False)
    found = rw.reader_study(tmp_path / "ratings.csv", **NAMES, pos_label="ill")
    assert found.f == pytest.approx(study_of(table).f)
    frame.to_csv(tmp_path / "comma.csv", index=False, sep=";", decimal=",")
    again = rw.reader_study(
        tmp_path / "comma.csv", **NAMES, pos_label="ill", separator=";", decimal=","
    )
    assert again.f == pytest.approx(found.f)


def test_an_increasing_transformation_of_a_readers_scale_changes_nothing():
    table, _, _ = ratings_of()
    first = study_of(table)
    moved = dict(table)
    moved["rating"] = np.where(
        table["who"] == "reader 1", np.exp(table["rating"]), 3 * table["rating"] - 7
    )
    found = study_of(moved)
    assert found.areas == pytest.approx(first.areas, abs=1e-15)
    assert found.p_value == pytest.approx(first.p_value, rel=1e-12)


def test_exchanging_tests_turns_the_difference_round():
    table, _, _ = ratings_of()
    other = dict(table)
    other["how"] = np.where(table["how"] == "test 0", "test 1", "test 0")
    one, two = study_of(table).differences[0], study_of(other).differences[0]
    assert (one.a, two.a) == ("test 0", "test 1")
    assert (one.low, one.high, one.p_value) == pytest.approx((two.low, two.high, two.p_value))


def test_f_is_the_square_of_t_for_two_tests():
    for seed in range(5):
        found = study_of(ratings_of(seed)[0])
        assert found.f == pytest.approx(found.differences[0].z ** 2)
        assert found.p_value == pytest.approx(found.differences[0].p_value)


# -- result ----------------------------------------------------------------------------------------


def test_sentences_say_what_was_done_and_claim_no_equality():
    alike = study_of(ratings_of(gap=0.0)[0])
    assert alike.p_value > 0.05
    assert "that does not make the tests equal" in alike.sentence
    assert "random readers, random cases, delong covariance" in alike.sentence
    apart = study_of(ratings_of(gap=3.0, positives=40, negatives=40, readers=6)[0])
    assert apart.p_value < 0.05
    assert "does not make" not in apart.sentence
    fixed = study_of(ratings_of()[0], readers="fixed", covariance="jackknife")
    assert "with 1 and ∞ degrees" in fixed.sentence
    assert "fixed readers, random cases, jackknife covariance" in fixed.sentence


def test_curves_and_picture():
    found = study_of(ratings_of()[0])
    assert list(found.curves) == ["test 0", "test 1"]
    assert found.curves["test 1"]["reader 2"].area == pytest.approx(found.areas[1, 2])
    for test, mean in zip(found.mean_curves.values(), found.means, strict=True):
        assert test.area == pytest.approx(mean.estimate)
    ax = found.plot()
    kinds = [line.get_gid() for line in ax.lines]
    assert (kinds.count("reader"), kinds.count("curve")) == (8, 2)
    assert "test 1, mean of readers" in ax.get_legend().get_texts()[1].get_text()


def test_frame_and_dict():
    found = study_of(ratings_of()[0])
    frame = found.to_frame("pandas")
    assert list(frame.columns) == ["test", "reader", "value"]
    assert frame["value"].to_numpy().reshape(2, 4) == pytest.approx(found.areas)
    plain = found.to_dict()
    assert plain["components"]["cov2"] == found.components.cov2
    assert plain["means"][1]["test"] == "test 1"
    assert plain["differences"][0]["p_value"] == found.p_value


# -- power -----------------------------------------------------------------------------------------


def test_power_by_the_published_formula():
    c = ReaderComponents(
        var=0.0008, cov1=0.00035, cov2=0.00034, cov3=0.00024, ms_test=0.005, ms_test_reader=0.00055
    )
    r, ratio, gap = 8, 114 / 200, 0.04
    power, noncentrality, df = future_power(
        c, tests=2, readers=r, case_ratio=ratio, spread=gap**2 / 2, alpha=0.05
    )
    apart = c.cov2 - c.cov3
    sigma = max(0, c.ms_test_reader - (c.var - c.cov1 - apart))
    b = sigma + ratio * (c.var - c.cov1 + (r - 1) * apart)
    delta = r * gap**2 / 2 / b
    expected_df = b**2 / ((sigma + ratio * (c.var - c.cov1 - apart)) ** 2 / (r - 1))
    assert (noncentrality, df) == pytest.approx((delta, expected_df))
    critical = stats.f.ppf(0.95, 1, expected_df)
    assert power == pytest.approx(stats.ncf.sf(critical, 1, expected_df, delta), abs=1e-9)


def test_sample_size_is_the_smallest():
    study = study_of(ratings_of(positives=30, negatives=30)[0])
    found = study.sample_size(0.12, readers=8, power=0.7)
    assert found.power >= 0.7 > study.power(0.12, readers=8, cases=found.n_cases - 1).power
    assert found.asked_power == 0.7
    assert "random readers and cases" in found.sentence
    more = study.power(0.12, readers=9, cases=found.n_cases)
    assert more.power > found.power
    own = study.power(0.12)
    assert (own.n_readers, own.n_cases) == (4, 60)


def test_a_power_that_no_number_of_cases_reaches():
    study = study_of(ratings_of(seed=4, positives=30, negatives=30)[0])
    components = study.components
    assert components.ms_test_reader > 0
    with pytest.raises(OptionError, match="is not reached by any number of cases with 2 readers"):
        study.sample_size(0.001, readers=2)


def test_power_is_refused_where_it_is_not_known():
    table = ratings_of()[0]
    with pytest.raises(OptionError, match="random readers and cases only"):
        study_of(table, readers="fixed").power(0.05)
    with pytest.raises(OptionError, match="is no difference"):
        study_of(table).power(0.0)
    with pytest.raises(OptionError, match="alpha"):
        study_of(table).power(0.05, alpha=2)
    with pytest.raises(OptionError, match="readers"):
        study_of(table).power(0.05, readers=1)


# -- refusals --------------------------------------------------------------------------------------


def changed(table, where, column, value):
    copy = {name: np.array(values, dtype=object) for name, values in table.items()}
    copy[column][where] = value
    return copy


def without(table, rows):
    keep = np.setdiff1d(np.arange(len(table["y"])), rows)
    return {name: np.asarray(values)[keep] for name, values in table.items()}


TABLE = ratings_of()[0]
REFUSED = {
    "one reader": (
        lambda: study_of({k: np.asarray(v)[TABLE["who"] == "reader 0"] for k, v in TABLE.items()}),
        InputError, r"There is one reader only, 'reader 0'\..*rocwalk.compare",
    ),
    "one test": (
        lambda: study_of({k: np.asarray(v)[TABLE["how"] == "test 0"] for k, v in TABLE.items()}),
        InputError, r"There is one test only, 'test 0'\.",
    ),
    "a case missing for a reader": (
        lambda: study_of(without(TABLE, [30])),
        InputError,
        (
            r"Case 103 by reader 'reader 1' with test 'test 0' has no rating: the design of "
            r"2 tests, 4 readers and 27 cases is not complete\."
        ),
    ),
    "two cases missing": (
        lambda: study_of(without(TABLE, [30, 31])), InputError, r"and 1 more ratings are missing",
    ),
    "an empty rating": (
        lambda: study_of(changed(TABLE, 30, "rating", None)),
        InputError, r"Case 103 by reader 'reader 1' with test 'test 0' has no rating",
    ),
    "a rating twice": (
        lambda: study_of({k: np.append(v, np.asarray(v)[7]) for k, v in TABLE.items()}),
        InputError,
        (
            r"Case 107 by reader 'reader 0' with test 'test 0' is rated twice, at row 7 and "
            r"row 216\."
        ),
    ),
    "two truths of a case": (
        lambda: study_of(changed(TABLE, 30, "y", 0)),
        LabelError, r"Case 103 has the truth 1 at row 3 and 0 at row 30\.",
    ),
    "a missing truth": (
        lambda: study_of(changed(TABLE, 30, "y", None)), LabelError, r"Column 'y'.*row 30.*missing",
    ),
    "soft truth": (
        lambda: study_of(TABLE | {"y": TABLE["y"] * 0.5}),
        LabelError, r"is 0\.5, which is neither class\..*reference_truth",
    ),
    "words of truth": (
        lambda: study_of(TABLE | {"y": np.where(TABLE["y"] == 1, "ill", "well")}),
        LabelError, r"pos_label",
    ),
    "a nameless reader": (
        lambda: study_of(changed(TABLE, 5, "who", None)),
        ColumnError, r"name the reader of every rating",
    ),
    "a word among ratings": (
        lambda: study_of(changed(TABLE, 5, "rating", "high")), ScoreError, r"'rating'.*row 5",
    ),
    "an infinite rating": (
        lambda: study_of(changed(TABLE, 5, "rating", math.inf)), ScoreError, r"row 5.*inf",
    ),
    "a reader of constant ratings": (
        lambda: study_of(changed(TABLE, (TABLE["who"] == "reader 2") & (TABLE["how"] == "test 1"),
                                 "rating", 3.0)),
        ScoreError, r"Reader 'reader 2' gives all cases the same rating, 3, with test 'test 1'\.",
    ),
    "one positive case": (
        lambda: study_of(ratings_of(positives=1)[0]), OneClassError, r"fewer than two positive",
    ),
    "no negative case": (
        lambda: study_of(ratings_of(negatives=0)[0]), OneClassError, r"negative",
    ),
    "both fixed": (
        lambda: study_of(TABLE, readers="fixed", cases="fixed"), OptionError, r"cannot both be fixed",
    ),
    "an unknown covariance": (
        lambda: study_of(TABLE, covariance="bootstrap"), OptionError, r"covariance='bootstrap'",
    ),
    "an unknown effect": (
        lambda: study_of(TABLE, readers="mixed"), OptionError, r"readers='mixed'",
    ),
    "unbiased of a rate": (
        lambda: study_of(TABLE, covariance="unbiased", statistic="sensitivity", threshold=1),
        OptionError, r"is for the AUC.*covariance='jackknife'",
    ),
    "delong of a number of the hull": (
        lambda: study_of(TABLE, covariance="delong", statistic="h_measure"),
        OptionError, r"h_measure does not say.*covariance='jackknife'",
    ),
    "an undefined statistic": (
        lambda: study_of(TABLE, statistic="precision", threshold=100),
        InputError, r"of reader 'reader 0' with test 'test 0' is undefined",
    ),
    "a column twice": (
        lambda: rw.reader_study(TABLE, **NAMES | {"test": "who"}),
        OptionError, r"do not name 5 columns",
    ),
    "a column that is not there": (
        lambda: rw.reader_study(TABLE, **NAMES | {"test": "hwo"}),
        ColumnError, r"no column 'hwo'.*did you mean 'who'",
    ),
    "a level": (lambda: study_of(TABLE, confidence_level=95), OptionError, r"outside \(0, 1\)"),
}  # fmt: skip


@pytest.mark.parametrize(("ask", "kind", "words"), REFUSED.values(), ids=list(REFUSED))
def test_refusals_name_what_is_wrong(ask, kind, words):
    with pytest.raises(kind, match=f"(?s){words}") as caught:
        ask()
    assert isinstance(caught.value, RocwalkError)
    assert caught.value.hint


def test_readers_who_are_copies_have_no_error():
    table, _, values = ratings_of(readers=1)
    copies = {name: np.tile(column, 3) for name, column in table.items()}
    copies["who"] = np.repeat(["a", "b", "c"], len(table["who"]))
    with pytest.warns(UndefinedMetricWarning, match="no error at all"):
        found = study_of(copies, cases="fixed")
    assert math.isnan(found.f)
    assert math.isnan(found.p_value)
    assert math.isnan(found.differences[0].low)
    assert "the test of equal tests is undefined" in found.sentence
    random = study_of(copies)  # the cases still differ
    assert random.df[1] == math.inf
    assert 0 <= random.p_value <= 1
    assert values.shape == (2, 1, 27)
