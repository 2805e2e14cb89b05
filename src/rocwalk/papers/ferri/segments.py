"""§2: scores smeared to segments (Figure 3), and the curve as the segments grow (Figure 4)."""

from __future__ import annotations

import numpy as np

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.ferri.place import area_at, at, match_of, width_of
from rocwalk.papers.row import Row, text_of
from rocwalk.smear.curves import SmearedCurve, smeared_roc
from rocwalk.typing import KernelName

WIDTH = 0.25  # Figure 3 prints none; any between 0.05 and 0.3 has one slanting edge
STOPPED_AT = 1.596
FAR = 8.0
VERY_FAR = 1000.0
ON_THE_WAY = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0, FAR)


def figure_3(examples: Examples, kernel: KernelName = "uniform") -> SmearedCurve:
    """Return the curve of Figure 3; with the normal kernel, that of Figure 7."""
    example = examples["ferri_figure_1"]
    return smeared_roc(example.y_true, example.y_prob, width=WIDTH, kernel=kernel)


def rows(examples: Examples) -> list[Row]:
    """Return what the text says of Figure 3 and of Figure 4."""
    return [*_figure_3(examples), *_figure_4(examples["ferri_figure_4"])]


def _figure_3(examples: Examples) -> list[Row]:
    here, curve = at("§2, Figure 3"), figure_3(examples)
    scores = np.array(examples["ferri_figure_1"].y_prob)
    ours = f"The figure prints no d; ours is {WIDTH}."
    slants = (np.diff(curve.fpr) > 0) & (np.diff(curve.tpr) > 0)
    start, stop = (f"({text_of(curve.fpr[k])}, {text_of(curve.tpr[k])})" for k in _ends(slants))
    over = int(((scores + WIDTH / 2 > 1) | (scores - WIDTH / 2 < 0)).sum())
    return [
        here.statement(
            "a slanting edge where 0.6⁻ and 0.55⁺ overlap",
            "one",
            f"{slants.sum()}, from {start} to {stop}",
            holds=int(slants.sum()) == 1,
            reason=ours,
        ),
        here.statement(
            "segments that leave [0, 1]",
            "some",
            f"{over} of {len(scores)}, the curve starts at {text_of(curve.thresholds[1])}",
            holds=over > 0,
            reason=ours,
        ),
        here.unprinted("area of the curve", curve.area, ours),
    ]


def _ends(slants: np.ndarray) -> tuple[int, int]:
    """Return the first and the last point of the edges that slant."""
    found = np.flatnonzero(slants)
    return (int(found[0]), int(found[-1]) + 1) if len(found) else (0, 0)


def _figure_4(example: PaperExample) -> list[Row]:
    here, match = at("§2, Figure 4"), match_of(example)
    areas = tuple(area_at(example, width) for width in ON_THE_WAY)
    stopped = area_at(example, STOPPED_AT)
    return [
        here.formula(
            "Area(0) of 0.9⁺ 0.8⁻ 0.6⁺ 0.3⁻ 0.2⁻",
            "AUC",
            area_at(example, 0),
            curve_of(example).area,
        ),
        here.statement(
            f"Area(d) at {', '.join(map(text_of, ON_THE_WAY))}",
            "diminishes",
            areas,
            holds=bool(np.all(np.diff(areas) <= 0)),
        ),
        here.number(f"Area({text_of(FAR)})", "≈ 0.5", areas[-1]),
        here.number(
            "d with Area(d) = pAUC",
            "1.596",
            width_of(match),
            f"Stopped early: Area(1.596) = {text_of(stopped)} misses pAUC = "
            f"{text_of(match.target)} by {text_of(abs(stopped - match.target))}. For the same "
            "sample §3.2 prints 1.65.",
        ),
        here.number(
            f"Area(d) as d → ∞, here d = {text_of(VERY_FAR)}", "0.5", area_at(example, VERY_FAR)
        ),
    ]
