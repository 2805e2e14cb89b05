"""The store of a monitor: batches, items and alarms, in DuckDB and in PostgreSQL."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import duckdb
import numpy as np
import pandas as pd
import pytest

import rocwalk as rw
from commands import ROOT
from rocwalk.errors import ColumnError, FileError, InputError, LabelError, OptionError, ScoreError
from rocwalk.read.store import Store

DAY = np.datetime64("2026-01-05")


@pytest.fixture(params=["duckdb", "postgresql"])
def address(request, tmp_path):
    if request.param == "duckdb":
        return tmp_path / "store.duckdb"
    return request.getfixturevalue("postgresql")()


@pytest.fixture
def store(address):
    made = rw.MonitorStore.create(address)
    made.add_model("m", segments=["site"])
    return made


def predictions(ids, score=0.25, day=DAY, site="north"):
    n = len(ids)
    scores = np.broadcast_to(np.asarray(score, dtype=float), n)
    return {"id": list(ids), "time": np.full(n, day), "score": scores, "site": [site] * n}


def labels(ids, label=1):
    return {"id": list(ids), "label": [label] * len(ids)}


def items(store, model=None):
    """Return what the store holds as (score, label) pairs, NaN as None, sorted."""
    found = store._store.snapshot(model).items
    (one,) = found.values() if model is None else [found[model]]
    pairs = zip(one.score.tolist(), one.label.tolist(), strict=True)
    return sorted(((p, None if y != y else y) for p, y in pairs), key=str)


# -- predictions and labels ------------------------------------------------------------------------


def test_labels_come_later_or_earlier_and_are_joined_by_id(store):
    assert store.add_predictions(predictions(["a", "b"], [0.1, 0.2]), batch="p1").done == {
        "predictions": "added"
    }
    store.add_labels(labels(["b", "c"]), batch="l1")
    assert items(store) == [(0.1, None), (0.2, 1.0)]
    assert store.status().labels_without_prediction == 1
    store.add_predictions(predictions(["c"], 0.3), batch="p2")
    assert items(store) == [(0.1, None), (0.2, 1.0), (0.3, 1.0)]
    assert store.status().labels_without_prediction == 0


def test_a_batch_again_counts_once_in_whatever_order_its_rows_are(store):
    batch = pd.DataFrame(predictions(["a", "b", "c"], [0.1, 0.2, 0.3]))
    assert store.add(batch, batch="day").done == {"predictions": "added"}
    assert store.add(batch, batch="day").done == {"predictions": "unchanged"}
    assert store.add(batch[::-1], batch="day").done == {"predictions": "unchanged"}
    assert store.add(batch, batch="copy").done == {"predictions": "added"}
    assert len(items(store)) == 3
    assert [one.name for one in store.batches] == ["day", "copy"]


def test_another_content_under_the_same_name_has_to_replace(store):
    store.add(predictions(["a", "b"], 0.1), batch="day")
    changed = predictions(["a", "c"], 0.2)
    with pytest.raises(InputError, match="The batch 'day' of predictions is in the store with "):
        store.add(changed, batch="day")
    assert items(store) == [(0.1, None)] * 2
    assert store.add(changed, batch="day", replace=True).done == {"predictions": "replaced"}
    assert items(store) == [(0.2, None)] * 2
    assert [one.withdrawn is None for one in store.batches] == [False, True]


def test_a_batch_is_withdrawn_and_may_come_back(store):
    store.add(predictions(["a", "b"]), batch="one")
    store.add(predictions(["b", "c"]), batch="two")
    assert store.withdraw("one") == 2
    assert len(items(store)) == 2  # b is in the other batch, too
    with pytest.raises(
        OptionError, match="There is no batch 'one' to withdraw.\nHint: there are: 'two'"
    ):
        store.withdraw("one")
    assert store.add(predictions(["a", "b"]), batch="one").done == {"predictions": "added"}
    assert len(items(store)) == 3


def test_one_file_of_predictions_and_labels_is_one_batch(store):
    whole = predictions(["a", "b"]) | {"label": [1, None]}
    added = store.add(whole, batch="day")
    assert added.done == {"predictions": "added", "labels": "added"}
    assert (added.rows, added.unlabelled) == ({"predictions": 2, "labels": 1}, 1)
    assert items(store) == [(0.25, 1.0), (0.25, None)]
    store.withdraw("day", kind="labels")
    assert items(store) == [(0.25, None)] * 2


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"score": [0.25, 0.5]}, "score"),
        ({"time": np.array([DAY, DAY + 1])}, "time"),
        ({"site": ["north", "south"]}, "segments"),
    ],
)
def test_an_id_with_another_value_is_refused_by_name(store, change, name):
    store.add(predictions(["a", "b"]), batch="one")
    words = rf"The id 'b' at row 1 has the {name} .* in the batch 'one'\.\nHint: an id is one item"
    with pytest.raises(InputError, match=words) as raised:
        store.add(predictions(["z", "b"]) | change, batch="two")
    assert raised.value.fields.problem == "other_value"
    assert items(store) == [(0.25, None)] * 2  # nothing of the batch was kept


def test_an_id_twice_in_a_batch_counts_once_unless_its_values_differ(store):
    store.add(predictions(["a", "a"]), batch="same")
    assert len(items(store)) == 1
    with pytest.raises(InputError, match="The id 'b' at row 2 has the score 0.9, and 0.1 in row 0"):
        store.add(predictions(["b", "c", "b"], [0.1, 0.1, 0.9]), batch="other")
    store.add_labels(labels(["a", "a"]), batch="labels")
    with pytest.raises(InputError, match="The id 'a' at row 0 has the label 0.0, and 1.0 in the "):
        store.add_labels(labels(["a"], 0), batch="more")
    assert items(store) == [(0.25, 1.0)]


def test_ids_are_text_whatever_they_look_like(store, table):
    path = table(["id", "label"], ["007", 1], ["12e4", 0], ["17", 1])
    store.add(path)
    frame = pd.DataFrame(predictions([17, 8]))
    store.add(frame, batch="numbers")
    assert items(store) == [(0.25, 1.0), (0.25, None)]
    with_gap = frame.assign(id=[18.0, np.nan])
    with pytest.raises(ColumnError, match="Column 'id' at row 1 is missing"):
        store.add(with_gap, batch="gap")
    with pytest.raises(ColumnError, match="Column 'id' at row 0 is 1.5, which is not an id"):
        store.add(frame.assign(id=[1.5, 2]), batch="float")


def test_what_cannot_be_used_is_named_and_changes_nothing(store, table):
    bad = table(
        ["id", "time", "score", "site"],
        ["a", "2026-01-01", 0.1, "x"],
        ["b", "2026-01-01", 1.5, "x"],
    )
    with pytest.raises(ScoreError, match="Column 'score' at row 1, line 3 of '.*data.csv' is 1.5"):
        store.add(bad)
    with pytest.raises(ColumnError, match="Column 'time' at row 0 is 'soon', neither a date nor"):
        store.add(predictions(["a"]) | {"time": ["soon"]})
    with pytest.raises(ColumnError, match="Column 'time' holds numbers, and a store keeps dates"):
        store.add(predictions(["a"]) | {"time": [7]})
    with pytest.raises(LabelError, match="Column 'label' has the labels 1.0, 7.0"):
        store.add_labels({"id": ["a", "b", "c"], "label": [1, None, 7]})
    with pytest.raises(ColumnError, match="There is no column 'score' in the data"):
        store.add({"id": ["a"]})
    with pytest.warns(rw.errors.DroppedRowsWarning, match="1 of 2 rows was left out"):
        store.add(bad, invalid="drop")
    assert items(store) == [(0.1, None)]


def test_labels_have_names_and_no_third_one(address):
    store = rw.MonitorStore.create(address)
    store.add_model("m", pos_label="ill", neg_label="well")
    store.add_predictions({"id": ["a", "b"], "time": [DAY, DAY], "score": [0.1, 0.2]})
    with pytest.raises(LabelError, match="Column 'label' at row 1 has the label 'Ill' beside"):
        store.add_labels({"id": ["a", "b"], "label": ["ill", "Ill"]})
    store.add_labels({"id": ["a", "b"], "label": ["well", "ill"]})
    assert items(store) == [(0.1, 0.0), (0.2, 1.0)]


def test_times_with_an_offset_are_in_utc(store):
    rows = predictions(["a", "b", "c"]) | {
        "time": ["2026-01-05T01:30:00+02:00", "2026-01-04T23:30:00Z", "2026-01-04 23:30:00"]
    }
    store.add(rows, batch="texts")
    aware = pd.Timestamp("2026-01-04T18:30:00-05:00")
    store.add(pd.DataFrame(predictions(["d"]) | {"time": [aware]}), batch="aware")
    (one,) = store._store.snapshot().items.values()
    assert set(one.time) == {np.datetime64("2026-01-04T23:30:00")}


def test_a_batch_may_have_no_rows(store, table):
    path = table(["id", "time", "score", "site"], name="holiday.csv")
    assert store.add(path).rows == {"predictions": 0}
    store.add(predictions(["a"]), batch="day")
    assert len(items(store)) == 1


def test_several_models_share_their_labels(store):
    store.add_model("other")
    store.add_predictions(predictions(["a"], 0.1), model="m", batch="day")
    store.add_predictions(predictions(["a"], 0.9), model="other", batch="day")
    store.add_labels(labels(["a"]), model="m")
    assert (items(store, "m"), items(store, "other")) == ([(0.1, 1.0)], [(0.9, 1.0)])
    with pytest.raises(OptionError, match="The store has 2 models.\nHint: name one: 'm', 'other'"):
        store.add_predictions(predictions(["b"]))
    with pytest.raises(OptionError, match="There is no model 'othr' in the store.\nHint: did you"):
        store.status(model="othr")
    with pytest.raises(OptionError, match="The batch 'day' is one of several models: m, other"):
        store.withdraw("day")
    store.withdraw("day", model="other")
    assert (items(store, "m"), items(store, "other")) == ([(0.1, 1.0)], [])


def test_weights_are_kept(address):
    store = rw.MonitorStore.create(address)
    store.add_model("m", weight="w")
    rows = {"id": ["a", "b"], "time": [DAY] * 2, "score": [0.1, 0.2], "w": [3e300, 1.5]}
    store.add(rows, batch="day")
    (one,) = store._store.snapshot().items.values()
    assert one.weight.tolist() == [3e300, 1.5]


# -- stores that are none --------------------------------------------------------------------------


def test_settings_of_a_model_stay_unless_they_are_replaced(store):
    assert store.add_model("m", segments=["site"]) is False
    words = "The model 'm' is in the store with other settings: .*window was 'month', is 'week'"
    with pytest.raises(OptionError, match=words):
        store.add_model("m", segments=["site"], window="week")
    assert store.models["m"].window == "month"
    assert store.add_model("m", segments=["site"], window="week", replace=True)
    assert store.models["m"].window == "week"


def test_a_store_of_another_schema_is_refused_by_number(address):
    store = Store(address)
    assert store.create()
    assert not store.create()
    with store.session(write=True) as session:
        session.run("UPDATE store SET schema_version = 7")
    words = "is a store of schema version 7; this rocwalk reads and writes 1, and does not migrate"
    with pytest.raises(FileError, match=words) as raised:
        store.models()
    assert raised.value.fields.counts == (7, 1)
    with pytest.raises(FileError, match="schema version 7"):
        rw.MonitorStore.create(address)


def test_what_is_no_store_is_refused(tmp_path):
    with pytest.raises(FileError, match="There is no store '.*none.duckdb'.\nHint: make one with"):
        rw.MonitorStore(tmp_path / "none.duckdb").status()
    (tmp_path / "text.duckdb").write_text("id,score\n" * 1000)
    with pytest.raises(FileError, match="is not a store of rocwalk"):
        rw.MonitorStore(tmp_path / "text.duckdb").status()
    duckdb.connect(str(tmp_path / "other.duckdb")).execute("CREATE TABLE x (y INT)").close()
    with pytest.raises(FileError, match="other.duckdb' is not a store of rocwalk"):
        rw.MonitorStore.create(tmp_path / "other.duckdb")
    with pytest.raises(FileError, match="could not be written: No such file"):
        rw.MonitorStore.create(tmp_path / "no" / "folder.duckdb")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.duckdb", "text.duckdb"]


def test_an_address_without_a_server_is_refused_without_its_password():
    store = rw.MonitorStore("postgresql://me:secret@127.0.0.1:1/none", timeout=2)
    with pytest.raises(
        FileError, match="The database 'postgresql://127.0.0.1:1/none' cannot be"
    ) as e:
        store.status()
    assert "secret" not in str(e.value)
    with pytest.raises(OptionError, match="The address of the database is not understood"):
        rw.MonitorStore("postgresql://[")


# -- several at once -------------------------------------------------------------------------------


def test_whoever_cannot_have_the_store_gets_an_error(address):
    store = rw.MonitorStore.create(address)
    hasty = rw.MonitorStore(address, timeout=0.2)
    with (
        store._store.session(write=True),
        pytest.raises(
            FileError, match="in use by another process or thread, for more than 0.2 "
        ) as e,
    ):
        hasty.add_model("m")
    assert e.value.fields.problem == "in_use"
    assert hasty.add_model("m") is True


def test_another_program_that_has_the_file_open_is_waited_for(tmp_path):
    path = tmp_path / "store.duckdb"
    rw.MonitorStore.create(path)
    code = (
        "import duckdb, sys, time; c = duckdb.connect(sys.argv[1]); print('open', flush=True); "
        "sys.stdin.readline(); c.close()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code, str(path)], **pipes) as other:
        assert other.stdout.readline() == "open\n"
        with pytest.raises(FileError, match="is in use by another program: .*lock"):
            rw.MonitorStore(path, timeout=0.2).add_model("m")
        threading.Timer(0.5, lambda: (other.stdin.write("\n"), other.stdin.flush())).start()
        assert rw.MonitorStore(path).add_model("m") is True


def test_eight_threads_lose_nothing(address):
    store = rw.MonitorStore.create(address)
    store.add_model("m")

    def work(k):
        for j in range(4):
            ids = [f"{k}-{j}-{i}" for i in range(5)]
            rows = {"id": ids, "time": [DAY] * 5, "score": [0.5] * 5}
            store.add_predictions(rows, batch=f"{k}-{j}")
            store.add_labels(labels(ids), batch=f"{k}-{j}")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert items(store) == [(0.5, 1.0)] * 8 * 4 * 5
    assert len(store.batches) == 8 * 4 * 2


WORKER = textwrap.dedent(
    """
    import sys
    import numpy as np
    import rocwalk as rw

    address, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    store = rw.MonitorStore(address)
    for k in range(first, last):
        ids = [f"{k}-{i}" for i in range(20)]
        day = [np.datetime64("2026-01-05") + k] * 20
        store.add({"id": ids, "time": day, "score": [0.5] * 20, "label": [k % 2] * 20}, batch=str(k))
    """
)


@pytest.mark.slow
def test_eight_processes_lose_nothing(address):
    rw.MonitorStore.create(address).add_model("m")
    command = [sys.executable, "-c", WORKER, str(address)]
    running = [subprocess.Popen([*command, str(3 * k), str(3 * k + 3)]) for k in range(8)]
    assert [one.wait(300) for one in running] == [0] * 8
    store = rw.MonitorStore(address)
    assert len(items(store)) == 8 * 3 * 20
    assert sorted(int(one.name) for one in store.batches) == sorted([*range(24)] * 2)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["duckdb", "postgresql"])
def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(engine, request):
    """The script checks after each kill, and at the end that nothing but the store is left."""
    address = [] if engine == "duckdb" else [request.getfixturevalue("postgresql")()]
    script = ROOT / "benchmarks" / "store_kills.py"
    done = subprocess.run(
        [sys.executable, script, "20", *address], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["kills"] == 20
    assert found["batches"] >= max(found["acknowledged"], 20)


def test_a_kill_while_a_store_is_made_leaves_none_or_a_whole_one(tmp_path):
    code = "import sys, rocwalk as rw; print('go', flush=True); rw.MonitorStore.create(sys.argv[1])"
    moments = random.Random(1)
    for _ in range(4):
        path = tmp_path / "store.duckdb"
        one = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
        one.stdout.readline()
        time.sleep(moments.uniform(0.0, 0.5))
        os.kill(one.pid, signal.SIGKILL)
        one.communicate()
        if path.exists():
            assert rw.MonitorStore(path).models == {}
        rw.MonitorStore.create(path).add_model("m")
        left = {file.name for file in tmp_path.iterdir()} - {"store.duckdb"}
        assert all(name.endswith(".part") for name in left)  # the next process removes it
        path.unlink()


# -- alarms ----------------------------------------------------------------------------------------


def test_the_tables_can_be_asked_in_sql(tmp_path):
    path = tmp_path / "store.duckdb"
    store = rw.MonitorStore.create(path)
    store.add_model("m", segments=["site"])
    store.add(predictions(["a"]), batch="day")
    with duckdb.connect(str(path), read_only=True) as connection:
        rows = connection.execute("SELECT model, id, score, segments FROM predictions").fetchall()
        batches = connection.execute("SELECT kind, name, row_count FROM batches").fetchall()
    assert rows == [("m", "a", 0.25, json.dumps({"site": "north"}))]
    assert batches == [("predictions", "day", 1)]
