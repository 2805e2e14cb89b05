"""The verdict: each claim on data where it must be made and on data where it must not."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import rocwalk as rw
from report.studies import report_on, section
from rocwalk.drift.causes import CauseTest
from rocwalk.errors import RocwalkWarning
from rocwalk.report.verdict.changed import severity
from rocwalk.report.verdict.claims import ACTION, CHANGED, LIMITS, PROMISE, RANKING
from rocwalk.report.verdict.verdict import CLAIMS, QUESTIONS, verdict


def expit(z):
    return 1 / (1 + np.exp(-z))


def logits(rows=1500, seed=0, mean=-0.8, spread=1.4):
    rng = np.random.default_rng(seed)
    z = rng.normal(mean, spread, rows)
    return rng, z, (rng.random(rows) < expit(z)).astype(int)


def flu():
    known, new = rw.datasets.flu(n=2000, rng=1), rw.datasets.flu(n=2000, rng=2)
    honest = rw.datasets.naive_bayes(known).predict(new)
    return {"y": np.asarray(new.y), "honest": honest, "alarmist": 6 * honest / (5 * honest + 1)}


def of_readme():
    return report_on(flu())


def of_identical():
    _, z, y = logits()
    return report_on({"y": y, "one": expit(z), "two": expit(z)})


def of_overconfident():
    _, z, y = logits(3000)
    shift = -2.2 * np.log(expit(z) / (1 - expit(z))).mean() + z.mean()  # about the same level
    return report_on({"y": y, "calm": expit(z), "sure": level(2.2 * z + shift, y)})


def level(z, y):
    """Return probabilities of these logits, shifted so that their mean is the prevalence."""
    low, high = -9.0, 9.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if expit(z + middle).mean() > y.mean() else (middle, high)
    return expit(z + low)


def of_reversed():
    _, z, y = logits(300)
    return report_on({"y": y, "risk": expit(-z)})


def of_eight():
    rng = np.random.default_rng(4)
    y = np.arange(68) < 8
    return report_on({"y": y.astype(int), "p": expit(rng.normal(y - 1.5, 1))})


def of_biomarker(**options):
    rng, z, y = logits(250, 3)
    return report_on({"y": y, "crp": np.exp(3 + 0.35 * z + rng.normal(0, 0.8, 250))}, **options)


def of_costly_biomarker():
    return of_biomarker(costs=rw.Costs(false_positive=1, false_negative=32))


def of_cheap_model():
    _, z, y = logits()
    data = {"y": y, "p": expit(z)}
    return report_on(data, costs=rw.Costs(false_positive=1, false_negative=3))


def of_budget():
    _, z, y = logits()
    return report_on({"y": y, "p": expit(z)}, rate=0.1)


def of_raters():
    rng = np.random.default_rng(2)
    z = rng.normal(size=300)
    data = {name: (rng.random(300) < expit(2 * z)).astype(int) for name in ("ann", "bob", "cy")}
    data["net"] = expit(1.5 * z + rng.normal(0, 0.8, 300))
    return rw.report(data, raters=["ann", "bob", "cy"], score="net")


def of_perfect():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 120)
    leak = expit(6 * y - 3 + rng.uniform(-1, 1, 120))
    return report_on({"y": y, "leak": leak, "plain": expit(rng.normal(1.2 * y - 0.6))})


def of_chance():
    rng = np.random.default_rng(3)
    return report_on({"y": rng.integers(0, 2, 200), "noise": rng.normal(size=200)})


def of_two_that_are_close():
    rng, z, y = logits(400)
    noisy = {name: expit(z + rng.normal(0, 1, 400)) for name in ("a", "b")}
    return report_on({"y": y} | noisy)


def of_groups():
    _, z, y = logits(300)
    data = {"y": y, "p": expit(z), "site": np.where((np.arange(300) < 9) & (y == 0), "x", "z")}
    return rw.report(data, label="y", score="p", by="site")


def of_classes():
    rng = np.random.default_rng(0)
    y = np.array(list("abc"))[rng.integers(0, 3, 90)]
    scores = {f"p{k}": (rng.random(90) + (y == k)) / 2 for k in "abc"}
    return rw.report({"y": y} | scores, label="y", class_scores={k: f"p{k}" for k in "abc"})


def of_tied():
    """Two orders of the same area: each has one inversion, of other items."""
    score = np.arange(40.0)
    score[[19, 20]] = score[[20, 19]]
    turned_round = np.concatenate([score[19::-1], score[20:]])
    return report_on({"y": np.arange(40) // 20, "a": score, "b": turned_round})


def of_three():
    rng, z, y = logits(500)
    near, noise = expit(z + rng.normal(0, 0.2, 500)), expit(rng.normal(size=500))
    return report_on({"y": y, "a": expit(z), "b": near, "c": noise})


def of_folds(noisy=5):
    """Two models over five folds; the noise of the second one is in some of the folds."""
    rng, z, y = logits(1000, 5)
    fold = np.arange(1000) % 5
    noise = np.where(fold < noisy, 1.0, 0.0) * rng.normal(size=1000)
    data = {"y": y, "clear": expit(z), "noisy": expit(z + noise), "fold": fold}
    return rw.report(data, label="y", score=["clear", "noisy"], fold="fold")


def of_one_noisy_fold():
    return of_folds(1)


def of_unpaired():
    rng, z, y = logits(3000)
    data = pl.LazyFrame({"y": y, "p": expit(z), "q": expit(z + rng.normal(0, 1, 3000))})
    with pytest.warns(RocwalkWarning, match="memory limit"):
        return rw.report(data, label="y", score=["p", "q"], memory_limit="1KB")


def of_one_positive():
    rng = np.random.default_rng(7)
    y = np.arange(30) == 0
    return report_on({"y": y * 1, "p": expit(rng.normal(2.0 * y - 2, 1))})


def of_low():
    _, z, y = logits(600)
    return report_on({"y": y, "p": expit(z - 1)})


def of_sure():
    _, z, y = logits(800)
    return report_on({"y": y, "p": level(2.5 * z, y)})


def of_timid():
    _, z, y = logits(800)
    return report_on({"y": y, "p": level(0.4 * z, y)})


def of_separated():
    y = np.arange(60) % 2
    return report_on({"y": y, "p": np.where(y == 1, 0.8, 0.2) + 0.1 * np.sin(np.arange(60))})


def of_unlike_groups():
    rng, z, y = logits(900)
    site = np.where(np.arange(900) % 2 == 0, "north", "south")
    p = expit(np.where(site == "north", z, rng.normal(size=900)))
    return rw.report({"y": y, "p": p, "site": site}, label="y", score="p", by="site")


def of_alike_groups():
    _, z, y = logits(400)
    site = np.where(np.arange(400) % 2 == 0, "north", "south")
    return rw.report({"y": y, "p": expit(z), "site": site}, label="y", score="p", by="site")


def of_few_later():
    _, z, y = logits(400)
    now = {"y": (np.arange(30) == 3) * 1, "p": expit(z[:30])}
    return rw.report(now, label="y", score="p", reference={"y": y, "p": expit(z)})


def of_biomarker_later():
    _, z, y = logits(200)
    data = {"y": y, "crp": np.exp(z + 2)}
    return rw.report(data, label="y", score="crp", reference=data)


def of_given_threshold():
    _, z, y = logits(400)
    return report_on({"y": y, "p": expit(z)}, threshold=0.5)


MODELS = {  # name: claims that are made, those that are not
    of_readme: (
        {"same_order", "same_order_other_promise", "overconfident", "brier", "act_by_rates"},
        {"separated", "not_separated", "keeps_its_word", "announces_too_many", "few"},
    ),
    of_identical: (
        {"same_order", "keeps_its_word"},
        {"same_order_other_promise", "tied", "separated", "not_probabilities"},
    ),
    of_overconfident: (
        {"same_order", "same_order_other_promise", "overconfident"},
        {"separated", "timid", "announces_too_few", "keeps_its_word"},
    ),
    of_reversed: (
        {"backwards", "announces_too_many", "turned", "no_rule"},
        {"ranks", "as_chance", "act_by_rates", "not_worthwhile", "overconfident"},
    ),
    of_eight: ({"few", "ranks"}, {"backwards", "not_probabilities", "perfect"}),
    of_biomarker: (
        {"not_probabilities", "ranks", "act_by_rates"},
        {"brier", "keeps_its_word", "few", "not_worthwhile"},
    ),
    of_costly_biomarker: ({"not_worthwhile"}, {"act_by_cost", "act_by_rates", "no_rule"}),
    of_cheap_model: ({"act_by_cost"}, {"not_worthwhile", "act_by_rates"}),
    of_budget: ({"act_by_rates"}, {"act_by_cost", "not_worthwhile"}),
    of_raters: ({"fair_summary", "agreement"}, {"ranks", "separated", "classes"}),
    of_perfect: (
        {"perfect", "perfect_elsewhere", "separated", "right_on_average", "keeps_its_word"},
        {"backwards", "as_chance", "not_separated", "turned", "no_promise_tested"},
    ),
    of_chance: ({"as_chance", "not_worthwhile"}, {"ranks", "backwards", "perfect"}),
    of_two_that_are_close: ({"not_separated"}, {"separated", "partly_separated", "same_order"}),
    of_groups: ({"one_class_groups"}, {"few", "unlike_groups", "alike_groups"}),
    of_classes: (
        {"classes", "classes_only_ranked"},
        {"ranks", "brier", "act_by_rates", "fair_summary", "agreement"},
    ),
    of_tied: ({"tied", "not_probabilities"}, {"same_order", "perfect", "largest", "uncompared"}),
    of_three: ({"partly_separated", "as_chance"}, {"separated", "not_separated", "tied"}),
    of_folds: ({"separated"}, {"not_over_folds"}),
    of_one_noisy_fold: ({"separated", "not_over_folds"}, {"not_separated"}),
    of_unpaired: ({"largest", "uncompared"}, {"separated", "not_separated", "without_interval"}),
    of_one_positive: (
        {"perfect", "no_promise_tested", "unknown_choice", "few"},
        {"right_on_average", "overconfident", "act_by_rates", "no_rule"},
    ),
    of_low: ({"announces_too_few"}, {"announces_too_many", "same_order_other_promise", "perfect"}),
    of_sure: ({"overconfident"}, {"announces_too_many", "announces_too_few", "right_on_average"}),
    of_timid: ({"timid"}, {"overconfident", "turned", "keeps_its_word", "perfect_elsewhere"}),
    of_separated: ({"right_on_average", "perfect"}, {"keeps_its_word", "ranks"}),
    of_unlike_groups: ({"unlike_groups"}, {"alike_groups", "one_class_groups"}),
    of_alike_groups: ({"alike_groups"}, {"unlike_groups", "classes_only_ranked", "classes"}),
    of_few_later: ({"drifted", "without_interval"}, {"overconfident", "drift_open", "steady"}),
    of_biomarker_later: ({"drift_untold"}, {"drifted", "no_drift", "began", "when_unknown"}),
    of_given_threshold: ({"act_by_rates"}, {"unknown_choice", "drift_untold", "population"}),
}


@pytest.fixture(scope="module")
def said():
    known = {}

    def ask(make):
        if make not in known:
            report = make()
            known[make] = {one.name: one for one in verdict(report.findings)}, report
        return known[make]

    return ask


@pytest.mark.parametrize("make", MODELS, ids=lambda make: make.__name__)
def test_claims_are_made_where_they_hold_and_only_there(make, said):
    must, must_not = MODELS[make]
    found, report = said(make)
    assert must <= set(found)
    assert not must_not & set(found)
    order = [list(QUESTIONS).index(one.question) for one in found.values()]
    assert order == sorted(order)
    html = section(report, "summary")
    for name in found:
        assert f'data-claim="{name}"' in html


def words(said, make, name):
    return said(make)[0][name].words.replace("\xa0", " ")


def test_a_lead_that_the_folds_do_not_show_has_the_numbers_of_the_folds(said):
    found, report = said(of_one_noisy_fold)
    (pair,) = report.findings.cross_validation.pairs
    assert report.findings.comparisons[0].pairs[0].adjusted_p_value < 0.05 < pair.adjusted_p_value
    text = found["not_over_folds"].words.replace("\xa0", " ")
    assert text.startswith("Over the folds clear is not shown to be ahead of noisy (+")
    assert f"p = {pair.adjusted_p_value:.3g}" in text


def test_the_example_of_the_readme_says_what_the_auc_does_not(said):
    data = flu()
    alarmist, honest = (
        round(100 * data["y"].sum() / data[k].sum()) for k in ("alarmist", "honest")
    )
    text = words(said, of_readme, "same_order_other_promise")
    assert text.startswith(
        f"Same order, but of 100 positives that alarmist announces, {alarmist} ("
    )
    assert "of honest’s, " in text
    assert (alarmist, honest) == (72, 104)
    interval = rw.interval(data["y"], data["alarmist"], statistic="midpoint")
    assert f"({50 / interval.high:.0f} to {50 / interval.low:.0f})" in text
    assert "103.6 (100.3 to 107.0)" in text  # above 100, in as many digits as show it


def test_a_model_of_the_right_level_that_is_too_sure(said):
    text = words(said, of_overconfident, "same_order_other_promise")
    assert text.startswith("Same order, but of 100 positives that")
    assert words(said, of_overconfident, "overconfident").startswith(
        "Overconfident: sure, slope 0.4"
    )
    assert "calm" not in words(said, of_overconfident, "overconfident")


def test_an_advice_within_its_interval_says_so(said):
    text = words(said, of_costly_biomarker, "not_worthwhile")
    assert "better than calling everyone positive" in text
    assert "at costs of 1 : 32 (false alarm : miss) it saves" in text
    assert "the interval holds 0" in text


def test_a_cost_is_set_against_calling_everyone_and_no_one(said):
    found, report = said(of_cheap_model)
    share = report.findings.summaries[0].prevalence
    text = found["act_by_cost"].words.replace("\xa0", " ")
    assert f"calling everyone positive costs {1 - share:.3f}, no one {3 * share:.3f}" in text
    chosen = report.findings.chosen[0]
    assert f"an item costs {chosen.expected_cost.corrected:.4f} (" in text


def test_the_advice_names_the_model_that_ranks_best_where_no_other_is_shown_to_save_more():
    """The second model leads by TPR − FPR, the first by AUC; both leads are within the noise."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [300, 200])
    one, two = (1.2 * y + rng.normal(size=500) for _ in range(2))
    first, second = (rw.best_threshold(y, expit(z), rng=0).saved for z in (one, two))
    areas = [rw.metrics.roc_auc_score(y, z) for z in (one, two)]
    assert areas[0] > areas[1], areas
    assert first.corrected < second.corrected < first.high
    report = report_on({"y": y, "one": expit(one), "two": expit(two)})
    text = {one.name: one.words for one in verdict(report.findings)}["act_by_rates"]
    assert text.startswith("With one, call positive from")
    assert "ranks best, but" not in text


def test_the_advice_says_why_it_names_another_model_than_the_one_that_ranks_best():
    """The second model has fewer false alarms at a high threshold, which costs make decisive."""
    rng = np.random.default_rng(6)
    y = np.repeat([0, 1], [1000, 1000])
    broad = expit(1.5 * y - 0.75 + rng.normal(size=2000))
    sure = np.where((y == 1) & (rng.random(2000) < 0.4), 0.9, 0.6 * rng.random(2000))
    costs = rw.Costs(false_positive=10, false_negative=1)
    report = report_on({"y": y, "broad": broad, "sure": sure}, costs=costs)
    text = {one.name: one.words for one in verdict(report.findings)}["act_by_cost"]
    assert text.startswith("With sure, call positive from")
    saved = [one.saved.corrected for one in report.findings.chosen]
    reason = "broad ranks best, but its rule is worth less on new data: saving per item "
    assert f"{reason}{saved[0]:.3f}, here {saved[1]:.3f}." in text.replace("\xa0", " ")


def test_raters_have_the_fair_summary_first_and_kappa_once(said):
    found, report = said(of_raters)
    place, _ = report.findings.places[0]
    text = found["fair_summary"].words.replace("\xa0", " ")
    assert next(iter(found)) == "fair_summary"
    assert f"net AUC_PRT {place.auc_prt:.4f} (" in text
    assert f"AUC {place.auc:.4f}" in text
    assert section(report, "summary").count("κ") == 1


def test_classes_have_a_heat_map_of_the_pairs(said):
    _, report = said(of_classes)
    html, areas = section(report, "summary"), report.findings.classes
    assert 'class="heat"' in html
    for area in areas.pairwise.values():
        assert html.count(f">{area:.3f}<") >= 2
    (one, other), least = min(areas.pairwise.items(), key=lambda item: item[1])
    assert f"hardest to tell apart: {one} and {other}, AUC {least:.4f}" in html


# -- drift -----------------------------------------------------------------------------------------


def against(change, rows=3000, **shift):
    """Return the claims on data that changed in some way since the reference."""
    _, z, y = logits(rows, 1)
    rng, other, new = logits(rows, 2, **shift)
    scores, new = change(rng, other, new)
    report = rw.report(
        {"y": new, "p": scores}, label="y", score="p", reference={"y": y, "p": expit(z)}
    )
    return report.findings.drift.models[0], {one.name: one for one in verdict(report.findings)}


DRIFTS = {
    "none": (lambda _, z, y: (expit(z), y), {}),
    "population": (lambda _, z, y: (expit(z), y), {"mean": 0.4, "spread": 0.7}),
    "prevalence": (lambda rng, z, _: (expit(z), (rng.random(len(z)) < expit(z + 0.6)) * 1), {}),
    "estimation": (lambda _, z, y: (expit(z) ** 1.6, y), {}),
    "ranking": (lambda rng, z, _: (expit(z), turned(rng, z, 0.7)), {"rows": 1200}),
    "both": (
        lambda rng, z, _: (expit(z), (rng.random(len(z)) < expit(0.3 * z - 1.6)) * 1),
        {},
    ),
}


def turned(rng, z, slope=0.45):
    """Return labels of a weaker order at the same level."""
    return (rng.random(len(z)) < level(slope * z, expit(z))) * 1


@pytest.mark.parametrize("cause", DRIFTS)
def test_drift_of_each_cause_comes_before_everything_else(cause):
    change, shift = DRIFTS[cause]
    drift, found = against(change, **shift)
    claim = {"none": "no_drift", "population": "population"}.get(cause, "drifted")
    assert drift.verdict == cause
    first = next(iter(found.values()))
    assert (first.name, first.question) == (claim, CHANGED)
    assert drift.advice in first.words
    others = {"no_drift", "population", "drifted", "drift_open"} - {claim}
    assert not others & set(found)
    assert ("when_unknown" in found) == (claim == "drifted")
    if cause == "prevalence":
        effect = drift.tests["level"].effect
        assert f"{100 * np.exp(effect):.0f} (" in first.words
        assert "positives come for 100 expected" in first.words


def test_severity_depends_on_the_whole_interval():
    def test_of(low, high):
        return CauseTest(
            name="level", effect=0.1, low=low, high=high, standard_error=0.1, reference_error=0,
            z=1, p_value=0.01,
        )  # fmt: skip

    assert severity(test_of(0.2, 0.3), 0.1).startswith("severe")
    assert severity(test_of(-0.3, -0.2), 0.1).startswith("severe")
    assert severity(test_of(-0.05, 0.09), 0.1).startswith("slight")
    assert severity(test_of(0.05, 0.3), 0.1) == "of uncertain size"


def test_when_drift_began_is_said_with_dates():
    rng, z, y = logits(2400, 2)
    day = np.datetime64("2026-01-01") + np.arange(2400) // 15
    y = np.where(day < np.datetime64("2026-04-01"), y, turned(rng, z))
    data = {"y": y, "p": expit(z), "day": day}
    report = rw.report(data, label="y", score="p", time="day")
    found = {one.name: one for one in verdict(report.findings)}
    alarm = report.findings.drift.timelines[0].alarms[0]
    assert f"first found in the window from {alarm.start}" in found["began"].words
    assert any(word in found["began"].words for word in ("severe", "slight", "uncertain size"))
    assert "steady" not in found
    steady = rw.report(data | {"y": logits(2400, 2)[2]}, label="y", score="p", time="day")
    found = {one.name: one for one in verdict(steady.findings)}
    assert "no drift in" in found["steady"].words
    assert "began" not in found


# -- the table and the first screen ------------------------------------------------------------------


def test_every_claim_is_tested_where_it_must_and_where_it_must_not_be_made():
    must, must_not = (set().union(*(pair[i] for pair in MODELS.values())) for i in (0, 1))
    elsewhere = {
        "drifted",
        "population",
        "no_drift",
        "drift_open",
        "began",
        "steady",
        "when_unknown",
    }
    names = {claim.name for claim in CLAIMS}
    assert names - must - elsewhere == set()
    assert names - must_not - elsewhere - {"brier", "same_order_other_promise"} == set()


def test_names_stand_out_and_are_plain_elsewhere(said):
    found, report = said(of_readme)
    assert "<strong>alarmist</strong> announces" in section(report, "summary")
    assert "\N{FIRST STRONG ISOLATE}" not in found["same_order"].words
    hostile = report_on({"y": [0, 1] * 30, "<b>&": np.linspace(0, 1, 60)})
    assert "<strong>&lt;b&gt;&amp;</strong>" in section(hostile, "summary")


def test_every_claim_is_named_once_and_asked_for():
    names = [claim.name for claim in CLAIMS]
    assert len(names) == len(set(names))
    assert {claim.question for claim in CLAIMS} == {CHANGED, RANKING, PROMISE, ACTION, LIMITS}


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
@pytest.mark.parametrize("make", [of_readme, of_raters, of_perfect, of_costly_biomarker])
def test_the_answers_are_on_the_first_screen(make, width, height, visit, said):
    page = visit(said(make)[1], width=width).page
    bottom = page.evaluate("document.querySelector('.answers').getBoundingClientRect().bottom")
    assert bottom <= height
    if width > 1000:
        assert page.evaluate("document.querySelector('#summary figure svg') !== null")


# -- several models in one sentence ----------------------------------------------------------------


def plain(findings):
    found = {one.name: one.words for one in verdict(findings)}
    return {name: words.replace("\xa0", " ") for name, words in found.items()}


def test_models_that_have_drifted_alike_have_their_own_numbers():
    rng, z, y = logits(3000, 1)
    noise = expit(0.5 * z - 1 + rng.normal(0, 0.5, 3000))
    _, other, _ = logits(3000, 2)
    now = {"y": (rng.random(3000) < expit(other + 0.6)) * 1, "one": expit(other)}
    now["two"] = expit(0.5 * other - 1 + rng.normal(0, 0.5, 3000))
    report = rw.report(
        now, label="y", score=["one", "two"], reference={"y": y, "one": expit(z), "two": noise}
    )
    one, two = report.findings.drift.models.values()
    assert one.verdict == two.verdict == "prevalence"
    assert one.advice != two.advice
    words = plain(report.findings)["drifted"]
    assert words.startswith("one and two: the odds have changed by one factor; one: ")
    for name, found in (("one", one), ("two", two)):
        effect = found.tests["level"].effect
        assert f"{name}: {100 * np.exp(effect):.0f} (" in words
        assert f"{name}: {found.advice}".replace("\xa0", " ") in words


def test_models_that_do_not_beat_chance_have_their_own_areas():
    rng = np.random.default_rng(3)
    data = {"y": rng.integers(0, 2, 200), "a": rng.random(200), "b": rng.random(200)}
    report = report_on(data)
    words = plain(report.findings)["as_chance"]
    first, second = (one.auc for one in report.findings.summaries)
    assert words.startswith("a and b are not shown to rank better than chance: a AUC ")
    assert f"a AUC {first:.4f} (" in words
    assert f", b AUC {second:.4f} (" in words
    assert words.endswith(") contain one half.")


def test_the_smallest_of_several_adjusted_p_values_is_called_so():
    """Holm's p-values of three models reach 1 where none of the tests has a p-value of 1."""
    rng, z, y = logits(900)
    noisy = {name: expit(z + rng.normal(0, 0.5, 900)) for name in "abc"}
    data = {"y": y, "g": np.arange(900) % 2} | noisy
    report = rw.report(data, label="y", score=list("abc"), by=["g"])
    tests = report.findings.groups.tests.values()
    least = min(one.adjusted_p_value for one in tests)
    assert least > min(one.p_value for one in tests)
    assert f"(smallest adjusted p = {least:.3f})" in plain(report.findings)["alike_groups"]


def test_rates_without_optimism_are_said_to_be_those_on_new_data(said):
    """The table beside the sentence has the rates on the same rows, which are others."""
    found, report = said(of_cheap_model)
    assert "of the negatives positive on new data" in found["act_by_cost"].words
    chosen = report.findings.chosen[0]
    assert chosen.tpr.corrected != chosen.choice.tpr
