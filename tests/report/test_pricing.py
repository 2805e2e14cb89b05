"""Cost space on the page, against fresh calls of the library."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import rocwalk as rw
from report.studies import (
    agrees,
    embedded,
    number,
    probabilities,
    read,
    report_on,
    section,
    study,
    tables,
    twenty,
)
from rocwalk.errors import DroppedRowsWarning
from rocwalk.report.numbers import p_text

HUNDREDTHS = np.arange(101) / 100


def curves(data, names=("smooth", "tied")):
    return [rw.roc(data["y"], data[name], sample_weight=data.get("w")) for name in names]


def read_off(line, places):
    """Return the heights of a line as the page reads it: before a jump."""
    ys = np.array(line[1])
    xs = np.arange(len(ys)) / 300 if line[0] is None else np.array(line[0])
    right = np.clip(np.searchsorted(xs, places, "left"), 1, len(xs) - 1)
    run = xs[right] - xs[right - 1]
    part = np.divide(places - xs[right - 1], run, out=np.zeros_like(run), where=run > 0)
    return ys[right - 1] + part * (ys[right] - ys[right - 1])


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_prices_on_the_slider(visit, kind):
    data = probabilities(kind)
    page, known = visit(report_on(data)), curves(data)
    own = known[0].prevalence
    home = int(page.page.locator("#pricing-slider").input_value())
    roles = ["price-words", "ratio", "proportion", "trivial"]
    for said in page.stops("pricing-slider", [-184, -60, -13, 0, home, 20, 77, 184], roles):
        p = own if said["spoken"].endswith("as in the data") else float(said["price-words"])
        miss, alarm = map(float, said["ratio"].split(" : "))
        assert miss / alarm == pytest.approx(p * (1 - own) / ((1 - p) * own), rel=6e-3)
        assert float(said["proportion"]) == pytest.approx(alarm / (miss + alarm), abs=2e-3)
        assert agrees(said["trivial"], min(p, 1 - p))
        for (_, threshold, fpr, tpr, cost), curve in zip(said["rows"], known, strict=True):
            best = curve.cost_curve().at(p)
            point = curve.at(threshold=number(threshold))
            assert agrees(cost, best)
            assert agrees(fpr, point.fpr)
            assert agrees(tpr, point.tpr)
            assert p * (1 - point.tpr) + (1 - p) * point.fpr == pytest.approx(best, abs=1e-12)
    page.page.locator("#pricing [data-role=alike]").click()
    assert page.text("pricing", "ratio") == "1 : 1"


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_lines_and_numbers_are_the_library_s(kind):
    data = probabilities(kind)
    report, known = report_on(data), curves(data)
    carried = embedded(report, "pricing")["models"]
    for k, curve in enumerate(known):
        lines = carried[str(k)]
        best, below_one = curve.cost_curve().loss, HUNDREDTHS[:-1]
        assert np.allclose(
            read_off(lines["brier"], HUNDREDTHS), curve.brier_curve().at(HUNDREDTHS), atol=2e-6
        )
        assert np.allclose(read_off(lines["best"], HUNDREDTHS), best.at(HUNDREDTHS), atol=2e-6)
        assert np.allclose(
            read_off(lines["benefit"], below_one), curve.decision_curve().at(below_one), atol=2e-6
        )
        assert max(len(line[1]) for line in lines.values()) <= 600
    rows = tables(report, "pricing")[-1]
    for (name, *cells), curve in zip(rows[1:], known, strict=True):
        priors = [curve.h_measure(prior) for prior in ("hand2014", "hand2009", "r")]
        cost = curve.cost_curve()
        values = [*priors, cost.area, curve.brier_curve().area, cost.loss.area]
        assert all(map(agrees, cells, values)), name
    share = known[0].prevalence
    assert read(rows[0][1].partition("Beta")[2].replace(",", " ")) == pytest.approx(
        [1 + share, 2 - share], abs=6e-4
    )


def test_pointing_and_clicking(visit):
    page, curve = visit(rw.report(twenty(), label="y", score="model")), rw.roc(*twenty().values())
    page.page.locator("#pricing [data-role=costs] svg.chart").scroll_into_view_if_needed()
    plot = page.page.locator("#pricing [data-role=costs] .plot").bounding_box()
    spot = (
        plot["x"] + 0.4 * plot["width"],
        plot["y"] + (1 - 2 * curve.cost_curve().at(0.4)) * plot["height"],
    )
    page.page.mouse.move(*spot)
    name, rule, numbers = page.page.locator("#pricing .tip").first.inner_text().splitlines()
    assert name == "model"
    price, threshold = rule.removeprefix("PC(+) ").split(": threshold ≥ ")
    point = curve.at(threshold=float(threshold))
    assert agrees(numbers.split(",")[0].removeprefix("cost "), curve.cost_curve().at(float(price)))
    assert numbers.endswith(f"TPR {point.tpr:.4f}, FPR {point.fpr:.4f}")
    page.page.mouse.click(*spot)
    assert float(page.text("pricing", "price-words")) == pytest.approx(0.4, abs=0.01)
    page.page.locator("#pricing [data-role=losses] svg").scroll_into_view_if_needed()
    plot = page.page.locator("#pricing [data-role=losses] .plot").bounding_box()
    page.page.mouse.move(plot["x"] + 0.6 * plot["width"], plot["y"] + plot["height"] / 2)
    said = page.page.locator("#pricing [data-role=losses] .tip").inner_text().split()
    assert agrees(said[6], curve.brier_curve().at(float(said[1])))  # at a score: it counts
    assert agrees(said[-1], curve.cost_curve().loss.at(float(said[1])))
    page.page.locator("#pricing details").evaluate_all(
        "(all) => all.forEach((one) => { one.open = true; })"
    )
    region = page.page.get_by_role("region", name="rules that are best for some price")
    region.locator("tbody tr").first.wait_for(state="attached")
    rules = [row.split("\t") for row in region.locator("tbody").inner_text().splitlines()]
    frame = curve.cost_curve().to_frame("pandas")
    for row, known in zip(rules, frame.itertuples(), strict=True):
        values = (
            known.fpr,
            known.tpr,
            known.lowest_probability_cost,
            known.highest_probability_cost,
        )
        assert all(map(agrees, row[2:], values))


def test_the_brier_curve_of_the_model_that_is_chosen(visit):
    data = probabilities("hard")
    data = {
        "y": data["y"],
        "raw": 9 * data["smooth"],
        "smooth": data["smooth"],
        "tied": data["tied"],
    }
    page = visit(report_on(data)).page
    assert page.locator("#pricing-model option").all_text_contents() == ["smooth", "tied"]
    for k, name in enumerate(("smooth", "tied")):
        page.select_option("#pricing-model", index=k)
        chart = page.locator("#pricing [data-role=losses] svg.chart")
        assert (
            chart.get_attribute("aria-label") == f"{name}: Brier curve and loss of the best rules"
        )
        assert chart.locator("path.curve").get_attribute("class") == f"curve k{k + 1} d0"
        assert chart.locator("line.price").get_attribute("visibility") == "visible"
    (note,) = page.locator("#pricing .note").all_inner_texts()
    assert "The scores of raw reach outside 0 to 1, so it is left out there." in note
    rows = page.get_by_role("region", name="H-measure and losses").locator("tbody tr")
    assert rows.nth(0).locator("td").all_inner_texts()[4] == "not for these scores"
    assert agrees(
        rows.nth(0).locator("td").first.inner_text(), rw.roc(data["y"], data["raw"]).h_measure()
    )


def test_without_probabilities_there_are_cost_curves_only():
    report = study("hard")[1]
    assert "Net benefit" not in section(report, "pricing")
    assert embedded(report, "pricing")["models"] == {}


def test_models_of_unlike_prevalence_have_priors_by_formula():
    data = probabilities("hard")
    data["smooth"][:50] = np.nan
    with pytest.warns(DroppedRowsWarning):
        report = report_on(data, invalid="drop")
    header = tables(report, "pricing")[-1][0]
    assert [words.partition("Beta")[2] for words in header[1:4]] == [
        "(1\xa0+\xa0π⁺,\xa01\xa0+\xa0π⁻)", "(2,\xa02)", "(2,\xa01\xa0+\xa0π⁻/π⁺)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "scores", [[0.1, 0.2, 0.8, 0.9], [0.5] * 4, [1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1]]
)
@pytest.mark.filterwarnings("ignore::rocwalk.errors.HardScoresWarning")
@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
def test_extreme_models_are_drawn_whole(visit, scores):
    label = [0, 0, 1, 1]
    page = visit(rw.report({"y": label, "s": scores}, label="y", score="s"))
    curve = rw.roc(label, scores)
    for said in page.stops("pricing-slider", list(range(-184, 185, 46)), ["price-words"]):
        assert agrees(said["rows"][0][4], curve.cost_curve().at(float(said["price-words"])))
    page.stops("soft-slider", list(range(0, 101, 20)), [])
    for name in ("pricing", "calibration", "soft", "accuracy"):
        written = page.page.locator(f"#{name}").evaluate("(one) => one.innerHTML")
        assert "NaN" not in written
        assert "Infinity" not in written


def differences(data, names, cut):
    """Return what the library says of all pairs at a threshold."""
    scores = {name: data[name] for name in names}
    options = {"sample_weight": data.get("w"), "cluster": data.get("patient")}
    return rw.compare(data["y"], scores, statistic="net_benefit", threshold=cut, **options).pairs


@pytest.mark.parametrize("kind", ["hard", "soft", "clusters"])
def test_differences_in_net_benefit_are_the_library_s(kind):
    data = probabilities("hard" if kind == "clusters" else kind)
    data["third"] = (data["smooth"] + data["tied"][::-1]) / 2
    if kind == "clusters":
        data["patient"] = np.arange(400) // 4
    carried = embedded(report_on(data), "pricing")["differences"]
    names = ("smooth", "tied", "third")
    assert [(pair["a"], pair["b"]) for pair in carried["pairs"]] == [
        ("smooth", "tied"), ("smooth", "third"), ("tied", "third"),
    ]  # fmt: skip
    assert carried["cuts"] == sorted(carried["cuts"])
    assert 0.5 in carried["cuts"]
    for i, cut in list(enumerate(carried["cuts"]))[::4]:
        for shown, pair in zip(carried["pairs"], differences(data, names, cut), strict=True):
            numbers = [shown[name][i] for name in ("difference", "low", "high")]
            assert numbers == pytest.approx([pair.difference, pair.low, pair.high], rel=1e-5)
            texts = shown["p"][i], shown["adjusted"][i]
            assert texts == (p_text(pair.p_value), p_text(pair.adjusted_p_value))


def test_the_differences_follow_the_threshold_in_force(visit):
    data = probabilities("hard")
    data["third"] = (data["smooth"] + data["tied"][::-1]) / 2
    page = visit(report_on(data, threshold=0.37)).page
    region = page.get_by_role("region", name="Differences in net benefit at one threshold")

    def check(cut, is_nearest):
        assert float(page.locator("#pricing [data-role=cut]").inner_text()) == cut
        words = page.locator("#pricing [data-role=cut-words]").inner_text()
        assert words.startswith("The nearest of") == is_nearest
        for row, pair in zip(
            region.locator("tbody tr").all(),
            differences(data, ("smooth", "tied", "third"), cut),
            strict=True,
        ):
            difference, between, p_value, adjusted = row.locator("td").all_inner_texts()
            low, high = between.split("\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}")
            for shown, value in ((difference, pair.difference), (low, pair.low), (high, pair.high)):
                assert agrees(shown.replace("−", "-"), value)
                assert shown[0] == ("+" if value >= 5e-5 else "−" if value <= -5e-5 else "0")
            assert (p_value, adjusted) == (p_text(pair.p_value), p_text(pair.adjusted_p_value))
        chart = page.locator("#pricing [data-role=differences]")
        left, wide = (float(chart.locator(".plot").get_attribute(name)) for name in ("x", "width"))
        at = float(chart.locator("line.price").get_attribute("x1"))
        assert (at - left) / wide == pytest.approx(cut / far(), abs=1e-6)

    def far():
        return read(page.locator("#pricing-range").input_value().replace("%", ""))[0] / 100

    check(0.37, is_nearest=False)  # the page was made with it
    page.evaluate("rocwalk.rule.set({ kind: 'costs', miss: 4, alarm: 1 })")
    check(0.2, is_nearest=False)
    page.evaluate("rocwalk.rule.set({ kind: 'threshold', threshold: 0.213 })")
    check(0.2, is_nearest=True)
    page.evaluate("rocwalk.rule.set({ kind: 'threshold', threshold: Infinity })")
    assert page.locator("#pricing [data-role=cut-words]").inner_text().endswith("for ∞.")


def test_the_chart_of_differences_is_of_the_pair_and_the_range_that_are_chosen(visit):
    data = probabilities("hard")
    data["third"] = (data["smooth"] + data["tied"][::-1]) / 2
    report = report_on(data)
    page, carried = visit(report).page, embedded(report, "pricing")["differences"]
    chart = page.locator("#pricing [data-role=differences] svg.chart")
    page.select_option("#pricing-pair", label="tied − third")
    assert chart.get_attribute("aria-label").startswith("tied − third: Difference in net benefit")
    page.fill("#pricing-range", "30 %")
    page.locator("#pricing-range").press("Enter")
    assert chart.get_attribute("aria-label").startswith("tied − third")
    cuts = [cut for cut in carried["cuts"] if cut <= 0.3]
    dots = chart.locator("circle.one")
    assert dots.count() == len(cuts)
    dots.nth(2).hover()
    words = page.locator("#pricing [data-role=differences] .tip").inner_text().splitlines()
    (pair,) = differences(data, ("tied", "third"), cuts[2])
    assert words[:2] == [f"threshold {cuts[2]:g}", "tied − third"]
    assert agrees(words[2].split(" (")[0].replace("−", "-"), pair.difference)
    assert words[3] == f"p {p_text(pair.p_value)}"


def test_one_model_of_probabilities_has_no_differences():
    data = probabilities("hard")
    data["tied"] = 9 * data["tied"]
    report = report_on(data)
    assert "Differences in net benefit" not in section(report, "pricing")
    assert embedded(report, "pricing")["differences"] is None


def test_very_many_pairs_are_not_compared():
    data = probabilities("hard")
    many = {f"m{k}": np.roll(data["smooth"], k) for k in range(11)}
    told = section(report_on({"y": data["y"]} | many), "pricing")
    assert "Net benefits are not compared: There are 55 pairs of them; 45 are the most." in told


def test_the_differences_are_taken_away(tmp_path):
    data = probabilities("hard")
    report = report_on(data)
    names = {path.name for path in report.figures(tmp_path)}
    assert {f"net-benefit-difference-smooth-tied.{kind}" for kind in ("svg", "png")} <= names
    with (tmp_path / "net-benefit-differences.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows[::5]:
        (pair,) = differences(data, ("smooth", "tied"), float(row["threshold"]))
        assert float(row["difference"]) == pytest.approx(pair.difference, abs=1e-15)
        assert float(row["high"]) == pytest.approx(pair.high, abs=1e-15)
