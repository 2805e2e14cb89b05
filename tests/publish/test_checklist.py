"""Check-lists: complete, and filled only where the data can fill them."""

from __future__ import annotations

import re

import pytest

import rocwalk as rw
from rocwalk.publish.checklist import BLANK, STARD, TRIPOD


@pytest.mark.parametrize(("kind", "items", "filled"), [
    ("stard", STARD, {"12a", "14", "16", "17", "19", "23", "24"}),
    ("tripod", TRIPOD, {"11", "12e", "14", "15", "20a", "21", "23a", "23b"}),
])  # fmt: skip
def test_a_list_is_filled_where_the_data_can_fill_it(page, kind, items, filled):
    table = rw.table(page, kind)
    assert len(table.rows) == len(items) == {"stard": 34, "tripod": 52}[kind]
    assert {row[1] for row in table.rows if row[3] != BLANK} == filled
    assert f"{len(filled)} of {len(items)} items" in table.title
    found = {row[1]: row[3] for row in table.rows}
    counts = "163 true positives, 62 false positives, 49 false negatives, 295 true negatives"
    assert kind == "tripod" or counts in found["23"]
    assert "569 rows" in found["16" if kind == "stard" else "11"]
    assert table.methods().keys[0] == {"stard": "bossuyt2015", "tripod": "collins2024"}[kind]


def test_without_subgroups_the_list_does_not_claim_any():
    data = {"y": [1, 0, 1, 0, 1, 0], "s": [0.9, 0.1, 0.8, 0.4, 0.3, None]}
    with pytest.warns(rw.errors.DroppedRowsWarning):
        table = rw.table(data, "stard", label="y", score="s", invalid="drop")
    found = {row[1]: row[3] for row in table.rows}
    assert found["17"] == BLANK
    assert "1 (s)" in found["16"]
    assert "5 analysed, 3 positive and 2 negative" in found["19"]


def test_numbers_of_items_are_those_of_the_lists():
    assert [number for _, number, _ in STARD if number.isdigit()][-1] == "30"
    assert len({int(re.sub(r"\D", "", number)) for _, number, _ in STARD}) == 30
    assert len({int(re.sub(r"\D", "", number)) for _, number, _ in TRIPOD}) == 27
