"""Paragraphs on methods for a paper: sentences with citations, and the entries they cite.

A result whose methods can be written has `.methods()`. Sentences cite by the keys of BibTeX in
square brackets, ``[@delong1988]``; several in one pair, ``[@zou2007; @zou2008]``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rocwalk.result import Result
from rocwalk.version import __version__

_CITED = re.compile(r"\[(@\w+(?:; @\w+)*)\]")
_ENTRY = re.compile(r"^@\w+\{(\w+),\n.*?^\}$", re.MULTILINE | re.DOTALL)
_LATEX = {"%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_", "≥": r"$\geq$", "−": "$-$", "±": r"$\pm$"}


@dataclass(frozen=True, eq=False, repr=False)
class Methods(Result):
    """The methods of a result in words, with citations; made by the `.methods()` of results.

    `sentences` are those of what was computed; the last one of `.text` names the software. Methods
    of several results are added with ``+``: what both say is said once.
    """

    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The paragraph; citations are keys in brackets, as Pandoc and Quarto read them."""
        return " ".join((*self.sentences, f"Computations used rocwalk {__version__} [@rocwalk]."))

    @property
    def latex(self) -> str:
        r"""The paragraph with ``\cite{…}``."""
        pieces = _CITED.split(self.text)  # words and citations by turns
        for place, piece in enumerate(pieces):
            if place % 2:
                pieces[place] = f"\\cite{{{piece.replace('; ', ',').replace('@', '')}}}"
            else:
                pieces[place] = "".join(_LATEX.get(sign, sign) for sign in piece)
        return "".join(pieces).replace(r" \cite", r"~\cite")

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that are cited, in the order of the paragraph."""
        found = _CITED.findall(self.text)
        return tuple(dict.fromkeys(key[1:] for one in found for key in one.split("; ")))

    @property
    def bibtex(self) -> str:
        """The BibTeX entries of these keys."""
        return "\n\n".join(bibliography()[key] for key in self.keys) + "\n"

    def __add__(self, other: Methods) -> Methods:
        return Methods(tuple(dict.fromkeys((*self.sentences, *other.sentences))))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Methods(sentences={len(self.sentences)}, keys={len(self.keys)})"

    def _headline(self) -> dict[str, Any]:
        return {"text": self.text, "keys": self.keys}


def methods_of(*sentences: str) -> Methods:
    """Return methods of these sentences.

    >>> methods_of("Ties count one half [@fawcett2006].").keys
    ('fawcett2006', 'rocwalk')
    """
    return Methods(sentences)


@cache
def bibliography() -> dict[str, str]:
    """Return the entries that can be cited, by their keys.

    >>> "delong1988" in bibliography()
    True
    """
    text = (files("rocwalk") / "references.bib").read_text(encoding="utf-8")
    return {found[1]: found[0] for found in _ENTRY.finditer(text)}
