"""The playground in a browser: its numbers are the library's, and hands and keys move them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import rocwalk as rw
from rocwalk.report.playground import CONTROLS, LESSONS, NUMBERS, play_page

PAGE = SimpleNamespace(save=lambda path: path.write_text(play_page(), encoding="utf-8"))
FREE = len(LESSONS) - 1
FOUND = """() => {
  const { walk, before, perfect, worst, smeared, best, calibration, hull, ...numbers } = document.querySelector("#play").found_;
  return { ...numbers, hull: hull.map((i) => [walk.fpr[i], walk.tpr[i]]), calibration, best: [best.x, best.y] };
}"""


@pytest.fixture(scope="module")
def opened(visit_once):
    return visit_once(PAGE)


def lesson(visit, k):
    visit.page.keyboard.press("Escape")
    visit.page.locator("#play h3").click()
    for _ in range(len(LESSONS)):
        visit.page.keyboard.press("p")
    for _ in range(k):
        visit.page.keyboard.press("n")
    assert visit.text("play", "place") == f"{k + 1} of {len(LESSONS)}"


def turn(visit, **settings):
    """Set controls and return what the page has found."""
    for name, value in settings.items():
        visit.page.evaluate(
            """([id, value]) => {
              const control = document.getElementById(id);
              control.value = value;
              control.dispatchEvent(new Event("input"));
            }""",
            [f"play-{name}", str(value)],
        )
    visit.page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    return visit.page.evaluate(FOUND)


def expected(found):
    """Return the numbers of the same examples from the library."""
    s, f = np.array(found["scores"]), np.array(found["truths"])
    hard = bool(np.isin(f, (0, 1)).all())
    truth = {"truth": "hard" if hard else "soft"}
    f = f.astype(int) if hard else f
    curve, sense = rw.roc(f, s, **truth), rw.sensibility(f, s, **truth)
    at, t, p = sense.at(found["threshold"]), found["threshold"], found["prevalence"]
    costs = rw.Costs(false_positive=1, false_negative=found["miss"], prevalence=p)
    point, best = curve.at(t), curve.best(costs=costs)
    kernel = {"kernel": found["kernel"], "width": found["width"]}
    if found["kernel"] == "coin":
        kernel = {"kernel": "coin", "share": found["share"]}
    elif found["kernel"] == "logit":
        kernel["width"] *= 5
    reference = rw.reference_truth(f, s, **truth)

    def cost(rule):
        return (1 - p) * rule.fpr + found["miss"] * p * (1 - rule.tpr)

    return {
        "auc": curve.area,
        "probabilistic_auc": rw.metrics.probabilistic_auc_score(f, s, **truth),
        "brier": float(np.mean(f * (1 - s) ** 2 + (1 - f) * s**2)),
        "expected_observed": s.sum() / f.sum(),
        "soft_auc": rw.soft_roc(f, s, steps="both", **truth).area,
        "smeared_area": float(rw.smeared_area(f, s, **kernel, **truth)),
        "auc_prt": reference.auc_prt,
        "midpoint": sense.midpoint,
        "struggle_ratio": sense.struggle_ratio,
        "sensibility": at.sensibility,
        "capability": at.capability,
        "expected_cost": cost(point),
        "least_cost": cost(best),
        "best": (best.fpr, best.tpr),
        "hull": list(zip(curve.hull.fpr, curve.hull.tpr, strict=True)),
    }


SETTINGS = {
    "as it starts": {},
    "stretched and shifted": {"stretch": 2.35, "shift": -0.7, "threshold": 0.31},
    "dear misses of rare positives": {"prevalence": 0.08, "miss": 7.5, "threshold": 0.62},
    "wide segments": {"kernel": "uniform", "width": 1.4},
    "narrow segments": {"kernel": "uniform", "width": 0.07},
    "segments in log-odds": {"kernel": "logit", "width": 0.44},
    "half a coin": {"kernel": "coin", "share": 0.5},
    "coins": {"kernel": "coin", "share": 1},
    "experts who disagree": {"disagreement": 0.85, "threshold": 0.44},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_numbers_are_those_of_the_library(opened, name):
    lesson(opened, FREE)
    found = turn(opened, **SETTINGS[name])
    wanted = expected(found)
    assert set(wanted) - {"best", "hull"} == set(NUMBERS)
    for key, value in wanted.items():
        np.testing.assert_allclose(np.array(found[key]), np.array(value), atol=1e-9, err_msg=key)


def test_a_coin_for_every_score_gives_the_probabilistic_auc(opened):
    lesson(opened, 4)
    found = turn(opened, kernel="coin", share=1)
    assert found["smeared_area"] == pytest.approx(found["probabilistic_auc"], abs=1e-12)


def test_stretching_and_shifting_leave_the_auc_alone(opened):
    lesson(opened, 2)
    first = turn(opened)
    other = turn(opened, stretch=3.2)
    assert other["auc"] == first["auc"]
    assert other["brier"] != pytest.approx(first["brier"], abs=1e-3)
    lesson(opened, 6)
    moved = turn(opened, shift=2)
    assert moved["auc"] == first["auc"]
    assert moved["midpoint"] > 1.2 * first["midpoint"]
    assert moved["expected_observed"] > 1.2


def test_a_control_that_moves_nothing_is_hidden(opened):
    lesson(opened, 4)
    for kernel, shown, hidden in (("coin", "share", "width"), ("logit", "width", "share")):
        turn(opened, kernel=kernel)
        assert opened.page.locator(f"#play-{shown}").is_visible()
        assert not opened.page.locator(f"#play-{hidden}").is_visible()


def test_the_task_of_the_last_but_one_lesson_comes_true(opened):
    lesson(opened, 7)
    start = turn(opened)
    assert start["capability"] > 0  # the task is still to be done
    midpoint = start["midpoint"]
    found = turn(opened, threshold=round(midpoint, 2))
    assert (found["sensibility"], found["capability"]) == (1, 0)


def test_other_tasks_can_be_done(opened):
    lesson(opened, 4)
    found = turn(opened)
    width = rw.matched_width(found["truths"], found["scores"], truth="hard").width
    near = turn(opened, width=round(width, 2))
    assert near["smeared_area"] == pytest.approx(near["probabilistic_auc"], abs=2e-3)
    lesson(opened, 6)
    assert (
        turn(opened, shift=0)["expected_observed"]
        < 1.5
        < turn(opened, shift=3)["expected_observed"]
    )
    # an order without mistakes, in which the mean score has all positives but one below it
    scores = [0.995, *[0.01] * 11, *[0.006] * 12]
    sense = rw.sensibility([1] * 12 + [0] * 12, scores)
    assert rw.metrics.roc_auc_score([1] * 12 + [0] * 12, scores) == 1
    assert sense.struggle_ratio > 0.8


def test_an_example_can_be_dragged(opened):
    lesson(opened, 0)
    before = turn(opened)
    dot = opened.page.locator("#play .item.positive").last.bounding_box()
    opened.page.mouse.move(dot["x"] + 6, dot["y"] + 6)
    opened.page.mouse.down()
    opened.page.mouse.move(dot["x"] - 260, dot["y"], steps=6)
    opened.page.mouse.up()
    after = turn(opened)
    moved = [
        i for i, (a, b) in enumerate(zip(before["scores"], after["scores"], strict=True)) if a != b
    ]
    assert len(moved) == 1
    assert after["scores"][moved[0]] < before["scores"][moved[0]] - 0.3
    assert after["auc"] < before["auc"]
    assert after["auc"] == pytest.approx(expected(after)["auc"])
    opened.page.get_by_role("button", name="Start again").click()
    assert turn(opened)["auc"] == before["auc"]


def test_a_whole_class_can_be_dragged_by_its_hill(opened):
    lesson(opened, 1)
    before = turn(opened)
    box = opened.page.locator("#play .hump.positive").bounding_box()
    x, y = box["x"] + 0.8 * box["width"], box["y"] + 0.45 * box["height"]
    opened.page.mouse.move(x, y)
    opened.page.mouse.down()
    opened.page.mouse.move(x - 140, y, steps=5)
    opened.page.mouse.up()
    after = turn(opened)
    half = len(before["scores"]) // 2
    assert all(a > b for a, b in zip(before["scores"][:half], after["scores"][:half], strict=True))
    assert before["scores"][half:] == after["scores"][half:]
    assert after["auc"] < before["auc"]


def test_examples_move_by_keys(opened):
    lesson(opened, 0)
    before = turn(opened)
    opened.page.locator('#play .item[tabindex="0"]').focus()
    opened.page.keyboard.press("ArrowRight")
    chosen = opened.page.evaluate(
        "[...document.querySelectorAll('.item')].findIndex((n) => n.tabIndex === 0)"
    )
    after = turn(opened)
    assert after["scores"][chosen] == pytest.approx(before["scores"][chosen] + 0.01)
    opened.page.keyboard.press("ArrowUp")
    opened.page.keyboard.press("ArrowLeft")
    again = turn(opened)
    other = (chosen + 1) % len(again["scores"])
    assert again["scores"][other] == pytest.approx(after["scores"][other] - 0.01)
    assert opened.page.evaluate("document.activeElement.classList.contains('item')")


def test_lessons_show_their_own_controls_and_numbers(opened):
    for k, one in enumerate(LESSONS):
        lesson(opened, k)
        shown = opened.page.locator("#play [data-setting]:visible").evaluate_all(
            "nodes => nodes.map((node) => node.dataset.setting)"
        )
        idle = {"share"}  # a lesson begins with the first kernel, which has a width
        assert sorted(shown) == sorted(set(one.controls) - idle)
        marks = opened.page.locator("#play .cut, #play [data-role=roc] .mark.f0")
        assert (marks.count() > 0) == ("threshold" in one.controls)
        watched = opened.page.locator("#play .watched").evaluate_all(
            "nodes => nodes.map((node) => node.dataset.number)"
        )
        assert sorted(watched) == sorted(one.watch)
        assert opened.text("play", "title") == one.title
        boards = opened.page.locator("#play .boards figure:visible").evaluate_all(
            "nodes => nodes.map((node) => node.dataset.role)"
        )
        assert tuple(boards) == one.boards
        squares = opened.page.locator("#play .square").count()
        assert squares == (22 if one.squares else 0)
        assert {*one.controls} <= {control.name for control in CONTROLS}
    assert opened.page.get_by_role("button", name="Next").is_disabled()


def test_a_lesson_is_one_click_or_one_key_away(opened):
    lesson(opened, 0)
    for k in (4, 0, 8):
        opened.page.get_by_role("button", name=f"Lesson {k + 1}: {LESSONS[k].title}").click()
        assert opened.text("play", "title") == LESSONS[k].title
        assert opened.page.locator("#play [aria-current]").inner_text() == str(k + 1)
    for k in (2, 6):
        opened.page.keyboard.press(str(k + 1))
        assert opened.text("play", "title") == LESSONS[k].title
    opened.page.keyboard.press("0")
    assert opened.text("play", "title") == LESSONS[6].title


def test_the_walk_passes_every_score_and_can_be_stopped(opened):
    lesson(opened, 0)
    opened.page.clock.install()
    opened.page.keyboard.press("w")
    assert opened.text("play", "stroll") == "Stop"
    opened.page.clock.run_for(40)  # so that a frame is drawn after each step
    seen = []
    for _ in range(30):
        opened.page.clock.run_for(240)
        seen.append(turn_with_clock(opened)["point"])
    assert seen[0] == 0
    assert seen == sorted(seen)
    assert seen[-1] == 24
    assert len(set(seen)) == 25  # a step for each example
    assert opened.text("play", "stroll") == "Walk"
    opened.page.keyboard.press("w")
    opened.page.clock.run_for(600)
    opened.page.get_by_role("button", name="Stop").click()
    stood = turn_with_clock(opened)["point"]
    opened.page.clock.run_for(2000)
    assert turn_with_clock(opened)["point"] == stood
    opened.page.clock.resume()
    lesson(opened, 2)  # without a threshold there is nothing to walk
    assert not opened.page.locator("#play [data-role=stroll]").is_visible()


def turn_with_clock(visit):
    """Let a frame be drawn while time stands still, and return what the page has found."""
    visit.page.clock.run_for(40)
    return visit.page.evaluate(FOUND)


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 900)])
def test_a_lesson_fits_on_a_projector(visit, width, height):
    one = visit(PAGE, width=width)
    one.page.set_viewport_size({"width": width, "height": height})
    one.page.get_by_role("button", name="Full screen").click()
    one.page.wait_for_function("document.fullscreenElement !== null")
    low = "nodes => Math.max(...nodes.map((node) => node.getBoundingClientRect().bottom))"
    for k in range(FREE):
        one.page.keyboard.press(str(k + 1))
        turn(one)
        needed = "#play .watched, #play .boards svg.chart, #play .control:not([hidden])"
        assert one.page.locator(needed).evaluate_all(low) <= height, LESSONS[k].title
    one.page.keyboard.press("f")
    one.page.wait_for_function("document.fullscreenElement === null")


def test_an_example_can_be_dragged_by_a_finger(visit):
    one = visit(PAGE, width=390)
    before = turn(one)
    dot = one.page.locator("#play .item.positive").last
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    at = {"pointerType": "touch", "isPrimary": True, "bubbles": True, "clientY": box["y"] + 6}
    dot.dispatch_event("pointerdown", at | {"clientX": box["x"] + 6})
    strip = one.page.locator("#play [data-role=strip] svg")
    strip.dispatch_event("pointermove", at | {"clientX": box["x"] - 90})
    strip.dispatch_event("pointerup", at | {"clientX": box["x"] - 90})
    after = turn(one)
    assert sum(a != b for a, b in zip(before["scores"], after["scores"], strict=True)) == 1
    assert after["auc"] == pytest.approx(expected(after)["auc"])
    touch = "getComputedStyle(document.querySelector('#play .item')).touchAction"
    assert one.page.evaluate(touch) == "none"  # or the page would scroll instead


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(visit, scheme, width):
    one = visit(PAGE, scheme=scheme, width=width)
    for k in range(len(LESSONS)):
        lesson(one, k)
        found = Axe().run(one.page).response["violations"]
        assert [(v["id"], v["nodes"][0]["html"]) for v in found] == []
        sideways = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert one.page.evaluate(sideways) <= 0


def test_the_command_writes_the_page(run, tmp_path):
    code, out, _ = run("play", "-o", tmp_path / "p.html", "--title", "Tuesday <1>")
    assert code == 0
    assert "p.html" in out
    text = (tmp_path / "p.html").read_text()
    assert "Tuesday &lt;1&gt;" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    code, _, error = run("play", "-o", tmp_path / "none" / "p.html")
    assert code == 2
    assert "none" in error
