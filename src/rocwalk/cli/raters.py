"""What `rocwalk score` says of raters: how far they agree, and what each is worth."""

from __future__ import annotations

import warnings

from rocwalk.cli.output import Row
from rocwalk.errors import FitWarning
from rocwalk.read.votes import Ballot
from rocwalk.truth.agreement import Votes, agreement_of
from rocwalk.truth.rater_models import RaterModel

_NAMES = ("n_items", "n_votes", "n_raters", "split_share", "fleiss_kappa", "krippendorff_alpha")
_HINT = "Hint: the models are held against the share of votes, which these rates do not enter."


def votes_result(ballot: Ballot) -> tuple[Row, list[str]]:
    """Return agreement and Dawid and Skene's rates as data, and notes on what is in doubt.

    One rater has nobody to be compared with, and so no rates.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = Votes(ballot, agreement_of(ballot.positives, ballot.totals))
        model = found.dawid_skene() if len(found.raters or ()) > 1 else None
    numbers = found.to_dict()
    raters = [] if model is None else _rates(model)
    words = [found.sentence] if model is None else [found.sentence, model.sentence]
    doubts = [str(one.message) for one in caught if isinstance(one.message, FitWarning)]
    votes = {name: numbers[name] for name in _NAMES} | {"raters": raters, "meaning": words}
    return votes, [f"{doubt.partition(' Hint: ')[0]} {_HINT}" for doubt in doubts]


def _rates(model: RaterModel) -> list[Row]:
    return [
        {"rater": str(name), "votes": int(n), "sensitivity": float(a), "specificity": float(b)}
        for name, n, a, b in zip(
            model.raters, model.votes, model.sensitivity, model.specificity, strict=True
        )
    ]
