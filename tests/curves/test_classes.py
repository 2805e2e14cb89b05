"""Several classes: columns with names belong to the classes of these names."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocwalk as rw
from rocwalk.errors import ColumnError, InputError, ScoreError

CLASSES = ["x", "y", "z"]


def sample(classes=CLASSES, n=120):
    rng = np.random.default_rng(7)
    codes = rng.integers(0, len(classes), n)
    scores = rng.random((n, len(classes)))
    scores[np.arange(n), codes] += 0.4
    return np.array(classes)[codes], scores / scores.sum(axis=1, keepdims=True)


LABELS, SCORES = sample()
FRAMES = {
    "pandas": lambda names, columns: pd.DataFrame(dict(zip(names, columns, strict=True))),
    "polars": lambda names, columns: pl.DataFrame(dict(zip(names, columns, strict=True))),
    "pyarrow": lambda names, columns: pa.table(dict(zip(names, columns, strict=True))),
    "dict": lambda names, columns: dict(zip(names, columns, strict=True)),
}
MEASURES = {
    "multiclass": lambda *a, **k: rw.multiclass(*a, **k).to_dict(),
    "hand_till": rw.metrics.hand_till_auc_score,
    "provost_domingos": rw.metrics.provost_domingos_auc_score,
}


@pytest.mark.parametrize("measure", MEASURES.values(), ids=list(MEASURES))
@pytest.mark.parametrize("frame", FRAMES.values(), ids=list(FRAMES))
def test_the_order_of_named_columns_does_not_matter(frame, measure):
    expected = measure(LABELS, SCORES)
    for order in itertools.permutations(range(3)):
        named = frame([CLASSES[i] for i in order], [SCORES[:, i] for i in order])
        assert measure(LABELS, named) == expected
        assert measure(LABELS, named, labels=CLASSES) == expected


@pytest.mark.parametrize("frame", FRAMES.values(), ids=list(FRAMES))
@pytest.mark.parametrize("classes", [[1, 2, 10], [0.5, 1.5, 2.5], [False, True]])
def test_names_may_be_labels_written_as_text(frame, classes):
    labels, scores = sample(classes)
    expected = rw.multiclass(labels, scores).to_dict()
    names = [str(one) for one in classes][::-1]
    assert rw.multiclass(labels, frame(names, list(scores.T[::-1]))).to_dict() == expected


def test_labels_that_are_one_number_stay_apart():
    labels, scores = sample(["01", "1", "1.0"])
    expected = rw.multiclass(labels, scores)
    found = rw.multiclass(labels, pd.DataFrame(scores[:, ::-1], columns=["1.0", "1", "01"]))
    assert found.to_dict() == expected.to_dict()


def test_names_that_were_made_up_are_none():
    expected = rw.multiclass(LABELS, SCORES).to_dict()
    assert rw.multiclass(LABELS, pd.DataFrame(SCORES)).to_dict() == expected
    assert rw.multiclass(LABELS, pl.DataFrame(SCORES)).to_dict() == expected
    labels, scores = sample([0, 1, 2])
    expected = rw.multiclass(labels, scores).to_dict()
    assert rw.multiclass(labels, pd.DataFrame(scores)[[2, 0, 1]]).to_dict() == expected
    labels, scores = sample([1, 2, 3])
    expected = rw.multiclass(labels, scores).to_dict()
    assert rw.multiclass(labels, pd.DataFrame(scores)).to_dict() == expected


@pytest.mark.parametrize("measure", MEASURES.values(), ids=list(MEASURES))
@pytest.mark.parametrize(
    ("names", "options", "words"),
    [
        (["p_x", "y", "z"], {}, "y_prob has no column for 'x' and columns 'p_x' of no class; the"),
        (["x", "y", "Z"], {}, "y_prob has no column for 'z' and columns 'Z' of no class; the"),
        (["x", "y"], {}, "y_prob has no column for 'z'; the classes of y_true are 'x', 'y', 'z'"),
        (["x", "y", "z", "id"], {}, "y_prob has columns 'id' of no class; the classes of y_true"),
        ([2, 0, 1], {}, "y_prob has no column for 'x', 'y', 'z' and columns 2, 0, 1 of no class"),
        (
            ["x", "y", "z"],
            {"labels": ["x", "y", "z", "w"]},
            "y_prob has no column for 'w'; the classes of labels are 'x', 'y', 'z', 'w'",
        ),
    ],
)
def test_names_that_are_no_classes(measure, names, options, words):
    columns = [SCORES[:, i % 3] for i in range(len(names))]
    with pytest.raises(ColumnError, match=f"^{words}(.|\n)*Hint: name each column as its class"):
        measure(LABELS, dict(zip(names, columns, strict=True)), **options)


def test_an_absent_class_with_a_name():
    named = {"w": SCORES[:, 0], **dict(zip(CLASSES, SCORES.T, strict=True))}
    with pytest.warns(rw.errors.AbsentClassWarning):
        found = rw.multiclass(LABELS, named, labels=["w", *CLASSES])
    assert found.labels == ("w", *CLASSES)
    assert found.hand_till == rw.multiclass(LABELS, SCORES).hand_till


def test_errors_name_the_column_as_it_was_given():
    named = {"z": SCORES[:, 2].copy(), "x": SCORES[:, 0], "y": SCORES[:, 1]}
    named["z"][4] = np.nan
    with pytest.raises(ScoreError, match="y_prob at row 4, column 0 is NaN"):
        rw.multiclass(LABELS, named)
    with pytest.raises(InputError, match="y_prob has columns of 2, 1 and 2 rows"):
        rw.multiclass(["x", "y"], {"x": [0.1, 0.2], "y": [0.1], "z": [0.1, 0.2]})


# -- the interval of Hand & Till's area ------------------------------------------------------------


def test_the_interval_of_several_classes_is_that_of_resampled_items():
    labels, scores = sample(n=400)
    found = rw.interval(labels, scores, statistic="hand_till")
    rng, areas = np.random.default_rng(1), []
    for _ in range(400):
        drawn = rng.integers(0, 400, 400)
        areas.append(rw.multiclass(labels[drawn], scores[drawn]).hand_till)
    assert (found.low, found.high) == pytest.approx(np.quantile(areas, [0.025, 0.975]), abs=0.008)
