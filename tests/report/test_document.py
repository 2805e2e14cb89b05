"""Self-contained documents: what may stand in a script, what a browser may load, templates."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import jinja2
import pytest

from rocwalk.report.document import embedded_json, policy, static, template
from rocwalk.report.page import SECTIONS


@pytest.mark.parametrize(
    "value",
    ["</script><script>alert(1)</script>", "<!--", "a & b > c", {"<k>": ["]]>", "−", 1.5, None]}],
)
def test_json_cannot_end_its_script(value):
    text = embedded_json(value)
    assert not set(text) & set("<>&")
    assert json.loads(text) == value


def test_the_policy_allows_this_style_and_this_script_only():
    allowed = dict(part.split(" ", 1) for part in policy("a{}", "b()").split("; "))
    assert allowed.pop("default-src") == "'none'"
    for kind, text in (("style-src", "a{}"), ("script-src", "b()")):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert allowed.pop(kind) == f"'sha256-{digest}'"
    assert allowed == {"base-uri": "'none'", "form-action": "'none'"}
    assert "img-src data:" in policy("", "", images=True)


def test_templates_escape_what_they_are_given():
    made = template("soft").environment.from_string("<b>{{ name }}</b>")
    assert made.render(name="<i>&") == "<b>&lt;i&gt;&amp;</b>"


def test_templates_refuse_a_name_that_is_not_given():
    made = template("soft").environment.from_string("{{ nobody }}")
    with pytest.raises(jinja2.UndefinedError, match="nobody"):
        made.render()


def test_words_that_follow_the_reader_are_marked_and_escaped():
    word = template("soft").environment.filters["word"]
    assert str(word("<plain>")) == "&lt;plain&gt;"
    marked = str(word("TPR there"))
    assert marked == '<span data-word="TPR there">TPR there</span>'


@pytest.mark.parametrize("section", SECTIONS, ids=lambda one: one.name)
def test_every_section_has_a_template_that_compiles(section):
    assert template(section.name).render


def test_compiled_templates_are_used_again():
    """A second environment takes the compiled template from where Python keeps compiled modules."""
    found = template("soft")
    assert template("soft") is found
    assert found.environment.bytecode_cache is not None


def test_static_files_load_nothing_from_elsewhere():
    for name in ("page.css", "papers.css", "chart.js"):
        text = re.sub(r"http://www\.w3\.org/\S+", "", static(name))  # the name of SVG
        assert not re.search(r"https?://|@import|\burl\((?!data:)", text), name
