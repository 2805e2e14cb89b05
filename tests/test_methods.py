"""Methods paragraphs: they name what was computed and nothing else, and cite what there is."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rocwalk as rw
from commands import ROOT
from rocwalk.inference.methods_words import difference_words, interval_words, number_words
from rocwalk.methods import Methods, bibliography, methods_of
from rocwalk.statistic import entries

RNG = np.random.default_rng(5)
Y = np.repeat([1, 0], 60)
MODELS = {name: Y * 0.15 + RNG.random(120) * 0.85 for name in "abc"}
A = MODELS["a"]
VOTES = np.column_stack([RNG.random(120) < 0.2 + 0.6 * Y for _ in range(3)]).astype(int)
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
    "brier": (rw.interval(Y, A, statistic="brier"), {"brier1950"}, ["influence function"], ["AUC"]),
    "brier, bca": (
        rw.interval(Y, A, statistic="brier", method="bca", n_resamples=50, rng=0), {"brier1950", "efron1987"}, [], ["AUC"],
    ),
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
    "permutation": (
        rw.compare(Y, {k: MODELS[k] for k in "ab"}, method="permutation", n_resamples=50, rng=0),
        {"fawcett2006", "bandos2005"},
        ["p-values are those of the permutation test", "50 resamples", "intervals of differences those of a closed form"],
        ["intervals and two-sided"],
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
    "rater table": (
        rw.rater_table(VOTES), {"wilson1927", "schouten1982"}, ["share of the votes"], ["AUC_PRT", "majority"],
    ),
    "rater table and a model": (
        rw.rater_table(VOTES, {"a": A}, reference="majority"), {"wilson1927", "schouten1982", "gredlics"},
        ["AUC_PRT", "majority"], ["share"],
    ),
    "rater model with priors": (
        rw.votes(VOTES).dawid_skene(prior=(4, 2)), {"dawid1979", "raykar2010"}, ["Beta(4, 2)"], [],
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
    "smooth curve": (
        rw.smooth_roc(Y, A), {"dorfman1969", "metz1998"}, ["binormal", "delta method"], ["empirical", "ties", "beta"],
    ),
    "density": (rw.smooth_roc(Y, A, method="density"), {"zou1997"}, ["kernel"], ["empirical", "binormal"]),
    "beta": (rw.smooth_roc(Y, A, method="beta"), {"mossman2016"}, ["beta distributions"], ["empirical", "binormal"]),
    "smeared": (rw.smeared_roc(Y, A, width=0.2), {"ferri2005"}, ["“uniform” of width 0.2"], ["empirical", "share"]),
    "coins": (rw.smeared_roc(Y, A, kernel="coin", share=0.5), {"ferri2005"}, ["share of 0.5"], ["width", "empirical"]),
    "soft": (rw.soft_roc(Y, A, steps="both"), {"klement2008"}, ["“both”"], ["empirical", "ties"]),
    "averaged": (
        rw.average([rw.roc(Y, A), rw.roc(Y, MODELS["b"])]), {"fawcett2006"}, ["vertical average of 2 curves"], ["empirical"],
    ),
    "band": (
        rw.band(Y, A, n_resamples=50, rng=0), {"fawcett2006", "campbell1994", "macskassy2005"},
        ["Simultaneous 95 % band", "50 resamples"], ["Dvoretzky", "Pointwise"],
    ),
    "dkw": (rw.band(Y, A, method="dkw"), {"fawcett2006", "campbell1994", "massart1990"}, ["Dvoretzky"], ["resamples"]),
    "pointwise": (rw.band(Y, A, kind="pointwise", n_resamples=50, rng=0), {"fawcett2006"}, ["Pointwise"], ["Simultaneous"]),
    "band of a smooth curve": (
        rw.smooth_roc(Y, A).band, {"dorfman1969", "metz1998"}, ["Pointwise", "delta"], ["empirical", "resamples"],
    ),
    "best threshold": (
        rw.best_threshold(Y, A, n_resamples=50, rng=0), {"efron1983", "harrell2015"},
        ["largest TPR − FPR on the same data", "50 resamples"], ["cost"],
    ),
    "best for costs": (
        rw.best_threshold(Y, A, costs=rw.Costs(false_positive=1, false_negative=3), n_resamples=50, rng=0),
        {"efron1983", "harrell2015"}, ["least expected cost"], ["TPR − FPR"],
    ),
    "one model over folds": (
        rw.cross_validation(Y, A, fold=np.arange(120) % 4), {"fawcett2006"}, ["4 folds"], ["compared", "times", "Holm"],
    ),
    "models over folds": (
        rw.cross_validation(Y, MODELS, fold=np.arange(120) % 4), {"fawcett2006", "nadeau2003", "holm1979"},
        ["corrected t-test"], [],
    ),
    "subgroups": (
        rw.subgroups(np.tile(Y, 2), np.concatenate([A, MODELS["b"]]), by=np.repeat([0, 1], 120)),
        {"fawcett2006", "delong1988", "holm1979", "borkan2019"},
        ["2 subgroups", "background", "Wald"], ["few", "Wilson"],
    ),
    "small subgroups": (
        rw.subgroups(Y, A, by=np.arange(120) % 3), None, ["where items are few", "newcombe2006"], [],
    ),
    "subgroups by sensitivity": (
        rw.subgroups(Y, A, by=np.arange(120) % 2, statistic="sensitivity", threshold=0.5), None,
        ["sensitivity", "Wilson"], ["AUC", "delong", "borkan"],
    ),
    "kappa of two": (
        rw.agreement(VOTES[:, :2], measure="cohen"), {"cohen1960"}, ["Cohen's kappa", "2 raters", "closed form"],
        ["Fleiss", "resamples"],
    ),
    "kappa of three": (rw.agreement(VOTES, measure="fleiss"), {"fleiss1971"}, ["3 raters"], ["Cohen"]),
    "percent": (rw.agreement(VOTES, measure="percent"), set(), ["percent agreement"], ["kappa"]),
    "drawn agreement": (
        rw.agreement(VOTES, measure="ac1", method="bootstrap", n_resamples=60, rng=0), {"gwet2008"},
        ["60 resamples"], ["closed"],
    ),
    "raters": (rw.votes(VOTES).dawid_skene(), {"dawid1979"}, ["120 items", "3 raters"], ["not converged"]),
    "reference truth": (
        rw.reference_truth(VOTES.mean(axis=1), A), {"fawcett2006", "gredlics"}, ["AUC_PRT"], ["interval"],
    ),
    "drift": (
        rw.drift((Y, A), (Y[::-1], A[::-1])), {"holm1979", "klement2009"},
        ["level, ranking and struggle ratio", "AUC, midpoint and struggle ratio"], ["bootstrap"],
    ),
    "shared": (
        rw.interval(rw.share(rw.tally(Y, A), buckets=8, epsilon=5.0, rng=0)), None, ["noise that was added for privacy"], ["bootstrap"],
    ),
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


def test_a_clustered_table_names_its_bootstrap_and_what_clusters_are_worth():
    found = rw.accuracy_table(Y, A, threshold=0.5, cluster=np.arange(120) // 2)
    said = found.methods().text
    assert "intervals of prevalence use the percentile bootstrap (2,000 resamples)" in said
    worth = "use Wilson's method [@wilson1927] for the number of independent items that clusters"
    assert f"negative predictive value and accuracy {worth} are worth [@kish1965]" in said
    alone = rw.accuracy_table(Y, A, threshold=0.5).methods().text
    assert "independent items" not in alone
    assert "kish1965" not in alone


def test_drift_names_the_tests_that_were_made():
    with pytest.warns(rw.errors.UndefinedMetricWarning):
        found = rw.drift((Y, A), (np.zeros(40), A[:40]))
    said = found.methods()
    assert "a score test of its level compares" in said.text
    assert said.keys == ("rocwalk",)
    assert "ranking" not in said.text


def test_a_model_of_raters_that_did_not_converge_says_so():
    with pytest.warns(rw.errors.FitWarning):
        found = rw.votes(VOTES).dawid_skene(max_iterations=1)
    assert "not converged" in found.methods().text


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


def test_a_word_processor_has_authors_and_a_list():
    made = rw.interval([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]).methods()
    assert "(DeLong et al. 1988) and Newcombe's interval (Newcombe 2006)" in made.plain
    assert "@" not in made.plain
    assert made.references[0].startswith("DeLong, Elizabeth R.; DeLong, David M.; Clarke-Pearson")
    assert made.references[0].endswith("Biometrics 44, 837–845.")
    assert len(made.references) == len(made.keys)
    assert list(made.references) == sorted(made.references)


@pytest.mark.parametrize("key", bibliography())
def test_every_entry_can_be_written_in_full(key):
    made = methods_of(f"See [@{key}].")
    for text in (made.plain, *made.references):
        assert not re.search(r"[{}\\@`]|\.\.|''| \.", text), text
    assert "others" not in made.plain + made.references[0]


def test_results_that_inherit_methods_say_what_is_theirs():
    """A class below one with methods either says its own or is named here, with a reason."""
    same = {"ThinnedCurve"}  # the same empirical curve, of fewer points
    same |= {"ReaderMean"}  # an interval as others, by the method that it names
    for name in rw.__all__:
        found = getattr(rw, name)
        if not (isinstance(found, type) and hasattr(found, "methods")) or name in same:
            continue
        assert "methods" in vars(found), name


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
    cited |= {entry.cited for entry in entries().values() if entry.cited}
    cited |= {key for key in bibliography() if f'": "{key}"' in source}  # of several classes
    assert cited == set(bibliography())


def test_words_of_methods():
    assert interval_words("delong-plain") == "DeLong's variance [@delong1988]"
    assert interval_words("of my own") == "the method “of my own” of rocwalk"
    assert difference_words("bootstrap", 100) == "a paired bootstrap (100 resamples)"
    assert number_words("h_measure") == "H-measure [@hand2014]"
