"""Areas between subgroups, against the share of pairs counted one by one."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from inference.grouped import sample
from rocwalk.errors import OptionError


@pytest.mark.parametrize("soft", [False, True])
def test_background_areas_are_shares_of_pairs(soft):
    y, s, by = sample(90, seed=1, soft=soft)
    found = rw.subgroups(y, s, by)

    def pairs(ups, rights):
        """Borkan et al. (2019), eq. 2 and 3, pair by pair."""
        won = np.sign(s[ups][:, None] - s[rights][None, :]) / 2 + 0.5
        weight = y[ups][:, None] * (1 - y[rights])[None, :]
        return (won * weight).sum() / weight.sum()

    for one in found.background:
        inside = by == one.group
        assert one.bpsn.estimate == pytest.approx(pairs(~inside, inside))
        assert one.bnsp.estimate == pytest.approx(pairs(inside, ~inside))
    between = found.area_between("a", "c")
    assert between.estimate == pytest.approx(pairs(by == "a", by == "c"))
    assert between.low < between.estimate < between.high
    assert found.area_between("b", "b") == found.intervals[1]


def test_background_areas_say_where_a_subgroup_is_off():
    """Negatives of c with high scores lower its BPSN, and no other."""
    y, s, by = sample(600, seed=2)
    s = s + 1.5 * ((by == "c") & (y == 0))
    areas = {one.group: one for one in rw.subgroups(y, s, by).background}
    assert areas["c"].bpsn.high < areas["a"].bpsn.low
    assert areas["c"].bnsp.low > areas["c"].bpsn.high


def test_a_subgroup_that_is_not_there_is_refused():
    y, s, by = sample(60)
    with pytest.raises(OptionError, match="'z' is not a subgroup"):
        rw.subgroups(y, s, by).area_between("a", "z")
