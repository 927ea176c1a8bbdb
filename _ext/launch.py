"""Each chapter to take away and to run: its notebook beside the page, and links that open it in Binder and Colab.

The repository that they open follows from the published address (``published.py``), so they work for the published
book alone; the pages say so.
"""

import shutil
from pathlib import Path

import inline_code
import published

PDF, OFFLINE = "the-residual-stream.pdf", "the-residual-stream.zip"


def links(repository, source):
    """Where a notebook, a path below the repository, opens; and what Colab, which lacks the package, must run first."""
    return {
        "colab": f"https://colab.research.google.com/github/{repository}/blob/{published.BRANCH}/{source}",
        "binder": f"https://mybinder.org/v2/gh/{repository}/{published.BRANCH}?urlpath=lab/tree/{source}",
        "install": inline_code.broken_well(f"<code>%pip install -q git+https://github.com/{repository}</code>"),
    }


def source_of(app, pagename):
    """The notebook that a page is made from, relative to the book, or None."""
    if pagename not in app.env.found_docs:
        return None
    source = Path(app.env.doc2path(pagename, base=False))
    return source if source.suffix == ".ipynb" else None


def offer(app, pagename, templatename, context, doctree):
    base = app.config.html_baseurl
    context["take_away"] = {"pdf": base + PDF, "offline": base + OFFLINE}
    if source := source_of(app, pagename):
        context["launch"] = {"notebook": source.name, **links(published.repository(base), source.as_posix())}


def copy_notebooks(app, exception):
    if exception or app.builder.format != "html":
        return
    for pagename in app.env.found_docs:
        if source := source_of(app, pagename):
            target = Path(app.outdir) / source
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(app.srcdir) / source, target)


def setup(app):
    app.connect("html-page-context", offer)
    app.connect("build-finished", copy_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
