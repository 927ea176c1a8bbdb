"""Execute the committed notebooks from top to bottom and store their text outputs.

Each notebook is written when all of its cells have run; one that fails stays as it was.

  python -m residual_stream notebooks                    every notebook of the book
  python -m residual_stream notebooks chapters/x.ipynb   only this one
  python -m residual_stream notebooks --check            run nothing: report what may not be committed
"""

import sys
from pathlib import Path

from tqdm import tqdm

from residual_stream import notebooks

FOLDERS = ("chapters", "exercises", "solutions")


def configure(parser):
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks (default: all below chapters, exercises, solutions)")
    parser.add_argument("--check", action="store_true", help="only report what is not normalised or not executed")
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS", help="longest time for one cell (default: 60)")


def run(arguments):
    paths = arguments.paths or notebooks.find(FOLDERS)
    if not paths:
        raise ValueError("no notebooks here: run this in the folder that has chapters/")
    for path in paths:
        if not path.is_file():
            raise ValueError(f"{path}: no such notebook")
    if arguments.timeout < 1:
        raise ValueError(f"--timeout must be at least 1 second, not {arguments.timeout}")
    if arguments.check:
        return check(paths)
    books = [(path, notebooks.read(path)) for path in paths]
    for path, notebook in (progress := tqdm(books, unit="notebook")):
        progress.set_description(str(path))
        try:
            executed = notebooks.execute(notebook, path, arguments.timeout)
        except notebooks.CellFailed as failure:
            progress.close()
            print(failure, file=sys.stderr)
            return 1
        notebooks.write(notebooks.normalise(executed), path)
    return 0


def check(paths):
    found = [f"{path}: {fault}" for path in paths for fault in notebooks.faults(path)]
    print("\n".join(found) or f"{len(paths)} notebooks are normalised and executed")
    return 1 if found else 0
