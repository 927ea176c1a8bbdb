"""The palette is readable: WCAG 2.2's contrast ratio, worked out here from its definition."""

from itertools import combinations

import pytest

from residual_stream.palette import DARK, LIGHT, VOCABULARY, stylesheet

CODE_BACKGROUNDS = {"light": ("#f8f9fb", "#f8f8f8"), "dark": ("#1a1c1e", "#202020")}
SCHEMES = {"light": LIGHT, "dark": DARK}


def luminance(colour):
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_of_black_on_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", (*VOCABULARY, "ink", "grey"))
def test_every_text_colour_is_readable_on_paper_and_on_code(scheme, name):
    colours = SCHEMES[scheme]
    for background in (colours["paper"], *CODE_BACKGROUNDS[scheme]):
        assert contrast(colours[name], background) >= 4.5, background


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_colours_are_all_different(scheme):
    for one, other in combinations(SCHEMES[scheme].values(), 2):
        assert one != other


def test_the_two_schemes_and_the_style_sheet_name_the_same_colours():
    assert list(LIGHT) == list(DARK)
    css = stylesheet()
    for name in LIGHT:
        assert css.count(f"--{name}:{LIGHT[name]}") == 2, "light is the page's default and print's"
        assert css.count(f"--{name}:{DARK[name]}") == 2, "dark by the system's wish and by the reader's choice"
    for name in VOCABULARY:
        assert f".{name}{{color:var(--{name})}}" in css
    assert css.count("{") == css.count("}")
