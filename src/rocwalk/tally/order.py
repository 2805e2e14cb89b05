"""Sort rows by decreasing score, and count or add up those of equal score into a tally.

Sorting dominates the time of a ROC analysis, so labels and row numbers are packed into the sorted
number itself (docs/decisions/0002-keys-not-argsort.rst):

* hard labels are stored in the lowest bit of the score's bit pattern (`labelled_keys`): one
  vectorised integer sort orders scores and labels together, without loss;
* row numbers are stored below a fixed-point copy of the score (`descending_order`): one integer
  sort and one gather replace an indirect sort; the few rows that share a fixed-point value are
  sorted again afterwards.

Both fall back to an ordinary argsort where the bits do not suffice. Where the compiled kernel is
installed (`rocwalk.tally.kernel`) it takes the place of both, with the same results.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rocwalk.tally import kernel
from rocwalk.tally.tally import Tally, read_only
from rocwalk.tally.walk import tally_of_rates
from rocwalk.typing import AnyArray, FloatArray, IntArray

Side = Literal["left", "right"]
Order = tuple[IntArray, FloatArray]  # rows in order of decreasing score, scores in that order

_MAGNITUDE = np.int64(0x7FFF_FFFF_FFFF_FFFF)
_SIGN, _LABEL = np.int64(63), np.int64(1)


@dataclass(frozen=True, slots=True)
class KeyCode:
    """How scores were encoded as integers: scaled by a power of two, negative or not."""

    scale: float
    signed: bool

    def decode(self, bits: IntArray) -> FloatArray:
        """Return the scores that were encoded, computed in place."""
        if self.signed:
            bits ^= (bits >> _SIGN) & _MAGNITUDE
        scores = bits.view(np.float64)
        if self.scale != 1.0:
            scores /= self.scale
        return scores


def labelled_keys(
    positive: AnyArray, scores: FloatArray, low: float, high: float
) -> tuple[IntArray, KeyCode] | None:
    """Return sorted keys ``2 * score bits + label`` in increasing order, or None if bits are lost.

    Among equal scores the negatives come first. `low` and `high` are the extreme scores.

    Up to 1 in magnitude a float64 leaves its highest exponent bit unused, which frees one bit for
    a label; larger scores are first scaled by a power of two, which is exact unless it underflows.
    """
    largest = max(-low, high)
    scale = 1.0
    if largest > 1.0:
        scale = math.ldexp(1.0, -math.frexp(largest)[1])
        scaled = scores * scale
        if not np.array_equal(scaled / scale, scores):
            return None
        scores = scaled
    if low < 0.0:
        keys = (scores + 0.0).view(np.int64)  # -0.0 + 0.0 is 0.0
        keys ^= (keys >> _SIGN) & _MAGNITUDE
        keys <<= _LABEL
    else:
        keys = scores.view(np.int64) << _LABEL  # shifts out the sign of -0.0
    keys |= positive
    # without signs the keys are bit patterns of finite floats too, which sort a little faster
    (keys if low < 0.0 else keys.view(np.float64)).sort()
    return keys, KeyCode(scale, low < 0.0)


def pairs_of_labels(
    positive: AnyArray, scores: FloatArray, low: float, high: float
) -> tuple[int, int, int] | None:
    """Return 2·(pairs in order) + (tied pairs), the positives and the negatives; None if bits lack.

    A pair is one of a positive and a negative; it is in order if the positive has the higher score.
    `low` and `high` are the extreme scores.
    """
    counted = kernel.pairs_of_labels(positive, scores, low, high)
    if counted is not None:
        return counted
    sorted_keys = labelled_keys(positive, scores, low, high)
    return None if sorted_keys is None else _pairs_of_keys(sorted_keys[0])


def _pairs_of_keys(keys: IntArray) -> tuple[int, int, int]:
    """Count pairs in sorted keys 2·score + label.

    A positive at position p that is the k-th positive has p − k negatives before it. Those with
    the same score sort directly before it and count one half.
    """
    offset = 0 if sys.byteorder == "little" else keys.itemsize - 1
    labels = keys.view(np.uint8)[offset :: keys.itemsize] & np.uint8(1)
    places = np.flatnonzero(labels.view(np.bool_))
    positives, negatives = len(places), len(keys) - len(places)
    if not positives or not negatives:
        return 0, positives, negatives
    halves = 2 * int(places.sum()) - positives * (positives - 1)
    # The key before the first positive of a score is that score's negative key if there is one;
    # index −1, before place 0, is the last key, which is too large to be mistaken for it.
    found = keys[places]
    tied = np.flatnonzero(keys[places - 1] == found - 1)
    if len(tied):
        same = np.searchsorted(found, found[tied], side="right") - tied
        before = places[tied] - np.searchsorted(keys, found[tied] - 1, side="left")
        halves -= int(same @ before)
    return halves, positives, negatives


_REPAIR_SHARE = 4  # use argsort if more than a quarter of the rows share a fixed-point value


def descending_order(
    scores: FloatArray, low: float | None = None, high: float | None = None
) -> tuple[IntArray, FloatArray]:
    """Return the row numbers in order of decreasing score, and the scores in that order.

    Equal scores keep their row order. `low` and `high` are the extreme scores, where known.

    >>> order, ordered = descending_order(np.array([0.2, 0.9, 0.2]))
    >>> order.tolist(), ordered.tolist()
    ([1, 0, 2], [0.9, 0.2, 0.2])
    """
    n = len(scores)
    if low is None or high is None:
        low, high = (float(scores.min()), float(scores.max())) if n else (0.0, 0.0)
    found = kernel.rows_in_order(scores, low, high)
    if found is not None:
        return found
    row_bits = max(n - 1, 1).bit_length()
    span = high - low
    scale = math.ldexp(1.0, 62 - row_bits) * (1 - 2**-40) / span if span > 0.0 else math.inf
    if not (span < math.inf and scale < math.inf):
        return _stable_descending(scores)
    places = high - scores
    places *= scale
    keys = places.astype(np.int64)
    keys <<= np.int64(row_bits)
    keys |= np.arange(n)
    keys.view(np.float64).sort()  # below 2⁶² every key is the bit pattern of a finite float
    order = keys & np.int64(2**row_bits - 1)
    ordered = scores[order]
    wrong = np.flatnonzero(ordered[1:] > ordered[:-1])
    if len(wrong):  # sort the runs of equal fixed-point values that hold such rows again
        keys >>= np.int64(row_bits)
        starts = np.unique(np.searchsorted(keys, keys[wrong], side="left"))
        lengths = np.searchsorted(keys, keys[starts], side="right") - starts
        offsets = np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
        rows = offsets + np.arange(lengths.sum())
        if len(rows) > n // _REPAIR_SHARE:
            return _stable_descending(scores)
        inside = order[rows]
        order[rows] = inside[np.lexsort((inside, -scores[inside], keys[rows]))]
        ordered[rows] = scores[order[rows]]
    return order, ordered


def _stable_descending(scores: FloatArray) -> tuple[IntArray, FloatArray]:
    order = np.argsort(-scores, kind="stable").astype(np.int64, copy=False)
    return order, scores[order]


def order_of(scores: FloatArray, low: float | None = None, high: float | None = None) -> Order:
    """Return `descending_order` to be kept: read-only, and with 0.0 in the place of -0.0."""
    order, ordered = descending_order(scores, low, high)
    ordered += 0.0  # -0.0 + 0.0 is 0.0
    return read_only(order), read_only(ordered)


def sorted_classes(
    positive: AnyArray, scores: FloatArray, low: float | None = None, high: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the scores of the positives and of the negatives, each in increasing order."""
    found = kernel.classes_in_order(positive, scores, low, high)
    if found is not None:
        return found
    is_positive = positive.astype(bool, copy=False)
    up, right = np.sort(scores[is_positive]), np.sort(scores[~is_positive])
    up += 0.0  # -0.0 + 0.0 is 0.0
    right += 0.0
    return up, right


def sorted_scores(scores: FloatArray) -> FloatArray:
    """Return scores in increasing order."""
    found = kernel.classes_in_order(None, scores)
    return np.sort(scores.astype(np.float64, copy=False)) + 0.0 if found is None else found[1]


def places_of(scores: FloatArray, queries: FloatArray, side: Side = "left") -> IntArray:
    """Return ``numpy.searchsorted(scores, queries, side)``, where the queries rise, too.

    >>> places_of(np.array([0.1, 0.2, 0.2]), np.array([0.0, 0.2, 0.3]), "right").tolist()
    [0, 3, 3]
    """
    found = kernel.places(scores, queries, after=side == "right")
    return np.searchsorted(scores, queries, side) if found is None else found


def tally_of_labels(
    positive: AnyArray,
    scores: FloatArray,
    low: float,
    high: float,
    known: Order | None = None,
    *,
    for_curve: bool = False,
) -> Tally:
    """Count hard labels by distinct score; `low` and `high` are the extreme scores.

    With a `known` order of the scores nothing is sorted. A tally made `for_curve` has the rates of
    its walk at once, if the kernel can write them; it computes the same counts on first use.
    """
    if for_curve and known is None:
        curve = kernel.rates_by_score(positive, scores, low, high)
        if curve is not None:
            return tally_of_rates(*curve)
    counts = None if known is not None else kernel.counts_by_score(positive, scores, low, high)
    if counts is not None:
        thresholds, up, right = counts
        tally = Tally(thresholds[1:], up, right)
        tally.known["thresholds"] = thresholds
        return tally
    sorted_keys = None if known is not None else labelled_keys(positive, scores, low, high)
    if sorted_keys is None:
        order, ordered = order_of(scores) if known is None else known
        return _counted(positive[order].astype(np.int64), ordered)
    keys, code = sorted_keys
    bits = keys[::-1] >> np.int64(1)
    labels = keys[::-1] & np.int64(1)
    return _counted(labels, code.decode(bits))


def _counted(labels: IntArray, scores: FloatArray) -> Tally:
    """Count labels that are in order of decreasing score."""
    last = np.empty(len(scores), dtype=bool)
    last[-1] = True
    np.not_equal(scores[1:], scores[:-1], out=last[:-1])
    if last.all():
        return Tally(scores, labels, 1 - labels)
    ends = np.flatnonzero(last)
    up = np.diff(np.cumsum(labels)[ends], prepend=0)
    return Tally(scores[ends], up, np.diff(ends, prepend=-1) - up)


def tally_of_masses(
    truth: AnyArray,
    weights: FloatArray | None,
    scores: FloatArray,
    known: Order | None = None,
    unit: float = 1.0,
) -> Tally:
    """Add the masses u = w·f and r = w·(1 − f) by distinct score; `known` is their order.

    The weights are in multiples of `unit`.
    """
    found = None if known is not None else kernel.masses_in_order(truth, weights, scores)
    if found is not None:
        ordered, up, right = found
    else:
        order, ordered = order_of(scores) if known is None else known
        share = truth[order].astype(np.float64, copy=False)
        mass = 1.0 if weights is None else weights[order]
        up = share if weights is None else share * mass
        right = mass - up
    items = Tally(ordered, up, right, unit=unit)
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return items if first.all() else items.coarsened(np.flatnonzero(first))
