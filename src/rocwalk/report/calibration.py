"""The section on calibration: how far the scores are the probabilities that they claim to be."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.curves.calibration import Blocks, calibration_of
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import few_digits, rate
from rocwalk.tally.walk import spread

_MOST_BLOCKS = 150


def calibration_section(findings: Findings) -> Content | None:
    """Reliability diagrams and losses in three parts, of models whose scores are probabilities."""
    if not findings.probabilities:
        return None
    found = {k: calibration_of(findings.tallies[k]) for k in findings.probabilities}
    most = max(len(one.blocks.value) for one in found.values())
    rows = [
        [findings.names[k], loss]
        + [rate(v) for v in (p.loss, p.uncertainty, p.discrimination, p.miscalibration)]
        for k, one in found.items()
        for loss, p in (("Brier", one.brier), ("Log", one.log_loss))
    ]
    return Content(
        {
            "others": findings.others,
            "sentences": [(findings.names[k], one.sentence) for k, one in found.items()],
            "rows": rows,
            "infinite": any(np.isinf(one.log_loss.loss) for one in found.values()),
            "cut": f"{most:,}" if most > _MOST_BLOCKS else None,
            "most": _MOST_BLOCKS,
        },
        {
            "description": "share of positives by score",
            "models": {str(k): _drawn(one.blocks) for k, one in found.items()},
        },
    )


def _drawn(found: Blocks) -> dict[str, Any]:
    """Return the blocks; of very many only some, spread evenly along the line."""
    kept = np.arange(len(found.value))
    if len(kept) > _MOST_BLOCKS:
        way = found.mean_score + found.value
        way = 2 * (way - way[0]) / (way[-1] - way[0])
        kept = np.unique(spread(way, _MOST_BLOCKS))
    columns = {
        "lowest": found.lowest,
        "highest": found.highest,
        "value": found.value,
        "share": found.share,
    }
    return {name: few_digits(column[kept]) for name, column in columns.items()}
