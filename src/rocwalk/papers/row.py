"""A row of the comparison: what a paper prints, beside what rocwalk computes."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rocwalk.result import plain_value

Numbers = float | tuple[float, ...]
Value = int | str | Numbers

NOT_PRINTED = "not printed"
DATA_NOT_PRINTED = "(data not printed)"
DRAWN = "The figure draws it; the number is ours."
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LAST_BITS = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One printed figure, formula or statement of a paper, and ours beside it.

    Attributes
    ----------
    paper, place, what
        Whose it is, where it stands there, and what it says.
    printed
        As the paper prints it; "not printed" where it draws or implies a number without giving it,
        and "(data not printed)" after a number whose data it does not give.
    computed
        What rocwalk computes from the data of the paper, at full precision; where they are not
        printed, from a re-creation of ours.
    agrees
        Whether the computed value rounds to the printed one, or the statement holds; None where
        nothing is printed, or only a number whose data are not.
    reason
        Why the two differ, in plain words, or a remark.
    """

    paper: str
    place: str
    what: str
    printed: str
    computed: Value
    agrees: bool | None
    reason: str = ""

    @property
    def sign(self) -> str:
        """✓ where the two agree, ✗ where they differ, – where there is nothing to check."""
        return {True: "✓", False: "✗", None: "–"}[self.agrees]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON."""
        return {name: plain_value(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a paper, which makes the rows that stand there."""

    paper: str
    place: str

    def number(self, what: str, printed: str, computed: Value, reason: str = "") -> Row:
        """Compare printed numbers with computed ones, to the digits that are printed."""
        return self._row(what, printed, computed, rounds_to(computed, printed), reason)

    def formula(
        self, what: str, printed: str, by_formula: Numbers, computed: Numbers, reason: str = ""
    ) -> Row:
        """Compare a printed formula, evaluated directly on the data, with rocwalk's number."""
        same = np.shape(by_formula) == np.shape(computed) and np.allclose(
            by_formula, computed, rtol=_LAST_BITS, atol=_LAST_BITS
        )
        return self._row(what, printed, computed, same, reason)

    def statement(
        self, what: str, printed: str, computed: Value, *, holds: bool, reason: str = ""
    ) -> Row:
        """Compare a printed statement with what the data say."""
        return self._row(what, printed, computed, bool(holds), reason)

    def column(self, what: str, printed: str, computed: Numbers | str) -> Row:
        """Compare a printed column of numbers, or of words, with the computed one exactly."""
        words = isinstance(computed, str)
        same = computed == (printed if words else tuple(map(float, printed.split())))
        return self._row(what, printed, computed, same, "")

    def unprinted(self, what: str, computed: Value, reason: str) -> Row:
        """Give a number that the paper does not print."""
        return self._row(what, NOT_PRINTED, computed, None, reason)

    def recreated(self, what: str, printed: str, computed: Value, reason: str) -> Row:
        """Give a number of re-created data beside the printed one, without a verdict."""
        return self._row(what, f"{printed} {DATA_NOT_PRINTED}", computed, None, reason)

    def _row(
        self, what: str, printed: str, computed: Value, agrees: bool | None, reason: str
    ) -> Row:
        return Row(
            paper=self.paper,
            place=self.place,
            what=what,
            printed=printed,
            computed=computed,
            agrees=agrees,
            reason=reason,
        )


def rounds_to(computed: Value, printed: str) -> bool:
    """Whether the computed numbers, rounded as the printed ones are, equal them.

    >>> rounds_to(5 / 6, "0.833"), rounds_to(5 / 6, "0.84"), rounds_to((0.0, 1.0), "(0, 1)")
    (True, False, True)
    """
    texts = _NUMBER.findall(printed)
    if isinstance(computed, str) or np.size(computed) != len(texts):
        return False
    last_digits = [10.0 ** -len(text.partition(".")[2]) for text in texts]
    return all(
        abs(float(value) - float(text)) <= (0.5 + _LAST_BITS) * unit
        for value, text, unit in zip(np.ravel(computed), texts, last_digits, strict=True)
    )


def text_of(value: Value) -> str:
    """Write a value in a few characters, for tables and sentences.

    >>> text_of(5 / 6), text_of(20), text_of((0.9, 0.505)), text_of("as it is")
    ('0.8333', '20', '0.9 0.505', 'as it is')
    """
    if isinstance(value, tuple):
        return " ".join(text_of(one) for one in value)
    return value if isinstance(value, str) else f"{value:.4g}"


def point_text(fpr: float, tpr: float) -> str:
    """Write a point of ROC space.

    >>> point_text(0.1, 0.5)
    '(0.1, 0.5)'
    """
    return f"({text_of(fpr)}, {text_of(tpr)})"
