"""What Ferri et al. (2005) print, section by section, beside what rocwalk computes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

from rocwalk.curves.roc import Curve
from rocwalk.datasets.papers import PaperExample
from rocwalk.metrics.probabilities import probabilistic_auc_score, probabilistic_gini_score
from rocwalk.papers.examples import Examples, class_means, class_scores, curve_of
from rocwalk.papers.row import Place, Row, Value, point_text, rounds_to, text_of
from rocwalk.smear.areas import smeared_area
from rocwalk.smear.concentrations import matched_concentration
from rocwalk.smear.curves import SmearedChoice, SmearedCurve, interval_of, smeared_roc
from rocwalk.smear.widths import WidthMatch, matched_width
from rocwalk.typing import KernelName

at = partial(Place, "Ferri")

FAR, VERY_FAR = 8.0, 1000.0


def ferri_rows(examples: Examples) -> list[Row]:
    """Return every row of the paper, in its order."""
    return [
        *_section_1_and_definitions(examples),
        *_section_2_curves(examples),
        *_section_2_1_theorems(examples),
        *_section_2_1_pairs(examples),
        *_section_2_1_example(examples),
        *_sections_2_3_and_3_1(examples),
        *_section_3_2(examples),
        *_section_3_3(examples),
        *_open_questions(examples),
    ]


def area_at(example: PaperExample, width: float, **kernel: Any) -> float:
    """Return Area(d) of an example."""
    return float(smeared_area(example.y_true, example.y_prob, width=width, **kernel))


@lru_cache(maxsize=64)
def match_of(example: PaperExample, **kernel: Any) -> WidthMatch:
    """Return the widths at which the area of an example is its probabilistic AUC.

    Cached, since many rows need the same match.
    """
    return matched_width(example.y_true, example.y_prob, **kernel)


def matched_curve(example: PaperExample, **kernel: Any) -> SmearedCurve:
    """Return the smeared curve of the matched width, or of the nearest where none matches."""
    width = match_of(example, **kernel).nearest_width
    return smeared_roc(example.y_true, example.y_prob, width=width, **kernel)


def _width_of(match: WidthMatch) -> Value:
    """Return the smallest width that matches, or "none"."""
    return "none" if match.width is None else match.width


def _pairs_of(example: PaperExample) -> list[tuple[float, float]]:
    """Return every positive score with every negative one."""
    positive, negative = class_scores(example)
    return [(x, y) for x in positive for y in negative]


def _both_areas(here: Place, of: str, printed: tuple[str, str], match: WidthMatch) -> Iterator[Row]:
    """Yield AUC and pAUC of a sample."""
    yield here.number(f"AUC{of}", printed[0], match.auc)
    yield here.number(f"pAUC{of}", printed[1], match.target)


def signed_text(example: PaperExample) -> str:
    """Write a sample as the paper does.

    >>> signed_text(PaperExample((1, 0), (0.9, 0.1), "mine"))
    '0.9⁺ 0.1⁻'
    """
    pairs = zip(example.y_true, example.y_prob, strict=True)
    return " ".join(f"{text_of(score)}{'⁺' if label == 1 else '⁻'}" for label, score in pairs)


# -- §1 and §2: AUC from the ranking (Figures 1 and 2), and the probabilistic Gini and AUC --------


def _section_1_and_definitions(examples: Examples) -> Iterator[Row]:
    """Yield AUC from the ranking (Figure 1), a change that inverts it (Figure 2), and pAUC."""
    here, example = at("§1, Figure 1"), examples["ferri_figure_1"]
    auc, pairs = curve_of(example).area, _pairs_of(example)
    follow = sum(x > y for x, y in pairs)
    yield here.formula(
        "AUC of 0.9⁺ 0.6⁻ 0.55⁺ 0.2⁻ 0.1⁻, by counting",
        "for each positive, the negatives that follow it",
        follow / len(pairs),
        auc,
        f"{follow} of {len(pairs)} pairs are in order.",
    )
    yield here.number("AUC, rounded", "0.833", auc)
    for side, name, sample, printed_auc in (
        ("left", "ferri_figure_2a", "0.501⁺ 0.5⁻", "1"),
        ("right", "ferri_figure_2b", "0.5⁻ 0.499⁺", "0"),
    ):
        here, example = at(f"§1, Figure 2, {side}"), examples[name]
        yield here.number(f"AUC of {sample}", printed_auc, curve_of(example).area)
        yield here.unprinted(
            f"pAUC of {sample}",
            probabilistic_auc_score(example.y_true, example.y_prob),
            "It hardly moves where AUC goes from one end to the other.",
        )

    here, example = at("§2, definitions"), examples["ferri_figure_1"]
    (of_positives, of_negatives), data = class_means(example), (example.y_true, example.y_prob)
    gini, ours = probabilistic_gini_score(*data), probabilistic_auc_score(*data)
    printed = of_positives - of_negatives + 1
    yield here.formula("pGINI of Figure 1", "m⁺ − m⁻", of_positives - of_negatives, gini)
    yield here.formula(
        "pAUC of Figure 1",
        "m⁺ − m⁻ + 1 = m⁺ + (1 − m⁻)",
        printed,
        ours,
        f"The ½ is missing: this gives {text_of(printed)}, and up to 2. The text before it "
        "adds 1 and divides by 2, and §2.1 has the ½.",
    )
    yield here.formula(
        "pAUC of Figure 1, in words",
        "the mean of m⁺ and of the mean of 1 − score over the negatives",
        (of_positives + (1 - of_negatives)) / 2,
        ours,
    )
    above, below = (match_of(examples[f"ferri_auc_{side}"]) for side in ("above", "below"))
    sample = " of 0.65⁺ 0.55⁻ 0.45⁻ 0.35⁻"
    yield from _both_areas(at("§2, first example"), sample, ("1", "0.6"), above)
    yield from _both_areas(at("§2, second example"), " of 1⁺ 0.1⁻ 0⁺", ("0.5", "0.7"), below)

    curve = curve_of(examples["ferri_figure_2b"])
    slope = 2.0  # stands for any above 1
    points = [curve.at(threshold) for threshold in (0.99, 0.55)]
    best = curve.best(slope=slope)
    low, high = best.interval
    yield at("§2, on Figure 2").statement(
        "right curve, slopes above 1: thresholds 0.99 and 0.55",
        "are the same",
        f"{' and '.join(point_text(point.fpr, point.tpr) for point in points)}; the best have "
        f"{text_of(low)} < threshold ≤ {text_of(high)}",
        holds=all((p.fpr, p.tpr) == (best.fpr, best.tpr) for p in points),
        reason=f"Slope {text_of(slope)} stands for all of them.",
    )


# -- §2: scores smeared to segments (Figure 3), and the curve as they grow (Figure 4) ------------

ON_THE_WAY = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0, FAR)
_WIDTH_3 = 0.25  # Figure 3 prints none; any between 0.05 and 0.3 has one slanting edge
_STOPPED_AT = 1.596


def figure_3(examples: Examples, kernel: KernelName = "uniform") -> SmearedCurve:
    """Return the curve of Figure 3; with the normal kernel, that of Figure 7."""
    example = examples["ferri_figure_1"]
    return smeared_roc(example.y_true, example.y_prob, width=_WIDTH_3, kernel=kernel)


def _section_2_curves(examples: Examples) -> Iterator[Row]:
    """Yield scores smeared to segments (Figure 3), and the curve as they grow (Figure 4)."""
    here, curve = at("§2, Figure 3"), figure_3(examples)
    scores = np.array(examples["ferri_figure_1"].y_prob)
    ours = f"The figure prints no d; ours is {_WIDTH_3}."
    slants = np.flatnonzero((np.diff(curve.fpr) > 0) & (np.diff(curve.tpr) > 0))
    ends = (slants[0], slants[-1] + 1) if len(slants) else (0, 0)
    start, stop = (point_text(curve.fpr[k], curve.tpr[k]) for k in ends)
    yield here.statement(
        "a slanting edge where 0.6⁻ and 0.55⁺ overlap",
        "one",
        f"{len(slants)}, from {start} to {stop}",
        holds=len(slants) == 1,
        reason=ours,
    )
    over = int(((scores + _WIDTH_3 / 2 > 1) | (scores - _WIDTH_3 / 2 < 0)).sum())
    yield here.statement(
        "segments that leave [0, 1]",
        "some",
        f"{over} of {len(scores)}, the curve starts at {text_of(curve.thresholds[1])}",
        holds=over > 0,
        reason=ours,
    )
    yield here.unprinted("area of the curve", curve.area, ours)

    example = examples["ferri_figure_4"]
    here, match = at("§2, Figure 4"), match_of(example)
    areas = tuple(area_at(example, width) for width in ON_THE_WAY)
    yield here.formula(
        "Area(0) of 0.9⁺ 0.8⁻ 0.6⁺ 0.3⁻ 0.2⁻",
        "AUC",
        area_at(example, 0),
        curve_of(example).area,
    )
    yield here.statement(
        f"Area(d) at {', '.join(map(text_of, ON_THE_WAY))}",
        "diminishes",
        areas,
        holds=bool(np.all(np.diff(areas) <= 0)),
    )
    yield here.number(f"Area({text_of(FAR)})", "≈ 0.5", areas[-1])
    stopped = area_at(example, _STOPPED_AT)
    yield here.number(
        "d with Area(d) = pAUC",
        f"{_STOPPED_AT}",
        _width_of(match),
        f"Stopped early: Area({_STOPPED_AT}) = {text_of(stopped)} misses pAUC = "
        f"{text_of(match.target)} by {text_of(abs(stopped - match.target))}. For the same "
        "sample §3.2 prints 1.65.",
    )
    yield here.number(
        f"Area(d) as d → ∞, here d = {text_of(VERY_FAR)}", "0.5", area_at(example, VERY_FAR)
    )


# -- §2.1: Theorems 1, 2 and 4, Proposition 3, and the formulas over pairs -----------------------

_WIDTH = 0.2


def _section_2_1_theorems(examples: Examples) -> Iterator[Row]:
    """Yield Theorems 1 and 2, Proposition 3, and the example of an area that rises and falls."""
    samples = [example for name, example in examples.items() if name.startswith("ferri_")]
    areas = tuple(area_at(example, 0) for example in samples)
    yield at("§2.1, Theorem 1").statement(
        "Area(0), on every sample of the paper and one of ours",
        "AUC",
        areas,
        holds=np.allclose(areas, [curve_of(example).area for example in samples], atol=1e-12),
    )

    example = examples["ferri_figure_4"]
    here, widths = at("§2.1, Theorem 2"), (FAR, 10 * FAR, 100 * FAR)
    curves = [smeared_roc(example.y_true, example.y_prob, width=width) for width in widths]
    slopes = tuple(curve.at(fpr=0.5).tpr / 0.5 for curve in curves)
    yield here.number(
        f"Area(d) as d → ∞, Figure 4, here d = {text_of(VERY_FAR)}",
        "0.5",
        area_at(example, VERY_FAR),
    )
    yield here.statement(
        f"slope from (0, 0) to FPR ½ at d = {', '.join(map(text_of, widths))}, Figure 4",
        "0.5, a diagonal from (0, 0) to (1, 1)",
        slopes,
        holds=abs(slopes[-1] - 0.5) < abs(slopes[-1] - 1),
        reason="A slip for 1: that is the slope of the diagonal. The area below it is 0.5.",
    )

    example = examples["ferri_proposition_3"]
    here, match = at("§2.1, after Proposition 3"), match_of(example)
    coarse, fine = 0.01, 0.001
    jumps = [np.abs(np.diff(match.areas(np.arange(0, 4, step)))).max() for step in (coarse, fine)]
    sample = "1⁺ 0.51⁻ 0.49⁺ 0⁻"
    yield at("§2.1, Proposition 3").statement(
        f"Area(d) of {sample} is continuous",
        "yes",
        f"changes by at most {text_of(jumps[0])} in steps of {coarse}, "
        f"{text_of(jumps[1])} in steps of {fine}",
        holds=bool(jumps[1] < jumps[0] / 5),
    )
    yield from _both_areas(here, f" of {sample}", ("0.75", "0.745"), match)
    yield here.number("Area(0)", "0.75", area_at(example, 0))
    far = area_at(example, VERY_FAR)
    yield here.number(f"Area(∞), here Area({text_of(VERY_FAR)})", "0.5", far)
    area = area_at(example, _WIDTH)
    highest = float(match.areas(np.linspace(0, 4, 4001)).max())
    yield here.number(
        f"Area({_WIDTH})",
        "0.874",
        area,
        f"Its own formula gives {area:.6g}, and no d goes above {highest:.4g}.",
    )
    yield here.statement(
        f"Area(d) at 0, {_WIDTH}, ∞",
        "increases, then decreases",
        (match.auc, area, far),
        holds=match.auc < area > far,
    )


def _section_2_1_pairs(examples: Examples) -> Iterator[Row]:
    """Yield the formulas over pairs, and Theorem 4."""
    example = examples["ferri_proposition_3"]
    here, pairs = at("§2.1, formulas"), _pairs_of(example)
    n = len(pairs)
    yield here.formula(
        "AUC over pairs",
        "mean of g(x, y)",
        sum(0.5 * (x == y) + (x > y) for x, y in pairs) / n,
        curve_of(example).area,
    )
    yield here.formula(
        "pAUC over pairs",
        "0.5 + ½ · mean of (x − y)",
        0.5 + 0.5 * sum(x - y for x, y in pairs) / n,
        probabilistic_auc_score(example.y_true, example.y_prob),
    )
    yield here.formula(
        f"Area({_WIDTH}) over pairs",
        "mean of g_d(x, y)",
        sum(overlap(x, y, _WIDTH) for x, y in pairs) / n,
        area_at(example, _WIDTH),
    )

    match = match_of(examples["ferri_no_width"])
    found = f"d = {text_of(match.width)}" if match.width is not None else "no d"
    yield at("§2.1, Theorem 4").statement(
        "d with Area(d) = pAUC: 1⁺ 0.1⁻ 0⁺ 0⁺",
        "always exists",
        f"{found}; pAUC {text_of(match.target)}, nearest Area({text_of(match.nearest_width)}) = "
        f"{text_of(match.area)}",
        holds=match.exists,
        reason="False; the sample is ours. Case d argues that Area grows until it reaches pAUC "
        "because g_d grows faster than x − y. But when the two near pairs have risen enough, the "
        "far one has fallen. Cases a and b hold; c fails as d does, with the classes swapped.",
    )


# -- the open questions: a curve of pAUC (§2), segments inside [0, 1] and confidence bands (§4) ----


def _open_questions(examples: Examples) -> Iterator[Row]:
    """Yield what the paper leaves to later work, settled."""
    example = examples["ferri_no_width"]
    curve = smeared_roc(example.y_true, example.y_prob, kernel="coin")
    target = probabilistic_auc_score(example.y_true, example.y_prob)
    yield at("§2, the main question").statement(
        "a curve whose area is pAUC: 1⁺ 0.1⁻ 0⁺ 0⁺",
        "an open question",
        f"through {point_text(curve.fpr[1], curve.tpr[1])}, area {text_of(curve.area)}",
        holds=math.isclose(curve.area, target, abs_tol=1e-15),
        reason="Every sample has one, also where no d exists: (0, 0), (m⁻, m⁺), (1, 1), the curve "
        "of the rule that predicts positive with probability s.",
    )
    example = examples["ferri_figure_4"]
    data = example.y_true, example.y_prob
    for kernel in ("logit", "logit-normal"):
        inside = matched_curve(example, kernel=kernel)
        spots = inside.thresholds[1:]
        yield at("§4, later work").statement(
            f"segments that never exceed [0, 1]: {kernel}, matched width in log-odds",
            "to be studied",
            f"d = {text_of(inside.closed.amount)}, thresholds from {text_of(float(spots[-1]))} to "
            f"{text_of(float(spots[0]))}",
            holds=bool(((spots >= 0) & (spots <= 1)).all()),
            reason="The paper's p/(1 − p), made symmetric by its logarithm.",
        )
    found = matched_concentration(*data)
    yield at("§4, later work").unprinted(
        "a beta distribution for each score: concentrations of pAUC",
        ", ".join(map(text_of, found.concentrations)) or "none",
        f"The limit of small concentrations has the area {text_of(found.limit)}, not pAUC.",
    )
    band = smeared_roc(*data, kernel="beta", concentration=10.0).band([0.5])
    yield at("§4, later work").unprinted(
        "score noise of (FPR, TPR) at 0.5, beta with concentration 10",
        point_text(band.fpr_noise[0], band.tpr_noise[0]),
        "The standard deviation of the rates of these items if their scores are drawn anew; the "
        f"sampling error is {point_text(band.fpr_sampling[0], band.tpr_sampling[0])}.",
    )


def overlap(x: float, y: float, width: float) -> float:
    """Return g_d(x, y) as the paper defines it, case by case.

    >>> overlap(0.6, 0.4, 0.1), overlap(0.4, 0.6, 0.1), overlap(0.5, 0.5, 0.1)
    (1.0, 0.0, 0.5)
    """
    if abs(x - y) >= width:
        return 0.5 if x == y else float(x > y)
    below = (1 - abs(x - y) / width) ** 2 / 2
    return 1 - below if x > y else below


# -- §2.1, Example: an area that falls, rises and falls again (Figures 5 and 6) ------------------

WIDTHS_5 = (0.0, 0.05, 0.4, 0.8, FAR)


def _section_2_1_example(examples: Examples) -> Iterator[Row]:
    """Yield the example of an area that falls, rises and falls again (Figures 5 and 6)."""
    example = examples["ferri_figure_5"]
    here, match = at("§2.1, Example"), match_of(example)
    _, near, middle, meant, _ = WIDTHS_5
    widths = tuple(low for low, _ in match.widths)
    yield from _both_areas(here, "", ("0.68", "0.67"), match)
    yield here.number("Area(0)", "0.68", area_at(example, 0))
    yield here.number(f"Area({near})", "0.66", area_at(example, near))
    small = tuple(width for width in widths if 0 < width < near)
    yield here.statement(
        f"a d between 0 and {near} with Area(d) = pAUC", "exists", small, holds=len(small) > 0
    )
    yield here.number(
        f"Area({middle})",
        "0.732",
        area_at(example, middle),
        f"0.732 is Area({meant}), {area_at(example, meant):.5f}.",
    )
    larger = tuple(width for width in widths if near < width < middle)
    yield here.statement(
        f"a d between {near} and {middle} with Area(d) = pAUC",
        "exists",
        larger,
        holds=len(larger) > 0,
    )
    yield at("§2.1, Figure 5").unprinted(
        f"Area(d) of the curves, d = {', '.join(map(text_of, WIDTHS_5))}",
        tuple(area_at(example, width) for width in WIDTHS_5),
        "The figure draws curves; the text names 0, 0.05 and 0.4, the other d are ours.",
    )
    # the turns of the area: where it is lowest on the way to its top, and the top
    grid = np.linspace(0, 2, 20_001)
    areas = match.areas(grid)
    top = int(areas.argmax())
    low = int(areas[: top + 1].argmin())
    (d_low, lowest), (d_top, highest) = (
        (text_of(float(grid[k])), text_of(float(areas[k]))) for k in (low, top)
    )
    yield at("§2.1, Figure 6").unprinted(
        "the turns of Area(d)",
        f"from {text_of(match.auc)} down to {lowest} at d = {d_low}, up to {highest} at d = "
        f"{d_top}, then down to ½",
        "The figure draws it; the numbers are ours.",
    )
    yield at("§2.1, Figures 5 and 6").statement(
        "all d with Area(d) = pAUC",
        "two values",
        widths,
        holds=len(widths) == 2,
        reason="There is a third, beyond the top: the area ends at ½, below pAUC.",
    )


# -- §§2.3 and 3.1: bells instead of segments (Figure 7), and the width in closed form -----------

# §2.3 has σ = d/2; the printed normal widths agree better with the deviation of the segment
KERNELS: Mapping[str, Mapping[str, Any]] = {
    "uniform": {"kernel": "uniform"},
    "normal": {"kernel": "normal", "sd_per_width": 12**-0.5},
}


def _sections_2_3_and_3_1(examples: Examples) -> Iterator[Row]:
    """Yield normal kernels (Figure 7), and the width in closed form."""
    yield at("§2.3, Figure 7, our data").unprinted(
        "area of the curve",
        figure_3(examples, "normal").area,
        f"The figure prints neither scores nor d; ours are those of Figure 1 and {_WIDTH_3}.",
    )
    example, printed = examples[SAMPLES[1]], PRINTED[1]["normal"]
    half = _width_of(match_of(example, kernel="normal", sd_per_width=0.5))
    segment = _width_of(match_of(example, **KERNELS["normal"]))
    yield at("§2.3, Figure 7").statement(
        "d of Example 1 with σ = d/2",
        f"d is twice the standard deviation; §3.2 has d = {printed}",
        half,
        holds=rounds_to(half, printed),
        reason="The numbers of §3.2 are nearer to σ = d/√12, the standard deviation of the "
        f"segment: d = {text_of(segment)}. Hence the option sd_per_width, ½ by default.",
    )
    below = examples["ferri_auc_below"]
    match, uniform = match_of(below, kernel="normal"), match_of(below)
    yield at("§2.3, second example of §2").unprinted(
        "Area of 1⁺ 0.1⁻ 0⁺ nearest to pAUC, normal",
        match.area,
        f"pAUC is {text_of(match.target)}, which segments reach at d = "
        f"{text_of(_width_of(uniform))}; bells do {'' if match.exists else 'not '}reach it, "
        "whatever σ is in widths.",
    )

    here, example = at("§3.1"), examples["ferri_two_points"]
    match, curve, general = match_of(example), matched_curve(example), examples[SAMPLES[1]]
    (a,), (b,) = class_scores(example)
    d = match.nearest_width
    x = float(curve.fpr[curve.tpr >= 1][0])
    yield here.number("AUC of 0.6⁺ 0.4⁻", "1", curve_of(example).area)
    yield here.formula("pAUC", "(a − b + 1) / 2", (a - b + 1) / 2, match.target)
    yield here.formula("x, the FPR at which TPR reaches 1", "(b − a + d) / d", (b - a + d) / d, x)
    yield here.formula("area above the curve", "x² / 2 = 1 − pAUC", x**2 / 2, 1 - curve.area)
    yield here.formula("d", "(a − b) / (1 − √(b − a + 1))", (a - b) / (1 - math.sqrt(b - a + 1)), d)
    yield here.number("d, rounded", "1.89", _width_of(match))
    yield at("§3.1, in general").unprinted(
        "d of Example 1 in closed form",
        closed_width(general),
        "The paper looks for a formula and finds none. For d ≥ max|D| it is d = 1 ± √(1 − "
        "S/M), M the mean of D = x − y over pairs and S that of sgn(D)·D²; for two points S/M "
        f"= a − b. The search finds {text_of(_width_of(match_of(general)))}.",
    )


def closed_width(example: PaperExample) -> Value:
    """Return d = 1 + √(1 − S/M), or "none"; scores in [0, 1] and d ≥ max|D| ≤ 1."""
    gaps = [x - y for x, y in _pairs_of(example)]
    mean, bent = sum(gaps), sum(gap * abs(gap) for gap in gaps)
    if mean == 0 or bent / mean > 1:
        return "none"
    return 1 + math.sqrt(1 - bent / mean)


# -- §3.2: two examples, with the widths that the paper found in small steps ---------------------

SAMPLES = {1: "ferri_figure_4", 2: "ferri_example_2"}
PRINTED = {
    1: {"AUC": "0.833", "pAUC": "0.658", "uniform": "1.65", "normal": "1.74"},
    2: {"AUC": "0.8", "pAUC": "0.6", "uniform": "1.71", "normal": "1.8"},
}
SMALL_GAP = 0.001
_STEP = 0.01  # the paper prints no ε


def _widths_found(number: int, example: PaperExample) -> Iterator[Row]:
    """Yield AUC, pAUC and the widths of one example, for both kernels."""
    here, printed, match = at(f"§3.2, Example {number}"), PRINTED[number], match_of(example)
    by_the_text = text_of(_width_of(match_of(example, kernel="normal")))
    notes = {"uniform": ("", ""), "normal": (
        "With σ = d/√12. ", f" With σ = d/2, as §2.3 says, d = {by_the_text}.",
    )}  # fmt: skip
    yield from _both_areas(here, "", (printed["AUC"], printed["pAUC"]), match)
    for kernel, options in KERNELS.items():
        match, width, (note, more) = match_of(example, **options), printed[kernel], notes[kernel]
        gap = abs(area_at(example, float(width), **options) - match.target)
        yield here.number(
            f"d of the {kernel} pROC curve",
            width,
            _width_of(match),
            f"{note}The search stopped where the area was off by {text_of(gap)}.{more}",
        )
        yield here.statement(
            f"|Area(d) − pAUC| at the printed d, {kernel}",
            f"usually < {SMALL_GAP}",
            gap,
            holds=gap < SMALL_GAP,
            reason="" if gap < SMALL_GAP else f"{note}The paper says usually.",
        )
        yield here.number(
            f"the paper's search re-run, {kernel}, ε = {_STEP} (ours; none printed)",
            width,
            found_in_steps(match),
            f"{note}d goes up from 0 until |Area(d) − pAUC| < {SMALL_GAP}; at {width} it is "
            f"{text_of(gap)}.",
        )


def found_in_steps(match: WidthMatch) -> Value:
    """Return the first width, of 0, ε, 2ε and so on, whose area is near enough."""
    widths = _STEP * np.arange(1_000)
    near = np.abs(match.areas(widths) - match.target) < SMALL_GAP
    return round(float(widths[near.argmax()]), 9) if near.any() else "none"


def _section_3_2(examples: Examples) -> Iterator[Row]:
    """Yield the two examples of widths, and the shape of the first curve."""
    first, second = (examples[name] for name in SAMPLES.values())
    yield from _widths_found(1, first)
    bare, smeared = curve_of(first), matched_curve(first)
    here = at("§3.2, Example 1")
    depths = []  # how far each curve falls below its hull at most, at FPR from 0 to ½
    for curve in (bare, smeared):
        left = (curve.fpr > 0) & (curve.fpr <= 0.5)
        hull = np.interp(curve.fpr[left], curve.hull.fpr, curve.hull.tpr)
        depths.append(float(max([0.0, *(hull - curve.tpr[left])])))
    yield here.statement(
        "the dent at the lower left remains",
        "yes",
        f"depth below the hull {text_of(depths[0])}, smeared {text_of(depths[1])}",
        holds=min(depths) > 0,
    )
    starts = [float(curve.fpr[curve.tpr >= 1 - 1e-12][0]) for curve in (bare, smeared)]
    yield here.statement(
        "a stretch at the upper right where TPR is 1 remains",
        "yes",
        f"from FPR {text_of(starts[0])}, smeared from {text_of(starts[1])}",
        holds=max(starts) < 1,
    )
    yield from _widths_found(2, second)


# -- §3.3: which threshold a slope chooses, on the bare curve and on the smeared one -------------

DEGREES = (60, 45, 30)
READINGS = {60: (0.09, 0.19), 45: (0.40, 0.58), 30: (0.76, 0.95)}
_AS_RETYPED = "0.9⁺ 0.8⁻ 0.6⁺ 0.3⁺ 0.2⁻"
_BARE = {
    60: ("0% / 50%", "[0.9, 0.8]"),
    45: ("33% / 100%", "[0.6, 0.3]"),
    30: ("33% / 100%", "[0.6, 0.3]"),
}
_INTERVALS = {60: "[0.9, 0.8]", 45: "[0.8, 0.6]", 30: "[0.3, 0.2]"}


def slope_of(degrees: float) -> float:
    """Return the slope of a line at an angle."""
    return math.tan(math.radians(degrees))


def turning_angle(bare: Curve) -> float:
    """Return the angle of the line from the point for 60° to that for 45°: an edge of the hull."""
    steep, shallow = (bare.best(slope=slope_of(degrees)) for degrees in (60, 45))
    return math.degrees(math.atan2(shallow.tpr - steep.tpr, shallow.fpr - steep.fpr))


def interval_text(interval: tuple[float, float]) -> str:
    """Write an interval as the paper does, the higher end first.

    >>> interval_text((0.8, 0.9)), interval_text((-math.inf, 0.2)), interval_text((0.9, math.inf))
    ('[0.9, 0.8]', '[0.2, −∞)', '(∞, 0.9]')
    """
    low, high = interval
    start = "(∞" if high == math.inf else f"[{text_of(high)}"
    return f"{start}, −∞)" if low == -math.inf else f"{start}, {text_of(low)}]"


def _section_3_3(examples: Examples) -> Iterator[Row]:
    """Yield the table of thresholds that slopes choose, and the sentences around it."""
    example = examples[SAMPLES[1]]
    here, bare, smeared = at("§3.3"), curve_of(example), matched_curve(example)
    sample, negatives, angle = signed_text(example), int(bare.walk.right[-1]), turning_angle(bare)
    yield here.statement(
        "Example 1, retyped",
        _AS_RETYPED,
        sample,
        holds=sample == _AS_RETYPED,
        reason=f"0.3 has lost its minus: the table's 33% FPR needs the {negatives} negatives "
        "of §3.2.",
    )
    yield here.statement(
        "slope at which the choice on the ROC curve changes, degrees",
        "55, approx.",
        angle,
        holds=abs(angle - 55) <= 2.5,
        reason="To the nearest five degrees; the hull's edge has slope 1.5.",
    )
    on_bare = {degrees: bare.best(slope=slope_of(degrees)) for degrees in DEGREES}
    on_smeared = {degrees: smeared.best(slope=slope_of(degrees)) for degrees in DEGREES}
    for degrees, best in on_bare.items():
        table, (printed_rates, printed_interval) = at("§3.3, table, ROC curve"), _BARE[degrees]
        yield table.number(
            f"{degrees}°: FPR / TPR, %", printed_rates, (100 * best.fpr, 100 * best.tpr)
        )
        yield table.number(f"{degrees}°: threshold", printed_interval, best.interval[::-1])
        yield from _smeared_choice(smeared, on_smeared[degrees], degrees)
    bare_rates = {(choice.fpr, choice.tpr) for choice in on_bare.values()}
    rates = {(round(choice.fpr, 9), round(choice.tpr, 9)) for choice in on_smeared.values()}
    yield here.statement(
        "FPR / TPR for the three slopes are more gradual than on the ROC curve",
        "much more",
        f"{len(rates)} points instead of {len(bare_rates)}; FPR "
        f"{' '.join(text_of(choice.fpr) for choice in on_smeared.values())}",
        holds=len(rates) > len(bare_rates),
    )
    yield here.statement(
        "thresholds outside [0, 1]",
        "can be",
        f"t = {', '.join(text_of(choice.threshold) for choice in on_smeared.values())}",
        holds=any(choice.outside for choice in on_smeared.values()),
    )


def _smeared_choice(curve: SmearedCurve, best: SmearedChoice, degrees: int) -> Iterator[Row]:
    """Yield a line of the table for the pROC curve, and at 45° the edge that ties."""
    here, (fpr, tpr) = at("§3.3, table, pROC curve"), READINGS[degrees]
    assert curve.tally is not None
    count = fpr * float(curve.tally.total_right) + tpr * float(curve.tally.total_up)
    yield here.number(
        f"{degrees}°: FPR / TPR, %",
        f"{100 * fpr:.0f}% / {100 * tpr:.0f}%",
        (100 * best.fpr, 100 * best.tpr),
        f"Probably read off a picture: at FPR {100 * fpr:.0f}% the curve has TPR "
        f"{text_of(100 * curve.at(fpr=fpr).tpr)}%."
        + (" That point lies on the edge that ties with ours." if best.tied else ""),
    )
    yield here.number(
        f"{degrees}°: threshold, from the printed rates",
        _INTERVALS[degrees],
        interval_of(curve.tally, count)[::-1],
        f"They predict {text_of(count)} positives; the cut that predicts the nearest whole "
        "number of them.",
    )
    yield here.unprinted(
        f"{degrees}°: threshold, from our point",
        interval_text(best.interval),
        f"Our point predicts {text_of(best.point.count)} positives.",
    )
    yield here.unprinted(
        f"{degrees}°: where the point lies on the score axis",
        f"t = {text_of(best.threshold)}",
        "No score can be there." if best.outside else "Inside [0, 1].",
    )
    if degrees == 45:
        other = best.point if best.tied is None else best.tied
        yield here.unprinted(
            "45°: FPR / TPR at the other end of the edge, %",
            (100 * other.fpr, 100 * other.tpr),
            "With d above the range of the scores a whole edge has slope 1, so all of it ties. "
            f"It ends at t = {text_of(other.position)}; read as {interval_text(other.interval)}.",
        )
