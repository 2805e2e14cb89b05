"""Put the page together: one HTML file that needs nothing else and asks nobody for anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocwalk.errors import TallyError
from rocwalk.page.document import embedded_json, policy, static, template
from rocwalk.page.material import Content, Material
from rocwalk.page.sections import SECTIONS, Section
from rocwalk.version import __version__


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
