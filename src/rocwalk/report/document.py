"""Self-contained HTML documents: templates, static files and a Content-Security-Policy."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import pickle
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from rocwalk.errors import FileError
from rocwalk.report.glossary import has_words
from rocwalk.result import json_text
from rocwalk.writing import bytes_writer, write_aside

_STATIC = files("rocwalk.report") / "static"
_TEMPLATES = files("rocwalk.report") / "templates"
# what would end a script element, written so that it cannot
_UNSAFE_IN_SCRIPTS = ("<", ">", "&")


@dataclass(frozen=True)
class Content:
    """What a section shows (`context`, for its template) and draws (`data`, for its script).

    The template is that of the section, unless another one is named.
    """

    context: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] | None = None
    template: str | None = None


def policy(style: str, script: str, *, images: bool = False) -> str:
    """Return a Content-Security-Policy that allows this very style and script, and nothing else.

    With `images`, pictures that stand in the document itself are allowed too.
    """
    pictures = "img-src data:; " if images else ""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; {pictures}"
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def embedded_json(value: Any) -> str:
    """Return JSON that may stand inside a script element, whatever it contains."""
    text = json_text(value)
    for sign in _UNSAFE_IN_SCRIPTS:
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def static(name: str) -> str:
    """Return a style sheet or a script."""
    return (_STATIC / name).read_text(encoding="utf-8")


def template(name: str) -> Any:
    """Return a template, which escapes what it is given and refuses unknown names."""
    return _environment().get_template(f"{name}.html")


@cache
def _environment() -> Any:
    from jinja2 import BytecodeCache, Environment, FunctionLoader, StrictUndefined
    from jinja2 import __version__ as version
    from jinja2.bccache import Bucket

    class Compiled(BytecodeCache):
        """Compiled templates, kept where Python keeps compiled modules and if it may keep them."""

        def load_bytecode(self, bucket: Bucket) -> None:
            with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
                bucket.bytecode_from_string(Path(bucket.key).read_bytes())

        def dump_bytecode(self, bucket: Bucket) -> None:
            if not sys.dont_write_bytecode:
                with contextlib.suppress(OSError, FileError):
                    Path(bucket.key).parent.mkdir(parents=True, exist_ok=True)
                    write_aside(bucket.key, bytes_writer(bucket.bytecode_to_string()))

        def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002
            made_by = "jinja" + "".join(filter(str.isalnum, version))
            return cache_from_source(f"{_TEMPLATES / name}", optimization=made_by)

    def load(name: str) -> str:
        return (_TEMPLATES / name).read_text(encoding="utf-8")

    environment = Environment(
        loader=FunctionLoader(load),
        autoescape=True,
        undefined=StrictUndefined,
        optimized=False,  # each template is rendered once
        bytecode_cache=Compiled(),
    )
    environment.filters["word"] = _worded
    environment.filters["name"] = _breakable
    return environment


def _breakable(name: str) -> str:
    """Let a name in a narrow column break after its underscores and dots, before anywhere else."""
    from markupsafe import Markup, escape

    parts = re.split(r"(?<=[_.])(?=[^_.])", name)
    return Markup("<wbr>").join(map(escape, parts))


def _worded(text: str) -> str:
    """Mark words of ours that follow the field which the reader chooses."""
    from markupsafe import Markup, escape

    if not has_words(text):
        return escape(text)
    return Markup('<span data-word="{0}">{0}</span>').format(text)
