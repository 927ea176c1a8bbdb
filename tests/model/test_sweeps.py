"""Sweeps give the same results, in the same order, on every executor; a failing item says which it was."""

import multiprocessing
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager

import distributed
import pytest

from residual_stream.model.presets import PRESETS, parameter_counts
from residual_stream.model.sweeps import sweep


def late_for_the_early(number):
    """The square, the first ones last: finished in another order than submitted."""
    time.sleep(0.002 * (20 - number))
    return number * number


def refuses_seven(number):
    if number == 7:
        raise ValueError("seven is refused")
    return number


def breaks_at_seven(number):
    return 1 / (number - 7)


SQUARES = [number * number for number in range(20)]


def test_without_an_executor():
    assert sweep(late_for_the_early, range(20)) == SQUARES


def test_on_threads_results_come_in_order():
    with ThreadPoolExecutor(8) as pool:
        assert sweep(late_for_the_early, range(20), executor=pool) == SQUARES


@contextmanager
def process_pool():
    """Fresh interpreters, as on macOS and Windows: only what can be imported can be swept."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@contextmanager
def dask_cluster():
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client.get_executor()


@pytest.mark.parametrize("processes", [process_pool, dask_cluster])
def test_on_other_processes(processes):
    names = [*PRESETS] * 3
    with processes() as executor:
        assert sweep(parameter_counts, names, executor=executor) == [parameter_counts(name) for name in names]
        with pytest.raises(ValueError, match="sweep: 'gpt-3' failed: ValueError: .*did you mean gpt3"):
            sweep(parameter_counts, ["gpt2", "gpt-3"], executor=executor)


@pytest.mark.parametrize("pool", [None, ThreadPoolExecutor])
def test_a_failing_item_is_named(pool):
    executor = pool and pool(2)
    with pytest.raises(ValueError, match="sweep: 7 failed: ValueError: seven is refused") as refusal:
        sweep(refuses_seven, range(20), executor=executor)
    assert isinstance(refusal.value.__cause__, ValueError)
    with pytest.raises(RuntimeError, match="sweep: 7 failed: ZeroDivisionError"):
        sweep(breaks_at_seven, range(20), executor=executor)
    if executor:
        executor.shutdown()


def test_what_has_not_started_is_cancelled():
    started, gate = [], threading.Event()

    def fails_first(number):
        started.append(number)
        if number == 0:
            raise ValueError("the first one")
        gate.wait(10)

    with ThreadPoolExecutor(1) as pool:
        blocker = pool.submit(gate.wait, 0.05)
        with pytest.raises(ValueError, match="sweep: 0 failed"):
            sweep(fails_first, range(50), executor=pool)
        blocker.result()
        gate.set()
    assert len(started) < 50


def test_progress_counts_to_the_end():
    seen = []
    with ThreadPoolExecutor(3) as pool:
        sweep(abs, [-1, -2, -3], executor=pool, progress=lambda done, total: seen.append((done, total)))
    sweep(abs, [-1], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3), (1, 1)]


def test_nothing_to_do():
    assert sweep(abs, []) == []
