# make play    start a server here, for this machine and the local network (PORT=8123, ARGS="--workers 2")
# make test    all checks: style, types, layers, tests, coverage of the pure layers
# make test-long   the same with the long runs of the laws (FAIRWAY_LONG=1)
# make bench   what a move costs, beside a bare broadcast server (BENCH_FULL=1: all sizes; needs gcc)
# make compiled    compile what a move passes through: from then on make play takes less CPU (needs gcc)
# make test-compiled   the tests again, on what make compiled made
# make lint | types | clean

PORT ?= 8080
ARGS ?=
PYTEST_ARGS ?=
# Files that run at once: the tests wait more than they work.
TEST_RUNNERS ?= 4
PY := .venv/bin/python
# The layers that decide everything: each of their branches is tested.
PURE := server/rules/*,server/match/*,server/protocol/*
# Their tests run first and by themselves: tracing slows everything down, and the others need none. They never wait, so
# one a core; a runner more would only collect them once more, which takes 8 s.
PURE_TESTS := tests/rules tests/match tests/protocol

.PHONY: play compiled test test-long test-compiled bench lint types checks clean venv-play venv-dev
.DEFAULT_GOAL := play

COMPILED := $(CURDIR)/.compiled

# What was compiled is taken where it was made from these very sources: its folder comes first on Python's path then.
# exec, so that signals reach the supervisor itself; should make be killed, the supervisor sees that and stops.
play: venv-play
	@if [ -d $(COMPILED) ] && $(PY) scripts/compile-server --fits; then \
	    export PYTHONSAFEPATH=1 PYTHONPATH=$(COMPILED); \
	fi; \
	FAIRWAY_LOG=$${FAIRWAY_LOG:-warning} exec $(PY) -m server.cli serve --host 0.0.0.0 --port $(PORT) --data-dir .data --end-with-parent $(ARGS)

compiled: venv-dev
	@$(PY) scripts/compile-server

test: venv-dev
	@browser=$$(scripts/find-browser) && FAIRWAY_BROWSER="$$browser" $(MAKE) --no-print-directory checks

test-long: export FAIRWAY_LONG = 1
test-long: test

# Theirs are the servers too that tests start.
test-compiled: export PYTHONSAFEPATH = 1
test-compiled: export PYTHONPATH = $(COMPILED)
test-compiled: compiled
	@browser=$$(scripts/find-browser) && FAIRWAY_BROWSER="$$browser" $(PY) -m pytest -n $(TEST_RUNNERS) --dist loadfile \
	    --no-loadscope-reorder -o pythonpath="$(COMPILED) ." $(PYTEST_ARGS)

# Tests start servers by the dozen: compiled code is kept, whatever is usual on this machine.
checks: export PYTHONDONTWRITEBYTECODE =
checks: lint types
	@echo "Tests of the pure layers ..."
	@$(PY) -m pytest -n auto $(PURE_TESTS) --cov=server --cov-branch --cov-report= $(PYTEST_ARGS)
	@echo "All other tests ..."
	@$(PY) -m pytest -n $(TEST_RUNNERS) --dist loadfile --no-loadscope-reorder $(PURE_TESTS:%=--ignore=%) $(PYTEST_ARGS)
	@echo "Coverage of the pure layers, branch by branch ..."
	@$(PY) -m coverage report --include='$(PURE)' --fail-under=100

bench: venv-dev
	@$(PY) tests/load/bench.py

lint: venv-dev
	@echo "Style ..."
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@echo "Layers ..."
	@.venv/bin/lint-imports

types: venv-dev
	@echo "Types ..."
	@$(PY) -m mypy

venv-play:
	@scripts/make-venv play

venv-dev:
	@scripts/make-venv dev

clean:
	rm -rf .venv .compiled .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage test-report
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
