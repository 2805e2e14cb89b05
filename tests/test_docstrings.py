"""`help` of a public function documents every parameter itself."""

from __future__ import annotations

import inspect
import re

import pytest

import rocwalk as rw

FUNCTIONS = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (rw, rw.metrics, rw.sklearn, rw.datasets)
    for name in module.__all__
    if inspect.isfunction(getattr(module, name))
}


def documented(docstring):
    """Return the names in the Parameters section of a docstring."""
    section = re.search(r"\nParameters\n-+\n(.*?)(?=\n\S+\n-{3,}\n|\Z)", docstring, re.DOTALL)
    heads = re.findall(r"^(\S.*)$", section[1], re.MULTILINE) if section else []
    names = [head for head in heads if re.fullmatch(r"[*\w]+(, [*\w]+)*", head)]
    return {name.lstrip("*") for head in names for name in head.split(", ")}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_documented_where_it_is_asked_for(name):
    docstring = inspect.getdoc(FUNCTIONS[name])
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    assert documented(docstring) == set(parameters)
    assert not re.search(
        r"\bas (for|in) `rocwalk|\bas for `|parameters are those", docstring, re.IGNORECASE
    )
