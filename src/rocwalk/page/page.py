"""Put the page together: one HTML file that needs nothing else and asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from rocwalk.errors import TallyError
from rocwalk.page.material import Content, Material
from rocwalk.page.sections import SECTIONS, Section
from rocwalk.result import strict_value
from rocwalk.version import __version__

_STATIC = files("rocwalk.page") / "static"
_TEMPLATES = files("rocwalk.page") / "templates"
# what would end a script element or a line of JavaScript, written so that it cannot
_UNSAFE_IN_SCRIPTS = ("<", ">", "&", "\u2028", "\u2029")


def render(material: Material, title: str, subtitle: str, only: Sequence[str] | None = None) -> str:
    """Return the whole page as HTML, with all sections, or only some in the order given."""
    sections = {section.name: section for section in SECTIONS}
    asked = [sections[name] for name in only or sections]
    shown = {s: content for s in asked if (content := _content(s, material)) is not None}
    style, script = _static("page.css"), _script(shown)
    page: str = _template("page").render(
        title=title,
        subtitle=subtitle,
        version=__version__,
        policy=_policy(style, script),
        style=style,
        script=script,
        data=_embedded_json(_data(material, shown)),
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
    body = _template(content.template or section.name).render(**content.context)
    return {"name": section.name, "title": section.title, "body": body}


def _data(material: Material, shown: Mapping[Section, Content]) -> dict[str, Any]:
    return {
        "models": [one.to_json() for one in material.models],
        "sections": {s.name: c.data for s, c in shown.items() if c.data is not None},
    }


def _script(shown: Mapping[Section, Content]) -> str:
    """Return the drawing kit, the scripts of the sections that are shown, and the start."""
    names = ["chart.js", *(f"{s.name}.js" for s, c in shown.items() if c.data is not None)]
    return "\n".join([*map(_static, names), "rocwalk.start();\n"])


def _policy(style: str, script: str) -> str:
    """Return a Content-Security-Policy that allows this very style and script, and nothing else."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _embedded_json(value: Any) -> str:
    """Return JSON that may stand inside a script element, whatever it contains."""
    text = json.dumps(strict_value(value), ensure_ascii=False, separators=(",", ":"))
    for sign in _UNSAFE_IN_SCRIPTS:
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _static(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def _template(name: str) -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    def load(one: str) -> str:
        return (_TEMPLATES / one).read_text(encoding="utf-8")

    environment = Environment(
        loader=FunctionLoader(load), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template(f"{name}.html")
