"""axe, the accessibility checker, on every page: no violation in either scheme, wide or narrow, closed or open."""

from pathlib import Path

import pytest

AXE = Path(__file__).parent / "vendor" / "axe.min.js"

RUN = """async () => {
  const {violations} = await axe.run(document, {resultTypes: ["violations"]});
  return violations.flatMap(({id, nodes}) => nodes.map(node => `${id}: ${node.html.slice(0, 120)}`));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_no_page_has_a_violation(site, pages, open_page, scheme, width):
    page = open_page(width, color_scheme=scheme, reduced_motion="reduce")
    for name in pages:
        page.goto(f"{site.as_uri()}/{name}", wait_until="networkidle")
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        page.add_script_tag(path=AXE)
        assert page.evaluate(RUN) == [], name


def test_axe_finds_what_it_should(page):
    page.set_content("<html><body><img src='data:,'><button></button></body></html>")
    page.add_script_tag(path=AXE)
    found = {violation.split(":")[0] for violation in page.evaluate(RUN)}
    assert {"image-alt", "button-name", "html-has-lang"} <= found
