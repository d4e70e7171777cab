"""Signs are told by their shapes; a letter in its own shape is none of them."""

from __future__ import annotations

import pytest

from miner.parsing.embedded.glyph_shapes import sign_of
from miner.parsing.embedded.outlines import Outline
from miner.records import UNREADABLE

Points = list[tuple[float, float]]


def box(left: float, bottom: float, right: float, top: float) -> Points:
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


LESS: Points = [(0.6, 0.0), (0.6, 0.07), (0.13, 0.25), (0.6, 0.43), (0.6, 0.5), (0.05, 0.27), (0.05, 0.23)]
PLUS: Points = [
    *[(0.25, 0.0), (0.3, 0.0), (0.3, 0.25), (0.55, 0.25), (0.55, 0.3), (0.3, 0.3), (0.3, 0.55), (0.25, 0.55)],
    *[(0.25, 0.3), (0.0, 0.3), (0.0, 0.25), (0.25, 0.25)],
]
MU: Points = [
    *[(0.05, -0.2), (0.13, -0.2), (0.13, 0.0), (0.4, 0.0), (0.4, 0.45), (0.32, 0.45), (0.32, 0.08), (0.13, 0.08)],
    *[(0.13, 0.45), (0.05, 0.45)],
]
L: Points = box(0.05, 0.0, 0.13, 0.7)
BARS = [box(0.05, 0.15, 0.6, 0.2), box(0.05, 0.35, 0.6, 0.4)]


def raised(points: Points, by: float) -> Points:
    return [(x, y + by) for x, y in points]


@pytest.mark.parametrize(
    ("said", "contours", "shown"),
    [
        ("Z", BARS, "="),
        ("¼", BARS, "="),
        ("2", [box(0.05, 0.25, 0.6, 0.3)], "−"),
        ("o", [LESS], "<"),
        ("4", [[(0.65 - x, y) for x, y in LESS]], ">"),
        ("X", [raised([(0.65 - x, y) for x, y in LESS], 0.15), box(0.05, 0.0, 0.6, 0.05)], "≥"),
        ("þ", [PLUS], "+"),
        ("7", [raised(PLUS, 0.15), box(0.0, 0.0, 0.55, 0.05)], "±"),
        ("l", [MU], "μ"),
        (":", [box(0.1, 0.0, 0.2, 0.1)], "."),
        ("D", [[(0.05, 0.0), (0.65, 0.0), (0.35, 0.7)], [(0.15, 0.06), (0.34, 0.55), (0.55, 0.06)]], "Δ"),
        # in their own shapes
        ("l", [L], ""),
        ("o", [box(0.05, 0.0, 0.5, 0.5), box(0.42, 0.08, 0.13, 0.42)], ""),
        ("-", [box(0.05, 0.25, 0.6, 0.3)], ""),
        ("<", [LESS], ""),
        ("i", [L, box(0.05, 0.75, 0.13, 0.83)], ""),
        ("o", [L], UNREADABLE),  # but what?
    ],
)
def test_signs_are_told_by_their_shapes(said: str, contours: list[Points], shown: str) -> None:
    assert sign_of(Outline(contours), said) == shown
