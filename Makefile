# Everything that one types here. `make` alone lists it.

VENV := .venv
BIN := $(VENV)/bin
LAUNCHER := $(BIN)/python -m config.launcher
WITH_SERVICES := $(LAUNCHER) exec --ephemeral --
PYTEST_ARGS ?=
# All tests go on two processes at once, for they wait a lot; a few are not worth that.
PYTEST_WORKERS ?= $(if $(PYTEST_ARGS),0,2)
PYTEST := $(WITH_SERVICES) $(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadgroup
APPS := seasons scores leaderboard

# The first Python of this machine that is new enough; PYTHON=... names another.
IS_NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$name -c '$(IS_NEW_ENOUGH)' 2>/dev/null && echo $$name && break; done)
FIND_UV := command -v uv || ls $(BIN)/uv 2>/dev/null

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test check lint everything simulate season-demo benchmark capacity lock format clean again

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' $(MAKEFILE_LIST) | column -t -s @ 2>/dev/null \
		|| sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1: \2/p' $(MAKEFILE_LIST)

run: $(VENV)/.run ## set up what is missing and run the server (PORT, HOST, DATA_DIR, DATABASE_URL, BROKER_URL)
	@$(LAUNCHER) run

test: $(VENV)/.dev ## set up what is missing and run the tests, without the slow ones (PYTEST_ARGS)
	@$(PYTEST) -m "not slow" $(PYTEST_ARGS)

check: lint test ## formatting, lint, types, layers, SQL, and the tests

lint: $(VENV)/.dev ## the checks that are not tests
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy .
	@$(BIN)/lint-imports
	@$(BIN)/sqlfluff lint $(APPS)

everything: lint ## all checks and all tests, the slow ones too
	@EVERYTHING=1 $(PYTEST) $(PYTEST_ARGS)

simulate: $(VENV)/.run ## play against the running server and check what it answers (RATE, PLAYERS, SECONDS, SERIES, NO_SERIES)
	@$(BIN)/python manage.py simulate $(if $(RATE),--rate $(RATE)) \
		$(if $(PLAYERS),--players $(PLAYERS)) $(if $(SECONDS),--seconds $(SECONDS))

season-demo: $(VENV)/.run ## play a whole season on the running server and check every number (PLAYERS, SEASON)
	@$(BIN)/python manage.py season_demo $(if $(PLAYERS),--players $(PLAYERS)) \
		$(if $(SEASON),--season $(SEASON))

benchmark: $(VENV)/.run ## measure, in a database of its own below .bench (ARGS)
	@DATA_DIR=.bench $(LAUNCHER) exec -- $(BIN)/python manage.py benchmark --costs .bench/costs.json $(ARGS)

capacity: $(VENV)/.run ## compute machines from what was measured (ARGS="--players 50e6 --updates 200e3 --reads 1e6")
	@$(BIN)/python manage.py capacity $(ARGS)

format: $(VENV)/.dev ## put the code into its form
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

lock: $(VENV)/.dev ## renew the lock files from requirements*.txt
	@uv=$$($(FIND_UV)); for name in requirements requirements-dev; do \
		UV_CUSTOM_COMPILE_COMMAND="make lock" $$uv pip compile $$name.txt --quiet --upgrade \
			--universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
			--no-emit-index-url --no-emit-find-links --output-file $$name.lock || exit 1; \
	done

clean: ## remove the virtual environment and what tools left, but never data
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.run: requirements.lock
	$(install)

$(VENV)/.dev: requirements-dev.lock
	$(install)

# An environment whose Python is gone is made again, whatever its stamps say.
ifeq ($(shell $(BIN)/python -c '$(IS_NEW_ENOUGH)' 2>/dev/null && echo usable),)
$(VENV)/.run $(VENV)/.dev: again
endif
again:

define install
	@$(BIN)/python -c '$(IS_NEW_ENOUGH)' 2>/dev/null || { $(make_environment); }
	@echo "Installing $< ..."
	@if uv=$$($(FIND_UV)); then \
		$$uv pip install --quiet --python $(BIN)/python --require-hashes -r $<; \
	else \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<; \
	fi
	@touch $@
endef

define make_environment
	"$(PYTHON)" -c '$(IS_NEW_ENOUGH)' 2>/dev/null || { \
		echo "Laurel needs Python 3.11 or newer: install it, or name one by PYTHON=/path/to/python3." >&2; \
		exit 1; \
	}; \
	rm -rf $(VENV); \
	if command -v uv >/dev/null; then \
		uv venv --quiet --python "$(PYTHON)" $(VENV); \
	else \
		"$(PYTHON)" -m venv $(VENV) >/dev/null || { \
			rm -rf $(VENV); \
			echo "$(PYTHON) cannot make a virtual environment: install its venv module (Debian and Ubuntu: apt install python3-venv)." >&2; \
			exit 1; \
		}; \
	fi
endef
