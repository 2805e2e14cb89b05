"""`rocwalk monitor`: from files to windows, alarms and a page, with exit codes."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys

import numpy as np
import pytest

import rocwalk as rw

FIRST = np.datetime64("2026-01-01")


def data(power, n=1800):
    """Return ids, times, scores, labels and sites of three months; a power spoils the last one."""
    rng = np.random.default_rng(8)
    p = 1 / (1 + np.exp(-rng.normal(-0.3, 1.5, n)))
    y = (rng.random(n) < p).astype(int)
    time = FIRST + np.arange(n) * 90 // n
    p[time >= np.datetime64("2026-03-01")] **= power
    site = np.where(np.arange(n) % 3 == 0, "north", "south")
    return [f"a{k}" for k in range(n)], time.astype(str), p, y, site


@pytest.fixture
def files(table):
    def files(power=2.5, labelled=1800):
        ids, time, p, y, site = data(power)
        header = ["id", "at", "p", "site"]
        predictions = table(header, *zip(ids, time, p, site, strict=True), name="predictions.csv")
        known = list(zip(ids, y, strict=True))[:labelled]
        return predictions, table(["id", "y"], *known, name="labels.csv")

    return files


OPTIONS = ["--time", "at", "--score", "p", "--label", "y", "--segment", "site"]
PERIOD = ["--reference-from", "2026-01-01", "--reference-to", "2026-02-01"]


@pytest.fixture
def store(run, files, tmp_path):
    """Return the path of a store of three months, the last of which has drifted."""
    path = tmp_path / "store.duckdb"
    assert run("monitor", "init", path, *OPTIONS, *PERIOD)[0] == 0
    assert run("monitor", "add", path, *files())[0] == 0
    return path


def test_from_files_to_a_verdict(run, files, tmp_path):
    path = tmp_path / "store.duckdb"
    code, out, err = run("monitor", "init", path, *OPTIONS, *PERIOD, "--model", "triage")
    assert (code, err) == (0, "")
    assert out.endswith("store.duckdb: the model 'triage' is watched.\n")
    code, out, _ = run("monitor", "init", path, *OPTIONS, *PERIOD, "--model", "triage")
    assert (code, "was there already" in out) == (0, True)
    code, out, err = run("monitor", "add", path, *files())
    assert (code, err) == (0, "")
    assert out == "labels.csv: 1,800 labels added.\npredictions.csv: 1,800 predictions added.\n"
    assert run("monitor", "add", path, *files())[1].count("unchanged") == 2
    code, out, err = run("monitor", "status", path)
    assert (code, err) == (0, "")
    assert "triage: 1 of 2 windows have drifted, the first from 2026-03-01" in out
    assert "0 labels wait" not in out


def test_a_job_fails_on_an_open_alarm_until_it_is_acknowledged(run, store):
    status = ["monitor", "status", store, "--fail-on-drift"]
    assert run(*status)[0] == 1
    code, _, err = run(*status, "--format", "csv")
    assert code == 1
    assert "Note: model: 1 of 2 windows have drifted" in err
    code, out, _ = run("monitor", "acknowledge", store, "2026-03-01", "--note", "known since March")
    assert (code, out) == (0, "2026-03-01: acknowledged.\n")
    code, out, _ = run(*status)
    assert code == 0
    assert "acknowledged: known since March" in out
    code, _, err = run("monitor", "acknowledge", store, "2026-02-01", "--note", "x")
    assert code == 2
    assert "There is no alarm of 'model' in a window from 2026-02-01." in err


def test_no_alarm_and_nothing_to_decide(run, files, tmp_path):
    path = tmp_path / "store.duckdb"
    run("monitor", "init", path, *OPTIONS, *PERIOD)
    predictions, labels = files(power=1.0)
    run("monitor", "add", path, predictions)
    code, out, _ = run("monitor", "status", path, "--fail-on-drift")
    assert code == 2
    assert "undecidable: none of its rows has a label." in out
    run("monitor", "add", path, labels)
    assert run("monitor", "status", path, "--fail-on-drift")[0] == 0


def test_the_forms_agree(run, store, tmp_path):
    windows = rw.MonitorStore(store).windows()
    code, out, _ = run(
        "monitor", "status", store, "--format", "json", "--json", tmp_path / "s.json"
    )
    read = json.loads(out)
    assert code == 0
    assert read == json.loads((tmp_path / "s.json").read_text())
    assert read["drifted"] is True
    assert [one["auc"] for one in read["windows"]] == [one.numbers["auc"][0] for one in windows]
    assert read["references"][0]["rows"] == windows[0].rows
    rows = list(csv.DictReader(io.StringIO(run("monitor", "status", store, "--format", "csv")[1])))
    assert [one["verdict"] for one in rows] == [one.verdict for one in windows]
    assert [float(one["brier_low"]) for one in rows] == [one.numbers["brier"][1] for one in windows]
    _, out, _ = run("monitor", "status", store, "--format", "prometheus", "--quiet")
    assert f'rocwalk_auc{{model="model"}} {windows[-1].numbers["auc"][0]!r}\n' in out
    assert 'rocwalk_open_alarms{model="model"} 1.0\n' in out


def test_segments_and_other_windows(run, store):
    _, out, _ = run(
        "monitor", "status", store, "--by", "site", "--window", "quarter", "--format", "csv"
    )
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(one["segment"], one["start"], one["end"]) for one in rows] == [
        ("site=north", "2026-01-01", "2026-04-01"),
        ("site=south", "2026-01-01", "2026-04-01"),
    ]
    run("monitor", "status", store, "--by", "site")
    note = ["--note", "seen", "--segment", "site=south"]
    assert run("monitor", "acknowledge", store, "2026-03-01", *note)[0] == 0
    code, _, err = run(
        "monitor", "acknowledge", store, "2026-03-01", "--note", "x", "--segment", "s"
    )
    assert (code, "'s' is not COL=VALUE." in err) == (2, True)


def test_a_batch_is_replaced_or_withdrawn(run, store, table):
    corrected = table(["id", "y"], ["a0", 1], ["a1", 0], name="labels.csv")
    code, _, err = run("monitor", "add", store, corrected)
    assert code == 2
    assert "The batch 'labels.csv' of labels is in the store with another content." in err
    code, out, _ = run("monitor", "add", store, corrected, "--replace")
    assert (code, out) == (0, "labels.csv: 2 labels replaced.\n")
    code, out, _ = run("monitor", "withdraw", store, "labels.csv")
    assert (code, out) == (0, "labels.csv: 2 rows withdrawn.\n")
    code, _, err = run("monitor", "withdraw", store, "label.csv")
    assert (code, "There is no batch 'label.csv' to withdraw." in err) == (2, True)
    assert {one.labelled for one in rw.MonitorStore(store).windows()} == {0}


def test_an_empty_day_is_no_error(run, store, table):
    empty = table(["id", "at", "p", "site"], name="holiday.csv")
    code, out, err = run("monitor", "add", store, empty)
    assert (code, out, err) == (0, "holiday.csv: 0 predictions added.\n", "")


def test_a_bad_file_is_named_and_the_files_before_it_stay(run, store, table):
    good = table(["id", "y"], ["z1", 1], name="b1.csv")
    bad = table(["id", "y"], ["a0", 7], ["z2", 1], name="b2.csv")
    code, out, err = run("monitor", "add", store, good, bad)
    assert (code, out) == (2, "b1.csv: 1 labels added.\n")
    assert "b2.csv' has the labels 1, 7, which do not say which one is positive." in err
    other = table(["id", "y"], ["a0", 1 - data(1.0)[3][0]], name="b3.csv")
    code, _, err = run("monitor", "add", store, other)
    assert code == 2
    assert re.search(r"b3\.csv': The id 'a0' at row 0 has the label", err)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--window", "fortnight"], "--window 'fortnight' is not known."),
        (["--reference", "none.csv"], "There is no file 'none.csv'."),
        (["--reference-from", "2026-01-01"], "--reference-from and --reference-to go together."),
        (["--positive", "ill"], "pos_label is given without neg_label."),
        (["--alpha", "7"], "7.0 is not in the range"),
    ],
)
def test_nothing_is_written_if_an_option_is_wrong(run, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    code, _, err = run("monitor", "init", "store.duckdb", *arguments)
    assert code == 2
    assert words in err
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_is_missing_or_in_use(run, store, tmp_path):
    code, _, err = run("monitor", "status", tmp_path / "none.duckdb")
    assert (code, "There is no store" in err) == (2, True)
    with rw.MonitorStore(store)._store.session(write=True):
        code, _, err = run("monitor", "status", store, "--timeout", "0.1")
    assert code == 2
    assert "is in use by another process or thread, for more than 0.1 seconds." in err


def test_a_reference_may_be_a_file_with_a_decimal_comma(run, files, tmp_path):
    _, _, p, y, site = data(2.5)
    lines = [
        f"{str(a).replace('.', ',')};{b};{c}"
        for a, b, c in zip(p[:600], y[:600], site[:600], strict=True)
    ]
    (tmp_path / "reference.csv").write_text("p;y;site\n" + "\n".join(lines))
    path = tmp_path / "store.duckdb"
    options = ["--reference", tmp_path / "reference.csv", "--decimal", ","]
    assert run("monitor", "init", path, *OPTIONS, *options)[0] == 0
    run("monitor", "add", path, *files())
    read = json.loads(run("monitor", "status", path, "--format", "json")[1])
    assert read["references"][0]["rows"] == 600
    assert [one["status"] for one in read["windows"]][-1] == "drift"


def test_a_partial_reference_is_noted(run, files, tmp_path):
    path = tmp_path / "store.duckdb"
    run(
        "monitor",
        "init",
        path,
        *OPTIONS,
        "--reference-from",
        "2025-12-15",
        "--reference-to",
        "2026-02-01",
    )
    run("monitor", "add", path, *files())
    _, _, err = run("monitor", "status", path)
    assert "Note: The reference, 2025-12-15 to 2026-02-01, is partial" in err


def test_the_page_is_written_anew_from_the_store(run, store, tmp_path):
    page = tmp_path / "page.html"
    assert run("monitor", "report", store, "-o", page, "--title", "Triage <1>")[0] == 0
    first = page.read_text(encoding="utf-8")
    assert "<h1>Triage &lt;1&gt;</h1>" in first
    assert 'http-equiv="refresh"' not in first
    assert "1 of 2 windows have drifted" in first
    run("monitor", "acknowledge", store, "2026-03-01", "--note", "known <b>")
    assert run("monitor", "report", store, "-o", page, "--refresh", "60")[0] == 0
    second = page.read_text(encoding="utf-8")
    assert '<meta http-equiv="refresh" content="60">' in second
    assert "(acknowledged: known &lt;b&gt;)" in second
    assert "distinct scores" not in second


@pytest.mark.slow
def test_commands_side_by_side_lose_nothing(tmp_path, table):
    path = tmp_path / "store.duckdb"
    rw.MonitorStore.create(path).add_model("m")
    header = ["id", "time", "score", "label"]
    rows = [[(f"{k}-{i}", "2026-01-01", 0.5, i % 2) for i in range(30)] for k in range(8)]
    days = [table(header, *one, name=f"day-{k}.csv") for k, one in enumerate(rows)]
    start = "from rocwalk.cli.start import main; main()"
    command = [sys.executable, "-c", start, "monitor", "add", path]
    running = [subprocess.Popen([*command, day], stdout=subprocess.PIPE) for day in days + days]
    for one in running:
        one.communicate(timeout=300)
    assert [one.returncode for one in running] == [0] * 16
    (window,) = rw.MonitorStore(path).windows()
    assert (window.rows, window.labelled, window.positives) == (240, 240, 120)
