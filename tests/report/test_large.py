"""The page of data that stay where they are: no script stumbles over what is left out."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe

import rocwalk as rw

pytestmark = pytest.mark.filterwarnings("ignore:The table is larger than the memory limit")


def table(rows, seed=0):
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 2, rows)
    return pl.LazyFrame({"y": rng.random(rows) < p, "p": p, "q": np.sqrt(p)})


@pytest.mark.slow
def test_a_page_from_buckets(visit, tmp_path):
    report = rw.report(
        table(1_100_000), label="y", score=["p", "q"], reference=table(1_100_000, seed=1),
        memory_limit="20MB",
    )  # fmt: skip
    opened = visit(report)
    said = opened.page.locator("#summary").inner_text()
    assert "p, from buckets: AUC ± " in said
    left = opened.page.locator("p.note", has_text="Left out: ").all_inner_texts()
    assert sum(one.startswith("Left out: ") for one in left) == 4, left
    assert opened.page.locator("#roc path").count() > 0
    assert opened.page.locator("#distributions path, #distributions rect").count() > 0
    assert "The curves are not drawn" in opened.page.locator("#drift").inner_text()
    assert Axe().run(opened.page).violations_count == 0
    figures = {path.name for path in report.figures(tmp_path)}
    assert "roc.svg" in figures
    assert not {"calibration-p.svg", "brier-curve-p.svg"} & figures


def test_a_page_of_exact_tallies_without_the_rows(visit):
    report = rw.report(table(3_000), label="y", score=["p", "q"], memory_limit="1KB")
    opened = visit(report)
    assert "larger than the memory limit" in opened.page.locator("#summary").inner_text()
    assert "pairs need every row" in opened.page.locator("#compare").inner_text()
    assert opened.page.locator("p.note", has_text="Left out: ").count() == 0
    whole = rw.report(table(3_000).collect(), label="y", score=["p", "q"])
    tile = "#summary table.numeric"
    assert (
        opened.page.locator(tile).first.inner_text()
        == visit(whole).page.locator(tile).first.inner_text()
    )
