"""The summary in words and numbers: soft truth, raters, models that rank backwards, phones."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from report.studies import agrees, read, report_on, section, study, tables
from rocwalk.inference.distributions import p_words

READERS = ["ann", "bob", "cy"]


@pytest.fixture(scope="module")
def voted():
    rng = np.random.default_rng(2)
    positive = rng.random(200) < 0.4
    data = {name: (rng.random(200) < np.where(positive, 0.85, 0.1)).astype(int) for name in READERS}
    data["net"] = 1 / (1 + np.exp(-2 * positive - rng.normal(size=200)))
    return data, rw.report(data, raters=READERS, score="net")


def test_a_soft_truth_is_not_called_positive_items():
    html = section(
        report_on({"y": [0, 0.25, 0.5, 0.5, 0.75, 1], "s": [1, 3, 5, 4, 7, 9]}), "summary"
    )
    assert "6 items, mean truth 50.0\xa0%." in html
    assert "which may be the same item" in html
    assert "of them positive" not in html
    hard = section(study("hard")[1], "summary")
    assert "of them positive" in hard
    assert "AUC_PRT" not in hard


def test_raters_have_agreement_ceiling_and_auc_prt_on_top(voted):
    data, report = voted
    votes = rw.votes({name: data[name] for name in READERS})
    found = rw.reference_truth(votes.truth, data["net"])
    html = section(report, "summary")
    assert f"mean share of positive votes {100 * votes.truth.mean():.1f}\xa0%" in html
    assert "Agreement of the raters" in html
    assert f"no order of these items has an AUC above {1 - found.aapcc:.4f}." in html
    head, row = tables(report, "summary")[0]
    named = dict(zip(head, row, strict=True))
    assert agrees(named["Ceiling (1 − AAPCC)"], 1 - found.aapcc)
    assert read(named["AUC_PRT"])[0] == pytest.approx(found.auc_prt, abs=6e-5)
    assert html.count(f"κ {votes.fleiss_kappa:.3f}") == 1


def test_a_model_that_ranks_backwards_is_asked_about():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    data = {"y": y, "back": rng.normal(size=200) - y, "fine": rng.normal(size=200) + y}
    html = section(report_on(data), "summary")
    assert "<strong>back</strong> ranks backwards" in html
    assert "is the score turned round?" in html
    assert "fine ranks backwards" not in html
    low = {"y": y, "chance": rng.normal(size=200)}
    assert "ranks backwards" not in section(report_on(low), "summary")


def test_a_best_threshold_that_calls_nothing_positive_is_said_in_words():
    html = section(report_on({"y": [1, 1, 0, 0], "s": [1, 2, 3, 4]}), "summary")
    assert "No threshold does better than calling nothing positive" in html
    assert "At a score of ∞" not in html


def test_a_budget_below_one_item_is_named_where_nothing_is_called():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 60)
    html = section(report_on({"y": y, "s": y + rng.random(60)}, rate=0.001), "summary")
    assert "No threshold that calls at most 0.1 % positive does better than calling nothing" in html


def test_the_lead_over_several_models_has_the_adjusted_p_value():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 300)
    data = {"y": y} | {name: rng.normal(k * y, 1) for k, name in enumerate(("a", "b", "c"))}
    report = report_on(data)
    pair = report.findings.comparisons[0].pairs[-1]
    assert pair.p_value < pair.adjusted_p_value < 0.05
    words = p_words(pair.adjusted_p_value)
    assert f"adjusted {words}" in section(report, "summary").replace("&lt;", "<").replace(
        "\xa0", " "
    )


def test_masses_have_no_needless_decimals():
    report = report_on({"y": [0, 0.25, 0.5, 0.5, 0.75, 1], "s": [1, 3, 5, 4, 7, 9]})
    assert dict(zip(*tables(report, "summary")[0], strict=True))["Positives"] == "3"
    words = section(report, "accuracy")
    assert " called positive" in words
    assert ".0000" not in words.partition("<table")[0]


def test_on_a_phone_wide_tables_scroll_in_their_box(visit):
    page = visit(study("hard")[1], width=390).page
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".scroll")].filter((box) => box.clientWidth).map((box) => {
          const caption = box.querySelector("caption").getBoundingClientRect(), style = getComputedStyle(box);
          return [box.getBoundingClientRect().right <= innerWidth, caption.width <= box.clientWidth + 1,
                  style.overflowX === "auto", style.backgroundImage.includes("gradient")];
        })"""
    )
    assert len(boxes) > 3
    assert all(map(all, boxes))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_long_name_breaks_after_its_underscores(visit):
    rng = np.random.default_rng(0)
    data = {"y": rng.integers(0, 2, 60), "naive_bayes": rng.random(60), "v.1_<b>": rng.random(60)}
    report = report_on(data)
    html = section(report, "summary")
    assert '<th scope="row">naive_<wbr>bayes</th>' in html
    assert '<th scope="row">v.<wbr>1_<wbr>&lt;b&gt;</th>' in html
    page = visit(report).page
    assert page.locator("#summary tbody th").all_text_contents() == ["naive_bayes", "v.1_<b>"]
