"""The picture that other sites show beside a link to the book: the three bars under its title, as PNG.

The bars are those of ``_assets/three-bars.svg``, painted by matplotlib: readers of such cards do not take SVG.
"""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from residual_stream.palette import LIGHT

NAME = "card.png"
WIDTH, HEIGHT = 1200, 630
MARGIN, TOP = 80, 166    # where the drawing begins, in pixels from the left and from above
DASHES = {"dashed": (4, 3), "dotted": (1, 3)}


def marks(svg):
    """(tag, attributes, text) of every line, rectangle and text of an SVG drawing, in painting order."""
    for element in ElementTree.fromstring(svg):
        tag = element.tag.rpartition("}")[2]
        if tag in ("line", "rect", "text"):
            yield tag, element.attrib, element.text


def paint(axes, tag, attributes, text, scale, layer):
    """Put one mark on matplotlib axes whose unit is the drawing's; ``scale`` is pixels per unit, at 72 to the inch.

    A mark of a higher ``layer`` covers one of a lower.
    """
    classes = attributes["class"].split() if "class" in attributes else []
    colour = LIGHT["paper" if "halo" in classes else next((name for name in classes if name in LIGHT), "ink")]
    number = {name: float(value) for name, value in attributes.items() if name in {"x", "y", "x1", "y1", "x2", "y2",
                                                                                   "width", "height"}}
    if tag == "rect":
        from matplotlib.patches import Rectangle
        axes.add_patch(Rectangle((number["x"], number["y"]), number["width"], number["height"], color=colour, lw=0,
                                 zorder=layer))
    elif tag == "line":
        width = scale * (4 if "halo" in classes else 1 if "thin" in classes else 1.5)
        dashes = next((DASHES[name] for name in classes if name in DASHES), None)
        style = (0, dashes) if dashes else "-"
        axes.plot([number["x1"], number["x2"]], [number["y1"], number["y2"]], color=colour, lw=width, ls=style,
                  solid_capstyle="butt", dash_capstyle="butt", zorder=layer)
    else:
        side = {"middle": "center", "end": "right"}.get(attributes.get("text-anchor"), "left")
        axes.text(number["x"], number["y"], text, color=colour, size=13 * scale, ha=side, va="baseline",
                  zorder=layer,
                  weight="bold" if "strong" in classes else "normal")


def draw(svg, title, subtitle, target):
    """Write the card for an SVG drawing as a PNG file: the same bytes for the same drawing and words."""
    from matplotlib.figure import Figure

    width, height = (float(ElementTree.fromstring(svg).get(name)) for name in ("width", "height"))
    scale = (WIDTH - 2 * MARGIN) / width
    figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72), dpi=72, facecolor=LIGHT["paper"])
    figure.text(MARGIN / WIDTH, 1 - 82 / HEIGHT, title, size=54, weight="bold", color=LIGHT["ink"])
    figure.text(MARGIN / WIDTH, 1 - 126 / HEIGHT, subtitle, size=24, color=LIGHT["grey"])
    bottom = (HEIGHT - TOP - scale * height) / HEIGHT
    axes = figure.add_axes((MARGIN / WIDTH, bottom, scale * width / WIDTH, scale * height / HEIGHT))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    for layer, (tag, attributes, text) in enumerate(marks(svg)):
        paint(axes, tag, attributes, text, scale, layer)
    figure.savefig(target, metadata={"Software": None})


def write(app, exception):
    if exception or app._warncount or app.builder.format != "html":
        return
    svg = (Path(app.confdir) / "_assets" / "three-bars.svg").read_text("utf-8")
    target = Path(app.outdir) / "_static" / NAME
    draw(svg, app.config.html_title, "Transformer layers, with every number computed", target)


def setup(app):
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
