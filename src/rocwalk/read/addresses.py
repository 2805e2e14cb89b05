"""Addresses: what a user may name as data, beside the path of a file, and how it is shown.

An address may hold a secret: a password, or the signature of a link. It is opened as it was given,
and shown without it: errors, notes, pages and provenance hold what `shown_address` returns.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, quote_plus, unquote

from rocwalk.errors import COPIES, Argument, Option, OptionError
from rocwalk.texts import kind_of

POSTGRESQL = ("postgresql", "postgres")
STORES = ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss")  # buckets of objects
WEB = ("http", "https")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SETTING = re.compile(r"\s*(\w+)\s*=\s*('(?:\\.|[^'\\])*'|[^\s']\S*|)(?=\s|$)")
_PLACES = {"host", "hostaddr", "dbname", "service"}  # what tells settings from the name of a file
_SECRETS = {"password", "passfile", "sslpassword", "oauth_client_secret"}
_HIDDEN = "***"


@dataclass(frozen=True, slots=True, repr=False)
class DataSource:
    """Data in a database or a workbook: where they are, and which table or query is meant.

    `rocwalk.source` makes one; it stands for the data wherever they are read.
    """

    address: str
    table: str | None = None
    query: str | None = None

    def __repr__(self) -> str:
        told = {"table": self.table, "query": self.query}
        parts = [repr(shown_address(self.address))]
        parts += [f"{name}={value!r}" for name, value in told.items() if value is not None]
        return f"source({', '.join(parts)})"


def source(
    address: str | os.PathLike[str] | DataSource,
    *,
    table: str | None = None,
    query: str | None = None,
) -> DataSource:
    """Name a table, or the answer of a query, in a database or a workbook.

    The result is passed as `data` to whatever reads a table: `rocwalk.tallies`, `rocwalk.report`,
    `rocwalk.evaluate`, `rocwalk.drift_over_time`. Nothing is opened before it is read.

    Parameters
    ----------
    address
        A PostgreSQL database, as ``"postgresql://user@host/database"`` or as settings
        (``"host=… dbname=…"``); a DuckDB or SQLite file; or an Excel workbook. A password may be
        part of the address; it is never shown. It is safer in ``~/.pgpass`` or ``PGPASSWORD``.
    table
        The table or view, with its schema if it needs one (``"clinic.predictions"``), or the sheet
        of a workbook. It may be left out if there is just one. ``"scores.db::predictions"`` as the
        address means the same as ``table="predictions"``.
    query
        In place of `table`: a SELECT in the dialect of the database.

    Returns
    -------
    DataSource
        What was named; its repr has no password.

    Examples
    --------
    >>> source("postgresql://ann:secret@db.example/clinic", table="predictions")
    source('postgresql://ann@db.example/clinic', table='predictions')
    """
    if isinstance(address, DataSource):
        table = address.table if table is None else table
        query = address.query if query is None else query
        address = address.address
    text: Any = os.fspath(address) if isinstance(address, os.PathLike) else address
    if not isinstance(text, str) or not text:
        hint = "pass the address of a database, or the path of a file."
        raise OptionError(f"is {kind_of(address)}, not an address.", hint, argument="address")
    told: dict[str, Any] = {"table": table, "query": query}
    for name, value in told.items():
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise OptionError("names nothing.", "pass text.", option=name, value=value)
    if scheme_of(text):  # whatever names it as a file must not show its secrets
        COPIES.setdefault(text, shown_address(text))
    text, inner = split_table(text)
    if inner is not None:
        if table is not None:
            text_of = "::", repr(inner), " in the address and ", Option("table", table)
            raise OptionError((*text_of, " name a table each."), "name one of them.")
        table = inner
    if table is not None and query is not None:
        both = Argument("table"), " and ", Argument("query"), " cannot both be given."
        raise OptionError(both, "give one of them.")
    return DataSource(text, table, query)


def scheme_of(text: Any) -> str:
    """Return the scheme of an address in lower case, "" for a path.

    Settings of PostgreSQL, and a scheme with a driver, are addresses of PostgreSQL.

    >>> scheme_of("S3://bucket/x.csv"), scheme_of("dbname=clinic host=here"), scheme_of("x.csv")
    ('s3', 'postgresql', '')
    """
    if not isinstance(text, str):
        return ""
    found = _SCHEME.match(text)
    if found is not None:
        scheme = found[1].lower().partition("+")[0]
        return POSTGRESQL[0] if scheme in POSTGRESQL else scheme
    settings = _settings(text)
    is_known = bool(_PLACES & settings.keys()) and not os.path.exists(text)  # noqa: PTH110
    return POSTGRESQL[0] if is_known else ""


def is_address(text: str) -> bool:
    """Whether a name is that of a table or of something elsewhere, not of files here."""
    return bool(scheme_of(text)) or split_table(text)[1] is not None


def _settings(text: str) -> dict[str, str]:
    """Return the settings of PostgreSQL in a text, none if it is anything else."""
    found, place = {}, 0
    while place < len(text.rstrip()):
        one = _SETTING.match(text, place)
        if one is None:
            return {}
        found[one[1].lower()] = one[2]
        place = one.end()
    return found


_WITH_TABLES = (".duckdb", ".ddb", ".db", ".db3", ".sqlite", ".sqlite3", ".xlsx", ".xlsm", ".xls")


def split_table(text: str) -> tuple[str, str | None]:
    """Return an address and the table that it names after ``::``, None if it names none.

    >>> split_table("scores.db::predictions")
    ('scores.db', 'predictions')
    """
    head, mark, table = text.rpartition("::")
    is_one = scheme_of(head) == POSTGRESQL[0] or head.lower().endswith(_WITH_TABLES)
    if mark and table and is_one and not os.path.exists(text):  # noqa: PTH110
        return head, table
    return text, None


def shown_address(text: str) -> str:
    """Return an address as it may be shown: without a password, a signature or a token.

    >>> shown_address("postgresql://ann:p%40ss@here:5432/clinic?sslmode=require&password=x")
    'postgresql://ann@here:5432/clinic?sslmode=require&password=***'
    >>> shown_address("host=here password='a b' dbname=clinic")
    'host=here password=*** dbname=clinic'
    >>> shown_address("https://here/x.csv?signature=abc")
    'https://here/x.csv?***'
    """
    scheme = scheme_of(text)
    if not scheme:
        return text
    if not _SCHEME.match(text):
        known = _settings(text).items()
        return " ".join(f"{k}={_HIDDEN if k in _SECRETS else v}" for k, v in known)
    head, _, rest = text.partition("://")
    place, mark, told = rest.partition("?")
    authority, slash, path = place.partition("/")
    if "@" in place:  # a password may hold a slash that should have been encoded
        users, _, after = place.rpartition("@")
        authority, slash, path = after.partition("/")
        authority = f"{users.partition(':')[0]}@{authority}"
    if mark and scheme == POSTGRESQL[0]:
        pairs = [one.partition("=") for one in told.split("&")]
        told = "&".join(f"{k}={_HIDDEN if k.lower() in _SECRETS else v}" for k, _, v in pairs)
    elif mark:
        told = _HIDDEN
    return f"{head}://{authority}{slash}{path}{mark}{told}"


def secrets_of(text: str) -> tuple[str, ...]:
    """Return the secrets in an address in all their spellings, the longest first."""
    found: set[str] = set()
    if _SCHEME.match(text):
        _, _, rest = text.partition("://")
        place, _, told = rest.partition("?")
        users = place.rpartition("@")[0]
        found.add(users.partition(":")[2])
        pairs = [one.partition("=") for one in told.split("&")]
        is_database = scheme_of(text) == POSTGRESQL[0]
        found |= {v for k, _, v in pairs if not is_database or k.lower() in _SECRETS}
        found.add("" if is_database else told)
    else:
        found |= {v for k, v in _settings(text).items() if k in _SECRETS}
        found |= {re.sub(r"\\(.)", r"\1", one.strip("'")) for one in found}
    for one in tuple(found):
        plain = unquote(one)
        found |= {plain, quote(plain), quote(plain, safe=""), quote_plus(plain)}
    return tuple(sorted(filter(None, found), key=len, reverse=True))


def without_secrets(words: str, *addresses: str) -> str:
    """Return what a driver says, without the secrets of the addresses that it was given.

    >>> without_secrets("no user ann:s%20t", "postgresql://ann:s%20t@here/x")
    'no user ann:***'
    """
    for address in addresses:
        words = words.replace(address, shown_address(address))
        for secret in secrets_of(address):
            words = words.replace(secret, _HIDDEN)
    return words
