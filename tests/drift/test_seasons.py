"""Windows and their references: the first window, or the same season before."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocwalk as rw
from drift.samples import dated, look
from rocwalk.errors import OptionError

# -- numbers, verdicts, references, several scores -------------------------------------------------


@pytest.fixture(scope="module")
def table():
    return dated()


def years(rng, *, n=12_000, breaks=None):
    """Return three years of true probabilities with a season of the case mix.

    From the day `breaks` on, the outcomes follow the scores with a slope of 0.5.
    """
    day = np.sort(rng.integers(0, 1095, n))
    x = rng.normal(-1, 1.2, n) + np.sin(2 * np.pi * day / 365.25)
    slope = 1.0 if breaks is None else np.where(day >= breaks, 0.5, 1.0)
    y = (rng.random(n) < 1 / (1 + np.exp(-slope * x))).astype(int)
    return {"y": y, "p": 1 / (1 + np.exp(-x)), "day": np.datetime64("2021-01-01") + day}


def test_a_season_is_a_change_of_population_and_no_alarm():
    found = look(years(np.random.default_rng(8)), window="quarter")
    verdicts = [one.verdict for one in found.windows]
    assert not found.drifted
    assert set(verdicts) == {"none", "population"}
    moved = verdicts.count("population")
    assert f"0 of 11 windows have drifted; in {moved} only the population" in found.summary
    for one in found.windows:
        comparison = min(
            one.drift.findings[name].adjusted_p_value
            for name in ("auc", "midpoint", "struggle_ratio")
        )
        assert one.changed_p_value >= comparison
        assert (one.verdict == "population") == (one.changed_p_value < 0.05)
        tests = [each.adjusted_p_value for each in one.drift.tests.values()]
        assert one.p_value == min(tests)


def test_a_model_that_breaks_in_a_season_is_an_alarm():
    broken = look(years(np.random.default_rng(8), breaks=730), window="quarter")
    assert {one.start[:4] for one in broken.alarms} == {"2023"}
    assert len(broken.alarms) >= 3
    assert {one.verdict for one in broken.alarms} <= {"ranking", "both", "estimation"}
    assert not any(one.found("auc") for one in broken.windows if one.status != "drift")


def test_the_same_window_of_last_year():
    data = years(np.random.default_rng(9))
    found = look(data, window="quarter", reference="last year")
    starts = [one.start for one in found.windows]
    assert [start[:7] for start in starts[:4]] == ["2022-01", "2022-04", "2022-07", "2022-10"]
    assert len(found.windows) == 8
    assert found.reference_items is None

    def between(start, end):
        rows = (data["day"] >= np.datetime64(start)) & (data["day"] < np.datetime64(end))
        return data["y"][rows], data["p"][rows]

    second = rw.drift(between("2021-04-01", "2021-07-01"), between("2022-04-01", "2022-07-01"))
    assert found.windows[1].drift.to_json() == second.to_json()
    pool = [between(f"{year}-04-01", f"{year}-07-01") for year in (2021, 2022)]
    both = tuple(np.concatenate(columns) for columns in zip(*pool, strict=True))
    pooled = look(data, window="quarter", reference="earlier years")
    fifth = rw.drift(both, between("2023-04-01", "2023-07-01"))
    assert pooled.windows[5].drift.to_json() == fifth.to_json()
    assert pooled.windows[1].drift.to_json() == second.to_json()
    assert pooled.windows[5].reference_items == len(both[0])
    # against its own season the population has hardly moved, against the first window it has
    moved = [
        sum(one.verdict == "population" for one in each.windows)
        for each in (found, look(data, window="quarter"))
    ]
    assert moved[0] < moved[1]
    monday = data["day"] >= np.datetime64("2021-01-04")
    whole = {name: column[monday] for name, column in data.items()}
    weekly = look(whole, window="7D", reference="last year", minimum=15)
    assert weekly.windows[0].start == "2022-01-03"  # 52 weeks later, a Monday too
    assert weekly.windows[0].reference_items == (whole["day"] < np.datetime64("2021-01-11")).sum()
    few = look(whole, window="7D", reference="last year", minimum=30)
    assert any("in its reference" in (one.reason or "") for one in few.windows)
    found.plot()


def test_a_season_may_be_of_another_table(tmp_path):
    data = years(np.random.default_rng(9))
    late = data["day"] >= np.datetime64("2023-01-01")
    old, new = ({name: column[rows] for name, column in data.items()} for rows in (~late, late))
    for season in ("last year", "earlier years"):
        whole = look(data, window="quarter", reference=season)
        assert look(data, window="quarter", season=season).to_json() == whole.to_json()
        found = look(new, window="quarter", reference=old, season=season)
        expected = whole.windows[-4:]
        assert [one.start for one in found.windows] == [one.start for one in expected]
        for one, other in zip(found.windows, expected, strict=True):
            assert one.drift.to_json() == other.drift.to_json()
            assert one.reference_items == other.reference_items
    pd.DataFrame(old).to_csv(tmp_path / "old.csv", index=False)
    filed = look(new, window="quarter", reference=tmp_path / "old.csv", season="earlier years")
    assert filed.to_json() == found.to_json()
    with pytest.raises(
        OptionError, match="reference is one sample, and a season has rows with times"
    ):
        look(new, window="quarter", reference=(old["y"], old["p"]), season="last year")
    with pytest.raises(OptionError, match="season='yesterday' is not known"):
        look(new, window="quarter", season="yesterday")


def test_a_gap_in_last_year_is_undecidable():
    data = years(np.random.default_rng(9))
    summer = (data["day"] >= np.datetime64("2021-07-01")) & (
        data["day"] < np.datetime64("2021-10-01")
    )
    found = look({name: column[~summer] for name, column in data.items()},
                 window="quarter", reference="last year")  # fmt: skip
    assert found.windows[2].verdict == "undecidable"
    assert "no rows of the same window of earlier years" in found.windows[2].reason


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"window": 500}, "needs windows of the calendar"),
        ({"window": "24M"}, "is too long for 'last year'"),
        ({"window": "53W"}, "is too long for 'last year'"),
    ],
)
def test_windows_that_have_no_season(table, options, words):
    with pytest.raises(OptionError, match=words):
        look(table, reference="last year", **options)


def test_a_partial_first_window_is_not_taken_silently(table):
    late = table["day"] >= np.datetime64("2024-01-15")
    data = {name: column[late] for name, column in table.items()}
    with pytest.warns(rw.errors.RocwalkWarning, match="is partial, and a reference") as caught:
        found = look(data)
    assert len(caught) == 1
    assert "its rows begin at 2024-01-15" in found.summary
    assert found.notes
    assert not look(table).notes
    early = {name: column[~late] for name, column in table.items()}
    assert not look(data, reference=(early["y"], early["p"])).notes
    seasons = years(np.random.default_rng(9))
    kept = seasons["day"] >= np.datetime64("2021-02-20")
    with pytest.warns(rw.errors.RocwalkWarning, match="2021-01-01 to 2021-04-01, is partial"):
        look({name: column[kept] for name, column in seasons.items()},
             window="quarter", reference="last year")  # fmt: skip
