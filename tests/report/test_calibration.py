"""Reliability diagrams and losses in parts, against fresh calls of the library."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rocwalk as rw
from report.studies import agrees, embedded, probabilities, report_on, section, study, tables
from rocwalk.curves.reliability import DISTANCES
from rocwalk.errors import OptionError, RocwalkWarning, collecting
from rocwalk.sklearn import compare_recalibrations


def known(data, name):
    return rw.roc(data["y"], data[name], sample_weight=data.get("w")).calibration()


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_blocks_and_parts_are_the_library_s(kind):
    data = probabilities(kind)
    report = report_on(data)
    carried, html = embedded(report, "calibration")["models"], section(report, "calibration")
    rows = iter(tables(report, "calibration")[0][1:])
    for k, name in enumerate(("smooth", "tied")):
        found = known(data, name)
        blocks = found.blocks
        for column in ("lowest", "highest", "value", "share"):
            exact = getattr(blocks, column)
            assert np.allclose(carried[str(k)][column], exact, rtol=1e-5, atol=1e-12)
        for words, parts in (("Brier", found.brier), ("Log", found.log_loss)):
            row = next(rows)
            assert row[:2] == [name, words]
            values = (parts.loss, parts.uncertainty, parts.discrimination, parts.miscalibration)
            assert all(map(agrees, row[2:], values))
        assert f"<li>{name}: {found.sentence}</li>" in html
    assert next(rows, None) is None


def test_very_many_blocks_are_thinned_and_said():
    truth = np.random.default_rng(2).random(3_000)  # soft truth, scored by itself: a block each
    report = report_on({"y": truth, "s": truth})
    assert "has up to 3,000 blocks; at most 150 are drawn" in section(report, "calibration")
    carried = embedded(report, "calibration")["models"]["0"]
    assert 100 < len(carried["value"]) <= 150
    assert np.allclose(carried["value"], carried["lowest"], rtol=1e-5)
    assert np.diff(carried["value"]).max() < 0.02


def test_a_sure_and_wrong_score_has_an_infinite_log_loss():
    report = report_on({"y": [1, 0, 1, 0], "s": [1.0, 1.0, 0.5, 0.2]})
    log = tables(report, "calibration")[0][2]
    assert (log[2], log[5]) == ("∞", "∞")
    assert "where a score is 0 for a positive or 1 for a negative" in section(report, "calibration")
    report = report_on({"y": [1, 0, 1, 0], "s": [0.9, 0.9, 0.5, 0.2]})
    assert "A log loss is infinite" not in section(report, "calibration")


def test_other_scores_are_left_out_and_named():
    data = probabilities("hard")
    report = report_on({"y": data["y"], "raw": 9 * data["smooth"], "tied": data["tied"]})
    assert "The scores of raw reach outside 0 to 1" in section(report, "calibration")
    assert list(embedded(report, "calibration")["models"]) == ["1"]
    assert embedded(study("hard")[1], "calibration") is None


def test_the_diagram_can_be_read(visit):
    data = probabilities("hard")
    page, found = visit(report_on(data)).page, known(data, "tied")
    figure = page.locator("#calibration figure").nth(1)
    assert figure.locator("h3").inner_text() == "tied"
    assert figure.locator("rect.foot").count() == 40
    figure.locator("svg").scroll_into_view_if_needed()
    plot = figure.locator(".plot").bounding_box()
    k = int(np.argmax(found.blocks.highest - found.blocks.lowest))
    middle = (found.blocks.highest[k] + found.blocks.lowest[k]) / 2
    page.mouse.move(plot["x"] + middle * plot["width"], plot["y"] + plot["height"] / 2)
    scores, value, share, band = figure.locator(".tip").inner_text().splitlines()
    assert band.startswith("if calibrated 0.")
    assert scores == f"scores {found.blocks.lowest[k]:g} to {found.blocks.highest[k]:g}"
    assert agrees(value.rpartition(" ")[2], found.blocks.value[k])
    assert agrees(share.rpartition(" ")[2], found.blocks.share[k])
    figure.locator("details").evaluate("(one) => { one.open = true; }")
    figure.locator("tbody tr").first.wait_for(state="attached")
    rows = [row.split("\t") for row in figure.locator("tbody").inner_text().splitlines()]
    assert all(map(agrees, [row[2] for row in rows], found.blocks.value))


def test_the_numbers_of_calibration_are_the_registry_s():
    data = probabilities("hard")
    row = tables(report_on(data), "calibration")[1][1]
    assert row[0] == "smooth"
    for cell, name in zip(
        row[1:],
        ("expected_observed", "calibration_slope", "calibration_intercept", "ici"),
        strict=True,
    ):
        found = rw.interval(data["y"], data["smooth"], statistic=name, rng=0, n_resamples=50)
        assert agrees(cell.split(" ")[0].replace("−", "-"), found.estimate), (name, cell)


def test_the_curve_can_be_switched(visit):
    page = visit(report_on(probabilities("hard"))).page
    figure = page.locator("#calibration figure").first
    assert figure.locator("path.ribbon").count() == 1
    page.locator("#calibration-method").select_option("smooth")
    assert figure.locator("path.ribbon").count() == 2
    assert figure.locator("rect.foot").count() == 40
    page.locator("#calibration-method").select_option("isotonic")
    assert figure.locator("path.ribbon").count() == 1


def asked_in_full(data, **options):
    return rw.report(data, label="y", score=["smooth", "tied"], calibration=True, **options)


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_recalibrations_are_the_library_s(kind):
    data = probabilities(kind)
    weight = "w" if "w" in data else None
    report = asked_in_full(data, weight=weight)
    rows = iter(tables(report, "calibration")[3][1:])
    html = section(report, "calibration")
    for name in ("smooth", "tied"):
        found = compare_recalibrations(
            data["y"], data[name], random_state=0, sample_weight=data.get("w"), truth=kind
        )
        for method, one in found.calibrations.items():
            row = next(rows)
            assert row[0] == name
            assert row[1].split(" ")[0] == method
            with collecting(RocwalkWarning):  # isotonic maps reach 0 and 1, which have no logit
                slope = one.slope
            values = (float(one.brier), float(one.log_loss), slope, one.expected_observed)
            assert all(map(agrees, [cell.replace("−", "-") for cell in row[2:6]], values))
            assert agrees(row[6], one.ici)
        assert f"<li>{name}: {found.sentence}</li>" in html
    assert next(rows, None) is None
    plain = rw.report(data, label="y", score=["smooth", "tied"], weight=weight)
    assert len(tables(plain, "calibration")) == 3
    assert "rocwalk report --calibration" in section(plain, "calibration")
    assert "rocwalk report --calibration" not in html


def test_distances_have_intervals_where_they_are_asked_for():
    data = probabilities("hard")
    report = asked_in_full(data)
    found = report.findings.calibrations[0]
    row = tables(report, "calibration")[2][1]
    for cell, name in zip(row[1:7], DISTANCES[1:], strict=True):
        value, low, high = re.fullmatch(r"(\S+) \((\S+)[–\s]+(?:to\s)?(\S+)\)", cell).groups()
        one = found.interval(name)
        assert all(map(agrees, (value, low, high), (one.estimate, one.low, one.high))), name
    assert "(" not in "".join(tables(report_on(data), "calibration")[2][1][1:7])


@pytest.mark.filterwarnings("ignore:.*there are 4 clusters:rocwalk.errors.RocwalkWarning")
def test_recalibrations_keep_clusters_together():
    data = probabilities("hard")
    data["who"] = np.arange(len(data["y"])) // 2
    html = section(asked_in_full(data, cluster="who"), "calibration")
    for name in ("smooth", "tied"):
        found = compare_recalibrations(
            data["y"], data[name], random_state=0, cluster=data["who"], truth="hard"
        )
        assert f"<li>{name}: {found.sentence}</li>" in html
    data["who"] = np.arange(len(data["y"])) % 4
    html = section(asked_in_full(data, cluster="who"), "calibration")
    assert (
        "smooth has no recalibrations: Maps are fitted in 5 folds, and a class has fewer " in html
    )
    assert "fewer clusters" in html


def test_why_there_are_no_recalibrations():
    few = {"y": [0, 1, 0, 1, 0, 1], "a": [0.2, 0.7, 0.3, 0.1, 0.6, 0.9]}
    html = section(rw.report(few, label="y", score="a", calibration=True), "calibration")
    assert "a class has fewer items" in html
    with pytest.raises(OptionError, match="several classes"):
        rw.report(
            {"y": ["a", "b"], "p": [0.9, 0.2], "q": [0.1, 0.8]},
            label="y",
            class_scores={"a": "p", "b": "q"},
            calibration=True,
        )


def test_the_ici_of_the_page_has_the_ends_of_the_terminal():
    """Drawn alone or beside the other distances, the interval of a number is one interval."""
    data = probabilities("hard")
    short, whole = report_on(data), report_on(data, calibration=True)
    for k, one in whole.findings.calibrations.items():
        with collecting(RocwalkWarning):
            known = one.intervals["ici"]
        for report in (short, whole):
            assert report.findings.ici[k] == (known.estimate, known.low, known.high)
