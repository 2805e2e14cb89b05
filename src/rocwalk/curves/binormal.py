"""The binormal ROC curve by maximum likelihood on ordered categories (Dorfman & Alf; Metz).

The scores are categories of a latent variable that is normal in both classes, N(0, 1) for negatives
and N(a/b, 1/b²) for positives: TPR = Φ(a + b·Φ⁻¹(FPR)). Only the order of the scores counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwalk.errors import InputError
from rocwalk.inference.distributions import normal_below, normal_quantiles
from rocwalk.inference.items import Evidence
from rocwalk.tally.tally import Tally
from rocwalk.typing import FloatArray, IntArray

_HINT = "use the method 'density', or the curve of the data itself, rocwalk.roc."
_STEPS, _CONVERGED = 200, 1e-10
_FARTHEST = 50.0  # |a|, b and 1/b of a curve that is more than a corner


@dataclass(frozen=True, eq=False)
class Binormal:
    """A fit: TPR = Φ(a + b·Φ⁻¹(FPR)), the covariance of (a, b), the cutoffs and the likelihood."""

    a: float
    b: float
    covariance: FloatArray
    cutoffs: FloatArray
    log_likelihood: float
    steps: int

    @property
    def area(self) -> float:
        """Φ(a/√(1 + b²))."""
        return 0.5 * math.erfc(-self.a / math.sqrt(2 * (1 + self.b**2)))

    @property
    def separation_error(self) -> float:
        """The standard error of a/√(1 + b²), the area on the normal scale."""
        root = math.sqrt(1 + self.b**2)
        slopes = np.array([1 / root, -self.a * self.b / root**3])
        return math.sqrt(max(float(slopes @ self.covariance @ slopes), 0.0))


def runs_of(tally: Tally) -> FloatArray:
    """Return the masses of the categories, from the lowest scores: negatives and positives.

    Neighbouring scores that hold one class only, and the same, are one category: the likelihood
    splits such a run in proportion to its masses, whatever the curve, so that the curve loses
    nothing (Metz, Herman & Shen 1998).
    """
    return np.stack([np.add.reduceat(mass[::-1], starts_of(tally)) for mass in masses_of(tally)])


def masses_of(tally: Tally) -> tuple[FloatArray, FloatArray]:
    """Return the masses of negatives and of positives by score, from the highest."""
    return tally.right.astype(np.float64), tally.up.astype(np.float64)


def starts_of(tally: Tally) -> IntArray:
    """Return where categories start among the scores in ascending order."""
    right, up = (mass[::-1] for mass in masses_of(tally))
    kind = np.where(up == 0, 0, np.where(right == 0, 1, 2))
    return np.flatnonzero(np.append(True, (kind[1:] != kind[:-1]) | (kind[1:] == 2)))


def fit_binormal(tally: Tally) -> Binormal:
    """Return the fit by Newton's method with analytic derivatives; raise for degenerate data.

    The covariance of (a, b) is the inverse observed information for hard labels of one weight, else
    the sandwich of the items' efficient scores.
    """
    masses = runs_of(tally)
    scale = float(masses.sum() / tally.total_count)  # a common weight changes nothing
    right, up = masses / scale
    fpr, tpr = (1 - np.cumsum(mass)[:-1] / mass.sum() for mass in (right, up))
    inside = (fpr > 1e-12) & (fpr < 1 - 1e-12) & (tpr > 1e-12) & (tpr < 1 - 1e-12)
    if np.count_nonzero(inside) < 2:
        found = "one point" if inside.any() else "no point"
        raise InputError(
            f"A binormal curve cannot be fitted: the ROC curve has {found} inside (0, 1) in both "
            "rates, and two are needed.",
            _HINT,
        )
    pooled = np.cumsum(right / right.sum() + up / up.sum())[:-1] / 2
    x, y = normal_quantiles(fpr[inside]), normal_quantiles(tpr[inside])
    slope = float(np.std(y) / np.std(x)) if np.std(x) > 0 and np.std(y) > 0 else 1.0
    b = min(max(slope, 0.2), 5.0)
    a = float(np.mean(y) - b * np.mean(x))
    t = _pooled_cutoffs(pooled, a, b)
    model = _Likelihood(right, up)
    value = model.value(a, b, t)
    for steps in range(1, _STEPS + 1):  # noqa: B007
        gradient, information = model.derivatives(a, b, t)
        move = information.solve(gradient)
        if move is None:
            gradient, information = model.derivatives(a, b, t, expected=True)
            move = information.solve(gradient)
        assert move is not None
        (to_a, to_b), to_t = move
        gain = gradient.ab @ np.array([to_a, to_b]) + gradient.t @ to_t
        length = 1.0
        while length > 1e-12:
            new = a + length * to_a, b + length * to_b, t + length * to_t
            reached = model.value(*new)
            if reached >= value + 1e-4 * length * gain or (gain < 1e-9 and reached >= value - 1e-9):
                break
            length /= 2
        (a, b, t), value = new, max(reached, value) if length > 1e-12 else value
        if not (abs(a) < _FARTHEST and 1 / _FARTHEST < b < _FARTHEST):
            _refuse_degenerate()
        if gain < _CONVERGED:
            break
    else:
        _refuse_degenerate()
    _, information = model.derivatives(a, b, t)
    covariance = information.covariance_of_ab()
    if covariance is None:
        _refuse_degenerate()
    assert covariance is not None
    if Evidence(tally).even_weight is None:
        covariance = _sandwich(tally, scale, information, (a, b, t), covariance)
    return Binormal(float(a), float(b), covariance, t, float(value), steps)


def _refuse_degenerate() -> None:
    raise InputError(
        "A binormal curve cannot be fitted: the data are degenerate, and the likelihood has no "
        "maximum at finite parameters.",
        _HINT,
    )


def _pooled_cutoffs(shares: FloatArray, a: float, b: float) -> FloatArray:
    """Return t with ½(Φ(t) + Φ(bt − a)) equal to each share.

    It lies between the quantiles of both normal distributions. Newton's steps that leave what
    encloses it are halvings.
    """
    z = np.clip(normal_quantiles(shares), -40.0, 40.0)
    ends = z, (z + a) / b
    low, high = np.minimum(*ends), np.maximum(*ends)
    t = (low + high) / 2
    for _ in range(_HALVINGS):
        over = (normal_below(t) + normal_below(b * t - a)) / 2 - shares
        low, high = np.where(over < 0, t, low), np.where(over < 0, high, t)
        slope = (np.exp(-(t**2) / 2) + b * np.exp(-((b * t - a) ** 2) / 2)) / math.sqrt(8 * math.pi)
        new = t - np.divide(over, slope, out=np.full_like(t, np.inf), where=slope > 0)
        new = np.where((low < new) & (new < high), new, (low + high) / 2)
        if (np.abs(new - t) <= 1e-14 * np.maximum(np.abs(t), 1.0)).all():
            break
        t = new
    return t


_HALVINGS = 100


@dataclass(frozen=True, eq=False)
class _Gradient:
    ab: FloatArray
    t: FloatArray


def tridiagonal_solution(
    diagonal: FloatArray, beside: FloatArray, columns: FloatArray
) -> FloatArray | None:
    """Return x with Ax = columns for a symmetric tridiagonal A; None if A is not positive definite.

    Cyclic reduction: rows 0, 2, … are eliminated at once, which leaves a tridiagonal system of the
    others. The pivots are those of a Cholesky decomposition in another order, so they are positive
    exactly if A is. `scipy.linalg` solves it too; but its import takes longer than many fits.
    """
    pivots = diagonal[::2]
    if not (pivots > 0).all():
        return None
    if len(diagonal) == 1:
        return columns / pivots[:, None]
    even, odd = columns[::2].copy(), columns[1::2]
    left, right = beside[::2], beside[1::2]  # of each odd row with the rows before and after it
    before, after = left / pivots[: len(left)], right / pivots[1:]
    inner, rest = diagonal[1::2] - before * left, odd - before[:, None] * even[: len(odd)]
    inner[: len(after)] -= after * right
    rest[: len(after)] -= after[:, None] * even[1:]
    solved = tridiagonal_solution(inner, -after[: len(inner) - 1] * left[1:], rest)
    if solved is None:
        return None
    even[: len(left)] -= left[:, None] * solved
    even[1:] -= right[:, None] * solved[: len(right)]
    found = np.empty_like(columns)
    found[::2], found[1::2] = even / pivots[:, None], solved
    return found


@dataclass(frozen=True, eq=False)
class _Information:
    """An arrow: 2 × 2 of (a, b), tridiagonal of the cutoffs, and the columns between them."""

    ab: FloatArray
    between: FloatArray
    diagonal: FloatArray
    beside: FloatArray

    def inner(self, columns: FloatArray) -> FloatArray | None:
        """Return the inverse of the tridiagonal part times columns; None if it is not positive."""
        found = tridiagonal_solution(self.diagonal, self.beside, columns)
        return None if found is None or not np.isfinite(found).all() else found

    def schur(self, solved: FloatArray) -> FloatArray:
        """Return the information of (a, b) that the cutoffs leave."""
        left: FloatArray = self.ab - self.between.T @ solved
        return (left + left.T) / 2

    def solve(self, gradient: _Gradient) -> tuple[FloatArray, FloatArray] | None:
        """Return Newton's step in (a, b) and in the cutoffs; None where there is none upward."""
        solved = self.inner(np.column_stack([gradient.t, self.between]))
        if solved is None:
            return None
        left = self.schur(solved[:, 1:])
        if not (left[0, 0] > 0 and np.linalg.det(left) > 0):
            return None
        to_ab: FloatArray = np.linalg.solve(
            left, gradient.ab - self.between.T @ solved[:, 0]
        ).astype(np.float64)
        return to_ab, solved[:, 0] - solved[:, 1:] @ to_ab

    def covariance_of_ab(self) -> FloatArray | None:
        """Return the inverse of the information of (a, b), or None if it is not positive."""
        solved = self.inner(self.between)
        left = None if solved is None else self.schur(solved)
        if left is None or not (left[0, 0] > 0 and np.linalg.det(left) > 0):
            return None
        return np.linalg.inv(left).astype(np.float64)


@dataclass(frozen=True, eq=False)
class _Likelihood:
    """Σ n⁻ₖ·log p⁻ₖ + n⁺ₖ·log p⁺ₖ over categories k, with p⁻ = ΔΦ(t) and p⁺ = ΔΦ(bt − a)."""

    right: FloatArray
    up: FloatArray

    def value(self, a: float, b: float, t: FloatArray) -> float:
        if not b > 0 or np.any(np.diff(t) <= 0):
            return -math.inf
        total = 0.0
        for mass, ends in ((self.right, t), (self.up, b * t - a)):
            p, held = _between(ends), mass > 0
            if not (p[held] > 0).all():
                return -math.inf
            total += float(mass[held] @ np.log(p[held]))
        return total

    def derivatives(
        self, a: float, b: float, t: FloatArray, *, expected: bool = False
    ) -> tuple[_Gradient, _Information]:
        """Return the gradient and minus the second derivatives, or what is expected of these."""
        to_t = np.zeros(len(t))
        ab, between = np.zeros((2, 2)), np.zeros((len(t), 2))
        diagonal, beside = np.zeros(len(t)), np.zeros(max(len(t) - 1, 0))
        to_ab = np.zeros(2)
        for mass, ends, rate, is_up in (
            (self.right, t, 1.0, False), (self.up, b * t - a, b, True),
        ):  # fmt: skip
            p = np.maximum(_between(ends), 1e-300)
            density = np.exp(-(ends**2) / 2) / math.sqrt(2 * math.pi)
            count = mass.sum() * p if expected else mass
            score, square = mass / p, count / p**2
            # the cutoff j ends category j and starts category j + 1
            change = score[:-1] - score[1:]
            bend = -ends * density * (0.0 if expected else 1.0)
            to_t += rate * density * change
            diagonal += rate**2 * (density**2 * (square[:-1] + square[1:]) - bend * change)
            beside -= rate**2 * density[:-1] * density[1:] * square[1:-1]
            if not is_up:
                continue
            outer = np.column_stack([-np.ones(len(t)), t])  # ∂(bt − a)/∂(a, b)
            moved = outer * density[:, None]
            steps = np.diff(moved, axis=0, prepend=np.zeros((1, 2)), append=np.zeros((1, 2)))
            to_ab += score @ steps
            ab += steps.T @ (steps * square[:, None])
            ab -= outer.T @ (outer * (bend * change)[:, None])
            between += (
                rate
                * density[:, None]
                * (steps[:-1] * square[:-1, None] - steps[1:] * square[1:, None])
            )
            between -= rate * outer * (bend * change)[:, None]
            if not expected:
                between[:, 1] -= density * change
        return _Gradient(to_ab, to_t), _Information(ab, between, diagonal, beside)


def _between(ends: FloatArray) -> FloatArray:
    """Return the probabilities between −∞, the ends and ∞, without loss in the upper tail."""
    below, above = normal_below(np.stack((ends, -ends)))
    low, high = np.append(0.0, below), np.append(below, 1.0)
    over, beyond = np.append(1.0, above), np.append(above, 0.0)
    found: FloatArray = np.where(np.append(-np.inf, ends) > 0, over - beyond, high - low)
    return found


def _sandwich(
    tally: Tally,
    scale: float,
    information: _Information,
    fit: tuple[float, float, FloatArray],
    inverse: FloatArray,
) -> FloatArray:
    """Return J·Σ(efficient score)²·J of items with masses, J the inverse information of (a, b)."""
    a, b, t = fit
    solved = information.inner(information.between)
    assert solved is not None
    efficient = []  # the score of one unit of mass in each category, of negatives and of positives
    for ends, rate, is_up in ((t, 1.0, False), (b * t - a, b, True)):
        p = np.maximum(_between(ends), 1e-300)
        density = np.exp(-(ends**2) / 2) / math.sqrt(2 * math.pi)
        steps = np.zeros((len(p), 2))
        if is_up:
            moved = np.column_stack([-density, t * density])
            steps = np.diff(moved, axis=0, prepend=np.zeros((1, 2)), append=np.zeros((1, 2)))
        along = rate * density[:, None] * solved
        shift = np.diff(along, axis=0, prepend=np.zeros((1, 2)), append=np.zeros((1, 2)))
        efficient.append((steps - shift) / p[:, None])
    starts = starts_of(tally)
    moments = [
        np.add.reduceat(np.asarray(each, dtype=np.float64)[::-1], starts) / scale**2
        for each in (tally.right_squared, tally.up_right, tally.up_squared)
    ]
    low, high = efficient
    cross = low.T @ (high * moments[1][:, None])
    middle = low.T @ (low * moments[0][:, None]) + high.T @ (high * moments[2][:, None])
    middle += cross + cross.T
    spread: FloatArray = inverse @ middle @ inverse
    return spread
