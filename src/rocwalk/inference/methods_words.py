"""How intervals and differences were made, in words for a paper, with citations."""

from __future__ import annotations

from collections.abc import Sequence

from rocwalk.statistic import find, words_of

# by the beginning of a method's name
_INTERVALS = {
    "delong-newcombe": "the union of the interval with DeLong's variance on the logit scale "
    "[@delong1988] and Newcombe's interval [@newcombe2006] where items are few or the area is near "
    "0 or 1",
    "delong-logit": "DeLong's variance on the logit scale [@delong1988]",
    "delong": "DeLong's variance [@delong1988]",
    "newcombe": "Newcombe's method [@newcombe2006]",
    "wilson-clusters": "Wilson's method [@wilson1927] for the number of independent items that "
    "clusters are worth [@kish1965]",
    "wilson": "Wilson's method [@wilson1927]",
    "mover-clusters": "the method of variance estimates recovery [@zou2008], with variances over "
    "clusters [@kish1965]",
    "mover": "the method of variance estimates recovery [@zou2008]",
    "obuchowski": "Obuchowski's variance for clustered data [@obuchowski1997clusters]",
    "jackknife": "a jackknife over clusters [@tukey1958]",
    "influence": "the empirical influence function",
    "ratio": "those of sensitivity and specificity [@donner2012]",
    "half-sample": "half-samples [@shao1989]",
    "bca": "the bias-corrected and accelerated bootstrap [@efron1987]",
    "percentile": "the percentile bootstrap",
    "basic": "the basic bootstrap",
}
_DIFFERENCES = {
    "delong": "DeLong's covariance [@delong1988]",
    "mover": "the method of variance estimates recovery [@zou2007; @zou2008]",
    "obuchowski": "Obuchowski's covariance for clustered data [@obuchowski1997clusters]",
    "jackknife": "a jackknife over clusters [@tukey1958]",
    "influence": "the empirical influence functions",
    "permutation": "the permutation test of paired areas [@bandos2005]",
    "bootstrap": "a paired bootstrap",
    "welch": "Welch's degrees of freedom [@welch1947]",
}
_OF_CLASSES = {"hand_till": "hand2001", "provost_domingos": "provost2000"}  # not registered


def number_words(statistic: str) -> str:
    """Return what a number is called, with the paper it comes from, if one is known.

    >>> number_words("auc"), number_words("sensitivity")
    ('AUC [@fawcett2006]', 'sensitivity')
    """
    entry = find(statistic)
    cited = _OF_CLASSES.get(statistic) if entry is None else entry.cited
    return words_of(statistic) + (f" [@{cited}]" if cited else "")


def interval_words(method: str, n_resamples: int | None = None) -> str:
    """Return by what an interval was made.

    >>> interval_words("wilson"), interval_words("bca", 2000)
    ("Wilson's method [@wilson1927]", 'the bias-corrected and accelerated bootstrap [@efron1987] \
(2,000 resamples)')
    """
    return _found(_INTERVALS, method) + _resamples(n_resamples)


def difference_words(method: str, n_resamples: int | None = None) -> str:
    """Return by what the interval and the test of a difference were made.

    >>> difference_words("delong-t")
    "DeLong's covariance [@delong1988]"
    """
    return _found(_DIFFERENCES, method) + _resamples(n_resamples)


def by_size_words(methods: Sequence[str]) -> str:
    """Return by what several numbers were made; of two ways, that the number of items decides.

    >>> by_size_words(["Wilson's method"]), by_size_words(["A", "B", "A"])
    ("Wilson's method", 'A or B, by the number of items')
    """
    found = list(dict.fromkeys(methods))
    return found[0] if len(found) == 1 else f"{' or '.join(found)}, by the number of items"


def _found(known: dict[str, str], method: str) -> str:
    for name, words in known.items():
        if method.startswith(name):
            return words
    return f"the method “{method}” of rocwalk"


def _resamples(count: int | None) -> str:
    return "" if not count else f" ({count:,} resamples)"


def level_words(level: float) -> str:
    """Return a level of confidence.

    >>> level_words(0.95)
    '95 %'
    """
    return f"{100 * level:g} %"


def adjusted_words(pairs: int) -> list[str]:
    """Return that p-values were adjusted, if there were several."""
    if pairs < 2:
        return []
    return [f"P-values of the {pairs} pairs were adjusted by Holm's method [@holm1979]."]


def margin_words(margin: float | None, pairs: int = 1) -> list[str]:
    """Return that differences were tested against a margin, if there is one."""
    if margin is None:
        return []
    words = "Non-inferiority and equivalence were tested one-sidedly against a margin of"
    adjusted = ", their p-values adjusted for the pairs in the same way" if pairs > 1 else ""
    return [f"{words} {margin:g} [@schuirmann1987]{adjusted}."]
