"""`page` is the Pairs page of the sample papers, shown and read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.services.project_context import ProjectContext
from tests.desktop.ui.conftest import show_page


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[[PairsPage], None]) -> PairsPage:
    page = PairsPage(context)
    show_page(page, qtbot, height=700)
    page.setFocus()
    wait_until_idle(page)
    return page
