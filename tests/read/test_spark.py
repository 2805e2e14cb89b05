"""Tallies through a Spark cluster: the same bits as from NumPy, even if a worker is killed."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocwalk as rw
from commands import ROOT
from rocwalk.errors import DroppedRowsWarning, RocwalkError
from spark_cluster import PATIENCE, Cluster, wait_for

pytestmark = [
    pytest.mark.slow,
    # PySpark says so whenever it meets Arrow, and takes no pandas here.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

PARTITIONS = 6
ROWS = 30_000


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("spark")) as cluster:
        yield cluster


def make_columns(n: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, n).astype(np.int32)
    p = np.clip(0.3 * y + 0.7 * rng.random(n), 0, 1)
    p[::2] = np.round(p[::2], 3)  # one half has ties, the other has every bit of a float64
    p[:6] = [0.0, 1.0, 5e-324, 1 - 2**-53, 2**-1022, 0.1 + 0.2]
    return {
        "y": y,
        "p": p,
        "q": rng.normal(size=n),
        "weight": rng.integers(1, 9, n) / 4,  # sums of quarters are exact in any order
        "sex": np.array(["f", "m", None], dtype=object)[rng.integers(0, 3, n)],
        "site": rng.integers(1, 4, n),
    }


@pytest.fixture(scope="module")
def columns():
    return make_columns(ROWS)


def frame_of(cluster: Cluster, name: str, columns: dict):
    """Put a table where the executors find it, in two files, and return Spark's view of it."""
    folder = cluster.folder / name
    folder.mkdir()
    table = pa.table(columns)
    half = len(table) // 2
    pq.write_table(table.slice(0, half), folder / "1.parquet")
    pq.write_table(table.slice(half), folder / "2.parquet")
    return cluster.spark.read.parquet(str(folder))


@pytest.fixture(scope="module")
def frame(cluster, columns):
    return frame_of(cluster, "all", columns)


def assert_same_bits(one: rw.Tally, other: rw.Tally) -> None:
    for name in ("scores", "up", "right"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.dtype == theirs.dtype
        assert np.array_equal(mine, theirs)
        assert mine.tobytes() == theirs.tobytes()  # −0.0 equals 0.0, but its bits differ


def assert_same_tallies(some: rw.Tallies, others: rw.Tallies) -> None:
    assert list(some) == list(others)
    for key, tally in some.items():
        assert_same_bits(tally, others[key])


# -- the same tallies ----------------------------------------------------------------------------------


def test_partitions_and_order_do_not_matter(frame, columns):
    from pyspark.sql import functions as F

    expected = rw.tally(columns["y"], columns["p"])
    for table in (
        frame,
        frame.repartition(1),
        frame.repartition(7),
        frame.orderBy(F.rand(seed=1)),
    ):
        assert_same_bits(rw.tallies(table, score="p", label="y").only, expected)


@pytest.mark.parametrize("weight", [None, "weight"])
def test_groups_and_several_scores(frame, columns, weight):
    options = {"score": ["q", "p"], "label": "y", "weight": weight, "by": ["sex", "site"]}
    expected = rw.tallies(columns, **options)
    assert len(expected) == 2 * 3 * 3
    assert_same_tallies(rw.tallies(frame.repartition(5), **options), expected)


def test_the_script_of_the_page_runs(frame, columns, tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"^```python\n(from pyspark.*?)^```", page, re.DOTALL | re.MULTILINE)
    table = frame.withColumnsRenamed({"p": "old"}).selectExpr("*", "1 - old AS new")
    table.write.parquet(str(tmp_path / "scores"))
    monkeypatch.chdir(tmp_path)
    exec(script.replace("s3a://bucket/scores/", str(tmp_path / "scores")), {})
    assert len(capsys.readouterr().out.splitlines()) == 2 * 3
    parts = [rw.Tally.load(tmp_path / f"old-{site}.npz") for site in (1, 2, 3)]
    total = rw.Tally.merge(parts)
    assert abs(total.area - rw.roc(columns["y"], columns["p"]).area) <= total.certificate


def test_zeros_of_both_signs_are_one_score(cluster):
    p = np.array([0.0, -0.0, 0.5, -0.0, 0.0, -0.5, 0.5])
    y = np.array([1, 0, 1, 0, 0, 0, 1], dtype=np.int32)
    frame = frame_of(cluster, "zeros", {"y": y, "p": p}).repartition(3)
    tally = rw.tallies(frame, score="p", label="y").only
    assert tally.scores.tolist() == [0.5, 0.0, -0.5]
    assert_same_bits(tally, rw.tally(y, p))


# -- rows that cannot be used --------------------------------------------------------------------------


FAULTS = {"nan": np.nan, "null": None, "inf": np.inf, "-inf": -np.inf}


@pytest.mark.parametrize("fault", FAULTS)
def test_scores_that_are_no_numbers(cluster, fault):
    y, p = (make_columns(500)[name] for name in ("y", "p"))
    bad = [3, 99, 400]
    scores = pa.array([FAULTS[fault] if row in bad else p[row] for row in range(500)])
    frame = frame_of(cluster, fault, {"y": y, "p": scores})
    with pytest.raises(RocwalkError, match=r"'p'[^\n]*\b3\b"):
        rw.tallies(frame, score="p", label="y")
    with pytest.warns(DroppedRowsWarning, match=r"\b3\b"):
        tallies = rw.tallies(frame, score="p", label="y", invalid="drop")
    assert_same_bits(tallies.only, rw.tally(np.delete(y, bad), np.delete(p, bad)))
    assert tallies.dropped == {("p", ()): 3}


# -- what moves ----------------------------------------------------------------------------------------


def result_bytes(cluster, work) -> int:
    """The bytes that tasks sent to the driver while some work was done."""
    before = len(cluster.events())
    work()
    return sum(
        event["Task Metrics"]["Result Size"]
        for event in cluster.events()[before:]
        if event["Event"] == "SparkListenerTaskEnd"
    )


def test_only_the_grouped_result_moves(cluster):
    n = 200_000
    y, p = make_columns(n)["y"], np.round(make_columns(n)["p"], 2)
    frame = frame_of(cluster, "rounded", {"y": y, "p": p})
    tallies = []
    moved = result_bytes(
        cluster, lambda: tallies.append(rw.tallies(frame, score="p", label="y").only)
    )
    assert_same_bits(tallies[0], rw.tally(y, p))
    assert moved < 0.05 * result_bytes(cluster, frame.toArrow)


# -- a worker is lost ----------------------------------------------------------------------------------


def held_frame(spark, y: np.ndarray, p: np.ndarray, hold):
    """A table in several partitions whose rows do not come as long as the file `hold` exists."""

    def read(batches):
        import time

        for batch in batches:
            while hold.exists():
                time.sleep(0.05)
            rows = batch.column("id").to_numpy()
            yield pa.RecordBatch.from_arrays([pa.array(y[rows]), pa.array(p[rows])], ["y", "p"])

    return spark.range(0, len(y), 1, PARTITIONS).mapInArrow(read, "y int, p double")


def ends_of(events, task) -> list[dict]:
    """Every end of the work that a task stands for: the same partition of the same stage."""
    return [
        event
        for event in events
        if event["Event"] == "SparkListenerTaskEnd"
        and event["Stage ID"] == task["Stage ID"]
        and event["Task Info"]["Partition ID"] == task["Task Info"]["Partition ID"]
    ]


def test_a_task_on_a_killed_worker_runs_again_elsewhere(cluster, columns, tmp_path):
    cluster.fill()
    y, p = columns["y"], columns["p"]
    hold = tmp_path / "hold"
    hold.touch()
    frame = held_frame(cluster.spark, y, p, hold)
    with ThreadPoolExecutor(1) as pool:
        try:
            coming = pool.submit(rw.tallies, frame, score="p", label="y")
            task = wait_for("A running task", cluster.running_task)
            lost = task["Task Info"]["Executor ID"]
            cluster.kill_worker_of(lost)
        finally:
            hold.unlink()
        tally = coming.result(PATIENCE).only
    assert_same_bits(tally, rw.tally(y, p))

    failed, *others = ends_of(cluster.events(), task)
    assert failed["Task Info"]["Task ID"] == task["Task Info"]["Task ID"]
    assert failed["Task End Reason"]["Reason"] == "ExecutorLostFailure"
    assert failed["Task Info"]["Executor ID"] == lost
    assert others[-1]["Task End Reason"]["Reason"] == "Success"
    assert others[-1]["Task Info"]["Executor ID"] != lost
    assert lost not in cluster.executors()
