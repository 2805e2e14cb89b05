"""The page: its sections in their order, put together into one HTML document.

A section is data from the library, one template and at most one small script, all of one name: the
section "roc" is `roc_section` in roc.py, templates/roc.html and static/roc.js. Its function returns
None when the study has nothing for it, else a `Content`: what the template shows and what the
script draws. A new section is a new entry here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocwalk.errors import TallyError
from rocwalk.report.accuracy import accuracy_section
from rocwalk.report.agreement import agreement_section
from rocwalk.report.calibration import calibration_section
from rocwalk.report.classes import classes_section
from rocwalk.report.compare import compare_section
from rocwalk.report.costs import costs_section
from rocwalk.report.distributions import distributions_section
from rocwalk.report.document import Content, embedded_json, policy, static, template
from rocwalk.report.drift import drift_section
from rocwalk.report.findings import Findings
from rocwalk.report.folds import folds_section
from rocwalk.report.glossary import glossary, vocabulary
from rocwalk.report.groups import groups_section
from rocwalk.report.precision import precision_section
from rocwalk.report.pricing import pricing_section
from rocwalk.report.provenance import provenance_section
from rocwalk.report.raters import raters_section
from rocwalk.report.roc import roc_section
from rocwalk.report.sensibility import sensibility_section
from rocwalk.report.smear import smear_section
from rocwalk.report.soft import soft_section
from rocwalk.report.steps import steps_section
from rocwalk.report.summary import summary_section
from rocwalk.report.threshold import threshold_section
from rocwalk.report.timeline import timeline_section
from rocwalk.report.truth import truth_section
from rocwalk.version import __version__


@dataclass(frozen=True)
class Section:
    """A section of the page: the name of its template and script, its title, its content.

    One for specialists has the question that it answers as its heading, and is folded until opened.
    """

    name: str
    title: str
    content: Callable[[Findings], Content | None]
    question: str | None = None


# the scripts that every page has
ALWAYS = ("chart.js", "numbers.js", "intervals.js", "rule.js", "words.js", "ways.js", "take.js")

SECTIONS = (
    Section("summary", "Summary", summary_section),
    Section("roc", "ROC curves", roc_section),
    Section("compare", "Comparison", compare_section),
    Section(
        "steps",
        "The walk, step by step",
        steps_section,
        "How does the curve come about, item by item?",
    ),
    Section("threshold", "Threshold", threshold_section),
    Section("accuracy", "Accuracy of the rule", accuracy_section),
    Section("costs", "Costs and prevalence", costs_section),
    Section("pricing", "Cost curves", pricing_section),
    Section("precision", "Precision and recall", precision_section),
    Section("calibration", "Calibration", calibration_section),
    Section(
        "sensibility",
        "Sensibility",
        sensibility_section,
        "Do the probabilities fall on the right side?",
    ),
    Section("drift", "Drift", drift_section),
    Section("timeline", "Over time", timeline_section),
    Section(
        "smear",
        "Smeared curves",
        smear_section,
        "How much of the ranking hangs on scores that are close?",
    ),
    Section("soft", "Soft ROC", soft_section, "Is a model surer where it is right?"),
    Section("truth", "Reference truth", truth_section),
    Section("agreement", "Votes and agreement", agreement_section),
    Section("raters", "Raters one by one", raters_section),
    Section("folds", "Folds", folds_section),
    Section("classes", "Several classes", classes_section),
    Section("groups", "Subgroups", groups_section),
    Section("distributions", "Score distributions", distributions_section),
    Section("provenance", "Provenance", provenance_section),
)


_SCORES = "the distinct scores of the models and how many items of each class have them"
_SHARED = "the buckets that the sites agreed on and the sums of their counts"


def render(findings: Findings, title: str, subtitle: str, only: Sequence[str] | None = None) -> str:
    """Return the whole page as HTML, with all sections, or only some in the order given.

    A section that needs scores which share buckets says why it is left out.
    """
    by_name = {section.name: section for section in SECTIONS}
    sections, data, scripts = [], {}, [*ALWAYS]
    for section in (by_name[name] for name in only or by_name):
        try:
            content = section.content(findings)
        except TallyError as error:
            if not any(tally.is_bucketed for tally in findings.tallies):
                raise
            is_shared = findings.study.shared is not None
            content = Content({"why": error.what, "is_shared": is_shared}, template="left_out")
        if content is None:
            continue
        body = template(content.template or section.name).render(**content.context)
        sections.append(
            {
                "name": section.name,
                "title": section.title,
                "question": section.question,
                "body": body,
            }
        )
        if content.data is not None:
            data[section.name] = content.data
            scripts.append(f"{section.name}.js")
    models = [one.to_json() for one in findings.models] if findings.has_curves else []
    rule = findings.rule.state
    if models and not findings.rule.is_simple:
        cuts = [one.choice.threshold for one in findings.summaries if one.choice is not None]
        rule |= {
            "words": findings.rule.words,
            "thresholds": [None if math.isinf(cut) else cut for cut in cuts],
        }
    state = {"models": models, "sections": data, "rule": rule}
    carried = _SHARED if findings.study.shared is not None else _SCORES
    return put_together(title, subtitle, sections, state, scripts, carried=carried)


def put_together(
    title: str,
    subtitle: str,
    sections: Sequence[Mapping[str, str | None]],
    data: Mapping[str, Any],
    scripts: Sequence[str],
    refresh: int | None = None,
    styles: Sequence[str] = ("page.css",),
    carried: str = _SCORES,
) -> str:
    """Return a page of sections as HTML; with `refresh`, loaded again after so many seconds."""
    text = " ".join(section["body"] or "" for section in sections).lower()
    used = {term: words for term, words in glossary().items() if term.lower() in text}
    data = {**data, "glossary": used, "vocabulary": vocabulary()}
    style = "\n".join(map(static, styles))
    script = "\n".join([*map(static, scripts), "rocwalk.start();\n"])
    page: str = template("page").render(
        title=title,
        subtitle=subtitle,
        version=__version__,
        policy=policy(style, script),
        style=style,
        script=script,
        data=embedded_json(data),
        sections=sections,
        refresh=refresh,
        has_scores=bool(data["models"]),
        carried=carried,
    )
    # half of a character that takes two, as a broken file may hold, cannot be written
    return page.encode("utf-8", "replace").decode("utf-8")
