"""Methods paragraphs: they name what was computed and nothing else, and cite what there is."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rocwalk as rw
from commands import ROOT
from rocwalk.inference.methods_words import difference_words, interval_words, number_words
from rocwalk.methods import Methods, bibliography, methods_of

RNG = np.random.default_rng(5)
Y = np.repeat([1, 0], 60)
MODELS = {name: Y * 0.15 + RNG.random(120) * 0.85 for name in "abc"}
A = MODELS["a"]
STUDY = rw.reader_study(
    {
        "y": np.tile(Y, 4),
        "r": np.tile(np.repeat(["r1", "r2"], 120), 2),
        "t": np.repeat(["film", "screen"], 240),
        "c": np.tile(np.arange(120), 4),
        "s": np.concatenate([np.tile(Y, 1) + RNG.normal(size=120) for _ in range(4)]),
    },
    truth="y", reader="r", test="t", case="c", rating="s",
)  # fmt: skip

# a result, the keys that its methods cite, words that must and words that must not be there
CASES = {
    "curve": (rw.roc(Y, A), {"fawcett2006"}, ["ties"], ["interval", "DeLong"]),
    "delong": (rw.interval(Y, A), {"fawcett2006", "delong1988"}, ["95 %", "logit"], ["bootstrap"]),
    "newcombe": (rw.interval(Y, A, method="newcombe"), {"fawcett2006", "newcombe2006"}, [], ["DeLong"]),
    "few": (
        rw.interval([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]), {"fawcett2006", "delong1988", "newcombe2006"},
        ["union"], [],
    ),
    "bootstrap": (
        rw.interval(Y, A, method="bca", n_resamples=50, rng=0, confidence_level=0.9),
        {"fawcett2006", "efron1987"}, ["90 %", "50 resamples"], ["95 %", "DeLong"],
    ),
    "brier": (rw.interval(Y, A, statistic="brier", n_resamples=50, rng=0), {"brier1950", "efron1987"}, [], ["AUC"]),
    "wilson": (
        rw.interval(Y, A, statistic="sensitivity", threshold=0.5), {"wilson1927"},
        ["sensitivity"], ["AUC"],
    ),
    "pair": (
        rw.compare(Y, {k: MODELS[k] for k in "ab"}), {"fawcett2006", "delong1988"},
        ["2 models", "same items"], ["Holm", "margin"],
    ),
    "three": (
        rw.compare(Y, MODELS, margin=0.05), {"fawcett2006", "delong1988", "holm1979", "schuirmann1987"},
        ["3 pairs", "margin of 0.05"], [],
    ),
    "samples": (rw.compare_samples((Y, A), (Y, MODELS["b"])), None, ["separate samples"], ["Holm"]),
    "given threshold": (
        rw.accuracy_table(Y, A, threshold=0.5), {"delong1988", "wilson1927", "donner2012"},
        ["0.5 or more"], ["same data"],
    ),
    "chosen threshold": (
        rw.accuracy_table(Y, A), {"delong1988", "wilson1927", "donner2012"},
        ["largest TPR − FPR on the same data"], [],
    ),
    "isotonic": (rw.roc(Y, A).calibration(), {"fawcett2007", "dimitriadis2021"}, ["isotonic"], ["band", "Brier"]),
    "smooth": (rw.calibration(Y, A, method="smooth"), set(), ["smooth"], ["isotonic"]),
    "decision": (rw.roc(Y, A).decision_curve(), {"vickers2006"}, ["treating none"], []),
    "power": (rw.auc_power(0.8, 60, 60), set(), ["The power", "60 positives"], ["Obuchowski"]),
    "size": (
        rw.auc_sample_size(0.8, formula="obuchowski"), {"obuchowski1997size"},
        ["The size", "power of 0.8"], ["simulations"],
    ),
    "precision": (rw.accuracy_sample_size(sensitivity=0.9), {"wilson1927"}, ["141 positives"], ["subjects"]),
    "subjects": (
        rw.accuracy_sample_size(specificity=0.9, prevalence=0.2), {"wilson1927", "buderer1996"},
        ["subjects"], ["sensitivity"],
    ),
    "readers": (
        STUDY, {"fawcett2006", "obuchowski1995", "hillis2007", "delong1988"},
        ["2 readers", "random readers and random cases"], ["jackknife", "Holm"],
    ),
    "reader power": (STUDY.power(0.1), {"hillis2011"}, ["0.1"], []),
    "whole curves": (
        rw.compare_curves(Y, {k: MODELS[k] for k in "ab"}, n_resamples=20, rng=0), {"venkatraman1996"},
        ["20 permutations"], ["Holm"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_methods_name_what_was_computed_and_nothing_else(name):
    result, keys, present, absent = CASES[name]
    made = result.methods()
    if keys is not None:
        assert set(made.keys) == keys | {"rocwalk"}
    said = " ".join(made.sentences)
    for words in present:
        assert words in said
    for words in absent:
        assert words not in said
    assert made.text.endswith(f"Computations used rocwalk {rw.__version__} [@rocwalk].")
    assert set(re.findall(r"^@\w+\{(\w+),", made.bibtex, re.MULTILINE)) == set(made.keys)


def test_a_band_is_named_once_it_was_computed():
    found = rw.calibration(Y, A, rng=0, n_resamples=20)
    assert "band" not in found.methods().text
    found.confidence_band  # noqa: B018
    assert "95 % confidence band" in found.methods().text
    assert "consistency" not in found.methods().text
    found.brier  # noqa: B018
    assert {"brier1950", "murphy1973"} <= set(found.methods().keys)


def test_a_clustered_table_names_its_bootstrap():
    found = rw.accuracy_table(Y, A, threshold=0.5, cluster=np.arange(120) // 2)
    said = found.methods().text
    assert "percentile bootstrap (2,000 resamples)" in said
    assert "Wilson" not in said


def test_sums_say_once_what_both_say():
    both = rw.interval(Y, A).methods() + rw.interval(Y, MODELS["b"]).methods()
    assert both.sentences == rw.interval(Y, A).methods().sentences
    more = rw.roc(Y, A).methods() + rw.roc(Y, A).decision_curve().methods()
    assert more.keys == ("fawcett2006", "vickers2006", "rocwalk")


def test_latex_cites_and_escapes():
    made = methods_of("50 % of a_b use two methods [@zou2007; @zou2008].")
    assert made.latex.startswith(r"50 \% of a\_b use two methods~\cite{zou2007,zou2008}. ")
    assert str(made) == made.text
    assert Methods(()).keys == ("rocwalk",)


def test_every_entry_is_that_of_the_documentation():
    page = (ROOT / "docs" / "rocwalk.bib").read_text(encoding="utf-8")
    for key, entry in bibliography().items():
        assert entry in page, key


def test_every_citation_in_the_code_has_an_entry_and_every_entry_is_cited():
    source = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "src" / "rocwalk").rglob("*.py")
    )
    cited = {
        key
        for one in re.findall(r"\[(@\w+(?:; @\w+)*)\]", source)
        for key in re.findall(r"@(\w+)", one)
    }
    cited |= {key for key in bibliography() if f'": "{key}"' in source}
    assert cited == set(bibliography())


def test_words_of_methods():
    assert interval_words("delong-plain") == "DeLong's variance [@delong1988]"
    assert interval_words("of my own") == "the method “of my own” of rocwalk"
    assert difference_words("bootstrap", 100) == "a paired bootstrap (100 resamples)"
    assert number_words("h_measure") == "H-measure [@hand2014]"
