"""Chosen thresholds on the terminal: the uncertainty of the choice, and a second sample."""

from __future__ import annotations

from collections.abc import Sequence

from rocwalk.cli.output import Row
from rocwalk.cli.terminal import minus, print_folded, print_table
from rocwalk.curves.best_threshold import best_threshold_of
from rocwalk.curves.rule_on_sample import rule_on
from rocwalk.errors import RocwalkError
from rocwalk.inference.items import refuse_few
from rocwalk.inference.resampling import Plan, Progress
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import threshold as cut_text
from rocwalk.report.numbers import with_ends

_HIDDEN = ("kind", "schema_version")
_RATES = {"tpr": "TPR", "fpr": "FPR", "precision": "Precision"}


def chosen_rows(
    findings: Findings, resamples: int, seed: int, progress: Progress | None = None
) -> list[Row]:
    """Return the threshold of each model with the uncertainty of its choice, or why it has none."""
    rows: list[Row] = []
    for k, name in enumerate(findings.names):
        try:
            plan = Plan(resamples, seed, progress=progress)
            found = best_threshold_of(findings.by_items(k), findings.rule, findings.level, plan)
        except RocwalkError as error:
            rows.append({"model": name, "why_not": error.what})
            continue
        numbers = {key: value for key, value in found.to_dict().items() if key not in _HIDDEN}
        rows.append({"model": name, **numbers, "meaning": found.sentence})
    return rows


def print_chosen(rows: Sequence[Row], *, quiet: bool) -> None:
    """Print how uncertain each choice is, and what its rule does on new data."""
    headers = {"model": "Model", "threshold": "Threshold ≥ (other data)"}
    headers |= {name: f"{title} on new data" for name, title in _RATES.items()}
    written = [
        {
            "model": row["model"],
            "threshold": minus(
                f"{cut_text(row['threshold'])} ({cut_text(row['threshold_low'])} to "
                f"{cut_text(row['threshold_high'])})"
            ),
            **{
                name: with_ends(*(row[f"{name}_{end}"] for end in ("corrected", "low", "high")))
                for name in _RATES
                if f"{name}_low" in row
            },
        }
        for row in rows
        if "threshold" in row
    ]
    if written:
        print_table("The choice of the threshold", headers, written)
    if quiet:
        return
    for row in rows:
        said = row.get("meaning") or f"The choice is not resampled: {row['why_not']}"
        print_folded(f"{row['model']}: {said}")
    if written:
        print_folded(
            "Rates on new data are without the optimism of a choice on the same rows; their "
            "intervals are those of a bootstrap that chooses anew in every replicate."
        )


def second_rows(findings: Findings, second: Findings, seed: int) -> list[Row]:
    """Return what the threshold of each model, found in the first sample, does in the second."""
    rows: list[Row] = []
    for k, name in enumerate(findings.names):
        choice, evidence = findings.numbers[k].summary.choice, second.by_items(k)
        assert choice is not None  # a sample of one class is refused when it is read
        refuse_few(evidence)
        found = rule_on(findings.rule, choice.threshold, evidence, findings.level, Plan(2000, seed))
        row: Row = {"model": name, **found.to_dict()}
        for number, ends in found.table.numbers.items():
            row |= zip((number, f"{number}_low", f"{number}_high"), ends, strict=True)
        rows.append({key: row[key] for key in row if key not in _HIDDEN})
        rows[-1]["meaning"] = found.sentence
    return rows


def print_second(rows: Sequence[Row], file: str, *, quiet: bool) -> None:
    """Print what each rule does in a second sample."""
    titles = {
        "sensitivity": "TPR",
        "specificity": "Specificity",
        "precision": "Precision",
        "value": "Metric",
        "expected_cost": "Expected cost",
    }
    written = [
        {
            "model": row["model"],
            "threshold": minus(cut_text(row["threshold"])),
            **{
                name: with_ends(row[name], row[f"{name}_low"], row[f"{name}_high"]).replace(
                    "-", "−"
                )
                for name in titles
                if name in row
            },
        }
        for row in rows
    ]
    headers = {"model": "Model", "threshold": "Threshold ≥"} | titles
    print_table(f"The same thresholds in {file}", headers, written)
    for row in rows if not quiet else ():
        print_folded(f"{row['model']}, in {file}: {row['meaning']}")
