"""Every kind of dataframe, made from a dict of columns; Spark in one small session of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import dask
import dask.dataframe as dd
import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pyspark
import pytest
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from spark_cluster import HOST, QUICK_START, _end_gateway

PARTITIONS = 3
# PySpark says so whenever it meets Arrow, and takes no pandas here.
QUIET_SPARK = pytest.mark.filterwarnings(
    "ignore:PySpark does not yet fully support pandas:FutureWarning"
)

Columns = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Engine:
    """One kind of dataframe.

    Attributes
    ----------
    name
        What it is called.
    make
        The function that makes a dataframe of an Arrow table, in so many partitions if it has any.
    is_lazy
        Whether rows stay in the engine; then they have no numbers and errors say counts.
    knows_nan
        Whether NaN and a gap are two things.
    is_spark
        Whether there has to be a session first.
    """

    name: str
    make: Callable[[pa.Table, int], Any]
    is_lazy: bool = True
    knows_nan: bool = True
    is_spark: bool = False

    def __call__(self, columns: Columns, partitions: int = PARTITIONS) -> Any:
        """Make a dataframe of columns: lists, NumPy arrays, Arrow arrays."""
        return self.make(as_arrow(columns), partitions)


def as_arrow(columns: Columns) -> pa.Table:
    """Return columns as an Arrow table, with their types."""
    arrays = {
        name: column if isinstance(column, pa.Array | pa.ChunkedArray) else pa.array(column)
        for name, column in columns.items()
    }
    return pa.table(arrays)


def _arrow_pandas(table: pa.Table) -> pd.DataFrame:
    return table.to_pandas(types_mapper=pd.ArrowDtype)


def _nullable_pandas(table: pa.Table) -> pd.DataFrame:
    return table.to_pandas().convert_dtypes()


def _dask(frame: pd.DataFrame, partitions: int) -> Any:
    return dd.from_pandas(frame, npartitions=partitions, sort=False)


def _relation(table: pa.Table, _: int) -> Any:
    return duckdb.from_arrow(table)


def _own_relation(table: pa.Table, _: int) -> Any:
    return duckdb.connect(config={"threads": 2}).from_arrow(table)


def _spark(table: pa.Table, partitions: int) -> Any:
    session = SparkSession.getActiveSession()
    assert session is not None
    return session.createDataFrame(table).repartition(partitions)


dask.config.set(scheduler="synchronous")  # threads only cost time on tables this small

_ALL = (
    Engine("pandas", lambda t, _: t.to_pandas(), is_lazy=False, knows_nan=False),
    Engine("pandas, nullable", lambda t, _: _nullable_pandas(t), is_lazy=False, knows_nan=False),
    Engine("pandas, pyarrow", lambda t, _: _arrow_pandas(t), is_lazy=False),
    Engine("polars", lambda t, _: pl.from_arrow(t), is_lazy=False),
    Engine("pyarrow", lambda t, _: t, is_lazy=False),
    Engine("polars, lazy", lambda t, _: pl.from_arrow(t).lazy()),
    Engine("duckdb", _relation),
    Engine("duckdb, own connection", _own_relation),
    Engine("dask", lambda t, n: _dask(t.to_pandas(), n), knows_nan=False),
    Engine("dask, pyarrow", lambda t, n: _dask(_arrow_pandas(t), n)),
    Engine("ibis", lambda t, _: ibis.memtable(t)),
    Engine("spark", _spark, is_spark=True),
)
ENGINES = {engine.name: engine for engine in _ALL}


def spark_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session of one core in a JVM of its own, which ends with it; make a fixture of this."""
    folder = tmp_path_factory.mktemp("spark")
    settings = {
        "spark.master": "local[1]",
        "spark.app.name": "rocwalk",
        "spark.driver.host": HOST,
        "spark.driver.bindAddress": HOST,
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": QUICK_START,
        "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.shuffle.partitions": "2",
        "spark.local.dir": str(folder / "local"),
    }
    conf = pyspark.SparkConf().setAll(list(settings.items()))
    with ExitStack() as stack:
        log = stack.enter_context((folder / "log").open("wb"))
        gateway = launch_gateway(conf, {"stdout": log, "stderr": log, "start_new_session": True})
        stack.callback(_end_gateway, gateway)
        session = SparkSession(pyspark.SparkContext(conf=conf, gateway=gateway))
        stack.callback(session.stop)
        yield session
