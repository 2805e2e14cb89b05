"""Promises on databases: rows that a server groups."""

from __future__ import annotations

import sys
from pathlib import Path

from promises import MANY, best_of, promise

import rocwalk as rw

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

_BY_HAND = """
SELECT floor(score * 65536)::int AS bucket, sum(label) AS up, count(*) AS items,
       sum(score) FILTER (WHERE label = 1) AS up_score, sum(score) AS score, min(score), max(score)
FROM predictions GROUP BY bucket
"""


@promise("10⁷ rows of PostgreSQL, 2¹⁶ buckets: multiple of a GROUP BY by hand", at_most=2)
def postgresql_against_hand() -> float:
    import psycopg

    from postgres_server import server

    with server() as database:
        address = database()
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(
                "CREATE TABLE predictions AS SELECT (random() < s)::int AS label, s AS score "
                f"FROM (SELECT random() AS s FROM generate_series(1, {MANY})) AS t"
            )
            connection.execute("VACUUM ANALYZE predictions")
            asked = {"score": "score", "label": "label"}
            ours, theirs = best_of(
                lambda: rw.tallies(rw.source(address), **asked).only,
                lambda: connection.execute(_BY_HAND).fetchall(),
                rounds=5,  # the server's time on the clock is all that can be measured
            )
        return ours / theirs


if __name__ == "__main__":
    print(f"{postgresql_against_hand():.2f}")
