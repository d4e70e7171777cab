"""The Mining page: the effect it shows is the effect that mining has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.jobs.mining.run import NO_MODEL, mine, mining_settings
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.ui.pages.mining.effect import EffectPane
from desktop.ui.pages.mining.page import MiningPage
from desktop.ui.services.project_context import ProjectContext
from miner.mining.settings import Casing, MiningSettings
from miner.progress import Progress
from storage.changes import Changes
from tests.desktop.ui.conftest import show_page
from tests.mining_stopper import mine_and_stop


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot) -> Iterator[MiningPage]:
    context.settings_store.change(workers=1)
    page = MiningPage(context, model=NO_MODEL)
    show_page(page, qtbot, 960, 620)
    wait_until_idle(page, qtbot)
    yield page
    qtbot.waitUntil(lambda: not context.runner.running, timeout=10_000)
    page.close_sampler()


def wait_until_idle(page: MiningPage, qtbot: QtBot) -> None:
    def is_idle() -> bool:
        return page._mining_state is not None and not page._sample_timer.isActive() and not page.context.runner.running

    qtbot.waitUntil(is_idle, timeout=10_000)


def numbers(page: MiningPage, text: str) -> tuple[str, str]:
    """The numbers before and after in a row of the effect."""
    table = page.effect.table
    for row in range(table.rowCount()):
        cells = [item.text() for column in range(3) if (item := table.item(row, column))]
        if cells[0].strip() == text:
            return cells[1], cells[2]
    raise KeyError(text)


def test_the_effect_of_a_change_is_shown_before_mining(page: MiningPage, qtbot: QtBot) -> None:
    with page.context.project.read_transaction() as stores:
        pairs = stores.pairs.count()
    assert numbers(page, "Kept") == (f"{pairs:,}", f"{pairs:,}")  # the sample is all eight papers
    assert page.effect.changes.text() == "The pairs of the sample stay the same."
    page.lexicon.model.set_on([0], on=False)
    wait_until_idle(page, qtbot)
    before, after = (int(number.replace(",", "")) for number in numbers(page, "Kept"))
    assert before == pairs > after
    assert "However" in page.effect.examples.toPlainText()
    for side in (0, 1):
        total, kept, dropped = (int(numbers(page, name)[side]) for name in ("Candidates", "Kept", "Dropped"))
        assert total == kept + dropped
    with page.context.project.read_transaction() as stores:
        assert stores.pairs.count() == pairs
    assert page.effect.neutral_moves.text().startswith("Neutral pairs: ")
    page.revert()
    wait_until_idle(page, qtbot)
    assert page.effect.changes.text() == "The pairs of the sample stay the same."
    assert page.effect.neutral_moves.isHidden()


def test_all_papers_are_counted_until_there_is_a_sample(page: MiningPage) -> None:
    assert page._mining_state is not None
    pane = EffectPane(page.context.theme, page)
    assert pane.status.text() == "Starting…"
    pane.show_funnel(8, page._mining_state.funnel)
    pane.show_progress("mining a sample…")
    assert pane.status.text() == "All 8 papers · mining a sample…"
    kept = sum(page._mining_state.funnel.kept.values())
    shown = [[pane.table.item(row, column).text() for column in range(3)] for row in range(pane.table.rowCount())]
    assert ["Kept", f"{kept:,}", "…"] in shown


def test_mining_again_has_the_effect_that_was_shown(page: MiningPage, qtbot: QtBot) -> None:
    assert not page.button.isEnabled()
    assert page.state.text == "All 8 papers are mined with these settings."
    page.form.capital_letter.setChecked(True)
    page.form.filters["brackets"].setChecked(False)
    wait_until_idle(page, qtbot)
    shown = numbers(page, "Kept")[1]
    assert page.state.text == "Mine again to apply the changes to 8 papers. All answers are kept."
    changes: list[Changes] = []
    page.context.events.changed.connect(changes.append)
    page.button.click()
    assert page.button.text() == "Mining…"
    qtbot.waitUntil(lambda: bool(changes), timeout=20_000)
    wait_until_idle(page, qtbot)
    assert changes == [Changes(pairs=True, many_annotated=True, settings=True)]
    expected = replace(MiningSettings(), casing=Casing.RESTORE, filters=MiningSettings().filters - {"brackets"})
    assert mining_settings(page.context.project) == expected == page.settings
    with page.context.project.read_transaction() as stores:
        assert f"{stores.pairs.count():,}" == shown


def test_after_a_stopped_run_the_effect_is_on_the_pairs_that_are_there(
    page: MiningPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier, later = MiningSettings(), MiningSettings().switch("However", on=False)
    kept = numbers(page, "Kept")[0]
    mine_and_stop(page.context.project, later, 0, monkeypatch)
    page.context.events.changed.emit(Changes(pairs=True, many_annotated=True, settings=True))
    qtbot.waitUntil(lambda: page.settings == later)
    wait_until_idle(page, qtbot)
    assert page.state.text.startswith("Mining with these settings is not finished: 0 of 8 papers mined")
    assert numbers(page, "Kept")[0] == kept != numbers(page, "Kept")[1]
    assert page.button.isEnabled()
    page.revert_button.click()
    wait_until_idle(page, qtbot)
    assert page.settings == earlier
    assert page.state.text.startswith("All pairs are of these settings.")
    assert not page.revert_button.isEnabled()
    mine_and_stop(page.context.project, later, 3, monkeypatch)
    page.context.events.changed.emit(Changes(pairs=True, many_annotated=True, settings=True))
    qtbot.waitUntil(lambda: page.state.text.startswith("The pairs of 5 of 8 papers are of these settings."))
    wait_until_idle(page, qtbot)


@pytest.fixture
def spare_paper(context: ProjectContext, tmp_path: Path) -> None:
    """Papers whose rarest class has pairs of phrases that are off; mined."""
    texts = [
        "Moss grows on stones. By contrast, ferns grow in the soil of the wood.",
        "The wood is dark. Nevertheless, the ferns get enough light in spring.",
    ]
    line = json.dumps({"title": "Moss", "sections": [{"title": "Results", "paragraphs": texts}]})
    (tmp_path / "moss.jsonl").write_text(line)
    import_papers(context.project, [tmp_path / "moss.jsonl"], ImportOptions(workers=1)).work(Progress())
    mine(context.project, workers=1, model=NO_MODEL).work(Progress())


@pytest.mark.usefixtures("spare_paper")
def test_one_click_turns_on_the_phrases_of_the_rarest_class(request: pytest.FixtureRequest, qtbot: QtBot) -> None:
    page: MiningPage = request.getfixturevalue("page")
    card = page.effect.rare_class
    with page.context.project.read_transaction() as stores:
        pairs = stores.pairs.count()
    before = numbers(page, "C  contrasting")[1]
    assert card.sentence.text() == f"Contrasting is the rarest linked class: {before} of the project's {pairs} pairs."
    assert f"in all 9 papers they would add 2 pairs to the {before} there" in card.notes.text()
    tips = [page.lexicon.model.index(row, 3).data(Qt.ItemDataRole.ToolTipRole) for row in range(29)]
    assert tips.count("It is switched off. In the sample it would add 1 pair.") == 2
    card.button.click()
    assert page.tabs.currentWidget() is page.lexicon
    table, view = page.lexicon.table, page.lexicon.table.viewport().rect()
    turned_on = [row for row, phrase in enumerate(page.lexicon.phrases) if phrase.extended and phrase.on]
    assert len(turned_on) == 5
    assert all(view.contains(table.visualRect(page.lexicon.proxy.index(row, 0))) for row in turned_on)
    assert page.button.isEnabled(), "nothing is mined yet"
    wait_until_idle(page, qtbot)
    assert numbers(page, "C  contrasting") == (before, str(int(before) + 2))
    assert "of the sample's" in card.sentence.text()
    assert card.button.isHidden() or "contrasting" not in card.sentence.text().lower()
    page.button.click()
    qtbot.waitUntil(lambda: page.state.text == "All 9 papers are mined with these settings.", timeout=20_000)
    wait_until_idle(page, qtbot)
    assert "of the project's" in card.sentence.text()


def test_a_class_that_cannot_grow_has_no_button(page: MiningPage) -> None:
    card = page.effect.rare_class
    assert card.isVisible()
    assert "in all 8 papers they would add no pair" in card.notes.text()
    assert card.button.isHidden()


def test_invalid_settings_are_reported_and_disable_mining(page: MiningPage, qtbot: QtBot) -> None:
    page.form.min_words.setValue(200)
    assert page.form._words_problem.text == page.form.problem == page.state.text != ""
    assert not page.button.isEnabled()
    page.form.min_words.setValue(5)
    assert page.form._words_problem.text == ""
    page.lexicon.add_phrase("however", "contrasting")
    assert "already" in page.state.text
    assert not page.button.isEnabled()
    page.lexicon.remove_selected()
    wait_until_idle(page, qtbot)
    assert page.button.isEnabled()


def test_the_form_shows_and_returns_all_settings(page: MiningPage, qtbot: QtBot) -> None:
    other = MiningSettings(
        casing=Casing.RESTORE,
        filters=frozenset({"math"}),
        min_words=2,
        max_words=50,
        crosses_paragraph=False,
        implicit=True,
        neutral_strategies=MiningSettings().neutral_strategies[:1],
        neutral_ratio=2.5,
        neutral_distance=4,
        neutral_same_paragraph=True,
        neutral_shared_words=True,
        seed=9,
    ).switch("Yet", on=True)
    page._show_settings(other)
    assert page.settings == other
    page.reset()
    assert page.settings == MiningSettings()
    wait_until_idle(page, qtbot)


def test_edited_settings_outlast_changes_elsewhere(page: MiningPage, qtbot: QtBot) -> None:
    page.form.seed.setValue(5)
    page.context.events.changed.emit(Changes(pairs=True))
    wait_until_idle(page, qtbot)
    assert page.form.seed.value() == 5


def test_another_sample_is_drawn(page: MiningPage, qtbot: QtBot) -> None:
    page.effect.another_sample.click()
    wait_until_idle(page, qtbot)
    assert page.effect.status.text().startswith("8 of 8 papers, ")


def test_a_read_only_project_says_so(context: ProjectContext, qtbot: QtBot) -> None:
    context.read_only = True
    page = MiningPage(context, model=NO_MODEL)
    qtbot.addWidget(page)
    page.activate()
    qtbot.waitUntil(lambda: page._mining_state is not None)
    assert "is read-only" in page.state.text
    assert not page.form.isEnabled()
    assert not any(button.isEnabled() for button in (page.button, page.defaults_button, page.lexicon.add_button))


def test_a_project_without_papers_says_what_to_add(empty_context: ProjectContext, qtbot: QtBot) -> None:
    page = MiningPage(empty_context, model=NO_MODEL)
    qtbot.addWidget(page)
    page.activate()
    qtbot.waitUntil(lambda: page._mining_state is not None and not empty_context.runner.running)
    assert page.state.text.startswith("Mining finds sentence pairs in papers, but there are no papers yet.")
    assert not page.button.isEnabled()
