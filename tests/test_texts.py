import pytest

from rocwalk.texts import is_hidden, joined, kind_of, nearest, shown, spelled, visible, written


def test_values_are_cut_at_the_most_that_is_asked_for():
    assert shown([1, 2], 2) == "1, 2"
    assert shown([1, 2, 3], 2) == "1, 2, …"
    assert shown([]) == ""


def test_a_list_in_a_sentence():
    assert [joined(["a", "b", "c"][:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("name", "known", "words"),
    [
        ("AUC", ["brier", "auc"], "did you mean 'auc'?"),
        ("au c", ["brier", "auc"], "did you mean 'auc'?"),
        ("zzz", ["brier", "auc"], "there are: 'brier', 'auc'."),
        ("\uff41uc", ["brier", "auc"], "did you mean 'auc'?"),  # a wide a
        ("zzz", [str(k) for k in range(20)], ", '11', …."),
    ],
)
def test_the_nearest_name_or_all_of_them(name, known, words):
    assert nearest(name, known).endswith(words)


def test_names_that_differ_in_spaces_and_case_are_spelled_alike():
    assert spelled("  Not\u00a0 Known") == spelled("not known") != spelled("notknown")


def test_characters_that_drive_a_terminal_are_written_out():
    assert visible("a\nb\u202ec\ud800") == r"a\nb\u202ec\ud800"
    assert not any(map(is_hidden, visible("".join(map(chr, range(0x3000))))))
    assert visible("naïve — 模型") == "naïve — 模型"


def test_integers_of_thousands_of_digits_are_written_by_their_size():
    assert written(10**39) == str(10**39)
    assert written(7 * 10**5000) == "≈10**5001"
    assert written(1 << 132) == str(1 << 132)


@pytest.mark.parametrize(
    ("value", "words"),
    [((), "a tuple"), ({}, "a dict"), (1.0, "a float"), (1, "an int"), (b"", "a bytes")],
)
def test_a_type_has_its_article(value, words):
    assert kind_of(value) == words
