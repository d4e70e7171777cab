"""Whatever is to be read can be read: contrast as WCAG 2.2 defines it, computed from the theme's colours."""

from __future__ import annotations

import pytest

from desktop.ui.theme import _CLASS_COLORS, CONTRAST, DARK, LETTERS, LIGHT, Theme, Tokens

THEMES = pytest.mark.parametrize("tokens", [LIGHT, DARK, CONTRAST], ids=["light", "dark", "contrast"])
GROUNDS = ("paper", "card", "hover", "selected")


def luminance(color: str) -> float:
    """WCAG 2.2, "relative luminance", of #RRGGBB."""
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_the_standard_says() -> None:
    assert contrast("#000000", "#FFFFFF") == 21
    assert round(contrast("#777777", "#FFFFFF"), 2) == 4.48  # the standard's well-known near miss


@THEMES
@pytest.mark.parametrize("text", ["ink", "muted", "accent", "good", "warning", "bad"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_text_stands_out_from_every_ground_it_lies_on(tokens: Tokens, text: str, ground: str) -> None:
    assert contrast(getattr(tokens, text), getattr(tokens, ground)) >= 4.5


@THEMES
def test_text_on_the_accent_stands_out(tokens: Tokens) -> None:
    assert contrast(tokens.on_accent, tokens.accent) >= 4.5


@THEMES
@pytest.mark.parametrize("ground", ["paper", "card"])
@pytest.mark.parametrize("label", LETTERS)
def test_a_class_written_in_its_colour_can_be_read(tokens: Tokens, label: str, ground: str) -> None:
    assert contrast(tokens.label_text[label], getattr(tokens, ground)) >= 4.5


@pytest.mark.parametrize("label", LETTERS)
def test_the_white_letter_on_a_class_colour_can_be_read(label: str) -> None:
    assert contrast("#FFFFFF", _CLASS_COLORS[label]) >= 4.5


@THEMES
def test_the_focus_ring_stands_out(tokens: Tokens) -> None:
    assert min(contrast(tokens.accent, getattr(tokens, ground)) for ground in ("paper", "card")) >= 3


@THEMES
def test_the_points_of_a_plot_stand_out_and_the_ends_of_their_scale_differ_in_lightness(tokens: Tokens) -> None:
    assert min(contrast(color, tokens.card) for color in tokens.scale) >= 3
    assert contrast(tokens.scale[0], tokens.scale[2]) >= 1.3  # also told apart without any colour


def test_every_class_has_a_letter_of_its_own() -> None:
    assert len(set(LETTERS.values())) == len(LETTERS) == len(_CLASS_COLORS)


def test_the_theme_follows_what_is_chosen(theme: Theme) -> None:
    heard: list[bool] = []
    theme.changed.connect(lambda: heard.append(theme.is_dark))
    theme.apply("dark", 1.0)
    assert theme.tokens is DARK
    theme.apply("light", 1.5)
    assert (theme.tokens, theme.px(24), theme.reading_font().pixelSize()) == (LIGHT, 36, 27)
    assert heard == [True, False]


def test_the_theme_of_high_contrast_has_seven_to_one() -> None:
    grounds = [getattr(CONTRAST, ground) for ground in ("paper", "card", "hover", "selected")]
    texts = [CONTRAST.ink, CONTRAST.muted, CONTRAST.accent, CONTRAST.bad, *CONTRAST.label_text.values()]
    assert min(contrast(text, ground) for text in texts for ground in grounds[:3]) >= 7
    assert contrast(CONTRAST.ink, CONTRAST.selected) >= 7
    assert min(contrast(CONTRAST.line, ground) for ground in grounds) >= 3
