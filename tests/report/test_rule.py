"""One operating rule for the whole page: its fields, what follows it, and its address."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rocwalk as rw
from report.studies import agrees, number, probabilities, read, report_on
from rocwalk.curves.rules import operating_rule
from rocwalk.tally.walk import walk_of

NAMES = ("smooth", "tied")


def columns():
    data = probabilities("hard")
    data["site"] = np.array(["north", "south"])[np.random.default_rng(1).integers(0, 2, 400)]
    return data


@pytest.fixture(scope="module")
def opened(visit_once):
    data = columns()
    report = rw.report(data, label="y", score=list(NAMES), by="site")
    return data, visit_once(report)


@pytest.fixture
def page(opened):
    """The page of the module, as it was made."""
    opened[1].page.evaluate("rocwalk.rule.set(rocwalk.rule.first)")
    return opened[1].page


@pytest.fixture(scope="module")
def curves(opened):
    data, _ = opened
    return [rw.roc(data["y"], data[name]) for name in NAMES]


def field(page, section, control):
    return page.locator(f"#{section} [data-control={control}] .field")


def put(page, section, control, text):
    """Type a value and leave the field."""
    one = field(page, section, control)
    one.fill(text)
    one.press("Enter")
    return one


def rates_of(page, section):
    return [page.locator(f"#{section} [data-role={role}]").inner_text() for role in ("tpr", "fpr")]


def marks(page, chart):
    """Return where the marks of a chart are, in its own numbers from 0 to 1."""
    return page.locator(chart).evaluate(
        """(svg) => { const plot = svg.querySelector(".plot"), at = (name) => Number(plot.getAttribute(name));
          return [...svg.querySelectorAll(".mark:not(.dot)")].filter((one) => one.getAttribute("visibility") !== "hidden").map((one) => [
            (one.getAttribute("cx") - at("x")) / at("width"), 1 - (one.getAttribute("cy") - at("y")) / at("height")]); }"""
    )


def test_three_to_one_and_five_percent_can_be_typed(page, curves):
    put(page, "costs", "costs", "3 : 1")
    put(page, "costs", "prevalence", "5 %")
    costs = rw.Costs(false_positive=1, false_negative=3, prevalence=0.05)
    for row, curve in zip(page.locator("#costs [data-role=rows] tr").all(), curves, strict=True):
        cells = row.locator("td").all_inner_texts()
        best = curve.best(costs)
        assert (cells[3], cells[4]) == (f"{best.fpr:.4f}", f"{best.tpr:.4f}")
        assert agrees(cells[5], best.expected_cost)
    assert field(page, "costs", "costs").input_value() == "3 : 1"
    for section in ("costs", "threshold"):  # one state, two places
        assert field(page, section, "prevalence").input_value() == "5 %"
    assert page.locator("#threshold-kind").input_value() == "costs"


@pytest.mark.parametrize("text", ["0.05", "5%", "5", "0,05"])
def test_a_share_is_read_as_people_write_it(page, text):
    put(page, "threshold", "prevalence", text)
    assert page.evaluate("rocwalk.rule.state.prevalence") == 0.05


@pytest.mark.parametrize(
    ("control", "text"),
    [("prevalence", "140 %"), ("prevalence", "0"), ("costs", "3 : 0"), ("costs", "three"), ("costs", "1:2:3")],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_the_rule_stays(page, control, text):
    one = put(page, "costs", control, text)
    assert one.get_attribute("aria-invalid") == "true"
    assert page.evaluate("rocwalk.rule.isFirst()")
    one.press("Tab")
    assert one.get_attribute("aria-invalid") is None
    assert one.input_value() != text


def test_the_threshold_slider_runs_as_the_scores_do(page, curves):
    slider = page.locator("#threshold-slider")
    slider.focus()
    seen = [number(page.locator("#threshold [data-role=threshold-words]").inner_text())]
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        seen.append(number(page.locator("#threshold [data-role=threshold-words]").inner_text()))
    assert seen == sorted(seen)
    assert len(set(seen)) == 6
    page.keyboard.press("Home")
    assert rates_of(page, "threshold") == ["1.0000", "1.0000"]
    page.keyboard.press("End")
    assert page.locator("#threshold [data-role=threshold-words]").inner_text() == "≥ ∞"


def test_every_section_follows_a_threshold(page, curves, opened):
    put(page, "threshold", "threshold", "0.31")
    points = [curve.at(threshold=0.31) for curve in curves]
    where = [[point.fpr, point.tpr] for point in points]
    assert field(page, "threshold", "threshold").input_value() == "0.31"
    assert rates_of(page, "threshold") == [f"{points[0].tpr:.4f}", f"{points[0].fpr:.4f}"]
    for chart in ("#summary svg.chart", "#roc svg.chart", "#costs svg.chart"):
        assert np.allclose(marks(page, chart), where, atol=1e-6), chart
    precision = [[point.tpr, point.metrics()["precision"]] for point in points]
    assert np.allclose(marks(page, "#precision svg.chart"), precision, atol=1e-6)
    share = curves[0].prevalence
    cost = [[share, 2 * (share * (1 - p.tpr) + (1 - share) * p.fpr)] for p in points]
    assert np.allclose(marks(page, "#pricing [data-role=costs] svg.chart"), cost, atol=1e-6)
    line = page.locator("#pricing [data-role=benefit] line.price")
    plot = page.locator("#pricing [data-role=benefit] .plot")
    left, wide = (float(plot.get_attribute(name)) for name in ("x", "width"))
    far = read(page.locator("#pricing-range").input_value().replace("%", ""))[0] / 100
    assert (float(line.get_attribute("x1")) - left) / wide == pytest.approx(0.31 / far)
    data, _ = opened
    rows = page.locator("#groups [data-role=in-force] tr").all()
    for row, site in zip(rows, ("north", "south"), strict=True):
        inside = data["site"] == site
        point = rw.roc(data["y"][inside], data["smooth"][inside]).at(threshold=0.31)
        cells = row.locator("td").all_inner_texts()
        assert (cells[3], cells[4]) == (f"{point.tpr:.4f}", f"{point.fpr:.4f}")
        assert agrees(cells[5], point.metrics()["precision"])
        assert int(cells[2]) == int((data["smooth"][inside] >= 0.31).sum())
    advice = page.locator("#summary [data-role=advice]").inner_text()
    assert advice.startswith("Positive at a score of 0.31 or more. smooth from 0.31: finds ")


@pytest.mark.parametrize("threshold", [0.05, 0.5, 2.0])
def test_the_accuracy_table_is_the_library_s_at_any_rule(page, opened, threshold):
    data, _ = opened
    page.evaluate(f"rocwalk.rule.set({{kind: 'threshold', threshold: {threshold}}})")
    for k, name in enumerate(NAMES):
        known = rw.accuracy_table(data["y"], data[name], threshold=threshold)
        for number_, ends in known.numbers.items():
            cell = page.locator(f"#accuracy [data-number={number_}] td").nth(k).inner_text()
            if np.isnan(ends[0]):
                assert cell == "undefined"
                continue
            shown = read(cell)
            close = [abs(a - b) <= max(6e-4, 0.006 * abs(b)) or a == b for a, b in zip(shown, ends, strict=False)]  # fmt: skip
            assert all(close), (number_, shown, ends)
            assert len(shown) == (3 if np.isfinite(ends[1]) and not np.isnan(ends[2]) else 1)
        cells = page.locator("#accuracy [data-role=model]").nth(k)
        assert int(cells.locator("[data-live=tp]").inner_text()) == known.point.confusion.true_positives  # fmt: skip
    assert page.locator("#accuracy [data-role=flattered]").is_hidden()


@pytest.mark.parametrize("costs", [None, rw.Costs(false_positive=4, false_negative=1)])
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.37, 1.0])
def test_a_budget_calls_at_most_so_many(page, opened, rate, costs):
    data, _ = opened
    if costs is not None:  # then the cheapest rule within the budget, else the most sensitive
        put(page, "costs", "costs", "1 : 4")
    put(page, "threshold", "rate", f"{100 * rate:g} %")
    for k, name in enumerate(NAMES):
        known = operating_rule(rate=rate, costs=costs).choose(
            walk_of(rw.tally(data["y"], data[name]))
        )
        point = page.evaluate(f"rocwalk.rule.at(rocwalk.models[{k}])")
        assert (point["x"], point["y"]) == (known.fpr, known.tpr)
    assert page.evaluate("rocwalk.rule.words()") == f"At most {100 * rate:g} % called positive"


def test_back_to_the_start(page):
    before = page.locator("#accuracy .ends").inner_text()
    put(page, "costs", "costs", "10 : 1")
    assert page.locator("#accuracy .ends").inner_text() != before
    page.locator("[data-role=in-force-reset]").click()
    assert page.locator("#accuracy .ends").inner_text() == before
    assert page.locator("[data-role=in-force-reset]").is_hidden()


def test_the_address_keeps_the_rule_and_opens_it_again(visit, opened):
    _, first = opened
    page = first.page
    page.evaluate("rocwalk.rule.set(rocwalk.rule.first)")
    put(page, "costs", "costs", "3 : 1")
    put(page, "costs", "prevalence", "5 %")
    page.wait_for_url(re.compile("prevalence=0.05"))
    kept = page.url.partition("#")[2]
    assert kept == "rule=costs&miss=3&alarm=1&prevalence=0.05"
    page.locator("nav a[href='#precision']").click()  # an anchor keeps the rule
    page.wait_for_url(re.compile(r"#precision&rule=costs&miss=3&alarm=1&prevalence=0\.05$"))
    report = rw.report(columns(), label="y", score=list(NAMES), by="site")
    other = visit(report, at="#precision&" + kept, unfold=False).page
    assert other.evaluate("rocwalk.rule.words()") == page.evaluate("rocwalk.rule.words()")
    assert field(other, "costs", "prevalence").input_value() == "5 %"
    assert other.locator("#precision").evaluate("(one) => Math.abs(one.getBoundingClientRect().top)") < 40  # fmt: skip
    page.evaluate("rocwalk.rule.set(rocwalk.rule.first)")
    page.wait_for_url(re.compile(r"#precision$"))


@pytest.mark.parametrize(
    "bad", ["rule=__proto__", "rule=threshold", "prevalence=7&miss=-3", "model=9", "words=x&at=no", "rate=2"]
)  # fmt: skip
def test_an_address_that_says_nonsense_changes_nothing(page, bad):
    state = page.evaluate("(hash) => rocwalk.address.read('#' + hash).state", bad)
    assert state == {}


def test_the_page_starts_with_the_rule_of_the_report(visit):
    data = probabilities("many")  # of which the page carries a part only
    curve = rw.roc(data["y"], data["smooth"])
    page = visit(report_on(data, threshold=0.4321, prevalence=0.02), unfold=False).page
    assert page.locator("#threshold [data-role=threshold-words]").inner_text() == "≥ 0.4321"
    point = curve.at(threshold=0.4321)
    assert rates_of(page, "threshold") == [f"{point.tpr:.4f}", f"{point.fpr:.4f}"]
    assert field(page, "threshold", "prevalence").input_value() == "2 %"
    assert page.locator("[data-role=in-force-reset]").is_hidden()
    assert page.evaluate("location.hash") == ""
