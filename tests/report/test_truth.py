"""The section on a truth that is a probability, against fresh calls of the library."""

from __future__ import annotations

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import rocwalk as rw
from report.studies import (
    agrees,
    embedded,
    probabilities,
    read,
    report_on,
    section,
    study,
    tables,
)
from rocwalk.errors import DroppedRowsWarning

READERS = ["ann", "bob", "cy", "di"]


def votes(rows=200, gaps=0.1):
    """Return the columns of four readers and of two models."""
    rng = np.random.default_rng(3)
    positive = rng.random(rows) < 0.4
    data = {}
    for name, a, b in zip(READERS, (0.9, 0.8, 0.7, 0.9), (0.9, 0.95, 0.8, 0.6), strict=True):
        said = (rng.random(rows) < np.where(positive, a, 1 - b)).astype(float)
        data[name] = np.where(rng.random(rows) < gaps, np.nan, said)
    data["ann"] = np.nan_to_num(data["ann"])
    data["net"] = 1 / (1 + np.exp(-2 * positive - rng.normal(size=rows)))
    data["raw"] = positive + rng.normal(size=rows)
    return data


def on_votes(data, **options):
    return rw.report(data, raters=READERS, score=["net", "raw"], **options)


def ballots(data):
    return rw.votes({name: data[name] for name in READERS})


@pytest.mark.parametrize("kind", ["soft", "clusters"])
def test_the_region_and_its_numbers_are_the_library_s(kind):
    data = probabilities("soft")
    options = {"sample_weight": data["w"]}
    if kind == "clusters":
        data["patient"] = np.arange(400) // 8
        options["cluster"] = data["patient"]
    report = report_on(data)
    carried, html = embedded(report, "truth")["region"], section(report, "truth")
    for k, (name, auc, expected, prt, above) in enumerate(tables(report, "truth")[0][1:]):
        found = rw.reference_truth(data["y"], data[name], sample_weight=data["w"])
        assert all(
            map(agrees, (auc, expected, above), (found.auc, found.expected_auc, found.aapcc))
        )
        ends = rw.interval(data["y"], data[name], statistic="auc_prt", **options)
        assert read(prt) == pytest.approx([ends.estimate, ends.low, ends.high], abs=6e-4)
        assert agrees(read(prt)[0].__format__(".4f"), found.auc_prt)
        assert f"{found.auc_prt_printed:.4f} for {name}" in html
        costs = (found.h_measure, found.h_prt, found.cost_area, found.cost_area_prt)
        row = tables(report, "truth")[1][k + 1]
        assert row[0] == name
        assert all(agrees(*pair) for pair in zip(row[1:], costs, strict=True))
        lines = ((carried["curves"][k], found.curve), (carried["perfect"], found.perfect))
        for (fpr, tpr), curve in (*lines, (carried["worst"], found.worst)):
            assert len(fpr) <= 300
            way = np.add(fpr, tpr)
            exact = np.interp(way, curve.fpr + curve.tpr, curve.tpr - curve.fpr)
            assert np.allclose(exact, np.subtract(tpr, fpr), atol=2e-5)
    assert f"above {1 - found.aapcc:.4f} or below {found.auwcc:.4f}" in html


def test_hard_labels_have_no_such_section():
    assert embedded(study("hard")[1], "truth") is None


def test_the_worst_order_is_at_zero():
    report = report_on({"y": [0.25, 0.25, 0.5, 0.5], "s": [4, 3, 2, 1]})
    assert tables(report, "truth")[0][1][3].startswith("0.0000")


@pytest.mark.filterwarnings("ignore:(divide by zero|invalid value):RuntimeWarning")
def test_one_truth_for_all_leaves_auc_prt_undefined():
    report = report_on({"y": [0.5] * 6, "s": [6, 5, 4, 3, 2, 1]})
    assert "All items have the same truth" in section(report, "truth")
    assert tables(report, "truth")[0][1] == ["s", "0.5000", "0.5000", "undefined", "0.5000"]


def test_models_on_unlike_rows_are_set_on_common_ones():
    data = probabilities("soft")
    data["smooth"][:30] = np.nan
    with pytest.warns(DroppedRowsWarning):
        report = report_on(data, invalid="drop")
    assert "This section looks at 370 of 400 rows" in section(report, "truth")
    name, auc, *_ = tables(report, "truth")[0][2]
    rest = {key: column[30:] for key, column in data.items()}
    assert agrees(auc, rw.roc(rest["y"], rest[name], sample_weight=rest["w"]).area)


# -- raters --------------------------------------------------------------------------------------


def test_votes_and_raters_are_the_library_s():
    data = votes()
    report, ballot = on_votes(data), ballots(data)
    html, model = section(report, "truth").replace("&#39;", "'"), ballot.dawid_skene()
    assert ballot.sentence in html
    assert model.sentence in html
    for number in (ballot.fleiss_kappa, ballot.krippendorff_alpha):
        assert f"<dd>{number:.3f}</dd>" in html
    assert f"<dd>{100 * ballot.split_share:.1f}\xa0%</dd>" in html
    assert "(multi-reader, multi-case) needs another method" in html
    _, _, raters, areas = tables(report, "truth")
    for k, (name, count, sensitivity, specificity) in enumerate(raters[1:]):
        assert (name, int(count)) == (READERS[k], model.votes[k])
        assert agrees(sensitivity, model.sensitivity[k])
        assert agrees(specificity, model.specificity[k])
    for name, mean, skilled in areas[1:]:
        assert agrees(mean, rw.roc(ballot.truth, data[name], truth="soft").area)
        assert agrees(skilled, rw.roc(model.truth, data[name], truth="soft").area)
    bars = np.array(embedded(report, "truth")["votes"]["bars"])
    shares, items = np.unique(ballot.truth, return_counts=True)
    assert np.allclose(bars[:, :2].mean(axis=1), shares, atol=1e-5)
    assert bars[:, 2].tolist() == items.tolist()


def test_rows_that_are_left_out_keep_their_votes():
    data = votes()
    data["net"][[3, 50]] = np.nan
    for name in READERS:
        data[name][120] = np.nan
    with pytest.warns(DroppedRowsWarning):
        report = on_votes(data, invalid="drop")
    kept = np.delete(np.arange(200), [3, 50, 120])
    voted = np.delete(np.arange(200), 120)
    model = ballots({name: data[name][voted] for name in READERS}).dawid_skene()
    truth = dict(zip(voted.tolist(), model.truth, strict=True))
    for name, _, skilled in tables(report, "truth")[-1][1:]:
        known = rw.roc([truth[k] for k in kept.tolist()], data[name][kept], truth="soft")
        assert agrees(skilled, known.area)


def test_what_the_votes_cannot_tell_is_said():
    few = {"a": [1, 0, 1, 0, 1], "b": [1, 1, 0, 0, None], "s": [5, 4, 3, 2, 1]}
    html = section(rw.report(few, raters=["a", "b"], score="s"), "truth")
    assert "No item has three votes, so that many rates fit equally well" in html
    assert "Hint" not in html
    html = section(rw.report(few, raters="a", score="s"), "truth")
    assert "No item has two votes, so agreement is not defined." in html
    assert "<dd>undefined</dd>" in html


def test_raters_who_agree_leave_no_region():
    data = {"a": [1, 0, 1, 0], "b": [1, 0, 1, 0], "c": [1, 0, 1, 0], "s": [4, 3, 2, 1]}
    report = rw.report(data, raters=["a", "b", "c"], score="s")
    assert embedded(report, "truth")["region"] is None
    assert "They agree on every item that is used here" in section(report, "truth")
    assert tables(report, "truth")[-1][1] == ["s", "0.7500", "0.7500"]


def test_many_shares_are_put_into_bins():
    rng = np.random.default_rng(1)
    names = [f"r{k}" for k in range(60)]
    data = {name: rng.integers(0, 2, 300).astype(float) for name in names}
    for name in names:
        data[name][rng.random(300) < 0.3] = np.nan
    report = rw.report(data | {"s": rng.random(300)}, raters=names, score="s")
    bars = embedded(report, "truth")["votes"]["bars"]
    assert len(bars) == 40
    assert sum(bar[2] for bar in bars) == 300


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_axe_finds_nothing_serious(visit, scheme, width):
    page = visit(on_votes(votes()), scheme=scheme, width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("#truth svg.chart path.curve").count() == 2
    assert page.locator("#truth .bar").count() > 4
    page.locator("#truth details").last.evaluate("(one) => { one.open = true; }")
    for name in ("accuracy", "pricing", "calibration", "soft", "truth"):
        found = Axe().run(page, context=f"#{name}").response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
