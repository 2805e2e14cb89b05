"""Claims: the rules of the verdict.

A claim is a name, the question that it answers, the condition under which it is made, and its
sentence with the number that decides and its interval. Names and digits of numbers are those of the
registry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rocwalk.curves.area import AUC
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import apart, between, unbroken, with_ends
from rocwalk.texts import joined

CHANGED, RANKING, PROMISE, ACTION, LIMITS = "changed", "ranking", "promise", "action", "limits"
WARNS, DOUBTS = "warns", "doubts"  # how an answer is marked
MOST_NAMED = 3
NAME = ("\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}")  # around a name in a sentence


@dataclass(frozen=True)
class Claim:
    """A rule: when it is made (`holds` finds something other than None), and its sentence on that.

    `look` is how the answer is marked: "warns", "doubts" or nothing.
    """

    name: str
    question: str
    holds: Callable[[Findings], Any]
    words: Callable[[Findings, Any], str]
    look: str = ""


def name_of(name: str) -> str:
    """Return a name as it stands in a sentence: isolated from the words around it."""
    return f"{NAME[0]}{name}{NAME[1]}"


def called(findings: Findings, k: int) -> str:
    """Return the name of a model as it stands in a sentence."""
    return name_of(findings.names[k])


def named(names: list[str]) -> str:
    """Name a few models, or say how many they are."""
    return joined(list(map(name_of, names))) if len(names) <= MOST_NAMED else f"{len(names)} models"


def models(findings: Findings, places: list[int]) -> str:
    """Name the models of these places."""
    return named([findings.names[k] for k in places])


def one_or_more(places: list[Any], one: str, more: str) -> str:
    """Return the form of a word for one or for several."""
    return one if len(places) == 1 else more


def auc_words(findings: Findings, k: int) -> str:
    """Write the AUC of a model with its interval."""
    ends = findings.intervals[k]
    words = with_ends(findings.summaries[k].auc, ends["auc_low"], ends["auc_high"])
    return unbroken(f"{AUC.title} {words}")


def share_words(value: float, low: float, high: float) -> str:
    r"""Write a share in percent with its interval, in few digits.

    >>> share_words(0.7164, 0.66, 0.769), share_words(0.034, 0.012, 0.06)
    ('72\xa0% (66\xa0to\xa077)', '3.4\xa0% (1.2\xa0to\xa06.0)')
    """
    number, *ends = apart((100 * value, 100 * low, 100 * high), 0 if value >= 0.1 else 1)
    return f"{number}\N{NO-BREAK SPACE}% ({between(*ends)})"
