"""Notebooks that have to run are run beforehand, one on each core, into the cache from which the pages are read.

The build by itself would run them one after the other, and might break a printed line in two where the kernel sent it
in two pieces. A notebook that fails is left out of the cache: the build
then runs it again in its turn, stops, and names the cell.
"""

import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from nbclient.exceptions import DeadKernelError
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
WITHOUT_NOTICES = ["--IPKernelApp.log_level=40"]    # a kernel's warnings are about its own sockets


def executed(path, timeout):
    """``(notebook, seconds)`` of one notebook run in its own folder; None if a cell failed or took too long."""
    try:
        result = single_nb_execution(nbformat.read(path, as_version=4), cwd=str(Path(path).parent), timeout=timeout,
                                     allow_errors=False, coalesce_streams=True, extra_arguments=WITHOUT_NOTICES)
    except DeadKernelError:
        return None
    return None if result.err else (result.nb, result.time)


def is_cached(cache, path):
    """Whether the cache holds a run of this notebook as it now stands."""
    try:
        cache.match_cache_notebook(nbformat.read(path, as_version=4))
    except KeyError:
        return False
    return True


def run_beforehand(app, env, docnames):
    """Run those of the notebooks to be read that are not in the cache."""
    paths = [path for name in sorted(docnames) if (path := env.doc2path(name)).endswith(".ipynb")]
    cache = get_cache(app.config.nb_execution_cache_path)
    due = [path for path in paths if not is_cached(cache, path)]
    if not due:
        return
    LOGGER.info("Notebooks to execute: %d, %d at a time ...", len(due), min(len(due), os.cpu_count()))
    with ProcessPoolExecutor(min(len(due), os.cpu_count())) as pool:
        running = {pool.submit(executed, path, app.config.nb_execution_timeout): path for path in due}
        for count, done in enumerate(as_completed(running), 1):
            path, result = running[done], done.result()
            name = Path(path).relative_to(app.srcdir)
            if result is None:
                LOGGER.info("%d of %d: %s failed", count, len(due), name)
                continue
            notebook, seconds = result
            cache.cache_notebook_bundle(CacheBundleIn(notebook, path, data={"execution_seconds": seconds}),
                                        check_validity=False, overwrite=True)
            LOGGER.info("%d of %d: Executed notebook %s in %.1f seconds", count, len(due), name, seconds)


def setup(app):
    app.connect("env-before-read-docs", run_beforehand)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
