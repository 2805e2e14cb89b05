"""What every result has: a line for the terminal, a view for notebooks, dict, JSON and dataframe.

A result defines `_headline` (its scalars) and `_columns` (its arrays, all of one length);
everything else is derived from these.
"""

from __future__ import annotations

import csv
import html
import importlib.util
import io
import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import optional
from rocwalk.texts import is_hidden, visible
from rocwalk.typing import AnyArray, FrameLibrary

SCHEMA_VERSION = 1


class Result:
    """The base class of all results."""

    __slots__ = ()

    def _headline(self) -> Mapping[str, Any]:
        """Return the scalars of this result, the most important first."""
        raise NotImplementedError

    def _columns(self) -> Mapping[str, AnyArray]:
        """Return the arrays of this result, all of one length; none if it has scalars only."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values: scalars and lists."""
        plain = {name: plain_value(value) for name, value in self._headline().items()}
        plain |= {name: plain_value(column) for name, column in self._columns().items()}
        return {"kind": type(self).__name__, "schema_version": SCHEMA_VERSION, **plain}

    def to_json(self, *, indent: int | None = None) -> str:
        """Return strict JSON: NaN becomes null, infinities the strings "inf" and "-inf"."""
        return json.dumps(strict_value(self.to_dict()), indent=indent, allow_nan=False)

    def to_frame(self, library: FrameLibrary | None = None) -> Any:
        """Return the columns, or one row of the scalars, as a dataframe.

        Parameters
        ----------
        library
            "pandas", "polars" or "pyarrow". Default: the first of these that is already imported,
            else the first that is installed.
        """
        row = {
            name: np.array([short(value) if isinstance(value, tuple) else value])
            for name, value in self._headline().items()
        }
        return make_frame(self._columns() or row, library)

    def __repr__(self) -> str:
        shown = ", ".join(f"{k}={short(v)}" for k, v in self._headline().items() if v is not None)
        return f"{type(self).__name__}({shown})"

    def _repr_html_(self) -> str:
        texts = (getattr(self, name, None) for name in ("sentence", "summary"))
        words = next((each for each in texts if isinstance(each, str)), None)
        return html_view(type(self).__name__, self._headline(), self._columns(), words)


def short(value: Any) -> str:
    """Write a value in a few characters.

    >>> short(0.123456789), short(3), short("a"), short((1.0, 0.25))
    ('0.123457', '3', "'a'", '(1, 0.25)')
    """
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, float | int | np.number):
        return f"{value:,}" if isinstance(value, int | np.integer) else f"{float(value):.6g}"
    if isinstance(value, tuple):
        return f"({', '.join(short(item) for item in value)}{',' * (len(value) == 1)})"
    return repr(str(value)) if isinstance(value, str | np.datetime64) else repr(value)


def plain_value(value: Any) -> Any:
    """Return NumPy values and results as plain Python values; dates and the like as text."""
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, np.ndarray | np.generic):
        listed = value.tolist()
        return listed if value.dtype.kind in "biufU" else plain_value(listed)
    if isinstance(value, Mapping):
        return {
            " | ".join(map(str, name)) if isinstance(name, tuple) else str(name): plain_value(item)
            for name, item in value.items()
        }
    if isinstance(value, tuple | list):
        return [plain_value(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def strict_value(value: Any) -> Any:
    """Return a value that JSON can represent: None for NaN, strings for infinities."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, dict):
        return {name: strict_value(item) for name, item in value.items()}
    if isinstance(value, list):
        return [strict_value(item) for item in value]
    return value


_RISKY_IN_SPREADSHEETS = ("=", "+", "-", "−", "@", "\t", "\r")


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    r"""Return rows as CSV; text that a spreadsheet would run as a formula gets a leading quote.

    >>> csv_text([{"model": "=1+1", "auc": -0.5}])
    "model,auc\n'=1+1,-0.5\n"
    """
    stream = io.StringIO()
    keys = list(dict.fromkeys(key for row in rows for key in row))
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([_harmless(key) for key in keys])
    writer.writerows([_harmless(row.get(key)) for key in keys] for row in rows)
    return stream.getvalue()


def _harmless(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = visible(value)
    return "'" + text if text.startswith(_RISKY_IN_SPREADSHEETS) else text


def json_text(value: Any, *, indent: int | None = None) -> str:
    r"""Return strict JSON in readable characters; hidden ones are escaped.

    >>> print(json_text({"é": "a\u202eb"}))
    {"é":"a\u202eb"}
    """
    options: dict[str, Any] = {
        "indent": indent,
        "ensure_ascii": False,
        "separators": (",", ":") if indent is None else None,
    }
    text = json.dumps(value, **options)
    if "NaN" in text or "Infinity" in text:  # which are not JSON, unless they are words
        text = json.dumps(strict_value(value), allow_nan=False, **options)
    # JSON has such characters in strings only, where an escape means the same
    hidden = {c for c in set(text) - {"\n"} if is_hidden(c)}
    return text.translate({ord(c): json.dumps(c)[1:-1] for c in hidden}) if hidden else text


def make_frame(columns: Mapping[str, AnyArray], library: str | None = None) -> Any:
    """Return the columns as a dataframe of a library; by default one that is imported already."""
    known = get_args(FrameLibrary)
    if library is None:
        imported = (name for name in known if name in sys.modules)
        installed = (name for name in known if importlib.util.find_spec(name) is not None)
        library = next(imported, None) or next(installed, known[0])
    one_of("library", library, known)
    module = optional(library, library, "This table")
    if library == "pyarrow":
        return module.table({name: np.asarray(column) for name, column in columns.items()})
    return module.DataFrame(dict(columns))


_ROWS_IN_NOTEBOOK = 12


def html_view(
    title: str,
    headline: Mapping[str, Any],
    columns: Mapping[str, AnyArray],
    words: str | None = None,
) -> str:
    """Return an HTML view: the sentence of the result, its scalars, and its first rows, folded."""
    scalars = "".join(
        f"<tr><th style='text-align:left'>{escaped(readable(name))}</th>"
        f"<td style='text-align:left'>{escaped(_shown(value))}</td></tr>"
        for name, value in headline.items()
        if value is not None
    )
    text = "" if words is None else f"<p style='max-width:50em'>{escaped(words)}</p>"
    view = f"<b>rocwalk {escaped(title)}</b>{text}<table>{scalars}</table>"
    length = max((len(column) for column in columns.values()), default=0)
    if length == 0:
        return view
    head = "".join(f"<th>{escaped(name)}</th>" for name in columns)
    cells = (
        "".join(f"<td>{escaped(_shown(column[i]))}</td>" for column in columns.values())
        for i in range(min(length, _ROWS_IN_NOTEBOOK))
    )
    rows = "".join(f"<tr>{row}</tr>" for row in cells)
    table = f"<div style='overflow-x:auto'><table><tr>{head}</tr>{rows}</table></div>"
    if length > _ROWS_IN_NOTEBOOK:
        how_many = f"The first {_ROWS_IN_NOTEBOOK} of {length:,} rows of .to_frame()"
        return f"{view}<details><summary>{how_many}</summary>{table}</details>"
    how_many = "The row" if length == 1 else f"The {length} rows"
    return f"{view}<details open><summary>{how_many} of .to_frame()</summary>{table}</details>"


def escaped(text: str) -> str:
    """Return text for HTML, with hidden characters spelled out."""
    return html.escape(visible(text))


def numeral(value: float, form: str = ".3f") -> str:
    """Write a number as sentences have it: with a minus sign as wide as a plus.

    >>> numeral(-0.0141), numeral(0.2, "+.3f"), numeral(-2e-5, ".1g")
    ('−0.014', '+0.200', '−2e-05')
    """
    text = f"{value:{form}}"
    return f"−{text[1:]}" if text.startswith("-") else text


def estimated(value: float, low: float, high: float, level: float, form: str = ".3f") -> str:
    """Write an estimate with its interval as sentences have it.

    >>> estimated(-0.0141, -0.0273, -0.0012, 0.95, "+.3f")
    '−0.014, 95 % interval −0.027 to −0.001'
    """
    number, least, most = (numeral(each, form) for each in (value, low, high))
    return f"{number}, {100 * level:g} % interval {least} to {most}"


_READABLE = {
    "auc": "AUC", "fpr": "FPR", "tpr": "TPR", "auc_prt": "AUC_PRT", "n": "number of",
    "total_up": "Positives (all steps up)", "total_right": "Negatives (all steps right)",
    "p_value": "p-value", "adjusted_p_value": "Adjusted p-value",
}  # fmt: skip


def readable(name: str) -> str:
    """Return the name of a number in words.

    >>> readable("reference_items"), readable("auc_bounds"), readable("tpr"), readable("p_value")
    ('Reference items', 'AUC bounds', 'TPR', 'p-value')
    """
    if name in _READABLE:
        return _READABLE[name]
    words = " ".join(_READABLE.get(part, part) for part in name.split("_"))
    return words[:1].upper() + words[1:]


def _shown(value: Any) -> str:
    """Return a value as text for a table: numbers in four digits, "–" for NaN.

    >>> _shown(0.123456), _shown(123456.7), _shown(float("nan")), _shown((1, 2.5)), _shown(True)
    ('0.1235', '123,457', '–', '(1, 2.5)', 'yes')
    """
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))})"
    if isinstance(value, float | np.floating):
        number = float(value)
        if math.isnan(number):
            return "–"
        if math.isinf(number):
            return "∞" if number > 0 else "−∞"
        return f"{number:,.0f}" if 10**4 <= abs(number) < 10**15 else f"{number:.4g}"
    return str(value) if isinstance(value, str | np.datetime64) else short(value)
