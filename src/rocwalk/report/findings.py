"""The findings of a study: every number that the page and the terminal show, computed once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.area import AUC
from rocwalk.curves.bands import Edges, edges_of
from rocwalk.curves.best_threshold import BestThreshold, best_threshold_of
from rocwalk.curves.calibration import Parts
from rocwalk.curves.classes import Multiclass, measure_classes
from rocwalk.curves.costs import useful_end
from rocwalk.curves.recalibration import left_out_words, logistic_fit
from rocwalk.curves.reliability import Calibration
from rocwalk.curves.rules import YOUDEN, OperatingRule
from rocwalk.curves.smooth import SmoothCurve, smooth_of
from rocwalk.drift.request import DriftRequest
from rocwalk.errors import OneClassError, RocwalkError, RocwalkWarning, TallyError, collecting
from rocwalk.evaluate.folds import whole_folds
from rocwalk.evaluate.study import Paired, Study
from rocwalk.evaluate.summary import (
    Ends,
    Numbers,
    Summary,
    evidence_on,
    numbers_of,
)
from rocwalk.inference.class_areas import CLASS_AREAS, class_interval
from rocwalk.inference.comparisons import Comparison, compare_panel
from rocwalk.inference.cross_validation import (
    ROPE,
    CrossValidation,
    cross_validation_of,
    parted_words,
)
from rocwalk.inference.intervals import interval, interval_of
from rocwalk.inference.items import Evidence, evidence_from
from rocwalk.inference.panel import Panel, panel_of
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.report.drift_findings import DriftFindings
from rocwalk.report.embedded import Embedded, embed
from rocwalk.report.group_findings import GroupFindings
from rocwalk.report.numbers import shown
from rocwalk.report.rater_findings import RaterFindings, noted
from rocwalk.report.recalibrations import recalibrations_of
from rocwalk.statistic import statistic_of
from rocwalk.tally.sharing import SharedTally
from rocwalk.tally.tally import Tally
from rocwalk.tally.truth import TruthTally, tally_by_truth
from rocwalk.truth.reference_truth import ReferenceTruth
from rocwalk.typing import BandKind, SmoothMethod

if TYPE_CHECKING:
    from rocwalk.curves.curve_tests import CurveComparison
    from rocwalk.drift.drift import Drift
    from rocwalk.sklearn import RecalibrationComparison

_MOST_PAIRS = 45  # whose net benefits are compared at every threshold
_STEPS_OF_CUTS, _MOST_CUTS = (0.0025, 0.005, 0.01, 0.02, 0.05), 25
_MOST_CLASSES = 40  # of an interval, which looks at every pair of classes
_REPLICATES = 2_000
_FEWEST_REPLICATES = 200
POINTWISE = 500  # replicates of a pointwise band, which needs percentiles only
_CHOICES = 800_000  # points of curves, in all replicates of a choice of threshold
_MOST_CHOICES = 1_000
_COARSE = 4_096  # rows that replicates have at most
_DRAWS = 2 * 10**8  # of single items, in all replicates, where they allow it

TruthEnds = tuple[float | None, float | None]


Triple = tuple[float, float, float]  # a value, and both ends of its interval


@dataclass(frozen=True, eq=False)
class Recalibration:
    """Slope and intercept with their intervals, NaN where they do not exist.

    `left_out` counts the items with a score of exactly 0 or 1, which has no logit.
    """

    slope: Triple
    intercept: Triple
    left_out: int


@dataclass(frozen=True, eq=False)
class Promise:
    """What probabilities promise: observed over expected positives as (value, low, high).

    With the parts of the Brier score and logistic recalibration, None of buckets.
    """

    observed: Triple
    brier: Parts | None
    recalibration: Recalibration | None


@dataclass(frozen=True, eq=False)
class Findings:
    """What is found in a study; each finding is computed when it is first asked for, and kept.

    Models are lists, never keyed by name: two columns may be shown by the same words. With a
    reference, `known_drifts` may hold what has been found already, by the names of the columns.
    With `whole_calibration` the page has intervals of all its distances, and recalibrations; with
    a margin of `equivalence` its tests, and with `whole_curves` the test of equal curves.
    """

    study: Study
    level: float = 0.95
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    reference: Study | None = None
    known_drifts: Mapping[Any, Drift] = field(default_factory=dict)
    window: int | str = "month"
    margins: Mapping[str, float] | None = None
    max_fpr: float | None = None
    rule: OperatingRule = YOUDEN
    smooth_methods: tuple[SmoothMethod, ...] = ()
    whole_calibration: bool = False
    equivalence: float | None = None
    whole_curves: bool = False

    # -- models and subgroups ----------------------------------------------------------------

    @cached_property
    def names(self) -> list[str]:
        """The names of the models, as they are shown."""
        return [shown(name) for name, _ in self.study.models or ()]

    @cached_property
    def tallies(self) -> list[Tally]:
        """The evidence on each model."""
        return list((self.study.models or {}).values())

    @cached_property
    def evidence(self) -> list[Evidence]:
        """The same with the items, where soft truth or clusters need them."""
        named = zip(self.study.models or {}, self.tallies, strict=True)
        return [evidence_on(self.study, name, tally) for (name, _), tally in named]

    @property
    def has_curves(self) -> bool:
        """Whether both classes are there, so that models have curves."""
        return all(one.total_up > 0 and one.total_right > 0 for one in self.tallies)

    @cached_property
    def models(self) -> list[Embedded]:
        """The models as the page carries them."""
        choices = [one.summary.choice for one in self.numbers]
        cuts = [math.inf if choice is None else choice.threshold for choice in choices]
        return list(map(embed, self.names, self.tallies, cuts))

    @cached_property
    def numbers(self) -> list[Numbers]:
        """The numbers of each model with their intervals."""
        found = [
            numbers_of(evidence, evidence.tally, self.level, rule=self.rule, max_fpr=self.max_fpr)
            for evidence in self.evidence
        ]
        if self.study.shared is None or not self.study.is_noised:
            return found
        return [self._noised(*pair) for pair in zip(found, self.study.shared.values(), strict=True)]

    def _noised(self, one: Numbers, shared: SharedTally) -> Numbers:
        """Return numbers with the AUC of the noised counts as they are, before merging buckets."""
        from rocwalk.inference.shared_intervals import shared_interval

        try:
            area = shared_interval(shared, Request(AUC, self.level, "auto", Plan(1)))
        except OneClassError:
            return one
        bounds = dict(one.summary.bounds) | {"auc": area.bounds or (area.estimate,) * 3}
        numbers = dict(one.summary.numbers) | {"auc": area.estimate}
        ends = one.ends | {"auc_low": area.low, "auc_high": area.high}
        ends["interval_method"] = area.method
        return Numbers(one.tally, replace(one.summary, numbers=numbers, bounds=bounds), ends)

    @property
    def summaries(self) -> list[Summary]:
        """The numbers of each model."""
        return [one.summary for one in self.numbers]

    @property
    def intervals(self) -> list[Ends]:
        """The ends of the intervals of each model's numbers."""
        return [one.ends for one in self.numbers]

    @cached_property
    def groups(self) -> GroupFindings:
        """What is found in the subgroups."""
        return GroupFindings(self.study, self.level, self.seed, self.rule, self.max_fpr)

    @cached_property
    def probabilities(self) -> list[int]:
        """The places of the models whose scores are probabilities."""
        return [k for k, one in enumerate(self.summaries) if one.has_probabilities]

    @property
    def others(self) -> list[str]:
        """The names of the models whose scores reach outside [0, 1]."""
        return [name for k, name in enumerate(self.names) if k not in self.probabilities]

    @property
    def left_out(self) -> list[str | None]:
        """What the calibration slope of each model leaves out, in words; None if nothing."""
        if not self.has_curves:
            return [None] * len(self.names)
        return [
            left_out_words(one) if k in self.probabilities else None
            for k, one in enumerate(self.tallies)
        ]

    # -- the operating rule and the probabilities ----------------------------------------------

    @cached_property
    def chosen(self) -> list[BestThreshold | str]:
        """The threshold of each model with the uncertainty of its choice, or why it has none."""
        return [self._chosen(k) for k in range(len(self.tallies))]

    def _chosen(self, k: int) -> BestThreshold | str:
        evidence, rows = self.by_items(k), min(len(self.tallies[k]), _COARSE)
        few = replicates_on(self.study, evidence.tally)
        count = min(max(_CHOICES // rows, _FEWEST_REPLICATES), _MOST_CHOICES, few)
        try:
            with collecting(RocwalkWarning):
                plan = Plan(count, self.seed)
                return best_threshold_of(evidence, self.rule, self.level, plan)
        except RocwalkError as error:
            return error.what

    def by_items(self, k: int) -> Evidence:
        """Return the evidence on a model, with its items where resampling needs them."""
        (model, _), evidence = list(self.study.models or {})[k], self.evidence[k]
        paired = self.study.paired
        if evidence.items is not None or evidence.even_weight is not None or paired is None:
            return evidence
        if len(paired.truth) != evidence.tally.total_count:
            return evidence
        return Evidence(evidence.tally, paired.items(model))

    @cached_property
    def promises(self) -> dict[int, Promise]:
        """How far the models whose scores are probabilities mean them, by their places."""
        return {k: self._promise(k) for k in self.probabilities}

    def _promise(self, k: int) -> Promise:
        evidence, tally = self.evidence[k], self.tallies[k]
        with collecting(RocwalkWarning):
            value, low, high = (
                1 / x if x > 0 else math.nan for x in self._number("expected_observed", evidence)
            )
            if tally.is_bucketed:
                return Promise((value, high, low), None, None)
            slope, intercept = (
                self._number(f"calibration_{name}", evidence) for name in ("slope", "intercept")
            )
            made = Recalibration(slope, intercept, logistic_fit(tally).left_out)
        return Promise((value, high, low), self.calibrations[k].brier, made)

    @cached_property
    def calibrations(self) -> dict[int, Calibration]:
        """The calibration of the models whose scores are probabilities, by their places."""
        return {
            k: Calibration(self.evidence[k], confidence_level=self.level, plan=Plan(200, self.seed))
            for k in self.probabilities
            if not self.tallies[k].is_bucketed
        }

    @cached_property
    def recalibrations(self) -> dict[int, RecalibrationComparison | str]:
        """Recalibration maps of these models on rows that they were not fitted to, or why not."""
        paired = self.study.paired
        return {k: recalibrations_of(paired, k, self.seed) for k in self.calibrations}

    @cached_property
    def ici(self) -> dict[int, Triple]:
        """The integrated calibration index of these models, with both ends of its interval.

        They are those of `calibrations`: the page and the terminal show the same ends.
        """
        found = {}
        for k, one in self.calibrations.items():
            try:
                ici = one.interval("ici")
            except RocwalkError:
                found[k] = float(one.ici), math.nan, math.nan
            else:
                found[k] = ici.estimate, ici.low, ici.high
        return found

    def _number(self, name: str, evidence: Evidence) -> Triple:
        """Return a registered number with both ends of its interval, NaN where it has none."""
        statistic, plan = statistic_of(name), Plan(_FEWEST_REPLICATES, self.seed)
        try:
            one = interval_of(evidence, Request(statistic, self.level, "auto", plan))
        except RocwalkError:
            return float(statistic.of(evidence.tally)), math.nan, math.nan
        return one.estimate, one.low, one.high

    @cached_property
    def classes(self) -> Multiclass | None:
        """The areas of several classes."""
        return None if self.study.classes is None else measure_classes(self.study.classes)

    @cached_property
    def class_interval(self) -> tuple[float, float]:
        """The interval of Hand & Till's area of several classes; NaN where it has none."""
        sample = self.study.classes
        if sample is None or len(sample.labels) > _MOST_CLASSES:
            return math.nan, math.nan
        request = Request(
            CLASS_AREAS["hand_till"], self.level, "auto", Plan(_REPLICATES, self.seed)
        )
        try:
            found = class_interval(sample, request, sample.units)
        except OneClassError:
            return math.nan, math.nan
        return found.low, found.high

    @cached_property
    def class_ends(self) -> Mapping[Any, tuple[float, float] | tuple[None, None]]:
        """The interval of the area of each class against the rest; None where it has none."""
        sample = self.study.classes
        if sample is None:
            return {}
        request = Request(AUC, self.level, "auto", Plan(1))
        found: dict[Any, tuple[float, float] | tuple[None, None]] = {}
        for label, part in zip(sample.labels, sample.against_rest(), strict=True):
            try:
                with collecting(RocwalkWarning):  # given when the data were read
                    one = interval_of(evidence_from(part, sample.units), request)
                found[label] = one.low, one.high
            except RocwalkError:  # too few items
                found[label] = None, None
        return found

    # -- bands and comparisons ---------------------------------------------------------------

    def smooth(self, method: SmoothMethod) -> list[SmoothCurve | str]:
        """Return the smooth curve of each model by a method, or why it has none."""
        if method not in self._smooth:
            self._smooth[method] = [self._smoothed(one, method) for one in self.evidence]
        return self._smooth[method]

    @cached_property
    def _smooth(self) -> dict[SmoothMethod, list[SmoothCurve | str]]:
        return {}

    def _smoothed(self, evidence: Evidence, method: SmoothMethod) -> SmoothCurve | str:
        if evidence.cluster is not None:
            return "Its errors are those of single items, and these are in clusters."
        try:
            return smooth_of(evidence, method, self.level)
        except RocwalkError as error:
            return error.what

    @cached_property
    def bands(self) -> list[Edges | str]:
        """The simultaneous band of each model's curve, or why there is none."""
        return [self._band(k) for k in range(len(self.tallies))]

    @cached_property
    def pointwise_bands(self) -> list[Edges | str]:
        """The pointwise band of each model's curve, or why there is none."""
        return [self._band(k, "pointwise") for k in range(len(self.tallies))]

    def _band(self, k: int, kind: BandKind = "simultaneous") -> Edges | str:
        evidence = self.by_items(k)
        if evidence.items is None and evidence.even_weight is None:
            return (
                "With soft truth or weights it needs the rows one by one, and other models "
                "lack some of them."
            )
        count = replicates_on(self.study, evidence.tally)
        plan = Plan(count if kind == "simultaneous" else min(count, POINTWISE), self.seed)
        try:
            return edges_of(evidence, kind, level=self.level, plan=plan)
        except (OneClassError, TallyError) as error:
            return error.what

    @cached_property
    def comparisons(self) -> list[Comparison] | str:
        """The models in pairs, on the rows that all can use; or why they are not compared.

        In AUC, of a soft truth in AUC_PRT; and where all scores are probabilities in probabilistic
        AUC. The names in a comparison are the places of the models.
        """
        paired = self.study.paired
        if len(self.names) < 2:
            return "There is one model only."
        if paired is None:
            return self.study.why_unpaired
        statistics, plan = [area_of(paired)], Plan(_REPLICATES)
        if len(self.probabilities) == len(self.names):
            statistics.append("probabilistic_auc")
        try:
            panel = self._panel(range(len(self.names)))
            with collecting():  # given when the data were read
                requests = [
                    Request(statistic_of(name), self.level, "auto", plan, margin=self.equivalence)
                    for name in statistics
                ]
                return [compare_panel(panel, request) for request in requests]
        except RocwalkError as error:
            return error.what

    @cached_property
    def benefits(self) -> Mapping[float, Comparison] | str | None:
        """The probabilities in pairs by net benefit at thresholds; or why they are not compared.

        None unless there are two. The names in a comparison are the places of the models.
        """
        places, pairs = self.probabilities, len(self.probabilities) * (len(self.probabilities) - 1)
        if len(places) < 2 or not self.has_curves:
            return None
        if self.study.paired is None:
            return self.study.why_unpaired
        if pairs // 2 > _MOST_PAIRS:
            return f"There are {pairs // 2:,} pairs of them; {_MOST_PAIRS} are the most."
        far = max(useful_end(self.summaries[k].prevalence) for k in places)
        costs, cut = self.rule.costs, self.rule.threshold
        if cut is None:  # false alarms and misses cost alike unless they are told
            cut = 0.5
            if costs is not None:
                cut = costs.false_positive / (costs.false_positive + costs.false_negative)
        try:
            panel = self._panel(places)
            with collecting():  # given when the data were read
                return {t: compare_panel(panel, self._benefit(t)) for t in benefit_cuts(far, cut)}
        except RocwalkError as error:
            return error.what

    def _benefit(self, threshold: float) -> Request:
        statistic = statistic_of("net_benefit", threshold=threshold)
        return Request(statistic, self.level, "auto", Plan(_REPLICATES))

    @cached_property
    def _panels(self) -> dict[tuple[int, ...], Panel]:
        return {}

    def _panel(self, places: Iterable[int]) -> Panel:
        """Return models on the rows that all of them can use, by their places."""
        paired, asked = self.study.paired, tuple(places)
        assert paired is not None
        if asked not in self._panels:
            samples = list(paired.samples.values())
            self._panels[asked] = panel_of({k: samples[k] for k in asked}, paired.cluster_codes)
        return self._panels[asked]

    @cached_property
    def curve_tests(self) -> CurveComparison | str:
        """Whether the whole curves are equal, on the rows that all models can use; or why not."""
        from rocwalk.curves.curve_tests import curves_of_panel

        paired = self.study.paired
        if paired is None:
            return self.study.why_unpaired
        try:
            panel = self._panel(range(len(self.names)))
            with collecting():  # given when the data were read
                return curves_of_panel(panel, Plan(_REPLICATES, self.seed), self.level)
        except RocwalkError as error:
            return error.what

    @cached_property
    def cross_validation(self) -> CrossValidation | None:
        """The models over the folds, by AUC; None unless two folds have both classes in all.

        The names are the places of the models.
        """
        if self.study.folds is None:
            return None
        found = whole_folds(self.study.folds)
        if found.count - len(found.lost) < 2:
            return None
        tallies = dict(enumerate(found.tallies.values()))
        items = [self.study.clusters_of(name, found.names) for name in found.tallies]
        clusters = {k: each for k, each in enumerate(items) if each is not None}
        with collecting():  # of few clusters it is said where their means are
            return cross_validation_of(
                statistic_of("auc"), tallies, self.level, ROPE, 1, clusters or None
            )

    @cached_property
    def parted(self) -> str | None:
        """That clusters have rows in several folds, if they do."""
        if self.study.folds is None or self.study.models is None:
            return None
        (first, _), *_ = self.study.models
        names = [fold for model, fold in self.study.folds if model == first]
        items = self.study.clusters_of(first, names) or []
        codes = [one.cluster for one in items if one.cluster is not None]
        return parted_words(codes) if codes else None

    # -- soft truth and raters ---------------------------------------------------------------

    @cached_property
    def places(self) -> list[tuple[ReferenceTruth, TruthEnds]]:
        """Each model between the worst and the best order that a soft truth allows; else none.

        With the ends of the interval of its AUC_PRT.
        """
        paired = self.study.paired
        if paired is None or paired.is_hard or not self.tallies:
            return []
        by_truth = tally_by_truth(paired.truth, paired.weights)
        found = []
        for tally, known, sample in zip(
            self.tallies, self.intervals, paired.samples.values(), strict=True
        ):
            own, ends = tally, (known["auc_prt_low"], known["auc_prt_high"])
            if len(paired.truth) != tally.total_count:  # other models lack some of its rows
                own, ends = sample.tally(), (None, None)
                options = paired.options | {"confidence_level": self.level, "statistic": "auc_prt"}
                try:
                    one, _ = noted(lambda: interval(paired.truth, sample.scores, **options))  # noqa: B023
                    ends = one.low, one.high
                except RocwalkError:
                    pass
            if len(by_truth) < 2:
                ends = None, None
            found.append((ReferenceTruth(TruthTally(own, by_truth)), ends))
        return found

    @cached_property
    def raters(self) -> RaterFindings:
        """What is found in the votes."""
        return RaterFindings(self.study, self.names, self.level)

    @cached_property
    def drift(self) -> DriftFindings:
        """What is found in later data against a reference, and over time."""
        return DriftFindings(
            self.study,
            self.evidence,
            self.reference,
            self.known_drifts,
            self.window,
            DriftRequest(round(1 - self.level, 12), margins=self.margins),
        )


def benefit_cuts(far: float, cut: float) -> list[float]:
    """Return the thresholds at which net benefits are compared: even up to `far`, and `cut`.

    >>> benefit_cuts(0.05, 0.3)[:3], benefit_cuts(0.05, 0.3)[18:22]
    ([0.0025, 0.005, 0.0075], [0.0475, 0.05, 0.1, 0.15])
    >>> 0.3 in benefit_cuts(0.05, 0.3), len(benefit_cuts(0.99, 0.0))
    (True, 19)
    """
    step = next(one for one in _STEPS_OF_CUTS if far / one <= _MOST_CUTS)
    near = [round(k * step, 4) for k in range(1, _MOST_CUTS + 1) if k * step <= far]
    wide = [round(0.05 * k, 2) for k in range(1, 20)]
    cuts = {*near, *(one for one in wide if one > far), cut}
    return sorted(one for one in cuts if 0 < one < 1)


def area_of(paired: Paired) -> str:
    """Return the area by which models are compared: AUC_PRT of soft truths that differ, or AUC."""
    return "auc" if paired.is_hard or len(np.unique(paired.truth)) < 2 else "auc_prt"


def replicates_on(study: Study, tally: Tally) -> int:
    """Return how many curves are resampled: fewer where very many items are drawn one by one."""
    if study.question.cluster is None and Evidence(tally).even_weight is not None:
        return _REPLICATES
    return min(max(_DRAWS // tally.total_count, _FEWEST_REPLICATES), _REPLICATES)
