"""What stands around a picture on a page and in a notebook: its name for screen readers, its data, its style."""

from html import escape
from typing import NamedTuple

from ..palette import standalone_stylesheet, stylesheet


class Table(NamedTuple):
    """The data of a picture, as text: column heads, and rows whose first cell is the row's head."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def html(self):
        """The table as HTML, row and column heads marked as such."""
        head = "".join(f'<th scope="col">{escape(name, quote=False)}</th>' for name in self.columns)
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def record(self):
        """The table as one row: a tuple of (name, value), one for each cell that is no head."""
        if len(self.columns) == 2:
            return tuple(self.rows)
        return tuple((f"{row[0]}, {name}", cell) for row in self.rows for name, cell in zip(self.columns[1:], row[1:]))


def _cells(row):
    first, *rest = (escape(cell, quote=False) for cell in row)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest)


def svg(width, height, content, alt, kind="drawing"):
    """An SVG picture of ``width`` by ``height`` units with one accessible name, ``alt``; ``kind`` is its class."""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-label="{escape(alt)}">{content}</svg>')


def style():
    """The style that a notebook's output brings along; a page has it once for all and leaves this one out."""
    return f"<style data-rs>{stylesheet()}</style>"


def details(table):
    """The picture's data, one click away."""
    return ('<details class="data"><summary>Data</summary>'
            f'<div class="scroll" role="group" aria-label="Data" tabindex="0">{table.html()}</div></details>')


def bundle(alt, html):
    """What Jupyter shows of a picture: its text with the numbers where only text is shown, the HTML elsewhere."""
    return {"text/plain": alt, "text/html": style() + html}


def caption(words):
    """The picture's caption, plain text (TeX between ``\\(`` and ``\\)``); nothing where there is none."""
    return f"<figcaption>{escape(words, quote=False)}</figcaption>" if words else ""


class Picture:
    """A picture with ``svg()``, ``alt``, ``table``, ``name`` and ``caption``: how it stands on a page."""

    def html(self):
        """The figure as HTML: the picture, its caption, and its data in a closed ``details`` below."""
        identity = f' id="figure-{escape(self.name)}"' if self.name else ""
        return f'<figure class="picture"{identity}>{self.svg()}{caption(self.caption)}{details(self.table)}</figure>'

    def file(self):
        """The picture as the text of an SVG file of its own, in the reader's colour scheme."""
        opening, rest = self.svg().split(">", 1)
        return f"{opening}><style>{standalone_stylesheet()}</style>{rest}\n"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return bundle(self.alt, self.html())
