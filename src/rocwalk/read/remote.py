"""Files elsewhere: in buckets (S3, Google, Azure) and on the web, copied to a temporary folder.

A copy has the path of its original, so that folders such as ``year=2024`` are columns, and is
shown under its name. Buckets are read by obstore, with the credentials of the environment; links by
Python itself. No credential of an address is shown.
"""

from __future__ import annotations

import base64
import shutil
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit

from rocwalk.errors import File, FileError, optional
from rocwalk.read.addresses import WEB, DataSource, scheme_of, shown_address, without_secrets
from rocwalk.read.copies import copy_called
from rocwalk.read.files import ENDINGS, Files, open_paths
from rocwalk.read.sources import ending
from rocwalk.read.text import TextFormat
from rocwalk.writing import temporary_folder

_PATIENCE = 30  # seconds without a byte
_BYTES_COPIED = 2**20
_SIGNS = "*?["


@contextmanager
def open_remote(named: Sequence[DataSource], form: TextFormat) -> Iterator[Files]:
    """Open files elsewhere as copies here; a pattern or a folder of a bucket is many of them."""
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        copies: list[Path] = []
        for place, one in enumerate(named):
            own = folder / str(place)
            web = scheme_of(one.address) in WEB
            for copy, name in (_from_web if web else _from_bucket)(one.address, own):
                stack.enter_context(copy_called(copy, name))
                copies.append(copy)
        given: Any = copies if len(copies) > 1 or not copies else copies[0]
        if len(named) == 1 and len(copies) > 1:
            given = str(folder / "0")  # a folder, so that the folders in it are columns
        yield stack.enter_context(open_paths(given, form, named[0].table))


def _refused(address: str, why: str, hint: str) -> FileError:
    words = without_secrets(why, address)
    first = (words.splitlines() or ["no reason is given"])[0].strip().rstrip(". ")
    return FileError((File(address), f" cannot be read: {first}."), hint)


# -- links -----------------------------------------------------------------------------------------


def _from_web(address: str, folder: Path) -> list[tuple[Path, str]]:
    """Copy what a link leads to; return the copy and the name that it is shown by."""
    parts = urlsplit(address)
    plain = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment=""))
    request = urllib.request.Request(plain, headers={"User-Agent": "rocwalk"})
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        request.add_header("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
    copy = folder / (PurePosixPath(unquote(parts.path)).name or "data")
    folder.mkdir(parents=True)
    found: FileError
    try:
        with (
            urllib.request.urlopen(request, timeout=_PATIENCE) as answer,
            copy.open("wb") as file,
        ):
            shutil.copyfileobj(answer, file, _BYTES_COPIED)
            wanted, got = answer.headers.get("Content-Length"), file.tell()
        if wanted is None or int(wanted) == got:
            return [(copy, shown_address(address))]
        found = _refused(
            address, f"it was cut off after {got:,} of {int(wanted):,} bytes", "try again."
        )
    except HTTPError as error:
        hint = "check the link" + (" and who may read it." if error.code in (401, 403) else ".")
        found = _refused(address, f"the server says {error.code} {error.reason}", hint)
    except (URLError, OSError, ValueError) as error:
        why = str(getattr(error, "reason", error))
        found = _refused(address, why, "check the address and the network.")
    raise found


# -- buckets ---------------------------------------------------------------------------------------


def _from_bucket(address: str, folder: Path) -> list[tuple[Path, str]]:
    """Copy an object, those of a folder, or those that a pattern means."""
    obstore = optional("obstore", "remote", "An address of a bucket")
    scheme, _, rest = address.partition("://")
    scheme = {"s3a": "s3", "gcs": "gs"}.get(scheme.lower(), scheme.lower())
    bucket, _, key = rest.rpartition("@")[2].partition("/")
    found: FileError
    try:
        store = obstore.store.from_url(f"{scheme}://{bucket}")
        keys = _keys(obstore, store, key)
        if keys:
            copies = []
            for one in keys:
                copy = folder / _below(one, key)
                copy.parent.mkdir(parents=True, exist_ok=True)
                with copy.open("wb") as file:
                    for chunk in obstore.get(store, one):
                        file.write(chunk)
                copies.append((copy, f"{scheme}://{bucket}/{one}"))
            return copies
        hint = "check the bucket and the name; a pattern needs * or ?, a folder ends in /."
        found = FileError(("There is no object ", File(address), "."), hint)
    except (obstore.exceptions.BaseError, OSError, ValueError) as error:
        why = f"{type(error).__name__.removesuffix('Error')}: {_reason(error)}"
        hint = "check the address, and the credentials and the endpoint in the environment."
        found = _refused(address, why, hint)
    raise found


def _reason(error: Exception) -> str:
    """Return the first words of what obstore says, without the request."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    first = lines[0].partition(": Error performing")[0][:200] if lines else "no reason is given"
    network = str(error).partition('message: "')[2].partition('"')[0]
    return f"{first}, {network}" if network else first


def _keys(obstore: Any, store: Any, key: str) -> list[str]:
    """Return the names of the objects that are meant."""
    is_pattern = any(sign in key for sign in _SIGNS)
    if key and not is_pattern and not key.endswith("/") and ending(Path(key)):
        return [key]
    plain = key
    if is_pattern:
        plain = key[: min(key.index(sign) for sign in _SIGNS if sign in key)].rpartition("/")[0]
    batches = obstore.list(store, prefix=plain or None)
    listed = [str(one["path"]) for batch in batches for one in batch]
    if is_pattern:
        return sorted(one for one in listed if fnmatchcase(one, key))
    inner = [one.removeprefix(plain.rstrip("/") + "/").split("/") for one in listed]
    return sorted(
        one
        for one, parts in zip(listed, inner, strict=True)
        if ending(Path(one)) in ENDINGS and not any(part.startswith((".", "_")) for part in parts)
    )


def _below(one: str, key: str) -> str:
    """Return where an object stands below what was named."""
    if one == key:
        return PurePosixPath(one).name
    plain = key[: min((key.index(sign) for sign in _SIGNS if sign in key), default=len(key))]
    plain = plain if plain.endswith("/") or plain == key else plain.rpartition("/")[0]
    return one.removeprefix(plain.rstrip("/")).lstrip("/")
