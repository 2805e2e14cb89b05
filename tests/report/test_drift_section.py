"""Sensibility and drift on the page, against fresh calls of the library."""

from __future__ import annotations

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


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_verdicts_and_findings_are_the_library_s(kind):
    before, now = earlier(kind), probabilities(kind)
    report = report_on(now, reference=before)
    html, found = section(report, "drift"), drifts(before, now)
    for name, cells in zip(MODELS, tables(report, "drift"), strict=True):
        one = found[name]
        assert one.summary in html.replace("&#39;", "'")
        for row, each in zip(cells[1:], one.findings.values(), strict=True):
            assert row[0].startswith(each.words)
            if each.at is not None:
                assert agrees(row[0].rpartition(" ")[2], each.at)
            assert all(map(agrees, row[1:3], (each.reference, each.current)))
            numbers = (each.difference, each.low, each.high)
            for shown, value, digits in zip(read(row[3]), numbers, (4, 3, 3), strict=True):
                assert shown == pytest.approx(value, abs=0.51 * 10**-digits)
            pairs = [(row[4], each.p_value)]
            if each.decides:
                pairs.append((row[5], each.adjusted_p_value))
            else:
                assert row[5] == "—"
            for shown, value in pairs:
                if shown.startswith("<"):
                    assert value < 1e-4
                else:
                    assert float(shown) == pytest.approx(value, rel=0.006)


def test_the_reference_is_said_wherever_it_matters(visit):
    before, now = earlier(), probabilities("hard")
    page = visit(report_on(now, reference=before)).page
    assert "against 500 rows of a dataframe" in page.locator("header").inner_text()
    assert "tied, against the reference: the probabilities have drifted." in (
        page.locator("#summary").inner_text()
    )
    assert "Reference: Rows of tied" in page.locator("#provenance").inner_text()
    headings = page.locator("#drift h3").all_inner_texts()
    assert headings == ["smooth: no drift is seen", "tied: the probabilities have drifted"]
    assert page.locator("#drift p.verdict.moved").count() == 1
    assert page.locator("#drift dl .moved dt").all_inner_texts() == ["Midpoint"]
    assert "it is not the prevalence alone" in page.locator("#drift").inner_text()


def test_a_prevalence_that_did_not_change_is_said_so():
    before = probabilities("hard")
    html = section(report_on(before | {"tied": before["tied"] ** 3}, reference=before), "drift")
    share = before["y"].mean()
    assert f"The share of positives is {share:.3f} in both samples" in html
    assert "The share of positives went" not in html


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


def test_a_change_of_prevalence_alone_is_said():
    before, now = earlier("many"), earlier("many", prevalence=0.4)
    report = report_on(now, reference=before)
    found = drifts(before, now)
    assert [one.prevalence_only for one in found.values()] == [True, True]
    html = section(report, "drift")
    assert html.count("it is prevalence only") == 2
    midpoint = found["tied"].reweighted["midpoint"].current
    assert f"the midpoint is {midpoint:.3f}" in html


def test_the_level_is_that_of_the_report():
    before, now = earlier(), probabilities("hard")
    html = section(report_on(now, reference=before, confidence_level=0.9), "drift")
    assert "at α = 0.1." in html
    assert "90\xa0% interval" in html


def test_what_cannot_be_compared_says_why(visit):
    before, now = earlier(), probabilities("hard")
    before["smooth"], now["tied"] = 9 * before["smooth"], 9 * now["tied"]
    page = visit(report_on(now, reference=before)).page
    words = page.locator("#drift").inner_text()
    assert "smooth is not compared: " in words
    assert "tied is not compared: " in words
    assert page.locator("#drift svg").count() == 0


def test_groups_folds_and_clusters_are_not_asked_of_a_reference():
    before, now = earlier(), probabilities("hard")
    now["patient"] = np.arange(400) // 2
    report = report_on(now | {"fold": np.arange(400) % 2}, reference=before, fold="fold")
    html = section(report, "drift")
    assert "clusters would widen the intervals" in html
    assert drifts(before, now)["tied"].summary in html


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
