"""An answer file in the window: opened, answered by keys, and merged in the window of the project it came from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.jobs.review import annotation_rounds, answers
from desktop.ui.pages.kinds.page import KindsPage
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.pages.settings.page import SettingsPage
from desktop.ui.services.answer_files import MergeReceipt, answer_files
from desktop.ui.shell.dropped_project import ForeignAnswersQuestion
from desktop.ui.shell.window import MainWindow
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation.annotation_rounds import RoundAsks, RoundPlan
from storage.annotation.sent_assignments import AssignmentForm
from storage.exchange.answer_files import read_answer_file
from storage.project import Project
from tests.answer_file_factory import ANNA, BEN, answer_in, answers_of, keys_in, owner_project, send
from tests.desktop.ui.conftest import OpenInWindow, close_project, pop_problems, press_key
from tests.desktop.ui.shell.test_window import drop
from tests.storage.annotation.kinds_round_factory import CAUSAL, answer_round
from tests.storage.annotation.round_factory import add_pairs

Key = Qt.Key


@pytest.fixture
def owner(tmp_path: Path) -> Path:
    """A project that has sent a round to Anna and Ben, closed."""
    path = tmp_path / "owner.pairwright"
    with owner_project(path, "a") as project:
        send(project, tmp_path / "sent")
    return path


@pytest.fixture
def file(owner: Path, tmp_path: Path) -> Path:
    """Anna's file, on her machine."""
    (tmp_path / "Anna").mkdir()
    return Path(shutil.move(tmp_path / "sent" / "round-1-Anna.answers.pairwright", tmp_path / "Anna"))


def review(window: MainWindow, qtbot: QtBot) -> ReviewPage:
    page = window.page("review")
    assert isinstance(page, ReviewPage)
    qtbot.waitUntil(lambda: page.session.item is not None and not page.session.is_busy and page.pair_view.is_painted)
    return page


def press(window: MainWindow, qtbot: QtBot, page: ReviewPage, key: Qt.Key) -> str:
    """Press a key for the pair on the screen, and wait until it is saved; the pair's key."""
    qtbot.waitUntil(lambda: not page.session.is_busy and page.pair_view.is_painted)
    item = page.session.item
    assert item is not None
    page.pair_view.is_seen = True
    press_key(window, key)
    qtbot.waitUntil(lambda: not page.session.is_busy and not window.runner.running)
    return item.pair.key


def test_an_answer_file_shows_its_round_and_nothing_else(
    empty_window: MainWindow, qtbot: QtBot, file: Path, open_in_window: OpenInWindow
) -> None:
    window = empty_window
    open_in_window(window, file)
    page = review(window, qtbot)
    assert window.current_page() == "review"
    assert window.windowTitle() == "Answers of round 1 for Anna — Pairwright"
    assert window.context is not None
    assert window.context.annotator == ANNA.key
    shown = [button.text().strip() for button in window.central.sidebar.buttons.values() if button.isVisible()]
    assert shown == ["Review", "Settings"]
    for name in ("file.add", "file.merge", "go.papers", "go.export"):
        assert not window.action_registry[name].isEnabled()
    for name in ("review.round", "review.blind", "review.context", "review.accept", "review.mend"):
        assert name not in window.action_registry
    window.show_page("papers")
    assert window.current_page() == "review"
    assert page.round_bar.title.text() == "Round 1 · assigned · 0 of 5"
    assert not page.round_bar.queue_button.isVisible()
    assert not page.pair_view.source_label.isVisible()
    assert "Anna" in page.notice.text
    assert page.guide.viewer.toPlainText() == "Unclear is an answer, too."
    assert page.guide.edit_button.isHidden()
    assert window.context.ask_annotator(window, again=True) == ANNA.key
    assert window.central.status_bar.message.text() == "This file is for the answers of Anna alone."
    assert "Anna" in window.central.status_bar.annotator.text()
    window.show_page("settings")
    settings = window.page("settings")
    assert isinstance(settings, SettingsPage)
    assert (settings.annotator.text(), settings.annotator.isEnabled()) == ("Anna", False)
    assert settings.keys.isVisible()
    assert not settings.fields["parser"].isVisible()
    settings.search.setText("parser")
    assert not settings.fields["parser"].isVisible()


def test_answers_by_keys_are_in_the_file_that_is_sent_back(
    empty_window: MainWindow, qtbot: QtBot, owner: Path, file: Path, open_in_window: OpenInWindow
) -> None:
    window = empty_window
    open_in_window(window, file)
    page = review(window, qtbot)
    skipped = press(window, qtbot, page, Key.Key_Space)
    first = press(window, qtbot, page, Key.Key_1)
    second = press(window, qtbot, page, Key.Key_2)
    press(window, qtbot, page, Key.Key_F)
    undone = press(window, qtbot, page, Key.Key_3)
    press_key(window, Key.Key_Backspace)
    qtbot.waitUntil(lambda: page.session.item is not None and page.session.item.pair.key == undone)
    sent_early = Path(shutil.copyfile(file, file.parent.parent / "sent early.pairwright"))  # alone, while it is open
    assert {answer.pair_key for answer in read_answer_file(sent_early).answers} >= {first, second}
    for _ in range(3):
        press(window, qtbot, page, Key.Key_4)
    qtbot.waitUntil(page.summary.isVisible)
    assert "send round-1-Anna.answers.pairwright back" in page.summary.text.text()
    assert page.summary.folder_button.isVisible()
    assert not page.summary.another_button.isVisible()
    close_project(qtbot, window)
    assert [path.name for path in file.parent.iterdir()] == [file.name], "one file, and nothing beside it"

    with Project.open(owner) as project:  # the owner has answered for Anna what she will say otherwise
        answers.answer(project, [first], ANNA.key, Answer.NEUTRAL).work(Progress())
        assert set(keys_in(project)) >= {skipped, first, second, undone}
    open_in_window(window, owner)
    drop(window, file)
    qtbot.waitUntil(lambda: window.findChild(MergeReceipt) is not None)
    receipt = window.findChild(MergeReceipt)
    assert isinstance(receipt, MergeReceipt)
    assert receipt.lines[0] == "Anna, round 1: 5 new answers, 1 conflict."
    assert "neutral counts" in receipt.lines[-1]
    assert window.context is not None
    assert window.context.path == owner
    receipt.conflicts_button.click()
    qtbot.waitUntil(lambda: window.current_page() == "review")
    page = review(window, qtbot)
    assert page.session.item is not None
    assert page.session.item.pair.key == first
    project = window.context.project
    given = answers_of(project)
    assert (given[first], given[second], given[skipped]) == (Answer.NEUTRAL, Answer.REASONING, Answer.NEUTRAL)
    press_key(window, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: answers_of(project) == {first: Answer.NEUTRAL})


def test_merging_says_what_it_refused(
    empty_window: MainWindow,
    qtbot: QtBot,
    owner: Path,
    tmp_path: Path,
    open_in_window: OpenInWindow,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = empty_window
    open_in_window(window, owner)
    assert window.context is not None
    ben = tmp_path / "sent" / "round-1-Ben-Čech.answers.pairwright"
    truncated = tmp_path / "truncated.pairwright"
    truncated.write_bytes(ben.read_bytes()[:-2000])
    answer_in(ben, {keys_in(window.context.project)[0]: [(1, Answer.NEUTRAL)]})
    names = ([str(truncated), str(ben)], "")
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileNames", lambda *_: names)
    window.action_registry["file.merge"].trigger()
    qtbot.waitUntil(lambda: window.findChild(MergeReceipt) is not None)
    receipt = window.findChild(MergeReceipt)
    assert isinstance(receipt, MergeReceipt)
    assert receipt.lines[0] == "Ben Čech, round 1: 1 new answer, 4 unanswered."
    assert "truncated.pairwright is damaged" in receipt.lines[1]
    assert not receipt.conflicts_button.isVisible()
    receipt.reject()
    assert len(answers_of(window.context.project, BEN)) == 1


def test_a_file_that_belongs_elsewhere_is_opened_after_a_question(window: MainWindow, qtbot: QtBot, file: Path) -> None:
    here = window.context
    drop(window, file)
    qtbot.waitUntil(lambda: window.findChild(ForeignAnswersQuestion) is not None)
    question = window.findChild(ForeignAnswersQuestion)
    assert isinstance(question, ForeignAnswersQuestion)
    assert question.question.text() == "This file is for the answers of Anna to round 1 of another project."
    question.reject()
    qtbot.waitUntil(lambda: not window.runner.running and window.findChild(ForeignAnswersQuestion) is None)
    assert window.context is here
    drop(window, file)
    qtbot.waitUntil(lambda: window.findChild(ForeignAnswersQuestion) is not None)
    question = window.findChild(ForeignAnswersQuestion)
    assert isinstance(question, ForeignAnswersQuestion)
    question.action_button.click()
    qtbot.waitUntil(lambda: window.context is not None and window.context.path == file)
    assert window.current_page() == "review"
    drop(window, file.parent.parent / "sent")
    qtbot.waitUntil(lambda: not window.runner.running)


def test_files_are_sent_from_the_window(
    empty_window: MainWindow,
    qtbot: QtBot,
    owner: Path,
    tmp_path: Path,
    open_in_window: OpenInWindow,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = empty_window
    open_in_window(window, owner)
    assert window.context is not None
    folder = tmp_path / "chosen"
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getExistingDirectory", lambda *_: str(folder))
    answer_files(window.context, window).choose_folder_and_send(1, [BEN.key], AssignmentForm.ANSWER_FILE)
    qtbot.waitUntil(lambda: "1 file in" in window.central.status_bar.message.text())
    [ben] = folder.iterdir()
    assert ben.name == "round-1-Ben-Čech.answers.pairwright"
    with window.context.project.read_transaction() as stores:
        answer_in(ben, {stores.annotation_rounds.keys(1)[0]: [(1, Answer.NEUTRAL)]})
    answer_files(window.context, window).choose_folder_and_send(1, [BEN.key], AssignmentForm.ANSWER_FILE)
    qtbot.waitUntil(lambda: bool(window.problems.all))
    assert "exists already, perhaps with answers in it" in pop_problems(window.problems)[0].summary


def test_a_file_that_asks_for_kinds_is_answered_on_its_page_and_merged(
    empty_window: MainWindow, qtbot: QtBot, tmp_path: Path, open_in_window: OpenInWindow
) -> None:
    owner, window = tmp_path / "kinds.pairwright", empty_window
    with Project.create(owner) as project:
        add_pairs(project, {"ecology": dict.fromkeys(Label, 1)})
        plan = RoundPlan(asks=RoundAsks.KINDS, pairs=2)
        annotation_rounds.start_annotation_round(project, plan, ["Anna"]).work(Progress())
        (tmp_path / "Anna").mkdir()
        [file] = send(project, tmp_path / "Anna")
    open_in_window(window, file)
    assert window.current_page() == "kinds"
    shown = [button.text().strip() for button in window.central.sidebar.buttons.values() if button.isVisible()]
    assert shown == ["Kinds", "Settings"]
    page = window.page("kinds")
    assert isinstance(page, KindsPage)
    tab = page.answer
    qtbot.waitUntil(lambda: tab.session.item is not None and not tab.session.is_busy)
    assert page.tabs.count() == 1
    assert not page.tabs.tabBar().isVisible()
    assert not tab.is_action_enabled("draw")
    assert "For Anna: each answer is saved" in tab.notice.text
    assert not tab.pair_view.source_label.isVisible()
    for _ in range(2):
        qtbot.waitUntil(lambda: not tab.session.is_busy and tab.pair_view.is_painted)
        tab.pair_view.is_seen = True
        press_key(window, Key.Key_5)  # unclear: nothing more is asked
        qtbot.waitUntil(lambda: not tab.session.is_busy and not window.runner.running)
    qtbot.waitUntil(tab.summary.isVisible)
    assert f"send {file.name} back" in tab.summary.text.text()
    assert (tab.summary.folder_button.isVisible(), tab.summary.another_button.isVisible()) == (True, False)
    close_project(qtbot, window)

    with Project.open(owner) as project, project.transaction() as stores:
        first = stores.annotation_rounds.keys(1)[0]
        answer_round(stores, "Anna", {first: CAUSAL})  # long ago
    open_in_window(window, owner)
    drop(window, file)
    qtbot.waitUntil(lambda: window.findChild(MergeReceipt) is not None)
    receipt = window.findChild(MergeReceipt)
    assert isinstance(receipt, MergeReceipt)
    assert receipt.lines[0] == "Anna, round 1: 2 new answers, 1 conflict."
    assert "unclear counts, because it is later" in receipt.lines[-1]
    receipt.kinds_button.click()
    qtbot.waitUntil(lambda: window.current_page() == "kinds")
    page = window.page("kinds")
    assert isinstance(page, KindsPage)
    tab = page.answer
    qtbot.waitUntil(lambda: tab.session.item is not None and tab.session.item.pair.key == first)
    assert tab.kinds_bar.title.text().startswith("Selected pairs")
    assert window.context is not None
    window.context.set_annotator("Anna")
    window.context.kinds_round_requested.emit(1)
    qtbot.waitUntil(lambda: tab.kinds_bar.title.text() == "Round 1 · 2 of 2")
