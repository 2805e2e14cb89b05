"""Bands around the curves and models in pairs, against fresh calls of the library."""

from __future__ import annotations

import html as html_text
import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import rocwalk as rw
from report.studies import embedded, hostile, report_on, section, tables, twenty
from rocwalk.errors import HardScoresWarning, OptionError, RocwalkWarning, SmallSampleWarning
from rocwalk.report.findings import replicates_on
from rocwalk.report.numbers import p_text

KINDS = ("hard", "soft", "weights", "clusters", "weighted clusters", "many")


def sample(kind):
    """Return columns of three models, and what the library is told of them."""
    rng = np.random.default_rng(12)
    rows = 20_000 if kind == "many" else 300
    truth = rng.random(rows)
    data = {"y": truth.round(3) if kind == "soft" else (truth > 0.6).astype(int)}
    for name, noise in (("sharp", 0.2), ("middle", 0.22), ("blunt", 0.9)):
        data[name] = truth + rng.normal(0, noise, rows)
    options = {}
    if "weight" in kind:
        data["w"] = rng.random(rows) * 3
        options["sample_weight"] = data["w"]
    if "clusters" in kind:
        data["patient"] = rng.integers(0, 60, rows)
        options["cluster"] = data["patient"]
    return data, options


def comparison(data, options, **more):
    names = ("sharp", "middle", "blunt")
    return rw.compare(data["y"], {name: data[name] for name in names}, **options, **more)


def heights(curve, x):
    """Return the lowest and the highest TPR of a curve at an FPR, by looking at every segment."""
    found = []
    for x0, y0, x1, y1 in zip(
        curve.fpr[:-1], curve.tpr[:-1], curve.fpr[1:], curve.tpr[1:], strict=True
    ):
        if x0 <= x <= x1:
            found += [y0, y1] if x0 == x1 else [y0 + (y1 - y0) * (x - x0) / (x1 - x0)]
    return min(found), max(found)


def along(fpr, tpr):
    """Return how far along and how far up a curve is, in coordinates where it never jumps."""
    fpr, tpr = np.asarray(fpr), np.asarray(tpr)
    return fpr + tpr, tpr - fpr


def table(page, measure="AUC"):
    """Return the cells of the table of pairs."""
    region = page.page.get_by_role("region", name=f"{measure} in pairs", exact=True)
    return [row.locator("th, td").all_inner_texts() for row in region.locator("tbody tr").all()]


def value(words):
    return float(words.replace("−", "-"))


# -- bands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_bands_are_the_library_s_and_never_drawn_narrower(kind):
    data, options = sample(kind)
    bands = embedded(report_on(data), "roc")["bands"]
    for name, carried in zip(("sharp", "middle", "blunt"), bands, strict=True):
        band = rw.band(data["y"], data[name], rng=0, **options)
        for side, curve, sign in (("lower", band.lower, -1), ("upper", band.upper, 1)):
            way, up = along(*carried[side])
            exact_way, exact_up = along(curve.fpr, curve.tpr)
            drawn = np.interp(exact_way, way, up)
            assert np.all(sign * (drawn - exact_up) >= -1e-9)
            assert np.all(np.abs(np.interp(way, exact_way, exact_up) - up) < 0.01)
            assert all(np.all(np.diff(rates) >= 0) for rates in carried[side])
            assert len(way) <= 320
        rows = carried["rows"]
        assert len(rows["fpr"]) == 101
        for x, low, high in list(zip(rows["fpr"], rows["low"], rows["high"], strict=True))[::10]:
            assert low == pytest.approx(heights(band.lower, x)[0], abs=1e-6)
            assert high == pytest.approx(heights(band.upper, x)[1], abs=1e-6)


def test_the_level_of_the_report_is_that_of_its_bands_and_pairs():
    data, _ = sample("hard")
    report = report_on(data, confidence_level=0.8)
    carried = embedded(report, "roc")["bands"][0]["rows"]
    band = rw.band(data["y"], data["sharp"], rng=0, confidence_level=0.8)
    assert carried["high"][20] == pytest.approx(heights(band.upper, 0.2)[1], abs=1e-6)
    pair = embedded(report, "compare")["measures"][0]["pairs"][0]
    known = comparison(data, {}, confidence_level=0.8).pairs[0]
    assert (pair["low"], pair["high"]) == pytest.approx((known.low, known.high))
    assert "simultaneous 80\xa0% bands" in report.html


@pytest.mark.parametrize("models", [1, 3, 4])
def test_the_band_of_one_model_is_shown_at_a_time(visit, models):
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 80)
    data = {"y": truth} | {f"m{k}": truth + rng.normal(size=80) for k in range(models)}
    page = visit(report_on(data)).page
    ribbons = page.locator("#roc .ribbon")
    assert ribbons.count() == models
    assert page.locator("#roc-bands").input_value() == "0"
    for chosen in ("0", str(models - 1), "none"):
        page.select_option("#roc-bands", chosen)
        seen = ribbons.evaluate_all(
            "(all) => all.map((one) => getComputedStyle(one).visibility === 'visible')"
        )
        assert seen == [str(k) == chosen for k in range(models)]
    assert "the whole true curve of a model lies inside its ribbon" in page.inner_text("#roc")


def test_what_is_drawn_first_lies_behind(visit):
    page = visit(report_on(sample("hard")[0])).page
    order = page.locator("#roc .ribbon, #roc svg.chart .curve").evaluate_all(
        "(all) => all.map((one) => one.classList[0])"
    )
    assert order == ["ribbon"] * 3 + ["curve"] * 3


def test_very_many_single_items_are_resampled_less_often():
    data, _ = sample("many")
    html = rw.report(data, label="y", score="sharp").html
    assert "2,000 curves of resampled items" in html
    data["w"] = data["y"] + 1
    data = {name: np.tile(column, 20) for name, column in data.items()}
    study = rw.report(data, label="y", score="sharp", weight="w").study
    (tally,) = study.models.values()
    assert replicates_on(study, tally) == 500


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
def test_constant_scores_have_a_band():
    data = {"y": [1, 0] * 20, "s": [0.5] * 40}
    (carried,) = embedded(report_on(data), "roc")["bands"]
    band = rw.band(data["y"], data["s"], rng=0)
    assert carried["rows"]["high"][50] == pytest.approx(heights(band.upper, 0.5)[1], abs=1e-6)


def test_too_few_items_have_no_band_and_are_not_compared(visit):
    data = {"y": [1, 0, 0, 0, 0], "a": [5, 4, 3, 2, 1], "b": [1, 2, 3, 4, 5]}
    page = visit(report_on(data)).page
    assert page.locator("#roc-bands").count() == 0
    assert page.locator("#roc .ribbon").count() == 0
    words = "The sample has fewer than two positive items, so the standard error is undefined."
    assert f"a has no band: {words}" in page.inner_text("#roc")
    assert page.inner_text("#compare .note") == f"The models are not compared: {words}"
    assert page.locator("#compare svg").count() == 0
    summary = page.inner_text("#summary").replace("\xa0", " ")
    assert "a has the largest AUC 1.0000." in summary
    assert f"Which model would rank best on other data: {words}" in summary


def test_items_that_lack_for_a_band_are_said(visit):
    data, _ = sample("weights")
    data["blunt"][:7] = np.nan
    with pytest.warns(RocwalkWarning):
        report = report_on(data, invalid="drop")
    bands = embedded(report, "roc")["bands"]
    assert [band is None for band in bands] == [True, True, False]
    page = visit(report).page
    assert "sharp has no band: With soft truth or weights" in page.inner_text("#roc")
    assert page.locator("#roc .ribbon").count() == 1


# -- pairs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_are_the_library_s(visit, kind):
    data, options = sample(kind)
    measure = ("AUC_PRT", "auc_prt") if kind == "soft" else ("AUC", "auc")
    page, known = visit(report_on(data)), comparison(data, options, statistic=measure[1])
    rows = table(page, measure[0])
    assert len(rows) == 3
    for row, pair in zip(rows, known.pairs, strict=True):
        low, high = row[3].split("\xa0to\xa0")
        assert row[:2] == [pair.a, pair.b]
        for words, number in ((row[2], pair.difference), (low, pair.low), (high, pair.high)):
            assert value(words) == pytest.approx(number, abs=5.1e-5)
        assert value(row[4]) == pytest.approx(pair.z, abs=5.1e-3)
        for words, p_value in ((row[5], pair.p_value), (row[6], pair.adjusted_p_value)):
            if words.startswith("<"):
                assert p_value < 1e-4
            else:
                assert value(words) == pytest.approx(p_value, rel=0.06)
        assert row[7] == pair.method
    words = page.page.inner_text("#compare")
    assert f"{len(data['y']):,} rows that every model can use" in words
    clusters = len(set(data.get("patient", ())))
    assert (f"in {clusters} clusters" in words) == ("clusters" in kind)


def test_the_chart_shows_the_pairs(visit):
    data, _ = sample("hard")
    page, known = visit(report_on(data)).page, comparison(data, {})
    chart = page.locator("#compare svg.chart")
    assert chart.get_attribute("aria-label") == "Differences in AUC with their intervals"
    apart = [pair.adjusted_p_value < 0.05 for pair in known.pairs]
    style = chart.locator(".gap").evaluate_all("(all) => all.map((o) => o.classList[1])")
    assert style == ["apart" if one else "unclear" for one in apart]
    assert {True, False} == set(apart)
    places = chart.locator(".gap").evaluate_all(
        "(all) => all.map((o) => Number(o.getAttribute('cx')))"
    )
    bars = chart.locator(".bar-of").evaluate_all(
        "(all) => all.map((o) => o.getAttribute('d').slice(1).split('L').map((p) => Number(p.split(',')[0])))"
    )
    zero = float(chart.locator(".zero").first.get_attribute("x1"))
    scale = (places[1] - zero) / known.pairs[1].difference
    for at, (low, high), pair in zip(places, bars, known.pairs, strict=True):
        assert at == pytest.approx(zero + scale * pair.difference, abs=0.05)
        assert low == pytest.approx(zero + scale * pair.low, abs=0.05)
        assert high == pytest.approx(zero + scale * pair.high, abs=0.05)
    names = chart.locator(".pair").all_text_contents()
    assert names == [f"{pair.a} − {pair.b}" for pair in known.pairs]
    chart.locator(".gap").nth(1).hover()
    assert page.locator("#compare .tip").inner_text().startswith("sharp − blunt\n")


def test_pairs_in_words(visit):
    data, _ = sample("hard")
    page = visit(report_on(data)).page
    said = [words.replace("\xa0", " ") for words in page.locator("#compare li").all_inner_texts()]
    assert re.fullmatch(
        r"All 3 models at once: χ² = [\d.]+ with 2 degrees of freedom, p < 0\.0001: at least two of "
        r"them differ\.",
        said[0],
    )
    assert re.fullmatch(
        r"sharp − blunt: \+0\.\d{4} \(\+0\.\d{4} to \+0\.\d{4}\), adjusted p < 0\.0001 "
        r"\(Holm, 3 pairs\): sharp is ahead\.",
        said[2],  # after the test of all models at once
    )
    summary = page.inner_text("#summary").replace("\xa0", " ")
    assert "sharp has the largest AUC" in summary
    assert "tests separate it from blunt, but not from middle" in summary


def test_a_verdict_of_what_is_not_separated():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    data = {"y": truth} | {name: truth + rng.normal(0, 1, 200) for name in "ab"}
    data["c"] = rng.normal(0, 1, 200)
    known = rw.compare(truth, {name: data[name] for name in "abc"})
    apart = {(p.a, p.b): p.adjusted_p_value < 0.05 for p in known.pairs}
    assert apart == {("a", "b"): False, ("a", "c"): True, ("b", "c"): True}
    best, other = sorted("ab", key=lambda name: -known.estimates[name])
    html = re.sub("</?strong>", "", report_on(data).html.replace("\xa0", " "))
    assert f"{best} has the largest AUC" in html
    assert f"tests separate it from c, but not from {other} (" in html
    pair = report_on({name: data[name] for name in "yab"}).html.replace("\xa0", " ")
    pair = re.sub("</?strong>", "", pair)
    assert f"but tests do not separate it from {other} (" in pair
    assert "; either may be ahead." in pair
    assert "not separated, either may be ahead." in pair
    assert "comparisons" not in pair.split("<section id=")[3]


def test_an_interval_off_zero_that_is_not_separated_is_said():
    rng = np.random.default_rng(0)
    for _ in range(200):
        truth = rng.integers(0, 2, 50)
        data = {"y": truth} | {f"m{k}": truth + rng.normal(0, 1 + k / 4, 50) for k in range(4)}
        found = rw.compare(truth, {f"m{k}": data[f"m{k}"] for k in range(4)})
        if any(p.p_value < 0.04 < 0.06 < p.adjusted_p_value for p in found.pairs):
            break
    assert "not separated once all pairs are counted." in report_on(data).html


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
def test_identical_models_and_constant_ones(visit):
    data, _ = sample("hard")
    data = {"y": data["y"], "one": data["sharp"], "same": data["sharp"] * 2, "flat": 0 * data["y"]}
    page = visit(report_on(data))
    first = table(page)[0]
    assert first[2:7] == ["0.0000", "0.0000\xa0to\xa00.0000", "0.00", "1.000", "1.000"]
    assert "nothing tells them apart on these rows." in page.page.inner_text("#compare")
    summary = page.page.inner_text("#summary").replace("\xa0", " ")
    assert "one and same put the items in the same order: AUC " in summary
    assert "flat is not shown to rank better than chance" in summary
    same = visit(report_on({name: data[name] for name in ("y", "one", "same")}))
    assert "NaN" not in same.page.locator("#compare svg").evaluate("(one) => one.outerHTML")
    assert "put the items in the same order" in same.page.inner_text("#summary")


def test_perfect_models_that_differ(visit):
    data = {"y": [1, 1, 1, 0, 0, 0], "a": [6, 5, 4, 3, 2, 1], "b": [4, 5, 6, 1, 2, 3]}
    row = table(visit(report_on(data)))[0]
    assert row[2] == "0.0000"
    assert row[7] == "mover"
    assert row[3] != "0.0000\xa0to\xa00.0000"


def test_rows_that_one_model_lacks_are_left_out_of_the_pairs(visit):
    data, _ = sample("hard")
    data["blunt"][:40] = np.nan
    with pytest.warns(RocwalkWarning):
        page = visit(report_on(data, invalid="drop"))
    assert "260 of 300 rows that every model can use" in page.page.inner_text("#compare")
    kept = {name: column[40:] for name, column in data.items()}
    for row, pair in zip(table(page), comparison(kept, {}).pairs, strict=True):
        assert value(row[2]) == pytest.approx(pair.difference, abs=5.1e-5)
    whole = rw.band(data["y"], data["sharp"], rng=0)
    with pytest.warns(RocwalkWarning):
        carried = embedded(report_on(data, invalid="drop"), "roc")["bands"][0]["rows"]
    assert carried["high"][10] == pytest.approx(heights(whole.upper, 0.1)[1], abs=1e-6)


def test_probabilities_are_compared_in_probabilistic_area_too(visit):
    data, _ = sample("hard")
    data = {"y": data["y"]} | {k: 1 / (1 + np.exp(-data[k])) for k in ("sharp", "middle", "blunt")}
    page, known = visit(report_on(data)), comparison(data, {}, statistic="probabilistic_auc")
    for row, pair in zip(table(page, "Probabilistic AUC"), known.pairs, strict=True):
        assert value(row[2]) == pytest.approx(pair.difference, abs=5.1e-5)
    assert page.page.locator("#compare svg.chart").count() == 2
    # a larger probabilistic AUC is not better as such: overconfident scores have one
    said = page.page.locator("#compare li", has_text="larger one").all_inner_texts()
    assert len(said) == len(known.pairs)
    assert not any("ahead" in words for words in said)
    assert visit(report_on(sample("hard")[0])).page.locator("#compare svg.chart").count() == 1


def test_a_difference_without_any_spread(visit):
    data = {"y": [1, 1, 0, 0], "a": [1, 1, 0, 0], "b": [0.5] * 4}
    with pytest.warns(HardScoresWarning), pytest.warns(SmallSampleWarning, match="no spread"):
        page = visit(report_on(data))
    row = table(page, "Probabilistic AUC")[0]  # and nothing more is warned of
    assert row[2:5] == ["+0.5000", "+0.5000\xa0to\xa0+0.5000", "+∞"]


def test_one_model_is_not_compared():
    html = rw.report(twenty(), label="y", score="model").html
    assert 'id="compare"' not in html
    assert "Paired tests" not in html


def test_very_many_pairs_are_cut_and_said(visit):
    page = visit(hostile())
    assert page.page.locator("#compare .gap").count() == 45
    assert len(table(page)) == 66
    words = page.page.inner_text("#compare")
    assert "Of 66 pairs the 45 with the smallest p-values are drawn" in words
    assert re.search(r"The tests separate \d+ of 66 pairs when all are counted\.", words)


def test_columns_that_are_called_alike_are_told_apart_by_their_place():
    rng = np.random.default_rng(4)
    data = {"y": rng.integers(0, 2, 50), 1: rng.random(50), "1": rng.random(50)}
    (carried,) = embedded(rw.report(data, label="y", score=[1, "1"]), "compare")["measures"][0][
        "pairs"
    ]
    known = rw.compare(data["y"], {"a": data[1], "b": data["1"]}).pairs[0]
    assert carried["difference"] == pytest.approx(known.difference)


# -- how it looks --------------------------------------------------------------------------------


def eight():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200)
    names = [f"a model of a rather long name, number {k}" for k in range(8)]
    return {"y": truth} | {name: truth + rng.normal(0, 1, 200) for name in names}


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_eight_models(visit, scheme, width):
    page = visit(report_on(eight()), scheme=scheme, width=width).page
    assert page.locator("#compare .gap").count() == 28
    assert page.locator("#roc-bands").input_value() == "0"
    assert page.evaluate("document.documentElement.scrollWidth") == width
    chart = page.locator("#compare svg.chart").bounding_box()
    for name in page.locator("#compare .pair").all()[::9]:
        box = name.bounding_box()
        assert box["x"] >= chart["x"]
        assert box["x"] + box["width"] <= chart["x"] + chart["width"]
    grave = [
        one["id"]
        for one in Axe().run(page).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert grave == []


def test_it_prints_whole(visit):
    page = visit(report_on(eight())).page
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 with margins
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    box = page.get_by_role("region", name="AUC in pairs", exact=True)
    assert box.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")


# -- margins and whole curves --------------------------------------------------------------------


def test_a_margin_tests_non_inferiority_and_equivalence():
    data, _ = sample("hard")
    found = comparison(data, {}, margin=0.05)
    report = report_on(data, equivalence=0.05)
    head, *rows = tables(report, "compare")[0]
    places = [head.index(words) for words in ("Adjusted p not worse", "Adjusted p equivalent")]
    html = section(report, "compare")
    for pair, row in zip(found.pairs, rows, strict=True):
        known = (pair.adjusted_non_inferior_p_value, pair.adjusted_equivalence_p_value)
        for place, p_value in zip(places, known, strict=True):
            assert row[place].replace("\xa0", " ") == p_text(p_value)
        assert html_text.escape(pair.margin_sentence) in html
    assert {pair.equivalent for pair in found.pairs} == {True, False}
    assert "Against the margin of 0.05" in html
    assert "both are adjusted for all pairs (Holm)" in html
    plain = report_on(data)
    assert "Adjusted p equivalent" not in tables(plain, "compare")[0][0]
    assert "margin" not in section(plain, "compare")


@pytest.mark.parametrize("kind", ["hard", "soft", "clusters"])
def test_whole_curves_are_compared_as_the_library_does(kind):
    data, options = sample(kind)
    models = {name: data[name] for name in ("sharp", "middle", "blunt")}
    found = rw.compare_curves(data["y"], models, rng=0, **options)
    report = report_on(data, curves=True)
    rows = tables(report, "compare")[-1][1:]
    for pair, row in zip(found.pairs, rows, strict=True):
        assert row[:4] == [pair.a, pair.b, f"{pair.distance:.4f}", f"{pair.statistic:g}"]
        shown = [cell.replace("\xa0", " ") for cell in row[4:]]
        assert shown == [p_text(pair.p_value), p_text(pair.adjusted_p_value)]
        words = f"{pair.a} and {pair.b}: the curves differ somewhere"
        assert (words in section(report, "compare")) == pair.differ
    assert [pair.differ for pair in found.pairs] == [False, True, True]
    assert "In 1 other pair no difference of the curves was found" in section(report, "compare")
    assert "Whole curves" not in section(report_on(data), "compare")


def test_weights_have_no_test_of_whole_curves():
    html = section(report_on(sample("weights")[0], curves=True), "compare")
    assert "Whole curves are not compared: Rows of different weights" in html
    assert "Venkatraman" not in html


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"equivalence": -0.1}, "is not a finite number of 0 or more"),
        ({"equivalence": float("nan")}, "is not a number"),
        ({"equivalence": 0.1}, "needs two models or more"),
        ({"curves": True}, "needs two models or more"),
    ],
)
def test_what_compares_needs_a_margin_and_two_models(options, words):
    with pytest.raises(OptionError, match=words):
        rw.report({"y": [0, 1], "a": [0.1, 0.2]}, label="y", score="a", **options)
