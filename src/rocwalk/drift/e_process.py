"""The e-process of a watch: its settings, its evidence row by row, and the change point.

The products of likelihood ratios over rows, mixed over the alternatives and over the blocks in
which a change may begin, start at 1; as long as the null hypothesis holds they ever reach 1/α with
probability α at most (Ville 1939).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from rocwalk.checks import as_number
from rocwalk.drift.likelihood_ratios import SHIFTS, Increments, log_sum
from rocwalk.drift.reference import LabelSettings
from rocwalk.drift.request import DriftRequest
from rocwalk.errors import OptionError
from rocwalk.result import Result
from rocwalk.typing import AnyArray, FloatArray

BLOCK = 50  # rows; a change begins with a block
LEVEL = 0.95  # of the set of change points
MOST_BLOCKS = 8192  # that are kept apart; then the older half of them is joined in pairs
_STARTS = 2.109742801  # Σ 1/(n·ln²n) over n = 2, 3, …
_LARGEST = 1e250  # of the e-value that is shown; its logarithm has no limit


def log_start(block: int) -> float:
    """Return log π_b, the weight of a change in block b = 1, 2, …; the weights add up to 1."""
    return -math.log(_STARTS * (block + 1)) - 2 * math.log(math.log(block + 1))


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


def change_point_from(plain: Mapping[str, Any] | None) -> ChangePoint | None:
    """Return the change point that was written as plain values."""
    return None if plain is None else ChangePoint(**{**plain, "rows": tuple(plain["rows"])})


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
class WatchSettings(LabelSettings):
    """How a watch decides; see `rocwalk.DriftWatch`."""

    alpha: float = 0.05
    margin: float = 0.2
    average_run_length: float | None = None
    pos_label: Any = None
    neg_label: Any = None

    def __post_init__(self) -> None:
        alpha = float(DriftRequest(self.alpha).alpha)  # raises unless it is a level
        object.__setattr__(self, "alpha", alpha)
        self.keep_labels()
        margin = as_number("margin", self.margin)
        if not 0 <= margin < math.inf:
            hint = "pass log-odds of 0 or more, such as 0.2: odds that differ by up to 22 %."
            raise OptionError(
                "is not a finite number of 0 or more.", hint, option="margin", value=self.margin
            )
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
            change_point=change_point_from(plain["change_point"]),
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
