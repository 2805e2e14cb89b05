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
from rocwalk.read.labels import Labels, Negative, agreed_labels, plain
from rocwalk.result import Result
from rocwalk.tally.tally import Tally, refuse_other_scores
from rocwalk.typing import ArrayLike, Invalid, Truth

_KEPT = str | int | float | None  # labels that a state can keep


class LabelSettings:
    """Settings that name the labels of both classes."""

    __slots__ = ()
    pos_label: Any
    neg_label: Any

    @property
    def labels(self) -> Labels | None:
        """The labels of both classes as far as they are known; None without any."""
        if self.pos_label is None:
            return None
        return Labels(self.pos_label, Negative.ONE if self.neg_label is None else self.neg_label)

    def keep_labels(self) -> None:
        """Make the labels plain values that a state can keep, or raise."""
        for key in ("pos_label", "neg_label"):
            label = plain(getattr(self, key))
            if not isinstance(label, _KEPT):
                raise OptionError(
                    "is not a label that can be saved.",
                    "labels of a monitor are text, numbers or booleans.",
                    option=key,
                    value=label,
                )
            object.__setattr__(self, key, label)
        if self.neg_label is not None and self.pos_label is None:
            raise OptionError(
                "needs the positive label too.",
                ("name both labels, or ", Argument("pos_label"), " alone."),
                argument="neg_label",
            )
        if self.neg_label is not None and self.neg_label == self.pos_label:
            raise OptionError(
                "is the positive label too.",
                "the two classes have two labels.",
                option="neg_label",
                value=self.neg_label,
            )


Chosen = TypeVar("Chosen", bound=LabelSettings)


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

    def _checked(
        self,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        sample_weight: ArrayLike,
        pos_label: Any,
        truth: Truth,
        invalid: Invalid,
    ) -> Sample:
        """Return clean rows of the stream, whose labels agree with those of the reference."""
        return check(
            y_true,
            y_prob,
            sample_weight=sample_weight,
            pos_label=agreed_labels(self._settings.labels, pos_label, truth),
            truth=truth,
            invalid=invalid,
            probabilities=True,
        )

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.RLock())
