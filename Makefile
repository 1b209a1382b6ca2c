# Agon: `make serve` runs the arena, `make test` checks everything. Both set up what they need.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do \
    $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
# Bytecode is made of what is imported, when it is first imported: most of what is installed never is.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
    --constraint constraints.txt

# Keep bytecode, whatever the environment says: without it every process compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup test test-fast test-slow fuzz mutants lint warm wheel serve bench clean
.DEFAULT_GOAL := help

help:
	@echo "make serve      set up, then run the arena: website, ladder, the games' servers (SERVE='--port 8080')"
	@echo "make test       set up, then all checks: format, lint, types, imports, tests"
	@echo "make test-fast  the inner loop: what happens in one process and takes less than a second"
	@echo "make test-slow  the long proofs: deep perft, many random games"
	@echo "make fuzz       a million made-up inputs for each reader (FUZZ='--inputs 1000 zip')"
	@echo "make mutants    small faults in the code: do the tests notice? (MUTANTS='--each 9 --seed 2 ranker')"
	@echo "make lint       the checks of 'make test' without the tests"
	@echo "make wheel      build what contestants install, and the source archive, into dist"
	@echo "make bench      speed, as ratios against other programs run in the same minute"
	@echo "make setup      create $(VENV) with agon and its tools; $(BIN)/agon works after it"
	@echo "make clean      remove everything that make and the tools wrote here"

setup: $(VENV)/.ready

$(BIN)/pip: Makefile
	@test -n "$(PYTHON)" || { echo "agon needs Python 3.11 or newer; set PYTHON=/path/to/it"; exit 2; }
	@echo "setting up $(VENV) with $$($(PYTHON) --version) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) 2>/dev/null || { rm -rf $(VENV); \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	        apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null; \
	    else echo "the venv module is missing: install your system's python3-venv package"; exit 2; fi; \
	    $(PYTHON) -m venv $(VENV); }
	@$(INSTALL) --upgrade pip
	@touch $@

$(VENV)/.ready: $(BIN)/pip pyproject.toml constraints.txt
	@$(INSTALL) --editable '.[dev]'
	@touch $@

$(VENV)/.serve: $(BIN)/pip pyproject.toml constraints.txt
	@$(INSTALL) --editable '.[web,postgres]'
	@touch $@

# What pip cannot install. A missing package is installed where that is possible, else named.
define install_missing
test -z "$$missing" || { \
    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
        echo "installing$$missing ..."; \
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing >/dev/null; \
    else echo "please install:$$missing"; exit 2; fi; }
endef

# The sandbox's own tools. Without them the arena runs, but takes no bots of users.
define find_missing_sandbox
command -v bwrap >/dev/null || missing="$$missing bubblewrap"; \
command -v setpriv >/dev/null && command -v prlimit >/dev/null || missing="$$missing util-linux";
endef

.PHONY: system sandbox languages networks
sandbox:
	@missing=""; $(find_missing_sandbox) \
	( $(install_missing) ) || echo "without these no bots of users are taken"

system:
	@missing=""; $(find_missing_sandbox) \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$$missing postgresql"; \
	command -v gcc >/dev/null || missing="$$missing gcc libc6-dev"; \
	command -v node >/dev/null || missing="$$missing nodejs"; \
	command -v chromium >/dev/null || missing="$$missing chromium"; \
	$(install_missing)

# For machines in networks of their own, on this one.
networks:
	@missing=""; \
	command -v nft >/dev/null || missing="$$missing nftables"; \
	command -v ip >/dev/null || missing="$$missing iproute2"; \
	$(install_missing)

# Compilers of the starters' other languages, and NumPy for bots in Python. Without them these are not tested.
languages:
	@missing=""; \
	command -v go >/dev/null || missing="$$missing golang-go"; \
	command -v javac >/dev/null || missing="$$missing default-jdk-headless"; \
	command -v rustc >/dev/null || missing="$$missing rustc"; \
	/usr/bin/python3 -c "import numpy" 2>/dev/null || missing="$$missing python3-numpy"; \
	( $(install_missing) ) || echo "without these the starters in their languages are not tested"

lint: setup
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet
	$(BIN)/mypy
	$(BIN)/lint-imports

warm: setup
	$(BIN)/agon warm
	-@$(PYTEST) --collect-only --quiet >/dev/null

PYTEST := $(BIN)/python -m pytest --durations=25
PARALLEL := --dist loadfile --no-loadscope-reorder --numprocesses

# Branches and lines that the tests reach, in per cent, of the packages with a floor.
FLOORS := games=95 match=95 ranker=95 datastore=95

# Three workers for two cores: many tests wait for a browser or a process; a fourth saves nothing.
# The checks need one core; meanwhile the other compiles the rules and the tests, once for all processes.
test: system languages setup
	@$(MAKE) --no-print-directory --jobs 2 lint warm
	$(PYTEST) -m "not slow" $(PARALLEL) 3 --cov --cov-report=
	@for part in $(FLOORS); do name=$${part%=*}; floor=$${part#*=}; \
	    found=$$($(BIN)/coverage report --format=total --include="src/agon/$$name/*"); \
	    echo "coverage of $$name: $$found %, at least $$floor"; \
	    test "$$found" -ge "$$floor" || exit 1; done

test-fast: setup
	$(PYTEST) --fast $(PARALLEL) 2

test-slow: system networks setup
	$(PYTEST) -m slow

$(VENV)/.fuzz: $(VENV)/.ready
	@$(INSTALL) --editable '.[fuzz]'
	@touch $@

fuzz: $(VENV)/.fuzz
	$(BIN)/python -m tests.fuzz $(FUZZ)

$(VENV)/.mutants: $(VENV)/.ready
	@$(INSTALL) --editable '.[mutants]'
	@touch $@

mutants: $(VENV)/.mutants
	nice -n 19 $(BIN)/python -m tests.mutants $(MUTANTS)

$(BIN)/hatchling: $(BIN)/pip pyproject.toml constraints.txt
	@$(INSTALL) hatchling
	@touch $@

wheel: $(BIN)/hatchling
	@$(BIN)/hatchling build

serve: sandbox $(VENV)/.serve wheel
	$(BIN)/agon serve --downloads dist $(SERVE)

$(VENV)/.bench: $(VENV)/.ready
	@$(INSTALL) --editable '.[bench]'
	@touch $@

bench: $(VENV)/.bench
	$(BIN)/agon bench

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage build dist
	find src tests benchmarks training -name __pycache__ -type d -prune -exec rm -rf {} +
