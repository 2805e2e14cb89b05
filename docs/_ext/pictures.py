"""Pictures made at build time: the gallery, its thumbnails, and those of the reference."""

import contextlib
import os
import re
import runpy
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from drawings import DRAWINGS
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]  # the scripts read examples/ from here
_TITLE = re.compile(r"\A(.+)\n=+\n")
_OPENING = re.compile(r".{20,}?[.?](?=\s|$)", re.DOTALL)  # a sentence, or two short ones


class Drawing(SphinxDirective):
    """What the directives share: a picture is drawn once a build and shown as wide as it is."""

    def shown(self, name: str, draw: Any, alt: str) -> list[str]:
        """Return the lines that show the figure that `draw` leaves open."""
        image, inches = self.drawn(name, draw)
        width = "100%" if inches > 8 else f"{92 * inches:.0f}px"
        lines = [".. container:: scrolls" if inches > 8 else ".. container:: drawing", ""]
        return [
            *lines,
            f"   .. image:: {image}",
            f"      :alt: {alt}",
            f"      :width: {width}",
            "",
        ]

    def picture(self, name: str) -> Path:
        """Return where the picture of this name is kept between builds."""
        return Path(self.env.doctreedir) / "pictures" / f"{name}.png"

    def drawn(self, name: str, draw: Any) -> tuple[str, float]:
        """Return where a picture is, relative to this page, and how many inches wide."""
        import matplotlib.pyplot as plt

        pictures = self.env.__dict__.setdefault("rocwalk_pictures", {})
        target = self.picture(name)
        if name not in pictures or not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            plt.close("all")
            with contextlib.chdir(ROOT):
                draw()
            figure, plain = plt.gcf(), {"Software": None}
            figure.savefig(target, dpi=120, metadata=plain)
            box = figure.axes[-1].get_tightbbox().transformed(figure.dpi_scale_trans.inverted())
            panel = {"bbox_inches": box.padded(0.08), "dpi": 120, "metadata": plain}
            figure.savefig(self.picture(f"{name}-panel"), **panel)
            pictures[name] = float(plt.gcf().get_figwidth())
            plt.close("all")
        page = Path(self.env.doc2path(self.env.docname)).parent
        return Path(os.path.relpath(target, page)).as_posix(), pictures[name]

    def parsed(self, lines: list[str], source: str) -> list[nodes.Node]:
        """Return lines of reStructuredText as nodes."""
        node = nodes.container()
        self.state.nested_parse(StringList(lines, source), self.content_offset, node)
        return node.children


class Picture(Drawing):
    """Run a script at build time; show the picture it leaves open, its docstring and its code."""

    required_arguments = 1  # the script, relative to the page
    option_spec: ClassVar = {
        "alt": directives.unchanged_required,
        "picture-only": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Return the picture, and unless it is wanted alone, the words and the code."""
        relative, script = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(relative)
        words, code = said(Path(script))
        alone = "picture-only" in self.options
        lines = [] if alone else [*words.splitlines(), ""]
        lines += self.shown(Path(script).stem, lambda: runpy.run_path(script), self.options["alt"])
        return self.parsed(lines if alone else lines + code_block(code), script)


class Drawn(Drawing):
    """The picture of a class or function of the reference, and the lines that draw it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the heading, the picture and the code."""
        name = DRAWN[self.arguments[0]]
        code = "".join("\n".join(DRAWINGS[name]))
        alt = f"What {name.rpartition('.')[2]} draws, for the code below"
        lines = [".. rubric:: Picture", ""]
        lines += self.shown(name, lambda: exec(compile(code, name, "exec"), {}), alt)
        return self.parsed(lines + code_block(code), name)


class Thumbnails(Drawing):
    """A card for each page of a folder that shows a script: thumbnail, title, first sentence."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the grid; the order is that of the lines."""
        here = Path(self.env.doc2path(self.env.docname)).parent
        lines = [".. grid:: 1 2 3 4", "   :gutter: 3", "   :class-container: thumbnails", ""]
        for name in self.content:
            script, page = here / f"{name}.py", here / f"{name}.rst"
            self.env.note_dependency(str(page))
            self.env.note_dependency(str(script))
            title = _TITLE.match(page.read_text(encoding="utf-8"))[1]
            image, inches = self.drawn(name, lambda script=script: runpy.run_path(str(script)))
            first = " ".join(_OPENING.match(said(script)[0])[0].split())
            lines += [
                f"   .. grid-item-card:: {title}",
                f"      :link: {name}",
                "      :link-type: doc",
            ]
            if inches > 8:
                image = image.replace(".png", "-panel.png")  # the last panel alone can be read
            lines += [
                f"      :img-top: {image}",
                "      :img-alt:",
                "",
                f"      {first}",
                "",
            ]
        return self.parsed(lines, str(here))


def said(script: Path) -> tuple[str, str]:
    """Return the docstring of a script and the code below it."""
    words, code = script.read_text(encoding="utf-8").removeprefix('"""').split('"""', 1)
    return words.strip(), code.strip()


def code_block(code: str) -> list[str]:
    """Return code as a block of reStructuredText."""
    return [".. code-block:: python", "", *(f"   {x}".rstrip() for x in code.splitlines())]


def drawn_names() -> dict[str, str]:
    """Return, for each public name that draws or returns what draws, the drawing to show."""
    import inspect

    import rocwalk

    names = {name: name for name in DRAWINGS}
    for name in rocwalk.__all__:
        found = getattr(rocwalk, name)
        if inspect.isfunction(found) and f"rocwalk.{name}" not in names:
            returned = re.match(r"\w+", str(inspect.signature(found).return_annotation))
            if returned and f"rocwalk.{returned[0]}" in DRAWINGS:
                names[f"rocwalk.{name}"] = f"rocwalk.{returned[0]}"
    return names


DRAWN = drawn_names()


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directives known, and to the templates of the reference what is drawn."""
    app.add_directive("picture", Picture)
    app.add_directive("drawn", Drawn)
    app.add_directive("thumbnails", Thumbnails)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
