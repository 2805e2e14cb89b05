"""Text: what the formats share in which numbers are written out, and rows stand on lines.

DuckDB turns number columns into floats while it reads. The other columns come as text; what they
stand for is seen only when all files are read.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rocwalk.errors import ColumnError, FileError, RocwalkError
from rocwalk.intake.frames import NUMBER, Name, Part, Table
from rocwalk.intake.numerals import interpret
from rocwalk.intake.source import Piece, Source

_EXACT_INTEGER = 2.0**53


@dataclass(frozen=True, slots=True)
class Text(Source):
    """A file of text, and the SQL for a column of it, with {0} for the column's position."""

    as_text: ClassVar[str]  # the value as text
    as_number: ClassVar[str]  # what must be a number, or NULL where it is missing

    @property
    def number_forms(self) -> tuple[str, ...]:
        """The SQL for all ways to read a number; the first that all numbers allow is taken."""
        return (self.as_number,)

    @abstractmethod
    def is_written(self, connection: Any, name: Name) -> bool:
        """Whether text in the column may stand for numbers; it may not if it is in quotes."""

    @abstractmethod
    def line_of(self, row: int) -> int:
        """Return the line on which a row begins, counted from 1."""

    def part(self, rows: int) -> Part:
        """Return the rows of this file, which have lines, as a part of a table."""
        return Part(self.shown, rows, self.line_of)

    def pieces(self, connection: Any, roles: Mapping[Name, str]) -> dict[Name, Piece]:
        """Read the columns, the number columns as numbers."""
        fetched = self._fetch_columns(connection, roles)
        return {
            name: self._piece(connection, name, roles[name], values)
            for name, values in zip(roles, fetched, strict=True)
        }

    def _piece(self, connection: Any, name: Name, role: str, values: Any) -> Piece:
        if role == NUMBER:
            return Piece(self, self._exact(connection, name, values))
        return Piece(self, values, self.is_written(connection, name))

    def _fetch_columns(self, connection: Any, roles: Mapping[Name, str]) -> list[Any]:
        """Fetch the columns, the number columns as floats in the first form that all allow."""
        import duckdb

        for form in self.number_forms:
            number = f"CAST({form} AS DOUBLE)"
            selected = [
                self.column(number if role == NUMBER else self.as_text, name)
                for name, role in roles.items()
            ]
            try:
                return self.fetch(connection, selected)
            except duckdb.ConversionException:
                continue
        raise self.not_a_number(connection, [name for name in roles if roles[name] == NUMBER])

    def _exact(self, connection: Any, name: Name, floats: Any) -> Any:
        """Return integers where floats would make unequal ones equal."""
        import pyarrow as pa
        import pyarrow.compute as pc

        extremes = [value for value in pc.min_max(floats).as_py().values() if value is not None]
        if max(map(abs, extremes), default=0.0) < _EXACT_INTEGER:
            return floats
        texts = self.fetch(connection, [self.column(self.as_text, name)])[0]
        values = interpret(texts, NUMBER, allows_decimal_comma=self.allows_decimal_comma)
        return values if pa.types.is_integer(values.type) else floats

    def not_a_number(self, connection: Any, names: Sequence[Name]) -> RocwalkError:
        """Return the error for the first value that is no number; a second look at the file."""
        # first what is no number in any form, then what is none in the plain form
        for forms in (self.number_forms, (self.as_number,)):
            reads = [f"TRY_CAST({form} AS DOUBLE) IS NOT NULL" for form in forms]
            is_fine = f"({self.as_number}) IS NULL OR {' OR '.join(reads)}"
            for name in names:
                selected = [self.column(self.as_text, name), self.column(is_fine, name)]
                texts, fine = self.fetch(connection, selected)
                rows = np.flatnonzero(texts.is_valid().to_numpy() & ~fine.to_numpy()).tolist()
                if rows:
                    return self._number_words(name, rows, texts[rows[0]].as_py())
        return FileError(f"The file {self.shown} changed while it was read.", "read it again.")

    def _number_words(self, name: Name, rows: Sequence[int], value: str) -> ColumnError:
        place = Table({}, self.shown, (self.part(rows[0] + 1),)).place(rows[0])
        count = f" (the first of {len(rows):,})" if len(rows) > 1 else ""
        hint = "write a number, or leave the value empty if it is missing."
        if "," in value:
            hint = (
                "decimals are 0.75, or 0,75 in all columns of a file that is separated by ';' or "
                "tabs; there are no signs between thousands."
            )
        return ColumnError(f"Column {name!r} at {place}{count} is {value!r}, not a number.", hint)
