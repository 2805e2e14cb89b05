"""Samples that the tests of this folder share."""

from __future__ import annotations

import numpy as np

import rocwalk as rw
from commands import example_column

COLUMNS = {"label": "malignant", "score": ["logistic", "forest"]}
Y = np.array(example_column("malignant"), int)
FOREST = np.array(example_column("forest"), float)
LOGISTIC = np.array(example_column("logistic"), float)


def rows(table):
    return {row[0]: row[1:] for row in table.rows}


def odd_table():
    names = ["a|b", "<script>x", "50% & {_}", "=1+1", "\u202e\x07z"]
    data = {"y": [1, 0] * 10} | {
        name: [0.1 * (k % 7) + 0.2 * (k % 2) for k in range(20)] for name in names
    }
    return rw.table(data, "accuracy", label="y", score=names, threshold=0.3)
