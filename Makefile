# The course's commands: `make help`. Another interpreter: make lab PYTHON=python3.13
PYTHON = python3
NB =
IN =
BIN = .venv/bin
INSTALL = $(BIN)/python -m course.install

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile

lab: ## open your copy of the course (IN=zh in Chinese), or the original NB=notebooks/05_gradients.ipynb; the first time takes some minutes and 1.3 GB (5 GB where PyTorch without CUDA cannot be reached)
	@python="$(PYTHON)"; $(if $(filter command,$(origin PYTHON)),,[ ! -x $(BIN)/python ] || python=$(BIN)/python;) exec $$python -m course.lab $(NB) $(IN)

test: notebook-exists .venv/test ## re-execute every notebook (or NB=…), compare every output, run every other check
	$(BIN)/python -m pytest $(if $(NB),tests/test_course.py $(subst /zh/,/,$(NB)) -k "$(basename $(notdir $(NB))) or test_repository")

tests: test # else make takes it for the folder, of which nothing is to be made

notebook-exists:
	@$(if $(NB),[ -f "$(filter notebooks/%.ipynb,$(NB))" ] || { echo "$(NB): no such notebook; name one as NB=notebooks/05_gradients.ipynb"; false; })

coverage: .venv/test ## the same, slower, and show the lines of course/ that no test runs
	$(BIN)/python -m pytest --cov course --cov-report term:skip-covered

update: .venv/test ## bring up to date what is derived from NB=…, or from every notebook
	$(BIN)/python -m course.build $(NB)

lint: .venv/test ## check the style and types of the code, the spelling, the workflows
	@failed=; \
	$(BIN)/python -m ruff check || failed=1; \
	$(BIN)/mypy || failed=1; \
	$(BIN)/python -m ruff format --check || { echo "to put them in shape: $(BIN)/ruff format"; failed=1; }; \
	$(BIN)/codespell course notebooks/*.ipynb $(wildcard notebooks/notes/*.ipynb) README.md TEACHING.md CONTRIBUTING.md || failed=1; \
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml || failed=1; \
	$(BIN)/zizmor --offline --quiet --strict-collection .github || failed=1; \
	[ -z "$$failed" ]

site: .venv/site ## build the web edition into site/ and read it in Chromium
	$(BIN)/python -m course.site
	$(BIN)/python -m pytest --dist load tests/web.py

handout: ## copy the course into handout/ without outputs and answers, for a class
	@$(PYTHON) -m course.handout

constraints: .venv/test ## pin all other versions anew, for every system, and keep those that still fit
	$(BIN)/python -m pip install --quiet -r .github/requirements.txt
	@grep -hv '^-c' requirements.txt tests/requirements.txt course/site/requirements.txt >.venv/pinned
	@cp constraints.txt .venv/constraints
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --no-header --no-annotate --output-file .venv/constraints .venv/pinned
	@{ grep '^#' constraints.txt; grep -vxF -f .venv/pinned .venv/constraints | grep -Ev '^(nvidia-|cuda-|triton=)'; } >.venv/new
	@mv .venv/new constraints.txt

# Each file marks an installation; make repeats it if a requirements file is newer.
.venv/python:
	@$(PYTHON) -c 'import course'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/test: requirements.txt constraints.txt tests/requirements.txt | .venv/python
	$(INSTALL) -r requirements.txt -r tests/requirements.txt
	@touch .venv/lab $@

.venv/site: requirements.txt constraints.txt tests/requirements.txt course/site/requirements.txt | .venv/python
	$(INSTALL) -r requirements.txt -r tests/requirements.txt -r course/site/requirements.txt
	@touch .venv/lab .venv/test $@

.PHONY: help lab test tests notebook-exists coverage update lint site handout constraints
