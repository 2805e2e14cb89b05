"""All claims in one table, and those of them that are made on a study."""

from __future__ import annotations

from dataclasses import dataclass

from rocwalk.report.findings import Findings
from rocwalk.report.verdict import action, changed, limits, promise, ranking
from rocwalk.report.verdict.claims import ACTION, CHANGED, LIMITS, NAME, PROMISE, RANKING

CLAIMS = (
    *changed.CLAIMS,
    *ranking.CLAIMS,
    *promise.CLAIMS,
    *action.CLAIMS,
    *limits.CLAIMS,
)
QUESTIONS = {
    CHANGED: "What has changed?",
    RANKING: "Which model ranks best?",
    PROMISE: "Are the probabilities calibrated?",
    ACTION: "What to do?",
    LIMITS: "What cannot be said?",
}
_OF_ONE = {RANKING: "How well does it rank?", PROMISE: "Is it calibrated?"}
_OF_CLASSES = {RANKING: "How well are the classes told apart?"}


@dataclass(frozen=True)
class Said:
    """A claim that is made: its name, its question, its sentence and its look.

    In `marked` the names of models are isolated (`claims.NAME`); `words` is the plain sentence.
    """

    name: str
    question: str
    marked: str
    look: str = ""

    @property
    def words(self) -> str:
        """The sentence in plain words."""
        return plain(self.marked)


def plain(marked: str) -> str:
    """Return a sentence without the marks around names."""
    return marked.replace(NAME[0], "").replace(NAME[1], "")


def verdict(findings: Findings) -> list[Said]:
    """Return the claims that are made on a study, in the order of the questions."""
    said = []
    for claim in CLAIMS:
        found = claim.holds(findings)
        if found is not None:
            said.append(Said(claim.name, claim.question, claim.words(findings, found), claim.look))
    return sorted(said, key=lambda one: list(QUESTIONS).index(one.question))


def question_words(findings: Findings, question: str) -> str:
    """Return a question as it is asked of one model, of several, or of classes."""
    words = {0: _OF_CLASSES, 1: _OF_ONE}.get(len(findings.names), {})
    return words.get(question, QUESTIONS[question])
