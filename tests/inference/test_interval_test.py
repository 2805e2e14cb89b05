"""The test of one area by its interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from rocwalk.errors import OptionError
from rocwalk.inference.interval_test import IntervalTest, even_tally


def binormal(rng, areas, counts, correlation):
    """Labels and two columns of normal scores of these areas, correlated within each class."""
    shift = math.sqrt(2) * stats.norm.ppf(areas)
    y = np.repeat([1, 0], counts)
    noise = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], len(y))
    return y, noise + y[:, None] * shift


# -- the test of one area ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("auc", "options"),
    [
        (0.9, {}),
        (0.8, {"ratio": 2}),
        (0.9, {"null": 0.7, "ratio": 0.25}),
        (0.9, {"null": 0.8}),
        (0.8, {"null": 0.65, "ratio": 4, "alternative": "greater", "power": 0.9}),
        (0.3, {"power": 0.9}),
    ],
)
def test_the_interval_has_the_power_that_is_promised(auc, options):
    found = rw.auc_sample_size(auc, **options)
    counts, null = (found.n_positives, found.n_negatives), options.get("null", 0.5)
    assert found.test == "rocwalk.interval"
    assert (found.n_simulations is None) is (min(counts) >= 50)
    less = max(math.ceil(found.n_negatives / found.n_positives * (counts[0] - 1) - 1e-9), 2)
    kept = {key: value for key, value in options.items() if key in ("null", "alternative")}
    assert found.power == rw.auc_power(auc, *counts, **kept).power >= found.asked_power
    assert rw.auc_power(auc, counts[0] - 1, less, **kept).power < found.power
    rng, runs, significant = np.random.default_rng(3), 400, 0
    one_sided = found.alternative == "greater"
    for _ in range(runs):
        y, scores = binormal(rng, (auc, 0.5), counts, 0.0)
        interval = rw.interval(
            rw.tally(y, scores[:, 0]), confidence_level=0.9 if one_sided else 0.95
        )
        significant += interval.low > null or (interval.high < null and not one_sided)
    error = math.sqrt(found.power * (1 - found.power) / runs)
    assert abs(significant / runs - found.power) < 3 * error + 0.02


@pytest.mark.parametrize(("auc", "null"), [(0.8, 0.65), (0.9, 0.78), (0.97, 0.9), (0.6, 0.75)])
def test_simulation_and_distribution_of_the_area_agree(auc, null):
    for counts in ((60, 60), (60, 200)):
        test = IntervalTest(null, 0.05, "two-sided")
        apart = test.power(auc, *counts) - test.simulated_power(auc, *counts)
        assert abs(apart) < 0.05


def test_power_of_one_area_rises_with_the_items():
    for auc, null in ((0.8, 0.5), (0.9, 0.8), (0.6, 0.7)):
        powers = [rw.auc_power(auc, n, n, null=null).power for n in (50, 60, 80, 120, 400, 4000)]
        assert powers == sorted(powers)
        assert powers[-1] == pytest.approx(1, abs=1e-4)
    assert rw.auc_power(0.5, 60, 60).power == pytest.approx(0.05, abs=0.01)  # the level


def test_evenly_spaced_scores_have_about_the_area():
    for area in (0.2, 0.5, 0.8, 0.97):
        tally = even_tally(area, 500, 80)
        assert (tally.total_up, tally.total_right) == (500, 80)
        assert tally.area == pytest.approx(area, abs=2e-3)


def test_one_item_of_a_class_has_no_interval():
    with pytest.raises(OptionError, match="2 items of each class"):
        rw.auc_power(0.8, 1, 20)
    with pytest.raises(OptionError, match=r"alpha=0.6 is too large for a one-sided test"):
        rw.auc_power(0.8, 10, 20, alternative="greater", alpha=0.6)
