"""What is handed out: wheel and sdist, their versions, and how to cite them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import rocwalk as rw

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOWEST = (ROOT / "constraints-lowest.txt").read_text(encoding="utf-8")

# Run in an environment that has nothing but rocwalk and what it needs.
SMOKE = """
import sys
import rocwalk as rw
heavy = {"numpy", "scipy", "pandas", "polars", "matplotlib", "sklearn", "duckdb", "pyarrow", "narwhals"}
assert heavy.isdisjoint(sys.modules), heavy & set(sys.modules)
assert "site-packages" in rw.__file__, rw.__file__
import duckdb, numpy as np
y, s, g = np.array([1, 0, 1, 0, 1, 1, 0, 0] * 50), np.linspace(0, 1, 400), ["a", "b"] * 200
given = {"y": y, "s": s, "g": np.array(g, dtype=object)}
frames = [given, duckdb.sql("SELECT * FROM given")]
if "all" in sys.argv:
    import pandas, polars, pyarrow as pa
    rows = pa.table(given)
    frames += [rows, rows.to_pandas(), polars.from_arrow(rows), polars.from_arrow(rows).lazy()]
for frame in frames:
    for options in ({}, {"by": "g"}, {"tolerance": 0.01}):
        found = rw.tallies(frame, label="y", score="s", **options)
        total = sum(found.values())
        assert (total.total_up, total.total_right) == (200, 200), (type(frame), options)
    assert rw.tallies(frame, label="y", score="s").only.area == rw.roc(y, s).area
assert rw.drift((y, s), (y, s)).verdict == "none"
assert 0 < rw.matched_width(y, s).target < 1
try:
    assert rw.roc(y, s).plot() is not None
    assert "all" in sys.argv
except rw.errors.MissingLibraryError as error:
    assert "all" not in sys.argv and 'pip install "rocwalk[plot]"' in str(error), error
print(rw.__version__)
"""
TYPED = """
import rocwalk as rw

curve: rw.Curve = rw.roc([1, 0], [0.9, 0.1])
wrong: str = curve.area
"""


def call(*command, **options):
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# -- wheel and sdist -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the wheel and the sdist; the wheel is built from the sdist, as installers do."""
    folder = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def pure(tmp_path_factory):
    """Return the wheel that is built where there is no compiler."""
    folder = tmp_path_factory.mktemp("pure") / "dist"
    source = folder.parent / "source"  # a build removes the kernel that lies in its source tree
    source.mkdir()
    for name in ("src", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, source]
    call(*build, env=os.environ | {"CC": "no-such-compiler"})
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.mark.slow
def test_a_wheel_holds_the_package_and_nothing_else(built):
    with zipfile.ZipFile(built[0]) as wheel:
        names = set(wheel.namelist())
        metadata = wheel.read(next(n for n in names if n.endswith("dist-info/METADATA"))).decode()
    info = f"rocwalk-{rw.__version__}.dist-info/"
    assert {name.split("/")[0] + "/" for name in names} == {"rocwalk/", info}
    assert {"rocwalk/py.typed", f"{info}licenses/LICENSE", f"{info}entry_points.txt"} <= names
    package = ROOT / "src" / "rocwalk"
    ours = {
        f"rocwalk/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".c"
    }
    assert re.search(r"-cp311-abi3-\w+\.whl$", built[0].name)
    assert {name for name in names if not name.startswith(info)} == ours
    kinds = {Path(name).suffix for name in ours}
    assert kinds == {".py", ".typed", ".html", ".js", ".css", ".so", ".bib"}
    assert "License-Expression: BSD-3-Clause" in metadata
    assert "Classifier: Typing :: Typed" in metadata


@pytest.mark.slow
def test_without_a_compiler_the_wheel_is_pure(pure, built):
    assert pure.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(pure) as one, zipfile.ZipFile(built[0]) as other:
        missing = set(other.namelist()) - set(one.namelist())
    assert missing == {"rocwalk/tally/_kernel.abi3.so"}


@pytest.mark.slow
def test_an_sdist_holds_what_is_needed_to_test_and_no_stray_files(built):
    with tarfile.open(built[1]) as sdist:
        names = {name.split("/", 1)[1] for name in sdist.getnames()}
    needed = {
        "LICENSE", "CITATION.cff", "README.md", "CHANGELOG.md", "Makefile", "pyproject.toml",
        "hatch_build.py", "src/rocwalk/tally/kernel.c",
        "constraints.txt", "constraints-lowest.txt", "src/rocwalk/py.typed", "tests/test_dist.py",
        "docs/rocwalk.bib", "examples/breast_cancer.csv", "examples/README.md",
    }  # fmt: skip
    assert needed <= names
    folders = {name.split("/")[0] for name in names if "/" in name}
    assert folders == {"src", "tests", "docs", "examples", "benchmarks"}
    stray = re.compile(
        r"(^|/)(__pycache__|\.venv[^/]*|_build|\.hypothesis|\..*_cache)(/|$)|\.(pyc|so|pyd)$"
    )
    assert not [name for name in names if stray.search(name)]


@pytest.mark.slow
def test_what_others_made_ships_with_its_licence(built):
    with tarfile.open(built[1]) as sdist:
        names = {name.split("/", 1)[1] for name in sdist.getnames()}
        (example,) = (n for n in sdist.getnames() if n.endswith("/examples/README.md"))
        assert "CC BY 4.0" in sdist.extractfile(example).read().decode()
    bundled = {"/".join(n.split("/")[:3]) for n in names if re.match(r"docs/_static/[^/]+/", n)}
    for folder in bundled:
        assert [n for n in names if re.match(rf"{folder}/(.*/)?LICEN[SC]E", n)], folder
    scripts = [path for path in (ROOT / "src").rglob("*.js") if ".min." in path.name]
    assert not scripts  # the page is drawn by our own code


@pytest.mark.slow
def test_all_install_in_a_clean_environment_and_work(built, pure, tmp_path):
    """One environment for all, since all that takes time is what rocwalk needs."""
    clean = tmp_path / "clean"
    call(sys.executable, "-m", "venv", "--without-pip", clean)
    pip = [sys.executable, "-m", "pip", "--python", clean / "bin" / "python"]
    install = [*pip, "install", "--quiet", "--no-compile", "--constraint", ROOT / "constraints.txt"]
    wheel, sdist = built
    call(*install, wheel, "hatchling", "setuptools")
    call(*pip, "check")
    check_that_it_works(clean / "bin", tmp_path)
    check_that_the_start_page_runs(clean / "bin" / "python", tmp_path)
    call(*pip, "uninstall", "--quiet", "--yes", "rocwalk")
    call(*install, "--no-deps", "--no-build-isolation", sdist)
    check_that_it_works(clean / "bin", tmp_path)
    call(*install, "--no-deps", "--force-reinstall", pure)
    code = "import rocwalk as rw; s = list(range(2000)); print(rw.show_versions()['kernel'], "
    code += "rw.metrics.roc_auc_score([k > 999 for k in s], s))"
    assert call(clean / "bin" / "python", "-c", code, cwd=tmp_path).split() == ["False", "1.0"]


def check_that_the_start_page_runs(python, folder):
    """Run its ten lines where only the wheel and what it needs is."""
    there = (
        "import importlib.util as u; print([n for n in ('sklearn', 'pandas') if u.find_spec(n)])"
    )
    assert call(python, "-c", there) == "[]\n"
    text = (ROOT / "docs" / "first_steps.py").read_text(encoding="utf-8")
    lines = folder / "lines.py"
    lines.write_text(text[text.index("import rocwalk") :], encoding="utf-8")
    shown = (ROOT / "docs" / "first_steps.txt").read_text(encoding="utf-8")
    assert call(python, "-I", lines, cwd=folder) == shown


def check_that_it_works(scripts, folder):
    kernel = "import rocwalk as rw; print(rw.show_versions()['kernel'])"
    assert call(scripts / "python", "-c", kernel, cwd=folder).strip() == "True"
    assert call(scripts / "python", "-c", SMOKE, cwd=folder).strip() == rw.__version__
    assert rw.__version__ in call(scripts / "rocwalk", "--version", cwd=folder)
    report = ["report", ROOT / "examples" / "breast_cancer.csv", "--label", "malignant"]
    (folder / "page.html").unlink(missing_ok=True)
    call(scripts / "rocwalk", *report, "--score", "forest", "-o", "page.html", cwd=folder)
    assert "<html" in (folder / "page.html").read_text(encoding="utf-8")
    check_the_bare_commands(scripts / "rocwalk", folder)

    (folder / "typed.py").write_text(TYPED)
    mypy = [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent"]
    checked = subprocess.run(
        [*mypy, "--python-executable", scripts / "python", "typed.py"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "typed.py:5: error: Incompatible types in assignment" in checked.stdout, checked.stdout
    assert 'expression has type "float"' in checked.stdout
    assert "Found 1 error in 1 file" in checked.stdout


def check_the_bare_commands(rocwalk, folder):
    """The commands of files work with what rocwalk itself needs, others name what they lack."""
    example = ROOT / "examples" / "breast_cancer.csv"
    columns = ["--label", "malignant", "--score", "forest"]
    assert "0.8992" in call(rocwalk, "score", example, *columns, cwd=folder)
    assert "No drift is seen" in call(rocwalk, "drift", example, example, *columns, cwd=folder)
    (folder / "book.xlsx").write_bytes(b"PK")
    for command, extra in {
        ("figure", "roc", example, *columns, "-o", "roc.pdf"): "plot",
        ("score", "book.xlsx", *columns): "excel",
    }.items():
        done = subprocess.run(
            [str(part) for part in (rocwalk, *command)],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode
        assert f'pip install "rocwalk[{extra}]"' in done.stderr, done.stderr


# -- the oldest versions ---------------------------------------------------------------------------


def _pins(file):
    return [line.split()[0] for line in (ROOT / file).read_text().splitlines() if "==" in line]


def _bounds(requirements):
    found = (re.match(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)$", each) for each in requirements)
    return {each[1].lower(): each[2] for each in found}


def test_the_oldest_versions_are_the_lower_bounds():
    pins = dict(pin.lower().split("==") for pin in _pins("constraints-lowest.txt"))
    extras = PROJECT["optional-dependencies"]
    bounds = _bounds(PROJECT["dependencies"])
    for extra in ("pandas", "plot", "polars", "pyarrow", "sklearn"):
        bounds |= _bounds(extras[extra])
    for name, bound in bounds.items():
        assert re.fullmatch(re.escape(bound) + r"(\.0)*", pins[name]), name


@pytest.mark.slow
def test_the_oldest_versions_work():
    """A small part of `make lowest`, which runs more."""
    some = (
        "LOWEST_TESTS=tests/tally/test_storage.py tests/read/test_files.py tests/cli/test_drift.py"
    )
    call("make", "lowest", some, cwd=ROOT)
    smoke = SMOKE.replace('assert "site-packages" in rw.__file__, rw.__file__\n', "")
    call(ROOT / ".venv-lowest" / "bin" / "python", "-c", smoke, "all")


# -- citing ----------------------------------------------------------------------------------------


def test_the_citation_file_says_what_the_package_says():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] == "software"
    assert citation["version"] == rw.__version__
    assert citation["license"] == PROJECT["license"]
    assert citation["keywords"] == PROJECT["keywords"]
    assert citation["authors"] == [{"name": each["name"]} for each in PROJECT["authors"]]
    assert citation["title"].startswith("rocwalk")
    assert citation["message"]


def test_every_paper_that_is_cited_has_an_entry_and_every_entry_is_cited():
    bib = (ROOT / "docs" / "rocwalk.bib").read_text(encoding="utf-8")
    entries = re.findall(r"^@\w+\{(\w+),$", bib, re.MULTILINE)
    assert len(entries) == len(set(entries))
    page = (ROOT / "docs" / "cite.rst").read_text(encoding="utf-8")
    cited = set(re.findall(r"``([a-z]+(?:(?:19|20)\d\d[a-z]*)?)``", page))
    assert set(entries) <= cited
    keys = {key for key in cited if re.search(r"\d{4}", key)} | {"rocwalk", "gredlics"}
    assert keys == set(entries)


def test_every_entry_is_whole():
    bib = (ROOT / "docs" / "rocwalk.bib").read_text(encoding="utf-8")
    for entry in re.findall(r"^@\w+\{.*?^\}$", bib, re.MULTILINE | re.DOTALL):
        assert entry.count("{") == entry.count("}"), entry
        kind, key = re.match(r"@(\w+)\{(\w+),", entry).groups()
        needed = {"author", "title"} | (
            {"journal", "volume", "pages", "year"} if kind == "article" else set()
        )
        assert needed <= set(re.findall(r"^  (\w+) += ", entry, re.MULTILINE)), key
        if year := re.search(r"^  year += \{(\d{4})\}", entry, re.MULTILINE):
            assert year[1] in key or key == "rocwalk", key
    assert f"version = {{{rw.__version__}}}" in bib


def test_what_is_cited_exists():
    page = (ROOT / "docs" / "cite.rst").read_text(encoding="utf-8")
    names = set(re.findall(r"``(rw(?:\.\w+)+)``", page))
    assert len(names) > 10
    for name in names:
        thing = rw
        for part in name.split(".")[1:]:
            thing = getattr(thing, part)
    for method in set(re.findall(r"``curve\.(\w+)", page)):
        assert hasattr(rw.Curve, method), method
