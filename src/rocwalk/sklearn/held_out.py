"""Scores of rows by models that were not fitted to them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit, check_cv
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params as taken_of_each

from rocwalk.errors import OptionError
from rocwalk.sklearn.response import scores_of
from rocwalk.sklearn.rows import rows_of
from rocwalk.typing import AnyArray, FloatArray

Split = tuple[AnyArray, AnyArray]


def splits_of(
    cv: Any, X: Any, y: AnyArray, random_state: Any, metadata: dict[str, Any]
) -> list[Split]:
    """Return the rows to fit to and the rows held out, for each fold; none for "prefit"."""
    if isinstance(cv, str):
        if cv == "prefit":
            return []
        raise OptionError(f"cv={cv!r} is not known.", 'cv is a number, a splitter or "prefit".')
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
