"""Models between the worst and the best order that a soft truth allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocwalk.errors import RocwalkError
from rocwalk.front.interval import interval
from rocwalk.front.truth import ReferenceTruth
from rocwalk.intake.arrays import Sample, check
from rocwalk.intake.study import Paired
from rocwalk.page.notes import noted
from rocwalk.page.numbers import unbroken, with_ends
from rocwalk.typing import FloatArray
from rocwalk.uncertainty.summary import Ends
from rocwalk.walk.tally import Tally
from rocwalk.walk.truth import TruthTally, tally_by_truth

TruthEnds = tuple[float | None, float | None]
Placed = tuple[ReferenceTruth, TruthEnds]


def placed_on(
    paired: Paired, tallies: Sequence[Tally], intervals: Sequence[Ends], level: float
) -> list[Placed]:
    """Return each model against its truth, and the ends of the interval of its AUC_PRT."""
    by_truth = tally_by_truth(paired.truth, paired.weights)
    whole = len(by_truth) > 1
    found = []
    for tally, known, scores in zip(tallies, intervals, paired.scores.values(), strict=True):
        own, ends = tally, (known["auc_prt_low"], known["auc_prt_high"])
        if len(paired.truth) != tally.total_count:  # other models lack some of its rows
            own = sample_on(paired, paired.truth, scores).tally()
            ends = _ends(paired, scores, level)
        found.append((ReferenceTruth(TruthTally(own, by_truth)), ends if whole else (None, None)))
    return found


def _ends(paired: Paired, scores: FloatArray, level: float) -> TruthEnds:
    """Return the interval on the rows that all models use, if these are not too few."""
    known: dict[str, Any] = {**paired.options, "truth": "soft", "confidence_level": level}
    try:
        ends, _ = noted(lambda: interval(paired.truth, scores, statistic="auc_prt", **known))
    except RocwalkError:
        return None, None
    return ends.low, ends.high


def sample_on(paired: Paired, truth: FloatArray, scores: FloatArray) -> Sample:
    """Return the items with soft truth; what they are warned of was said when they were read."""
    return noted(lambda: check(truth, scores, sample_weight=paired.weights, truth="soft"))[0]


def prt_words(one: ReferenceTruth, ends: TruthEnds) -> str:
    """Write AUC_PRT with its interval, if there is one."""
    prt, gap, brackets = with_ends(one.auc_prt, *ends).partition(" ")
    return f"{prt}{gap}{unbroken(brackets)}"
