"""Numbers as people read them."""

from __future__ import annotations


def count(number: int, noun: str, plural: str = "") -> str:
    """ "1 paper", "1,204 papers"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def size(octets: int) -> str:
    """ "512 bytes", "1.4 MB"."""
    if octets < 1000:
        return count(octets, "byte")
    value, unit = octets / 1e3, "kB"
    for larger in ("MB", "GB"):
        if value >= 999.5:
            value, unit = value / 1e3, larger
    return f"{value:,.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"


def chance(share: float) -> str:
    """A probability: "81 %"; none is certain, so "< 1 %" and "> 99 %" at the ends."""
    if share < 0.005:
        return "< 1 %"
    return "> 99 %" if share >= 0.995 else f"{share * 100:.0f} %"
