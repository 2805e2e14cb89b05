"""The section on a truth that is a probability: the best and the worst order of the items."""

from __future__ import annotations

from typing import Any

from rocwalk.evaluate.study import Paired
from rocwalk.report.document import Content
from rocwalk.report.embedded import points_of
from rocwalk.report.findings import Findings, TruthEnds
from rocwalk.report.numbers import (
    level_words,
    rate,
    unbroken,
    with_ends,
)
from rocwalk.truth.reference_truth import ReferenceTruth

_POINTS = 300


def truth_section(findings: Findings) -> Content | None:
    """The region that a soft truth leaves open with the curves in it."""
    if not findings.models or not (findings.places or findings.raters.votes):
        return None
    region: dict[str, Any] = {"words": None, "drawn": None}
    if findings.places and findings.study.paired is not None:
        region = _region(findings, findings.study.paired)
    context = {"level": level_words(findings.level), "region": region["words"]}
    return Content(context, {"region": region["drawn"]})


def prt_words(one: ReferenceTruth, ends: TruthEnds) -> str:
    """Write AUC_PRT with its interval, if there is one."""
    prt, gap, brackets = with_ends(one.auc_prt, *ends).partition(" ")
    return f"{prt}{gap}{unbroken(brackets)}"


def _region(findings: Findings, paired: Paired) -> dict[str, Any]:
    """Return the region and the curves in it, in words and for drawing."""
    found, read = findings.places, findings.study.rows_read
    first, rows = found[0][0], len(paired.truth)
    named = list(zip(findings.names, found, strict=True))
    return {
        "words": {
            "rows": f"{rows:,} of {read:,}" if rows < read else None,
            "highest": rate(1 - first.aapcc),
            "lowest": rate(first.auwcc),
            "alike": len(first.evidence.by_truth) < 2,
            "table": [
                [name, rate(one.auc), rate(one.expected_auc), prt_words(one, ends), rate(one.aapcc)]
                for name, (one, ends) in named
            ],
            "costs": [
                [
                    name,
                    *map(rate, (one.h_measure, one.h_prt, one.cost_area, one.cost_area_prt)),
                ]
                for name, (one, _) in named
            ],
            "printed": [(name, rate(one.auc_prt_printed)) for name, (one, _) in named],
        },
        "drawn": {
            "description": "ROC curves between the worst and the perfect order",
            "worst": points_of(first.worst.walk, _POINTS),
            "perfect": points_of(first.perfect.walk, _POINTS),
            "curves": [points_of(one.curve.walk, _POINTS) for one, _ in found],
            "values": [f"AUC_PRT {rate(one.auc_prt)}" for one, _ in found],
        },
    }
