"""2,000 cases of the fuzz, always the same; `make fuzz` runs more. What it finds, it does find."""

from __future__ import annotations

import importlib

import pytest

import rocwalk.metrics
from fuzz.cases import EVERY, check_case
from fuzz.columns import draw_arguments
from fuzz.command_line import draw_command
from fuzz.draw import Draw
from fuzz.library import check_library

CASES, PARTS = 2000, 8


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_cases(part):
    for number in range(part * CASES // PARTS, (part + 1) * CASES // PARTS):
        check_case(0, number)


def test_a_case_is_drawn_from_its_number():
    for number in range(20):
        first, second = (draw_command(Draw(3, number)) for _ in range(2))
        assert (first.arguments, first.files) == (second.arguments, second.files)
        assert draw_arguments(Draw(3, number)).story == draw_arguments(Draw(3, number)).story
    assert draw_command(Draw(3, 0)).files != draw_command(Draw(4, 0)).files


def finds(first, last, check, words):
    """Whether one of some cases fails in these words."""
    for number in range(first, last):
        try:
            check(number)
        except Exception as error:  # noqa: BLE001  # whichever it is
            return words in repr(error)
    return False


def test_a_number_that_is_not_scikit_learns_is_found(monkeypatch):
    right = rocwalk.metrics.roc_auc_score
    monkeypatch.setattr(rocwalk.metrics, "roc_auc_score", lambda *a, **k: right(*a, **k) + 1e-10)
    assert finds(0, 60, lambda number: check_library(Draw(0, number)), "AssertionError")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (RuntimeError("unforeseen"), "this is a bug"),
        (SystemExit(3), "AssertionError"),
    ],
)
def test_a_command_that_fails_unexpectedly_is_found(monkeypatch, wrong, words):
    def fails(findings):
        raise wrong

    for command in ("compare", "drift", "report"):  # a command loaded now would keep what is wrong
        importlib.import_module(f"rocwalk.cli.{command}")
    monkeypatch.setattr("rocwalk.cli.score.score_study", fails)
    assert finds(0, 100, lambda number: check_case(0, number * EVERY), words)


def test_a_file_that_is_cut_short_is_found(monkeypatch):
    def cut(text):
        return lambda file: file.write(text.encode()[:-40])

    monkeypatch.setattr("rocwalk.cli.output.text_writer", cut)
    assert finds(0, 100, lambda number: check_case(0, number * EVERY), "Error")
