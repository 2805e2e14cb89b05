"""§4: the area under the curve, and the two curves of Figura 4.

Figura 4 prints no data; our A and B are two samples that do what the text says of them.
"""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve, roc
from rocwalk.papers.classic.place import at
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, text_of
from rocwalk.tally.walk import highest_tpr
from rocwalk.typing import FloatArray

CROSSING = 0.6
OUR_CURVES = "Two samples of ours; the paper draws its curves without data."


def curves_a_and_b(examples: Examples) -> tuple[Curve, Curve]:
    """Return the two curves that stand in for those of Figuras 4 and 5."""
    return curve_of(examples["classic_figure_4_a"]), curve_of(examples["classic_figure_4_b"])


def common_rates(*curves: Curve) -> FloatArray:
    """Return all false positive rates of the curves together."""
    return np.unique(np.concatenate([curve.fpr for curve in curves]))


def rows(examples: Examples) -> list[Row]:
    """Return the statements on areas, and Figura 4."""
    return [*_range(examples), *_figure_4(*curves_a_and_b(examples))]


def _range(examples: Examples) -> list[Row]:
    here, example = at("§4"), examples["classic_table_1"]
    truth, values = np.array(example.y_true), np.array(example.y_prob)
    worst, best = roc(truth, values - truth).area, roc(truth, values + truth).area
    tied, negated = roc(truth, np.zeros(len(truth))).area, roc(truth, -values).area
    sample = f"{int(truth.sum())} p and {int((1 - truth).sum())} n of Tabela 1"
    return [
        here.statement(
            "range of the area",
            "0.0 to 1.0",
            f"{text_of(worst)} to {text_of(best)}, the {sample} in the worst and best order",
            holds=(worst, best) == (0, 1),
        ),
        here.statement(
            "area of a random classifier",
            "0.5",
            f"{text_of(tied)}, the {sample} all tied",
            holds=tied == 0.5,
        ),
        here.statement(
            "no classifier has an area below 0.5",
            "none below 0.5",
            negated,
            holds=negated >= 0.5,
            reason="Not so: this is Tabela 1 with its values negated, 1 − AUC. A classifier that "
            "is worse than random can be negated, and should be, but not silently.",
        ),
    ]


def _figure_4(a: Curve, b: Curve) -> list[Row]:
    here = at("§4, Figura 4")
    rates = common_rates(a, b)
    lead = highest_tpr(b.walk, rates) - highest_tpr(a.walk, rates)
    a_leads, b_leads = rates[lead < 0], rates[lead > 0]
    return [
        here.statement(
            "B is better than A on average",
            "larger area for B",
            f"A {text_of(a.area)}, B {text_of(b.area)}",
            holds=b.area > a.area,
            reason=OUR_CURVES,
        ),
        here.statement(
            "A leads on one side, B on the other",
            f"A above B only for fp rate > {CROSSING}",
            f"A leads at {_span(a_leads)}, B at {_span(b_leads)}",
            holds=len(a_leads) > 0 and bool(a_leads[0] >= CROSSING and (b_leads < CROSSING).all()),
            reason=f"{OUR_CURVES} At a jump the upper end counts.",
        ),
    ]


def _span(rates: FloatArray) -> str:
    """Write the smallest and largest rate."""
    if not len(rates):
        return "no fp rate"
    return f"fp rate {text_of(float(rates[0]))} to {text_of(float(rates[-1]))}"
