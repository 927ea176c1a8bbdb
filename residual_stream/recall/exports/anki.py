"""An Anki deck: a note for each question, known by its id, so that a later deck rewords and never doubles."""

import tempfile
import zipfile
from pathlib import Path

from .common import criteria_html, html, inline, zip_bytes

MODEL, DECK = 1_726_840_113, 1_926_340_257
"""Identities that must never change: by them Anki knows what it has imported before."""

EPOCH = 1_700_000_000.0     # of notes and cards, so that two runs give the same bytes


def anki(questions, stamp=0):
    """The bytes of an .apkg file; raises ValueError where genanki is not installed.

    ``stamp`` is a number of seconds that is larger for a later wording: Anki updates a note only by a newer one.
    """
    try:
        import genanki
    except ImportError:
        raise ValueError("genanki is not installed, and an Anki deck needs it: pip install genanki") from None

    model = genanki.Model(
        MODEL, "The residual stream", fields=[{"name": name} for name in ("Question", "Hints", "Answer")],
        templates=[{"name": "Recall", "qfmt": "{{Question}}<details><summary>Hints</summary>{{Hints}}</details>",
                    "afmt": "{{Question}}<hr id=answer>{{Answer}}"}],
    )
    deck = genanki.Deck(DECK, "The residual stream")
    for question in questions:
        deck.add_note(genanki.Note(model=model, guid=f"residual-stream-{question.id}", tags=[question.chapter],
                                   fields=[_front(question), "".join(map(html, question.hints)), _back(question)]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "deck.apkg")
        genanki.Package(deck).write_to_file(path, timestamp=EPOCH + stamp)
        with zipfile.ZipFile(path) as archive:
            return zip_bytes({name: archive.read(name) for name in archive.namelist()})


def _front(question):
    asked = "".join(f"<li>{inline(field.label)}</li>" for field in question.fields)
    options = "".join(f"<li>{inline(option.text)}</li>" for option in question.options)
    return (f"<p><b>{question.label}</b></p>{html(question.prompt)}"
            + (f"<ul>{asked}</ul>" if asked else "") + (f'<ol type="a">{options}</ol>' if options else ""))


def _back(question):
    best = "".join(f"<p><b>{option.letter})</b> {inline(option.text)}</p>"
                   for option in question.options if not option.reason)
    return best + html(question.answer) + (criteria_html(question) if question.criteria else "")
