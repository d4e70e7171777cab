"""Elements of SVG for the figures for papers: the document, texts, shapes and a legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from miner.colors import INK

Length = float | str
"""A number of pixels, which is written without a final ".0"; or text, which is written unchanged."""


def document(title: str, width: int, height: int, body: Iterable[str], font: str = "sans-serif") -> Iterator[str]:
    """The lines of an SVG file. title: for screen readers and tooltips; not drawn."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{font}" font-size="12" fill="{INK}">'
    )
    yield f"<title>{_escaped(title)}</title>"
    yield from body
    yield "</svg>"


def text(
    x: Length, y: Length, words: str, anchor: str = "start", color: str = INK, *, size: int = 0, bold: bool = False
) -> str:
    """A line of text. anchor: the part at x, "start", "middle" or "end". size: in pixels, 0 for the document's."""
    more = f' text-anchor="{anchor}"' if anchor != "start" else ""
    more += f' fill="{color}"' if color != INK else ""
    more += f' font-size="{size}"' if size else ""
    more += ' font-weight="bold"' if bold else ""
    return f'<text x="{px(x)}" y="{px(y)}"{more}>{_escaped(words)}</text>'


def upright(x: Length, y: Length, words: str) -> str:
    """A line of text turned by 90 degrees, to be read upwards, with its middle at y."""
    place = f"translate({px(x)} {px(y)}) rotate(-90)"
    return f'<text transform="{place}" text-anchor="middle">{_escaped(words)}</text>'


def rectangle(x: Length, y: Length, width: Length, height: Length, color: str) -> str:
    """A filled rectangle. x, y: of its upper left corner."""
    box = f'x="{px(x)}" y="{px(y)}" width="{px(width)}" height="{px(height)}"'
    return f'<rect {box} fill="{color}"/>'


def dots(places: Iterable[tuple[float, float]], color: str, width: float, opacity: float) -> str:
    """Dots of the same colour and width in a single path. places: (x, y), written unchanged."""
    path = " ".join(f"M{x} {y}h.1" for x, y in places)
    return (
        f'<path d="{path}" stroke="{color}" stroke-width="{width}" stroke-linecap="round" stroke-opacity="{opacity}"/>'
    )


def legend(left: int, top: int, heading: str, entries: Iterable[tuple[str, str]], foot: str) -> Iterator[str]:
    """A heading, a row for each (colour, words), and a last line. top: the baseline of the heading."""
    yield text(left, top, heading)
    y = top + 20
    for color, words in entries:
        yield f'<circle cx="{left + 5}" cy="{y - 4}" r="4.5" fill="{color}"/>'
        yield text(left + 16, y, words)
        y += 18
    yield text(left, y + 10, foot)


def px(value: Length) -> str:
    """The text of a length in the file."""
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def _escaped(words: str) -> str:
    """The words escaped, with single spaces, without the characters that XML cannot hold."""
    spaced = " ".join(words.split())
    return escape(
        "".join(
            one
            for one in spaced
            if one >= " " and one != "\x7f" and not 0xD800 <= ord(one) <= 0xDFFF and one not in "\ufffe\uffff"
        )
    )
