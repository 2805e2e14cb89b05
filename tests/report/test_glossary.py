"""Words that the page explains: the glossary and the vocabulary of papers."""

from __future__ import annotations

import pytest

from rocwalk.report.glossary import glossary, vocabulary


@pytest.mark.parametrize("term", ["Hull area", "Matched width", "Midpoint", "Struggle ratio", "Capability", "PC(+)", "AUC_PRT"])  # fmt: skip
def test_the_glossary_has_the_words_of_the_papers(term):
    sentence = glossary()[term]
    assert sentence.endswith(".")
    assert sentence.count(". ") == 0  # one sentence


def test_each_phrase_has_two_fields():
    assert all(set(words) == {"learning", "clinical"} for words in vocabulary().values())
