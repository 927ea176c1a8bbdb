"""Speed and memory of the engine beside PyTorch's, measured in turn in one run: ``python -m bench``.

Every job is run several times, ours and PyTorch's one after the other, so that what else the machine does weighs on
both. A ratio is the median over the rounds of ours / PyTorch's. "of matmul" is the rate of a job's matrix products as
a fraction of the machine's own matrix-multiply rate, measured in the same rounds: what is missing went into softmax,
GELU, norms, the account of each addition, and drawing weights.
"""

import argparse
import os
import time

import numpy as np

from .layers import operations, ours, stack_config, theirs, threads
from .memory import peak

DEPTHS = (12, 24, 48, 96, 192, 384)


def seconds(job):
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def matmul_rate():
    """Operations a second of one (128, 512) by (512, 2048) product, the largest in a layer."""
    a, b = (np.random.default_rng(0).random(shape, dtype=np.float32) for shape in ((128, 512), (512, 2048)))
    repeats = 50
    return repeats * 2 * 128 * 512 * 2048 / seconds(lambda: [a @ b for _ in range(repeats)])


def compare(layers, rounds):
    """Print each job's seconds, its share of the matrix-multiply rate, and the ratio to PyTorch."""
    try:
        sides = {"ours": ours(layers), "PyTorch": theirs(layers)}
    except ImportError:
        print("PyTorch is not installed: pip install -r requirements/torch.txt gives the ratios")
        sides = {"ours": ours(layers)}
    for jobs in sides.values():
        for job in jobs.values():
            job()
    for name in sides["ours"]:
        rates, times = [], {side: [] for side in sides}
        for _ in range(rounds):
            rates.append(matmul_rate())
            for side, jobs in sides.items():
                times[side].append(seconds(jobs[name]))
        rate = np.median(rates)
        line = f"  {name:<34}"
        for side, values in times.items():
            best = np.median(values)
            line += f"  {side} {best:6.2f} s ({operations(name, layers) / best / rate:4.0%} of matmul)"
        if len(times) == 2:
            ratios = np.divide(times["ours"], times["PyTorch"])
            line += f"   ratio {np.median(ratios):.2f}  (rounds: {' '.join(f'{r:.2f}' for r in sorted(ratios))})"
        print(line, flush=True)


def compare_memory(layers):
    """Print peaks above the bare interpreter, each in a process of its own."""
    bare = peak("interpreter")
    print(f"peak memory above a bare interpreter ({bare:.0f} MB):")
    for depth in (12, 96, 1000):
        print(f"  forward trace, {depth:4} layers   {peak('trace', depth) - bare:7.0f} MB   (the aim: 150)", flush=True)
    for title, job in (
        ("forward and backward, gradients' norms kept", "gradient_norms"),
        ("forward and backward, all gradients kept", "gradients"),
        ("the same in PyTorch", "pytorch_gradients"),
    ):
        print(f"  {title:<45} {peak(job, layers) - bare:7.0f} MB", flush=True)


def depth_exponent(rounds=7):
    """Print the exponent of the time of a small forward trace in its depth.

    The depths take turns and the best round of each counts: a machine that slows down for a while slows them all.
    """
    from residual_stream.model.config import Config
    from residual_stream.model.trace import trace

    configs = [Config(layers=depth, width=64, heads=4, tokens=32, dtype="float32") for depth in DEPTHS]
    with threads(1):
        times = np.min([[seconds(lambda: trace(config)) for config in configs] for _ in range(rounds)], axis=0)
    exponent = np.polyfit(np.log(DEPTHS), np.log(times), 1)[0]
    print(f"time of a forward trace (width 64) against depth {DEPTHS[0]} to {DEPTHS[-1]}: exponent {exponent:.3f}, "
          f"milliseconds a layer {' '.join(f'{1e3 * t / d:.2f}' for t, d in zip(times, DEPTHS, strict=True))}")


def main():
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("--layers", type=int, default=96)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, os.cpu_count()])
    parser.add_argument("--no-memory", action="store_true", help="leave out the peaks, which take a minute")
    options = parser.parse_args()
    config = stack_config(options.layers)
    for count in options.threads:
        with threads(count):
            print(
                f"{config.layers} layers, width {config.width}, {config.heads} heads, {config.tokens} tokens, "
                f"{config.dtype}, {count} threads, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, "
                f"matmul {matmul_rate() / 1e9:.0f} GFLOP/s"
            )
            compare(options.layers, options.rounds)
    depth_exponent()
    if not options.no_memory:
        compare_memory(options.layers)


if __name__ == "__main__":
    main()
