"""The site's extensions, function by function."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

import bundle
import disclosure
import freshness
import inline_code
import light
import mathfont
import mathml
import reading
import rawhtml
import titles
import together


@pytest.mark.parametrize("tex, as_environment, expected", [
    ("a = b", False, "a = b"),
    (r"a &= b \\ c &= d", False, r"\begin{aligned}a &= b \\ c &= d\end{aligned}"),
    ("a\n\nb", False, r"\begin{gathered}a\\b\end{gathered}"),
    (r"\begin{align}a\end{align}", True, r"\begin{align*}a\end{align*}"),
    (r"\begin{cases} a \\ b \end{cases}", False, r"\begin{cases} a \\ b \end{cases}"),
])
def test_a_display_block_is_one_formula(tex, as_environment, expected):
    assert mathml.arranged(tex, as_environment) == expected


def test_formulas_in_printed_html_become_mathml_where_they_are_text():
    result = rawhtml.with_mathml(r'<p title="\(a\)">\(a &lt; b\) and \[\frac{a}{b}\]</p><pre>\(c\)</pre>')
    assert result.count("<math") == 2 and result.count("<mfrac>") == 1 and 'data-tex="a &lt; b"' in result
    assert r'title="\(a\)"' in result and r"<pre>\(c\)</pre>" in result


@pytest.mark.parametrize("untouched", [
    r"<script>let a = '\(x\)' + '</p>';</script>", r"<style>/* \(x\) */</style>", r"<pre>\(x\)</pre>",
    r"<p><code>\(x\)</code></p>", r"<textarea>\(x\)</textarea>", r"<!-- \(x\) -->", "3 < 4 and 5 > 4",
    r'<a title="1 > 0 \(x\)">y</a>', "",
])
def test_html_without_formulas_in_its_text_stays_as_it_is(untouched):
    assert rawhtml.with_mathml(untouched) == untouched


def test_a_captioned_figure_with_an_id_links_to_itself_once():
    plain = '<figure><figcaption>no id</figcaption></figure>'
    linked = rawhtml.with_permalinks('<figure class="a" id="bars"><svg></svg><figcaption>Bars</figcaption></figure>' + plain)
    assert linked.count('href="#bars"') == 1 and linked.count("headerlink") == 1
    assert rawhtml.with_permalinks('<figure data-id="x"><figcaption>y</figcaption></figure>').count("href") == 0
    assert '<a class="headerlink" href="#bars" title="Link to this figure">#</a></figcaption>' in linked


def test_a_question_links_to_itself_beside_its_name():
    linked = rawhtml.with_permalinks('<div id="recall-q2"><p class="recall-label" id="recall-q2-label">Q2</p></div>')
    assert '<span id="recall-q2-label">Q2</span><a class="headerlink" href="#recall-q2"' in linked


def test_a_formula_without_a_label_has_an_anchor_of_its_own_making():
    taken = {}
    first, again, other = (mathml.own_anchor(tex, taken) for tex in ("a = b", "a  =\nb", "a = c"))
    assert again == f"{first}-2" and other not in (first, again) and set(taken) == {first, again, other}
    assert mathml.own_anchor("a = b", {}) == first


@pytest.mark.parametrize("total, words", [(1, "about 1 minute"), (59, "about 59 minutes"), (60, "about 1 hour"),
                                          (80, "about 1\u00bd hours"), (170, "about 3 hours")])
def test_a_duration_in_words(total, words):
    assert reading.duration(total) == words


def test_words_of_prose_and_code_are_counted_and_printed_ones_not():
    printed = nodes.container("", nodes.literal_block("", "0.5 0.6"), nb_element="cell_code_output")
    page = nodes.section("", nodes.title("", "A title"), nodes.paragraph("", "Two words, \u2013 and"), nodes.comment("", "not me"),
                         nodes.literal_block("", "x = f(y)"), printed)
    assert reading.words(page) == 2 + 3 + 2
    assert [reading.minutes(count) for count in (0, 160, 161)] == [1, 1, 2]


def test_a_page_says_where_in_the_book_it_stands():
    order, times = ["index", "chapters/a", "chapters/b", "cite"], {"index": 1, "chapters/a": 20, "chapters/b": 40, "cite": 3}
    assert [reading.place(name, order, times) for name in order] == [
        "2 chapters, about 1 hour", "Chapter 1 of 2, about 20 minutes", "Chapter 2 of 2, about 40 minutes", "About 3 minutes"]


def test_a_page_to_look_things_up_in_has_no_time():
    order = {"index": 1, "glossary": 3, "cite": 2}
    app = SimpleNamespace(env=SimpleNamespace(reading_minutes=order, collect_relations=lambda: order))
    bodies = {name: {"body": "<h1>T</h1>"} for name in order}
    for name, context in bodies.items():
        reading.show(app, name, "page.html", context, None)
    assert [name for name, context in bodies.items() if "reading" not in context["body"]] == ["glossary"]


def test_the_first_link_to_each_page_says_its_time():
    link = '<a class="{}reference internal" href="{}">T</a>'.format
    times = {"chapters/a": 5, "chapters/b": 7}
    page = link("current ", "#") + link("", "b.html") + link("", "b.html") + link("", "../glossary.html") + link("", "b.html#x")
    timed = reading.with_times(page, "chapters/a", times)
    assert timed.count("minutes") == 2 and timed.startswith(link("current ", "#").replace("T<", 'T<span class="minutes"> 5 min</span><'))


def test_what_only_a_live_notebook_needs_is_recognised():
    live = '<style data-rs>a{}</style><b>x</b><script type="application/vnd.jupyter.widget-state+json">{}</script>'
    assert rawhtml.NOTEBOOK_ONLY.sub("", live) == "<b>x</b>"
    assert rawhtml.NOTEBOOK_ONLY.sub("", "<style>a{}</style>") == "<style>a{}</style>"


@pytest.mark.parametrize("kind, opens", [(["dropdown"], False), (["dropdown", "toggle-shown"], True)])
def test_a_dropdown_becomes_details_with_its_title_as_summary(kind, opens):
    admonition = nodes.admonition("", nodes.title("", "Proof"), nodes.paragraph("", "Done"), classes=kind, ids=["p"])
    result = disclosure.disclosed(admonition)
    assert [type(child) for child in result] == [disclosure.summary, nodes.paragraph]
    assert result[0].astext() == "Proof" and result["ids"] == ["p"]
    writer = SimpleNamespace(body=[], starttag=lambda node, tag, CLASS, **attributes: (tag, attributes))
    disclosure.visit_details(writer, result)
    assert writer.body == [("details", {"open": "open"} if opens else {})]


def test_an_untitled_dropdown_is_named_by_its_kind():
    assert disclosure.disclosed(nodes.tip("", nodes.paragraph("", "x")))[0].astext() == "Tip"


def test_titles_lose_their_markup_and_keep_their_escapes():
    assert titles.without_markup('On <math data-tex="a &gt; b"><mi>a</mi></math> &amp; more') == "On a &amp; more"


def test_the_font_is_cut_to_what_is_used_and_keeps_what_mathml_draws(tmp_path):
    font = tmp_path / "math.woff2"
    mathfont.cut("\u2211\u03c3", font)
    kept = TTFont(font)
    assert {0x2211, 0x3C3, 0x221A, ord("x"), 0x1D465} <= set(kept.getBestCmap())
    assert 0x222E not in kept.getBestCmap() and "MATH" in kept
    assert font.stat().st_size < 30_000
    again = tmp_path / "again.woff2"
    mathfont.cut("\u03c3\u2211", again)
    assert again.read_bytes() == font.read_bytes()


def test_no_italic_letter_reaches_into_the_space_after_a_sign_and_all_keep_their_shapes(tmp_path):
    mathfont.cut("", tmp_path / "math.woff2")
    cut, whole = TTFont(tmp_path / "math.woff2"), TTFont(mathfont.FONT)

    def extent(font, letter):
        pen, name = BoundsPen(font.getGlyphSet()), font.getBestCmap()[letter]
        font.getGlyphSet()[name].draw(pen)
        left, _, right, _ = pen.bounds
        return left, right, font["hmtx"][name][0]

    for letter in set(mathfont.ITALIC) & set(cut.getBestCmap()):
        (left, right, width), (was_left, was_right, was_width) = extent(cut, letter), extent(whole, letter)
        assert left >= -mathfont.OVERHANG and right - left == was_right - was_left
        assert width - right == was_width - was_right, "what follows keeps its distance"
    assert extent(cut, ord("\N{MATHEMATICAL ITALIC SMALL F}"))[0] == -mathfont.OVERHANG > -147


def test_only_characters_of_formulas_count():
    assert mathfont.characters('<p>\u00e9</p><math class="a"><mi>x</mi><mo>&lt;</mo></math>') == {"x", "<"}


def test_the_font_goes_into_the_style_sheet_or_says_why_not():
    assert mathfont.embedded('@font-face{src:url("math.woff2")}', b"abc") == \
        '@font-face{src:url("data:font/woff2;base64,YWJj")}'
    with pytest.raises(ValueError, match="@font-face"):
        mathfont.embedded("body{}", b"abc")


def test_style_sheets_are_joined_page_first_print_last():
    names = ["recall.css", "print.css", "layout.css", "figure.css", "page.css"]
    assert [file.name for file in bundle.ordered(map(Path, names))] == \
        ["page.css", "layout.css", "figure.css", "recall.css", "print.css"]


def test_css_loses_comments_and_keeps_its_rules():
    assert bundle.without_comments("/* a\n b */\na { color: red }\n\n  b { }\n") == "a { color: red }\nb { }"


def test_every_asset_file_is_in_the_bundle():
    assets = Path(__file__).parents[2] / "_assets"
    style, script = bundle.stylesheet(assets), bundle.script(assets)
    assert "--stream:" in style and "tml-right" in style
    for file in (assets / "css").glob("*.css"):
        assert bundle.without_comments(file.read_text("utf-8")) in style
    for file in (assets / "js").glob("*.js"):
        assert file.read_text("utf-8") in script


def test_the_digest_knows_names_and_contents_and_nothing_else(tmp_path):
    package = tmp_path / "residual_stream"
    package.mkdir()
    (package / "a.py").write_text("1")
    first = freshness.package_digest(tmp_path)
    (package / "a.pyc").write_text("compiled")
    assert freshness.package_digest(tmp_path) == first
    (package / "a.py").write_text("2")
    second = freshness.package_digest(tmp_path)
    (package / "a.py").rename(package / "b.py")
    third = freshness.package_digest(tmp_path)
    (package / "bank.toml").write_text("a = 1")
    assert len({first, second, third, freshness.package_digest(tmp_path)}) == 4


@pytest.mark.parametrize("inline", ["<script>let THEBE = 'thebe'</script>", '<script type="text/x-thebe-config">{}</script>'])
def test_leftovers_of_live_kernels_are_dropped(inline):
    assert light.LEFTOVERS.sub("", f"<p>a</p>{inline}") == "<p>a</p>"


def test_other_scripts_stay():
    assert light.LEFTOVERS.sub("", "<script>1</script>") == "<script>1</script>"


@pytest.mark.parametrize("body, expected", [
    ("(<math><mi>x</mi></math>), so", '<span class="together">(<math><mi>x</mi></math>),</span> so'),
    ("a <math></math>-th b", 'a <span class="together"><math></math>-th</span> b'),
    ("a <math></math> b", "a <math></math> b"),
    ('<math display="block"></math>.', '<math display="block"></math>.'),
])
def test_punctuation_stays_with_its_formula(body, expected):
    assert together.together(body) == expected


@pytest.mark.parametrize("code, expected", [
    ("<code>var_f</code>", "<code>var_f</code>"),
    ('<code class="literal"><span class="pre">var_f</span> <span class="pre">=</span> <span class="pre">1</span></code>',
     '<code class="together literal">var_f = 1</code>'),
    ("<code>--title</code>", '<code class="together">--title</code>'),
    ("<code>a &lt; b</code>", '<code class="together">a &lt; b</code>'),
    ("<code>run recall --same-numbers WORD</code>",
     '<code>run recall <span class="together">--same-numbers</span> WORD</code>'),
    ("<code>test_a_long_name__of_thirty_letters</code>",
     "<code>test_<wbr>a_<wbr>long_<wbr>name__<wbr>of_<wbr>thirty_<wbr>letters</code>"),
    ("<code>exercises/lab-deepnorm.ipynb</code>",
     '<code>exercises/<wbr><span class="together">lab-deepnorm.ipynb</span></code>'),
    ("<code>a-name-of-more-than-two-dozen-letters</code>", "<code>a-name-of-more-than-two-dozen-letters</code>"),
])
def test_code_in_a_line_breaks_at_its_joints(code, expected):
    assert inline_code.broken_well(f"<p>{code}, {code}</p>") == f"<p>{expected}, {expected}</p>"


@pytest.mark.parametrize("untouched", [
    "<pre><code>a --b</code></pre>", '<script>"<code>a --b</code>"</script>', '<code id="a">--b</code>', "<p>--b</p>",
    "<svg><text>a</text></svg>",
])
def test_code_that_is_no_part_of_a_line_stays_as_it_is(untouched):
    assert inline_code.broken_well(untouched) == untouched


def test_a_percent_sign_stays_with_its_number():
    body = together.close('<p title="3 %">by 0.28 %, <b>3</b> %</p><code>3 %</code><script>3 %</script>')
    assert body == '<p title="3 %">by 0.28\u00a0%, <b>3</b> %</p><code>3 %</code><script>3 %</script>'


def test_et_al_stays_together():
    assert together.close("<p>by Xiong et al. (2020)</p><code>et al.</code>") == (
        "<p>by Xiong et\u00a0al. (2020)</p><code>et al.</code>")


@pytest.mark.parametrize("word, stays", [
    ("pre-LN", True), ("post-LN\u2019s", True), ("GPT-2\u2019s", True), ("warm-up", True), ("feed-forward", True),
    ("DeepSeek-V3", True), ("MiniMax-Text-01", True), ("res-post-norm", True), ("5747\u20135763", True),
    ("learning-rate", False), ("counter-example", False), ("post-normalisation", False),
])
def test_a_short_part_of_a_word_does_not_stand_at_the_edge_of_a_line(word, stays):
    assert together.unbroken(word) == stays
    expected = f'<p>A <span class="together">{word}</span>, so</p>' if stays else f"<p>A {word}, so</p>"
    assert together.words_together(f"<p>A {word}, so</p>") == expected


@pytest.mark.parametrize("untouched", [
    '<a href="#pre-LN" title="pre-LN">x</a>', "<pre>pre-LN</pre>", "<code>pre-LN</code>", "<svg><text>pre-LN</text></svg>",
    '<math data-tex="pre-LN"><mtext>pre-LN</mtext></math>', '<script>"pre-LN"</script>', "<option>a</option>", "a - b, 1-",
])
def test_hyphens_outside_of_running_text_stay_as_they_are(untouched):
    assert together.words_together(untouched) == untouched


def test_a_cell_that_was_a_head_has_no_scope():
    cell = light.EMPTY_HEAD.sub(r"<td\1\2></td>", '<th id="a" scope="col" class="b"></th><th scope="col">c</th>')
    assert cell == '<td id="a" class="b"></td><th scope="col">c</th>'
