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
    """How often each interval holds the truth, and how wide it is on average."""

    def run(self) -> list[nodes.Node]:
        """Return the table of docs/coverage.json."""
        path = Path(self.env.srcdir) / "coverage.json"
        self.env.note_dependency(str(path))
        lines = [".. list-table::", "   :header-rows: 1", ""]
        lines += _row("Setting", "Statistic", "Method", "Coverage", "Mean width", "Documented as")
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            coverage = f"{100 * cell['coverage']:.1f} %"
            width = f"{cell['mean_width']:.3f}"
            named = (cell["setting"], cell["statistic"], cell["method"])
            lines += _row(*named, coverage, width, cell["promise"])
        node = nodes.container()
        self.state.nested_parse(StringList(lines, str(path)), self.content_offset, node)
        return node.children


def _row(*cells: str) -> list[str]:
    return [f"   {'*' if k == 0 else ' '} - {cell}" for k, cell in enumerate(cells)]


def setup(app: Sphinx) -> None:
    """Make the directive known."""
    app.add_directive("coverage-table", CoverageTable)
