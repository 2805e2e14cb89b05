"""Errors and notes on the command line: arguments as options, files as the user named them."""

from __future__ import annotations

import click
import pytest

from rocwalk.cli.main import COMMANDS, Commands
from rocwalk.cli.notes import _OPTIONS, COMMAND_LINE, STANDARD_INPUT, naming, notes_on
from rocwalk.errors import InputError, Option, OptionError, ScoreError
from rocwalk.evaluate.question import Question
from rocwalk.evaluate.study import read_study


def options_of(command):
    return {name for one in command.params for name in one.opts if isinstance(one, click.Option)}


def test_every_argument_is_an_option_that_some_command_has():
    group, known = Commands(), set()
    for name in COMMANDS:
        command = group.get_command(click.Context(click.Command("rocwalk")), name)
        known |= options_of(command)
        for one in getattr(command, "commands", {}).values():
            known |= options_of(one)
    assert set(_OPTIONS.values()) - known == set()


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (Option("pos_label", "yes"), "--positive 'yes'"),
        (Option("invalid", "drop"), "--invalid drop"),
        (Option("scale", (1, 5)), "--scale 1:5"),
        (Option("scale", ("low", "high", "top")), "--scale low,high,top"),
        (Option("threshold"), "--threshold"),
    ],
)
def test_options_are_written_as_they_are_typed(option, words):
    assert COMMAND_LINE.option(option) == words


def test_files_are_named_as_the_user_named_them():
    assert COMMAND_LINE.file("data.csv") == "'data.csv'"
    assert COMMAND_LINE.file("-") == "standard input"
    token = STANDARD_INPUT.set("/tmp/copy.csv")
    assert COMMAND_LINE.file("/tmp/copy.csv") == "standard input"
    STANDARD_INPUT.reset(token)


def test_an_error_gets_the_file_once_and_options_get_none():
    with pytest.raises(ScoreError) as caught, naming("b.csv"):
        raise ScoreError("is 2, outside [0, 1].", "", column="p", row=3)
    assert caught.value.fields.file.name == "b.csv"
    with pytest.raises(InputError) as caught, naming("b.csv"):
        raise InputError("is empty.", "", file="a.csv")
    assert caught.value.fields.file.name == "a.csv"
    with pytest.raises(OptionError) as caught, naming("b.csv"):
        raise OptionError("is not known.", "", option="metric", value="best")
    assert caught.value.fields.file is None


def test_a_model_of_one_score_is_noted(table):
    data = table(["y", "flat"], *([k % 2, 0.25] for k in range(10)))
    study = read_study(str(data), Question(label="y", scores=("flat",)))
    (note,) = notes_on(study)
    assert note.startswith("Column 'flat' has the same score for all items, 0.25: it ranks nothing")
    (named,) = notes_on(study, "late.csv")
    assert "'late.csv'" in named
