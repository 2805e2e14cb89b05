"""Soft ROC curves on the page, against fresh calls of the library."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from report.studies import agrees, embedded, probabilities, read, report_on, section, study, tables

CURVE = """([k, rule, t]) => {
  const found = rocwalk.softened(rocwalk.models[k], rule, t);
  return [found.fpr, found.tpr];
}"""


def soft(data, name, steps, threshold=0.5):
    weight = data.get("w")
    return rw.soft_roc(
        data["y"], data[name], steps=steps, threshold=threshold, sample_weight=weight
    )


def sides(fpr, tpr, ways):
    fpr, tpr = np.asarray(fpr), np.asarray(tpr)
    return np.interp(ways, fpr + tpr, tpr - fpr)


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_curves_and_areas_follow_the_turn(visit, kind):
    data = probabilities(kind)
    page, ways = visit(report_on(data)), np.linspace(0, 2, 500)
    for at, said in zip(
        (0, 17, 50, 73, 100), page.stops("soft-slider", [0, 17, 50, 73, 100], ["head"]), strict=True
    ):
        assert said["head"] == f"Both ways, at {at / 100:.2f}"
        assert said["spoken"] == f"decisions turn at {at / 100:.2f}"
        for k, name in enumerate(("smooth", "tied")):
            exact = soft(data, name, "both", at / 100)
            bucketed = kind == "many" and name == "smooth"
            words = said["rows"][k][3]
            assert words.startswith("≈ ") == (bucketed and at != 50)
            shown = float(words.removeprefix("≈ "))
            assert shown == pytest.approx(exact.area, abs=2e-4 if words[0] == "≈" else 5.1e-5)
            for rule, curve in (("both", exact), ("single", soft(data, name, "single"))):
                drawn = page.page.evaluate(CURVE, [k, rule, at / 100])
                gap = np.abs(sides(*drawn, ways) - sides(curve.fpr, curve.tpr, ways)).max()
                assert gap < (2e-3 if bucketed else 1e-12)
    page.page.locator("#soft [data-role=half]").click()
    assert page.text("soft", "turn-words") == "0.50"
    assert page.page.locator("#soft svg.chart").count() == 3
    assert page.page.locator("#soft svg.chart path.curve").count() == 6


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_the_table_is_the_library_s(kind):
    data = probabilities(kind)
    report = report_on(data)
    for name, roc, single, both, mean, blind in tables(report, "soft")[0][1:]:
        whole = rw.tally(data["y"], data[name], sample_weight=data.get("w"))
        assert agrees(roc, whole.area)
        for words, curve in (
            (single, soft(data, name, "single")),
            (blind, soft(data, name, "blind")),
        ):
            assert agrees(words, curve.area)
        assert agrees(both, soft(data, name, "both").area)
        area, at = read(mean.replace("at ", ""))
        assert area == pytest.approx(soft(data, name, "both", "mean").area, abs=5.1e-5)
        assert at == pytest.approx(whole.mean_score, abs=5.1e-4)
    assert ("in buckets" in section(report, "soft")) == (kind == "many")


def test_the_paper_s_example():
    data = {"y": [1, 1, 0, 1, 0, 0], "C1": [0.8, 0.7, 0.6, 0.4, 0.3, 0.2]}
    data["C2"] = [0.99, 0.78, 0.68, 0.58, 0.38, 0.01]
    rows = tables(report_on(data), "soft")[0][1:]
    assert [row[1:4] + row[5:] for row in rows] == [
        ["0.8889", "0.9557", "0.7222", "0.7444"],
        ["0.8889", "0.9591", "0.8246", "0.8513"],
    ]


@pytest.mark.filterwarnings("ignore::rocwalk.errors.HardScoresWarning")
@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
def test_steps_in_one_direction_only_have_no_curve(visit):
    page = visit(report_on({"y": [1, 1, 0, 0], "s": [1.0, 1.0, 0.0, 0.0]}))
    said = page.stops("soft-slider", [50, 100, 0], [])
    assert [one["rows"][0][3] for one in said] == ["1.0000", "1.0000", "undefined"]
    cells = page.page.locator("#soft tbody tr").first.locator("td").all_inner_texts()
    assert cells[1] == "1.0000"


def test_other_scores_are_left_out_and_named():
    data = probabilities("hard")
    report = report_on({"y": data["y"], "raw": 9 * data["smooth"], "tied": data["tied"]})
    assert "The scores of raw reach outside 0 to 1" in section(report, "soft")
    assert [one["place"] for one in embedded(report, "soft")["models"]] == [1]
    assert embedded(study("hard")[1], "soft") is None
