"""`rw.drift`: a later sample against a reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.errors import InputError, TallyError, one_of
from rocwalk.front.compare import pair_of, two_columns
from rocwalk.front.evidence import evidence_of
from rocwalk.intake.arrays import as_probabilities
from rocwalk.measure.probabilistic import refuse_other_scores
from rocwalk.typing import ArrayLike, FloatArray
from rocwalk.uncertainty.bucketed_shift import shift_of_tallies
from rocwalk.uncertainty.drift import Drift, DriftQuestion, drift_of
from rocwalk.uncertainty.evidence import Evidence, evidence_from, refuse_few
from rocwalk.uncertainty.resample import Plan, Progress
from rocwalk.uncertainty.shift import ScoreShift, shift_of
from rocwalk.walk.counting import tally_of_labels
from rocwalk.walk.tally import Tally


def drift(
    reference: Any,
    current: Any,
    *,
    alpha: float = 0.05,
    method: str = "analytic",
    fixed_reference: bool = False,
    fixed_prevalence: bool = False,
    n_resamples: int = 2000,
    rng: Any = None,
    threads: int | None = None,
    progress: Progress | None = None,
    sample_weight: Any = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> Drift:
    """Say whether a model's ranking or its probabilities have drifted.

    Parameters
    ----------
    reference, current
        Each a pair (y_true, y_prob), or a `Tally`. Where one is bucketed, intervals and p-values
        hold for every order inside the buckets, and each finding has a `certificate`; what needs
        the order is named in `.left_out`.
    alpha
        The level at which drift is called, over the three numbers that decide: AUC, midpoint and
        struggle ratio, with Holm's adjustment.
    method
        "analytic", or "bootstrap" for percentile intervals and errors of replicates (not of
        bucketed tallies).
    fixed_reference
        Take the reference as it is, without spread: for a reference that is the whole truth.
    fixed_prevalence
        The numbers of positives and negatives were fixed by design in both samples, as in a
        case-control study. Otherwise they are drawn with the items.
    n_resamples, rng, threads, progress
        For a bootstrap, as for `rocwalk.interval`.
    sample_weight
        A pair of columns, one for each sample; either may be None.
    pos_label, truth, invalid
        As for `rocwalk.tally`.

    Returns
    -------
    Drift
        `.drifted`, `.verdict` ("none", "ranking", "estimation" or "both"), `.prevalence_only`,
        `.summary` in words, and `.findings`: for AUC, probabilistic AUC, midpoint, struggle ratio,
        prevalence, mean score, Brier score with its refinement and miscalibration, and the largest
        gaps between the curves of sensibility and capability, the values in both samples, the
        difference with its interval, and a p-value.

    Midpoint and struggle ratio are tested by the logarithm of their ratio, all else by the
    difference, against the normal distribution. Refinement and miscalibration are those of the
    isotonic fit, less what the fit flatters itself by. The gaps have the bounds of Dvoretzky,
    Kiefer & Wolfowitz, with both samples split at the midpoint of the reference.

    References
    ----------
    Klement, Japkowicz & Matwin (2009), Class probabilities and the ROC curve in changing
    environments; Holm (1979).

    Examples
    --------
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(2000) < 0.3
    >>> p = 1 / (1 + np.exp(-rng.normal(2 * y - 1.5)))
    >>> found = rw.drift((y[:1000], p[:1000]), (y[1000:], p[1000:] ** 2))
    >>> found.verdict, found.prevalence_only
    ('estimation', False)
    """
    one_of("method", method, ("analytic", "bootstrap"))
    plan = Plan(n_resamples, rng, threads, progress) if method == "bootstrap" else None
    question = DriftQuestion(alpha, fixed_reference, fixed_prevalence, plan)
    weights = two_columns("sample_weight", sample_weight)
    samples = [
        sample_evidence(name, sample, weight, pos_label, truth, invalid)
        for name, sample, weight in (
            ("reference", reference, weights[0]),
            ("current", current, weights[1]),
        )
    ]
    return drift_of(samples[0], samples[1], question)


def score_shift(reference: ArrayLike, current: ArrayLike, *, alpha: float = 0.05) -> ScoreShift:
    """Say what can be said of drift before labels come: whether the scores have shifted.

    Parameters
    ----------
    reference, current
        Two columns of probabilities in [0, 1], at least two of each. Either may be a `Tally` of
        hard labels without weights, whose labels are not used; a bucketed one gives bounds, and
        the test rests on the lowest gap that the buckets allow.
    alpha
        The level at which a shift is called, by the test of Kolmogorov and Smirnov.

    The expected prevalence (the mean score) and the expected AUC take every score for the
    probability that its item is positive: estimates under the assumption that calibration holds.
    Scores may shift while the model stays right (another population), and a model may go wrong
    while its scores stay (another world): `rocwalk.drift` tells, once there are labels.

    References
    ----------
    Smirnov (1939); Stephens (1970) for the correction in small samples.

    Examples
    --------
    >>> import rocwalk as rw
    >>> found = rw.score_shift([0.1, 0.2, 0.4, 0.7], [0.6, 0.7, 0.8, 0.9])
    >>> found.shifted, round(found.gap, 2), round(found.expected_auc_reference, 3)
    (False, 0.75, 0.84)
    """
    question = DriftQuestion(alpha)
    both = {"reference": reference, "current": current}
    if any(isinstance(each, Tally) for each in both.values()):
        one, other = (_scores_tally(name, each) for name, each in both.items())
        return shift_of_tallies(one, other, question.alpha)
    first, second = (_probabilities(name, each) for name, each in both.items())
    return shift_of(first, second, question.alpha)


def _scores_tally(name: str, scores: ArrayLike) -> Tally:
    """Return the tally of a column of probabilities, or a tally that counts them."""
    if not isinstance(scores, Tally):
        column = _probabilities(name, scores)
        ends = float(column.min()), float(column.max())
        return tally_of_labels(np.zeros(len(column), dtype=bool), column, *ends)
    if not scores.is_counts or scores.steps != "truth":
        raise TallyError(
            f"{name} is a tally of masses, and a shift counts scores.",
            'pass a tally of hard labels without weights, with steps="truth".',
        )
    refuse_other_scores(scores)
    if scores.total_count < 2:
        raise InputError(f"{name} has fewer than two scores.", "a shift needs two at least.")
    return scores


def _probabilities(name: str, column: ArrayLike) -> FloatArray:
    """Return a column of probabilities, or raise with the row."""
    scores = as_probabilities(column, name)
    if len(scores) < 2:
        raise InputError(f"{name} has fewer than two scores.", "a shift needs two at least.")
    return scores + 0.0


def sample_evidence(
    name: str, sample: Any, weight: ArrayLike, pos_label: Any, truth: str, invalid: str
) -> Evidence:
    """Check one sample: a pair of columns, or a tally."""
    is_tally = isinstance(sample, Tally)
    y_true, y_prob = (sample, None) if is_tally else pair_of(name, sample, "y_prob")
    data = evidence_of(y_true, y_prob, weight, pos_label, truth, invalid)
    if isinstance(data, Tally) and data.steps != "truth":
        raise TallyError(f"{name} is a tally with steps={data.steps!r}.", 'use steps="truth".')
    evidence = evidence_from(data)
    refuse_few(evidence)
    return evidence
