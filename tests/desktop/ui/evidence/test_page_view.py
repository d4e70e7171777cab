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
from desktop.ui.evidence.page_view import MAX_ZOOM, MIN_ZOOM, ZOOM_STEP, PageImageCache
from desktop.ui.evidence.panel import EvidencePanel
from tests.desktop.evidence_factory import FERRIES, OVERLEAF
from tests.desktop.ui.evidence.conftest import wait_until_idle

Show = Callable[[str], None]


def page_image(page: int, side: int = 10) -> PageImage:
    return PageImage(Path("a.pdf"), page, 1.0, side, side, side * 4, memoryview(bytes(side * side * 4)))


def test_keys_turn_pages(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    show(FERRIES)
    qtbot.keyClick(panel.page, Qt.Key.Key_PageDown)
    assert panel.page.page == 2
    assert panel.page_bar.page_label.text() == "page 2 of 2"
    qtbot.keyClick(panel.page, Qt.Key.Key_PageDown)
    assert panel.page.page == 2
    assert not panel.page_bar.next_button.isEnabled()
    qtbot.keyClick(panel.page, Qt.Key.Key_PageUp)
    assert panel.page.page == 1
    wait_until_idle(panel, qtbot)


def test_buttons_jump_from_premise_to_hypothesis_and_back(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    show(OVERLEAF)
    assert panel.page.page == 1
    panel.page_bar.jump_buttons[SentenceRole.HYPOTHESIS].click()
    assert panel.page.page == 2
    panel.page_bar.jump_buttons[SentenceRole.PREMISE].click()
    assert panel.page.page == 1
    wait_until_idle(panel, qtbot)


def test_keys_zoom(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    show(FERRIES)
    fitted = panel.page.effective_zoom
    assert panel.page.zoom is None
    qtbot.keyClick(panel.page, Qt.Key.Key_Plus)
    assert panel.page.effective_zoom == pytest.approx(fitted * ZOOM_STEP)
    qtbot.keyClick(panel.page, Qt.Key.Key_Minus)
    assert panel.page.effective_zoom == pytest.approx(fitted)
    panel.page_bar.zoom_button.click()
    assert panel.page.zoom == 1.0
    assert panel.page_bar.zoom_button.text() == "100 %"
    qtbot.keyClick(panel.page, Qt.Key.Key_W)
    assert panel.page.zoom is None
    assert panel.page_bar.fit_button.isChecked()
    wait_until_idle(panel, qtbot)


def test_the_column_with_the_sentences_fills_the_width_and_w_shows_the_page(
    panel: EvidencePanel, show: Show, qtbot: QtBot
) -> None:
    panel.resize(420, 600)
    show(FERRIES)
    page = panel.page
    parts_on_page = [part for part in page._parts if part.page == page.page]
    left, right = min(part.left for part in parts_on_page), max(part.right for part in parts_on_page)
    column = page.effective_zoom
    assert (right - left) * page._pixels_per_point() <= page.viewport().width()
    qtbot.keyClick(page, Qt.Key.Key_W)
    assert page.zoom is None
    assert page.effective_zoom < column
    assert page.horizontalScrollBar().maximum() == 0
    qtbot.keyClick(page, Qt.Key.Key_W)
    assert page.effective_zoom == pytest.approx(column)
    wait_until_idle(panel, qtbot)


def test_zoom_is_limited(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    show(FERRIES)
    panel.page.set_zoom(100.0)
    assert panel.page.zoom == MAX_ZOOM
    assert not panel.page_bar.zoom_in_button.isEnabled()
    panel.page.set_zoom(0.001)
    assert panel.page.zoom == MIN_ZOOM
    wait_until_idle(panel, qtbot)


def test_control_and_wheel_zoom_where_the_pointer_is(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    show(FERRIES)
    before = panel.page.effective_zoom
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
    assert panel.page.effective_zoom == pytest.approx(before * ZOOM_STEP**2)
    wait_until_idle(panel, qtbot)


def test_a_page_is_drawn_anew_for_its_zoom_and_once_for_many_steps(
    panel: EvidencePanel, show: Show, qtbot: QtBot
) -> None:
    show(FERRIES)
    requests: list[tuple[int, float]] = []
    panel.page.image_requested.connect(lambda page, scale: requests.append((page, scale)))
    for _ in range(4):
        panel.page.zoom_in()
    assert not panel.page.is_sharp
    wait_until_idle(panel, qtbot)
    assert len(requests) == 1


def test_the_marks_are_in_locations(panel: EvidencePanel, show: Show, qtbot: QtBot) -> None:
    panel.page.set_zoom(3.0)
    show(OVERLEAF)
    panel.page.scroll_to_role(SentenceRole.HYPOTHESIS)
    view = panel.page
    assert view.locations is not None
    box = view.locations.boxes[SentenceRole.HYPOTHESIS][0]
    top = box.y0 * 4 - view.verticalScrollBar().value()
    assert 0 <= top <= view.viewport().height()
    wait_until_idle(panel, qtbot)


def test_the_image_cache_is_bounded() -> None:
    cache = PageImageCache()
    for page in range(1, 31):
        cache.add(page_image(page))
    assert len(cache) == 6
    assert cache.get(Path("a.pdf"), 30) is not None
    assert cache.get(Path("a.pdf"), 1) is None
    for page in range(1, 4):
        cache.add(page_image(page, side=4000))
    assert len(cache) == 1


def test_the_cache_keeps_the_most_recently_used_image() -> None:
    cache = PageImageCache()
    for page in range(1, 7):
        cache.add(page_image(page))
    cache.get(Path("a.pdf"), 1)
    cache.add(page_image(7))
    assert cache.get(Path("a.pdf"), 1) is not None
    assert cache.get(Path("a.pdf"), 2) is None
