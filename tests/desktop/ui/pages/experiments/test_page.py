"""The Experiments page: ready and past experiments, the form, the grid, and a run from the window."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop.ui.pages.experiments.page import ExperimentsPage
from desktop.ui.services.project_context import ProjectContext
from tests.desktop.ui.conftest import show_page


def test_the_ready_experiments_are_listed_by_their_questions(context: ProjectContext, qtbot: QtBot) -> None:
    page = ExperimentsPage(context)
    show_page(page, qtbot)
    qtbot.waitUntil(lambda: page.list.topLevelItemCount() > 0)
    titles = [item.text(0) for item in page.list._items()]
    assert titles[0] == "Is the task harder than it looks?"
    assert len(titles) == 11
