"""A watch of a stream: its e-process, its laws, its change points, and states that go on."""

from __future__ import annotations

import math
import pickle
import threading

import numpy as np
import pytest

import rocwalk as rw
from drift.samples import ALTERNATIVES, expit, watch
from drift.samples import WATCHED as REFERENCE
from drift.samples import stream as sample
from rocwalk.drift.e_process import BLOCK
from rocwalk.drift.likelihood_ratios import (
    SHIFTS,
    log_likelihood,
)
from rocwalk.errors import (
    DroppedRowsWarning,
    FileError,
    InputError,
    LabelError,
    OneClassError,
    OptionError,
    RocwalkError,
    TallyError,
)
from rocwalk.tally.storage import load_with_settings, save_tallies

KINDS = {
    "margin": {},
    "exact": {"margin": 0},
    "run length": {"margin": 0, "average_run_length": 20_000},
    "run length with a margin": {"average_run_length": 20_000},
}
STREAM = sample(1, 1730, change=800, odds=3)
every_kind = pytest.mark.parametrize("options", KINDS.values(), ids=list(KINDS))


def content(one):
    """All that a watch holds, equal only if every bit is."""
    return one._run.to_plain(), one.alarms, one.settings, one.dependence, one.has_order


# -- the e-process ---------------------------------------------------------------------------------


def slowly(one, y, p, weights=None):
    """The e-values after each row as they are defined, one product for each start and pair."""
    null = one._null
    h, error = null.map.at(p)
    reach = 2 * error + null.margin + null.map.design.distance(p)
    a = np.array([[hi + d + r * (hi - null.centre) for d, r in ALTERNATIVES] for hi in h])
    length = one.settings.average_run_length
    weights = np.ones(len(y)) if weights is None else weights
    times = weights / np.maximum.accumulate(weights) / null.dependence
    if null.margin > 0:
        nodes, prior = 1, [1.0]
    else:
        shift, slope, log_prior = null.nodes
        nodes, prior = len(shift), np.exp(log_prior)
    products = np.zeros((nodes, len(SHIFTS)))
    likelihood, left, values = np.zeros(nodes), 1.0, []
    for t in range(len(y)):
        if t % BLOCK == 0:
            b = t // BLOCK + 1
            start = 1 / (2.109742801 * (b + 1) * math.log(b + 1) ** 2) if length is None else 1.0
            left -= start if length is None else left
            products += start
        for j in range(nodes):
            if null.margin > 0:
                against = np.clip(a[t], h[t] - reach[t], h[t] + reach[t])
            else:
                against = h[t] + shift[j] + slope[j] * (h[t] - null.centre)
                likelihood[j] += float(log_likelihood(y[t], against)) * times[t]
            gain = log_likelihood(y[t], a[t]) - log_likelihood(y[t], against)
            products[j] *= np.exp(gain * times[t])
        posterior = prior * np.exp(likelihood - likelihood.max())
        values.append(posterior @ products.mean(axis=1) / posterior.sum() + left)
    return np.array(values)


@every_kind
def test_e_values_are_those_of_the_definition(options):
    one = watch(**options)
    y, p = STREAM[0][700:860], STREAM[1][700:860]
    weights = np.random.default_rng(2).uniform(0.2, 1, 160)
    found = [
        one.update(y[k : k + 1], p[k : k + 1], sample_weight=weights[k : k + 1]).e_value
        for k in range(160)
    ]
    assert found == pytest.approx(slowly(one, y, p, weights), rel=1e-9)


def test_false_alarms_are_rare_and_the_population_raises_none():
    alarms = {"margin": 0, "exact": 0, "population": 0}
    for seed in range(30):
        reference = sample([seed, 0], 1000)
        stream, moved = sample([seed, 1], 2000), sample([seed, 2], 2000, shift=1.0)
        alarms["margin"] += rw.DriftWatch(reference).update(*stream).alarm
        alarms["exact"] += rw.DriftWatch(reference, margin=0).update(*stream).alarm
        alarms["population"] += rw.DriftWatch(reference).update(*moved).alarm
    assert alarms["margin"] == alarms["population"] == 0
    assert alarms["exact"] <= 4  # of 30 at 5 %: more in 1.6 % of such samples


def test_a_change_within_the_margin_is_seen_only_without_one():
    small = sample(3, 8000, change=0, odds=1.3)
    reference = sample(4, 20_000)
    assert not rw.DriftWatch(reference).update(*small).alarm
    found = rw.DriftWatch(reference, margin=0).update(*small)
    assert found.alarm
    assert found.alarm_at < 5000


@pytest.mark.parametrize(("options", "latest"), [({}, 4000), ({"margin": 0}, 2600)])
def test_the_third_flu_population_is_detected_and_dated(options, latest):
    rng = np.random.default_rng(11)
    model = rw.datasets.naive_bayes(rw.datasets.flu("NGP", 1000, rng))
    drawn = [rw.datasets.flu(*one, rng) for one in (("NGP", 5000), ("NGP", 2000), ("FC", 2000))]
    reference, before, after = ((one.y, model.predict(one)) for one in drawn)
    one = rw.DriftWatch(reference, **options)
    assert not one.update(*before).alarm
    found = one.update(*after)
    assert 2000 < found.alarm_at < latest
    assert abs(found.change_point.row - 2000) <= 100
    assert 2000 in found.change_point.rows
    assert found.change_point.low <= 2000 <= found.change_point.high


def test_the_run_length_bounds_false_alarms_by_rows_over_length():
    """Adding 1 a block, the expectation after n blocks is n at most; the threshold is beyond."""
    found = watch(average_run_length=20_000).update(*sample(5, 100))
    assert found.threshold == pytest.approx(20_000 / BLOCK + 1)
    assert watch(average_run_length=20_000).state.e_value == 0
    assert watch().state.e_value == 1


# -- laws ------------------------------------------------------------------------------------------


@every_kind
def test_rows_one_by_one_or_in_batches_are_the_same_bits(options):
    y, p = (column[250:1250] for column in STREAM)
    weights = np.random.default_rng(6).uniform(0.1, 2, len(y))
    found = []
    for cuts in (range(1, len(y)), [7, 50, 133, 134, 700], []):
        one = watch(**options)
        for part in zip(*(np.split(each, cuts) for each in (y, p, weights)), strict=True):
            one.update(part[0], part[1], sample_weight=part[2])
        found.append(content(one))
    assert found[0] == found[1] == found[2]
    assert found[0][1][0].alarm_at < len(y)


def test_many_rows_at_once_are_those_rows():
    y, p = sample(7, 10_000)
    whole, parts = watch(margin=0), watch(margin=0)
    whole.update(y, p)
    for begin in range(0, 10_000, 777):
        parts.update(y[begin : begin + 777], p[begin : begin + 777])
    assert content(whole) == content(parts)


def test_soft_truth_of_zero_and_one_is_hard():
    y, p = STREAM
    hard, soft = watch(), watch()
    hard.update(y, p)
    soft.update(y.astype(float), p, truth="soft")
    assert content(hard) == content(soft)


def test_soft_truth_is_less_evidence_than_labels_of_its_mean():
    y, p = STREAM
    truth = 0.8 * y + 0.1
    soft = watch(margin=0).update(truth, p)
    assert math.isfinite(soft.log_e_value)
    assert soft.log_e_value < watch(margin=0).update(y, p).log_e_value


def test_weights_are_relative_to_the_largest_so_far():
    y, p = STREAM
    weights = np.random.default_rng(8).uniform(0.5, 2, len(y))
    first, scaled, ones = watch(), watch(), watch()
    first.update(y, p, sample_weight=weights)
    scaled.update(y, p, sample_weight=weights * 2**20)
    ones.update(y, p, sample_weight=np.full(len(y), 3.0))
    assert first.state.log_e_value == scaled.state.log_e_value
    assert ones.state == watch().update(y, p)
    none = np.where(np.arange(len(y)) % 2, weights, 0.0)
    some = watch()
    some.update(y, p, sample_weight=none)
    assert some.rows == np.count_nonzero(none)


def test_threads_lose_no_row():
    y, p = sample(9, 8 * 400)
    one, whole = watch(), watch()
    whole.update(y, p)

    def work(part):
        for begin in range(part * 400, part * 400 + 400, 10):
            one.update(y[begin : begin + 10], p[begin : begin + 10])

    threads = [threading.Thread(target=work, args=(part,)) for part in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert one.rows == 3200
    found, expected = (np.sum(each._run.sums, axis=0) for each in (one, whole))
    assert found == pytest.approx(expected, rel=1e-9)  # each row is there once, in some order


def test_a_restart_begins_anew_and_keeps_the_alarms():
    one, fresh = watch(), watch()
    one.update(*STREAM)
    first = one.alarms[0]
    assert one.alarm
    assert (first.alarm_at, first.rows) == (one.alarm_at, one.alarm_at)
    assert first.e_value >= 20
    state = one.restart()
    assert (state.alarm, state.e_value, state.rows, one.change_point) == (False, 1, 1730, None)
    again, expected = one.update(*STREAM), fresh.update(*STREAM)
    assert again.alarm_at == expected.alarm_at + 1730
    assert again.change_point.row == expected.change_point.row + 1730
    assert again.log_e_value == expected.log_e_value
    assert one.alarms[0] == first
    assert [each.alarm_at for each in one.alarms] == [first.alarm_at, again.alarm_at]


def test_an_alarm_stays_when_the_evidence_falls():
    one = watch(margin=0)
    at = one.update(*STREAM).alarm_at
    found = one.update(*sample(10, 6000))
    assert found.e_value < 20
    assert found.alarm
    assert (found.alarm_at, len(one.alarms)) == (at, 1)


# -- what the reference knows ----------------------------------------------------------------------


def clustered(seed, n):
    rng = np.random.default_rng(seed)
    x = rng.normal(-1, 1.2, n)
    shared = np.repeat(rng.normal(0, 1.5, n // 10), 10)
    return (rng.random(n) < expit(x + shared)).astype(int), expit(x)


def test_dependence_divides_the_evidence():
    y, p = clustered(13, 4000)
    one, other = rw.DriftWatch((y, p), margin=0), rw.DriftWatch(rw.tally(y, p), margin=0)
    row = np.array([1]), np.array([0.3])
    one.update(*row)
    other.update(*row)
    assert one._run.open * one.dependence == pytest.approx(other._run.open, rel=1e-12)


def test_a_tally_is_a_reference_as_its_items_are():
    one, other = watch(), rw.DriftWatch(rw.tally(*REFERENCE))
    assert one.dependence == 1
    assert one.update(*STREAM) == other.update(*STREAM)
    bucketed = rw.DriftWatch(rw.tally(*REFERENCE).bucketed(np.linspace(0, 1, 65)))
    assert abs(bucketed.update(*STREAM).alarm_at - one.alarm_at) < 100


def test_scores_the_reference_does_not_know_are_no_evidence():
    y, p = REFERENCE
    for options in ({}, {"margin": 0}):
        few = rw.DriftWatch((y, np.round(p * 5) / 5), **options)
        before = few.update([1, 0], [0.2, 0.4])
        found = few.update([1] * 300, [0.3] * 300)
        assert (found.unseen, found.alarm) == (300, False)
        assert "300 rows were no evidence: the reference says nothing of" in found.summary
        assert "no evidence" not in before.summary
        assert found.e_value <= before.e_value * (1 + 1e-9)
        assert few.update([1] * 300, [0.2] * 300).alarm
        ends = rw.DriftWatch(REFERENCE, **options)
        found = ends.update([1] * 300, [0.0] * 300)
        assert (found.unseen, found.alarm) == (300, False)


def test_beyond_the_scores_of_the_reference_the_band_is_wider():
    low = rw.DriftWatch(sample(15, 3000, shift=-2))
    high = sample(16, 3000, shift=3)
    assert np.quantile(high[1], 0.2) > low.reference.scores[30]
    assert not low.update(*high).alarm
    assert not rw.DriftWatch(low.reference, margin=0).update(*high).alarm


# -- files -----------------------------------------------------------------------------------------


@every_kind
@pytest.mark.parametrize("cut", [0, 75, 100, 1200], ids=["new", "open", "closed", "alarm"])
def test_a_saved_watch_goes_on_to_the_last_bit(tmp_path, options, cut):
    y, p = STREAM
    one = watch(**options)
    if cut:
        one.update(y[:cut], p[:cut])
    one.save(tmp_path / "watch.npz")
    again = rw.DriftWatch.load(tmp_path / "watch.npz")
    assert content(again) == content(one)
    assert repr(again) == repr(one)
    again.update(y[cut:], p[cut:])
    one.update(y[cut:], p[cut:])
    assert content(again) == content(one)
    assert pickle.loads(pickle.dumps(one)).update(*STREAM) == one.update(*STREAM)


def test_a_saved_watch_keeps_few_scores_labels_and_restarts(tmp_path):
    y, p = np.where(REFERENCE[0], "ill", "well"), np.round(REFERENCE[1] * 5) / 5
    one = rw.DriftWatch((y, p), pos_label="ill")
    one.update(y[:300], p[:300])
    one.restart()
    one.save(tmp_path / "watch.npz")
    again = rw.DriftWatch.load(tmp_path / "watch.npz")
    assert again.update(y, p) == one.update(y, p)
    with pytest.raises(LabelError, match="'dead'"):
        again.update(["ill", "dead"], [0.2, 0.4])


def test_files_that_are_no_watch_are_refused(tmp_path):
    path = tmp_path / "watch.npz"
    one = watch()
    one.update(*STREAM)
    one.save(path)
    parts, settings = load_with_settings(path, "drift_watch")
    for change in (
        {"run": {**settings["run"], "processes": [0.0]}},
        {"run": {**settings["run"], "sums": []}},
        {"options": {"alpha": 2}},
        {"coefficients": [0.0]},
    ):
        save_tallies(path, "drift_watch", parts, settings | change)
        with pytest.raises(FileError, match="is not a drift watch of rocwalk, or is damaged"):
            rw.DriftWatch.load(path)
    save_tallies(path, "drift_watch", parts, settings | {"schema_version": 9})
    with pytest.raises(FileError, match="drift watch of schema version 9; this rocwalk reads 1"):
        rw.DriftWatch.load(path)
    rw.tally(*REFERENCE).save(path)
    with pytest.raises(FileError, match="holds a 'tally', not a 'drift_watch'"):
        rw.DriftWatch.load(path)


# -- options and bad rows --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"alpha": 0}, OptionError, r"alpha=0 is outside \(0, 1\)"),
        ({"margin": -0.1}, OptionError, "margin=-0.1 is not a finite number of 0 or more"),
        ({"margin": "wide"}, OptionError, "margin='wide' is not a number"),
        ({"margin": math.inf}, OptionError, "margin=inf is not a finite number of 0 or more"),
        (
            {"average_run_length": 20},
            OptionError,
            "average_run_length=20 is not a number of rows of at least 50",
        ),
        ({"time": [1, 2]}, InputError, "The lengths differ: time has 2 rows, y_true 2,000"),
        ({"time": ["soon"] * 2000}, RocwalkError, "'soon', neither a date nor a number"),
        ({"pos_label": (1, 2)}, OptionError, "is not a label that can be saved"),
    ],
)
def test_options_that_cannot_be(options, kind, words):
    with pytest.raises(kind, match=words) as caught:
        watch(**options)
    assert caught.value.hint


def test_references_that_cannot_be():
    with pytest.raises(InputError, match=r"not a pair \(y_true, y_prob\)"):
        rw.DriftWatch(np.ones(3))
    with pytest.raises(OneClassError, match="fewer than two positive"):
        rw.DriftWatch(([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4]))
    with pytest.raises(TallyError, match="steps='blind'"):
        rw.DriftWatch(rw.tally(*REFERENCE, steps="blind"))
    with pytest.raises(OptionError, match="time= cannot be given together with a Tally"):
        rw.DriftWatch(rw.tally(*REFERENCE), time=[1])
    with pytest.raises(OptionError, match="sample_weight cannot be given together with a Tally"):
        rw.DriftWatch(rw.tally(*REFERENCE), sample_weight=[1])


@pytest.mark.parametrize(
    ("y", "p", "words"),
    [
        ([1, 0], [0.5, 1.2], r"y_prob at row 1 is 1.2, outside \[0, 1\]"),
        ([1, 2], [0.5, 0.2], "y_true"),
        ([1, 0], [0.5], "The lengths differ"),
        ([], [], "y_true and y_prob are empty"),
        ([1, 0], [0.5, None], "y_prob at row 1 is NaN"),
    ],
)
def test_rows_that_cannot_be_read_change_nothing(y, p, words):
    one = watch()
    one.update(*STREAM)
    before = content(one)
    with pytest.raises(RocwalkError, match=words) as caught:
        one.update(y, p)
    assert caught.value.hint
    assert content(one) == before


def test_bad_rows_can_be_dropped_from_the_reference_and_from_batches():
    y, p = REFERENCE
    gone = np.append(p, np.nan)
    with pytest.warns(DroppedRowsWarning):
        one = rw.DriftWatch(
            (np.append(y, 1), gone), invalid="drop", time=np.arange(len(gone))[::-1]
        )
    with pytest.warns(DroppedRowsWarning):
        assert one.update([1, 0], [0.5, np.nan], invalid="drop").rows == 1
    assert one.reference.total_count == len(y)


def test_batches_keep_the_labels_of_the_reference():
    y, p = np.where(REFERENCE[0], "ill", "well"), REFERENCE[1]
    one = rw.DriftWatch((y, p), pos_label="ill")
    assert one.settings.neg_label == "well"
    numbers = watch()
    assert one.update(y[:1], p[:1]) == numbers.update(REFERENCE[0][:1], p[:1])
    one.update(["well"], [0.1])
    with pytest.raises(LabelError, match="pos_label='well' is not the positive label of the batch"):
        one.update(y[:10], p[:10], pos_label="well")
    with pytest.raises(LabelError, match="'dead'"):
        one.update(["ill", "dead"], [0.2, 0.3])
    assert one.rows == 2


# -- words and picture -----------------------------------------------------------------------------


def test_the_summary_says_what_was_found():
    one = watch()
    fine = one.update(STREAM[0][:100], STREAM[1][:100])
    assert fine.summary.startswith("No alarm in 100 rows: the e-value is ")
    assert "20 raises an alarm" in fine.summary
    found = one.update(STREAM[0][100:], STREAM[1][100:])
    point = found.change_point
    assert found.summary.startswith(f"Alarm after {found.alarm_at:,} rows: P(y | p) is no longer")
    assert "a margin of 0.2 in log-odds" in found.summary
    assert f"near row {point.row:,} (95 % set: rows {point.low:,} to {point.high:,})" in (
        found.summary
    )
    assert "margin" not in watch(margin=0).update(*STREAM).summary


def test_the_picture_has_evidence_alarm_and_change_point():
    one = watch()
    with pytest.raises(OptionError, match="has no rows yet"):
        one.plot()
    one.update(STREAM[0][:777], STREAM[1][:777])
    before = one.plot()
    gids = {line.get_gid() for line in before.lines}
    assert gids == {"curve", "threshold"}
    one.update(STREAM[0][777:], STREAM[1][777:])
    ax = one.plot(color="black")
    lines = {line.get_gid(): line for line in ax.lines}
    assert lines["curve"].get_color() == "black"
    assert lines["curve"].get_xdata()[-1] == 1730
    assert lines["curve"].get_ydata()[-1] == one.state.log_e_value
    assert lines["threshold"].get_ydata()[0] == pytest.approx(math.log(20))
    assert lines["alarm"].get_xdata()[0] == one.alarm_at
    assert lines["change"].get_xdata()[0] == one.change_point.row
