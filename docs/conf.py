"""Sphinx configuration: no network, no themes to install, warnings are errors (make docs)."""

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
