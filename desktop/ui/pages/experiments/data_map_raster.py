"""Paints the points of a data map into an image with NumPy: a painter would take seconds for 100,000 points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtGui import QImage

from desktop.ui.plots.point_raster import FAINT_OPACITY, OPACITY, add_points, blank_canvas, rgb, to_image
from desktop.ui.theme import Theme
from miner.libraries import NDArray, np

_DENSITY_OPACITY = 0.22  # at most
_DENSITY_CELL = 4  # pixels
_DENSITY_BANDS = 6
_LINE_OPACITY = 0.55  # of the lines between bands, over the points
_SHADES = 65  # colours between none and all


@dataclass(frozen=True, slots=True, eq=False)
class MapPoints:
    """Points in pixels from the image's upper left corner, and the share from 0.0 to 1.0 that gives each its colour."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    shares: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.x)

    def chosen(self, which: NDArray[np.bool_]) -> MapPoints:
        return MapPoints(self.x[which], self.y[which], self.shares[which])


def paint_points(
    points: MapPoints, selected: NDArray[np.bool_] | None, size: tuple[int, int], radius: float, theme: Theme
) -> QImage:
    """An image of this width and height on the colour of cards: density, points of this radius, lines of density.

    Where points overlap, the colour shows their mean share. selected: all other points are faint; None: all are
    selected.
    """

    canvas = blank_canvas(size, theme.color("card"))
    bands = _density_bands(points, size)
    _mix(canvas, bands[..., None] * np.float32(_DENSITY_OPACITY / _DENSITY_BANDS), rgb(theme.color("muted")))
    shades = np.array([rgb(theme.scale_color(step / (_SHADES - 1))) for step in range(_SHADES)], np.float32)

    def shade(shares: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(shades[(shares[:, 0] * (len(shades) - 1)).round().astype(np.int64)])

    chosen = [(points, OPACITY)]
    if selected is not None:
        chosen = [(points.chosen(~selected), FAINT_OPACITY), (points.chosen(selected), OPACITY)]
    for some, opacity in chosen:
        add_points(canvas, some.x, some.y, some.shares[:, None], radius, opacity, shade)
    _mix(canvas, _edges(bands)[..., None] * np.float32(_LINE_OPACITY), rgb(theme.color("card")))
    return to_image(canvas)


def _density_bands(points: MapPoints, size: tuple[int, int]) -> NDArray[Any]:
    """The density of points around each pixel, as a band from 0 to `_DENSITY_BANDS`, (height, width)."""

    width, height = size
    columns, rows = -(-width // _DENSITY_CELL), -(-height // _DENSITY_CELL)
    found, _, _ = np.histogram2d(
        points.y, points.x, (rows, columns), ((0, rows * _DENSITY_CELL), (0, columns * _DENSITY_CELL))
    )
    for _ in range(3):
        found = _blurred(_blurred(found, 4).T, 4).T
    most = found.max()
    share = np.sqrt(found / most) if most > 0 else found
    whole = share.astype(np.float32).repeat(_DENSITY_CELL, 0).repeat(_DENSITY_CELL, 1)
    for _ in range(2):  # the corners of the cells
        whole = _blurred(_blurred(whole, _DENSITY_CELL // 2).T, _DENSITY_CELL // 2).T
    bands: NDArray[Any] = np.floor(whole[:height, :width] * _DENSITY_BANDS + 0.5).astype(np.float32)
    return bands


def _edges(bands: NDArray[Any]) -> NDArray[Any]:
    """1 where a band ends, 0 elsewhere."""

    edges = np.zeros(bands.shape, np.float32)
    edges[:, :-1] += bands[:, :-1] != bands[:, 1:]
    edges[:-1] += bands[:-1] != bands[1:]
    smallest: NDArray[Any] = np.minimum(edges, 1)
    return smallest


def _blurred(values: NDArray[Any], reach: int) -> NDArray[Any]:
    """The mean of each value in a row and `reach` values on either side; values beyond the ends count as 0."""

    padded = np.pad(values, ((reach + 1, reach), (0, 0)))
    sums = padded.cumsum(0)
    return (sums[2 * reach + 1 :] - sums[: -2 * reach - 1]) / (2 * reach + 1)  # type: ignore[no-any-return]


def _mix(canvas: NDArray[Any], opacities: NDArray[Any], color: NDArray[Any]) -> None:
    canvas += (color - canvas) * opacities
