"""Certificates of matched widths, against a separate checker."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
import smear_reference as reference
from rocwalk.smear import levels as level_module
from rocwalk.smear import proofs as proof_module
from samples import NO_ADVICE
from smear.inputs import INF, MANY, sample, small_sample

pytestmark = NO_ADVICE


def assert_proved(truth, scores, weights, found):
    proof = found.certificate
    assert proof.complete, proof
    failed = reference.check_certificate(
        truth, scores, weights, proof.rows, proof.target,
        kernel=found.kernel.name, sd_per_width=found.kernel.deviations or 0.5, until=proof.free_below,
    )  # fmt: skip
    assert not failed, (truth, scores, weights, failed)


@pytest.mark.parametrize("kernel", ["uniform", "normal"])
def test_proofs_convince_a_separate_checker(kernel):
    rng = np.random.default_rng(13)
    for _ in range(150):
        truth, scores, weights = small_sample(rng)
        found = rw.matched_width(
            truth, scores, sample_weight=weights, truth="soft", kernel=kernel
        )  # fmt: skip
        proof = found.certificate
        assert_proved(truth, scores, weights, found)
        if not found.exists:
            assert proof.free_below == INF
        elif found.width < INF:
            beyond = found.width - proof.free_below
            inside = found.kernel.sums(found.sides, proof.free_below + 0.75 * beyond)
            assert beyond <= 1.001e-9 or abs(inside.area - found.target) <= 4e-12


@pytest.mark.parametrize("kernel", ["uniform", "normal"])
@pytest.mark.parametrize("name", ["ordinary", "hard", "touching"])
def test_proofs_of_many_rows(name, kernel, monkeypatch):
    labels, scores = MANY[name](np.random.default_rng(14), 1_200)
    monkeypatch.setattr(level_module, "_FEW_PAIRS", 0)
    found = rw.matched_width(labels, scores, kernel=kernel)
    assert_proved(labels, scores, None, found)


def test_a_proof_says_what_it_proves():
    found = rw.matched_width(*sample("0.9+ 0.8- 0.6+ 0.3- 0.2-"))
    assert found.certificate.sentence.startswith("No width below 1.66094032 brings the area within")
    assert found.certificate.free_below == pytest.approx(found.width, abs=1.001e-9)
    flat = rw.matched_width([1, 0, 1, 0, 1], [1, 0, 1, 1, 0])
    assert "nothing to prove" in flat.certificate.sentence
    tangent = rw.matched_width(*sample("1+ 0.1- 0+"))
    assert 1e-6 < tangent.width - tangent.certificate.free_below < 1e-5


def test_a_proof_that_fails_is_not_called_complete(monkeypatch):
    monkeypatch.setattr(proof_module, "_MOST_ROWS", 0)
    found = rw.matched_width(*sample("1+ 0.1- 0+ 0+"))
    assert not found.certificate.complete
    assert "unproved" in found.certificate.rule
