"""Paragraphs on methods for a paper: sentences with citations, and the entries they cite.

A result whose methods can be written has `.methods()`. Sentences cite by the keys of BibTeX in
square brackets, ``[@delong1988]``; several in one pair, ``[@zou2007; @zou2008]``. For a word
processor they are written as authors and years, with the list of what is cited.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import normalize

from rocwalk.result import Result
from rocwalk.version import __version__

_CITED = re.compile(r"\[(@\w+(?:; @\w+)*)\]")
_ENTRY = re.compile(r"^@\w+\{(\w+),\n.*?^\}$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^\s+(\w+)\s*=\s*\{(.*?)\},$", re.MULTILINE | re.DOTALL)
_ACCENT = re.compile(r"\{\\(['`~\"^])(\w)\}")
_MARKS = {"'": "\u0301", "`": "\u0300", "~": "\u0303", '"': "\u0308", "^": "\u0302"}
_SIGNS = {"{": "", "}": "", "--": "–", "``": "“", "''": "”", "`": "‘", "'": "’"}
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
    def plain(self) -> str:
        """The paragraph for a word processor: "(DeLong et al. 1988)"; see `.references`."""
        return by_author(self.text)

    @property
    def references(self) -> tuple[str, ...]:
        """What is cited, in full and in the order of the alphabet."""
        return tuple(sorted(_in_full(bibliography()[key]) for key in self.keys))

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


def by_author(text: str) -> str:
    """Return a text with authors and years in place of keys.

    >>> by_author("Two methods [@delong1988; @zou2008].")
    'Two methods (DeLong et al. 1988; Zou & Donner 2008).'
    """

    def cited(found: re.Match[str]) -> str:
        return f"({'; '.join(_in_short(bibliography()[k[1:]]) for k in found[1].split('; '))})"

    return _CITED.sub(cited, text)


def _fields(entry: str) -> dict[str, str]:
    """Return the fields of an entry as plain words."""
    found = {}
    for name, words in _FIELD.findall(entry):
        marked = _ACCENT.sub(lambda one: normalize("NFC", one[2] + _MARKS[one[1]]), words)
        for sign, shown in _SIGNS.items():
            marked = marked.replace(sign, shown)
        found[name] = " ".join(marked.split())
    return found


def _in_short(entry: str) -> str:
    """Return the authors and the year of an entry as a text cites it."""
    known = _fields(entry)
    names = [author.partition(",")[0] for author in known["author"].split(" and ")]
    several = len(names) > 2 or names[-1] == "others"
    who = f"{names[0]} et al." if several else " & ".join(names)
    return f"{who} {known['year']}" if "year" in known else who


def _in_full(entry: str) -> str:
    """Return an entry as a list of references has it."""
    known = _fields(entry)
    year = f" ({known['year']})" if "year" in known else ""
    place = known.get("journal", known.get("booktitle", known.get("publisher", "")))
    for name, start in (("volume", " "), ("pages", ", ")):
        place += start + known[name] if name in known else ""
    who = known["author"].replace(" and others", " et al.").replace(" and ", "; ")
    return ". ".join(part for part in (f"{who}{year}", known["title"], place) if part) + "."


@cache
def bibliography() -> dict[str, str]:
    """Return the entries that can be cited, by their keys.

    >>> "delong1988" in bibliography()
    True
    """
    text = (files("rocwalk") / "references.bib").read_text(encoding="utf-8")
    return {found[1]: found[0] for found in _ENTRY.finditer(text)}
