"""Sphinx configuration: no network, no themes to install, warnings are errors (make docs)."""

import json
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from rocwalk.version import __version__

project = "rocwalk"
author = "the rocwalk developers"
release = version = __version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.doctest"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_use_rtype = False
html_theme = "alabaster"
html_theme_options = {
    "description": "ROC analysis that keeps the probabilities",
    "fixed_sidebar": True,
    "page_width": "1040px",
}
html_static_path = []
exclude_patterns = ["_build", "decisions/README.md"]


# -- the table of measured coverage, read from what `make coverage` wrote ------------------------


class CoverageTable(SphinxDirective):
    """How often a function's results hold the truth, and how wide they are: a column a setting."""

    required_arguments = 1  # the name of the function

    def run(self) -> list[nodes.Node]:
        """Return the table of docs/coverage.json."""
        path = Path(self.env.srcdir) / "coverage.json"
        self.env.note_dependency(str(path))
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        settings = list(dict.fromkeys(cell["setting"] for cell in cells))
        lines = [".. list-table::", "   :header-rows: 1", ""]
        lines += _row("Of", "Method", *settings)
        for name, found in _by_method(cells, self.arguments[0]).items():
            lines += _row(*name, *(_shown(found.get(setting)) for setting in settings))
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


_SIGNS = {"nominal": "{}", "conservative": "**{}**", "noted": "*{}*"}


def _shown(cell: dict | None) -> str:
    """Return the coverage in percent, written as it is documented, and the mean width."""
    if cell is None:
        return ""
    coverage = _SIGNS[cell["promise"]].format(f"{100 * cell['coverage']:.1f}")
    width = cell["mean_width"]
    return coverage if width is None else f"{coverage} ({width:.3f})"


def _row(*cells: str) -> list[str]:
    return [f"   {'*' if k == 0 else ' '} - {cell}" for k, cell in enumerate(cells)]


def setup(app: Sphinx) -> None:
    """Make the directive known."""
    app.add_directive("coverage-table", CoverageTable)
