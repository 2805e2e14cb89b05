"""ROC analysis that keeps the probabilities: every ROC curve is a walk.

Everything loads on first use, so that ``import rocwalk`` stays light.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rocwalk.version import __version__

if TYPE_CHECKING:
    from rocwalk import datasets, errors, metrics
    from rocwalk import sklearn as sklearn
    from rocwalk.curves.accuracy import AccuracyTable, accuracy_table
    from rocwalk.curves.averages import AveragedCurve, average
    from rocwalk.curves.bands import Band, band, fold_band
    from rocwalk.curves.best_threshold import BestThreshold, best_threshold
    from rocwalk.curves.budget import Gains
    from rocwalk.curves.calibration_tests import CalibrationTest
    from rocwalk.curves.choices import Choice, Costs
    from rocwalk.curves.classes import Multiclass, multiclass
    from rocwalk.curves.costs import CostCurve, DecisionCurve, LossCurve, PriceList
    from rocwalk.curves.curve_tests import (
        CurveComparison,
        CurveTest,
        compare_curves,
        compare_sample_curves,
    )
    from rocwalk.curves.misclassification import MisclassificationFront, misclassification_front
    from rocwalk.curves.mixing import Mix, mix
    from rocwalk.curves.operating_points import Confusion, OperatingPoint
    from rocwalk.curves.overlay import overlay
    from rocwalk.curves.precision import PrecisionRecall
    from rocwalk.curves.reliability import Calibration, calibration
    from rocwalk.curves.roc import Curve, ThinnedCurve, roc
    from rocwalk.curves.rule_on_sample import RuleOnSample
    from rocwalk.curves.shared_calibration import SharedCalibration, shared_calibration
    from rocwalk.curves.smooth import SmoothCurve, smooth_roc
    from rocwalk.curves.soft import SoftCurves, soft_curves, soft_roc
    from rocwalk.drift.drift import Drift, drift
    from rocwalk.drift.e_process import ChangePoint, WatchState
    from rocwalk.drift.findings import Finding
    from rocwalk.drift.job import run_job
    from rocwalk.drift.monitor import DriftMonitor
    from rocwalk.drift.sensibility import Sensibility, SensibilityPoint, sensibility
    from rocwalk.drift.shift import ScoreShift, score_shift
    from rocwalk.drift.store import MonitorStore
    from rocwalk.drift.stream import ClosedWindow, MonitorCheck
    from rocwalk.drift.timeline import DriftTimeline, WindowDrift, drift_over_time
    from rocwalk.drift.watch import DriftWatch
    from rocwalk.drift.windows import MonitorStatus, MonitorWindow
    from rocwalk.evaluate.evaluation import Evaluation, evaluate
    from rocwalk.inference.accuracy_size import AccuracySize, accuracy_sample_size
    from rocwalk.inference.background_areas import BackgroundAreas
    from rocwalk.inference.comparisons import Comparison, Pair, compare
    from rocwalk.inference.cross_validation import CrossValidation, FoldPair, cross_validation
    from rocwalk.inference.fold_means import FoldMean
    from rocwalk.inference.group_tests import GroupTest
    from rocwalk.inference.interval_result import Interval
    from rocwalk.inference.intervals import interval
    from rocwalk.inference.omnibus import Omnibus
    from rocwalk.inference.power import (
        auc_power,
        auc_sample_size,
        difference_power,
        difference_sample_size,
    )
    from rocwalk.inference.samples import SampleComparison, compare_samples
    from rocwalk.inference.shared_intervals import SharedInterval
    from rocwalk.inference.study_design import PowerAnalysis
    from rocwalk.inference.subgroups import Gap, GroupDifference, Subgroups, subgroups
    from rocwalk.installed import show_versions
    from rocwalk.methods import Methods
    from rocwalk.publish.figure import PaperFigure, figure
    from rocwalk.publish.table import PaperTable, table
    from rocwalk.read.addresses import DataSource, source
    from rocwalk.read.arrays import tally
    from rocwalk.read.tallies import Tallies, tallies
    from rocwalk.report.report import Report, report
    from rocwalk.smear.areas import SmearedArea, smeared_area
    from rocwalk.smear.concentrations import ConcentrationMatch, matched_concentration
    from rocwalk.smear.curves import SmearedChoice, SmearedCurve, SmearedPoint, smeared_roc
    from rocwalk.smear.noise import ScoreNoiseBand
    from rocwalk.smear.proofs import Certificate
    from rocwalk.smear.widths import WidthMatch, matched_width
    from rocwalk.tally.sharing import SharedTally, share
    from rocwalk.tally.tally import Tally
    from rocwalk.tally.truth import TruthTally
    from rocwalk.truth.agreement import Agreement, agreement
    from rocwalk.truth.obuchowski_rockette import ReaderComponents, ReaderMean
    from rocwalk.truth.rater_models import RaterModel
    from rocwalk.truth.rater_table import RaterEffect, RaterTable, rater_table
    from rocwalk.truth.reader_power import ReaderPower
    from rocwalk.truth.reader_studies import ReaderStudy, reader_study
    from rocwalk.truth.reference_truth import ReferenceTruth, reference_truth, truth_tally
    from rocwalk.truth.votes import Votes, votes, votes_to_truth

_HOMES = {
    "AccuracySize": "inference.accuracy_size",
    "AccuracyTable": "curves.accuracy",
    "Agreement": "truth.agreement",
    "AveragedCurve": "curves.averages",
    "BackgroundAreas": "inference.background_areas",
    "Band": "curves.bands",
    "BestThreshold": "curves.best_threshold",
    "Calibration": "curves.reliability",
    "CalibrationTest": "curves.calibration_tests",
    "Certificate": "smear.proofs",
    "ChangePoint": "drift.e_process",
    "Choice": "curves.choices",
    "ClosedWindow": "drift.stream",
    "Comparison": "inference.comparisons",
    "ConcentrationMatch": "smear.concentrations",
    "Confusion": "curves.operating_points",
    "CostCurve": "curves.costs",
    "Costs": "curves.choices",
    "CrossValidation": "inference.cross_validation",
    "Curve": "curves.roc",
    "CurveComparison": "curves.curve_tests",
    "CurveTest": "curves.curve_tests",
    "DecisionCurve": "curves.costs",
    "DataSource": "read.addresses",
    "Drift": "drift.drift",
    "DriftMonitor": "drift.monitor",
    "DriftTimeline": "drift.timeline",
    "DriftWatch": "drift.watch",
    "Evaluation": "evaluate.evaluation",
    "Finding": "drift.findings",
    "FoldMean": "inference.fold_means",
    "FoldPair": "inference.cross_validation",
    "Gains": "curves.budget",
    "Gap": "inference.subgroups",
    "GroupDifference": "inference.subgroups",
    "GroupTest": "inference.group_tests",
    "Interval": "inference.interval_result",
    "LossCurve": "curves.costs",
    "Methods": "methods",
    "MisclassificationFront": "curves.misclassification",
    "Mix": "curves.mixing",
    "MonitorCheck": "drift.stream",
    "MonitorStatus": "drift.windows",
    "MonitorStore": "drift.store",
    "MonitorWindow": "drift.windows",
    "Multiclass": "curves.classes",
    "Omnibus": "inference.omnibus",
    "OperatingPoint": "curves.operating_points",
    "Pair": "inference.comparisons",
    "PaperFigure": "publish.figure",
    "PaperTable": "publish.table",
    "PowerAnalysis": "inference.study_design",
    "PrecisionRecall": "curves.precision",
    "PriceList": "curves.costs",
    "RaterEffect": "truth.rater_table",
    "RaterModel": "truth.rater_models",
    "RaterTable": "truth.rater_table",
    "ReaderComponents": "truth.obuchowski_rockette",
    "ReaderMean": "truth.obuchowski_rockette",
    "ReaderPower": "truth.reader_power",
    "ReaderStudy": "truth.reader_studies",
    "ReferenceTruth": "truth.reference_truth",
    "Report": "report.report",
    "RuleOnSample": "curves.rule_on_sample",
    "SampleComparison": "inference.samples",
    "ScoreNoiseBand": "smear.noise",
    "ScoreShift": "drift.shift",
    "Sensibility": "drift.sensibility",
    "SensibilityPoint": "drift.sensibility",
    "SharedInterval": "inference.shared_intervals",
    "SharedCalibration": "curves.shared_calibration",
    "SharedTally": "tally.sharing",
    "SmearedArea": "smear.areas",
    "SmearedChoice": "smear.curves",
    "SmearedCurve": "smear.curves",
    "SmearedPoint": "smear.curves",
    "SmoothCurve": "curves.smooth",
    "SoftCurves": "curves.soft",
    "Subgroups": "inference.subgroups",
    "Tallies": "read.tallies",
    "Tally": "tally.tally",
    "ThinnedCurve": "curves.roc",
    "TruthTally": "tally.truth",
    "Votes": "truth.votes",
    "WatchState": "drift.e_process",
    "WidthMatch": "smear.widths",
    "WindowDrift": "drift.timeline",
    "accuracy_sample_size": "inference.accuracy_size",
    "accuracy_table": "curves.accuracy",
    "agreement": "truth.agreement",
    "auc_power": "inference.power",
    "auc_sample_size": "inference.power",
    "average": "curves.averages",
    "band": "curves.bands",
    "best_threshold": "curves.best_threshold",
    "calibration": "curves.reliability",
    "compare": "inference.comparisons",
    "compare_curves": "curves.curve_tests",
    "compare_sample_curves": "curves.curve_tests",
    "compare_samples": "inference.samples",
    "cross_validation": "inference.cross_validation",
    "difference_power": "inference.power",
    "difference_sample_size": "inference.power",
    "drift": "drift.drift",
    "drift_over_time": "drift.timeline",
    "evaluate": "evaluate.evaluation",
    "figure": "publish.figure",
    "fold_band": "curves.bands",
    "interval": "inference.intervals",
    "matched_concentration": "smear.concentrations",
    "matched_width": "smear.widths",
    "misclassification_front": "curves.misclassification",
    "mix": "curves.mixing",
    "multiclass": "curves.classes",
    "overlay": "curves.overlay",
    "rater_table": "truth.rater_table",
    "reader_study": "truth.reader_studies",
    "reference_truth": "truth.reference_truth",
    "report": "report.report",
    "roc": "curves.roc",
    "run_job": "drift.job",
    "score_shift": "drift.shift",
    "sensibility": "drift.sensibility",
    "share": "tally.sharing",
    "shared_calibration": "curves.shared_calibration",
    "show_versions": "installed",
    "smeared_area": "smear.areas",
    "smeared_roc": "smear.curves",
    "smooth_roc": "curves.smooth",
    "soft_curves": "curves.soft",
    "soft_roc": "curves.soft",
    "source": "read.addresses",
    "subgroups": "inference.subgroups",
    "table": "publish.table",
    "tallies": "read.tallies",
    "tally": "read.arrays",
    "truth_tally": "truth.reference_truth",
    "votes": "truth.votes",
    "votes_to_truth": "truth.votes",
}
_MODULES = ("datasets", "errors", "metrics", "sklearn")

__all__ = [
    "AccuracySize",
    "AccuracyTable",
    "Agreement",
    "AveragedCurve",
    "BackgroundAreas",
    "Band",
    "BestThreshold",
    "Calibration",
    "CalibrationTest",
    "Certificate",
    "ChangePoint",
    "Choice",
    "ClosedWindow",
    "Comparison",
    "ConcentrationMatch",
    "Confusion",
    "CostCurve",
    "Costs",
    "CrossValidation",
    "Curve",
    "CurveComparison",
    "CurveTest",
    "DataSource",
    "DecisionCurve",
    "Drift",
    "DriftMonitor",
    "DriftTimeline",
    "DriftWatch",
    "Evaluation",
    "Finding",
    "FoldMean",
    "FoldPair",
    "Gains",
    "Gap",
    "GroupDifference",
    "GroupTest",
    "Interval",
    "LossCurve",
    "Methods",
    "MisclassificationFront",
    "Mix",
    "MonitorCheck",
    "MonitorStatus",
    "MonitorStore",
    "MonitorWindow",
    "Multiclass",
    "Omnibus",
    "OperatingPoint",
    "Pair",
    "PaperFigure",
    "PaperTable",
    "PowerAnalysis",
    "PrecisionRecall",
    "PriceList",
    "RaterEffect",
    "RaterModel",
    "RaterTable",
    "ReaderComponents",
    "ReaderMean",
    "ReaderPower",
    "ReaderStudy",
    "ReferenceTruth",
    "Report",
    "RuleOnSample",
    "SampleComparison",
    "ScoreNoiseBand",
    "ScoreShift",
    "Sensibility",
    "SensibilityPoint",
    "SharedCalibration",
    "SharedInterval",
    "SharedTally",
    "SmearedArea",
    "SmearedChoice",
    "SmearedCurve",
    "SmearedPoint",
    "SmoothCurve",
    "SoftCurves",
    "Subgroups",
    "Tallies",
    "Tally",
    "ThinnedCurve",
    "TruthTally",
    "Votes",
    "WatchState",
    "WidthMatch",
    "WindowDrift",
    "__version__",
    "accuracy_sample_size",
    "accuracy_table",
    "agreement",
    "auc_power",
    "auc_sample_size",
    "average",
    "band",
    "best_threshold",
    "calibration",
    "compare",
    "compare_curves",
    "compare_sample_curves",
    "compare_samples",
    "cross_validation",
    "datasets",
    "difference_power",
    "difference_sample_size",
    "drift",
    "drift_over_time",
    "errors",
    "evaluate",
    "figure",
    "fold_band",
    "interval",
    "matched_concentration",
    "matched_width",
    "metrics",
    "misclassification_front",
    "mix",
    "multiclass",
    "overlay",
    "rater_table",
    "reader_study",
    "reference_truth",
    "report",
    "roc",
    "run_job",
    "score_shift",
    "sensibility",
    "share",
    "shared_calibration",
    "show_versions",
    "smeared_area",
    "smeared_roc",
    "smooth_roc",
    "soft_curves",
    "soft_roc",
    "source",
    "subgroups",
    "table",
    "tallies",
    "tally",
    "truth_tally",
    "votes",
    "votes_to_truth",
]


class _Package(ModuleType):
    """The package: public names load on first use and are not hidden by a room of their name.

    Importing a room, such as ``rocwalk.drift``, would set an attribute of that name on the package
    and hide the public function, so such an attribute is not set
    (docs/decisions/0012-rooms-named-like-functions.rst).
    """

    def __getattr__(self, name: str) -> Any:
        if name in _MODULES:
            return importlib.import_module(f"rocwalk.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'rocwalk' has no attribute {name!r}")
        value = getattr(importlib.import_module(f"rocwalk.{_HOMES[name]}"), name)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*__all__, *_MODULES})


sys.modules[__name__].__class__ = _Package
