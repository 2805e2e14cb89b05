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

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.drift.calibration_map import (
    CalibrationMap,
    Design,
)
from rocwalk.drift.e_process import (
    BLOCK,
    ChangePoint,
    Run,
    WatchSettings,
    WatchState,
    change_point_from,
)
from rocwalk.drift.likelihood_ratios import Null, dependence_of
from rocwalk.drift.reference import (
    Watching,
    other_label,
    read_reference,
    refuse_other_schema,
)
from rocwalk.errors import InputError, OptionError
from rocwalk.read.arrays import Sample, as_array, refuse_beside_tally
from rocwalk.read.frames import Table
from rocwalk.read.times import times_of
from rocwalk.tally.storage import damaged, load_with_settings, save_tallies
from rocwalk.tally.tally import Tally
from rocwalk.typing import AnyArray, ArrayLike, FloatArray, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_ROWS_AT_ONCE = 4096


# -- the watch -------------------------------------------------------------------------------------


WATCH_SCHEMA = 1
_KIND = "drift_watch"


class DriftWatch(Watching[WatchSettings]):
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
        tally, sample = read_reference(
            reference, settings.labels, invalid, sample_weight=sample_weight, truth=truth
        )
        null = Null.of(tally, settings.margin)
        if sample is not None:
            null = replace(null, dependence=_dependence(null, sample, time))
        if other_label(sample) is not None:
            settings = replace(settings, neg_label=other_label(sample))
        self._made(settings, tally, null, not isinstance(reference, Tally))

    def _made(self, settings: WatchSettings, tally: Tally, null: Null, has_order: bool) -> None:
        self._start(tally, settings)
        self._null = null
        self._has_order, self._log_prior = has_order, null.nodes[2]
        self._run = Run(nodes=np.zeros(len(self._log_prior)))
        self._alarms: list[WatchState] = []

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
        sample = self._checked(y_true, y_prob, sample_weight, pos_label, truth, invalid)
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
            known = null.map.design.known
            listed = None if known is None else known.tolist()
            design = {**asdict(null.map.design), "known": listed}
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
        so does one with more than `max_bytes` when unpacked.

        Parameters
        ----------
        path
            The file.
        max_bytes
            The most bytes that the file may have when unpacked. None: no limit.
        """
        parts, found = load_with_settings(path, _KIND, max_bytes)
        refuse_other_schema(found, path, "drift watch", WATCH_SCHEMA)
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
                WatchState(**{**one, "change_point": change_point_from(one["change_point"])})
                for one in found["alarms"]
            ]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise damaged(path, _KIND) from error
        return watch

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the log e-value over the rows since the last restart, alarm and change point.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
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
