"""Write the tables of speed in README.md from docs/benchmarks.json, as `make bench` measured them.

    python benchmarks/readme.py

A row names the promises that it shows; a column stands for a run: by the instructions that NumPy
chose itself, and with some of them switched off. A test compares README.md with these tables.
"""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parents[1]
README, MEASURED = ROOT / "README.md", ROOT / "docs" / "benchmarks.json"
START, END = "<!-- speed: written by benchmarks/readme.py -->\n", "<!-- end of speed -->\n"

AUC, CURVE, SORT = "roc_auc_score, 10⁷", "roc, 10⁷", "multiple of numpy.sort"
FASTER = "times faster than scikit-learn"
AREA, WIDTH, BUCKETS = "smeared_area", "matched_width", "10⁸ rows of Parquet, 2¹⁶ buckets"

# words of a table, and of each row the names of its promises
TABLES: dict[str, dict[str, tuple[str, ...]]] = {
    "Ten million rows, 10 % positives": {
        "AUC, times faster than scikit-learn": (f"{AUC}: {FASTER}",),
        "AUC on one thread, times less CPU": (f"{AUC}, one thread, CPU: {FASTER}",),
        "AUC, multiple of `numpy.sort`": (f"{AUC} int64: {SORT}",),
        "curve, times faster: the first of a process / any": (
            f"{CURVE}, first call of a process: {FASTER}",
            f"{CURVE}: {FASTER}",
        ),
        "weights / soft truth, times faster": (
            f"weighted AUC, 10⁷: {FASTER}",
            f"soft truth, 10⁷: {FASTER} weighted",
        ),
        "AUC of 100 rows, times faster": (f"roc_auc_score, 100 rows: {FASTER}",),
    },
    "One million rows, in multiples of `numpy.sort`": {
        "smeared area, uniform: 10 % positives / 50 % / soft truth": (
            f"{AREA}, uniform, 10 % positives: {SORT}",
            f"{AREA}, uniform, 50 % positives: {SORT}",
            f"{AREA}, uniform, soft truth: {SORT}",
        ),
        "smeared area, normal: width 0.1 / any width": (
            f"{AREA}, normal, width 0.1: {SORT}",
            f"{AREA}, normal, any width: {SORT}",
        ),
        "matched width: ordinary / hard / near a tangent / normal": (
            f"{WIDTH}, ordinary scores: {SORT}",
            f"{WIDTH}, the hard case: {SORT}",
            f"{WIDTH}, near a tangent: {SORT}",
            f"{WIDTH}, normal, ordinary scores: {SORT}",
        ),
    },
    "Data larger than memory": {
        "10⁸ rows of Parquet into 2¹⁶ buckets, multiple of a hand-written `GROUP BY`": (
            f"{BUCKETS}: multiple of a GROUP BY by hand",
        ),
        "its peak memory in GB / its certificate in 10⁻⁵": (
            f"{BUCKETS}: peak memory in GB",
            f"{BUCKETS}: certificate in units of 1e-5",
        ),
        "10⁷ rows on a Spark cluster, times faster than Spark's own evaluator": (
            "Spark cluster, 10⁷ rows: times faster than BinaryClassificationEvaluator",
        ),
    },
}


def tables(measured: dict) -> str:
    """Return the tables; a promise that a run did not measure is shown as a dash."""
    runs = [measured, *([measured["switched"]] if "switched" in measured else [])]
    heads = [f"NumPy sorting by {run['machine'].get('numpy_sort', 'default')}" for run in runs]
    rows_of = [{row["name"]: row for row in run["promises"]} for run in runs]
    lines = []
    for title, rows in TABLES.items():
        lines += [f"{title}:", "", f"| | target | {' | '.join(heads)} |"]
        lines += ["|---" * (2 + len(runs)) + "|"]
        for words, names in rows.items():
            limits = " / ".join(limits_of(rows_of, name) for name in names)
            cells = [
                " / ".join(shown(found.get(name), "ratio") for name in names) for found in rows_of
            ]
            lines.append(f"| {words} | {limits} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def limits_of(runs: list[dict], name: str) -> str:
    """Return what is promised, which may depend on how fast NumPy sorts."""
    limits = dict.fromkeys(shown(rows[name], "limit") for rows in runs if name in rows)
    return ", ".join(limits) or "–"


def shown(row: dict | None, column: str) -> str:
    """Return a number with two digits; a promise that was missed is bold."""
    if row is None:
        return "–"
    text = f"{row[column]:.2g}" if row[column] < 100 else f"{row[column]:.0f}"
    return f"**{text}**" if column == "ratio" and not row["kept"] else text


def written(text: str, measured: dict) -> str:
    """Return the text of README.md with its tables of speed replaced."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{tables(measured)}\n{END}{after}"


def main() -> None:
    measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    text = README.read_text(encoding="utf-8")
    README.write_text(written(text, measured), encoding="utf-8")


if __name__ == "__main__":
    main()
