"""The axes of a data map, the same on screen and on paper."""

from __future__ import annotations

from typing import NamedTuple

from desktop.translation import tr
from miner.lab.experiments.cartography import DataMap
from miner.libraries import np

_STEP_ACROSS, _STEP_UPWARDS = 0.1, 0.2  # between ticks


class MapAxis(NamedTuple):
    """An axis from 0.0 to `length`. name: its title on paper; meaning: on screen. ticks: (share of `length`, text)."""

    name: str
    meaning: str
    length: float
    ticks: tuple[tuple[float, str], ...]


def map_axes(data: DataMap) -> tuple[MapAxis, MapAxis]:
    """Variability, across, up to the tick above the highest; confidence, upwards, from 0.0 to 1.0."""
    steps = max(1.0, float(np.ceil(data.variability.max() / _STEP_ACROSS - 1e-9)))
    across = tr("Variability: how much the probability of the label changed")
    upwards = tr("Confidence: mean probability of the label")
    return (
        MapAxis("variability", across, steps * _STEP_ACROSS, _ticks(round(steps), _STEP_ACROSS)),
        MapAxis("confidence", upwards, 1.0, _ticks(round(1 / _STEP_UPWARDS), _STEP_UPWARDS)),
    )


def _ticks(steps: int, step: float) -> tuple[tuple[float, str], ...]:
    return tuple((number / steps, f"{number * step:.1f}") for number in range(steps + 1))
