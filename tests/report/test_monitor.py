"""The page on models in use: windows, alarms and notes, in the browser."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.report.monitor import monitor_page


@pytest.fixture(scope="module")
def status(tmp_path_factory):
    rng = np.random.default_rng(8)
    p = 1 / (1 + np.exp(-rng.normal(-0.3, 1.5, 1800)))
    y = (rng.random(1800) < p).astype(float)
    time = np.datetime64("2026-01-01") + np.arange(1800) * 90 // 1800
    p[time >= np.datetime64("2026-03-01")] **= 2.5
    y[time == np.datetime64("2026-03-31")] = np.nan
    store = rw.MonitorStore.create(tmp_path_factory.mktemp("store") / "store.duckdb")
    store.add_model("<b>triage", window="week", reference_period=("2026-01-01", "2026-02-01"))
    store.add_model("empty")
    rows = {"id": np.arange(1800), "time": time, "score": p, "label": y}
    quiet = (time < np.datetime64("2026-02-09")) | (time >= np.datetime64("2026-02-16"))
    rows = {name: column[quiet] for name, column in rows.items()}
    store.add(rows, model="<b>triage", batch="all")
    store.add_labels({"id": [-1], "label": [1]}, model="<b>triage", batch="early")
    first = store.status().alarms[0]
    store.acknowledge(first.start, "known <i>since</i> then", model="<b>triage")
    return store.status()


def test_the_page_shows_every_window_and_is_quiet(status, tmp_path, browser):
    path = tmp_path / "page.html"
    page_ = monitor_page(status, title="Models", subtitle="From a store", refresh=3600)
    path.write_text(page_, encoding="utf-8")
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    cards = page.locator("[data-role=model]")
    assert cards.count() == 2
    stream, text = status.streams[0], cards.first.inner_text()
    assert cards.first.locator("h3").inner_text() == "<b>triage"
    assert stream.summary in text
    assert "known <i>since</i> then" in text
    assert "1 labels wait for their predictions." in page.locator("#timeline").inner_text()
    rows = cards.first.locator("tbody tr")
    assert rows.count() == 1 + len(stream.windows)  # the reference first
    assert cards.first.locator("tr.moved").count() == len(status.open_alarms) > 0
    (gap,) = [k for k, one in enumerate(stream.windows) if not one.rows]
    cells = rows.nth(1 + gap).locator("th, td").all_inner_texts()
    assert cells[0] == "2026-02-09"
    assert cells[2:8] == ["0", "0", "–", "0", "–", "–"]
    assert cells[-2] == "undecidable: it has no rows."
    charts = cards.first.locator("svg.chart")
    assert charts.count() == 5  # AUC, midpoint, struggle ratio, Brier score, log O/E
    labelled = sum(one.labelled > 0 for one in stream.windows)
    assert charts.first.locator("circle.gap").count() == labelled
    assert charts.first.locator("circle.alarm").count() == len(status.open_alarms)
    assert cards.nth(1).locator("svg.chart").count() == 0
    assert said == []
    page.close()


def test_a_page_of_a_store_without_models_says_so(tmp_path):
    empty = rw.MonitorStore.create(tmp_path / "store.duckdb").status()
    page = monitor_page(empty, title="Models", subtitle="")
    assert "The store has no models." in page
    assert 'http-equiv="refresh"' not in page
