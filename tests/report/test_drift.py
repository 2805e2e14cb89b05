"""Sensibility and drift on the page, against fresh calls of the library."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import rocwalk as rw
from report.studies import (
    agrees,
    embedded,
    probabilities,
    read,
    report_on,
    section,
    study,
    tables,
)

DECIDED = """([k, t]) => {
  const data = JSON.parse(document.getElementById("rocwalk-data").textContent).sections.sensibility;
  const found = rocwalk.decided(rocwalk.models[data.models[k].place], data.models[k], t);
  return [found.sensible, found.other, found.near];
}"""
MODELS = ("smooth", "tied")


def known(data, name):
    return rw.sensibility(data["y"], data[name], sample_weight=data.get("w"))


def earlier(kind="hard", *, prevalence=None):
    """Return a reference: smooth as it is in `probabilities`, tied less sure of itself."""
    rng = np.random.default_rng(4)
    rows = 6_000 if kind == "many" else 500
    truth = rng.random(rows)
    data = {"y": truth.round(3) if kind == "soft" else (truth > 0.7).astype(int)}
    data["smooth"] = 1 / (1 + np.exp(-(3 * truth - 2 + rng.normal(0, 1, rows))))
    data["tied"] = (data["smooth"] ** 2).round(2)
    if kind == "soft":
        data["w"] = rng.random(rows) * 3
    if prevalence is not None:
        kept = (data["y"] == 1) | (rng.random(rows) < prevalence)
        data = {name: column[kept] for name, column in data.items()}
    return data


def drifts(reference, current):
    weights = (reference.get("w"), current.get("w"))
    return {
        name: rw.drift(
            (reference["y"], reference[name]),
            (current["y"], current[name]),
            sample_weight=weights,
        )
        for name in MODELS
    }


# -- sensibility ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_the_split_is_the_library_s(kind):
    data = probabilities(kind)
    report = report_on(data)
    html = section(report, "sensibility")
    for name, middle, struggle, right, wrong, *live in tables(report, "sensibility")[0][1:]:
        found = known(data, name)
        assert agrees(middle, found.midpoint)
        assert agrees(struggle, found.struggle_ratio)
        assert agrees(right, found.split.sensible)
        assert agrees(wrong, found.split.other)
        point = found.at(0.5)
        assert all(map(agrees, live, (point.sensibility, point.capability)))
        assert f"<li>{name}: {found.sentence}</li>" in html
    assert ("in buckets" in html) == (kind == "many")


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_both_accuracies_follow_the_threshold(visit, kind):
    data = probabilities(kind)
    page, places = visit(report_on(data)), [0, 13, 250, 500, 686, 990, 1000]
    said = page.stops("sensibility-slider", places, ["threshold-words", "head", "head-too"])
    for at, one in zip(places, said, strict=True):
        words = f"{at / 1000:.3f}"
        assert (one["head"], one["head-too"]) == (words, words)
        assert one["threshold-words"] == f"≥ {words}"
        assert one["spoken"] == f"threshold {words}"
        for k, name in enumerate(MODELS):
            point = known(data, name).at(at / 1000)
            for cell, value in zip(
                one["rows"][k][5:], (point.sensibility, point.capability), strict=True
            ):
                if cell.startswith("≈ "):
                    assert (kind, name) == ("many", "smooth")
                    assert float(cell[2:]) == pytest.approx(value, abs=3e-3)
                else:
                    assert agrees(cell, value)
    page.page.locator("#sensibility [data-role=half]").click()
    assert page.text("sensibility", "threshold-words") == "≥ 0.500"


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_scripts_find_what_the_library_finds_at_every_score(visit, kind):
    data = probabilities(kind)
    page = visit(report_on(data)).page
    for k, name in enumerate(MODELS):
        found = known(data, name)
        for t in [*np.unique(data[name])[::37].tolist(), found.midpoint]:
            point, shown = found.at(t), page.evaluate(DECIDED, [k, t])
            assert shown[:2] == pytest.approx([point.sensibility, point.capability], abs=1e-12)
            assert shown[2] is False


@pytest.mark.parametrize("kind", ["hard", "many"])
def test_drawn_curves_are_those_of_the_library(kind):
    data = probabilities(kind)
    report = report_on(data)
    for model, name in zip(embedded(report, "sensibility")["models"], MODELS, strict=True):
        found = known(data, name)
        assert model["midpoint"] == found.midpoint
        assert len(model["sensibility"]) == len(model["thresholds"]) + 1 <= 300
        assert max(model["sensibility"]) == 1
        assert min(model["capability"]) == 0
        at = np.linspace(0.0005, 0.9995, 500)
        place = [sum(t >= x for t in model["thresholds"]) for x in at]
        exact = [found.at(x) for x in at]
        for curve in ("sensibility", "capability"):
            drawn = np.array(model[curve])[place]
            gap = np.abs(drawn - [getattr(one, curve) for one in exact]).max()
            assert gap < (0.02 if model["thinned"] else 1e-5)
    assert "at most 300 steps" in section(report, "sensibility")


def test_the_paper_s_example(visit):
    example = rw.datasets.paper_examples()["sensibility_table_1"]
    page = visit(report_on({"y": example.y_true, "model": example.y_prob}))
    (said,) = page.stops("sensibility-slider", [350], [])
    assert said["rows"] == [["model", "0.5400", "0.2500", "8", "2", "0.8750", "0.5000"]]


def test_a_click_sets_the_threshold_and_hovering_reads_it(visit):
    data = probabilities("hard")
    page = visit(report_on(data))
    figure = page.page.locator("#sensibility figure").nth(1)
    figure.locator("svg").scroll_into_view_if_needed()
    plot = figure.locator(".plot").bounding_box()
    page.page.mouse.click(plot["x"] + 0.3 * plot["width"], plot["y"] + plot["height"] / 2)
    at = float(page.text("sensibility", "head"))
    assert at == pytest.approx(0.3, abs=0.005)
    threshold, sensible, other = figure.locator(".tip").inner_text().splitlines()
    assert float(threshold.split()[1]) == pytest.approx(at, abs=0.001)
    point = known(data, "tied").at(at)
    assert float(sensible.split()[1]) == pytest.approx(point.sensibility, abs=0.02)
    assert float(other.split()[1]) == pytest.approx(point.capability, abs=0.02)


def test_no_item_on_the_wrong_side_and_a_midpoint_above_one(visit):
    page = visit(report_on({"y": [1, 1, 0, 0], "s": [0.9, 0.8, 0.2, 0.1]}))
    words = page.page.locator("#sensibility").inner_text()
    assert "There is no non-sensible item" in words
    assert "Hint" not in words
    row = page.page.locator("#sensibility [data-role=rows] td").all_inner_texts()
    assert row == ["0.5000", "0.0000", "4", "0", "1.0000", "undefined"]
    page = visit(report_on({"y": [1, 0, 0, 0, 0], "s": [0.9, 0.8, 0.7, 0.9, 0.6]}))
    assert "The midpoint of s is above 1" in page.page.locator("#sensibility").inner_text()
    assert page.page.locator("#sensibility .chart .midpoint").count() == 0


def test_other_scores_are_left_out_and_named():
    data = probabilities("hard")
    report = report_on({"y": data["y"], "raw": 9 * data["smooth"], "tied": data["tied"]})
    assert "The scores of raw reach outside 0 to 1" in section(report, "sensibility")
    assert [one["place"] for one in embedded(report, "sensibility")["models"]] == [1]
    assert embedded(study("hard")[1], "sensibility") is None


# -- drift ---------------------------------------------------------------------------------------


def world(rng, *, shift=0.0, odds=1.0, slope=1.0, noise=0.0, n=3000):
    """Return labels of true probabilities, and scores: as good, or worse by slope, odds, noise."""
    x = rng.normal(-1 + shift, 1.2, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-(np.log(odds) + slope * x)))).astype(int)
    return {"y": y, "model": 1 / (1 + np.exp(-(x + noise * rng.normal(size=n))))}


def pieces(one):
    """Return what the page says of a verdict: the conclusion, the advice, and each note."""
    return [one.summary.partition(f" {one.advice}")[0], one.advice, *one.notes]


def is_p(shown, value):
    if shown.startswith("<"):
        return value < 1e-4
    return float(shown) == pytest.approx(value, rel=0.006)


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_verdicts_and_findings_are_the_library_s(kind):
    before, now = earlier(kind), probabilities(kind)
    report = report_on(now, reference=before)
    html, found = section(report, "drift"), drifts(before, now)
    listed = tables(report, "drift")
    for k, name in enumerate(MODELS):
        one = found[name]
        for words in pieces(one):
            assert words in html.replace("&#39;", "'")
        deciding, others = listed[2 * k : 2 * k + 2]
        rows = [*deciding[1:], *others[1:]]
        each_of = sorted(one.findings.values(), key=lambda each: not each.decides)
        for row, each in zip(rows, each_of, strict=True):
            assert row[0].startswith(each.words)
            if each.at is not None:
                assert agrees(row[0].rpartition(" ")[2], each.at)
            assert all(map(agrees, row[1:3], (each.reference, each.current)))
            parts = [each.population, each.odds, each.model] if each.decides else []
            for cell, part in zip(row[3:], [each, *parts], strict=False):
                if each.name == "midpoint" and part is each.model:
                    assert cell == "—"
                    continue
                value = part.difference if part is each else part.value
                numbers = (value, part.low, part.high)
                for shown, exact, digits in zip(read(cell), numbers, (4, 3, 3), strict=True):
                    assert shown == pytest.approx(exact, abs=0.51 * 10**-digits)
            if each.decides:
                assert is_p(row[7], each.model.adjusted_p_value)
                assert is_p(row[8], each.adjusted_p_value)
            elif np.isnan(each.p_value):
                assert row[4] == "—"
            else:
                assert is_p(row[4], each.p_value)


def test_the_reference_is_said_wherever_it_matters(visit):
    before, now = earlier(), probabilities("hard")
    page = visit(report_on(now, reference=before)).page
    assert "against 500 rows of a dataframe" in page.locator("header").inner_text()
    assert "tied: the probabilities have drifted; " in page.locator("#summary").inner_text()
    assert "Reference: Rows of tied" in page.locator("#provenance").inner_text()
    headings = page.locator("#drift h3").all_inner_texts()
    assert headings == ["smooth: no drift is seen", "tied: the probabilities have drifted"]
    assert page.locator("#drift .verdict.moved").count() == 1
    moved = page.locator("#drift dl .moved dt").all_inner_texts()
    assert moved == ["AUC", "Midpoint", "Struggle ratio"]
    rows = page.locator("#drift tr.moved th").all_inner_texts()
    assert rows == ["AUC", "midpoint", "struggle ratio"]


VERDICTS = {
    "none": ("No drift is seen", "There is nothing to do.", ""),
    "population": ("The population has changed, the model", "Look at who is being scored", "seen"),
    "prevalence": ("Positives are more frequent", "multiply the odds of every score", "moved"),
    "ranking": ("The ranking has drifted", "Retrain the model: no recalibration", "moved"),
    "both": ("Both the ranking and the", "Retrain the model, and calibrate it", "moved"),
}


@pytest.mark.parametrize(
    ("verdict", "seed", "change"),
    [
        ("none", 11, {}),
        ("population", 11, {"shift": 0.9}),
        ("prevalence", 11, {"odds": 2.0}),
        ("ranking", 18, {"noise": 0.7}),
        ("both", 11, {"slope": 0.6}),
    ],
)
def test_each_verdict_is_said_where_it_holds_and_nowhere_else(verdict, seed, change):
    rng = np.random.default_rng(seed)
    before, now = world(rng), world(rng, **change)
    html = section(report_on(now, reference=before), "drift")
    for name, (conclusion, advice, look) in VERDICTS.items():
        assert (conclusion in html) == (name == verdict)
        assert (advice in html) == (name == verdict)
        if name == verdict:
            assert f'<div class="verdict {look}"' in html


@pytest.mark.parametrize("width", [1280, 390])
def test_the_parts_are_drawn_from_the_reference_to_the_current_sample(visit, width):
    rng = np.random.default_rng(11)
    before, now = world(rng), world(rng, slope=0.6, shift=0.5)
    found = rw.drift(*((one["y"], one["model"]) for one in (before, now)))
    report = report_on(now, reference=before)
    page, (model,) = visit(report, width=width).page, embedded(report, "drift")["models"]
    charts = page.locator("#drift [data-role=chains] svg.chart")
    assert charts.count() == 3
    for k, name in enumerate(("auc", "midpoint", "struggle_ratio")):
        each, chain = found.findings[name], model["chains"][k]
        values = [part["value"] for part in chain["parts"]]
        assert values == [each.population.value, each.odds.value, each.model.value]
        assert chain["reference"] + sum(values) == pytest.approx(chain["current"])
        chart = charts.nth(k)
        labels = chart.locator("text.window").all_text_contents()
        assert labels == ["was", "population", "odds", "model", "now"]
        boxes = [one.bounding_box() for one in chart.locator("text.window").all()]
        assert all(a["x"] + a["width"] < b["x"] for a, b in pairwise(boxes))
        bars = [one.bounding_box() for one in chart.locator("rect.part").all()]
        assert chart.locator(".whisker").count() == (2 if name == "midpoint" else 3)
        tested = "odds" if name == "midpoint" else "model"
        found_parts = [part["name"] for part in chain["parts"] if part["found"]]
        assert found_parts == [tested]
        assert chart.locator("rect.part.found").count() == 1
        heights = [bar["height"] for bar in bars]
        assert np.argmax(heights) == np.argmax(np.abs(values))
    charts.first.scroll_into_view_if_needed()
    plot = charts.first.locator(".plot").bounding_box()
    page.mouse.move(plot["x"] + 0.7 * plot["width"], plot["y"] + plot["height"] / 2)
    tip = page.locator("#drift [data-role=chains] .tip").first.inner_text().splitlines()
    assert tip[0] == "model"
    assert tip[2] == "has drifted"
    assert read(tip[1])[0] == pytest.approx(found.findings["auc"].model.value, abs=6e-5)


def test_margins_are_shown_with_what_they_decide():
    rng = np.random.default_rng(5)
    before, now = world(rng, n=20_000), world(rng, odds=1.6)
    samples = [(one["y"], one["model"]) for one in (before, now)]
    for margin, words in (
        (True, "no longer a suitable test set"),
        ({"auc": 0.2, "midpoint": 0.9, "struggle_ratio": 0.9}, "still a suitable test set for it"),
        ({"auc": 1e-4}, "no longer a suitable test set"),
    ):
        found = rw.drift(*samples, margin=margin)
        plain = report_on(now, reference=before)
        report = dataclasses.replace(plain, drifts={"model": found})
        html = section(report, "drift")
        assert words in html
        assert ('<th scope="col">Margin</th>' in html) is True
    assert "suitable" not in section(report_on(now, reference=before), "drift")
    small = rw.drift(*((y[:400], p[:400]) for y, p in samples), margin={"midpoint": 3.0})
    report = dataclasses.replace(plain, drifts={"model": small})
    assert "suitable test set cannot be told" in section(report, "drift")


def test_two_miscalibrations_have_two_names():
    before, now = earlier(), probabilities("hard")
    html = section(report_on(now, reference=before), "drift")
    assert "miscalibration, corrected for optimism" in html
    assert "so its number is larger" in html


def test_both_samples_are_drawn_and_can_be_read(visit):
    before, now = earlier(), probabilities("hard")
    report = report_on(now, reference=before)
    page, found = visit(report).page, drifts(before, now)["tied"]
    carried = embedded(report, "drift")["models"][1]
    for name, split in zip(("reference", "current"), found.splits, strict=True):
        assert carried[name]["midpoint"] == split.midpoint
        assert np.allclose(carried[name]["sensibility"], split.sensibility, rtol=1e-5)
        assert np.allclose(carried[name]["capability"], split.capability, rtol=1e-5)
    side = page.locator("#drift [data-role=side]").nth(1)
    assert side.locator(".chart path.curve").count() == 4
    assert side.locator(".chart path.midpoint").count() == 2
    side.locator("svg.chart").scroll_into_view_if_needed()
    plot = side.locator(".plot").bounding_box()
    page.mouse.move(plot["x"] + 0.403 * plot["width"], plot["y"] + plot["height"] / 2)
    lines = side.locator(".tip").inner_text().splitlines()
    at = np.array([float(lines[0].split()[1])])
    for k, split in ((1, found.splits[0]), (4, found.splits[1])):
        assert lines[k] == ("reference", "current")[k // 4]
        for words, value in zip(lines[k + 1 : k + 3], split.at(at), strict=True):
            assert agrees(words.split()[1], value[0])
    side.locator("details").evaluate("(one) => { one.open = true; }")
    side.locator("tbody tr").first.wait_for(state="attached")
    rows = [row.split("\t") for row in side.locator("tbody").inner_text().splitlines()]
    assert len(rows) == sum(len(split.walk) for split in found.splits)
    assert rows[0][:2] == ["reference", "∞"]


def test_the_level_is_that_of_the_report():
    before, now = earlier(), probabilities("hard")
    html = section(report_on(now, reference=before, confidence_level=0.9), "drift")
    assert "90\xa0% interval" in html
    narrow, wide = (
        embedded(report_on(now, reference=before, confidence_level=level), "drift")["models"][0]
        for level in (0.9, 0.99)
    )
    ends = [one["chains"][0]["parts"][2]["ends"] for one in (narrow, wide)]
    assert ends[0][1] - ends[0][0] < ends[1][1] - ends[1][0]


def test_what_cannot_be_compared_says_why(visit):
    before, now = earlier(), probabilities("hard")
    before["smooth"], now["tied"] = 9 * before["smooth"], 9 * now["tied"]
    page = visit(report_on(now, reference=before)).page
    words = page.locator("#drift").inner_text()
    assert "smooth is not compared: " in words
    assert "tied is not compared: " in words
    assert page.locator("#drift svg").count() == 0


def test_groups_and_folds_are_not_asked_of_a_reference_but_clusters_are():
    before, now = earlier(), probabilities("hard")
    folds = now | {"fold": np.arange(400) % 2}
    html = section(report_on(folds, reference=before, fold="fold"), "drift")
    assert drifts(before, now)["tied"].advice in html
    assert "as one unit" not in html
    units = [np.arange(400) // 4, np.arange(500) // 4]
    now["patient"] = units[0]
    with pytest.raises(rw.errors.ColumnError, match="patient"):
        report_on(now, reference=before)
    report = report_on(now, reference=before | {"patient": units[1]})
    html = section(report, "drift")
    assert "take the rows of one patient as one unit" in html
    found = rw.drift(
        (before["y"], before["tied"]), (now["y"], now["tied"]), cluster=(units[1], units[0])
    )
    shown = report.findings.drift.models[1]
    for name, one in found.tests.items():
        assert shown.tests[name].p_value == pytest.approx(one.p_value, rel=1e-12)


def test_a_reference_of_other_columns_or_classes_is_refused():
    before, now = earlier(), probabilities("hard")
    del before["tied"]
    with pytest.raises(rw.errors.ColumnError, match="tied"):
        report_on(now, reference=before)
    data = {"y": ["a", "b", "c"] * 4, "p": [0.1] * 12, "q": [0.2] * 12, "r": [0.7] * 12}
    scores = {"a": "p", "b": "q", "c": "r"}
    with pytest.raises(rw.errors.OptionError, match="does not go together with several classes"):
        rw.report(data, label="y", class_scores=scores, reference=data)


def test_without_a_reference_there_is_no_section():
    report = report_on(probabilities("hard"))
    assert embedded(report, "drift") is None
    assert "against" not in report._subtitle()


def test_hostile_names_stay_text(visit):
    before, now = earlier(), probabilities("hard")
    name = '"><script>alert(1)</script>'
    page = visit(report_on({"y": now["y"], name: now["tied"]},
                           reference={"y": before["y"], name: before["tied"]})).page  # fmt: skip
    assert page.locator("#drift h3").inner_text().startswith(name)
    assert page.locator("#sensibility h3").inner_text() == name


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_axe_finds_nothing_serious_and_nothing_scrolls_sideways(visit, scheme, width):
    page = visit(
        report_on(probabilities("hard"), reference=earlier()), scheme=scheme, width=width
    ).page
    for name in ("sensibility", "drift"):
        page.locator(f"#{name} details").last.evaluate("(one) => { one.open = true; }")
    found = Axe().run(page).response["violations"]
    grave = [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert grave == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    drawn = page.evaluate("[...document.querySelectorAll('svg *')].map((n) => n.outerHTML).join()")
    assert "NaN" not in drawn
