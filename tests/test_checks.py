import numpy as np
import pytest

import rocwalk as rw
from rocwalk.checks import as_number, as_whole, one_of
from rocwalk.errors import OptionError


def test_a_number_that_float_cannot_hold_is_refused_in_words():
    curve = rw.roc([1, 0], [0.2, 0.4])
    with pytest.raises(OptionError, match=r"fpr=≈10\*\*5000 is not a number"):
        curve.at(fpr=10**5000)


@pytest.mark.parametrize(
    "value",
    [None, "3", b"3", True, [1, 2], float("nan"), -(10**400)],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_one_number_is_refused(value):
    with pytest.raises(
        OptionError, match=r"fpr=.* is not a number\.\nHint: pass one number as fpr\."
    ):
        as_number("fpr", value)


def test_numbers_of_numpy_are_numbers():
    assert as_number("fpr", np.float32(0.5)) == 0.5
    assert as_whole("buckets", np.int64(7), 2) == 7


@pytest.mark.parametrize("value", [2.5, float("inf")])
def test_what_is_not_whole_is_refused(value):
    with pytest.raises(OptionError, match="is not a whole number"):
        as_whole("buckets", value, 2)


def test_a_word_that_is_not_allowed_is_told_the_words():
    one_of("method", "delong", ("auto", "delong"))
    with pytest.raises(OptionError) as told:
        one_of("method", "dolong", ("auto", "delong"))
    assert (
        str(told.value) == "method='dolong' is not known.\nHint: method is one of 'auto', 'delong'."
    )
