"""The section on cost space: cost curves, Brier curves, net benefit and the H-measure."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.curves.costs import (
    PRIORS,
    Envelope,
    Losses,
    brier_losses,
    envelope,
    h_measure,
    net_benefit,
    optimal_losses,
    prior_of,
)
from rocwalk.report.evidence import Content, Material
from rocwalk.report.numbers import few_digits, rate, unbroken
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


def price_rules(material: Material) -> Content | None:
    """Cost curves of all models; Brier curves and net benefit of those with probabilities."""
    if not material.models:
        return None
    rules = [envelope(one.exact) for one in material.models]
    losses = {
        k: brier_losses(material.models[k].exact, material.tallies[k])
        for k in material.probabilities
    }
    return Content(
        {
            "models": [(k, material.names[k]) for k in losses],
            "others": material.others,
            "priors": [_prior(name, rules) for name in PRIORS],
            "rows": [
                [name, *_numbers(one, losses.get(k))]
                for k, (name, one) in enumerate(zip(material.names, rules, strict=True))
            ],
            "thinned": any(len(one.c) > _POINTS for one in losses.values()),
        },
        {
            "description": "Cost curves of all models",
            "description_of_losses": "Brier curve and loss of the best rules",
            "description_of_benefit": "Net benefit by threshold probability",
            "models": {str(k): _lines(one, rules[k]) for k, one in losses.items()},
        },
    )


def _numbers(rules: Envelope, losses: Losses | None) -> list[str]:
    cost = float(np.trapezoid(*rules.cost_points()[::-1]))
    brier = "not for these scores" if losses is None else rate(losses.area)
    measures = [rate(h_measure(rules, prior)) for prior in PRIORS]
    return [*measures, rate(cost), brier, rate(rules.loss_area)]


def _prior(name: str, rules: list[Envelope]) -> dict[str, str]:
    """Return a prior with its parameters; as a formula where the models differ in prevalence."""
    beta = {prior_of(name, one.prevalence) for one in rules}
    words = _FORMULAS[name]
    if len(beta) == 1:
        a, b = beta.pop()
        words = f"Beta({a:.4g}, {b:.4g})"
    return {"name": name, "beta": unbroken(words), "source": _SOURCES[name]}


# -- lines ---------------------------------------------------------------------------------------


def _lines(losses: Losses, rules: Envelope) -> dict[str, Any]:
    """Return the Brier curve, the loss of the best rules and the net benefit through few points."""
    benefit = _benefit_places(losses)
    return {
        "brier": _pair(*_loss_line(losses)),
        "best": _pair(*_best_line(rules)),
        "benefit": _pair(benefit, net_benefit(losses, benefit)),
    }


def _pair(x: FloatArray, y: FloatArray) -> list[list[float] | None]:
    """Return a line for the script, which knows the even places."""
    return [None if x is _GRID or x is _BELOW_ONE else x.tolist(), few_digits(y)]


def _loss_line(losses: Losses) -> tuple[FloatArray, FloatArray]:
    """Return the whole curve if it has few points, else its values at even places."""
    if len(losses.c) <= _POINTS:
        return losses.c, losses.loss
    return _GRID, losses.at(_GRID)


def _best_line(rules: Envelope) -> tuple[FloatArray, FloatArray]:
    if len(rules.vertices) < _POINTS:
        return rules.loss_points()
    return _GRID, optimal_losses(rules).at(_GRID)


def _benefit_places(losses: Losses) -> FloatArray:
    """Return even places, and both sides of every jump if there are few."""
    jumps = np.unique(losses.c)
    jumps = jumps[jumps <= _BELOW_ONE[-1]]
    if len(jumps) > _POINTS // 2:
        return _BELOW_ONE
    return np.unique(np.concatenate([_BELOW_ONE, jumps, np.nextafter(jumps, 1)]))
