"""Subgroups and their gaps on the page."""

from __future__ import annotations

import re

import numpy as np

import rocwalk as rw
from report.studies import (
    agrees,
    full_study,
    section,
)


def test_folds_and_subgroups_are_the_library_s(visit):
    data, report = full_study()
    page = visit(report).page
    folds = [data["fold"] == k for k in range(4)]
    areas = [rw.roc(data["y"][f], data["plain"][f]).area for f in folds]
    folded = page.get_by_role("region", name="AUC over the folds")
    row = folded.locator("tbody tr").first.locator("td").all_inner_texts()
    pooled = {name: data[name] for name in ("plain", "tied")}
    again = rw.cross_validation(data["y"], pooled, data["fold"])
    ends = again.models[0].low, again.models[0].high
    values = (np.mean(areas), *ends, np.std(areas, ddof=1), min(areas), max(areas))
    shown = " ".join(row).replace("\xa0to\xa0", " ").split()
    assert shown[0] == "4"
    assert all(agrees(words, value) for words, value in zip(shown[1:], values, strict=True))
    words = page.locator("#folds [data-role=fold-pairs] li").all_inner_texts()
    assert [text.replace("−", "-") for text in words] == [
        pair.sentence.replace("−", "-") for pair in again.pairs
    ]
    page.select_option("#groups-model", index=1)
    south = data["site"] == "south"
    assert agrees(
        page.locator("#groups .legend .value").all_inner_texts()[1].removeprefix("AUC "),
        rw.roc(data["y"][south], data["tied"][south]).area,
    )


def test_gaps_between_subgroups_are_the_library_s(visit):
    data, report = full_study()
    page = visit(report).page
    known = rw.subgroups(data["y"], data["plain"], data["site"])
    row = page.locator("#groups > .scroll tbody tr").first.locator("td").all_inner_texts()
    apart, areas = known.against_rest[0], known.background[0]
    shown = [words for words in re.split(r"[\s()]+", " ".join(row)) if words not in ("", "to")]
    values = [apart.difference, apart.low, apart.high, apart.adjusted_p_value]
    values += [x for one in (areas.bpsn, areas.bnsp) for x in (one.estimate, one.low, one.high)]
    assert all(
        agrees(words.replace("−", "-").removeprefix("+"), value)
        for words, value in zip(shown, values, strict=True)
    )


def test_a_gap_is_shown_only_where_there_is_one():
    rng = np.random.default_rng(6)
    y, site = rng.integers(0, 2, 600), np.array(["a", "b", "c"])[np.arange(600) % 3]
    alike = rng.normal(y, 1)
    apart = alike + 2 * y * (site == "b")
    doubt = "which does not show that there is one"
    for scores, is_doubtful in ((alike, True), (apart, False)):
        report = rw.report({"y": y, "s": scores, "site": site}, label="y", score="s", by="site")
        html = section(report, "groups")
        assert "the gap is" in html
        assert (doubt in html) is is_doubtful


def test_parts_without_both_classes_are_said(visit):
    data = {"y": [1, 0, 1, 0, 1, 1], "s": [6, 5, 4, 3, 2, 1], "f": [1, 1, 2, 2, 3, 3]}
    page = visit(rw.report(data, label="y", score="s", fold="f", by="f")).page
    assert (
        "Folds that lack a class are left out; counted for each model there are 1."
        in page.locator("#folds").inner_text()
    )
    assert "undefined" in page.locator("#groups > .card > .scroll tbody").inner_text()


def test_many_subgroups_are_cut_and_said(visit):
    rng = np.random.default_rng(0)
    data = {"y": rng.integers(0, 2, 900), "s": rng.random(900), "g": np.arange(900) % 90}
    page = visit(rw.report(data, label="y", score="s", by="g")).page
    words = page.locator("#groups").inner_text()
    assert (
        "Of 90 subgroups the first 12 with both classes are drawn and the 60 largest are listed."
        in words
    )
    assert page.locator("#groups > .card > .scroll tbody tr").count() == 60
