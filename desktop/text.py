"""Formats numbers, sizes, times and lists for people, names directions, and escapes text for terminals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop.translation import counted, tr

DIRECTIONS = {  # by `miner.kinds.taxonomy.Direction`
    "forward": tr("premise entails hypothesis"),
    "backward": tr("hypothesis entails premise"),
    "both": tr("each entails the other"),
    "neither": tr("neither entails the other"),
    "unclear": tr("unclear"),
    "": tr("not known"),
}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # except tab and line feed


def visible(text: str) -> str:
    """The text with control and writing direction characters escaped."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    """Like `visible`, with line feeds and tabs escaped too."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def shortened(text: str, max_length: int) -> str:
    """The text in at most `max_length` characters, with an ellipsis if it was cut.

    >>> shortened("linking phrases", 10)
    'linking p…'
    """
    return text if len(text) <= max_length else f"{text[: max_length - 1].rstrip()}…"


def count(number: int, noun: str, plural: str = "") -> str:
    """The number and the noun.

    >>> count(1, "paper"), count(1204, "paper"), count(2, "study", "studies")
    ('1 paper', '1,204 papers', '2 studies')
    """
    return counted(number, noun, plural or noun + "s")


def size(byte_count: int) -> str:
    """A number of bytes in decimal units.

    >>> size(512), size(1_400_000)
    ('512 bytes', '1.4 MB')
    """
    if byte_count < 1000:
        return count(byte_count, "byte")
    value, unit = byte_count / 1e3, "kB"
    for larger in ("MB", "GB"):
        if value >= 999.5:
            value, unit = value / 1e3, larger
    return f"{value:,.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"


def chance(probability: float) -> str:
    """A probability from 0.0 to 1.0 in percent; never as 0 % or 100 %.

    >>> chance(0.81), chance(0.001), chance(1.0)
    ('81 %', '< 1 %', '> 99 %')
    """
    if probability < 0.005:
        return "< 1 %"
    return "> 99 %" if probability >= 0.995 else f"{probability * 100:.0f} %"


def duration(seconds: float) -> str:
    """A time span.

    >>> duration(25), duration(180), duration(7800)
    ('25 s', '3 min', '2 h 10 min')
    """
    if seconds < 90:
        return tr("{seconds:.0f} s", seconds=seconds)
    minutes = round(seconds / 60)
    if minutes < 90:
        return tr("{minutes} min", minutes=minutes)
    return tr("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)


def listed(parts: Sequence[str]) -> str:
    """The parts as an English enumeration.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    if len(parts) < 2:
        return "".join(parts)
    return tr("{parts} and {last}", parts=", ".join(parts[:-1]), last=parts[-1])


def either(parts: Sequence[str]) -> str:
    """The parts as an English enumeration of alternatives.

    >>> either(["a", "b", "c"])
    'a, b or c'
    """
    return tr("{parts} or {last}", parts=", ".join(parts[:-1]), last=parts[-1])


def percent(share: float) -> str:
    """A share from 0.0 to 1.0 in percent; as 0 % or 100 % only if it is exactly that.

    >>> percent(0.0), percent(0.001), percent(0.42), percent(0.999), percent(1.0)
    ('0 %', 'under 1 %', '42 %', 'over 99 %', '100 %')
    """
    if 0 < share < 0.005:
        return tr("under 1 %")
    if 0.995 <= share < 1:
        return tr("over 99 %")
    return f"{share:.0%}".replace("%", " %")


def points(share: float) -> str:
    """A share in hundredths, without a unit: 0.681 is "68.1"."""
    return f"{100 * share:.1f}"
