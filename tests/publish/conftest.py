"""One report for all tables of this folder."""

from __future__ import annotations

import pytest

import rocwalk as rw
from commands import EXAMPLE
from publish.samples import COLUMNS


@pytest.fixture(scope="module")
def page():
    return rw.report(EXAMPLE, **COLUMNS, by="size", threshold=0.4)
