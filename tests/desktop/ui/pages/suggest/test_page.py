"""The Suggest page: one click gives every pair a suggestion, and every number leads to its pairs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.jobs.models import suggestions
from desktop.jobs.open_project import open_project
from desktop.ui.pages.suggest.page import SuggestPage
from desktop.ui.plots.figures import PlotMark
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from storage.pairs.filters import PairFilter
from tests.desktop.model_factory import make_encoder, make_model
from tests.desktop.ui.conftest import taken

_LONG = 120_000  # ms: a process that imports torch while others want the processor too


@pytest.fixture(scope="module", autouse=True)
def _cooled() -> Iterator[None]:
    yield
    suggestions.release_model()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("models") / "tiny")


def shown(page: Page, qtbot: QtBot) -> None:
    qtbot.addWidget(page)
    page.resize(960, 620)
    page.show()
    page.activate()
    settled(page, qtbot)


def settled(page: Page, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.context.runner.running and not page._later.isActive(), timeout=_LONG)


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot, tiny: Path) -> SuggestPage:
    """With a model of the tests chosen; nothing suggested yet."""
    context.requested_model = str(tiny)
    page = SuggestPage(context)
    shown(page, qtbot)
    return page


def suggested(page: SuggestPage, qtbot: QtBot) -> None:
    (page.first.button if page.first.isVisible() else page.chooser.button).click()
    assert page._run is not None
    qtbot.waitUntil(lambda: page._run is None, timeout=_LONG)
    settled(page, qtbot)


def pairs(page: SuggestPage, filter: PairFilter | None = None) -> int:
    with page.context.project.reading() as stores:
        return stores.pair_table.count(filter or PairFilter())


def test_one_click_gives_every_pair_a_suggestion(page: SuggestPage, qtbot: QtBot) -> None:
    number = pairs(page)
    assert page.first.isVisible()
    assert not page.chooser.button.isVisible()
    assert page.first.button.text() == f"Suggest {number:,} pairs"
    suggested(page, qtbot)
    assert page.board.isVisible()
    assert page.subtitle.text().startswith(f"{number:,} of {number:,} pairs with a suggestion by tiny")
    assert page.board.classes.summary == f"{number:,} pairs have a suggestion."
    assert "Nobody has answered" in page.board.sure.summary
    assert page.chooser.button.text() == "Suggest again"


def test_every_number_leads_to_as_many_pairs(page: SuggestPage, qtbot: QtBot) -> None:
    suggested(page, qtbot)
    asked: list[PairFilter] = []
    page.context.pairs_requested.connect(asked.append)
    for card in (page.board.classes, page.board.sure, page.board.matrix):
        for mark in card.plot.figure.marks():
            if mark.opens is not None:
                card.plot.chosen.emit(mark)
                assert pairs(page, asked.pop()) == mark.values[-2]
        assert sum(mark.values[-2] for mark in card.plot.figure.numbers) == pairs(page)
    for row, line in enumerate(page.board.groups.model._lines):
        assert pairs(page, page.board.groups.model.opens(row)) >= line.pairs
    assert asked == []


def test_numbers_are_there_before_all_is_done(page: SuggestPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FIRST", "_LEAST", "_MOST"):
        monkeypatch.setattr(suggestions, name, 16)
    number = pairs(page)
    page.first.button.click()
    run = page._run
    assert run is not None
    run.ticked.connect(lambda tick: run.pause() if tick.done else None)
    qtbot.waitUntil(page.board.isVisible, timeout=_LONG)
    assert page._state is not None
    assert page._state.summary is not None
    assert 0 < page._state.summary.suggested < number
    assert page.chooser.pause.text() == "Resume"
    assert page.chooser.far.text().startswith("Paused at ")
    run.ticked.disconnect()
    page.chooser.pause.click()
    qtbot.waitUntil(lambda: page._run is None, timeout=_LONG)
    settled(page, qtbot)
    assert page._state.summary.suggested == number


def test_stopped_it_offers_to_go_on(page: SuggestPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FIRST", "_LEAST", "_MOST"):
        monkeypatch.setattr(suggestions, name, 16)
    page.first.button.click()
    run = page._run
    assert run is not None
    run.ticked.connect(lambda tick: page.chooser.stop.click() if tick.done else None)
    qtbot.waitUntil(lambda: page._run is None, timeout=_LONG)
    settled(page, qtbot)
    assert page._state is not None
    assert page._state.missing
    assert page.chooser.button.text() == f"Suggest the other {page._state.missing:,} pairs"
    suggested(page, qtbot)
    assert page._state.missing == 0


def test_a_model_that_cannot_suggest_is_a_sentence_on_the_page(
    context: ProjectContext, qtbot: QtBot, tmp_path: Path
) -> None:
    encoder = make_encoder(tmp_path / "encoder")
    context.requested_model = str(encoder)
    page = SuggestPage(context)
    shown(page, qtbot)
    suggested(page, qtbot)
    assert page.chooser.notice.text.startswith("encoder is an encoder that knows no relations yet.")
    [problem] = taken(context.problems)
    assert problem.is_on_page
    assert page.first.isVisible()


def test_another_model_s_suggestions_stay_until_all_are_made_anew(
    page: SuggestPage, qtbot: QtBot, tmp_path: Path
) -> None:
    suggested(page, qtbot)
    other = make_model(tmp_path / "other", seed=1, name="other")
    page.chooser.models.choose(str(other))
    assert page.chooser.notice.text.startswith("The suggestions shown are by tiny;")
    assert page.chooser.button.text() == f"Suggest {pairs(page):,} pairs"
    suggested(page, qtbot)
    assert " by other" in page.subtitle.text()
    assert page.chooser.notice.text == ""
    assert [choice.name for choice in page._state.choices] == ["starter", "other", "tiny"]


def test_a_project_that_can_only_be_read_says_why_nothing_can_be_suggested(
    context: ProjectContext, qtbot: QtBot, tiny: Path
) -> None:
    context.read_only = True
    page = SuggestPage(context)
    shown(page, qtbot)
    assert not page.first.button.isEnabled()
    assert "can only be read" in page.chooser.notice.text


def test_without_pairs_there_is_one_button(context: ProjectContext, qtbot: QtBot, tmp_path: Path) -> None:
    opened = open_project(tmp_path / "empty.pairwright", create=True).work(Progress())
    empty = ProjectContext(
        opened,
        runner=context.runner,
        problems=context.problems,
        actions=context.actions,
        settings_store=context.settings_store,
        theme=context.theme,
    )
    page = SuggestPage(empty)
    shown(page, qtbot)
    assert page.no_pairs.isVisible()
    assert not page.chooser.isVisible()
    asked: list[str] = []
    empty.page_requested.connect(asked.append)
    page.no_pairs.button.click()
    assert asked == ["papers"]
    page.close()
    empty.close()


def test_what_is_pointed_at_is_said_below(page: SuggestPage, qtbot: QtBot) -> None:
    suggested(page, qtbot)
    mark = next(page.board.classes.plot.figure.marks())
    page.board.classes.plot.point(mark)
    assert page.board.classes.note.text() == mark.note
    page.board.classes.plot.point(None)
    assert page.board.classes.note.text() == page.board.classes.summary
    assert isinstance(mark, PlotMark)
