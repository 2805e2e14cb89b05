"""The page on paper: A4 and Letter with margins, headings with their charts, every model."""

from __future__ import annotations

import re

import pytest

import rocwalk as rw
from report.studies import probabilities

SIZES = {"A4": (595, 842), "Letter": (612, 792)}  # points


@pytest.fixture(scope="module")
def page(visit_once):
    data = probabilities("hard")
    return visit_once(rw.report(data, label="y", score=["smooth", "tied"]), unfold=False).page


@pytest.mark.parametrize("size", SIZES)
def test_sheets_have_margins_and_headings_stay_with_what_follows(page, size):
    paper, (wide, tall) = page.pdf(format=size, outline=True, tagged=True), SIZES[size]
    boxes = re.findall(rb"/MediaBox \[0 0 (\S+) (\S+)\]", paper)
    assert 5 < len(boxes) < 25
    assert all(abs(float(w) - wide) < 1 and abs(float(h) - tall) < 1 for w, h in boxes)
    marks = re.findall(rb"<<[^<>]*?/Dest \[\d+ 0 R /XYZ (\S+) (\S+) 0\][^<>]*?>>", paper)
    places = [(float(x), float(y)) for x, y in marks]
    titles = re.findall(rb"/Title \((.*?)\)", paper)
    assert {b"ROC curves", b"Precision and recall", b"Calibration"} <= set(titles)
    assert len(places) > 15
    millimetre = 72 / 25.4
    assert all(x > 13 * millimetre for x, _ in places)  # 14 mm at the side, within rounding
    assert all(y < tall - 14 * millimetre for _, y in places)  # 15 mm above
    assert (
        min(y for _, y in places) > 16 * millimetre + 100
    )  # and room for a chart or a table below
    assert page.locator(".fold[open], .printed").count() == 0  # the screen is as before


def test_every_fold_and_every_model_is_printed(page):
    page.emulate_media(media="print")
    page.locator("#smear .printed").first.wait_for(state="attached")
    assert page.locator(".fold:not([open])").count() == 0
    for section in ("threshold", "smear", "pricing"):
        names = page.locator(f"#{section} .printed-name")
        assert names.all_inner_texts() == ["smooth", "tied"], section
        assert all(one.is_visible() for one in names.all())
    charts = page.locator("#threshold [data-role=roc] path.curve").evaluate_all(
        "(all) => all.map((one) => one.classList[1])"
    )
    assert charts == ["k0", "k1"]
    ids = page.locator("[id]").evaluate_all("(all) => all.map((one) => one.id)")
    assert len(ids) == len(set(ids))
    for control in ("input", ".take", "nav", ".help", "select"):
        assert not any(one.is_visible() for one in page.locator(control).all()), control
    page.emulate_media(media="screen")
    page.locator(".printed").first.wait_for(state="detached")
    assert page.locator(".fold[open]").count() == 0


@pytest.mark.parametrize("rule", ["figure", ".split", "tr", "h2", "h3", "caption"])
def test_charts_are_whole_and_headings_stay_with_them(page, rule):
    page.emulate_media(media="print")
    found = page.evaluate(
        """(rule) => { const style = getComputedStyle(document.querySelector("main " + rule)); return [style.breakInside, style.breakAfter]; }""",
        rule,
    )
    page.emulate_media(media="screen")
    assert found[1 if rule in ("h2", "h3", "caption") else 0] == "avoid"
