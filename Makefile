# Every target sets up what it needs first, which takes minutes the first time and nothing afterwards.
PYTHON3 = .venv/bin/python
WORKERS ?= 2
ARGS ?=
unexport PYTHONDONTWRITEBYTECODE  # the tests start the program 300 times, which compiles it only once

.DEFAULT_GOAL := help
.PHONY: help demo test test-all fuzz lint format goldens gallery bench drawings stages docs lock setup setup-dev clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: setup  ## open the window; without a display, render 120 frames into out/demo
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		$(PYTHON3) -m ocean $(ARGS); \
	else \
		echo "No display here, so the demo is rendered into out/demo instead of shown."; \
		$(PYTHON3) -m ocean capture --frames 120 --config configs/software.toml --out out/demo $(ARGS); \
	fi

# glibc keeps the memory of arrays for the next ones; each worker has one core, and threads of BLAS would share it
test test-all: export MALLOC_MMAP_THRESHOLD_ = 1000000000
test test-all: export MALLOC_TRIM_THRESHOLD_ = 1000000000
test test-all: export OPENBLAS_NUM_THREADS = 1

test: setup-dev  ## run the tests (ARGS="-k fft" narrows them)
	$(PYTHON3) -m pytest -n $(WORKERS) --dist loadfile $(ARGS)

test-all: setup-dev  ## run the tests and the long matrix
	$(PYTHON3) -m pytest -n $(WORKERS) --dist loadfile -m "" $(ARGS)

fuzz: setup-dev  ## an hour of random bad settings, files, kills, changes and clicks; prints a table (ARGS="--seed 1")
	$(PYTHON3) -W ignore -m tests.fuzzing $(ARGS)

lint: setup-dev  ## check style, format and types
	$(PYTHON3) -m ruff check
	$(PYTHON3) -m ruff format --check
	$(PYTHON3) -m mypy

format: setup-dev  ## put imports and format in order
	$(PYTHON3) -m ruff check --fix
	$(PYTHON3) -m ruff format

goldens: setup-dev  ## make the pictures that tests compare with again (on llvmpipe)
	$(PYTHON3) -m pytest -m golden --update-goldens $(ARGS)

gallery: setup-dev  ## render the gallery's scenes (ARGS="noon gale" for some), long without a GPU
	$(PYTHON3) -m tools.pictures.gallery $(ARGS)

bench: setup  ## a short bench of this GPU, into out/bench (ARGS="--sizes 512" chooses)
	$(PYTHON3) -m ocean bench --workload ocean --sizes 128,256 --rounds 6 --out out/bench $(ARGS)

stages: setup  ## make the pictures of the presets, and pictures and table of docs/debug-views.md, again
	$(PYTHON3) -m tools.pictures.debug_view_pictures

drawings: setup-dev  ## make the drawings of docs/backends again
	$(PYTHON3) -m tools.drawings.draw

docs: export NO_MKDOCS_2_WARNING = 1
docs: setup-dev  ## build the documentation into out/site (python -m mkdocs serve shows it while you write)
	$(PYTHON3) -m mkdocs build

LOCK = $(PYTHON3) -m uv pip compile pyproject.toml --quiet --no-config --universal --fork-strategy fewest \
	--python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links

lock: setup-dev  ## write the locks again (ARGS=--upgrade takes newer releases)
	$(PYTHON3) -m pip install --quiet "uv>=0.9,<1"
	$(LOCK) --output-file requirements.lock $(ARGS)
	$(LOCK) --output-file requirements-dev.lock --group dev --constraint requirements.lock $(ARGS)

setup: .venv/run.stamp  ## install what the program needs, into .venv (EXTRAS=export adds extras, with commas)
	@[ -z "$(EXTRAS)" ] || EXTRAS="$(EXTRAS)" .ci/setup.sh run

setup-dev: .venv/dev.stamp  ## install what tests and checks need as well

.venv/run.stamp: requirements.lock .ci/setup.sh
	@.ci/setup.sh run

.venv/dev.stamp: requirements-dev.lock .ci/setup.sh
	@.ci/setup.sh dev

clean:  ## remove outputs and caches; .venv stays
	rm -rf out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find ocean tests tools app.py -name __pycache__ -prune -exec rm -rf {} +
