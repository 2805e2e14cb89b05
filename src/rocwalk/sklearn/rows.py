"""`Rows`: the truth, the scores and the weights of the same items, fold by fold or pooled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from rocwalk.errors import InputError
from rocwalk.intake.arrays import as_array
from rocwalk.metrics.labels import are_standard, kind_of_labels, refuse_unnamed
from rocwalk.sklearn.response import scores_of
from rocwalk.typing import AnyArray, ArrayLike

_ASK = "call cross_validate(…, return_estimator=True, return_indices=True) and pass its result."


@dataclass(frozen=True)
class Rows:
    """Truth and scores of some items, and their weights if they have any."""

    truth: AnyArray
    scores: AnyArray
    weights: AnyArray | None = None

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
    """Yield what the estimator of each fold says of the rows that it has not seen."""
    truth = as_array(y, "y")
    weights = None if sample_weight is None else as_array(sample_weight, "sample_weight")
    for estimator, test in _folds(cv_results, len(truth)):
        scores = scores_of(estimator, rows_of(X, test), response_method, pos_label)
        yield Rows(truth[test], scores, None if weights is None else weights[test])


def first_estimator(cv_results: Any) -> Any:
    """Return the estimator of the first fold."""
    _check_results(cv_results)
    return cv_results["estimator"][0]


def _folds(cv_results: Any, length: int) -> Iterator[tuple[Any, AnyArray]]:
    _check_results(cv_results)
    tests = [np.asarray(test) for test in cv_results["indices"]["test"]]
    last = max(int(test.max()) for test in tests)
    if last >= length:
        raise InputError(
            f"Row {last} was tested in a fold, but y has {length:,} rows only.",
            "pass the X and y that were cross-validated.",
        )
    return zip(cv_results["estimator"], tests, strict=True)


def _check_results(cv_results: Any) -> None:
    if not isinstance(cv_results, Mapping):
        raise InputError(f"cv_results is a {type(cv_results).__name__}.", _ASK)
    missing = [key for key in ("estimator", "indices") if key not in cv_results]
    if missing:
        raise InputError(f"cv_results has no {' and no '.join(map(repr, missing))}.", _ASK)
