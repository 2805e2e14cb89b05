"""Numbers of soft steps, of a reference truth and of costs, as plain floats."""

from __future__ import annotations

from math import isnan, nan
from typing import Any

from rocwalk.curves.costs import envelope
from rocwalk.curves.h_measure import h_measure
from rocwalk.curves.h_measure import prior_of as check_prior
from rocwalk.metrics.areas import area_bounds_up_to
from rocwalk.metrics.evidence import evidence_of, said_if_open, said_if_undefined, warn_undefined
from rocwalk.tally.steps import check_threshold, step_rule
from rocwalk.tally.tally import Tally
from rocwalk.tally.truth import TruthTally, truth_tally_of_tally
from rocwalk.tally.walk import rising_bounds, walk_of
from rocwalk.truth.reference_truth import auc_prt_bounds
from rocwalk.typing import ArrayLike, Invalid, Prior, Steps, StepThreshold, Truth


def soft_auc_score(
    y_true: ArrayLike | Tally,
    y_prob: ArrayLike = None,
    *,
    steps: Steps | None = None,
    threshold: StepThreshold | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return the area under the soft ROC curve.

    Parameters
    ----------
    y_true
        Labels (of two, the greater is positive) or probabilities of truth; or a `Tally` in place of
        both columns.
    y_prob
        Predicted probabilities, in [0, 1].
    steps
        How far an item of score s steps. Default: "both"; a `Tally` with other steps than "truth"
        keeps its own.

        * "both": a correct decision climbs by s and goes right by 1 − s, a wrong one climbs by
          1 − s and goes right by s, where the decision is "positive" from the threshold on;
        * "single": a positive climbs by s, a negative goes right by 1 − s;
        * "blind": every item climbs by s and goes right by 1 − s, whatever its label.
    threshold
        For "both": the score from which an item is predicted positive, a number or "mean" (the
        overall mean score). Default: 0.5; a `Tally` with steps="both" keeps its own.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; every other label is negative. Default: the greater of two.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    NaN with an `UndefinedMetricWarning` where the steps have no mass in one direction.

    References
    ----------
    Klement & Flach (2008), Soft ROC curves.

    Examples
    --------
    >>> round(soft_auc_score([1, 1, 0, 1, 0, 0], [0.8, 0.7, 0.6, 0.4, 0.3, 0.2]), 6)
    0.722222
    """
    step_rule("both" if steps is None else steps)
    check_threshold(threshold)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    tally = data if isinstance(data, Tally) else data.tally()
    one_class = tally.steps == "truth" and isnan(tally.area)
    if one_class:
        return said_if_undefined(nan, "soft AUC")
    if steps is None and tally.steps == "truth":
        steps = "both"
    area = said_if_open(area_bounds_up_to(tally.turned(steps, threshold), None), "soft AUC")
    return said_if_undefined(area, "soft AUC")


def auc_prt_score(
    y_true: ArrayLike | Tally | TruthTally,
    y_score: ArrayLike = None,
    *,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return AUC_PRT: how far the AUC lies on the way from the worst order to the best.

    Parameters
    ----------
    y_true
        Labels (of two, the greater is positive) or probabilities of truth; or a `TruthTally`,
        or a `Tally` of hard labels, in place of both columns.
    y_score
        Finite scores; higher means more positive.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; every other label is negative. Default: the greater of two.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    NaN with an `UndefinedMetricWarning` if all items have the same truth.

    References
    ----------
    Gredlics, Raicu & Furst; see `rocwalk.reference_truth`.

    Examples
    --------
    >>> round(auc_prt_score([0.9, 0.2, 0.6, 0.1], [0.8, 0.7, 0.4, 0.1]), 6)
    0.857143
    """
    if isinstance(y_true, TruthTally):
        evidence = y_true
    else:
        data = evidence_of(
            y_true, y_score, sample_weight, pos_label, truth, invalid, probabilities=False
        )
        evidence = truth_tally_of_tally(data) if isinstance(data, Tally) else data.truth_tally()
    if len(evidence.by_truth) < 2:
        warn_undefined(
            "All items have the same truth, so AUC_PRT is not defined and is NaN.",
            "it sets an order of items against the best and the worst one.",
        )
        return nan
    return said_if_open(auc_prt_bounds(evidence), "AUC_PRT")


def h_measure_score(
    y_true: ArrayLike | Tally,
    y_score: ArrayLike = None,
    *,
    prior: Prior = "hand2014",
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return Hand's H-measure: 1 − L/L_max, with a beta prior of the cost of a false positive.

    Parameters
    ----------
    y_true
        Labels (of two, the greater is positive) or probabilities of truth; or a `Tally` in place of
        both columns.
    y_score
        Finite scores; higher means more positive.
    prior
        "hand2014" is Beta(π⁺ + 1, π⁻ + 1), "hand2009" Beta(2, 2), "r" Beta(2, 1 + π⁻/π⁺) as in the
        R package hmeasure; or a pair (a, b).
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
    Hand (2009), Measuring classifier performance; Hand & Anagnostopoulos (2014), A better Beta for
    the H measure.

    Examples
    --------
    >>> h_measure_score([1, 0, 1, 0], [0.9, 0.2, 0.8, 0.1])
    1.0
    """
    check_prior(prior, 0.5)
    data = evidence_of(
        y_true, y_score, sample_weight, pos_label, truth, invalid, probabilities=False
    )
    tally = data if isinstance(data, Tally) else data.tally()
    if not (tally.total_up > 0 and tally.total_right > 0):
        return said_if_undefined(nan, "H-measure")
    bounds = rising_bounds(walk_of(tally), lambda walk: h_measure(envelope(walk), prior))
    return said_if_open(bounds, "H-measure")
