# The course's commands, each with what it needs: `make help`.
# Another interpreter: make lab PYTHON=python3.13. One chapter: make test NB=notebooks/04_cost.ipynb
# The public repository: make stamp REPO=owner/name. Other versions: make versions SET=colab.
PYTHON = python3
NB =
REPO =
SET =
N = 20
SEED = 1
BIN = .venv/bin

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile

lab: .venv/lab ## open the course in JupyterLab at chapter 1, or at NB=...
	$(BIN)/python -m jupyterlab --allow-root --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/$(or $(NB),notebooks/01_lookup.ipynb)

# All of it, or what one chapter can break, in both languages.
CHAPTER = $(basename $(notdir $(NB)))
ONE = tests/test_cells.py tests/test_notebooks.py tests/test_repository.py notebooks/$(CHAPTER).ipynb -k "$(CHAPTER) or test_course or stamped or links"
test: .venv/test ## re-execute every notebook (or NB=...), compare every output, run every other check
	$(BIN)/python -m pytest $(if $(NB),$(ONE))

lint: .venv/test ## check the style of the code, the spelling of the prose, the workflows
	$(BIN)/python -m ruff check
	@$(BIN)/python -m ruff format --check || { echo "to put them in shape: $(BIN)/ruff format"; false; }
	$(BIN)/codespell notebooks/*.ipynb README.md CONTRIBUTING.md
	$(BIN)/zizmor --offline --quiet .github

update: .venv/test ## bring up to date what is derived from what you changed, or all of NB=...
	$(BIN)/python -m course.update $(NB)

images: .venv/test ## redraw the diagrams (or those of NB=...) into images/
	$(BIN)/python -m course.pictures $(NB)

stamp: .venv/test ## put diagrams and navigation into the notebooks, the chapters into README.md
	$(BIN)/python -m course.stamp $(REPO)

record: .venv/test ## re-execute the notebooks (or NB=...) and store what they print
	$(BIN)/python -m course.record $(NB)

waiting: .venv/test ## mark the Chinese cells whose English twins have changed, and list them
	$(BIN)/python -m course.waiting

fixture: .venv/test ## bring the miniature course up to date in which tests/test_faults.py plants faults
	$(BIN)/python -m course.fixture

mutate: .venv/test ## change things at random and count what the checks catch: N=20 SEED=1
	$(BIN)/python -m course.mutate $(N) $(SEED)

matrix: .venv/test ## run every notebook under each CPU capability, with 1 and 2 threads, twice
	$(BIN)/python -m course.matrix

versions: ## run every notebook with Colab's, the newest and the oldest PyTorch, or with SET=newest
	@$(PYTHON) -m course.versions $(SET)

constraints: .venv/uv ## pin all other versions anew, for every system, and keep those that still fit
	@grep -hv '^-c' requirements.txt tests/requirements.txt course/site/requirements.txt >.venv/pinned
	@cp constraints.txt .venv/constraints
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --no-header --no-annotate --output-file .venv/constraints .venv/pinned
	@{ grep '^#' constraints.txt; grep -vxF -f .venv/pinned .venv/constraints | grep -v '^nvidia-\|^cuda-\|^triton='; } >.venv/new
	@mv .venv/new constraints.txt

site: .venv/site ## build the web edition into site/ and read every page of it in Chromium
	$(BIN)/python -m course.site
	$(BIN)/python -m pytest --dist load tests/web.py

bench: .venv/test ## time the check of the notebooks against plain Python and against its peers
	$(BIN)/python -m course.bench

# Stamps of a finished installation, younger than the files that it came from.
.venv/lab: requirements.txt constraints.txt
	@sh course/install.sh $(PYTHON) $@ -r requirements.txt

.venv/test: requirements.txt constraints.txt tests/requirements.txt
	@sh course/install.sh $(PYTHON) $@ -r requirements.txt -r tests/requirements.txt
	@touch .venv/lab

.venv/site: requirements.txt constraints.txt tests/requirements.txt course/site/requirements.txt
	@sh course/install.sh $(PYTHON) $@ -r requirements.txt -r tests/requirements.txt -r course/site/requirements.txt
	@touch .venv/lab .venv/test

.venv/uv: Makefile
	@sh course/install.sh $(PYTHON) $@ uv==0.13.8

.PHONY: help lab test lint update images stamp record waiting fixture mutate matrix versions
.PHONY: constraints site bench
