"""Student's and the normal distribution, against SciPy and closed forms."""

import math

import numpy as np
import pytest
from scipy import special, stats

from rocwalk.inference.distributions import above, chi_squared_above, normal_quantile, quantile

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
