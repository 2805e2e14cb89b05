"""Files that are too large for memory, as one lazy table of DuckDB.

Parquet is read where it lies. Text is read once, into a compact table in a folder of its own, which
is gone when the work is done, however it ends. What DuckDB cannot hold in the memory that it may
take goes into the same folder.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from rocwalk.errors import ColumnError, FileError, RocwalkError
from rocwalk.read.files import open_sources
from rocwalk.read.frames import LABEL, NUMBER, Name, Table
from rocwalk.read.lazy import LazySource, Progress, bytes_of
from rocwalk.read.sources import ParquetFile, Source, connect, interruptible, is_packed
from rocwalk.read.text import MISSING_NUMBER, Text, interpret

_BYTES_PER_ROW, _BYTES_PER_VALUE = 48, 16  # what reading and sorting in memory take


_TEXT_IN_MEMORY, _UNPACKED = 6, 5  # how much larger text is in memory, and gzip when unpacked


_MOST_TEXTS = 10_000  # distinct labels or groups that are looked at one by one


# a full disk, quota or limit; nothing is written but temporary files
_SIGNS_OF_NO_ROOM = ("No space left", "Could not write", "Disk quota", "File too large")


_ROWS_SHOWN = 3


_POLL_SECONDS = 0.05


_NOTHING = '"NULL"'  # the type of a column in which nothing is there, so any type will do


_INTEGER = "[+-]?(0|[1-9][0-9]*)"


_MARKS = ", ".join(f"'{mark}'" for mark in MISSING_NUMBER)


_GAPS = ", ".join(f"'{mark}'" for mark in MISSING_NUMBER if mark != "None")


# a word without the marks of what is missing, and a label that is text without them
_PLAIN = f"CASE WHEN trim({{0}}) NOT IN ({_GAPS}) THEN trim({{0}}) END"


_TEXT_LABEL = f"CASE WHEN {{0}} = '' OR {{0}} NOT IN ({_GAPS}) THEN {{0}} END"


def fits_memory(data: Any, columns: int, memory_limit: str | None) -> bool:
    """Whether files are small enough to be read into memory, with all that is done there."""
    budget = bytes_of(memory_limit)
    with connect() as connection:
        sources = open_sources(connection, data)
        return sum(_need(connection, one, columns) for one in sources) <= budget


def _need(connection: Any, source: Source, columns: int) -> float:
    if isinstance(source, ParquetFile):
        return need_of_rows(source.rows(connection), columns)
    size = source.path.stat().st_size * (_UNPACKED if is_packed(source.path) else 1)
    return size * _TEXT_IN_MEMORY


def need_of_rows(rows: int, columns: int) -> float:
    """Return about how many bytes rows take in memory, with all that is done there."""
    return float(rows * (_BYTES_PER_ROW + _BYTES_PER_VALUE * columns))


@contextmanager
def open_relation(
    data: Any, roles: Mapping[Name, str], memory_limit: str | None, progress: Progress | None
) -> Iterator[FileSource]:
    """Give files as one lazy table; nothing is left behind, whatever happens."""
    budget = int(bytes_of(memory_limit))
    folder = tempfile.mkdtemp(prefix="rocwalk-")
    try:
        with connect(memory_limit=f"{budget}B", folder=folder) as connection:
            sources = open_sources(connection, data)
            for source in sources:
                source.refuse_missing(roles)
            runner = _Runner(connection, sources, progress)
            yield runner.source(roles, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class FileSource(LazySource):
    """A lazy table of files that can also say where rows are."""

    runner: _Runner
    tables: tuple[str, ...]  # SQL with a column `row`, one for each file

    def where(self, name: Name, test: str) -> str:
        """Say where the first rows are whose value fails a test, in SQL about ``v``."""
        found: list[str] = []
        for place, table in enumerate(self.tables):
            # no WHERE: DuckDB skips parts of Parquet by statistics that leave out NaN
            wanted = f"min(CASE WHEN {test} THEN row END, {_ROWS_SHOWN - len(found)})"
            values = f"SELECT row, {self._value(name)} AS v FROM {table}"
            rows = self.runner.fetch(f"SELECT unnest({wanted}) AS row FROM ({values})")["row"]
            rows = rows.to_pylist()
            part = self.runner.sources[place].part(max(rows, default=0) + 1)
            found += [Table({}, "", (part,)).place(int(row)) for row in rows]
            if len(found) == _ROWS_SHOWN:
                break
        return f", first at {'; '.join(found)}" if found else ""

    def _value(self, name: Name) -> str:
        """Return the SQL of a column, with gaps for NaN."""
        column = self.column(name)
        is_float = self.frame.collect_schema()[column].is_float()
        return f"CASE WHEN NOT isnan({column}) THEN {column} END" if is_float else column


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
                f"{parquet[0].shown} is Parquet and {text[0].shown} is text.",
                "files larger than memory that are read together need one format.",
            )
        tables = self._scanned(parquet, roles) if parquet else self._staged(text, roles, folder)
        listed = ", ".join(f"v{i}" for i in range(len(roles)))
        union = " UNION ALL ".join(f"SELECT {listed} FROM {table}" for table in tables)
        with self._explaining():
            relation = self.connection.sql(union)
        frame = nw.from_native(relation)
        aliases = {name: f"v{i}" for i, name in enumerate(roles)}
        return FileSource(frame, self.collect, aliases, self, tuple(tables))

    def collect(self, frame: Any) -> Any:
        """Run a query in a thread, tell how far it is, and stop it at Ctrl-C."""
        return self._watched(lambda: frame.collect("pyarrow").to_native())

    def fetch(self, query: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Return the answer to SQL as an Arrow table."""
        given = dict(parameters or {})
        return self._watched(lambda: self.connection.sql(query, params=given).to_arrow_table())

    def execute(self, query: str, parameters: Mapping[str, Any]) -> None:
        """Run SQL that answers nothing."""
        self._watched(lambda: self.connection.execute(query, dict(parameters)))

    def _watched(self, work: Any) -> Any:
        answers: list[Any] = []
        failures: list[BaseException] = []

        def attempt() -> None:
            try:
                answers.append(work())
            except BaseException as error:  # noqa: BLE001  # raised again below, in the main thread
                failures.append(error)
            finally:
                ended.set()

        ended = threading.Event()  # until Python 3.13, Ctrl-C makes join() take a thread for ended
        thread = threading.Thread(target=attempt)
        try:
            thread.start()
            while not ended.wait(_POLL_SECONDS):
                self._tell()
        except BaseException:
            self._stop(thread, ended)
            raise
        with self._explaining():
            if failures:
                raise failures[0]
        return answers[0]

    def _stop(self, thread: threading.Thread, ended: threading.Event) -> None:
        """End a query and wait for that: a connection that is closed at work ends in a crash."""
        while thread.ident is not None and not ended.is_set():
            with suppress(KeyboardInterrupt):  # a second one does not make it quicker
                self.connection.interrupt()
                ended.wait(_POLL_SECONDS)

    def _tell(self) -> None:
        if self.progress is not None:
            percent = self.connection.query_progress()
            if percent >= 0:
                self.progress(round(percent), 100)

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Say in our words what went wrong in DuckDB."""
        import duckdb

        try:
            with interruptible():
                yield
        except duckdb.ConversionException:
            raise
        except duckdb.OutOfMemoryException as error:
            raise _no_room(str(error)) from None
        except duckdb.Error as error:
            if any(sign in str(error) for sign in _SIGNS_OF_NO_ROOM):
                raise _no_room(str(error)) from None
            raise self._blamed(str(error)) from None

    def _blamed(self, words: str) -> RocwalkError:
        """Return the error of the file that DuckDB names, else of the first with a fault."""
        named = [one for one in self.sources if str(one.path.absolute()) in words]
        return (named or list(self.sources))[0].explained(words)

    # -- Parquet -----------------------------------------------------------------------------

    def _scanned(self, sources: Sequence[ParquetFile], roles: Mapping[Name, str]) -> list[str]:
        """Return the SQL of each file, and refuse columns that change their type."""
        kinds: dict[Name, tuple[str, Source]] = {}
        tables = []
        for place, source in enumerate(sources):
            view = f"file{place}"
            columns = [f"{source.column('c{0}', n)} AS v{i}" for i, n in enumerate(roles)]
            with self._explaining():
                source.create_view(self.connection, view, columns)
                described = self.connection.sql(f"DESCRIBE {view}").fetchall()
            for name, (_, kind, *_) in zip(roles, described[1:], strict=True):
                if kind == _NOTHING:
                    continue
                first, other = kinds.setdefault(name, (kind, source))
                if _family(first) != _family(kind):
                    raise ColumnError(
                        f"Column {name!r} is of type {first} in {other.shown}, "
                        f"but {kind} in {source.shown}.",
                        "write the files with one type for each column.",
                    )
            tables.append(view)
        return tables

    # -- text --------------------------------------------------------------------------------

    def _staged(self, sources: Sequence[Text], roles: Mapping[Name, str], folder: str) -> list[str]:
        """Read text once into tables on disk, number columns as numbers."""
        with self._explaining():
            quoted = folder.replace("'", "''")
            self.connection.execute(f"ATTACH '{quoted}/staged.duckdb' AS staged")
        raw = []
        for place, source in enumerate(sources):
            raw.append(f"staged.file{place}")
            self._stage(source, roles, raw[-1])
        spelled = [self._spelling(place, roles, raw) for place in range(len(roles))]
        tables = []
        listed = ", ".join(column for column, _ in spelled)
        joins = " ".join(join for _, join in spelled)
        for place, table in enumerate(raw):
            with self._explaining():
                query = f"SELECT t.rowid AS row, {listed} FROM {table} AS t {joins}"
                self.connection.execute(f"CREATE VIEW file{place} AS {query}")
            tables.append(f"file{place}")
        return tables

    def _stage(self, source: Text, roles: Mapping[Name, str], table: str) -> None:
        import duckdb

        for form in source.number_forms:
            number = f"CAST({form} AS DOUBLE)"
            listed = ", ".join(
                f"{source.column(number if role == NUMBER else source.as_text, name)} AS v{i}"
                for i, (name, role) in enumerate(roles.items())
            )
            query = f"CREATE TABLE {table} AS SELECT {listed} FROM {source.scan}"
            try:
                self.execute(query, source.parameters_in(query))
            except duckdb.ConversionException:
                continue
            return
        raise source.not_a_number(self.connection, [n for n in roles if roles[n] == NUMBER])

    def _spelling(
        self, place: int, roles: Mapping[Name, str], tables: Sequence[str]
    ) -> tuple[str, str]:
        """Return the SQL of a column, and of the join that tells what its texts stand for."""
        import pyarrow as pa

        name, role = list(roles.items())[place]
        own, word = f"v{place}", f"words{place}"
        union = " UNION ALL ".join(f"SELECT {own} AS word FROM {table}" for table in tables)
        if role == NUMBER:
            kind = "HUGEINT" if self._is_huge_integer(name, union) else "DOUBLE"
            return f"CAST(t.{own} AS {kind}) AS {own}", ""
        words = self.fetch(f"SELECT DISTINCT word FROM ({union}) LIMIT {_MOST_TEXTS + 1}")["word"]
        sources = [one for one in self.sources if isinstance(one, Text)]
        is_written = all(source.is_written(self.connection, name) for source in sources)
        comma = all(source.allows_decimal_comma for source in sources)
        if len(words) > _MOST_TEXTS:
            many = self._many(union, role, comma=comma) if is_written else "{0}"
            return f"{many.format(f't.{own}')} AS {own}", ""
        texts = pa.chunked_array(words.chunks, pa.string())
        values = interpret(texts, role, allows_decimal_comma=comma) if is_written else texts
        self.connection.register(word, pa.table({"word": texts, "value": values}))
        return f"{word}.value AS {own}", f"LEFT JOIN {word} ON {word}.word = t.{own}"

    def _many(self, union: str, role: str, *, comma: bool) -> str:
        """Return the SQL with {0} for a word, one of very many, that tells what it stands for.

        It is what `interpret` says of a few.
        """
        ways = [f"CAST({_PLAIN} AS {kind})" for kind in ("BIGINT", "UBIGINT", "DOUBLE")]
        ways += [f"CAST(replace({_PLAIN}, ',', '.') AS DOUBLE)"]
        whole = f"coalesce(regexp_full_match({_PLAIN}, '{_INTEGER}'), true)"
        fits = [f"coalesce(TRY_{way} IS NOT NULL, false) OR {_PLAIN} IS NULL" for way in ways]
        tests = [f"bool_and({whole} AND ({fit}))" for fit in fits[:2]]
        tests += [f"bool_and({fit})" for fit in fits[2:]]
        tests += ["bool_or(regexp_matches(trim({0}), '^[+-]?0[0-9xX]'))", "bool_or({0} LIKE '%.%')"]
        listed = ", ".join(f"{test.format('word')} AS a{i}" for i, test in enumerate(tests))
        answer = self.fetch(f"SELECT {listed} FROM ({union})")
        *fine, has_codes, has_points = (column[0].as_py() for column in answer.columns)
        fine[-1] = fine[-1] and comma and not has_points
        text = _TEXT_LABEL if role == LABEL else "{0}"
        return text if has_codes or not any(fine) else ways[fine.index(True)]

    def _is_huge_integer(self, name: Name, union: str) -> bool:
        """Whether a column holds integers, some of which are too large for floats to tell apart."""
        ends = "min(word) FILTER (isfinite(word)) AS low, max(word) FILTER (isfinite(word)) AS high"
        low, high = (
            column[0].as_py() for column in self.fetch(f"SELECT {ends} FROM ({union})").columns
        )
        if low is None or max(-low, high) < 2.0**53 or low < -(2.0**63) or high >= 2.0**64:
            return False
        return all(self._is_integer(name, one) for one in self.sources if isinstance(one, Text))

    def _is_integer(self, name: Name, source: Text) -> bool:
        """Look again through a column of numbers for one that is not written as an integer."""
        written = source.column(source.as_text, name)
        fits = f"trim(word) IN ({_MARKS}) OR regexp_full_match(trim(word), '{_INTEGER}')"
        words = f"SELECT {written} AS word FROM {source.scan}"
        query = f"SELECT bool_and({fits}) AS fine FROM ({words})"
        return bool(self.fetch(query, source.parameters_in(query))["fine"][0].as_py())


def _family(kind: str) -> str:
    """Return what kind of values a type of DuckDB holds, so that files may differ in precision."""
    numbers = ("INT", "FLOAT", "DOUBLE", "DECIMAL")
    return "numbers" if any(word in kind for word in numbers) else kind


def _no_room(words: str) -> FileError:
    first = words.splitlines()[0].rstrip(". ")
    return FileError(
        f"There is not enough memory or disk for temporary files: {first}.",
        "raise memory_limit (--memory-limit), or let TMPDIR name a folder on a larger disk.",
    )
