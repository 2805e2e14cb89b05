"""What the decisions of a classifier cost."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np

from rocwalk.errors import LabelError
from rocwalk.intake.arrays import Sample, as_array, check
from rocwalk.measure.choose import slope_of
from rocwalk.measure.costs import Costs
from rocwalk.metrics.evidence import said_if_undefined
from rocwalk.metrics.labels import kind_of_labels, refuse_unnamed
from rocwalk.typing import ArrayLike, FloatArray

EQUAL = Costs(false_positive=1, false_negative=1)


def expected_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    costs: Costs | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> float:
    """Return the mean cost of one item, given the predicted classes.

    c_FP·π⁻·FPR + c_FN·π⁺·FNR; lower is better.

    Parameters
    ----------
    y_true
        Labels, or probabilities of truth.
    y_pred
        Predicted labels.
    costs
        `rocwalk.Costs`, by default 1 for either mistake: the share of mistakes. Its own
        prevalence, if it has one, takes the place of that of the data.
    sample_weight, truth, invalid
        As for `rocwalk.tally`.
    pos_label
        The positive label, needed unless labels are 0/1 or −1/1.

    One class is fine, unless the costs have a prevalence of their own: then NaN with an
    `UndefinedMetricWarning`.

    Examples
    --------
    >>> import rocwalk as rw
    >>> costs = rw.Costs(false_positive=1, false_negative=10)
    >>> expected_cost([1, 1, 0, 0], [1, 0, 1, 0], costs=costs)
    2.75
    """
    prices = EQUAL if costs is None else costs
    slope_of(prices, None, 0.5)  # refuses what are no costs
    is_soft = truth == "soft" or kind_of_labels(y_true)[0] == "continuous"
    decided = _decided(y_pred, pos_label)
    if pos_label is None and not is_soft:
        refuse_unnamed(*kind_of_labels(y_true))
    sample = check(
        y_true,
        decided,
        sample_weight=sample_weight,
        pos_label=None if is_soft else pos_label,
        truth=truth,
        invalid=invalid,
    )
    return _mean_cost(sample, prices)


def _decided(y_pred: ArrayLike, pos_label: Any) -> FloatArray:
    """Return positive numbers for what is predicted positive and negative ones for the rest.

    They are all different: scores of two values would be taken for a mistake.
    """
    labels = as_array(y_pred, "y_pred")
    kind, classes = kind_of_labels(labels)
    if kind == "continuous":
        raise LabelError(
            "y_pred holds scores, but costs are those of decisions.",
            'pass predicted labels; make a scorer with response_method="predict".',
        )
    if pos_label is None:
        refuse_unnamed(kind, classes)
    places = np.arange(1.0, len(labels) + 1)
    return np.where(labels == (1 if pos_label is None else pos_label), places, -places)


def _mean_cost(sample: Sample, costs: Costs) -> float:
    weights = np.ones(len(sample.scores)) if sample.weights is None else sample.weights
    up, right = weights * sample.truth, weights * (1.0 - sample.truth)
    positive = sample.scores > 0
    false_positives, false_negatives = float(right[positive].sum()), float(up[~positive].sum())
    if costs.prevalence is None:
        paid = costs.false_positive * false_positives + costs.false_negative * false_negatives
        return paid / float(weights.sum())
    if not (up.sum() > 0 and right.sum() > 0):
        return said_if_undefined(nan, "expected cost at another prevalence")
    return costs.expected(false_positives / right.sum(), 1 - false_negatives / up.sum(), None)
