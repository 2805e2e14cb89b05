"""The page as a file: one, small, quiet, closed to everything outside, the same every time."""

from __future__ import annotations

import json
import re
import sys

import numpy as np
import pytest

import rocwalk as rw
from report.studies import HOSTILE, hostile, study, twenty
from rocwalk.report import document
from rocwalk.report.numbers import shown


def test_the_same_report_is_the_same_page(tmp_path):
    data, first = study("soft")
    second = rw.report(data, label="y", score=["plain", "tied"], weight="w")
    assert first.html == second.html
    first.save(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_bytes() == second.html.encode()


def test_compiled_templates_are_kept_where_python_keeps_modules(tmp_path, monkeypatch):
    page = study("hard")[1]
    expected = page.html
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))

    def again():
        document._environment.cache_clear()
        return type(page)(page.study, page.title, page.options).html

    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert again() == expected
    assert list(tmp_path.rglob("*.pyc")) == []
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert again() == expected
    kept = sorted(tmp_path.rglob("*.pyc"))
    assert any(path.name.startswith("summary.") and "jinja" in path.name for path in kept)
    contents = [path.read_bytes() for path in kept]
    for path, content in zip(kept, contents, strict=True):
        path.write_bytes(content[: len(content) // 2] if path is kept[0] else b"nothing")
    assert again() == expected
    assert [path.read_bytes() for path in kept] == contents
    document._environment.cache_clear()


def test_a_failed_save_leaves_the_old_page(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text("old")
    report = study("hard")[1]
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(rw.errors.FileError, match="could not be written: full"):
        report.save(path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["page.html"]


def test_the_page_needs_nothing_else():
    html = study("hard")[1].html
    assert "style=" not in html
    assert not re.search(r"<(link|img|iframe|object|embed|base)\b|url\(|@import|\bsrc=", html)
    assert not re.search(r"\beval\(|innerHTML|new Function|fetch\(|XMLHttpRequest", html)
    assert re.search(
        r"default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; "
        "base-uri 'none'; form-action 'none'",
        html.replace("&#39;", "'"),
    )


def test_the_policy_stops_scripts_styles_and_requests(visit):
    page = visit(study("hard")[1], quiet=False)
    page.page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.injected = true";
          const style = document.createElement("style");
          style.textContent = "body { display: none }";
          document.body.append(script, style);
          return fetch("https://example.org/").catch(() => null);
        }"""
    )
    assert page.page.evaluate("window.injected") is None
    assert page.page.locator("body").is_visible()
    assert page.requests == [page.address]
    assert sum("Content Security Policy" in words for words in page.said) >= 3


def test_hostile_names_are_text(visit):
    page = visit(hostile())
    names = [shown(name) for name in HOSTILE]
    assert page.page.title() == "</title><script>alert(2)</script>"
    assert page.page.locator("#roc .legend .name").all_inner_texts() == names
    assert page.page.locator("#threshold-model option").all_inner_texts() == names
    assert page.page.locator("script").count() == 2
    assert page.page.locator("img, b, i, u, main script").count() == 0
    for k, name in enumerate(names):  # every model can be chosen, whatever its name
        page.page.select_option("#threshold-model", index=k)
        assert (
            page.page.locator("#threshold [data-role=roc] svg")
            .get_attribute("aria-label")
            .startswith(name)
        )
        page.page.select_option("#groups-model", index=k)
    groups = page.page.locator("#groups .legend .name").all_inner_texts()
    assert set(groups) == {"<b>bold</b>", "</script>", "__proto__"}
    assert "“<u>fold”" in page.page.locator("#folds").inner_text()


def test_numbers_of_models_do_not_follow_the_order_of_their_names(visit):
    page = visit(hostile())
    areas = page.page.locator("#summary .numeric tbody td:nth-child(4)").all_inner_texts()
    legend = page.page.locator("#roc .legend .value").all_inner_texts()
    assert len(areas) == len(HOSTILE)
    assert [words.split()[0] for words in areas] == [words.split()[1] for words in legend]


def test_broken_characters_do_not_stop_a_page(visit):
    data = {"y": [1, 0, 1, 0], "half \ud800": [4, 3, 2, 1]}
    page = visit(rw.report(data, label="y", score="half \ud800", title="half \udfff"))
    assert page.page.title() == r"half \udfff"
    assert "half \\ud800" in page.page.locator("#summary").inner_text()


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
@pytest.mark.parametrize(
    "scores",
    [[1e308, -1e308, 0, 1], [1e16, 1e16 + 2, 1e16, 1e16 + 4], [7, 7, 7, 7], [5e-324, 0, 1e-310, 0]],
)
def test_scores_of_any_size(visit, scores):
    page = visit(rw.report({"y": [1, 0, 1, 0], "s": scores}, label="y", score="s"))
    drawn = page.page.evaluate(
        "[...document.querySelectorAll('svg *')].map((n) => n.outerHTML).join()"
    )
    assert "NaN" not in drawn
    assert "Infinity" not in drawn


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_no_sideways_scrolling(visit, width):
    data, _ = study("hard")
    rng = np.random.default_rng(0)
    data |= {
        "fold": rng.integers(0, 4, 400),
        "x" * 90: rng.integers(0, 3, 400),
        "y" * 300: data["tied"],
    }
    report = rw.report(data, label="y", score=["plain", "y" * 300], fold="fold", by="x" * 90)
    page = visit(report, width=width)
    assert page.page.evaluate("document.documentElement.scrollWidth") == width


def test_a_report_shows_itself_in_a_notebook(visit, browser, tmp_path):
    report = rw.report(twenty(), label="y", score="model", title='Twenty "items"')
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><body>{report._repr_html_()}</body>", encoding="utf-8")
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(notebook.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready=yes]").wait_for()
    assert frame.locator("h1").inner_text() == 'Twenty "items"'
    frame.locator("#steps summary").first.click()
    frame.locator("#steps [data-role=on]").click()
    assert frame.locator("#steps [data-role=words]").inner_text().startswith("Step 1 of 20")
    page.close()
    assert errors == []


def test_prints_in_light_colours(visit):
    page = visit(study("hard")[1], scheme="dark")
    dark = page.page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.page.emulate_media(media="print")
    assert (
        page.page.evaluate("getComputedStyle(document.body).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    assert dark != "rgb(255, 255, 255)"
    page.page.set_viewport_size({"width": 718, "height": 1000})  # A4 with margins
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 718
    assert not page.page.locator("#threshold-slider").is_visible()
    words = page.page.locator("#threshold [data-role=threshold-words]")
    assert words.count() == 2  # every model is printed
    assert all(one.is_visible() for one in words.all())


def test_the_page_carries_a_tally_exact_or_in_buckets_with_moments():
    rng = np.random.default_rng(8)
    label, scores = rng.integers(0, 2, 9_000), rng.random(9_000)
    for rows in (3_000, 9_000):
        y, s = label[:rows], scores[:rows]
        html = rw.report({"y": y, "s": s}, label="y", score="s").html
        text = html.split('id="rocwalk-data">')[1].split("</script>")[0]
        (model,) = json.loads(text)["models"]
        tally = rw.tally(y, s)
        assert (model["up"][-1], model["right"][-1]) == (tally.total_up, tally.total_right)
        if rows <= 4_000:
            assert model["scores"] == tally.scores.tolist()
            assert "up_score" not in model  # it follows from the scores
        else:
            assert len(model["scores"]) <= 4_000
            assert set(model["scores"]) <= set(tally.scores.tolist())
            assert sum(model["up_score"]) == pytest.approx(tally.up_score.sum(), abs=1e-9)
            assert sum(model["right_score"]) == pytest.approx(tally.right_score.sum(), abs=1e-9)


@pytest.mark.slow
def test_a_million_rows_of_three_models(visit):
    rng = np.random.default_rng(6)
    label = (rng.random(10**6) < 0.1).astype(int)
    log_odds = [label * (k + 1) + rng.normal(size=10**6) - 2 for k in range(3)]
    data = {"y": label} | {f"m{k}": 1 / (1 + np.exp(-z)) for k, z in enumerate(log_odds)}
    report = rw.report(data, label="y", score=["m0", "m1", "m2"])
    assert len(report.html.encode()) < 1_500_000
    page = visit(report)
    assert "hide an area of at most" in page.page.locator("#roc").inner_text()
    low, high = page.range_of("threshold-slider")
    stops = page.stops("threshold-slider", np.linspace(low, high, 200, dtype=int).tolist(), ["tp"])
    found = [int(stop["tp"].replace(",", "")) for stop in stops]
    assert found == sorted(found, reverse=True)  # the higher the threshold, the fewer
    assert (found[0], found[-1]) == (label.sum(), 0)


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
@pytest.mark.slow
def test_a_hull_of_very_many_corners_is_thinned_and_said(visit):
    truth = np.random.default_rng(2).random(200_000)  # soft truth, scored by itself: all corners
    report = rw.report({"y": truth, "s": truth}, label="y", score="s")
    assert len(report.html.encode()) < 650_000
    page, curve = visit(report), rw.roc(truth, truth)
    words = page.page.locator("#costs").inner_text()
    bound = float(re.search(r"better by at most (\S+) ×", words)[1])
    for said in page.stops("costs-ratio", [-11, 3, 18], ["ratio-words"]):
        miss, alarm = map(float, said["ratio-words"].split(" : "))
        best = curve.best(rw.Costs(false_positive=alarm, false_negative=miss)).expected_cost
        shown_cost = float(said["rows"][0][6])
        assert best - 5e-5 <= shown_cost <= best + bound * miss * curve.prevalence + 5e-5
