"""Numbers, sizes and names as people read them; foreign text as a terminal may be sent it."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # but tab and line feed


def visible(text: str) -> str:
    """The text with control characters, and those that turn the writing direction, as escapes."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    """`visible`, line feeds and tabs too."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def shortened(text: str, most: int) -> str:
    """The text in at most `most` characters, with an ellipsis where some are left out.

    >>> shortened("linking phrases", 10)
    'linking p…'
    """
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def count(number: int, noun: str, plural: str = "") -> str:
    """The number and the noun.

    >>> count(1, "paper"), count(1204, "paper"), count(2, "study", "studies")
    ('1 paper', '1,204 papers', '2 studies')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def size(octets: int) -> str:
    """A number of bytes.

    >>> size(512), size(1_400_000)
    ('512 bytes', '1.4 MB')
    """
    if octets < 1000:
        return count(octets, "byte")
    value, unit = octets / 1e3, "kB"
    for larger in ("MB", "GB"):
        if value >= 999.5:
            value, unit = value / 1e3, larger
    return f"{value:,.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"


def chance(share: float) -> str:
    """A probability from 0.0 to 1.0 in percent; never shown as certain.

    >>> chance(0.81), chance(0.001), chance(1.0)
    ('81 %', '< 1 %', '> 99 %')
    """
    if share < 0.005:
        return "< 1 %"
    return "> 99 %" if share >= 0.995 else f"{share * 100:.0f} %"


def duration(seconds: float) -> str:
    """A time span.

    >>> duration(25), duration(180), duration(7800)
    ('25 s', '3 min', '2 h 10 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def listed(parts: Sequence[str]) -> str:
    """The parts as an English enumeration.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


def percent(share: float) -> str:
    """A share from 0.0 to 1.0 in percent; 0 % and 100 % are exact.

    >>> percent(0.0), percent(0.001), percent(0.42), percent(0.999), percent(1.0)
    ('0 %', 'under 1 %', '42 %', 'over 99 %', '100 %')
    """
    if 0 < share < 0.005:
        return "under 1 %"
    if 0.995 <= share < 1:
        return "over 99 %"
    return f"{share:.0%}".replace("%", " %")


def points(share: float) -> str:
    """A share in hundredths, without a unit: 0.681 is "68.1"."""
    return f"{100 * share:.1f}"
