"""What `rocwalk score` says of raters: how far they agree, and what each is worth."""

from __future__ import annotations

from rocwalk.cli.output import Row
from rocwalk.report.findings import Findings

_NAMES = ("n_items", "n_votes", "n_raters", "split_share", "fleiss_kappa", "krippendorff_alpha")
RATER_HEADERS = {
    "rater": "Rater",
    "votes": "Votes",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
}
_HINT = "Hint: the models are held against the share of votes, which these rates do not enter."


def votes_result(findings: Findings) -> tuple[Row, list[str]]:
    """Return agreement and Dawid and Skene's rates as data, and notes on doubtful fits.

    Without raters there is nothing to say. A single rater has no rates, because there is nobody to
    compare with.
    """
    if findings.votes is None:
        return {}, []
    found = findings.votes[0]
    numbers = found.to_dict()
    words, raters = [found.sentence], []
    doubts: list[str] = []
    if len(found.raters or ()) > 1 and findings.rater_model is not None:
        model, doubts = findings.rater_model
        words.append(model.sentence)
        columns = (model.raters, model.votes, model.sensitivity, model.specificity)
        raters = [
            {"rater": str(name), "votes": int(n), "sensitivity": float(a), "specificity": float(b)}
            for name, n, a, b in zip(*columns, strict=True)
        ]
    votes = {name: numbers[name] for name in _NAMES} | {"raters": raters, "meaning": words}
    return votes, [f"{doubt} {_HINT}" for doubt in doubts]
