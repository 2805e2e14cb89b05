"""The sections of the page, in their order.

A section is data from the library, one template and at most one small script, all of one name. Its
function returns None when the study has nothing for it, else a `Content`: what the template shows
and what the script draws. A new section is a new entry here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rocwalk.page import (
    accuracy,
    calibration,
    compare,
    curves,
    drift,
    overview,
    parts,
    pricing,
    sensibility,
    smear,
    soft,
    steps,
    timeline,
    truth,
)
from rocwalk.page.material import Content, Material


@dataclass(frozen=True)
class Section:
    """A section of the page: the name of its template and script, its title, its content."""

    name: str
    title: str
    content: Callable[[Material], Content | None]


SECTIONS = (
    Section("summary", "Summary", overview.summarise),
    Section("roc", "ROC curves", curves.draw_roc),
    Section("compare", "Comparison", compare.compare_models),
    Section("steps", "The walk, step by step", steps.step_through),
    Section("threshold", "Threshold", curves.set_threshold),
    Section("accuracy", "Accuracy of the rule", accuracy.report_accuracy),
    Section("costs", "Costs and prevalence", curves.weigh_costs),
    Section("pricing", "Cost curves", pricing.price_rules),
    Section("precision", "Precision and recall", curves.draw_precision),
    Section("calibration", "Calibration", calibration.judge_scores),
    Section("sensibility", "Sensibility", sensibility.split_scores),
    Section("drift", "Drift", drift.watch_drift),
    Section("timeline", "Over time", timeline.follow_time),
    Section("smear", "Smeared curves", smear.smear_scores),
    Section("soft", "Soft ROC", soft.soften_steps),
    Section("truth", "Reference truth", truth.refer_to_truth),
    Section("folds", "Folds", parts.average_folds),
    Section("classes", "Several classes", parts.oppose_classes),
    Section("groups", "Subgroups", parts.split_groups),
    Section("distributions", "Score distributions", curves.spread_scores),
    Section("provenance", "Provenance", overview.trace),
)
