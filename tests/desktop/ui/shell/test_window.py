"""The window: what is dropped on it, its size, scale and theme, and messages and dialogs over its pages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QLabel, QTextBrowser
from pytestqt.qtbot import QtBot

from desktop.settings import Paths
from desktop.ui.pages.papers.import_controller import ImportController
from desktop.ui.pages.start.new_project_dialog import NewProjectDialog
from desktop.ui.services.conflict_receipt import ConflictReceipt
from desktop.ui.services.problems import Problems
from desktop.ui.services.runner import JobRunner, JobState
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.about_dialog import AboutDialog
from desktop.ui.shell.dropped_project import DroppedProjectQuestion
from desktop.ui.shell.navigation import NAVIGATION, SECTIONS
from desktop.ui.shell.shortcuts_dialog import ShortcutsDialog
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import Theme
from miner.errors import UserError
from miner.installation import RELEASES, how_installed
from miner.progress import Job, Progress
from storage.project import Project
from tests.desktop.ui.conftest import pop_problems, press_key
from tests.storage.factories import add


def drop(window: MainWindow, *paths: Path) -> None:
    drop_urls(window, [QUrl.fromLocalFile(str(path)) for path in paths])


def drop_urls(window: MainWindow, urls: list[QUrl]) -> None:
    data = QMimeData()
    data.setUrls(urls)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(50, 50), copy, data, left, none)
    QGuiApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QGuiApplication.sendEvent(window, QDropEvent(QPointF(50, 50), copy, data, left, none))


def test_papers_dropped_on_the_start_page_ask_for_a_project(
    empty_window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "coast"
    folder.mkdir()
    offered: list[list[Path]] = []
    drop(empty_window, folder)
    qtbot.waitUntil(lambda: empty_window.findChild(NewProjectDialog) is not None)
    dialog = empty_window.findChild(NewProjectDialog)
    assert isinstance(dialog, NewProjectDialog)
    assert dialog.path == tmp_path / "coast.pairwright"
    monkeypatch.setattr(empty_window.project_commands, "open_or_add", lambda paths: offered.append(list(paths)))
    dialog.create_button.click()
    qtbot.waitUntil(lambda: offered == [[folder]], timeout=5000)
    assert (tmp_path / "coast.pairwright").exists()


def test_a_project_dropped_on_the_window_is_opened(empty_window: MainWindow, qtbot: QtBot, project_path: Path) -> None:
    drop(empty_window, project_path)
    qtbot.waitUntil(lambda: empty_window.current_page() == "papers", timeout=5000)


def test_a_project_dropped_on_another_one_is_opened_or_gives_its_papers(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mined: list[bool] = []
    monkeypatch.setattr(ImportController, "mine", lambda _: mined.append(True))
    context = window.project_commands.context
    assert context is not None
    other = tmp_path / "nadia.pairwright"
    with Project.create(other) as project:
        add(project, "a")

    def question() -> DroppedProjectQuestion:
        qtbot.waitUntil(lambda: window.findChild(DroppedProjectQuestion) is not None)
        found = window.findChild(DroppedProjectQuestion)
        assert isinstance(found, DroppedProjectQuestion)
        return found

    drop(window, other)
    assert question().question.text() == f"Add nadia to {context.path.stem}?"
    question().action_button.click()
    qtbot.waitUntil(lambda: window.findChild(ConflictReceipt) is not None)
    receipt = window.findChild(ConflictReceipt)
    assert isinstance(receipt, ConflictReceipt)
    assert receipt.lines[0] == "Added nadia: 1 new paper."
    assert not receipt.conflicts_button.isVisible()
    receipt.close()
    qtbot.waitUntil(lambda: mined == [True] and window.findChild(DroppedProjectQuestion) is None)
    drop(window, other)
    question().open_button.click()
    qtbot.waitUntil(lambda: getattr(window.project_commands.context, "path", None) == other)


def test_links_that_are_dropped_are_explained(window: MainWindow) -> None:
    drop_urls(window, [QUrl("https://example.org/paper.pdf")])
    assert window.central.status_bar.message.text().startswith("Links cannot be added")


def test_a_job_is_paused_and_cancelled_by_commands(window: MainWindow, qtbot: QtBot) -> None:
    pause, cancel = window.action_registry["view.pause"], window.action_registry["view.cancel"]
    cancel.trigger()
    assert window.central.status_bar.message.text() == "No job is running."

    def work(progress: Progress) -> None:
        while True:
            progress.wait(0.01)
            progress.tick(1)

    run = window.runner.start(Job("Adding papers", work))
    qtbot.waitUntil(lambda: run.state is JobState.RUNNING)
    pause.trigger()
    assert run.state is JobState.PAUSED
    pause.trigger()
    assert run.state is JobState.RUNNING
    with qtbot.waitSignal(run.cancelled):
        cancel.trigger()


def test_no_two_actions_of_one_page_have_the_same_keys(window: MainWindow) -> None:
    for item in NAVIGATION:
        window.show_page(item.name)
    clashes = {
        (entry.key, other.key)
        for entry in window.action_registry
        for other in window.action_registry.conflicts(entry.key, window.action_registry.keys(entry.key))
    }
    assert clashes == set()


@pytest.mark.parametrize(("width", "height", "scale"), [(1280, 800, 1.0), (1024, 660, 1.0), (1024, 680, 1.75)])
def test_the_sidebar_has_whole_names_at_every_size(
    window: MainWindow, qtbot: QtBot, theme: Theme, width: int, height: int, scale: float
) -> None:
    window.settings_store.change(scale=scale)
    window.resize(width, height)
    sidebar = window.central.sidebar
    is_narrow = width < theme.px(1100)
    assert (sidebar.width() < theme.px(168)) == is_narrow
    shown = [button for button in sidebar.buttons.values() if button.isVisible()]
    assert [button.text().strip() for button in shown] == [section.text for section in SECTIONS]
    assert all(button.width() >= button.sizeHint().width() for button in shown)
    assert sum(button.height() for button in shown) <= sidebar.height()
    assert window.minimumSizeHint().height() <= height


def test_the_theme_changes_while_the_window_is_open(window: MainWindow, theme: Theme) -> None:
    window.action_registry["view.dark"].trigger()
    assert theme.is_dark
    assert window.settings_store.settings.theme == "dark"
    assert window.palette().window().color().name() == theme.tokens.paper.lower()


def test_the_window_comes_back_where_it_was(
    qtbot: QtBot, theme: Theme, runner: JobRunner, problems: Problems, settings_store: SettingsStore
) -> None:
    first = MainWindow(settings_store, theme, runner, problems)
    qtbot.addWidget(first)
    first.setGeometry(0, 30, 800, 600)
    first.show()
    first.close()
    second = MainWindow(SettingsStore(settings_store.paths), theme, runner, problems)
    qtbot.addWidget(second)
    assert second.geometry().size() == first.geometry().size()
    qtbot.waitUntil(lambda: not runner.running)


def test_a_window_of_a_screen_that_is_gone_is_brought_back(
    qtbot: QtBot, theme: Theme, runner: JobRunner, problems: Problems, settings_store: SettingsStore
) -> None:
    first = MainWindow(settings_store, theme, runner, problems)
    qtbot.addWidget(first)
    first.setGeometry(9000, 9000, 900, 640)
    first.show()
    first.close()
    second = MainWindow(settings_store, theme, runner, problems)
    qtbot.addWidget(second)
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.intersected(second.frameGeometry()).width() >= 200
    qtbot.waitUntil(lambda: not runner.running)


def test_settings_that_cannot_be_saved_hold_and_are_reported(
    empty_window: MainWindow, problems: Problems, settings_store: SettingsStore
) -> None:
    shutil.rmtree(settings_store.paths.config)
    settings_store.paths.config.write_text("a file where the folder was")
    empty_window.action_registry["view.dark"].trigger()
    assert settings_store.settings.theme == "dark"
    [problem] = pop_problems(problems)
    assert "could not be saved" in problem.summary
    assert problem.hint
    settings_store.paths.config.unlink()


def test_unreadable_settings_are_reported(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("scale = [")
    settings_store = SettingsStore(Paths.below(tmp_path))
    assert settings_store.load_error is not None
    assert "cannot be read" in settings_store.load_error
    assert settings_store.load_error.endswith("The file is kept as settings-with-errors.toml.")
    assert settings_store.settings.scale == 1.0
    settings_store.change(theme="dark")
    assert (tmp_path / "settings-with-errors.toml").read_text() == "scale = ["
    (tmp_path / "settings.toml").write_text("scale = [1")
    assert "settings-with-errors-2.toml" in str(SettingsStore(Paths.below(tmp_path)).load_error)


@pytest.mark.parametrize("page", ["papers", "review"])  # Review has an Escape of its own
def test_escape_closes_a_message_before_anything_else(qtbot: QtBot, window: MainWindow, page: str) -> None:
    window.show_page(page)
    window.problems.show(UserError("The disk is full.", hint="Make room."))
    qtbot.waitUntil(window.central.toast.isVisible)
    press_key(window, Qt.Key.Key_Escape)
    assert not window.central.toast.isVisible()
    assert len(pop_problems(window.problems)) == 1


def test_all_shortcuts_are_on_one_sheet_and_can_be_searched(window: MainWindow, qtbot: QtBot) -> None:
    window.action_registry["help.keys"].trigger()
    dialog = window.findChild(ShortcutsDialog)
    assert isinstance(dialog, ShortcutsDialog)
    sheet = dialog.findChild(QTextBrowser)
    assert isinstance(sheet, QTextBrowser)
    for text in ("Undo", "Ctrl+Z", "Find a command", "Ctrl+K", "Papers"):
        assert text in sheet.toPlainText()
    dialog.search.setText("undo")
    assert "Ctrl+K" not in sheet.toPlainText()
    dialog.accept()


def test_about_shows_licences_the_log_and_how_it_was_installed(qtbot: QtBot, window: MainWindow) -> None:
    window.action_registry["help.about"].trigger()
    dialog = window.findChild(AboutDialog)
    assert isinstance(dialog, AboutDialog)

    def text() -> str:
        return "\n".join(label.text() for label in dialog.findChildren(QLabel))

    for word in ("ISC", "OFL", "LGPL", str(window.settings_store.paths.log)):
        assert word in text()
    qtbot.waitUntil(lambda: RELEASES in text())
    assert f"installed {how_installed()}" in text()
    assert "torch" in text()
    dialog.accept()
