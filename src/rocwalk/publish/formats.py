"""A table of words as Markdown, LaTeX, HTML or CSV, and which format a file's ending asks for."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence
from pathlib import Path

from rocwalk.errors import FileError, joined, visible
from rocwalk.result import csv_text

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
    "χ": r"$\chi$",
    "²": r"$^2$",
    "–": "--",
    "—": "---",
    "“": "``",
    "”": "''",
    "’": "'",
    "\N{NO-BREAK SPACE}": "~",
}


def ending(path: str | Path, known: Collection[str], what: str) -> str:
    """Return the ending of a file's name in small letters, or raise if it is not a known one."""
    found = Path(path).suffix.lower()
    if found not in known:
        said = f"has the ending {found!r}" if found else "has no ending"
        raise FileError(
            f"{said}, which is not a format of {what}.",
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

    def said(words: str) -> str:
        return html.escape(visible(words))

    head = "".join(f'<th scope="col">{said(cell)}</th>' for cell in headers)
    body = "\n".join(
        f'<tr><th scope="row">{said(first)}</th>'
        + "".join(f"<td>{said(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    below = "".join(f"<p>{said(note)}</p>\n" for note in notes)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>{said(title)}</title>\n"
        "<style>body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;"
        "border-top:2px solid;border-bottom:2px solid}caption{text-align:left;font-weight:bold;"
        "padding-bottom:.5em}th,td{text-align:left;font-weight:normal;padding:.2em .8em;"
        "vertical-align:top}thead th{font-weight:bold;border-bottom:1px solid}</style>\n"
        f"<table>\n<caption>{said(title)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>\n{below}</html>\n"
    )


def latex_text(
    title: str,
    headers: Sequence[str],
    rows: Rows,
    notes: Sequence[str],
    widths: Sequence[float] | None,
) -> str:
    r"""Return a table for LaTeX with booktabs; one of long texts, with `widths`, is a longtable."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join(map(latex_words, cells)) + r" \\"

    said = "".join(f"\n\n\\smallskip\\noindent\\footnotesize {latex_words(note)}" for note in notes)
    body = "\n".join(map(line, rows))
    if widths is None:
        return (
            "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n"
            f"\\caption{{{latex_words(title)}}}\n\\begin{{tabular}}{{{'l' * len(headers)}}}\n"
            f"\\toprule\n{line(headers)}\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}{said}\n"
            "\\end{table}\n"
        )
    columns = "".join(f"p{{{0.92 * width:.2f}\\linewidth}}" for width in widths)
    return (
        "% needs \\usepackage{booktabs,longtable}\n"
        f"\\begin{{longtable}}{{{columns}}}\n\\caption{{{latex_words(title)}}}\\\\\n"
        f"\\toprule\n{line(headers)}\n\\midrule\n\\endhead\n{body}\n\\bottomrule\n"
        f"\\end{{longtable}}{said}\n"
    )


def latex_words(text: str) -> str:
    r"""Return text in which the signs that mean something to LaTeX are escaped.

    >>> latex_words("50 % of model_a ≥ 0.5")
    '50 \\% of model\\_a $\\geq$ 0.5'
    """
    return "".join(_LATEX.get(sign, sign) for sign in visible(text))


def csv_words(headers: Sequence[str], rows: Rows) -> str:
    """Return the cells as CSV; title and notes are left out."""
    return csv_text([dict(zip(headers, row, strict=True)) for row in rows])
