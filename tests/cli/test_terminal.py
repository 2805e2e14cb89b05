"""What a terminal shows: widths, progress, signs and digits."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

from commands import (
    COMMAND,
    EXAMPLE,
    MODELS,
    process,
)

QUIET = ["--label", "malignant", "--score", "logistic"]  # a model without notes on stderr


def test_progress_is_shown_on_a_terminal_only():
    done = process("score", EXAMPLE, *QUIET)
    assert done.stderr == ""
    main, side = pty.openpty()
    running = subprocess.Popen(
        [*COMMAND, "score", str(EXAMPLE), *QUIET],
        stdout=subprocess.DEVNULL,
        stderr=side,
        env=os.environ | {"TERM": "xterm"},
    )
    os.close(side)
    shown = b""
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    assert running.wait(60) == 0
    assert "Reading…".encode() in shown


def test_narrow_terminals_get_upright_tables(run, monkeypatch):
    monkeypatch.setattr("rocwalk.cli.terminal._WIDTH_OFF_TERMINAL", 80)
    _, out, _ = run("score", EXAMPLE, *MODELS)
    assert "…" not in out
    assert re.search("Best threshold ≥ +0.388539", out)
    assert max(map(len, out.splitlines())) <= 110


def test_forced_colours_do_not_bring_progress_into_files():
    done = process("score", EXAMPLE, *QUIET, env=os.environ | {"FORCE_COLOR": "1"})
    assert done.stderr == ""


def test_control_characters_are_spelled_out_in_csv(run, table):
    path = table(["y", "\x1b[31ma", "a"], [1, 0.9, 0.1], [0, 0.8, 0.2])
    _, out, _ = run(
        "score", path, "--label", "y", "--score", "\x1b[31ma", "--score", "a", "--format", "csv"
    )
    assert "\x1b" not in out
    assert "\\x1b[31ma" in out


def test_piped_output_is_plain_and_wide():
    done = process("score", EXAMPLE, *MODELS, "--by", "size")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "…" not in done.stdout


def test_a_reader_that_leaves_is_no_error():
    command = f"{sys.executable} -c 'from rocwalk.cli.main import main; main()' score {EXAMPLE}"
    script = f"{command} --label malignant --score forest | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_models_stand_beside_each_other_at_80_characters(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = run("score", EXAMPLE, *MODELS, "--quiet")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    lines = {line.split("  ")[1]: line for line in out.splitlines() if line.startswith("  ")}
    assert lines["Model"].split()[-2:] == ["logistic", "naive_bayes"]
    assert "0.8856 (0.856 to 0.910)  0.8666 (0.834 to 0.893)" in lines["AUC"]
    monkeypatch.setenv("COLUMNS", "300")
    assert "│" in run("score", EXAMPLE, *MODELS, "--quiet")[1]
    monkeypatch.setenv("COLUMNS", "x")
    assert "│" in run("score", EXAMPLE, *MODELS, "--quiet")[1]


def test_the_terminal_has_one_kind_of_minus_sign(run, table):
    path = table(["y", "s"], *zip([1, 1, 0, 0, 1, 0], [-1, -2, -3, -4, -5, -6], strict=True))
    _, out, _ = run("score", path, "--label", "y", "--score", "s", "--quiet")
    assert "−2" in out
    assert "-2" not in out
