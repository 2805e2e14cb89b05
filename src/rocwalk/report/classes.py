"""The section on several classes: each against the rest, and all pairs."""

from __future__ import annotations

import numpy as np

from rocwalk.report.document import Content
from rocwalk.report.embedded import drawn
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import level_words, rate, shown, with_ends

_MOST_CURVES, _MOST_PAIRS = 12, 300


def classes_section(findings: Findings) -> Content | None:
    """Each class against the rest, and the classes in pairs; of very many those hardest to tell."""
    areas = findings.classes
    if areas is None:
        return None
    defined = [label for label in areas.walks if not np.isnan(areas.areas[label])]
    hardest = set(sorted(defined, key=areas.areas.__getitem__)[:_MOST_CURVES])
    curves = [
        {"name": shown(label), "auc": rate(areas.areas[label]), **drawn(areas.walks[label])}
        for label in defined
        if label in hardest
    ]
    pairs, cut = list(areas.pairwise.items()), []
    if len(defined) > _MOST_CURVES:
        cut.append(f"Of {len(defined):,} curves the {_MOST_CURVES} of the smallest AUC are drawn.")
    if len(pairs) > _MOST_PAIRS:
        cut.append(f"Of {len(pairs):,} pairs the {_MOST_PAIRS} of the smallest AUC are listed.")
        pairs = sorted(pairs, key=lambda pair: (np.isnan(pair[1]), pair[1]))[:_MOST_PAIRS]
    return Content(
        {
            "classes": [
                (
                    shown(label),
                    rate(areas.prevalence[label]),
                    with_ends(areas.areas[label], *findings.class_ends[label]),
                )
                for label in areas.labels
            ],
            "pairs": [(shown(i), shown(j), rate(x)) for (i, j), x in pairs],
            "cut": " ".join(cut),
            "level": level_words(findings.level),
        },
        {"description": "ROC curve of each class against the rest", "curves": curves},
    )
