"""Review pages: `make_page` makes one, `page` is one in a round of twelve pairs of which none is answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.services.project_context import ProjectContext
from tests.desktop.ui.conftest import show_page
from tests.desktop.ui.judging.page_helpers import TWELVE_PAIRS


@pytest.fixture
def make_page(
    qtbot: QtBot, context: ProjectContext, wait_until_idle: Callable[[ReviewPage], None]
) -> Callable[[], ReviewPage]:
    def make() -> ReviewPage:
        page = ReviewPage(context)
        show_page(page, qtbot)
        wait_until_idle(page)
        return page

    return make


@pytest.fixture
def page(make_page: Callable[[], ReviewPage], wait_until_idle: Callable[[ReviewPage], None]) -> ReviewPage:
    page = make_page()
    page.start_round(TWELVE_PAIRS)
    wait_until_idle(page)
    return page
