"""Smooth curves over the ROC curves of the page, and a rule that the page cannot choose anew."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from report.studies import embedded, probabilities, report_on, section
from rocwalk.errors import OptionError


def test_smooth_curves_are_the_library_s():
    data = probabilities("hard")
    report = rw.report(data, label="y", score=["smooth", "tied"], smooth=["beta", "density"])
    carried = embedded(report, "roc")["smooth"]
    assert list(carried) == ["binormal", "beta", "density"]
    for method, models in carried.items():
        known = rw.smooth_roc(data["y"], data["smooth"], method=method)
        assert models[0]["area"].startswith(f"{known.area:.4f} (")
        at = np.interp(models[0]["fpr"], known.fpr, known.tpr)
        inside = (at > 0.01) & (at < 0.99)  # the ends are steep
        assert np.abs(np.array(models[0]["tpr"]) - at)[inside].max() < 0.01


def test_a_smooth_curve_that_does_not_exist_is_named_if_it_was_asked_for():
    data = {"y": [1, 1, 1, 0, 0, 0], "s": [0.9, 0.8, 0.7, 0.3, 0.2, 0.1]}
    assert embedded(report_on(data), "roc")["smooth"] == {}
    assert "has no binormal curve" not in section(report_on(data), "roc")
    asked = rw.report(data, label="y", score="s", smooth="binormal")
    assert "s has no binormal curve: A binormal curve cannot be fitted" in section(asked, "roc")
    with pytest.raises(OptionError, match="smooth"):
        rw.report(data, label="y", score="s", smooth="cubic")


def test_the_switch_draws_and_says_the_smooth_curves(visit):
    data = probabilities("hard")
    page = visit(rw.report(data, label="y", score=["smooth", "tied"])).page
    words = page.locator("#roc [data-role=smooth-words]")
    assert page.locator("#roc .smooth").count() == 0
    assert words.is_hidden()
    page.select_option("#roc-smooth", "binormal")
    assert page.locator("#roc .smooth").count() == 2
    known = rw.smooth_roc(data["y"], data["tied"])
    assert f"tied: {known.area:.4f}" in words.inner_text()
    page.select_option("#roc-smooth", "none")
    assert page.locator("#roc .smooth").count() == 0
    assert words.is_hidden()


def test_a_rule_of_another_metric_is_in_force_and_can_be_left(visit):
    data = probabilities("hard")
    report = rw.report(
        data, label="y", score=["smooth", "tied"], metric="f1", min_precision=0.6, smooth=None
    )
    page = visit(report).page
    force = page.locator("div[data-role=in-force]")
    assert "the highest F1 with precision ≥ 0.6" in force.inner_text()
    cut = rw.roc(data["y"], data["smooth"]).best(metric="f1", min_precision=0.6).threshold
    at = page.evaluate("rocwalk.rule.at(rocwalk.models[0]).cut")
    assert at == pytest.approx(cut)
    page.select_option("#threshold-kind", "youden")
    assert "the largest TPR − FPR" in force.inner_text()
    page.select_option("#threshold-kind", "chosen")
    assert page.evaluate("rocwalk.rule.at(rocwalk.models[0]).cut") == at


def test_a_simple_rule_brings_no_choice_of_its_own(visit):
    page = visit(rw.report(probabilities("hard"), label="y", score="smooth", rate=0.2)).page
    assert page.locator("#threshold-kind option[value=chosen]").count() == 0


def test_distances_and_tests_of_calibration_are_the_library_s():
    data = probabilities("hard")
    report = report_on(data)
    found = rw.roc(data["y"], data["smooth"]).calibration()
    text = section(report, "calibration")
    assert f"<td>{found.e90:.3f}</td>" in text
    assert f"<td>{found.smooth_ece:.3f}</td>" in text
    assert "Hosmer–Lemeshow, p" in text
