"""The threshold on the page: set by a click, and the prevalence it is read at."""

from __future__ import annotations

from report.studies import (
    curves,
    number,
    study,
)


def test_a_click_on_the_curve_sets_the_threshold(visit):
    data, report = study("hard")
    page, curve = visit(report), curves(data)[0]
    i = len(curve.tpr) // 2
    page.page.locator("#threshold [data-role=roc] svg").scroll_into_view_if_needed()
    plot = page.page.locator("#threshold [data-role=roc] .plot").bounding_box()
    page.page.mouse.click(
        plot["x"] + curve.fpr[i] * plot["width"], plot["y"] + (1 - curve.tpr[i]) * plot["height"]
    )
    assert curve.at(threshold=number(page.text("threshold", "threshold-words"))).tpr == curve.tpr[i]


def test_the_data_s_own_prevalence_comes_back(visit):
    page = visit(study("hard")[1])
    own = page.text("costs", "prevalence-words")
    page.stops("costs-prevalence", [100], [])
    assert page.text("costs", "prevalence-words") == "0.9933"
    page.page.locator("#costs [data-role=own]").click()
    assert page.text("costs", "prevalence-words") == own
