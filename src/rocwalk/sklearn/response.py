"""What an estimator says of rows: one column of scores for the positive class."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from rocwalk.errors import InputError, OptionError, one_of
from rocwalk.intake.matrices import shown
from rocwalk.typing import FloatArray

METHODS = ("predict_proba", "decision_function")


def check_method(response_method: str) -> None:
    """Raise unless the word names a way to ask an estimator."""
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
        raise OptionError(
            f"pos_label={pos_label!r} is not a class.", f"the classes are {shown(classes)}."
        )
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
