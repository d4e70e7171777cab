"""The page: turned, zoomed, drawn sharply, within bounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.jobs.papers.evidence import SentenceRole
from desktop.jobs.papers.pdfs import PageImage
from desktop.ui.evidence.page_view import LARGEST, SMALLEST, STEP
from desktop.ui.evidence.panel import EvidencePanel
from desktop.ui.evidence.pictures import Pictures
from tests.desktop.evidence_factory import FERRIES, OVERLEAF
from tests.desktop.ui.evidence.conftest import settle

Show = Callable[[str], None]


def picture(page: int, side: int = 10) -> PageImage:
    return PageImage(Path("a.pdf"), page, 1.0, side, side, side * 4, memoryview(bytes(side * side * 4)))


def test_keys_turn_pages(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    show(FERRIES)
    qtbot.keyClick(panel.page, Qt.Key.Key_PageDown)
    assert panel.page.page == 2
    assert panel.bar.number.text() == "page 2 of 2"
    qtbot.keyClick(panel.page, Qt.Key.Key_PageDown)
    assert panel.page.page == 2
    assert not panel.bar.next.isEnabled()
    qtbot.keyClick(panel.page, Qt.Key.Key_PageUp)
    assert panel.page.page == 1
    settle(panel, qtbot)


def test_buttons_jump_from_premise_to_hypothesis_and_back(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    show(OVERLEAF)
    assert panel.page.page == 1
    panel.bar.jumps[SentenceRole.HYPOTHESIS].click()
    assert panel.page.page == 2
    panel.bar.jumps[SentenceRole.PREMISE].click()
    assert panel.page.page == 1
    settle(panel, qtbot)


def test_keys_zoom(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    show(FERRIES)
    fitted = panel.page.shown_zoom
    assert panel.page.zoom is None
    qtbot.keyClick(panel.page, Qt.Key.Key_Plus)
    assert panel.page.shown_zoom == pytest.approx(fitted * STEP)
    qtbot.keyClick(panel.page, Qt.Key.Key_Minus)
    assert panel.page.shown_zoom == pytest.approx(fitted)
    panel.bar.percent.click()
    assert panel.page.zoom == 1.0
    assert panel.bar.percent.text() == "100 %"
    qtbot.keyClick(panel.page, Qt.Key.Key_W)
    assert panel.page.zoom is None
    assert panel.bar.fit.isChecked()
    settle(panel, qtbot)


def test_the_column_with_the_sentences_fills_the_width_and_w_shows_the_page(
    panel: EvidencePanel, show: Show, qtbot: QtBot
) -> None:
    panel.resize(420, 600)
    show(FERRIES)
    page = panel.page
    here = [strip for strip in page._strips if strip.page == page.page]
    left, right = min(strip.left for strip in here), max(strip.right for strip in here)
    column = page.shown_zoom
    assert (right - left) * page._per_point() <= page.viewport().width()
    qtbot.keyClick(page, Qt.Key.Key_W)
    assert page.zoom is None
    assert page.shown_zoom < column
    assert page.horizontalScrollBar().maximum() == 0
    qtbot.keyClick(page, Qt.Key.Key_W)
    assert page.shown_zoom == pytest.approx(column)
    settle(panel, qtbot)


def test_zoom_has_ends(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    show(FERRIES)
    panel.page.set_zoom(100.0)
    assert panel.page.zoom == LARGEST
    assert not panel.bar.into.isEnabled()
    panel.page.set_zoom(0.001)
    assert panel.page.zoom == SMALLEST
    settle(panel, qtbot)


def test_control_and_wheel_zoom_where_the_pointer_is(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    show(FERRIES)
    before = panel.page.shown_zoom
    at = QPointF(100, 100)
    event = QWheelEvent(
        at,
        panel.page.viewport().mapToGlobal(at),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(panel.page.viewport(), event)
    assert panel.page.shown_zoom == pytest.approx(before * STEP**2)
    settle(panel, qtbot)


def test_a_page_is_drawn_anew_for_its_zoom_and_once_for_many_steps(
    panel: EvidencePanel, show: Show, qtbot: QtBot
) -> None:
    show(FERRIES)
    wanted: list[tuple[int, float]] = []
    panel.page.picture_wanted.connect(lambda page, scale: wanted.append((page, scale)))
    for _ in range(4):
        panel.page.zoom_in()
    assert not panel.page.is_sharp
    settle(panel, qtbot)
    assert len(wanted) == 1


def test_the_marks_are_in_locations(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    panel.page.set_zoom(3.0)
    show(OVERLEAF)
    panel.page.scroll_to_role(SentenceRole.HYPOTHESIS)
    view = panel.page
    assert view.locations is not None
    box = view.locations.boxes[SentenceRole.HYPOTHESIS][0]
    top = box.y0 * 4 - view.verticalScrollBar().value()
    assert 0 <= top <= view.viewport().height()
    settle(panel, qtbot)


def test_pictures_are_kept_within_bounds() -> None:
    pictures = Pictures()
    for page in range(1, 31):
        pictures.put(picture(page))
    assert len(pictures) == 6
    assert pictures.get(Path("a.pdf"), 30) is not None
    assert pictures.get(Path("a.pdf"), 1) is None
    for page in range(1, 4):
        pictures.put(picture(page, side=4000))
    assert len(pictures) == 1


def test_the_picture_last_looked_at_is_kept_longest() -> None:
    pictures = Pictures()
    for page in range(1, 7):
        pictures.put(picture(page))
    pictures.get(Path("a.pdf"), 1)
    pictures.put(picture(7))
    assert pictures.get(Path("a.pdf"), 1) is not None
    assert pictures.get(Path("a.pdf"), 2) is None
