"""Drift between two samples: whether the ranking or the probabilities of a model have changed.

The numbers and their tests are findings (`rocwalk.drift.findings`). Here is what is concluded from
them: AUC decides on the ranking, midpoint and struggle ratio on the probabilities, with Holm's
adjustment for three tests.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.drift.findings import (
    DECIDING,
    OF_ORDER,
    DriftRequest,
    Finding,
    adjusted_of,
    compared,
    gaps_of,
    resampled,
)
from rocwalk.drift.sensibility import Split, split_of
from rocwalk.errors import TallyError, UndefinedMetricWarning, one_of, warn
from rocwalk.inference.distributions import p_words
from rocwalk.inference.items import Evidence, evidence_from, refuse_few
from rocwalk.inference.resampling import Plan, Progress
from rocwalk.inference.samples import pair_of, two_columns
from rocwalk.read.arrays import evidence_of
from rocwalk.result import Result
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import EXACT_TALLY, refuse_buckets
from rocwalk.typing import AnyArray, ArrayLike, DriftMethod, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Drift(Result):
    """The comparison of a current sample with a reference; make one with `rocwalk.drift`.

    `findings` maps the name of each number to its finding, `reweighted` those that decide to
    their findings at the prevalence of the reference. `left_out` names what a bucketed tally does
    not give; there are no `splits` then.
    """

    findings: Mapping[str, Finding]
    alpha: float
    method: str
    splits: tuple[Split, ...]
    reweighted: Mapping[str, Finding]
    counts: tuple[int, int]
    left_out: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """What has drifted: "none", "ranking", "estimation" or "both"."""
        found = {name: self.findings[name].adjusted_p_value < self.alpha for name in DECIDING}
        estimation = found["midpoint"] or found["struggle_ratio"]
        if found["auc"]:
            return "both" if estimation else "ranking"
        return "estimation" if estimation else "none"

    @property
    def drifted(self) -> bool:
        """Whether drift was detected."""
        return self.verdict != "none"

    @property
    def untested(self) -> tuple[str, ...]:
        """The deciding numbers without p-value: drift can be neither detected nor ruled out."""
        return tuple(name for name in DECIDING if math.isnan(self.findings[name].p_value))

    @property
    def prevalence_only(self) -> bool:
        """Whether the finding on estimation vanishes at the prevalence of the reference."""
        if self.verdict not in ("estimation", "both"):
            return False
        estimation = [self.reweighted[name] for name in DECIDING if name != "auc"]
        return all(one.adjusted_p_value >= self.alpha for one in estimation)

    @cached_property
    def summary(self) -> str:
        """The verdict in words."""
        words = {
            "none": "No drift is seen: neither the ranking nor the probabilities have moved by "
            "more than chance would move them.",
            "ranking": "The ranking has drifted: positives and negatives are separated "
            "differently than in the reference.",
            "estimation": "The probabilities have drifted although the ranking has not: the AUC "
            "alone would not show it.",
            "both": "Both the ranking and the probabilities have drifted.",
        }[self.verdict]
        if self.untested and not self.drifted:
            named = " and ".join(self.findings[name].words for name in self.untested)
            words = f"Nothing can be decided: there is no test of the {named}."
        if self.prevalence_only:
            words += (
                " At the prevalence of the reference the finding on the probabilities vanishes: "
                "it is the share of positives that has changed."
            )
        numbers = "; ".join(
            f"{one.words} {one.reference:.3f} → {one.current:.3f} ({p_words(one.adjusted_p_value)})"
            for one in (self.findings[name] for name in DECIDING)
        )
        words += f" {numbers}, adjusted for three tests at α = {self.alpha:g}."
        if self.left_out:
            named = ", ".join(OF_ORDER[name] for name in self.left_out)
            words += (
                f" A tally is bucketed: the p-values are the largest possible; left out: {named}."
            )
        return words

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw sensibility and capability of both samples against the threshold."""
        from rocwalk.drift.plot import draw_sensibility

        if not self.splits:
            raise TallyError(
                "Curves of sensibility need every score, and a tally is bucketed.",
                f"{EXACT_TALLY}.",
            )
        ax = draw_sensibility(self.splits[0], ax, name="reference", **options)
        return draw_sensibility(self.splits[1], ax, name="current", **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "drifted": self.drifted,
            "prevalence_only": self.prevalence_only,
            "alpha": self.alpha,
            "method": self.method,
            "reference_items": self.counts[0],
            "current_items": self.counts[1],
            **({"left_out": self.left_out} if self.left_out else {}),
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows = [one._headline() for one in self.findings.values()]  # noqa: SLF001
        return {
            key: np.array([math.nan if row[key] is None else row[key] for row in rows])
            for key in rows[0]
        }


def drift(
    reference: Any,
    current: Any,
    *,
    alpha: float = 0.05,
    method: DriftMethod = "analytic",
    fixed_reference: bool = False,
    fixed_prevalence: bool = False,
    n_resamples: int = 2000,
    rng: Any = None,
    threads: int | None = None,
    progress: Progress | None = None,
    sample_weight: Any = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> Drift:
    """Return whether a model's ranking or its probabilities have drifted between two samples.

    Parameters
    ----------
    reference, current
        Each a pair (y_true, y_prob), or a `Tally`. Where one is bucketed, intervals and p-values
        hold for every order inside the buckets, and each finding has a `certificate`; what needs
        the order is named in `.left_out`.
    alpha
        The significance level, for the three numbers that decide together: AUC, midpoint and
        struggle ratio, with Holm's adjustment.
    method
        "analytic", or "bootstrap" for percentile intervals and errors of replicates (not of
        bucketed tallies).
    fixed_reference
        Take the reference without sampling error: for a reference that is the whole population.
    fixed_prevalence
        The numbers of positives and negatives were fixed by design in both samples, as in a
        case-control study. Otherwise they are drawn with the items.
    n_resamples
        The number of bootstrap replicates.
    rng
        A seed or a `numpy.random.Generator`; the same seed gives the same bits on any number of
        threads.
    threads
        The number of threads. Default: as many as there are processors.
    progress
        A function of (done, all) that is called while replicates are computed.
    sample_weight
        A pair of columns, one for each sample; either may be None.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

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
    isotonic fit, corrected for its optimism. The gaps have the bounds of Dvoretzky,
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
    request = DriftRequest(alpha, fixed_reference, fixed_prevalence, plan)
    weights = two_columns("sample_weight", sample_weight)
    samples = [
        sample_evidence(name, sample, weight, pos_label, truth, invalid)
        for name, sample, weight in (
            ("reference", reference, weights[0]),
            ("current", current, weights[1]),
        )
    ]
    return drift_of(samples[0], samples[1], request)


def sample_evidence(
    name: str, sample: Any, weight: ArrayLike, pos_label: Any, truth: str, invalid: str
) -> Evidence:
    """Return the evidence of one sample, a pair of columns or a tally, or raise."""
    is_tally = isinstance(sample, Tally)
    y_true, y_prob = (sample, None) if is_tally else pair_of(name, sample, "y_prob")
    data = evidence_of(y_true, y_prob, weight, pos_label, truth, invalid)
    if isinstance(data, Tally) and data.steps != "truth":
        raise TallyError(f"{name} is a tally with steps={data.steps!r}.", 'use steps="truth".')
    evidence = evidence_from(data)
    refuse_few(evidence)
    return evidence


def drift_of(reference: Evidence, current: Evidence, request: DriftRequest) -> Drift:
    """Return the drift between two samples of probabilities."""
    both, plan = (reference.tally, current.tally), request.plan
    if plan is not None:
        for tally in both:
            refuse_buckets(tally, "The bootstrap of drift")
    found = compared(both, request)
    moved = at_prevalence(both[1], both[0].prevalence)
    fixed = replace(request, fixed_prevalence=True, plan=None)
    reweighted = adjusted_of(compared((both[0], moved), fixed, deciding=True))
    if plan is not None:
        found |= resampled(found, (reference, current), request, plan)
    for one in (found[name] for name in DECIDING):
        if math.isnan(one.p_value):
            hint = (
                "no item of a sample lies on the right side of the midpoint; is the label reversed?"
                if one.certificate is None
                else f"the buckets are too coarse for a test; {EXACT_TALLY}."
            )
            warn(
                UndefinedMetricWarning(
                    f"The {one.words} is {one.reference:g} and {one.current:g}, and cannot be "
                    "tested: its p-value is NaN.",
                    hint,
                )
            )
    drift = Drift(
        findings=adjusted_of(found),
        alpha=request.alpha,
        method="analytic" if plan is None else "bootstrap",
        splits=(),
        reweighted=reweighted,
        counts=(both[0].total_count, both[1].total_count),
        left_out=tuple(OF_ORDER),
    )
    if any(tally.is_bucketed for tally in both):
        return drift
    splits = split_of(both[0]), split_of(both[1])
    gaps = gaps_of((splits[0], split_of(both[1], splits[0].midpoint)), both, request)
    return replace(drift, findings={**drift.findings, **gaps}, splits=splits, left_out=())


def at_prevalence(tally: Tally, prevalence: float) -> Tally:
    """Return the tally with its classes weighted to another prevalence."""
    whole = float(tally.total_up + tally.total_right)
    up = prevalence * whole / float(tally.total_up)
    right = (1 - prevalence) * whole / float(tally.total_right)
    stored = {
        "count": tally.count,
        "up_squared": tally.up_squared * up**2,
        "up_right": tally.up_right * up * right,
        "right_squared": tally.right_squared * right**2,
    }
    if tally.is_bucketed:
        stored["highest"] = tally.highest
        stored["up_score"], stored["right_score"] = tally.up_score * up, tally.right_score * right
    return Tally(tally.scores, tally.up * up, tally.right * right, stored=stored)
