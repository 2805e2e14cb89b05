"""Count the alarms of rocwalk, NannyML and Evidently on the same simulated seasons.

    python benchmarks/peers_drift.py                   # writes docs/drift_peers.json
    python benchmarks/peers_drift.py nannyml           # only this package; other rows stay

A stream has a reference of twelve months and 96 later months of 1,000 rows. The scores are true
probabilities; the case mix moves with the season, by ±0.75 or ±1.5 on the scale of log-odds. The
reference is a year of the same season, or a year without one. In the last stream the scores are
blurred from the 49th month on: alarms before are false, alarms after it are due.

Each package has a virtual environment of its own under build/peers (or in $ROCWALK_PEERS), made of
benchmarks/peers/<package>.txt, and all read the same rows. Their settings are the defaults.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
TABLE = HERE.parent / "docs" / "drift_peers.json"
ENVIRONMENTS = Path(os.environ.get("ROCWALK_PEERS", HERE.parent / "build" / "peers"))
ROWS, MONTHS, BROKEN = 1_000, 96, 48  # rows of a month, months, and where the model breaks
STREAMS = {  # the amplitude of the season in the reference and later, and the noise of the scores
    "season ±0.75, reference with it": (0.75, 0.75, 0.0),
    "season ±1.5, reference with it": (1.5, 1.5, 0.0),
    "season ±0.75, reference without": (0.0, 0.75, 0.0),
    "season ±1.5, reference without": (0.0, 1.5, 0.0),
    "season ±0.75, noise 0.8 from month 49": (0.75, 0.75, 0.8),
}
SILENT = {"NML_DISABLE_USAGE_LOGGING": "1", "DO_NOT_TRACK": "1"}  # no telemetry
Columns = tuple[np.ndarray, np.ndarray]


def drawn(seed: int, before: float, after: float, noise: float) -> tuple[Columns, Columns]:
    """Return labels and scores of the reference and of all months after it."""
    rng = np.random.default_rng([2009, seed])
    month = np.repeat(np.arange(12 + MONTHS), ROWS)
    amplitude = np.where(month < 12, before, after)
    odds = -1 + amplitude * np.sin(2 * np.pi * month / 12) + 1.2 * rng.normal(size=len(month))
    y = (rng.random(len(month)) < 1 / (1 + np.exp(-odds))).astype(int)
    blur = np.where(month >= 12 + BROKEN, noise, 0.0) * rng.normal(size=len(month))
    p = 1 / (1 + np.exp(-(odds + blur)))
    first = 12 * ROWS
    return (y[:first], p[:first]), (y[first:], p[first:])


def months(columns: Columns) -> list[Columns]:
    y, p = (np.split(column, MONTHS) for column in columns)
    return list(zip(y, p, strict=True))


# -- the packages: alarms by month -----------------------------------------------------------------


def rocwalk_alarms(reference: Columns, later: Columns) -> dict[str, list[bool]]:
    import rocwalk as rw

    reference = rw.tally(*reference)
    found = [rw.drift(reference, one) for one in months(later)]
    return {
        "rocwalk, drifted": [one.drifted for one in found],
        "rocwalk, changed (AUC, midpoint, struggle ratio)": [one.changed for one in found],
    }


def nannyml_alarms(reference: Columns, later: Columns) -> dict[str, list[bool]]:
    import nannyml
    import pandas as pd

    old, new = (
        pd.DataFrame({"y": y, "p": p, "predicted": (p >= 0.5).astype(int)})
        for y, p in (reference, later)
    )
    columns = {"y_true": "y", "y_pred_proba": "p", "y_pred": "predicted"}
    task = {"problem_type": "classification_binary", "metrics": ["roc_auc"], "chunk_size": ROWS}
    realised = nannyml.PerformanceCalculator(**columns, **task).fit(old).calculate(new)
    estimated = nannyml.CBPE(**columns, **task).fit(old).estimate(new)
    scores = nannyml.UnivariateDriftCalculator(
        column_names=["p"], continuous_methods=["jensen_shannon"], chunk_size=ROWS
    )
    drift = scores.fit(old).calculate(new)

    def alarms(result: object, *path: str) -> list[bool]:
        return result.filter(period="analysis").to_df()[(*path, "alert")].tolist()

    return {
        "NannyML, realised AUC": alarms(realised, "roc_auc"),
        "NannyML, estimated AUC (CBPE)": alarms(estimated, "roc_auc"),
        "NannyML, drift of the scores (Jensen–Shannon)": alarms(drift, "p", "jensen_shannon"),
    }


def evidently_alarms(reference: Columns, later: Columns) -> dict[str, list[bool]]:
    import pandas as pd
    from evidently import BinaryClassification, DataDefinition, Dataset, Report
    from evidently.metrics import RocAuc, ValueDrift

    told = DataDefinition(
        classification=[BinaryClassification(target="y", prediction_probas="p", pos_label=1)],
        numerical_columns=["p"],
        categorical_columns=["y"],
    )

    def dataset(columns: Columns) -> Dataset:
        frame = pd.DataFrame({"y": columns[0], "p": columns[1]})
        return Dataset.from_pandas(frame, data_definition=told)

    report = Report([ValueDrift(column="p"), ValueDrift(column="y"), RocAuc()], include_tests=True)
    old = dataset(reference)
    names = (
        "Evidently, drift of the scores",
        "Evidently, drift of the target",
        "Evidently, AUC (±20 % of the reference)",
    )
    found: dict[str, list[bool]] = {name: [] for name in names}
    for month in months(later):
        tests = report.run(dataset(month), old).dict()["tests"]
        for name, test in zip(names, tests, strict=True):
            found[name].append("SUCCESS" not in str(test["status"]))
    return found


PACKAGES = {"rocwalk": rocwalk_alarms, "nannyml": nannyml_alarms, "evidently": evidently_alarms}


# -- the table -------------------------------------------------------------------------------------


def environment(package: str) -> Path:
    """Return the interpreter for a package; its environment is made if there is none."""
    if package == "rocwalk":
        return Path(sys.executable)
    home = ENVIRONMENTS / package
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        needs = HERE / "peers" / f"{package}.txt"
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", needs], check=True)
    return python


def alarms_of(package: str) -> dict[str, dict[str, list[int]]]:
    """Return the months with an alarm, of each method in each stream."""
    found: dict[str, dict[str, list[int]]] = {}
    for seed, (stream, how) in enumerate(STREAMS.items()):
        for method, alarms in PACKAGES[package](*drawn(seed, *how)).items():
            found.setdefault(method, {})[stream] = np.flatnonzero(alarms).tolist()
    return found


def main(asked: list[str]) -> int:
    table = json.loads(TABLE.read_text(encoding="utf-8")) if asked and TABLE.exists() else {}
    rows = {row["method"]: row for row in table.get("rows", [])}
    for package in asked or list(PACKAGES):
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "alarms.json"
            command = [environment(package), __file__, "--in", package, kept]
            subprocess.run(command, check=True, env={**os.environ, **SILENT})
            told = json.loads(kept.read_text(encoding="utf-8"))
        for method, alarms in told["alarms"].items():
            rows[method] = {"method": method, "version": told["version"], "alarms": alarms}
            print(method, {stream: len(months) for stream, months in alarms.items()}, flush=True)
    order = sorted(
        rows.values(), key=lambda row: list(PACKAGES).index(row["method"].split(",")[0].lower())
    )
    kept = {"months": MONTHS, "broken": BROKEN, "streams": list(STREAMS), "rows": order}
    text = json.dumps(kept, ensure_ascii=False).replace('{"method"', '\n{"method"')
    TABLE.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in"]:
        from importlib.metadata import version

        package, kept = sys.argv[2:]
        told = {"version": version(package), "alarms": alarms_of(package)}
        Path(kept).write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    else:
        raise SystemExit(main(sys.argv[1:]))
