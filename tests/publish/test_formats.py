"""Markdown, LaTeX, HTML and CSV: every cell, and no markup from names."""

from __future__ import annotations

import csv
import io
import re

import rocwalk as rw
from publish.samples import odd_table
from rocwalk.publish.formats import latex_words


def test_csv_and_markdown_have_every_cell(page):
    table = rw.table(page, "comparison")
    read = list(csv.reader(io.StringIO(table.csv)))
    assert tuple(read[0]) == table.headers
    assert read[2][1] == table.rows[1][1]
    lines = table.markdown.splitlines()
    assert lines[0] == f"**{table.title}**"
    assert lines[2].split(" | ")[1] == table.headers[1]
    assert odd_table().markdown.splitlines()[2].count("\\|") == 1


def test_markup_in_names_is_text():
    table = odd_table()
    assert "<script>" not in table.html
    assert "&lt;script&gt;x" in table.html
    assert r"50\% \& \{\_\}" in table.latex
    assert "'=1+1" in table.csv
    for text in (table.html, table.markdown, table.latex, table.csv):
        assert "\u202e" not in text
        assert "\x07" not in text


def test_latex_is_balanced(page):
    for kind in ("accuracy", "stard"):
        text = rw.table(page, kind).latex
        assert text.count(r"\begin{") == text.count(r"\end{")
        assert re.sub(r"\\[{}]", "", text).count("{") == re.sub(r"\\[{}]", "", text).count("}")
        assert r"\toprule" in text
    assert latex_words("p < 0.05") == r"p $<$ 0.05"
    assert r"\begin{longtable}" in rw.table(page, "stard").latex
