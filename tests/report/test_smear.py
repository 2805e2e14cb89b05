"""The section on smeared curves, against fresh calls of the library."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import rocwalk as rw
from report.studies import agrees, number, probabilities, report_on
from rocwalk.smear.kernels import KERNELS

NO_WIDTH = {"y": [1, 0, 1, 1], "s": [1, 0.1, 0, 0]}
THREE_WIDTHS = {
    "y": [1, 1, 0, 0, 1, 0, 1, 1, 0, 0],
    "s": [1, 1, 0.6, 0.6, 0.50001, 0.49999, 0.45, 0.45, 0, 0],
}
ONLY_WITHOUT_LIMIT = {"y": [1, 0, 0, 0], "s": [0.5, 0.25, 0.25, 1.0]}
STRETCHES = {"y": [1, 1, 0, 0, 0], "s": [0, 0.75, 0.5, 0.5, 0.125]}
ALL_TIED = {"y": [1, 0, 1, 0], "s": [0.5] * 4}
SPECIAL = (NO_WIDTH, THREE_WIDTHS, ONLY_WITHOUT_LIMIT, STRETCHES, ALL_TIED)


def evidence(data, name="s"):
    return {"y_true": data["y"], "y_prob": data[name], "sample_weight": data.get("w")}


def positions(page):
    low, high = page.range_of("smear-slider")
    assert high >= 110
    drawn = np.random.default_rng(50).permutation(np.arange(low + 1, high))[:50].tolist()
    return [low, high, *drawn]


def width_of(said, match):
    """The width shown is the width used, except at the matched ones, which have more digits."""
    shown = number(said["width-words"])
    ends = [end for pair in match.widths for end in pair] + [match.nearest_width]
    exact = [end for end in ends if float(f"{end:.6g}") == shown]
    return exact[0] if exact else shown


def rates(page, width, model=0):
    """Return the curve that the page computes."""
    told = "inf" if math.isinf(width) else width
    return page.page.evaluate(
        """([k, told]) => {
          const walk = rocwalk.models[k], width = told === "inf" ? Infinity : told;
          const { fpr, tpr } = rocwalk.smeared(walk, rocwalk.atoms(walk), width);
          return [[...fpr], [...tpr]];
        }""",
        [model, told],
    )


def drawn(page):
    """Return the curve that is seen: FPR, TPR and the size of a pixel."""
    chart = page.page.locator("#smear [data-role=roc] svg")
    box = {n: float(chart.locator(".plot").get_attribute(n)) for n in ("x", "y", "width", "height")}
    path = chart.locator("g").nth(1).locator("path").get_attribute("d")
    places = np.array(re.findall(r"[ML]([-\d.]+),([-\d.]+)", path), dtype=float)
    fpr = (places[:, 0] - box["x"]) / box["width"]
    return fpr, 1 - (places[:, 1] - box["y"]) / box["height"], 1 / box["width"]


def distance(curve, other):
    """Return how far apart two rising curves are, measured across the diagonal."""
    ways = np.linspace(0, 2, 2_001)
    sides = [np.interp(ways, x + y, y - x) for x, y in (curve, other)]
    return np.abs(sides[0] - sides[1]).max()


def arrays(pair):
    return np.asarray(pair[0]), np.asarray(pair[1])


@pytest.mark.parametrize("model", [0, 1])
@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_fifty_positions(visit, kind, model):
    data = probabilities(kind)
    page, given = visit(report_on(data)), evidence(data, ("smooth", "tied")[model])
    page.page.select_option("#smear-model", index=model)
    match, sampled = rw.matched_width(**given), np.random.default_rng(1).random(200)
    for at in positions(page):
        (said,) = page.stops("smear-slider", [at], ["width-words", "area"])
        width = width_of(said, match)
        area = rw.smeared_area(**given, width=width)
        assert agrees(said["area"], area)
        assert said["spoken"] == f"{said['width-words']}, area {said['area']}"
        curve = rw.smeared_roc(**given, width=width)
        whole = (curve.fpr, curve.tpr)
        seen_x, seen_y, pixel = drawn(page)
        if kind == "many" and model == 0:  # carried in buckets
            assert distance(arrays(rates(page, width, model)), whole) < 1e-3
            assert distance((seen_x, seen_y), whole) < 1e-3 + pixel / 4
            continue
        assert distance((seen_x, seen_y), whole) < pixel / 4
        xs, ys = rates(page, width, model)
        assert np.allclose(
            np.interp(sampled, xs, ys), np.interp(sampled, *whole), rtol=0, atol=1e-6
        )
        assert np.trapezoid(ys, xs) == pytest.approx(float(area), abs=1e-9)


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_the_slider_starts_at_the_matched_width(visit, kind):
    data = probabilities(kind)
    page = visit(report_on(data))
    for model, name in enumerate(("smooth", "tied")):
        page.page.select_option("#smear-model", index=model)
        match = rw.matched_width(**evidence(data, name))
        assert number(page.text("smear", "width-words")) == float(f"{match.width:.6g}")
        assert agrees(page.text("smear", "area"), match.target)
        assert agrees(page.text("smear", "target"), match.target)
        assert agrees(page.text("smear", "auc"), match.auc)
        assert page.text("smear", "distance") == "equals the probabilistic AUC"
        assert page.text("smear", "words") == match.sentence
        assert name in page.page.locator("#smear svg").first.get_attribute("aria-label")


def test_no_width_is_said_and_the_nearest_is_drawn(visit):
    page, match = visit(report_on(NO_WIDTH)), rw.matched_width(**evidence(NO_WIDTH))
    assert not match.exists
    assert page.text("smear", "words") == (
        f"{match.sentence} The curve of this nearest width is drawn at first."
    )
    assert page.page.locator("#smear .note").count() == 1
    assert number(page.text("smear", "width-words")) == float(f"{match.nearest_width:.6g}")
    assert agrees(page.text("smear", "area"), match.area)
    assert page.text("smear", "distance") == "0.0133 below the probabilistic AUC"
    curve = rw.smeared_roc(**evidence(NO_WIDTH), width=match.nearest_width)
    x, y, pixel = drawn(page)
    assert distance((x, y), (curve.fpr, curve.tpr)) < pixel / 4
    assert marked(page) == []
    assert "none, the nearest is 1.129" in page.page.locator("#smear table").first.text_content()


def marked(page):
    """Return the places of the dots of the matched widths, as shares of the axis."""
    chart = page.page.locator("#smear [data-role=areas] svg")
    left, wide = (float(chart.locator(".plot").get_attribute(name)) for name in ("x", "width"))
    dots = chart.locator("circle.dot:not(.mark)")
    return [(float(dot.get_attribute("cx")) - left) / wide for dot in dots.all()]


def test_several_matched_widths_are_all_marked_and_can_be_gone_to(visit):
    page, match = visit(report_on(THREE_WIDTHS)), rw.matched_width(**evidence(THREE_WIDTHS))
    widths = [low for low, _ in match.widths]
    assert len(widths) == 3
    assert np.allclose(marked(page), np.cbrt(np.divide(widths, np.add(widths, 2))))
    assert page.text("smear", "words").endswith("so does a width of 0.09995, a width of 1.505.")
    buttons = page.page.locator("#smear [data-role=jumps] button")
    names = ["Bare curve", "Matched 0.0000683", "Matched 0.0999", "Matched 1.5", "Diagonal"]
    assert buttons.all_inner_texts() == names
    for k, width in enumerate([0.0, *widths, math.inf]):
        buttons.nth(k).click()
        assert number(page.text("smear", "width-words")) == float(f"{width:.6g}")
        assert agrees(
            page.text("smear", "area"), rw.smeared_area(**evidence(THREE_WIDTHS), width=width)
        )
        assert (page.text("smear", "distance") == "equals the probabilistic AUC") == (0 < k < 4)
    cells = page.page.locator("#smear table").first.locator("td").all_text_contents()
    assert cells[-1] == "6.827·10⁻⁵; 0.09995; 1.505"


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
def test_stretches_of_matched_widths_are_lines(visit):
    page, match = visit(report_on(STRETCHES)), rw.matched_width(**evidence(STRETCHES))
    assert match.widths == [(0.0, 0.125), (0.625, math.inf)]
    assert page.page.locator("#smear [data-role=areas] path.now").count() == 2
    assert page.text("smear", "width-words") == "0"
    names = page.page.locator("#smear [data-role=jumps] button").all_inner_texts()
    assert names[1:3] == ["Matched 0 to 0.125", "Matched 0.625 to ∞"]


def test_a_width_without_limit_is_the_diagonal(visit):
    page = visit(report_on(ONLY_WITHOUT_LIMIT))
    assert rw.matched_width(**evidence(ONLY_WITHOUT_LIMIT)).width == math.inf
    assert page.text("smear", "width-words") == "∞"
    assert page.text("smear", "area") == "0.5000"
    assert marked(page) == [1.0]


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_the_ends_are_the_bare_curve_and_the_diagonal(visit, kind):
    data = probabilities(kind)
    page = visit(report_on(data))
    bare = rw.roc(data["y"], data["smooth"], sample_weight=data.get("w"))
    ends = page.stops("smear-slider", page.range_of("smear-slider"), ["width-words", "area"])
    assert [said["width-words"] for said in ends] == ["0", "∞"]
    assert agrees(ends[0]["area"], bare.area)
    assert ends[1]["area"] == "0.5000"
    if kind == "many":
        assert distance(arrays(rates(page, 0)), (bare.fpr, bare.tpr)) < 1e-3
    else:
        assert np.allclose(rates(page, 0), [bare.fpr, bare.tpr], rtol=0, atol=1e-15)
    assert rates(page, math.inf) == [[0, 1], [0, 1]]
    x, y, _ = drawn(page)
    assert np.allclose(x, y, atol=1e-4)
    diagonal = arrays([[0, 1], [0, 1]])
    away = [distance(arrays(rates(page, width)), diagonal) for width in (1, 8, 78.7)]
    assert away == sorted(away, reverse=True)
    assert away[-1] < 0.01


def test_areas_of_crowded_scores_are_sure_to_the_digits_shown(visit):
    rng = np.random.default_rng(4)
    label = rng.integers(0, 2, 30_000)
    scores = (1 / (1 + np.exp(-rng.normal(size=30_000) - label))) ** 30  # most are nearly 0
    page = visit(report_on({"y": label, "s": scores}))
    stops = page.stops("smear-slider", list(range(45)), ["width-words", "area"])
    match = rw.matched_width(label, scores)
    for said in stops:
        assert agrees(said["area"], rw.smeared_area(label, scores, width=width_of(said, match)))
    assert "neighbouring scores" in page.page.locator("#smear").inner_text()
    for at in (2, 10, 25, 40):
        (said,) = page.stops("smear-slider", [at], ["width-words"])
        width = width_of(said, match)
        curve = rw.smeared_roc(label, scores, width=width)
        assert distance(arrays(rates(page, width)), (curve.fpr, curve.tpr)) < 1e-3


def test_without_probabilities_there_is_no_such_section(visit):
    data = {"y": [1, 0, 1, 0], "s": [3.0, 0.2, 0.7, 0.1]}
    page = visit(report_on(data)).page
    assert page.locator("#smear").count() == 0
    assert page.locator("nav a[href='#smear']").count() == 0


def test_models_without_probabilities_are_left_out_and_named(visit):
    data = probabilities("hard")
    page = visit(report_on({"y": data["y"], "raw": data["smooth"] * 9, "smooth": data["smooth"]}))
    assert page.page.locator("#smear-model option").all_text_contents() == ["smooth"]
    assert not page.page.locator("#smear-model").is_visible()
    assert page.page.locator("#smear .note").all_inner_texts() == [
        "This needs probabilities. The scores of raw reach outside 0 to 1, so it is left out here."
    ]
    match = rw.matched_width(**evidence(data, "smooth"))
    assert agrees(page.text("smear", "target"), match.target)
    curve = rw.smeared_roc(**evidence(data, "smooth"), width=match.width)
    x, y, pixel = drawn(page)
    assert distance((x, y), (curve.fpr, curve.tpr)) < pixel / 4


def test_the_keyboard_moves_the_width(visit):
    page = visit(report_on(probabilities("hard")))
    slider, seen = page.page.locator("#smear-slider"), []
    slider.focus()
    for key in ("Home", "ArrowRight", "ArrowRight", "PageUp", "End"):
        page.page.keyboard.press(key)
        seen.append(number(page.text("smear", "width-words")))
        assert slider.get_attribute("aria-valuetext").startswith(page.text("smear", "width-words"))
    assert seen[0] == 0
    assert seen == sorted(set(seen))
    assert seen[-1] == math.inf
    page.page.locator("#smear [data-role=jumps] button").nth(1).press("Enter")
    assert page.text("smear", "distance") == "equals the probabilistic AUC"


def test_a_click_on_the_areas_sets_the_width_and_pointing_reads_it(visit):
    data = probabilities("hard")
    page = visit(report_on(data))
    page.page.locator("#smear [data-role=areas] svg").scroll_into_view_if_needed()
    plot = page.page.locator("#smear [data-role=areas] .plot").bounding_box()
    share = math.cbrt(0.5 / 2.5)  # the place of the width 0.5
    spot = (plot["x"] + share * plot["width"], plot["y"] + plot["height"] / 2)
    page.page.mouse.move(*spot)
    width, area = (
        line.split()[1]
        for line in page.page.locator("#smear [data-role=areas] .tip").inner_text().splitlines()
    )
    assert float(width) == pytest.approx(0.5, rel=0.03)
    assert agrees(area, rw.smeared_area(**evidence(data, "smooth"), width=float(width)))
    page.page.mouse.click(*spot)
    assert page.text("smear", "width-words") == width


def test_the_areas_are_also_a_table(visit):
    data = probabilities("hard")
    page = visit(report_on(data)).page
    page.locator("#smear details").evaluate_all(
        "(all) => all.forEach((one) => { one.open = true; })"
    )
    region = page.get_by_role("region", name="areas by width of tied", exact=True)
    region.locator("tbody tr").first.wait_for(state="attached")
    rows = [row.split("\t") for row in region.locator("tbody").inner_text().splitlines()]
    match = rw.matched_width(**evidence(data, "tied"))
    for shown, area in rows:
        width = width_of({"width-words": shown}, match)
        assert agrees(area, rw.smeared_area(**evidence(data, "tied"), width=width))
    assert float(f"{match.width:.6g}") in [number(shown) for shown, _ in rows]


@pytest.mark.parametrize("data", SPECIAL)
@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
def test_special_studies_are_drawn_whole(visit, data):
    page, match = visit(report_on(data)), rw.matched_width(**evidence(data))
    low, high = page.range_of("smear-slider")
    for said in page.stops("smear-slider", list(range(low, high + 1)), ["width-words", "area"]):
        width = width_of(said, match)
        assert agrees(said["area"], rw.smeared_area(**evidence(data), width=width))
    written = page.page.locator("#smear").evaluate("(one) => one.innerHTML")
    assert "NaN" not in written
    assert "Infinity" not in written
    assert "undefined" not in written


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
@pytest.mark.parametrize("data", [NO_WIDTH, THREE_WIDTHS, probabilities("hard")])
def test_axe_finds_nothing_serious(visit, data, scheme, width):
    page = visit(report_on(data), scheme=scheme, width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("#smear details").last.evaluate("(one) => { one.open = true; }")
    found = Axe().run(page, context="#smear").response["violations"]
    grave = [one["id"] for one in found if one["impact"] in ("serious", "critical")]
    assert grave == []


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_kernels_inside_the_unit_interval(visit, kind):
    """Every position of every kernel: the area and the curve of a fresh call."""
    data = probabilities(kind)
    page, given = visit(report_on(data)), evidence(data, "smooth")
    target = rw.metrics.probabilistic_auc_score(**given)
    parameters = {"coin": "share", "beta": "concentration"}
    for kernel in ("logit", "logit-normal", "coin", "beta"):
        page.page.select_option("#smear-kernel", kernel)
        low, high = page.range_of("smear-slider")
        for at in range(low, high + 1, 4):
            (said,) = page.stops("smear-slider", [at], ["width-words", "area"])
            amount = number(said["width-words"])
            if kernel.startswith("logit"):  # the matched width is shown with fewer digits
                match = rw.matched_width(**given, kernel=kernel)
                amount = match.width if amount == float(f"{match.width:.6g}") else amount
            options = {"kernel": kernel, parameters.get(kernel, "width"): amount}
            assert agrees(said["area"], rw.smeared_area(**given, **options))
            curve = rw.smeared_roc(**given, **options)
            seen_x, seen_y, pixel = drawn(page)
            off = {"beta": 0.01, "logit-normal": 2e-3}.get(kernel, 0)
            assert distance((seen_x, seen_y), (curve.fpr, curve.tpr)) < off + pixel / 4
    page.page.select_option("#smear-kernel", "coin")
    assert page.text("smear", "distance") == "equals the probabilistic AUC"
    assert agrees(page.text("smear", "area"), target)
    page.page.select_option("#smear-kernel", "beta")
    assert "which is not the probabilistic AUC" in page.text("smear", "words")
    page.page.select_option("#smear-kernel", "uniform")
    assert page.text("smear", "words") == rw.matched_width(**given).sentence


COMPUTED = """([kernel, told, thresholds]) => {
  const walk = rocwalk.models[0], amount = told === "inf" ? Infinity : told;
  const atoms = rocwalk.atoms(walk), how = rocwalk.kernels[kernel];
  const { fpr, tpr } = how.curve?.(walk, atoms, amount) ?? walk;
  const [up, right] = rocwalk.noiseOf(atoms, how, amount, thresholds);
  return [[...fpr], [...tpr], ...[up, right].flatMap((one) => [one.rates, one.noise, one.sampling])];
}"""


AMOUNTS = {
    "logit": (0.0, 1e-4, 0.1, 1.0, 7.0, 60.0, math.inf),
    "logit-normal": (0.0, 1e-4, 0.1, 1.0, 7.0, 60.0, math.inf),
    "coin": (0.0, 0.05, 0.5, 1.0),
    "beta": (0.0, 0.1, 1.0, 10.0, 1000.0, math.inf),
}


@pytest.mark.parametrize("kernel", AMOUNTS)
def test_kernels_that_the_page_computes(visit, kernel):
    """Ties and scores of 0 and 1: the curve between all of its points, and the score noise.

    The curves of beta distributions are carried.
    """
    rng = np.random.default_rng(7)
    scores = np.round(rng.beta(0.6, 0.8, 300), 2)
    data = {"y": (rng.random(300) < 0.8 * scores + 0.1).astype(int), "s": scores}
    assert {0.0, 1.0} <= set(scores.tolist())
    page, thresholds = visit(report_on(data)), np.arange(33) / 32
    parameter = {"coin": "share", "beta": "concentration"}.get(kernel, "width")
    for amount in AMOUNTS[kernel]:
        told = [kernel, "inf" if math.isinf(amount) else amount, thresholds.tolist()]
        found = [np.asarray(column) for column in page.page.evaluate(COMPUTED, told)]
        options = {"kernel": kernel, parameter: amount}
        curve = rw.smeared_roc(**evidence(data), **options)
        off = {"logit-normal": 2e-3, "beta": 1}.get(kernel, 1e-9)
        assert distance(found[:2], (curve.fpr, curve.tpr)) < off
        expected = noise_of(evidence(data), thresholds, **options)
        assert np.allclose(np.column_stack([thresholds, *found[2:]]), expected, rtol=0, atol=1e-6)


def test_the_switch_offers_every_kernel_inside_the_unit_interval(visit):
    """The words, the axis and the start of the two kernels in log-odds are their own."""
    data = probabilities("hard")
    page, given = visit(report_on(data)), evidence(data, "smooth")
    offered = page.page.locator("#smear-kernel option").evaluate_all(
        "(all) => all.map((o) => o.value)"
    )
    assert offered == [name for name in KERNELS if name != "normal"]
    axes = {
        "logit": "Width d, in log-odds",
        "logit-normal": "Width d of two standard deviations, in log-odds",
    }
    for kernel, axis in axes.items():
        page.page.select_option("#smear-kernel", kernel)
        match = rw.matched_width(**given, kernel=kernel)
        assert page.text("smear", "words") == match.sentence
        assert page.text("smear", "amount") == axis
        assert page.text("smear", "distance") == "equals the probabilistic AUC"
        assert number(page.text("smear", "width-words")) == float(f"{match.width:.6g}")
        curve = rw.smeared_roc(**given, kernel=kernel, width=match.width)
        x, y, pixel = drawn(page)
        assert distance((x, y), (curve.fpr, curve.tpr)) < 2e-3 + pixel / 4
        page.page.locator("#smear details").evaluate_all(
            "(all) => all.forEach((one) => { one.open = true; })"
        )
        name = f"areas by {axis.lower()} of smooth"
        region = page.page.get_by_role("region", name=name, exact=True)
        region.locator("tbody tr").first.wait_for(state="attached")
        rows = [row.split("\t") for row in region.locator("tbody").inner_text().splitlines()]
        for shown, area in rows:
            width = width_of({"width-words": shown}, match)
            assert agrees(area, rw.smeared_area(**given, kernel=kernel, width=width))


def test_scores_of_zero_and_one_only_have_every_kernel(visit):
    """Nothing is left to smear in log-odds: every width has the bare curve."""
    data = {"y": np.array([1, 1, 0, 0, 1, 0]), "s": np.array([1.0, 1, 0, 1, 0, 0])}
    with pytest.warns(rw.errors.HardScoresWarning, match="all 0 or 1"):
        page = visit(report_on(data))
    auc = 6 / 9  # two positives at 1 win 2½ of 3 pairs each, one at 0 has two ties
    for kernel in ("logit", "logit-normal"):
        page.page.select_option("#smear-kernel", kernel)
        low, high = page.range_of("smear-slider")
        for said in page.stops("smear-slider", list(range(low, high + 1)), ["area"]):
            assert agrees(said["area"], auc)


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # no spread
def test_a_limit_that_is_the_probabilistic_auc(visit):
    """Of scores that are all tied every area is one half; the words say so."""
    page = visit(report_on(ALL_TIED))
    page.page.select_option("#smear-kernel", "beta")
    assert "goes to 0.5, which is the probabilistic AUC" in page.text("smear", "words")
    assert page.text("smear", "distance") == "equals the probabilistic AUC"


# -- score noise -----------------------------------------------------------------------------------


def noise_table(page):
    """Open the table of score noise and return its numbers: a row for each threshold."""
    name = "rates by threshold with score noise"
    details = page.page.locator("#smear details", has=page.page.locator(f'[aria-label="{name}"]'))
    details.last.evaluate("(one) => { one.open = true; }")
    region = details.last.get_by_role("region", name=name, exact=True)
    region.locator("tbody tr").first.wait_for(state="attached")
    rows = region.locator("tbody").inner_text().splitlines()
    return np.array([[number(cell) for cell in row.split("\t")] for row in rows])


def noise_of(given, thresholds, **options):
    band = rw.smeared_roc(**given, **options).band(positions=thresholds)
    columns = (band.tpr, band.tpr_noise, band.tpr_sampling, band.fpr, band.fpr_noise)
    return np.column_stack([thresholds, *columns, band.fpr_sampling])


@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
def test_score_noise_stands_beside_the_sampling_error(visit, kind):
    """The band of a fresh call, for every kernel, whichever position the slider has."""
    data = probabilities(kind)
    page, given = visit(report_on(data)), evidence(data, "smooth")
    off = 2e-3 if kind == "many" else 1.01e-4  # neighbouring scores are put together; four digits
    for kernel in (name for name in KERNELS if name != "normal"):
        page.page.select_option("#smear-kernel", kernel)
        low, high = page.range_of("smear-slider")
        for at in (low, high // 2, high):
            (said,) = page.stops("smear-slider", [at], ["width-words", "score-noise", "sampling"])
            parameter = {"coin": "share", "beta": "concentration"}.get(kernel, "width")
            seen = noise_table(page)
            asked = {"kernel": kernel, parameter: number(said["width-words"])}
            expected = noise_of(given, seen[:, 0], **asked)
            assert np.abs(seen - expected).max() <= off
            assert said["score-noise"] == " / ".join(f"{seen[:, k].max():.4f}" for k in (2, 5))
            assert said["sampling"].endswith(" / ".join(f"{seen[:, k].max():.4f}" for k in (3, 6)))
        assert len(page.page.locator("#smear [data-role=noise] .ribbon").all()) == 4


def test_score_noise_is_drawn_as_it_is_told(visit):
    """The inner band is 1.96 standard deviations of score noise to either side."""
    page = visit(report_on(probabilities("hard")))
    page.page.select_option("#smear-kernel", "beta")
    seen = noise_table(page)
    chart = page.page.locator("#smear [data-role=noise] svg")
    box = {n: float(chart.locator(".plot").get_attribute(n)) for n in ("y", "height")}
    for k, column in enumerate((1, 4)):
        path = chart.locator(".ribbon.inner").nth(k).get_attribute("d")
        heights = np.array(re.findall(r"[ML][-\d.]+,([-\d.]+)", path), dtype=float)
        upper, lower = np.split(1 - (heights - box["y"]) / box["height"], 2)
        rate, noise = seen[:, column], seen[:, column + 1]
        assert np.allclose(upper, np.clip(rate + 1.96 * noise, 0, 1), atol=5e-4)
        assert np.allclose(lower[::-1], np.clip(rate - 1.96 * noise, 0, 1), atol=5e-4)


def test_without_smearing_there_is_no_score_noise(visit):
    page = visit(report_on(THREE_WIDTHS))
    (said,) = page.stops("smear-slider", [0], ["score-noise"])
    assert said["score-noise"] == "0.0000 / 0.0000"
    assert not noise_table(page)[:, [2, 5]].any()
