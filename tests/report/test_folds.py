"""Folds on the page."""

from __future__ import annotations

import numpy as np

import rocwalk as rw
from report.studies import section
from rocwalk.report.numbers import between, rate


def test_one_fold_has_no_spread(visit):
    data = {"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "f": [1, 1, 1, 1]}
    page = visit(rw.report(data, label="y", score="s", fold="f")).page
    folded = page.get_by_role("region", name="AUC over the folds")
    row = folded.locator("tbody td").all_inner_texts()
    assert row == ["1", "0.7500", "undefined", "undefined", "0.7500", "0.7500"]
    assert page.locator("#folds .ribbon").count() == 0


def test_folds_of_clusters_leave_out_one_cluster_at_a_time():
    rng = np.random.default_rng(3)
    patient = np.repeat(np.arange(30), 5)
    y = rng.integers(0, 2, len(patient))
    data = {"y": y, "s": y + rng.normal(size=30)[patient] + rng.normal(size=len(y))}
    data |= {"p": patient, "f": patient % 3, "mixed": np.arange(len(y)) % 3}
    asked = {"label": "y", "score": "s", "cluster": "p"}
    html = section(rw.report(data, fold="f", **asked), "folds")
    one = rw.cross_validation(y, data["s"], data["f"], cluster=patient).models[0]
    assert between(rate(one.low), rate(one.high)) in html
    assert "leaves out one cluster at a time in its fold" in html
    assert "rows in several folds" not in html
    mixed = section(rw.report(data, fold="mixed", **asked), "folds")
    assert "30 clusters have rows in several folds" in mixed
