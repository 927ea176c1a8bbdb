"""``python -m residual_stream COMMAND``: one module of ``commands`` for each command.

Only the chosen command's module is imported, so that a trace starts without the book's tools.
"""

import argparse
import sys
from importlib import import_module

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
    """Run one command; the exit status is 0, or 2 for input that was refused."""
    argv = sys.argv[1:] if argv is None else argv
    chosen = next((word for word in argv if not word.startswith("-")), None)
    arguments = parser(chosen).parse_args(argv)
    try:
        return arguments.run(arguments) or 0
    except ValueError as refusal:
        print(f"python -m residual_stream {arguments.command}: {refusal}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
