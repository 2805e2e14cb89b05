"""Sphinx configuration: the site needs no network, and warnings are errors (make docs)."""

import json
import os
import sys
from pathlib import Path
from typing import ClassVar

os.environ.setdefault("MPLBACKEND", "Agg")  # before anything draws
sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from pictures import DRAWN
from reference_pages import MODULES, apart
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from rocwalk.statistic import entries
from rocwalk.version import __version__

project = "rocwalk"
author = "the rocwalk developers"
release = version = __version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.doctest",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
    "myst_parser",
    "inventory",
    "live",
    "notebooks",
    "pictures",
    "reference_pages",
    "words",
]
default_role = "named"  # `Tally` in a docstring leads to its page
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autosummary_context = {"drawn": list(DRAWN), "live": {"rocwalk.report": "models"}}
autosummary_filename_map = apart([f"{m.__name__}.{n}" for m in MODULES for n in m.__all__])
napoleon_use_rtype = False
toc_object_entries_show_parents = "hide"  # the page contents have room for the name alone
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
mathjax_path = "mathjax/tex-svg.js"  # in _static, so that equations need no network
math_eqref_format = "({number})"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"
html_theme = "pydata_sphinx_theme"
html_title = "rocwalk"
html_theme_options = {
    "logo": {"text": "rocwalk"},
    "header_links_before_dropdown": 9,
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "navbar_end": ["theme-switcher"],
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "show_nav_level": 1,
    "collapse_navigation": True,  # its switches have no name for screen readers
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["offline"],
    "footer_center": [],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "article_header_start": ["breadcrumbs"],
}
html_sidebars = {
    name: [] for name in ("index", "play", "glossary", "questions", "gallery/index", "notebooks/*")
}
html_logo = html_favicon = "_static/mark.svg"
html_css_files = ["custom.css"]
html_context = {"default_mode": "auto"}
html_static_path = ["_static"]
templates_path = ["_templates"]
html_copy_source = html_show_sourcelink = html_show_copyright = False
exclude_patterns = ["_build", "_ext", "_static", "_templates", "notebooks/*.md", "notebooks/.*"]


# -- the table of measured coverage, read from what `make coverage` wrote ------------------------


class CoverageTable(SphinxDirective):
    """How often a function's results hold the truth, and how wide they are: a column a setting.

    With the option ``hard``, the hard settings instead, one row each.
    """

    required_arguments = 1  # the name of the function
    option_spec: ClassVar = {"hard": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Return the table of docs/coverage.json."""
        path, is_hard = Path(self.env.srcdir) / "coverage.json", "hard" in self.options
        self.env.note_dependency(str(path))
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        cells = [cell for cell in cells if cell.get("hard", False) == is_hard]
        lines = [".. list-table::", "   :header-rows: 1", ""]
        if is_hard:
            lines += _row("Setting", "Of", "Method", "Coverage", "Warned")
            for (of, method), found in _by_method(cells, self.arguments[0]).items():
                for setting, cell in found.items():
                    warned = f"{100 * cell['warned']:.0f} %" if cell["warned"] else ""
                    lines += _row(setting, of, method, _shown(cell), warned)
        else:
            settings = list(dict.fromkeys(cell["setting"] for cell in cells))
            lines += _row("Of", "Method", *settings)
            for name, found in _by_method(cells, self.arguments[0]).items():
                lines += _row(*name, *(_shown(found.get(setting)) for setting in settings))
        if not _by_method(cells, self.arguments[0]):
            lines = ["*Not measured yet:* ``make coverage`` *writes the table.*"]
        node = nodes.container()
        self.state.nested_parse(StringList(lines, str(path)), self.content_offset, node)
        return node.children


def _by_method(cells: list[dict], function: str) -> dict[tuple[str, str], dict[str, dict]]:
    """Return the cells of a function by statistic and method, then by setting."""
    rows: dict[tuple[str, str], dict[str, dict]] = {}
    for cell in cells:
        if cell["function"] == function:
            name = (cell["statistic"].replace("_", " "), f"``{cell['method']}``")
            rows.setdefault(name, {})[cell["setting"]] = cell
    return rows


_SIGNS = {"nominal": "{}", "conservative": "**{}**", "noted": "*{}*", "not reliable": "*{}*"}


def _shown(cell: dict | None) -> str:
    """Return the coverage in percent, written as it is documented, and the mean width."""
    if cell is None:
        return ""
    coverage = _SIGNS[cell["promise"]].format(f"{100 * cell['coverage']:.1f}")
    width = cell["mean_width"]
    return coverage if width is None else f"{coverage} ({width:.3f})"


def _row(*cells: str) -> list[str]:
    return [f"   {'*' if k == 0 else ' '} - {cell}" for k, cell in enumerate(cells)]


# -- what `make coverage` and `make bench` wrote besides ------------------------------------------


class MeasuredTable(SphinxDirective):
    """A table of numbers that a file beside this one keeps; a sentence where there is none yet."""

    name_of_file = ""
    made_by = ""

    def run(self) -> list[nodes.Node]:
        """Return the table, or a note that nothing was measured yet."""
        path = Path(self.env.srcdir) / self.name_of_file
        self.env.note_dependency(str(path))
        if path.exists():
            lines = self.lines(json.loads(path.read_text(encoding="utf-8")))
        else:
            lines = [f"*Not measured yet:* ``{self.made_by}`` *writes the table.*"]
        node = nodes.container()
        self.state.nested_parse(StringList(lines, str(path)), self.content_offset, node)
        return node.children

    def lines(self, found: dict) -> list[str]:
        """Return what was found as reStructuredText."""
        raise NotImplementedError


class SharingTable(MeasuredTable):
    """How far shared tallies move an area, and how often the interval holds it."""

    name_of_file, made_by = "sharing.json", "make coverage"

    def lines(self, found: dict) -> list[str]:
        """Return the cells of docs/sharing.json."""
        table = [".. list-table::", "   :header-rows: 1", ""]
        table += _row("Rows", "Buckets", "ε", "Moved", "Noise", "Buckets ±", "Coverage, %")
        for cell in found["cells"]:
            moved, noise, slack = (
                f"{cell[name]:.4f}" for name in ("rmse", "privacy_error", "bucket_error")
            )
            epsilon = "none" if cell["epsilon"] is None else f"{cell['epsilon']:g}"
            rows = f"{cell['sites']} × {cell['rows']:,}"
            coverage = f"{100 * cell['coverage']:.1f}"
            table += _row(rows, f"{cell['buckets']:,}", epsilon, moved, noise, slack, coverage)
        return table


class FalseAlarmsTable(MeasuredTable):
    """How often drift is called where there is none, and where there is.

    With the option ``intervals``, how often intervals miss values that are known.
    """

    name_of_file, made_by = "false_alarms.json", "make coverage"
    option_spec: ClassVar = {"intervals": directives.flag}

    def lines(self, found: dict) -> list[str]:
        """Return the rows of docs/false_alarms.json, in percent."""
        table = [".. list-table::", "   :header-rows: 1", ""]
        if "intervals" in self.options:
            table += _row("Setting", "Intervals that miss, in percent", "Runs")
            for row in found["rows"]:
                missed = [
                    f"{name.replace('_', ' ')} {100 * missed / known:.1f}"
                    for name, (missed, known) in row["missed"].items()
                ]
                if missed:
                    table += _row(_escaped(row["cell"]), ", ".join(missed), f"{row['runs']:,}")
            return table
        table += _row("Setting", "Drift called", "Named", "Numbers changed", "Runs")
        for row in found["rows"]:
            runs, kinds = row["runs"], ("prevalence", "estimation", "ranking", "both")
            sign = _ALARM_SIGNS.get(row["promise"], "{}")
            if row["promise"] == "level" and row["drifted"] < CONSERVATIVE * runs:
                sign = "**{}**"
            named = [f"{kind} {100 * row['verdicts'].get(kind, 0) / runs:.0f}" for kind in kinds]
            named = [each for each in named if not each.endswith(" 0")]
            table += _row(
                _escaped(row["cell"]),
                sign.format(f"{100 * row['drifted'] / runs:.1f}"),
                ", ".join(named),
                f"{100 * row['changed'] / runs:.1f}",
                f"{runs:,}",
            )
        return table


CONSERVATIVE = 0.035  # the share of false alarms below which a cell is marked, at 5 %
_ALARM_SIGNS = {"noted": "*{}*"}


class DriftPeersTable(MeasuredTable):
    """How many months several packages raise an alarm in, on the same rows."""

    name_of_file, made_by = "drift_peers.json", "python benchmarks/peers_drift.py"

    def lines(self, found: dict) -> list[str]:
        """Return the rows of docs/drift_peers.json; of a broken model, before and after."""
        table = [".. list-table::", "   :header-rows: 1", ""]
        table += _row("Method", *map(_escaped, found["streams"]))
        for row in found["rows"]:
            shown = []
            for stream in found["streams"]:
                months = row["alarms"][stream]
                early = sum(month < found["broken"] for month in months)
                broken = "noise" in stream
                shown.append(f"{early}, then {len(months) - early}" if broken else f"{len(months)}")
            table += _row(_escaped(f"{row['method']} {row['version']}"), *shown)
        return table


class WatchTable(MeasuredTable):
    """How often a watch of a stream raises an alarm, how soon, and how it dates the change."""

    name_of_file, made_by = "watch.json", "make coverage"

    def lines(self, found: dict) -> list[str]:
        """Return the rows of docs/watch.json."""
        table = [".. list-table::", "   :header-rows: 1", ""]
        table += _row(
            "Streams", "Reference", "Watch", "Alarms, %", "Within 3,000 rows, %",
            "Delay: median, 90 %", "Dated within 100 rows, %", "Set holds it, %", "Runs",
        )  # fmt: skip
        for row in found["rows"]:
            delays = row.get("delays")
            cells = [row["cell"], f"{row['reference']:,}", row["method"], _percent(row["ever"])]
            cells += [_percent(row.get("soon"))]
            cells += ["" if delays is None else f"{delays[0]:,.0f}, {delays[1]:,.0f}"]
            cells += [_percent(row.get(name)) for name in ("near", "covered")]
            table += _row(*cells, f"{row['runs']:,}")
        return table


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


class BenchmarkTable(MeasuredTable):
    """What was promised about speed and memory, and what one run found."""

    name_of_file, made_by = "benchmarks.json", "make bench"

    def lines(self, found: dict) -> list[str]:
        """Return the rows of docs/benchmarks.json, and the machine that it was measured on."""
        machine = _machine(found["machine"])
        table = [f"The machine: {machine}.", ""] if machine else []
        runs = {"Measured": found}
        if switched := found.get("switched"):
            runs[f"With {_machine(switched['machine']).rpartition(', ')[2]}"] = switched
        if pure := found.get("pure"):
            runs["Without the kernel"] = pure
        rows_of = [{row["name"]: row for row in run["promises"]} for run in runs.values()]
        table += [".. list-table::", "   :header-rows: 1", ""]
        table += _row("Benchmark", "Measure", "Target", "Measured", "Met", *list(runs)[1:])
        for name in {name: None for rows in rows_of for name in rows}:
            row, *others = (rows.get(name) for rows in rows_of)
            first = row or next(other for other in others if other)
            run, _, counted = _escaped(name).partition(": ")
            promised = f"{first.get('detail', '')} {_number(first['limit'])}".strip()
            measured = (_found(row), "yes" if row["kept"] else "**no**") if row else ("", "")
            beside = ("" if other is None else _beside(other, first) for other in others)
            table += _row(run, counted, promised, *measured, *beside)
        return table


def _beside(row: dict, first: dict) -> str:
    """Return what another run found, with its target where that is not the first run's."""
    missed = "" if row["kept"] else ", **no**"
    other = "" if row["limit"] == first["limit"] else f" (target {_number(row['limit'])})"
    return _found(row) + missed + other


class RivalsTable(MeasuredTable):
    """The CPU time of one area by several libraries."""

    name_of_file, made_by = "rivals.json", "make bench"

    def lines(self, found: dict) -> list[str]:
        """Return the rows of docs/rivals.json, with the versions that were compared."""
        versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
        table = [f"The versions: {_escaped(versions)}.", ""]
        table += [".. list-table::", "   :header-rows: 1", ""]
        runs = {"": found}
        if switched := found.get("switched"):
            runs[f", NumPy sorting by {switched['machine']['numpy_sort']}"] = switched
        columns = ("CPU, s", "Multiple of rocwalk")
        table += _row("Library", *(column + how for how in runs for column in columns))
        times = [
            {row["name"]: row["cpu_seconds"] for row in run["rivals"]} for run in runs.values()
        ]
        for name in sorted(times[0], key=lambda name: times[0][name]):
            cells = []
            for run in times:
                own, seconds = run["rocwalk"], run.get(name)
                cells += ["", ""] if seconds is None else [f"{seconds:.2f}", f"{seconds / own:.1f}"]
            table += _row(_escaped(name), *cells)
        return table


_PARTS = {
    "cores": "{} cores",
    "python": "Python {}",
    "numpy": "NumPy {}",
    "numpy_sort": "NumPy sorting by {}",
}


def _machine(parts: dict) -> str:
    """Return the parts of a machine in words, the instructions that NumPy sorts with last."""
    return _escaped(", ".join(_PARTS.get(k, k + " {}").format(v) for k, v in parts.items()))


def _found(row: dict) -> str:
    """Return what was found; a promise that is missed by a hair is not shown as if it were met."""
    shown = _number(row["ratio"])
    if row["kept"] or shown != _number(row["limit"]):
        return shown
    return f"just {'below' if row.get('detail') == 'at least' else 'above'} {shown}"


class StudyTable(MeasuredTable):
    """Regrets of the study, of ``selection`` or ``thresholds`` with a size and a world.

    Without a size: one column for each size and world. ``sensible`` is the table of learning,
    ``facts`` a paragraph on what was run.
    """

    name_of_file, made_by = "study.json", "make study"
    required_arguments, optional_arguments = 1, 2

    def lines(self, found: dict) -> list[str]:
        """Return the rows of docs/study.json; regrets in thousandths."""
        question, *setting = self.arguments
        if question == "facts":
            return study_facts(found)
        if question == "sensible":
            return study_numbers(found["sensible"])
        titles = found["criteria"] if question == "selection" else {}
        if not setting:
            return study_overview(found[question], titles)
        table = found[question][" ".join(setting)]
        reference = found[question]["reference"]
        lines = [f"{table['families']} families; regret in thousandths:", ""]
        lines += [".. list-table::", "   :header-rows: 1", ""]
        against = f"Difference from {titles.get(reference, reference)}"
        lines += _row("By", "Regret", against, "Families above, below", "p (Holm)")
        for row in table["rows"]:
            cells = [titles.get(row["name"], row["name"]), f"{1000 * row['mean']:.1f}", "", "", ""]
            if "p" in row:
                gap, low, high = (_signed(1000 * row[k]) for k in ("difference", "low", "high"))
                cells[2] = f"{gap} ({low} to {high})"
                cells[3:] = f"{row['above']}, {row['below']}", _p_value(row["p"])
            lines += _row(*cells)
        return lines


def study_overview(tables: dict, titles: dict[str, str]) -> list[str]:
    """Return the regrets of all sizes and worlds; bold where they differ from the reference."""
    tables = {setting: table for setting, table in tables.items() if isinstance(table, dict)}
    lines = [".. list-table::", "   :header-rows: 1", ""]
    heads = [
        f"{int(setting.split()[0]):,} rows, {setting.split()[1]} ({table['families']} families)"
        for setting, table in tables.items()
    ]
    lines += _row("By", *heads)
    for name in dict.fromkeys(row["name"] for table in tables.values() for row in table["rows"]):
        cells = []
        for table in tables.values():
            (row,) = (row for row in table["rows"] if row["name"] == name)
            shown = f"{1000 * row['mean']:.1f}"
            cells.append(f"**{shown}**" if row.get("p", 1) < 0.05 else shown)
        lines += _row(titles.get(name, name), *cells)
    return lines


def study_facts(found: dict) -> list[str]:
    """Return in one paragraph what was run, with which seed, and what it took."""
    sets, machine = found["sets"], dict(found["machine"])
    families = len({each["family"] for each in sets})
    questions = ("selection", "thresholds", "beta", "sensible")
    splits = {name: found[name]["splits"] for name in questions}
    packages = sorted({each["package"] for each in sets})
    counts = ", ".join(
        f"{sum(each['package'] == name for each in sets)} from {name} {machine.pop(name)}"
        for name in packages
    )
    parts = [_PARTS.get(name, f"{name} {{}}").format(each) for name, each in machine.items()]
    minutes = sum(found["cpu_seconds"].values()) / 60
    text = (
        f"{len(sets)} sets of {families} families ({counts}). Splits of each set: "
        f"{splits['selection']} for selection, {splits['thresholds']} for thresholds, "
        f"{splits['beta']} for beta kernels, {splits['sensible']} for learning. "
        f"Seed {found['seed']}. "
        f"{minutes:.0f} minutes of processor time on a shared machine "
        f"({_escaped(', '.join(parts))})."
    )
    return [text]


_NUMBERS = {
    "auc": ("AUC", 1, 3),
    "brier": ("Brier score", 1, 4),
    "struggle_ratio": ("Struggle ratio", 1, 3),
    "loss": ("Loss × 1000", 1000, 1),
    "regret_hull": ("Regret × 1000, ROC hull", 1000, 1),
    "regret_raw": ("Regret × 1000, raw score", 1000, 1),
}


def study_numbers(table: dict) -> list[str]:
    """Return the numbers of the models of each μ; bold where they differ from those of μ = 0."""
    lines = [f"{table['families']} families:", "", ".. list-table::", "   :header-rows: 1", ""]
    lines += _row("μ", *(title for title, _, _ in _NUMBERS.values()))
    for mu in dict.fromkeys(row["name"] for row in table["rows"]):
        rows = {row["number"]: row for row in table["rows"] if row["name"] == mu}
        cells = []
        for number, (_, scale, digits) in _NUMBERS.items():
            shown = f"{scale * rows[number]['mean']:.{digits}f}"
            cells.append(f"**{shown}**" if rows[number].get("p", 1) < 0.05 else shown)
        lines += _row(f"{float(mu):g}", *cells)
    return lines


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")


def _p_value(p: float) -> str:
    shown = "< 0.001" if p < 0.001 else f"{p:.3f}"
    return f"**{shown}**" if p < 0.05 else shown


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else _escaped(value)


def _escaped(value: object) -> str:
    """Return a text in which nothing is markup."""
    return "".join(f"\\{sign}" if sign in "*`|_\\" else sign for sign in str(value))


# -- the registry of statistics --------------------------------------------------------------------


def statistics_lines() -> list[str]:
    """Return the table of all registered statistics as reStructuredText."""
    lines = [".. list-table::", "   :header-rows: 1", ""]
    lines += _row("Name", "What it means", "Range", "Better", "Needs", "References")
    for name, entry in entries().items():
        low, high = (
            str(end).replace("inf", "∞").replace("-", "−").removesuffix(".0") for end in entry.range
        )
        needs = ["probabilities"] if entry.needs_probabilities else []
        needs += [f"``{parameter}=``" for parameter in entry.parameters]
        if entry.points:
            needs.append(" or ".join(f"``{point}=``" for point in entry.points))
        better, references = entry.direction or "", _escaped("; ".join(entry.references))
        cells = (entry.sentence, f"{low} to {high}", better, ", ".join(needs), references)
        lines += _row(f"``{name}``", *cells)
    return lines


class StatisticsTable(SphinxDirective):
    """Every statistic of the registry, with what its entry says."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        node = nodes.container()
        lines = StringList(statistics_lines(), "rocwalk.statistic")
        self.state.nested_parse(lines, self.content_offset, node)
        return node.children


# -- docstrings: what follows the parameters is prose ----------------------------------------------

_LISTS = ("Parameters", "Returns", "Attributes")


def set_prose_apart(*event: object) -> None:
    """Head the first paragraph after a list of parameters with "Notes".

    napoleon would take the words before a colon in the first line of a property for its type.
    """
    lines = event[-1]
    if event[1] in ("property", "attribute"):
        lines.insert(0, "")
    section, after_blank, kept = "", False, []
    for line, following in zip(lines, [*lines, ""][1:], strict=True):
        if following and set(following) == {"-"}:
            section = line
        prose = line[:1].strip() and not following.startswith(" ")
        if section in _LISTS and after_blank and prose and line != section:
            kept += ["Notes", "-----"]
            section = "Notes"
        after_blank = not line.strip()
        kept.append(line)
    lines[:] = kept


# -- tables: each in a box of its own, which scrolls where the window is narrow --------------------


def box_tables(_: Sphinx, doctree: nodes.document) -> None:
    """Put every table into a container."""
    for table in list(doctree.findall(nodes.table)):
        box = nodes.container(classes=["table-box"])
        table.replace_self(box)
        box += table


# -- Markdown: examples stand bare, as doctest wants them, and are shown as code -------------------


def fence_examples(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put fences round paragraphs that begin with ``>>>``, which Markdown would take for quotes."""
    if not str(app.env.doc2path(docname)).endswith(".md"):
        return
    kept, fenced = [], False
    for paragraph in source[0].split("\n\n"):
        bare = paragraph.startswith(">>>") and not fenced
        kept.append(f"```pycon\n{paragraph}\n```" if bare else paragraph)
        fenced ^= paragraph.count("```") % 2 == 1
    source[0] = "\n\n".join(kept)


def setup(app: Sphinx) -> None:
    """Make the directives known."""
    app.add_directive("coverage-table", CoverageTable)
    app.add_directive("false-alarms-table", FalseAlarmsTable)
    app.add_directive("drift-peers-table", DriftPeersTable)
    app.add_directive("watch-table", WatchTable)
    app.add_directive("sharing-table", SharingTable)
    app.add_directive("benchmark-table", BenchmarkTable)
    app.add_directive("rivals-table", RivalsTable)
    app.add_directive("study-table", StudyTable)
    app.add_directive("statistics-table", StatisticsTable)
    app.connect("source-read", fence_examples)
    app.connect("doctree-read", box_tables)
    app.connect("autodoc-process-docstring", set_prose_apart, priority=400)  # before napoleon's 500
