"""The warm-up experiment: what it shows and what it takes; ``python -m bench.warm_up --write`` renews its tables."""

import argparse
import os
import platform
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import residual_stream
from residual_stream.model.sweeps import sweep
from residual_stream.model.warm_up import ARMS, curves, four_arms, map_runs
from residual_stream.model.warm_up_table import Outcome, Point, outcome, points, table_file, table_text

SECONDS = 60        # what 2 quiet cores should stay within
ARM_SEEDS, MAP_SEEDS = 8, 4


def show():
    """Run 5 seeds of each arm on 2 processes, print each arm's last accuracies and the time."""
    load, start = os.getloadavg()[0], time.perf_counter()
    with ProcessPoolExecutor(2) as pool:
        arms = four_arms(seeds=5, executor=pool)
    wall, children = time.perf_counter() - start, os.times()
    for title, runs in arms.items():
        reached = sorted(runs[:, 1, -20:].mean(axis=-1))
        print(f"{title:<30}  accuracy, mean of the last 20 of 250 steps: " + "  ".join(f"{a:.2f}" for a in reached))
    processor = children.children_user + children.children_system
    print(f"20 runs: {wall:.0f} s by the clock on 2 processes, {processor:.0f} s of processor time, "
          f"load average {load:.1f} before and {os.getloadavg()[0]:.1f} after; the aim: {SECONDS} s on 2 quiet cores")


def arm_points():
    """The four arms' runs, point by point."""
    return [point for title, runs in four_arms(ARM_SEEDS).items() for seed, curve in enumerate(runs)
            for point in points(*ARMS[title], seed, curve)]


def map_outcomes():
    """What became of every run of the map."""
    runs = map_runs(MAP_SEEDS)
    return [outcome(run, curve) for run, curve in zip(runs, sweep(curves, runs), strict=True)]


def write(kind, make, seeds):
    """Run an experiment, here and in one process, and write its table with what it took."""
    wall, processor = time.perf_counter(), time.process_time()
    rows = make()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    comments = [
        "reversing 4 tokens (8 positions, 9 symbols and a blank): width 32, 4 heads, batches of 32, Adam, 250 steps, "
        f"float32, {seeds} seeds",
        "command: python -m bench.warm_up --write",
        f"versions: residual-stream {residual_stream.__version__}, NumPy {np.__version__}, "
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"{processor:.0f} s of processor time, {wall:.0f} s by the clock, one process",
    ]
    Path(str(table_file(kind))).write_text(table_text(rows, comments), encoding="utf-8", newline="\n")
    print(f"{table_file(kind).name}: {len(rows)} rows, {comments[-1]}", flush=True)


def main():
    """Show the four arms, or renew the tables in ``residual_stream/data`` where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.warm_up", description=__doc__)
    parser.add_argument("--write", action="store_true", help="renew residual_stream/data/warm_up_*.csv (15 minutes)")
    if parser.parse_args().write:
        write(Point, arm_points, ARM_SEEDS)
        write(Outcome, map_outcomes, MAP_SEEDS)
    else:
        show()


if __name__ == "__main__":
    main()
