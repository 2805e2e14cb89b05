"""Run the study; see PLAN.md."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from .datasets import FULL
from .run import PARTS, run

ROOT = Path(__file__).parents[2]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m study", description=__doc__)
    parser.add_argument("--splits", type=int, default=20, help="how many splits of each set")
    parser.add_argument("--folder", type=Path, default=ROOT / ".study", help="of the results")
    parser.add_argument("--parts", default=",".join(PARTS), help="which parts to run")
    given = parser.parse_args()
    parts = given.parts.split(",")
    run(FULL, range(given.splits), given.folder, parts, partial(print, flush=True))


if __name__ == "__main__":
    main()
