"""Tables of a paper: `rocwalk.table`, and how they are written to files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.curves.choices import Costs
from rocwalk.errors import Argument, OneClassError, OptionError
from rocwalk.methods import Methods
from rocwalk.publish.accuracy import accuracy_rows
from rocwalk.publish.checklist import checklist_rows
from rocwalk.publish.comparison import comparison_rows
from rocwalk.publish.content import TableContent
from rocwalk.publish.docx import docx_bytes
from rocwalk.publish.formats import csv_words, ending, html_text, latex_text, markdown_text, shares
from rocwalk.publish.subgroups import subgroup_rows
from rocwalk.read.frames import Name
from rocwalk.report.findings import Findings
from rocwalk.report.report import Report, report
from rocwalk.result import Result
from rocwalk.typing import AnyArray, Invalid, PaperTableKind
from rocwalk.writing import bytes_writer, write_aside

KINDS: dict[str, Callable[[Findings], TableContent]] = {
    "accuracy": accuracy_rows,
    "comparison": comparison_rows,
    "subgroups": subgroup_rows,
    "stard": lambda findings: checklist_rows(findings, "stard"),
    "tripod": lambda findings: checklist_rows(findings, "tripod"),
}
ENDINGS = (".md", ".tex", ".html", ".docx", ".csv")


@dataclass(frozen=True, eq=False, repr=False)
class PaperTable(Result):
    """A table for a paper; make one with `rocwalk.table`.

    `headers` and `rows` are the cells as words, `notes` stand below the table.
    """

    kind: str
    content: TableContent = field(repr=False)

    @property
    def title(self) -> str:
        """What the table shows."""
        return self.content.title

    @property
    def headers(self) -> tuple[str, ...]:
        """The words above the columns."""
        return self.content.headers

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The cells, row by row."""
        return self.content.rows

    @property
    def notes(self) -> tuple[str, ...]:
        """What is said below the table."""
        return self.content.notes

    @property
    def markdown(self) -> str:
        """The table in Markdown."""
        return markdown_text(self.title, self.headers, self.rows, self.notes)

    @property
    def latex(self) -> str:
        """The table in LaTeX, with booktabs."""
        return latex_text(self.title, self.headers, self.rows, self.notes, self.content.widths)

    @property
    def html(self) -> str:
        """The table as an HTML page."""
        return html_text(self.title, self.headers, self.rows, self.notes)

    @property
    def csv(self) -> str:
        """The cells as CSV, without title and notes."""
        return csv_words(self.headers, self.rows)

    @property
    def docx(self) -> bytes:
        """The table as a Word document."""
        widths = self.content.widths or shares(self.headers, self.rows)
        return docx_bytes(self.title, self.headers, self.rows, self.notes, widths)

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        return self.content.methods

    def encoded(self, path: str | Path) -> bytes:
        """Return the content of a file in the format that the ending of its name asks for."""
        found = ending(path, ENDINGS, "a table")
        texts = {".md": "markdown", ".tex": "latex", ".html": "html", ".csv": "csv"}
        if found == ".docx":
            return self.docx
        written: str = getattr(self, texts[found])
        return written.encode("utf-8", "backslashreplace")

    def save(self, path: str | Path) -> None:
        """Write the table to a file, aside first and then renamed.

        Parameters
        ----------
        path
            Its ending says in which format: .md (Markdown), .tex (LaTeX), .html, .docx or .csv.
        """
        write_aside(path, bytes_writer(self.encoded(path)))

    def __repr__(self) -> str:
        return f"PaperTable({self.kind!r}, rows={len(self.rows)}, columns={len(self.headers)})"

    def _headline(self) -> dict[str, Any]:
        return {"table": self.kind, "title": self.title, "notes": self.notes}

    def _columns(self) -> dict[str, AnyArray]:
        return {
            name: np.array([row[place] for row in self.rows])
            for place, name in enumerate(self.headers)
        }


def table(
    data: Any,
    kind: PaperTableKind = "accuracy",
    *,
    label: Name | None = None,
    score: Name | Sequence[Name] | None = None,
    weight: Name | None = None,
    cluster: Name | None = None,
    by: Name | Sequence[Name] | None = None,
    pos_label: Any = None,
    invalid: Invalid | None = None,
    confidence_level: float | None = None,
    costs: Costs | None = None,
    prevalence: float | None = None,
    threshold: float | None = None,
    rate: float | None = None,
) -> PaperTable:
    """Return a table for a paper, which `.save` writes as Markdown, LaTeX, HTML, DOCX or CSV.

    Parameters
    ----------
    data
        A dataframe, a dict of columns, or files, which `rocwalk.report` reads, too; or a `Report`
        that was made already, and then no other argument but `kind`.
    kind
        "accuracy": the confusion matrix and the accuracy of each model at its threshold, after
        STARD. "comparison": the area of each model and its difference from the first, and of
        probabilities Brier score and calibration slope. "subgroups": area, sensitivity and
        specificity in each subgroup of `by`. "stard", "tripod": the check-lists of STARD 2015 and
        TRIPOD+AI in our own short words, filled where the data can fill them; other items are left
        blank and marked.
    label, score, weight, cluster, by
        Names of columns; `score` and `by` may be lists. Clusters are units that intervals must
        respect, `by` makes subgroups.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    invalid
        "raise", the default, or "drop" to leave out rows with a missing or unusable value, with a
        warning.
    confidence_level
        Of the intervals. Default: 0.95.
    costs, prevalence, threshold, rate
        The operating rule: `Costs` of both mistakes, the share of positives where the rule will be
        used, a threshold that was fixed before the data were seen, or the share of items that may
        be called positive. Without any, the threshold of the largest sensitivity + specificity on
        these data, which a note says.

    References
    ----------
    Bossuyt et al. (2015), STARD 2015; Collins et al. (2024), TRIPOD+AI statement.

    Examples
    --------
    >>> import rocwalk as rw
    >>> data = {"y": [1, 1, 0, 1, 0, 0], "model": [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]}
    >>> found = rw.table(data, "accuracy", label="y", score="model", threshold=0.5)
    >>> found.rows[1]
    ('True positives', '3')
    """
    one_of("kind", kind, tuple(KINDS))
    options = {
        "label": label,
        "score": score,
        "weight": weight,
        "cluster": cluster,
        "by": by,
        "pos_label": pos_label,
        "invalid": invalid,
        "confidence_level": confidence_level,
        "costs": costs,
        "prevalence": prevalence,
        "threshold": threshold,
        "rate": rate,
    }
    given = {name: value for name, value in options.items() if value is not None}
    return table_of(report_on(data, given).findings, kind)


def table_of(findings: Findings, kind: str) -> PaperTable:
    """Return a table of what was found; raise where there is none of this kind."""
    refuse_unfit(findings)
    return PaperTable(kind, KINDS[kind](findings))


def refuse_unfit(findings: Findings) -> None:
    """Raise for several classes, and for one."""
    if findings.study.models is None:
        raise OptionError(
            "Figures and tables of a paper are for two classes.",
            ("name columns of scores by ", Argument("score"), "."),
        )
    if not findings.has_curves:
        raise OneClassError(
            "There are items of one class only, so there is neither a curve nor an area.",
            ("check the labels, and which one is positive (", Argument("pos_label"), ")."),
        )


def report_on(data: Any, given: dict[str, Any]) -> Report:
    """Return the report that is given, or one on the data; a report has its options already."""
    if not isinstance(data, Report):
        return report(data, **given)
    if given:
        raise OptionError(
            "does not go together with a report, which has its own.",
            "pass it to rocwalk.report.",
            argument=next(iter(given)),
        )
    return data
