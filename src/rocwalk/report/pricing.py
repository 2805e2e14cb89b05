"""The section on cost space: cost curves, Brier curves, net benefit and the H-measure."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.curves.costs import (
    Envelope,
    Losses,
    brier_losses,
    envelope,
    net_benefit,
    optimal_losses,
)
from rocwalk.curves.h_measure import PRIORS, h_measure, prior_of
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import few_digits, level_words, p_text, rate, unbroken
from rocwalk.typing import FloatArray

_POINTS = 300
# hundredths are among these places, so that what is read off the page is exact
_GRID = np.arange(_POINTS + 1) / _POINTS
_BELOW_ONE = _GRID[_GRID <= 0.99]
_FORMULAS = {
    "hand2014": "Beta(1 + π⁺, 1 + π⁻)",
    "hand2009": "Beta(2, 2)",
    "r": "Beta(2, 1 + π⁻/π⁺)",
}
_SOURCES = {
    "hand2014": "Hand & Anagnostopoulos 2014, the default here",
    "hand2009": "Hand 2009",
    "r": "the default of the R package hmeasure",
}


def pricing_section(findings: Findings) -> Content | None:
    """Cost curves of all models; Brier curves and net benefit of those with probabilities."""
    if not findings.models:
        return None
    rules = [envelope(one.exact) for one in findings.models]
    losses = {
        k: brier_losses(findings.models[k].exact, findings.tallies[k])
        for k in (findings.probabilities if findings.study.shared is None else ())
    }
    priors = []
    for name in PRIORS:
        beta = {prior_of(name, one.prevalence) for one in rules}
        words = _FORMULAS[name]
        if len(beta) == 1:  # else the models differ in prevalence
            a, b = beta.pop()
            words = f"Beta({a:.4g}, {b:.4g})"
        priors.append({"name": name, "beta": unbroken(words), "source": _SOURCES[name]})
    rows = []
    for k, (name, one) in enumerate(zip(findings.names, rules, strict=True)):
        measures = [rate(h_measure(one, prior)) for prior in PRIORS]
        cost = float(np.trapezoid(*one.cost_points()[::-1]))
        brier = rate(losses[k].area) if k in losses else "not for these scores"
        rows.append([name, *measures, rate(cost), brier, rate(one.loss_area)])
    return Content(
        {
            "models": [(k, findings.names[k]) for k in losses],
            "others": findings.others,
            "priors": priors,
            "rows": rows,
            "differences": _differences_in_words(findings),
            "level": level_words(findings.level),
            "thinned": any(len(one.c) > _POINTS for one in losses.values()),
        },
        {
            "description": "Cost curves of all models",
            "description_of_losses": "Brier curve and loss of the best rules",
            "description_of_benefit": "Net benefit by threshold probability",
            "models": {str(k): _lines(one, rules[k]) for k, one in losses.items()},
            "differences": _differences(findings),
        },
    )


def _differences_in_words(findings: Findings) -> dict[str, Any] | None:
    """Return the pairs whose net benefits are compared, or why they are not."""
    found, names = findings.benefits, findings.names
    if found is None or isinstance(found, str):
        return None if found is None else {"why_not": found}
    first = next(iter(found.values()))
    return {
        "why_not": None,
        "pairs": [f"{names[pair.a]} − {names[pair.b]}" for pair in first.pairs],
        "method": "a jackknife over clusters"
        if first.method == "jackknife"
        else "the spread of what each item adds to the difference",
    }


def _differences(findings: Findings) -> dict[str, Any] | None:
    """Return for each pair the differences at the thresholds: themselves, low, high, p-values."""
    found = findings.benefits
    if found is None or isinstance(found, str):
        return None
    each = list(zip(*(one.pairs for one in found.values()), strict=True))
    return {
        "description": "Difference in net benefit by threshold probability",
        "level": level_words(findings.level),
        "cuts": list(found),
        "pairs": [
            {
                "a": findings.names[pairs[0].a],
                "b": findings.names[pairs[0].b],
                **{
                    name: few_digits(np.array([getattr(pair, name) for pair in pairs]))
                    for name in ("difference", "low", "high")
                },
                "p": [p_text(pair.p_value) for pair in pairs],
                "adjusted": [p_text(pair.adjusted_p_value) for pair in pairs],
            }
            for pairs in each
        ],
    }


def _lines(losses: Losses, rules: Envelope) -> dict[str, Any]:
    """Return the Brier curve, the loss of the best rules and the net benefit through few points.

    A curve of few points is carried whole, else by its values at even places. The net benefit is
    carried at even places, and on both sides of its jumps if these are few.
    """
    brier, best = (losses.c, losses.loss), rules.loss_points()
    if len(losses.c) > _POINTS:
        brier = (_GRID, losses.at(_GRID))
    if len(rules.vertices) >= _POINTS:
        best = (_GRID, optimal_losses(rules).at(_GRID))
    jumps = np.unique(losses.c)
    jumps = jumps[jumps <= _BELOW_ONE[-1]]
    places = _BELOW_ONE
    if len(jumps) <= _POINTS // 2:
        places = np.unique(np.concatenate([_BELOW_ONE, jumps, np.nextafter(jumps, 1)]))
    return {
        "brier": _pair(*brier),
        "best": _pair(*best),
        "benefit": _pair(places, net_benefit(losses, places)),
    }


def _pair(x: FloatArray, y: FloatArray) -> list[list[float] | None]:
    """Return a line for the script, which knows the even places."""
    return [None if x is _GRID or x is _BELOW_ONE else x.tolist(), few_digits(y)]
