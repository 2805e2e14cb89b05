"""§2.1: Theorems 1, 2 and 4, Proposition 3, and the formulas over pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.datasets.papers import PaperExample
from rocwalk.metrics.probabilities import probabilistic_auc_score
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.ferri.place import area_at, at, match_of, pairs_of
from rocwalk.papers.ferri.segments import FAR, VERY_FAR
from rocwalk.papers.row import Row, text_of
from rocwalk.smear.curves import smeared_roc

WIDTH = 0.2
_STEPS = (0.01, 0.001)
_GRID = np.linspace(0, 4, 4001)
_SLOPES_AT = (FAR, 10 * FAR, 100 * FAR)


def rows(examples: Examples) -> list[Row]:
    """Return what the theorems say, and where they err."""
    example = examples["ferri_proposition_3"]
    return [
        _theorem_1(examples),
        *_theorem_2(examples["ferri_figure_4"]),
        _proposition_3(example),
        *_not_monotone(example),
        *_formulas(example),
        _theorem_4(examples["ferri_no_width"]),
    ]


def _theorem_1(examples: Examples) -> Row:
    samples = [example for name, example in examples.items() if name.startswith("ferri_")]
    areas = tuple(area_at(example, 0) for example in samples)
    return at("§2.1, Theorem 1").statement(
        "Area(0), on every sample of the paper and one of ours",
        "AUC",
        areas,
        holds=np.allclose(areas, [curve_of(example).area for example in samples], atol=1e-12),
    )


def _theorem_2(example: PaperExample) -> list[Row]:
    here, data = at("§2.1, Theorem 2"), (example.y_true, example.y_prob)
    curves = [smeared_roc(*data, width=width) for width in _SLOPES_AT]
    slopes = tuple(curve.at(fpr=0.5).tpr / 0.5 for curve in curves)
    return [
        here.number(
            f"Area(d) as d → ∞, Figure 4, here d = {text_of(VERY_FAR)}",
            "0.5",
            area_at(example, VERY_FAR),
        ),
        here.statement(
            f"slope from (0, 0) to FPR ½ at d = {', '.join(map(text_of, _SLOPES_AT))}, Figure 4",
            "0.5, a diagonal from (0, 0) to (1, 1)",
            slopes,
            holds=abs(slopes[-1] - 0.5) < abs(slopes[-1] - 1),
            reason="A slip for 1: that is the slope of the diagonal. The area below it is 0.5.",
        ),
    ]


def _proposition_3(example: PaperExample) -> Row:
    match = match_of(example)
    jumps = [np.abs(np.diff(match.areas(np.arange(0, 4, step)))).max() for step in _STEPS]
    return at("§2.1, Proposition 3").statement(
        "Area(d) of 1⁺ 0.51⁻ 0.49⁺ 0⁻ is continuous",
        "yes",
        f"changes by at most {text_of(jumps[0])} in steps of {_STEPS[0]}, "
        f"{text_of(jumps[1])} in steps of {_STEPS[1]}",
        holds=bool(jumps[1] < jumps[0] / 5),
    )


def _not_monotone(example: PaperExample) -> list[Row]:
    here, match = at("§2.1, after Proposition 3"), match_of(example)
    sample, area = "1⁺ 0.51⁻ 0.49⁺ 0⁻", area_at(example, WIDTH)
    highest, far = float(match.areas(_GRID).max()), area_at(example, VERY_FAR)
    return [
        here.number(f"AUC of {sample}", "0.75", match.auc),
        here.number(f"pAUC of {sample}", "0.745", match.target),
        here.number("Area(0)", "0.75", area_at(example, 0)),
        here.number(f"Area(∞), here Area({text_of(VERY_FAR)})", "0.5", far),
        here.number(
            "Area(0.2)",
            "0.874",
            area,
            f"Its own formula gives {area:.6g}, and no d goes above {highest:.4g}.",
        ),
        here.statement(
            "Area(d) at 0, 0.2, ∞",
            "increases, then decreases",
            (match.auc, area, far),
            holds=match.auc < area > far,
        ),
    ]


def _formulas(example: PaperExample) -> list[Row]:
    here, pairs = at("§2.1, formulas"), pairs_of(example)
    of: dict[str, Any] = {"y_true": example.y_true, "y_prob": example.y_prob}
    by_order = [0.5 * (x == y) + (x > y) for x, y in pairs]
    by_width = [overlap(x, y, WIDTH) for x, y in pairs]
    return [
        here.formula("AUC over pairs", "mean of g(x, y)", _mean(by_order), curve_of(example).area),
        here.formula(
            "pAUC over pairs",
            "0.5 + ½ · mean of (x − y)",
            0.5 + 0.5 * _mean([x - y for x, y in pairs]),
            probabilistic_auc_score(**of),
        ),
        here.formula(
            "Area(0.2) over pairs", "mean of g_d(x, y)", _mean(by_width), area_at(example, WIDTH)
        ),
    ]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def overlap(x: float, y: float, width: float) -> float:
    """Return g_d(x, y) as the paper defines it, case by case.

    >>> overlap(0.6, 0.4, 0.1), overlap(0.4, 0.6, 0.1), overlap(0.5, 0.5, 0.1)
    (1.0, 0.0, 0.5)
    """
    if abs(x - y) >= width:
        return 0.5 if x == y else float(x > y)
    below = (1 - abs(x - y) / width) ** 2 / 2
    return 1 - below if x > y else below


def _theorem_4(example: PaperExample) -> Row:
    match = match_of(example)
    found = f"d = {text_of(match.width)}" if match.width is not None else "no d"
    return at("§2.1, Theorem 4").statement(
        "d with Area(d) = pAUC: 1⁺ 0.1⁻ 0⁺ 0⁺",
        "always exists",
        f"{found}; pAUC {text_of(match.target)}, nearest Area({text_of(match.nearest_width)}) = "
        f"{text_of(match.area)}",
        holds=match.exists,
        reason="False; the sample is ours. Case d argues that Area grows until it reaches pAUC "
        "because g_d grows faster than x − y. But when the two near pairs have risen enough, the "
        "far one has fallen. Cases a and b hold; c fails as d does, with the classes swapped.",
    )
