"""Figures as SVG: well-formed, the same bytes each time, and drawn by Qt without a complaint."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray
from PySide6.QtSvg import QSvgRenderer

from miner.lab.experiments.figures import (
    Bar,
    HeatCell,
    Line,
    bar_chart,
    heat_map,
    learning_curve,
    precision_recall_chart,
)

NAMES = st.text(max_size=80)
PERCENT = st.floats(0, 100)
BARS = st.lists(st.builds(Bar, NAMES, PERCENT, st.none() | PERCENT), max_size=6)
CELLS = st.none() | st.builds(HeatCell, NAMES, st.floats(-1, 2), NAMES, st.booleans())
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def assert_drawn(svg: str) -> None:
    root = ElementTree.fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for one in root.iter():
        for name, most in (("x", width), ("y", height), ("cx", width), ("cy", height)):
            assert 0 <= float(one.attrib.get(name, 0)) <= most
    assert all(path.attrib["d"] for path in root.iter(f"{SVG}path"))
    assert QSvgRenderer(QByteArray(svg.encode())).isValid()


@given(
    NAMES, st.lists(st.tuples(NAMES, st.lists(st.floats(0, 1), min_size=3, max_size=3)), max_size=5), st.floats(0, 1)
)
def test_precision_is_drawn_by_recall_with_what_chance_has(
    title: str, lines: list[tuple[str, list[float]]], share: float
) -> None:
    svg = precision_recall_chart(title, (0.0, 0.5, 1.0), lines, share)
    assert_drawn(svg)
    assert f"by chance, {100 * share:.0f} %" in texts(svg)


@given(NAMES, BARS)
def test_bars_are_drawn_whatever_they_are_called(title: str, bars: list[Bar]) -> None:
    svg = bar_chart(title, bars, "macro F1")
    assert_drawn(svg)
    assert svg == bar_chart(title, bars, "macro F1")
    assert len(ElementTree.fromstring(svg).findall(f"{SVG}rect")) == 1 + len(bars)


@given(st.data(), st.integers(1, 4), st.integers(1, 4))
def test_every_cell_of_a_heat_map_is_drawn(data: st.DataObject, rows: int, columns: int) -> None:
    cells = data.draw(st.lists(st.lists(CELLS, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    names = data.draw(st.lists(NAMES, min_size=rows + columns, max_size=rows + columns))
    assert_drawn(heat_map("A <b> & c", names[:rows], names[rows:], cells, "label", "predicted", "A note."))


def test_a_curve_of_nothing_but_100_percent_is_drawn() -> None:
    assert_drawn(learning_curve("Curve", ["40"], [Line("", (Bar("", 100.0, None),))], "macro F1"))


@given(st.lists(st.integers(1, 100_000), min_size=1, max_size=5, unique=True), st.data())
def test_every_point_of_a_curve_is_drawn(numbers: list[int], data: st.DataObject) -> None:
    sizes = [f"{number:,}" for number in sorted(numbers)]
    points = st.none() | st.builds(Bar, st.just(""), PERCENT, st.none() | st.floats(0, 30))
    line = st.builds(Line, NAMES, st.lists(points, min_size=len(sizes), max_size=len(sizes)).map(tuple))
    assert_drawn(learning_curve("Curve", sizes, data.draw(st.lists(line, max_size=5)), "macro F1"))


def test_texts_are_escaped_and_long_names_keep_their_end() -> None:
    name = "A system with a name that is longer than a figure has room for, trained on <kelp> & reef"
    found = texts(bar_chart("a < b & c", [Bar(name, 71.25, 0.4)], "macro F1"))
    assert found[0] == "a < b & c"
    assert "71.2 ± 0.4" in found
    [shown] = [one for one in found if "…" in one]
    assert shown.startswith("A system with")
    assert shown.endswith("<kelp> & reef")


@pytest.mark.parametrize("bad", ["\x00\x07", "\ud800", "\ufffe", "\n\t"])
def test_characters_that_xml_cannot_hold_are_left_out(bad: str) -> None:
    assert "ab" in "".join(texts(bar_chart(f"a{bad}b", [], ""))).replace(" ", "")
