"""What votes mean: which of them are positive, or how ratings become a truth in [0, 1].

Votes of two kinds are 0 and 1, or `pos_label` and others. Ratings are cut: from `cut` on they are
positive. Ratings without a cut are kept as they are, and the truth of an item is their mean,
rescaled so that the lowest rating of the scale is 0 and the highest 1. `read_scale` decides which
of these a caller means, and refuses what could be more than one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import (
    Argument,
    LabelError,
    Option,
    OptionError,
    RatingScaleWarning,
    Text,
    WeightError,
    warn,
)
from rocwalk.read.labels import missing_labels, plain
from rocwalk.texts import joined, shown, spelled
from rocwalk.typing import AnyArray, BoolArray, FloatArray, IntArray

WHICH_VOTES = (
    "votes are 0 and 1, or booleans; for others name the positive one with ",
    Option("pos_label"),
    ". A rater who did not vote leaves a gap (NaN or null).",
)
_RATINGS = (
    " Of ratings name the lowest positive one with ",
    Option("cut"),
    ", or the ends of their scale with ",
    Option("scale"),
    ".",
)
_MOST_SHOWN = 6
_FEWEST_RATINGS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRule:
    """What a caller says of votes.

    Attributes
    ----------
    pos_label
        The positive vote; all others are negative.
    cut
        The lowest rating that is a positive vote.
    scale
        The ends (low, high) of a scale of numbers, or all categories from the lowest to the
        highest.
    rater_weight
        The weight of each rater's votes, 1 for raters without an entry; 0 leaves a rater out.
    two_kinds
        Whether `pos_label` goes with exactly one other vote, and ratings are refused.
    """

    pos_label: Any = None
    cut: Any = None
    scale: Sequence[Any] | None = None
    rater_weight: Mapping[Any, float] | None = None
    two_kinds: bool = False

    def __post_init__(self) -> None:
        if self.pos_label is not None and self.cut is not None:
            raise OptionError(
                (Option("pos_label"), " and ", Option("cut"), " do not go together."),
                "name one positive vote, or the lowest positive rating.",
            )
        if self.scale is not None:
            _check_scale(self.scale)
            if self.pos_label is not None and _ends(self.scale) is not None:
                raise OptionError(
                    (Option("pos_label"), " does not go together with the ends of a scale."),
                    ("leave one of them out, or list all categories as ", Option("scale"), "."),
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How votes became truth.

    Attributes
    ----------
    values
        The votes that are told apart: 0 and 1, or the ratings from the lowest to the highest.
    worth
        The truth that each of them stands for, between 0 and 1.
    is_graded
        Whether they are ratings without a cut.
    words
        How votes were read, in a sentence; empty for 0 and 1 and for two words.
    """

    values: tuple[Any, ...] = (0, 1)
    worth: tuple[float, ...] = (0.0, 1.0)
    is_graded: bool = False
    words: str = ""

    @property
    def numbers(self) -> FloatArray:
        """The votes as numbers, or their places where they are words."""
        are_numbers = all(_is_number(value) for value in self.values)
        return np.array(self.values if are_numbers else range(len(self.values)), dtype=np.float64)


PLAIN = Scale()
Place = Callable[[int, int], Text]  # says where a vote is, by its row and column


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """Votes that were read: where there is one, and its place among the values of the scale."""

    present: BoolArray
    codes: IntArray
    scale: Scale


def read_scale(columns: list[AnyArray], rule: VoteRule, place: Place) -> Cast:
    """Return the votes of columns by a rule; `place` says where one is, for errors."""
    present = np.column_stack([~missing_labels(column) for column in columns])
    if rule.cut is not None:
        return _by_cut(columns, present, rule, place)
    if rule.pos_label is not None:
        if rule.scale is not None:
            _refuse_unknown(columns, present, rule.scale, place)
        return _by_label(columns, present, rule, place)
    if rule.scale is not None:
        return _graded(columns, present, rule.scale, place)
    known = _equal(columns, 0, present) | _equal(columns, 1, present)
    strange = present & ~known
    if not strange.any():
        return Cast(present, _equal(columns, 1, present).astype(np.int64), PLAIN)
    found = None if rule.two_kinds else _consecutive(columns, present)
    if found is not None:
        low, high = found
        warn(
            RatingScaleWarning(
                f"The votes are ratings from {low} to {high} without a cut: the truth of an item "
                "is its mean rating, rescaled so that the lowest rating that occurs is 0 and the "
                "highest 1.",
                (
                    "name the ends of the scale with ",
                    Option("scale", (low, high)),
                    ", or the lowest positive rating with ",
                    Option("cut"),
                    ".",
                ),
            )
        )
        return _graded(columns, present, (low, high), place)
    row, column = _first(strange)
    raise LabelError(
        ("The vote ", place(row, column), f" is {plain(columns[column][row])!r}, not 0 or 1."),
        WHICH_VOTES if rule.two_kinds else (*WHICH_VOTES, *_RATINGS),
    )


# -- one positive vote -----------------------------------------------------------------------------


def _by_label(columns: list[AnyArray], present: BoolArray, rule: VoteRule, place: Place) -> Cast:
    """Read `pos_label` as positive, and all other votes as negative."""
    positive = _equal(columns, rule.pos_label, present)
    other = present & ~positive
    if not other.any():
        return Cast(present, positive.astype(np.int64), PLAIN)
    row, column = _first(other)
    negative = plain(columns[column][row])
    if not positive.any():
        where = place(row, column), f" is {negative!r}."
        raise LabelError(
            ("No vote is ", Option("pos_label", rule.pos_label), "; the vote ", *where),
            ("write ", Argument("pos_label"), " as the votes are, numbers without quotes."),
        )
    strange = other & ~_equal(columns, negative, present)
    if not strange.any():
        return Cast(present, positive.astype(np.int64), PLAIN)
    if rule.two_kinds:
        row, column = _first(strange)
        value = plain(columns[column][row])
        what: tuple[Text, ...] = ("The vote ", place(row, column), f" is {value!r}, ")
        raise LabelError(
            (*what, "neither ", Option("pos_label", rule.pos_label), f" nor {negative!r}."),
            ("besides ", Argument("pos_label"), " there is one other vote; map what is neither."),
        )
    _refuse_alike(columns, other, rule.pos_label, place)
    rest = _distinct(columns, other)
    words = f"Votes for {rule.pos_label!r} are positive, all others negative: {_listed(rest)}."
    return Cast(present, positive.astype(np.int64), Scale(words=words))


def _refuse_alike(columns: list[AnyArray], other: BoolArray, pos_label: Any, place: Place) -> None:
    """Raise if a vote differs from the positive one in its case or in spaces only."""
    for value in _distinct(columns, other):
        if isinstance(value, str) and spelled(value) == spelled(str(pos_label)):
            row, column = _first(_equal(columns, value, other))
            raise LabelError(
                (
                    "The vote ",
                    place(row, column),
                    f" is {value!r}, written differently from ",
                    Option("pos_label", pos_label),
                    ".",
                ),
                "write each category in one way; case and spaces count.",
            )


# -- ratings ---------------------------------------------------------------------------------------


def _by_cut(columns: list[AnyArray], present: BoolArray, rule: VoteRule, place: Place) -> Cast:
    """Read ratings from the cut on as positive."""
    cut = rule.cut
    if rule.scale is None or _ends(rule.scale) is not None:
        ratings = _ratings(columns, present, place)
        if not _is_number(cut):
            raise OptionError(
                "is not a number, as the ratings are.",
                ("for words list all categories in their order with ", Option("scale"), "."),
                option="cut",
                value=cut,
            )
        ends = None if rule.scale is None else _ends(rule.scale)
        if ends is not None:
            _refuse_outside(ratings, present, ends, place)
        low, high = ends or (float(ratings[present].min()), float(ratings[present].max()))
        at, from_, to = float(cut), f"{low:g}", f"{high:g}"
        above = present & (np.where(present, ratings, -np.inf) >= at)
    else:
        codes = _refuse_unknown(columns, present, rule.scale, place)
        known = tuple(plain(one) for one in rule.scale)
        if cut not in known:
            raise OptionError(
                f"is not among the categories {shown(known)}.",
                ("name one of ", Option("scale"), "."),
                option="cut",
                value=cut,
            )
        at, low, high = float(known.index(cut)), 0.0, float(len(known) - 1)
        from_, to = repr(known[0]), repr(known[-1])
        above = present & (codes >= at)
    if not low < at <= high:
        outcome = "positive" if at <= low else "negative"
        raise OptionError(
            f"is outside the scale: ratings go from {from_} to {to}, so that all votes would be "
            f"{outcome}.",
            "a cut lies above the lowest rating and not above the highest.",
            option="cut",
            value=cut,
        )
    shown_cut = f"{cut:g}" if _is_number(cut) else repr(cut)
    words = f"Ratings of {shown_cut} or more are positive votes (they go from {from_} to {to})."
    return Cast(present, above.astype(np.int64), Scale(words=words))


def _graded(
    columns: list[AnyArray], present: BoolArray, scale: Sequence[Any], place: Place
) -> Cast:
    """Read ratings without a cut: each stands for its place between the ends of the scale."""
    ends = _ends(scale)
    codes = np.zeros(present.shape, dtype=np.int64)
    if ends is not None:
        ratings = _ratings(columns, present, place)
        _refuse_outside(ratings, present, ends, place)
        low, high = ends
        found, places = np.unique(ratings[present], return_inverse=True)
        codes[present] = places
        values = tuple(int(one) if one.is_integer() else one for one in found.tolist())
        worth = tuple(((found - low) / (high - low)).tolist())
        words = (
            f"The votes are ratings without a cut: the truth of an item is its mean rating, "
            f"rescaled from {low:g} to {high:g} onto 0 to 1."
        )
    else:
        codes = _refuse_unknown(columns, present, scale, place)
        values = tuple(plain(one) for one in scale)
        worth = tuple((np.arange(len(values)) / (len(values) - 1)).tolist())
        words = (
            f"The votes are ratings without a cut: the truth of an item is the mean of its "
            f"ratings, with {_listed(values)} at equal distances from 0 to 1."
        )
    return Cast(present, codes, Scale(values=values, worth=worth, is_graded=True, words=words))


def _ratings(columns: list[AnyArray], present: BoolArray, place: Place) -> FloatArray:
    """Return all votes as finite numbers, NaN where there is none."""
    ratings = np.full(present.shape, np.nan)
    for place_of, values in enumerate(columns):
        there = present[:, place_of]
        if values.dtype.kind in "iuf":
            ratings[there, place_of] = values[there]
        else:
            ratings[there, place_of] = [
                float(plain(one)) if _is_number(one) else np.nan for one in values[there]
            ]
    strange = present & ~np.isfinite(ratings)
    if strange.any():
        row, column = _first(strange)
        raise LabelError(
            (
                "The vote ",
                place(row, column),
                f" is {plain(columns[column][row])!r}, not a rating.",
            ),
            (
                "ratings are finite numbers; for words list all categories in their order with ",
                Option("scale"),
                ".",
            ),
        )
    return ratings


def _refuse_outside(
    ratings: FloatArray, present: BoolArray, ends: tuple[float, float], place: Place
) -> None:
    outside = present & ~((ratings >= ends[0]) & (ratings <= ends[1]))
    if outside.any():
        row, column = _first(outside)
        raise LabelError(
            (
                "The vote ",
                place(row, column),
                f" is {ratings[row, column]:g}, outside the scale from {ends[0]:g} to ",
                f"{ends[1]:g}.",
            ),
            ("a gap (NaN or null) is no vote; ", Option("scale"), " names both ends."),
        )


def _refuse_unknown(
    columns: list[AnyArray], present: BoolArray, scale: Sequence[Any], place: Place
) -> IntArray:
    """Return the place of each vote among the categories; raise if one is not among them."""
    known = [plain(one) for one in scale]
    codes = np.full(present.shape, -1)
    for code, value in enumerate(known):
        codes[_equal(columns, value, present)] = code
    unknown = present & (codes < 0)
    if unknown.any():
        row, column = _first(unknown)
        value = plain(columns[column][row])
        raise LabelError(
            (
                "The vote ",
                place(row, column),
                f" is {value!r}, which is not among the categories {shown(known, _MOST_SHOWN)}.",
            ),
            (Option("scale"), " lists all categories, from the lowest to the highest."),
        )
    return codes


def _consecutive(columns: list[AnyArray], present: BoolArray) -> tuple[int, int] | None:
    """Return the ends of votes that can only be ratings: three or more whole numbers in a row.

    0 and 1 with one further number may be votes with a mistake or a code for a gap, and are not.
    """
    values = _distinct(columns, present)
    if not all(_is_number(value) and float(value).is_integer() for value in values):
        return None
    whole = sorted(map(int, values))
    in_a_row = whole == list(range(whole[0], whole[0] + len(whole)))
    votes_and_one = len(whole) == _FEWEST_RATINGS and {0, 1} <= set(whole)
    if len(whole) < _FEWEST_RATINGS or not in_a_row or votes_and_one:
        return None
    return whole[0], whole[-1]


# -- weights of raters -----------------------------------------------------------------------------


def weights_of(raters: Sequence[Any], given: Mapping[Any, float] | None) -> FloatArray | None:
    """Return the weight of each rater; None where all weigh alike.

    A rater may be named as text: "3" is the rater 3.
    """
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise OptionError(
            "is not a mapping from raters to weights.",
            "pass a dict, as in rater_weight={'ann': 2}.",
            option="rater_weight",
            value=given,
        )
    weights = np.ones(len(raters))
    for name, weight in given.items():
        own = [k for k, rater in enumerate(raters) if rater == name]
        own = own or [k for k, rater in enumerate(raters) if str(rater) == str(name)]
        if not own:
            raise OptionError(
                f"names {name!r}, who is not a rater.",
                f"the raters are {shown(list(raters), _MOST_SHOWN)}.",
                argument="rater_weight",
            )
        if not (_is_number(weight) and 0 <= float(weight) < math.inf):
            raise WeightError(
                f"of {name!r} is {weight!r}.",
                "weights of raters are finite and not negative; 0 leaves a rater out.",
                argument="rater_weight",
            )
        weights[own] = float(weight)
    if not weights.any():
        raise WeightError(
            "leaves no rater: all weights are 0.",
            "give one rater a weight above 0.",
            argument="rater_weight",
        )
    return None if bool(np.all(weights == weights[0])) else weights


# -- values ----------------------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return isinstance(plain(value), int | float) and not isinstance(plain(value), bool)


def _check_scale(scale: Any) -> None:
    """Raise unless a scale is two ends, or a list of two categories or more."""
    hint = "pass the ends of a scale of numbers, such as (1, 5), or all categories in their order."
    if isinstance(scale, str | bytes) or not isinstance(scale, Sequence | np.ndarray):
        raise OptionError("is not a list.", hint, option="scale", value=scale)
    if len(scale) < 2:
        raise OptionError("has fewer than two entries.", hint, option="scale", value=scale)
    known = [plain(one) for one in scale]
    again = next((one for place, one in enumerate(known) if one in known[:place]), None)
    if again is not None:
        raise OptionError(f"has {again!r} twice.", hint, option="scale", value=scale)
    ends = _ends(list(scale))
    if ends is not None and not -math.inf < ends[0] < ends[1] < math.inf:
        raise OptionError("does not go upwards.", hint, option="scale", value=scale)


def _ends(scale: Sequence[Any]) -> tuple[float, float] | None:
    """Return both ends of a scale of numbers; None if it is a list of categories."""
    if len(scale) == 2 and all(map(_is_number, scale)):
        return float(scale[0]), float(scale[1])
    return None


def _equal(columns: list[AnyArray], value: Any, present: BoolArray) -> BoolArray:
    """Return where the votes that are present have this value."""
    equal = np.zeros_like(present)
    for place, column in enumerate(columns):
        there = present[:, place]
        equal[there, place] = column[there] == value
    return equal


def _first(flags: BoolArray) -> tuple[int, int]:
    """Return row and column of the first flag, searched column by column."""
    column = int(flags.any(axis=0).argmax())
    return int(flags[:, column].argmax()), column


def _distinct(columns: list[AnyArray], wanted: BoolArray) -> list[Any]:
    """Return the different votes at some places, in order if they have one."""
    found: set[Any] = set()
    for place, column in enumerate(columns):
        votes = column[wanted[:, place]]
        found |= set((np.unique(votes) if votes.dtype.kind in "biufU" else votes).tolist())
    numbers = sorted(one for one in found if _is_number(one))
    return [*numbers, *sorted((one for one in found if not _is_number(one)), key=str)]


def _listed(values: Iterable[Any]) -> str:
    """Write values in a sentence; of many the first ones."""
    known = [repr(value) for value in values]
    more = [f"{len(known) - _MOST_SHOWN} more"] if len(known) > _MOST_SHOWN else []
    return joined([*known[:_MOST_SHOWN], *more])
