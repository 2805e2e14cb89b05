"""ROC analysis that keeps the probabilities: every ROC curve is a walk.

Everything loads on first use, so that ``import rocwalk`` stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rocwalk.version import __version__

if TYPE_CHECKING:
    from rocwalk import datasets, errors, metrics
    from rocwalk.front.accuracy import accuracy_table
    from rocwalk.front.average import AveragedCurve, average
    from rocwalk.front.band import Band, band, fold_band
    from rocwalk.front.calibration import Calibration
    from rocwalk.front.classes import Multiclass, multiclass
    from rocwalk.front.compare import compare, compare_samples
    from rocwalk.front.curve import Curve, ThinnedCurve, roc
    from rocwalk.front.drift import drift, score_shift
    from rocwalk.front.evidence import tally
    from rocwalk.front.interval import interval
    from rocwalk.front.job import run_job
    from rocwalk.front.mix import Mix, mix
    from rocwalk.front.monitor import DriftMonitor
    from rocwalk.front.overlay import overlay
    from rocwalk.front.precision_recall import PrecisionRecall
    from rocwalk.front.pricing import CostCurve, DecisionCurve, LossCurve, PriceList
    from rocwalk.front.sensibility import Sensibility, SensibilityPoint, sensibility
    from rocwalk.front.smear import (
        SmearedArea,
        SmearedCurve,
        WidthMatch,
        matched_width,
        smeared_area,
        smeared_roc,
    )
    from rocwalk.front.soft import SoftCurves, soft_curves, soft_roc
    from rocwalk.front.timeline import drift_over_time
    from rocwalk.front.truth import ReferenceTruth, reference_truth, truth_tally
    from rocwalk.front.votes import RaterModel, Votes, votes, votes_to_truth
    from rocwalk.intake.tallies import Tallies, tallies
    from rocwalk.measure.choose import Choice
    from rocwalk.measure.costs import Costs
    from rocwalk.measure.point import Confusion, OperatingPoint
    from rocwalk.measure.proof import Certificate
    from rocwalk.measure.smeared_choice import SmearedChoice, SmearedPoint
    from rocwalk.page.report import Report, report
    from rocwalk.uncertainty.accuracy import AccuracyTable
    from rocwalk.uncertainty.comparison import Comparison, Pair
    from rocwalk.uncertainty.drift import Drift, Finding
    from rocwalk.uncertainty.monitor import ClosedWindow, MonitorCheck
    from rocwalk.uncertainty.power import PowerAnalysis, auc_power, auc_sample_size
    from rocwalk.uncertainty.power_of_difference import difference_power, difference_sample_size
    from rocwalk.uncertainty.question import Interval
    from rocwalk.uncertainty.samples import SampleComparison
    from rocwalk.uncertainty.shift import ScoreShift
    from rocwalk.uncertainty.timeline import DriftTimeline, WindowDrift
    from rocwalk.walk.tally import Tally
    from rocwalk.walk.truth import TruthTally

_HOMES = {
    "AccuracyTable": "uncertainty.accuracy",
    "AveragedCurve": "front.average",
    "Band": "front.band",
    "Calibration": "front.calibration",
    "Certificate": "measure.proof",
    "Choice": "measure.choose",
    "ClosedWindow": "uncertainty.monitor",
    "Comparison": "uncertainty.comparison",
    "Confusion": "measure.point",
    "CostCurve": "front.pricing",
    "Costs": "measure.costs",
    "Curve": "front.curve",
    "DecisionCurve": "front.pricing",
    "Drift": "uncertainty.drift",
    "DriftMonitor": "front.monitor",
    "DriftTimeline": "uncertainty.timeline",
    "Finding": "uncertainty.drift",
    "Interval": "uncertainty.question",
    "LossCurve": "front.pricing",
    "Mix": "front.mix",
    "MonitorCheck": "uncertainty.monitor",
    "Multiclass": "front.classes",
    "OperatingPoint": "measure.point",
    "Pair": "uncertainty.comparison",
    "PowerAnalysis": "uncertainty.power",
    "PrecisionRecall": "front.precision_recall",
    "PriceList": "front.pricing",
    "RaterModel": "front.votes",
    "ReferenceTruth": "front.truth",
    "Report": "page.report",
    "SampleComparison": "uncertainty.samples",
    "ScoreShift": "uncertainty.shift",
    "Sensibility": "front.sensibility",
    "SensibilityPoint": "front.sensibility",
    "SmearedArea": "front.smear",
    "SmearedChoice": "measure.smeared_choice",
    "SmearedCurve": "front.smear",
    "SmearedPoint": "measure.smeared_choice",
    "SoftCurves": "front.soft",
    "Tallies": "intake.tallies",
    "Tally": "walk.tally",
    "ThinnedCurve": "front.curve",
    "TruthTally": "walk.truth",
    "Votes": "front.votes",
    "WidthMatch": "front.smear",
    "WindowDrift": "uncertainty.timeline",
    "accuracy_table": "front.accuracy",
    "auc_power": "uncertainty.power",
    "auc_sample_size": "uncertainty.power",
    "average": "front.average",
    "band": "front.band",
    "compare": "front.compare",
    "compare_samples": "front.compare",
    "difference_power": "uncertainty.power_of_difference",
    "difference_sample_size": "uncertainty.power_of_difference",
    "drift": "front.drift",
    "drift_over_time": "front.timeline",
    "fold_band": "front.band",
    "interval": "front.interval",
    "matched_width": "front.smear",
    "mix": "front.mix",
    "multiclass": "front.classes",
    "overlay": "front.overlay",
    "reference_truth": "front.truth",
    "report": "page.report",
    "roc": "front.curve",
    "run_job": "front.job",
    "score_shift": "front.drift",
    "sensibility": "front.sensibility",
    "smeared_area": "front.smear",
    "smeared_roc": "front.smear",
    "soft_curves": "front.soft",
    "soft_roc": "front.soft",
    "tallies": "intake.tallies",
    "tally": "front.evidence",
    "truth_tally": "front.truth",
    "votes": "front.votes",
    "votes_to_truth": "front.votes",
}
_MODULES = ("datasets", "errors", "metrics", "sklearn")

__all__ = [
    "AccuracyTable",
    "AveragedCurve",
    "Band",
    "Calibration",
    "Certificate",
    "Choice",
    "ClosedWindow",
    "Comparison",
    "Confusion",
    "CostCurve",
    "Costs",
    "Curve",
    "DecisionCurve",
    "Drift",
    "DriftMonitor",
    "DriftTimeline",
    "Finding",
    "Interval",
    "LossCurve",
    "Mix",
    "MonitorCheck",
    "Multiclass",
    "OperatingPoint",
    "Pair",
    "PowerAnalysis",
    "PrecisionRecall",
    "PriceList",
    "RaterModel",
    "ReferenceTruth",
    "Report",
    "SampleComparison",
    "ScoreShift",
    "Sensibility",
    "SensibilityPoint",
    "SmearedArea",
    "SmearedChoice",
    "SmearedCurve",
    "SmearedPoint",
    "SoftCurves",
    "Tallies",
    "Tally",
    "ThinnedCurve",
    "TruthTally",
    "Votes",
    "WidthMatch",
    "WindowDrift",
    "__version__",
    "accuracy_table",
    "auc_power",
    "auc_sample_size",
    "average",
    "band",
    "compare",
    "compare_samples",
    "datasets",
    "difference_power",
    "difference_sample_size",
    "drift",
    "drift_over_time",
    "errors",
    "fold_band",
    "interval",
    "matched_width",
    "metrics",
    "mix",
    "multiclass",
    "overlay",
    "reference_truth",
    "report",
    "roc",
    "run_job",
    "score_shift",
    "sensibility",
    "smeared_area",
    "smeared_roc",
    "soft_curves",
    "soft_roc",
    "tallies",
    "tally",
    "truth_tally",
    "votes",
    "votes_to_truth",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"rocwalk.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'rocwalk' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"rocwalk.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
