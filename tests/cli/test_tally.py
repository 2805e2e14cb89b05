"""`rocwalk tally`: the file that a site shares, and what stays at home."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocwalk as rw
from cli.sites import column
from rocwalk.tally.sharing import load_shared


def written(run, path, out, *options, scores="a"):
    named = [word for one in scores for word in ("--score", one)]
    return run("tally", path, "--label", "y", *named, "-o", out, *options)


def test_the_file_is_what_the_library_shares(run, files, tmp_path):
    out = tmp_path / "x.tally"
    code, text, error = written(run, files[0], out, "--buckets", 16, "--minimum", 5, scores="ab")
    assert code == 0, error
    y, *scores = column(0)
    expected = {
        name: rw.share(rw.tally(y, values), buckets=16, minimum=5)
        for name, values in zip("ab", scores, strict=True)
    }
    found = load_shared(out)
    assert list(found) == ["a", "b"]
    for name, one in expected.items():
        for field in ("edges", "up", "right"):
            np.testing.assert_array_equal(getattr(found[name], field), getattr(one, field))
    assert "What leaves" in text
    assert f"The tally: {out}" in text


def test_edges_take_scores_of_any_size(run, table, tmp_path):
    rows = [[k % 2, 10 * k + 0.5] for k in range(40)]
    path, out = table(["y", "a"], *rows), tmp_path / "x.tally"
    code, _, error = written(run, path, out, "--edges", "0,100,200,500")
    assert code == 0, error
    (shared,) = load_shared(out).values()
    assert shared.edges.tolist() == [0, 100, 200, 500]
    assert shared.up.tolist() == [5, 5, 10]


def test_the_spent_epsilon_is_said_and_written(run, files, tmp_path):
    out, more = tmp_path / "x.tally", tmp_path / "x.json"
    code, text, _ = written(run, files[0], out, "--epsilon", 0.5, "--json", more, scores="ab")
    assert code == 0
    assert "1-differentially private, 0.5 for each of 2 scores" in " ".join(text.split())
    assert json.loads(more.read_text())["epsilon_spent"] == 1.0
    _, text, _ = written(run, files[0], out, "--json", more)
    assert "Each bucket holds at least 10 items" in " ".join(text.split())
    assert json.loads(more.read_text())["epsilon_spent"] is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--epsilon", "-1"], "--epsilon"),
        (["--edges", "0,x"], "is not a list of numbers"),
        (["--edges", "0,0.1"], "is outside the buckets, 0 to 0.1"),
        (["--edges", "0,0.1"], "Hint: pass edges that hold all scores as --edges, the same"),
        (["--edges", "0,0.1"], "Error: Column 'a': The score"),
        (["--edges", "3,1"], "--edges is neither a number of buckets nor a list of increasing"),
        (["--minimum", "100000"], "fewer than --minimum 100000"),
        (["--by", "y"], "--by does not go together with tally"),
        (["--seed", "3"], "--seed does not go together with tally"),
        (["--alpha", "0.1"], "--alpha does not go together with tally"),
    ],
)
def test_bad_options_of_tally(run, files, tmp_path, options, words):
    out = tmp_path / "x.tally"
    code, _, error = run("tally", files[0], "--label", "y", "--score", "a", *options, "-o", out)
    assert code == 2
    assert words in error
    assert not out.exists()


def test_soft_truth_is_not_shared(run, table, tmp_path):
    path = table(["y", "a"], [0.2, 0.1], [0.7, 0.9], [0.4, 0.3], name="soft.csv")
    code, _, error = run("tally", path, "--label", "y", "--score", "a", "-o", tmp_path / "x.tally")
    assert code == 2
    assert "only counts can be shared" in error


# -- what stays at home ----------------------------------------------------------------------------


def test_nothing_exact_of_the_rows_is_in_what_tally_writes(run, files, tmp_path):
    """With noise neither the file nor --json has the number of rows, a hash, or a seed."""
    out, more = tmp_path / "x.tally", tmp_path / "x.json"
    command = ("tally", files[0], "--label", "y", "--score", "a", "--epsilon", 1, "-o", out)
    assert run(*command, "--json", more)[0] == 0
    found = json.loads(more.read_text())
    assert not {"rows", "rows_read", "files"} & set(found)
    assert not {"seed", "alpha"} & set(found["options"])
    for text in (out.read_text(), more.read_text()):
        assert "sha256" not in text
        assert "seed" not in text
    one = found["tallies"][0]
    assert one["positives"] == sum(json.loads(out.read_text())["parts"][0]["positives"])


def test_each_release_has_noise_of_its_own(run, files, tmp_path):
    """The default of --seed elsewhere is 0; noise that it made could be subtracted by anyone."""
    texts = []
    for name in ("one", "two"):
        out = tmp_path / f"{name}.tally"
        command = ("tally", files[0], "--label", "y", "--score", "a", "--epsilon", 0.5, "-o", out)
        assert run(*command)[0] == 0
        texts.append(out.read_text())
    assert texts[0] != texts[1]


def test_notes_on_the_rows_stay_on_the_terminal(run, table, tmp_path):
    rows = [[k % 2, (k + 0.5) / 40] for k in range(40)] + [["", 0.5]]
    path, more = table(["y", "a"], *rows, name="gaps.csv"), tmp_path / "x.json"
    code, _, error = run(
        *("tally", path, "--label", "y", "--score", "a", "--invalid", "drop"),
        *("-o", tmp_path / "x.tally", "--json", more),
    )
    assert code == 0
    assert "1 of 41 rows" in error
    assert "41" not in more.read_text()
