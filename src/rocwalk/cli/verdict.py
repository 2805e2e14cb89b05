"""The verdict on drift in words, or that nothing can be decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rocwalk.cli.notes import COMMAND_LINE
from rocwalk.drift.drift import Drift
from rocwalk.drift.request import UNDECIDABLE
from rocwalk.drift.stream import Settings
from rocwalk.inference.influence import class_sizes
from rocwalk.tally.tally import Tally


@dataclass(frozen=True, slots=True)
class Verdict:
    """The drift of a model, and what speaks against deciding it: files with too few items."""

    drift: Drift
    few: tuple[str, ...] = ()

    @property
    def undecidable(self) -> bool:
        """Whether there is no drift and nothing to rule it out with."""
        return not self.drift.drifted and bool(self.few or self.drift.untested)

    @property
    def word(self) -> str:
        """What has changed, in the words of `Drift.verdict`, or "undecidable"."""
        return UNDECIDABLE if self.undecidable else self.drift.verdict

    @property
    def conclusion(self) -> str:
        """What the verdict means."""
        if self.undecidable and not self.drift.untested:
            return (
                "Nothing can be decided: no drift is seen, but there are too few items to rule it "
                "out."
            )
        return self.drift.conclusion

    @property
    def summary(self) -> str:
        """The verdict in words, with its numbers where it can be decided."""
        is_few = self.undecidable and not self.drift.untested
        return self.conclusion if is_few else self.drift.summary


def too_few(tally: Tally, file: str, minimum: int) -> list[str]:
    """Say that a file has too few items of a class to decide, if it has."""
    positives, negatives = class_sizes(tally)
    if Settings(minimum=minimum).allows(positives, negatives):
        return []
    found = f"{positives:,.6g} positive and {negatives:,.6g} negative items"
    needed = f"{minimum:,} of each are needed (--minimum)"
    return [f"{COMMAND_LINE.file(file)} has {found}, too few to decide: {needed}."]


def exit_code(verdicts: Iterable[Verdict], *, on_change: bool = False) -> int:
    """Return 1 if a model has drifted, else 2 if one cannot be decided, else 0.

    With `on_change`, a change of the population counts as well.
    """
    found = list(verdicts)
    if any(one.drift.changed if on_change else one.drift.drifted for one in found):
        return 1
    return 2 if any(one.undecidable for one in found) else 0
