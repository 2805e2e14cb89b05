"""Delta and Iceberg tables on disk, in the state that their logs say is the present one.

The files in their folders are not all of that state, so the tables are read by their own libraries:
a Delta table as a dataset of pyarrow, an Iceberg table as a stream of Arrow. DuckDB groups both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rocwalk.errors import File, FileError, optional
from rocwalk.read.duck_tables import DuckTable, open_dataset, open_stream


def _refused(path: Path, kind: str, error: Exception) -> FileError:
    first = (str(error).splitlines() or [type(error).__name__])[0].rstrip(". ")
    return FileError(
        (f"The {kind} table ", File(str(path)), f" cannot be read: {first}."),
        "check that it was written whole, and that this version of its library can read it.",
    )


@contextmanager
def open_delta(path: Path) -> Iterator[DuckTable]:
    """Open the present version of a Delta table."""
    optional("pyarrow", "delta", "A Delta table")
    deltalake = optional("deltalake", "delta", "A Delta table")
    try:
        table = deltalake.DeltaTable(str(path))
        dataset, version = table.to_pyarrow_dataset(), table.version()
    except (deltalake.exceptions.DeltaError, OSError, ValueError) as error:
        raise _refused(path, "Delta", error) from None
    with open_dataset(dataset, File(str(path)), f"Delta version {version}") as found:
        yield found


@contextmanager
def open_iceberg(path: Path) -> Iterator[DuckTable]:
    """Open the present snapshot of an Iceberg table: its folder, or one of its metadata files."""
    tables = optional("pyiceberg.table", "iceberg", "An Iceberg table")
    metadata = path if path.is_file() else _newest(path)
    try:
        table = tables.StaticTable.from_metadata(str(metadata.absolute()))
        snapshot = table.current_snapshot()
        batches = table.scan().to_arrow_batch_reader()
    except Exception as error:  # noqa: BLE001  # pyiceberg's errors have no root of their own
        raise _refused(path, "Iceberg", error) from None
    version = "Iceberg, no snapshot"
    if snapshot is not None:
        version = f"Iceberg snapshot {snapshot.snapshot_id}"
    with open_stream(batches, File(str(path)), version) as found:
        yield found


def _newest(folder: Path) -> Path:
    """Return the metadata of the present state: what the hint says, else the highest number."""
    hint = folder / "metadata" / "version-hint.text"
    if hint.exists():
        named = folder / "metadata" / f"v{hint.read_text().strip()}.metadata.json"
        if named.exists():
            return named
    found = list((folder / "metadata").glob("*.metadata.json"))

    def number(path: Path) -> int:
        digits = path.name.removeprefix("v").split("-")[0].split(".")[0]
        return int(digits) if digits.isdecimal() else -1

    return max(found, key=lambda path: (number(path), path.name))
