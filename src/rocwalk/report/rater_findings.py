"""The findings of a study of raters: their votes, agreement and skill, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rocwalk.errors import RocwalkWarning, collecting
from rocwalk.evaluate.study import Study
from rocwalk.typing import BoolArray, IntArray

if TYPE_CHECKING:
    from rocwalk.truth.agreement import Agreement
    from rocwalk.truth.rater_models import RaterModel
    from rocwalk.truth.rater_table import RaterTable
    from rocwalk.truth.votes import Votes

_STEPS = 10**8  # of votes in all iterations of EM; more take too long for a page
_FEWEST_ITERATIONS, _MOST_ITERATIONS = 20, 1000
_LEFT_OUT = 2 * 10**7  # raters times items times models; more take too long for a page


@dataclass(frozen=True, eq=False)
class RaterFindings:
    """What is found in the votes of a study; `names` are those of its models, as they are shown."""

    study: Study
    names: Sequence[str]
    level: float

    @cached_property
    def votes(self) -> tuple[Votes, list[str]] | None:
        """The votes of the raters with the notes on them, if there are any."""
        ballot = self.study.ballot
        if ballot is None:
            return None
        from rocwalk.truth.votes import votes_of

        return noted(lambda: votes_of(ballot))

    @cached_property
    def model(self) -> tuple[RaterModel, list[str]] | None:
        """Dawid and Skene's model of the raters with the notes on it, if there are any."""
        if self.votes is None or self.votes[0].ballot.scale.is_graded:
            return None
        from rocwalk.truth.rater_models import WEAK_PRIOR

        votes = self.votes[0]
        most = _STEPS // int(votes.ballot.totals.sum())
        iterations = min(max(most, _FEWEST_ITERATIONS), _MOST_ITERATIONS)
        model, doubts = noted(lambda: votes.dawid_skene(max_iterations=iterations))
        if not model.weakly_identified:
            return model, doubts
        held, more = noted(lambda: votes.dawid_skene(max_iterations=iterations, prior=WEAK_PRIOR))
        said = f"The rates and the truth of the model shown here have {held.estimate_words}."
        return held, list(dict.fromkeys([*doubts, said, *more]))

    @cached_property
    def agreements(self) -> list[Agreement]:
        """The usual coefficients of agreement with intervals; none where they are undefined."""
        if self.votes is None:
            return []
        from rocwalk.truth.agreement import usual_agreements

        return usual_agreements(self.votes[0], self.level)

    @cached_property
    def table(self) -> tuple[RaterTable, list[str]] | None:
        """Each rater against the rest with what is to be said of it; None without two raters.

        What leaving a rater out does to AUC_PRT is of the items that all models use. It is left out
        if these cannot be found among the votes, or if there are very many of them.
        """
        ballot = self.study.ballot
        if ballot is None or ballot.signed is None or len(ballot.signed.raters) < 2:
            return None
        from rocwalk.truth.rater_table import table_of

        held = self.held_items
        cluster: IntArray | None = None
        models: dict[Any, Any] = {}
        if held is not None and self.study.paired is not None:
            paired = self.study.paired
            models = dict(zip(self.names, paired.scores.values(), strict=True))
            cluster = paired.cluster_codes
        size = len(ballot.signed.raters) * len(ballot.items) * max(len(models), 1)
        if size > _LEFT_OUT:
            models = {}
        whole = held is not None and bool(held.all())
        table, notes = noted(
            lambda: table_of(
                ballot, models if whole else {}, "share", cluster if whole else None, self.level
            )
        )
        if held is not None and models and not whole:
            with collecting(RocwalkWarning):
                some = table_of(ballot.taken(held), models, "share", cluster, self.level)
            table = replace(table, effects=some.effects)
        return table, notes

    @cached_property
    def held_items(self) -> BoolArray | None:
        """Which items of the votes all models use; None if they cannot be found again."""
        study, ballot = self.study, self.study.ballot
        if study.paired is None or ballot is None or study.models is None:
            return None
        kept = np.ones(study.rows_read, dtype=bool)
        for dropped in study.models.dropped_rows.values():
            kept[dropped] = False
        held: BoolArray = kept[ballot.items]
        known = study.paired.truth.astype(np.float64)
        return held if np.array_equal(ballot.truth[held], known) else None


_T = TypeVar("_T")


def noted(work: Callable[[], _T]) -> tuple[_T, list[str]]:
    """Return what some work returns, and what it warns of, without the hints to programmers."""
    with collecting(RocwalkWarning) as given:
        found = work()
    return found, list(dict.fromkeys(one.what for one in given))
