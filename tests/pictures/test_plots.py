import gzip
import re
from xml.etree import ElementTree

import pytest

from residual_stream.pictures.figure import Table
from residual_stream.palette import LIGHT
from residual_stream.pictures.plots import plot, power_of_ten
from residual_stream.pictures.variance_growth import repeated_addition

TABLE = Table(("x", "y"), (("0", "1"),))


def simple(figure, colour=LIGHT["stream"]):
    axes = figure.subplots()
    axes.plot([0, 1, 2], [0, 1, 4], "o-", color=colour)
    axes.bar([0, 1], [2, 3], color=LIGHT["branch"])
    axes.set_title("Var(x₁) < 5 & more")
    axes.set_ylabel("variance")


def test_two_runs_give_the_same_bytes():
    assert plot(simple, 200, "alt", TABLE, "one").svg() == plot(simple, 200, "alt", TABLE, "one").svg()


def test_colours_come_from_the_page():
    svg = plot(simple, 200, "alt", TABLE, "one").svg()
    assert {"stream", "branch", "grey", "faint", "ink"} <= set(re.findall(r"var\(--(\w+)\)", svg))
    assert not re.search(r"(fill|stroke):\s*#", svg)
    with pytest.raises(ValueError, match="#ff0000, which is not in the palette"):
        plot(lambda figure: simple(figure, "#ff0000"), 200, "alt", TABLE, "one")


def test_ids_are_the_plots_own_and_every_reference_has_its_target():
    svg = plot(simple, 200, "alt", TABLE, "one").svg()
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids)) and all(identity.startswith("one-") for identity in ids)
    assert set(re.findall(r"#([\w-]+)", svg)) == set(ids)


def test_text_is_text():
    root = ElementTree.fromstring(plot(simple, 200, "alt <&> text", TABLE, "one").svg())
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Var(x₁) < 5 & more" in texts and "variance" in texts
    assert (root.get("role"), root.get("aria-label"), root.get("viewBox")) == ("img", "alt <&> text", "0 0 340 200")


def test_a_plot_is_light():
    assert len(gzip.compress(repeated_addition().html().encode())) < 8_000


def test_a_plot_stands_in_a_notebook_as_its_alt_text():
    bundle = plot(simple, 200, "alt", TABLE, "one")._repr_mimebundle_()
    assert bundle["text/plain"] == "alt"
    assert '<figure class="picture" id="figure-one"><svg' in bundle["text/html"]


@pytest.mark.parametrize("power, label", [(-12, "10⁻¹²"), (-1, "10⁻¹"), (0, "1"), (1, "10"), (3, "10³"), (20, "10²⁰")])
def test_a_power_of_ten_is_raised_without_markup(power, label):
    assert power_of_ten(10.0 ** power) == label
