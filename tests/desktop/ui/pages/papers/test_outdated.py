"""A project of an earlier version in the window: it offers once to parse again, and mines nothing unasked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.jobs.mining.run import NO_MODEL
from desktop.jobs.open_project import OpenedProject, open_project
from desktop.jobs.papers.outdated import load_outdated
from desktop.jobs.papers.scan import scan_files
from desktop.ui.pages.mining.page import MiningPage
from desktop.ui.pages.papers.import_controller import ImportChoices, import_controller
from desktop.ui.pages.papers.page import PapersPage
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from tests.desktop.ui.conftest import show_page
from tests.old_project import make_old_project
from tests.sample_papers import SAMPLES


@pytest.fixture
def old(tmp_path: Path, open_context: Callable[[OpenedProject], ProjectContext]) -> ProjectContext:
    make_old_project(tmp_path / "old.pairwright", tmp_path / "papers")
    context = open_context(open_project(tmp_path / "old.pairwright").work(Progress()))
    context.settings_store.change(workers=1)
    return context


def open_page(context: ProjectContext, qtbot: QtBot) -> PapersPage:
    page = PapersPage(context)
    show_page(page, qtbot, height=700)
    qtbot.waitUntil(lambda: page.model.rowCount() >= 4 and not context.runner.running)
    return page


def pair_keys(context: ProjectContext) -> list[str]:
    with context.project.read_transaction() as stores:
        return [pair.key for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]


def mined_by(context: ProjectContext) -> str:
    with context.project.read_transaction() as stores:
        run = stores.mining_runs.current()
        assert run is not None
        return run.program


def test_one_click_parses_the_papers_again_and_mines_them(old: ProjectContext, qtbot: QtBot) -> None:
    page, program = open_page(old, qtbot), mined_by(old)
    assert page.next_step.text() == (
        "4 papers were parsed by an earlier version. Parsed and mined again, they get titles, authors, years and "
        "journals from their pages, whole words and cleaner pairs; all answers are kept."
    )
    assert mined_by(old) == program
    assert old.actions["papers.outdated"].isEnabled()
    page.next_step.button.click()
    qtbot.waitUntil(lambda: page.next_step.button.text() == "Review" and not old.runner.running, timeout=60_000)
    assert load_outdated(old.project).work(Progress()) == (0, False, False)
    assert not old.actions["papers.outdated"].isEnabled()
    assert mined_by(old) != program


def test_the_offer_is_made_once(old: ProjectContext, qtbot: QtBot) -> None:
    page = open_page(old, qtbot)
    page.next_step.close_button.click()
    assert page.next_step.isHidden()
    qtbot.waitUntil(lambda: not old.runner.running)
    again = open_page(old, qtbot)
    assert again.next_step.isHidden()
    assert load_outdated(old.project).work(Progress()).papers == 4, "nothing was parsed"
    assert old.actions["papers.outdated"].isEnabled(), "it can still be asked for"


def test_a_read_only_project_is_not_offered_it(old: ProjectContext, qtbot: QtBot) -> None:
    old.read_only = True
    page = open_page(old, qtbot)
    assert page.next_step.isHidden()
    assert not old.actions["papers.outdated"].isEnabled()


def test_an_added_paper_does_not_mine_the_others_unasked(old: ProjectContext, qtbot: QtBot) -> None:
    page, program, before = open_page(old, qtbot), mined_by(old), pair_keys(old)
    page.next_step.close_button.click()
    scanned = scan_files(old.project, [SAMPLES / "coastal" / "permeable-groynes.pdf"]).work(Progress())
    import_controller(old).add(scanned, ImportChoices(domain="coastal"))
    qtbot.waitUntil(lambda: page.next_step.button.text() == "Mine now" and not old.runner.running, timeout=60_000)
    text = " wait to be mined. The mining rules are newer, so all 5 papers are mined again; all answers are kept."
    assert page.next_step.text().replace(" waits", " wait").endswith(text)
    assert (mined_by(old), pair_keys(old)) == (program, before)
    page.next_step.button.click()
    qtbot.waitUntil(lambda: page.next_step.button.text() == "Review" and not old.runner.running, timeout=60_000)
    assert mined_by(old) != program


def test_the_mining_page_says_that_the_rules_are_older_and_can_mine_again(old: ProjectContext, qtbot: QtBot) -> None:
    page = MiningPage(old, model=NO_MODEL)
    qtbot.addWidget(page)
    page.resize(960, 620)
    page.show()
    page.activate()
    said = "All 4 papers are mined with the rules of an earlier version."
    qtbot.waitUntil(lambda: page.state.text == f"{said} Mining again uses the new rules; answers are kept.")
    assert page.button.isEnabled()
    qtbot.waitUntil(
        lambda: page.effect.status.text().endswith(" sentences, before and after with the rules of this version")
    )
    assert "of the sample's" in page.effect.rare_class.sentence.text(), "the project's pairs are of the older rules"
    page.button.click()
    qtbot.waitUntil(lambda: page.state.text == "All 4 papers are mined with these settings.", timeout=60_000)
    qtbot.waitUntil(lambda: page._last_effect is not None and not old.runner.running, timeout=60_000)
    page.close_sampler()
