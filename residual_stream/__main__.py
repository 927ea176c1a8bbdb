"""``python -m residual_stream COMMAND``: one module of ``commands`` for each command."""

import argparse
import sys
from importlib import import_module

COMMANDS = {
    "book": "execute the notebooks and build the site",
    "notebooks": "execute and normalise the committed notebooks",
}


class Parser(argparse.ArgumentParser):
    """Refuses bad input in one line; the usage is one ``--help`` away."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parser():
    """The whole command line; a command's module adds its own arguments."""
    top = Parser(prog="python -m residual_stream", description="The residual stream, from the command line.")
    choices = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        module = import_module(f"residual_stream.commands.{name}")
        sub = choices.add_parser(name, help=summary, description=module.__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
        module.configure(sub)
        sub.set_defaults(run=module.run)
    return top


def main(argv=None):
    """Run one command; the exit status is 0, or 2 for input that was refused."""
    arguments = parser().parse_args(argv)
    try:
        return arguments.run(arguments) or 0
    except ValueError as refusal:
        print(f"python -m residual_stream {arguments.command}: {refusal}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
