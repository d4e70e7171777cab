"""A context on a project of one paper, whose PDF a test may move or change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.jobs.papers.pdfs import PdfCache, render_page
from desktop.ui.evidence.panel import EvidencePanel
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from tests.desktop.evidence_factory import copy_project, keys, make_template


@pytest.fixture(scope="session")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("ferries"))


@pytest.fixture
def pdf(ferries: Path, tmp_path: Path) -> Path:
    return copy_project(ferries, tmp_path / "given")[1]


@pytest.fixture
def project_path(pdf: Path) -> Path:
    return pdf.parent.parent / "ferries.pairwright"


@pytest.fixture
def panel(context: ProjectContext, pdf: Path, qtbot: QtBot) -> Iterator[EvidencePanel]:
    render_page(PdfCache(), pdf, 1, 0.1).work(Progress())  # the first process of a session takes seconds to start
    panel = EvidencePanel(context)
    qtbot.addWidget(panel)
    panel.resize(560, 800)
    with qtbot.waitExposed(panel):
        panel.show()
    yield panel
    panel.show_pair(None)


@pytest.fixture
def key_of(context: ProjectContext) -> Callable[[str], str]:
    """The key of the pair whose hypothesis starts like this."""
    known = keys(context.project)
    return lambda start: next(key for text, key in known.items() if text.startswith(start))


@pytest.fixture
def show(panel: EvidencePanel, key_of: Callable[[str], str], qtbot: QtBot) -> Callable[[str], None]:
    """Shows the pair whose hypothesis starts like this, and waits until it is on screen, the page drawn or a notice."""

    def show_it(start: str) -> None:
        panel.show_pair(key_of(start))
        wait_until_idle(panel, qtbot)

    return show_it


def wait_until_idle(panel: EvidencePanel, qtbot: QtBot) -> None:
    def is_idle() -> bool:
        drawn = panel.page_stack.currentWidget() is panel.page_placeholder or panel.page.is_sharp
        return panel.is_idle and drawn

    qtbot.waitUntil(is_idle, timeout=5000)
