"""Tallies that sites share in place of rows: agreed buckets and two counts in each.

A `SharedTally` holds the edges of its buckets and the numbers of positives and negatives between
them, and nothing else: no score, no moment, no smallest or largest score. Those of several sites
add up when the sites agreed on the same grid of edges.

* Without `epsilon` no bucket holds fewer than `minimum` items: a site leaves out edges until each
  bucket does. Of all edges that leave enough on both sides, the one whose number is divisible by
  the highest power of two stays, so that sites keep the same edges as far as they can. The sum has
  the edges that all sites kept.
* With `epsilon` every count of the whole grid, the empty ones too, gets noise of its own: k with
  probability (1 − q)/(1 + q)·q^|k|, q = e^(−ε), the two-sided geometric distribution (Ghosh,
  Roughgarden & Sundararajan 2012). Nothing is merged by the raw counts, because that would tell
  something of them. One row more or less changes one count by 1, so that one release is
  ε-differentially private for neighbours that differ by one row added or removed.

The noise is drawn exactly, by integers alone (Canonne, Kamath & Steinke 2020): noise made from
floats can be told apart in its last bits.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import as_number, as_whole
from rocwalk.errors import (
    Argument,
    FileError,
    Option,
    OptionError,
    SeededNoiseWarning,
    TallyError,
    warn,
)
from rocwalk.result import Result
from rocwalk.seeds import generator_of
from rocwalk.tally.storage import absent
from rocwalk.tally.tally import Tally, area_of_steps, read_only
from rocwalk.texts import shown
from rocwalk.typing import BoolArray, FloatArray, IntArray
from rocwalk.writing import text_writer, write_aside

if TYPE_CHECKING:
    from fractions import Fraction

FORMAT, SCHEMA = "rocwalk shared tally", 1
_MOST_BUCKETS = 2**20
_EPSILONS = (0.001, 100.0)
_DIGITS = 10**9  # to which ε is rounded down, so that the sampler's integers stay small
_NOISY = 3.0  # standard deviations of the noise that a merged bucket holds at least

Integers = Callable[[int, int], IntArray]  # so many integers from 0 to below a number


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SharedTally(Result):
    """Counts of positives and negatives between edges, to share in place of rows.

    Make one with `rocwalk.share`. Those of several sites add with ``+`` and `sum`.

    Attributes
    ----------
    grid
        The edges that the sites agreed on, increasing. A bucket holds its lower edge; the last one
        also its upper edge.
    edges
        The edges between which items are counted: those of the grid, or some of them.
    up, right
        The positives and the negatives of each bucket, lowest scores first. With noise they may be
        negative, and stay so in sums.
    minimum
        The number of items that a bucket holds at least.
    epsilons
        The privacy parameter of each site that was added, None for a site without noise.
    is_seeded
        Whether some of the noise was drawn with ``rng=``. Whoever knows the seed can subtract it,
        so that saving such a tally gives a warning. A saved file does not record it.
    """

    grid: FloatArray
    edges: FloatArray
    up: IntArray
    right: IntArray
    minimum: int
    epsilons: tuple[float | None, ...]
    is_seeded: bool = False

    def __post_init__(self) -> None:
        for name in ("grid", "edges", "up", "right"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.up)

    @property
    def sites(self) -> int:
        """The number of sites that were added up."""
        return len(self.epsilons)

    @property
    def is_noised(self) -> bool:
        """Whether the counts have noise."""
        return self.epsilons[0] is not None

    @property
    def noise_variance(self) -> float:
        """The variance of the noise in one count: the sum over sites of 2q/(1 − q)²."""
        return sum(noise_variance(one) for one in self.epsilons if one is not None)

    @property
    def total_up(self) -> int:
        """The number of positives, with its noise."""
        return int(self.up.sum())

    @property
    def total_right(self) -> int:
        """The number of negatives, with its noise."""
        return int(self.right.sum())

    @property
    def area(self) -> float:
        """The area under the walk of all buckets, straight inside each; NaN without both classes.

        It is computed from the counts as they are, negative ones included.
        """
        return area_of_steps(self.up[::-1], self.right[::-1])

    @property
    def bucket_error(self) -> float:
        """How far the order inside the buckets can move the area: Σ_b u_b·r_b / (2·U·R).

        A bound for counts without noise. With noise it is an estimate of that bound, and unbiased,
        because the noise of the two counts of a bucket is independent.
        """
        both = self.total_up * self.total_right
        if not (self.total_up > 0 and self.total_right > 0):
            return math.nan
        return max(float(self.up.astype(np.float64) @ self.right), 0.0) / (2 * both)

    @property
    def privacy_error(self) -> float:
        """The standard deviation of the area that comes from the noise; 0 without noise.

        NaN unless both classes have more than 0 items.
        v·[Σ_b (V⁺_b − A)²/U² + Σ_b (V⁻_b − A)²/R²], to first order, with v the variance of a count.
        """
        if not self.is_noised:
            return 0.0
        if not (self.total_up > 0 and self.total_right > 0):
            return math.nan
        up, right = placements(self)
        size = float(((up - self.area) ** 2).sum()) / self.total_up**2
        size += float(((right - self.area) ** 2).sum()) / self.total_right**2
        return math.sqrt(self.noise_variance * size)

    @property
    def score_error(self) -> float:
        """How far the mean score of a class can be from that of the middles of its buckets."""
        rows = self.tally()
        reach = (rows.highest - rows.scores) / 2
        return max(
            float(reach @ mass) / total
            for mass, total in ((rows.up, rows.total_up), (rows.right, rows.total_right))
        )

    def tally(self) -> Tally:
        """Return the bucketed tally that curves, costs, calibration and drift are computed from.

        Scores count as the middles of their buckets, so that numbers which use them, such as the
        probabilistic AUC, are known to `score_error` only. Buckets of noised counts are merged
        here, after the sum, from the top until each holds at least `minimum` items and three
        standard deviations of its noise, and no negative count. The tally knows the variance of
        the noise in its rows, and errors that are computed from it include the noise.
        """
        starts = self._merged() if self.is_noised else np.arange(len(self))
        cells = np.diff(starts, append=len(self)).astype(np.float64)
        up, right = (np.add.reduceat(counts, starts) for counts in (self.up, self.right))
        low, high = self.edges[starts], np.append(self.edges[starts[1:]], self.edges[-1])
        top = np.append(np.nextafter(high[:-1], -np.inf), high[-1])
        middle = (low + high) / 2
        rows = (low, up, right, top, up * middle, right * middle, cells * self.noise_variance)
        scores, up, right, top, up_score, right_score, noise = (
            column[::-1].copy() for column in rows
        )
        stored = {"highest": top, "up_score": up_score, "right_score": right_score, "noise": noise}
        return Tally(scores, up, right, stored=stored | {"cell_low": scores, "cell_high": top})

    def _merged(self) -> IntArray:
        """Return where the merged buckets of noised counts start."""
        spread = _NOISY * math.sqrt(2 * self.noise_variance)
        starts = [len(self)]
        up = right = 0
        for bucket in range(len(self) - 1, -1, -1):
            up, right = up + int(self.up[bucket]), right + int(self.right[bucket])
            least = max(self.minimum, spread * math.sqrt(starts[-1] - bucket))
            if up >= 0 and right >= 0 and up + right >= least:
                starts.append(bucket)
                up = right = 0
        if starts[-1] > 0:  # what is left at the bottom joins the bucket above it
            starts = [*starts[:-1], 0] if len(starts) > 1 else [len(self), 0]
            while len(starts) > 2 and not self._is_plain(0, starts[-2]):
                del starts[-2]
        if not self._is_plain(0, starts[-2]):
            raise TallyError(
                "The noise is larger than the counts, so that there is no curve.",
                "add up more sites, or agree on fewer buckets or a larger epsilon.",
            )
        return np.array(starts[:0:-1])

    def _is_plain(self, first: int, end: int) -> bool:
        """Whether neither count of these buckets together is negative."""
        return bool(self.up[first:end].sum() >= 0 and self.right[first:end].sum() >= 0)

    # -- adding ------------------------------------------------------------------------------

    def __add__(self, other: object) -> SharedTally:
        if isinstance(other, int) and other == 0:  # for sum()
            return self
        if not isinstance(other, SharedTally):
            return NotImplemented
        if not np.array_equal(self.grid, other.grid):
            raise TallyError(
                f"Shared tallies of different buckets do not add: {len(self.grid) - 1} and "
                f"{len(other.grid) - 1} buckets, or other edges.",
                ("share both with the same ", Option("buckets"), "."),
            )
        if self.is_noised != other.is_noised:
            raise TallyError(
                "A shared tally with noise and one without do not add.",
                ("share all with ", Option("epsilon"), ", or all without."),
            )
        edges = self.edges[np.isin(self.edges, other.edges)]
        own, others = (np.searchsorted(one.edges, edges[:-1]) for one in (self, other))
        up = np.add.reduceat(self.up, own) + np.add.reduceat(other.up, others)
        right = np.add.reduceat(self.right, own) + np.add.reduceat(other.right, others)
        minimum = min(self.minimum, other.minimum)
        epsilons, is_seeded = self.epsilons + other.epsilons, self.is_seeded or other.is_seeded
        return SharedTally(self.grid, edges, up, right, minimum, epsilons, is_seeded)

    __radd__ = __add__

    # -- files -------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the tally to `path` as JSON text, which anyone can read before it leaves."""
        save_shared(path, {"": self})

    @classmethod
    def load(cls, path: str | Path) -> SharedTally:
        """Read a tally that `save` wrote."""
        parts = load_shared(path)
        if list(parts) != [""]:
            raise FileError(
                f"holds the tallies of {len(parts)} scores: {shown(list(parts), 6)}.",
                "read it with `rocwalk merge`.",
                file=str(path),
            )
        return parts[""]

    # -- what every result does --------------------------------------------------------------

    def _headline(self) -> dict[str, Any]:
        return {
            "buckets": len(self),
            "sites": self.sites,
            "positives": self.total_up,
            "negatives": self.total_right,
            "minimum": self.minimum,
            "epsilons": self.epsilons if self.is_noised else None,
            "area": self.area,
            "bucket_error": self.bucket_error,
            "privacy_error": self.privacy_error if self.is_noised else None,
        }

    def _columns(self) -> dict[str, Any]:
        return {
            "low": self.edges[:-1],
            "high": self.edges[1:],
            "up": self.up,
            "right": self.right,
        }


def share(
    tally: Tally,
    *,
    buckets: int | FloatArray = 256,
    minimum: int = 10,
    epsilon: float | None = None,
    rng: Any = None,
) -> SharedTally:
    """Return a tally to share in place of its rows: buckets with two counts each.

    Parameters
    ----------
    tally
        A `Tally` of hard labels without weights. What leaves are the edges of buckets and the
        numbers of positives and of negatives between them.
    buckets
        How many buckets of equal width [0, 1] is cut into, or the edges themselves, increasing,
        from at most the lowest to at least the highest score. All sites must use the same, agreed
        before anyone looks at the rows: edges that follow from the data tell something of them.
    minimum
        The number of items, positives and negatives together, that a bucket holds at least.
        Without `epsilon`, edges are left out until each does. With it, buckets are merged after the
        sum, by the noised counts.
    epsilon
        The privacy parameter ε: every count of the whole grid gets two-sided geometric noise of
        the variance 2q/(1 − q)², q = e^(−ε). The release is ε-differentially private for data
        that differ by one row added or removed. Releases of the same rows add up: two score
        columns, or two groupings that overlap, cost 2ε. A patient with k rows is protected by kε.
    rng
        For simulations and tests: a seed or a `numpy.random.Generator`. Whoever knows the seed can
        subtract the noise, so leave it out for a release; the noise then comes from the operating
        system's source of cryptographic randomness (`os.urandom`), which has no seed to store.
        Saving a tally with seeded noise gives a `SeededNoiseWarning`.

    Returns
    -------
    SharedTally
        With ``+``, ``.tally()`` for curves, costs, calibration and drift, and ``.save(path)``.
        `rocwalk.interval` of it adds the errors of sampling, buckets and noise.

    References
    ----------
    Dwork et al. (2006) for differential privacy; Ghosh, Roughgarden & Sundararajan (2012) for the
    noise; Canonne, Kamath & Steinke (2020) for its exact sampling.

    Examples
    --------
    >>> import rocwalk as rw
    >>> y = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    >>> s = [0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.4, 0.35, 0.2]
    >>> rw.share(rw.tally(y, s), buckets=4, minimum=2)
    SharedTally(buckets=3, sites=1, positives=5, negatives=5, minimum=2, area=0.72, \
bucket_error=0.16)
    """
    if not isinstance(tally, Tally):
        raise OptionError("is not a Tally.", "pass rw.tally(y_true, y_score).", argument="tally")
    if not tally.is_counts or tally.steps != "truth":
        raise TallyError(
            "Only counts can be shared: this tally has soft truth, weights or other steps.",
            "make the tally of hard labels without weights.",
        )
    grid, least = _grid(buckets), as_whole("minimum", minimum, 1)
    count = len(grid) - 1
    bucket, last = (
        np.where(ends == grid[-1], count - 1, np.searchsorted(grid, ends, "right") - 1)
        for ends in (tally.scores, tally.highest)
    )
    outside = np.flatnonzero((bucket < 0) | (last >= count))
    if len(outside):
        raise TallyError(
            f"The score {tally.scores[outside[0]]:g} is outside the buckets, "
            f"{grid[0]:g} to {grid[-1]:g}.",
            (
                "pass edges that hold all scores as ",
                Argument("buckets"),
                ", the same at every site.",
            ),
        )
    if (bucket != last).any():
        raise TallyError(
            "The tally is bucketed, and its buckets are not inside the shared ones.",
            "make the tally without buckets, or agree on edges at which both are cut.",
        )
    up, right = (
        np.bincount(bucket, weights=mass, minlength=count).astype(np.int64)
        for mass in (tally.up, tally.right)
    )
    if epsilon is not None:
        privacy = _epsilon(epsilon)
        noise = two_sided_geometric(privacy, 2 * count, rng)
        own = (float(epsilon),)
        up, right = up + noise[:count], right + noise[count:]
        return SharedTally(grid, grid, up, right, least, own, rng is not None)
    if int(up.sum() + right.sum()) < least:
        raise TallyError(
            (
                f"There are {int(up.sum() + right.sum())} items, fewer than ",
                Option("minimum", least),
                ".",
            ),
            ("share more rows, or lower ", Option("minimum"), "."),
        )
    starts = _kept_edges(up + right, least)
    edges = np.append(grid[starts], grid[-1])
    up, right = (np.add.reduceat(counts, starts) for counts in (up, right))
    return SharedTally(grid, edges, up, right, least, (None,))


def placements(shared: SharedTally) -> tuple[FloatArray, FloatArray]:
    """Return V⁺ and V⁻ of each bucket: the shares of negatives below and of positives above it."""
    below = (np.cumsum(shared.right) - shared.right / 2) / shared.total_right
    above = 1 - (np.cumsum(shared.up) - shared.up / 2) / shared.total_up
    return below, above


def _grid(buckets: Any) -> FloatArray:
    """Return the edges of the agreed buckets."""
    if np.ndim(buckets) == 0:
        count = as_whole("buckets", buckets, 1)
        if count > _MOST_BUCKETS:
            hint = f"pass at most {_MOST_BUCKETS:,}."
            raise OptionError("are too many.", hint, option="buckets", value=buckets)
        return np.arange(count + 1) / count
    try:
        edges = np.asarray(buckets, dtype=np.float64)
    except (TypeError, ValueError):
        edges = np.array([np.nan])
    if (
        edges.ndim != 1
        or len(edges) < 2
        or not np.isfinite(edges).all()
        or (np.diff(edges) <= 0).any()
    ):
        raise OptionError(
            "is neither a number of buckets nor a list of increasing edges.",
            "pass a whole number, or two or more finite, strictly increasing edges.",
            argument="buckets",
        )
    return edges + 0.0


def _kept_edges(items: IntArray, minimum: int) -> IntArray:
    """Return the numbers of the buckets that start a run with at least `minimum` items.

    Of the edges that leave enough items on both sides, the one divisible by the highest power of
    two is kept, and each side is cut in the same way.
    """
    below = np.concatenate(([0], np.cumsum(items)))
    kept, open_runs = [0], [(0, len(items))]
    while open_runs:
        first, end = open_runs.pop()
        low = max(int(np.searchsorted(below, below[first] + minimum)), first + 1)
        high = min(int(np.searchsorted(below, below[end] - minimum, "right")) - 1, end - 1)
        if low <= high:
            shift = (high ^ (low - 1)).bit_length() - 1
            cut = high >> shift << shift
            kept.append(cut)
            open_runs += [(first, cut), (cut, end)]
    return np.sort(np.array(kept, dtype=np.int64))


# -- noise -----------------------------------------------------------------------------------------


def _epsilon(epsilon: Any) -> Fraction:
    """Return ε as the fraction that its decimal digits say, never rounded up."""
    from fractions import Fraction

    value, (least, most) = as_number("epsilon", epsilon), _EPSILONS
    if not least <= value <= most:
        hint = (
            f"pass a number from {least:g} to {most:g}, such as 1; a smaller one is more private."
        )
        raise OptionError("is out of range.", hint, option="epsilon", value=epsilon)
    return Fraction(math.floor(Fraction(repr(value)) * _DIGITS), _DIGITS)


def noise_variance(epsilon: float) -> float:
    """Return the variance 2q/(1 − q)² of the two-sided geometric noise, q = e^(−ε).

    >>> round(noise_variance(1.0), 4)
    1.8413
    """
    return 2 * math.exp(-epsilon) / math.expm1(-epsilon) ** 2


def two_sided_geometric(epsilon: Fraction, size: int, rng: Any = None) -> IntArray:
    """Return exact draws k of P(k) = (1 − q)/(1 + q)·q^|k|, q = e^(−ε), by integers alone.

    With ε = s/t: an integer below t that is accepted with probability e^(−u/t), plus t times the
    successes of e^(−1) before the first failure, divided by s, is geometric; it gets a random
    sign, and negative zeros are drawn again (Canonne, Kamath & Steinke 2020, algorithm 2).
    """
    seeded = None if rng is None else generator_of(rng)

    def integers(below: int, count: int) -> IntArray:
        if seeded is None:
            return _secret_integers(below, count)
        return seeded.integers(below, size=count)

    top, below = epsilon.numerator, epsilon.denominator
    drawn = np.zeros(size, dtype=np.int64)
    todo = np.arange(size)
    while len(todo):
        offset = integers(below, len(todo))
        kept = _with_chance_exp(offset, below, integers)
        todo_now, offset = todo[kept], offset[kept]
        whole, running = np.zeros(len(offset), dtype=np.int64), np.arange(len(offset))
        while len(running):
            running = running[_with_chance_exp(np.ones_like(running), 1, integers)]
            whole[running] += 1
        length = (offset + below * whole) // top
        negative = integers(2, len(length)) == 1
        good = ~negative | (length > 0)
        drawn[todo_now[good]] = np.where(negative, -length, length)[good]
        done = np.zeros(size, dtype=bool)
        done[todo_now[good]] = True
        todo = todo[~done[todo]]
    return drawn


def _with_chance_exp(top: IntArray, below: int, integers: Integers) -> BoolArray:
    """Return for each a Bernoulli draw with the probability e^(−a/b), for a/b from 0 to 1.

    Bernoulli draws of a/b, a/2b, a/3b, … go on until one fails; the number of the one that fails
    is odd with the probability e^(−a/b).
    """
    answer = np.zeros(len(top), dtype=bool)
    running, turn = np.arange(len(top)), 1
    while len(running):
        success = integers(below * turn, len(running)) < top[running]
        answer[running[~success]] = turn % 2 == 1
        running, turn = running[success], turn + 1
    return answer


def _secret_integers(below: int, size: int) -> IntArray:
    """Return integers below a number from the system's source of secrets, all equally likely."""
    limit = (2**63 // below) * below
    drawn = np.frombuffer(os.urandom(8 * size), dtype=np.int64) & (2**63 - 1)
    for again in np.flatnonzero(drawn >= limit):
        drawn[again] = _secret_integers(below, 1)[0]
    return drawn % below


# -- files -----------------------------------------------------------------------------------------


def save_shared(path: str | Path, parts: Mapping[str, SharedTally]) -> None:
    """Write shared tallies by the names of their scores as one file of JSON text.

    A failure leaves an older file untouched. The grid is written once, edges as places in it.
    """
    if any(one.is_seeded for one in parts.values()):
        warn(
            SeededNoiseWarning(
                "The noise of this tally was drawn from a seed, and whoever knows the seed can "
                "subtract it.",
                ("share the tally again without ", Option("rng"), " before you pass the file on."),
            )
        )
    write_aside(path, text_writer(shared_text(parts)))


def shared_text(parts: Mapping[str, SharedTally]) -> str:
    """Return the text of a file of shared tallies."""
    first = next(iter(parts.values()))
    listed = [
        {
            "score": name,
            "edges": np.searchsorted(one.grid, one.edges).tolist(),
            "positives": one.up.tolist(),
            "negatives": one.right.tolist(),
        }
        for name, one in parts.items()
    ]
    head = {
        "format": FORMAT,
        "schema_version": SCHEMA,
        "grid": first.grid.tolist(),
        "minimum": first.minimum,
        "epsilons": list(first.epsilons),
    }
    rows = ",\n    ".join(json.dumps(part) for part in listed)
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    return "\n".join(["{", *lines, f'  "parts": [\n    {rows}\n  ]', "}", ""])


def load_shared(path: str | Path) -> dict[str, SharedTally]:
    """Read the shared tallies of a file, by the names of their scores."""
    try:
        header = json.loads(Path(path).read_text(encoding="utf-8"))
        if header["format"] != FORMAT:
            raise ValueError("another format")
        if header["schema_version"] != SCHEMA:
            raise FileError(
                f"has schema version {header['schema_version']}; this rocwalk reads {SCHEMA}.",
                "read it with the version of rocwalk that wrote it, or upgrade rocwalk.",
                file=str(path),
            )
        grid = _grid(header["grid"])
        epsilons = tuple(header["epsilons"])
        for one in epsilons:
            if (one is None) != (epsilons[0] is None):
                raise ValueError("some counts have noise, others not")
            if one is not None:
                _epsilon(one)
        minimum = as_whole("minimum", header["minimum"], 1)
        parts = {
            str(part["score"]): _loaded(part, grid, minimum, epsilons) for part in header["parts"]
        }
        if not parts or not epsilons or len(parts) < len(header["parts"]):
            raise ValueError("no parts, or two of one name")
        return parts
    except FileNotFoundError as error:
        raise absent(path) from error
    except FileError:
        raise
    except OSError:
        raise
    except Exception as error:  # a file that `save_shared` did not write may raise any of them
        raise FileError(
            "is not a shared tally of rocwalk, or is damaged.",
            "make it with `rocwalk tally` or SharedTally.save, and copy it again if it was cut "
            "short.",
            file=str(path),
        ) from error


def _loaded(
    part: Mapping[str, Any], grid: FloatArray, minimum: int, epsilons: tuple[float | None, ...]
) -> SharedTally:
    """Return one tally of a file; raise ValueError unless it is one that `share` can make."""
    places, up, right = (np.asarray(part[name]) for name in ("edges", "positives", "negatives"))
    if any(column.dtype != np.int64 or column.ndim != 1 for column in (places, up, right)):
        raise ValueError("not lists of whole numbers")
    if not (len(up) == len(right) == len(places) - 1) or (np.diff(places) <= 0).any():
        raise ValueError("other lengths, or edges out of order")
    if places[0] != 0 or places[-1] != len(grid) - 1:
        raise ValueError("edges that are not those of the grid")
    if epsilons[0] is None and (min(up.min(), right.min()) < 0 or (up + right).min() < minimum):
        raise ValueError("counts that nobody shares")
    if epsilons[0] is not None and len(places) != len(grid):
        raise ValueError("noised counts that were merged")
    return SharedTally(grid, grid[places], up, right, minimum, epsilons)
