"""A place to play: one page on which examples are moved, and every number follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rocwalk.report.document import template
from rocwalk.report.page import ALWAYS, put_together
from rocwalk.statistic import entries

_PER_CLASS = 12
_SCRIPTS = ("smear.js", "soft.js", "sensibility.js", "costs.js", "play.js")


@dataclass(frozen=True, slots=True)
class Control:
    """A slider, or a choice where there are options."""

    name: str
    title: str
    low: float = 0.0
    high: float = 1.0
    step: float | str = 0.01
    value: float = 0.0
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """One idea: what to see, what to try, which controls, numbers and boards belong to it.

    With `squares` the ROC chart has a square for every pair of a positive and a negative.
    """

    title: str
    idea: str
    task: str
    controls: tuple[str, ...]
    watch: tuple[str, ...]
    boards: tuple[str, ...] = ("strip", "roc")
    squares: bool = False
    start: dict[str, Any] = field(default_factory=dict)


CONTROLS = (
    Control("threshold", "Threshold", step="any", value=0.5),  # a walk stops at every score
    Control("stretch", "Stretch of the log-odds", 0.2, 4, 0.05, 1),
    Control("shift", "Shift of all scores", -3, 3, 0.05),
    Control("prevalence", "Share of positives where it is used", 0.01, 0.99, 0.01, 0.5),
    Control("miss", "Cost of a miss; a false alarm costs 1", 0.1, 20, 0.1, 1),
    Control(
        "kernel",
        "Kernel",
        options=(
            ("uniform", "segment of a width"),
            ("logit", "segment in log-odds"),
            ("coin", "coin for a share"),
        ),
    ),
    Control("width", "Width", 0, 2, 0.01, 0.3),
    Control("share", "Share that becomes a coin", value=1),
    Control("disagreement", "Experts disagree", 0, 1, 0.05),
)

# what the lessons show; a registered number has the title of the registry
_TITLES = {
    "soft_auc": "Soft AUC (both)",
    "smeared_area": "Smeared area",
    "sensibility": "Sensibility",
    "capability": "Capability",
    "least_cost": "Least cost",
}
_SHOWN = (
    "auc",
    "probabilistic_auc",
    "brier",
    "expected_observed",
    "soft_auc",
    "smeared_area",
    "auc_prt",
    "midpoint",
    "struggle_ratio",
    "sensibility",
    "capability",
    "expected_cost",
    "least_cost",
)
NUMBERS = {name: _TITLES.get(name) or entries()[name].title for name in _SHOWN}

_ALL_BOARDS = ("strip", "roc", "calibration")
LESSONS = (
    Lesson(
        "Every ROC curve is a walk",
        "Take the examples from the highest score down: one step up for a positive, one step right "
        "for a negative. The area under the walk is the AUC.",
        "press Walk; then drag a negative past a positive, and count the squares that are lost.",
        ("threshold",),
        ("auc",),
        squares=True,
    ),
    Lesson(
        "Two hills",
        "What matters for the walk is how the two classes overlap, not where they lie.",
        "drag one hill over the other until the AUC is one half, and then beyond.",
        ("threshold",),
        ("auc", "probabilistic_auc"),
    ),
    Lesson(
        "Same AUC, different promises",
        "Stretching the scores keeps their order, so the AUC cannot change. What they promise "
        "does: the probabilistic AUC, the Brier score and the calibration move.",
        "stretch the scores, and find the stretch at which the Brier score is least.",
        ("stretch",),
        ("auc", "probabilistic_auc", "brier", "soft_auc"),
        _ALL_BOARDS,
    ),
    Lesson(
        "What mistakes cost",
        "The best threshold depends on how many are positive and on what a miss costs. The dashed "
        "line joins points of equal cost; the best one touches the hull.",
        "make a miss ten times as costly, and then positives rare.",
        ("threshold", "prevalence", "miss"),
        ("expected_cost", "least_cost"),
    ),
    Lesson(
        "Scores that could have been a little different",
        "Smear each score over a segment, or toss a coin for it: the curve sinks from the AUC. "
        "With a coin for every score its area is exactly the probabilistic AUC.",
        "compare the kernels, and look for the width whose area is the probabilistic AUC.",
        ("kernel", "width", "share"),
        ("auc", "smeared_area", "probabilistic_auc"),
    ),
    Lesson(
        "Experts who disagree",
        "If experts disagree, even the best order cannot reach an area of 1. AUC_PRT is the place "
        "between the worst and the best that is possible.",
        "let the experts disagree more, and see the room between the two edges shrink.",
        ("disagreement",),
        ("auc", "auc_prt"),
        start={"disagreement": 0.5},
    ),
    Lesson(
        "Drift that the AUC does not see",
        "All scores move, their order stays: the AUC is blind to it. Midpoint, struggle ratio and "
        "expected over observed are not.",
        "shift the scores until the model announces half as many positives again as there are.",
        ("shift", "threshold"),
        ("auc", "midpoint", "struggle_ratio", "expected_observed"),
        _ALL_BOARDS,
        start={"shift": 1.2},
    ),
    Lesson(
        "Sensible or lucky",
        "The midpoint says which examples the scores put on the right side. Sensibility is the "
        "accuracy on these, capability that on the others.",
        "put the threshold on the midpoint: sensibility is then 1 and capability 0.",
        ("threshold",),
        ("midpoint", "sensibility", "capability"),
        start={"threshold": 0.25},
    ),
    Lesson(
        "Free play",
        "Every control at once.",
        "find scores with an AUC of 1 and a struggle ratio above 0.8.",
        tuple(control.name for control in CONTROLS),
        tuple(NUMBERS),
        _ALL_BOARDS,
    ),
)

_DESCRIPTIONS = {
    "strip": "Examples on the score axis, positives above and negatives below",
    "roc": "The ROC curve of these examples",
    "calibration": "Calibration of the scores along the hull",
}


def play_page(title: str = "A place to play", lessons: Sequence[Lesson] = LESSONS) -> str:
    """Return the playground as one self-contained HTML document."""
    body = template("play").render(controls=CONTROLS, numbers=NUMBERS, lessons=lessons)
    section = {"name": "play", "title": "Lessons", "question": None, "body": body}
    data: dict[str, Any] = {
        "per_class": _PER_CLASS,
        "numbers": NUMBERS,
        "descriptions": _DESCRIPTIONS,
        "lessons": [
            {
                "title": one.title,
                "idea": one.idea,
                "task": one.task,
                "controls": list(one.controls),
                "watch": list(one.watch),
                "boards": list(one.boards),
                "squares": one.squares,
                "start": one.start,
            }
            for one in lessons
        ],
    }
    subtitle = "Move the examples and see what the numbers do. Every ROC curve is a walk."
    return put_together(
        title,
        subtitle,
        [section],
        {"models": [], "sections": {"play": data}},
        [*ALWAYS, *_SCRIPTS],
        styles=("page.css", "play.css"),
    )
