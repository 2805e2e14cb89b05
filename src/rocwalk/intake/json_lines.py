"""JSON lines: one object on each line, whose keys are the columns.

Each line is taken apart by JSON pointers, which unlike DuckDB's columns mind the case of a name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self

from rocwalk.errors import ColumnError, FileError
from rocwalk.intake.frames import Name, refuse_duplicates
from rocwalk.intake.paths import READ_ERRORS, open_bytes, unreadable
from rocwalk.intake.text import Text


@dataclass(frozen=True, slots=True)
class JsonLines(Text):
    """A file of JSON lines; $k0, $k1, … are the pointers of its columns."""

    as_text: ClassVar[str] = "json_extract_string(json, $k{0})"
    as_number: ClassVar[str] = "json_extract(json, $k{0})"

    @classmethod
    def from_path(cls, connection: Any, path: Path) -> Self:
        """Collect the keys of all lines."""
        nameless = cls(path, ())
        return replace(nameless, names=nameless._keys(connection))

    @property
    def scan(self) -> str:
        """The SQL that stands after FROM."""
        return "read_ndjson_objects($path, compression=$compression, hive_partitioning=false)"

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of the $parameters."""
        return {f"k{i}": _pointer(name) for i, name in enumerate(self.names)}

    def is_written(self, connection: Any, name: Name) -> bool:
        """Whether the values are numbers or booleans, not text in quotes; a mixture is refused."""
        kind = self.column("json_type(json, $k{0})", name)
        found = self.fetch(connection, [kind], tail="GROUP BY ALL")[0].to_pylist()
        kinds = sorted(set(found) - {None, "NULL"})
        if "OBJECT" in kinds or "ARRAY" in kinds or (len(kinds) > 1 and "VARCHAR" in kinds):
            raise ColumnError(
                f"Column {name!r} of {self.shown} mixes values of unlike types: "
                f"{', '.join(kinds)}.",
                "write text, numbers or booleans throughout the column.",
            )
        return kinds != ["VARCHAR"]

    def line_of(self, row: int) -> int:
        """Return the line on which a row stands; blank lines are no rows."""
        with open_bytes(self.path) as file:
            filled = (line for line, content in enumerate(file, start=1) if content.strip())
            return next(islice(filled, row, None))

    def fault(self) -> FileError | None:
        """Look for the line that cannot be read."""
        try:
            with open_bytes(self.path) as file:
                for line, content in enumerate(file, start=1):
                    if content.strip() and not _is_object(content):
                        return FileError(
                            f"Line {line} of {self.shown} is not a JSON object in UTF-8.",
                            'each line holds one object, such as {"label": 1, "score": 0.75}.',
                        )
        except READ_ERRORS as error:
            return unreadable(self.path, error)
        return None

    def _keys(self, connection: Any) -> tuple[str, ...]:
        """Return the keys of all lines: those of the first in their order, then the others."""
        first = self.fetch(connection, ["json_keys(json)"], tail="LIMIT 1")[0].to_pylist()
        selected = ["json_type(json)", "json_keys(json)"]
        kinds, keys = self.fetch(connection, selected, tail="GROUP BY ALL")
        if set(kinds.to_pylist()) - {"OBJECT"}:
            raise self.explained("a line is not an object")
        distinct = sorted(keys.to_pylist())
        for one in distinct:
            refuse_duplicates(one, f"a line of {self.shown}")
        return tuple(dict.fromkeys(name for one in (*first, *distinct) for name in one))


def _pointer(name: str) -> str:
    """Return the JSON pointer of a key (RFC 6901).

    >>> _pointer("a/b~c")
    '/a~1b~0c'
    """
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _is_object(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content.decode("utf-8")), dict)
    except ValueError:
        return False
