"""The sections of the page, in their order.

A section is data from the library, one template and at most one small script, all of one name. Its
function returns None when the study has nothing for it, else a `Content`: what the template shows
and what the script draws. A new section is a new entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocwalk.errors import TallyError
from rocwalk.report.accuracy import report_accuracy
from rocwalk.report.calibration import judge_scores
from rocwalk.report.compare import compare_models
from rocwalk.report.curves import (
    draw_precision,
    draw_roc,
    set_threshold,
    spread_scores,
    weigh_costs,
)
from rocwalk.report.document import embedded_json, policy, static, template
from rocwalk.report.drift import watch_drift
from rocwalk.report.evidence import Content, Material
from rocwalk.report.overview import summarise, trace
from rocwalk.report.pricing import price_rules
from rocwalk.report.sensibility import split_scores
from rocwalk.report.smear import smear_scores
from rocwalk.report.soft import soften_steps
from rocwalk.report.steps import step_through
from rocwalk.report.subgroups import average_folds, oppose_classes, split_groups
from rocwalk.report.timeline import follow_time
from rocwalk.report.truth import refer_to_truth
from rocwalk.version import __version__


@dataclass(frozen=True)
class Section:
    """A section of the page: the name of its template and script, its title, its content."""

    name: str
    title: str
    content: Callable[[Material], Content | None]


SECTIONS = (
    Section("summary", "Summary", summarise),
    Section("roc", "ROC curves", draw_roc),
    Section("compare", "Comparison", compare_models),
    Section("steps", "The walk, step by step", step_through),
    Section("threshold", "Threshold", set_threshold),
    Section("accuracy", "Accuracy of the rule", report_accuracy),
    Section("costs", "Costs and prevalence", weigh_costs),
    Section("pricing", "Cost curves", price_rules),
    Section("precision", "Precision and recall", draw_precision),
    Section("calibration", "Calibration", judge_scores),
    Section("sensibility", "Sensibility", split_scores),
    Section("drift", "Drift", watch_drift),
    Section("timeline", "Over time", follow_time),
    Section("smear", "Smeared curves", smear_scores),
    Section("soft", "Soft ROC", soften_steps),
    Section("truth", "Reference truth", refer_to_truth),
    Section("folds", "Folds", average_folds),
    Section("classes", "Several classes", oppose_classes),
    Section("groups", "Subgroups", split_groups),
    Section("distributions", "Score distributions", spread_scores),
    Section("provenance", "Provenance", trace),
)


# -- put the page together -------------------------------------------------------------------------


def render(material: Material, title: str, subtitle: str, only: Sequence[str] | None = None) -> str:
    """Return the whole page as HTML, with all sections, or only some in the order given."""
    sections = {section.name: section for section in SECTIONS}
    asked = [sections[name] for name in only or sections]
    shown = {s: content for s in asked if (content := _content(s, material)) is not None}
    style, script = static("page.css"), _script(shown)
    page: str = template("page").render(
        title=title,
        subtitle=subtitle,
        version=__version__,
        policy=policy(style, script),
        style=style,
        script=script,
        data=embedded_json(_data(material, shown)),
        sections=[_rendered(section, content) for section, content in shown.items()],
    )
    # half of a character that takes two, as a broken file may hold, cannot be written
    return page.encode("utf-8", "replace").decode("utf-8")


def _content(section: Section, material: Material) -> Content | None:
    """Return what a section shows; where it needs scores that share buckets, why it does not."""
    try:
        return section.content(material)
    except TallyError as error:
        if not any(tally.is_bucketed for tally in material.tallies):
            raise
        return Content({"why": error.what}, template="left_out")


def _rendered(section: Section, content: Content) -> dict[str, str]:
    body = template(content.template or section.name).render(**content.context)
    return {"name": section.name, "title": section.title, "body": body}


def _data(material: Material, shown: Mapping[Section, Content]) -> dict[str, Any]:
    return {
        "models": [one.to_json() for one in material.models],
        "sections": {s.name: c.data for s, c in shown.items() if c.data is not None},
    }


def _script(shown: Mapping[Section, Content]) -> str:
    """Return the drawing kit, the scripts of the sections that are shown, and the start."""
    names = ["chart.js", *(f"{s.name}.js" for s, c in shown.items() if c.data is not None)]
    return "\n".join([*map(static, names), "rocwalk.start();\n"])
