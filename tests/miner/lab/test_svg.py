"""Elements of SVG: lengths, texts that XML cannot hold, legends."""

from __future__ import annotations

from xml.etree import ElementTree

from miner.lab.svg import document, dots, legend, px, text

SVG = "{http://www.w3.org/2000/svg}"


def test_lengths_are_short_and_texts_stay() -> None:
    assert [px(value) for value in (3, 3.0, 2.25, 2.96, "3.0")] == ["3", "3", "2.2", "3", "3.0"]


def test_a_figure_is_read_whatever_its_texts_are() -> None:
    body = [text(1, 2, "a < b \x07&\ufffe c\n d", "end", "#FFFFFF", size=10, bold=True)]
    root = ElementTree.fromstring("\n".join(document('A "title"\x00 & more', 30, 20, body)))
    assert root.findtext(f"{SVG}title") == 'A "title" & more'
    words = root.find(f"{SVG}text")
    assert words is not None
    assert words.text == "a < b & c d"
    assert words.attrib == {
        "x": "1",
        "y": "2",
        "text-anchor": "end",
        "fill": "#FFFFFF",
        "font-size": "10",
        "font-weight": "bold",
    }


def test_a_legend_names_every_colour_in_order() -> None:
    lines = list(legend(10, 20, "colours", [("#000000", "black"), ("#FF0000", "red")], "2 pairs"))
    root = ElementTree.fromstring("\n".join(document("", 100, 100, lines)))
    assert [one.text for one in root.iter(f"{SVG}text")] == ["colours", "black", "red", "2 pairs"]
    assert [one.get("fill") for one in root.iter(f"{SVG}circle")] == ["#000000", "#FF0000"]
    assert [one.get("y") for one in root.iter(f"{SVG}text")] == ["20", "40", "58", "86"]


def test_dots_are_one_path() -> None:
    path = ElementTree.fromstring(dots([(1.5, 2.0), (3.0, 4.0)], "#0072B2", 2.4, 0.85))
    assert path.get("d") == "M1.5 2.0h.1 M3.0 4.0h.1"
    assert path.get("stroke") == "#0072B2"
