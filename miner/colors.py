"""Colours of figures on a white ground, for the light theme and for files alike, and mixtures of colours."""

from __future__ import annotations

INK, LINE, WHITE = "#1E1E1C", "#DEDCD5", "#FFFFFF"
SCALE = ("#B07A00", "#96948E", "#4636A0")
"""Colours of the shares 0.0, 0.5 and 1.0, without red and green; no class has one of them."""


def scale_color(scale: tuple[str, str, str], share: float) -> str:
    """The colour of a share from 0.0 to 1.0; scale: the colours of 0.0, 0.5 and 1.0."""
    none, half, whole = scale
    return mixed(none, half, 2 * share) if share < 0.5 else mixed(half, whole, 2 * share - 1)


def mixed(low: str, high: str, part: float) -> str:
    """The mixture of two colours as #RRGGBB; part: of the second colour, 0.0 to 1.0."""
    ends = ((int(low[place : place + 2], 16), int(high[place : place + 2], 16)) for place in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02X}" for a, b in ends)
