"""Shared strategies and fixtures."""

from __future__ import annotations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import HealthCheck, settings

mpl.use("Agg")
settings.register_profile(
    "rocwalk", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("rocwalk")


@pytest.fixture(autouse=True)
def _no_open_pictures():
    yield
    plt.close("all")


@pytest.fixture
def rng():
    return np.random.default_rng(20260101)
