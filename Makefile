# make run    the workbench in the browser, on a sample book the first time
# make test   style, types, import directions and every test
# make soak   the long crash and concurrency runs
# make bench  how fast it is, each figure beside its baseline

PYTHON ?= python3
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test check soak bench clean

run: $(VENV)/.runs
	@$(BIN)/python -c 'import socket; socket.create_server(("127.0.0.1", $(PORT))).close()' 2>/dev/null || { echo "Port $(PORT) is taken or is no port. Choose another: make run PORT=8600"; exit 1; }
	@$(BIN)/python -m agent sample
	@echo "Munshi is at http://127.0.0.1:$(PORT) (stop with Ctrl-C)"
	@$(BIN)/streamlit run app.py --server.port $(PORT)

test: check
	$(BIN)/python -m pytest -q -m "not soak" $(PYTEST_ARGS)

check: $(VENV)/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

soak: $(VENV)/.tests
	$(BIN)/python -m pytest -q -m soak --timeout=3600 $(PYTEST_ARGS)

bench: $(VENV)/.tests
	$(BIN)/python -m evaluation bench

clean:
	rm -rf $(VENV)

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Munshi needs Python 3.11 or newer; $(PYTHON) is older. Try: make run PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.runs: $(VENV)/.made requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.tests: $(VENV)/.runs requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
