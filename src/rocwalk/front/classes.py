"""`rocwalk.multiclass`: several classes, each against the rest and in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.front.curve import Curve
from rocwalk.intake.matrices import refuse_binary_options
from rocwalk.measure.classes import ClassAreas, compare_classes
from rocwalk.result import Result
from rocwalk.typing import AnyArray, ArrayLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Multiclass(Result):
    """Curves and areas of several classes; make one with `rocwalk.multiclass`."""

    data: ClassAreas

    @cached_property
    def curves(self) -> Mapping[Any, Curve]:
        """The curve of each class against the rest; NaN rates and area for an absent class."""
        return {label: Curve(walk) for label, walk in self.data.walks.items()}

    @property
    def areas(self) -> Mapping[Any, float]:
        """The area of each class against the rest."""
        return self.data.areas

    @property
    def prevalence(self) -> Mapping[Any, float]:
        """The share of each class, p(c)."""
        return self.data.prevalence

    @property
    def pairwise(self) -> Mapping[tuple[Any, Any], float]:
        """A(i, j) = ½[A(i|j) + A(j|i)] for each pair of classes, i before j."""
        return self.data.pairwise

    @property
    def provost_domingos(self) -> float:
        """Σ AUC(c)·p(c), over the classes that are present."""
        return self.data.provost_domingos

    @property
    def hand_till(self) -> float:
        """2/(k(k − 1)) Σ_{i<j} A(i, j), over the k classes that are present."""
        return self.data.hand_till

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the curve of every class that is present against the rest."""
        from rocwalk.draw.curves import draw_overlay

        present = {k: w for k, w in self.data.walks.items() if not np.isnan(self.areas[k])}
        named = {
            f"{label} against the rest": (w, self.areas[label]) for label, w in present.items()
        }
        return draw_overlay(named, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "classes": len(self.data.labels),
            "hand_till": self.hand_till,
            "provost_domingos": self.provost_domingos,
        }

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "label": np.array([str(label) for label in self.data.labels]),
            "area": np.array(list(self.areas.values())),
            "prevalence": np.array(list(self.prevalence.values())),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the pairs as a list of [i, j, A(i, j)]."""
        pairs = [[str(i), str(j), value] for (i, j), value in self.pairwise.items()]
        return super().to_dict() | {"pairwise": pairs}


def multiclass(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> Multiclass:
    """Return one curve per class against the rest, all pairwise areas, and both summaries.

    Parameters
    ----------
    y_true
        The class of each item.
    y_prob
        One column of probabilities per class, in the order of `labels`; rows need not sum to 1.
    labels
        The classes of the columns; by default the sorted labels of `y_true`. A class that is
        named but has no rows is NaN with a warning, and the sums run over the others.
    sample_weight, invalid
        As for `rocwalk.tally`.
    pos_label, truth
        Taken as everywhere, but several classes have no positive one and no soft truth: anything
        but the defaults (or truth="hard") is refused.

    References
    ----------
    Provost & Domingos (2001), Well-trained PETs; Hand & Till (2001), Machine Learning 45,
    171-186; Castro da Silva (2006), §6, Eqs. 4 and 5.

    Examples
    --------
    >>> import rocwalk as rw
    >>> y_prob = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]]
    >>> result = rw.multiclass(["a", "a", "b", "c"], y_prob)
    >>> result
    Multiclass(classes=3, hand_till=1, provost_domingos=1)
    >>> result.curves["a"].area, result.pairwise["a", "b"]
    (1.0, 1.0)
    """
    refuse_binary_options(pos_label, truth)
    areas = compare_classes(
        y_true, y_prob, labels=labels, sample_weight=sample_weight, invalid=invalid
    )
    return Multiclass(areas)
