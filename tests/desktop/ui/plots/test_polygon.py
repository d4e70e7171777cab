"""Which points a drawn area holds."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from desktop.ui.plots.polygon import inside_polygon

Points = tuple[NDArray[np.float64], NDArray[np.float64]]
_SHARES = st.floats(0, 1, width=32).map(lambda value: round(value, 3))
_POINTS = st.lists(st.tuples(_SHARES, _SHARES), min_size=1, max_size=60).map(lambda points: tuple(np.array(points).T))


@given(_POINTS, st.tuples(_SHARES, _SHARES, _SHARES, _SHARES))
def test_a_rectangle_selects_what_lies_between_its_sides(points: Points, sides: tuple[float, ...]) -> None:
    left, right = sorted(sides[:2])
    below, above = sorted(sides[2:])
    x, y = points
    corners = [(left, below), (right, below), (right, above), (left, above)]
    inside = inside_polygon(x, y, corners)
    assert inside.tolist() == ((x >= left) & (x < right) & (y >= below) & (y < above)).tolist()
    assert inside_polygon(x, y, corners[::-1]).tolist() == inside.tolist()
    assert not inside_polygon(x, y, corners[:2]).any()


@given(_POINTS, st.lists(st.tuples(_SHARES, _SHARES), min_size=3, max_size=12))
def test_a_freeform_area_is_the_same_from_whichever_corner_it_is_drawn(
    points: Points, corners: list[tuple[float, float]]
) -> None:
    x, y = points
    inside = inside_polygon(x, y, corners)
    assert inside.tolist() == inside_polygon(x, y, [*corners[1:], corners[0]]).tolist()
    assert inside.tolist() == [_is_inside(point, corners) for point in zip(x.tolist(), y.tolist(), strict=True)]


def _is_inside(point: tuple[float, float], corners: list[tuple[float, float]]) -> bool:
    """One point by the even-odd rule, edge for edge."""
    x, y = point
    found = False
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * ((x2 - x1) / (y2 - y1)):
            found = not found
    return found
