"""The registry of numbers: what is known of each statistic, by name.

An entry stands in the file of its concept: ``AUC = register(Statistic("auc", …))``. Whoever asks
for a number by name, `rocwalk.interval` as well as the command line, the page, the scorers and the
documentation, finds everything that is known of it here.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rocwalk.errors import OptionError, as_number, nearest
from rocwalk.typing import FloatArray

if TYPE_CHECKING:
    from rocwalk.inference.influence import Estimate, Influence
    from rocwalk.inference.items import Items
    from rocwalk.inference.resampling import Plan
    from rocwalk.tally.tally import Tally

UNIT = (0.0, 1.0)


POSITIVE = (0.0, float("inf"))


ANY = (float("-inf"), float("inf"))


_ROOMS = ("curves", "smear", "truth", "drift")  # whose files hold entries


@dataclass(frozen=True, slots=True)
class OfItems:
    """A number of items, and ψ: what each item adds to it (Σψ = 0)."""

    of: Callable[[Items], float]
    psi: Callable[[Items], FloatArray]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A number of a tally, and everything that is ever asked of it.

    Parameters
    ----------
    name, title, symbol
        What it is called in code, in tables and in formulas.
    of
        The number of a tally. With `parameters`, a function of the tally and of these keywords.
    sentence, references
        What it means in one plain sentence, and where it is defined.
    range, direction, digits
        Where it can lie (intervals are clipped to it), which way is better ("higher", "lower" or
        None), and how many decimals are shown.
    needs_probabilities, needs_both
        Whether scores must lie in [0, 1], and whether both classes must be present.
    conditional
        Whether it depends on each class alone, so that the classes may be resampled apart; a
        number that depends on the prevalence must not be.
    is_area
        Whether it is the area under the ROC curve of the scores: DeLong's and Newcombe's intervals
        are then available.
    influence
        Its influence function: the standard error without resampling.
    estimate
        For a number that depends on the prevalence: its influence function over all items as one
        sample, with variance that the influence does not hold.
    together, replicates
        The number of many replicates at once, from (scores, up, right), one row each; and of
        stratified replicates of counts, from the tally and a plan.
    of_items
        How soft truth is dealt with where a tally by score does not suffice; `of` is then the
        number of hard labels.
    parameters, values
        The keywords that `of` and `together` need, and their values once they are known.
    """

    name: str
    of: Callable[..., float]
    title: str = ""
    symbol: str = ""
    sentence: str = ""
    references: tuple[str, ...] = ()
    range: tuple[float, float] = ANY
    direction: str | None = "higher"
    digits: int = 4
    needs_probabilities: bool = False
    needs_both: bool = True
    conditional: bool = False
    is_area: bool = False
    influence: Callable[[Tally], Influence] | None = None
    estimate: Callable[[Tally], Estimate] | None = None
    together: Callable[..., FloatArray] | None = None
    replicates: Callable[[Tally, Plan], FloatArray] | None = None
    of_items: OfItems | None = None
    parameters: tuple[str, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    is_registered: bool = False

    @property
    def threshold(self) -> float | None:
        """Where a rate is read, or None."""
        return self.values.get("threshold")


_ENTRIES: dict[str, Statistic] = {}


def register(statistic: Statistic) -> Statistic:
    """Add a statistic to the registry, in place of one of the same name, and return it."""
    entry = replace(statistic, is_registered=True)
    _ENTRIES[entry.name] = entry
    return entry


def entries() -> dict[str, Statistic]:
    """Return all statistics by name."""
    for _ in _modules():
        pass
    return dict(_ENTRIES)


def find(name: str) -> Statistic | None:
    """Return the statistic of a name, or None; only the files up to its own are loaded."""
    if name not in _ENTRIES:
        any(name in _ENTRIES for _ in _modules())
    return _ENTRIES.get(name)


def _modules() -> Iterator[str]:
    """Load the files that may hold entries, one after the other."""
    for room in _ROOMS:
        package = importlib.import_module(f"rocwalk.{room}")
        for one in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if not one.name.endswith(".plot"):
                importlib.import_module(one.name)
                yield one.name


def statistic_of(asked: Any, **parameters: float | None) -> Statistic:
    """Return the statistic that a name, a partial of a metric or a function of a tally means."""
    if isinstance(asked, Statistic):
        return asked
    given = {name: value for name, value in parameters.items() if value is not None}
    if isinstance(asked, str):
        return _named(asked, given)
    if not callable(asked):
        raise OptionError(
            f"statistic={asked!r} is neither a name nor a function.",
            "pass a name such as 'auc', a functools.partial of a metric, or a function of a Tally.",
        )
    _refuse_idle(given, ())
    inner = asked.func if isinstance(asked, functools.partial) else asked
    name = getattr(inner, "__name__", type(asked).__name__)
    if not getattr(inner, "__module__", "").startswith("rocwalk.metrics"):
        return Statistic(name, asked)
    known = find(name.removesuffix("_score"))
    if known is not None and known.of_items is not None:
        return known
    if known is None:
        return Statistic(name, asked, range=UNIT)
    estimate = known.estimate if asked is inner else None  # a partial may change the number
    return Statistic(name, asked, range=known.range, estimate=estimate)


def _named(name: str, given: dict[str, float]) -> Statistic:
    entry = find(name)
    _refuse_idle(given, () if entry is None else entry.parameters)
    if entry is None:
        raise OptionError(f"statistic={name!r} is not known.", nearest(name, entries()))
    if not entry.parameters:
        return entry
    missing = [each for each in entry.parameters if each not in given]
    if missing:
        noun = {"threshold": "a threshold", "max_fpr": "the largest false positive rate"}
        raise OptionError(
            f"statistic={name!r} needs {noun[missing[0]]}.",
            f"give {missing[0]}=, for instance {missing[0]}=0.2.",
        )
    values = {each: as_number(each, given[each]) for each in entry.parameters}
    many = None if entry.together is None else functools.partial(entry.together, **values)
    return replace(entry, of=functools.partial(entry.of, **values), together=many, values=values)


def _refuse_idle(given: Mapping[str, float], known: tuple[str, ...]) -> None:
    for argument, value in given.items():
        if argument not in known:
            raise OptionError(
                f"{argument}={value!r} has no meaning for this statistic.",
                "threshold goes with rates such as 'sensitivity', max_fpr with 'partial_auc'.",
            )


def value_of(statistic: Statistic, tally: Tally) -> float:
    """Return the number of a tally; raise where a function gives none."""
    try:
        return float(statistic.of(tally))
    except TypeError as error:
        raise OptionError(
            f"statistic={statistic.name!r} gives no number of one Tally: {error}.",
            "pass a function that takes a Tally and returns a number.",
        ) from error
