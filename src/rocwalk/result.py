"""What every result can do: show itself in a line or a notebook, and turn into other forms.

A result says two things about itself, `_headline` (its scalars) and `_columns` (its arrays, all of
one length); everything else follows from these.
"""

from __future__ import annotations

import html
import importlib
import importlib.util
import json
import math
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from rocwalk.errors import OptionError
from rocwalk.typing import AnyArray

SCHEMA_VERSION = 1
_FRAME_LIBRARIES = ("pandas", "polars", "pyarrow")
_ROWS_IN_NOTEBOOK = 12
_DIGITS = 4
_READABLE = {
    "auc": "AUC", "fpr": "FPR", "tpr": "TPR", "auc_prt": "AUC_PRT", "n": "number of",
    "total_up": "Positives (all steps up)", "total_right": "Negatives (all steps right)",
    "p_value": "p-value", "adjusted_p_value": "Adjusted p-value",
}  # fmt: skip


class Result:
    """The root of everything that rocwalk hands to its users."""

    __slots__ = ()

    def _headline(self) -> Mapping[str, Any]:
        """Return the scalars of this result, the most important first."""
        raise NotImplementedError

    def _columns(self) -> Mapping[str, AnyArray]:
        """Return the arrays of this result, all of one length; none if it is a single thing."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values: scalars and lists."""
        plain = {name: plain_value(value) for name, value in self._headline().items()}
        plain |= {name: plain_value(column) for name, column in self._columns().items()}
        return {"kind": type(self).__name__, "schema_version": SCHEMA_VERSION, **plain}

    def to_json(self, *, indent: int | None = None) -> str:
        """Return strict JSON: NaN becomes null, infinities the strings "inf" and "-inf"."""
        return json.dumps(strict_value(self.to_dict()), indent=indent, allow_nan=False)

    def to_frame(self, library: str | None = None) -> Any:
        """Return a dataframe of "pandas", "polars" or "pyarrow".

        Without an argument: the one that is loaded already, else the first that is installed.
        """
        row = {name: _cell(value) for name, value in self._headline().items()}
        return make_frame(self._columns() or row, library)

    def __repr__(self) -> str:
        shown = ", ".join(f"{k}={short(v)}" for k, v in self._headline().items() if v is not None)
        return f"{type(self).__name__}({shown})"

    def _repr_html_(self) -> str:
        said = (getattr(self, name, None) for name in ("sentence", "summary"))
        words = next((each for each in said if isinstance(each, str)), None)
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
    """Turn NumPy values and results into plain Python values; dates and the like into text."""
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, np.ndarray | np.generic):
        listed = value.tolist()
        return listed if value.dtype.kind in "biufU" else plain_value(listed)
    if isinstance(value, Mapping):
        return {_key(name): plain_value(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain_value(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _cell(value: Any) -> AnyArray:
    """Return a scalar as a column of one row; several values become text."""
    return np.array([short(value) if isinstance(value, tuple) else value])


def _key(name: Any) -> str:
    return " | ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def strict_value(value: Any) -> Any:
    """Turn what JSON cannot hold into what it can: NaN into None, infinities into strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, dict):
        return {name: strict_value(item) for name, item in value.items()}
    if isinstance(value, list):
        return [strict_value(item) for item in value]
    return value


def make_frame(columns: Mapping[str, AnyArray], library: str | None = None) -> Any:
    """Return the columns as a dataframe of the library that is asked for or at hand."""
    if library is None:
        library = _library_at_hand()
    if library not in _FRAME_LIBRARIES:
        raise OptionError(
            f"library={library!r} is not known.",
            f"library is one of {', '.join(map(repr, _FRAME_LIBRARIES))}.",
        )
    module = _import(library)
    if library == "pyarrow":
        return module.table({name: np.asarray(column) for name, column in columns.items()})
    return module.DataFrame(dict(columns))


def _library_at_hand() -> str:
    for name in _FRAME_LIBRARIES:
        if name in sys.modules:
            return name
    for name in _FRAME_LIBRARIES:
        if importlib.util.find_spec(name) is not None:
            return name
    return _FRAME_LIBRARIES[-1]


def _import(library: str) -> Any:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise OptionError(
            f"{library} is not installed.", f"install it with: pip install {library}"
        ) from error


def html_view(
    title: str,
    headline: Mapping[str, Any],
    columns: Mapping[str, AnyArray],
    words: str | None = None,
) -> str:
    """Return a small HTML view: what the result says, its scalars, and the first rows, folded."""
    scalars = "".join(
        f"<tr><th style='text-align:left'>{html.escape(readable(name))}</th>"
        f"<td style='text-align:left'>{_html_cell(value)}</td></tr>"
        for name, value in headline.items()
        if value is not None
    )
    said = "" if words is None else f"<p style='max-width:50em'>{html.escape(words)}</p>"
    view = f"<b>rocwalk {html.escape(title)}</b>{said}<table>{scalars}</table>"
    length = max((len(column) for column in columns.values()), default=0)
    if length == 0:
        return view
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = "".join(_html_row(columns, i) for i in range(min(length, _ROWS_IN_NOTEBOOK)))
    table = f"<div style='overflow-x:auto'><table><tr>{head}</tr>{rows}</table></div>"
    if length > _ROWS_IN_NOTEBOOK:
        how_many = f"The first {_ROWS_IN_NOTEBOOK} of {length:,} rows of .to_frame()"
        return f"{view}<details><summary>{how_many}</summary>{table}</details>"
    how_many = "The row" if length == 1 else f"The {length} rows"
    return f"{view}<details open><summary>{how_many} of .to_frame()</summary>{table}</details>"


def readable(name: str) -> str:
    """Return the name of a number in words.

    >>> readable("reference_items"), readable("auc_bounds"), readable("tpr"), readable("p_value")
    ('Reference items', 'AUC bounds', 'TPR', 'p-value')
    """
    if name in _READABLE:
        return _READABLE[name]
    words = " ".join(_READABLE.get(part, part) for part in name.split("_"))
    return words[:1].upper() + words[1:]


def _html_row(columns: Mapping[str, AnyArray], i: int) -> str:
    cells = (_html_cell(column[i]) for column in columns.values())
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _html_cell(value: Any) -> str:
    """Write a value for a table: text as it is, numbers in few digits, "–" where there is none."""
    return html.escape(_seen(value))


def _seen(value: Any) -> str:
    """Write a value for the eye.

    >>> _seen(0.123456), _seen(123456.7), _seen(float("nan")), _seen((1, 2.5)), _seen(True)
    ('0.1235', '123,457', '–', '(1, 2.5)', 'yes')
    """
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float | np.floating):
        return _few_digits(float(value))
    if isinstance(value, tuple):
        return f"({', '.join(map(_seen, value))})"
    return str(value) if isinstance(value, str | np.datetime64) else short(value)


def _few_digits(value: float) -> str:
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    large = 10**_DIGITS <= abs(value) < 10**15
    return f"{value:,.0f}" if large else f"{value:.{_DIGITS}g}"
