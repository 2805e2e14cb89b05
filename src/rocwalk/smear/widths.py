"""The matched width: where the smeared area equals the probabilistic AUC, the smallest width first.

The chain of parabolas (`rocwalk.smear.pieces`) proves most widths free. What is left are short
runs of pieces. In each, the widths where the gap, area − target, turns are found first; between two
of them it is monotone, so it crosses zero once or not at all.

Equality means |gap| ≤ 1e-12. Where the gap crosses zero, the width is the crossing; where it turns
within 1e-12 of zero, the turning point; where it stays there with no slope, the whole interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.read.arrays import evidence_of
from rocwalk.result import Result
from rocwalk.smear.kernels import WidthKernel, width_kernel
from rocwalk.smear.pieces import TOLERANCE, Pieces
from rocwalk.smear.proofs import Certificate, certificate
from rocwalk.smear.sides import Sides, both_sides_of
from rocwalk.smear.uniform import Sums
from rocwalk.typing import (
    AnyArray,
    ArrayLike,
    BoolArray,
    FloatArray,
    Invalid,
    Truth,
    WidthKernelName,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class WidthMatch(Result):
    """The widths d at which Area(d) equals the probabilistic AUC, or the nearest one if none does.

    Make one with `rocwalk.matched_width`. `widths` has all of them as (low, high) pairs:
    low = high for a single width, else a whole interval, whose high may be infinite. Areas within
    1e-12 of each other are equal, and so are widths within 1e-9. `certificate` proves that no
    smaller width matches.
    """

    sides: Sides
    kernel: WidthKernel
    pieces: Pieces
    matches: tuple[tuple[float, float], ...]
    nearest_width: float
    doubts: tuple[tuple[float, float], ...] = ()

    @property
    def complete(self) -> bool:
        """Whether it is proved that no match was missed; `doubts` has the intervals where not."""
        return not self.doubts

    @property
    def widths(self) -> list[tuple[float, float]]:
        """All widths that match, as ascending (low, high) pairs."""
        return list(self.matches)

    @property
    def exists(self) -> bool:
        """Whether any width matches."""
        return bool(self.widths)

    @property
    def width(self) -> float | None:
        """The smallest width that matches, or None."""
        return self.widths[0][0] if self.widths else None

    @property
    def auc(self) -> float:
        """Area(0)."""
        return self.sides.auc

    @cached_property
    def limit(self) -> float:
        """Area(∞): ½, but for scores of 0 and 1 with a kernel that leaves them where they are."""
        return self.kernel.sums(self.sides, math.inf).area

    @property
    def target(self) -> float:
        """The probabilistic AUC, A_p."""
        return self.sides.probabilistic_auc

    @cached_property
    def area(self) -> float:
        """Area at the width, or at the nearest one."""
        return self.kernel.sums(self.sides, self.nearest_width).area

    @property
    def gap(self) -> float:
        """The area at the width (or the nearest one) − the target."""
        return self.area - self.target

    @cached_property
    def certificate(self) -> Certificate:
        """The proof, in rows, that no smaller width matches; or no width at all."""
        return certificate(
            self.sides, self.kernel, self.target, math.inf if self.width is None else self.width
        )

    def areas(self, widths: AnyArray, *, within: float = 1e-6) -> FloatArray:
        """Return Area(d) at many widths at once, each with an error of at most `within`.

        Most come from the parabolas that the search used, or from sums over all widths at once; the
        others are summed one by one.

        Parameters
        ----------
        widths
            The widths d, none of them negative.
        within
            The largest error of an area.
        """
        asked = np.asarray(widths, dtype=np.float64)
        areas = self.target + self.pieces.gaps(asked)
        slack = self.pieces.slack[np.searchsorted(self.pieces.high, asked, "left")]
        others = np.flatnonzero(slack > within)
        areas[others] = self.kernel.areas(self.sides, asked[others], within)
        return areas

    @property
    def sentence(self) -> str:
        """What the widths are and what they mean, in words."""
        names = f"the AUC of {self.auc:.4f} into the probabilistic AUC of {self.target:.4f}"
        if self.width is None:
            side = "falls short of it" if self.gap < 0 else "exceeds it"
            return (
                f"No width turns {names}; the nearest, {width_text(self.nearest_width)}, {side} "
                f"by {abs(self.gap):.2g}."
            )
        if self.width == math.inf:
            why = ": the class means are equal, or nearly" if self.limit == 0.5 else ""
            return f"Only smearing without limit turns {names}{why}."
        (low, high), others = self.matches[0], self.matches[1:]
        if high == 0:
            words = f"The AUC and the probabilistic AUC are both {self.auc:.4f} without smearing"
        else:
            amount = f"{width_words(low, high)}{self.kernel.scale}"
            words = f"Smearing every score over {amount} turns {names}"
        if others:
            words += f"; so does {', '.join(width_words(*pair) for pair in others[:3])}"
            words += f" and {len(others) - 3} more" if len(others) > 3 else ""
        elif low == high:
            words += self.kernel.reading(low)
        if self.complete:
            return f"{words}."
        start, stop = map(width_text, self.doubts[0])
        return f"{words}. Others from {start} to {stop} are not ruled out."

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw Area(d) against d, with AUC, ½, the probabilistic AUC and all matches marked.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.smear.plot import draw_areas

        return draw_areas(self, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "exists": self.exists,
            "width": self.width,
            "widths": self.matches,
            "target": self.target,
            "area": self.area,
            "gap": self.gap,
            "nearest_width": self.nearest_width,
            "complete": self.complete,
            "auc": self.auc,
            "kernel": self.kernel.name,
            "sd_per_width": self.kernel.deviations,
        }


def matched_width(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    kernel: WidthKernelName = "uniform",
    sd_per_width: float = 0.5,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> WidthMatch:
    """Return the smallest width d at which Area(d) equals the probabilistic AUC.

    It is the amount of smearing that brings the AUC to the value that the probabilities themselves
    give. There may be several such widths, whole intervals of them, or none; all are found, and
    `certificate` proves that nothing was missed below the smallest.

    For the uniform kernel and d ≥ max|D|: d = 1 ± √(1 − S/M), with M the mean of D over pairs and
    S that of sgn(D)·D². The paper's Theorem 4 claims that a width always exists, but it
    does not.

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities in [0, 1], with both classes. Or one `Tally` that is
        not bucketed.
    kernel
        "uniform" (a segment of width d), "normal", "logit" (a segment in log-odds) or
        "logit-normal". The width of the last two is in log-odds.
    sd_per_width
        The standard deviation of the normal kernels in widths; ½ by default, as the paper says.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Returns
    -------
    WidthMatch
        `.exists .width .widths .nearest_width .gap .certificate .areas() .plot()`.

    References
    ----------
    Ferri, Flach, Hernández-Orallo, Senad (2005), sections 2.1 and 3.

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.matched_width([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]).width
    1.660940318987...
    >>> none = rw.matched_width([1, 0, 1, 1], [1, 0.1, 0, 0])
    >>> none.exists, round(none.nearest_width, 6), round(none.gap, 6)
    (False, 1.128571, -0.013291)
    """
    shape = width_kernel(kernel, sd_per_width)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    return match(both_sides_of(data), shape)


def match(sides: Sides, kernel: WidthKernel) -> WidthMatch:
    """Find all widths at which Area(d) equals A_p, or the nearest one."""
    target = sides.probabilistic_auc
    pieces, exact = kernel.pieces(sides, target)
    search = Search(pieces, exact, cache(lambda width: kernel.sums(sides, width)), target)
    # scores below about 1e-100 are lost to the parabolas: a width that does not hold is no match
    found = search.widths()
    holds = [abs(search.sums(low).area - target) <= _HOLDS for low, _ in found]
    widths = [pair for pair, fine in zip(found, holds, strict=True) if fine]
    lost = [pair for pair, fine in zip(found, holds, strict=True) if not fine]
    unsure = sorted([*search.doubts, *lost])
    doubts = tuple(
        doubt for doubt in unsure if not any(a <= doubt[0] and doubt[1] <= b for a, b in widths)
    )
    nearest = widths[0][0] if widths else search.nearest()
    return WidthMatch(sides, kernel, pieces, tuple(widths), nearest, doubts)


_HOLDS = 1e-9  # the largest gap of a match, by the exact sums
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def width_text(width: float) -> str:
    """Return a width in four digits, with powers of ten as superscripts.

    >>> width_text(1.66094), width_text(6.82678e-5), width_text(float("inf"))
    ('1.661', '6.827·10⁻⁵', '∞')
    """
    if math.isinf(width):
        return "∞"
    digits, _, power = f"{width:.4g}".partition("e")
    return f"{digits}·10{str(int(power)).translate(_SUPERSCRIPTS)}" if power else digits


def width_words(low: float, high: float) -> str:
    """Return one width, or an interval of them, in words.

    >>> width_words(0.5, 0.5), width_words(0, 1), width_words(2, float("inf"))
    ('a width of 0.5', 'any width from 0 to 1', 'any width from 2 on')
    """
    if low == high:
        return f"a width of {width_text(low)}"
    end = "on" if high == math.inf else f"to {width_text(high)}"
    return f"any width from {width_text(low)} {end}"


# -- the search ------------------------------------------------------------------------------------


_SAME_WIDTH = 1e-9  # widths within this of each other are one
_STEPS = 80  # of Newton's method, at most
_PLACES = 32  # looked at in an interval of which little is known
_SMALL = 1e-13  # a gap or a slope that counts as zero


@dataclass(frozen=True, slots=True)
class Node:
    """A width where the gap may turn; `flat` if it does not move from here to the next node."""

    width: float
    gap: float
    flat: bool = False

    @property
    def sign(self) -> int:
        """The sign of the gap, 0 within the tolerance."""
        return 0 if abs(self.gap) <= TOLERANCE else (1 if self.gap > 0 else -1)


@dataclass(frozen=True, eq=False)
class Search:
    """A chain of pieces, and the exact sums at any width to verify them.

    `exact` means that the pieces themselves are exact, so nothing needs to be verified. Else
    `doubts` collects intervals on which the slope is too small for its error: there the gap is
    looked at in a number of places, and a match between two of them may be missed.
    """

    pieces: Pieces
    exact: bool
    sums: Callable[[float], Sums]
    target: float
    doubts: list[tuple[float, float]] = field(default_factory=list)

    def widths(self) -> list[tuple[float, float]]:
        """Return all widths with |gap| ≤ 1e-12 as ascending (low, high) pairs."""
        found: list[tuple[float, float]] = []
        for begin, end in _runs(~self.pieces.free):
            nodes = self._nodes(begin, end)
            for node, following in zip(nodes, [*nodes[1:], None], strict=True):
                if node.sign == 0:
                    joined = following is not None and node.flat and following.sign == 0
                    found.append(
                        (node.width, following.width if joined and following else node.width)
                    )
                elif following is not None and following.sign == -node.sign:
                    width = self._crossing(node, following, begin, end)
                    found.append((width, width))
        merged: list[tuple[float, float]] = []
        for low, high in sorted(found):
            if merged and low - merged[-1][1] <= _SAME_WIDTH:
                start, stop = merged[-1]
                wide = max(high, stop) - start > _SAME_WIDTH
                merged[-1] = (start, max(high, stop)) if wide else (start, start)
            else:
                merged.append((low, high))
        return [pair for pair in merged if pair[0] < math.inf] or merged

    def nearest(self) -> float:
        """Return the smallest width of the smallest |gap|, where no width matches."""
        pieces = self.pieces
        closest = np.abs(pieces.extremes).min(axis=0)
        margin = pieces.slack + 4 * TOLERANCE
        unsure = closest - margin <= (closest + margin).min()
        nodes = [node for begin, end in _runs(unsure) for node in self._nodes(begin, end)]
        best = min(abs(node.gap) for node in nodes)
        return min(node.width for node in nodes if abs(node.gap) <= best + TOLERANCE / 4)

    def _nodes(self, begin: int, end: int) -> list[Node]:
        """Return the ends of a run of pieces and all turning points in it, in order of width."""
        part, pieces = slice(begin, end), self.pieces
        widths = np.stack([pieces.low[part], pieces.high[part]], axis=1).ravel()
        slopes = pieces.end_slopes[part].ravel()
        unsure = np.repeat(pieces.slope_slack[part], 2)
        signs = np.where(np.abs(slopes) <= unsure, 0, np.sign(slopes)).astype(int)
        flat = {float(widths[0]): False, float(widths[-1]): False}
        for width, is_flat in self._turns(begin, widths, signs):
            flat[width] = flat.get(width, False) or is_flat
        known = {}  # gaps at the ends of the run, where the next piece is proved free
        if begin and pieces.free[begin - 1]:
            known[float(pieces.low[begin])] = float(pieces.extremes[2, begin - 1])
        if end < len(pieces.low) and pieces.free[end]:
            known[float(pieces.high[end - 1])] = float(pieces.extremes[0, end])
        return [
            Node(width, known[width] if width in known else self._gap(width), flat[width])
            for width in sorted(flat)
        ]

    def _turns(
        self, begin: int, widths: FloatArray, signs: FloatArray
    ) -> Iterator[tuple[float, bool]]:
        """Yield where the slope changes its sign, and both ends of each interval without slope."""
        position = 0
        while position < len(signs):
            if signs[position] == 0:
                stop = position
                while stop + 1 < len(signs) and signs[stop + 1] == 0:
                    stop += 1
                yield from self._still(widths, signs, position, stop)
                position = stop + 1
                continue
            if position + 1 < len(signs) and signs[position + 1] == -signs[position]:
                low, high = float(widths[position]), float(widths[position + 1])
                if low < high:
                    start = 1.0 / float(self.pieces.turn[begin + position // 2])
                    low = start if self.exact else self._turn(low, high, start)
                yield low, False
            position += 1

    def _still(
        self, widths: FloatArray, signs: FloatArray, start: int, stop: int
    ) -> Iterator[tuple[float, bool]]:
        """Yield nodes of an interval whose slope is zero to within its error."""
        low, high = float(widths[start]), float(widths[stop])
        before = signs[start - 1] if start else 0
        after = signs[stop + 1] if stop + 1 < len(signs) else 0
        if self.exact:
            yield low, high - low > _SAME_WIDTH
            yield high, False
        elif before and before == -after:
            middle = math.sqrt(low * high) if 0 < low < high < math.inf else max(low, _SAME_WIDTH)
            yield self._turn(float(widths[start - 1]), float(widths[stop + 1]), middle), False
        else:
            self.doubts.append((low, high))
            near = float(widths[start + 1]) if stop > start else high
            bottom = low if low > 0 else min(near, 1.0) * 1e-6
            top = high if high < math.inf else max(16 * bottom, 16.0)
            inner = np.geomspace(bottom, max(top, bottom), _PLACES).tolist()
            for width in sorted({low, *inner, near, high}):
                yield width, width < high

    def _turn(self, low: float, high: float, start: float) -> float:
        """Return the width between two at which x·A′(x) is zero."""

        def slope(width: float) -> tuple[float, float]:
            now = self.sums(width)
            return now.slope, now.slope + now.bend

        rising = self.sums(start if low == 0 else low).slope > 0
        return _newton(slope, (low, high), start, rising, closest=1e-14)

    def _crossing(self, node: Node, following: Node, begin: int, end: int) -> float:
        """Return the one zero of the gap between two nodes of opposite signs."""
        start = self._modelled_crossing(node, following, begin, end)
        if self.exact and start is not None:
            return start

        def gap(width: float) -> tuple[float, float]:
            now = self.sums(width)
            return now.area - self.target, now.slope

        low, high = node.width, following.width
        width = start if start is not None and low < start < high else _between(low, high)
        return _newton(
            gap, (low, high), width, node.gap > 0, closest=1e-15, precision=_SAME_WIDTH / 10
        )

    def _modelled_crossing(self, node: Node, following: Node, begin: int, end: int) -> float | None:
        """Return the zero of the parabolas between two nodes."""
        pieces = self.pieces
        for k in range(begin, end):
            low = max(node.width, float(pieces.low[k]))
            high = min(following.width, float(pieces.high[k]))
            if not low < high:
                continue
            x_low, x_high = 1.0 / low if low > 0 else 0.0, 1.0 / high
            ends = self._value(k, x_low), self._value(k, x_high)
            if ends[0] * ends[1] <= 0 and ends[0] != ends[1]:
                a, b, c = (
                    float(part[k]) for part in (pieces.second, pieces.first, pieces.constant)
                )
                half = -0.5 * (b + math.copysign(math.sqrt(max(b * b - 4 * a * c, 0.0)), b))
                roots = [half / a] if a else []
                roots += [c / half] if half else []
                middle = (x_low + x_high) / 2
                x = min(roots, key=lambda root: abs(root - middle))
                return 1.0 / min(max(x, x_high), x_low)
        return None

    def _gap(self, width: float) -> float:
        if not self.exact:
            return self.sums(width).area - self.target
        k = int(np.searchsorted(self.pieces.high, width, "left"))
        return self._value(k, 1.0 / width if width > 0 and k else 0.0)

    def _value(self, k: int, x: float) -> float:
        pieces = self.pieces
        return float(pieces.constant[k] + x * (pieces.first[k] + x * pieces.second[k]))


def _newton(
    function: Callable[[float], tuple[float, float]],
    bracket: tuple[float, float],
    width: float,
    positive_below: bool,
    *,
    closest: float,
    precision: float = math.inf,
) -> float:
    """Return a zero by Newton's method in ln x = −ln d, kept inside a bracket by bisection.

    `function` returns the value at a width and its derivative by ln x; `positive_below` is the
    sign of the value below the zero. The search ends at a small value whose step is shorter than
    `precision`, or when the width moves by less than `closest` of itself.
    """
    low, high = bracket
    for _ in range(_STEPS):
        value, derivative = function(width)
        step = value / derivative if derivative else math.inf
        if abs(value) <= _SMALL and abs(step) * width <= precision:
            break
        if (value > 0) == positive_below:
            low = width
        else:
            high = width
        new = width * math.exp(step) if abs(step) < 1 else math.nan
        new = new if low < new < high else _between(low, high)
        if abs(new - width) <= closest * width:
            break
        width = new
    return width


def _between(low: float, high: float) -> float:
    """Return a width between two, by ratio where that is possible."""
    if low == 0:
        return high / 16 if high < math.inf else 1.0
    return low * 16 if high == math.inf else math.sqrt(low * high)


def _runs(mask: BoolArray) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(int)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
