"""Randomness comes from a generator of NumPy, or from the seed of one, and from nowhere else."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.errors import OptionError


def generator_of(rng: Any) -> np.random.Generator:
    """Return the generator that is given, a new one from a seed, or raise; None seeds anew.

    >>> bool(generator_of(7).random() == generator_of(7).random())
    True
    >>> generator_of("seven")
    Traceback (most recent call last):
        ...
    rocwalk.errors.OptionError: rng='seven' is neither a seed nor a generator.
    Hint: pass a whole number of 0 or more, or numpy.random.default_rng(…).
    """
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise OptionError(
            "is neither a seed nor a generator.",
            "pass a whole number of 0 or more, or numpy.random.default_rng(…).",
            option="rng",
            value=rng,
        ) from error
