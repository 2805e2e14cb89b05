"""The section on votes and agreement, against fresh calls of the library."""

from __future__ import annotations

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import rocwalk as rw
from report.studies import ballots, embedded, on_votes, read, section, study, tables, votes


def test_the_numbers_are_the_library_s():
    data = votes()
    report, ballot = on_votes(data, confidence_level=0.9), ballots(data)
    html = section(report, "agreement").replace("&#39;", "'")
    assert ballot.sentence in html
    assert f"<dd>{100 * ballot.split_share:.1f}\xa0%</dd>" in html
    (rows,) = tables(report, "agreement")
    measures = ("fleiss", "krippendorff", "ac1", "percent")
    drawn = embedded(report, "agreement")["coefficients"]["rows"]
    assert len(drawn) == 3  # percent agreement knows no chance
    for k, (measure, (title, value, _)) in enumerate(zip(measures, rows[1:], strict=True)):
        known = rw.agreement(ballot, measure=measure, confidence_level=0.9)
        assert title.replace("’", "'").lower() == known.title.lower()
        assert read(value) == pytest.approx([known.estimate, known.low, known.high], abs=6e-4)
        if measure != "percent":
            assert (drawn[k]["low"], drawn[k]["apart"]) == (known.low, known.low > 0)


def test_two_raters_have_cohens_kappa_and_ratings_their_own():
    data = votes()
    two = rw.report(data, raters=["ann", "bob"], score="net")
    assert [row[0] for row in tables(two, "agreement")[0][1:3]] == [
        "Cohen’s kappa",
        "Fleiss’ kappa",
    ]
    rng = np.random.default_rng(1)
    quality = rng.normal(size=60)
    ratings = {
        name: np.clip(np.rint(2.5 + quality + rng.normal(size=60)), 1, 4)
        for name in ("x", "y", "z")
    }
    report = rw.report(ratings | {"s": quality}, raters=["x", "y", "z"], score="s", scale=(1, 4))
    titles = [row[0] for row in tables(report, "agreement")[0][1:]]
    assert titles[1:3] == ["Krippendorff’s alpha (interval)", "Gwet’s AC2 (ordinal)"]
    assert "mean rating, rescaled onto 0 to 1" in section(report, "agreement")


def test_what_the_votes_cannot_tell_is_said():
    few = {"a": [1, 0, 1, 0, 1], "b": [1, 1, 0, 0, None], "s": [5, 4, 3, 2, 1]}
    html = section(rw.report(few, raters="a", score="s"), "agreement")
    assert "No item has two votes, so agreement is not defined." in html
    assert "<dd>undefined</dd>" in html
    assert "No coefficient of agreement is defined" in html
    assert "No coefficient" not in section(on_votes(votes()), "agreement")


def test_labels_have_no_such_section():
    assert embedded(study("hard")[1], "agreement") is None
    assert embedded(study("soft")[1], "agreement") is None


def test_bars_are_the_shares_of_the_votes():
    data = votes()
    bars = np.array(embedded(on_votes(data), "agreement")["votes"]["bars"])
    shares, items = np.unique(ballots(data).truth, return_counts=True)
    assert np.allclose(bars[:, :2].mean(axis=1), shares, atol=1e-5)
    assert bars[:, 2].tolist() == items.tolist()


def test_many_shares_are_put_into_bins():
    rng = np.random.default_rng(1)
    names = [f"r{k}" for k in range(60)]
    data = {name: rng.integers(0, 2, 300).astype(float) for name in names}
    for name in names:
        data[name][rng.random(300) < 0.3] = np.nan
    report = rw.report(data | {"s": rng.random(300)}, raters=names, score="s")
    bars = embedded(report, "agreement")["votes"]["bars"]
    assert len(bars) == 40
    assert sum(bar[2] for bar in bars) == 300


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_axe_finds_nothing_serious(visit, scheme, width):
    page = visit(on_votes(votes()), scheme=scheme, width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("#truth svg.chart path.curve").count() == 2
    assert page.locator("#agreement .bar").count() > 4
    assert page.locator("#agreement .gap.apart").count() == 3
    assert page.locator("#raters .rater").count() == 4
    assert page.locator("#raters .cross").count() == 8
    assert page.locator("#raters .gap").count() == 8  # four raters, two models
    page.locator("#raters details").last.evaluate("(one) => { one.open = true; }")
    for name in ("accuracy", "pricing", "calibration", "soft", "truth", "agreement", "raters"):
        found = Axe().run(page, context=f"#{name}").response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
