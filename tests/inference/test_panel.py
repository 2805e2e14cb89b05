"""Several models on the same items: tallies, ranks, ψ and covariances, item by item."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from rocwalk.errors import InputError, TallyError
from rocwalk.inference.influence import auc_influence
from rocwalk.inference.panel import Part, panel_of, psi_of, refuse_no_models
from rocwalk.read.arrays import check

RNG = np.random.default_rng(12)
Y = RNG.permutation(np.repeat([0, 1], [25, 15]))
MODELS = {
    "plain": RNG.normal(Y, 1.0),
    "tied": np.round(RNG.normal(0.5 * Y, 1.0)),
    "flat": np.zeros(len(Y)),
}


def panel(weight=None, cluster=None, y=Y):
    samples = {name: check(y, scores, sample_weight=weight) for name, scores in MODELS.items()}
    return panel_of(samples, cluster)


@pytest.mark.filterwarnings("ignore::rocwalk.errors.HardScoresWarning")
@pytest.mark.parametrize("kind", ["counts", "weights", "soft"])
def test_models_hold_the_tallies_of_their_scores(kind):
    weight = RNG.integers(1, 4, len(Y)).astype(float) if kind == "weights" else None
    y = np.clip(Y * 0.6 + 0.2, 0, 1) if kind == "soft" else Y
    found = panel(weight, y=y)
    assert len(found) == found.units == len(Y)
    for name, model in zip(found.names, found.models, strict=True):
        expected = rw.tally(y, MODELS[name], sample_weight=weight)
        for column in ("scores", "up", "right"):
            np.testing.assert_allclose(getattr(model.tally, column), getattr(expected, column))


def test_mid_ranks_are_those_of_scipy():
    for model in panel().models:
        expected = stats.rankdata(-model.scores, method="average")
        assert model.mid_ranks.tolist() == (2 * expected - 2).astype(int).tolist()


def test_psi_is_that_of_the_placements():
    estimates, psi = psi_of(panel(), auc_influence)
    positives, negatives = (Y == 1).sum(), (Y == 0).sum()
    for k, scores in enumerate(MODELS.values()):
        up, right = scores[Y == 1], scores[Y == 0]
        wins = (up[:, None] > right) + (up[:, None] == right) / 2
        area = wins.mean()
        assert estimates[k] == pytest.approx(area, abs=1e-12)
        np.testing.assert_allclose(
            psi[k][Y == 1], (wins.mean(axis=1) - area) / positives, atol=1e-12
        )
        np.testing.assert_allclose(
            psi[k][Y == 0], (wins.mean(axis=0) - area) / negatives, atol=1e-12
        )
        assert psi[k].sum() == pytest.approx(0, abs=1e-12)


def test_values_are_summed_over_clusters():
    cluster = np.arange(len(Y)) % 7
    found = panel(cluster=cluster)
    values = RNG.normal(size=(3, len(Y)))
    expected = [[row[cluster == k].sum() for k in range(7)] for row in values]
    assert found.units == 7
    np.testing.assert_allclose(found.by_unit(values), expected)
    assert panel().by_unit(values) is values


def test_a_part_of_a_covariance_loses_no_digits_of_a_difference():
    values = RNG.normal(size=(3, 50))
    values[2] = values[1] + 1e-9
    part = Part(0.5, values)
    np.testing.assert_allclose(part.covariance, 0.5 * values @ values.T)
    matrix = part.covariance
    assert part.of_difference(0, 1) == pytest.approx(matrix[0, 0] + matrix[1, 1] - 2 * matrix[0, 1])
    assert part.of_difference(1, 2) == pytest.approx(0.5 * 50 * 1e-18, rel=1e-6)
    assert part.of_difference(1, 1) == 0


@pytest.mark.parametrize(
    ("y", "scores", "kind", "words"),
    [
        (Y, MODELS["plain"], InputError, "scores is an ndarray."),
        (rw.tally(Y, MODELS["plain"]), MODELS, TallyError, "A paired comparison needs the items"),
    ],
)
def test_what_is_no_panel_is_refused(y, scores, kind, words):
    with pytest.raises(kind, match=words) as caught:
        refuse_no_models(y, scores)
    assert "\nHint: " in str(caught.value)
