# The course's commands, each with what it needs: `make help`.
# Another interpreter: make lab PYTHON=python3.13. Some notebooks: make record NB=notebooks/03_cost.ipynb.
# The public repository: make stamp REPO=owner/name. Other versions: make versions SET=colab.
PYTHON = python3
NB =
REPO =
SET =
BIN = .venv/bin
CHAPTER = /lab/tree/notebooks/01_lookup.ipynb

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile

lab: .venv/lab ## open the course in JupyterLab at chapter 1
	$(BIN)/python -m jupyterlab --allow-root --ServerApp.root_dir=. --LabApp.default_url=$(CHAPTER)

test: .venv/test ## re-execute every notebook, compare every output, run every other check
	$(BIN)/python -m pytest

lint: .venv/test ## check the style of the code, the spelling of the prose, the workflows
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python tools/spell.py
	$(BIN)/zizmor --offline --quiet .github

images: .venv/test ## redraw the diagrams into images/
	$(BIN)/python tools/figures.py

stamp: .venv/test ## put diagrams and navigation into the notebooks, the chapters into README.md
	$(BIN)/python tools/stamp.py $(REPO)

record: .venv/test ## re-execute the notebooks (or NB=...) and store what they print
	$(BIN)/python tools/record.py $(NB)

matrix: .venv/test ## run every notebook under each CPU capability, with 1 and 2 threads, twice
	$(BIN)/python tools/matrix.py

versions: ## run every notebook with Colab's, the newest and the oldest PyTorch, or with SET=newest
	@$(PYTHON) -m course.versions $(SET)

bench: .venv/test ## time the check of the notebooks against plain Python and against its peers
	$(BIN)/python tools/bench.py

# Stamps of a finished installation, younger than the files that it came from.
.venv/lab: requirements.txt constraints.txt
	@sh tools/install.sh $(PYTHON) $@ -r requirements.txt

.venv/test: requirements.txt constraints.txt tests/requirements.txt
	@sh tools/install.sh $(PYTHON) $@ -r requirements.txt -r tests/requirements.txt

.PHONY: help lab test lint images stamp record matrix versions bench
