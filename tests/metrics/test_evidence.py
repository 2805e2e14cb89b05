"""What every metric takes and refuses: labels, weights, missing rows, tallies, scikit-learn's words."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as peer
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score

import rocwalk as rw
from metric_samples import (
    AVERAGES,
    a_model,
    close,
    probabilities,
)
from rocwalk.errors import (
    DroppedRowsWarning,
    HardScoresWarning,
    OptionError,
    ScoreError,
)
from rocwalk.metrics import (
    hand_till_auc_score,
    provost_domingos_auc_score,
    roc_auc_score,
    roc_curve,
)


def test_objects_and_columns_of_one_column_are_read_like_plain_ones():
    y, s = np.array([0, 1, 1, 0], dtype=object), np.array([0.1, 0.9, 0.3, 0.4])
    assert roc_auc_score(y, s) == 0.75
    assert roc_auc_score(y[:, None].astype(int), s[:, None]) == 0.75
    assert roc_auc_score([["a"], ["b"], ["b"], ["a"]], s) == 0.75
    assert roc_curve(y[:, None].astype(int), s[:, None])[0].tolist() == [0, 0, 0.5, 0.5, 1]


def test_pos_label_against_all_others(rng):
    y, s = rng.integers(0, 3, 50), rng.random(50)
    for name in range(3):
        expected = peer.roc_auc_score(y == name, s)
        assert roc_auc_score(y, s, pos_label=name) == pytest.approx(expected, abs=1e-12)


BEYOND = np.array([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3])  # float64 holds two of the four
DECIMALS = [Decimal("0.1"), Decimal("0.9"), Decimal("0.4"), Decimal("0.35")]
CLOSE = [Decimal("0.1"), Decimal("0.1") + Decimal("1e-20"), Decimal("0.1"), Decimal(1)]
LONG = 1 + np.arange(4) * np.finfo(np.longdouble).eps
CORNER_SCORES = {
    "int64 beyond 2⁵³": BEYOND,
    "int64 below −2⁵³": -BEYOND,
    "uint64": np.array([2**64 - 1, 2**64 - 4, 2**64 - 3, 2**64 - 2], dtype=np.uint64),
    "a list of them": BEYOND.tolist(),
    "an array of objects": BEYOND.astype(object),
    "larger than int64": [2**70, 2**70 + 1, 2**70 + 2**20, 3],
    "int64 within 2⁵³": np.array([2**53, 2**53 - 1, 5, -(2**53)]),
    "Decimal": DECIMALS,
    "an array of Decimal": np.array(DECIMALS),
    "a series of Decimal": pd.Series(DECIMALS),
    "Decimal that float64 rounds": CLOSE,
    "an array of these": np.array(CLOSE),
    "long double": LONG,
    "long double, equal as float64": np.array([LONG[2], LONG[1], LONG[0], LONG[1]]),
}


CORNER_WEIGHTS = {
    "a matrix of one column": np.array([[1.0], [2], [3], [4]]),
    "a list of rows": [[1], [2], [3], [4]],
    "a frame": pd.DataFrame({"w": [1, 2, 3, 4]}),
    "Decimal": [Decimal(1), Decimal(2), Decimal(3), Decimal("4.5")],
}


@pytest.mark.parametrize("scores", CORNER_SCORES.values(), ids=CORNER_SCORES)
@pytest.mark.parametrize("y", [[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]], ids=str)
def test_scores_that_float64_rounds_are_sorted_as_scikit_learn_sorts_them(y, scores):
    assert roc_auc_score(y, scores) == peer.roc_auc_score(y, scores)
    assert roc_auc_score(y, scores, max_fpr=0.5) == peer.roc_auc_score(y, scores, max_fpr=0.5)
    for drop in (True, False):
        got = roc_curve(y, scores, drop_intermediate=drop)
        for ours, theirs in zip(
            got, peer.roc_curve(y, scores, drop_intermediate=drop), strict=True
        ):
            assert ours.tolist() == theirs.astype(np.float64).tolist()


@pytest.mark.parametrize("weights", CORNER_WEIGHTS.values(), ids=CORNER_WEIGHTS)
def test_weights_of_one_column_are_a_column(weights):
    y, s, options = [0, 1, 0, 1], [0.1, 0.9, 0.4, 0.35], {"sample_weight": weights}
    assert roc_auc_score(y, s, **options) == peer.roc_auc_score(y, s, **options)
    for ours, theirs in zip(
        roc_curve(y, s, **options), peer.roc_curve(y, s, **options), strict=True
    ):
        assert ours.tolist() == theirs.tolist()
    plain = [float(w) for w in np.ravel(weights)]
    for metric in (rw.metrics.h_measure_score, rw.metrics.probabilistic_auc_score):
        assert metric(y, s, **options) == metric(y, s, sample_weight=plain)


def test_columns_of_scores_that_float64_rounds():
    y = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    s = np.column_stack([BEYOND, BEYOND[::-1]])
    for average in AVERAGES[:3]:
        assert roc_auc_score(y, s, average=average) == peer.roc_auc_score(y, s, average=average)


def test_missing_values_among_scores_that_float64_rounds():
    scores = [*BEYOND.tolist(), None, Decimal("NaN")]
    with pytest.raises(
        ScoreError, match="row 4 .the first of 2. is NaN .or missing.. Input contai"
    ):
        roc_auc_score([1, 0, 1, 0, 1, 0], scores)
    with pytest.warns(DroppedRowsWarning):
        assert roc_auc_score([1, 0, 1, 0, 1, 0], [*scores[:5], None], invalid="drop") == 0.25
    with pytest.raises(ScoreError, match="is inf"):
        roc_curve([1, 0, 1], [Decimal("Infinity"), Decimal(1), Decimal(2)])


# what scikit-learn refuses before it looks at the data
REFUSED = [
    ("roc_curve", {"drop_intermediate": "no"}),
    ("roc_curve", {"drop_intermediate": 1}),
    ("roc_curve", {"drop_intermediate": None}),
    ("roc_auc_score", {"average": "mean"}),
    ("roc_auc_score", {"multi_class": "all"}),
    ("roc_auc_score", {"max_fpr": 0}),
    ("roc_auc_score", {"max_fpr": "0.5"}),
]


@pytest.mark.parametrize(("name", "options"), REFUSED, ids=str)
def test_parameters_are_refused_as_scikit_learn_refuses_them(name, options):
    arguments = [0, 1, 0, 1], [0.1, 0.9, 0.4, 0.35]
    with pytest.raises((ValueError, TypeError)) as theirs:
        getattr(peer, name)(*arguments, **options)
    with pytest.raises(OptionError) as ours:
        getattr(rw.metrics, name)(*arguments, **options)
    assert [isinstance(ours.value, kind) for kind in (ValueError, TypeError)] == [
        isinstance(theirs.value, kind) for kind in (ValueError, TypeError)
    ]
    (option,) = options
    words = f"The '{option}' parameter of {name} must be "
    assert str(theirs.value).startswith(words)
    assert str(ours.value).startswith(words)
    assert "\nHint: " in str(ours.value)


@pytest.mark.parametrize("metric", [roc_auc_score, hand_till_auc_score, provost_domingos_auc_score])
@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_scorers_of_two_classes(metric, method):
    data = load_breast_cancer()
    scorer = peer.make_scorer(metric, response_method=method)
    for y in (data.target, data.target_names[data.target]):
        got = cross_val_score(a_model(), data.data, y, scoring=scorer, cv=3)
        expected = cross_val_score(a_model(), data.data, y, scoring="roc_auc", cv=3)
        np.testing.assert_allclose(got, expected, **close)


WITHOUT_SKLEARN = """
import sys, warnings
sys.modules["sklearn"] = None
import numpy as np, rocwalk as rw
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    rw.metrics.roc_auc_score(np.array([1, 1]), np.array([0.2, 0.3]))
assert caught[0].category is rw.errors.UndefinedMetricWarning
y = np.arange(9) % 3
table = np.random.default_rng(0).dirichlet([1, 1, 1], 9)
rw.metrics.roc_curve(y == 1, table[:, 1])
rw.metrics.roc_auc_score(y, table, multi_class="ovr")
rw.metrics.hand_till_auc_score(y, table)
rw.metrics.provost_domingos_auc_score(y, table)
assert not [name for name in sys.modules if name.startswith("sklearn.")]
"""


def test_scikit_learn_is_not_needed():
    subprocess.run([sys.executable, "-c", WITHOUT_SKLEARN], check=True)


def test_invalid_rows_can_be_dropped():
    s = [0.1, 0.8, np.nan, 0.4, 0.35]
    with pytest.warns(DroppedRowsWarning, match="2 of 5 rows were left out") as caught:
        assert roc_auc_score([0, None, 1, 0, 1], s, invalid="drop") == 0.5
    assert caught[0].message.rows == (1, 2)
    with pytest.warns(DroppedRowsWarning) as caught:
        assert roc_auc_score(["a", None, "b", "a", "b"], s, invalid="drop") == 0.5
    assert len(caught) == 1
    with pytest.warns(DroppedRowsWarning):
        got = roc_auc_score([0.25, None, 1.0, 0.5], [0.1, 0.2, 0.8, 0.4], invalid="drop")
    assert got == roc_auc_score([0.25, 1.0, 0.5], [0.1, 0.8, 0.4])
    with pytest.warns(DroppedRowsWarning):
        assert roc_curve([0, None, 1, 0, 1], s, invalid="drop")[2].tolist() == [
            np.inf, 0.4, 0.35, 0.1,
        ]  # fmt: skip


def test_invalid_rows_of_probabilities_can_be_dropped(rng):
    y, s = np.arange(9) % 3, probabilities(rng, 9, 3)
    holes = s.copy()
    holes[4, :2], holes[7, 0] = [np.inf, -np.inf], np.nan
    kept = np.delete(np.arange(9), [4, 7])
    with pytest.warns(DroppedRowsWarning, match="rows 4, 7"):
        got = roc_auc_score(y, holes, multi_class="ovr", invalid="drop")
    assert got == roc_auc_score(y[kept], s[kept], multi_class="ovr")


def test_rows_of_weight_zero_are_absent_whatever_they_hold():
    table = [[0.7, 0.3], [0.2, 0.8], [np.nan, 0.5]]
    assert hand_till_auc_score(["a", "b", "c"], table, sample_weight=[1, 2, 0]) == 1


def test_predicted_classes_are_noticed():
    with pytest.warns(HardScoresWarning, match="pass predict_proba") as caught:
        assert roc_auc_score([0, 1, 1, 0], [0, 1, 0, 0]) == 0.75
    assert caught[0].filename == __file__


@pytest.mark.parametrize("function", [roc_auc_score, roc_curve])
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"y_score": [1, 2]}, "y_score cannot be given together with a Tally."),
        (
            {"sample_weight": [1, 2], "pos_label": 1, "truth": "hard"},
            "sample_weight, pos_label and truth cannot be given together with a Tally.",
        ),
    ],
)
def test_a_tally_stands_alone(function, options, words):
    with pytest.raises(OptionError, match=words):
        function(rw.tally([0, 1], [0.1, 0.2]), **options)
