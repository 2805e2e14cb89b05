"""Scores that estimators give to rows: of a fitted classifier, of folds, and of held-out rows.

Every function returns one column of scores for the positive class; higher means more positive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import InputError
from rocwalk.evaluate.estimators import rows_of, scores_of
from rocwalk.metrics.evidence import are_standard, kind_of_labels, refuse_unnamed
from rocwalk.read.arrays import as_array
from rocwalk.texts import kind_of
from rocwalk.typing import AnyArray, ArrayLike


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
        raise InputError(f"cv_results is {kind_of(cv_results)}.", _ASK)
    missing = [key for key in ("estimator", "indices") if key not in cv_results]
    if missing:
        raise InputError(f"cv_results has no {' and no '.join(map(repr, missing))}.", _ASK)
