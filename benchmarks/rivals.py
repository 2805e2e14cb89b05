"""The AUC of 10⁷ rows against every library that can be installed: same data, ties respected.

Each library runs in a process of its own. The CPU time of the calculation is compared, in user and
system mode together and over all threads, the least of several runs; the data, imports and the
first call, which may compile, are not counted. All must agree on the area to 1e-6.

`make bench` makes their environment and runs all of them. A run with some of NumPy's instructions
switched off is kept beside the other, as "switched".

    .venv-rivals/bin/python benchmarks/rivals.py            # all of them, and docs/rivals.json
    .venv-rivals/bin/python benchmarks/rivals.py numba      # one of them
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from promises import MANY, data, is_switched, sort_path

PROMISED = 5.0  # times the CPU time of rocwalk that the fastest rival takes
ROOT = Path(__file__).parents[1]
MEASURED = ROOT / "docs" / "rivals.json"


def tied_data(rows: int):
    """Scores of which many are equal: six digits, as most files have."""
    y, s = data(rows)
    return y, np.round(s, 6)


def by_rocwalk(y, s):
    import rocwalk as rw

    return lambda: rw.metrics.roc_auc_score(y, s)


def by_scikit_learn(y, s):
    from sklearn.metrics import roc_auc_score

    return lambda: roc_auc_score(y, s)


def by_polars(y, s):
    import polars as pl

    frame = pl.DataFrame({"y": y, "s": s})
    up = pl.col("y").sum()
    ranks = pl.col("s").rank("average").filter(pl.col("y") == 1).sum()
    area = (ranks - up * (up + 1) / 2) / (up * (pl.len() - up))
    return lambda: frame.select(area).item()


def by_polars_groups(y, s):
    import polars as pl

    frame = pl.DataFrame({"y": y, "s": s})
    right = pl.col("n") - pl.col("u")
    below = right.cum_sum() - right / 2
    area = (pl.col("u") * below).sum() / (pl.col("u").sum() * right.sum())
    grouped = (
        frame.lazy()
        .group_by("s")
        .agg(pl.col("y").sum().alias("u"), pl.len().cast(pl.Int64).alias("n"))
    )
    return lambda: grouped.sort("s").select(area).collect().item()


def by_torchmetrics(y, s):
    import torch
    from torchmetrics.functional.classification import binary_auroc

    scores, labels = torch.from_numpy(s), torch.from_numpy(y)
    return lambda: float(binary_auroc(scores, labels, validate_args=False))


def by_numba(y, s):
    import numba

    @numba.njit(cache=False)
    def area(labels, scores):
        order = np.argsort(scores)
        pairs, right, i = 0.0, 0, 0
        while i < len(order):
            up, down, j = 0, 0, i
            while j < len(order) and scores[order[j]] == scores[order[i]]:
                if labels[order[j]]:
                    up += 1
                else:
                    down += 1
                j += 1
            pairs += up * (right + 0.5 * down)
            right += down
            i = j
        return pairs / ((len(order) - right) * right)

    return lambda: area(y, s)


def by_duckdb(y, s):
    import duckdb

    connection = duckdb.connect()
    connection.register("given", {"y": y, "s": s})
    connection.execute("CREATE TABLE rows AS SELECT * FROM given")
    query = """
        WITH steps AS (SELECT s, sum(y) AS u, count(*) - sum(y) AS r FROM rows GROUP BY s),
        walk AS (SELECT u, r, sum(r) OVER (ORDER BY s) - r / 2 AS below FROM steps)
        SELECT sum(u * below) / (sum(u) * sum(r)) FROM walk
    """
    return lambda: connection.execute(query).fetchone()[0]


def by_xgboost(y, s):
    import xgboost

    matrix = xgboost.DMatrix(np.zeros((len(y), 1), dtype=np.float32), label=y, base_margin=s)
    booster = xgboost.Booster({"eval_metric": "auc", "objective": "binary:logitraw"}, [matrix])
    return lambda: float(booster.eval(matrix).rpartition(":")[2])


RIVALS = {
    "rocwalk": by_rocwalk,
    "scikit-learn": by_scikit_learn,
    "polars, ranks": by_polars,
    "polars, groups": by_polars_groups,
    "torchmetrics": by_torchmetrics,
    "numba, sorted by hand": by_numba,
    "DuckDB, SQL": by_duckdb,
    "xgboost": by_xgboost,
}


def measure(name: str, rows: int) -> dict[str, float]:
    """Return the area, the least CPU time and the least time on the clock of three calls."""
    sys.path.remove(str(Path(__file__).parent))  # numba would take our coverage.py for a package
    call = RIVALS[name](*tied_data(rows))
    area = call()
    times = []
    for _ in range(3):
        start, cpu = time.perf_counter(), time.process_time()
        call()
        times.append((time.process_time() - cpu, time.perf_counter() - start))
    cpu, wall = (min(column) for column in zip(*times, strict=True))
    return {"area": float(area), "cpu_seconds": cpu, "wall_seconds": wall}


def main(words: list[str]) -> int:
    if words[:1] == ["--measure"]:
        print(json.dumps(measure(words[1], int(words[2]))))
        return 0
    names = [name for name in RIVALS if not words or any(word in name for word in words)]
    names = ["rocwalk", *(name for name in names if name != "rocwalk")]
    found: dict[str, dict[str, float]] = {}
    print(f"{'AUC of 10⁷ rows':28}{'CPU s':>9}{'clock s':>9}{'× rocwalk':>11}  area")
    for name in names:
        command = [sys.executable, __file__, "--measure", name, str(MANY)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no answer"])[-1]
            print(f"{name:28}{'not measured: ' + last[:70]}", flush=True)
            if name == "rocwalk":
                return 1
            continue
        one = found[name] = json.loads(done.stdout.splitlines()[-1])
        ratio = one["cpu_seconds"] / found["rocwalk"]["cpu_seconds"]
        print(
            f"{name:28}{one['cpu_seconds']:9.3f}{one['wall_seconds']:9.3f}{ratio:11.2f}"
            f"  {one['area']:.9f}",
            flush=True,
        )
    unlike = [
        name for name, one in found.items() if abs(one["area"] - found["rocwalk"]["area"]) > 1e-6
    ]
    fastest = min((n for n in found if n != "rocwalk"), key=lambda n: found[n]["cpu_seconds"])
    ratio = found[fastest]["cpu_seconds"] / found["rocwalk"]["cpu_seconds"]
    is_kept = ratio >= PROMISED and not unlike
    print(
        f"\nThe fastest rival is {fastest}: {ratio:.2f} × the CPU time of rocwalk (≥ {PROMISED:g})."
    )
    if unlike:
        print(f"Another area: {', '.join(unlike)}.")
    if not words:
        write_down(found, fastest, ratio)
    return int(not is_kept)


def measured_apart() -> dict:
    """Return what this file finds in the environment of the rivals, all of which must be there."""
    python = ROOT / ".venv-rivals" / "bin" / "python"
    done = subprocess.run([python, __file__], stdout=subprocess.PIPE, text=True, check=False)
    missing = [name for name in RIVALS if f"{name:28}not measured" in done.stdout]
    if done.returncode not in (0, 1) or missing or "Another area" in done.stdout:
        raise RuntimeError(f"the rivals could not be compared:\n{done.stdout}")
    kept = json.loads(MEASURED.read_text(encoding="utf-8"))
    return kept["switched"] if is_switched() else kept


def write_down(times, fastest: str, ratio: float) -> None:
    """Keep what was measured, for the documentation."""
    packages = {
        "numpy",
        "scikit-learn",
        "polars",
        "torchmetrics",
        "torch",
        "numba",
        "duckdb",
        "xgboost",
    }
    versions = {one: importlib.metadata.version(one) for one in sorted(packages)}
    machine = {
        "cores": os.cpu_count(), "python": platform.python_version(), "numpy_sort": sort_path(),
    }  # fmt: skip
    rivals = [
        {"name": name, **{key: float(f"{value:.4g}") for key, value in one.items()}}
        for name, one in times.items()
    ]
    found = {"machine": machine, "versions": versions, "fastest": fastest, "ratio": ratio}
    found["rivals"] = rivals
    kept = json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}
    kept = kept | ({"switched": found} if is_switched() else found)
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    MEASURED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
