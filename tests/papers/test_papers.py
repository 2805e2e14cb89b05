"""`rocwalk papers`: printed beside computed, and computed means computed."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re

import click.testing
import numpy as np
import pytest

import rocwalk as rw
from rocwalk.cli.papers import papers
from rocwalk.errors import FileError
from rocwalk.papers import PAPERS, Row, all_figures, all_rows, counts_of, write_papers
from rocwalk.papers.classic.rows import area_of_annex, order_of_annex, points_of_annex
from rocwalk.papers.ferri.rows import closed_width, match_of
from rocwalk.papers.row import DATA_NOT_PRINTED, NOT_PRINTED, Place, rounds_to, text_of
from rocwalk.papers.sensibility.rows import DOMAINS, TRAIN, crossed, endless
from rocwalk.papers.sensibility.rows import drawn as drawn_cases
from rocwalk.papers.soft.rows import climbs_of, over_pairs
from rocwalk.papers.truth.rows import mirrored

EXAMPLES = rw.datasets.paper_examples()
ROWS = all_rows()
FIGURES = all_figures()
CURVES = {"classic_figure_4_a", "classic_figure_4_b"}
CLASSES = {"classic_class_a", "classic_class_b", "classic_class_c"}
BOTH_MODELS = {"soft_c1", "soft_c2"}
FERRI = {name for name in EXAMPLES if name.startswith("ferri_")}
# what each place of a paper is computed from: the first that a row's place contains
SOURCES = {
    "Classic": {
        "§4, Figura 4": CURVES,
        "§5": CURVES,
        "§6": CLASSES,
        "CoIL": set(),  # made of the counts that Fawcett gives
        "§7": CURVES,
        "": {"classic_table_1"},
    },
    "Ferri": {
        "§2, the main question": {"ferri_no_width"},
        "§4, later work": {"ferri_figure_4"},
        "§1, Figure 1": {"ferri_figure_1"},
        "§1, Figure 2, left": {"ferri_figure_2a"},
        "§1, Figure 2, right": {"ferri_figure_2b"},
        "§2, on Figure 2": {"ferri_figure_2b"},
        "§2, first example": {"ferri_auc_above"},
        "§2, second example": {"ferri_auc_below"},
        "§2, Figure 4": {"ferri_figure_4"},
        "§2, ": {"ferri_figure_1"},
        "§2.1, Theorem 1": FERRI,
        "§2.1, Theorem 2": {"ferri_figure_4"},
        "§2.1, Theorem 4": {"ferri_no_width"},
        "§2.1, Example": {"ferri_figure_5"},
        "§2.1, Figure 5": {"ferri_figure_5"},
        "§2.1, Figure 6": {"ferri_figure_5"},
        "§2.1, Figures 5 and 6": {"ferri_figure_5"},
        "§2.1, ": {"ferri_proposition_3"},
        "§2.3, Figure 7, our data": {"ferri_figure_1"},
        "§2.3, second example of §2": {"ferri_auc_below"},
        "§3.1, in general": {"ferri_figure_4"},
        "§3.1": {"ferri_two_points"},
        "§3.2, Example 2": {"ferri_example_2"},
        "": {"ferri_figure_4"},
    },
    "Soft": {
        ", margins": {"soft_margin"},
        ", our sample": {"soft_bound"},
        ", C1": {"soft_c1"},
        ", C2": {"soft_c2"},
        "": BOTH_MODELS,
    },
    "Truth": {
        "Background": {"truth_figure_1"},
        ", truth 0 or 1": {"truth_figure_1"},
        "": {"truth_figure_3"},
    },
    "Sensibility": {
        "§1": set(),
        "§3": set(),  # the flu domains, which are no example
        "§4, later work": set(),
        "": {"sensibility_table_1"},
    },
}
# what each paper numbers, in its order
NUMBERED = {
    "Classic": (
        *("Figura 1", "Eq. 1", "Figura 2", "Tabela 1", "Figura 3", "Figura 4", "Figura 5"),
        *("Eq. 2", "Eq. 3", "Eq. 4", "Eq. 5", "Anexo 1", "Anexo 2"),
    ),
    "Ferri": (
        *("Figure 1", "Figure 2", "Figure 3", "Figure 4", "Theorem 1", "Theorem 2"),
        *("Proposition 3", "Theorem 4", "Figure 5", "Figure 6", "Figure 7"),
        *("Example 1", "Example 2"),
    ),
    "Soft": ("Table 1", "Figure 1", "Figure 2"),
    "Truth": (
        *("Table I", "Eq. 1", "Eq. 2", "Eq. 3", "Figure 1", "Figure 2", "Eq. 4", "Eq. 5"),
        *("Figure 3", "Figure 4", "Figure 5", "Figure 6", "Eq. 6", "Figure 7"),
    ),
    "Sensibility": ("Table 1", "Eq. 1", "Table 2", "Figure 1", "Figure 2", "Figure 3"),
}
OWNERS = tuple(paper.name.lower() for paper in PAPERS)
HERE = Place("Some paper", "§1")


def identity(row):
    return (row.paper, row.place, row.what)


def find(what, rows=ROWS):
    (row,) = [row for row in rows if row.what.startswith(what)]
    return row


# -- the rows ------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.place}: {row.what}")
def test_every_row_agrees_or_says_why_not(row):
    assert row.agrees or row.reason
    without_data = row.printed == NOT_PRINTED or row.printed.endswith(DATA_NOT_PRINTED)
    assert without_data == (row.agrees is None)
    assert all(identity(row))
    assert row.printed
    assert row.computed != ""


def test_rows_are_told_apart_and_belong_to_a_paper():
    assert len({identity(row) for row in ROWS}) == len(ROWS)
    assert [paper.name for paper in PAPERS] == list(dict.fromkeys(row.paper for row in ROWS))


def first_row(paper, item):
    """Return the number of the first row that stands at an item, by the plural names too."""
    kind, number = item.split()
    here = re.compile(rf"\b{re.escape(kind.rstrip('.'))}s?\.? (\w+ and )?{number}\b")
    places = [row.place for row in ROWS if row.paper == paper]
    return next((k for k, place in enumerate(places) if here.search(place)), None)


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_numbered_item_of_a_paper_has_a_row_in_its_order(paper):
    found = {item: first_row(paper, item) for item in NUMBERED[paper]}
    assert None not in found.values(), found
    assert list(found.values()) == sorted(found.values())


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_numbered_figure_has_a_picture_in_its_order(paper):
    names = [figure.name for figure in FIGURES if figure.paper == paper]
    wanted = [
        f"{paper} {item}".lower().replace(" ", "-")
        for item in NUMBERED[paper]
        if item.startswith("Figur")
    ]
    assert [name for name in names if name in wanted] == wanted


def test_rows_stand_where_the_papers_have_them():
    for paper, whats in [
        ("Classic", ["each threshold", "instances", "TP after", "a finite sample"]),
        ("Ferri", ["60°: FPR", "60°: threshold", "45°: FPR", "45°: threshold", "30°: FPR"]),
        ("Sensibility", ["mean scores", "class distribution", "the labels", "t_s from the class"]),
    ]:
        named = [row.what for row in ROWS if row.paper == paper]
        places = [min(k for k, one in enumerate(named) if one.startswith(w)) for w in whats]
        assert places == sorted(places), paper


def test_the_known_slips_are_found_and_no_others():
    assert slips("Classic") == [
        ("§2, Eq. 1", "F measure"),
        ("§4", "no classifier has an area below 0.5"),
        ("§6, Eq. 5", "Hand & Till"),
        ("Anexo 1", "area of Tabela 1"),
        ("Anexo 2", "area of the first ten rows of Tabela 1"),
        ("Anexo 2", "area of the last ten rows of Tabela 1"),
    ]
    assert slips("Ferri") == [
        ("§2, definitions", "pAUC of Figure 1"),
        ("§2, Figure 4", "d with Area(d) = pAUC"),
        ("§2.1, Theorem 2", "slope from (0"),
        ("§2.1, after Proposition 3", "Area(0.2)"),
        ("§2.1, Theorem 4", "d with Area(d) = pAUC: 1⁺ 0.1⁻ 0⁺ 0⁺"),
        ("§2.1, Example", "Area(0.4)"),
        ("§2.1, Figures 5 and 6", "all d with Area(d) = pAUC"),
        ("§2.3, Figure 7", "d of Example 1 with σ = d/2"),
        ("§3.2, Example 1", "d of the uniform pROC curve"),
        ("§3.2, Example 1", "d of the normal pROC curve"),
        ("§3.2, Example 1", "|Area(d) − pAUC| at the printed d"),
        ("§3.2, Example 1", "the paper's search re-run"),
        ("§3.2, Example 2", "d of the uniform pROC curve"),
        ("§3.3", "Example 1"),
        ("§3.3, table, pROC curve", "60°: FPR / TPR"),
        ("§3.3, table, pROC curve", "45°: FPR / TPR"),
        ("§3.3, table, pROC curve", "30°: FPR / TPR"),
    ]
    assert slips("Soft") == [
        ("§4.1, C1", "horizontal steps"),
        ("§4.1, C2", "horizontal steps"),
        ("§4.2, first method, C1", "area"),
        ("§4.2, first method, C2", "area"),
        ("§4.2, first method, our sample", "area of 0.9⁺ 0.6⁻"),
    ]
    assert slips("Truth") == [
        (
            "Discussion, Figure 6",
            "the worst curve and the perfect one mirrored across the diagonal",
        ),
        ("AUC_PRT, Eq. 6", "AUC_PRT of Figure 3"),
        ("AUC_PRT, text", "a perfect classifier"),
    ]
    assert slips("Sensibility") == [
        ("§2, Table 1", "class distribution d"),
        ("§2, Eq. 1", "t_s from the class means"),
        ("§2, Table 1", "midpoint t_s"),
        ("§3, FC re-created", "probabilities on FC against those on NGP"),
    ]


def slips(paper):
    wrong = [row for row in ROWS if row.paper == paper and row.agrees is False]
    return [(row.place, row.what.split(",")[0]) for row in wrong]


def test_golden_numbers_of_tabela_1():
    # counted by hand on the printed table
    assert find("area under the curve").computed == 17 / 25
    assert find("no classifier").computed == pytest.approx(8 / 25)
    assert find("F measure").computed == pytest.approx(2 * (5 / 6) * 0.5 / (5 / 6 + 0.5))
    assert find("F measure").reason.endswith("gives 1.143 here.")  # 2·(4/3)/(7/3) = 8/7
    assert find("area of the first ten").computed == 18 / 24
    assert "gives 0.7083 here: 6 p and 4 n" in find("area of the first ten").reason  # 17/24
    assert find("confusion matrix, Tabela 1").computed == "5 1 / 5 9, totals 10 10"


def test_golden_numbers_of_ferri():
    # exact arithmetic: docs/mathematics.rst, "Smearing", "The matched width" and the errors of Ferri et al.
    at = {(row.place, row.what): row.computed for row in ROWS if row.paper == "Ferri"}
    for place, what, golden in [
        ("§1, Figure 1", "AUC, rounded", 5 / 6),
        ("§2, Figure 4", "d with Area(d) = pAUC", 1.66094031898739),
        ("§2.1, after Proposition 3", "Area(0.2)", 0.85125),
        ("§2.1, Example", "pAUC", 0.670002),
        ("§2.1, Example", "Area(0.05)", 0.6600159984),
        ("§2.1, Example", "Area(0.4)", 0.74438025),
        (
            "§2.1, Figures 5 and 6",
            "all d with Area(d) = pAUC",
            (6.82677891210774e-5, 0.0999499944975479, 1.50468726818474),
        ),
        ("§2.3, Figure 7", "d of Example 1 with σ = d/2", 1.0186394610302),
        ("§3.1", "d", 1.89442719099992),
        ("§3.1, in general", "d of Example 1 in closed form", 1.66094031898739),
        ("§3.2, Example 1", "d of the normal pROC curve", 1.7643353010989),
        ("§3.2, Example 2", "d of the uniform pROC curve", 1.72605784893492),
        ("§3.2, Example 2", "d of the normal pROC curve", 1.8181346515169),
    ]:
        assert at[place, what] == pytest.approx(golden, rel=1e-12), what
    for number, widths in {1: (1.65, 1.76), 2: (1.71, 1.8)}.items():
        for kernel, width in zip(("uniform", "normal"), widths, strict=True):
            what = f"the paper's search re-run, {kernel}, ε = 0.01 (ours; none printed)"
            assert at[f"§3.2, Example {number}", what] == width
    table = "§3.3, table, pROC curve"
    assert at[table, "60°: FPR / TPR, %"] == pytest.approx((10.0345, 27.0931), abs=1e-4)
    assert at[table, "45°: FPR / TPR, %"] == pytest.approx((14.0483, 33.1138), abs=1e-4)
    assert at[table, "30°: FPR / TPR, %"] == pytest.approx((85.9517, 100), abs=1e-4)
    other_end = at[table, "45°: FPR / TPR at the other end of the edge, %"]
    assert other_end == pytest.approx((71.9035, 90.9690), abs=1e-4)
    for degrees, count in [(60, "0.65"), (45, "2.36"), (30, "4.18")]:
        row = find(f"{degrees}°: threshold, from the printed rates")
        assert row.agrees is True
        assert row.reason.startswith(f"They predict {count} positives")


def test_golden_numbers_of_soft():
    # exact arithmetic: docs/mathematics.rst, "Soft curves"
    at = {(row.place, row.what): row.computed for row in ROWS if row.paper == "Soft"}
    for place, what, golden in [
        ("§2, Figure 1, C1", "AUC", 8 / 9),
        ("§2, Figure 1, C2", "AUC", 8 / 9),
        ("§4.1, Figure 2, C1", "area of the curve", 345 / 361),
        ("§4.1, C2", "area of the curve", 43499 / 45355),
        ("§4.2, Figure 2, C1", "area of the curve", 13 / 18),
        ("§4.2, C2", "area of the curve", 37091 / 44982),
        ("§4.2, first method, C1", "area, as a bound on the AUC", 67 / 90),
        ("§4.2, first method, C2", "area, as a bound on the AUC", 37559 / 44118),
        ("§4.2, C1", "climbs, before they are normalised", (0.8, 0.7, 0.4, 0.6, 0.3, 0.2)),
        ("§4.2, C2", "climbs, before they are normalised", (0.99, 0.78, 0.32, 0.58, 0.38, 0.01)),
        ("§4.2, C1", "threshold where scores are not calibrated", 0.5),
        ("§4.2, C2", "threshold where scores are not calibrated", 0.57),
    ]:
        assert at[place, what] == pytest.approx(golden, rel=1e-12), what
    reasons = [row.reason for row in ROWS if row.what == "horizontal steps" and row.reason]
    assert "add up to 1.727 " in reasons[0]  # 0.6333 / 0.3667, the ratio of 1 − m⁻ to m⁻


def test_golden_numbers_of_truth():
    # exact arithmetic: docs/mathematics.rst, "Reference truth" and "Costs"
    at = {(row.place, row.what): row.computed for row in ROWS if row.paper == "Truth"}
    figure_4, lost = "Methodology, Figure 4", 0.190109059376772
    for place, what, golden in [
        ("Background, Figure 1", "AUC", 7 / 9),
        ("AUC_PRT, truth 0 or 1", "AUC_PRT of Figure 1", 7 / 9),
        ("Methodology, Eq. 4", "positive classes", 6.14),
        ("Methodology, Eq. 5", "negative classes", 5.86),
        (figure_4, "AUC", 121601 / 179902),
        (
            figure_4,
            "FPR of the hull",
            (0, 27 / 586, 55 / 586, 155 / 293, 421 / 586, 501 / 586, 1),
        ),
        (
            figure_4,
            "TPR of the hull",
            (0, 173 / 614, 245 / 614, 245 / 307, 579 / 614, 599 / 614, 1),
        ),
        (figure_4, "thresholds of the hull, after ∞", (0.75, 0.7, 0.18, 0.16, 0.11, 0.1)),
        ("Discussion, Figure 5", "AAPCC", lost),
        ("Discussion, Figure 6", "AUWCC", lost),
        ("AUC_PRT, Eq. 6", "AUC_PRT of Figure 3", 874 / 1115),
        ("AUC_PRT, Eq. 6", "AUC_PRT of Figure 3, as printed", 0.599858614559955),
        ("AUC_PRT, beside it", "AUC without the pairs of an instance with itself", 23267 / 33874),
        ("Future work", "H-measure, prior of Hand & Anagnostopoulos 2014", 0.188597797697787),
        ("Future work", "H-measure, prior of Hand 2009", 0.196777952547174),
        ("Future work", "area under the Brier curve", 0.2601833333333333),
    ]:
        assert at[place, what] == pytest.approx(golden, rel=1e-12), what
    assert find("a perfect classifier, by Eq. 6").computed == pytest.approx(0.765, abs=5e-4)
    assert find("a perfect classifier, by the region").computed.startswith("1, ")
    assert find("the worst possible classifier").computed.startswith("0, ")


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


def test_the_single_curve_always_dominates(rng):
    # the remark on §4.1: each threshold moves up or left
    for _ in range(50):
        truth, scores = np.append([0, 1], rng.integers(0, 2, 18)), rng.random(20).round(1)
        soft, bare = rw.soft_roc(truth, scores, steps="single"), rw.roc(truth, scores)
        assert np.all(soft.tpr >= bare.tpr - 1e-12)
        assert np.all(soft.fpr <= bare.fpr + 1e-12)


@pytest.mark.parametrize(
    ("truth", "same"),
    [
        ([1, 1, 0, 1], True),
        ([0.1, 0.3, 0.7, 0.9], True),
        ([0.2, 0.3, 0.9], False),
    ],
)
def test_when_the_worst_curve_is_the_mirror_image(truth, same):
    found = rw.reference_truth(truth, [0.1, 0.2, 0.3, 0.4][: len(truth)])
    x, y = mirrored(found)
    assert np.allclose([x, y], [found.worst.fpr, found.worst.tpr]) is same
    assert np.trapezoid(y, x) == pytest.approx(found.auwcc)


def test_areas_over_pairs_and_climbs_by_the_words(rng):
    labels = (1, 0, 1, 0, 0, 1)
    scores = tuple(rng.permutation(6) / 7 + 0.05)
    example = rw.datasets.PaperExample(labels, scores, "random")
    curve = rw.soft_roc(labels, scores)
    climbs = climbs_of(example)
    assert np.diff(curve.walk.up) == pytest.approx(climbs)
    runs = tuple(1 - climb for climb in climbs)
    assert over_pairs(climbs, runs) == pytest.approx(curve.area)


def test_the_closed_form_is_what_the_search_finds(rng):
    for _ in range(20):
        example = rw.datasets.PaperExample((1, 0, 1, 0, 0), tuple(rng.random(5)), "random")
        closed, match = closed_width(example), match_of(example)
        if closed == "none":
            assert not any(low > 1 for low, _ in match.widths)
        else:
            assert match.widths[-1][0] == pytest.approx(closed, rel=1e-9)


# -- computed means computed ---------------------------------------------------------------------


def nudged(name):
    """Yield the examples with one row changed: its score moved, its label flipped, or dropped."""
    example = EXAMPLES[name]
    for i in range(len(example.y_true)):
        for score in (0.015, 0.415, 0.985):
            scores = (*example.y_prob[:i], score, *example.y_prob[i + 1 :])
            yield EXAMPLES | {name: dataclasses.replace(example, y_prob=scores)}
        if name in CLASSES:  # a row belongs to all three samples, so only its scores can move
            continue
        labels = (*example.y_true[:i], 1 - example.y_true[i], *example.y_true[i + 1 :])
        yield EXAMPLES | {name: dataclasses.replace(example, y_true=labels)}
        kept = {
            field: getattr(example, field)[:i] + getattr(example, field)[i + 1 :]
            for field in ("y_true", "y_prob")
        }
        yield EXAMPLES | {name: dataclasses.replace(example, **kept)}


def expected_sources(row):
    places = SOURCES[row.paper]
    return next(names for place, names in places.items() if place in row.place)


def has_both_classes(example):
    return len(set(example.y_true)) >= 2


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith(OWNERS)])
def test_nudging_a_row_of_an_example_changes_every_cell_that_rests_on_it(name):
    (paper,) = [paper for paper in PAPERS if name.startswith(paper.name.lower())]
    before = {identity(row): row for row in ROWS if row.paper == paper.name}
    changed = set()
    for examples in nudged(name):
        if not has_both_classes(examples[name]):
            continue
        after = {identity(row): row for row in paper.rows(examples)}
        assert after.keys() == before.keys()
        assert all(after[key].printed == before[key].printed for key in before)
        changed |= {key for key in before if after[key].computed != before[key].computed}
    assert changed == {identity(row) for row in ROWS if name in expected_sources(row)}


def test_other_examples_change_nothing():
    other = rw.datasets.PaperExample((1, 0), (0.9, 0.1), "another")
    for paper in PAPERS:
        own = paper.name.lower()
        changed = {k: (e if k.startswith(own) else other) for k, e in EXAMPLES.items()}
        assert paper.rows(changed) == [row for row in ROWS if row.paper == paper.name]


def test_a_row_stops_agreeing_when_its_data_are_wrong():
    example = EXAMPLES["classic_table_1"]
    wrong = dataclasses.replace(example, y_prob=(0.95, *example.y_prob[1:]))
    rows = all_rows(EXAMPLES | {"classic_table_1": wrong})
    assert find("values: the thresholds").agrees is True
    assert find("values: the thresholds", rows).agrees is False


# -- agreement -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("computed", "printed", "agrees"),
    [
        (0.8333, "0.833", True),
        (0.8336, "0.833", False),
        (0.125, "0.12", True),  # half a unit rounds either way
        (0.125, "0.13", True),
        (-0.34, "-0.3", True),
        (20, "20", True),
        (20.6, "20", False),
        ((0.1, 0.5), "(0.1, 0.5)", True),
        ((0.1, 0.5), "0.1", False),
        (float("nan"), "0.1", False),
        ("0.1", "0.1", False),
    ],
)
def test_agreement_is_to_the_digits_printed(computed, printed, agrees):
    assert rounds_to(computed, printed) is agrees
    assert HERE.number("x", printed, computed).agrees is agrees


def test_a_formula_agrees_when_it_gives_our_number():
    assert HERE.formula("x", "a + b", 0.1 + 0.2, 0.3).agrees is True
    assert HERE.formula("x", "a − b", 0.1, 0.3, "a slip").agrees is False
    assert HERE.formula("x", "a, b", (0.1 + 0.2, 1), (0.3, 1)).agrees is True
    assert HERE.formula("x", "a, b", (0.3, 0.9), (0.3, 1), "a slip").agrees is False
    assert HERE.formula("x", "a, b", (0.3,), (0.3, 0.3), "too few").agrees is False


def test_numbers_are_kept_whole_and_shown_short():
    row = HERE.unprinted("x", (1 / 3, 2), "ours")
    assert row == Row(
        paper="Some paper",
        place="§1",
        what="x",
        printed="not printed",
        computed=(1 / 3, 2),
        agrees=None,
        reason="ours",
    )
    assert row.to_dict()["computed"] == [1 / 3, 2]
    assert text_of(row.computed) == "0.3333 2"
    beside = HERE.recreated("x", "0.5", 0.4, "ours")
    assert (beside.printed, beside.computed, beside.agrees) == ("0.5 (data not printed)", 0.4, None)


# -- the annexes ---------------------------------------------------------------------------------


def test_the_annexes_are_right_where_their_slips_do_not_bite(rng):
    truth = np.repeat([0.0, 1.0], 30)
    scores = rng.permutation(60) / 61 + 0.01
    assert area_of_annex(truth, scores) == pytest.approx(rw.roc(truth, scores).area)
    assert order_of_annex(scores) == np.argsort(-scores).tolist()


def test_the_loop_of_anexo_1_gives_the_points_of_the_curve(rng):
    truth, scores = np.append([0.0, 1.0], rng.integers(0, 2, 28)), rng.integers(1, 9, 30) / 9
    curve = rw.roc(truth, scores)
    assert np.allclose(points_of_annex(truth, scores), np.c_[curve.fpr, curve.tpr])
    assert len(find("points of the curve of Tabela 1").computed.split(") (")) == 21


def test_the_annexes_leave_scores_unsorted_that_are_not_positive():
    assert order_of_annex(np.array([-3.0, -1.0, 0.0, -2.0])) == [0, 1, 2, 3]


def test_the_slip_of_the_sort_need_not_show_where_signs_are_mixed():
    margins = np.array(EXAMPLES["classic_table_1"].y_prob)[::-1] - 0.5
    assert order_of_annex(margins) == np.argsort(-margins).tolist()


def test_the_annexes_can_exceed_one():
    assert area_of_annex(np.array([1.0, 0, 0]), np.array([0.9, 0.5, 0.1])) == pytest.approx(1.25)


# -- figures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_every_figure_draws_into_new_and_given_axes(figure):
    ax = figure.draw(None)
    place = figure.name.removeprefix(f"{figure.paper.lower()}-").replace("-", " ").capitalize()
    assert ax.get_title(loc="left").startswith(f"{place}: ")
    assert figure.caption
    given = ax.figure.add_subplot()
    assert figure.draw(given) is given
    assert figure.file_name == f"{figure.name}.png"


def drawn(name, examples=None):
    (figure,) = [f for f in all_figures(examples) if f.name == name]
    return figure.draw(None)


def test_figure_1_shows_the_matrix_and_its_totals():
    words = [text.get_text() for text in drawn("classic-figura-1").texts]
    assert words[:8] == [
        *("5", "True positives", "1", "False positives"),
        *("5", "False negatives", "9", "True negatives"),
    ]
    assert {"p", "n", "P = 10", "N = 10"} <= set(words)


@pytest.mark.parametrize(
    "name",
    [
        "classic-figura-2",
        "classic-figura-4",
        "classic-figura-5",
        "ferri-figure-3",
        "ferri-figure-7",
        "truth-figure-2",
    ],
)
def test_a_picture_says_what_is_ours(name):
    assert "ours" in drawn(name).get_title(loc="left")


def test_figure_2_shows_its_points():
    points = {
        line.get_gid(): (*line.get_xdata(), *line.get_ydata())
        for line in drawn("classic-figura-2").lines
        if line.get_gid() in tuple("ABCDE")
    }
    assert points["D"] == (0, 1)
    assert points["C"] == pytest.approx((0.7, 0.7))
    assert points["A"] == pytest.approx((0.1, 0.5))
    assert points["B"] == pytest.approx(tuple(1 - rate for rate in points["E"]))


def test_figure_3_names_every_threshold():
    ax = drawn("classic-figura-3")
    curve = rw.roc(EXAMPLES["classic_table_1"].y_true, EXAMPLES["classic_table_1"].y_prob)
    assert [text.get_text() for text in ax.texts] == [
        "∞",
        *(f"{t:g}" for t in curve.thresholds[1:]),
    ]
    assert [text.xy for text in ax.texts] == list(zip(curve.fpr, curve.tpr, strict=True))


def test_families_show_every_width_and_set_the_matches_off():
    ax = drawn("ferri-figure-5")
    heads = [panel.get_title(loc="left") for panel in ax.child_axes]
    assert heads == [
        *("d = 0", "d = 6.827·10⁻⁵", "d = 0.05", "d = 0.09995"),
        *("d = 0.4", "d = 0.8", "d = 1.505", "d = 8"),
    ]
    colours = [lines_of(panel)[0].get_color() for panel in ax.child_axes]
    assert [k for k in range(8) if colours[k] != colours[0]] == [1, 3, 6]
    heads = [panel.get_title(loc="left") for panel in drawn("ferri-figure-4").child_axes]
    assert "d = 1.661" in heads


@pytest.mark.parametrize("number", [1, 3, 7])
def test_the_scores_stand_above_the_curve(number):
    ax = drawn(f"ferri-figure-{number}")
    (strip,) = ax.child_axes
    assert strip.get_xlim()[0] > strip.get_xlim()[1]
    words = [text.get_text() for text in strip.texts]
    assert words == ["0", "1", "0.9⁺", "0.6⁻", "0.55⁺", "0.2⁻", "0.1⁻"]
    assert len(strip.collections) == (0 if number == 1 else 5)


def test_the_slopes_touch_both_curves():
    bare, smeared = drawn("ferri-slopes").child_axes
    squares = {line.get_gid(): line for line in bare.lines if line.get_marker() == "s"}
    points = {name: (*line.get_xdata(), *line.get_ydata()) for name, line in squares.items()}
    assert points["60°"] == (0, 0.5)
    assert points["45°"] == points["30°"] == pytest.approx((1 / 3, 1))
    for panel in (bare, smeared):
        assert [text.get_text() for text in panel.texts] == ["60°", "45°", "30°"]
    assert [label.get_text() for label in bare.get_legend().get_texts()] == [
        "ROC curve (AUC = 0.833)",
        "Edge of the hull, 56.3°",
        "Best points",
    ]
    labels = [label.get_text() for label in smeared.get_legend().get_texts()]
    assert labels[1:] == [
        "Smeared (d = 1.661, area = 0.658)",
        "Best points, smeared",
        "As printed",
    ]


def test_the_examples_mark_the_printed_widths():
    ax = drawn("ferri-example-1")
    assert "σ = d/√12" in ax.get_title(loc="left")
    marks = {line.get_gid(): line.get_xdata()[0] for line in ax.child_axes[1].lines}
    assert marks["printed 1.65"] == 1.65
    assert marks["printed 1.74"] == 1.74
    assert marks["d = 1.661"] == pytest.approx(1.66094, abs=1e-5)


def test_figure_6_speaks_as_the_paper_does():
    words = [text.get_text() for text in drawn("ferri-figure-6").texts]
    assert "pAUC 0.670" in words
    assert {"d = 6.827·10⁻⁵", "d = 0.09995", "d = 1.505"} <= set(words)


def test_soft_curves_are_drawn_together_and_by_rule():
    labels = [text.get_text() for text in drawn("soft-figure-2").get_legend().get_texts()]
    assert labels == [
        "ROC (AUC = 0.889)",
        "Soft, single direction (AUC = 0.956)",
        "Soft, both directions (AUC = 0.722)",
    ]
    panels = drawn("soft-step-rules").child_axes
    assert [panel.get_title() for panel in panels] == [
        "ROC",
        "Soft ROC, single steps",
        "Soft ROC, steps both ways",
        "Soft ROC, labels unused",
    ]
    ordinary, *soft = [lines(panel) for panel in panels]
    assert ordinary[0] == ordinary[1]
    assert all(one != other for one, other in soft)
    same = drawn("soft-figure-1")
    assert [text.get_text() for text in same.texts][:2] == ["0.8 | 0.99", "0.7 | 0.78"]
    assert same.get_legend().get_texts()[-1].get_text() == "Beside the points: scores of C1 | C2"


def test_the_perfect_and_the_worst_curve_are_drawn():
    found = rw.reference_truth(EXAMPLES["truth_figure_3"].y_true, EXAMPLES["truth_figure_3"].y_prob)
    (perfect,) = lines(drawn("truth-figure-5"))
    assert perfect == found.perfect.tpr.tolist()
    worst, _ = lines(drawn("truth-figure-6"))
    assert worst == found.worst.tpr.tolist()
    region = drawn("truth-figure-7")
    assert [text.get_text() for text in region.get_legend().get_texts()] == [
        "Classifier (AUC = 0.676, AUC_PRT = 0.784)",
        "Perfect",
        "Worst",
    ]
    assert [text.get_text() for text in region.texts] == [
        "AUC − AUWCC\n= 0.486",
        "of the whole region,\n0.620",
    ]


def test_figures_3_and_4_of_truth_name_what_they_show():
    whole, near = drawn("truth-figure-3").child_axes
    assert len(lines(whole)) == 1
    assert [text.get_text() for text in near.texts] == [
        "(1 − f) / Neg = 0.17/5.86",
        "f / Pos =\n0.83/6.14",
    ]
    assert near.get_title() == "threshold between 0.8 and 0.75"
    thresholds = [text.get_text() for text in drawn("truth-figure-4").texts]
    assert thresholds == ["∞", *(f"{score:g}" for score in EXAMPLES["truth_figure_3"].y_prob)]


@pytest.mark.parametrize(("number", "name"), [(1, "NGP-Test"), (2, "DP-Test"), (3, "FC-Test")])
def test_the_domains_are_drawn_side_by_side(number, name):
    ax = drawn(f"sensibility-figure-{number}")
    assert "re-created with our own parameters" in ax.get_title(loc="left")
    left, right = ax.child_axes
    assert [text.get_text() for text in left.get_legend().get_texts()] == [
        f"{TRAIN} sensibility", f"{TRAIN} capability", f"{name} sensibility", f"{name} capability",
    ]  # fmt: skip
    cases = [drawn_cases()[TRAIN], drawn_cases()[name]]
    assert [text.get_text() for text in right.get_legend().get_texts()] == [
        f"{one} (AUC = {case.curve.area:.3f})"
        for one, case in zip((TRAIN, name), cases, strict=True)
    ]
    assert [text.get_text() for text in left.texts[:2]] == [
        f"$t_s$ = {case.analysis.midpoint:.3f}" for case in cases
    ]
    assert "both split at the training midpoint" in ax.get_title(loc="left")
    for k in range(2):  # both curves meet 1 and 0 at the midpoint of training
        sensible, capable = lines_of(left)[2 * k : 2 * k + 2]
        at = sensible.get_xdata().tolist().index(cases[0].analysis.midpoint)
        assert (sensible.get_ydata()[at], capable.get_ydata()[at]) == (1, 0)


def test_table_1_of_sensibility_sets_two_items_off():
    items, curves = drawn("sensibility-table-1").child_axes
    dots = {line.get_gid(): line for line in items.lines if line.get_gid()}
    hollow = [name for name, dot in dots.items() if dot.get_markerfacecolor() == "white"]
    assert len(dots) == 10
    assert hollow == ["item 3", "item 7"]
    points = [line for line in curves.lines if line.get_gid() == "point"]
    assert [(*p.get_xdata(), *p.get_ydata()) for p in points] == [(0.35, 0.875), (0.35, 0.5)]
    (end,) = [line for line in curves.lines if line.get_gid() == "end"]
    assert (end.get_xdata()[0], end.get_ydata()[0]) == (0, 4 / 8)
    for panel in (items, curves):
        assert "printed 0.56" in [text.get_text() for text in panel.texts]


def test_figures_are_drawn_from_the_examples():
    for examples in nudged("classic_figure_4_a"):
        assert lines(drawn("classic-figura-5", examples)) != lines(drawn("classic-figura-5"))
        break
    ax = drawn("classic-figura-5")
    assert [label.get_text() for label in ax.get_legend().get_texts()] == [
        "A (AUC = 0.700)",
        "B (AUC = 0.780)",
        "C, their vertical mean (AUC = 0.740)",
        "C ± one standard deviation",
    ]


def lines_of(ax):
    return [line for line in ax.lines if line.get_gid() == "curve"]


def lines(ax):
    return [line.get_ydata().tolist() for line in lines_of(ax)]


# -- files and the command -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def run():
    """Run the command in this process."""

    def run(*arguments):
        return click.testing.CliRunner().invoke(papers, [str(a) for a in arguments])

    return run


@pytest.fixture(scope="module")
def written(run, tmp_path_factory):
    """Return a folder of all files, and what the command said."""
    folder = tmp_path_factory.mktemp("papers") / "a" / "b"
    return folder, run("-o", folder)


def test_the_table(run):
    result = run()
    assert result.exit_code == 0
    for text in ("Classic: Castro da Silva (2006)", "§2, Eq. 1", "Agrees, or why not", "0.68"):
        assert text in result.output
    assert (
        "✓ 32 agree   ✗ 6 differ, with the reason   – 8 have nothing to be checked against"
        in result.output
    )
    assert (
        "✓ 68 agree   ✗ 17 differ, with the reason   – 17 have nothing to be checked against"
        in result.output
    )
    assert (
        "✓ 51 agree   ✗ 5 differ, with the reason   – 18 have nothing to be checked against"
        in result.output
    )
    assert (
        "✓ 48 agree   ✗ 3 differ, with the reason   – 27 have nothing to be checked against"
        in result.output
    )
    assert (
        "✓ 52 agree   ✗ 4 differ, with the reason   – 28 have nothing to be checked against"
        in result.output
    )


def test_files_are_written(written, tmp_path):
    folder, result = written
    assert result.exit_code == 0
    assert "Written: papers.csv, papers.json, 31 pictures" in result.output
    names = {"papers.csv", "papers.json", *(figure.file_name for figure in FIGURES)}
    assert {path.name for path in folder.iterdir()} == names
    for figure in FIGURES:
        assert (folder / figure.file_name).read_bytes().startswith(b"\x89PNG")
    assert len({(folder / figure.file_name).read_bytes() for figure in FIGURES}) == len(FIGURES)
    for _ in range(2):  # over files that are there, too
        write_papers(tmp_path, ROWS, FIGURES[:1])
        pictures = [path.name for path in tmp_path.iterdir() if path.suffix == ".png"]
        assert pictures == [FIGURES[0].file_name]


def test_csv_and_json_say_the_same_on_paper_and_on_the_terminal(run, written):
    tmp_path, _ = written
    printed = run("--format", "csv").output
    assert printed == (tmp_path / "papers.csv").read_text(encoding="utf-8")
    table = list(csv.DictReader(io.StringIO(printed)))
    assert [row["what"] for row in table] == [row.what for row in ROWS]
    assert [row["agrees"] for row in table] == [
        "" if row.agrees is None else str(row.agrees) for row in ROWS
    ]
    assert not [
        cell for row in table for cell in row.values() if cell.startswith(tuple("=+-@\t\r"))
    ]

    printed = run("--format", "json").output
    assert printed == (tmp_path / "papers.json").read_text(encoding="utf-8")
    read = json.loads(printed)
    assert read["rocwalk"] == rw.__version__
    assert [row["computed"] for row in read["rows"]] == [row.to_dict()["computed"] for row in ROWS]
    assert read["figures"][0]["file"] == "classic-figura-1.png"


@pytest.mark.parametrize("within", ["taken", "taken/below"])
def test_a_folder_that_cannot_be_made(run, tmp_path, within):
    (tmp_path / "taken").write_text("a file")
    error = run("-o", tmp_path / within).exception
    assert isinstance(error, FileError)
    assert error.what.startswith(f"The folder {str(tmp_path / within)!r} could not be made: ")
    assert error.hint == "name a folder that you may write to, and that is not a file."
    assert (tmp_path / "taken").read_text() == "a file"


def test_a_file_that_cannot_be_written(run, tmp_path):
    (tmp_path / "papers.json").mkdir()
    error = run("-o", tmp_path).exception
    assert isinstance(error, FileError)
    assert error.what.startswith(
        f"{str(tmp_path / 'papers.json')!r} is there, but it is not a regular file."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["papers.json"]  # all files or none


@pytest.fixture
def one_figure(monkeypatch):
    """Let the command draw one figure only, which takes less time."""
    monkeypatch.setattr("rocwalk.cli.papers.all_figures", lambda: FIGURES[:1])


@pytest.mark.usefixtures("one_figure")
@pytest.mark.parametrize("name", ["papers.html", "PAPERS.HTM"])
def test_a_name_of_html_makes_the_same_page_every_time(run, tmp_path, name):
    result = run("-o", tmp_path / name)
    assert result.exit_code == 0
    assert f"The page: {tmp_path / name}" in result.output.replace("\n", "")
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    page = (tmp_path / name).read_bytes()
    assert page.startswith(b"<!doctype html>")
    assert page.count(b'<img src="data:image/png;base64,') == 1
    printed = run("-o", tmp_path / name, "--format", "json").output
    assert json.loads(printed)["rocwalk"] == rw.__version__
    assert (tmp_path / name).read_bytes() == page


@pytest.mark.usefixtures("one_figure")
def test_a_folder_that_exists_stays_a_folder_whatever_its_name(run, tmp_path):
    (tmp_path / "papers.html").mkdir()
    assert run("-o", tmp_path / "papers.html").exit_code == 0
    assert (tmp_path / "papers.html" / "papers.csv").is_file()


@pytest.mark.usefixtures("one_figure")
def test_a_page_that_cannot_be_written_leaves_the_old_one(run, tmp_path, monkeypatch):
    path = tmp_path / "papers.html"
    path.write_text("old")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    error = run("-o", path).exception
    assert isinstance(error, FileError)
    assert error.what.endswith("could not be written: full.")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["papers.html"]


def test_pictures_that_cannot_be_drawn_leave_the_folder_as_it_was(tmp_path):
    def fail(ax):
        raise OSError(28, "full")

    (tmp_path / "papers.csv").write_text("old")
    broken = dataclasses.replace(FIGURES[0], draw=fail)
    with pytest.raises(FileError, match="could not be written: full"):
        write_papers(tmp_path, ROWS, [FIGURES[1], broken])
    assert (tmp_path / "papers.csv").read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["papers.csv"]


def test_every_figure_stands_at_a_place_that_has_rows():
    places = {(row.paper, row.place) for row in ROWS}
    assert [f.name for f in FIGURES if (f.paper, f.place) not in places] == []


def test_counts_of_verdicts():
    assert counts_of(ROWS) == {"✓": 251, "✗": 35, "–": 98}
    assert counts_of([]) == {"✓": 0, "✗": 0, "–": 0}
    assert sum(counts_of(ROWS).values()) == len(ROWS)


def test_an_unknown_format(run):
    result = run("--format", "xml")
    assert result.exit_code == 2
    assert "'xml' is not one of 'table', 'json', 'csv'" in result.output
