"""§3.3: which threshold a slope chooses, on the bare curve and on the smeared one."""

from __future__ import annotations

import math

from rocwalk.curves.roc import Curve
from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.ferri.place import at, matched_curve, signed_text
from rocwalk.papers.row import Row, text_of
from rocwalk.smear.curves import SmearedChoice, SmearedCurve, interval_of

DEGREES = (60, 45, 30)
_AS_RETYPED = "0.9⁺ 0.8⁻ 0.6⁺ 0.3⁺ 0.2⁻"
_BARE = {
    60: ("0% / 50%", "[0.9, 0.8]"),
    45: ("33% / 100%", "[0.6, 0.3]"),
    30: ("33% / 100%", "[0.6, 0.3]"),
}
READINGS = {60: (0.09, 0.19), 45: (0.40, 0.58), 30: (0.76, 0.95)}
_INTERVALS = {60: "[0.9, 0.8]", 45: "[0.8, 0.6]", 30: "[0.3, 0.2]"}


def slope_of(degrees: float) -> float:
    """Return the slope of a line at an angle."""
    return math.tan(math.radians(degrees))


def interval_text(interval: tuple[float, float]) -> str:
    """Write an interval as the paper does, the higher end first.

    >>> interval_text((0.9, 0.8)), interval_text((0.2, -math.inf)), interval_text((math.inf, 0.9))
    ('[0.9, 0.8]', '[0.2, −∞)', '(∞, 0.9]')
    """
    high, low = interval
    start = "(∞" if high == math.inf else f"[{text_of(high)}"
    return f"{start}, −∞)" if low == -math.inf else f"{start}, {text_of(low)}]"


def rows(examples: Examples) -> list[Row]:
    """Return the table, row by row, and the sentences around it."""
    example = examples["ferri_figure_4"]
    bare, smeared = curve_of(example), matched_curve(example)
    choices = {degrees: smeared.best(slope=slope_of(degrees)) for degrees in DEGREES}
    return [
        _sample(example, bare),
        _turn(bare),
        *(row for d in DEGREES for row in _by_angle(bare, smeared, choices[d], d)),
        *_sentences(bare, choices),
    ]


def _sample(example: PaperExample, bare: Curve) -> Row:
    sample, negatives = signed_text(example), int(bare.walk.right[-1])
    return at("§3.3").statement(
        "Example 1, retyped",
        _AS_RETYPED,
        sample,
        holds=sample == _AS_RETYPED,
        reason=f"0.3 has lost its minus: the table's 33% FPR needs the {negatives} negatives of "
        "§3.2.",
    )


def turning_angle(bare: Curve) -> float:
    """Return the angle of the line from the point for 60° to that for 45°."""
    steep, shallow = (bare.best(slope=slope_of(degrees)) for degrees in (60, 45))
    return math.degrees(math.atan2(shallow.tpr - steep.tpr, shallow.fpr - steep.fpr))


def _turn(bare: Curve) -> Row:
    """The slope of the hull between the points for steep and for shallow slopes."""
    angle = turning_angle(bare)
    return at("§3.3").statement(
        "slope at which the choice on the ROC curve changes, degrees",
        "55, approx.",
        angle,
        holds=abs(angle - 55) <= 2.5,
        reason="To the nearest five degrees; the hull's edge has slope 1.5.",
    )


def _by_angle(bare: Curve, smeared: SmearedCurve, best: SmearedChoice, degrees: int) -> list[Row]:
    """A line of the table, and the edge that ties at 45°."""
    return [
        *_on_the_bare_curve(bare, degrees),
        *_on_the_smeared_curve(smeared, best, degrees),
        *(_edge(best) if degrees == 45 else []),
    ]


def _on_the_bare_curve(bare: Curve, degrees: int) -> list[Row]:
    here, best = at("§3.3, table, ROC curve"), bare.best(slope=slope_of(degrees))
    rates, interval = _BARE[degrees]
    return [
        here.number(f"{degrees}°: FPR / TPR, %", rates, (100 * best.fpr, 100 * best.tpr)),
        here.number(f"{degrees}°: threshold", interval, best.interval[::-1]),
    ]


def _on_the_smeared_curve(curve: SmearedCurve, best: SmearedChoice, degrees: int) -> list[Row]:
    here, (fpr, tpr) = at("§3.3, table, pROC curve"), READINGS[degrees]
    assert curve.tally is not None
    count = fpr * float(curve.tally.total_right) + tpr * float(curve.tally.total_up)
    return [
        here.number(
            f"{degrees}°: FPR / TPR, %",
            f"{100 * fpr:.0f}% / {100 * tpr:.0f}%",
            (100 * best.fpr, 100 * best.tpr),
            f"Probably read off a picture: at FPR {100 * fpr:.0f}% the curve has TPR "
            f"{text_of(100 * curve.at(fpr=fpr).tpr)}%."
            + (" That point lies on the edge that ties with ours." if best.tied else ""),
        ),
        here.number(
            f"{degrees}°: threshold, from the printed rates",
            _INTERVALS[degrees],
            interval_of(curve.tally, count),
            f"They predict {text_of(count)} positives; the cut that predicts the nearest whole "
            "number of them.",
        ),
        here.unprinted(
            f"{degrees}°: threshold, from our point",
            interval_text(best.interval),
            f"Our point predicts {text_of(best.point.count)} positives.",
        ),
        here.unprinted(
            f"{degrees}°: where the point lies on the score axis",
            f"t = {text_of(best.threshold)}",
            "No score can be there." if best.outside else "Inside [0, 1].",
        ),
    ]


def _edge(best: SmearedChoice) -> list[Row]:
    other = best.point if best.tied is None else best.tied
    return [
        at("§3.3, table, pROC curve").unprinted(
            "45°: FPR / TPR at the other end of the edge, %",
            (100 * other.fpr, 100 * other.tpr),
            "With d above the range of the scores a whole edge has slope 1, so all of it ties. "
            f"It ends at t = {text_of(other.position)}; read as {interval_text(other.interval)}.",
        )
    ]


def _sentences(bare: Curve, choices: dict[int, SmearedChoice]) -> list[Row]:
    here = at("§3.3")
    rates = {(round(c.fpr, 9), round(c.tpr, 9)) for c in choices.values()}
    chosen = [bare.best(slope=slope_of(degrees)) for degrees in DEGREES]
    bare_rates = {(c.fpr, c.tpr) for c in chosen}
    positions = [choice.threshold for choice in choices.values()]
    return [
        here.statement(
            "FPR / TPR for the three slopes are more gradual than on the ROC curve",
            "much more",
            f"{len(rates)} points instead of {len(bare_rates)}; FPR "
            f"{' '.join(text_of(c.fpr) for c in choices.values())}",
            holds=len(rates) > len(bare_rates),
        ),
        here.statement(
            "thresholds outside [0, 1]",
            "can be",
            f"t = {', '.join(map(text_of, positions))}",
            holds=any(choice.outside for choice in choices.values()),
        ),
    ]
