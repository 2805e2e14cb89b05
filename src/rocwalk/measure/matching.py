"""Where Area(d) meets a target: every width, the smallest first.

The chain of parabolas (`rocwalk.measure.pieces`) proves most widths free. What is left are short
clusters of pieces. In each, the places where the gap stops and turns are found first; between two
of them it is monotone, so it crosses zero once or not at all.

Equality means |gap| ≤ 1e-12. Where the gap crosses zero, the width is the crossing; where it turns
within 1e-12 of zero, the turning point; where it stays there with no slope, the whole stretch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from rocwalk.measure.pieces import TOLERANCE, Pieces
from rocwalk.typing import BoolArray, FloatArray
from rocwalk.walk.windows import Sums

SAME_WIDTH = 1e-9  # widths within this of each other are one
_STEPS = 80
_PLACES = 32
_GOOD = 1e-13


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
    """A chain of pieces, and the exact sums at any width to make sure with.

    `exact` says that the pieces themselves are exact, so nothing needs to be made sure of. Else
    `doubts` collects stretches on which the slope is too small for its error: there the gap is
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
            found += self._roots_of(self._nodes(begin, end), begin, end)
        merged = _merged(found)
        finite = [pair for pair in merged if pair[0] < math.inf]
        return finite or merged

    def nearest(self) -> float:
        """Return the smallest width of the smallest |gap|, where no width matches."""
        pieces = self.pieces
        closest = np.abs(pieces.extremes).min(axis=0)
        margin = pieces.slack + 4 * TOLERANCE
        unsure = closest - margin <= (closest + margin).min()
        nodes = [node for begin, end in _runs(unsure) for node in self._nodes(begin, end)]
        best = min(abs(node.gap) for node in nodes)
        return min(node.width for node in nodes if abs(node.gap) <= best + TOLERANCE / 4)

    # -- nodes -------------------------------------------------------------------------------

    def _nodes(self, begin: int, end: int) -> list[Node]:
        """Return the ends of a run of pieces and all turning points in it, in order of width."""
        part = slice(begin, end)
        pieces = self.pieces
        widths = np.stack([pieces.low[part], pieces.high[part]], axis=1).ravel()
        xs = np.stack([pieces.x_low[part], pieces.x_high[part]])
        slopes = np.stack([pieces.slope(_whole(pieces, x, part))[part] for x in xs], axis=1).ravel()
        unsure = np.repeat(pieces.slope_slack[part], 2)
        signs = np.where(np.abs(slopes) <= unsure, 0, np.sign(slopes)).astype(int)
        places = [(float(widths[0]), False), *self._turns(begin, widths, signs)]
        places.append((float(widths[-1]), False))
        flat: dict[float, bool] = {}
        for width, is_flat in places:
            flat[width] = flat.get(width, False) or is_flat
        known = self._known(begin, end)
        return [
            Node(width, known[width] if width in known else self._gap(width), flat[width])
            for width in sorted(flat)
        ]

    def _known(self, begin: int, end: int) -> dict[float, float]:
        """Return the gaps at the ends of a run where the next piece is proved free."""
        pieces, known = self.pieces, {}
        if begin and pieces.free[begin - 1]:
            known[float(pieces.low[begin])] = float(pieces.extremes[2, begin - 1])
        if end < len(pieces.low) and pieces.free[end]:
            known[float(pieces.high[end - 1])] = float(pieces.extremes[0, end])
        return known

    def _turns(
        self, begin: int, widths: FloatArray, signs: FloatArray
    ) -> Iterator[tuple[float, bool]]:
        """Yield where the slope changes its sign, and both ends of each stretch without slope."""
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
                yield self._turn(begin, widths, position), False
            position += 1

    def _turn(self, begin: int, widths: FloatArray, position: int) -> float:
        """Return the turning point between two neighbouring ends of pieces."""
        low, high = float(widths[position]), float(widths[position + 1])
        if low == high:
            return low
        start = 1.0 / float(self.pieces.turn[begin + position // 2])
        return start if self.exact else self._polished_turn(low, high, start)

    def _still(
        self, widths: FloatArray, signs: FloatArray, start: int, stop: int
    ) -> Iterator[tuple[float, bool]]:
        """Yield the ends of a stretch that has no slope to speak of."""
        low, high = float(widths[start]), float(widths[stop])
        before = signs[start - 1] if start else 0
        after = signs[stop + 1] if stop + 1 < len(signs) else 0
        if self.exact:
            yield low, high - low > SAME_WIDTH
            yield high, False
        elif before and before == -after:
            middle = math.sqrt(low * high) if 0 < low < high < math.inf else max(low, SAME_WIDTH)
            ends = float(widths[start - 1]), float(widths[stop + 1])
            yield self._polished_turn(*ends, middle), False
        else:
            self.doubts.append((low, high))
            for width in _looked_at(low, high, float(widths[start + 1]) if stop > start else high):
                yield width, width < high

    def _polished_turn(self, low: float, high: float, start: float) -> float:
        """Return where x·A′(x) is zero, by Newton's method in ln d within a bracket."""
        width = start
        rising = self.sums(width).slope if low == 0 else self.sums(low).slope
        for _ in range(_STEPS):
            now = self.sums(width)
            if abs(now.slope) <= _GOOD:
                break
            if (now.slope > 0) == (rising > 0):
                low = width
            else:
                high = width
            bent = now.slope + now.bend
            step = now.slope / bent if bent else math.inf
            new = width * math.exp(step) if abs(step) < 1 else math.nan
            new = new if low < new < high else _between(low, high)
            if abs(new - width) <= 1e-14 * width:
                break
            width = new
        return width

    # -- roots -------------------------------------------------------------------------------

    def _roots_of(self, nodes: list[Node], begin: int, end: int) -> Iterator[tuple[float, float]]:
        for node, following in zip(nodes, [*nodes[1:], None], strict=True):
            if node.sign == 0:
                joined = following is not None and node.flat and following.sign == 0
                yield node.width, following.width if joined and following else node.width
            elif following is not None and following.sign == -node.sign:
                width = self._crossing(node, following, begin, end)
                yield width, width

    def _crossing(self, node: Node, following: Node, begin: int, end: int) -> float:
        """Return the one zero between two nodes of opposite signs."""
        start = self._modelled_crossing(node, following, begin, end)
        if self.exact and start is not None:
            return start
        low, high = node.width, following.width
        width = start if start is not None and low < start < high else _between(low, high)
        for _ in range(_STEPS):
            now = self.sums(width)
            gap = now.area - self.target
            step = gap / now.slope if now.slope else math.inf
            if abs(gap) <= _GOOD and abs(step) * width <= SAME_WIDTH / 10:
                break
            if (gap > 0) == (node.gap > 0):
                low = width
            else:
                high = width
            new = width * math.exp(step) if abs(step) < 1 else math.nan
            new = new if low < new < high else _between(low, high)
            if abs(new - width) <= 1e-15 * width:
                break
            width = new
        return width

    def _modelled_crossing(self, node: Node, following: Node, begin: int, end: int) -> float | None:
        """Return the zero of the parabolas between two nodes."""
        pieces = self.pieces
        for k in range(begin, end):
            low = max(node.width, float(pieces.low[k]))
            high = min(following.width, float(pieces.high[k]))
            if not low < high:
                continue
            x_low = 1.0 / low if low > 0 else 0.0
            ends = [self._value(k, x) for x in (x_low, 1.0 / high)]
            if ends[0] * ends[1] <= 0 and ends[0] != ends[1]:
                return _zero(pieces, k, x_low, 1.0 / high)
        return None

    def _value(self, k: int, x: float) -> float:
        pieces = self.pieces
        return float(pieces.constant[k] + x * (pieces.first[k] + x * pieces.second[k]))

    def _gap(self, width: float) -> float:
        if not self.exact:
            return self.sums(width).area - self.target
        k = int(np.searchsorted(self.pieces.high, width, "left"))
        return self._value(k, 1.0 / width if width > 0 and k else 0.0)


def _zero(pieces: Pieces, k: int, x_low: float, x_high: float) -> float:
    """Return the width at which parabola k is zero, x between x_high and x_low."""
    a, b, c = float(pieces.second[k]), float(pieces.first[k]), float(pieces.constant[k])
    half = -0.5 * (b + math.copysign(math.sqrt(max(b * b - 4 * a * c, 0.0)), b))
    roots = [half / a] if a else []
    roots += [c / half] if half else []
    middle = (x_low + x_high) / 2
    x = min(roots, key=lambda root: abs(root - middle))
    return 1.0 / min(max(x, x_high), x_low)


def _whole(pieces: Pieces, x: FloatArray, part: slice) -> FloatArray:
    """Return an x for every piece, the given ones in a part."""
    full = pieces.x_high.copy()
    full[part] = x
    return full


def _between(low: float, high: float) -> float:
    """Return a width between two, by ratio where that is possible."""
    if low == 0:
        return high / 16 if high < math.inf else 1.0
    return low * 16 if high == math.inf else math.sqrt(low * high)


def _looked_at(low: float, high: float, near: float) -> list[float]:
    """Return places to look at in a stretch of which little is known, both ends among them."""
    bottom = low if low > 0 else min(near, 1.0) * 1e-6
    top = high if high < math.inf else max(16 * bottom, 16.0)
    inner = np.geomspace(bottom, max(top, bottom), _PLACES).tolist()
    return sorted({low, *inner, near, high})


def _runs(mask: BoolArray) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(int)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _merged(pairs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join widths that are one to within the tolerance."""
    merged: list[tuple[float, float]] = []
    for low, high in sorted(pairs):
        if merged and low - merged[-1][1] <= SAME_WIDTH:
            start, stop = merged[-1]
            wide = max(high, stop) - start > SAME_WIDTH
            merged[-1] = (start, max(high, stop)) if wide else (start, start)
        else:
            merged.append((low, high))
    return merged
