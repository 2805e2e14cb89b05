"""Values and names as texts write them: in errors, on the terminal and on the page."""

from __future__ import annotations

import difflib
import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any


def nearest(name: str, candidates: Iterable[str]) -> str:
    """Return a hint that names the candidate closest to `name`, or all of them.

    >>> nearest("modle", ["label", "model"])
    "did you mean 'model'?"
    """
    known = list(candidates)
    alike = [one for one in known if spelled(one) == spelled(name)]
    close = alike or difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are: {shown(known, 12)}."


def spelled(name: str) -> str:
    """Return a name without what is often mistaken: case, width and spaces around words.

    >>> spelled(" Yes") == spelled("yes")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def shown(values: Sequence[Any], most: int = 5) -> str:
    """Write the first few values.

    >>> shown(["a", "b"]), shown(range(9))
    ("'a', 'b'", '0, 1, 2, 3, 4, …')
    """
    return ", ".join([*map(written, values[:most]), *(["…"] if len(values) > most else [])])


def joined(words: Sequence[str]) -> str:
    """Write words as a list in a sentence.

    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def is_hidden(character: str) -> bool:
    """Whether a character is not seen, drives a terminal, breaks a line or turns the reading."""
    kind = unicodedata.category(character)
    return kind[0] == "C" or kind in ("Zl", "Zp")


def visible(value: Any) -> str:
    r"""Write a name with its hidden characters spelled out, as `repr` does.

    >>> print(visible("a\x1b[31mb"), visible("a\u200bb"), visible("é"), visible(3))
    a\x1b[31mb a\u200bb é 3
    """
    text = str(value)
    return text.translate({ord(c): repr(c)[1:-1] for c in set(text) if is_hidden(c)})


def written(value: object) -> str:
    """Write a value; an integer of more than 40 digits by its size.

    Python refuses to write integers of thousands of digits.

    >>> written("a"), written(12), written(-(10**5000))
    ("'a'", '12', '≈-10**5000')
    """
    if isinstance(value, int) and value.bit_length() > 133:
        return f"≈{'-' if value < 0 else ''}10**{round(value.bit_length() * math.log10(2))}"
    return repr(value)


def kind_of(value: object) -> str:
    """Write the type of a value with its article.

    >>> kind_of(3), kind_of([]), kind_of(None)
    ('an int', 'a list', 'None')
    """
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeioAEIO' or name == 'ndarray' else 'a'} {name}"
