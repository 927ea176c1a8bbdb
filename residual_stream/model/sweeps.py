"""One function over many configurations, on any executor: threads, processes, a cluster."""

from concurrent.futures import as_completed

from .progress import reporting


def _named(compute, config):
    """``compute()``; where it fails, the error names ``config`` (and stays a ValueError where it was one)."""
    try:
        return compute()
    except Exception as error:
        kind = ValueError if isinstance(error, ValueError) else RuntimeError
        raise kind(f"sweep: {config!r} failed: {type(error).__name__}: {error}") from error


def sweep(function, configs, executor=None, progress=None):
    """``[function(config) for config in configs]``, in the order of ``configs``, computed on ``executor``.

    ``executor`` is any ``concurrent.futures.Executor`` (``ProcessPoolExecutor(2)``, ``dask.distributed``'s
    ``Client.get_executor()``, ``mpi4py.futures.MPIPoolExecutor()``) or None: here, one after another. For
    processes and clusters ``function`` and the configurations must be picklable. ``progress(done, total)`` is
    called after each item; without it a bar appears on a terminal once two seconds have passed.

    The first item that fails ends the sweep and cancels what has not started. The error, ValueError where the
    item raised one and RuntimeError otherwise, names the configuration and has the item's error as its cause.
    """
    configs = list(configs)
    with reporting(len(configs), progress, unit="run") as report:
        if executor is None:
            results = []
            for config in configs:
                results.append(_named(lambda: function(config), config))
                report(len(results))
            return results
        places = {executor.submit(function, config): place for place, config in enumerate(configs)}
        results = [None] * len(configs)
        try:
            for done, future in enumerate(as_completed(places), start=1):
                results[places[future]] = _named(future.result, configs[places[future]])
                report(done)
        finally:
            for future in places:
                future.cancel()
        return results
