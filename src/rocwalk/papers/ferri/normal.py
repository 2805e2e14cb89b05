"""§2.3: bells instead of segments (Figure 7)."""

from __future__ import annotations

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples
from rocwalk.papers.ferri.place import SD_OF_SEGMENT, at, match_of, width_of
from rocwalk.papers.ferri.segments import WIDTH, figure_3
from rocwalk.papers.row import Row, rounds_to, text_of
from rocwalk.smear.curves import SmearedCurve

_PRINTED = "1.74"


def rows(examples: Examples) -> list[Row]:
    """Return the curve of Figure 7, what its d means, and a sample that no bell matches."""
    return [
        _area(figure_3(examples, "normal")),
        _deviation(examples["ferri_figure_4"]),
        _no_match(examples["ferri_auc_below"]),
    ]


def _area(curve: SmearedCurve) -> Row:
    return at("§2.3, Figure 7, our data").unprinted(
        "area of the curve",
        curve.area,
        f"The figure prints neither scores nor d; ours are those of Figure 1 and {WIDTH}.",
    )


def _deviation(example: PaperExample) -> Row:
    half = width_of(match_of(example, kernel="normal", sd_per_width=0.5))
    segment = width_of(match_of(example, kernel="normal", sd_per_width=SD_OF_SEGMENT))
    return at("§2.3, Figure 7").statement(
        "d of Example 1 with σ = d/2",
        f"d is twice the standard deviation; §3.2 has d = {_PRINTED}",
        half,
        holds=rounds_to(half, _PRINTED),
        reason="The numbers of §3.2 are nearer to σ = d/√12, the standard deviation of the "
        f"segment: d = {text_of(segment)}. Hence the option sd_per_width, ½ by default.",
    )


def _no_match(example: PaperExample) -> Row:
    match, uniform = match_of(example, kernel="normal"), match_of(example)
    return at("§2.3, second example of §2").unprinted(
        "Area of 1⁺ 0.1⁻ 0⁺ nearest to pAUC, normal",
        match.area,
        f"pAUC is {text_of(match.target)}, which segments reach at d = "
        f"{text_of(width_of(uniform))}; bells do {'' if match.exists else 'not '}reach it, "
        "whatever σ is in widths.",
    )
