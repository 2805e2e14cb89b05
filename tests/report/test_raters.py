"""The section on raters one by one, against fresh calls of the library."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from report.studies import (
    READERS,
    agrees,
    ballots,
    embedded,
    on_votes,
    read,
    section,
    study,
    tables,
    votes,
)
from rocwalk.errors import DroppedRowsWarning


def against(data, **options):
    return rw.rater_table(ballots(data), {name: data[name] for name in ("net", "raw")}, **options)


def test_raters_are_the_library_s():
    data = votes()
    report, ballot, known = on_votes(data), ballots(data), against(data)
    html, model = section(report, "raters").replace("&#39;", "'"), ballot.dawid_skene()
    assert model.sentence in html
    assert "(multi-reader, multi-case) needs another method" in html
    rest, raters, areas = tables(report, "raters")
    for k, (name, cast, items, *cells) in enumerate(rest[1:]):
        assert (name, int(cast), int(items)) == (READERS[k], known.votes[k], known.items[k])
        for words, rate in zip(cells, ("sensitivity", "specificity", "kappa"), strict=False):
            ends = getattr(known, f"{rate}_interval")[k]
            assert read(words) == pytest.approx([getattr(known, rate)[k], *ends], abs=6e-4)
        for words, effect in zip(cells[3:], known.effects, strict=True):
            assert read(words) == pytest.approx([effect.without[k], effect.change[k]], abs=6e-4)
    for k, (name, cast, sensitivity, specificity) in enumerate(raters[1:]):
        assert (name, int(cast)) == (READERS[k], model.votes[k])
        assert agrees(sensitivity, model.sensitivity[k])
        assert agrees(specificity, model.specificity[k])
    for name, mean, skilled in areas[1:]:
        assert agrees(mean, rw.roc(ballot.truth, data[name], truth="soft").area)
        assert agrees(skilled, rw.roc(model.truth, data[name], truth="soft").area)
    drawn = embedded(report, "raters")
    assert [one["name"] for one in drawn["points"]["points"]] == READERS
    for one, effect in zip(drawn["effects"], known.effects, strict=True):
        low, high = effect.change_interval[0]
        assert (one["rows"][0]["low"], one["rows"][0]["high"]) == pytest.approx((low, high))
        assert one["rows"][0]["apart"] == (low > 0 or high < 0)


def test_rows_that_are_left_out_keep_their_votes():
    data = votes()
    data["net"][[3, 50]] = np.nan
    for name in READERS:
        data[name][120] = np.nan
    with pytest.warns(DroppedRowsWarning):
        report = on_votes(data, invalid="drop")
    kept = np.delete(np.arange(200), [3, 50, 120])
    voted = np.delete(np.arange(200), 120)
    model = ballots({name: data[name][voted] for name in READERS}).dawid_skene()
    truth = dict(zip(voted.tolist(), model.truth, strict=True))
    for name, _, skilled in tables(report, "raters")[-1][1:]:
        known = rw.roc([truth[k] for k in kept.tolist()], data[name][kept], truth="soft")
        assert agrees(skilled, known.area)
    some = against({name: column[kept] for name, column in data.items()})
    whole = rw.rater_table(ballots({name: data[name][voted] for name in READERS}))
    for k, row in enumerate(tables(report, "raters")[0][1:]):
        assert read(row[3])[0] == pytest.approx(whole.sensitivity[k], abs=6e-5)
        assert read(row[6])[0] == pytest.approx(some.effects[0].without[k], abs=6e-5)


def test_clusters_widen_what_they_should():
    data = votes()
    twice = {name: np.tile(column, 2) for name, column in data.items()}
    twice["patient"] = np.tile(np.arange(200), 2)
    report = on_votes(twice, cluster="patient")
    known = rw.rater_table(
        ballots(twice), {name: twice[name] for name in ("net", "raw")}, cluster=twice["patient"]
    )
    for k, row in enumerate(tables(report, "raters")[0][1:]):
        ends = known.sensitivity_interval[k]
        assert read(row[3])[1:] == pytest.approx(list(ends), abs=6e-4)


def test_weak_models_have_a_prior_and_say_so():
    few = {"a": [1, 0, 1, 0, 1], "b": [1, 1, 0, 0, None], "s": [5, 4, 3, 2, 1]}
    html = section(rw.report(few, raters=["a", "b"], score="s"), "raters")
    assert "No item has three votes, so the rates are not identified" in html
    assert "2 of 2 raters have a rate from fewer than 5 votes" in html
    assert "The rates and the truth of the model shown here have Beta(4, 2) priors." in html
    assert "model, Beta(4, 2) priors" in html
    assert "Hint" not in html
    plain = section(on_votes(votes()), "raters")
    assert "Beta(" not in plain
    assert "model, maximum likelihood" in plain


def test_one_rater_has_nobody_to_be_held_against():
    few = {"a": [1, 0, 1, 0, 1], "s": [5, 4, 3, 2, 1]}
    assert embedded(rw.report(few, raters="a", score="s"), "raters") is None
    assert embedded(study("soft")[1], "raters") is None


def test_ratings_have_kappas_in_place_of_rates():
    rng = np.random.default_rng(1)
    quality = rng.normal(size=60)
    data = {name: np.clip(np.rint(2.5 + quality + rng.normal(size=60)), 1, 4) for name in "xyz"}
    report = rw.report(data | {"s": quality}, raters=list("xyz"), score="s", scale=(1, 4))
    drawn = embedded(report, "raters")
    assert drawn["points"] is None
    known = rw.rater_table(rw.votes(data, scale=(1, 4)))
    assert [row["value"] for row in drawn["kappas"]["rows"]] == pytest.approx(known.kappa.tolist())
    assert "Dawid" not in section(report, "raters")


def test_many_raters_are_points_without_names(visit):
    rng = np.random.default_rng(0)
    names = [f"r{k}" for k in range(60)]
    data = {n: np.where(rng.random(400) < 0.9, np.nan, rng.integers(0, 2, 400)) for n in names}
    data["r0"] = rng.integers(0, 2, 400).astype(float)
    report = rw.report(data | {"s": rng.random(400)}, raters=names, score="s")
    assert embedded(report, "raters")["effects"] == []
    page = visit(report).page
    assert page.locator("#raters .rater").count() == 60
    assert page.locator("#raters .cross").count() == 0
