"""Paints many points into an image with NumPy: a painter would take seconds for 100,000 of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QColor, QImage

from miner.libraries import NDArray, np

OPACITY = 0.75  # of one point
FAINT_OPACITY = 0.12  # of one that is not selected while others are


def blank_canvas(size: tuple[int, int], color: QColor) -> NDArray[Any]:
    """An image of this width and height to paint on: (height, width, 3), red, green and blue from 0 to 255."""

    width, height = size
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = rgb(color)
    return canvas


def add_points(
    canvas: NDArray[Any],
    x: NDArray[Any],
    y: NDArray[Any],
    values: NDArray[Any],
    radius: float,
    opacity: float,
    color_of: Callable[[NDArray[Any]], NDArray[Any]] = lambda means: means,
) -> None:
    """Paint points, in pixels from the upper left corner, onto the canvas; those outside of it are left out.

    values: of each point, (n, k). Where points lie on each other, the colour is that of their mean values, which
    `color_of` turns into (n, 3).
    """

    height, width = canvas.shape[:2]
    numbers, sums = np.zeros(width * height), np.zeros((values.shape[1], width * height))
    column, row = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    reach = int(np.ceil(radius))
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            if right**2 + down**2 > radius**2:
                continue
            across, downwards = column + right, row + down
            inside = (across >= 0) & (across < width) & (downwards >= 0) & (downwards < height)
            places = downwards[inside] * width + across[inside]
            numbers += np.bincount(places, minlength=width * height)
            for channel, total in enumerate(sums):
                total += np.bincount(places, weights=values[inside, channel], minlength=width * height)
    covered = np.flatnonzero(numbers)
    colors = color_of((sums[:, covered] / numbers[covered]).T)
    opacities = (1 - (1 - opacity) ** np.minimum(numbers[covered], 50)).astype(np.float32)
    flat = canvas.reshape(-1, 3)
    flat[covered] += (colors - flat[covered]) * opacities[:, None]


def to_image(canvas: NDArray[Any]) -> QImage:
    """The canvas as an image."""

    height, width = canvas.shape[:2]
    packed = np.full((height, width, 4), 255, np.uint8)
    packed[..., :3] = canvas[..., ::-1].round()
    return QImage(packed.tobytes(), width, height, 4 * width, QImage.Format.Format_RGB32).copy()


def rgb(color: QColor) -> NDArray[Any]:
    """Red, green and blue, from 0 to 255."""

    return np.array([color.red(), color.green(), color.blue()], np.float32)
