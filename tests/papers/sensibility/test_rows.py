"""The paper on sensibility and capability: golden numbers and the formulas behind the rows."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from paper_rows import ROWS, find
from rocwalk.papers.row import DATA_NOT_PRINTED
from rocwalk.papers.sensibility.rows import DOMAINS, TRAIN, crossed, endless
from rocwalk.papers.sensibility.rows import drawn as drawn_cases


def test_golden_numbers_of_sensibility():
    # exact arithmetic: docs/mathematics.rst, "Sensibility and drift"
    at = {(row.place, row.what): row.computed for row in ROWS if row.paper == "Sensibility"}
    table = "§2, Table 1"
    for place, what, golden in [
        (table, "sums of scores: P⁺, P⁻ and P", (3.6, 1.8, 5.4)),
        (table, "mean scores m⁺ and m⁻", (0.72, 0.36)),
        (table, "class distribution d, as Eq. 1 needs it", 1),
        (table, "midpoint t_s", 0.54),
        ("§2, Eq. 1", "t_s from the sum of all scores", 0.54),
        (table, "struggle ratio", 1 / 4),
        (table, "sensibility at 0.35, %", 87.5),
        (table, "capability at 0.35, %", 50),
        (
            "§2, all thresholds",
            "sensibility at each, from ∞",
            (4 / 8, 5 / 8, 6 / 8, 6 / 8, 7 / 8, 1, 7 / 8, 7 / 8, 6 / 8, 5 / 8, 4 / 8),
        ),
        (
            "§2, all thresholds",
            "capability at each, from ∞",
            (0.5, 0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5),
        ),
        ("§2, laws", "accuracy at the midpoint", 4 / 5),
    ]:
        assert at[place, what] == pytest.approx(golden, rel=1e-12), what
    assert find("sensibility and capability at the midpoint").computed == "1 and 0, at 0.54"
    assert find("t_s from the class means, d as printed").reason.startswith("This gives 0.72,")
    assert find("Table 1 with every score squared").computed.startswith("AUC 0.84 0.84; t_s 0.54 ")


def test_table_2_is_recreated_without_a_verdict():
    beside = [row for row in ROWS if row.place.startswith("§3, Table 2, ") and "draw" in row.what]
    assert len(beside) == 12
    for row in beside:
        assert row.agrees is None
        assert row.reason == "Re-created with parameters of ours."
        printed, _, words = row.printed.partition(" ")
        assert words == DATA_NOT_PRINTED
        draw, whole = row.computed
        assert whole == pytest.approx(float(printed), abs=0.03)
        assert draw == pytest.approx(whole, abs=0.06)


def test_endless_data_by_hand():
    # the area over pairs, the midpoint by Eq. 1, and the two sides of it, from the probabilities
    for case in endless().values():
        y, mass, scores = case.sample.y, case.sample.probability, case.scores
        up, right = mass * y, mass * (1 - y)
        wins = (scores[:, None] > scores) + 0.5 * (scores[:, None] == scores)
        middle = (mass @ scores) / (2 * up.sum())
        sensible = up @ (scores >= middle) + right @ (scores < middle)
        assert list(case.numbers.values()) == pytest.approx(
            [up @ wins @ right / (up.sum() * right.sum()), middle, (1 - sensible) / sensible]
        )


def test_one_draw_trains_on_its_first_sample():
    rng = np.random.default_rng(2009)
    samples = [rw.datasets.flu(domain, 1000, rng) for domain in DOMAINS.values()]
    model = rw.datasets.naive_bayes(samples[0])
    for sample, case in zip(samples, drawn_cases().values(), strict=True):
        assert np.array_equal(sample.y, case.sample.y)
        assert np.array_equal(model.predict(sample), case.scores)
    score, count = crossed("NGP-Test")
    assert (drawn_cases()["NGP-Test"].scores == score).sum() == count
    midpoints = [drawn_cases()[name].analysis.midpoint for name in (TRAIN, "NGP-Test")]
    assert min(midpoints) <= score < max(midpoints)
