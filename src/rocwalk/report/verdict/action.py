"""What to do: claims on the operating rule in force, and what it costs."""

from __future__ import annotations

from collections.abc import Callable

from rocwalk.curves.best_threshold import BestThreshold
from rocwalk.curves.rules import price_words
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import between, outward, rate, signed, threshold, unbroken, with_ends
from rocwalk.report.verdict.claims import ACTION, DOUBTS, LIMITS, Claim, called, share_words

_Advice = tuple[int, BestThreshold]


def advice(findings: Findings) -> _Advice | None:
    """Return the model to act by, with its threshold.

    Of the models whose rule is not shown to save less on new data than the rule that saves most,
    it is the one that ranks best: a lead within the noise does not outweigh the ranking.
    """
    known = {k: one for k, one in enumerate(findings.chosen) if isinstance(one, BestThreshold)}
    if not known:
        return None
    most = max(one.saved.corrected for one in known.values())
    open_ones = [k for k, one in known.items() if max(one.saved.high, one.saved.corrected) >= most]
    best = max(open_ones, key=lambda k: (findings.summaries[k].auc, known[k].saved.corrected, -k))
    return best, known[best]


def _although(findings: Findings, found: _Advice) -> str:
    """Say why the advice names another model than the one that ranks best, where it does."""
    k, one = found
    areas = [summary.auc for summary in findings.summaries]
    first = max(range(len(areas)), key=lambda j: (areas[j], -j))
    other = findings.chosen[first]
    if areas[k] == areas[first] or not isinstance(other, BestThreshold):
        return ""
    what = "TPR − FPR" if findings.rule.costs is None else "saving per item"
    ours, theirs = (rate(x.saved.corrected, 3) for x in (one, other))
    return (
        f" {called(findings, first)} ranks best, but its rule is worth less on new data: "
        f"{what} {theirs}, here {ours}."
    )


def _is_trivial(one: BestThreshold) -> bool:
    """Whether the best rule of all calls every item positive, or none."""
    return one.choice.tpr == one.choice.fpr and one.choice.fpr in (0.0, 1.0)


def _when(holds: Callable[[Findings, BestThreshold], bool]) -> Callable[[Findings], _Advice | None]:
    """Return a condition on the advice."""

    def found(findings: Findings) -> _Advice | None:
        one = advice(findings)
        return one if one is not None and holds(findings, one[1]) else None

    return found


def _is_better(findings: Findings, one: BestThreshold) -> bool:
    """Whether the rule is given, or shown to be better than calling everyone or no one."""
    return not findings.rule.is_chosen or (one.is_worthwhile and not _is_trivial(one))


def _cut(findings: Findings, found: _Advice) -> str:
    """Write from where items are called positive, by which model, and how uncertain that is."""
    k, one = found
    low, high = one.choice.interval
    first = "Call" if len(findings.names) == 1 else f"With {called(findings, k)}, call"
    words = f"{first} positive from {threshold(high, low)}"
    low, high = one.threshold_interval
    if not low < high:
        return words
    return f"{words} ({between(outward(low, -1), outward(high, 1))})"


def _rates(one: BestThreshold) -> str:
    """Write what a rule finds and calls on new data."""
    found, called = (share_words(x.corrected, x.low, x.high) for x in (one.tpr, one.fpr))
    return f"finds {found} of the positives, calls {called} of the negatives positive on new data"


def _by_rates(findings: Findings, found: _Advice) -> str:
    given = findings.rule
    rule = given.words
    if given.kind == "youden":
        rule = "both rates count alike, unless you give costs"
    elif given.rate is not None:
        rule = f"at most {100 * given.rate:g} % called positive"
    return f"{_cut(findings, found)}: {_rates(found[1])} ({rule}).{_although(findings, found)}"


def _by_cost(findings: Findings, found: _Advice) -> str:
    k, one = found
    costs, cost = findings.rule.costs, one.expected_cost
    if costs is None or cost is None:
        return ""
    share = findings.summaries[k].prevalence
    everyone, no_one = (rate(costs.expected(x, x, share), 3) for x in (1.0, 0.0))
    price = unbroken(with_ends(cost.corrected, cost.low, cost.high))
    return (
        f"{_cut(findings, found)}: at {price_words(costs)} an item costs {price}; calling everyone "
        f"positive costs {everyone}, no one {no_one}. It {_rates(one)}.{_although(findings, found)}"
    )


def _not_worthwhile(findings: Findings, found: _Advice) -> str:
    k, one = found
    better = "everyone" if one.over_everyone.corrected <= one.over_no_one.corrected else "no one"
    saved = unbroken(with_ends(one.saved.corrected, one.saved.low, one.saved.high, signed))
    low, high = one.choice.interval
    of = "" if len(findings.names) == 1 else f" of {called(findings, k)}"
    what = "TPR − FPR is"
    if findings.rule.costs is not None:
        what = f"at {price_words(findings.rule.costs)} it saves"
    return (
        f"No threshold{of} is shown to be better than calling {better} positive: from "
        f"{threshold(high, low)}, {what} {saved} on new data, and the interval holds 0."
    )


def _within_budget(findings: Findings) -> str:
    given = findings.rule.rate
    return "" if given is None else f" that calls at most {100 * given:g} % positive"


CLAIMS = (
    Claim(
        "no_rule",
        ACTION,
        _when(lambda f, one: f.rule.is_chosen and _is_trivial(one)),
        lambda f, found: (
            f"No threshold{_within_budget(f)} does better than calling "
            f"{'everyone' if found[1].choice.fpr == 1 else 'nothing'} positive, by the rule in "
            "force."
        ),
        DOUBTS,
    ),
    Claim(
        "not_worthwhile",
        ACTION,
        _when(lambda f, one: not _is_better(f, one) and not _is_trivial(one)),
        _not_worthwhile,
        DOUBTS,
    ),
    Claim(
        "act_by_cost",
        ACTION,
        _when(lambda f, one: f.rule.costs is not None and _is_better(f, one)),
        _by_cost,
    ),
    Claim(
        "act_by_rates",
        ACTION,
        _when(lambda f, one: f.rule.costs is None and _is_better(f, one)),
        _by_rates,
    ),
    Claim(
        "unknown_choice",
        LIMITS,
        lambda f: f.chosen if all(isinstance(one, str) for one in f.chosen) and f.chosen else None,
        lambda _, reasons: (
            f"How uncertain the threshold is, and what it costs on new data: {reasons[0]}"
        ),
    ),
)
