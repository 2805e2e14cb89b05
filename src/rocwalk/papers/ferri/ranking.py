"""§1: AUC from the ranking (Figure 1), and how little it takes to turn it over (Figure 2)."""

from __future__ import annotations

from rocwalk.metrics.probabilities import probabilistic_auc_score
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.ferri.place import at, pairs_of
from rocwalk.papers.row import Row


def rows(examples: Examples) -> list[Row]:
    """Return the areas of Figures 1 and 2."""
    return [*_figure_1(examples), *_figure_2(examples)]


def _figure_1(examples: Examples) -> list[Row]:
    here, example = at("§1, Figure 1"), examples["ferri_figure_1"]
    auc, pairs = curve_of(example).area, pairs_of(example)
    follow = sum(x > y for x, y in pairs)
    return [
        here.formula(
            "AUC of 0.9⁺ 0.6⁻ 0.55⁺ 0.2⁻ 0.1⁻, by counting",
            "for each positive, the negatives that follow it",
            follow / len(pairs),
            auc,
            f"{follow} of {len(pairs)} pairs are in order.",
        ),
        here.number("AUC, rounded", "0.833", auc),
    ]


def _figure_2(examples: Examples) -> list[Row]:
    sides = {"left": ("ferri_figure_2a", "0.501⁺ 0.5⁻", "1"),
             "right": ("ferri_figure_2b", "0.5⁻ 0.499⁺", "0")}  # fmt: skip
    found = []
    for side, (name, sample, printed) in sides.items():
        here, example = at(f"§1, Figure 2, {side}"), examples[name]
        ours = probabilistic_auc_score(example.y_true, example.y_prob)
        remark = "It hardly moves where AUC goes from one end to the other."
        found += [
            here.number(f"AUC of {sample}", printed, curve_of(example).area),
            here.unprinted(f"pAUC of {sample}", ours, remark),
        ]
    return found
