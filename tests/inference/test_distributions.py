"""Student's and the normal distribution, against SciPy and closed forms."""

import math

import mpmath
import numpy as np
import pytest
from scipy import special, stats

from rocwalk.inference.distributions import (
    _TAIL,
    above,
    beta_quantile,
    chi_squared_above,
    normal_below,
    normal_quantile,
    normal_quantiles,
    quantile,
    stirling_rest,
)

DEGREES = (1, 1.5, 2, 3, 4.7, 9, 30, 127.9, 199, 201, 1e3, 1e5, 1e8)
Z = (0.0, 1e-3, 0.4, 1.0, 1.96, 3.0, 8.0, 25.0)


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("z", Z)
def test_tails_of_student(df, z):
    assert above(z, df) == pytest.approx(special.stdtr(df, -z), rel=1e-12, abs=0)
    assert above(-z, df) == pytest.approx(special.stdtr(df, z), rel=1e-12)


def test_tails_of_student_in_closed_form():
    for z in (0.3, 2.0, 1e3, 1e9):
        assert above(z, 1) == pytest.approx(math.atan2(1, z) / math.pi, rel=1e-13, abs=0)
        tail = 1 / (math.sqrt(2 + z * z) * (math.sqrt(2 + z * z) + z))
        assert above(z, 2) == pytest.approx(tail, rel=1e-13, abs=0)


def test_tails_of_the_normal():
    for z in (-9.0, -1.0, 0.0, 1.96, 12.0, 37.0):
        assert above(z, None) == pytest.approx(special.ndtr(-z), rel=1e-12, abs=0)


@pytest.mark.parametrize("df", [None, *DEGREES])
@pytest.mark.parametrize("tail", [1e-12, 1e-4, 0.005, 0.025, 0.05, 0.2, 0.4999])
def test_a_quantile_has_its_tail(df, tail):
    z = -quantile(tail, df)
    assert above(z, df) == pytest.approx(tail, rel=1e-12, abs=0)
    expected = special.ndtri(tail) if df is None else special.stdtrit(df, tail)
    assert z == pytest.approx(-expected, rel=1e-9)
    assert quantile(1 - tail, df) == pytest.approx(z, rel=1e-3)


def test_ends():
    assert above(0.0, 3) == above(0.0, None) == 0.5
    assert normal_quantile(0.0) == -math.inf
    assert normal_quantile(1.0) == quantile(1.0, 3) == math.inf
    assert normal_quantile(0.5) == quantile(0.5, 3) == 0.0
    assert math.isnan(normal_quantile(math.nan))
    assert above(math.inf, 3) == above(math.inf, None) == 0.0
    assert above(-math.inf, 3) == 1.0
    assert math.isnan(above(math.nan, 3))


def test_quantiles_of_every_probability_rise():
    for df in (None, 1, 2.5, 1e4):
        found = [quantile(p, df) for p in np.linspace(0.001, 0.999, 401)]
        assert np.all(np.diff(found) > 0)
        assert found[200] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 12])
@pytest.mark.parametrize("df_error", [None, 2.5, 9.0, 400.0])
def test_tails_of_chi_square_and_f_against_scipy(df, df_error):
    for value in (1e-9, 0.3, 2.0, 11.0, 60.0, 400.0):
        want = (
            stats.chi2.sf(value, df) if df_error is None else stats.f.sf(value / df, df, df_error)
        )
        assert chi_squared_above(value, df, df_error) == pytest.approx(want, rel=1e-9)
    assert chi_squared_above(0.0, df, df_error) == 1.0
    assert math.isnan(chi_squared_above(math.nan, df, df_error))


def test_the_normal_distribution_of_arrays():
    z = np.append(np.linspace(-37, 37, 20_001), (-np.inf, np.inf, -1e300, 0.0))
    found, expected = normal_below(z), special.ndtr(z)
    assert np.allclose(found, expected, rtol=0, atol=4e-16)
    assert np.allclose(found, expected, rtol=1e-12, atol=0)
    assert normal_below(np.zeros(3)).tolist() == [0.5] * 3
    assert np.isnan(normal_below(np.array([np.nan])))
    square = z[:20_000].reshape(100, 200)
    assert np.allclose(normal_below(square), special.ndtr(square), rtol=0, atol=4e-16)


def test_the_coefficients_of_the_normal_tail():
    with mpmath.workdps(50):
        for k in range(len(_TAIL)):  # where the interpolant has the values of the function
            t = mpmath.cos(mpmath.pi * (k + mpmath.mpf(1) / 2) / len(_TAIL))
            z = 4 * (1 + t) / (1 - t)
            expected = mpmath.exp(z * z / 2) * mpmath.erfc(z / mpmath.sqrt(2)) / 2
            found = mpmath.mpf(0)
            for coefficient in _TAIL:
                found = found * t + coefficient
            assert abs(mpmath.mpf(1) / 2 + (1 + t) * found - expected) < 1e-16


def test_the_normal_quantiles_of_arrays():
    low = 10.0 ** np.linspace(-300, np.log10(0.499), 3_000)
    shares = np.concatenate((low, 1 - low[low > 1e-15]))
    assert np.allclose(normal_quantiles(shares), special.ndtri(shares), rtol=2e-14, atol=1e-14)
    ends = normal_quantiles(np.array([0.0, 1.0, np.nan, -0.1]))
    assert ends[:2].tolist() == [-np.inf, np.inf]
    assert np.isnan(ends[2:]).all()


def test_what_stirlings_formula_leaves():
    z = np.concatenate((10.0 ** np.linspace(-290, 8, 60), np.linspace(0.1, 20, 60)))
    with mpmath.workdps(60):
        expected = [
            mpmath.loggamma(x) - ((x - 0.5) * mpmath.log(x) - x + mpmath.log(2 * mpmath.pi) / 2)
            for x in map(mpmath.mpf, z.tolist())
        ]
    assert np.allclose(stirling_rest(z), np.array(expected, dtype=float), rtol=2e-15, atol=3e-14)


@pytest.mark.parametrize("tail", [1e-6, 0.005, 0.025, 0.05, 0.16])
def test_quantiles_of_the_beta_distribution(tail):
    rng = np.random.default_rng(5)
    a, b = 10.0 ** rng.uniform(-4, 7, 3_000), 10.0 ** rng.uniform(0, 7, 3_000)
    b[:500], a[500:1_000] = 1.0, rng.integers(1, 400, 500)
    found, expected = beta_quantile(a, b, tail), special.betaincinv(a, b, tail)
    assert np.allclose(found, expected, rtol=2e-11, atol=1e-307)
    assert np.allclose(found, expected, rtol=0, atol=1e-12)


def test_a_wide_tail_of_the_beta_distribution():
    a, b = np.array([1e-4, 0.3, 3.0, 2e5, 7e6]), np.array([170.0, 300.0, 1.0, 1.0, 9e6])
    assert np.allclose(beta_quantile(a, b, 0.49), special.betaincinv(a, b, 0.49), atol=1e-12)
    assert beta_quantile(np.empty(0), np.empty(0), 0.025).tolist() == []


@pytest.mark.parametrize("tail", [1e-12, 0.025, 0.5])
def test_a_tail_of_the_beta_distribution_of_very_many_items(tail):
    a, b = np.array([3.0, 1e5, 1e9, 9.9e8]), np.array([1e9, 1e9, 1e9, 3.1e6])
    expected = special.betaincinv(a, b, tail)
    assert np.allclose(beta_quantile(a, b, tail), expected, rtol=1e-10, atol=0)
