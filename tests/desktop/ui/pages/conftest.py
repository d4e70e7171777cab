"""`app` is the page that a module's fixture `page` shows, under a person's hands."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from tests.desktop.ui.app_driver import App


@pytest.fixture
def app(page: Page, context: ProjectContext, qtbot: QtBot) -> App:
    return App(page, context, qtbot)
