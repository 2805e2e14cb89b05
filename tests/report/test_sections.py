"""What the sections show and how they are worked: pointer, keyboard, tables, readers of screens."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import rocwalk as rw
from report.studies import agrees, curves, number, section, study, tables, twenty

ALWAYS = ["summary", "roc", "threshold", "accuracy", "costs", "pricing", "precision"]
AT_THE_END = ["distributions", "provenance"]
SEVERAL = [*ALWAYS[:2], "compare", *ALWAYS[2:]]


def sections(page):
    return page.page.locator("main > section").evaluate_all("(all) => all.map((one) => one.id)")


def full_study():
    data, _ = study("hard")
    rng = np.random.default_rng(4)
    data |= {
        "fold": rng.integers(0, 4, 400),
        "site": np.array(["north", "south"])[rng.integers(0, 2, 400)],
    }
    return data, rw.report(data, label="y", score=["plain", "tied"], fold="fold", by="site")


def classes():
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 3, 90)
    scores = (rng.random((90, 3)) + np.eye(3)[labels]) / 2
    names = ["ape", "bee", "cat"]
    data = {"y": [names[k] for k in labels]} | {f"p{k}": scores[:, k] for k in range(3)}
    columns = {name: f"p{k}" for k, name in enumerate(names)}
    return data, scores, rw.report(data, label="y", class_scores=columns)


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
        "calibration-method",
    }  # fmt: skip
    assert moved == sliders | lists | {"roc-bands", "roc-kind"}
    assert moved | {"roc-hulls", "on", "play", "own", "Summary"} <= reached


def test_sliders_say_what_they_mean(visit):
    page = visit(rw.report(twenty(), label="y", score="model")).page
    for slider in page.locator("input[type=range]").all():
        assert slider.get_attribute("aria-valuetext")
        assert page.locator(f"label[for={slider.get_attribute('id')}]").count() == 1


def test_steps_by_buttons_and_by_play(visit):
    page = visit(rw.report(twenty(), label="y", score="model"))
    on, back = (page.page.locator(f"#steps [data-role={role}]") for role in ("on", "back"))
    assert back.is_disabled()
    for _ in range(20):
        on.click()
    assert on.is_disabled()
    assert page.text("steps", "step-words") == "20 of 20"
    assert page.text("steps", "squares") == "68 of 100 squares"
    back.click()
    assert page.page.locator("#steps .step-now").count() == 1
    seen = page.page.evaluate(
        """() => { const row = document.querySelector("#steps .step-now").getBoundingClientRect();
          const box = document.querySelector("#steps .tall").getBoundingClientRect();
          return row.top >= box.top && row.bottom <= box.bottom; }"""
    )
    assert seen
    page.page.clock.install()
    page.page.locator("#steps [data-role=play]").click()
    page.page.clock.run_for(2_000)
    assert page.text("steps", "step-words") == "20 of 20"
    assert page.text("steps", "play") == "Play"


def test_the_data_s_own_prevalence_comes_back(visit):
    page = visit(study("hard")[1])
    own = page.text("costs", "prevalence-words")
    page.stops("costs-prevalence", [100], [])
    assert page.text("costs", "prevalence-words") == "0.9933"
    page.page.locator("#costs [data-role=own]").click()
    assert page.text("costs", "prevalence-words") == own


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


def test_folds_and_subgroups_are_the_library_s(visit):
    data, report = full_study()
    page = visit(report).page
    folds = [data["fold"] == k for k in range(4)]
    areas = [rw.roc(data["y"][f], data["plain"][f]).area for f in folds]
    folded = page.get_by_role("region", name="AUC over the folds")
    row = folded.locator("tbody tr").first.locator("td").all_inner_texts()
    pooled = {name: data[name] for name in ("plain", "tied")}
    again = rw.cross_validation(data["y"], pooled, data["fold"])
    ends = again.models[0].low, again.models[0].high
    values = (np.mean(areas), *ends, np.std(areas, ddof=1), min(areas), max(areas))
    shown = " ".join(row).replace("\xa0to\xa0", " ").split()
    assert shown[0] == "4"
    assert all(agrees(words, value) for words, value in zip(shown[1:], values, strict=True))
    words = page.locator("#folds [data-role=fold-pairs] li").all_inner_texts()
    assert [text.replace("−", "-") for text in words] == [
        pair.sentence.replace("−", "-") for pair in again.pairs
    ]
    page.select_option("#groups-model", index=1)
    south = data["site"] == "south"
    assert agrees(
        page.locator("#groups .legend .value").all_inner_texts()[1].removeprefix("AUC "),
        rw.roc(data["y"][south], data["tied"][south]).area,
    )


def test_gaps_between_subgroups_are_the_library_s(visit):
    data, report = full_study()
    page = visit(report).page
    known = rw.subgroups(data["y"], data["plain"], data["site"])
    row = page.locator("#groups > .scroll tbody tr").first.locator("td").all_inner_texts()
    apart, areas = known.against_rest[0], known.background[0]
    shown = [words for words in re.split(r"[\s()]+", " ".join(row)) if words not in ("", "to")]
    values = [apart.difference, apart.low, apart.high, apart.adjusted_p_value]
    values += [x for one in (areas.bpsn, areas.bnsp) for x in (one.estimate, one.low, one.high)]
    assert all(
        agrees(words.replace("−", "-").removeprefix("+"), value)
        for words, value in zip(shown, values, strict=True)
    )


def test_a_gap_is_shown_only_where_there_is_one():
    rng = np.random.default_rng(6)
    y, site = rng.integers(0, 2, 600), np.array(["a", "b", "c"])[np.arange(600) % 3]
    alike = rng.normal(y, 1)
    apart = alike + 2 * y * (site == "b")
    doubt = "which does not show that there is one"
    for scores, is_doubtful in ((alike, True), (apart, False)):
        report = rw.report({"y": y, "s": scores, "site": site}, label="y", score="s", by="site")
        html = section(report, "groups")
        assert "the gap is" in html
        assert (doubt in html) is is_doubtful


def test_parts_without_both_classes_are_said(visit):
    data = {"y": [1, 0, 1, 0, 1, 1], "s": [6, 5, 4, 3, 2, 1], "f": [1, 1, 2, 2, 3, 3]}
    page = visit(rw.report(data, label="y", score="s", fold="f", by="f")).page
    assert (
        "Folds that lack a class are left out; counted for each model there are 1."
        in page.locator("#folds").inner_text()
    )
    assert "undefined" in page.locator("#groups > .card > .scroll tbody").inner_text()


def test_one_fold_has_no_spread(visit):
    data = {"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "f": [1, 1, 1, 1]}
    page = visit(rw.report(data, label="y", score="s", fold="f")).page
    folded = page.get_by_role("region", name="AUC over the folds")
    row = folded.locator("tbody td").all_inner_texts()
    assert row == ["1", "0.7500", "undefined", "undefined", "0.7500", "0.7500"]
    assert page.locator("#folds .ribbon").count() == 0


def test_many_subgroups_are_cut_and_said(visit):
    rng = np.random.default_rng(0)
    data = {"y": rng.integers(0, 2, 900), "s": rng.random(900), "g": np.arange(900) % 90}
    page = visit(rw.report(data, label="y", score="s", by="g")).page
    words = page.locator("#groups").inner_text()
    assert (
        "Of 90 subgroups the first 12 with both classes are drawn and the 60 largest are listed."
        in words
    )
    assert page.locator("#groups > .card > .scroll tbody tr").count() == 60


def test_several_classes(visit):
    data, scores, report = classes()
    page, result = visit(report).page, rw.multiclass(data["y"], scores)
    words = page.locator("#summary [data-claim=classes]").inner_text()
    words = words.replace("\xa0", " ")
    assert words.startswith(f"AUC {result.hand_till:.4f}")
    assert f"{result.provost_domingos:.4f} of a class against the rest" in words
    legend = page.locator("#classes .legend .value").all_inner_texts()
    assert all(agrees(w[4:], a) for w, a in zip(legend, result.areas.values(), strict=True))


def many_classes(count):
    rng = np.random.default_rng(6)
    labels = np.arange(2 * count) % count
    scores = rng.random((2 * count, count))
    scores[np.arange(2 * count), labels] += 0.3
    scores /= 2
    data = {"y": labels} | {f"p{k}": scores[:, k] for k in range(count)}
    columns = {k: f"p{k}" for k in range(count)}
    return rw.multiclass(labels, scores), rw.report(data, label="y", class_scores=columns).html


def test_of_many_classes_those_hardest_to_tell_are_shown():
    result, page = many_classes(30)
    assert "Of 30 curves the 12 of the smallest AUC are drawn." in page
    assert "Of 435 pairs the 300 of the smallest AUC are listed." in page
    table = page.partition("<caption>Pairs of classes</caption>")[2].partition("</table>")[0]
    listed = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>", table)
    smallest = sorted(result.pairwise.values())[:300]
    assert len(listed) == 300
    assert all(agrees(words, x) for (*_, words), x in zip(listed, smallest, strict=True))
    data = page.partition('"ROC curve of each class against the rest"')[2]
    drawn = re.findall(r'"name":"(\d+)","auc":"(.*?)"', data.partition("</script>")[0])
    hardest = sorted(sorted(result.areas, key=result.areas.get)[:12])
    assert [int(name) for name, _ in drawn] == hardest
    assert all(agrees(words, result.areas[int(name)]) for name, words in drawn)
    classes = page.partition("<caption>Each class against the rest</caption>")[2]
    assert classes.partition("</table>")[0].count('<th scope="row">') == 30


def test_few_classes_are_all_shown():
    result, page = many_classes(12)
    assert len(result.pairwise) == 66
    assert "of the smallest AUC" not in page


def test_the_page_does_not_grow_with_the_pairs_of_classes():
    sizes = [len(many_classes(count)[1]) for count in (100, 200)]
    assert sizes[1] - sizes[0] < 100 * 250  # a row of the table of classes each


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
