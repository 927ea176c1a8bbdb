"""What the exports share: XML and zip files that are the same bytes at every run, texts without colour classes."""

import io
import re
import xml.etree.ElementTree as ElementTree
import zipfile

from ..markup import inline_html, to_html


def plain_colours(text):
    r"""The bank's text with ``\class{stream}{x}`` as ``x``: no platform has the book's colours."""
    return re.sub(r"\\class\{[a-z]+\}", "", text)


def html(text):
    """Paragraphs of HTML; formulas stay TeX between ``\\(`` and ``\\)``, or ``\\[`` and ``\\]``."""
    return to_html(plain_colours(text))


def inline(text):
    """One paragraph's content as HTML."""
    return inline_html(plain_colours(text))


def criteria_html(question):
    """The criteria of a prose question as a list."""
    return "<ol>" + "".join(f"<li>{inline(text)}</li>" for text in question.criteria) + "</ol>"


def child(parent, tag, text=None, **attributes):
    """A new element under ``parent``."""
    element = ElementTree.SubElement(parent, tag, attributes)
    element.text = text
    return element


def xml_bytes(root):
    """The document, indented, in UTF-8."""
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def zip_bytes(members):
    """A zip file of ``members`` (name -> bytes), with the same date on each."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()
