"""The ROC AUC of one column, of several labels and of several classes, against scikit-learn."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
import sklearn.exceptions
import sklearn.metrics as peer

import rocwalk as rw
from metric_samples import (
    AVERAGES,
    TABLE,
    both_classes,
    close,
    every_kind,
    probabilities,
    scores_of_a_kind,
)
from reference import auc_by_pairs
from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    LabelError,
    OptionError,
    RocwalkError,
    ScoreError,
    UndefinedMetricWarning,
    WeightError,
)
from rocwalk.metrics import (
    roc_auc_score,
    roc_curve,
)

ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."


@every_kind
@pytest.mark.parametrize("n", [2, 7, 100, 1000])
@pytest.mark.parametrize("max_fpr", [None, 1, 0.05, 0.37, 0.9])
def test_area_equals_scikit_learns(rng, kind, n, max_fpr):
    y, s, w = both_classes(rng, n), scores_of_a_kind(rng, n, kind), rng.random(n) + 0.1
    for weights in (None, w):
        options = {"max_fpr": max_fpr, "sample_weight": weights}
        expected = peer.roc_auc_score(y, s, **options)
        np.testing.assert_allclose(roc_auc_score(y, s, **options), expected, **close)


@pytest.mark.parametrize("weighted", [False, True])
def test_soft_truth_equals_the_count_of_all_pairs(rng, weighted):
    f, s = rng.integers(0, 11, 40) / 10, rng.integers(0, 8, 40) / 7
    w = (rng.integers(1, 4, 40) / 2).tolist() if weighted else None
    expected = float(auc_by_pairs(f.tolist(), s.tolist(), w))
    np.testing.assert_allclose(roc_auc_score(f, s, sample_weight=w), expected, **close)
    np.testing.assert_allclose(roc_auc_score(f, s, sample_weight=w, max_fpr=1), expected, **close)
    fpr, tpr, _ = roc_curve(f, s, sample_weight=w)
    np.testing.assert_allclose(peer.auc(fpr, tpr), expected, **close)


def test_soft_truth_of_zeros_and_ones_is_hard_truth(rng):
    y, s = both_classes(rng, 30), rng.random(30)
    soft = roc_auc_score(y, s, truth="soft")
    np.testing.assert_allclose(soft, roc_auc_score(y, s, truth="hard"), **close)


def test_soft_truth_in_several_columns(rng):
    f, s = rng.integers(0, 5, (20, 3)) / 4, rng.random((20, 3))
    expected = [float(auc_by_pairs(f[:, c].tolist(), s[:, c].tolist())) for c in range(3)]
    np.testing.assert_allclose(roc_auc_score(f, s, average=None), expected, **close)
    shares = f.sum(axis=0) / f.sum()
    np.testing.assert_allclose(roc_auc_score(f, s, average="weighted"), shares @ expected, **close)


@pytest.mark.parametrize("max_fpr", [None, 1, 0.3])
def test_a_tally_stands_for_both_columns(rng, max_fpr):
    y, s = both_classes(rng, 30), rng.random(30)
    tally = rw.tally(y, s)
    assert roc_auc_score(tally, max_fpr=max_fpr) == roc_auc_score(y, s, max_fpr=max_fpr)
    for ours, theirs in zip(roc_curve(tally), roc_curve(y, s), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_bucketed_tally_gives_the_middle(rng):
    tally = rw.tally(both_classes(rng, 90), rng.random(90)).bucketed(np.linspace(0, 1, 4))
    with pytest.warns(rw.errors.BucketedWarning, match="is within ± .* of the exact value"):
        assert roc_auc_score(tally) == tally.auc_bounds[1]


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("max_fpr", [None, 0.4])
@pytest.mark.parametrize("kind", ["distinct", "tied", "signed"])
@pytest.mark.parametrize("weighted", [False, True])
def test_several_labels_equal_scikit_learns(rng, average, max_fpr, kind, weighted):
    y = rng.integers(0, 2, (40, 4))
    y[:2, :2], y[:2, 2:] = np.eye(2), np.eye(2)
    y[:, 0], y[:, 1] = 1 - y[:, 1], y[:, 1]  # both classes in every row and column
    options = {
        "average": average,
        "max_fpr": max_fpr,
        "sample_weight": rng.random(40) + 0.1 if weighted else None,
    }
    s = scores_of_a_kind(rng, (40, 4), kind)
    expected = peer.roc_auc_score(y, s, **options)
    np.testing.assert_allclose(roc_auc_score(y, s, **options), expected, **close)
    np.testing.assert_allclose(roc_auc_score(y.tolist(), s.tolist(), **options), expected, **close)


@pytest.mark.parametrize("average", AVERAGES)
def test_a_column_of_one_class_is_averaged_as_scikit_learn_does(rng, average):
    y, s = rng.integers(0, 2, (12, 3)), rng.random((12, 3))
    y[:, 1] = 0
    y[:, 2] = 1 - y[:, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = peer.roc_auc_score(y, s, average=average)
        got = roc_auc_score(y, s, average=average)
    np.testing.assert_allclose(got, expected, **close)
    if average in ("macro", "weighted", None):
        with pytest.warns(UndefinedMetricWarning, match=re.escape(ONE_CLASS)):
            roc_auc_score(y, s, average=average)


def test_no_positives_at_all_make_a_weighted_mean_of_zero():
    y, s = np.zeros((3, 2), dtype=int), np.eye(3)[:, :2] / 2
    with pytest.warns(UndefinedMetricWarning):
        assert roc_auc_score(y, s, average="weighted") == 0
    assert peer.roc_auc_score(y, s, average="weighted") == 0


def test_minus_one_and_one_in_several_columns(rng):
    y, s = rng.integers(0, 2, (20, 3)), rng.random((20, 3))
    assert roc_auc_score(2 * y - 1, s) == roc_auc_score(y, s)
    assert roc_auc_score(y + 1, s, pos_label=2) == roc_auc_score(y, s)


@pytest.mark.parametrize(
    ("multi_class", "average"),
    [*(("ovr", average) for average in ("micro", "macro", "weighted", None)),
     ("ovo", "macro"), ("ovo", "weighted")],
)  # fmt: skip
@pytest.mark.parametrize("names", [[0, 1, 2, 3], ["a", "b", "c", "d"], [1.0, 2.0, 4.0, 8.0]])
def test_several_classes_equal_scikit_learns(rng, multi_class, average, names):
    codes = rng.permutation(np.append(np.arange(4), rng.integers(0, 4, 60)))
    y, s = np.array(names)[codes], probabilities(rng, 64, 4)
    options = {"multi_class": multi_class, "average": average}
    expected = peer.roc_auc_score(y, s, **options)
    for labels in (None, names):
        got = roc_auc_score(y, s, labels=labels, **options)
        np.testing.assert_allclose(got, expected, **close)
    if multi_class == "ovr":
        w = rng.random(64) + 0.1
        expected = peer.roc_auc_score(y, s, sample_weight=w, **options)
        np.testing.assert_allclose(
            roc_auc_score(y, s, sample_weight=w, **options), expected, **close
        )


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_pairs_of_classes_leave_an_absent_class_out(rng, average):
    y, s = np.array([0, 2, 0, 2, 2, 0]), probabilities(rng, 6, 3)
    options = {"multi_class": "ovo", "average": average, "labels": [0, 1, 2]}
    np.testing.assert_allclose(
        roc_auc_score(y, s, **options), peer.roc_auc_score(y, s, **options), **close
    )
    with pytest.warns(UndefinedMetricWarning, match=re.escape(ONE_CLASS)):
        assert np.isnan(roc_auc_score(np.zeros(6), s, **options))


@pytest.mark.parametrize("average", ["macro", "weighted", None])
def test_an_absent_class_against_the_rest_is_undefined(rng, average):
    y, s = np.array([0, 2, 0, 2, 2, 0]), probabilities(rng, 6, 3)
    options = {"multi_class": "ovr", "average": average, "labels": [0, 1, 2]}
    with pytest.warns(sklearn.exceptions.UndefinedMetricWarning):
        expected = peer.roc_auc_score(y, s, **options)
    with pytest.warns(UndefinedMetricWarning, match=re.escape(ONE_CLASS)):
        np.testing.assert_allclose(roc_auc_score(y, s, **options), expected, **close)


ONE_CLASS_LABELS = [[0, 0], [1, 1], [-1, -1], [2, 2], ["a", "a"], [True, True], [0.0, 0.0]]


@pytest.mark.parametrize("y", ONE_CLASS_LABELS, ids=str)
@pytest.mark.parametrize("max_fpr", [None, 0.5])
@pytest.mark.parametrize(
    "category", [UndefinedMetricWarning, sklearn.exceptions.UndefinedMetricWarning]
)
def test_one_class_gives_nan_and_a_warning_of_both_libraries(y, max_fpr, category):
    with pytest.warns(category, match=re.escape(ONE_CLASS)) as caught:
        value = roc_auc_score(y, [0.25, 0.75], max_fpr=max_fpr)
    assert np.isnan(value)
    assert caught[0].filename == __file__


def test_invalid_rows_of_several_labels_can_be_dropped(rng):
    y, s = rng.integers(0, 2, (20, 2)), rng.random((20, 2))
    holes, labels = s.copy(), y.astype(float)
    holes[3, 1], labels[5, 0] = np.nan, np.nan
    kept = np.delete(np.arange(20), [3, 5])
    with pytest.warns(DroppedRowsWarning, match="rows 3, 5"):
        assert roc_auc_score(labels, holes, invalid="drop") == roc_auc_score(y[kept], s[kept])


THREE = np.full((3, 3), 1 / 3)
OVR, OVO = {"multi_class": "ovr"}, {"multi_class": "ovo"}


# y_true, y_score, keywords, error, words (scikit-learn's where it has some)
AREA_ERRORS = [
    (
        [0, 1],
        [0.1, 0.2],
        {"average": "mean"},
        OptionError,
        (
            "The 'average' parameter of roc_auc_score must be a str among {'micro', 'macro', "
            "'samples', 'weighted'} or None. Got 'mean' instead."
        ),
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"multi_class": "all"},
        OptionError,
        (
            "The 'multi_class' parameter of roc_auc_score must be a str among {'raise', 'ovr', "
            "'ovo'}. Got 'all' instead."
        ),
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"max_fpr": 0},
        OptionError,
        (
            "The 'max_fpr' parameter of roc_auc_score must be a float in the range (0.0, 1.0] or "
            "None. Got 0 instead."
        ),
    ),
    ([0, 1], [0.1, 0.2], {"max_fpr": "1"}, OptionError, "Got '1' instead."),
    ([0, 1], [0.1, 0.2], {"invalid": "keep"}, OptionError, "invalid='keep' is not known."),
    ([0, 1], [0.1, 0.2], {"truth": "mild"}, OptionError, "truth='mild' is not known."),
    ([0, 1], None, {}, InputError, "y_score is None, not a column."),
    (
        [0, 1],
        [0.1, 0.2, 0.3],
        {},
        InputError,
        "Found input variables with inconsistent numbers of samples: [2, 3]",
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"sample_weight": [1]},
        InputError,
        "inconsistent numbers of samples: [2, 2, 1]",
    ),
    ([], [], {}, InputError, "Found array with 0 sample(s) while a minimum of 1 is required."),
    (
        [0, np.nan],
        [0.1, 0.2],
        {},
        LabelError,
        "y_true at row 1 is missing (NaN or null). Input y_true contains NaN.",
    ),
    (
        [0, 1],
        [0.1, np.nan],
        {},
        ScoreError,
        "y_score at row 1 is NaN (or missing). Input contains NaN.",
    ),
    (
        [0, 1],
        [0.1, -np.inf],
        {},
        ScoreError,
        (
            "y_score at row 1 is -inf. Input contains infinity or a value too large for "
            "dtype('float64')."
        ),
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"sample_weight": [1, np.nan]},
        WeightError,
        "Input sample_weight contains NaN.",
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"sample_weight": [0, 0]},
        WeightError,
        "Sample weights must contain at least one non-zero number.",
    ),
    ([0, 1], [0.1, 0.2], {"sample_weight": [1, -1]}, WeightError, "sample_weight at row 1 is -1."),
    (
        [0, 1, 0],
        TABLE,
        {},
        InputError,
        "y should be a 1d array, got an array of shape (3, 2) instead.",
    ),
    (
        [0.2, 1.5],
        [0.1, 0.2],
        {},
        LabelError,
        "y_true at row 1 is 1.5, outside [0, 1]. continuous format is not supported.",
    ),
    (
        [0.2, 0.5],
        [0.1, 0.2],
        {"truth": "hard"},
        LabelError,
        'y_true at row 0 is 0.2, but truth="hard" allows 0 and 1 only. continuous format is not',
    ),
    (
        [0, np.inf],
        [0.1, 0.2],
        {},
        LabelError,
        "Input y_true contains infinity.",
    ),
    ([0, 2], [0.1, 0.2], {"truth": "soft"}, LabelError, "y_true at row 1 is 2, outside [0, 1]."),
    (
        [0, "a"],
        [0.1, 0.2],
        {},
        LabelError,
        "y_true has the labels 0, a, which do not say which one is positive.",
    ),
    (
        [b"a", b"b"],
        [0.1, 0.2],
        {},
        TypeError,
        "Support for labels represented as bytes is not supported",
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"pos_label": 1, "truth": "soft"},
        LabelError,
        "pos_label=1 names a class",
    ),
    # several labels
    (
        [[0, 1], [1, 0]],
        [[1, 2, 3], [4, 5, 6]],
        {},
        InputError,
        "y_true has the shape (2, 2), y_score (2, 3).",
    ),
    (
        [[0, 1], [1, 0]],
        [1, 2],
        {},
        InputError,
        "y_true has 2 dimensions, shape (2, 2). There is one column of y_score only.",
    ),
    (
        [[0, 1], [1, 2]],
        [[1, 2], [3, 4]],
        {},
        LabelError,
        "multiclass-multioutput format is not supported: y_true has the values 0.0, 1.0, 2.0.",
    ),
    (
        [[0, 1], [1, 2.5]],
        [[1, 2], [3, 4]],
        {},
        LabelError,
        "continuous-multioutput format is not supported",
    ),
    (
        [[0, 1], [0.5, 0]],
        [[1, 2], [3, 4]],
        {"truth": "hard"},
        LabelError,
        "continuous-multioutput format is not supported",
    ),
    (
        [[1, 2], [2, 1]],
        [[1, 2], [3, 4]],
        {},
        LabelError,
        "y_true takes value in {1.0, 2.0} and pos_label is not specified",
    ),
    (
        [[0, 1], [1, 0.5]],
        [[1, 2], [3, 4]],
        {"pos_label": 1, "truth": "soft"},
        LabelError,
        "pos_label=1 names a class",
    ),
    (
        [[-1, 1], [1, -1]],
        [[1, 2], [3, 4]],
        {"truth": "soft"},
        LabelError,
        "y_true at row 0 is -1, outside [0, 1].",
    ),
    (
        [[0, 1], [1, None]],
        [[1, 2], [3, 4]],
        {},
        ScoreError,
        "y_true at row 1, column 1 is NaN (or missing). Input contains NaN.",
    ),
    (
        [[0, 1], [1, 0]],
        [[1, 2], [3, np.inf]],
        {},
        ScoreError,
        "y_score at row 1, column 1 is inf. Input contains infinity",
    ),
    (
        [[0, 1], [1, 0]],
        [[1, 2], [3, "x"]],
        {},
        ScoreError,
        "y_score at row 1, column 1 is 'x', not a number.",
    ),
    (
        [[0, 1], [1]],
        [[1, 2], [3, 4]],
        {},
        InputError,
        "y_true is a nested list of unequal lengths.",
    ),
    (
        [[0, 1], [1, 0]],
        [[1, 2], [3, 4]],
        {"sample_weight": [1, 2, 3]},
        InputError,
        "inconsistent numbers of samples: [2, 2, 3]",
    ),
    # several classes
    ([0, 1, 2], THREE, {}, OptionError, "multi_class must be in ('ovo', 'ovr')"),
    (
        [0, 1, 2],
        THREE,
        OVO | {"max_fpr": 0.5},
        OptionError,
        (
            "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set "
            "to `None`, received `max_fpr=0.5` instead"
        ),
    ),
    (
        [0, 1, 2],
        THREE,
        OVO | {"average": "micro"},
        OptionError,
        "average must be one of ('macro', 'weighted', None) for multiclass problems",
    ),
    (
        [0, 1, 2],
        THREE,
        OVR | {"average": "samples"},
        OptionError,
        "average must be one of ('micro', 'macro', 'weighted', None) for multiclass problems",
    ),
    (
        [0, 1, 2],
        THREE,
        OVO | {"average": None},
        NotImplementedError,
        "average=None is not implemented for multi_class='ovo'.",
    ),
    (
        [0, 1, 2],
        THREE,
        OVO | {"sample_weight": [1, 1, 1]},
        OptionError,
        (
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' "
            "must be None in this case."
        ),
    ),
    (
        [0, 1, 2],
        [0.1, 0.2, 0.3],
        OVR,
        InputError,
        (
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
            "multiple classes. Got `y_score.shape=(3,)`."
        ),
    ),
    (
        [0, 1, 2],
        THREE * [[1], [2], [1]],
        OVR,
        InputError,
        (
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum "
            "up to 1.0 over classes; row 1 sums to 2."
        ),
    ),
    (
        [0, 1, 2],
        [[0.5, 0.5, 0], [0, np.nan, 1], [1, 0, 0]],
        OVR,
        ScoreError,
        "y_score at row 1, column 1 is NaN (or missing). Input contains NaN.",
    ),
    (
        [0, 1, 1],
        THREE,
        OVR,
        InputError,
        "Number of classes in y_true not equal to the number of columns in 'y_score': 2 and 3.",
    ),
    (
        [0, 1, 2],
        THREE,
        OVR | {"labels": [0, 1, 1]},
        LabelError,
        "Parameter 'labels' must be unique",
    ),
    (
        [0, 1, 2],
        THREE,
        OVR | {"labels": [0, 2, 1]},
        LabelError,
        "Parameter 'labels' must be ordered",
    ),
    (
        [0, 1, 2],
        THREE,
        OVR | {"labels": [0, 1]},
        LabelError,
        "Number of given labels, 2, not equal to the number of columns in 'y_score', 3",
    ),
    (
        [0, 1, 3],
        THREE,
        OVR | {"labels": [0, 1, 2]},
        LabelError,
        "'y_true' contains labels not in parameter 'labels'",
    ),
]


@pytest.mark.parametrize(("y", "s", "options", "error", "words"), AREA_ERRORS)
def test_errors_of_the_area(y, s, options, error, words):
    with pytest.raises(error, match=re.escape(words)) as caught:
        roc_auc_score(y, s, **options)
    assert isinstance(caught.value, RocwalkError)
    assert "\nHint: " in str(caught.value)
