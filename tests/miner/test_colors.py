"""Colours that are mixed: the ends, the middle, and what lies between."""

from __future__ import annotations

from miner.colors import SCALE, mixed, scale_color


def test_a_mixed_colour_lies_between_both() -> None:
    assert [mixed("#000000", "#FF8001", part) for part in (0.0, 0.5, 1.0)] == ["#000000", "#804000", "#FF8001"]


def test_a_scale_goes_from_none_by_half_to_all() -> None:
    assert [scale_color(SCALE, share) for share in (0.0, 0.5, 1.0)] == list(SCALE)
    assert scale_color(("#000000", "#101010", "#303030"), 0.75) == "#202020"
