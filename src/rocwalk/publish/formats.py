"""A table of words as Markdown, LaTeX, HTML or CSV, and which format a file's ending asks for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from unicodedata import lookup

from rocwalk.errors import FileError
from rocwalk.result import csv_text, escaped
from rocwalk.texts import joined, visible

Rows = Sequence[Sequence[str]]

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "−": r"$-$",
    "±": r"$\pm$",
    "∞": r"$\infty$",
    "|": r"\textbar{}",
    "²": r"$^2$",
    "–": "--",
    "—": "---",
    "“": "``",
    "”": "''",
    "’": "'",
    "\N{NO-BREAK SPACE}": "~",
}
_GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda",
    "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
)  # fmt: skip
_LATEX |= {
    lookup(f"GREEK SMALL LETTER {name.replace('lambda', 'lamda')}"): rf"$\{name}$"
    for name in _GREEK
}
_LATEX_LINE = 72  # letters that fit a line of an article
_LATEX_LAST = "\u017f"  # letters up to here are known to every LaTeX that reads UTF-8
_GAP = "\0"  # between two signs that LaTeX would join; `visible` leaves none in a text
_APART = re.compile("([-`',!?](?=[-`',]))")


def ending(path: str | Path, known: Collection[str], what: str) -> str:
    """Return the ending of a file's name in small letters, or raise if it is not a known one."""
    found = Path(path).suffix.lower()
    if found not in known:
        said = f"has the ending {found!r}, which is not" if found else "has no ending that names"
        raise FileError(
            f"{said} a format of {what}.",
            f"end the name in {joined(sorted(known)).replace(' and ', ' or ')}.",
            file=str(path),
        )
    return found


def markdown_text(title: str, headers: Sequence[str], rows: Rows, notes: Sequence[str]) -> str:
    """Return a pipe table, with the title above and the notes below."""

    def line(cells: Sequence[str]) -> str:
        written = (visible(cell).replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
        return f"| {' | '.join(written)} |"

    rule = "|" + "|".join(" :--- " for _ in headers) + "|"
    table = "\n".join([line(headers), rule, *map(line, rows)])
    said = "".join(f"\n\n{visible(note)}" for note in notes)
    return f"**{visible(title)}**\n\n{table}{said}\n"


def html_text(title: str, headers: Sequence[str], rows: Rows, notes: Sequence[str]) -> str:
    """Return one HTML table, to be pasted into a page or opened by a word processor."""
    head = "".join(f'<th scope="col">{escaped(cell)}</th>' for cell in headers)
    body = "\n".join(
        f'<tr><th scope="row">{escaped(first)}</th>'
        + "".join(f"<td>{escaped(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    below = "".join(f"<p>{escaped(note)}</p>\n" for note in notes)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>{escaped(title)}</title>\n"
        "<style>body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;"
        "border-top:2px solid;border-bottom:2px solid}caption{text-align:left;font-weight:bold;"
        "padding-bottom:.5em}th,td{text-align:left;font-weight:normal;padding:.2em .8em;"
        "vertical-align:top}thead th{font-weight:bold;border-bottom:1px solid}</style>\n"
        f"<table>\n<caption>{escaped(title)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>\n{below}</html>\n"
    )


def shares(headers: Sequence[str], rows: Rows) -> list[float]:
    """Return shares of a page's width: room for the longest word of each column, then for texts."""
    needed = []
    for column in zip(headers, *rows, strict=True):
        text, word = (max(map(len, parts)) for parts in (column, " ".join(column).split() or [""]))
        needed.append(2 + word + (min(text, 40) - min(word, 40)) / 3)
    return [one / sum(needed) for one in needed]


def latex_text(
    title: str,
    headers: Sequence[str],
    rows: Rows,
    notes: Sequence[str],
    widths: Sequence[float] | None,
) -> str:
    r"""Return a table for LaTeX with booktabs; one of long texts, with `widths`, is a longtable.

    Columns that together are wider than a line of text are wrapped to fill it.
    """
    longest = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    wide = widths is not None or sum(longest) > _LATEX_LINE
    columns = "l" * len(headers)
    if wide:
        columns = "".join(
            r">{\raggedright\arraybackslash\hspace{0pt}}"
            rf"p{{\dimexpr {share:.4f}\linewidth-2\tabcolsep\relax}}"
            for share in widths or shares(headers, rows)
        )
    lines = [" & ".join(map(_latex_cell, cells)) + r" \\" for cells in (headers, *rows)]
    head, body = "\n".join(["\\toprule", lines[0], "\\midrule"]), "\n".join(lines[1:])
    small = r"\footnotesize\setlength{\tabcolsep}{3pt}"
    caption = rf"\caption{{{latex_words(title)}}}"
    said = "".join(f"\\par\\smallskip\\noindent {latex_words(note)}\n" for note in notes)
    if widths is None:
        packages = "array,booktabs" if wide else "booktabs"
        size = f"{small}\n" if wide else ""
        written = (
            f"\\begin{{table}}\n\\centering\n{caption}\n{size}\\begin{{tabular}}{{{columns}}}\n"
            f"{head}\n{body}\n\\bottomrule\n\\end{{tabular}}\n"
            f"\\par\\raggedright\\footnotesize\n{said}\\end{{table}}\n"
        )
    else:
        packages = "array,booktabs,longtable"
        written = (
            f"{{{small}\n\\begin{{longtable}}{{{columns}}}\n{caption}\\\\\n"
            f"{head}\n\\endhead\n{body}\n\\bottomrule\n\\end{{longtable}}\n{said}\\par}}\n"
        )
    needs = f"% needs \\usepackage{{{packages}}}\n"
    beyond = sorted({sign for sign in written if sign > _LATEX_LAST})
    if beyond:
        needs += f"% needs LuaLaTeX or XeLaTeX, and a font that has {' '.join(beyond)}\n"
    return needs + written


def _latex_cell(text: str) -> str:
    """Return a cell; a bracket or star at its start would be an option of the line before."""
    words = latex_words(text)
    return f"{{}}{words}" if words.startswith(("[", "*")) else words


def latex_words(text: str) -> str:
    r"""Return text in which the signs that mean something to LaTeX are escaped.

    >>> latex_words("50 % of model_a ≥ 0.5")
    '50 \\% of model\\_a $\\geq$ 0.5'
    >>> print(latex_words("a--b, ``c"))
    a-{}-b, `{}`c
    """
    written = "".join(_LATEX.get(sign, sign) for sign in _APART.sub(r"\1" + _GAP, visible(text)))
    return written.replace(_GAP, "{}")


def csv_words(headers: Sequence[str], rows: Rows) -> str:
    """Return the cells as CSV; title and notes are left out."""
    return csv_text([dict(zip(headers, row, strict=True)) for row in rows])
