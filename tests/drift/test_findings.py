"""Findings of drift: each number in two samples, its interval and its gaps."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
from drift.samples import pair_sample as sample
from rocwalk.drift.findings import estimates_of
from rocwalk.inference.influence import variance_of

# -- numbers -------------------------------------------------------------------------------------


def test_findings_are_those_of_the_functions(both):
    found = rw.drift(*both).findings
    for name, of in {
        "auc": lambda y, p: rw.roc(y, p).area,
        "probabilistic_auc": rw.metrics.probabilistic_auc_score,
        "midpoint": lambda y, p: rw.sensibility(y, p).midpoint,
        "struggle_ratio": rw.metrics.struggle_ratio,
        "prevalence": lambda y, p: float(np.mean(y)),
        "mean_score": lambda y, p: float(np.mean(p)),
        "brier": lambda y, p: float(np.mean((y - p) ** 2)),
    }.items():
        assert found[name].reference == pytest.approx(of(*both[0]), abs=1e-12)
        assert found[name].current == pytest.approx(of(*both[1]), abs=1e-12)
        assert found[name].difference == pytest.approx(
            found[name].current - found[name].reference, abs=1e-15
        )
        assert found[name].low < found[name].difference < found[name].high


def test_parts_of_the_brier_score(both):
    found = rw.drift(*both).findings
    for which in ("reference", "current"):
        values = {k: getattr(found[k], which) for k in ("brier", "refinement", "miscalibration")}
        assert values["brier"] == pytest.approx(values["refinement"] + values["miscalibration"])
    curve = rw.roc(*both[0])
    fit = curve.calibration()
    flattery = (fit.blocks.value * (1 - fit.blocks.value)).sum() / len(both[0][0])
    assert found["refinement"].reference == pytest.approx(fit.brier.refinement + flattery)


@pytest.mark.parametrize(("fixed", "weighted"), [(False, False), (True, False), (False, True)])
def test_errors_without_resampling_are_those_of_a_bootstrap(fixed, weighted):
    """A row bootstrap written by hand, of every number at once."""
    rng = np.random.default_rng(5)
    y, p = sample(rng, 600)
    w = rng.uniform(0.5, 2, 600) if weighted else None
    tally = rw.tally(y, p, sample_weight=w)
    estimates = estimates_of(tally, fixed=fixed)
    names = ("auc", "probabilistic_auc", "midpoint", "struggle_ratio", "mean_score", "brier")
    drawn = []
    for _ in range(600):
        if fixed:
            rows = np.concatenate(
                [rng.choice(np.flatnonzero(y == c), (y == c).sum()) for c in (0, 1)]
            )
        else:
            rows = rng.integers(0, 600, 600)
        part = rw.tally(y[rows], p[rows], sample_weight=None if w is None else w[rows])
        values = estimates_of(part, fixed=fixed)
        drawn.append([values[name].value for name in names])
    for name, spread in zip(names, np.std(drawn, axis=0, ddof=1), strict=True):
        one = estimates[name]
        conditional = fixed or (name in ("auc", "probabilistic_auc") and not weighted)
        error = math.sqrt(variance_of(tally, one.influence, fixed=conditional) + one.more)
        tolerance = 0.3 if name == "struggle_ratio" else 0.15
        assert error == pytest.approx(spread, rel=tolerance), name


def test_a_bootstrap_gives_nearly_the_same(both):
    plain, drawn = rw.drift(*both), rw.drift(*both, method="bootstrap", rng=0)
    assert drawn.method == "bootstrap"
    for name in ("auc", "midpoint", "prevalence", "mean_score", "brier"):
        one, other = plain.findings[name], drawn.findings[name]
        assert other.standard_error == pytest.approx(one.standard_error, rel=0.15)
        assert other.low == pytest.approx(one.low, abs=0.3 * one.standard_error)
    again = rw.drift(*both, method="bootstrap", rng=0, threads=1)
    assert again.to_json() == drawn.to_json()


# -- gaps between curves -------------------------------------------------------------------------


def test_the_largest_gap_is_where_it_is_said_to_be(both):
    y, p = both[1]
    found = rw.drift(both[0], (y, p**2)).findings["sensibility_gap"]
    middle = rw.sensibility(*both[0]).midpoint
    curves = [rw.sensibility(*both[0]), rw.sensibility(y, p**2, midpoint=middle)]
    at = np.linspace(0, 1, 2001)
    gaps = [curves[1].at(t).sensibility - curves[0].at(t).sensibility for t in at]
    assert abs(found.difference) >= max(map(abs, gaps)) - 1e-12
    there = [curve.at(found.at).sensibility for curve in curves]
    assert found.difference == pytest.approx(there[1] - there[0])
    assert (found.reference, found.current) == pytest.approx(tuple(there))
    assert found.low < found.difference < found.high
