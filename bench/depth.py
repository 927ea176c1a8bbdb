"""The committed tables on depth: ``python -m bench.depth final_norm --write`` renews one.

Each takes a few minutes on a quiet machine.
"""

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from residual_stream.model import final_norm, model_update, similarity
from residual_stream.model.tables import table_text, write_table


class Job(NamedTuple):
    """One table: its columns, its rows when called, and what they are."""

    columns: tuple[str, ...]
    rows: Callable
    comments: tuple[str, ...]


JOBS = {
    "final_norm": Job(final_norm.COLUMNS, final_norm.training_rows, (
        "Pre-LN stacks of width 32 trained to reverse 4 symbols, with and without a final norm: batches of 32, Adam "
        "at 3e-3, no warm-up, 150 steps, float32",
        "first_loss in nats; steps until 90 % of a batch are right; last_accuracy over the last 20 steps",
    )),
    "model_update": Job(model_update.COLUMNS, model_update.update_rows, (
        "Stacks at initialisation: width 32, 4 heads, 32 tokens, causal, GELU, Xavier, float64; random labels of 64",
        "adam, sgd: relative change of the output after one step at 1e-4 and at 1e-3",
        "first_gradient, last_gradient: norm at the feed-forward's second matrix; variance: of the last stream",
    )),
    "similarity": Job(similarity.COLUMNS, lambda: similarity.similarity_rows()[0], (
        "Stacks of 12 layers, width 32, before and after 250 steps of training to reverse 4 symbols: batches of 32, "
        "Adam at 3e-3, 100 steps of warm-up for post-LN and none for the others, float32",
        "mean cosines after each layer over 32 unseen sequences: neighbours, the same token before and after the "
        "layer; tokens, two tokens; from_start, the same token before the first layer",
    )),
}


def main():
    """Compute one table, print it, and write it where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.depth", description=__doc__.splitlines()[0])
    parser.add_argument("table", choices=JOBS)
    parser.add_argument("--write", action="store_true", help="renew residual_stream/data/<table>.csv")
    options = parser.parse_args()
    job, begin = JOBS[options.table], time.perf_counter()
    with threadpool_limits(limits=1, user_api="blas"):
        rows = job.rows()
    print(table_text(job.columns, rows, job.comments), end="")
    print(f"{time.perf_counter() - begin:.0f} s by the clock")
    if options.write:
        command = f"command: python -m bench.depth {options.table} --write"
        write_table(options.table, job.columns, rows, [*job.comments, command])


if __name__ == "__main__":
    main()
