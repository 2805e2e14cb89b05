"""The registry of numbers: everything that is ever asked of a statistic, by name.

An entry stands in the file of its concept: ``AUC = register(Statistic("auc", …))``. Intervals,
comparisons, the summary, the command line, the page, drift, the scorers and the documentation all
derive from it, so a new number is one entry. docs/add-a-statistic.rst explains how to write one.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from rocwalk.checks import as_number
from rocwalk.errors import Argument, Option, OptionError, Text
from rocwalk.texts import nearest
from rocwalk.typing import Bounds, FloatArray

# classes of later rooms, which are not imported here
Tally: TypeAlias = Any  # rocwalk.tally.tally.Tally
Influence: TypeAlias = Any  # rocwalk.inference.influence.Influence
Estimate: TypeAlias = Any  # rocwalk.inference.influence.Estimate
Items: TypeAlias = Any  # rocwalk.inference.items.Items
Evidence: TypeAlias = Any  # rocwalk.inference.items.Evidence
Request: TypeAlias = Any  # rocwalk.inference.request.Request
Interval: TypeAlias = Any  # rocwalk.inference.interval_result.Interval
Plan: TypeAlias = Any  # rocwalk.inference.resampling.Plan
Limited: TypeAlias = Any  # rocwalk.inference.closed_forms.Limited

UNIT = (0.0, 1.0)
POSITIVE = (0.0, float("inf"))
ANY = (float("-inf"), float("inf"))
_ROOMS = ("curves", "smear", "truth", "drift")  # the rooms whose files hold entries


@dataclass(frozen=True, slots=True)
class OfItems:
    """A number of items, and what its error follows from.

    `psi` is what each item adds to it (Σψ = 0), with all that depends on the items, the perfect
    curve among it; None for a number whose error is resampled. `without` is the number of the items
    without each unit in turn (cluster, or item).
    """

    of: Callable[[Items], float]
    psi: Callable[[Items], FloatArray] | None = None
    without: Callable[[Items], FloatArray] | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """A proportion: which cells of the confusion matrix are hits, and which are misses.

    The cells are "tp", "fp", "fn" and "tn". The sensitivity is ``Share(("tp",), ("fn",))``. A hit
    counts `worth` times: with h hits and m misses it is worth·h / (worth·h + m). F1 is
    ``Share(("tp",), ("fp", "fn"), worth=2)``.
    """

    hits: tuple[str, ...]
    misses: tuple[str, ...]
    worth: float = 1.0

    def of(self, plain: float) -> float:
        """Return the proportion, from the plain share p = h/(h + m)."""
        return self.worth * plain / (self.worth * plain + 1 - plain)

    def slope(self, plain: float) -> float:
        """Return the derivative of `of`."""
        return self.worth / (self.worth * plain + 1 - plain) ** 2


@dataclass(frozen=True, slots=True)
class Places:
    """Where a number stands in each table, the smallest place first; None leaves it out.

    Parameters
    ----------
    summary
        The summary of a model: JSON and CSV of ``rocwalk score`` and ``rocwalk report``.
    models, probabilities
        The first and the second table on the terminal.
    subgroups
        The table of subgroups on the terminal, after the numbers of the first table.
    page
        The table of models in the HTML report.
    drift
        The numbers that are compared between two samples: those that have an `influence` or an
        `estimate`.
    """

    summary: int | None = None
    models: int | None = None
    probabilities: int | None = None
    subgroups: int | None = None
    page: int | None = None
    drift: int | None = None


@dataclass(frozen=True, slots=True)
class Statistic:
    """A number of a tally, and everything that is ever asked of it.

    Parameters
    ----------
    name
        The name in code, in JSON and on the command line.
    of
        The number of a tally. With `parameters`, a function of the tally and of these keywords.
    title, short, noun, symbol
        The name at the head of a column, in a narrow table (by default the title), within a
        sentence (by default the title with a small letter), and in formulas.
    sentence, references, cited
        What it means in one plain sentence, where it is defined, and the key of the entry in
        references.bib that a paper cites for it.
    range, direction, digits
        The interval of its possible values, to which confidence intervals are clipped; which way
        is better ("higher", "lower", or None for neither; every entry says it); and how many
        decimals are shown.
    needs_probabilities, needs_both
        Whether scores must lie in [0, 1], and whether both classes must be present.
    conditional
        Whether it depends on each class alone, so that the classes may be resampled separately.
        False for a number that depends on the prevalence.
    is_area
        Whether it is the area under the ROC curve of the scores: DeLong's and Newcombe's intervals
        are then available.
    of_hull
        Whether it is read off the convex hull. The hull rises to the luck of its sample, so the
        number is optimistic, and that of a bootstrap replicate even more: half-samples are then
        available, which measure the optimism.
    is_odds
        Whether it is a ratio of masses N/S, so that N/(N + S) is a share.
    is_loss
        Whether it is a mean of losses, which are never negative: its interval is taken on the log
        scale, as that of a ratio, because a mean of skewed numbers is skewed, too.
    share
        For a proportion: its hits and misses. Wilson's interval is then available.
    influence
        Its influence function: the standard error without resampling.
    estimate
        For a number that depends on the prevalence: its influence function over all items as one
        sample, with variance that the influence does not hold. Also takes `fixed` and `like`; see
        `rocwalk.drift.sensibility.struggle_estimate`.
    bounds, exact_from_buckets
        The lowest, the middle and the highest value that a bucketed tally allows; or whether
        buckets do not change it. A number with neither is left out of the summary of buckets.
    together, replicates
        The number of many replicates at once, from (scores, up, right), one row each; and of
        stratified replicates of counts, from the tally and a plan.
    of_items
        For a number that differs from the AUC only where truth is soft, and for whose error the
        items are needed.
    own_interval
        How "auto" makes its interval, for a number that neither a closed form nor a bootstrap of
        the items serves, such as a distance from calibration, which chance moves away from 0.
    limits
        For a number at a point of the curve: its limits in closed form, from the evidence and the
        normal quantile; see `rocwalk.curves.coordinates`.
    parameters, points, options, fallback, values
        The keywords that `of`, `influence`, `bounds`, `together` and `limits` take: those that must
        be given; those that name a point of the curve, of which exactly one is given; those that
        may be given; the values of needed ones that are left out where an option is given. And the
        values once they are known.
    metric
        The function of `rocwalk.metrics` that computes it for scikit-learn's users, if there is
        one of another name than the statistic's.
    places
        Its place in the tables that show it.
    """

    name: str
    of: Callable[..., float]
    title: str = ""
    short: str = ""
    noun: str = ""
    symbol: str = ""
    sentence: str = ""
    references: tuple[str, ...] = ()
    cited: str = ""
    range: tuple[float, float] = ANY
    direction: str | None = ""
    digits: int = 4
    needs_probabilities: bool = False
    needs_both: bool = True
    conditional: bool = False
    is_area: bool = False
    of_hull: bool = False
    is_odds: bool = False
    is_loss: bool = False
    share: Share | None = None
    influence: Callable[[Tally], Influence] | None = None
    estimate: Callable[..., Estimate] | None = None
    bounds: Callable[..., Bounds] | None = None
    exact_from_buckets: bool = False
    together: Callable[..., FloatArray] | None = None
    replicates: Callable[[Tally, Plan], FloatArray] | None = None
    of_items: OfItems | None = None
    own_interval: Callable[[Evidence, Request], Interval] | None = None
    limits: Callable[..., Limited] | None = None
    parameters: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    fallback: Mapping[str, float] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    metric: str = ""
    places: Places = field(default_factory=Places)
    is_registered: bool = False

    @property
    def threshold(self) -> float | None:
        """The threshold of a rate, or None."""
        return self.values.get("threshold")

    @property
    def keywords(self) -> tuple[str, ...]:
        """All keywords that it takes; none for a number of the tally alone."""
        return *self.parameters, *self.points, *self.options

    @property
    def heading(self) -> str:
        """The name at the head of a narrow column."""
        return self.short or self.title

    @property
    def words(self) -> str:
        """The name within a sentence."""
        return self.noun or f"{self.title[:1].lower()}{self.title[1:]}"

    @property
    def is_ratio(self) -> bool:
        """Whether it is positive without an upper limit, so that its logarithm is tested."""
        return self.range == POSITIVE

    @property
    def by_logarithm(self) -> bool:
        """Whether its interval has the log scale by default: that of a ratio or a mean loss."""
        return self.is_ratio or self.is_loss

    @property
    def reads_buckets(self) -> bool:
        """Whether a bucketed tally gives the number itself or its bounds."""
        return self.exact_from_buckets or self.bounds is not None

    def at(self, **values: Any) -> Statistic:
        """Return the statistic with the values of its parameters."""
        held: dict[str, Any] = {
            name: functools.partial(function, **values)
            for name in ("of", "influence", "together", "bounds", "limits")
            if (function := getattr(self, name)) is not None
        }
        conditional = self.conditional and "rate" not in values  # which depends on the prevalence
        return replace(self, values=values, conditional=conditional, **held)


# -- the registry ----------------------------------------------------------------------------------

_ENTRIES: dict[str, Statistic] = {}


def register(statistic: Statistic) -> Statistic:
    """Add a statistic to the registry, in place of one of the same name, and return it."""
    entry = replace(statistic, is_registered=True)
    _ENTRIES[entry.name] = entry
    return entry


@contextmanager
def registered(statistic: Statistic) -> Iterator[Statistic]:
    """Add a statistic for the duration of a ``with`` block.

    >>> from rocwalk.statistic import entries, registered
    >>> with registered(Statistic("rows", len)):
    ...     "rows" in entries()
    True
    >>> "rows" in entries()
    False
    """
    before = entries()
    try:
        yield register(statistic)
    finally:
        _ENTRIES.clear()
        _ENTRIES.update(before)


def entries() -> dict[str, Statistic]:
    """Return all statistics by name, in the order of the alphabet."""
    for module in _modules():
        importlib.import_module(module)
    return dict(sorted(_ENTRIES.items()))


def find(name: str) -> Statistic | None:
    """Return the statistic of a name, or None; only the files up to its own are loaded."""
    for module in _modules():
        if name in _ENTRIES:
            break
        importlib.import_module(module)
    return _ENTRIES.get(name)


def words_of(name: str) -> str:
    """Return the name of a statistic within a sentence; of one that is not registered, the name.

    >>> words_of("auc"), words_of("h_measure"), words_of("my_own")
    ('AUC', 'H-measure', 'my_own')
    """
    entry = find(name)
    return name if entry is None else entry.words


def in_table(table: str) -> list[Statistic]:
    """Return the statistics that a table shows (a field of `Places`), in their order."""
    placed = [(getattr(entry.places, table), entry) for entry in entries().values()]
    shown = [(place, entry) for place, entry in placed if place is not None]
    return [entry for _, entry in sorted(shown, key=lambda pair: pair[0])]


@functools.cache
def _modules() -> tuple[str, ...]:
    """Return the names of the modules that hold entries: those that call `register`."""
    packages = [importlib.import_module(f"rocwalk.{room}") for room in _ROOMS]
    return tuple(
        f"{package.__name__}.{module.name}"
        for package in packages
        for module in pkgutil.iter_modules(package.__path__)
        if b"register(" in (pkgutil.get_data(package.__name__, f"{module.name}.py") or b"register(")
    )


# -- what a caller asks for ------------------------------------------------------------------------


NOUNS = {
    "threshold": "a threshold",
    "max_fpr": "the largest false positive rate",
    "rate": "the rate of calls",
    "costs": "the costs of mistakes",
}


def statistic_of(asked: Any, *, standardized: bool = False, **parameters: Any) -> Statistic:
    """Return the statistic that a name, a partial of a metric or a function of a tally means.

    `standardized` turns the partial AUC into McClish's.
    """
    if standardized is not False:
        asked = _standardized_name(asked, standardized)
    if isinstance(asked, Statistic):
        return asked
    given = {name: value for name, value in parameters.items() if value is not None}
    entry = find(asked) if isinstance(asked, str) else None
    if isinstance(asked, str) and entry is None:
        hint = nearest(asked, entries())
        raise OptionError("is not known.", hint, option="statistic", value=asked)
    for argument, value in given.items():
        if entry is None or argument not in entry.keywords:
            raise OptionError(
                "has no meaning for this statistic.",
                _keyword_hint(entry),
                option=argument,
                value=value,
            )
    if entry is not None:
        values = _values_of(entry, given)
        return entry.at(**values) if values else entry
    if not callable(asked):
        raise OptionError(
            "is neither a name nor a function.",
            "pass a name such as 'auc', a functools.partial of a metric, or a function of a Tally.",
            option="statistic",
            value=asked,
        )
    inner = asked.func if isinstance(asked, functools.partial) else asked
    name = getattr(inner, "__name__", type(asked).__name__)
    if not getattr(inner, "__module__", "").startswith("rocwalk.metrics"):
        return Statistic(name, asked)
    known = find(name.removesuffix("_score"))
    if known is None:
        return Statistic(name, asked, range=UNIT)
    if known.of_items is not None:
        return known
    estimate = known.estimate if asked is inner else None  # a partial may change the number
    return Statistic(
        name,
        asked,
        range=known.range,
        direction=known.direction,
        estimate=estimate,
        of_hull=known.of_hull,
        is_odds=known.is_odds,
    )


def at_of_text(text: str, costs_of: Callable[[str], Any]) -> tuple[str, dict[str, Any]]:
    """Read NAME or NAME@KEY=VALUE,…; a `ValueError` if a value is no number.

    >>> at_of_text("sensitivity@fpr=0.1", str)
    ('sensitivity', {'fpr': 0.1})
    """
    name, _, told = text.partition("@")
    values: dict[str, Any] = {}
    for part in told.split(",") if told else ():
        key, _, value = part.partition("=")
        key = key.strip().replace("-", "_")
        values[key] = costs_of(value) if key == "costs" else float(value)
    return name, values


def _keyword_hint(entry: Statistic | None) -> Text:
    """Say which keywords a statistic takes, or which statistics take keywords."""
    if entry is not None and entry.keywords:
        return f"{entry.name} goes with {', '.join(entry.keywords)}."
    return (
        *(Argument("threshold"), " goes with rates such as 'sensitivity', "),
        *(Argument("max_fpr"), " with 'partial_auc'."),
    )


def _values_of(entry: Statistic, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the keywords of a statistic, or raise if one lacks or is too many."""
    named = [each for each in entry.points if each in given]
    if len(named) > 1:
        raise OptionError(
            f"is given beside another point of the curve, {named[0]}={given[named[0]]!r}.",
            "give one of them.",
            option=named[1],
            value=given[named[1]],
        )
    fallback = entry.fallback if set(entry.options) & set(given) else {}
    known = dict(fallback) | {
        each: given[each] if each == "costs" else as_number(each, given[each]) for each in given
    }
    missing = lacking(entry, given)
    if missing:
        first, others = missing[0], entry.points[1:] if missing[0] in entry.points else ()
        points = [Option(each, 0.2, entry.name) for each in (first, *others)]
        more = [part for each in points[1:] for part in (" or ", each)]
        raise OptionError(
            f"needs {NOUNS.get(first, first)}.",
            ("give ", Option(first), ".") if first == "costs" else ("give ", points[0], *more, "."),
            option="statistic",
            value=entry.name,
        )
    return known


def lacking(entry: Statistic, given: Collection[str]) -> list[str]:
    """Return the keywords that a statistic needs beside those that are given."""
    known = {*given, *(entry.fallback if set(entry.options) & set(given) else ())}
    missing = [each for each in entry.parameters if each not in known]
    if entry.points and not set(entry.points) & set(given):
        missing.append(entry.points[0])
    return missing


def _standardized_name(asked: Any, standardized: Any) -> str:
    """Return the name of McClish's partial area, or raise where it was not asked for."""
    if standardized is not True:
        hint = "pass True or False."
        raise OptionError("is not a choice.", hint, option="standardized", value=standardized)
    if asked not in ("partial_auc", "standardized_partial_auc"):
        raise OptionError(
            "has no meaning for this statistic.",
            ("it goes with ", Option("statistic", "partial_auc"), "."),
            option="standardized",
            value=True,
        )
    return "standardized_partial_auc"


def value_of(statistic: Statistic, tally: Tally) -> float:
    """Return the number of a tally; raise where a function gives none."""
    try:
        found: Any = statistic.of(tally)
        if isinstance(found, str | bytes):
            raise TypeError(f"it returns {found!r}")
        return float(found)
    except TypeError as error:
        raise OptionError(
            f"gives no number of one Tally: {error}.",
            "pass a function that takes a Tally and returns a number.",
            option="statistic",
            value=statistic.name,
        ) from error
