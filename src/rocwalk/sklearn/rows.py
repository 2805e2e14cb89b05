"""Scores that estimators give to rows: of a fitted classifier, of folds, and of held-out rows.

Every function returns one column of scores for the positive class; higher means more positive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import StratifiedShuffleSplit, check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params as taken_of_each
from sklearn.utils.validation import check_is_fitted

from rocwalk.errors import InputError, OptionError, one_of, shown
from rocwalk.metrics.evidence import are_standard, kind_of_labels, refuse_unnamed
from rocwalk.read.arrays import as_array
from rocwalk.typing import AnyArray, ArrayLike, FloatArray

METHODS = ("predict_proba", "decision_function")


def check_method(response_method: str) -> None:
    """Raise unless it is the name of a response method, or "auto"."""
    one_of("response_method", response_method, ("auto", *METHODS))


def scores_of(
    estimator: Any, X: Any, response_method: str = "auto", pos_label: Any = None
) -> FloatArray:
    """Return the scores of a fitted classifier of two classes; higher means more positive.

    "auto" takes probabilities if there are any, else the decision function.
    """
    label = positive_class(estimator, pos_label)
    place = estimator.classes_.tolist().index(label)
    method = method_of(estimator, response_method)
    answer = np.asarray(getattr(estimator, method)(X))
    if method == "predict_proba":
        return answer[:, place]
    return answer if place == 1 else -answer


def positive_class(estimator: Any, pos_label: Any = None) -> Any:
    """Return the positive class of a fitted classifier of two: the greater, unless it is named."""
    check_is_fitted(estimator)
    if not is_classifier(estimator):
        raise InputError(
            f"{type(estimator).__name__} is not a classifier.",
            "pass a fitted classifier, or a pipeline that ends in one.",
        )
    return positive_label(estimator.classes_.tolist(), pos_label)


def positive_label(classes: list[Any], pos_label: Any = None) -> Any:
    """Return the positive one of two labels: the greater, unless it is named."""
    if len(classes) != 2:
        raise InputError(
            f"There should be two classes, but the classifier knows {shown(classes)}.",
            "a ROC curve sets one class against another; each part of the data needs both.",
        )
    label = classes[-1] if pos_label is None else pos_label
    if label not in classes:
        hint = f"the classes are {shown(classes)}."
        raise OptionError("is not a class.", hint, option="pos_label", value=pos_label)
    return label


def method_of(estimator: Any, response_method: str) -> str:
    """Return the first of the methods asked for that the estimator has."""
    check_method(response_method)
    asked = METHODS if response_method == "auto" else (response_method,)
    for name in asked:
        if hasattr(estimator, name):
            return name
    raise InputError(
        f"{type(estimator).__name__} has no {' and no '.join(asked)}.",
        "a threshold or a curve needs scores: take another classifier, or wrap it in "
        "sklearn.calibration.CalibratedClassifierCV.",
    )


# -- rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    """Truth and scores of some items, their weights if they have any, and where they stand."""

    truth: AnyArray
    scores: AnyArray
    weights: AnyArray | None = None
    places: AnyArray | None = None

    @classmethod
    def pooled(cls, parts: Iterable[Rows]) -> Rows:
        """Return the rows of all parts as one."""
        every = list(parts)
        weights = [part.weights for part in every if part.weights is not None]
        return cls(
            np.concatenate([part.truth for part in every]),
            np.concatenate([part.scores for part in every]),
            np.concatenate(weights) if weights else None,
        )


def rows_of(table: Any, places: AnyArray) -> Any:
    """Return some rows of a column or a table of any kind, as scikit-learn cuts its folds."""
    return _safe_indexing(table, places)


def label_to_name(y_true: ArrayLike, pos_label: Any, truth: str) -> Any:
    """Return the `pos_label` to read these labels with; None for soft truth and for 0/1 or −1/1.

    Of two other labels the greater is positive, as everywhere in scikit-learn.
    """
    if truth == "soft":
        return None
    kind, classes = kind_of_labels(y_true)
    if kind == "continuous":
        return None
    if pos_label is not None:
        return pos_label
    if kind == "multiclass":
        refuse_unnamed(kind, classes)
    return None if are_standard(classes) else classes[-1]


def fold_rows(
    cv_results: Any,
    X: Any,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike = None,
    response_method: str = "auto",
    pos_label: Any = None,
) -> Iterator[Rows]:
    """Yield the scores that the estimator of each fold gives to the rows it was not fitted to."""
    _check_results(cv_results)
    truth = as_array(y, "y")
    weights = None if sample_weight is None else as_array(sample_weight, "sample_weight")
    tests = [np.asarray(test) for test in cv_results["indices"]["test"]]
    last = max(int(test.max()) for test in tests)
    if last >= len(truth):
        raise InputError(
            f"Row {last} was tested in a fold, but y has {len(truth):,} rows only.",
            "pass the X and y that were cross-validated.",
        )
    for estimator, test in zip(cv_results["estimator"], tests, strict=True):
        scores = scores_of(estimator, rows_of(X, test), response_method, pos_label)
        yield Rows(truth[test], scores, None if weights is None else weights[test], test)


def repeats_of(parts: Sequence[Rows]) -> int | None:
    """Return how often each row was tested, or None if not all rows were tested as often."""
    places = [part.places for part in parts if part.places is not None]
    if len(places) < len(parts):
        return None
    times = set(Counter(np.concatenate(places).tolist()).values())
    often = times.pop()
    return None if times or len(parts) % often else often


def first_estimator(cv_results: Any) -> Any:
    """Return the estimator of the first fold."""
    _check_results(cv_results)
    return cv_results["estimator"][0]


_ASK = "call cross_validate(…, return_estimator=True, return_indices=True) and pass its result."


def _check_results(cv_results: Any) -> None:
    if not isinstance(cv_results, Mapping):
        raise InputError(f"cv_results is a {type(cv_results).__name__}.", _ASK)
    missing = [key for key in ("estimator", "indices") if key not in cv_results]
    if missing:
        raise InputError(f"cv_results has no {' and no '.join(map(repr, missing))}.", _ASK)


# -- scores of rows by models that were not fitted to them -----------------------------------------


Split = tuple[AnyArray, AnyArray]


def splits_of(
    cv: Any, X: Any, y: AnyArray, random_state: Any, metadata: dict[str, Any]
) -> list[Split]:
    """Return the rows to fit to and the rows held out, for each fold; none for "prefit"."""
    if isinstance(cv, str):
        if cv == "prefit":
            return []
        hint = 'cv is a number, a splitter or "prefit".'
        raise OptionError("is not known.", hint, option="cv", value=cv)
    if isinstance(cv, float | np.floating) and 0 < cv < 1:
        cv = StratifiedShuffleSplit(n_splits=1, test_size=cv, random_state=random_state)
    splitter = check_cv(cv, y, classifier=True)
    return [
        (np.asarray(train), np.asarray(test)) for train, test in splitter.split(X, y, **metadata)
    ]


def held_out(
    estimator: Any,
    X: Any,
    y: AnyArray,
    splits: list[Split],
    metadata: dict[str, Any],
    asked: tuple[str, Any],
    n_jobs: int | None,
) -> list[tuple[AnyArray, FloatArray]]:
    """Return for each fold which rows were held out, and their scores.

    `asked` are the method of the estimator and the positive label.
    """
    scores = Parallel(n_jobs=n_jobs)(
        delayed(_scores)(estimator, X, y, train, test, metadata, asked) for train, test in splits
    )
    return [(test, found) for (_, test), found in zip(splits, scores, strict=True)]


def fitted(estimator: Any, X: Any, y: AnyArray, train: AnyArray, metadata: dict[str, Any]) -> Any:
    """Return a copy of the estimator, fitted to some rows."""
    own = taken_of_each(X, metadata, indices=train)
    return clone(estimator).fit(rows_of(X, train), rows_of(y, train), **own)


def _scores(
    estimator: Any,
    X: Any,
    y: AnyArray,
    train: AnyArray,
    test: AnyArray,
    metadata: dict[str, Any],
    asked: tuple[str, Any],
) -> FloatArray:
    model = fitted(estimator, X, y, train, metadata)
    return scores_of(model, rows_of(X, test), *asked)
