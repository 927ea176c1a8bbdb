"""The exports against their formats' own grammars, written down here from the specifications.

QTI: "IMS Question & Test Interoperability: ASI XML Binding Specification 1.2.1"; the package around it: "IMS Content
Packaging 1.1.3"; Moodle: its documentation's page "Moodle XML format". Only elements that the exports may have stand
here: what is not in a grammar is a fault.
"""

import io
import re
import xml.etree.ElementTree as ElementTree
import zipfile

import pytest

from residual_stream.recall.bank import book_bank
from residual_stream.recall.exports.canvas import PACKAGE, QTI, canvas
from residual_stream.recall.exports.moodle import moodle

EVERY = [item.question() for item in book_bank().values()]
TEXT = None     # an element that holds text and no element
TESTS = "not|and|or|varequal|varlt|varlte|vargt|vargte"
CARDINALITY = "Single|Multiple|Ordered"
HTML = {"format": "html|moodle_auto_format|plain_text|markdown"}

# element: (its children in order, as a regular expression over "tag tag ", or TEXT; attribute: what it may be)
QTI_GRAMMAR = {
    "questestinterop": ("assessment ", {}),
    "assessment": ("(qtimetadata )*(section )+", {"ident": ".+", "title": ".*"}),
    "section": ("(item )*", {"ident": ".+"}),
    "item": ("(itemmetadata )?(presentation )?(resprocessing )*(itemfeedback )*", {"ident": ".+", "title": ".*"}),
    "itemmetadata": ("(qtimetadata )*", {}),
    "qtimetadata": ("(qtimetadatafield )+", {}),
    "qtimetadatafield": ("fieldlabel fieldentry ", {}),
    "fieldlabel": (TEXT, {}),
    "fieldentry": (TEXT, {}),
    "presentation": ("((material|response_lid|response_str) )+", {}),
    "material": ("(mattext )+", {}),
    "mattext": (TEXT, {"texttype": "text/html"}),
    "response_lid": ("(material )?render_choice (material )?", {"ident": ".+", "rcardinality": CARDINALITY}),
    "response_str": ("(material )?render_fib (material )?", {"ident": ".+", "rcardinality": CARDINALITY}),
    "render_choice": ("((material|response_label) )*", {}),
    "render_fib": ("((material|response_label) )*", {"fibtype": "String|Integer|Decimal|Scientific"}),
    "response_label": ("((material|flow_mat) )*", {"ident": ".+", "rshuffle": "Yes|No"}),
    "resprocessing": ("outcomes (respcondition )+", {}),
    "outcomes": ("(decvar )+", {}),
    "decvar": ("", {"varname": "SCORE", "vartype": "Integer|String|Decimal|Scientific|Boolean|Enumerated|Set",
                    "minvalue": "[0-9.]+", "maxvalue": "[0-9.]+"}),
    "respcondition": ("conditionvar (setvar )*(displayfeedback )*", {"continue": "Yes|No"}),
    "conditionvar": (f"(({TESTS}|unanswered|other) )+", {}),
    "and": (f"(({TESTS}) )+", {}),
    "or": (f"(({TESTS}) )+", {}),
    "other": ("", {}),
    "varequal": (TEXT, {"respident": ".+"}),
    "vargte": (TEXT, {"respident": ".+"}),
    "varlte": (TEXT, {"respident": ".+"}),
    "setvar": (TEXT, {"varname": "SCORE", "action": "Set|Add|Subtract|Multiply|Divide"}),
    "displayfeedback": ("", {"feedbacktype": "Response|Solution|Hint", "linkrefid": ".+"}),
    "itemfeedback": ("((flow_mat|material) )+", {"ident": ".+"}),
    "flow_mat": ("((flow_mat|material) )+", {}),
}

PACKAGE_GRAMMAR = {
    "manifest": ("(metadata )?organizations resources ", {"identifier": "[A-Za-z_][A-Za-z0-9_.-]*"}),
    "metadata": ("(schema )?(schemaversion )?", {}),
    "schema": (TEXT, {}),
    "schemaversion": (TEXT, {}),
    "organizations": ("", {}),
    "resources": ("(resource )*", {}),
    "resource": ("(file )*", {"identifier": "[A-Za-z_][A-Za-z0-9_.-]*", "type": "imsqti_xmlv1p2"}),
    "file": ("", {"href": "[A-Za-z0-9_./-]+"}),
}

# Moodle reads a question's elements by name, in any order; these are the parts that each kind must and may have.
MOODLE_PARTS = {
    "category": ({"category"}, set()),
    "cloze": ({"name", "questiontext"}, {"generalfeedback", "idnumber", "hint"}),
    "multichoice": ({"name", "questiontext", "defaultgrade", "single", "shuffleanswers", "answernumbering", "answer"},
                    {"generalfeedback", "idnumber", "hint"}),
    "essay": ({"name", "questiontext", "defaultgrade", "responseformat"},
              {"generalfeedback", "idnumber", "hint", "responserequired", "responsefieldlines", "graderinfo"}),
}
MOODLE_TEXTS = {"name": {}, "category": {}, "questiontext": HTML, "generalfeedback": HTML, "hint": HTML,
                "feedback": HTML, "graderinfo": HTML}
MOODLE_VALUES = {
    "defaultgrade": "[0-9.]+", "single": "true|false", "shuffleanswers": "true|false", "idnumber": "[a-z0-9-]{1,100}",
    "answernumbering": "abc|ABCD|123|iii|IIII|none", "responserequired": "0|1", "responsefieldlines": "[0-9]+",
    "responseformat": "editor|editorfilepicker|plain|monospaced|noinline",
}


def faults(root, namespace, grammar):
    """What in the tree is not as the grammar has it, a sentence each."""
    found = []
    for element in root.iter():
        tag = element.tag.removeprefix(namespace)
        if tag not in grammar:
            found.append(f"{tag} is not known")
            continue
        children, attributes = grammar[tag]
        below = "".join(f"{child.tag.removeprefix(namespace)} " for child in element)
        if children is TEXT and (below or not (element.text or "").strip()):
            found.append(f"{tag} holds {below or 'nothing'}")
        if children is not TEXT and (not re.fullmatch(children, below) or (element.text or "").strip()):
            found.append(f"{tag} holds {below}{(element.text or '').strip()}")
        for name, value in element.items():
            if not re.fullmatch(attributes.get(name, "(?!)"), value):
                found.append(f"{tag} has {name}={value!r}")
        if "ident" in attributes and "ident" not in element.keys():
            found.append(f"{tag} has no ident")
    return found


@pytest.fixture(scope="module")
def package():
    with zipfile.ZipFile(io.BytesIO(canvas(EVERY))) as archive:
        manifest, quiz = archive.namelist()
        return ElementTree.fromstring(archive.read(manifest)), ElementTree.fromstring(archive.read(quiz))


def test_qti_is_as_its_specification_says(package):
    manifest, quiz = package
    assert faults(quiz, f"{{{QTI}}}", QTI_GRAMMAR) == []
    assert faults(manifest, f"{{{PACKAGE}}}", PACKAGE_GRAMMAR) == []


def test_qti_refers_to_what_it_declares(package):
    quiz = package[1]
    for item in quiz.iter(f"{{{QTI}}}item"):
        declared = [element.get("ident") for element in item.iter()
                    if element.tag.endswith(("response_lid", "response_str"))]
        assert len(declared) == 1
        assert {element.get("respident") for element in item.iter() if element.get("respident")} <= set(declared)
        labels = {element.get("ident") for element in item.iter(f"{{{QTI}}}response_label")}
        if item.find(f".//{{{QTI}}}render_choice") is not None:
            assert {element.text for element in item.iter(f"{{{QTI}}}varequal")} == labels


def test_a_fault_is_found(package):
    quiz = ElementTree.fromstring(ElementTree.tostring(package[1]))
    item = quiz.find(f".//{{{QTI}}}item")
    item.append(item[0])        # the metadata once more, at the end
    item[1].set("colour", "red")
    item.find(f".//{{{QTI}}}decvar").set("vartype", "Number")
    del item.attrib["ident"]
    told = faults(quiz, f"{{{QTI}}}", QTI_GRAMMAR)
    assert len(told) == 4 and told[1] == "item has no ident"
    assert "presentation has colour='red'" in told and "decvar has vartype='Number'" in told


def test_moodle_questions_have_the_parts_that_their_kind_must_and_may_have():
    root = ElementTree.fromstring(moodle(EVERY))
    assert root.tag == "quiz" and len(root) == len(EVERY) + 1
    for question in root:
        must, may = MOODLE_PARTS[question.get("type")]
        assert question.tag == "question" and must <= {part.tag for part in question} <= must | may
        for part in question.iter():
            if part.tag in MOODLE_TEXTS and len(part):
                assert [child.tag for child in part] == ["text"] and part[0].text.strip()
                expected = MOODLE_TEXTS[part.tag]
                assert set(part.keys()) == set(expected)
                assert all(re.fullmatch(expected[key], part.get(key)) for key in expected)
            if part.tag in MOODLE_VALUES:
                assert re.fullmatch(MOODLE_VALUES[part.tag], part.text) and not part.attrib
        fractions = [float(answer.get("fraction")) for answer in question.findall("answer")]
        assert not fractions or sorted(fractions) == [0] * (len(fractions) - 1) + [100]
