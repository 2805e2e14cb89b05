"""`rw.drift`: a later sample against a reference."""

from __future__ import annotations

from typing import Any

from rocwalk.errors import InputError, TallyError, one_of
from rocwalk.front.curve import evidence_of
from rocwalk.typing import ArrayLike
from rocwalk.uncertainty.drift import Drift, DriftQuestion, drift_of
from rocwalk.uncertainty.evidence import Evidence, evidence_from, refuse_few
from rocwalk.uncertainty.resample import Plan, Progress
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
        Each a pair (y_true, y_prob), or a `Tally` that is not bucketed.
    alpha
        The level at which drift is called, over the three numbers that decide: AUC, midpoint and
        struggle ratio, with Holm's adjustment.
    method
        "analytic", or "bootstrap" for percentile intervals and errors of replicates.
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
    weights = _two_weights(sample_weight)
    samples = [
        sample_evidence(name, sample, weight, pos_label, truth, invalid)
        for name, sample, weight in (
            ("reference", reference, weights[0]),
            ("current", current, weights[1]),
        )
    ]
    return drift_of(samples[0], samples[1], question)


def _two_weights(given: Any) -> tuple[ArrayLike, ArrayLike]:
    if given is None:
        return None, None
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InputError(
            "sample_weight is not a pair of columns.",
            "pass (weights of the reference, weights of the current sample); either may be None.",
        )
    return given[0], given[1]


def sample_evidence(
    name: str, sample: Any, weight: ArrayLike, pos_label: Any, truth: str, invalid: str
) -> Evidence:
    """Check one sample: a pair of columns, or a tally."""
    if isinstance(sample, Tally):
        y_true, y_prob = sample, None
    elif isinstance(sample, tuple | list) and len(sample) == 2:
        y_true, y_prob = sample
    else:
        raise InputError(
            f"{name} is a {type(sample).__name__}, not a pair (y_true, y_prob).",
            f"pass {name} as (y_true, y_prob), or as one Tally.",
        )
    data = evidence_of(y_true, y_prob, weight, pos_label, truth, invalid)
    if isinstance(data, Tally) and data.steps != "truth":
        raise TallyError(f"{name} is a tally with steps={data.steps!r}.", 'use steps="truth".')
    evidence = evidence_from(data)
    refuse_few(evidence)
    return evidence
