"""Numbers as people read them."""

from __future__ import annotations

import pytest

from desktop.text import count, duration, size


def test_things_are_counted() -> None:
    assert [count(number, "paper") for number in (0, 1, 1204)] == ["0 papers", "1 paper", "1,204 papers"]
    assert count(2, "paper is", "papers are") == "2 papers are"


@pytest.mark.parametrize(
    ("octets", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (41_300, "41 kB"),
        (999_600, "1.0 MB"),
        (1_400_000_000_000, "1,400 GB"),
    ],
)
def test_sizes_are_short(octets: int, text: str) -> None:
    assert size(octets) == text


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.4, "0 s"), (25, "25 s"), (89, "89 s"), (200, "3 min"), (7800, "2 h 10 min")]
)
def test_durations_are_short(seconds: float, said: str) -> None:
    assert duration(seconds) == said
