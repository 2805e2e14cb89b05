"""One number for several classes: the measures of Hand & Till and of Provost & Domingos."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

from rocwalk.curves.area import auc_of_sample
from rocwalk.curves.classes import areas_against_rest, hand_till, pairwise_areas, provost_domingos
from rocwalk.errors import InputError
from rocwalk.metrics.evidence import ONE_CLASS, are_standard, kind_of_labels, warn_undefined
from rocwalk.read.arrays import as_array, check
from rocwalk.read.matrices import (
    ClassSample,
    check_classes,
    is_matrix,
    refuse_binary_options,
    warn_of_absent,
)
from rocwalk.texts import shown
from rocwalk.typing import ArrayLike, Invalid, Truth


def hand_till_auc_score(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return Hand & Till's measure, the mean area over all pairs of classes.

    M = 2/(k(k − 1)) Σ_{i<j} A(i, j), A(i, j) = ½[A(i|j) + A(j|i)], where A(i|j) is the share of
    pairs in which an item of class i has a higher score for i than an item of class j.

    Parameters
    ----------
    y_true
        The class of each item.
    y_prob
        One column of scores per class, matched by name where columns have names (a dataframe or a
        dict), else in the order of `labels`; rows need not sum to 1. For two classes one column
        will do, the scores of the greater label (or of `pos_label`); the result then is the AUC.
    labels
        The classes. Default: the labels of `y_true`, sorted.
    sample_weight
        A mass for each item; items of weight 0 are absent.
    pos_label
        For one column of scores only: the label of the class that they are for.
    truth
        "auto" or "hard"; classes cannot be soft.
    invalid
        "raise", or "drop" to leave out rows with a missing value, with a warning.

    Ties count one half. The sum runs over the k classes that have rows; an absent class gives an
    `AbsentClassWarning`, fewer than two classes NaN. Class shares do not matter.

    References
    ----------
    Hand, Till (2001). A simple generalisation of the area under the ROC curve for multiple class
    classification problems. Machine Learning 45, 171-186, Eq. 7.

    Examples
    --------
    >>> y_prob = [[0.6, 0.3, 0.1], [0.5, 0.3, 0.2], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    >>> hand_till_auc_score(["a", "a", "b", "c"], y_prob)
    0.9583333333333334
    """
    found = _sample_or_area(
        y_true,
        y_prob,
        pos_label=pos_label,
        truth=truth,
        labels=labels,
        sample_weight=sample_weight,
        invalid=invalid,
    )
    return found if isinstance(found, float) else hand_till(pairwise_areas(found))


def provost_domingos_auc_score(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return Provost & Domingos' measure, the areas against the rest weighted by class shares.

    Σ AUC(c)·p(c), where AUC(c) is the area of class c against all others by the scores of c, and
    p(c) the share of class c in the mass.

    Parameters
    ----------
    y_true
        The class of each item.
    y_prob
        One column of scores per class, matched by name where columns have names (a dataframe or a
        dict), else in the order of `labels`; rows need not sum to 1. For two classes one column
        will do, the scores of the greater label (or of `pos_label`); the result then is the AUC.
    labels
        The classes. Default: the labels of `y_true`, sorted.
    sample_weight
        A mass for each item; items of weight 0 are absent.
    pos_label
        For one column of scores only: the label of the class that they are for.
    truth
        "auto" or "hard"; classes cannot be soft.
    invalid
        "raise", or "drop" to leave out rows with a missing value, with a warning.

    Ties count one half. The sum runs over the classes that have rows; an absent class gives an
    `AbsentClassWarning`, fewer than two classes NaN.

    References
    ----------
    Provost, Domingos (2000). Well-trained PETs: improving probability estimation trees, §6.2.

    Examples
    --------
    >>> y_prob = [[0.6, 0.3, 0.1], [0.5, 0.3, 0.2], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    >>> provost_domingos_auc_score(["a", "a", "b", "c"], y_prob)
    0.9375
    """
    found = _sample_or_area(
        y_true,
        y_prob,
        pos_label=pos_label,
        truth=truth,
        labels=labels,
        sample_weight=sample_weight,
        invalid=invalid,
    )
    return (
        found
        if isinstance(found, float)
        else provost_domingos(areas_against_rest(found), found.shares)
    )


def _sample_or_area(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike,
    pos_label: Any,
    truth: str,
    **keywords: Any,
) -> ClassSample | float:
    """Return checked data; for one column of scores of two classes the AUC, their only measure."""
    if is_matrix(y_prob) or isinstance(y_prob, Mapping):
        refuse_binary_options(pos_label, truth)
        sample = check_classes(y_true, y_prob, labels=labels, **keywords)
        warn_of_absent(sample)
        return sample
    refuse_binary_options(None, truth)
    kind, classes = kind_of_labels(y_true)
    if kind == "multiclass":
        raise InputError(
            f"is one column, but y_true has the labels {shown(classes)}.",
            "pass one column of scores per class.",
            argument="y_prob",
        )
    if pos_label is None and labels is not None:
        pos_label = as_array(labels, "labels").tolist()[-1]
    if pos_label is None and not are_standard(classes):
        pos_label = classes[-1]
    options = {"pos_label": pos_label, "truth": "hard", "argument": "y_prob"} | keywords
    area = auc_of_sample(check(y_true, y_prob, **options))
    if isnan(area):
        warn_undefined(ONE_CLASS)
    return area
