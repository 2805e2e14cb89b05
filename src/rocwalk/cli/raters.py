"""What `rocwalk score` says of raters: how far they agree, and what each is worth."""

from __future__ import annotations

from rocwalk.cli.output import Row
from rocwalk.errors import FitWarning, collecting
from rocwalk.read.votes import Ballot
from rocwalk.truth.agreement import votes_of

_NAMES = ("n_items", "n_votes", "n_raters", "split_share", "fleiss_kappa", "krippendorff_alpha")
RATER_HEADERS = {
    "rater": "Rater",
    "votes": "Votes",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
}
_HINT = "Hint: the models are held against the share of votes, which these rates do not enter."


def votes_result(ballot: Ballot) -> tuple[Row, list[str]]:
    """Return agreement and Dawid and Skene's rates as data, and notes on doubtful fits.

    A single rater has no rates, because there is nobody to compare with.
    """
    with collecting() as given:
        found = votes_of(ballot)
        model = found.dawid_skene() if len(found.raters or ()) > 1 else None
    numbers = found.to_dict()
    words, raters = [found.sentence], []
    if model is not None:
        words.append(model.sentence)
        columns = (model.raters, model.votes, model.sensitivity, model.specificity)
        raters = [
            {"rater": str(name), "votes": int(n), "sensitivity": float(a), "specificity": float(b)}
            for name, n, a, b in zip(*columns, strict=True)
        ]
    doubts = [one.what for one in given if isinstance(one, FitWarning)]
    votes = {name: numbers[name] for name in _NAMES} | {"raters": raters, "meaning": words}
    return votes, [f"{doubt} {_HINT}" for doubt in doubts]
