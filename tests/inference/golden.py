"""Golden numbers of R's pROC and the data sets they were computed from."""

from __future__ import annotations

import csv
import functools
import json

import numpy as np

from commands import ROOT

GOLDEN = json.loads((ROOT / "tests/proc/golden.json").read_text())  # made by R, calls inside


@functools.cache
def columns(name):
    """Return the columns of one of the data sets of the golden numbers."""
    about = GOLDEN["data"][name]
    if "columns" in about:
        return {key: np.array(column) for key, column in about["columns"].items()}
    with (ROOT / about["file"]).open() as file:
        rows = list(csv.DictReader(file))
    names = [about["label"], *about["scores"]]
    return {key: np.array([float(row[key]) for row in rows]) for key in names}


def golden_data(name):
    about, held = GOLDEN["data"][name], columns(name)
    return held[about["label"]].astype(int), {key: held[key] for key in about["scores"]}
