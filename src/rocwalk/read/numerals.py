"""Numerals: which words of a text column are missing, and which are numbers or booleans.

`MISSING` and `kinds_of` are the only definition. A column becomes the first kind that all its words
are, save those that mean "missing"; a column that is of no kind stays text, so codes such as 007
stay codes, and a mixture of true and 1 is not guessed at. DuckDB matches the patterns (the
syntax is that of RE2): `kind_of_words` asks what the words of a column are, and
`interpret` does so for the distinct words of a column in memory.

A `Notation` says which signs stand before decimals and between thousands. Thousands are only read
where the user names their sign. A decimal comma may be a guess; then a column of words such as
1,000, each of which could mean a thousand, is not of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rocwalk.read.frames import LABEL, NUMBER, TEXT, objects, with_gaps
from rocwalk.typing import AnyArray

MISSING = ("NA", "N/A", "#N/A", "NULL", "null")

_SPACE = r"[\s\v\x1c-\x1f\x85\pZ]*"
_WHOLE = "(?:0|[1-9][0-9]*)"
_WORDS = "[+-]?(?i:inf|infinity|nan)"
_EXPONENT = "(?:[eE][+-]?[0-9]+)?"
COULD_BE_THOUSANDS = "[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+"  # commas that may be no decimal signs

# the signs that may stand between thousands, and the patterns that they are found by
THOUSANDS = {
    ",": ",",
    ".": r"\.",
    " ": r"[ \x{00A0}\x{2009}\x{202F}]",
    "'": r"['\x{2019}]",
    "_": "_",
}


@dataclass(frozen=True, slots=True)
class Notation:
    """How numbers are written: the sign before decimals, and that between thousands, if any.

    `is_guess`: commas are taken for decimal signs because nothing else fits.
    """

    decimal: str = "."
    thousands: str = ""
    is_guess: bool = False

    @property
    def whole(self) -> str:
        """The pattern of a whole number without a sign; leading zeros make a code of it."""
        if not self.thousands:
            return _WHOLE
        return f"(?:{_WHOLE}|[1-9][0-9]{{0,2}}(?:{THOUSANDS[self.thousands]}[0-9]{{3}})+)"

    @property
    def fraction(self) -> str:
        """The pattern of a number that is not whole, or that is no finite number."""
        sign = re.escape(self.decimal)
        number = rf"[+-]?(?:{self.whole}(?:{sign}[0-9]*)?|{sign}[0-9]+){_EXPONENT}"
        return f"{number}|{_WORDS}"

    def plain_sql(self, word: str) -> str:
        """Return the SQL of a word as SQL writes numbers: without thousands, with a point."""
        sign = THOUSANDS.get(self.thousands, "").replace("'", "''")
        plain = f"regexp_replace({word}, '{sign}', '', 'g')" if sign else word
        return plain if self.decimal == "." else f"replace({plain}, '{self.decimal}', '.')"

    def number_sql(self, word: str) -> str:
        """Return the SQL of a word of a column of numbers, which DuckDB can cast if it is one.

        Other than in labels, zeros may lead. DuckDB itself would leave out underscores (0_5 is 5).
        """
        if not self.thousands:
            plain = f"CASE WHEN contains({word}, '_') THEN '_' ELSE {word} END"
            return plain if self.decimal == "." else f"translate({plain}, ',.', '.,')"
        sign, inner = THOUSANDS[self.thousands].replace("'", "''"), f"trim({word}, ' \t\u00a0')"
        decimal = re.escape(self.decimal)
        grouped = f"[+-]?[0-9]{{1,3}}(?:{sign}[0-9]{{3}})+(?:{decimal}[0-9]*)?{_EXPONENT}"
        ungrouped = replace(self, thousands="").number_sql(inner)
        return (
            f"CASE WHEN NOT regexp_matches({inner}, '{sign}') THEN {ungrouped} "
            f"WHEN regexp_full_match({inner}, '{grouped}') THEN {self.plain_sql(inner)} "
            "ELSE '_' END"
        )


POINT = Notation()
COMMA = Notation(",", is_guess=True)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a column of words may be: the pattern of such a word, and the type of the values."""

    pattern: str
    sql: str
    notation: Notation = POINT
    is_integer: bool = False

    def number_sql(self, word: str) -> str:
        """Return the SQL of the plain numeral in a word, NULL if there is none."""
        pattern = f"^{_SPACE}({self.pattern}){_SPACE}$".replace("'", "''")
        return self.notation.plain_sql(f"nullif(regexp_extract({word}, '{pattern}', 1), '')")

    def value_sql(self, word: str) -> str:
        """Return the SQL of the value of a word, NULL if it is missing."""
        return f"CAST({self.number_sql(word)} AS {self.sql})"


def kinds_of(notations: Sequence[Notation]) -> tuple[Kind, ...]:
    """Return the kinds that a column may be where numbers have one of these notations."""
    integer = f"[+-]?{notations[0].whole}"
    return (
        Kind(integer, "BIGINT", notations[0], is_integer=True),
        Kind(integer, "UBIGINT", notations[0], is_integer=True),
        *(Kind(one.fraction, "DOUBLE", one) for one in notations),
        Kind("(?i:true|false)", "BOOLEAN"),
    )


def missing_words(role: str) -> tuple[str, ...]:
    """Return the words that mean "missing" in a column that becomes numbers or booleans.

    >>> missing_words("label")
    ('', 'NA', 'N/A', '#N/A', 'NULL', 'null')
    """
    return ("", *MISSING, "None") if role == NUMBER else ("", *MISSING)


# -- in SQL ----------------------------------------------------------------------------------------

Ask = Callable[[str], list[AnyArray]]  # returns the columns of SQL


def is_missing_sql(role: str, word: str) -> str:
    """Return the SQL of whether a word means "missing"."""
    words = "|".join(map(re.escape, missing_words(role)))
    return f"regexp_full_match({word}, '{_SPACE}(?:{words}){_SPACE}')"


def is_decimal_sql(word: str) -> str:
    """Return the SQL of whether a number has a comma that cannot stand between thousands."""
    pattern = f"{_SPACE}{COULD_BE_THOUSANDS}{_SPACE}"
    return f"contains({word}, ',') AND NOT regexp_full_match({word}, '{pattern}')"


def kind_of_words(
    words: str, role: str, ask: Ask, notations: Sequence[Notation] = (POINT,)
) -> Kind | None:
    """Return the kind of a column of words, or None if it is text.

    `words` is SQL for a table with one column ``word``.
    """
    kinds = kinds_of(notations)
    is_missing = is_missing_sql(role, "word")
    tests = []
    for kind in kinds:
        test = f"bool_and(TRY_{kind.value_sql('word')} IS NOT NULL OR {is_missing})"
        sure = f" AND bool_or({is_decimal_sql('word')})" if kind.notation.is_guess else ""
        tests.append(test + sure)
    distinct = f"SELECT DISTINCT word FROM ({words}) WHERE word IS NOT NULL"
    answer = ask(f"SELECT {', '.join(tests)} FROM ({distinct})")
    fits = [column[0] is None or bool(column[0]) for column in answer]  # no words: NULL
    return kinds[fits.index(True)] if any(fits) else None


def text_sql(role: str, word: str) -> str:
    """Return the SQL of the value of a word in a column that is text."""
    if role != LABEL:
        return word
    listed = ", ".join(f"'{one}'" for one in MISSING)
    return f"CASE WHEN {word} NOT IN ({listed}) THEN {word} END"


# -- in memory -------------------------------------------------------------------------------------

WORDS = "SELECT word FROM words"  # the SQL of the words that `interpret` asks about

AskWords = Callable[[Sequence[str], str], list[AnyArray]]  # the columns of SQL about these words


def interpret(
    texts: AnyArray, role: str, ask: AskWords, notations: Sequence[Notation] = (POINT,)
) -> tuple[AnyArray, str]:
    """Return a column of text, as numbers or booleans if all of it is of one kind, and its type.

    >>> from rocwalk.read.files import asking_words
    >>> from rocwalk.read.sources import connect
    >>> ask = asking_words(connect())
    >>> interpret(np.array(["1", "NA"], dtype=object), "label", ask)
    (array([1, None], dtype=object), 'BIGINT')
    >>> interpret(np.array(["007", "NA"], dtype=object), "group", ask)
    (array(['007', 'NA'], dtype=object), 'VARCHAR')
    >>> interpret(np.array(["true", "1"], dtype=object), "label", ask)
    (array(['true', '1'], dtype=object), 'VARCHAR')
    >>> interpret(np.array(["12e4", "17"], dtype=object), "text", ask)
    (array(['12e4', '17'], dtype=object), 'VARCHAR')
    """
    if role == TEXT:
        return texts, "VARCHAR"
    listed = texts.tolist()
    places = {word: place for place, word in enumerate(dict.fromkeys(listed))}
    words = [word for word in places if word is not None]
    kind = kind_of_words(WORDS, role, lambda query: ask(words, query), notations)
    if kind is None:
        missing = dict.fromkeys(MISSING) if role == LABEL else {}
        return objects([missing.get(word, word) for word in listed]), "VARCHAR"
    (values,) = ask(words, f"SELECT {kind.value_sql('word')} FROM ({WORDS})")
    if None in places:
        values = np.insert(values, places[None], values[0]) if words else np.zeros(1)
        values = with_gaps(values, np.arange(len(values)) == places[None])
    codes = np.fromiter(map(places.__getitem__, listed), np.intp, len(listed))
    return values[codes] if words else objects([None] * len(listed)), kind.sql
