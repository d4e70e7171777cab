from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.judging.side_panel import SidePanel
from desktop.ui.services.project_context import ProjectContext


def test_without_room_for_both_the_pair_and_the_panel_do_not_overlap(context: ProjectContext, qtbot: QtBot) -> None:
    side, main = SidePanel(context), QWidget()
    qtbot.addWidget(side)
    side.set_main(main)
    side.resize(500, 400)
    side.show()
    side.toggle("guide")
    qtbot.waitUntil(lambda: side.panels.width() > 0 and main.geometry().right() < side.panels.geometry().left())
    assert side.width() == 500  # else the page would be narrower than the two
    assert side.panels.geometry().right() <= side.rect().right()
    side.resize(1000, 400)
    assert (main.minimumWidth(), side.panels.minimumWidth()) == (400, 280)
