"""What a case is drawn from: the seed of the run and the number of the case, and nothing else."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

Value = TypeVar("Value")


class Draw:
    """Random choices of one case, which are the same whenever and wherever it is drawn.

    While `is_calm` nothing happens by chance: of the usual and the odd there is only the usual.
    """

    def __init__(self, seed: int, number: int) -> None:
        self.rng = np.random.default_rng([seed, number])
        self.is_calm = False

    def chance(self, probability: float) -> bool:
        """Return True so often."""
        return bool(self.rng.random() < probability) and not self.is_calm

    def whole(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, both included."""
        return int(self.rng.integers(low, high, endpoint=True))

    def pick(self, choices: Any) -> Any:
        """Return one of some choices; of a mapping one of its keys."""
        listed = list(choices)
        return listed[self.whole(0, len(listed) - 1)]

    def rarely(self, usual: Value, choices: Any, probability: float = 0.2) -> Any:
        """Return the usual value, or now and then one of some choices."""
        return self.pick(choices) if self.chance(probability) else usual

    def some(self, choices: Any, most: int) -> list[Any]:
        """Return up to so many of some choices, each once, in random order."""
        listed = list(choices)
        order = self.rng.permutation(len(listed))[: self.whole(0, min(most, len(listed)))]
        return [listed[place] for place in order]
