"""Ways around the page: the side list, folded sections, clinical words."""

from __future__ import annotations

import re

import pytest

import rocwalk as rw
from report.studies import probabilities, report_on, twenty
from rocwalk.report.glossary import glossary
from rocwalk.report.page import SECTIONS

SPECIALISTS = ["steps", "sensibility", "smear", "soft"]


@pytest.fixture(scope="module")
def page(visit_once):
    return visit_once(report_on(probabilities("hard")), height=800, unfold=False).page


def current(page):
    return page.locator("nav a[aria-current]").all_inner_texts()


def test_the_list_names_every_section_and_marks_the_one_that_is_read(page):
    links = page.locator("nav ol a")
    assert links.evaluate_all("(all) => all.map((one) => one.hash.slice(1))") == page.locator(
        "main > section"
    ).evaluate_all("(all) => all.map((one) => one.id)")
    assert current(page) == ["Summary"]
    for name in ("precision", "accuracy", "provenance"):
        page.locator(f"nav a[href='#{name}']").click()
        page.wait_for_function(
            "(name) => document.querySelector('nav a[aria-current]').hash === '#' + name", arg=name
        )
    widths = page.locator("nav ol").evaluate("(one) => [one.scrollWidth, one.clientWidth]")
    assert widths[0] == widths[1]  # nothing is cut off
    page.evaluate("scrollTo(0, 0)")


def test_sections_for_specialists_ask_a_question_and_are_folded_until_opened(page):
    asked = {one.name: one.question for one in SECTIONS if one.question}
    assert list(asked) == SPECIALISTS
    for name in ("sensibility", "smear", "soft"):
        assert page.locator(f"#{name} h2").inner_text() == asked[name]
        assert asked[name].endswith("?")
        assert page.locator(f"#{name} .fold").get_attribute("open") is None
        assert page.locator(f"#{name} svg.chart").count() == 0  # drawn when there is room
    page.locator("#sensibility summary").first.click()
    page.locator("#sensibility svg.chart").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    page.locator("nav a[href='#smear']").click()  # a link opens it
    page.locator("#smear svg.chart").first.wait_for()
    assert page.locator("#smear svg.chart").first.bounding_box()["width"] > 300


def test_an_address_opens_a_folded_section(visit):
    page = visit(rw.report(twenty(), label="y", score="model"), at="#steps", unfold=False).page
    assert page.locator("#steps .fold").get_attribute("open") is not None
    assert page.locator("#steps [data-role=on]").is_visible()


def test_a_drawer_on_the_phone(visit):
    report = report_on(probabilities("hard"))
    page = visit(report, width=390, height=844, unfold=False).page
    button, drawer = page.locator(".drawer-button"), page.locator("#ways-list")
    assert not drawer.is_visible()
    button.click()
    assert drawer.is_visible()
    assert button.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Escape")
    assert not drawer.is_visible()
    assert button.evaluate("(one) => one === document.activeElement")
    button.click()
    drawer.get_by_text("Calibration").click()
    assert not drawer.is_visible()
    page.wait_for_function("document.querySelector('.here').textContent === 'Calibration'")
    words, chart = page.locator("#summary .answers"), page.locator("#summary figure")
    assert words.bounding_box()["y"] < chart.bounding_box()["y"]  # words first
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_first_screen_has_words_beside_the_curves(page):
    page.evaluate("scrollTo(0, 0)")
    words, chart = (
        page.locator(f"#summary {one}").bounding_box() for one in (".answers", "figure")
    )
    assert words["x"] + words["width"] <= chart["x"]
    assert chart["y"] + chart["height"] <= 800
    assert words["y"] < 200


def test_uncommon_words_are_explained_to_eyes_and_ears(page):
    button = page.locator("#summary th .help").first
    button.scroll_into_view_if_needed()
    said = button.get_attribute("aria-label")
    term, sentence = re.fullmatch("What is “(.*)”\\? (.*)", said).groups()
    assert glossary()[term] == sentence
    bubble = page.locator(".explanation")
    button.focus()
    assert bubble.inner_text() == sentence
    page.keyboard.press("Escape")
    assert not bubble.is_visible()
    button.hover()
    assert bubble.is_visible()
    page.mouse.move(5, 5)
    button.blur()
    assert not bubble.is_visible()
    assert button.inner_text() == ""  # the sign is not part of the table's words


def test_only_words_that_the_page_uses_are_carried(page):
    carried = page.evaluate("Object.keys(rocwalk.data.glossary)")
    assert "Hull area" in carried
    assert "AUC_PRT" not in carried


def lay_out(page):
    """Lay out the card that waits until it is seen; what is not laid out has no inner text."""
    page.locator("#accuracy > .card").evaluate(
        "card => { card.style.contentVisibility = 'visible'; }"
    )


def test_clinical_words_over_the_whole_page_and_back(page):
    lay_out(page)
    before = page.locator("main").inner_text()
    assert page.locator("#roc svg.chart .title").all_text_contents() == [
        "False positive rate", "True positive rate",
    ]  # fmt: skip
    page.get_by_label("Sensitivity, 1 − specificity").check()
    assert page.locator("#roc svg.chart .title").all_text_contents() == [
        "1 − specificity", "Sensitivity",
    ]  # fmt: skip
    names = page.locator("#accuracy .ends tbody th").all_inner_texts()
    assert {"Sensitivity", "Specificity", "Positive predictive value"} <= set(names)
    assert page.locator("#costs thead th").all_inner_texts()[4:6] == ["1 − specificity", "Sensitivity"]  # fmt: skip
    chart = page.locator("#roc svg.chart")
    chart.scroll_into_view_if_needed()
    point = chart.locator(".mark").first.bounding_box()
    page.mouse.move(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    assert "Sensitivity 0." in page.locator("#roc .tip").inner_text()
    page.wait_for_url(re.compile("words=clinical"))
    page.get_by_label("TPR, FPR").check()
    page.mouse.move(5, 5)
    assert page.locator("main").inner_text() == before
    names = page.locator("#accuracy .ends tbody th").all_inner_texts()
    assert {"True positive rate", "True negative rate", "Precision"} <= set(names)


def test_a_model_named_like_a_word_keeps_its_name(visit):
    data = probabilities("hard")
    data = {"y": data["y"], "Recall": data["smooth"], "TPR": data["tied"]}
    page = visit(report_on(data), at="#words=clinical", unfold=False).page
    lay_out(page)
    assert page.locator("#roc .legend .name").all_inner_texts() == ["Recall", "TPR"]
    assert page.locator("#accuracy .ends thead th").all_inner_texts() == ["Number", "Recall", "TPR"]
    assert page.locator("#roc svg.chart .title").all_text_contents()[1] == "Sensitivity"
