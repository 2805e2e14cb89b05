"""The step rules: how far an item steps up and right.

An item of truth f, weight w and score s has masses u = w·f and r = w·(1 − f). Each rule maps (u, r)
to a step (up, right) by a matrix that is linear in the score:

    (up, right) = (C₀ + s·C₁) · (u, r)

so a whole tally row, whose items share one score, is converted at once, and so are its item moments
Σu², Σur, Σr². A rule may use another matrix below a threshold t.

======== ============================================= ================= =======================
rule     up                                            right             from
======== ============================================= ================= =======================
truth    u                                             r                 Fawcett (2006)
single   s·u                                           (1 − s)·r         Klement & Flach, §4.1
both     s·u + (1 − s)·r at s ≥ t, else s ↔ 1 − s      u + r − up        Klement & Flach, §4.2
blind    s·(u + r)                                     (1 − s)·(u + r)   Klement & Flach, §4.2
======== ============================================= ================= =======================
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwalk.checks import as_number, one_of
from rocwalk.errors import OptionError
from rocwalk.typing import AnyArray, FloatArray, Steps

Matrix = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Turn:
    """The matrix C₀ + s·C₁ that maps masses to a step."""

    constant: Matrix
    slope: Matrix

    def at(self, s: FloatArray) -> tuple[tuple[AnyArray, AnyArray], tuple[AnyArray, AnyArray]]:
        """Return the four entries of the matrix at the scores `s`."""
        (a, b), (c, d) = (
            tuple(np.asarray(k + m * s) for k, m in zip(row, slope, strict=True))
            for row, slope in zip(self.constant, self.slope, strict=True)
        )
        return (a, b), (c, d)


@dataclass(frozen=True, slots=True)
class StepRule:
    """A step rule: one matrix at and above the threshold, one below it."""

    name: Steps
    above: Turn
    below: Turn
    needs_probabilities: bool = True

    @property
    def uses_threshold(self) -> bool:
        """Whether the rule differs above and below a threshold."""
        return self.above != self.below


_truth = Turn(constant=((1, 0), (0, 1)), slope=((0, 0), (0, 0)))
_single = Turn(constant=((0, 0), (0, 1)), slope=((1, 0), (0, -1)))
_right = Turn(constant=((0, 1), (1, 0)), slope=((1, -1), (-1, 1)))
_wrong = Turn(constant=((1, 0), (0, 1)), slope=((-1, 1), (1, -1)))
_blind = Turn(constant=((0, 0), (1, 1)), slope=((1, 1), (-1, -1)))

STEP_RULES: dict[str, StepRule] = {
    rule.name: rule
    for rule in (
        StepRule("truth", _truth, _truth, needs_probabilities=False),
        StepRule("single", _single, _single),
        StepRule("both", _right, _wrong),
        StepRule("blind", _blind, _blind),
    )
}


def step_rule(name: str) -> StepRule:
    """Return the rule of that name, or raise with the names there are."""
    one_of("steps", name, STEP_RULES)
    return STEP_RULES[name]


def check_threshold(threshold: float | str | None) -> None:
    """Raise unless the threshold is a number, "mean" or not given."""
    if threshold is None or (isinstance(threshold, str) and threshold == "mean"):
        return
    try:
        as_number("threshold", threshold)
    except OptionError:
        hint = 'pass a number or "mean".'
        raise OptionError("is not known.", hint, option="threshold", value=threshold) from None


def turn_masses(
    rule: StepRule, threshold: float | None, s: FloatArray, up: AnyArray, right: AnyArray
) -> tuple[AnyArray, AnyArray]:
    """Apply the rule to the masses of rows that have the scores `s`."""
    (a, b), (c, d) = _entries(rule, threshold, s)
    return a * up + b * right, c * up + d * right


def turn_squares(
    rule: StepRule, threshold: float | None, s: FloatArray, uu: AnyArray, ur: AnyArray, rr: AnyArray
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Apply the rule to the item moments Σu², Σur, Σr² of rows that have the scores `s`."""
    (a, b), (c, d) = _entries(rule, threshold, s)
    return (
        a * a * uu + 2 * a * b * ur + b * b * rr,
        a * c * uu + (a * d + b * c) * ur + b * d * rr,
        c * c * uu + 2 * c * d * ur + d * d * rr,
    )


def _entries(
    rule: StepRule, threshold: float | None, s: FloatArray
) -> tuple[tuple[AnyArray, AnyArray], tuple[AnyArray, AnyArray]]:
    above = rule.above.at(s)
    if threshold is None:
        return above
    below, high = rule.below.at(s), s >= threshold
    (a, b), (c, d) = (
        tuple(np.where(high, x, y) for x, y in zip(row, low, strict=True))
        for row, low in zip(above, below, strict=True)
    )
    return (a, b), (c, d)
