"""Markdown, LaTeX, HTML and CSV: every cell, and no markup from names."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest

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


_TEX = re.compile(r"\\([a-zA-Z]+|[^a-zA-Z])|([{}&%$#_^~|])|([^\\{}&%$#_^~|])")
_ESCAPED = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "geq": "≥",
    "leq": "≤", "pm": "±", "infty": "∞", "chi": "χ", "beta": "β", "mu": "μ",
}  # fmt: skip


def tex_words(source):
    """What a cell prints, by a reader of TeX that knows the signs of this table and no others."""
    words, math, depth = "", False, 0
    for command, special, plain in _TEX.findall(source):
        if command.isalpha():
            words += _ESCAPED[command]
        elif command:
            assert command in "&%$#_{}", command
            words += command
        elif special == "$":
            math = not math
        elif special in ("{", "}"):
            depth += 1 if special == "{" else -1
            assert depth >= 0
        elif special == "~":
            words += "\N{NO-BREAK SPACE}"
        elif special == "^":
            assert math
        else:
            assert not special, special
            words += {"-": "−"}.get(plain, plain) if math else plain
    assert depth == 0
    assert not math
    assert not re.search("--|``|''|,,", re.sub(r"\$.*?\$", "", source).replace("{}", " "))
    return words


def tex_rows(source):
    """The cells of a table, row by row; environments are closed in the order of opening."""
    open_ones = []
    for side, name in re.findall(r"\\(begin|end)\{(\w+)\}", source):
        if side == "begin":
            open_ones.append(name)
        else:
            assert open_ones.pop() == name
    assert not open_ones
    inner = re.split(r"\\(?:toprule|bottomrule)\n", source)[1]
    lines = re.sub(r"\\(midrule|endhead)\n", "", inner).split(" \\\\\n")
    assert lines.pop() == ""
    assert not any(line.startswith(("[", "*")) for line in lines)  # an option of what is before it
    return [tuple(tex_words(cell) for cell in re.split(r"(?<!\\)&", line)) for line in lines]


def flat(rows):
    """Without powers, which the reader of TeX does not know."""
    return [[cell.replace("²", "2") for cell in row] for row in rows]


def stripped(rows):
    return [tuple(cell.strip() for cell in row) for row in rows]


@pytest.mark.parametrize("kind", ["accuracy", "comparison", "subgroups", "stard", "tripod"])
def test_latex_prints_every_cell(page, kind):
    table = rw.table(page, kind)
    assert stripped(tex_rows(table.latex)) == stripped(flat([table.headers, *table.rows]))
    long = kind in ("stard", "tripod")
    assert (r"\begin{longtable}" in table.latex) == long
    after = table.latex[table.latex.rindex(r"\end{tabular}" if not long else r"\end{longtable}") :]
    assert tex_words(after.split(r"\noindent ")[1].split("\n")[0]) == table.notes[0]
    assert after.rstrip().endswith((r"\end{table}", r"\par}"))  # the size of the text ends there


def test_latex_prints_every_sign_of_a_name():
    names = ["[x] 50% & {_}", "*a--b ^~#$1$", "\\frac ``q'' |z|", "μ≥β², 模"]
    rng = np.random.default_rng(2)
    data = {"y": [1, 0] * 10} | {name: rng.random(20) for name in names}
    for kind in ("accuracy", "comparison"):
        table = rw.table(data, kind, label="y", score=names, threshold=0.3)
        assert stripped(tex_rows(table.latex)) == stripped(flat([table.headers, *table.rows]))
        assert "LuaLaTeX or XeLaTeX, and a font that has 模\n" in table.latex
    assert latex_words("p < 0.05") == r"p $<$ 0.05"


def test_wide_latex_tables_fill_the_line(page):
    wide = rw.table(page, "comparison").latex
    narrow = rw.table({"y": [1, 0], "s": [0.7, 0.2]}, label="y", score="s", threshold=0.5).latex
    assert r"\begin{tabular}{ll}" in narrow
    parts = [float(one) for one in re.findall(r"p\{\\dimexpr ([\d.]+)\\linewidth", wide)]
    assert len(parts) == 6
    assert sum(parts) == pytest.approx(1, abs=1e-3)
