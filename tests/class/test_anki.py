"""The deck in Anki itself: imported, reworded, imported again."""

from residual_stream.recall.bank import book_bank
from residual_stream.recall.exports.anki import anki as deck


def questions(**changes):
    chosen = [item.question() for item in book_bank().values()]
    for question in chosen:
        if question.id in changes:
            question.prompt = changes[question.id]
    return chosen


def imported(collection, pb2, folder, content):
    path = folder / "deck.apkg"
    path.write_bytes(content)
    request = pb2.ImportAnkiPackageRequest(package_path=str(path), options=pb2.ImportAnkiPackageOptions(
        update_notes=pb2.ImportAnkiPackageUpdateCondition.IMPORT_ANKI_PACKAGE_UPDATE_CONDITION_IF_NEWER))
    return collection.import_anki_package(request).log


def test_anki_imports_the_deck_and_rewords_it(tool, tmp_path):
    tool("genanki")
    tool("anki")
    pb2 = tool("anki.import_export_pb2")
    collection = tool("anki.collection").Collection(str(tmp_path / "collection.anki2"))
    try:
        log = imported(collection, pb2, tmp_path, deck(questions()))
        assert len(log.new) == len(book_bank()) == collection.note_count() == collection.card_count()
        log = imported(collection, pb2, tmp_path, deck(questions()))
        assert not log.new and collection.note_count() == len(book_bank())
        log = imported(collection, pb2, tmp_path, deck(questions(q2="Reworded: \\(x_0\\)."), stamp=60))
        assert not log.new and collection.note_count() == collection.card_count() == len(book_bank())
        fields = [collection.get_note(note).fields for note in collection.find_notes("Reworded")]
        assert len(fields) == 1 and "<p>Reworded: \\(x_0\\).</p>" in fields[0][0]
    finally:
        collection.close()


def test_formulas_reach_the_card(tool, tmp_path):
    tool("genanki")
    pb2 = tool("anki.import_export_pb2")
    collection = tool("anki.collection").Collection(str(tmp_path / "collection.anki2"))
    try:
        imported(collection, pb2, tmp_path, deck(questions()))
        card = collection.get_card(collection.find_cards("tag:deepnorm constants")[0])
        assert "\\(\\alpha\\)" in card.question() and "\\class" not in card.answer()
    finally:
        collection.close()


def test_the_same_bytes_at_every_run(tool):
    tool("genanki")
    assert deck(questions()) == deck(questions())
