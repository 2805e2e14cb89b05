"""Relations: files that are too large for memory, as one lazy table of DuckDB.

Parquet is read where it is. Text is read once, into a compact table in a folder of its own, which
is removed when the work is done, however it ends. What DuckDB cannot hold in the memory that it may
take goes into the same folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rocwalk.errors import FileError
from rocwalk.errors import Text as Words
from rocwalk.read.files import open_files
from rocwalk.read.frames import NUMBER, Name, Table
from rocwalk.read.labels import EXACT_INTEGERS
from rocwalk.read.lazy import LazySource, Progress, bytes_of
from rocwalk.read.numerals import kind_of_words, text_sql
from rocwalk.read.sources import (
    Answer,
    ParquetFile,
    Source,
    columns_of,
    connect,
    family,
    interruptible,
    is_packed,
    refuse_no_room,
    unlike_types,
    watched,
)
from rocwalk.read.text import Text, kinds_of_inexact_integers, shared_notations
from rocwalk.typing import AnyArray
from rocwalk.writing import temporary_folder

_BYTES_PER_ROW, _BYTES_PER_VALUE = 48, 16  # what reading and sorting in memory take
_TEXT_IN_MEMORY, _UNPACKED = 6, 5  # how much larger text is in memory, and gzip when unpacked


def fits_memory(data: Any, columns: int, memory_limit: str | None) -> bool:
    """Whether files are small enough to be read into memory, with all that is done there."""
    budget, needed = bytes_of(memory_limit), 0.0
    with open_files(data) as files:
        for source in files.sources:
            if isinstance(source, ParquetFile):
                needed += need_of_rows(source.rows(files.connection()), columns)
            else:
                size = source.path.stat().st_size * (_UNPACKED if is_packed(source.path) else 1)
                needed += size * _TEXT_IN_MEMORY
    return needed <= budget


def need_of_rows(rows: int, columns: int) -> float:
    """Return about how many bytes rows take in memory, with all that is done there."""
    return float(rows * (_BYTES_PER_ROW + _BYTES_PER_VALUE * columns))


@contextmanager
def open_relation(
    data: Any, roles: Mapping[Name, str], memory_limit: str | None, progress: Progress | None
) -> Iterator[FileSource]:
    """Open files as one lazy table; temporary files are removed in any case."""
    budget = int(bytes_of(memory_limit))
    with open_files(data) as files:
        for source in files.sources:
            source.refuse_missing(roles)
        with (
            temporary_folder() as folder,
            connect(memory_limit=f"{budget}B", folder=str(folder)) as connection,
        ):
            yield files.read(
                lambda sources: _Runner(connection, sources, progress).source(roles, str(folder))
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
class _Runner:
    """A connection to DuckDB that reports its progress, and stops when the user does."""

    connection: Any
    sources: Sequence[Source]
    progress: Progress | None

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
        with self._explaining():
            relation = self.connection.sql(union)
        frame = nw.from_native(relation)
        aliases = {name: f"v{i}" for i, name in enumerate(roles)}
        return FileSource(frame, aliases, self.collect, self, tuple(tables))

    def collect(self, frame: Any) -> dict[str, AnyArray]:
        """Run a query in a thread, tell how far it is, and stop it at Ctrl-C."""
        relation = frame.to_native()
        columns = self._watched(lambda: columns_of(relation))
        return dict(zip(relation.columns, columns, strict=True))

    def fetch(self, query: str, parameters: Mapping[str, Any] | None = None) -> list[AnyArray]:
        """Return the columns of SQL."""
        given = dict(parameters or {})
        return self._watched(lambda: columns_of(self.connection.sql(query, params=given)))

    def execute(self, query: str, parameters: Mapping[str, Any]) -> None:
        """Run SQL that answers nothing."""
        self._watched(lambda: self.connection.execute(query, dict(parameters)))

    def _watched(self, work: Callable[[], Answer]) -> Answer:
        with self._explaining():
            return watched(self.connection, work, self._tell)

    def _tell(self) -> None:
        if self.progress is not None:
            percent = self.connection.query_progress()
            if percent >= 0:
                self.progress(round(percent), 100)

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Turn errors of DuckDB into ours; that of a file which it names, if there is one."""
        import duckdb

        try:
            with interruptible():
                yield
        except duckdb.ConversionException:
            raise
        except duckdb.Error as error:
            refuse_no_room(error)
            words = str(error)
            named = [one for one in self.sources if str(one.read_path.absolute()) in words]
            raise (named or list(self.sources))[0].explained(words) from None

    def _scanned(self, sources: Sequence[ParquetFile], roles: Mapping[Name, str]) -> list[str]:
        """Return a view of each Parquet file, and refuse columns that change their type."""
        kinds: dict[Name, tuple[str, Source]] = {}
        tables = []
        for place, source in enumerate(sources):
            view = f"file{place}"
            columns = [f"{source.column('c{0}', n)} AS v{i}" for i, n in enumerate(roles)]
            with self._explaining():
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

    def _staged(self, sources: Sequence[Text], roles: Mapping[Name, str], folder: str) -> list[str]:
        """Read text once into tables on disk, and return a view of each with typed columns."""
        with self._explaining():
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
            with self._explaining():
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
