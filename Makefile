# Everything runs from .venv, which this file makes with nothing but Python, pip and make: no ensurepip
# (Debian packs it apart) and no install into the system's own Python (Debian forbids it). `make` lists
# the targets. HOST, PORT and THIRTYONE_DATABASE reach the server through the environment.

# Asked for only when an environment is made, so that a start costs nothing.
PYTHON ?= $(shell command -v python3.11 || echo python3)

py := .venv/bin/python

# Wheels only: a source package would bring in build tools that no hash in the lock covers, and a compiler.
# No resolving: a lock names the whole set.
pip_install = $(PYTHON) -m pip --python $(1) --quiet --no-input --disable-pip-version-check \
	install --require-hashes --only-binary :all: --no-deps

uv := uv==0.13.9
# The set that a lock builds on is its constraint, so that both pin the same releases. With the extra: what is
# served from a checkout can typeset.
compile_only = "$$dir/bin/uv" pip compile --quiet --universal --python-version 3.11 --no-build --generate-hashes \
	--no-emit-index-url --no-header $(if $(UPGRADE),--upgrade)
compile = $(compile_only) --extra pdf pyproject.toml
compile_clients = $(compile_only) --group pyproject.toml:clients

.DEFAULT_GOAL := help
.PHONY: help serve test test-clients test-web check soak fuzz bench openapi format lock clean
# The steps of one run share .venv and go one after the other.
.NOTPARALLEL:

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1	\2/p' Makefile

serve: .venv/serve.stamp ## run the service (HOST, PORT, THIRTYONE_DATABASE)
	@# exec: the server takes the shell's place, so a signal passed on by make reaches it.
	@exec $(py) -m api

test: check ## check the code, then run the tests
	$(py) -m pytest -n auto --maxprocesses 4

test-clients: .venv/test.stamp .venv-clients/stamp ## lint the OpenAPI document, and run clients made of it (brings its own Node)
	$(py) -m tests.clients.run

test-web: .venv/web.stamp ## run the tests of the desk and of the guide (in the Chromium of this machine)
	$(py) -m pytest tests/web

check: .venv/test.stamp ## check format, lint, types and the import rules
	$(py) -m ruff format --check .
	$(py) -m ruff check .
	$(py) -m mypy api engine schemas replays openapi bench
	.venv/bin/lint-imports --no-logo

soak: .venv/test.stamp ## run the property tests sixty times as long, and the long tests of the store (SOAK_MINUTES)
	HYPOTHESIS_PROFILE=soak SOAK=1 $(py) -m pytest -n auto --maxprocesses 4 \
		tests/engine tests/notation tests/replays tests/api tests/contract --ignore tests/api/test_overload.py
	@# One after the other: some of these say how long an answer may take.
	HYPOTHESIS_PROFILE=soak SOAK=1 $(py) -m pytest tests/api/test_overload.py tests/store

FUZZ_SECONDS ?= 60

fuzz: .venv/fuzz.stamp ## fuzz the requests, the engine and the notation (FUZZ_SECONDS: how long each, TARGET: only one)
	$(py) -m tests.fuzz --seconds $(FUZZ_SECONDS) $(TARGET)

bench: .venv/bench.stamp ## run the benchmark
	$(py) -m bench

openapi: .venv/serve.stamp ## write openapi/openapi.json anew
	$(py) -m openapi

format: .venv/test.stamp ## format the code and apply the safe fixes
	$(py) -m ruff check --fix-only .
	$(py) -m ruff format .

lock: ## compile the locks from pyproject.toml (UPGRADE=1: to the newest releases)
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && set -ex && \
	$(PYTHON) -m venv --without-pip "$$dir" && \
	$(PYTHON) -m pip --python "$$dir/bin/python" --quiet --no-input --disable-pip-version-check install $(uv) && \
	$(compile) -o requirements/serve.lock && \
	$(compile) --group test -c requirements/serve.lock -o requirements/test.lock && \
	$(compile) --group web -c requirements/test.lock -o requirements/web.lock && \
	$(compile) --group fuzz -c requirements/test.lock -o requirements/fuzz.lock && \
	$(compile) --group bench -c requirements/test.lock -o requirements/bench.lock && \
	$(compile_clients) -o requirements/clients.lock

clean: ## remove .venv, caches and build output (no database)
	rm -rf .venv .venv-clients .fuzz tests/clients/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The command line of this checkout, from any directory, with nothing installed. -P: what the directory holds
# is never imported. Until that is loaded an interrupt just ends it, rather than with a traceback; one that is ignored
# stays so. _signal is what is there at once.
define launcher
#!/bin/sh
bin=$$(dirname "$$(readlink -f "$$0")")
export PYTHONPATH="$$(dirname "$$(dirname "$$bin")")"
exec "$$bin/python" -P -c '
from _signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal
if getsignal(SIGINT) is default_int_handler: signal(SIGINT, SIG_DFL)
from api.cli import main
main()' "$$@"
endef
export launcher

# A stamp says that its lock is installed; each lock contains the one before it.
.venv/serve.stamp: sets := serve
.venv/test.stamp: sets := serve test
.venv/web.stamp: sets := serve test web
.venv/fuzz.stamp: sets := serve test fuzz
.venv/bench.stamp: sets := serve test bench

# The environment grows from serve to test to web, fuzz or bench. It is made anew when there is none, when the last
# install was cut short (no stamp is left then), when its Python is gone, and when the lock has changed, so
# that nothing the lock no longer names stays importable.
# This file, held open as standard input down to pip itself, is also the lock that makes a second make
# wait for an install under way, even for a pip that outlived its make.
.venv/%.stamp: requirements/%.lock $(py)
	@set -e; \
	exec <Makefile; \
	$(PYTHON) -c 'import fcntl; fcntl.flock(0, fcntl.LOCK_EX)'; \
	sound() { ls .venv/*.stamp && $(py) -c ''; } >/dev/null 2>&1; \
	if sound && [ $@ -nt $< ]; then exit; fi; \
	if ! sound || [ -e $@ ]; then \
		$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed")'; \
		echo "Making .venv"; \
		rm -f .venv/*.stamp; \
		$(PYTHON) -m venv --without-pip --clear .venv; \
	fi; \
	echo "Installing $<"; \
	rm -f .venv/*.stamp; \
	$(call pip_install,$(py)) -r $<; \
	printf '%s\n' "$$launcher" >.venv/bin/thirtyone; \
	chmod +x .venv/bin/thirtyone; \
	touch $(sets:%=.venv/%.stamp)

# Apart from the project's own environment, which has to do without what the generators need.
.venv-clients/stamp: requirements/clients.lock
	$(PYTHON) -m venv --without-pip --clear .venv-clients
	@echo "Installing $<"
	@$(call pip_install,.venv-clients/bin/python) -r $<
	@touch $@

# No recipe: a missing interpreter (a removed .venv, a dangling link) makes every stamp out of date.
$(py): ;
