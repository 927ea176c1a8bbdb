"""The book's colours: four words of vocabulary (stream, branch, norm, covariance), ink, greys and paper.

The four were searched for: readable as text on the paper and on code backgrounds (contrast at least 4.5),
and told apart from one another and from the ink under full deuteran, protan and tritan vision. A colour is
never the only channel: a word, a line style or a mark's shape always stands beside it.
"""

LIGHT = {
    "stream": "#0d3974",
    "branch": "#74220d",
    "norm": "#1e7f6d",
    "covariance": "#a704dd",
    "ink": "#111417",
    "grey": "#5a5c63",
    "faint": "#d5d8dd",
    "paper": "#ffffff",
}

DARK = {
    "stream": "#269dfb",
    "branch": "#f3ab1a",
    "norm": "#26ef8e",
    "covariance": "#d95ea3",
    "ink": "#cfd0d0",
    "grey": "#9ca0a5",
    "faint": "#3a3d42",
    "paper": "#131416",
}

VOCABULARY = ("stream", "branch", "norm", "covariance")

# In high-contrast mode the reader's own colours win; words, dashes and shapes carry the meaning there.
SYSTEM = {name: "CanvasText" for name in LIGHT} | {"faint": "GrayText", "grey": "CanvasText", "paper": "Canvas"}

# Selectors weigh no more than `body`, so that print and high contrast, which come last, always win.
_FOLLOWS_SYSTEM = 'body:where(:not([data-theme="light"],[data-jp-theme-light="true"]))'
_CHOSE_DARK = 'body:where([data-theme="dark"],[data-jp-theme-light="false"])'


def _rule(selector, colours):
    return f"{selector}{{{';'.join(f'--{name}:{value}' for name, value in colours.items())}}}"


def stylesheet():
    """The style sheet that every drawing, formula and page shares, as text.

    It defines ``--stream``, ``--branch``, ... for light and dark pages, print and high-contrast mode; the classes
    ``stream``, ``branch``, ... that colour a formula's term or a drawing's mark; and how a drawing's marks are painted.
    """
    schemes = [
        _rule("body", LIGHT),
        f"@media (prefers-color-scheme:dark){{{_rule(_FOLLOWS_SYSTEM, DARK)}}}",
        _rule(_CHOSE_DARK, DARK),
        f"@media print{{{_rule('body', LIGHT)}}}",
        f"@media (forced-colors:active){{{_rule('body', SYSTEM)}}}",
    ]
    return "\n".join(schemes + _painted())


def standalone_stylesheet():
    """The same for a picture in a file of its own: it follows the reader's scheme, since no page stands around it."""
    return "\n".join([_rule("svg", LIGHT), f"@media (prefers-color-scheme:dark){{{_rule('svg', DARK)}}}", *_painted()])


def _painted():
    classes = [f".{name}{{color:var(--{name})}}" for name in (*VOCABULARY, "ink", "grey", "faint")]
    return [*classes, _MARKS]


# Marks take their colour from the class, so that a formula's term and a drawing's bar share one rule.
_MARKS = """\
.picture summary{display:list-item;cursor:pointer}
svg:is(.drawing,.plot){display:block;width:100%;max-width:32rem;height:auto;color:var(--ink);background:var(--paper)}
.drawing :is(rect,circle,text){fill:currentColor}
.drawing :is(path,line){fill:none;stroke:currentColor;stroke-width:1.5}
:is(.drawing,.plot) text{font:13px var(--label,system-ui,sans-serif);font-size-adjust:none}
.plot text{fill:currentColor;paint-order:stroke;stroke:var(--paper);stroke-width:4}
.drawing .strong{font-weight:600}
.drawing .thick{stroke-width:3}
.drawing .thin{stroke-width:1}
.drawing .dashed{stroke-dasharray:4 3}
.drawing .dotted{stroke-dasharray:1 3;stroke-linecap:round}
.drawing .hollow{fill:var(--paper);stroke:currentColor;stroke-width:1.5}
.drawing line.halo{stroke:var(--paper);stroke-width:4}
.drawing text.halo{paint-order:stroke;stroke:var(--paper);stroke-width:4}
.drawing .guess{color:var(--ink);stroke-width:2.5}"""
