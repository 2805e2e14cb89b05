"""Watching a stream for drift, with a false alarm rate that holds however often one looks.

The calibration map g of a reference says what P(y = 1 | p) is while the model is unchanged. For
each row the likelihood of y under twenty alternatives to g is divided by its likelihood under the
null hypothesis that is nearest to each. The products of these ratios over rows, mixed over the
alternatives and over the blocks in which a change may begin, are an e-process: they start at 1, and
as long as the null hypothesis holds they ever reach 1/α with probability α at most (Ville 1939).
The distribution of the scores is not modelled. See docs/drift.rst, A watch that may be looked at
any time.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.drift.calibration_map import (
    CalibrationMap,
    Design,
    MapRows,
    design_of,
    expit,
    fit_of,
    grouped,
    squared_residuals,
)
from rocwalk.drift.drift import sample_evidence
from rocwalk.drift.monitor import Settings
from rocwalk.errors import FileError, InputError, OptionError, as_number
from rocwalk.inference.items import evidence_from, refuse_few
from rocwalk.inference.samples import pair_of
from rocwalk.read.arrays import Sample, as_array, check, refuse_beside_tally
from rocwalk.read.frames import Table
from rocwalk.read.labels import Labels, Negative, agreed_labels
from rocwalk.read.times import times_of
from rocwalk.result import Result
from rocwalk.tally.storage import damaged, load_with_settings, save_tallies
from rocwalk.tally.tally import Tally, refuse_other_scores
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, FloatArray, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLOCK = 50  # rows; a change begins with a block
SHIFTS, SLOPES = np.array(  # of the log-odds of the map: the alternatives, one a column
    [(sign * size, 0.0) for size in (0.15, 0.3, 0.5, 0.8, 1.2) for sign in (1, -1)]
    + [(0.0, slope) for slope in (-1.3, -0.9, -0.6, -0.3, 0.4, 0.8)]
    + [(shift, slope) for shift in (0.6, -0.6) for slope in (0.5, -0.5)]
).T
LEVEL = 0.95  # of the set of change points
MOST_BLOCKS = 8192  # that are kept apart; then the older half of them is joined in pairs
_STARTS = 2.109742801  # Σ 1/(n·ln²n) over n = 2, 3, …
_ERRORS = 2.0  # standard errors of the reference on either side of the map
_GRID = np.linspace(-3.0, 3.0, 11)
_LENGTHS, _FEWEST_BLOCKS, _UNUSUAL = (25, 50, 100, 200), 10, 0.05  # of the dependence factor
_LARGEST = 1e250  # of the e-value that is shown; its logarithm has no limit
_ROWS_AT_ONCE = 4096
_LEAST_SLOPE = 1 / 9  # the precision of a slope of which the reference says nothing


# -- likelihood ratios of rows ---------------------------------------------------------------------


def log_likelihood(y: FloatArray, log_odds: FloatArray) -> FloatArray:
    """Return ℓ(y, e) = y·e − log(1 + eᵉ)."""
    found: FloatArray = y * log_odds - np.logaddexp(0.0, log_odds)
    return found


def alternatives(log_odds: FloatArray, centre: float) -> FloatArray:
    """Return the log-odds of the alternatives, h + Δ + r·(h − centre), one row a score."""
    found: FloatArray = log_odds[:, None] + SHIFTS + SLOPES * (log_odds - centre)[:, None]
    return found


def nearest_in_band(others: FloatArray, log_odds: FloatArray, reach: FloatArray) -> FloatArray:
    """Return the log-odds of the band h ± reach that are nearest to those of alternatives.

    The ratio of an alternative's likelihood to that of this edge has an expectation of at most 1
    under every truth in the band: it is 1 at the edge and falls with the distance from it.
    """
    found: FloatArray = np.clip(others, (log_odds - reach)[:, None], (log_odds + reach)[:, None])
    return found


def log_start(block: int) -> float:
    """Return log π_b, the weight of a change in block b = 1, 2, …; the weights add up to 1."""
    return -math.log(_STARTS * (block + 1)) - 2 * math.log(math.log(block + 1))


def log_sum(terms: FloatArray) -> FloatArray:
    """Return log Σexp of each row."""
    top = terms.max(axis=1)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        found: FloatArray = top + np.log(np.exp(terms - top[:, None]).sum(axis=1))
    return found


@dataclass(frozen=True, eq=False)
class Increments:
    """What rows add: to the alternatives, to them against the map, and to the nodes of the null.

    The first is against the edge of the band, or against the map where the null has nodes. `unseen`
    marks rows whose score the reference says nothing of.
    """

    ratios: FloatArray
    against_map: FloatArray
    nodes: FloatArray
    unseen: BoolArray


@dataclass(frozen=True, eq=False)
class Null:
    """What the reference says of P(y = 1 | p), and how well: the null hypothesis of a watch.

    `centre` is the mean of the map's log-odds h, weighted by g(1 − g); `covariance` that of a shift
    of h and of a slope of it; `dependence` the factor φ ≥ 1 that log-likelihoods are divided by.
    """

    map: CalibrationMap
    margin: float
    centre: float
    covariance: FloatArray
    dependence: float = 1.0

    @classmethod
    def of(cls, tally: Tally, margin: float) -> Null:
        """Return the null hypothesis of a reference whose order is not known."""
        data = grouped((tally,))
        design, sample = design_of(data), data.tallies[0]
        rows = MapRows(
            design.columns(sample.scores, data.groups[0]),
            design.offset(sample.scores),
            None,
            sample.up + sample.right,
            sample.up.astype(np.float64),
        )
        fit = fit_of(rows, design.precisions, 0.0, 0)
        squares = squared_residuals(sample, fit.probabilities)
        log_odds, weights = fit.log_odds(rows), fit.weights
        centre = float((weights * log_odds).sum() / weights.sum())
        line = np.column_stack([np.ones(len(log_odds)), log_odds - centre])
        bread = np.linalg.inv(line.T @ (line * weights[:, None]) + np.diag([0.0, _LEAST_SLOPE]))
        covariance: FloatArray = bread.astype(np.float64, copy=False)
        if not tally.is_counts:  # weights and soft truth have another variance than g(1 − g)
            filling = line.T @ (line * squares[:, None]) + np.diag([0.0, _LEAST_SLOPE])
            covariance = bread @ filling @ bread
        calibration = CalibrationMap(design, fit.coefficients, fit.covariance(squares))
        return cls(calibration, margin, centre, covariance)

    @cached_property
    def nodes(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The shifts and slopes of h that the reference allows, and their log-weights.

        A grid of eleven by eleven within three standard errors; none where there is a margin.
        """
        if self.margin > 0:
            nothing = np.zeros(0)
            return nothing, nothing, nothing
        z = np.array([(one, other) for one in _GRID for other in _GRID])
        z = z[(z**2).sum(axis=1) <= _GRID[-1] ** 2]
        shift, slope = (z @ np.linalg.cholesky(self.covariance).T).T
        weight = np.exp(-(z**2).sum(axis=1) / 2)
        return shift, slope, np.log(weight / weight.sum())

    def increments(self, y: FloatArray, scores: FloatArray, weights: FloatArray) -> Increments:
        """Return what rows add, with weights of at most 1."""
        log_odds, error = self.map.at(scores)
        distance = self.map.design.distance(scores)
        times = (weights / self.dependence)[:, None]
        at, truth = log_odds[:, None], y[:, None]
        others = alternatives(log_odds, self.centre)
        plain = log_likelihood(truth, at)
        under = log_likelihood(truth, others)
        against_map = (under - plain) * times
        shift, slope, _ = self.nodes
        if not len(shift):
            reach = _ERRORS * error + self.margin + distance
            edge = nearest_in_band(others, log_odds, reach)
            ratios = (under - log_likelihood(truth, edge)) * times
            return Increments(ratios, against_map, np.zeros((len(y), 0)), np.isinf(distance))
        against_map = against_map * (distance == 0)[:, None]
        around = at + shift + slope * (at - self.centre)
        nodes = (log_likelihood(truth, around) - plain) * times * (distance == 0)[:, None]
        return Increments(against_map, against_map, nodes, np.isinf(distance))


def dependence_of(null: Null, y: FloatArray, scores: FloatArray, weights: FloatArray) -> float:
    """Return φ ≥ 1: how much more the sums of y − g over blocks of time vary than if independent.

    Q = Σ(Σ w(y − g))²/Σw²g(1 − g) over k blocks of 25, 50, 100 and 200 rows, of which there are ten
    at least; φ is the largest Q/k of those where Q is above the 95 % quantile of χ²(k).
    """
    from scipy.special import chdtri

    g = expit(null.map.at(scores)[0])
    residual, variance = weights * (y - g), weights**2 * g * (1 - g)
    found = 1.0
    for length in _LENGTHS:
        k = len(y) // length
        if k < _FEWEST_BLOCKS:
            continue
        sums = residual[: k * length].reshape(k, length).sum(axis=1)
        expected = variance[: k * length].reshape(k, length).sum(axis=1)
        q = float((sums**2 / np.maximum(expected, np.finfo(np.float64).tiny)).sum())
        if q > chdtri(k, _UNUSUAL):
            found = max(found, q / k)
    return found


# -- the change point ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChangePoint(Result):
    """Where a change began: the most likely block of rows, and the 95 % set of blocks.

    `row` is the number of rows before the most likely block, `rows` those before each block of the
    set. `low` and `high` are the first and the last row of these blocks, counted from 0; blocks
    between them need not belong to the set. A block has 50 rows, so a change is placed to 50 rows.
    The set takes the map of the reference as known; after a small change that a small reference
    hardly tells from its own error it holds the right block less often than in 95 %.
    """

    row: int
    low: int
    high: int
    rows: tuple[int, ...]

    def _headline(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("row", "low", "high")}

    def _columns(self) -> dict[str, AnyArray]:
        return {"rows": np.array(self.rows)}


def change_point_of(
    starts: Sequence[int], sums: FloatArray, log_weights: FloatArray, end: int
) -> ChangePoint:
    """Return where a change began, given the sums of log-likelihood ratios of each block.

    The score of a block is log mean exp, over the alternatives, of the sums from this block on; the
    set has the blocks of largest weight times exp score that hold 95 % of the total.
    """
    from_here = np.add.accumulate(sums[::-1])[::-1]
    score = log_sum(from_here) - math.log(sums.shape[1])
    weighed = log_weights + score
    share = np.exp(weighed - log_sum(weighed[None])[0])
    order = np.argsort(-share, kind="stable")
    number = int(np.searchsorted(np.cumsum(share[order]), LEVEL)) + 1
    kept = np.sort(order[:number])
    ends = [*starts[1:], end]
    return ChangePoint(
        row=int(starts[int(score.argmax())]),
        low=int(starts[kept[0]]),
        high=int(ends[kept[-1]]) - 1,
        rows=tuple(int(starts[k]) for k in kept),
    )


# -- the state -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WatchState(Result):
    """What a watch has found after so many rows.

    `e_value` is the evidence, `threshold` the value at which there is an alarm. `alarm` stays until
    `DriftWatch.restart`; `alarm_at` is the number of rows at which it was raised and `change_point`
    where the change began, both None without alarm. Rows are counted from the first that the watch
    took, those before a restart included. `unseen` of them had a score of which the reference says
    nothing and were not used as evidence.
    """

    rows: int
    log_e_value: float
    log_threshold: float
    margin: float
    unseen: int = 0
    alarm_at: int | None = None
    change_point: ChangePoint | None = None

    @property
    def e_value(self) -> float:
        """The evidence of a change, at most 10²⁵⁰; `log_e_value` has no limit."""
        return math.exp(min(self.log_e_value, math.log(_LARGEST)))

    @property
    def threshold(self) -> float:
        """The e-value at which there is an alarm."""
        return math.exp(self.log_threshold)

    @property
    def alarm(self) -> bool:
        """Whether there was an alarm since the last restart."""
        return self.alarm_at is not None

    @property
    def summary(self) -> str:
        """The state in words."""
        unknown = (
            f" {self.unseen:,} rows were no evidence: the reference says nothing of their scores."
            if self.unseen
            else ""
        )
        if self.alarm_at is None or self.change_point is None:
            found = f"the e-value is {self.e_value:.3g}, and {self.threshold:.6g} raises an alarm."
            return f"No alarm in {self.rows:,} rows: {found}{unknown}"
        point = self.change_point
        what = "P(y | p) is no longer that of the reference"
        if self.margin > 0:
            what += f" within its error and a margin of {self.margin:g} in log-odds"
        return (
            f"Alarm after {self.alarm_at:,} rows: {what}. The change began near row {point.row:,} "
            f"(95 % set: rows {point.low:,} to {point.high:,}). Compare the rows since then with "
            f"the reference by rocwalk.drift, which names what has changed.{unknown}"
        )

    def _headline(self) -> dict[str, Any]:
        point = self.change_point
        return {
            "rows": self.rows,
            "e_value": self.e_value,
            "threshold": self.threshold,
            "alarm": self.alarm,
            "alarm_at": self.alarm_at,
            "change_point": None if point is None else point.row,
            "change_point_low": None if point is None else point.low,
            "change_point_high": None if point is None else point.high,
            "unseen": self.unseen,
        }


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """How a watch decides; see `rocwalk.DriftWatch`."""

    alpha: float = 0.05
    margin: float = 0.2
    average_run_length: float | None = None
    pos_label: Any = None
    neg_label: Any = None

    def __post_init__(self) -> None:
        plain = Settings(alpha=self.alpha, pos_label=self.pos_label, neg_label=self.neg_label)
        for key in ("alpha", "pos_label", "neg_label"):
            object.__setattr__(self, key, getattr(plain, key))
        margin = as_number("margin", self.margin)
        if not 0 <= margin < math.inf:
            hint = "pass log-odds of 0 or more, such as 0.2: odds that differ by up to 22 %."
            raise OptionError("is no margin.", hint, option="margin", value=self.margin)
        object.__setattr__(self, "margin", margin)
        if self.average_run_length is not None:
            length = as_number("average_run_length", self.average_run_length)
            if not BLOCK <= length < math.inf:
                raise OptionError(
                    f"is not a number of rows of at least {BLOCK}.",
                    "pass the mean number of rows from one false alarm to the next.",
                    option="average_run_length",
                    value=self.average_run_length,
                )
            object.__setattr__(self, "average_run_length", length)

    @property
    def labels(self) -> Labels | None:
        """The labels of both classes, as far as they are known."""
        return Settings(pos_label=self.pos_label, neg_label=self.neg_label).labels

    @property
    def log_threshold(self) -> float:
        """The logarithm of the e-value at which there is an alarm."""
        if self.average_run_length is None:
            return -math.log(self.alpha)
        return math.log(self.average_run_length / BLOCK + 1)


@dataclass(slots=True, eq=False)
class Run:
    """The evidence since the last restart, after `first` rows that came before it.

    `processes` are the log-products of likelihood ratios, one for each alternative, added up over
    the blocks in which a change may have begun; `nodes` the log-likelihoods of the null's nodes.
    For each closed block there are its start, its sums of log-likelihood ratios against the map,
    its log-weight, and the log e-value at its end. `largest` is the largest weight of a row so far.
    """

    first: int = 0
    rows: int = 0
    unseen: int = 0
    largest: float = 0.0
    begun: int = 0
    used: float = 0.0
    log_e_value: float = -math.inf
    processes: FloatArray = field(default_factory=lambda: np.full(len(SHIFTS), -np.inf))
    nodes: FloatArray = field(default_factory=lambda: np.zeros(0))
    open: FloatArray = field(default_factory=lambda: np.zeros(len(SHIFTS)))
    starts: list[int] = field(default_factory=list)
    sums: list[FloatArray] = field(default_factory=list)
    log_weights: list[float] = field(default_factory=list)
    trace: list[float] = field(default_factory=list)
    alarm_at: int | None = None
    change_point: ChangePoint | None = None

    def add(
        self, found: Increments, log_prior: FloatArray, settings: WatchSettings
    ) -> WatchState | None:
        """Count rows; return the state at the row that raised an alarm, if one did."""
        begin, raised = 0, None
        while begin < len(found.ratios):
            filled = self.rows % BLOCK
            if not filled:
                self._begin(log_prior, settings)
            end = min(begin + BLOCK - filled, len(found.ratios))
            rows = slice(begin, end)
            processes, sums, nodes = (
                np.add.accumulate(np.concatenate([last[None], more[rows]]))[1:]
                for last, more in (
                    (self.processes, found.ratios),
                    (self.open, found.against_map),
                    (self.nodes, found.nodes),
                )
            )
            values = log_sum(processes) - math.log(len(SHIFTS))
            if nodes.shape[1]:
                values = values - log_sum(nodes + log_prior)
            if settings.average_run_length is None:
                values = np.logaddexp(values, math.log1p(-self.used))
            reached = np.flatnonzero(values >= settings.log_threshold)
            if len(reached) and self.alarm_at is None:
                k = int(reached[0]) + 1
                self._place(self.rows + k, sums[k - 1])
                raised = replace(
                    self.state(settings),
                    rows=self.first + self.rows + k,
                    log_e_value=float(values[k - 1]),
                    unseen=self.unseen + int(found.unseen[begin : begin + k].sum()),
                )
            self.processes, self.open, self.nodes = (
                path[-1].copy() for path in (processes, sums, nodes)
            )
            self.log_e_value = float(values[-1])
            self.unseen += int(found.unseen[rows].sum())
            self.rows += end - begin
            if self.rows % BLOCK == 0:
                self._close()
            begin = end
        return raised

    def _begin(self, log_prior: FloatArray, settings: WatchSettings) -> None:
        """Begin a block: a change may begin here."""
        self.begun += 1
        weight = 0.0
        if settings.average_run_length is None:
            weight = log_start(self.begun)
            self.used += math.exp(weight)
        null = float(log_sum((self.nodes + log_prior)[None])[0]) if len(log_prior) else 0.0
        self.processes = np.logaddexp(self.processes, weight + null)
        self.starts.append(self.first + self.rows)
        self.log_weights.append(weight)
        self.open = np.zeros(len(SHIFTS))

    def _close(self) -> None:
        """Close a block; when there are too many, join the older half of them in pairs."""
        self.sums.append(self.open)
        self.trace.append(self.log_e_value)
        if len(self.sums) < MOST_BLOCKS:
            return
        old, pairs = slice(MOST_BLOCKS // 2), range(0, MOST_BLOCKS // 2, 2)
        self.starts[old] = [self.starts[k] for k in pairs]
        self.sums[old] = [self.sums[k] + self.sums[k + 1] for k in pairs]
        weights = self.log_weights
        weights[old] = [float(np.logaddexp(weights[k], weights[k + 1])) for k in pairs]
        self.trace[old] = [self.trace[k + 1] for k in pairs]

    def _place(self, rows: int, open_sums: FloatArray) -> None:
        """Note that there is an alarm after so many rows, and where the change began."""
        sums = np.array([*self.sums, open_sums])
        weights = np.array(self.log_weights)
        self.alarm_at = self.first + rows
        self.change_point = change_point_of(self.starts, sums, weights, self.alarm_at)

    def state(self, settings: WatchSettings) -> WatchState:
        """Return the state after all rows so far."""
        nothing = 0.0 if settings.average_run_length is None else -math.inf
        return WatchState(
            rows=self.first + self.rows,
            log_e_value=self.log_e_value if self.rows else nothing,
            log_threshold=settings.log_threshold,
            margin=settings.margin,
            unseen=self.unseen,
            alarm_at=self.alarm_at,
            change_point=self.change_point,
        )

    def to_plain(self) -> dict[str, Any]:
        """Return all of it as numbers and lists; floats keep every bit."""
        point = self.change_point
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            **{name: getattr(self, name).tolist() for name in _ARRAYS},
            "sums": [one.tolist() for one in self.sums],
            "change_point": None if point is None else asdict(point),
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any], nodes: int) -> Run:
        """Return what `to_plain` has written; raise ValueError if that cannot be."""
        arrays: dict[str, Any] = {name: np.array(plain[name], float) for name in _ARRAYS}
        sums = [np.array(one, dtype=np.float64) for one in plain["sums"]]
        run = cls(
            **{name: plain[name] for name in _PLAIN},
            **arrays,
            sums=sums,
            change_point=_change_point(plain["change_point"]),
        )
        width, blocks = len(SHIFTS), len(sums)
        is_open = run.rows % BLOCK > 0
        whole = (
            all(len(one) == width for one in (run.processes, run.open, *sums))
            and len(run.nodes) == nodes
            and len(run.starts) == len(run.log_weights) == blocks + is_open
            and len(run.trace) == blocks
        )
        if not whole:
            raise ValueError("lengths that no run has")
        return run


_ARRAYS = ("processes", "nodes", "open")
_PLAIN = (
    "first", "rows", "unseen", "largest", "begun", "used", "log_e_value", "starts",
    "log_weights", "trace", "alarm_at",
)  # fmt: skip


def _change_point(plain: Mapping[str, Any] | None) -> ChangePoint | None:
    return None if plain is None else ChangePoint(**{**plain, "rows": tuple(plain["rows"])})


# -- the watch -------------------------------------------------------------------------------------


WATCH_SCHEMA = 1
_KIND = "drift_watch"


class DriftWatch(Result):
    """Watch a stream for drift with a false alarm rate that holds at any number of looks.

    Rows go in one by one or in batches with `update`, in the order in which they arrive; the state
    is the same to the last bit. Each row costs a fixed time. The calibration map of the reference
    says what P(y = 1 | p) is while the model is unchanged. The distribution of the scores is free:
    where the map holds, a change of the population alone is no evidence.

    Parameters
    ----------
    reference
        A pair (y_true, y_prob) in the order of time, or a `Tally` with steps="truth". The order
        serves to estimate how far rows depend on each other (`.dependence`). A tally has no order:
        its rows are taken as independent, φ = 1.
    alpha
        The probability of ever raising a false alarm, at most.
    margin
        How far the log-odds of y may lie from the calibration map, beyond two standard errors of
        the map, without being a change. The default of 0.2 allows odds that differ by up to 22 %.
        With 0 any change counts: more sensitive, but the level holds on average over references,
        not for each of them, and was checked for streams of up to 40 times the rows of the
        reference.
    average_run_length
        In place of `alpha`: the mean number of rows up to a false alarm, at least; n rows raise one
        with a probability of about n/average_run_length at most. Changes late in a long stream are
        then detected as fast as early ones, but there will be false alarms in the end.
    time
        The times of the rows of the reference, dates or numbers, if they are not in order.
    sample_weight
        Weights of the rows of the reference.
    pos_label
        The label of the positive class, in the reference and in all batches; needed unless labels
        are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever the reference holds.
    invalid
        "raise", or "drop" to leave out rows of the reference with a missing or unusable value.

    Notes
    -----
    *With a margin.* The null hypothesis is that for each row, given the rows before it, the
    log-odds of y = 1 lie in the band h(p) ± (2·se(p) + margin), where h are the log-odds of the map
    and se their standard error (sandwich). Under every such truth, also one that moves within
    the band, P(ever an alarm) ≤ alpha, at any number of looks and whenever one stops. Beyond the
    scores of the reference the band is wider by the distance from them, and scores of which the
    reference says nothing (a score of 0 or 1 that it does not have; any other score where it has
    ten distinct scores or fewer) are counted as `unseen` and no evidence. Changes smaller than
    the band are not seen: with the default margin, odds that changed by a factor of 1.3 raised an
    alarm in no simulated stream of 8,000 rows, and log-odds whose slope fell to 0.7 late or never.

    *With margin=0.* The e-value is a Bayes factor of "changed at some block" against "never
    changed", with the map uncertain by a shift and a slope as much as the reference allows. Rows
    beyond the scores of the reference are no evidence.

    *What is assumed of the map.* It is smooth in the log-odds of the score, a natural spline. Where
    P(y | p) of a model jumps from score to score, as with few categories, the band may miss it at
    some scores; a population that moves to these scores then raises an alarm, and `rocwalk.drift`,
    whose map allows for such jumps, tells that from a change.

    *Dependence.* Labels that depend on each other given the scores (one patient twice, an outbreak)
    violate the null hypothesis. All log-likelihoods are divided by φ ≥ 1, estimated from sums over
    blocks of 25 to 200 rows of the reference: a protection against dependence of the kind that the
    reference shows, not a proof. A small reference may not show it.

    *Soft truth and weights.* y may be a probability. A row counts for its weight divided by the
    largest weight so far; weights may depend on the past and on the score, not on y.

    The change point is found at the alarm. After an alarm `restart` begins anew with the same
    reference; `.alarms` keeps all of them. If alarms are followed by restarts, alpha is the
    probability of a false alarm of each run.

    References
    ----------
    Ville (1939); Page (1954) for sums that begin anew at each time; Shiryaev (1963) and Roberts
    (1966) for adding them up; Grünwald, de Heide & Koolen (2024) for the ratio to the nearest null
    hypothesis; Ramdas, Grünwald, Vovk & Shafer (2023); Shin, Ramdas & Rinaldo (2024) for the
    average run length.

    Examples
    --------
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(1)
    >>> p = rng.beta(2, 3, 6000)
    >>> y = (rng.random(6000) < p).astype(int)
    >>> watch = rw.DriftWatch((y[:3000], p[:3000]))
    >>> watch.update(y[3000:4000], p[3000:4000]).alarm
    False
    >>> changed = (rng.random(2000) < p[4000:] ** 3).astype(int)
    >>> state = watch.update(changed, p[4000:])
    >>> state.alarm, state.alarm_at, state.change_point.row
    (True, 1113, 1000)
    """

    def __init__(
        self,
        reference: Any,
        *,
        alpha: float = 0.05,
        margin: float = 0.2,
        average_run_length: float | None = None,
        time: ArrayLike = None,
        sample_weight: ArrayLike = None,
        pos_label: Any = None,
        truth: Truth = "auto",
        invalid: Invalid = "raise",
    ) -> None:
        settings = WatchSettings(alpha, margin, average_run_length, pos_label)
        if isinstance(reference, Tally):
            refuse_beside_tally(None, sample_weight, None, truth)
            if time is not None:
                raise OptionError(
                    "cannot be given together with a Tally.",
                    "a tally has no rows to order: leave it out.",
                    option="time",
                )
            evidence = sample_evidence("reference", reference, None, None, "auto", invalid)
            refuse_few(evidence)
            tally = evidence.tally
            null = Null.of(refuse_other_scores(tally), settings.margin)
        else:
            y_true, y_prob = pair_of("reference", reference, "y_prob")
            sample = check(
                y_true,
                y_prob,
                sample_weight=sample_weight,
                pos_label=settings.labels,
                truth=truth,
                invalid=invalid,
                probabilities=True,
            )
            refuse_few(evidence_from(sample))
            tally = sample.tally()
            null = Null.of(tally, settings.margin)
            null = replace(null, dependence=_dependence(null, sample, time))
            if sample.labels is not None and not isinstance(sample.labels.negative, Negative):
                settings = replace(settings, neg_label=sample.labels.negative)
        self._made(settings, tally, null, not isinstance(reference, Tally))

    def _made(self, settings: WatchSettings, tally: Tally, null: Null, has_order: bool) -> None:
        self._settings, self._reference, self._null = settings, tally, null
        self._labels, self._has_order, self._log_prior = settings.labels, has_order, null.nodes[2]
        self._run = Run(nodes=np.zeros(len(self._log_prior)))
        self._alarms: list[WatchState] = []
        self._lock = threading.RLock()

    @property
    def reference(self) -> Tally:
        """The tally of the reference."""
        return self._reference

    @property
    def settings(self) -> WatchSettings:
        """What the watch was made with."""
        return self._settings

    @property
    def dependence(self) -> float:
        """The factor φ ≥ 1 that log-likelihoods are divided by, from the order of the reference.

        1 for a reference whose rows vary as independent ones do, and for a `Tally`, which has no
        order, so that nothing is known of dependence; see `has_order`.
        """
        return self._null.dependence

    @property
    def has_order(self) -> bool:
        """Whether the reference had an order of time, from which the dependence was estimated."""
        return self._has_order

    @property
    def state(self) -> WatchState:
        """The state after all rows so far."""
        with self._lock:
            return self._run.state(self._settings)

    @property
    def rows(self) -> int:
        """How many rows were counted, those before a restart included."""
        return self.state.rows

    @property
    def e_value(self) -> float:
        """The evidence of a change since the last restart, at most 10²⁵⁰."""
        return self.state.e_value

    @property
    def alarm(self) -> bool:
        """Whether there was an alarm since the last restart."""
        return self.state.alarm

    @property
    def alarm_at(self) -> int | None:
        """The number of rows at which the alarm was raised; None without alarm."""
        return self.state.alarm_at

    @property
    def change_point(self) -> ChangePoint | None:
        """Where the change began that raised the alarm; None without alarm."""
        return self.state.change_point

    @property
    def alarms(self) -> tuple[WatchState, ...]:
        """The states at all alarms, those before a restart included."""
        with self._lock:
            return tuple(self._alarms)

    def update(
        self,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        sample_weight: ArrayLike = None,
        pos_label: Any = None,
        truth: Truth = "auto",
        invalid: Invalid = "raise",
    ) -> WatchState:
        """Count rows in the order of their arrival, one or many, and return the state after them.

        Rows that cannot be read raise and change nothing. Threads may update one watch: each batch
        is counted whole, in the order in which the calls come.

        Parameters
        ----------
        y_true, y_prob
            Labels or soft truth, and probabilities in [0, 1]; columns of at least one row.
        sample_weight
            Weights of the rows, not negative; rows of weight 0 are left out.
        pos_label
            The label of the positive class; needed unless the watch knows it or labels are 0/1,
            −1/1 or booleans. A batch may hold one class only; a third label is refused.
        truth
            "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
        invalid
            "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.
        """
        sample = check(
            y_true,
            y_prob,
            sample_weight=sample_weight,
            pos_label=agreed_labels(self._labels, pos_label, truth),
            truth=truth,
            invalid=invalid,
            probabilities=True,
        )
        y, weights = sample.truth.astype(np.float64), _weights(sample)
        with self._lock:
            run = self._run
            largest = np.maximum.accumulate(np.append(run.largest, weights))[1:]
            for begin in range(0, len(y), _ROWS_AT_ONCE):
                rows = slice(begin, begin + _ROWS_AT_ONCE)
                found = self._null.increments(
                    y[rows], sample.scores[rows], weights[rows] / largest[rows]
                )
                run.largest = float(largest[rows][-1])
                raised = run.add(found, self._log_prior, self._settings)
                if raised is not None:
                    self._alarms.append(raised)
            return run.state(self._settings)

    def restart(self) -> WatchState:
        """Begin anew with the same reference, after an alarm for instance; alarms are kept."""
        with self._lock:
            old = self._run
            self._run = Run(
                first=old.first + old.rows,
                unseen=old.unseen,
                largest=old.largest,
                nodes=np.zeros(len(self._log_prior)),
            )
            return self._run.state(self._settings)

    def save(self, path: str | Path) -> None:
        """Write the watch to an ``.npz`` file: after a kill there is the old one or the new one."""
        with self._lock:
            null = self._null
            design = {**asdict(null.map.design), "known": _listed(null.map.design.known)}
            settings = {
                "schema_version": WATCH_SCHEMA,
                "options": asdict(self._settings),
                "design": design,
                "coefficients": null.map.coefficients.tolist(),
                "map_covariance": null.map.covariance.tolist(),
                "centre": null.centre,
                "covariance": null.covariance.tolist(),
                "dependence": null.dependence,
                "has_order": self._has_order,
                "run": self._run.to_plain(),
                "alarms": [asdict(one) for one in self._alarms],
            }
        save_tallies(path, _KIND, {"reference": self._reference}, settings)

    @staticmethod
    def load(path: str | Path, *, max_bytes: int | None = 2**32) -> DriftWatch:
        """Read a watch that `save` wrote; it continues bit for bit. No pickles are opened.

        A file that was damaged, lacks a column or holds what no watch can have raises FileError;
        so does one with more than `max_bytes` when unpacked (None: no limit).
        """
        parts, found = load_with_settings(path, _KIND, max_bytes)
        version = found.get("schema_version")
        if version != WATCH_SCHEMA:
            raise FileError(
                f"is a drift watch of schema version {version}; this rocwalk reads {WATCH_SCHEMA}.",
                "read it with the version of rocwalk that wrote it, or upgrade rocwalk.",
                file=str(path),
            )
        try:
            settings = WatchSettings(**found["options"])
            design: dict[str, Any] = {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in found["design"].items()
            }
            if design["known"] is not None:
                design["known"] = np.array(design["known"], dtype=np.float64)
            coefficients = np.array(found["coefficients"], dtype=np.float64)
            calibration = CalibrationMap(
                Design(**design),
                coefficients,
                np.array(found["map_covariance"], dtype=np.float64).reshape(
                    (len(coefficients),) * 2
                ),
            )
            null = Null(
                calibration,
                settings.margin,
                float(found["centre"]),
                np.array(found["covariance"], dtype=np.float64).reshape(2, 2),
                float(found["dependence"]),
            )
            watch = object.__new__(DriftWatch)
            watch._made(settings, parts["reference"], null, bool(found["has_order"]))
            watch._run = Run.from_plain(found["run"], len(watch._log_prior))
            watch._alarms = [
                WatchState(**{**one, "change_point": _change_point(one["change_point"])})
                for one in found["alarms"]
            ]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise damaged(path, _KIND) from error
        return watch

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the log e-value over the rows since the last restart, alarm and change point."""
        from rocwalk.drift.plot import draw_watch

        return draw_watch(*self._line(), self.state, ax, **options)

    def _line(self) -> tuple[AnyArray, FloatArray]:
        """Return the numbers of rows at the ends of blocks and now, and the log e-values there."""
        with self._lock:
            run = self._run
            starts = [*run.starts, run.first + run.rows][1 : len(run.trace) + 1]
            if run.rows % BLOCK:
                starts = [*starts, run.first + run.rows]
                return np.array(starts), np.array([*run.trace, run.log_e_value])
            return np.array(starts, dtype=np.int64), np.array(run.trace)

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = threading.RLock()

    def _headline(self) -> dict[str, Any]:
        settings, state = self._settings, self.state
        return {
            **state._headline(),  # noqa: SLF001
            "alarms": len(self.alarms),
            "dependence": self.dependence,
            "margin": settings.margin,
            "alpha": settings.alpha if settings.average_run_length is None else None,
            "average_run_length": settings.average_run_length,
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows, values = self._line()
        return {"rows_so_far": rows, "log_e_values": values} if len(rows) else {}


def _weights(sample: Sample) -> FloatArray:
    """Return the weights of rows as they were given, 1 without."""
    return np.ones(len(sample.scores)) if sample.weights is None else sample.weights * sample.unit


def _listed(column: FloatArray | None) -> list[float] | None:
    return None if column is None else column.tolist()


def _dependence(null: Null, sample: Sample, time: ArrayLike) -> float:
    """Return the dependence factor of a reference, in the order of its rows or of `time`."""
    order: Any = slice(None)
    if time is not None:
        column = as_array(time, "time")
        if len(column) != sample.length:
            raise InputError(
                f"The lengths differ: time has {len(column):,} rows, y_true {sample.length:,}.",
                "pass the time of every row of the reference.",
            )
        times = times_of(Table({"time": column}, "the reference"), "time")
        order = np.argsort(times if sample.rows is None else times[sample.rows], kind="stable")
    y, weights = sample.truth.astype(np.float64)[order], _weights(sample)[order]
    return dependence_of(null, y, sample.scores[order], weights / weights.max())
