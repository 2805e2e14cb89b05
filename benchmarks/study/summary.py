"""From files of sets and splits to tables: means over families, differences, Wilcoxon and Holm."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Collection, Iterator
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import wilcoxon

from rocwalk.inference.distributions import holm

from .conditions import GRID, WORLDS
from .criteria import CRITERIA
from .datasets import Dataset
from .run import PARTS
from .splits import SEED, SIZES

RESAMPLES = 10_000
YARDSTICKS = ("least_loss", "any")  # shown without a test
NUMBERS = ("auc", "brier", "struggle_ratio", "loss", "regret_hull", "regret_raw")


def complete_splits(folder: Path, part: str, datasets: tuple[Dataset, ...]) -> int:
    """Return how many splits, from the first on, all sets have results of."""
    number = 0
    while all((folder / part / f"{each.name}.{number}.json").exists() for each in datasets):
        number += 1
    return number


def results_of(folder: Path, part: str, dataset: Dataset, splits: int) -> Iterator[Any]:
    """Yield what was found in each split of a set."""
    for number in range(splits):
        path = folder / part / f"{dataset.name}.{number}.json"
        yield json.loads(path.read_text(encoding="utf-8"))


def family_means(values: dict[Dataset, list[float]]) -> dict[str, float]:
    """Return the mean over the splits of a set, then over the sets of a family."""
    of_sets: dict[str, list[float]] = {}
    for dataset, each in values.items():
        if each:
            of_sets.setdefault(dataset.family, []).append(float(np.mean(each)))
    return {family: float(np.mean(means)) for family, means in of_sets.items()}


def compared(means: dict[str, dict[str, float]], reference: str) -> list[dict[str, Any]]:
    """Return a row for each name: mean over families, and its difference from the reference.

    `low` and `high` bound the mean difference at 95 % by resampling families; `p` is Wilcoxon's,
    two sided, zeros by Pratt's method.
    """
    families = list(means[reference])
    drawn = np.random.default_rng(SEED).integers(len(families), size=(RESAMPLES, len(families)))
    base = np.array([means[reference][family] for family in families])
    rows = []
    for name, of_families in means.items():
        values = np.array([of_families[family] for family in families])
        row: dict[str, Any] = {"name": name, "mean": float(values.mean())}
        if name not in (reference, *YARDSTICKS):
            gap = values - base
            low, high = np.quantile(gap[drawn].mean(axis=1), [0.025, 0.975])
            row |= {"difference": float(gap.mean()), "low": float(low), "high": float(high)}
            row |= {"above": int((gap > 0).sum()), "below": int((gap < 0).sum())}
            row["p"] = float(wilcoxon(gap, zero_method="pratt").pvalue) if gap.any() else 1.0
        rows.append(row)
    return rows


def adjusted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a table with p-values adjusted by Holm over those that have one."""
    p_values = iter(holm([row["p"] for row in rows if "p" in row]))
    return [row | {"p": next(p_values)} if "p" in row else row for row in rows]


def regret_tables(
    folder: Path, parts: tuple[str, ...], datasets: tuple[Dataset, ...], reference: str
) -> dict[str, Any]:
    """Return the tables of a question, by size and world, of the splits that all its parts have."""
    splits = min(complete_splits(folder, part, datasets) for part in parts)
    values: dict[tuple[str, str, str], dict[Dataset, list[float]]] = {}
    for part in parts:
        for dataset in datasets:
            for result in results_of(folder, part, dataset, splits):
                for size, found in result["found"].items():
                    for name, regret in found.items():
                        for world in WORLDS:
                            by_set = values.setdefault((size, world, name), {})
                            by_set.setdefault(dataset, []).append(regret[world])
    tables: dict[str, Any] = {"splits": splits, "reference": reference}
    for size in map(str, SIZES):
        for world in WORLDS:
            means = {
                name: family_means(by_set)
                for (this, that, name), by_set in values.items()
                if (this, that) == (size, world)
            }
            if means:
                rows = adjusted(compared(means, reference))
                tables[f"{size} {world}"] = {"families": len(means[reference]), "rows": rows}
    return tables


def regret_by_condition(
    folder: Path, parts: tuple[str, ...], datasets: tuple[Dataset, ...], splits: int, size: str
) -> dict[str, list[float]]:
    """Return the mean regret over families at each c of the first world, for each way."""
    values: dict[str, dict[Dataset, list[list[float]]]] = {}
    for part, dataset in product(parts, datasets):
        for result in results_of(folder, part, dataset, splits):
            for name, regret in result["found"].get(size, {}).items():
                each = regret["each"][: len(GRID)]
                values.setdefault(name, {}).setdefault(dataset, []).append(each)
    return {
        name: [
            float(np.mean(list(family_means(_condition(by_set, k)).values())))
            for k in range(len(GRID))
        ]
        for name, by_set in values.items()
    }


def _condition(by_set: dict[Dataset, list[list[float]]], k: int) -> dict[Dataset, list[float]]:
    return {dataset: [each[k] for each in splits] for dataset, splits in by_set.items()}


def sensible_table(folder: Path, datasets: tuple[Dataset, ...]) -> dict[str, Any]:
    """Return each number on test rows for each μ, against μ = 0; Holm over all of them."""
    splits = complete_splits(folder, "sensible", datasets)
    values: dict[tuple[str, str], dict[Dataset, list[float]]] = {}
    for dataset in datasets:
        for result in results_of(folder, "sensible", dataset, splits):
            for mu, found in result["found"].items():
                for number in NUMBERS:
                    by_set = values.setdefault((number, mu), {})
                    by_set.setdefault(dataset, []).append(found[number])
    rows = []
    for number in NUMBERS:
        means = {mu: family_means(each) for (name, mu), each in values.items() if name == number}
        rows += [row | {"number": number} for row in compared(means, "0.0")]
    return {"splits": splits, "families": len(means["0.0"]), "rows": adjusted(rows)}


def matched_widths(folder: Path, datasets: tuple[Dataset, ...]) -> dict[str, Any]:
    """Return the median matched width by size, and the share of samples that have none."""
    splits = complete_splits(folder, "widths", datasets)
    found: dict[str, dict[str, list[Any]]] = {}
    for dataset in datasets:
        for result in results_of(folder, "widths", dataset, splits):
            for size, each in result["found"].items():
                kept = found.setdefault(size, {"width": [], "exists": []})
                kept["width"] += each["width"]
                kept["exists"] += each["exists"]
    return {
        size: {
            "samples": len(each["exists"]),
            "without": 1 - float(np.mean(each["exists"])),
            "quartiles": np.percentile(
                np.array(each["width"])[np.array(each["exists"])], [25, 50, 75]
            ).tolist(),
        }
        for size, each in found.items()
    }


def cpu_seconds(folder: Path, part: str) -> float:
    """Return the processor time of all files that there are of a part."""
    texts = (path.read_text(encoding="utf-8") for path in folder.glob(f"{part}/*.json"))
    counted = [json.loads(text)["seconds"] for text in texts]
    for path in folder.glob(f"{part}/*.npz"):
        with np.load(path) as file:
            counted.append(float(file["seconds"]))
    return float(sum(counted))


def summarise(
    folder: Path, datasets: tuple[Dataset, ...], parts: Collection[str] = PARTS
) -> dict[str, Any]:
    """Return what the documentation shows: facts, and the tables of the parts."""
    packages = sorted({each.package for each in datasets})
    found: dict[str, Any] = {
        "seed": SEED,
        "sets": [
            {"name": each.name, "family": each.family, "package": each.package} for each in datasets
        ],
        "machine": {
            "cores": os.cpu_count(),
            "processor": platform.machine(),
            "python": platform.python_version(),
            **{name: version(name) for name in [*packages, "numpy", "scipy"]},
        },
        "cpu_seconds": {part: cpu_seconds(folder, part) for part in parts},
        "criteria": {name: each.title for name, each in CRITERIA.items()}
        | {"least_loss": "least loss on the validation rows", "any": "any model at random"},
    }
    if "selection" in parts:
        found["selection"] = regret_tables(folder, ("selection",), datasets, "auc")
    if "thresholds" in parts and "logit" in parts:
        both = ("thresholds", "logit")
        tables = regret_tables(folder, both, datasets, "ROC hull")
        found["thresholds"] = tables
        found["conditions"] = regret_by_condition(folder, both, datasets, tables["splits"], "200")
    if "beta" in parts:
        found["beta"] = regret_tables(folder, ("beta",), datasets, "ROC hull")
    if "widths" in parts:
        found["widths"] = matched_widths(folder, datasets)
    if "sensible" in parts:
        found["sensible"] = sensible_table(folder, datasets)
    return found


def merged(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return stored tables with those of the parts that were run in their place."""
    return before | now | {"cpu_seconds": before["cpu_seconds"] | now["cpu_seconds"]}
