"""Fixtures of the tests of drift."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from drift.samples import MODEL, PERIOD, pair_sample, rows


@pytest.fixture(scope="module")
def both():
    rng = np.random.default_rng(3)
    return pair_sample(rng), pair_sample(rng)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    store = rw.MonitorStore.create(tmp_path_factory.mktemp("store") / "store.duckdb")
    store.add_model("m", **MODEL, **PERIOD)
    store.add(rows(), batch="all")
    return store


@pytest.fixture
def empty(tmp_path):
    return rw.MonitorStore.create(tmp_path / "store.duckdb")
