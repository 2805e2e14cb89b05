"""Fixtures of the command line."""

from __future__ import annotations

import pytest

from cli.sites import column


@pytest.fixture
def files(table):
    return [
        table(["y", "a", "b"], *zip(*(c.tolist() for c in column(k)), strict=True), name=f"{k}.csv")
        for k in range(3)
    ]
