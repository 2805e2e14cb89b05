"""Distributions of the scores on the page."""

from __future__ import annotations

import pytest

import rocwalk as rw
from report.studies import sample
from rocwalk.report.distributions import distributions_section


def test_a_few_outliers_do_not_squeeze_a_histogram():
    data = sample("hard")
    data["plain"][:2] = [1e6, -1e6]
    report = rw.report(data, label="y", score=["plain", "tied"])
    content = distributions_section(report.findings)
    first, second = content.data["models"]
    assert max(map(abs, first["edges"])) < 10
    assert sum(first["up"]) == pytest.approx(1)
    assert [name for name, _ in content.context["outside"]] == ["plain"]
    assert second["edges"][-1] == pytest.approx(data["tied"].max())
