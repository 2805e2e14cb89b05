"""Predictions with columns of every kind, and how they come into a table of PostgreSQL."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import psycopg
import pyarrow as pa

N = 400


def make_data():
    rng = np.random.default_rng(24)
    y = rng.integers(0, 2, N)
    when = [dt.date(2024, 1, 1) + dt.timedelta(days=int(k)) for k in rng.integers(0, 300, N)]
    gaps = [None if k % 9 == 0 else int(one) for k, one in enumerate(y)]
    return pa.table(
        {
            "y": y,
            "flag": pa.array(y == 1),
            "word": ["sick" if one else "well" for one in y],
            "gap": pa.array(gaps, pa.int64()),
            "p": np.round(np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1), 3),
            "q": np.round(
                np.clip(rng.normal(0.4 + 0.1 * y, 0.2), 0, 1), 12
            ),  # as Excel can hold them
            "d": pa.array(
                [Decimal(int(k)) / 1000 for k in rng.integers(0, 1000, N)], pa.decimal128(6, 3)
            ),
            "w": np.round(rng.uniform(0.5, 2, N), 12),
            "site": [("north", "south", None)[k % 3] for k in range(N)],
            "when": pa.array(when),
            "turn": np.arange(N) % 3,
        }
    )


DATA = make_data()


POSTGRES_TYPES = {"bool": "boolean", "int64": "bigint", "double": "double precision"}
POSTGRES_TYPES |= {"decimal128(6, 3)": "numeric(6, 3)", "date32[day]": "date"}


def into_postgres(address, table, name="predictions"):
    made = ", ".join(f'"{f.name}" {POSTGRES_TYPES.get(str(f.type), "text")}' for f in table.schema)
    with psycopg.connect(address) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {name} ({made})")
        with cursor.copy(f"COPY {name} FROM STDIN") as copy:
            for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
                copy.write_row(row)
