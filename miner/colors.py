"""Colours of figures on white, on a light screen and on paper alike; what they say is said by words or marks, too."""

from __future__ import annotations

INK, LINE, WHITE = "#1E1E1C", "#DEDCD5", "#FFFFFF"
SCALE = ("#B07A00", "#96948E", "#4636A0")
"""Of a share: none, half, all; without red and green, and none of a class."""


def scale_color(scale: tuple[str, str, str], share: float) -> str:
    """The colour of a share from 0.0 to 1.0 on a scale from none by half to all."""
    none, half, whole = scale
    return mixed(none, half, 2 * share) if share < 0.5 else mixed(half, whole, 2 * share - 1)


def mixed(low: str, high: str, part: float) -> str:
    """The colour that lies this part, 0.0 to 1.0, of the way from one to another."""
    ends = ((int(low[place : place + 2], 16), int(high[place : place + 2], 16)) for place in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02X}" for a, b in ends)
