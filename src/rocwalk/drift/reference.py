"""A reference that a stream is compared with: read, kept with settings, and shared by threads."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from rocwalk.drift.drift import sample_evidence
from rocwalk.errors import Argument, FileError, OptionError
from rocwalk.inference.items import evidence_from, refuse_few
from rocwalk.inference.samples import naming_pair, pair_of
from rocwalk.read.arrays import Sample, check
from rocwalk.read.labels import Labels, Negative, plain
from rocwalk.result import Result
from rocwalk.tally.tally import Tally, refuse_other_scores

Chosen = TypeVar("Chosen")  # the settings
_KEPT = str | int | float | None  # labels that a state can keep


def kept_labels(pos_label: Any, neg_label: Any) -> tuple[Any, Any]:
    """Return the labels of both classes as plain values that a state can keep, or raise."""
    found = []
    for key, label in (("pos_label", pos_label), ("neg_label", neg_label)):
        kept = plain(label)
        if not isinstance(kept, _KEPT):
            hint = "labels of a monitor are text, numbers or booleans."
            raise OptionError("is no label that a state can keep.", hint, option=key, value=kept)
        found.append(kept)
    positive, negative = found
    if negative is not None and positive is None:
        raise OptionError(
            "needs the positive label too.",
            ("name both labels, or ", Argument("pos_label"), " alone."),
            argument="neg_label",
        )
    if negative is not None and negative == positive:
        hint = "the two classes have two labels."
        raise OptionError("is the positive label too.", hint, option="neg_label", value=negative)
    return positive, negative


def labels_of(pos_label: Any, neg_label: Any) -> Labels | None:
    """Return the labels of both classes as far as they are known; None without any."""
    if pos_label is None:
        return None
    return Labels(pos_label, Negative.ONE if neg_label is None else neg_label)


def read_reference(
    reference: Any, labels: Labels | None, invalid: str = "raise", **options: Any
) -> tuple[Tally, Sample | None]:
    """Return the tally of a reference, a pair of columns or a tally, and the rows of a pair.

    `options` say how the columns of a pair are read; see `rocwalk.read.arrays.check`.
    """
    if isinstance(reference, Tally):
        evidence = sample_evidence("reference", reference, None, None, "auto", invalid)
        refuse_few(evidence)
        return refuse_other_scores(evidence.tally), None
    y_true, y_prob = pair_of("reference", reference, "y_prob")
    options |= {"pos_label": labels, "invalid": invalid, "probabilities": True}
    with naming_pair("reference", "y_prob"):
        sample = check(y_true, y_prob, **options)
    refuse_few(evidence_from(sample))
    return sample.tally(), sample


def other_label(sample: Sample | None) -> Any:
    """Return the negative label of a reference, if it is known and a state can keep it."""
    if sample is None or sample.labels is None:
        return None
    label = plain(sample.labels.negative)
    return label if isinstance(label, _KEPT) else None


def refuse_other_schema(stored: Mapping[str, Any], path: str | Path, what: str, known: int) -> None:
    """Raise if a state is of another schema version than this library reads."""
    version = stored.get("schema_version")
    if version != known:
        raise FileError(
            f"is a {what} of schema version {version}; this rocwalk reads {known}.",
            "read it with the version of rocwalk that wrote it, or upgrade rocwalk.",
            file=str(path),
        )


class Watching(Result, Generic[Chosen]):
    """Something that compares a stream with a reference, under a lock that threads wait for."""

    def _start(self, reference: Tally, settings: Chosen) -> None:
        self._reference, self._settings = reference, settings
        self._lock = threading.RLock()  # held while the stream is changed

    @property
    def reference(self) -> Tally:
        """The tally of the reference."""
        return self._reference

    @property
    def settings(self) -> Chosen:
        """The options that it was made with."""
        return self._settings

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.RLock())
