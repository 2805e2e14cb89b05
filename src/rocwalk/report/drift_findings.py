"""What is found in later data against a reference, and in windows of time, for each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocwalk.drift.request import DriftRequest
from rocwalk.errors import RocwalkError, collecting
from rocwalk.evaluate.study import Study, timeline_on
from rocwalk.evaluate.summary import evidence_on
from rocwalk.inference.items import Evidence, refuse_few
from rocwalk.tally.tally import refuse_other_scores

if TYPE_CHECKING:
    from rocwalk.drift.drift import Drift
    from rocwalk.drift.timeline import DriftTimeline


@dataclass(frozen=True, eq=False)
class DriftFindings:
    """What has changed since the reference, if there is one, and over the windows of time.

    `evidence` is that on the models of the study, in their order; `known` may hold what has been
    found already, by the names of the columns.
    """

    study: Study
    evidence: Sequence[Evidence]
    reference: Study | None
    known: Mapping[Any, Drift]
    window: int | str
    request: DriftRequest

    @cached_property
    def models(self) -> dict[int, Drift | str]:
        """What has changed since the reference, by the places of the models; or why not."""
        if self.reference is None or self.reference.models is None:
            return {}
        from rocwalk.drift.drift import drift_of

        before = self._before
        found: dict[int, Drift | str] = {}
        for k, (name, _) in enumerate(self.study.models or ()):
            try:
                with collecting():  # given when they were read
                    refuse_other_scores(before[name].tally)
                    refuse_other_scores(self.evidence[k].tally)
                    refuse_few(before[name])
                    found[k] = self.known.get(name) or drift_of(
                        before[name], self.evidence[k], self.request
                    )
            except RocwalkError as error:
                found[k] = error.what
        return found

    @cached_property
    def _before(self) -> dict[Any, Evidence]:
        """The evidence of the reference on each model, by the names of the columns."""
        if self.reference is None or self.reference.models is None:
            return {}
        models = self.reference.models.items()
        return {name: evidence_on(self.reference, name, tally) for (name, _), tally in models}

    @cached_property
    def timelines(self) -> list[DriftTimeline | str]:
        """Each model over time, against the reference or the first window; or why not."""
        paired = self.study.paired
        if paired is None or paired.times is None:
            return []
        found: list[DriftTimeline | str] = []
        for name, _ in self.study.models or {}:
            try:
                base = self._before.get(name)
                found.append(timeline_on(paired, name, self.window, self.request, base))
            except RocwalkError as error:
                found.append(error.what)
        return found
