"""Monitoring jobs: a config, files, a state that outlives kills."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pytest

import rocwalk as rw
from drift.samples import batch as sample
from drift.samples import monitor, state
from rocwalk.drift.job import read_config, run_job
from rocwalk.drift.monitor import DriftMonitor
from rocwalk.errors import (
    FileError,
    LabelError,
    OptionError,
    RocwalkError,
    ScoreError,
)
from rocwalk.read.sources import Source
from rocwalk.writing import exclusive

# -- what every result does ----------------------------------------------------------------------


def alarm():
    return monitor(window=300, name="triage").update(*sample(2, 300, power=2)).check()


# -- jobs ----------------------------------------------------------------------------------------


@pytest.fixture
def job(tmp_path, table):
    """Write a reference and a config; return what writes the files of a day, and the config."""

    def day(name, seed, n=300, power=1.0):
        y, p = sample(seed, n, power)
        return table(
            ["y", "p"], *zip(np.where(y, "ill", "well"), p.tolist(), strict=True), name=name
        )

    day("reference.csv", 0, 1000)
    config = tmp_path / "job.toml"
    config.write_text(
        textwrap.dedent(
            """
            name = "triage"
            reference = "reference.csv"
            state = "state.npz"
            positive = "ill"
            alpha = 0.01
            minimum = 25
            window = 300
            looks = 10
            [columns]
            label = "y"
            score = "p"
            """
        )
    )
    return day, config


def test_a_job_knows_the_labels_of_its_reference(job, table):
    day, config = job
    assert DriftMonitor.from_config(config).settings.neg_label == "well"
    run_job(config, day("1.csv", 1))
    file = table(["y", "p"], ["fine", 0.2], ["fine", 0.1], name="2.csv")
    with pytest.raises(LabelError, match="Column 'y' at row 0, line 2 of .*2.csv.* label 'fine'"):
        run_job(config, file)


def test_a_job_goes_on_where_it_stopped(job, tmp_path):
    day, config = job
    files = [day("1.csv", 1), day("2.csv", 2), day("3.csv", 3, power=2)]
    statuses = [run_job(config, str(file)).status for file in files]
    assert statuses == ["none", "none", "drift"]
    first = (tmp_path / "state.npz").read_bytes()
    monitored = DriftMonitor.load(tmp_path / "state.npz")
    assert monitored.settings.name == "triage"
    assert (monitored.items, len(monitored.windows)) == (900, 3)
    assert run_job(config, files).status == "drift"  # counted before: a job may be run again
    assert (tmp_path / "state.npz").read_bytes() == first
    (tmp_path / "state.npz").unlink()
    run_job(config, str(tmp_path / "[123].csv"))
    assert state(DriftMonitor.load(tmp_path / "state.npz")) == state(monitored)


JOB = "import sys, rocwalk as rw; rw.run_job(sys.argv[1], sys.argv[2:], timeout=240)"


@pytest.mark.slow
def test_jobs_side_by_side_lose_nothing(job, tmp_path):
    day, config = job
    days = [day(f"day-{k}.csv", k + 1, 50) for k in range(6)]
    command = [sys.executable, "-c", JOB, str(config)]
    running = [subprocess.Popen([*command, str(one)]) for one in days]
    assert [one.wait(300) for one in running] == [0] * 6
    monitor = DriftMonitor.load(tmp_path / "state.npz")
    assert monitor.rows == 300
    assert len(monitor.batches) == 6
    assert not [path.name for path in tmp_path.iterdir() if path.suffix in (".part", ".lock")]


def test_whoever_cannot_have_the_state_gets_an_error(job, tmp_path):
    day, config = job
    first = day("day.csv", 1)
    with (
        exclusive(tmp_path / "state.npz"),
        pytest.raises(
            FileError, match="state.npz' is in use by another process or thread, for more"
        ),
    ):
        rw.run_job(config, first, timeout=0.1)
    assert not (tmp_path / "state.npz").exists()
    assert rw.run_job(config, first).items == 300


def test_what_a_killed_job_left_is_removed_and_does_not_stand_in_the_way(job, tmp_path):
    day, config = job
    code = (
        "import os, sys, rocwalk as rw\n"
        "os.fsync = lambda handle: os.kill(os.getpid(), 9)\n"
        "rw.run_job(sys.argv[1], sys.argv[2])"
    )
    first = day("day.csv", 1)
    done = subprocess.run([sys.executable, "-c", code, config, first], check=False)
    assert done.returncode == -9
    left = {path.suffix for path in tmp_path.iterdir()}
    assert {".part", ".lock"} <= left
    subprocess.run([sys.executable, "-c", JOB, config, first], check=True)
    assert DriftMonitor.load(tmp_path / "state.npz").rows == 300
    assert not {".part", ".lock"} & {path.suffix for path in tmp_path.iterdir()}


def test_a_file_without_rows_changes_nothing(job, table, tmp_path):
    day, config = job
    rw.run_job(config, day("day.csv", 1))
    holiday = table(["y", "p"], name="holiday.csv")
    assert rw.run_job(config, holiday).items == 300


def test_a_file_that_is_replaced_while_a_job_reads_it_is_not_counted(job, tmp_path, monkeypatch):
    day, config = job
    path, other = day("1.csv", 1), day("2.csv", 2)
    run_job(config, str(other))
    before, original = (tmp_path / "state.npz").read_bytes(), Source.fetch

    def replaced(self, *args, **options):
        found = original(self, *args, **options)
        if self.path.name == "1.csv":
            self.path.unlink()
            self.path.write_bytes(other.read_bytes())
        return found

    monkeypatch.setattr(Source, "fetch", replaced)
    with pytest.raises(FileError, match=r"1\.csv' was changed or replaced while it was read"):
        run_job(config, str(path))
    assert (tmp_path / "state.npz").read_bytes() == before


def test_a_config_may_be_a_mapping(job, tmp_path):
    settings = {
        "reference": str(tmp_path / "reference.csv"),
        "columns": {"label": "y", "score": "p", "weight": "p"},
        "positive": "ill",
    }
    monitored = DriftMonitor.from_config(settings)
    assert not monitored.reference.is_counts
    assert monitored.settings.alpha == 0.05
    with pytest.raises(OptionError, match="In the config, state is missing"):
        run_job(settings, [])
    monitored = DriftMonitor.from_config(job[1])
    assert (monitored.settings.alpha, monitored.settings.window) == (0.01, 300)


def test_a_bad_file_spoils_the_whole_run_and_says_where(job, table, tmp_path):
    day, config = job
    good = day("1.csv", 1)
    run_job(config, good)
    before = (tmp_path / "state.npz").read_bytes()
    bad = table(["y", "p"], ["ill", 0.5], ["well", 1.5], name="3.csv")
    with pytest.raises(
        ScoreError, match=r"^Column 'p' at row 1, line 3 of '.*3.csv' is 1.5, outside"
    ):
        run_job(config, [day("2.csv", 2), bad])
    assert (tmp_path / "state.npz").read_bytes() == before
    with pytest.raises(RocwalkError, match="There is no column 'y'"):
        run_job(config, table(["z", "p"], [1, 0.5], name="4.csv"))
    with pytest.raises(FileError, match="There is no file"):
        run_job(config, tmp_path / "none.csv")


def test_a_changed_config_does_not_take_up_the_old_state(job):
    day, config = job
    run_job(config, day("1.csv", 1))
    config.write_text(config.read_text().replace("looks = 10", "looks = 20"))
    with pytest.raises(OptionError, match="not that of this config: looks=10 and looks=20"):
        run_job(config, [])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"alpa": 0.1}, "alpa is not known.\nHint: did you mean 'alpha'"),
        ({"columns": {"label": "y"}}, "columns.score is missing"),
        ({"columns": {"label": "y", "score": "p", "wait": "w"}}, "columns.wait is not known"),
        ({"columns": {"label": "y", "score": 5}}, "columns.score is 5.\nHint: score is text"),
        ({"columns": "y"}, "columns is 'y'.\nHint: columns is a table"),
        ({"alpha": "low"}, "alpha is 'low'.\nHint: alpha is a number"),
        ({"window": True}, "window is True.\nHint: window is a number"),
        ({"fixed_reference": 1}, "fixed_reference is 1.\nHint: fixed_reference is true or false"),
        ({"reference": None}, "reference is None.\nHint: reference is text"),
        ({"positive": []}, r"positive is \[\].\nHint: positive is text, a number, true or false"),
    ],
)
def test_errors_of_a_config_name_the_key(change, words):
    good = {"reference": "a.csv", "columns": {"label": "y", "score": "p"}}
    with pytest.raises(OptionError, match=f"In the config, {words}"):
        read_config(good | change)


def test_errors_in_the_values_of_a_config(job):
    _, config = job
    text = config.read_text()
    for old, new, words in [
        ("alpha = 0.01", "alpha = 1.0", r"alpha=1.0 is outside \(0, 1\)"),
        ("window = 300", "window = 30", "window=30 is smaller than 50"),
        ('positive = "ill"', 'invalid = "maybe"', "invalid='maybe' is not known"),
        ('reference = "reference.csv"', "", "reference is missing"),
    ]:
        config.write_text(text.replace(old, new))
        with pytest.raises(OptionError, match=words):
            DriftMonitor.from_config(config)
    config.write_text(text + "what?")
    with pytest.raises(FileError, match="is not TOML: .*line"):
        read_config(config)
    with pytest.raises(FileError, match="There is no file"):
        read_config(config.with_name("none.toml"))


def test_a_monitor_is_silent_unless_logging_is_set_up():
    """Without a handler of the user's, Python would print every alarm on stderr."""
    program = (
        "import numpy as np, rocwalk as rw\n"
        "rng = np.random.default_rng(1)\n"
        "y = rng.random(2000) < 0.4\n"
        "p = 1 / (1 + np.exp(-rng.normal(2 * y - 1)))\n"
        "monitor = rw.DriftMonitor((y, p), window=500)\n"
        "monitor.update(y, p**3)\n"
        "print(monitor.check().drifted)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert (done.stdout.strip(), done.stderr) == ("True", "")
