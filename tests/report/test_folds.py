"""Folds on the page."""

from __future__ import annotations

import rocwalk as rw


def test_one_fold_has_no_spread(visit):
    data = {"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "f": [1, 1, 1, 1]}
    page = visit(rw.report(data, label="y", score="s", fold="f")).page
    folded = page.get_by_role("region", name="AUC over the folds")
    row = folded.locator("tbody td").all_inner_texts()
    assert row == ["1", "0.7500", "undefined", "undefined", "0.7500", "0.7500"]
    assert page.locator("#folds .ribbon").count() == 0
