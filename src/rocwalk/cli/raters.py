"""Raters in `rocwalk score`: how far they agree, and the accuracy of each."""

from __future__ import annotations

from rocwalk.cli.output import Row
from rocwalk.cli.terminal import print_table
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import rate, signed, with_ends
from rocwalk.result import plain_value

_NAMES = ("n_items", "n_votes", "n_raters", "split_share", "fleiss_kappa", "krippendorff_alpha")
_MODEL = {
    "rater": "Rater",
    "votes": "Votes",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
}
_AGAINST = {
    "rater": "Rater",
    "votes": "Votes",
    "items": "Items",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "kappa": "Schouten's kappa",
}
_RATES = ("sensitivity", "specificity", "kappa")
_HINT = "Hint: the models are held against the share of votes, which these rates do not enter."


def votes_result(findings: Findings) -> tuple[Row, list[str]]:
    """Return agreement, raters against the rest and Dawid and Skene's rates, and notes on doubts.

    Without raters there is nothing to say. A single rater has no rates, because there is nobody to
    compare with.
    """
    if findings.raters.votes is None:
        return {}, []
    found = findings.raters.votes[0]
    numbers = found.to_dict()
    words, raters, prior = [found.sentence], [], None
    words += [one.sentence for one in findings.raters.agreements]
    against: list[Row] = []
    notes: list[str] = []
    if findings.raters.table is not None:
        table, notes = findings.raters.table
        words.append(table.sentence)
        known = table.to_dict()
        held = [key for key, column in known.items() if isinstance(column, list)]
        against = [
            {key: known[key][k] for key in held if key != "effects"}
            | {"auc_prt_changes": {str(e.model): float(e.change[k]) for e in table.effects}}
            for k in range(len(table.raters))
        ]
    doubts: list[str] = []
    if len(found.raters or ()) > 1 and findings.raters.model is not None:
        model, doubts = findings.raters.model
        words.append(model.sentence)
        columns = (model.raters, model.votes, model.sensitivity, model.specificity)
        raters = [
            {"rater": str(name), "votes": int(n), "sensitivity": float(a), "specificity": float(b)}
            for name, n, a, b in zip(*columns, strict=True)
        ]
        prior = plain_value(model.prior)
    votes = {name: numbers[name] for name in _NAMES} | {"reading": found.reading or None}
    votes |= {"agreement": [one.to_dict() for one in findings.raters.agreements]}
    votes |= {"against_the_rest": against, "raters": raters, "prior": prior, "meaning": words}
    return votes, [*notes, *(f"{doubt} {_HINT}" for doubt in doubts)]


def print_raters(votes: Row) -> None:
    """Print each rater against the rest, and the rates of Dawid and Skene's model."""
    against = votes.get("against_the_rest", ())
    if len(against) > 1:
        models = list(against[0]["auc_prt_changes"])
        headers = _AGAINST | {f"without {name}": f"AUC_PRT of {name} without" for name in models}
        rows = []
        for row in against:
            cells: Row = {key: row[key] for key in ("rater", "votes", "items")}
            for key in _RATES:
                cells[key] = with_ends(row[key], row[f"{key}_low"], row[f"{key}_high"])
            for name in models:
                change = row["auc_prt_changes"][name]
                value = row[f"auc_prt_without:{name}"]
                cells[f"without {name}"] = f"{rate(value, 3)} ({signed(change, 3)})"
            rows.append(cells)
        print_table("Raters, each against the rest", headers, rows)
    if len(votes.get("raters", ())) > 1:
        prior = votes["prior"]
        by = "" if prior is None else ", Beta priors"
        print_table(f"Raters, by Dawid and Skene{by}", _MODEL, votes["raters"])
