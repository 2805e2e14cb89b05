"""Run what is missing of the study, and write docs/study.json and its two pictures; see PLAN.md."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path

from .datasets import FULL
from .pictures import draw_selection, draw_thresholds
from .run import PARTS, run
from .summary import merged, summarise

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m study", description=__doc__)
    parser.add_argument("--splits", type=int, default=20, help="how many splits of each set")
    parser.add_argument("--folder", type=Path, default=ROOT / ".study", help="of the results")
    parser.add_argument(
        "--parts", default=",".join(PARTS), help="which parts to run; the tables of others stay"
    )
    given = parser.parse_args()
    parts = [part for part in given.parts.split(",") if part]
    run(FULL, range(given.splits), given.folder, parts, partial(print, flush=True))
    found = summarise(given.folder, FULL, parts)
    if set(parts) < set(PARTS):
        stored = json.loads((DOCS / "study.json").read_text(encoding="utf-8"))
        found = merged(stored, found)
    text = json.dumps(found, indent=1, ensure_ascii=False)
    (DOCS / "study.json").write_text(f"{text}\n", encoding="utf-8")
    draw_selection(found, DOCS / "images" / "study-selection.png")
    draw_thresholds(found, DOCS / "images" / "study-thresholds.png")


if __name__ == "__main__":
    main()
