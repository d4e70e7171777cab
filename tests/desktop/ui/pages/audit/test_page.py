"""The Audit page: empty, running, with findings, out of date, and read-only."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.open_project import open_project
from desktop.jobs.pairs.audit import AuditOptions, audit
from desktop.ui.pages.audit.figures import finding_figure
from desktop.ui.pages.audit.page import AuditPage
from desktop.ui.services.project_context import ProjectContext
from miner.audit.report import AuditedLabels, AuditQuestion, Finding
from miner.progress import Progress
from miner.records import HypothesisTrait, Label
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.ui.conftest import pop_problems, show_page
from tests.miner.audit.planted import Artefacts, planted_pairs, write_csv

ShowPage = Callable[[ProjectContext], AuditPage]


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a project that has a capital in half of its neutral pairs, before an audit and after it."""
    folder = tmp_path_factory.mktemp("planted")
    with Project.create(folder / "planted.pairwright") as project:
        file = write_csv(folder / "a.csv", planted_pairs(60, Artefacts(capital=(Label.NEUTRAL, 0.5))))
        import_data_sets(project, [file], "soil").work(Progress())
    shutil.copy(folder / "planted.pairwright", folder / "audited.pairwright")
    with Project.open(folder / "audited.pairwright") as project:
        audit(project, AuditOptions()).work(Progress())
    return folder


@pytest.fixture
def planted(templates: Path, tmp_path: Path, open_context: Callable[..., ProjectContext]) -> ProjectContext:
    """A project that was not audited yet."""
    path = Path(shutil.copy(templates / "planted.pairwright", tmp_path))
    return open_context(open_project(path).work(Progress()))


@pytest.fixture
def open_page(qtbot: QtBot) -> ShowPage:
    def build(context: ProjectContext) -> AuditPage:
        page = AuditPage(context)
        show_page(page, qtbot, 1000, 700)
        qtbot.waitUntil(lambda: not page.is_busy)
        return page

    return build


@pytest.fixture
def audited(
    templates: Path, tmp_path: Path, open_context: Callable[..., ProjectContext], open_page: ShowPage
) -> AuditPage:
    """The page of a project with an audit."""
    path = Path(shutil.copy(templates / "audited.pairwright", tmp_path))
    return open_page(open_context(open_project(path).work(Progress())))


def rows(page: AuditPage) -> list[str]:
    root = page.findings.invisibleRootItem()
    return [item.text(0) for index in range(root.childCount()) if (item := root.child(index)) is not None]


def test_an_empty_project_says_what_an_audit_needs(empty_context: ProjectContext, open_page: ShowPage) -> None:
    page, asked = open_page(empty_context), []
    assert page.no_pairs.isVisible()
    assert not page.is_action_enabled("run")
    empty_context.page_requested.connect(asked.append)
    page.no_pairs.button.click()
    assert asked == ["papers"]


def test_before_the_first_audit_the_page_says_what_it_is_for(planted: ProjectContext, open_page: ShowPage) -> None:
    page = open_page(planted)
    assert page.no_audit.isVisible()
    assert page.no_audit.button.text() == "Audit 240 pairs"
    assert not page.controls.isVisible()


def test_the_worst_finding_is_shown_first_with_its_pairs(
    planted: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    page = open_page(planted)
    page.no_audit.button.click()
    qtbot.waitUntil(lambda: not page.is_busy)
    assert rows(page)[:3] == ["Fix before release · 1", "First letter", "Fine · 13"]
    assert page.subtitle.text() == "1 to fix before release and 13 fine."
    finding = page.findings.finding
    assert finding is not None
    assert finding.question is AuditQuestion.CAPITAL
    assert page.view.verdict.text() == "Fix before release"
    assert "begin with a capital" in page.view.found.text()
    assert "casing" in page.view.advice.text()
    hits = next(row.hits for row in finding.rows if row.label == Label.NEUTRAL)
    assert page.view.pairs_button.text() == f"Show {hits} neutral pairs"
    with qtbot.waitSignal(page.context.pairs_requested) as opened:
        page.view.pairs_button.click()
    assert opened.args is not None
    shown: PairFilter = opened.args[0]
    assert (shown.traits, shown.labels) == (frozenset((HypothesisTrait.CAPITAL,)), frozenset((Label.NEUTRAL,)))
    with page.context.project.read_transaction() as stores:
        assert stores.pair_table.count(shown) == hits


def test_every_finding_has_a_figure_whose_marks_have_notes(audited: AuditPage) -> None:
    assert audited.report is not None
    for finding in audited.report.findings:
        audited.findings.choose(finding.question)
        card = audited.view.card
        assert card is not None
        assert card.summary
        marks = list(finding_figure(audited.report, finding).marks())
        assert all(mark.note for mark in marks)
        assert all(isinstance(mark.opens, PairFilter | None) for mark in marks)
        assert len(card.tsv().splitlines()) > 3


def test_keys_go_from_finding_to_finding(audited: AuditPage) -> None:
    audited.findings.setFocus()
    seen: list[Finding | None] = []
    for _ in range(3):
        seen.append(audited.findings.finding)
        QTest.keyClick(audited.findings, Qt.Key.Key_Down)
    assert len({finding.question for finding in seen if finding is not None}) == 3
    assert audited.findings.finding is not None
    assert audited.view.title.text() == audited.findings.currentItem().text(0)


def test_numbers_are_copied(audited: AuditPage) -> None:
    audited.context.actions["audit.copy"].trigger()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Class\tWith the property\tPairs\tShare\tFrom\tTo\ncontrasting\t")


def test_the_last_audit_is_there_again_and_says_when_it_is_old(
    audited: AuditPage, open_page: ShowPage, qtbot: QtBot, tmp_path: Path
) -> None:
    again = open_page(audited.context)
    assert again.report == audited.report
    assert not again.notice.isVisible()
    more = write_csv(tmp_path / "more.csv", planted_pairs(4, seed=5))
    import_data_sets(audited.context.project, [more], "ice").work(Progress())
    audited.context.events.changed.emit(Changes(pairs=True))
    qtbot.waitUntil(again.notice.isVisible)
    assert "have changed since" in again.notice.text
    again.controls.domains.setCurrentIndex(again.controls.domains.findData("soil"))
    again.controls.button.click()
    qtbot.waitUntil(lambda: not again.is_busy)
    assert again.report is not None
    assert (again.report.domain, again.report.pairs) == ("soil", 240)
    assert not again.notice.isVisible()


def test_a_stopped_audit_leaves_the_one_before(audited: AuditPage, qtbot: QtBot) -> None:
    before = audited.report
    audited.audit()
    assert audited.controls.stop.isVisible()
    assert not audited.is_action_enabled("run")
    audited.controls.stop.click()
    assert audited.controls.progress_text.text() == "Stopping…"
    qtbot.waitUntil(lambda: not audited.is_busy)
    assert audited.report is before
    assert not audited.controls.stop.isVisible()


def test_what_cannot_be_audited_is_said_on_the_page(audited: AuditPage, qtbot: QtBot) -> None:
    audited.controls.choose(AuditedLabels.GOLD, None)
    audited.controls.button.click()
    qtbot.waitUntil(lambda: not audited.is_busy)
    assert audited.notice.text.startswith("No pairs have a gold label.")
    assert audited.report is not None
    pop_problems(audited.context.problems)


def test_a_project_that_can_only_be_read_is_audited_for_as_long_as_it_is_open(
    planted: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    planted.read_only = True
    page = open_page(planted)
    page.audit()
    qtbot.waitUntil(lambda: not page.is_busy)
    page.refresh(Changes(pairs=True))
    qtbot.waitUntil(lambda: not page.is_busy)
    assert page.report is not None
    assert open_page(planted).report is None
