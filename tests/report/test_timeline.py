"""The section on time: windows, alarms, and why a model is not followed."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

import rocwalk as rw
from report.studies import read
from rocwalk.errors import OptionError
from rocwalk.report.timeline import timeline_section


@pytest.fixture(scope="module")
def dated():
    rng = np.random.default_rng(1)
    n = 2400
    y = (rng.random(n) < 0.4).astype(int)
    p = 1 / (1 + np.exp(-rng.normal(2 * y - 1)))
    day = np.datetime64("2024-01-01") + np.sort(rng.integers(0, 150, n))
    p[day >= np.datetime64("2024-04-01")] **= 2
    return {"y": y, "model": p, "other": rng.random(n), "day": day}


def test_the_section_shows_what_the_library_finds(dated, tmp_path, browser):
    path = tmp_path / "page.html"
    report = rw.report(dated, label="y", score=["model", "other"], time="day")
    report.save(path)
    found = rw.drift_over_time(dated, label="y", score="model", time="day")
    page = browser.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    section = page.locator("#timeline")
    assert found.summary in section.inner_text()
    rows = section.locator("table").first.locator("tbody tr")
    assert rows.count() == len(found.windows)
    assert section.locator("table").first.locator("tr.moved").count() == len(found.alarms)
    cells = rows.nth(2).locator("th, td").all_inner_texts()
    third = found.windows[2]
    assert cells[0] == third.start
    assert cells[3] == f"{third.positives:.0f}"
    assert cells[4] == f"{third.drift.findings['auc'].current:.4f}"
    for cell, name in zip(cells[4:9], third.numbers, strict=True):
        assert read(cell) == [pytest.approx(third.numbers[name][0], abs=6e-5)]
    assert cells[-1] == third.verdict == "estimation"
    charts = section.locator("[data-role=model]").first.locator("svg.chart")
    assert charts.count() == 3
    for k, name in enumerate(("auc", "midpoint", "struggle_ratio")):
        test = {"auc": "ranking", "midpoint": "level", "struggle_ratio": "struggle"}[name]
        moved = [one.drift.tests[test].adjusted_p_value < found.alpha for one in found.alarms]
        assert charts.nth(k).locator("circle.alarm").count() == sum(moved)
    assert charts.first.locator("circle.alarm").count() < len(found.alarms)
    assert charts.first.locator("text.window").all_text_contents() == [
        "2024-02", "2024-03", "2024-04", "2024-05",
    ]  # fmt: skip
    assert "reference + 95\xa0% interval of the change" in section.inner_text()
    assert said == []
    page.close()


def test_bars_stay_in_the_range_of_their_number(dated):
    sharp = dated | {"model": np.clip(dated["y"] + 0.1 * (dated["other"] - 0.5), 0, 1)}
    sharp["model"][::40] = 0.5
    report = rw.report(sharp, label="y", score="model", time="day", window="week")
    (model,) = timeline_section(report.findings).data["models"]
    area = model["measures"][0]
    assert max(area["high"]) == 1
    assert all(low >= 0 for one in model["measures"] for low in one["low"])


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("window", ["day", 24])
def test_labels_never_overlap(dated, visit, window, width):
    times = dated["day"].astype("datetime64[s]") + np.arange(2400) % 86_400
    data = dated | {"day": times, "model": np.round(dated["model"], 2)}
    options = {"time": "day", "window": window, "reference": dated}
    opened = visit(rw.report(data, label="y", score="model", **options), width=width)
    charts = opened.page.locator("#timeline svg.chart")
    for k in range(charts.count()):
        boxes = [one.bounding_box() for one in charts.nth(k).locator("text.window").all()]
        assert all(a["x"] + a["width"] < b["x"] for a, b in pairwise(boxes))


def test_without_times_there_is_no_section(dated):
    html = rw.report(dated, label="y", score="model").html
    assert 'id="timeline"' not in html


def test_a_reference_and_windows_by_count(dated):
    first = dated["day"] < np.datetime64("2024-02-01")
    reference = {name: column[first] for name, column in dated.items()}
    report = rw.report(dated, label="y", score="model", time="day", window=600, reference=reference)
    (found,) = report.findings.drift.timelines
    assert [one.items for one in found.windows] == [600] * 4
    assert found.reference_items == int(first.sum())
    assert "against the reference" in report.html


def test_why_a_model_is_not_followed(dated):
    few = {name: column[:30] for name, column in dated.items()}
    html = rw.report(few, label="y", score="model", time="day", window=1000).html
    assert "is not followed: There is one window only" in html
    numbered = few | {"day": range(30)}
    with pytest.raises(OptionError, match="window='month' needs dates, and the times are numbers"):
        rw.report(numbered, label="y", score="model", time="day")
    odd = dated | {"model": dated["model"] * 3}
    assert "is not followed" in rw.report(odd, label="y", score="model", time="day").html


def test_from_the_command_line(dated, run, table, tmp_path):
    rows = zip(dated["y"].tolist(), dated["model"].tolist(), map(str, dated["day"]), strict=True)
    path = table(["y", "model", "day"], *rows)
    page = tmp_path / "page.html"
    options = ["--label", "y", "--score", "model", "--time", "day", "-o", page]
    code, _, _ = run("report", path, *options)
    assert code == 0
    assert 'id="timeline"' in page.read_text(encoding="utf-8")
    written = page.read_bytes()
    for window, words in {
        "fortnight": "--window 'fortnight' is not known.\nHint: --window is one of 'hour', 'day'",
        "0": "--window 0 is smaller than 1.\nHint: pass a whole number, or 'month'.",
    }.items():
        code, out, err = run("report", path, *options, "--window", window)
        assert (code, out) == (2, "")
        assert words in err
    assert page.read_bytes() == written
    code, out, _ = run("report", path, *options, "--window", "quarter", "--format", "json")
    assert code == 0
    (line,) = json.loads(out)["timeline"]
    assert line["windows"] == 1
    assert "Windows of a quarter" in page.read_text(encoding="utf-8")
    code, _, err = run("report", path, *options[:-4], "--time", "dya", "-o", page)
    assert code == 2
    assert "did you mean 'day'?" in err


def test_a_changed_population_is_marked_and_no_alarm():
    rng = np.random.default_rng(4)
    n = 4000
    x = rng.normal(-1, 1.2, n) + np.where(np.arange(n) >= 2000, 1.5, 0.0)
    y = (rng.random(n) < 1 / (1 + np.exp(-x))).astype(int)
    data = {"y": y, "model": 1 / (1 + np.exp(-x)), "at": np.arange(n)}
    report = rw.report(data, label="y", score="model", time="at", window=2000)
    html = report.html
    assert "0 of 1 windows have drifted; in 1 only the population has changed" in html
    assert '<tr class="seen">' in html
    assert '<tr class="moved">' not in html
    html = rw.report(data | {"model": data["model"] ** 3}, label="y", score="model", time="at",
                     window=1000).html  # fmt: skip
    assert "only the population has changed" in html


def test_a_partial_first_window_is_said(dated):
    late = dated["day"] >= np.datetime64("2024-01-15")
    data = {name: column[late] for name, column in dated.items()}
    words = "The first window, 2024-01-01 to 2024-02-01, is partial"
    assert words in rw.report(data, label="y", score="model", time="day").html
    assert words not in rw.report(dated, label="y", score="model", time="day").html


def test_clusters_of_windows(dated):
    unit = np.arange(2400) // 3
    report = rw.report(dated | {"unit": unit}, label="y", score="model", time="day", cluster="unit")
    (found,) = report.findings.drift.timelines
    data = dated | {"unit": unit}
    known = rw.drift_over_time(data, label="y", score="model", time="day", cluster="unit")
    assert [one.p_value for one in found.windows] == [one.p_value for one in known.windows]
    plain = rw.drift_over_time(data, label="y", score="model", time="day")
    assert [one.p_value for one in found.windows] != [one.p_value for one in plain.windows]
