"""All rows and figures of all papers: verdicts, order, what they are computed from, files."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

import rocwalk as rw
from paper_rows import CLASSES, EXAMPLES, FIGURES, ROWS, drawn, find, nudged
from rocwalk.errors import FileError
from rocwalk.papers import PAPERS, all_rows, counts_of, write_papers
from rocwalk.papers.classic.rows import order_of_annex
from rocwalk.papers.row import DATA_NOT_PRINTED, NOT_PRINTED

CURVES = {"classic_figure_4_a", "classic_figure_4_b"}
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


def identity(row):
    return (row.paper, row.place, row.what)


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


def test_the_slip_of_the_sort_need_not_show_where_signs_are_mixed():
    margins = np.array(EXAMPLES["classic_table_1"].y_prob)[::-1] - 0.5
    assert order_of_annex(margins) == np.argsort(-margins).tolist()


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_every_figure_draws_into_new_and_given_axes(figure):
    ax = figure.draw(None)
    place = figure.name.removeprefix(f"{figure.paper.lower()}-").replace("-", " ").capitalize()
    assert ax.get_title(loc="left").startswith(f"{place}: ")
    assert figure.caption
    given = ax.figure.add_subplot()
    assert figure.draw(given) is given
    assert figure.file_name == f"{figure.name}.png"


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
