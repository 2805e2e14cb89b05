"""The command as a whole: help, version, completion, bad usage and bugs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

import rocwalk as rw
from commands import (
    EXAMPLE,
    MODELS,
    process,
)
from rocwalk.cli.main import cli
from rocwalk.cli.options import SHARED


def test_shell_completion():
    environment = os.environ | {"_ROCWALK_COMPLETE": "bash_source"}
    done = process(env=environment)
    assert done.returncode == 0
    assert "_rocwalk_completion" in done.stdout
    environment = os.environ | {
        "_ROCWALK_COMPLETE": "bash_complete",
        "COMP_WORDS": "rocwalk sc",
        "COMP_CWORD": "1",
    }
    assert "score" in process(env=environment).stdout


def test_help_shows_the_example_on_a_line_of_its_own(run):
    for command in ("score", "report", "compare"):
        _, out, _ = run(command, "--help")
        assert f"\n    rocwalk {command} predictions.csv --label y" in out
        assert "\\b" not in out
    _, out, _ = run("papers", "--help")
    assert "\n    rocwalk papers -o papers" in out
    assert "\\b" not in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score"], "Missing argument 'FILE...'"),
        (["score", EXAMPLE], "--label is missing"),
        (["score", EXAMPLE, "--label", "malignant"], "--score is missing, and no column has an"),
        (
            ["score", EXAMPLE, "--label", "malignent", "--score", "forest"],
            "did you mean 'malignant'?",
        ),
        (
            ["score", EXAMPLE, "--label", "malignant", "--score", "forrest"],
            "did you mean 'forest'?",
        ),
        (["score", "no.csv", *MODELS], "no.csv"),
        (["score", EXAMPLE, *MODELS, "--costs", "5"], "'5' is not FP:FN, such as 1:5"),
        (["score", EXAMPLE, *MODELS, "--costs", "0:0"], "Both costs are 0"),
        (["score", EXAMPLE, *MODELS, "--costs", "-1:5"], "--costs -1.0 is not a cost."),
        (["score", EXAMPLE, *MODELS, "--prevalence", "2"], "--prevalence 2.0 is outside (0, 1)"),
        (["score", EXAMPLE, *MODELS, "--max-fpr", "0"], "--max-fpr 0.0 is outside (0, 1]"),
        (["score", EXAMPLE, *MODELS, "--format", "xml"], "'xml' is not one of"),
        (["score", EXAMPLE, *MODELS, "--beta", "2"], "Hint: it goes with --metric 'fbeta'."),
        (["score", EXAMPLE, *MODELS, "--colour"], "No such option"),
        (["score", EXAMPLE, "--pos-label", "1"], "did you mean '--positive'?"),
        (["scor", EXAMPLE], "There is no command 'scor'.\nHint: did you mean 'score'?"),
        (["score", EXAMPLE, "--label", "size", "--class-score", "x"], "'x' is not LABEL=COL"),
        (
            ["score", EXAMPLE, "--label", "size", "--class-score", "x=a", "--class-score", "x=b"],
            "'x' is given twice",
        ),
    ],
)
def test_bad_usage_ends_in_one_block_with_a_hint(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("Error: ")
    assert "\nHint: " in err
    assert "Traceback" not in err


def test_every_shared_option_explains_itself(run):
    _, out, _ = run("score", "--help")
    options = [p for p in cli.get_command(None, "score").params if isinstance(p, click.Option)]
    assert len(options) > len(SHARED)
    for option in options:
        assert option.opts[0] in out
        assert option.help
    assert "Example:" in out


@pytest.mark.parametrize(
    ("command", "refused"),
    [
        ("drift", ("by", "fold", "class-score")),
        ("compare", ("by", "fold", "class-score")),
        ("shift", ("by", "fold", "class-score", "weight", "cluster")),
    ],
)
def test_what_a_command_refuses_is_not_in_its_help(run, command, refused):
    _, out, _ = run(command, "--help")
    assert "--label" in out
    for name in refused:
        assert f"--{name}" not in out
        files = [EXAMPLE, EXAMPLE] if command in ("drift", "shift") else [EXAMPLE]
        code, _, err = run(command, *files, *MODELS, f"--{name}", "fold=fold")
        assert code == 2
        assert f"Error: --{name} does not go together with {command}." in err


@pytest.mark.parametrize("command", ["figure", "table", "plan"])
def test_the_commands_of_a_command_are_listed_with_whole_sentences(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    listed = " ".join(out.partition("Commands:")[2].split())
    for one in cli.get_command(None, command).commands.values():
        assert " ".join(one.help.split()).partition(". ")[0].rstrip(".") in listed


def test_without_a_command_the_help_is_shown(run):
    code, out, err = run()
    assert (code, err) == (2, "")
    assert out.startswith("Usage: rocwalk")


def test_help_and_version(run):
    code, out, _ = run("--version")
    assert (code, out) == (0, f"rocwalk, version {rw.__version__}\n")
    code, out, _ = run("-h")
    assert code == 0
    assert "score" in out


def test_a_bug_ends_in_a_block_too(run, monkeypatch):
    def broken(*_, **__):
        raise KeyError("oops")

    monkeypatch.setattr("rocwalk.cli.score.score_study", broken)
    code, _, err = run("score", EXAMPLE, *MODELS)
    assert code == 2
    assert "rocwalk failed unexpectedly: KeyError: 'oops'" in err
    assert "Traceback" not in err


def test_the_console_script_is_installed():
    script = Path(sys.executable).parent / "rocwalk"
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"rocwalk, version {rw.__version__}\n"
