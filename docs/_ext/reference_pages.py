"""The pages of the reference: one for each public name, and links to it from docstrings."""

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

import rocwalk
import rocwalk.datasets
import rocwalk.errors
import rocwalk.metrics
import rocwalk.sklearn

MODULES = (rocwalk, rocwalk.metrics, rocwalk.sklearn, rocwalk.datasets, rocwalk.errors)


def apart(names: list[str]) -> dict[str, str]:
    """Return other file names for classes that differ from a function in capitals only.

    Some file systems take ``rocwalk.Drift.html`` and ``rocwalk.drift.html`` for one file.
    """
    functions = {name for name in names if name == name.lower()}
    return {
        name: f"{name}-class"
        for name in names
        if name not in functions and name.lower() in functions
    }


NAMES = {f"{module.__name__}.{name}" for module in MODULES for name in module.__all__}


class Named(SphinxRole):
    """`Tally` or `rocwalk.roc` as a link to its page; any other word in quotes as code."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link, or the code."""
        code = nodes.literal(self.rawtext, self.text)
        target = next((one for one in (self.text, f"rocwalk.{self.text}") if one in NAMES), None)
        if target is None:
            return [code], []
        link = addnodes.pending_xref("", refdomain="py", reftype="obj", reftarget=target)
        link["refdoc"], link["refexplicit"] = self.env.docname, True
        link += code
        return [link], []


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the role known."""
    app.add_role("named", Named())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
