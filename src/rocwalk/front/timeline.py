"""`rw.drift_over_time`: windows of a dated table, each against a reference."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import numpy as np

from rocwalk.errors import OptionError, one_of
from rocwalk.front.drift import sample_evidence
from rocwalk.intake.arrays import Sample, check
from rocwalk.intake.frames import GROUP, LABEL, NUMBER, Name, read_table
from rocwalk.intake.study import Paired
from rocwalk.intake.tallies import tallies
from rocwalk.intake.times import shown_moment, times_of, window_cuts
from rocwalk.typing import AnyArray
from rocwalk.uncertainty.drift import DriftQuestion
from rocwalk.uncertainty.evidence import Evidence, refuse_few
from rocwalk.uncertainty.monitor import whole_number
from rocwalk.uncertainty.timeline import DriftTimeline, Window, timeline_of
from rocwalk.walk.tally import Tally

MINIMUM = 20  # positives and negatives that a window needs
_ADJUSTMENTS = ("holm", "bonferroni", "none")


def drift_over_time(
    data: Any,
    *,
    label: Name,
    score: Name,
    time: Name,
    window: int | str = "month",
    reference: Any = None,
    weight: Name | None = None,
    alpha: float = 0.05,
    adjustment: str = "holm",
    minimum: int = MINIMUM,
    fixed_reference: bool = False,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> DriftTimeline:
    """Compare each window of a dated table with a reference.

    Parameters
    ----------
    data
        A dataframe, a dict of columns or files, as for `rocwalk.tallies`.
    label, score, time, weight
        Names of columns. Times are dates, ISO 8601 text, or numbers (with windows by count).
    window
        "day", "week" (from Monday), "month" or "year"; or how many
        rows make a window, in order of time. A last window of fewer rows is kept and said so by its
        number of items.
    reference
        A pair (y_true, y_prob) or a `Tally`; without it the first window is the reference and is
        not looked at itself.
    alpha, adjustment
        The level at which drift is called. "holm" and "bonferroni" hold it over all windows that
        can be decided together; "none" holds it in each window by itself, so that of twenty quiet
        windows one alarms on average.
    minimum
        A window with fewer positives or negatives than this is "undecidable", never fine.
    fixed_reference, pos_label, truth, invalid
        As for `rocwalk.drift`.

    Returns
    -------
    DriftTimeline
        `.windows`, each with `.start .end .items .status .verdict .p_value .adjusted_p_value
        .drift`; `.alarms`, `.drifted`, `.summary`, `.plot()`.

    Examples
    --------
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(1)
    >>> y = (rng.random(4000) < 0.4).astype(int)
    >>> p = 1 / (1 + np.exp(-rng.normal(2 * y - 1)))
    >>> p[3000:] **= 2
    >>> table = {"y": y, "p": p, "day": np.arange(4000)}
    >>> found = rw.drift_over_time(table, label="y", score="p", time="day", window=1000)
    >>> [one.status for one in found.windows]
    ['none', 'none', 'drift']
    """
    one_of("adjustment", adjustment, _ADJUSTMENTS)
    question = DriftQuestion(alpha, fixed_reference)
    roles = {time: GROUP, label: LABEL, score: NUMBER}
    if weight is not None:
        roles[weight] = NUMBER
    table = read_table(data, roles)
    options = {"pos_label": pos_label, "truth": truth, "invalid": invalid}
    tallies(table, score=score, label=label, weight=weight, **options)  # errors name the columns
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # said just now
        sample = check(
            table[label],
            table[score],
            sample_weight=None if weight is None else table[weight],
            probabilities=True,
            **options,
        )
    times = times_of(table, time)
    windows = _windows(sample, times if sample.rows is None else times[sample.rows], window)
    if reference is None:
        if len(windows) < 2:
            raise OptionError(
                "There is one window only, so there is nothing to compare it with.",
                "give reference=, or make windows smaller.",
            )
        base = Evidence(windows[0].tally)
        refuse_few(base)
        windows = windows[1:]
    else:
        base = sample_evidence("reference", reference, None, pos_label, truth, invalid)
    least = whole_number("minimum", minimum, 2)
    return timeline_of(base, windows, question, minimum=least, adjustment=adjustment)


def _windows(sample: Sample, times: AnyArray, window: int | str) -> list[Window]:
    """Cut a sample into windows, in order of time."""
    order = np.argsort(times, kind="stable")
    found = []
    for begin, end in pairwise(window_cuts(times[order], window)):
        rows = order[begin:end]
        first, last = (shown_moment(times[row]) for row in (rows[0], rows[-1]))
        found.append(Window(first, last, sample.take(rows).tally()))
    return found


def timeline_on(
    paired: Paired, model: Name, window: int | str, alpha: float, reference: Tally | None
) -> DriftTimeline:
    """Return the timeline of a model of a study that has times, as `drift_over_time` does."""
    if paired.times is None:
        raise OptionError("The study has no times.", "name the column of times.")
    sample = check(
        paired.truth,
        paired.scores[model],
        sample_weight=paired.weights,
        truth="hard" if paired.is_hard else "soft",
        probabilities=True,
    )
    windows = _windows(sample, paired.times, window)
    base = windows.pop(0).tally if reference is None else reference
    refuse_few(Evidence(base))
    if not windows:
        raise OptionError("There is one window only.", "make windows smaller.")
    question = DriftQuestion(alpha)
    return timeline_of(Evidence(base), windows, question, minimum=MINIMUM, adjustment="holm")
