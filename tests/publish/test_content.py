"""Words of tables: numbers with intervals, and names of which no two are alike."""

from __future__ import annotations

import math

from rocwalk.publish.content import distinct, with_interval


def test_all_ends_of_an_interval_have_the_same_digits():
    assert with_interval((0.5, 0.25, 0.75)) == "0.500 (0.250 to 0.750)"
    assert with_interval((2 / 3, 0.1, 1), digits=2) == "0.67 (0.10 to 1.00)"


def test_a_number_without_an_interval_stands_alone():
    for ends in ((0.5, math.nan, 0.7), (0.5, 0.3, math.nan)):
        assert with_interval(ends) == "0.500"


def test_equal_names_are_numbered_and_never_meet_another_name():
    assert distinct(["a", "a", "a (2)", "a"]) == ["a", "a (2)", "a (2) (2)", "a (3)"]
    assert distinct([]) == []
