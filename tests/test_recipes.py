"""The recipes of the documentation, run as they are printed."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import textwrap
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import duckdb
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import yaml

import rocwalk as rw

RECIPES = Path(__file__).parents[1] / "docs" / "recipes"
_BLOCK = re.compile(
    r"^\.\. code-block:: (?P<language>\w+)\n   :caption: (?P<name>\S+)\n\n(?P<body>(?:   .*\n|\n)+)",
    re.MULTILINE,
)


def blocks(page):
    """Return the code of a page by the name that stands above it."""
    found = _BLOCK.finditer((RECIPES / f"{page}.rst").read_text(encoding="utf-8"))
    return {each["name"]: textwrap.dedent(each["body"]).strip("\n") + "\n" for each in found}


def save_blocks(page, folder):
    for name, body in blocks(page).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(body, encoding="utf-8")


def shell(command, folder):
    """Type a command into a real shell that finds this environment first."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "MPLBACKEND": "Agg"}
    for name in ("PYTHONPATH", "PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER"):
        environment.pop(name, None)
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def sample(rng, n=1500, *, skill=1.5, power=1.0):
    """Labels and calibrated probabilities; a power other than 1 spoils these and keeps the ranking."""
    y = (rng.random(n) < 0.4).astype(int)
    log_odds = np.log(0.4 / 0.6) + skill * rng.normal(skill * (y - 0.5))
    return y, (1 / (1 + np.exp(-log_odds))) ** power


def write(path, pair):
    """Save labels and scores in the columns that the recipes name."""
    write_table(path, y=pair[0], model=pair[1])


def write_table(path, **columns):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))


def test_every_page_is_listed_and_tested():
    pages = {path.stem for path in RECIPES.glob("*.rst")} - {"index"}
    listed = set(re.findall(r"^   (\w+)$", (RECIPES / "index.rst").read_text(), re.MULTILINE))
    assert pages == listed == {"figures", "tables", "alerts", "ci", "daily", "pytest", "mlflow"}
    for page in pages:
        text = (RECIPES / f"{page}.rst").read_text(encoding="utf-8")
        assert text.count("code-block::") == len(blocks(page)), f"a block of {page} has no caption"


# -- figures and tables ----------------------------------------------------------------------------


def save_predictions(folder, rng):
    y, a = sample(rng)
    write_table(
        folder / "predictions.csv",
        y=y,
        model_a=a,
        model_b=np.clip(a + rng.normal(0, 0.2, len(a)), 0, 1),
    )


def test_a_figure_is_as_wide_as_a_column_in_three_formats(tmp_path, rng):
    save_blocks("figures", tmp_path)
    save_predictions(tmp_path, rng)
    done = shell("sh run.sh", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for name, start in (
        ("roc.pdf", b"%PDF"),
        ("calibration.svg", b"<?xml"),
        ("decision.tif", b"II*"),
        ("comparison.png", b"\x89PNG"),
    ):
        assert (tmp_path / name).read_bytes().startswith(start)
    assert "Circles: positive if score ≥ 0.5" in done.stdout
    assert (tmp_path / "figure-1.pdf").read_bytes().startswith(b"%PDF")
    assert "<svg" in (tmp_path / "figure-1.svg").read_text(encoding="utf-8")
    height, width, _ = plt.imread(tmp_path / "figure-1.png").shape
    assert width == pytest.approx(8.5 / 2.54 * 300, abs=1)
    assert height == pytest.approx(2 * width, abs=2)


def test_tables_have_the_numbers_of_the_library(tmp_path, rng):
    save_blocks("tables", tmp_path)
    save_predictions(tmp_path, rng)
    done = shell("sh run.sh", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for name, start in (
        ("accuracy.docx", b"PK"),
        ("comparison.tex", b"% needs"),
        ("stard.docx", b"PK"),
    ):
        assert (tmp_path / name).read_bytes().startswith(start)
    data = pd.read_csv(tmp_path / "predictions.csv")
    rows = pd.read_csv(tmp_path / "table-2.csv").set_index("number")
    wanted = rw.interval(data["y"], data["model_a"])
    found = rows.loc["Area under the ROC curve"]
    assert found["estimate"] == pytest.approx(wanted.estimate)
    assert found["95 % interval"] == f"{wanted.low:.2f} to {wanted.high:.2f}"
    assert "Sensitivity & " in (tmp_path / "table-2.tex").read_text(encoding="utf-8")
    pair = rw.compare(data["y"], {name: data[name] for name in ("model_a", "model_b")}).pairs[0]
    row = pd.read_csv(tmp_path / "table-3.csv").iloc[0]
    assert row["difference"] == pytest.approx(pair.difference)
    assert row["p_value"] == pytest.approx(pair.p_value)


# -- a gate in CI ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_gate_passes_fails_and_says_what_it_cannot_do(tmp_path, rng):
    save_blocks("ci", tmp_path)
    write(tmp_path / "reference.csv", sample(rng))
    write(tmp_path / "today.csv", sample(rng))
    done = shell("sh gate.sh", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((tmp_path / "drift.json").read_text())["models"][0]["verdict"] == "none"

    (tmp_path / "drift.html").unlink()
    write(tmp_path / "today.csv", sample(rng, power=2))
    done = shell("sh gate.sh", tmp_path)
    assert done.returncode == 1
    assert "The probabilities have drifted: given the scores" in done.stdout
    assert json.loads((tmp_path / "drift.json").read_text())["models"][0]["verdict"] == "estimation"
    assert (tmp_path / "drift.html").stat().st_size > 10_000

    write(tmp_path / "today.csv", sample(rng, 12))
    done = shell("sh gate.sh", tmp_path)
    assert done.returncode == 2
    assert "too few to decide: 20 of each are needed" in done.stderr
    found = json.loads((tmp_path / "drift.json").read_text())
    assert found["models"][0]["verdict"] == "undecidable"

    (tmp_path / "today.csv").unlink()
    done = shell("sh gate.sh", tmp_path)
    assert done.returncode == 2
    assert "There is no file 'today.csv'" in done.stderr


def test_the_workflow_runs_the_gate():
    workflow = yaml.safe_load(blocks("ci")[".github/workflows/drift.yml"])
    steps = workflow["jobs"]["drift"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == ["pip install rocwalk", "sh gate.sh"]
    assert steps[-1]["if"] == "always()"


# -- a daily job -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_daily_job_remembers_replaces_and_alarms(tmp_path, rng):
    save_blocks("daily", tmp_path)
    days = {k: sample(rng) for k in (1, 2)}
    write(tmp_path / "reference.csv", sample(rng))
    for k, day in days.items():
        write(tmp_path / f"day-{k}.csv", day)
    done = shell("sh run.sh", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        "1,500 items",
        "3,000 items",
    ]

    asked = blocks("daily")["days.sql"]
    both = [("2026-03-01", 1500), ("2026-03-02", 1500)]
    assert stored(tmp_path, asked) == both
    again = shell("python daily.py 2026-03-02 day-2.csv", tmp_path)  # replaced, not added
    assert again.stdout == done.stdout.splitlines(keepends=True)[-1]
    assert stored(tmp_path, asked) == both
    with duckdb.connect(tmp_path / "tallies.duckdb") as store:
        blobs = [blob for (blob,) in store.execute("SELECT tally FROM tallies").fetchall()]
    total = sum(loaded(tmp_path / "one.npz", blob) for blob in blobs)
    whole = rw.tally(*(np.concatenate(column) for column in zip(*days.values(), strict=True)))
    assert all(
        np.array_equal(getattr(total, k), getattr(whole, k)) for k in ("scores", "up", "right")
    )

    cut = shell("python daily.py 2026-03-02 cut.csv", tmp_path)  # a run that fails keeps what was
    assert cut.returncode == 2
    assert "There is no file 'cut.csv'" in cut.stderr
    assert stored(tmp_path, asked) == both

    write(tmp_path / "day-3.csv", sample(rng, power=3))
    done = shell("python daily.py 2026-03-03 day-3.csv", tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith(
        "4,500 items: Both the ranking and the probabilities have drifted: given the scores"
    )

    for call in ("python daily.py", "python daily.py 2026-03-03"):
        done = shell(call, tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "Usage: python daily.py DAY FILE\n"

    late = shell("python daily.py 2026-03-10 day-1.csv", tmp_path)  # the other days are over
    assert late.returncode == 0
    assert late.stdout.startswith("1,500 items: ")


def stored(folder, query):
    with duckdb.connect(folder / "tallies.duckdb") as store:
        return [(str(day), items) for day, items, _ in store.execute(query).fetchall()]


def loaded(path, blob):
    path.write_bytes(blob)
    return rw.Tally.load(path)


# -- pytest ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_test_suite_passes_and_fails_with_the_model(tmp_path, rng):
    save_blocks("pytest", tmp_path)
    (command,) = blocks("pytest")["run.sh"].splitlines()
    y, candidate = sample(rng)
    in_use = 0.5 * candidate + 0.5 * sample(rng)[1]
    write_table(tmp_path / "held_out.csv", y=y, in_use=in_use, candidate=candidate)
    done = shell(command, tmp_path)
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout

    write_table(tmp_path / "held_out.csv", y=y, in_use=candidate, candidate=in_use)
    done = shell(command, tmp_path)
    assert done.returncode == 1
    assert "FAILED test_model.py::test_it_is_not_worse_than_the_model_in_use" in done.stdout
    assert "Pair(a='candidate', b='in_use', difference=-" in done.stdout

    write_table(tmp_path / "held_out.csv", y=y, in_use=candidate, candidate=candidate**2)
    done = shell(command, tmp_path)
    assert done.returncode == 1
    assert "FAILED test_model.py::test_its_probabilities_can_be_believed" in done.stdout
    assert "1 failed, 5 passed" in done.stdout  # the ranking is the same


# -- alerts ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_alarms_are_sent_until_they_are_acknowledged(tmp_path):
    save_blocks("alerts", tmp_path)
    rng = np.random.default_rng(1)
    p = rng.beta(1.2, 2, 1500)
    y = (rng.random(1500) < p).astype(int)
    day = np.datetime64("2026-01-01") + np.arange(1500) * 90 // 1500
    p = np.where(day < np.datetime64("2026-03-01"), p, p**2.5)
    store = rw.MonitorStore.create(tmp_path / "store.duckdb")
    store.add_model("triage", reference_period=("2026-01-01", "2026-02-01"))
    write_table(tmp_path / "all.csv", id=np.arange(1500), time=day.astype(str), score=p, label=y)
    received = []

    class Webhook(BaseHTTPRequestHandler):
        def do_POST(self):
            received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *words):
            pass

    with HTTPServer(("127.0.0.1", 0), Webhook) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        send = f"python alert.py store.duckdb http://127.0.0.1:{server.server_port}/hook all.csv"
        done = shell(send, tmp_path)
        assert (done.returncode, done.stderr) == (1, "")
        (message,) = received
        assert message["text"].startswith("triage, from 2026-03-01 (516 rows): ")
        assert shell("sh acknowledge.sh", tmp_path).returncode == 0
        done = shell(send, tmp_path)
        assert (done.returncode, len(received)) == (0, 1)
        server.shutdown()
    assert shell("sh metrics.sh", tmp_path).returncode == 0
    metrics = (tmp_path / "rocwalk.prom").read_text()
    names = set(re.findall(r"^(rocwalk_\w+)\{", metrics, re.MULTILINE))
    rules = yaml.safe_load(blocks("alerts")["alerts.yml"])["groups"][0]["rules"]
    assert {one for rule in rules for one in re.findall(r"rocwalk_\w+", rule["expr"])} <= names
    assert 'rocwalk_drifted{model="triage"} 1.0' in metrics


# -- MLflow ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_runs_are_logged_and_compared(tmp_path):
    save_blocks("mlflow", tmp_path)
    done = shell("sh run.sh", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "prevalence"
    logged = {path.name: path for path in tmp_path.glob("mlruns/0/*/metrics/*")}
    assert set(logged) == {"auc", "auc_low", "auc_high", "probabilistic_auc", "struggle_ratio"}
    assert 0.7 < float(logged["auc"].read_text().split()[1]) < 0.9
    artifacts = {path.name for path in tmp_path.glob("mlruns/0/*/artifacts/rocwalk/*")}
    assert artifacts == {"roc.png", "report.html", "tally.npz", "drift.json"}
