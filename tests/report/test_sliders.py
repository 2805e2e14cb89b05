"""Every slider at random positions, against fresh calls of the library, to the digits shown."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from report.studies import agrees, curves, number, study, twenty

KINDS = ("hard", "soft", "many")
CELLS = {"tp": "true_positives", "fp": "false_positives"} | {
    "fn": "false_negatives",
    "tn": "true_negatives",
}
RATES = ("tpr", "fpr", "specificity", "accuracy", "f_measure", "youden")
VALUES = ("precision", "negative_predictive_value", "predicted_positive_rate", "lift")


def positions(visit, slider):
    low, high = visit.range_of(slider)
    drawn = np.random.default_rng(50).integers(low, high + 1, 50).tolist()
    return [low, high, *drawn]


@pytest.mark.parametrize("model", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_threshold(visit, kind, model):
    data, report = study(kind)
    page, curve = visit(report), curves(data)[model]
    page.page.select_option("#threshold-model", index=model)
    roles = ["threshold-words", *CELLS, *RATES, *VALUES]
    stops = page.stops("threshold-slider", positions(page, "threshold-slider"), roles, model)
    for said in stops:
        point = curve.at(threshold=number(said["threshold-words"]))
        assert said["spoken"] == said["threshold-words"]
        for role, name in CELLS.items():
            assert agrees(said[role], getattr(point.confusion, name))
        metrics = point.metrics()
        for role in (*RATES, *VALUES):
            assert agrees(said[role], metrics[role]), role
    assert len({said["threshold-words"] for said in stops}) > 10


@pytest.mark.parametrize("kind", KINDS)
def test_prevalence_of_the_threshold_section(visit, kind):
    data, report = study(kind)
    page, curve = visit(report), curves(data)[0]
    roles = ["threshold-words", "prevalence-words", "accuracy", *VALUES]
    stops = page.stops("threshold-prevalence", positions(page, "threshold-prevalence"), roles)
    for said in stops:
        point = curve.at(threshold=number(said["threshold-words"]))
        metrics = point.metrics(used_prevalence(said, curve))
        assert all(agrees(said[role], metrics[role]) for role in VALUES)
        assert agrees(said["accuracy"], point.accuracy)  # of the data, wherever it is used


def used_prevalence(said, curve):
    """The number shown is the number used, except where the slider stands at the data's own."""
    if not said["spoken"].endswith("as in the data"):
        return float(said["prevalence-words"])
    assert agrees(said["prevalence-words"], curve.prevalence)
    return curve.prevalence


@pytest.mark.parametrize("slider", ["costs-ratio", "costs-prevalence"])
@pytest.mark.parametrize("kind", KINDS)
def test_costs(visit, kind, slider):
    data, report = study(kind)
    page, both = visit(report), curves(data)
    if slider == "costs-ratio":  # away from the data's own prevalence
        page.stops("costs-prevalence", [-47], [])
    else:
        page.stops("costs-ratio", [7], [])
    roles = ["ratio-words", "prevalence-words", "slope", "verdict"]
    for said in page.stops(slider, positions(page, slider), roles):
        costs = costs_said(said, slider, both[0])
        assert float(said["slope"]) == float(f"{costs.slope(None):.4g}")
        expected = [
            check_rule(row, curve, costs) for row, curve in zip(said["rows"], both, strict=True)
        ]
        assert said["verdict"].endswith(f"{float(min(expected)):.4f} an item.")


def costs_said(said, slider, curve):
    miss, alarm = map(float, said["ratio-words"].split(" : "))
    spoken = said["spoken"] if slider == "costs-prevalence" else ""
    share = used_prevalence(said | {"spoken": spoken}, curve)
    return rw.Costs(false_positive=alarm, false_negative=miss, prevalence=share)


def check_rule(row, curve, costs):
    """Compare a row of the table with the library's choice; return the cost that is shown."""
    _, threshold, above, tied, fpr, tpr, cost = row
    best = curve.best(costs)
    assert best.interval[0] <= number(above) < number(threshold) <= best.interval[1]
    assert agrees(fpr, best.fpr)
    assert agrees(tpr, best.tpr)
    assert agrees(cost, best.expected_cost)
    assert bool(tied) == (best.tied is not None)
    if best.tied is not None:
        assert curve.at(threshold=number(tied)).tpr == best.tied.tpr
    return cost


def test_steps(visit):
    data = twenty()
    page = visit(rw.report(data, label="y", score="model"))
    curve = rw.roc(data["y"], data["model"])
    low, high = page.range_of("steps-slider")
    assert (low, high) == (0, 20)
    stops = page.stops("steps-slider", list(range(21)), ["words", "tpr", "fpr", "area"])
    for i, said in enumerate(stops):
        assert agrees(said["tpr"], curve.tpr[i])
        assert agrees(said["fpr"], curve.fpr[i])
        assert agrees(said["area"], np.trapezoid(curve.tpr[: i + 1], curve.fpr[: i + 1]))
        assert said["words"].startswith(f"Step {i} of 20" if i else "Start at (0, 0)")
    assert stops[-1]["area"] == "0.6800"


def test_steps_of_soft_weighted_truth(visit):
    data = {"y": [0.9, 0.5, 0.2, 0.4, 0.1], "s": [5, 4, 4, 2, 1], "w": [1, 0.1, 2, 0.7, 1]}
    page = visit(rw.report(data, label="y", score="s", weight="w"))
    curve = rw.roc(data["y"], data["s"], sample_weight=data["w"])
    stops = page.stops("steps-slider", list(range(len(curve.fpr))), ["tpr", "fpr", "area", "words"])
    assert all(agrees(said["tpr"], y) for said, y in zip(stops, curve.tpr, strict=True))
    assert agrees(stops[-1]["area"], curve.area)
    assert "2 items of one score step together" in stops[2]["words"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_noise_digits(visit, kind):
    page = visit(study(kind)[1])
    low, high = page.range_of("threshold-slider")
    ends = page.stops("threshold-slider", [high, low], [*CELLS, *RATES])  # nothing, everything
    assert not any(
        words.startswith("-") for said in ends for words in map(said.get, (*CELLS, *RATES))
    )
    assert (ends[0]["tp"], ends[0]["fp"], ends[1]["fn"], ends[1]["tn"]) == ("0",) * 4
    assert (ends[1]["tpr"], ends[1]["specificity"]) == ("1.0000", "0.0000")


def test_the_page_writes_thresholds_as_the_library_side_does(visit):
    from rocwalk.report.numbers import count, rate, threshold

    rng = np.random.default_rng(1)
    values = [
        *rng.normal(size=60),
        0.3,
        1e-7,
        1.5e-9,
        1e16,
        123456.789,
        0.0,
        -0.25,
        0.99999961,
        2e22,
    ]
    gaps = [*10.0 ** rng.uniform(-12, 0, 60), *[0.1] * 3, 4, *[0.1] * 3, 1e-6, 1e15]
    pairs = [(float(v), float(v - gap)) for v, gap in zip(values, gaps, strict=True)]
    page = visit(study("hard")[1]).page
    shown = page.evaluate(
        "(pairs) => pairs.map(([t, b]) => rocwalk.threshold({thresholds: [t], next: [b]}, 0))",
        pairs,
    )
    assert shown == [threshold(*pair) for pair in pairs]
    assert all(low < float(words) <= high for words, (high, low) in zip(shown, pairs, strict=True))
    rates = [1 / 32, 3 / 32, 1 / 3, -1e-18, 0.99995, 1e15, 2e110, -2.3456e300, 1234567.5]
    assert page.evaluate("(v) => v.map(rocwalk.rate)", rates[:-1]) == [rate(v) for v in rates[:-1]]
    assert page.evaluate("(v) => v.map((x) => rocwalk.count(x, 2))", rates) == [
        count(v, 2) for v in rates
    ]


def test_the_interval_of_a_threshold_is_never_empty(visit):
    scores = [0.5000002, 0.4999998, 0.49999981]
    page = visit(rw.report({"y": [1, 0, 1], "s": scores}, label="y", score="s"))
    for stop in page.stops("costs-ratio", list(range(-20, 21, 4)), ["ratio-words"]):
        _, threshold, above, *_ = stop["rows"][0]
        ends = [float(words.replace("∞", "inf").replace("−", "-")) for words in (above, threshold)]
        assert ends[0] < ends[1]


def test_a_page_that_leaves_points_out_does_not_claim_all_of_them(visit):
    y = [0] * 5000 + [1] * 5000  # perfectly apart: nothing is hidden, yet not all is carried
    page = visit(
        rw.report({"y": y, "s": [k / 10_000 for k in range(10_000)]}, label="y", score="s")
    )
    assert "every point of every curve" not in page.page.locator("#roc").inner_text()
