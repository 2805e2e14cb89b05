"""The walk, step by step, by buttons and by play."""

from __future__ import annotations

import rocwalk as rw
from report.studies import (
    twenty,
)


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
