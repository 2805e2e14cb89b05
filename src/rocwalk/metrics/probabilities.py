"""Areas that keep the probabilities, as plain numbers."""

from __future__ import annotations

from typing import Any

from rocwalk.metrics.evidence import evidence_of, said_if_undefined
from rocwalk.smear.areas import probabilistic_auc, probabilistic_gini, scored_auc
from rocwalk.tally.tally import Tally
from rocwalk.typing import ArrayLike, Invalid, Truth


def probabilistic_auc_score(
    y_true: ArrayLike | Tally,
    y_prob: ArrayLike = None,
    *,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return the probabilistic AUC, A_p = ½(1 + m⁺ − m⁻).

    m⁺ and m⁻ are the mean scores of the positives and of the negatives. Where AUC counts which of
    a positive and a negative scores higher, this adds up by how much.

    Parameters
    ----------
    y_true
        Labels (of two, the greater is positive) or probabilities of truth; or a `Tally`, bucketed
        or not, in place of both.
    y_prob
        Predicted probabilities, in [0, 1].
    sample_weight
        A mass for each item; items of weight 0 are absent.
    pos_label
        The positive label; every other label is negative.
    truth
        "hard" or "soft" for labels or probabilities only; "auto" for what `y_true` looks like.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    One class gives NaN and an `UndefinedMetricWarning`. It describes how far apart a model sets
    the classes; choosing a model by it rewards extreme probabilities (Vanderlooy & Hüllermeier
    2008).

    References
    ----------
    Ferri, Flach, Hernández-Orallo, Senad (2005). Modifying ROC curves to incorporate predicted
    probabilities, section 2, "pAUC"; its second formula lacks the factor ½.

    Examples
    --------
    >>> probabilistic_auc_score([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
    0.6583333333333333
    """
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    return said_if_undefined(probabilistic_auc(data), "probabilistic AUC")


def probabilistic_gini_score(
    y_true: ArrayLike | Tally,
    y_prob: ArrayLike = None,
    *,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return the probabilistic Gini coefficient m⁺ − m⁻ = 2·A_p − 1.

    Parameters
    ----------
    y_true
        Labels (of two, the greater is positive) or probabilities of truth; or a `Tally` in place of
        both columns.
    y_prob
        Predicted probabilities, in [0, 1].
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; every other label is negative. Default: the greater of two.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    One class gives NaN and an `UndefinedMetricWarning`.

    References
    ----------
    Ferri, Flach, Hernández-Orallo, Senad (2005), section 2, "pGINI".

    Examples
    --------
    >>> round(probabilistic_gini_score([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]), 6)
    0.316667
    """
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    return said_if_undefined(probabilistic_gini(data), "probabilistic Gini coefficient")


def scored_auc_score(
    y_true: ArrayLike | Tally,
    y_prob: ArrayLike = None,
    *,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return the scored AUC: the mean over pairs of (sᵢ − sⱼ)₊.

    With R⁻ the same mean over inverted pairs, A_p = ½(1 + scored AUC − R⁻).

    Parameters
    ----------
    y_true
        Labels (of two, the greater is positive) or probabilities of truth; or a `Tally`, not
        bucketed, in place of both columns.
    y_prob
        Predicted probabilities, in [0, 1].
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; every other label is negative. Default: the greater of two.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    One class gives NaN and an `UndefinedMetricWarning`.

    References
    ----------
    Wu, Flach (2005). A scored AUC metric for classifier evaluation and selection.

    Examples
    --------
    >>> round(scored_auc_score([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]), 6)
    0.35
    """
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    return said_if_undefined(
        scored_auc(data if isinstance(data, Tally) else data.tally()), "scored AUC"
    )
