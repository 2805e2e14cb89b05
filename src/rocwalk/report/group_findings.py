"""What is found in the subgroups: the numbers of each, tests of equal AUC, gaps between them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rocwalk.curves.area import AUC
from rocwalk.curves.rules import OperatingRule
from rocwalk.errors import OneClassError, RocwalkWarning, collecting
from rocwalk.evaluate.study import Study
from rocwalk.evaluate.summary import Numbers, evidence_on, numbers_of
from rocwalk.inference.background_areas import Divided
from rocwalk.inference.group_tests import GroupTest, adjusted_tests, area_test
from rocwalk.inference.items import Evidence
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.inference.subgroups import Subgroups, subgroups_of
from rocwalk.read.tallies import Key
from rocwalk.report.numbers import shown
from rocwalk.tally.tally import Tally
from rocwalk.typing import IntArray

MOST_GROUPS = 60  # whose gaps are compared; each pair is
_REPLICATES = 2_000


@dataclass(frozen=True, eq=False)
class GroupFindings:
    """What is found in the subgroups of a study; a key is a model and the values of a subgroup."""

    study: Study
    level: float
    seed: int
    rule: OperatingRule
    max_fpr: float | None = None

    def numbers(self, key: Key) -> Numbers:
        """Return the numbers of a model in a subgroup."""
        if key not in self._numbers:
            models: Mapping[Key, Tally] = self.study.models or {}
            evidence = self.evidence(key)[0]
            lacks_clusters = evidence.items is None and self.study.question.cluster is not None
            self._numbers[key] = numbers_of(
                evidence,
                models[key[0], ()],
                self.level,
                rule=self.rule,
                max_fpr=self.max_fpr,
                with_intervals=not lacks_clusters,
            )
        return self._numbers[key]

    @cached_property
    def _numbers(self) -> dict[Key, Numbers]:
        return {}

    def evidence(self, key: Key) -> tuple[Evidence, IntArray | None]:
        """Return the evidence on a model in a subgroup, and the cluster of each of its items."""
        parts: Mapping[Key, Tally] = self.study.subgroups or {}
        tally, paired = parts[key], self.study.paired
        if self.study.question.cluster is None or paired is None:
            return evidence_on(self.study, key[0], tally), None
        items, units = paired.items_of_group(key[0], key[1])
        if len(items) != tally.total_count:
            return Evidence(tally), None
        return Evidence(tally, items), units

    @cached_property
    def tests(self) -> dict[Any, GroupTest | None]:
        """Whether the AUC of a model differs between its subgroups, by the names of models.

        Where a model has `gaps`, the test is theirs. Of several models the p-values are adjusted by
        Holm's method.
        """
        found: dict[Any, GroupTest | None] = {}
        for model in dict.fromkeys(key[0] for key in self.study.subgroups or ()):
            if model in self.gaps:
                test = self.gaps[model].equality
                found[model] = None if math.isnan(test.p_value) else test
                continue
            parts = [self.evidence(k) for k in self.study.subgroups or () if k[0] == model]
            with collecting(RocwalkWarning):
                found[model] = area_test(parts)
        return adjusted_tests(found)

    @cached_property
    def gaps(self) -> dict[Any, Subgroups]:
        """Gaps and background areas of the AUC over the subgroups, by the names of models.

        A model is left out if its rows are not in memory, or others than those of all models, if
        fewer than two subgroups have enough items of both classes, or if there are very many.
        """
        found: dict[Any, Subgroups] = {}
        parts: Mapping[Key, Tally] = self.study.subgroups or {}
        for model in dict.fromkeys(key[0] for key in parts):
            groups = [key[1] for key in parts if key[0] == model]
            rows = sum(parts[model, group].total_count for group in groups)
            paired = self.study.paired
            if paired is None or rows != len(paired.truth) or not 2 <= len(groups) <= MOST_GROUPS:
                continue
            labels = [", ".join(map(shown, group)) for group in groups]
            if len(set(labels)) < len(labels):
                labels = list(map(repr, groups))
            codes = paired.group_codes(groups)
            divided = Divided(paired.samples[model], tuple(labels), codes, paired.cluster_codes)
            try:
                with collecting(RocwalkWarning):
                    request = Request(AUC, self.level, "auto", Plan(_REPLICATES, self.seed))
                    found[model] = subgroups_of(divided, request)
            except OneClassError:
                continue
        return found
