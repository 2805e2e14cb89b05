"""Soft ROC curves, whose steps depend on the scores (Klement & Flach 2008).

See "Soft curves" in docs/mathematics.rst.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.curves.roc import Curve, curve_by_steps
from rocwalk.errors import InputError, OptionError, RocwalkError
from rocwalk.read.arrays import evidence_of, whole_tally
from rocwalk.result import Result
from rocwalk.tally.tally import Tally
from rocwalk.typing import (
    AnyArray,
    ArrayLike,
    Bounds,
    Invalid,
    SoftSteps,
    Steps,
    StepThreshold,
    Truth,
)

PANELS: tuple[Steps, ...] = ("truth", "single", "both")


def soft_roc(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    steps: SoftSteps | None = None,
    threshold: StepThreshold | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> Curve:
    """Return a soft ROC curve: two models that rank alike differ if their probabilities do.

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities in [0, 1]. Or one `Tally`.
    steps
        How far an item of score s steps. Default: "both" for two columns and for a `Tally` with
        steps="truth"; any other `Tally` keeps its own and cannot be converted.

        * "both": a correct decision climbs by s and goes right by 1 − s, a wrong one climbs by
          1 − s and goes right by s, where the decision is "positive" from the threshold on;
        * "single": a positive climbs by s, a negative goes right by 1 − s;
        * "blind": every item climbs by s and goes right by 1 − s, whatever its label. The paper
          calls it a kind of upper bound: it is the best expected area of any order if the scores
          are true probabilities, and bounds nothing for other scores.
    threshold
        For "both": the score from which an item is predicted positive. 0.5 suits calibrated
        scores, "mean" is the overall mean score; learn it on training data and pass the number for
        new ones. Default: 0.5; a `Tally` with steps="both" keeps its own.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Both directions need some mass: if all positives score 0, or all negatives 1, there is no
    "single" curve.

    References
    ----------
    Klement & Flach (2008), Soft ROC curves.

    Examples
    --------
    >>> import rocwalk as rw
    >>> labels = [1, 1, 0, 1, 0, 0]
    >>> one = rw.soft_roc(labels, [0.8, 0.7, 0.6, 0.4, 0.3, 0.2])
    >>> other = rw.soft_roc(labels, [0.99, 0.78, 0.68, 0.58, 0.38, 0.01])
    >>> round(one.area, 6), round(other.area, 6)
    (0.722222, 0.824574)
    """
    asked: str | None = steps
    if asked == "truth":
        raise OptionError(
            "is the ordinary curve, whose steps do not depend on the scores.",
            "use rocwalk.roc, or one of 'both', 'single' and 'blind'.",
            option="steps",
            value=asked,
        )
    is_soft = isinstance(y_true, Tally) and y_true.steps != "truth"
    rule: Steps | None = "both" if steps is None and not is_soft else steps
    reading = (sample_weight, pos_label, truth, invalid)
    whole = whole_tally(y_true, y_prob, *reading, rule, threshold, argument="y_prob")
    return curve_by_steps(whole, rule, threshold)


@dataclass(frozen=True, eq=False, repr=False)
class SoftCurves(Result):
    """Models by several step rules: `curves` maps (model, steps) to a curve.

    Make one with `rocwalk.soft_curves`.
    """

    curves: Mapping[tuple[Any, str], Curve]

    @property
    def models(self) -> tuple[Any, ...]:
        """The names of the models."""
        return tuple(dict.fromkeys(name for name, _ in self.curves))

    @property
    def steps(self) -> tuple[str, ...]:
        """The step rules."""
        return tuple(dict.fromkeys(rule for _, rule in self.curves))

    @property
    def areas(self) -> dict[tuple[Any, str], float]:
        """The area of each curve."""
        return {key: curve.area for key, curve in self.curves.items()}

    @property
    def area_bounds(self) -> dict[tuple[Any, str], Bounds]:
        """The lowest, the middle and the highest area of each curve; equal unless bucketed."""
        return {key: curve.area_bounds for key, curve in self.curves.items()}

    def plot(self, axes: Any = None, **options: Any) -> Any:
        """Draw one panel for each rule, side by side, and return its axes.

        Parameters
        ----------
        axes
            Where to draw, one for each panel; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_panels

        drawn = {key: (curve.walk, curve.area) for key, curve in self.curves.items()}
        return draw_panels(drawn, axes, **options)

    def _headline(self) -> dict[str, Any]:
        return {"models": len(self.models), "steps": self.steps}

    def _columns(self) -> dict[str, AnyArray]:
        bounds = np.array(list(self.area_bounds.values()))
        exact = all(curve.walk.is_exact for curve in self.curves.values())
        return {
            "model": np.array([str(name) for name, _ in self.curves]),
            "steps": np.array([rule for _, rule in self.curves]),
            "area": np.array(list(self.areas.values())),
            **({} if exact else {"lowest_area": bounds[:, 0], "highest_area": bounds[:, 2]}),
        }


def soft_curves(
    y_true: ArrayLike,
    models: Any,
    *,
    steps: Steps | Sequence[Steps] = PANELS,
    threshold: StepThreshold | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> SoftCurves:
    """Return the ROC curves of one or several models by several step rules.

    Parameters
    ----------
    y_true
        Labels or soft truth.
    models
        One column of probabilities in [0, 1], or a dict from the names of the models to such
        columns.
    steps
        One or several of "truth" (the ordinary curve), "single", "both" and "blind", as
        `rocwalk.soft_roc` describes.
    threshold
        For "both": the score from which an item is predicted positive, a number or "mean" (the mean
        score of each model). Default: 0.5.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Examples
    --------
    >>> import rocwalk as rw
    >>> models = {"C1": [0.8, 0.7, 0.6, 0.4, 0.3, 0.2], "C2": [0.99, 0.78, 0.68, 0.58, 0.38, 0.01]}
    >>> found = rw.soft_curves([1, 1, 0, 1, 0, 0], models)
    >>> {key: round(area, 3) for key, area in found.areas.items() if key[1] != "truth"}
    {('C1', 'single'): 0.956, ('C1', 'both'): 0.722, ('C2', 'single'): 0.959, ('C2', 'both'): 0.825}
    """
    columns = models if isinstance(models, Mapping) else {"model": models}
    rules = (steps,) if isinstance(steps, str) else tuple(steps)
    if not columns or not rules:
        raise InputError("There is no model or no rule.", "pass probabilities and step rules.")
    curves: dict[tuple[Any, str], Curve] = {}
    for name, column in columns.items():
        try:
            data = evidence_of(y_true, column, sample_weight, pos_label, truth, invalid)
        except RocwalkError as error:
            called = f"models[{name!r}]" if columns is models else "models"
            raise error.at(names={"y_prob": called}) from None
        whole = data if isinstance(data, Tally) else data.tally()
        for rule in rules:
            curves[name, rule] = curve_by_steps(whole, rule, threshold)
    return SoftCurves(curves)
