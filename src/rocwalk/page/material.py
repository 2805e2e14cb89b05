"""What the sections of a page are made from, and what they are made into."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from unicodedata import bidirectional, category

from rocwalk.errors import RocwalkError, RocwalkWarning
from rocwalk.front.compare import compare
from rocwalk.front.drift import drift
from rocwalk.front.timeline import timeline_on
from rocwalk.front.votes import Votes
from rocwalk.intake.study import Paired, Study
from rocwalk.measure.agreement import agreement_of
from rocwalk.measure.classes import ClassAreas, measure_classes
from rocwalk.measure.summary import Summary, summary
from rocwalk.page.bands import band_on
from rocwalk.page.embedding import Embedded, embed
from rocwalk.page.notes import noted
from rocwalk.page.reference import Placed, placed_on
from rocwalk.uncertainty.bands import Edges
from rocwalk.uncertainty.comparison import Comparison
from rocwalk.uncertainty.drift import Drift
from rocwalk.uncertainty.evidence import Evidence
from rocwalk.uncertainty.summary import (
    Ends,
    evidence_on,
    interval_numbers,
    summary_intervals,
)
from rocwalk.uncertainty.timeline import DriftTimeline
from rocwalk.walk.tally import Tally

_LONGEST_NAME = 80
# signs that break lines, turn the direction of reading or are half of a character
_UNSEEN = {"Cc", "Zl", "Zp", "Cs"}
_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@dataclass(frozen=True)
class Content:
    """What a section shows (`context`, for its template) and draws (`data`, for its script).

    The template is that of the section, unless another one is named.
    """

    context: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] | None = None
    template: str | None = None


@dataclass(frozen=True, eq=False)
class Material:
    """A study, and what several sections need of it, computed once.

    Models are lists, never keyed by name: two columns may be shown by the same words. With a
    reference, `known_drifts` may hold what has been found already, by the names of the columns.
    """

    study: Study
    options: Mapping[str, Any]
    seed: int
    level: float = 0.95
    reference: Study | None = None
    known_drifts: Mapping[Any, Drift] = field(default_factory=dict)
    window: int | str = "month"

    @cached_property
    def names(self) -> list[str]:
        """The names of the models, as they are shown."""
        return [shown(name) for name, _ in self.study.models or ()]

    @cached_property
    def tallies(self) -> list[Tally]:
        """The evidence on each model."""
        return list((self.study.models or {}).values())

    @cached_property
    def models(self) -> list[Embedded]:
        """The models as the page carries them."""
        return [embed(name, t) for name, t in zip(self.names, self.tallies, strict=True)]

    @cached_property
    def summaries(self) -> list[Summary]:
        """The numbers of each model."""
        return [summary(tally) for tally in self.tallies]

    @cached_property
    def intervals(self) -> list[Ends]:
        """The ends of the intervals of each model's numbers."""
        named = zip(self.study.models or {}, self.tallies, self.summaries, strict=True)
        return [
            self.ends(evidence_on(self.study, name, tally), one) for (name, _), tally, one in named
        ]

    def ends(self, evidence: Evidence, one: Summary) -> Ends:
        """Return the ends of the intervals of a summary's numbers."""
        return interval_numbers(summary_intervals(evidence, one, self.level))

    @cached_property
    def timelines(self) -> list[DriftTimeline | str]:
        """Each model over time, against the reference or the first window; or why not."""
        paired = self.study.paired
        if paired is None or paired.times is None:
            return []
        models = None if self.reference is None else self.reference.models
        before: dict[Any, Tally] = {} if models is None else dict(models.parts)
        found: list[DriftTimeline | str] = []
        for key in self.study.models or {}:
            try:
                base = before.get(key)
                found.append(timeline_on(paired, key[0], self.window, 1 - self.level, base))
            except RocwalkError as error:
                found.append(f"{error.what[:1].lower()}{error.what[1:]}")
        return found

    @cached_property
    def places(self) -> list[Placed]:
        """Each model between the worst and the best order that a soft truth allows; else none."""
        paired = self.study.paired
        if paired is None or paired.is_hard or not self.models:
            return []
        return placed_on(paired, self.tallies, self.intervals, self.level)

    @cached_property
    def votes(self) -> tuple[Votes, list[str]] | None:
        """The votes of the raters with what is to be said of them, if there are any."""
        ballot = self.study.ballot
        if ballot is None:
            return None
        return noted(lambda: Votes(ballot, agreement_of(ballot.positives, ballot.totals)))

    @cached_property
    def bands(self) -> list[Edges | str]:
        """The simultaneous band of each model's curve, or why there is none."""
        named = zip(self.study.models or {}, self.tallies, strict=True)
        return [
            band_on(self.study, name, tally, self.level, self.seed) for (name, _), tally in named
        ]

    @cached_property
    def comparisons(self) -> list[Comparison] | str:
        """The models in pairs, on the rows that all can use; or why they are not compared.

        In AUC, and where all scores are probabilities in probabilistic AUC. The names in a
        comparison are the places of the models.
        """
        paired = self.study.paired
        if len(self.names) < 2:
            return "there is one model only."
        if paired is None:
            return self.study.why_unpaired
        probabilities = all(one.probabilistic_auc is not None for one in self.summaries)
        try:
            return [
                self._compared(paired, statistic)
                for statistic in ("auc", "probabilistic_auc")[: 1 + probabilities]
            ]
        except RocwalkError as error:
            return f"{error.what[:1].lower()}{error.what[1:]}"

    def _compared(self, paired: Paired, statistic: str) -> Comparison:
        scores = dict(enumerate(paired.scores.values()))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocwalkWarning)  # said when the data were read
            return compare(
                paired.truth,
                scores,
                statistic=statistic,
                confidence_level=self.level,
                **paired.options,
            )

    @cached_property
    def drifts(self) -> dict[int, Drift | str]:
        """What has changed since the reference, by the places of the models; or why not."""
        if self.reference is None or self.reference.models is None:
            return {}
        before = {name: tally for (name, _), tally in self.reference.models.items()}
        named = [name for name, _ in self.study.models or ()]
        return {k: self._drift(name, before[name], self.tallies[k]) for k, name in enumerate(named)}

    def _drift(self, name: Any, before: Tally, now: Tally) -> Drift | str:
        if name in self.known_drifts:
            return self.known_drifts[name]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RocwalkWarning)  # said when the data were read
                return drift(before, now, alpha=round(1 - self.level, 12))
        except RocwalkError as error:
            return f"{error.what[:1].lower()}{error.what[1:]}"

    @cached_property
    def probabilities(self) -> list[int]:
        """The places of the models whose scores are probabilities."""
        return [k for k, one in enumerate(self.summaries) if one.probabilistic_auc is not None]

    @property
    def others(self) -> list[str]:
        """The names of the models whose scores reach outside [0, 1]."""
        return [name for k, name in enumerate(self.names) if k not in self.probabilities]

    @cached_property
    def classes(self) -> ClassAreas | None:
        """The areas of several classes."""
        return None if self.study.classes is None else measure_classes(self.study.classes)


def shown(name: Any) -> str:
    r"""Return a name as it is shown: never blank, never endless, signs that are unseen spelled out.

    >>> shown("forest"), shown(" "), shown("a\u2028b"), len(shown("x" * 10_000))
    ('forest', '“ ”', 'a\\u2028b', 80)
    """
    words = "".join(map(_seen, "missing" if name is None else str(name)))
    if len(words) > _LONGEST_NAME:
        words = f"{words[:54]}…{words[-25:]}"
    visible = any(sign.isprintable() and not sign.isspace() for sign in words)
    return words if visible else f"“{words}”"


def _seen(sign: str) -> str:
    unseen = category(sign) in _UNSEEN or bidirectional(sign) in _TURNING
    return f"\\u{ord(sign):04x}" if unseen else sign
