"""A studio's color stays readable in both themes, whichever it is."""

import re
from pathlib import Path

import pytest

from app.domain.branding import (
    DARK_BACKGROUND,
    LIGHT_BACKGROUND,
    MIN_CONTRAST,
    contrast,
    dark_theme,
    light_theme,
    read_color,
    read_studio_name,
    stylesheet,
)
from app.domain.errors import InvalidRequest

CSS = Path(__file__).parents[2] / "static" / "css" / "brightlist.css"
COLORS = ["#000000", "#ffffff", "#808080", "#ff0000", "#00ff00", "#0000ff", "#ffff00", "#14506b", "#e9c46a"]


def token(name: str) -> tuple[str, str]:
    """The colors of a token in the light and in the dark theme."""
    found = re.search(rf"--{name}: light-dark\((#[0-9a-f]{{6}}), (#[0-9a-f]{{6}})\)", CSS.read_text())
    assert found
    return found[1], found[2]


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#123456", "#123456") == pytest.approx(1)


@pytest.mark.parametrize("color", COLORS)
def test_any_color_can_be_read_on_every_ground_and_text_on_it(color: str) -> None:
    light, dark = light_theme(color), dark_theme(color)
    for name in ("paper", "card", "sunken"):
        on_light, on_dark = token(name)
        assert contrast(light.accent, on_light) >= MIN_CONTRAST
        assert contrast(dark.accent, on_dark) >= MIN_CONTRAST
    for theme in (light, dark):
        assert contrast(theme.accent, theme.on_accent) >= MIN_CONTRAST


def test_a_color_that_can_be_read_stays_as_it_is() -> None:
    assert light_theme("#14506b").accent == "#14506b"
    assert dark_theme("#8ecbe8").accent == "#8ecbe8"


def test_the_hardest_grounds_are_those_of_the_stylesheet() -> None:
    lights, darks = zip(*(token(name) for name in ("paper", "card", "sunken")), strict=True)
    assert max(lights, key=lambda ground: contrast(ground, "#ffffff")) == LIGHT_BACKGROUND
    assert max(darks, key=lambda ground: contrast(ground, "#000000")) == DARK_BACKGROUND


@pytest.mark.parametrize(
    ("text", "color"),
    [("", None), ("  ", None), ("#14506B", "#14506b"), ("14506b", "#14506b"), (" #FFF000 ", "#fff000")],
)
def test_a_color_is_kept_in_one_form(text: str, color: str | None) -> None:
    assert read_color(text) == color


@pytest.mark.parametrize("text", ["red", "#12345", "#1234567", "#12345g", "#123456;}", "url(x)", "##123456"])
def test_what_is_no_color_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_color(text)
    assert (refused.value.details or {}).keys() == {"color"}


def test_a_name_is_one_short_line() -> None:
    assert read_studio_name(" Bright\n Studio ") == "Bright Studio"
    with pytest.raises(InvalidRequest):
        read_studio_name("x" * 121)


def test_the_stylesheet_holds_colors_and_nothing_else() -> None:
    assert re.fullmatch(
        r":root\{--accent:light-dark\((#[0-9a-f]{6},?){2}\);--on-accent:light-dark\((#[0-9a-f]{6},?){2}\);"
        r"--accent-soft:var\(--sunken\)\}",
        stylesheet("#ff0000"),
    )
