"""Numerals: which words of a text column are missing, and which are numbers or booleans.

`MISSING` and `KINDS` are the only definition. A column becomes the first kind that all its words
are, save those that mean "missing"; a column that is of no kind stays text, so codes such as 007
stay codes, and a mixture of true and 1 is not guessed at. The patterns are in the syntax of RE2,
which Arrow and DuckDB share: `interpret` reads columns in memory, and `kind_of_words` asks the same
in SQL, for columns that are larger than that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rocwalk.read.frames import LABEL, NUMBER

EXACT_INTEGERS = 2**53  # up to here float64 holds every integer

MISSING = ("NA", "N/A", "#N/A", "NULL", "null")

_SPACE = r"[\s\v\x1c-\x1f\x85\pZ]*"
_WHOLE = "(?:0|[1-9][0-9]*)"
_INTEGER = f"[+-]?{_WHOLE}"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a column of words may be: the pattern of such a word, and the types of the values."""

    pattern: str
    arrow: str
    sql: str
    decimal: str = "."

    @property
    def is_integer(self) -> bool:
        """Whether the values are integers."""
        return self.pattern == _INTEGER

    def number_sql(self, word: str) -> str:
        """Return the SQL of the plain numeral in a word, NULL if there is none."""
        found = f"nullif(regexp_extract({word}, '^{_SPACE}({self.pattern}){_SPACE}$', 1), '')"
        return found if self.decimal == "." else f"replace({found}, '{self.decimal}', '.')"

    def value_sql(self, word: str) -> str:
        """Return the SQL of the value of a word, NULL if it is missing."""
        return f"CAST({self.number_sql(word)} AS {self.sql})"


def _decimals(sign: str) -> str:
    number = rf"[+-]?(?:{_WHOLE}(?:{sign}[0-9]*)?|{sign}[0-9]+)(?:[eE][+-]?[0-9]+)?"
    return f"{number}|[+-]?(?i:inf|infinity|nan)"


KINDS = (
    Kind(_INTEGER, "int64", "BIGINT"),
    Kind(_INTEGER, "uint64", "UBIGINT"),
    Kind(_decimals(r"\."), "double", "DOUBLE"),
    Kind(_decimals(","), "double", "DOUBLE", decimal=","),
    Kind("(?i:true|false)", "bool", "BOOLEAN"),
)


def missing_words(role: str) -> tuple[str, ...]:
    """Return the words that mean "missing" in a column that becomes numbers or booleans.

    >>> missing_words("label")
    ('', 'NA', 'N/A', '#N/A', 'NULL', 'null')
    """
    return ("", *MISSING, "None") if role == NUMBER else ("", *MISSING)


def _possible(allows_decimal_comma: bool) -> list[Kind]:
    return [kind for kind in KINDS if kind.decimal == "." or allows_decimal_comma]


def interpret(texts: Any, role: str, *, allows_decimal_comma: bool) -> Any:
    """Return an Arrow column of text as numbers or booleans if all of it is of one kind.

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

    def without(words: Any, missing: tuple[str, ...]) -> Any:
        # a pattern and an empty column: to make Arrow values of Python's, pyarrow imports pandas
        is_missing = pc.match_substring_regex(words, f"^({'|'.join(map(re.escape, missing))})$")
        return pc.if_else(is_missing, pa.nulls(1, pa.string())[0], words)

    words = without(pc.utf8_trim_whitespace(texts), missing_words(role))
    for kind in _possible(allows_decimal_comma):
        fits = pc.match_substring_regex(words, f"^(?:{kind.pattern})$")
        if pc.all(fits, min_count=0).as_py():
            numbers = words if kind.decimal == "." else pc.replace_substring(words, ",", ".")
            if kind.is_integer:  # of which Arrow reads none with a plus
                numbers = pc.utf8_ltrim(numbers, "+")
            try:
                return numbers.cast(kind.arrow)
            except pa.ArrowInvalid:  # an integer outside the range of this type
                continue
    return without(texts, MISSING) if role == LABEL else texts


# -- the same in SQL -------------------------------------------------------------------------------

Ask = Callable[[str], Any]  # returns the answer to SQL as an Arrow table


def is_missing_sql(role: str, word: str) -> str:
    """Return the SQL of whether a word means "missing"."""
    words = "|".join(map(re.escape, missing_words(role)))
    return f"regexp_full_match({word}, '{_SPACE}(?:{words}){_SPACE}')"


def kind_of_words(words: str, role: str, ask: Ask, *, allows_decimal_comma: bool) -> Kind | None:
    """Return the kind of a column of words, or None if it is text; `interpret` in SQL.

    `words` is SQL for a table with one column ``word``.
    """
    kinds = _possible(allows_decimal_comma)
    is_missing = is_missing_sql(role, "word")
    tests = [
        f"bool_and(TRY_{kind.value_sql('word')} IS NOT NULL OR {is_missing})" for kind in kinds
    ]
    distinct = f"SELECT DISTINCT word FROM ({words}) WHERE word IS NOT NULL"
    answer = ask(f"SELECT {', '.join(tests)} FROM ({distinct})")
    fits = [column[0].as_py() is not False for column in answer.columns]  # no words: NULL
    return kinds[fits.index(True)] if any(fits) else None


def text_sql(role: str, word: str) -> str:
    """Return the SQL of the value of a word in a column that is text."""
    if role != LABEL:
        return word
    listed = ", ".join(f"'{one}'" for one in MISSING)
    return f"CASE WHEN {word} NOT IN ({listed}) THEN {word} END"
