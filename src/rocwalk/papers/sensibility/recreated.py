"""§3: Table 2 beside our re-creation of its data, and what its own numbers imply."""

from __future__ import annotations

from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row
from rocwalk.papers.sensibility.flu import OURS, SIZE, drawn, endless
from rocwalk.papers.sensibility.place import at

PRINTED = {
    "NGP-Train": {"AUC": "0.815", "midpoint t_s": "0.512", "struggle ratio": "0.488"},
    "NGP-Test": {"AUC": "0.800", "midpoint t_s": "0.518", "struggle ratio": "0.486"},
    "DP-Test": {"AUC": "0.770", "midpoint t_s": "0.338", "struggle ratio": "0.691"},
    "FC-Test": {"AUC": "0.803", "midpoint t_s": "0.681", "struggle ratio": "0.351"},
}


def rows(_: Examples) -> list[Row]:
    """Return the twelve numbers of Table 2, and what follows from them."""
    compared = [
        at(f"§3, Table 2, {name}").recreated(
            f"{what}: one draw of {SIZE}, endless data",
            printed,
            (drawn()[name].numbers[what], endless()[name].numbers[what]),
            OURS,
        )
        for name, line in PRINTED.items()
        for what, printed in line.items()
    ]
    return [*compared, *_implied()]


def _implied() -> list[Row]:
    here = at("§3, Table 2, from the printed numbers")
    middles = [float(line["midpoint t_s"]) for line in PRINTED.values()]
    ratios = [float(line["struggle ratio"]) for line in PRINTED.values()]
    text = ("DP-Test", "AUC"), ("DP-Test", "struggle ratio"), ("FC-Test", "struggle ratio")
    return [
        here.number(
            "AUC and struggle ratio of DP, struggle ratio of FC, in the text, %",
            "77 69 35",
            tuple(100 * float(PRINTED[name][what]) for name, what in text),
            "Text against table: both are the paper's.",
        ),
        here.unprinted(
            "positives expected by the scores for each one that is there",
            tuple(2 * middle for middle in middles),
            "P / n⁺ = 2 t_s by Eq. 1, and 1 for calibrated scores. On DP the scores are a third "
            "too low in sum, on FC a third too high.",
        ),
        here.unprinted(
            "accuracy at the midpoint",
            tuple(1 / (1 + ratio) for ratio in ratios),
            "1 / (1 + struggle ratio).",
        ),
    ]
