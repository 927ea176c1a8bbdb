"""GPT-3's stack at full size: time and memory; ``python -m bench.gpt3 --write`` renews the committed table."""

import argparse
import os
import platform
import time
from pathlib import Path

import numpy as np

import residual_stream
from residual_stream.model.full_size import checkpoint_path, full_size_trace
from residual_stream.model.gpt3_table import table_file, table_text
from residual_stream.model.presets import parameter_counts, preset_config

from .memory import peak_megabytes

MINUTES, MEGABYTES = 6, 600     # what a quiet machine with 2 cores should stay within


def measured(config):
    """One trace and a line that says what it took."""
    resumed = checkpoint_path(config).exists()
    load, wall, processor = os.getloadavg()[0], time.perf_counter(), time.process_time()
    trace = full_size_trace(config, checkpoint=checkpoint_path(config))
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    rule = "with" if config.residual_scale else "without"
    return trace, (
        f"{rule} 1/sqrt(2L): {wall:.0f} s by the clock{' (resumed)' if resumed else ''}, {processor:.0f} s of "
        f"processor time, {os.cpu_count()} cores, load average {load:.1f} before and {os.getloadavg()[0]:.1f} after"
    )


def main():
    """Run both traces, print their cost, and write the table where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpt3", description=__doc__)
    parser.add_argument("--write", action="store_true", help="renew residual_stream/data/gpt3_trace.csv")
    write = parser.parse_args().write
    traces, lines = {}, []
    for scaled in (True, False):
        traces[scaled], line = measured(preset_config("gpt3", residual_scale=scaled))
        lines.append(line)
        print(line, flush=True)
    lines.append(f"peak memory {peak_megabytes():.0f} MB")
    print(f"{lines[-1]}; the aim: {MINUTES} minutes a trace on 2 quiet cores, {MEGABYTES} MB")
    if write:
        blocks = parameter_counts("gpt3")["blocks"]
        comments = [
            f"GPT-3's stack at initialisation: 96 layers of width 12,288, {blocks:,} parameters, 16 tokens, seed 0, "
            "float32",
            "weights uniform with the standard deviation 0.02 of GPT-2's rule, drawn in blocks and dropped",
            "command: python -m bench.gpt3 --write",
            f"versions: residual-stream {residual_stream.__version__}, NumPy {np.__version__}, "
            f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
            *lines,
        ]
        Path(str(table_file())).write_text(table_text(traces, comments), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
