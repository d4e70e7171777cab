"""Which points a drawn outline holds."""

from __future__ import annotations

from collections.abc import Sequence

from miner.libraries import NDArray, np


def inside_polygon(
    x: NDArray[np.float64], y: NDArray[np.float64], corners: Sequence[tuple[float, float]]
) -> NDArray[np.bool_]:
    """Which points are inside a polygon that closes itself, by the even-odd rule; none for fewer than three corners.

    Points on a left or lower edge are inside, on a right or upper edge outside: polygons side by side share none.
    """
    inside = np.zeros(len(x), np.bool_)
    if len(corners) < 3:
        return inside
    left, below = np.min(corners, axis=0)
    right, above = np.max(corners, axis=0)
    near = np.flatnonzero((x >= left) & (x <= right) & (y >= below) & (y <= above))
    px, py = x[near], y[near]
    found = np.zeros(len(near), np.bool_)
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if y1 != y2:
            crosses = (py >= min(y1, y2)) & (py < max(y1, y2))
            found ^= crosses & (px < x1 + (py - y1) * ((x2 - x1) / (y2 - y1)))
    inside[near] = found
    return inside
