"""QTI 1.2 as Canvas imports it: one question for each field, with its tolerance; choices; essays.

Formulas are Canvas's equation images, which keep their TeX and become mathematics again in its editor. Formats: IMS
Question and Test Interoperability 1.2.1, and the item metadata that Canvas's own exports carry.
"""

import re
import xml.etree.ElementTree as ElementTree
from hashlib import sha256
from html import escape, unescape
from urllib.parse import quote

from .common import child, criteria_html, html, inline, xml_bytes, zip_bytes

QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
_FORMULA = re.compile(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", re.DOTALL)


def canvas(questions, title="Recall"):
    """The bytes of a zip file that Canvas imports as a quiz of this title."""
    root = ElementTree.Element("questestinterop", {"xmlns": QTI})
    quiz = _identity("quiz", *(question.id for question in questions))
    assessment = child(root, "assessment", ident=quiz, title=title)
    section = child(assessment, "section", ident="root_section")
    for question in questions:
        _KINDS[question.kind](section, question)
    return zip_bytes({"imsmanifest.xml": xml_bytes(_manifest(quiz)), f"{quiz}/{quiz}.xml": xml_bytes(root)})


def _identity(*words):
    return "rs" + sha256("/".join(words).encode()).hexdigest()[:30]


def _manifest(quiz):
    root = ElementTree.Element("manifest", {"identifier": f"{quiz}-manifest", "xmlns": PACKAGE})
    metadata = child(root, "metadata")
    child(metadata, "schema", "IMS Content")
    child(metadata, "schemaversion", "1.1.3")
    child(root, "organizations")
    resource = child(child(root, "resources"), "resource", identifier=quiz, type="imsqti_xmlv1p2")
    child(resource, "file", href=f"{quiz}/{quiz}.xml")
    return root


def with_equations(text):
    """HTML whose formulas are Canvas's equation images; the TeX stands in their attributes."""
    def image(match):
        tex = unescape(match[1] or match[2]).strip()
        shown = escape(tex, quote=True)
        source = quote(quote(tex, safe=""), safe="")
        return (f'<img class="equation_image" title="{shown}" src="/equation_images/{source}" '
                f'alt="LaTeX: {shown}" data-equation-content="{shown}">')
    return _FORMULA.sub(image, text)


def _item(section, question, kind, points, text, part=""):
    title = f"{question.label}{f', {part}' if part else ''}"
    item = child(section, "item", ident=_identity(question.id, part), title=title)
    fields = child(child(item, "itemmetadata"), "qtimetadata")
    for name, entry in (("question_type", kind), ("points_possible", str(float(points)))):
        field = child(fields, "qtimetadatafield")
        child(field, "fieldlabel", name)
        child(field, "fieldentry", entry)
    presentation = child(item, "presentation")
    _material(presentation, text)
    return item, presentation


def _material(parent, text):
    child(child(parent, "material"), "mattext", with_equations(text), texttype="text/html")


def _processing(item):
    processing = child(item, "resprocessing")
    child(child(processing, "outcomes"), "decvar", maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal")
    return processing


def _condition(processing, score, feedback=None):
    condition = child(processing, "respcondition", **{"continue": "No"})
    variables = child(condition, "conditionvar")
    if score is not None:
        child(condition, "setvar", score, action="Set", varname="SCORE")
    if feedback is not None:
        child(condition, "displayfeedback", feedbacktype="Response", linkrefid=feedback)
    return variables


def _feedback(item, identity, text):
    element = child(item, "itemfeedback", ident=identity)
    _material(child(element, "flow_mat"), text)


def _numbers(section, question):
    for field in question.fields:
        text = html(question.prompt) + f"<p>Give only: {inline(field.label)}</p>"
        item, presentation = _item(section, question, "numerical_question", 1, text, field.name)
        answer = child(presentation, "response_str", ident="response1", rcardinality="Single")
        child(child(answer, "render_fib", fibtype="Decimal"), "response_label", ident="answer1")
        processing = _processing(item)
        either = child(_condition(processing, "100"), "or")
        child(either, "varequal", f"{field.key:.10g}", respident="response1")
        within = child(either, "and")
        reach = field.tolerance * (abs(field.key) or 1)
        child(within, "vargte", f"{field.key - reach:.10g}", respident="response1")
        child(within, "varlte", f"{field.key + reach:.10g}", respident="response1")
        child(_condition(processing, None, "general_fb"), "other")
        _feedback(item, "general_fb", html(question.answer))


def _choice(section, question):
    item, presentation = _item(section, question, "multiple_choice_question", 1, html(question.prompt))
    options = child(child(presentation, "response_lid", ident="response1", rcardinality="Single"), "render_choice")
    processing = _processing(item)
    for option in question.options:
        label = child(options, "response_label", ident=option.letter)
        _material(label, inline(option.text))
        if option.reason:
            child(_condition(processing, None, f"{option.letter}_fb"), "varequal", option.letter, respident="response1")
            _feedback(item, f"{option.letter}_fb", f"<p>{option.reason}</p>")
        else:
            child(_condition(processing, "100"), "varequal", option.letter, respident="response1")


def _essay(section, question):
    item, presentation = _item(section, question, "essay_question", question.out_of, html(question.prompt))
    answer = child(presentation, "response_str", ident="response1", rcardinality="Single")
    child(child(answer, "render_fib"), "response_label", ident="answer1", rshuffle="No")
    processing = _processing(item)
    child(_condition(processing, None, "general_fb"), "other")
    _feedback(item, "general_fb", html(question.answer) + criteria_html(question))


_KINDS = {"numeric": _numbers, "choice": _choice, "prose": _essay}
