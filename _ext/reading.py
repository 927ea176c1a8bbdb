"""How long a page takes to read, and where in the book it stands: above its text and in the contents.

The time is the number of words, in prose and in code, over ``WORDS_A_MINUTE``, which is slow enough for a text with
formulas; what cells print is not counted.
"""

import math
import posixpath
import re

from docutils import nodes

WORDS_A_MINUTE = 160
CHAPTERS = "chapters/"
LOOKED_UP = {"bibliography", "glossary", "notation"}  # nobody reads them through
WORD = re.compile(r"\w")
LINK = re.compile(r'(?P<link><a class="(?:current )?reference internal" href="(?P<href>[^"#]*\.html|#)">(?P<title>.*?))(?P<end></a>)',
                  re.S)


def words(document):
    """The number of words that a reader meets on a page, those that cells print left out."""
    def texts(node):
        if isinstance(node, nodes.Text):
            yield node.astext()
        elif node.get("nb_element") != "cell_code_output" and not isinstance(node, nodes.Invisible):
            for child in node.children:
                yield from texts(child)

    return sum(bool(WORD.search(word)) for text in texts(document) for word in text.split())


def minutes(count):
    """Whole minutes for a number of words, at least one."""
    return max(1, math.ceil(count / WORDS_A_MINUTE))


def duration(total):
    """Minutes in words, from an hour on in halves of hours."""
    if total < 60:
        return f"about {total} minute{'s' if total > 1 else ''}"
    halves = round(total / 30)
    half = "\u00bd" if halves % 2 else ""
    return f"about {halves // 2}{half} hour{'s' if halves > 2 else ''}"


def note(app, doctree):
    counts(app.env)[app.env.docname] = words(doctree)


def forget(app, env, docname):
    counts(env).pop(docname, None)


def counts(env):
    """Page -> its number of words, kept from build to build."""
    if not hasattr(env, "reading_words"):
        env.reading_words = {}
    return env.reading_words


def renew(app, env):
    """Every page shows every time, so all are written again when one of them changes."""
    now = {name: minutes(count) for name, count in counts(env).items()}
    before, env.reading_minutes = getattr(env, "reading_minutes", None), now
    return [] if before in (None, now) else list(env.found_docs)


def place(pagename, order, times):
    """Where a page stands and how long it takes, in words: for a chapter its number, for the first page the sum."""
    chapters = [name for name in order if name.startswith(CHAPTERS)]
    if pagename == order[0]:
        return f"{len(chapters)} chapter{'s' if len(chapters) != 1 else ''}, {duration(sum(times[name] for name in chapters))}"
    if pagename in chapters:
        return f"Chapter {chapters.index(pagename) + 1} of {len(chapters)}, {duration(times[pagename])}"
    return duration(times[pagename]).capitalize()


def with_times(fragment, pagename, times):
    """HTML in which the first link to each page of ``times`` says how long that page takes."""
    said = set()

    def timed(match):
        target = pagename if match["href"] == "#" else posixpath.normpath(
            posixpath.join(posixpath.dirname(pagename), match["href"])).removesuffix(".html")
        if target not in times or target in said:
            return match[0]
        said.add(target)
        return f'{match["link"]}<span class="minutes"> {times[target]} min</span>{match["end"]}'

    return LINK.sub(timed, fragment)


def show(app, pagename, templatename, context, doctree):
    times, order = app.env.reading_minutes, list(app.env.collect_relations())
    chapters = {name: time for name, time in times.items() if name.startswith(CHAPTERS)}
    if context.get("furo_navigation_tree"):
        context["furo_navigation_tree"] = with_times(context["furo_navigation_tree"], pagename, chapters)
    if context.get("body") and pagename in order and pagename not in LOOKED_UP:
        body = context["body"]
        if pagename == order[0]:
            body = with_times(body, pagename, chapters)
        context["body"] = body.replace("</h1>", f'</h1>\n<p class="reading">{place(pagename, order, times)}</p>', 1)


def setup(app):
    app.connect("doctree-read", note)
    app.connect("env-purge-doc", forget)
    app.connect("env-updated", renew)
    app.connect("html-page-context", show, priority=960)
    return {"version": "1", "env_version": 1, "parallel_read_safe": False, "parallel_write_safe": True}
