"""Maps that recalibrate probabilities: Platt's, temperature, beta and isotonic.

A map is fitted to a calibration set and applied to other scores. With L = logit(score):

* "platt": σ(a + b·L), with Platt's targets (U + 1)/(U + 2) and 1/(R + 2) in the place of 1 and 0,
  so that it exists for scores that separate the classes (Platt 1999);
* "temperature": σ(b·L), one parameter; 1/b is the temperature (Guo et al. 2017);
* "beta": σ(c + a·ln s − b·ln(1 − s)) with a, b ≥ 0, which can bend either end (Kull, Silva Filho &
  Flach 2017);
* "isotonic": the calibration curve that never falls (Zadrozny & Elkan 2002).

Scores nearer to 0 or 1 than 2⁻⁵² have no finite logit that float64 tells apart: they are moved to
that distance for all maps but the isotonic one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np

from rocwalk.checks import one_of
from rocwalk.curves.calibration import Blocks, blocks, scores_of
from rocwalk.curves.recalibration import fit_logistic
from rocwalk.errors import InputError
from rocwalk.tally.tally import Tally
from rocwalk.typing import FloatArray, RecalibrationMethod

MAPS: tuple[RecalibrationMethod, ...] = get_args(RecalibrationMethod)
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class RecalibrationMap:
    """A fitted map from probabilities to probabilities.

    `parameters` are (a, b) of "platt", (b,) of "temperature" and (c, a, b) of "beta"; none of
    "isotonic", which has `steps`.
    """

    method: RecalibrationMethod
    parameters: tuple[float, ...] = ()
    steps: Blocks | None = None

    def __call__(self, scores: FloatArray) -> FloatArray:
        """Return the recalibrated scores."""
        if self.steps is not None:
            return self.steps.calibrated(scores)
        exponent = np.array(self.parameters) @ _design(self.method, scores)
        found: FloatArray = 1 / (1 + np.exp(-np.clip(exponent, -700, 700)))
        return found


def _design(method: RecalibrationMethod, scores: FloatArray) -> FloatArray:
    """Return one row for each parameter."""
    p = np.clip(scores, _EPS, 1 - _EPS)
    low, high = np.log(p), -np.log1p(-p)
    if method == "temperature":
        return (low + high)[None]
    return np.stack(
        [np.ones(len(p)), low + high] if method == "platt" else [low * 0 + 1, low, high]
    )


def recalibration_map(tally: Tally, method: RecalibrationMethod) -> RecalibrationMap:
    """Return the map that was fitted to a tally of probabilities."""
    one_of("method", method, MAPS)
    if method == "isotonic":
        return RecalibrationMap(method, steps=blocks(tally))
    scores = scores_of(tally, "Recalibration")
    up, right = tally.up.astype(np.float64), tally.right.astype(np.float64)
    if method == "platt":
        positives, negatives = tally.class_masses
        high, low = (positives + 1) / (positives + 2), 1 / (negatives + 2)
        up, right = up * high + right * low, up * (1 - high) + right * (1 - low)
    design = _design(method, scores)
    kept = list(range(len(design)))
    while True:
        fit = fit_logistic(design[kept], np.zeros(len(scores)), up, right)
        if fit is None:
            raise InputError(
                f"The map {method!r} does not exist for these scores.",
                "all scores are equal, or they separate the classes; use 'isotonic' or 'platt'.",
            )
        negative = [k for k, value in zip(kept, fit[0], strict=True) if k > 0 and value < 0]
        if method != "beta" or not negative:
            break
        kept.remove(negative[0])
        if kept == [0]:
            break
    parameters = np.zeros(len(design))
    if method == "beta" and kept == [0]:  # neither end may rise: the prevalence
        parameters[0] = np.log(up.sum() / right.sum())
    else:
        parameters[kept] = fit[0]
    return RecalibrationMap(method, tuple(float(value) for value in parameters))
