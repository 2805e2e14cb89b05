"""`rw.tally`, and what the other functions make of the evidence that users pass."""

from __future__ import annotations

from typing import Any

from rocwalk.errors import OptionError, one_of
from rocwalk.intake.arrays import Sample, check
from rocwalk.typing import ArrayLike
from rocwalk.walk.steps import check_threshold, step_rule
from rocwalk.walk.tally import Tally


def tally(
    y_true: ArrayLike,
    y_score: ArrayLike = None,
    *,
    steps: str = "truth",
    threshold: float | str = 0.5,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> Tally:
    """Count labels (or add up masses) by distinct score.

    Parameters
    ----------
    y_true, y_score
        Labels or soft truth, and scores; higher means more positive. Or one `Tally`.
    steps
        "truth", "single", "both" or "blind": how far an item steps up and right.
    threshold
        For steps="both": where a decision turns, a number or "mean" (the overall mean score).
    sample_weight
        Masses of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label that counts as positive; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "auto", "hard" or "soft".
    invalid
        "raise", or "drop" to leave rows with missing or unusable values out, with a warning.

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.tally([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1]).up.tolist()
    [1, 1, 0]
    """
    reading = (sample_weight, pos_label, truth, invalid)
    return turned(whole_tally(y_true, y_score, *reading, steps, threshold), steps, threshold)


def whole_tally(
    y_true: ArrayLike,
    y_score: ArrayLike,
    sample_weight: ArrayLike,
    pos_label: Any,
    truth: str,
    invalid: str,
    steps: str,
    threshold: float | str,
) -> Tally:
    """Return the tally before it is turned to the steps that are asked for."""
    rule = step_rule(steps)
    check_threshold(threshold)
    data = evidence_of(
        y_true,
        y_score,
        sample_weight,
        pos_label,
        truth,
        invalid,
        probabilities=rule.needs_probabilities,
    )
    return data if isinstance(data, Tally) else data.tally()


def evidence_of(
    y_true: ArrayLike,
    y_score: ArrayLike,
    sample_weight: ArrayLike,
    pos_label: Any,
    truth: str,
    invalid: str,
    *,
    probabilities: bool = True,
) -> Sample | Tally:
    """Check two columns at the door, or pass a tally on."""
    if isinstance(y_true, Tally):
        one_of("invalid", invalid, ("raise", "drop"))
        _refuse_beside_tally(y_score, sample_weight, pos_label, truth)
        return y_true
    if y_score is None:
        name = "y_prob" if probabilities else "y_score"
        raise OptionError(f"{name} is missing.", f"pass (y_true, {name}), or one Tally.")
    return check(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        truth=truth,
        invalid=invalid,
        probabilities=probabilities,
    )


def _refuse_beside_tally(y_score: Any, sample_weight: Any, pos_label: Any, truth: str) -> None:
    if any(value is not None for value in (y_score, sample_weight, pos_label)) or truth != "auto":
        raise OptionError(
            "A Tally was given together with scores, weights or a reading of labels.",
            "a Tally stands alone: all this was settled when it was made.",
        )


def turned(evidence: Tally, steps: str, threshold: float | str) -> Tally:
    """Turn a tally to the steps that are asked for; without a word it stays as it is."""
    untold = steps == "truth" and not isinstance(threshold, str) and threshold == 0.5
    return evidence if untold else evidence.turned(steps, threshold)
