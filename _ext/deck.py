"""The book's questions as an Anki deck, ``recall.apkg`` beside the front page, and a link to it below the questions.

It is written at every build, the same bytes for the same commit. Anki updates a card only from a deck whose cards are
newer: they carry the time of the last commit to the questions.
"""

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from sphinx.util import logging

NAME = "recall.apkg"
LINK = ('<p class="recall-deck"><a href="{path}" download>All questions of the book as a deck for Anki</a>: '
        "a later deck rewords your cards and keeps their schedule.</p>")


def stamp(root, epoch):
    """Seconds from ``epoch`` to the last commit to the questions below ``root``; 0 outside a repository."""
    if not shutil.which("git"):
        return 0
    told = subprocess.run(["git", "log", "-1", "--format=%ct", "--", "residual_stream/recall"], cwd=root,
                          capture_output=True, text=True).stdout.strip()
    return max(0, int(told) - int(epoch)) if told else 0


def link(app, pagename, templatename, context, doctree):
    """Put the link below the content of a page that asks questions."""
    if 'class="recall"' in context.get("body", ""):
        context["body"] += LINK.format(path=context["pathto"](NAME, 1))


def write(app, exception):
    """Write the deck when the pages are written."""
    if exception or app.builder.format != "html":
        return
    from residual_stream.recall.bank import book_bank
    from residual_stream.recall.exports.anki import EPOCH, anki

    questions = [item.question() for item in book_bank().values()]
    Path(app.outdir, NAME).write_bytes(anki(questions, stamp(app.confdir, EPOCH)))


def setup(app):
    if not Path(app.confdir, "residual_stream", "recall").is_dir():     # a book without questions
        return {"parallel_read_safe": True, "parallel_write_safe": True}
    if find_spec("genanki"):
        app.connect("html-page-context", link)
        app.connect("build-finished", write)
    else:
        logging.getLogger(__name__).info("no deck for Anki: genanki is not installed (requirements.txt has it)")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
