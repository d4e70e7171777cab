"""The Suggest page: one click makes a suggestion for every pair, and every number opens its pairs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from desktop.jobs.models import suggestions
from desktop.ui.pages.suggest.model_picker import ClassOrderDialog
from desktop.ui.pages.suggest.page import SuggestPage
from desktop.ui.plots.figures import PlotMark
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from storage.pairs.filters import PairFilter
from tests.desktop.model_factory import make_encoder, make_model
from tests.desktop.ui.conftest import pop_problems, show_page
from tests.miner.classifier.factories import bert_classifier

_TIMEOUT_MS = 120_000  # a process imports torch, maybe on a busy machine


@pytest.fixture(scope="module", autouse=True)
def _released_model() -> Iterator[None]:
    yield
    suggestions.release_model()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("models") / "tiny")


def show(page: Page, qtbot: QtBot) -> None:
    show_page(page, qtbot, 960, 620)
    wait_until_idle(page, qtbot)


def wait_until_idle(page: Page, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.context.runner.running and not page._refresh_timer.isActive(), timeout=_TIMEOUT_MS)


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot, tiny: Path) -> SuggestPage:
    """The page with a tiny model selected, before any suggestion."""
    context.requested_model = str(tiny)
    page = SuggestPage(context)
    show(page, qtbot)
    return page


def suggest(page: SuggestPage, qtbot: QtBot) -> None:
    (page.no_suggestions.button if page.no_suggestions.isVisible() else page.picker.button).click()
    assert page._run is not None
    qtbot.waitUntil(lambda: page._run is None, timeout=_TIMEOUT_MS)
    wait_until_idle(page, qtbot)


def pairs(page: SuggestPage, filter: PairFilter | None = None) -> int:
    with page.context.project.read_transaction() as stores:
        return stores.pair_table.count(filter or PairFilter())


def test_one_click_gives_every_pair_a_suggestion(page: SuggestPage, qtbot: QtBot) -> None:
    number = pairs(page)
    assert page.no_suggestions.isVisible()
    assert not page.picker.button.isVisible()
    assert page.no_suggestions.button.text() == f"Suggest labels for {number:,} pairs"
    suggest(page, qtbot)
    assert page.cards.isVisible()
    assert page.subtitle.text().startswith(f"{number:,} of {number:,} pairs with a suggestion by tiny")
    assert page.cards.classes.summary == f"{number:,} pairs have a suggestion."
    assert "is not known" in page.cards.confidence.summary
    assert page.picker.button.text() == "Suggest again"


def test_every_number_opens_as_many_pairs(page: SuggestPage, qtbot: QtBot) -> None:
    suggest(page, qtbot)
    opened: list[PairFilter] = []
    page.context.pairs_requested.connect(opened.append)
    for card in (page.cards.classes, page.cards.confidence, page.cards.disagreements):
        for mark in card.plot.figure.marks():
            if mark.opens is not None:
                card.plot.activated.emit(mark)
                assert pairs(page, opened.pop()) == mark.values[-2]
        assert sum(mark.values[-2] for mark in card.plot.figure.numbers) == pairs(page)
    for row, group in enumerate(page.cards.doubted_labels.model.rows):
        assert pairs(page, page.cards.doubted_labels.model.pair_filter(row)) >= group.pairs
    assert opened == []


def test_the_first_suggestions_are_shown_while_others_are_made(
    page: SuggestPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_FIRST_BATCH_SIZE", "_MIN_BATCH_SIZE", "_MAX_BATCH_SIZE"):
        monkeypatch.setattr(suggestions, name, 16)
    number = pairs(page)
    page.no_suggestions.button.click()
    run = page._run
    assert run is not None
    run.ticked.connect(lambda tick: run.pause() if tick.done else None)
    qtbot.waitUntil(page.cards.isVisible, timeout=_TIMEOUT_MS)
    assert page._state is not None
    assert page._state.summary is not None
    assert 0 < page._state.summary.suggested < number
    assert page.picker.pause.text() == "Resume"
    assert page.picker.progress_text.text().startswith("Paused at ")
    run.ticked.disconnect()
    page.picker.pause.click()
    qtbot.waitUntil(lambda: page._run is None, timeout=_TIMEOUT_MS)
    wait_until_idle(page, qtbot)
    assert page._state.summary.suggested == number


def test_a_model_that_is_in_use_is_released_later(page: SuggestPage, qtbot: QtBot) -> None:
    page.no_suggestions.button.click()
    page.hide()
    page._release_timer.timeout.emit()
    assert page._release_timer.isActive()
    qtbot.waitUntil(lambda: page._run is None, timeout=_TIMEOUT_MS)
    page._release_timer.stop()
    page._release_timer.timeout.emit()
    assert not page._release_timer.isActive()
    assert page._loaded_model == ""
    wait_until_idle(page, qtbot)


def test_a_stopped_run_can_be_continued(page: SuggestPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FIRST_BATCH_SIZE", "_MIN_BATCH_SIZE", "_MAX_BATCH_SIZE"):
        monkeypatch.setattr(suggestions, name, 16)
    page.no_suggestions.button.click()
    run = page._run
    assert run is not None
    run.ticked.connect(lambda tick: page.picker.stop.click() if tick.done else None)
    qtbot.waitUntil(lambda: page._run is None, timeout=_TIMEOUT_MS)
    wait_until_idle(page, qtbot)
    assert page._state is not None
    assert page._state.missing
    assert page.picker.button.text() == f"Suggest labels for the other {page._state.missing:,} pairs"
    suggest(page, qtbot)
    assert page._state.missing == 0


def test_a_model_that_cannot_suggest_is_reported_on_the_page(
    context: ProjectContext, qtbot: QtBot, tmp_path: Path
) -> None:
    encoder = make_encoder(tmp_path / "encoder")
    context.requested_model = str(encoder)
    page = SuggestPage(context)
    show(page, qtbot)
    suggest(page, qtbot)
    assert page.picker.notice.text.startswith("encoder is an encoder that knows no relations yet.")
    [problem] = pop_problems(context.problems)
    assert problem.is_on_page
    assert page.no_suggestions.isVisible()


def test_the_order_of_unnamed_classes_can_be_given(
    context: ProjectContext, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context.requested_model = str(bert_classifier(tmp_path / "unnamed", None))
    page = SuggestPage(context)
    show(page, qtbot)
    suggest(page, qtbot)
    pop_problems(context.problems)
    assert page.picker.notice.text.endswith(
        "which of its classes is which relation (LABEL_0, LABEL_1, LABEL_2, LABEL_3)."
    )
    assert page.picker.class_order.isVisible()
    monkeypatch.setattr(ClassOrderDialog, "exec", lambda _: QDialog.DialogCode.Accepted)
    page.picker.class_order.click()
    assert page.picker.notice.text == ""
    suggest(page, qtbot)
    assert page.cards.isVisible()


def test_suggestions_of_another_model_stay_until_all_are_made_again(
    page: SuggestPage, qtbot: QtBot, tmp_path: Path
) -> None:
    suggest(page, qtbot)
    other = make_model(tmp_path / "other", seed=1, name="other")
    page.picker.models.choose(str(other))
    assert page.picker.notice.text.startswith("The suggestions shown are by tiny;")
    assert page.picker.button.text() == f"Suggest labels for {pairs(page):,} pairs"
    suggest(page, qtbot)
    assert " by other" in page.subtitle.text()
    assert page.picker.notice.text == ""
    assert [choice.name for choice in page._state.choices] == ["starter", "other", "tiny"]


def test_a_read_only_project_says_why_nothing_can_be_suggested(
    context: ProjectContext, qtbot: QtBot, tiny: Path
) -> None:
    context.read_only = True
    page = SuggestPage(context)
    show(page, qtbot)
    assert not page.no_suggestions.button.isEnabled()
    assert "is read-only" in page.picker.notice.text


def test_a_project_without_pairs_offers_to_add_papers(empty_context: ProjectContext, qtbot: QtBot) -> None:
    page = SuggestPage(empty_context)
    show(page, qtbot)
    assert page.no_pairs.isVisible()
    assert not page.picker.isVisible()
    pages: list[str] = []
    empty_context.page_requested.connect(pages.append)
    page.no_pairs.button.click()
    assert pages == ["papers"]


def test_the_sentence_of_the_current_mark_is_shown_below(page: SuggestPage, qtbot: QtBot) -> None:
    suggest(page, qtbot)
    mark = next(page.cards.classes.plot.figure.marks())
    page.cards.classes.plot.set_current(mark)
    assert page.cards.classes.note.text() == mark.note
    page.cards.classes.plot.set_current(None)
    assert page.cards.classes.note.text() == page.cards.classes.summary
    assert isinstance(mark, PlotMark)
