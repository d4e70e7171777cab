"""The window of a corpus: it opens without a project, counts what is chosen, and makes a project of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.ui.pages.corpus.pull_dialog import PullDialog
from desktop.ui.pages.corpus.window import CorpusWindow
from desktop.ui.shell.corpus_opener import CorpusQuestion
from desktop.ui.shell.window import MainWindow
from miner.installation import is_installed
from tests.corpus_factory import make_corpus, write_papers
from tests.desktop.jobs.corpus.pull_helpers import pull
from tests.desktop.ui.test_accessibility import controls, described, name

needs_duckdb = pytest.mark.skipif(not is_installed("duckdb"), reason="duckdb, of the extra `corpus`, is not installed")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "papers").mkdir()
    write_papers(folder / "papers")
    make_corpus(folder / "papers", folder / "botany")
    return folder / "botany"


@needs_duckdb
def test_it_counts_and_samples_what_is_chosen_and_pulls_it_into_a_project(
    window: MainWindow, qtbot: QtBot, place: Path, tmp_path: Path
) -> None:
    window.project_commands.open_or_add([place], dropped=True)  # beside the open project
    [corpus] = window.findChildren(CorpusWindow)
    qtbot.waitUntil(lambda: bool(corpus.sample.model.rows))
    assert not corpus.isModal()
    overview = corpus.overview
    assert overview is not None
    assert f"{overview.papers} papers" in corpus.summary.text()
    assert corpus.failures.model.rowCount() == 1
    assert corpus.failures.model.index(0, 0).data() == "Unreadable line"
    assert window.settings_store.settings.recent_corpora == (str(place),)
    window.menu_bar.recent.aboutToShow.emit()
    assert window.menu_bar.recent.actions()[-1].text() == "Corpus botany"
    corpus.domain.choose("botany")
    corpus.first.setText("2020")
    qtbot.waitUntil(lambda: all((pair.year or 0) >= 2020 for pair in corpus.sample.model.rows))
    assert corpus.counts.text().startswith("3 papers, about ")
    for index in range(corpus.tabs.count()):
        corpus.tabs.setCurrentIndex(index)
        assert [described(widget) for widget in controls(corpus) if not name(widget)] == []
    corpus.pull.click()
    [dialog] = corpus.findChildren(PullDialog)
    assert [described(widget) for widget in controls(dialog) if not name(widget)] == []
    assert "3 papers" in dialog.estimate.text()
    dialog.target.setText(str(tmp_path / "pulled.pairwright"))
    dialog.pull.click()
    qtbot.waitUntil(lambda: window.context is not None and window.context.path.name == "pulled.pairwright")
    assert "of 3 papers pulled" in window.central.status_bar.message.text()
    QTest.keyClick(corpus, Qt.Key.Key_Escape)
    assert not corpus.isVisible()


@needs_duckdb
def test_more_papers_for_the_open_project_are_shown_in_it(
    window: MainWindow, qtbot: QtBot, place: Path, tmp_path: Path
) -> None:
    path = pull(place, tmp_path / "pulled.pairwright", papers=2).project
    window.open(path)
    qtbot.waitUntil(lambda: window.context is not None and window.context.path == path)
    context = window.context
    assert context is not None
    window.corpus_opener.open(place)
    [corpus] = window.findChildren(CorpusWindow)
    qtbot.waitUntil(lambda: corpus.pull.isVisible())
    corpus.domain.choose("botany")
    corpus.pull.click()
    [dialog] = corpus.findChildren(PullDialog)
    dialog.target.setText(str(tmp_path / "new.pairwright"))
    assert dialog.estimate.text().startswith("The project will have ")
    dialog.target.setText(str(path))
    assert dialog.estimate.text().startswith("pulled.pairwright exists. It gets up to ")
    with qtbot.waitSignal(context.events.changed, timeout=20_000):
        dialog.pull.click()
    assert window.context is context
    assert "pulled" in window.central.status_bar.message.text()
    assert "were there" in window.central.status_bar.message.text()
    assert window.problems.unseen == 0
    corpus.close()


def test_what_is_no_corpus_is_a_sentence_in_place(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.action_registry["file.corpus"].trigger()
    [question] = window.findChildren(CorpusQuestion)
    question.line.setText(str(tmp_path))
    question.accept()
    [corpus] = window.findChildren(CorpusWindow)
    qtbot.waitUntil(lambda: corpus.notice.isVisible())
    assert "is no corpus. Make one first: pairwright corpus mine" in corpus.notice.text
    assert corpus.again.isVisible()
    assert not corpus.pull.isVisible()
    assert window.settings_store.settings.recent_corpora == ()
    corpus.close()
