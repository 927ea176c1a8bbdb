"""The four-arm warm-up experiment: what it shows and what it takes; ``python -m bench.warm_up``."""

import os
import time
from concurrent.futures import ProcessPoolExecutor

from residual_stream.model.warm_up import four_arms

SECONDS = 60        # what 2 quiet cores should stay within


def main():
    """Run 5 seeds of each arm on 2 processes, print each arm's last accuracies and the time."""
    load, start = os.getloadavg()[0], time.perf_counter()
    with ProcessPoolExecutor(2) as pool:
        arms = four_arms(seeds=5, executor=pool)
    wall, children = time.perf_counter() - start, os.times()
    for title, curves in arms.items():
        reached = sorted(curves[:, 1, -20:].mean(axis=-1))
        print(f"{title:<30}  accuracy, mean of the last 20 of 250 steps: " + "  ".join(f"{a:.2f}" for a in reached))
    processor = children.children_user + children.children_system
    print(f"20 runs: {wall:.0f} s by the clock on 2 processes, {processor:.0f} s of processor time, "
          f"load average {load:.1f} before and {os.getloadavg()[0]:.1f} after; the aim: {SECONDS} s on 2 quiet cores")


if __name__ == "__main__":
    main()
