"""``python -m residual_stream COMMAND``: one module of ``commands`` for each command.

Only the chosen command's module is imported, so that a trace starts without the book's tools.
"""

import argparse
import os
import sys
from importlib import import_module

INTERRUPTED, PIPE_CLOSED = 130, 141     # what a shell reports for a program that ended so
COMMANDS = {
    "trace": "account for every residual addition of a stack of transformer layers",
    "trained": "measure two trained models, or trace one on a text",
    "book": "execute the notebooks and build the site",
    "pdf": "print the built book as one PDF",
    "offline": "pack the built site into a zip that opens without a network",
    "notebooks": "execute and normalise the committed notebooks",
    "recall": "send recall questions to a class and grade what comes back",
}


class Parser(argparse.ArgumentParser):
    """Refuses bad input in one line; the usage is one ``--help`` away."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")

    def exit(self, status=0, message=None):
        """End, after ``--help`` too, only when what was printed has been written out."""
        flush()
        super().exit(status, message)


def parser(chosen):
    """The command line; the module of the chosen command adds its own arguments."""
    top = Parser(prog="python -m residual_stream", description="The residual stream, from the command line.")
    choices = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        sub = choices.add_parser(name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter)
        if name == chosen:
            module = import_module(f"residual_stream.commands.{name}")
            sub.description = module.__doc__
            module.configure(sub)
            sub.set_defaults(run=module.run)
    return top


def main(argv=None):
    """Run one command; the exit status is 0, 2 for what was refused or could not be read or written, 130 after Ctrl-C,
    and 141 where the reader of a pipe has left."""
    argv = sys.argv[1:] if argv is None else argv
    chosen = next((word for word in argv if not word.startswith("-")), None)
    program = " ".join(filter(None, ("python -m residual_stream", chosen)))
    try:
        arguments = parser(chosen).parse_args(argv)
        status = arguments.run(arguments) or 0
        flush()
        return status
    except KeyboardInterrupt:
        print(f"\n{program}: stopped", file=sys.stderr)
        return INTERRUPTED
    except OSError as fault:
        return told(fault, program)
    except MemoryError:
        print(f"{program}: there is not enough memory for this: ask for less", file=sys.stderr)
    except ValueError as refusal:
        print(f"{program}: {refusal}", file=sys.stderr)
    return 2


def told(fault, program):
    """Say in one line what could not be read or written, and nothing where a reader has left; the exit status."""
    place = "" if fault.filename is None else f"{fault.filename}: "
    if fault.filename is None and isinstance(fault, BrokenPipeError):
        silence()
        return PIPE_CLOSED
    try:
        flush()
    except OSError:
        silence()
        place = place or "standard output cannot be written: "
    print(f"{program}: {place}{fault.strerror or fault}", file=sys.stderr)
    return 2


def flush():
    """Write out what was printed, so that it fails here, if it fails, and not when Python ends."""
    if sys.stdout is not None:
        sys.stdout.flush()


def silence():
    """Drop what is still to be written: it would fail once more when Python ends, and change the status to 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
