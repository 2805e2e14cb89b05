"""Fixtures of the tests of `rocwalk.sklearn`."""

from __future__ import annotations

import pytest
from threadpoolctl import threadpool_limits

import sklearn
from estimators import MODEL, validated


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    """Small data are slower on many threads that wait for each other."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module")
def results():
    return validated(MODEL)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield
