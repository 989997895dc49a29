# `make run` and `make test` need nothing but Python 3.11 or newer; they set up what is missing first.
PYTHON ?= python3
BIN := .venv/bin
REQUIREMENTS := deploy/requirements
# uv takes a fifth of pip's time; where pip alone is told of a mirror, pip does it.
HASHED := --require-hashes -q
PIP := $(BIN)/python -m pip --disable-pip-version-check install $(HASHED)
INSTALL = $(BIN)/uv pip install --python $(BIN)/python --compile-bytecode $(HASHED) -r $< || $(PIP) -r $<
# A model of the tests with packages of its own, none of them the service's.
MODEL := build/diffusion
# Every core has a process of the suite already: BLAS keeps to one thread, and what one compiled the others need not.
# `python -m bench.suite` runs the lanes by these targets, under coverage where it is asked to.
PYTEST := env -u PYTHONDONTWRITEBYTECODE OPENBLAS_NUM_THREADS=1 \
	$(BIN)/python $(COVERAGE) -m pytest -n auto --maxprocesses 4

.PHONY: run test test-all test-engine test-servers test-hosts test-model check audit setup screenshots sheets diffusion-server

# `exec` leaves no shell between make and the service to swallow a signal. What one start compiled, the next and each of
# its processes need not: that halves a start, so it is kept also where Python is told not to.
run: .venv/run.stamp
	@$(BIN)/python deploy/frontend/assets.py --no-dev
	@exec env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m app.cli.processes up

# What every change needs; tests/README.md says what is in which lane.
test: setup
	@$(PYTEST) --lane quick tests

# Everything: all page states, journeys, kills, full-size pictures, training.
test-all: setup
	@$(PYTEST) tests

# All of the engine, long tests too; when all pass, tests/engine/complete_run.json says so, which is to be committed.
test-engine: setup
	@$(PYTEST) tests/engine

# What can differ on the servers that TEST_DATABASE_URL and TEST_REDIS_URL name.
test-servers: setup
	@$(PYTEST) --lane servers tests

# Journeys and outages with web and workers on hosts of their own, in network namespaces where root may make them.
# PostgreSQL, Redis and a server that speaks S3 are the run's own.
test-hosts: setup
	@TEST_HOSTS=1 $(PYTEST) --lane hosts tests

# Pictures by a real diffusion model; its packages are the only ones that `setup` does not bring.
test-model: setup
	@$(PYTEST) --lane model tests

check: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@git ls-files -z | xargs -0 $(BIN)/codespell
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/bandit -q -c pyproject.toml -r app engine deploy wsgi.py

# Known faults of the pinned packages. It asks their registries, so it is no part of `check`, which needs no network.
audit: setup
	$(BIN)/pip-audit --strict --disable-pip --require-hashes -r $(REQUIREMENTS)/run.txt
	$(BIN)/python deploy/frontend/assets.py --audit

# Every page in every state, as pictures in build/screenshots.
screenshots: setup
	@$(BIN)/python -m tests.browser.screenshots

# What every effect does to every photo handed out for tests, in build/sheets.
sheets: setup
	@$(BIN)/python -m bench.sheets build/sheets

# A tiny model behind the images-edit interface, to try the way to a picture server: docs/generative-server.md.
diffusion-server: $(MODEL).stamp
	@exec $(MODEL)/bin/python -m tests.diffusion_server

# The packages of the machine come while those of Python do.
setup:
	@deploy/test-packages.sh & machine=$$!; \
	$(MAKE) --no-print-directory .venv/dev.stamp && $(BIN)/python deploy/frontend/assets.py; done=$$?; \
	wait $$machine && exit $$done

.venv/run.stamp: $(REQUIREMENTS)/run.txt | .venv/bin/python
	@echo "Installing the packages of the service (a minute, once)"
	@$(INSTALL)
	@touch $@

# The packages for development include all of the service's.
.venv/dev.stamp: $(REQUIREMENTS)/dev.txt $(REQUIREMENTS)/run.txt | .venv/bin/python
	@echo "Installing the packages of the service and its tests (a minute, once)"
	@$(INSTALL)
	@touch .venv/run.stamp $@

$(MODEL).stamp: $(REQUIREMENTS)/diffusion.txt | .venv/bin/python
	@echo "Installing the packages of the tests' diffusion model (a minute, once)"
	@$(BIN)/python -m venv --clear $(MODEL)
	@$(BIN)/uv pip install --python $(MODEL)/bin/python $(HASHED) -r $< || \
		$(MODEL)/bin/python -m pip --disable-pip-version-check install $(HASHED) -r $<
	@touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer is needed, $(PYTHON) is not that: make PYTHON=/path/to/python3 $(MAKECMDGOALS)" >&2; \
		exit 1; }
	@$(PYTHON) -m venv .venv && $(PIP) -r $(REQUIREMENTS)/uv.txt || { rm -rf .venv; exit 1; }
