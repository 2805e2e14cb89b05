"""The power and the size of a future reader study."""

from __future__ import annotations

import pytest
from scipy import stats

from rocwalk.errors import OptionError
from rocwalk.truth.obuchowski_rockette import ReaderComponents
from rocwalk.truth.reader_power import future_power
from truth.reader_tables import VAN_DYKE, analysed, matrix_of, ratings_of, study_of


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
    with pytest.raises(OptionError, match="is not a finite number other than 0"):
        study_of(table).power(0.0)
    with pytest.raises(OptionError, match="alpha"):
        study_of(table).power(0.05, alpha=2)
    with pytest.raises(OptionError, match="readers"):
        study_of(table).power(0.05, readers=1)
