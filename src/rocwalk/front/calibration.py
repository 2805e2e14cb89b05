"""`Calibration`: how far the scores are probabilities; from `Curve.calibration`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocwalk.intake.arrays import as_probabilities
from rocwalk.measure.calibration import Blocks, Parts, blocks, brier_parts, log_parts
from rocwalk.result import Result
from rocwalk.typing import AnyArray, ArrayLike, FloatArray
from rocwalk.walk.tally import Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Result):
    """The reliability of probabilities, read off the hull: no bins are chosen.

    The edges of the hull are the blocks of isotonic regression. A block's `value` is the share of
    positives among its items: what its scores should have been. `brier` and `log_loss` split into
    uncertainty − discrimination + miscalibration.
    """

    tally: Tally
    blocks: Blocks

    @cached_property
    def brier(self) -> Parts:
        """The Brier score and its parts."""
        return brier_parts(self.tally, self.blocks)

    @cached_property
    def log_loss(self) -> Parts:
        """The logarithmic loss and its parts."""
        return log_parts(self.tally, self.blocks)

    @property
    def sentence(self) -> str:
        """What the numbers mean, in words."""
        parts = self.brier
        return (
            f"Brier score {parts.loss:.4f}: {parts.uncertainty:.4f} for knowing the prevalence "
            f"only, less {parts.discrimination:.4f} for telling the classes apart, plus "
            f"{parts.miscalibration:.4f} for scores that are not the probabilities they claim."
        )

    def calibrate(self, y_prob: ArrayLike) -> FloatArray:
        """Return scores mapped to the calibrated values; between blocks on a straight line.

        Use it on other data than those it was learnt from.
        """
        return self.blocks.calibrated(as_probabilities(y_prob, "y_prob"))

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the reliability diagram: the calibrated value against the score."""
        from rocwalk.draw.calibration import draw_reliability

        return draw_reliability(self.blocks, self.tally, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        headline: dict[str, Any] = {"blocks": len(self.blocks.value)}
        for name, parts in (("brier", self.brier), ("log_loss", self.log_loss)):
            headline[name] = parts.loss
            for part in ("miscalibration", "discrimination", "uncertainty"):
                headline[f"{name}_{part}"] = getattr(parts, part)
        return headline

    def _columns(self) -> dict[str, AnyArray]:
        found = self.blocks
        return {
            "lowest_score": found.lowest,
            "highest_score": found.highest,
            "mean_score": found.mean_score,
            "value": found.value,
            "up": found.up,
            "right": found.right,
        }


def calibration_of(tally: Tally) -> Calibration:
    """Return the calibration of a tally of probabilities."""
    return Calibration(tally, blocks(tally))
