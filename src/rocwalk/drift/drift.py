"""Drift between two samples: whether probabilities still hold, and if not, what has changed.

The numbers of the paper and their comparison are findings (`rocwalk.drift.findings`): they tell
whether anything has changed. What of it is the population's, the odds' and the model's are causes
(`rocwalk.drift.causes`). Here is what is concluded from both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.drift.calibration_map import grouped
from rocwalk.drift.causes import Causes, CauseTest, causes_of
from rocwalk.drift.findings import (
    OF_ORDER,
    Finding,
    Part,
    adjusted_of,
    compared,
    gaps_of,
    resampled,
)
from rocwalk.drift.request import DECIDING, DRIFTED, MARGINS, TESTS, DriftRequest, margins_of
from rocwalk.drift.sensibility import Split, split_of
from rocwalk.errors import OneClassError, TallyError, UndefinedMetricWarning, warn
from rocwalk.inference.distributions import p_words
from rocwalk.inference.items import Evidence, evidence_from, few_units, refuse_few
from rocwalk.inference.resampling import Plan, Progress
from rocwalk.inference.samples import evidence_of_pair, two_columns
from rocwalk.methods import Methods
from rocwalk.result import Result, numeral
from rocwalk.statistic import words_of
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import EXACT_TALLY, refuse_buckets
from rocwalk.texts import joined
from rocwalk.typing import AnyArray, ArrayLike, DriftMethod, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

VERDICTS = ("none", "population", *DRIFTED)
_THIN = 1.5  # times the share of a variance that its size gives the reference


_RESPECTS = {"level": "level", "ranking": "ranking", "struggle": "struggle ratio"}


@dataclass(frozen=True, eq=False, repr=False)
class Drift(Result):
    """The comparison of a current sample with a reference; make one with `rocwalk.drift`.

    `findings` maps the name of each number to its finding, `tests` the names "level", "ranking" and
    "struggle" to the tests of P(y | p) that decide. `left_out` names what a bucketed tally does not
    give; there are no `splits` then. `few` says which class of the current sample has fewer than
    two items, so that AUC, midpoint and struggle ratio are not compared; None if none has.
    """

    findings: Mapping[str, Finding]
    causes: Causes
    alpha: float
    method: str
    splits: tuple[Split, ...]
    counts: tuple[int, int]
    left_out: tuple[str, ...] = ()
    few: str | None = None

    @property
    def tests(self) -> Mapping[str, CauseTest]:
        """The tests of the level, the ranking and the struggle ratio, given the scores."""
        return self.causes.tests

    @property
    def odds(self) -> Part:
        """θ, by which the odds of all scores must be multiplied to expect what is observed."""
        return self.causes.odds

    @cached_property
    def verdict(self) -> str:
        """What has changed: one of "none", "population" and the four kinds of drift.

        "population": AUC, midpoint or struggle ratio have changed, but no more than the new mix of
        scores implies. "prevalence": one factor of the odds explains all that is found.
        "estimation", "ranking", "both": the probabilities, the order, or both have drifted.
        """
        found = self.causes.verdict(self.alpha)
        if found != "none":
            return found
        moved = any(self.findings[name].adjusted_p_value < self.alpha for name in DECIDING)
        return "population" if moved else "none"

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        tested = [name for name, one in self.tests.items() if not math.isnan(one.p_value)]
        said = []
        if tested:
            one = len(tested) == 1
            words, compare = ("a score test", "compares") if one else ("score tests", "compare")
            said.append(
                "Whether the model has drifted was decided given its scores: the reference gives "
                f"the probability of a positive at each score, and {words} of its "
                f"{joined([_RESPECTS[name] for name in tested])} {compare} the current sample "
                f"with it, at level {self.alpha:g}"
                + ("." if one else " with Holm's adjustment [@holm1979].")
            )
        compared = [name for name in DECIDING if not math.isnan(self.findings[name].p_value)]
        if compared:
            how = "by their influence functions" if self.method == "analytic" else "by a bootstrap"
            names = joined([words_of(name) for name in compared])
            said.append(f"{names} of both samples were compared {how} [@klement2009].")
        return Methods(tuple(said))

    @property
    def drifted(self) -> bool:
        """Whether the probabilities no longer hold: P(y | p) has changed."""
        return self.verdict in DRIFTED

    @property
    def changed(self) -> bool:
        """Whether anything has changed, be it only the population."""
        return self.verdict != "none"

    @property
    def prevalence_only(self) -> bool:
        """Whether one factor of the odds explains the drift."""
        return self.verdict == "prevalence"

    @property
    def suitable(self) -> bool | None:
        """Whether a dated test set is still fit to evaluate this model, within the margins.

        True if every tested effect is within its margin, False if one is beyond, None if that
        cannot be told or no margins were given.
        """
        return self.causes.suitable

    @property
    def untested(self) -> tuple[str, ...]:
        """The numbers without which drift can be neither detected nor ruled out, if untested."""
        missing = []
        for number, name in TESTS.items():
            test = self.tests[name]
            by_design = name == "level" and test.reason is not None
            if math.isnan(test.p_value) and name != "struggle" and not by_design:
                missing.append(number)
        return tuple(missing)

    @property
    def is_thin(self) -> bool:
        """Whether the reference knows too little where the scores now lie.

        Its own uncertainty is then the larger part of the error of some test, and larger than its
        size explains.
        """
        share = self.counts[1] / sum(self.counts)  # of the variance, if the scores had not moved
        return any(
            test.reference_share > max(0.5, _THIN * share)
            for test in self.tests.values()
            if not math.isnan(test.p_value)
        )

    @property
    def is_open(self) -> bool:
        """Whether nothing is decided: no drift is found, and a number that decides has no test."""
        return bool(self.untested) and not self.drifted

    @cached_property
    def advice(self) -> str:
        """What to do, in one sentence."""
        odds = self.odds
        if self.is_open:
            is_few = any(one.reason is not None for one in self.tests.values())
            return (
                "Collect more labelled items of both classes before anything is concluded."
                if is_few
                else "Look at the scores and the labels: these data do not vary."
            )
        if self.drifted and self.untested:
            return (
                "Check that the labels are complete and of the right class; then recalibrate the "
                "model on more recent data than these."
            )
        if self.is_thin and not self.drifted:
            return "Collect a reference that covers the scores of today."
        if self.verdict in ("ranking", "both") and self.findings["auc"].p_value >= self.alpha:
            return (
                "The AUC itself has not changed significantly, as if the scores had been "
                "transformed: recalibrate first, and retrain if that does not help."
            )
        if self.verdict in ("ranking", "both") and self.tests["ranking"].effect > 0:
            more = " Recalibrate the model on recent data." if self.verdict == "both" else ""
            return (
                "The order is better than before and needs no repair; look for a change of the "
                f"labels or of the inputs.{more}"
            )
        return {
            "none": "There is nothing to do.",
            "population": "Look at who is being scored; the model itself needs no repair.",
            "prevalence": "Adjust for the prevalence: multiply the odds of every score by "
            f"{odds.value:.2f} ({odds.low:.2f} to {odds.high:.2f}).",
            "estimation": "Recalibrate the model on recent data.",
            "ranking": "Retrain the model: no recalibration repairs the order.",
            "both": "Retrain the model, and calibrate it on recent data.",
        }[self.verdict]

    @cached_property
    def summary(self) -> str:
        """The conclusion, what to do, the numbers with their parts, and the notes."""
        return " ".join([self.conclusion, self.advice, self._chain(), *self.notes])

    @cached_property
    def conclusion(self) -> str:
        """What the verdict means, in one or two sentences."""
        ranking = self.tests["ranking"].effect
        level = self.tests["level"].effect
        if self.untested:
            named = " and ".join(self.findings[name].words for name in self.untested)
            reasons = {self.tests[TESTS[name]].reason or "its error is 0" for name in self.untested}
            why = f"there is no test of the {named} ({'; '.join(sorted(reasons))})"
            if self.drifted:
                return (
                    f"The probabilities have drifted: {self._counts()}. Whether the order has "
                    f"changed is not known: {why}."
                )
            is_known = not math.isnan(self.tests["level"].p_value)
            seen = f" The level alone shows no drift: {self._counts()}." if is_known else ""
            return f"Nothing can be decided: {why}.{seen}"
        if self.is_thin and not self.drifted:
            seen = "The numbers have changed" if self.changed else "The numbers have not changed"
            return (
                f"{seen}, and given the scores no drift is found; but the reference knows too "
                "little where the scores now lie to rule it out."
            )
        return {
            "none": "No drift is seen: given the scores, outcomes are as in the reference.",
            "population": "The population has changed, the model has not: the numbers moved as the "
            "new mix of scores implies, and given the scores, outcomes are as in the reference.",
            "prevalence": f"Positives are {'more' if level > 0 else 'less'} frequent at every "
            "score than in the reference, by one factor of the odds. Beyond it nothing is found: "
            "neither in the order nor in the shape of the probabilities.",
            "estimation": "The probabilities have drifted: given the scores, outcomes are not as "
            f"in the reference. {self._unmoved_order}",
            "ranking": f"The ranking has drifted: the scores separate the classes "
            f"{'worse' if ranking < 0 else 'better'} than the reference and the new mix of scores "
            "imply.",
            "both": "Both the ranking and the probabilities have drifted: given the scores, "
            "outcomes are not as in the reference.",
        }[self.verdict]

    @property
    def _unmoved_order(self) -> str:
        """Say that no change of the order is shown, and why if the AUC has changed given θ."""
        if not self.causes.found("ranking", self.alpha):
            return "No change of the order is found."
        return (
            "The AUC is not what one factor of the odds implies, but the test without that factor "
            "does not confirm it: no change of the order is shown."
        )

    def _counts(self) -> str:
        """Say how many positives are observed and expected, with the level's adjusted p-value."""
        expected, n = self.causes.expected[0], sum(self.causes.expected)
        observed = self.findings["prevalence"].current * n
        return (
            f"{observed:,.4g} of {n:,.0f} items are positive where the reference expects "
            f"{expected:,.4g} ({p_words(self.tests['level'].adjusted_p_value)})"
        )

    def _chain(self) -> str:
        """List the three numbers with the parts of their changes."""
        shown = []
        for name in DECIDING:
            one = self.findings[name]
            now = "undefined" if math.isnan(one.current) else f"{one.current:.3f}"
            text = f"{one.words} {one.reference:.3f} → {now}"
            if one.population is not None and one.odds is not None and one.model is not None:
                named = {"population": one.population, "odds": one.odds, "model": one.model}
                if name == "midpoint":  # θ is chosen so that nothing is left to the model
                    del named["model"]
                parts = ", ".join(
                    f"{key} {numeral(round(part.value, 3) + 0.0, '+.3f')}"
                    for key, part in named.items()
                    if not math.isnan(part.value)
                )
                tested = one.model.adjusted_p_value
                parts += "" if math.isnan(tested) else f"; {p_words(tested)}"
                text += f" ({parts})"
            shown.append(text)
        number = sum(not math.isnan(one.p_value) for one in self.tests.values())
        counted = "1 test" if number == 1 else f"{number} tests"
        return f"{'; '.join(shown)}; p adjusted for {counted} at α = {self.alpha:g}."

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What limits the conclusion, in sentences: weak evidence, margins, buckets."""
        words = []
        if self.few is not None:
            words.append(
                f"The current sample has {self.few}: whether AUC, midpoint and struggle ratio have "
                "changed by themselves cannot be computed."
            )
        reason = self.tests["struggle"].reason
        if reason is not None and not self.untested:
            words.append(f"The struggle ratio is not tested: {reason}.")
        tested = [one for one in self.tests.values() if not math.isnan(one.p_value)]
        mean = self.findings["mean_score"]
        if self.counts[1] > self.counts[0] and (mean.low > 0 or mean.high < 0):
            words.append(
                "The reference is the smaller sample and the scores have moved: the level of the "
                "tests is not exact."
            )
        elif self.is_thin and self.drifted:
            words.append(
                "The reference knows too little where the scores now lie: its own uncertainty is "
                "the larger part of the errors."
            )
        moved = self.findings["midpoint"].population
        if self.verdict == "population" and moved is not None:
            before = self.findings["midpoint"].reference
            is_large = abs(moved.value) > before * math.expm1(MARGINS["level"])
            if is_large and (moved.low > 0 or moved.high < 0):
                words.append("The scores have moved to where the model was already off.")
        for test in tested:
            if test.margin is None:
                continue
            found = test.adjusted_p_value < self.alpha
            size = {True: "within its margin", False: "beyond its margin", None: "open"}
            if found and test.equivalent is not False:
                state = size[test.equivalent]
                words.append(f"The change of the {test.name} is significant; its size is {state}.")
        if self.left_out:
            named = ", ".join(OF_ORDER[name] for name in self.left_out)
            words.append(
                "A tally is bucketed: the tests assume that the mix of scores inside a bucket is "
                f"unchanged; left out: {named}."
            )
        return tuple(words)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw sensibility and capability of both samples against the threshold.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.drift.plot import draw_sensibility

        if not self.splits and not self.left_out:
            raise OneClassError(
                f"Curves of sensibility need both classes: the current sample has {self.few}.",
                "collect items of both.",
            )
        if not self.splits:
            raise TallyError(
                "Curves of sensibility need every score, and a tally is bucketed.",
                f"{EXACT_TALLY}.",
            )
        ax = draw_sensibility(self.splits[0], ax, name="reference", **options)
        return draw_sensibility(self.splits[1], ax, name="current", **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values: the verdict, the tests, θ, and all findings with parts."""
        return Result.to_dict(self) | {
            "summary": self.summary,
            "conclusion": self.conclusion,
            "advice": self.advice,
            "odds": self.odds.to_dict(),
            "tests": [one.to_dict() for one in self.tests.values()],
            "findings": [one.to_dict() for one in self.findings.values()],
        }

    def _headline(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "drifted": self.drifted,
            "changed": self.changed,
            "alpha": self.alpha,
            "method": self.method,
            "reference_items": self.counts[0],
            "current_items": self.counts[1],
            **({} if self.suitable is None else {"suitable": self.suitable}),
            **({"left_out": self.left_out} if self.left_out else {}),
            **({} if self.few is None else {"few": self.few}),
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows = [finding_row(one) for one in self.findings.values()]
        return {
            key: np.array([math.nan if row[key] is None else row[key] for row in rows])
            for key in rows[0]
        }


def finding_row(one: Finding) -> dict[str, Any]:
    """Return a finding as one row of a table, with the parts of its difference beside it."""
    row = one._headline()  # noqa: SLF001
    for name, part in (("population", one.population), ("odds", one.odds), ("model", one.model)):
        row[name] = None if part is None else part.value
        for end in ("low", "high"):
            row[f"{name}_{end}"] = None if part is None else getattr(part, end)
    model = one.model
    row["model_p_value"] = None if model is None else model.p_value
    row["model_adjusted_p_value"] = None if model is None else model.adjusted_p_value
    return row


def drift(
    reference: Any,
    current: Any,
    *,
    alpha: float = 0.05,
    margin: bool | Mapping[str, float] | None = None,
    cluster: Any = None,
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
    """Test whether probabilities still hold on a later sample, and if not, what has changed.

    Parameters
    ----------
    reference, current
        Each a pair (y_true, y_prob), or a `Tally`. The reference needs two items of each class. Of
        a current sample with fewer than five of a class, even none, the level is tested: whether
        there are as many positives as the reference expects of these scores. Where a tally is
        bucketed, the tests compare buckets and assume that the mix of scores inside each is
        unchanged; the intervals and p-values of the comparison hold for every order inside the
        buckets, and each finding has a `certificate`; what needs the order is named in
        `.left_out`.
    alpha
        The significance level, for the three tests together, with Holm's adjustment.
    margin
        None: any significant change is drift. True: a change must also not be within the margins
        0.02 of AUC, 10 % of observed/expected and 5 % of the struggle ratio. A mapping sets margins
        by name: "auc" (a difference), "midpoint" (of log observed/expected) and "struggle_ratio" (a
        share of what is expected).
    cluster
        A pair of columns, one for each sample, that name units whose items belong together, such
        as patients or days; either may be None. Units of the two samples are taken as separate.
    method
        "analytic", or "bootstrap" for percentile intervals and errors of replicates of the findings
        (not of bucketed tallies). The tests and the parts have closed forms.
    fixed_reference
        Take the reference without sampling error: for a reference that is the whole population.
    fixed_prevalence
        The numbers of positives and negatives were fixed by design in both samples, as in a
        case-control study; the level is not tested then. Otherwise they are drawn with the items.
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
        `.verdict` ("none", "population", "prevalence", "estimation", "ranking" or "both"),
        `.drifted` (the last four), `.changed` (also "population"); in words `.conclusion`,
        `.advice` and `.summary`, which has both, the numbers and the notes; `.tests`, `.odds` (θ
        with its interval), and `.findings`: for AUC, probabilistic AUC, midpoint, struggle ratio,
        prevalence, mean score, Brier score with its refinement and miscalibration, and the largest
        gaps between the curves of sensibility and capability, the values in both samples and the
        difference with its interval. AUC, midpoint and struggle ratio also have the parts
        `.population`, `.odds` and `.model` of the difference.

    AUC, midpoint and struggle ratio move with the population, even where every score is a true
    probability. So drift is decided given the scores: the reference gives a calibration map
    P(y | p), and three score tests of the map of both samples tell whether the current sample
    departs from it, in its level, its ranking, and its struggle ratio. Tests of AUC, midpoint and
    struggle ratio themselves, the comparison of Klement et al., decide whether anything has
    `.changed`. Refinement, miscalibration and the gaps are described, not tested.

    References
    ----------
    Klement, Japkowicz & Matwin (2009), Class probabilities and the ROC curve in changing
    environments; Holm (1979); Paule & Mandel (1982); Rao (1948) for score tests.

    Examples
    --------
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(0)
    >>> p = 1 / (1 + np.exp(-rng.normal(-1, 1.2, 4000)))
    >>> y = rng.random(4000) < p
    >>> rw.drift((y[:2000], p[:2000]), (y[2000:], p[2000:] ** 2)).verdict
    'estimation'

    A season in which only the high risks come changes the population, not the model:

    >>> late = np.arange(4000) >= 2000
    >>> late &= rng.random(4000) < p
    >>> found = rw.drift((y[:2000], p[:2000]), (y[late], p[late]))
    >>> found.verdict, found.drifted
    ('population', False)
    """
    one_of("method", method, ("analytic", "bootstrap"))
    plan = Plan(n_resamples, rng, threads, progress) if method == "bootstrap" else None
    request = DriftRequest(alpha, fixed_reference, fixed_prevalence, plan, margins_of(margin))
    weights = two_columns("sample_weight", sample_weight)
    clusters = two_columns("cluster", cluster)
    samples = [
        sample_evidence(name, sample, weight, pos_label, truth, invalid, units)
        for name, sample, weight, units in (
            ("reference", reference, weights[0], clusters[0]),
            ("current", current, weights[1], clusters[1]),
        )
    ]
    refuse_few(samples[0])
    found = drift_of(samples[0], samples[1], request)
    if found.few is not None:
        warn(
            UndefinedMetricWarning(
                f"The current sample has {found.few}: AUC, midpoint and struggle ratio are not "
                "compared with the reference, and of the tests only that of the level is made.",
                "check that the labels are complete, or take a longer period.",
            )
        )
    return found


def sample_evidence(
    name: str,
    sample: Any,
    weight: ArrayLike,
    pos_label: Any,
    truth: str,
    invalid: str,
    cluster: ArrayLike = None,
) -> Evidence:
    """Return the evidence of one sample, a pair of columns or a tally; raise if it is neither."""
    reading = (weight, pos_label, truth, invalid)
    data = evidence_of_pair(name, sample, *reading, probabilities=True, scores="y_prob")
    if isinstance(data, Tally) and data.steps != "truth":
        raise TallyError(f"{name} is a tally with steps={data.steps!r}.", 'use steps="truth".')
    return evidence_from(data, cluster)


def drift_of(reference: Evidence, current: Evidence, request: DriftRequest) -> Drift:
    """Return the drift between two samples of probabilities."""
    both, plan = (reference.tally, current.tally), request.plan
    if plan is not None:
        for tally in both:
            refuse_buckets(tally, "The bootstrap of drift")
    data = grouped(both)
    found = compared((reference, current), request, data)
    if plan is not None:
        found |= resampled(found, (reference, current), request, plan)
    few = few_units(current)
    for one in (found[name] for name in DECIDING):
        if math.isnan(one.p_value) and few is None:
            hint = (
                "no item of a sample lies on the right side of the midpoint; is the label reversed?"
                if one.certificate is None
                else f"the buckets are too coarse for a test; {EXACT_TALLY}."
            )
            warn(
                UndefinedMetricWarning(
                    f"The {one.words} is {one.reference:g} and {one.current:g}, and whether it has "
                    "changed cannot be tested: its p-value is NaN.",
                    hint,
                )
            )
    found = adjusted_of(found)
    values = {name: (found[name].reference, found[name].current) for name in DECIDING}
    causes = causes_of((reference, current), request, data, values)
    for name, (population, odds, model) in causes.parts.items():
        equivalent = causes.tests[TESTS[name]].equivalent
        found[name] = replace(
            found[name], population=population, odds=odds, model=model, equivalent=equivalent
        )
    drift = Drift(
        findings=found,
        causes=causes,
        alpha=request.alpha,
        method="analytic" if plan is None else "bootstrap",
        splits=(),
        counts=(both[0].total_count, both[1].total_count),
        left_out=tuple(OF_ORDER),
        few=few,
    )
    if any(tally.is_bucketed for tally in both):
        return drift
    if not (both[1].total_up > 0 and both[1].total_right > 0):  # it has no midpoint
        return replace(drift, left_out=())
    splits = split_of(both[0]), split_of(both[1])
    gaps = gaps_of((splits[0], split_of(both[1], splits[0].midpoint)), both, request)
    return replace(drift, findings={**drift.findings, **gaps}, splits=splits, left_out=())
