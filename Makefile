# Needs Python 3.11 or newer and make; everything else is set up in .venv.
PYTHON ?= $(shell for name in python3.13 python3.12 python3.11 python3 python; do \
	command -v $$name >/dev/null 2>&1 && $$name -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$name && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install -c constraints.txt
DEMO ?= demo
TESTS ?= tests
FUZZ ?= 3000
FONTS ?=
SEED ?= $(shell $(PYTHON) -c 'import secrets; print(secrets.randbelow(10**9))')
EXTRAS ?= web,test,check

# Where Python is told to keep no compiled modules, each of the hundreds of starts of the program in the tests would compile them anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo example test browser fuzz lowest check guide bench constraints clean

help:
	@echo "make demo    set everything up, run the main job on the demonstration towns, say where to look"
	@echo "make test    set everything up and run the tests"
	@echo "make fuzz    the random tests and damaged files with a new seed, which it prints (FUZZ=files, SEED=number to run one again)"
	@echo "make browser the tests in a browser alone; FONTS=folder for one that has the fonts of this folder and no others"
	@echo "make lowest  the program with the lowest versions that it declares: it starts, and does the main job"
	@echo "make check   format, lint, types, the order of the layers"
	@echo "make guide   write the guide's table of checks, and the schemas for editors, from the code"
	@echo "make bench   speed, as ratios to the alternatives (BENCH=options, such as '--sizes town,small'; needs the benchmark's scripts beside the repository)"
	@echo "make example put the demonstration's event map into maps/"
	@echo "make setup   set everything up in .venv, nothing more"

.venv/python:
	@test -n "$(PYTHON)" || { echo "geonotice needs Python 3.11 or newer: install it, or say where it is: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Setting up .venv with $(PYTHON) …"
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/run: .venv/python pyproject.toml constraints.txt
	@echo "Installing geonotice (a minute or two the first time) …"
	@$(PIP) -e '.[web]'
	@touch $@

.venv/dev: .venv/run
	@echo "Installing what the tests need …"
	@$(PIP) -e '.[$(EXTRAS)]'
	@touch $@

setup: .venv/dev

demo: .venv/run
	@$(BIN)/geonotice demo $(DEMO)
	@echo "(Run 'source $(BIN)/activate' once in this window, so that it knows the command geonotice.)"
	@echo "To open the desk in a browser: $(BIN)/geonotice serve $(DEMO)/southampton"

example: demo
	@cp $(DEMO)/southampton/event-map.html maps/example.html

test: .venv/dev
	@$(BIN)/python -m pytest -n auto $(TESTS)

browser: .venv/dev
	@GEONOTICE_TEST_FONTS="$(FONTS)" $(BIN)/python -m pytest -n auto -m browser $(TESTS)

fuzz: .venv/dev
	@seed=$(SEED); echo "Seed $$seed. To run the same again: make fuzz SEED=$$seed FUZZ=$(FUZZ)"; \
		GEONOTICE_FUZZ=$(FUZZ) GEONOTICE_SEED=$$seed $(BIN)/python -m pytest -n auto $(TESTS) \
		|| { echo "Failed with seed $$seed. To run the same again: make fuzz SEED=$$seed FUZZ=$(FUZZ)"; exit 1; }

check: .venv/dev
	@$(BIN)/ruff format --check geonotice tests data
	@$(BIN)/ruff check geonotice tests data
	@$(BIN)/mypy
	@$(BIN)/lint-imports

guide: .venv/dev
	@$(BIN)/python tests/write_guide.py

bench: .venv/dev
	@$(BIN)/python tests/bench/run.py $(BENCH)

# What a user may have who installed other things before: the declared bounds are a promise. The newest click goes with it, since
# typer, and not this program, bounds it from below.
lowest: .venv/dev
	@$(BIN)/python -m pip --disable-pip-version-check --quiet install uv
	@rm -rf .venv-lowest && $(BIN)/uv venv --quiet --python $(BIN)/python .venv-lowest
	@$(BIN)/uv pip install --quiet --python .venv-lowest --resolution lowest-direct -e '.[test]'
	@.venv-lowest/bin/geonotice --help >/dev/null
	@demo=$$(mktemp -d)/demo; .venv-lowest/bin/geonotice demo $$demo && rm -rf $$demo

constraints:
	@$(BIN)/python -m pip --quiet install uv
	@$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url --upgrade -o constraints.txt

clean:
	rm -rf .venv .venv-lowest demo build dist
