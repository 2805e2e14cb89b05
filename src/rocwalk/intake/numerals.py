"""Numerals: text that stands for numbers or booleans, and the marks for values that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocwalk.intake.frames import LABEL, NUMBER

_MISSING = ("NA", "N/A", "#N/A", "NULL", "null")
MISSING_NUMBER = (*_MISSING, "None", "")


def interpret(texts: Any, role: str, *, allows_decimal_comma: bool) -> Any:
    """Return text as integers, floats or booleans if all of it can be read so, else as it is.

    >>> import pyarrow as pa
    >>> interpret(pa.array(["1", "NA"]), "label", allows_decimal_comma=False).to_pylist()
    [1, None]
    >>> interpret(pa.array(["007", "NA"]), "group", allows_decimal_comma=False).to_pylist()
    ['007', 'NA']
    >>> interpret(pa.array(["true", "1"]), "label", allows_decimal_comma=False).to_pylist()
    ['true', '1']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(texts)
    as_text = _without(texts, _MISSING) if role == LABEL else texts
    if _any(pc.match_substring_regex(trimmed, "^[+-]?0[0-9xX]")):
        return as_text  # codes such as 007, which is not the number 7
    values = _without(trimmed, MISSING_NUMBER if role == NUMBER else (*_MISSING, ""))
    ways = [(values, pa.int64()), (values, pa.uint64()), (values, pa.float64())]
    if allows_decimal_comma and not _any(pc.match_substring(trimmed, ".")):
        ways.append((pc.replace_substring(values, ",", "."), pa.float64()))
    if not _any(pc.match_substring_regex(values, "^[0-9.+-]")):  # a mixture of true and 1 is text
        ways.append((values, pa.bool_()))
    for column, kind in ways:
        try:
            return column.cast(kind)
        except pa.ArrowInvalid:
            continue
    return as_text


def _any(flags: Any) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(flags).as_py())


def _without(texts: Any, marks: Sequence[str]) -> Any:
    """Return the texts with those that mean "missing" taken out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_mark = pc.is_in(texts, value_set=pa.array(marks))
    return pc.if_else(is_mark, pa.scalar(None, pa.string()), texts)
