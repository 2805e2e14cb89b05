"""Notebooks as pages: the stored outputs are shown, nothing is run.

A notebook becomes Markdown, which myst-parser reads. tests/test_notebooks.py runs the notebooks
and compares what they print with what is stored.
"""

import base64
import json
import os
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

_RAIL = "`" * 6  # longer than any fence inside


class NotebookParser(MystParser):
    """Read a notebook."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Fill the document with the cells and their stored outputs."""
        env = document.settings.env
        pictures = Path(env.doctreedir) / "pictures"
        pictures.mkdir(parents=True, exist_ok=True)
        name = env.docname.replace("/", "-")
        page = Path(env.doc2path(env.docname))

        def kept(number: int, data: str) -> str:
            target = pictures / f"{name}-{number}.png"
            target.write_bytes(base64.b64decode(data))
            return Path(os.path.relpath(target, page.parent)).as_posix()

        super().parse(as_markdown(json.loads(inputstring), page.name, kept), document)


def as_markdown(notebook: dict[str, Any], file: str, kept: Any) -> str:
    """Return a notebook as Markdown; `kept` saves picture number k and returns its address."""
    parts, pictures, spoken = [], 0, ""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            spoken = source
            continue
        parts.append(f"{_RAIL}python\n{source}\n{_RAIL}")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                address, pictures = kept(pictures, "".join(data["image/png"])), pictures + 1
                parts.append(f"![{alternative(spoken)}]({address})")
            elif "text/html" in data:
                parts.append(boxed("".join(data["text/html"])))
            else:
                text = "".join(data.get("text/plain", output.get("text", "")))
                parts.append(f"{_RAIL}{{code-block}} text\n:class: output\n\n{text}\n{_RAIL}")
    title, _, rest = parts[0].partition("\n")
    link = f"{{download}}`Download this notebook <{file}>`, stored with its outputs."
    return "\n\n".join([title, link, rest, *parts[1:]])


def boxed(html: str) -> str:
    """Return the HTML of an output in a box that scrolls where the window is narrow."""
    html = html.replace("<div style='overflow-x:auto'>", "<div>")  # the box scrolls, by keys too
    box = f'<div class="output-box" tabindex="0" role="group" aria-label="Output">{html}</div>'
    return f"{_RAIL}{{raw}} html\n{box}\n{_RAIL}"


def alternative(spoken: str) -> str:
    """Return a text for those who cannot see a picture: the first words that led to it."""
    words = " ".join(spoken.replace("#", "").replace("`", "").split())
    return "Picture: " + "".join(c for c in words.split(". ")[0] if c not in "[]()*_!")[:160]


def setup(app: Sphinx) -> dict[str, Any]:
    """Let Sphinx read notebooks."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
