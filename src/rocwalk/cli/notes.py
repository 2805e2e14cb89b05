"""What the notes of a study say on the command line: each thing once, in the words of options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rocwalk.errors import OptionError, RocwalkError, sentence
from rocwalk.evaluate.study import Study
from rocwalk.read.frames import Name
from rocwalk.read.lazy import MEMORY_LIMIT
from rocwalk.report.numbers import joined

_LARGE = "The data are larger than the memory limit"
_ONE_ROW = re.compile(r"\b(1 of [\d,]+ rows) were (left out .*: row)s(?= \d)")
_LABELS, _VOTES = "because a label, score or weight", "because a vote, score or weight"


def notes_on(study: Study, *, voted: bool) -> list[str]:
    """Return the notes of a study; what is the same of several columns is said once."""
    notes = _once(study.notes, study.question.scores)
    notes = [_ONE_ROW.sub(r"\1 was \2", note) for note in notes]
    if study.classes is not None:
        column = f"column {study.question.label!r}"
        notes = [sentence(note.replace("y_true", column)) for note in notes]
    return [note.replace(_LABELS, _VOTES) if voted else note for note in notes] + _constant(study)


def _once(notes: Sequence[str], columns: Sequence[Name]) -> list[str]:
    """Put notes together that differ in the column only.

    >>> _once(["Column 'a': odd.", "Column 'b': odd.", "Column 'a': even."], ["a", "b"])
    ["Columns 'a' and 'b': odd.", "Column 'a': even."]
    """
    begins = {f"Column {name!r}{sign}": repr(name) for name in columns for sign in (":", " of ")}
    found: dict[str, list[str]] = {}
    for note in notes:
        column = next((name for begin, name in begins.items() if note.startswith(begin)), None)
        rest = note if column is None else note.removeprefix(f"Column {column}")
        found.setdefault(rest, []).extend([] if column is None else [column])
    return [
        f"Column{'s' * (len(names) > 1)} {joined(names)}{rest}" if names else rest
        for rest, names in found.items()
    ]


def _constant(study: Study) -> list[str]:
    """Say which models rank nothing because all items have one score."""
    models = {} if study.models is None else study.models
    return [
        f"Column {name!r} has the same score for all items, {tally.scores[0]:g}: it ranks nothing, "
        "and its AUC is 0.5."
        for (name, _), tally in models.items()
        if len(tally) == 1 and not tally.is_bucketed
    ]


# -- of several files ----------------------------------------------------------------------------


def file_words(file: str) -> str:
    """Return how a file is called in a sentence."""
    return "standard input" if file == "-" else repr(file)


def notes_on_file(
    notes: Sequence[str], study: Study, file: str, memory_limit: str | None
) -> list[str]:
    """Return the notes on one of several files: each names it, and none speaks of pairs."""
    kept = [note for note in notes if not note.startswith(_LARGE)]
    large = [] if study.is_in_memory else [_large(study, file, memory_limit)]
    return large + [note if _names(note, file) else f"{file_words(file)}: {note}" for note in kept]


def _large(study: Study, file: str, memory_limit: str | None) -> str:
    words = (
        f"{file_words(file)} is larger than the memory limit of {memory_limit or MEMORY_LIMIT}, so "
        "it was tallied where it is"
    )
    certificate = 0.0 if study.models is None else study.models.certificate
    if not certificate:
        return f"{words}."
    return f"{words}: scores share buckets, and an AUC is exact to ± {certificate:.2g}."


@contextmanager
def naming(file: str | None) -> Iterator[None]:
    """Let errors name the file that they are about, where there are several."""
    try:
        yield
    except OptionError:
        raise
    except RocwalkError as error:
        if file is None or _names(error.what, file):
            raise
        raise type(error)(f"{file_words(file)}: {error.what}", error.hint) from error


def _names(text: str, file: str) -> bool:
    return ("standard input" if file == "-" else Path(file).name) in text
