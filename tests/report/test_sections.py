"""What all sections share: which appear, pointer, keyboard, tables, screen readers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import rocwalk as rw
from report.studies import (
    agrees,
    classes,
    curves,
    full_study,
    number,
    study,
    tables,
    twenty,
)

ALWAYS = ["summary", "roc", "threshold", "accuracy", "costs", "pricing", "precision"]
AT_THE_END = ["distributions", "provenance"]
SEVERAL = [*ALWAYS[:2], "compare", *ALWAYS[2:]]


def sections(page):
    return page.page.locator("main > section").evaluate_all("(all) => all.map((one) => one.id)")


def twenty_steps():
    return twenty(), rw.report(twenty(), label="y", score="model")


def test_sections_appear_when_they_are_asked_for(visit):
    assert sections(visit(study("hard")[1])) == [*SEVERAL, *AT_THE_END]
    assert sections(visit(study("soft")[1])) == [*SEVERAL, "truth", *AT_THE_END]
    assert sections(visit(rw.report(twenty(), label="y", score="model"))) == [
        *ALWAYS[:2], "steps", *ALWAYS[2:], "calibration", "sensibility", "smear", "soft", *AT_THE_END,
    ]  # fmt: skip
    assert sections(visit(full_study()[1])) == [*SEVERAL, "folds", "groups", *AT_THE_END]
    assert sections(visit(classes()[2])) == ["summary", "classes", "provenance"]


def test_summary_and_provenance(visit):
    data, report = full_study()
    page = visit(report).page
    for curve, words in zip(
        curves(data), page.locator("#summary .legend .value").all_inner_texts(), strict=True
    ):
        assert agrees(words.split()[1], curve.area)
    head, row = tables(report, "summary")[0][:2]
    best = curves(data)[0].best()
    assert best.interval[0] < number(row[head.index("Best threshold ≥")]) <= best.interval[1]
    words = page.locator("#provenance").inner_text()
    assert rw.__version__ in words
    assert "400 used, 0 dropped" in words


def test_hovering_shows_the_threshold_of_the_nearest_point(visit):
    data, report = study("hard")
    page, curve = visit(report).page, curves(data)[0]
    chart = page.locator("#roc svg.chart")
    chart.scroll_into_view_if_needed()
    plot = chart.locator(".plot").bounding_box()
    i = int(np.argmax(curve.tpr - curve.fpr)) // 2
    page.mouse.move(
        plot["x"] + curve.fpr[i] * plot["width"], plot["y"] + (1 - curve.tpr[i]) * plot["height"]
    )
    name, threshold, rates = page.locator("#roc .tip").inner_text().splitlines()
    point = curve.at(threshold=number(threshold.removeprefix("threshold ")))
    assert name == "plain"
    assert (point.fpr, point.tpr) == (curve.fpr[i], curve.tpr[i])
    assert rates == f"TPR {point.tpr:.4f}, FPR {point.fpr:.4f}"
    page.mouse.move(plot["x"] + plot["width"] * 0.95, plot["y"] + plot["height"] * 0.9)
    assert not page.locator("#roc .tip").is_visible()


def test_the_keyboard_alone_reaches_and_moves_everything(visit):
    data = twenty() | {"g": ["a", "b"] * 10, "other": [1.5 * k for k in range(20)]}
    page = visit(rw.report(data, label="y", score=["model", "other"], by="g")).page
    controls = page.locator("input, select, button:enabled, summary, nav a").count()
    reached, moved = set(), set()
    for _ in range(3 * controls):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => { const node = document.activeElement;
              if (!node.matches("input, select, button, summary, nav a")) return null;
              const outline = getComputedStyle(node).outlineStyle;
              return [node.id || node.dataset.role || node.textContent, node.type ?? node.localName, outline]; }"""
        )
        if found is None:
            continue
        name, kind, outline = found
        assert outline != "none", name
        first_time = name not in reached
        reached.add(name)
        if kind in ("range", "select-one"):
            before = page.evaluate("document.activeElement.value")
            page.keyboard.press("ArrowRight" if kind == "range" else "ArrowDown")
            if page.evaluate("document.activeElement.value") != before:
                moved.add(name)
        if first_time and name == "roc-hulls":
            page.keyboard.press("Space")
            assert not page.locator("#roc-hulls").is_checked()
        if first_time and name == "Table: ROC points of model":
            page.keyboard.press("Enter")
            page.locator("#roc details[open] tbody tr").nth(20).wait_for(state="attached")
    sliders = {
        "threshold-slider",
        "threshold-rate",
        "threshold-prevalence",
        "costs-ratio",
        "costs-prevalence",
        "steps-slider",
        "smear-slider",
        "pricing-slider",
        "soft-slider",
        "sensibility-slider",
    }
    lists = {
        "threshold-model", "threshold-kind", "steps-model", "groups-model", "smear-kernel",
        "calibration-method", "roc-smooth",
    }  # fmt: skip
    assert moved == sliders | lists | {"roc-bands", "roc-kind"}
    assert moved | {"roc-hulls", "on", "play", "own", "Summary"} <= reached


def test_sliders_say_what_they_mean(visit):
    page = visit(rw.report(twenty(), label="y", score="model")).page
    for slider in page.locator("input[type=range]").all():
        assert slider.get_attribute("aria-valuetext")
        assert page.locator(f"label[for={slider.get_attribute('id')}]").count() == 1


def test_every_chart_is_also_a_table(visit):
    data, report = full_study()
    page = visit(report).page
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_function(
        "[...document.querySelectorAll('details tbody')].every((b) => b.childElementCount)"
    )

    def table(caption):
        region = page.get_by_role("region", name=caption, exact=True)
        return [row.split("\t") for row in region.locator("tbody").inner_text().splitlines()]

    curve, precision = curves(data)[0], curves(data)[0].precision_recall()
    for row, t, x, y in zip(
        table("ROC points of plain"), curve.thresholds, curve.fpr, curve.tpr, strict=True
    ):
        assert agrees(row[1], x)
        assert agrees(row[2], y)
        assert curve.at(threshold=number(row[0])).threshold <= t
    rows = table("precision and recall of plain")
    assert all(agrees(r[2], p) for r, p in zip(rows, precision.precision[1:], strict=True))
    shares = np.array([[float(x) for x in row[2:]] for row in table("score distribution of plain")])
    assert np.allclose(shares.sum(axis=0), 1, atol=0.003)
    mean = rw.average(
        [rw.roc(data["y"][data["fold"] == k], data["tied"][data["fold"] == k]) for k in range(4)],
        grid=np.linspace(0, 1, 101),
    )
    band = rw.fold_band(mean).to_frame("pandas")
    rows = np.array([[float(x) for x in row] for row in table("averaged curve of tied")])
    assert np.allclose(rows[:, 0], band["fpr"], atol=6e-5)
    for k, name in ((1, "tpr"), (2, "lower"), (3, "upper")):
        assert np.allclose(rows[:, k], band[name], atol=6e-5), name
    assert np.allclose(rows[:, 4], mean.tpr_spread[1:], atol=6e-5)
    assert len(table("band of plain")) == 101
    assert len(table("AUC of each fold")) == 8
    assert {row[0] for row in table("points of the drawn curves")} == {"north", "south"}


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
@pytest.mark.parametrize("make", [full_study, twenty_steps, classes])
def test_axe_finds_nothing_serious(visit, make, scheme, width):
    page = visit(make()[-1], scheme=scheme, width=width).page
    page.locator("details").last.evaluate("(one) => { one.open = true; }")
    found = Axe().run(page).response["violations"]
    grave = [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert grave == []


def test_headings_are_in_order(visit):
    page = visit(full_study()[1]).page
    levels = page.locator("h1, h2, h3").evaluate_all(
        "(all) => all.map((one) => Number(one.localName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    assert page.locator("html").get_attribute("lang") == "en"
