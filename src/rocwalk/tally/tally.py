"""The Tally: the sufficient statistic of a ROC curve, one row for each distinct score.

A tally is small, immutable and additive: tallies of parts of the data, made anywhere and in any
order, add up to the tally of the whole. Everything rocwalk computes is a function of it.

Three columns are always stored: the score, the up mass and the right mass. The others are derived
from these where possible and stored where not:

* `count`, `up_squared`, `up_right`, `right_squared` (the item moments Σ1, Σu², Σur, Σr²). Integer
  masses are counts of hard labels, so they follow from the counts. Float masses are those of one
  item a row until two items share a row.
* `highest`, `up_score`, `right_score` (the row's largest score and the first moments Σu·s, Σr·s).
  They follow from the score until a row holds more than one distinct score, that is, until the
  tally is bucketed. A row's `scores` entry is always its smallest score: the threshold at which
  the whole row counts as predicted positive.
* `cell_low`, `cell_high` (the ends of the bucket that the row represents, whichever scores occur
  in it). They are those of the row's own scores unless buckets were defined beforehand. Rows whose
  cells overlap are merged when tallies add, so parts in the same buckets add up to the whole, bit
  for bit.
* `noise` (the variance of the noise in each of the two counts of a row). Only tallies that sites
  have shared have it, and their first moments are those of the middles of their buckets.

Counts add exactly. So do the first moments of buckets of hard labels with scores in [0, 1]: they
are held as two integer limbs a row, Σ⌊s·2²⁶⌋ and the sum of the remainders, each rounded to a whole
number of units of 2⁻⁵².
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.errors import ScoreError, TallyError, UndefinedMetricWarning, warn
from rocwalk.result import Result
from rocwalk.tally.steps import check_threshold, step_rule, turn_masses, turn_squares
from rocwalk.typing import AnyArray, FloatArray, IntArray, MassArray, Steps, StepThreshold

if TYPE_CHECKING:
    from rocwalk.tally.walk import Walk

ITEM_COLUMNS = ("count", "up_squared", "up_right", "right_squared")
SPAN_COLUMNS = ("highest", "up_score", "right_score")
CELL_COLUMNS = ("cell_low", "cell_high")
# units of the first limb of a first moment in 1, and units of the second limb in one of the first
LIMBS = (2.0**26, 2.0**26)


@dataclass(frozen=True, slots=True)
class Late:
    """Counts that are computed on first use; given in place of a column."""

    count: Callable[[], IntArray]
    total: int


class LateColumns:
    """Computes, on first use, the columns that were given as `Late`."""

    __slots__ = ()

    if not TYPE_CHECKING:  # to type checkers every column is there

        def __getattr__(self, name: str) -> AnyArray:
            late = self.known.get(name) if name in {"up", "right"} else None
            if late is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            column = read_only(late.count())
            object.__setattr__(self, name, column)
            return column


def set_columns(owner: Tally | Walk, *names: str) -> None:
    """Make the columns of a frozen owner read-only, and keep late ones for their first use."""
    for name in names:
        column = getattr(owner, name)
        if isinstance(column, Late):
            owner.known[name] = column
            object.__delattr__(owner, name)
        elif column is not None:
            object.__setattr__(owner, name, read_only(column))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Tally(LateColumns, Result):
    """The distinct scores in decreasing order, each with its masses and moments.

    Make one with `rocwalk.tally`. Tallies of the same steps add with ``+`` and `sum`. All masses
    are in multiples of `unit`: 1, or a power of two where weights are so small or so large that
    float64 could not hold their squares. `known` caches what was computed from the tally, such as
    its walk.
    """

    scores: FloatArray
    up: MassArray
    right: MassArray
    steps: str = "truth"
    threshold: float | None = None
    stored: Mapping[str, AnyArray] = field(default_factory=dict)
    unit: float = 1.0
    known: dict[str, Any] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        stored = {name: read_only(column) for name, column in self.stored.items()}
        object.__setattr__(self, "stored", MappingProxyType(stored))
        set_columns(self, "scores", "up", "right")

    def __len__(self) -> int:
        return len(self.scores)

    def __reduce__(self) -> tuple[Any, ...]:
        base = (self.scores, self.up, self.right, self.steps, self.threshold)
        return type(self), (*base, dict(self.stored), self.unit)

    # -- columns -----------------------------------------------------------------------------

    @property
    def is_counts(self) -> bool:
        """Whether the masses are exact counts of hard labels with unit weights."""
        return "up" in self.known or self.up.dtype.kind == "i"

    @property
    def is_bucketed(self) -> bool:
        """Whether some row holds more than one distinct score."""
        return "highest" in self.stored

    @property
    def highest(self) -> FloatArray:
        """The largest score of each row; the same as `scores` unless bucketed."""
        return self.stored.get("highest", self.scores)

    @property
    def cell_low(self) -> FloatArray:
        """The lower end of each row's bucket; the same as `scores` without a layout."""
        return self.stored.get("cell_low", self.scores)

    @property
    def cell_high(self) -> FloatArray:
        """The upper end of each row's bucket; the same as `highest` without a layout."""
        return self.stored.get("cell_high", self.highest)

    @property
    def count(self) -> IntArray:
        """The number of items in each row."""
        if "count" in self.stored:
            return self.stored["count"]
        return self.up + self.right if self.is_counts else np.ones(len(self), dtype=np.int64)

    @property
    def is_shared(self) -> bool:
        """Whether sites have shared the counts: scores are known to their buckets only."""
        return "noise" in self.stored

    @property
    def is_noised(self) -> bool:
        """Whether the counts have noise for privacy."""
        return self.is_shared and bool(self.noise.any())

    @property
    def noise(self) -> FloatArray:
        """The variance of the noise in each of the two counts of a row; 0 without noise."""
        return self.stored["noise"] if self.is_shared else np.zeros(len(self))

    @property
    def up_score(self) -> FloatArray:
        """Σ u·s of each row."""
        return self._first_moment("up_score", self.up)

    @property
    def right_score(self) -> FloatArray:
        """Σ r·s of each row."""
        return self._first_moment("right_score", self.right)

    @property
    def up_squared(self) -> MassArray:
        """Σ u² over the items of each row."""
        return self._item_moment("up_squared", self.up, self.up)

    @property
    def up_right(self) -> MassArray:
        """Σ u·r over the items of each row: the pairs of an item with itself."""
        return self._item_moment("up_right", self.up, self.right)

    @property
    def right_squared(self) -> MassArray:
        """Σ r² over the items of each row."""
        return self._item_moment("right_squared", self.right, self.right)

    def _first_moment(self, name: str, mass: MassArray) -> FloatArray:
        if name not in self.stored:
            return mass * self.scores
        moment = self.stored[name]
        if moment.ndim == 1:
            return moment
        return (moment[:, 0] + moment[:, 1] / LIMBS[1]) / LIMBS[0]

    def _item_moment(self, name: str, one: MassArray, other: MassArray) -> MassArray:
        if name in self.stored:
            return self.stored[name]
        if self.is_counts:  # each item has masses (1, 0) or (0, 1)
            return one if one is other else np.zeros_like(one)
        with np.errstate(over="ignore", under="ignore"):  # weights near the limits of float64
            return one * other

    # -- totals ------------------------------------------------------------------------------

    @property
    def total_up(self) -> float:
        """U, the whole up mass: the number of positives for hard labels."""
        return self._whole("up")

    @property
    def total_right(self) -> float:
        """R, the whole right mass: the number of negatives for hard labels."""
        return self._whole("right")

    def _whole(self, name: str) -> float:
        """Return the sum of a column of masses, which is computed once."""
        late: Late | None = self.known.get(name)
        key = f"total {name}"
        if key not in self.known:
            self.known[key] = _total(getattr(self, name)) if late is None else late.total
        total: float = self.known[key]
        return total

    @property
    def class_masses(self) -> tuple[float, float]:
        """U and R as sums of the weights themselves, whatever the unit."""
        totals = self.total_up, self.total_right
        return totals if self.unit == 1.0 else (totals[0] * self.unit, totals[1] * self.unit)

    @property
    def total_count(self) -> int:
        """The number of items."""
        return int(self.count.sum())

    @property
    def prevalence(self) -> float:
        """U / (U + R); NaN when there is no mass."""
        whole = self.total_up + self.total_right
        return self.total_up / whole if whole else float("nan")

    @property
    def mean_score(self) -> float:
        """Σws / Σw: the class-weighted mean of the two class means; NaN when there is no mass."""
        whole = self.total_up + self.total_right
        total = float(self.up_score.sum() + self.right_score.sum())
        return total / whole if whole else float("nan")

    @property
    def area(self) -> float:
        """The area under the walk, ties and buckets as straight lines; NaN without both masses.

        It is computed once and kept with the tally.
        """
        if "area" not in self.known:
            whole = self.total_up, self.total_right
            self.known["area"] = area_of_steps(self.up, self.right, whole)
        found: float = self.known["area"]
        return found

    @property
    def auc_bounds(self) -> tuple[float, float, float]:
        """The lowest, the middle and the highest area that the rows allow.

        All three are the same for an exact tally. A bucket's pairs are unordered, which leaves
        ± Σ_b (u_b·r_b − Σ_{i∈b} u_i·r_i) / (2·U·R), the sum over rows that span several scores.
        NaN with a warning if a class has no mass.
        """
        middle = self.area
        if math.isnan(middle):
            missing = "positive" if not self.total_up > 0 else "negative"
            warn(
                UndefinedMetricWarning(
                    f"There is no {missing} mass, so the area is undefined and NaN.",
                    "an area needs both classes; add the tallies of all parts first.",
                )
            )
        slack = self.certificate
        return max(middle - slack, 0.0), middle, min(middle + slack, 1.0)

    @property
    def certificate(self) -> float:
        """The largest possible error of `area`: 0 unless bucketed, NaN if undefined."""
        if self.is_bucketed:
            return float(self.unordered.sum()) / 2.0
        return 0.0 if self.total_up > 0 and self.total_right > 0 else math.nan

    @property
    def unordered(self) -> FloatArray:
        """The share of all pairs whose order is unknown in each row; 0 in rows of one score."""
        up, right = self.total_up, self.total_right
        if not (up > 0 and right > 0):
            return np.full(len(self), np.nan)
        pairs = self.up / up * (self.right / right) - self.up_right / up / right
        return np.where(self.highest > self.scores, np.maximum(pairs, 0.0), 0.0)

    @property
    def extremes(self) -> tuple[Tally, Tally]:
        """The two exact tallies whose walks are the lowest and the highest that the rows allow.

        In the lowest each bucket's right mass comes before its up mass, in the highest after it. A
        number that does not decrease when the curve rises, such as a partial area, lies between its
        values for the two. For an exact tally both are the tally itself.
        """
        if not self.is_bucketed:
            return self, self
        return _split_rows(self, up_first=False), _split_rows(self, up_first=True)

    # -- adding, converting, coarsening ------------------------------------------------------

    def __add__(self, other: object) -> Tally:
        if isinstance(other, Tally):
            return Tally.merge([self, other])
        return self if isinstance(other, int) and other == 0 else NotImplemented  # for sum()

    __radd__ = __add__

    @classmethod
    def merge(cls, tallies: Iterable[Tally]) -> Tally:
        """Add any number of tallies at once; quicker than `sum` for many."""
        parts = list(tallies)
        if not parts:
            raise TallyError("There is no tally to merge.", "pass at least one tally.")
        for part in parts[1:]:
            if (part.steps, part.threshold) != (parts[0].steps, parts[0].threshold):
                first, other = (_rule_words(one.steps, one.threshold) for one in (parts[0], part))
                raise TallyError(
                    f"Tallies of different steps do not add: {first} and {other}.",
                    "make both with the same steps and the same threshold; add up the parts "
                    'with steps="truth" first and convert the sum.',
                )
        unit = max(part.unit for part in parts)
        return _combined([part if part.unit == unit else _in_unit(part, unit) for part in parts])

    def turned(self, steps: Steps | None = None, threshold: StepThreshold | None = None) -> Tally:
        """Return the tally by a step rule; only a tally with steps="truth" can be converted.

        Parameters
        ----------
        steps
            "truth", "single", "both" or "blind". Default: the tally's own.
        threshold
            For "both": the score from which an item is predicted positive, a number or "mean" (the
            overall mean score). Default: the tally's own, or 0.5. Other rules ignore it.
        """
        rule = step_rule(self.steps if steps is None else steps)
        check_threshold(threshold)
        frozen = None
        if rule.uses_threshold:
            if threshold is None:
                threshold = 0.5 if self.threshold is None else self.threshold
            frozen = self.mean_score if isinstance(threshold, str) else float(threshold)
        if (rule.name, frozen) == (self.steps, self.threshold):
            return self
        _refuse_turning(self, rule.name, frozen)
        up, right = turn_masses(rule, frozen, self.scores, self.up, self.right)
        squares = (self.up_squared, self.up_right, self.right_squared)
        stored: dict[str, AnyArray] = {}
        if self.is_counts or "count" in self.stored:
            turned = turn_squares(rule, frozen, self.scores, *squares)
            stored = dict(zip(ITEM_COLUMNS, (self.count, *turned), strict=True))
        return Tally(self.scores, up, right, rule.name, frozen, stored, self.unit)

    def bucketed(self, edges: FloatArray) -> Tally:
        """Return a coarser tally: rows between two neighbouring edges become one row.

        A score equal to an edge belongs to the bucket above it. The masses, the item moments and
        the first moments are kept exactly; the order inside a bucket is lost.
        """
        try:
            inner = np.sort(np.asarray(edges, dtype=np.float64).ravel())
        except (TypeError, ValueError):
            inner = np.array([np.nan])
        if np.isnan(inner).any():
            raise TallyError("The edges are not all numbers.", "pass scores as edges.")
        ends = np.concatenate(([-np.inf], inner, [np.inf]))
        bucket = np.searchsorted(inner, self.scores, "right")
        starts = np.flatnonzero(np.diff(bucket, prepend=-1))
        rows = self.coarsened(starts)
        cells = {
            "cell_low": np.minimum(ends[bucket[starts]], rows.scores),
            "cell_high": np.maximum(np.nextafter(ends[bucket[starts] + 1], -np.inf), rows.highest),
        }
        return replace(rows, stored={**rows.stored, **cells})

    def taken(self, rows: AnyArray) -> Tally:
        """Return the tally of some of the rows, by a mask or by their places."""
        stored = {name: column[rows] for name, column in self.stored.items()}
        base = (self.scores[rows], self.up[rows], self.right[rows])
        return Tally(*base, self.steps, self.threshold, stored, self.unit)

    def coarsened(self, starts: IntArray) -> Tally:
        """Return the tally whose rows are the runs of rows that begin at `starts`."""
        return _combined([self], starts)

    # -- what every result does --------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the tally to an ``.npz`` file, which is renamed when it is complete."""
        from rocwalk.tally.storage import save_tallies

        save_tallies(path, "tally", {"score": self})

    @staticmethod
    def load(path: str | Path, *, max_bytes: int | None = 2**32) -> Tally:
        """Read a tally from a file that `save` wrote; no pickles are opened.

        A file that was damaged, lacks a column or holds what no tally can have raises FileError;
        so does one with more than `max_bytes` when unpacked.

        Parameters
        ----------
        path
            The file.
        max_bytes
            The most bytes that the file may have when unpacked. None: no limit.
        """
        from rocwalk.tally.storage import load_tallies

        return load_tallies(path, "tally", max_bytes)["score"]

    def _headline(self) -> dict[str, Any]:
        return {
            "rows": len(self),
            "items": self.total_count,
            "total_up": self.total_up,
            "total_right": self.total_right,
            "steps": self.steps,
            "threshold": self.threshold,
            "bucketed": self.is_bucketed,
            "certificate": self.certificate if self.is_bucketed else None,
            **({} if self.unit == 1.0 else {"unit": self.unit}),
        }

    def _columns(self) -> dict[str, AnyArray]:
        names = ("scores", "up", "right", *ITEM_COLUMNS, *SPAN_COLUMNS)
        return {name: getattr(self, name) for name in names}


# -- units ---------------------------------------------------------------------------------------

_FAR = 300  # binary orders of magnitude from 1 within which squares and sums of weights are safe
_FARTHEST = 1000  # of a unit, so that its reciprocal is a number


def unit_of(largest: float) -> float:
    """Return the unit of masses for the largest of some weights: a power of two, mostly 1.

    >>> unit_of(3.0), unit_of(1e-200) == 2.0**-664, unit_of(5e-324) == 2.0**-1000
    (1.0, True, True)
    """
    exponent = math.frexp(largest)[1]
    if abs(exponent) <= _FAR:
        return 1.0
    return 2.0 ** min(max(exponent, -_FARTHEST), _FARTHEST)


def _in_unit(tally: Tally, unit: float) -> Tally:
    factor = tally.unit / unit
    powers = {"up_squared": 2, "up_right": 2, "right_squared": 2, "up_score": 1, "right_score": 1}
    powers["noise"] = 2
    stored = dict(tally.stored)
    if tally.is_counts:  # whose moments follow from counts, which these masses no longer are
        stored |= {name: getattr(tally, name) for name in ITEM_COLUMNS}
    if tally.is_bucketed:
        stored |= {"up_score": tally.up_score, "right_score": tally.right_score}
    with np.errstate(under="ignore"):  # masses that are negligible in the larger unit
        for name, power in powers.items():
            if name in stored:
                stored[name] = stored[name] * factor**power
        masses = (tally.up * factor, tally.right * factor)
    return Tally(tally.scores, *masses, tally.steps, tally.threshold, stored, unit)


# -- adding rows ---------------------------------------------------------------------------------

_ADDING: Mapping[str, np.ufunc] = {
    "highest": np.maximum,
    "cell_low": np.minimum,
    "cell_high": np.maximum,
}


def _combined(parts: Sequence[Tally], starts: IntArray | None = None) -> Tally:
    """Return one tally of the rows of all parts, each run that begins at one of `starts` merged.

    Without `starts`, rows are merged when they share a score or when their cells overlap.
    """
    order: Any = slice(None)
    if starts is None:
        top = np.concatenate([part.cell_high for part in parts])
        order = np.argsort(-top, kind="stable")
        bottom = np.concatenate([part.cell_low for part in parts])[order]
        lowest_so_far = np.minimum.accumulate(bottom[:-1])
        starts = np.flatnonzero(np.append([True], top[order][1:] < lowest_so_far)[: len(top)])
    highest = np.concatenate([part.highest for part in parts])[order]
    scores = np.concatenate([part.scores for part in parts])[order]
    if len(starts) == len(scores) and len(parts) == 1:
        return parts[0]
    lowest = np.minimum.reduceat(scores, starts)
    # the columns that cannot be derived from the masses of the merged rows
    names = {name for part in parts for name in part.stored}
    counted, merges = [part.is_counts for part in parts], len(starts) < len(scores)
    if not all(counted) and (any(counted) or merges):
        names |= set(ITEM_COLUMNS)
    if merges and (np.maximum.reduceat(highest, starts) > lowest).any():
        names |= set(SPAN_COLUMNS)
    in_limbs = {"up_score", "right_score"} if all(map(_has_limbs, parts)) else set()
    rows = {}
    for name in ("up", "right", *names):
        values = [_limbs(p, name) if name in in_limbs else getattr(p, name) for p in parts]
        rows[name] = _ADDING.get(name, np.add).reduceat(np.concatenate(values)[order], starts)
    up, right = rows.pop("up"), rows.pop("right")
    return Tally(lowest, up, right, parts[0].steps, parts[0].threshold, rows, parts[0].unit)


def _has_limbs(part: Tally) -> bool:
    """Whether the first moments of this tally can be held as integer limbs."""
    if part.is_bucketed:
        return part.stored["up_score"].ndim == 2
    return part.is_counts and (not len(part) or (part.scores[0] <= 1 and part.scores[-1] >= 0))


def _limbs(part: Tally, name: str) -> IntArray:
    """Return a first moment as two integers a row, in units of 2⁻²⁶ and 2⁻⁵²."""
    if name in part.stored:
        return part.stored[name]
    mass = part.up if name == "up_score" else part.right
    units = part.scores * LIMBS[0]
    high = np.floor(units)
    low = np.floor((units - high) * LIMBS[1] + 0.5)  # not rint: engines round halves differently
    return np.stack([mass * high.astype(np.int64), mass * low.astype(np.int64)], axis=1)


def _split_rows(tally: Tally, *, up_first: bool) -> Tally:
    """Return the tally with the two masses of each bucket apart, at its two extreme scores."""
    wide = (tally.highest > tally.scores) & (tally.up > 0) & (tally.right > 0)
    rows = np.repeat(np.arange(len(tally)), np.where(wide, 2, 1))
    first = np.append(True, rows[1:] != rows[:-1])
    apart = wide[rows]
    scores = np.where(apart & first, tally.highest[rows], tally.scores[rows])
    has_up = ~apart | (first == up_first)
    has_right = ~apart | (first != up_first)
    kept = {"count": has_up, "up_squared": has_up, "right_squared": has_right, "up_right": ~apart}
    stored = {}
    if not tally.is_counts:
        stored = {
            name: np.where(kept[name], getattr(tally, name)[rows], 0) for name in ITEM_COLUMNS
        }
    up = np.where(has_up, tally.up[rows], 0)
    right = np.where(has_right, tally.right[rows], 0)
    return Tally(scores, up, right, tally.steps, tally.threshold, stored, tally.unit)


def _refuse_turning(tally: Tally, steps: str, threshold: float | None) -> None:
    """Raise unless the tally can be converted to other steps."""
    if tally.steps != "truth":
        own, asked = _rule_words(tally.steps, tally.threshold), _rule_words(steps, threshold)
        raise TallyError(
            f"A tally of {own} cannot be converted to {asked}.",
            'keep the tally with steps="truth"; it can be converted to every other rule.',
        )
    if tally.is_bucketed:
        raise TallyError(
            "needs the exact scores, and this tally is bucketed.",
            "convert the tally before it is bucketed, or make it without buckets: in "
            "rocwalk.tallies, raise limit=.",
            option="steps",
            value=steps,
        )
    if len(tally) and not (tally.scores[0] <= 1 and tally.scores[-1] >= 0):
        outside = tally.scores[0] if tally.scores[0] > 1 else tally.scores[-1]
        raise TallyError(
            f"needs scores that are probabilities; this tally has {outside:g}.",
            "map the scores to [0, 1] first, for instance by calibrating the model.",
            option="steps",
            value=steps,
        )


def _rule_words(steps: str, threshold: float | None) -> str:
    at = "" if threshold is None else f" at threshold {threshold!r}"
    return f"steps={steps!r}{at}"


def read_only(column: AnyArray) -> AnyArray:
    """Return a read-only view; the caller's own array stays writable."""
    view = column.view()
    view.flags.writeable = False
    return view


def _total(mass: MassArray) -> float:
    return int(mass.sum()) if mass.dtype.kind == "i" else float(mass.sum())


_LIMIT_OF_INT64 = 2**62
_BLOCK = 2**13  # rows that stay in the cache, and too few for the threads of a BLAS


def area_of_steps(
    up: MassArray,
    right: MassArray,
    whole: tuple[float, float] | None = None,
    heights: MassArray | None = None,
) -> float:
    """Return Σ_b r_b·(2·(mass of u above b) + u_b) / (2UR), the area under steps; NaN without mass.

    `whole` is (U, R) and `heights` are 2·(mass of u above b) + u_b, where they are known.

    Exact for counts as long as the sum fits into 62 bits. Float masses are divided by their totals
    first, so that neither very small nor very large weights spoil the products.
    """
    total_up, total_right = (_total(up), _total(right)) if whole is None else whole
    if not (total_up > 0 and total_right > 0):
        return math.nan
    pairs = 2 * total_up * total_right
    is_exact = up.dtype.kind == "i" and right.dtype.kind == "i" and pairs < _LIMIT_OF_INT64
    if is_exact and heights is not None:
        return float((heights @ right).item() / pairs)
    above, parts = 0, []
    for start in range(0, len(up), _BLOCK):
        ups, rights = up[start : start + _BLOCK], right[start : start + _BLOCK]
        if not is_exact:
            ups, rights = ups / total_up, rights / total_right
        heights = np.cumsum(ups)
        heights += above
        above = heights[-1]
        heights *= 2
        heights -= ups
        parts.append((heights @ rights).item())
    return sum(parts) / pairs if is_exact else math.fsum(parts) / 2.0


def in_unit_range(tally: Tally) -> bool:
    """Whether all scores lie in [0, 1]."""
    return not len(tally) or bool(tally.highest[0] <= 1 and tally.scores[-1] >= 0)


def refuse_other_scores(tally: Tally) -> Tally:
    """Return the tally, or raise if a score lies outside [0, 1]."""
    if not in_unit_range(tally):
        outside = tally.highest[0] if tally.highest[0] > 1 else tally.scores[-1]
        raise ScoreError(
            f"has the score {outside:g}, outside [0, 1].",
            "this needs probabilities: calibrate the scores or map them to [0, 1] first.",
            subject="The tally",
        )
    return tally
