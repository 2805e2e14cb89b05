"""Tables and queries of PostgreSQL, grouped there.

The expressions of `rocwalk.read.grouping` become SQL by Ibis, which needs no connection for that;
psycopg sends it. All that is read is of one snapshot, in a transaction that cannot write. Rows that
are needed in memory come in batches, by a cursor of the server.

No address is shown, and what the driver says is searched for the secrets in it; an error of the
driver is never in the chain of ours, because it may quote the address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from rocwalk.errors import File, FileError, Option, OptionError, optional
from rocwalk.read.addresses import DataSource, shown_address, without_secrets
from rocwalk.read.duck_tables import ROWS_A_BATCH, failed_query, quoted
from rocwalk.read.frames import Name, Opened, Table, objects, refuse_duplicates, with_gaps
from rocwalk.read.lazy import LazySource, Progress, bytes_of, need_of_rows
from rocwalk.read.queries import note_query
from rocwalk.texts import nearest, shown
from rocwalk.typing import AnyArray

Answer = TypeVar("Answer")

_ROWS = "rocwalk_rows"  # stands for the table in what Ibis writes
_PATIENCE = 15  # seconds to wait for a connection

# the numbers of PostgreSQL's types, and what they are to Ibis; anything else is read as text
_TYPES = {
    16: "boolean",
    20: "int64",
    21: "int16",
    23: "int32",
    700: "float32",
    701: "float64",
    1082: "date",
    1114: "timestamp",
    1184: "timestamp('UTC')",
    1700: "decimal",
    18: "string",
    19: "string",
    25: "string",
    1042: "string",
    1043: "string",
}
_TEXT = "string"


@dataclass(eq=False)
class PostgresTable(Opened):
    """A table of PostgreSQL, or the answer of a query, in an open transaction."""

    address: str
    given: DataSource
    connection: Any
    scan: str  # the SQL that stands after FROM
    kinds: Mapping[str, str]  # the types of the columns
    origin: str | File
    stays: bool = field(default=True, init=False)

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.kinds)

    def select(self, wanted: Sequence[Name]) -> str:
        """Return the SQL of columns under plain names."""
        cast = {name: "::text" if self.kinds[str(name)] == "other" else "" for name in wanted}
        listed = [f"{quoted(name)}{cast[name]} AS v{k}" for k, name in enumerate(wanted)]
        return f"SELECT {', '.join(listed)} FROM {self.scan}"

    def table(self, roles: Mapping[Name, str]) -> Table:
        """Fetch columns in batches."""
        columns = self.fetch(self.select(list(roles))) if roles else {}
        return Table(dict(zip(roles, columns.values(), strict=True)), self.origin)

    def is_large(self, roles: Mapping[Name, str], memory_limit: str | None) -> bool:
        """Whether the columns need more memory than the limit."""
        (count,) = self.fetch(f"SELECT count(*) AS n FROM {self.scan}").values()
        return need_of_rows(int(count[0]), len(roles)) > bytes_of(memory_limit)

    @contextmanager
    def lazily(
        self,
        roles: Mapping[Name, str],
        memory_limit: str | None,  # noqa: ARG002  # the server has limits of its own
        progress: Progress | None,  # noqa: ARG002
    ) -> Iterator[LazySource]:
        """Give the columns as a lazy table that PostgreSQL groups."""
        import narwhals.stable.v2 as nw

        ibis = _ibis()
        wanted = list(dict.fromkeys(roles))
        kinds = [self.kinds[str(name)] for name in wanted]
        schema = {f"v{k}": _TEXT if kind == "other" else kind for k, kind in enumerate(kinds)}
        rows = ibis.table(schema, name=_ROWS)
        inner = f"(\n{self.select(wanted)}\n)"

        def run(frame: Any) -> dict[str, AnyArray]:
            query = str(ibis.to_sql(frame.to_native(), dialect="postgres"))
            return self.fetch(query.replace(quoted(_ROWS), inner))

        called = {name: f"v{k}" for k, name in enumerate(wanted)}
        yield LazySource(nw.from_native(rows), called, run, nan_is_greatest=True)

    def fetch(self, query: str) -> dict[str, AnyArray]:
        """Return the columns of a query, which come in batches."""
        note_query(query)

        def work() -> dict[str, AnyArray]:
            with self.connection.cursor(name="rocwalk", binary=True) as cursor:
                cursor.execute(query)
                names = [one.name for one in cursor.description]
                kinds = [_TYPES.get(one.type_code, _TEXT) for one in cursor.description]
                parts: list[list[AnyArray]] = [[] for _ in names]
                while rows := cursor.fetchmany(ROWS_A_BATCH):
                    for part, values, kind in zip(
                        parts, zip(*rows, strict=True), kinds, strict=True
                    ):
                        part.append(_column(values, kind))
                columns = {}
                for name, part, kind in zip(names, parts, kinds, strict=True):
                    batches = part or [_column((), kind)]
                    if len({batch.dtype.kind for batch in batches}) > 1:  # some have gaps
                        batches = [batch.astype(object) for batch in batches]
                    columns[name] = np.concatenate(batches)
                return columns

        return _telling(self.given, self.origin, work)

    def digests(self) -> tuple[tuple[str, str], ...]:
        """Return what was read; a table of a database has no bytes of its own."""
        what = self.given.query if self.given.query is not None else self.scan
        return ((f"{shown_address(self.given.address)} {what}", ""),)

    @property
    def batch_name(self) -> str:
        """The name of the table; the answer of a query has none."""
        return self.scan if self.given.query is None else ""


def _column(values: Sequence[Any], kind: str) -> AnyArray:
    """Return the values of a batch as a column, with NaN or None for gaps."""
    if kind.startswith("float"):
        return np.array(values, dtype=np.float64)  # None becomes NaN
    if kind == "decimal":
        return np.array([np.nan if one is None else float(one) for one in values])
    if kind in ("date", "timestamp"):
        unit = "datetime64[D]" if kind == "date" else "datetime64[us]"
        return np.array(values, dtype=unit)  # None becomes NaT
    if kind.startswith("int") or kind == "boolean":
        own = np.int64 if kind.startswith("int") else np.bool_
        if None not in values:
            return np.array(values, dtype=own)
        gaps = np.array([one is None for one in values], dtype=bool)
        return with_gaps(np.array([one or 0 for one in values], dtype=own), gaps)
    return objects(list(values))


# -- connections and what goes wrong ---------------------------------------------------------------


def _psycopg() -> Any:
    return optional("psycopg", "postgresql", "A table of PostgreSQL")


def _ibis() -> Any:
    optional("sqlglot", "postgresql", "A table of PostgreSQL")
    return optional("ibis", "postgresql", "A table of PostgreSQL", "ibis-framework")


def _telling(given: DataSource, origin: Any, work: Callable[[], Answer]) -> Answer:
    """Return the result of some work; errors of the driver become ours, without a chain to them."""
    psycopg = _psycopg()
    try:
        return work()
    except psycopg.Error as error:
        found = _explained(given, origin, error)
    raise found


def _explained(given: DataSource, origin: Any, error: Any) -> FileError:
    """Return the error for what the driver says, without secrets."""
    errors = _psycopg().errors
    words = without_secrets(str(error), given.address)
    first = (words.splitlines() or [type(error).__name__])[0].strip().rstrip(". ")
    if isinstance(error, errors.InsufficientPrivilege):
        return FileError(
            ("The data in ", origin, f" cannot be read: {first}."),
            "ask the owner of the database for the right to SELECT.",
            problem="permission_denied",
        )
    is_lost = isinstance(error, errors.AdminShutdown | errors.CrashShutdown)
    is_lost = is_lost or (isinstance(error, _psycopg().OperationalError) and error.sqlstate is None)
    if is_lost:
        return FileError(
            ("The connection to ", origin, f" was lost while data were read: {first}."),
            "no data were kept; try again when the server runs.",
            problem="connection_lost",
        )
    return failed_query(origin, given, first)


@contextmanager
def open_postgres(given: DataSource) -> Iterator[PostgresTable]:
    """Open a table or a query of PostgreSQL, in one transaction that only reads."""
    psycopg = _psycopg()
    _ibis()
    address = plain_address(given.address)
    origin = place_of(address)
    connection = connected(address, _PATIENCE)
    try:
        scan, kinds = _telling(given, origin, lambda: _begun(connection, given, origin))
        refuse_duplicates(kinds, origin)
        named = {name: kind for name, kind in kinds}  # noqa: C416  # pairs, of unlike names by now
        yield PostgresTable(address, given, connection, scan, named, origin)
    finally:
        with suppress(psycopg.Error):
            connection.close()


def plain_address(address: str) -> str:
    """Return an address as libpq takes it, without the name of a driver of Python."""
    head, mark, rest = address.partition("://")
    return f"{head.partition('+')[0]}{mark}{rest}" if mark else address


def place_of(address: str) -> str:
    """Return the server and the database of an address, or raise for one that is no address."""
    psycopg = _psycopg()
    try:
        known = psycopg.conninfo.conninfo_to_dict(address)
    except psycopg.Error:  # what it says quotes parts of the address
        known = None
    if known is None:
        raise OptionError(
            "The address of the database is not understood.",
            "write it as postgresql://user@host:port/database; signs of a password that mean "
            "something in an address, such as @ / : and %, are written as %40 %2F %3A and %25.",
        )
    host = known.get("host") or known.get("hostaddr") or "localhost"
    port = f":{known['port']}" if known.get("port") else ""
    return f"postgresql://{host}{port}/{known.get('dbname') or ''}"


def connected(address: str, patience: float) -> Any:
    """Return a connection, or raise without quoting the address."""
    psycopg, place = _psycopg(), place_of(address)
    try:
        return psycopg.connect(address, connect_timeout=max(2, int(min(patience, 30))))
    except (psycopg.Error, UnicodeError, ValueError) as error:
        words = without_secrets(str(error), address)
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    first = (lines or ["no reason is given"])[0].rstrip(". ")
    hint = "check its address, and that the server runs."
    if "authentication" in words or "password" in words:
        hint = "check the user and the password; PGPASSWORD or ~/.pgpass keep it out of commands."
    raise FileError(f"The database {place!r} cannot be reached: {first}.", hint)


def _begun(connection: Any, given: DataSource, origin: str) -> tuple[str, list[tuple[str, str]]]:
    """Begin the transaction; return what stands after FROM, and the columns with their types."""
    connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
    connection.execute("SET LOCAL TIME ZONE 'UTC'")
    # where groups are of an expression, the planner takes every row for a group and sorts all rows;
    # there are few groups, which are hashed (by one process, as all that a cursor gives)
    connection.execute("SET LOCAL enable_sort = off")
    if given.query is None:
        scan = _table_name(connection, given, origin)
    else:
        scan = f"(\n{given.query.strip().rstrip(';').rstrip()}\n) AS given"
    cursor = connection.execute(f"SELECT * FROM {scan} LIMIT 0")
    return scan, [(one.name, _TYPES.get(one.type_code, "other")) for one in cursor.description]


_TABLES = """
SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f')
AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
ORDER BY 1, 2
"""


def _table_name(connection: Any, given: DataSource, origin: str) -> str:
    """Return the SQL of the table that is meant, the only one if none is named."""
    if given.table is not None:
        for parts in ((given.table,), given.table.split(".")):
            name = ".".join(map(quoted, parts))
            if connection.execute("SELECT to_regclass(%s)", (name,)).fetchone()[0] is not None:
                return name
    pairs = connection.execute(_TABLES).fetchall()
    known = [table if schema == "public" else f"{schema}.{table}" for schema, table in pairs]
    if given.table is None and len(known) == 1:
        return ".".join(map(quoted, pairs[0]))
    if given.table is not None:
        hint = nearest(given.table, known) if known else "there are no tables at all."
        raise FileError(f"There is no table {given.table!r} in {origin!r}.", hint)
    what = (
        f"several tables in {origin!r}: {shown(known, 12)}" if known else f"no table in {origin!r}"
    )
    raise FileError(
        f"There {'are' if known else 'is'} {what}.",
        ("name one of them after the address, as in ::predictions, or with ", Option("table"), "."),
    )
