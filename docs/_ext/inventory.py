"""What has an interval, a comparison, a test or a band: two tables of what the library itself says.

Methods are those that "auto" takes for a sample, scorers those of the registry, and coverage is
that of docs/coverage.json.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import rocwalk as rw
from rocwalk.report.page import SECTIONS
from rocwalk.statistic import Statistic, entries

Cell = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """One thing to ask: the functions, options and section that answer it, and what was measured.

    `options` are of the command line, such as "compare --margin"; `section` is that of the page;
    `measured` are functions of benchmarks/coverage.py.
    """

    asks: str
    functions: tuple[str, ...]
    options: tuple[str, ...]
    section: str | None
    page: str
    measured: tuple[str, ...]


QUESTIONS = (
    Question("Interval of a number", ("interval",), ("score --statistic",), "summary", "intervals",
             ("interval",)),
    Question("Interval of several classes", ("interval", "multiclass"), ("score --class-score",),
             "classes", "classic", ("class_interval",)),
    Question("Difference of models on the same rows", ("compare",), ("compare --statistic",),
             "compare", "intervals", ("compare", "class_compare", "compare_votes")),
    Question("Test of all models at once", ("compare",), ("compare --score",), "compare",
             "intervals", ("omnibus",)),
    Question("Non-inferiority", ("compare", "compare_samples"),
             ("compare --margin", "report --equivalence"), "compare", "intervals",
             ("non_inferiority",)),
    Question("Equivalence", ("compare", "compare_samples"),
             ("compare --margin", "report --equivalence"), "compare", "intervals",
             ("equivalence",)),
    Question("Test of whole curves", ("compare_curves", "compare_sample_curves"),
             ("compare --curves", "report --curves"), "compare", "intervals",
             ("compare_curves", "compare_sample_curves")),
    Question("Difference of two samples", ("compare_samples", "drift"), ("drift --margin",),
             "drift", "intervals", ("compare_samples",)),
    Question("Band of the ROC curve", ("band",), ("report --score",), "roc", "intervals",
             ("band",)),
    Question("Smooth curve with area and band", ("smooth_roc",),
             ("score --smooth", "report --smooth"), "roc", "smooth", ("smooth_roc",)),
    Question("Cross-validated number and difference", ("evaluate", "cross_validation", "fold_band"),
             ("score --fold", "report --fold"), "folds", "evaluate",
             ("cross_validation", "fold_clusters", "fold_pair", "fold_band")),
    Question("Threshold and what it achieves", ("best_threshold",),
             ("score --metric", "report --metric"), "threshold", "evaluate", ("best_threshold",)),
    Question("Calibration: curve, band, distances, tests", ("calibration",),
             ("score --calibration", "report --calibration"), "calibration", "calibration",
             ("calibration", "calibration_test")),
    Question("Subgroups: gaps, each against the rest, equal areas", ("subgroups",),
             ("score --by", "report --by"), "groups", "evaluate",
             ("subgroup_gap", "subgroup_rest", "subgroup_test", "background_area")),
    Question("Agreement of raters", ("agreement",), ("report --raters",), "agreement", "truth",
             ("agreement",)),
    Question("Each rater against the others", ("rater_table",), ("report --raters",), "raters",
             "truth", ("rater_table",)),
    Question("Reader study", ("reader_study",), ("readers --rating",), None, "readers",
             ("reader_study",)),
)  # fmt: skip
NO_COVERAGE = ("crossing_curves",)  # measured, too: power, where curves differ and areas do not

_ARGUMENTS = {
    "threshold": 0.5,
    "fpr": 0.2,
    "max_fpr": 0.2,
    "rate": 0.2,
    "costs": rw.Costs(false_positive=1, false_negative=5),
}
_OF_CALIBRATION = {"slope": "calibration_slope"}  # its name among the numbers of the curve


def covered(cells: list[Cell]) -> str:
    """Return the range of the coverage in percent, first of the cells that must keep a level.

    In italics are the cells that need not: other methods, and data on which the result warns.
    """
    parts = []
    for words, chosen in (
        ("{}", [one for one in cells if one["promise"] in ("nominal", "conservative")]),
        ("*{}*", [one for one in cells if one["promise"] not in ("nominal", "conservative")]),
    ):
        if chosen:
            shares = sorted(100 * one["coverage"] for one in chosen)
            ends = dict.fromkeys(f"{share:.1f}" for share in (shares[0], shares[-1]))
            parts.append(words.format(f"{'–'.join(ends)} ({len(chosen)})"))
    return ", ".join(parts) or "not simulated"


def questions_lines(cells: list[Cell]) -> list[str]:
    """Return the table of questions."""
    sections = {section.name: section.title for section in SECTIONS}
    rows = [("Question", "Function", "Command line", "Section of the page", "More", "Coverage, %")]
    rows += [
        (
            one.asks,
            ", ".join(f"`{name}`" for name in one.functions),
            ", ".join(f"``{option}``" for option in one.options),
            "a page of its own" if one.section is None else sections[one.section],
            f":doc:`{one.page}`",
            covered([cell for cell in cells if cell["function"] in one.measured]),
        )
        for one in QUESTIONS
    ]
    return _table(rows)


def sample() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return labels and two columns of probabilities, on which methods are asked for."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [80, 120])
    shared = rng.normal(1.2 * y)
    return y, {k: 1 / (1 + np.exp(-shared - rng.normal(size=200))) for k in ("a", "b")}


def arguments_of(entry: Statistic) -> dict[str, Any]:
    """Return values for the keywords that a statistic needs, the first of its points among them."""
    return {name: _ARGUMENTS[name] for name in (*entry.parameters, *entry.points[:1])}


def scorer_of(entry: Statistic) -> str:
    """Return the name of its scorer, or how to make one."""
    known = [name for name in (entry.name, f"neg_{entry.name}") if name in rw.sklearn.scorers]
    if known:
        return f"``{known[0]}``"
    return "`rocwalk.sklearn.make_scorer`" if entry.keywords and entry.direction else "none"


def statistics_lines(cells: list[Cell]) -> list[str]:
    """Return the table of all registered statistics."""
    y, scores = sample()
    rows = [("Name", "Interval", "It covers, %", "Comparison", "It covers, %", "Scorer")]
    for name, entry in entries().items():
        options = arguments_of(entry) | {"statistic": name, "n_resamples": 50, "rng": 0}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            interval = rw.interval(y, scores["a"], **options)
            comparison = rw.compare(y, scores, **options)
        measured = [
            [
                cell
                for cell in cells
                if cell["function"] in functions and name == named(cell["statistic"])
            ]
            for functions in (("interval", "calibration"), ("compare",))
        ]
        rows.append(
            (
                f"``{name}``",
                f"``{interval.method}``",
                covered(measured[0]),
                f"``{comparison.pairs[0].method}``",
                covered(measured[1]),
                scorer_of(entry),
            )
        )
    return _table(rows)


def named(statistic: str) -> str:
    """Return the name in the registry of what a cell measures, without its point."""
    name = statistic.partition("@")[0]
    return _OF_CALIBRATION.get(name, name)


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for row in rows:
        lines += [f"   {'*' if k == 0 else ' '} - {cell}" for k, cell in enumerate(row)]
    return lines


TABLES = {"questions": questions_lines, "statistics": statistics_lines}


class Inventory(SphinxDirective):
    """The table of questions, or that of statistics."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        path = Path(self.env.srcdir) / "coverage.json"
        self.env.note_dependency(str(path))
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        node = nodes.container()
        lines = StringList(TABLES[self.arguments[0]](cells), str(path))
        self.state.nested_parse(lines, self.content_offset, node)
        return node.children


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known."""
    app.add_directive("inventory", Inventory)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
