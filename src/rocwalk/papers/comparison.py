"""The comparison of printed and computed: the papers in order, their rows, figures and files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocwalk.datasets.papers import paper_examples
from rocwalk.papers.classic.pictures import classic_figures
from rocwalk.papers.classic.rows import classic_rows
from rocwalk.papers.examples import Examples
from rocwalk.papers.ferri.pictures import ferri_figures
from rocwalk.papers.ferri.rows import ferri_rows
from rocwalk.papers.figure import Figure
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.sensibility.pictures import sensibility_figures
from rocwalk.papers.sensibility.rows import sensibility_rows
from rocwalk.papers.soft.pictures import soft_figures
from rocwalk.papers.soft.rows import soft_rows
from rocwalk.papers.truth.pictures import truth_figures
from rocwalk.papers.truth.rows import truth_rows
from rocwalk.result import SCHEMA_VERSION, json_text
from rocwalk.version import __version__
from rocwalk.writing import Writer, text_writer, write_folder


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: the name that its rows carry, its reference, and its rows and figures."""

    name: str
    title: str
    rows: Callable[[Examples], list[Row]]
    figures: Callable[[Examples], list[Figure]]


PAPERS = (
    Paper(
        "Classic",
        "Castro da Silva (2006), Análise ROC, after Fawcett (2006)",
        classic_rows,
        classic_figures,
    ),
    Paper(
        "Ferri",
        "Ferri, Flach, Hernández-Orallo & Senad (2005), ROC curves with predicted probabilities",
        ferri_rows,
        ferri_figures,
    ),
    Paper(
        "Soft",
        "Klement & Flach (2008), ROC curves that take the scores in",
        soft_rows,
        soft_figures,
    ),
    Paper(
        "Truth",
        "Gredlics, Raicu & Furst, ROC curves with a probabilistic reference truth",
        truth_rows,
        truth_figures,
    ),
    Paper(
        "Sensibility",
        "Klement, Japkowicz & Matwin (2009), probabilities and the ROC curve under drift",
        sensibility_rows,
        sensibility_figures,
    ),
)


def all_rows(examples: Examples | None = None) -> list[Row]:
    """Return every row of every paper, computed from the examples.

    >>> rows = all_rows()
    >>> all(row.agrees or row.reason for row in rows)
    True
    """
    given = paper_examples() if examples is None else examples
    return [row for paper in PAPERS for row in paper.rows(given)]


def all_figures(examples: Examples | None = None) -> list[Figure]:
    """Return every figure of every paper, ready to be drawn from the examples.

    >>> [figure.name for figure in all_figures()][:2]
    ['classic-figura-1', 'classic-figura-2']
    """
    given = paper_examples() if examples is None else examples
    return [figure for paper in PAPERS for figure in paper.figures(given)]


def counts_of(rows: Sequence[Row]) -> dict[str, int]:
    """Return how many rows have each sign: ✓ agree, ✗ differ, – have nothing to be checked against.

    >>> counts_of(all_rows())
    {'✓': 251, '✗': 35, '–': 98}
    """
    signs = [row.sign for row in rows]
    return {sign: signs.count(sign) for sign in "✓✗–"}


def to_csv(rows: Sequence[Row]) -> str:
    """Return the rows as CSV; numbers at full precision, several numbers as text."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, Row.__slots__, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        several = isinstance(row.computed, tuple)
        writer.writerow(row.to_dict() | ({"computed": text_of(row.computed)} if several else {}))
    return stream.getvalue()


def to_json(rows: Sequence[Row], figures: Sequence[Figure]) -> str:
    """Return rows and figures as strict JSON, with the version that computed them."""
    content = {
        "rocwalk": __version__,
        "schema_version": SCHEMA_VERSION,
        "rows": [row.to_dict() for row in rows],
        "figures": [
            {"paper": f.paper, "name": f.name, "caption": f.caption, "file": f.file_name}
            for f in figures
        ],
    }
    return json_text(content, indent=2)


def write_papers(
    directory: str | Path, rows: Sequence[Row], figures: Sequence[Figure]
) -> list[Path]:
    """Write the table as CSV and JSON and every figure as PNG, all or none; return the files.

    The directory is made if it is missing. A failure leaves existing files unchanged.
    """
    writers: dict[str, Writer] = {
        "papers.csv": text_writer(to_csv(rows)),
        "papers.json": text_writer(to_json(rows, figures) + "\n"),
    }
    return write_folder(directory, writers | {each.file_name: each.write for each in figures})
