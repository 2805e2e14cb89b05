"""Relations: files that are too large for memory, as one lazy table of DuckDB.

Parquet is read where it is. Text is read once, into a compact table in a folder of its own, which
is removed when the work is done, however it ends. What DuckDB cannot hold in the memory that it may
take goes into the same folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

from rocwalk.errors import FileError
from rocwalk.errors import Text as Words
from rocwalk.read.files import Files
from rocwalk.read.frames import NUMBER, TEXT, Name, Table
from rocwalk.read.labels import EXACT_INTEGERS
from rocwalk.read.lazy import LazySource, Progress, bytes_of, need_of_rows
from rocwalk.read.numerals import kind_of_words, text_sql
from rocwalk.read.sources import (
    ParquetFile,
    Runner,
    Source,
    connect,
    family,
    packing,
    unlike_types,
)
from rocwalk.read.text import Text, kinds_of_inexact_integers, shared_notations
from rocwalk.writing import temporary_folder

_TEXT_IN_MEMORY, _UNPACKED = 6, 5  # how much larger text is in memory, and gzip when unpacked


def fits_memory(files: Files, columns: int, memory_limit: str | None) -> bool:
    """Whether files are small enough to be read into memory, with all that is done there."""
    budget, needed = bytes_of(memory_limit), 0.0
    for source in files.sources:
        if isinstance(source, ParquetFile):
            needed += need_of_rows(source.rows(files.connection()), columns)
        else:
            size = source.path.stat().st_size * (_UNPACKED if packing(source.path) else 1)
            needed += size * _TEXT_IN_MEMORY
    return needed <= budget


@contextmanager
def open_relation(
    files: Files, roles: Mapping[Name, str], memory_limit: str | None, progress: Progress | None
) -> Iterator[FileSource]:
    """Give open files as one lazy table; temporary files are removed in any case."""
    budget = int(bytes_of(memory_limit))
    for source in files.sources:
        source.refuse_missing(roles)
    with (
        temporary_folder() as folder,
        connect(memory_limit=f"{budget}B", folder=str(folder)) as connection,
    ):
        yield files.read(
            lambda sources: _Runner.of(connection, sources, progress).source(roles, str(folder))
        )
    files.refuse_changed()


_ROWS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class FileSource(LazySource):
    """A lazy table of files that can also say where rows are."""

    runner: _Runner
    tables: tuple[str, ...]  # SQL with a column `row`, one for each file

    def where(self, name: Name, test: str) -> Words:
        """Return where the first rows are whose value fails a test, in SQL about ``v``."""
        column = self.column(name)
        found: list[Words] = []
        if self.frame.collect_schema()[column].is_float():
            column = f"CASE WHEN NOT isnan({column}) THEN {column} END"  # NaN counts as missing
        for place, table in enumerate(self.tables):
            # no WHERE: DuckDB skips parts of Parquet by statistics that leave out NaN
            wanted = f"min(CASE WHEN {test} THEN row END, {_ROWS_SHOWN - len(found)})"
            values = f"SELECT row, {column} AS v FROM {table}"
            rows = self.runner.fetch(f"SELECT unnest({wanted}) AS row FROM ({values})")[0]
            part = self.runner.sources[place].part(int(max(rows, default=0)) + 1)
            found += [Table({}, "", (part,)).place(int(row)) for row in rows]
            if len(found) == _ROWS_SHOWN:
                break
        listed = [part for place in found for part in ("; ", place)][1:]
        return (", first at ", *listed) if found else ""


_FEW_WORDS = 10_000  # so many distinct words are interpreted once, more of them row by row


@dataclass(frozen=True, slots=True)
class _Runner(Runner):
    """A connection to DuckDB that reads files."""

    sources: Sequence[Source] = ()

    @classmethod
    def of(cls, connection: Any, sources: Sequence[Source], progress: Progress | None) -> Self:
        """Return the runner whose errors are those of the file that DuckDB names, if it does."""

        def explain(words: str) -> FileError:
            named = [one for one in sources if str(one.read_path.absolute()) in words]
            return (named or list(sources))[0].explained(words)

        return cls(connection, explain, progress, sources)

    def source(self, roles: Mapping[Name, str], folder: str) -> FileSource:
        import narwhals.stable.v2 as nw

        parquet = [one for one in self.sources if isinstance(one, ParquetFile)]
        text = [one for one in self.sources if isinstance(one, Text)]
        if parquet and text:
            raise FileError(
                (parquet[0].file, " is Parquet and ", text[0].file, " is text."),
                "files larger than memory that are read together need one format.",
            )
        tables = self._scanned(parquet, roles) if parquet else self._staged(text, roles, folder)
        listed = ", ".join(f"v{i}" for i in range(len(roles)))
        union = " UNION ALL ".join(f"SELECT {listed} FROM {table}" for table in tables)
        with self.explaining():
            relation = self.connection.sql(union)
        frame = nw.from_native(relation)
        aliases = {name: f"v{i}" for i, name in enumerate(roles)}
        return FileSource(frame, aliases, self.collect, self, tuple(tables))

    def _scanned(self, sources: Sequence[ParquetFile], roles: Mapping[Name, str]) -> list[str]:
        """Return a view of each Parquet file, and refuse columns that change their type."""
        kinds: dict[Name, tuple[str, Source]] = {}
        tables = []
        for place, source in enumerate(sources):
            view = f"file{place}"
            columns = [
                f"{self._partition(sources, source, name, role)} AS v{i}"
                if name in source.partitions
                else f"{source.column('c{0}', name)} AS v{i}"
                for i, (name, role) in enumerate(roles.items())
            ]
            with self.explaining():
                source.create_view(self.connection, view, columns)
                described = self.connection.sql(f"DESCRIBE {view}").fetchall()
            for name, (_, kind, *_) in zip(roles, described[1:], strict=True):
                if kind == '"NULL"':  # nothing is there, so any type will do
                    continue
                first = kinds.setdefault(name, (kind, source))
                if family(first[0]) != family(kind):
                    raise unlike_types(name, first, (kind, source))
            tables.append(view)
        return tables

    def _partition(
        self, sources: Sequence[ParquetFile], source: ParquetFile, name: Name, role: str
    ) -> str:
        """Return the SQL of a column that a folder stands for, in the type of all its values."""
        word = f"CAST({source.partition_sql(name)} AS VARCHAR)"
        if role == TEXT:
            return word
        known = sorted(
            {
                f"SELECT CAST({one.partition_sql(name)} AS VARCHAR) AS word"
                for one in sources
                if name in one.partitions
            }
        )
        kind = kind_of_words(" UNION ALL ".join(known), role, self.fetch)
        return text_sql(role, word) if kind is None else kind.value_sql(word)

    def _staged(self, sources: Sequence[Text], roles: Mapping[Name, str], folder: str) -> list[str]:
        """Read text once into tables on disk, and return a view of each with typed columns."""
        with self.explaining():
            quoted = folder.replace("'", "''")
            self.connection.execute(f"ATTACH IF NOT EXISTS '{quoted}/staged.duckdb' AS staged")
        staged = []
        for place, source in enumerate(sources):
            table = f"staged.file{place}"

            def stage(columns: list[str], source: Text = source, table: str = table) -> None:
                listed = ", ".join(f"{column} AS v{i}" for i, column in enumerate(columns))
                query = f"CREATE OR REPLACE TABLE {table} AS SELECT {listed} FROM {source.scan}"
                self.execute(query, source.parameters_in(query))

            source.in_number_form(self.connection, roles, stage)
            staged.append(table)
        typed = [self._typed(sources, staged, roles, place) for place in range(len(roles))]
        listed = ", ".join(f"{value} AS v{place}" for place, (value, _) in enumerate(typed))
        joins = " ".join(join for _, join in typed)
        for place, table in enumerate(staged):
            with self.explaining():
                query = f"SELECT t.rowid AS row, {listed} FROM {table} AS t {joins}"
                self.connection.execute(f"CREATE OR REPLACE VIEW file{place} AS {query}")
        return [f"file{place}" for place in range(len(staged))]

    def _typed(
        self, sources: Sequence[Text], tables: Sequence[str], roles: Mapping[Name, str], place: int
    ) -> tuple[str, str]:
        """Return the SQL of a column in the type of its words, and of the join that it needs."""
        name, role = list(roles.items())[place]
        own = f"t.v{place}"
        words = " UNION ALL ".join(f"SELECT v{place} AS word FROM {table}" for table in tables)
        if role == NUMBER:
            ends = "min(word) FILTER (isfinite(word)), max(word) FILTER (isfinite(word))"
            answer = self.fetch(f"SELECT {ends} FROM ({words})")
            low, high = (float(column[0]) for column in answer)  # NaN if there is none
            kinds = None
            if max(-low, high) >= EXACT_INTEGERS:
                kinds = kinds_of_inexact_integers(
                    sources, name, lambda one, query: self.fetch(query, one.parameters_in(query))
                )
            return f"CAST({own} AS {'DOUBLE' if kinds is None else 'HUGEINT'})", ""
        if not all(source.is_written(self.connection, name) for source in sources):
            return own, ""
        kind = kind_of_words(words, role, self.fetch, shared_notations(sources))
        if kind is None:
            return text_sql(role, own), ""
        few = f"SELECT DISTINCT word FROM ({words}) LIMIT {_FEW_WORDS + 1}"
        if self.fetch(f"SELECT count(*) AS n FROM ({few})")[0][0] > _FEW_WORDS:
            return kind.value_sql(own), ""
        known = f"words{place}"
        query = f"SELECT word, {kind.value_sql('word')} AS value FROM ({few})"
        self.execute(f"CREATE OR REPLACE TABLE staged.{known} AS {query}", {})
        return f"{known}.value", f"LEFT JOIN staged.{known} AS {known} ON {known}.word = {own}"
