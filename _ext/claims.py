"""The directive ``claims``: the book's claims of one part as cards, written as Markdown and read as such.

Links and citations in them are therefore checked like those of any page. ``{claims}`` with the name of a part shows
its claims in order; without a name it says how many there are of each verdict.
"""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective


QUESTIONS = "chapters/recall.ipynb#"


def evidence(claim):
    """Where the book shows it, as Markdown: sections and questions by their titles, then tests by their names.

    Tests are joined by a word, since a long name fills its line and the next one begins with what follows it.
    """
    sections = [f"{'question ' * place.startswith(QUESTIONS)}[]({place})" for place in claim.shown]
    tests = [f"test `{name}`" for name in (test.rpartition("::")[2] for test in claim.tests)]
    return "; ".join(sections + [" and ".join(tests)] * bool(tests))


def source(claim):
    return f"{{cite:t}}`{','.join(claim.sources)}`" if claim.sources else "computed here"


def markdown(claim):
    """The body of a card: a list of four terms."""
    rows = [("As told", claim.says), ("In truth", claim.statement), ("Source", source(claim)), ("Shown in", evidence(claim))]
    return "\n\n".join(f"{term}\n: {indented(text)}" for term, text in rows)


def indented(text):
    return "\n  ".join(text.strip().splitlines())


def tally(claims, verdicts):
    """A sentence that counts the verdicts."""
    counts = {words: sum(claim.verdict == verdict for claim in claims) for verdict, words in verdicts.items()}
    return f"{len(claims)} claims: " + "; ".join(f"{count} {words.lower()}" for words, count in counts.items()) + "."


class Claims(SphinxDirective):
    """``{claims} part``, or ``{claims}`` for the tally."""

    optional_arguments = 1

    def run(self):
        from residual_stream.claims import VERDICTS, book_claims    # a book without claims needs none of it

        if not self.arguments:
            return [nodes.paragraph("", tally(book_claims(), VERDICTS))]
        chosen = [claim for claim in book_claims() if claim.part == self.arguments[0]]
        if not chosen:
            raise self.error(f"no claim has the part {self.arguments[0]}")
        return [self.card(claim, VERDICTS[claim.verdict]) for claim in chosen]

    def card(self, claim, words):
        """One claim: its number and verdict, then the list of terms."""
        box = nodes.container(classes=["claim", claim.verdict], ids=[f"claim-{claim.row.lower()}"])
        verdict = nodes.inline("", words, classes=["verdict"])
        box += nodes.paragraph("", "", nodes.strong("", claim.row), nodes.Text(" "), verdict, classes=["claim-head"])
        self.state.nested_parse(StringList(markdown(claim).splitlines(), "claims.toml"), self.content_offset, box)
        return box


def setup(app):
    app.add_directive("claims", Claims)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
