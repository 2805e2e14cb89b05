"""The section on smeared curves: from the bare walk to the diagonal as scores become segments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwalk.read.arrays import check
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import few_digits, rate
from rocwalk.smear.beta import beta_scores
from rocwalk.smear.beta_nodes import COARSE
from rocwalk.smear.kernels import Beta, Coin, width_kernel
from rocwalk.smear.sides import Sides, sides_of_tally
from rocwalk.smear.walks import drawn_beta_walk
from rocwalk.smear.widths import WidthMatch, match, width_text
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk, refuse_buckets, spread
from rocwalk.typing import FloatArray

_POSITIONS = 120
_MIDDLE = 2.0  # small widths are spread as their cube roots, widths far beyond this are crowded
_SURE = 1e-8  # so that all digits that are shown are sure


def smear_section(findings: Findings) -> Content | None:
    """The curves of smeared scores with Area(d), of the models whose scores are probabilities."""
    for k in findings.probabilities:
        refuse_buckets(findings.tallies[k], "Smearing")
    matches = [one.match for one in findings.summaries]
    found = [(k, one) for k, one in enumerate(matches) if one is not None]
    if not found:
        return None
    rows = []
    for k, one in found:
        widths = "; ".join(
            width_text(low) if low == high else f"{width_text(low)} to {width_text(high)}"
            for low, high in one.widths
        )
        nearest = f"none, the nearest is {width_text(one.nearest_width)}"
        rows.append([findings.names[k], rate(one.auc), rate(one.target), widths or nearest])
    exactness = None
    if any(findings.models[k].tally.is_bucketed for k, _ in found):
        exactness = (
            "Areas and widths are exact. The drawn curve of a model of very many scores is not: it "
            "puts neighbouring scores of a class together at their mean."
        )
    return Content(
        {
            "models": [(k, findings.names[k]) for k, _ in found],
            "rows": rows,
            "others": [findings.names[k] for k, one in enumerate(matches) if one is None],
            "exactness": exactness,
        },
        {
            "description": "ROC curve of the smeared scores",
            "description_of_areas": "Area under the smeared curve by width",
            "description_of_noise": "Rates by threshold with score noise and sampling error",
            "thresholds": _THRESHOLDS.tolist(),
            "models": {
                str(k): _positions(one, findings.models[k].tally)
                | {"kernels": _kernels(findings.tallies[k], one)}
                for k, one in found
            },
        },
    )


def _positions(one: WidthMatch, tally: Tally) -> dict[str, Any]:
    """Return the positions of the slider with their areas, and the sentences on the model.

    Σw² of the items of each score, from which the page has the noise of segments, is the mass
    itself where items are of one class and of weight 1.
    """
    cube = (np.arange(_POSITIONS) / _POSITIONS) ** 3
    # in three digits: the widths that are shown are those that are used
    grid = [float(f"{width:.3g}") for width in _MIDDLE * cube / (1 - cube)]
    ends = {end for pair in one.widths for end in pair}
    widths = np.array(sorted({*grid, math.inf, *ends, one.nearest_width}))
    words = one.sentence
    if not one.exists:
        words += " The curve of this nearest width is drawn at first."
    squares = {"up_squared": tally.up_squared, "right_squared": tally.right_squared}
    if all(map(np.array_equal, squares.values(), (tally.up, tally.right))):
        squares = {}
    return {name: few_digits(each) for name, each in squares.items()} | {
        "widths": _or_none(widths.tolist()),  # None: without limit
        "areas": one.areas(widths, within=_SURE).tolist(),
        "matched": [_or_none(list(pair)) for pair in one.widths],
        "start": int(np.searchsorted(widths, one.nearest_width)),
        "auc": one.auc,
        "target": one.target,
        "words": words,
    }


# -- kernels that stay inside [0, 1] ---------------------------------------------------------------

_THRESHOLDS = np.arange(33) / 32  # of score noise
_GRAIN = 1e4  # rates are carried as whole numbers of these parts
_POINTS = 161  # of a curve
_SMOOTH = 118  # of a curve without corners, with up to three more at its ends
_GROUPS = 2_000  # of neighbouring scores, for drawing
_LOG_ODDS = (0, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 40, math.inf)
_SHARES = tuple(k / 20 for k in range(21))
_CONCENTRATIONS = (math.inf, 1000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.0)


def _kernels(tally: Tally, one: WidthMatch) -> dict[str, Any]:
    """Return the areas of the other kernels at the positions of the slider.

    The page computes curves and score noise from the scores that it carries; but the curves of beta
    distributions, which reach far into the ends of the log-odds, it carries too.
    """
    target = one.target
    # the area of coins is a parabola in their share
    sums = [Coin().area(tally, share) for share in (0.0, 0.5, 1.0)]
    bare, half, whole = (one.area for one in sums if one is not None)  # both classes have mass
    bend = 2 * (bare - 2 * half + whole)
    coins = [bare + share * (whole - bare + (share - 1) * bend) for share in _SHARES]
    betas, beta_curves = zip(*(_beta(one.sides, tally, k) for k in _CONCENTRATIONS), strict=True)
    is_target = abs(betas[-1] - target) <= _SURE
    return {
        "logit": _log_odds(one.sides, "logit", "Width d, in log-odds"),
        "logit-normal": _log_odds(
            one.sides, "logit-normal", "Width d of two standard deviations, in log-odds"
        ),
        "coin": {
            "axis": "Share λ of coins",
            "symbol": Coin.symbol,
            "widths": _or_none(list(_SHARES)),
            "areas": coins,
            "start": len(coins) - 1,
            "words": "A share λ of every score becomes a coin that shows 1 with the probability of "
            "the score. With all of it the curve has one corner, the two mean scores, and its "
            f"area is the probabilistic AUC of {target:.4g}.",
        },
        "beta": {
            "axis": "Concentration κ",
            "symbol": Beta.symbol,
            "widths": _or_none(list(_CONCENTRATIONS)),
            "areas": list(betas),
            "curves": list(beta_curves),
            "start": _CONCENTRATIONS.index(10.0),
            "words": "Every score becomes a beta distribution with the score as its mean. As the "
            f"concentration falls to 0 the area goes to {betas[-1]:.4g}, which is "
            f"{'' if is_target else 'not '}the probabilistic AUC of {target:.4g}.",
        },
    }


def _log_odds(sides: Sides, name: str, axis: str) -> dict[str, Any]:
    """Return the areas of a kernel that has a width in log-odds."""
    found = match(sides, width_kernel(name))
    widths = sorted({*_LOG_ODDS, *(low for low, _ in found.widths), found.nearest_width})
    return {
        "axis": axis,
        "symbol": width_kernel(name).symbol,
        "widths": _or_none(list(widths)),
        "areas": found.areas(np.array(widths), within=_SURE).tolist(),
        "start": widths.index(found.nearest_width),
        "words": found.sentence,
    }


def _beta(sides: Sides, tally: Tally, concentration: float) -> tuple[float, dict[str, list[int]]]:
    """Return the area of a concentration and the points of its curve, from the same nodes."""
    few = _grouped(tally)
    if concentration == math.inf:
        return sides.auc, _points(Beta().walk(few, concentration).walk)
    scores = drawn = beta_scores([(concentration, sides)], COARSE)
    if few is not tally:
        drawn = beta_scores([(concentration, sides_of_tally(few))], COARSE)
    if not drawn.groups:  # scores of 0 and 1 stay where they are
        return scores.area()[0], _points(Beta().walk(few, math.inf).walk)
    return scores.area()[0], _points(drawn_beta_walk(few, drawn, _SMOOTH))


def _grouped(tally: Tally) -> Tally:
    """Return a tally that is small enough to draw: neighbouring scores of a class at their mean."""
    if len(tally) <= 2 * _GROUPS:
        return tally
    starts = np.linspace(0, len(tally), _GROUPS, endpoint=False).astype(int)
    columns: list[list[FloatArray]] = [[], [], []]
    for label, mass in ((1.0, tally.up), (0.0, tally.right)):
        total = np.add.reduceat(mass.astype(np.float64), starts)
        held = total > 0
        scores = np.add.reduceat(mass * tally.scores, starts)[held] / total[held]
        parts = np.full(len(scores), label), np.clip(scores, 0.0, 1.0), total[held]
        for column, part in zip(columns, parts, strict=True):
            column.append(part)
    truth, scores, weights = map(np.concatenate, columns)
    return check(truth, scores, sample_weight=weights, truth="hard", with_advice=False).tally()


def _points(walk: Walk) -> dict[str, list[int]]:
    """Return points that are enough to draw, at even steps of FPR + TPR."""
    if len(walk) > _POINTS:
        walk = walk.take(np.unique(spread(walk.fpr + walk.tpr, _POINTS)))
    fpr, tpr = np.rint(_GRAIN * np.stack((walk.fpr, walk.tpr))).astype(int).tolist()
    return {"fpr": fpr, "tpr": tpr}


def _or_none(widths: list[float]) -> list[float | None]:
    return [width if math.isfinite(width) else None for width in widths]
