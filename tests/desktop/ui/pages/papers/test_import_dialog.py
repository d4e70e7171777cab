"""Adding files: drops, the import dialog, and the import itself."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.jobs.papers.scan import scan_files
from desktop.ui.pages.papers.add_files import dropped_files, open_import_dialog
from desktop.ui.pages.papers.import_controller import ImportChoices, import_controller
from desktop.ui.pages.papers.import_dialog import ImportDialog, remarks_text, summary_text
from desktop.ui.pages.papers.page import PapersPage
from desktop.ui.pages.papers.table_model import STATE, TITLE
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.window import MainWindow
from miner.progress import Progress
from miner.records import Label
from storage.project import Project
from tests.sample_papers import SAMPLES
from tests.storage.factories import search


def uris(*lines: bytes) -> QMimeData:
    data = QMimeData()
    data.setData("text/uri-list", QByteArray(b"\r\n".join(lines) + b"\r\n"))
    return data


def drop(window: MainWindow, data: QMimeData) -> None:
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(400, 300), Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(window, enter)
    event = QDropEvent(QPointF(400, 300), Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(window, event)
    assert enter.isAccepted()
    assert event.isAccepted()


def wait_for_dialog(window: object, qtbot: QtBot) -> ImportDialog:
    """The import dialog, once it has scanned the files."""
    dialogs: list[ImportDialog] = []

    def is_ready() -> bool:
        dialogs[:] = [
            widget
            for widget in QApplication.topLevelWidgets()
            if isinstance(widget, ImportDialog) and widget.isVisible() and widget.is_ready
        ]
        return bool(dialogs)

    qtbot.waitUntil(is_ready, timeout=5000)
    return dialogs[0]


def count_papers(project: Project) -> int:
    with project.read_transaction() as stores:
        return stores.papers.count()


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (b"file:///home/me/a%20paper%20%28final%29.pdf", "/home/me/a paper (final).pdf"),
        (b"file:///home/me/%C3%A9tude.pdf", "/home/me/étude.pdf"),
        (b"file://localhost/home/me/a.pdf", "/home/me/a.pdf"),
        (b"file:/home/me/a.pdf", "/home/me/a.pdf"),
        (b"file:///home/me/100%25%23.pdf", "/home/me/100%#.pdf"),
    ],
)
def test_a_dropped_path_is_decoded(line: bytes, path: str) -> None:
    assert dropped_files(uris(b"# a comment", line, line)) == ([Path(path)], 0)


def test_a_dropped_name_that_is_not_utf8_is_kept() -> None:
    [path] = dropped_files(uris(b"file:///papers/%FF%E9.pdf")).paths
    assert os.fsencode(path) == b"/papers/\xff\xe9.pdf"


def test_dropped_links_are_counted() -> None:
    data = uris(b"https://arxiv.org/pdf/1.pdf", b"file://server/share/a.pdf", b"smb://x/y", b"file:///a%00b", b"")
    assert dropped_files(data) == ([], 4)


def test_the_dialog_lists_the_files_by_kind(context: ProjectContext, tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "coastal", tmp_path / "in")
    shutil.copy(SAMPLES / "reading" / "whispering.tei.xml", tmp_path / "in")
    for name in ("a.png", "b.xlsx"):
        (tmp_path / "in" / name).write_bytes(b"x")
    (tmp_path / "in" / "train.csv").write_text("sentence1,sentence2,label\nA b.,C d.,neutral\n")
    scanned = scan_files(context.project, [tmp_path / "in"]).work(Progress())
    assert summary_text(scanned) == "2 PDFs, 1 TEI file and 1 data set"
    assert remarks_text(scanned) == "Labelled pairs to import: train.csv.\n2 other files skipped."


def test_the_dialog_has_room_for_all_that_it_says_of_a_file(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    table = tmp_path / "a-table-of-journals.csv"
    table.write_text("slug,title,year,columns,domain,licence\na,A title,2020,2,Botany,CC BY\n")
    window.resize(1280, 800)
    drop(window, uris(QUrl.fromLocalFile(str(table)).toEncoded().data()))
    dialog = wait_for_dialog(window, qtbot)
    for label in (dialog.summary, dialog.remarks):
        assert label.height() >= label.heightForWidth(label.width()), label.text()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_an_empty_folder_cannot_be_added(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    drop(window, uris(QUrl.fromLocalFile(str(tmp_path / "empty")).toEncoded().data()))
    dialog = wait_for_dialog(window, qtbot)
    assert dialog.summary.text() == "There are no papers among these files."
    assert not dialog.add_button.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_links_out_of_the_folder_are_reported(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    for number in range(2):
        (tmp_path / "links" / f"{number}.pdf").symlink_to(SAMPLES / "nlp" / "village-minutes.pdf")
    drop(window, uris(QUrl.fromLocalFile(str(tmp_path / "links")).toEncoded().data()))
    dialog = wait_for_dialog(window, qtbot)
    remark = "2 links to files outside the folder skipped: add the files themselves."
    assert dialog.remarks.text().startswith(remark)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


@pytest.mark.parametrize("is_typed", [False, True])
def test_a_papers_own_domain_wins_unless_another_is_typed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, is_typed: bool
) -> None:
    assert window.context is not None
    window.context.settings_store.change(domain="music")
    section = {"title": "Piers", "paragraphs": ["The pier is long. However, it is narrow."]}
    rows = [{"title": "Own", "domain": "travel", "sections": [section]}, {"title": "None", "sections": [section]}]
    (tmp_path / "papers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    drop(window, uris(QUrl.fromLocalFile(str(tmp_path / "papers.jsonl")).toEncoded().data()))
    dialog = wait_for_dialog(window, qtbot)
    if is_typed:
        qtbot.keyClicks(dialog.domain.field, "music")
    before = count_papers(window.context.project)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: count_papers(window.context.project) == before + 2, timeout=20_000)
    with window.context.project.read_transaction() as stores:
        found = {paper.title: paper.domain for paper in stores.papers.summaries()}
    assert (found["Own"], found["None"]) == ("music" if is_typed else "travel", "music")
    assert window.context.settings_store.settings.domain == "music"


def test_dropped_links_are_refused_with_a_message(window: MainWindow, qtbot: QtBot) -> None:
    drop(window, uris(b"https://arxiv.org/pdf/1.pdf"))
    expected = "Links cannot be added: save the papers to a folder first, then drop them here."
    assert window.central.status_bar.message.text() == expected


def test_a_dropped_folder_is_imported_and_mined(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    assert window.context is not None
    folder = tmp_path / "été %41 \udcff"
    (folder / "deeper").mkdir(parents=True)
    text = (SAMPLES / "ecology" / "late-mowing.jsonl").read_text(encoding="utf-8")
    (folder / "deeper" / "paper.jsonl").write_text(text.replace("mowing", "mulching"), encoding="utf-8")
    (folder / "broken.tei.xml").write_text("<TEI xmlns='http://www.tei-c.org/ns/1.0'>")
    before = count_papers(window.context.project)
    encoded = b"file://" + bytes(QUrl.toPercentEncoding(str(tmp_path), b"/").data())
    drop(window, uris(encoded + b"/%C3%A9t%C3%A9%20%2541%20%FF"))
    dialog = wait_for_dialog(window, qtbot)
    dialog.domain.setCurrentText("meadows")
    qtbot.keyClick(dialog.domain, Qt.Key.Key_Return)
    importer = import_controller(window.context)
    qtbot.waitUntil(lambda: count_papers(window.context.project) > before and not importer.is_running, timeout=60_000)
    with window.context.project.read_transaction() as stores:
        assert stores.papers.domain_counts()["meadows"] == 1
        assert [failure.code for failure in stores.files.failures()] == ["damaged"]
        assert stores.paper_table.totals().unmined == 0
    assert window.context.settings_store.settings.domain == "meadows"
    page = window.page("papers")
    assert isinstance(page, PapersPage)
    qtbot.waitUntil(lambda: page.attention.isVisible())
    assert "1 needs attention" in page.subtitle.text()


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("", "meadows"), ("coast", "coast"), ("NLP", "NLP")],
    ids=["as it was the last time", "a beginning of a known one", "a known one in capitals"],
)
def test_return_uses_the_domain_in_the_field(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, typed: str, kept: str
) -> None:
    assert window.context is not None
    window.context.settings_store.change(domain="meadows")
    text = (SAMPLES / "ecology" / "late-mowing.jsonl").read_text(encoding="utf-8")
    text = text.replace("mowing", "mulching").replace('"domain": "ecology", ', "")  # it would keep its own
    (tmp_path / "paper.jsonl").write_text(text, encoding="utf-8")
    drop(window, uris(QUrl.fromLocalFile(str(tmp_path / "paper.jsonl")).toEncoded().data()))
    dialog = wait_for_dialog(window, qtbot)
    assert dialog.domain.count() == 4
    with qtbot.waitExposed(dialog):
        dialog.activateWindow()
    dialog.domain.setFocus()
    qtbot.keyClicks(dialog.domain, typed)
    qtbot.keyClick(dialog.domain, Qt.Key.Key_Return)
    importer = import_controller(window.context)
    qtbot.waitUntil(lambda: not importer.is_running, timeout=60_000)
    with window.context.project.read_transaction() as stores:
        assert stores.papers.domain_counts()[kept] == 1
    assert window.context.settings_store.settings.domain == kept  # parsed with it, and remembered


def test_a_known_domain_can_be_selected_from_the_list(window: MainWindow, qtbot: QtBot) -> None:
    open_import_dialog(window.context, [SAMPLES], window)
    dialog = wait_for_dialog(window, qtbot)
    qtbot.keyClick(dialog.domain, Qt.Key.Key_Down)
    assert dialog.domain.currentText() == dialog.domain.itemText(0)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_nothing_is_added_to_a_read_only_project(context: ProjectContext, qtbot: QtBot) -> None:
    context.read_only, context.read_only_reason = True, "another window has it."
    page = PapersPage(context)
    qtbot.addWidget(page)
    with qtbot.waitSignal(context.message) as message:
        open_import_dialog(context, [SAMPLES], page)
    assert message.args == ["Papers cannot be added: another window has it.", False]
    assert not page.add_button.isEnabled()


def test_a_data_set_among_the_files_is_imported_and_listed(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    assert window.context is not None
    (tmp_path / "train.csv").write_text("id,sentence1,sentence2,label\n1,A b c d.,E f g h.,neutral\n", encoding="utf-8")
    drop(window, uris(QUrl.fromLocalFile(str(tmp_path / "train.csv")).toEncoded().data()))
    dialog = wait_for_dialog(window, qtbot)
    assert dialog.summary.text() == "1 data set"
    assert dialog.add_button.text() == "Import 1 data set"
    assert not dialog.parser.isVisible()
    dialog.accept()
    page = window.page("papers")
    assert isinstance(page, PapersPage)
    qtbot.waitUntil(lambda: "1 data set" in page.subtitle.text(), timeout=10_000)
    with window.context.project.read_transaction() as stores:
        assert stores.paper_table.totals().data_sets == 1
    qtbot.waitUntil(lambda: "train.csv" in [page.model.data(page.model.index(row, TITLE)) for row in range(9)])


def test_a_cancelled_import_keeps_imported_papers_and_does_not_mine(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    assert window.context is not None
    context = window.context
    [line] = (SAMPLES / "ecology" / "late-mowing.jsonl").read_text(encoding="utf-8").splitlines()[:1]
    many = "".join(line.replace("mowing", f"mowing {number}") + "\n" for number in range(400))
    (tmp_path / "many.jsonl").write_text(many, encoding="utf-8")
    before = count_papers(context.project)
    scanned = scan_files(context.project, [tmp_path / "many.jsonl"]).work(Progress())
    run = import_controller(context).add(scanned, ImportChoices(domain="meadows"))
    assert run is not None
    page = window.page("papers")
    assert isinstance(page, PapersPage)
    qtbot.waitUntil(lambda: page.model.data(page.model.index(0, STATE)) in ("◐ waiting", "◐ reading"))
    run.ticked.connect(lambda tick: run.cancel() if count_papers(context.project) > before else None)
    qtbot.waitUntil(lambda: not import_controller(context).is_running, timeout=20_000)
    kept = count_papers(context.project) - before
    assert 0 < kept < 400
    qtbot.waitUntil(page.next_step.isVisible)
    assert page.next_step.text() == "Adding papers was cancelled: 1 file is left."
    page.next_step.close_button.click()
    assert page.next_step.text().endswith(" wait to be mined.")
    assert not import_controller(context).importing_files


def test_a_cancelled_import_can_be_resumed_and_then_offers_review(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    assert window.context is not None
    context = window.context
    line = (SAMPLES / "ecology" / "late-mowing.jsonl").read_text(encoding="utf-8").splitlines()[0]
    for number in range(60):
        (tmp_path / f"{number}.jsonl").write_text(line.replace("mowing", f"mowing {number}") + "\n", encoding="utf-8")
    before = count_papers(context.project)
    scanned = scan_files(context.project, [tmp_path]).work(Progress())
    run = import_controller(context).add(scanned, ImportChoices(domain="meadows"))
    assert run is not None
    run.ticked.connect(lambda tick: run.cancel() if count_papers(context.project) > before else None)
    qtbot.waitUntil(lambda: not import_controller(context).is_running, timeout=20_000)
    left = import_controller(context).remaining_count
    assert left >= 60 - (count_papers(context.project) - before) > 0  # one that was just stored may be read again
    page = window.page("papers")
    assert isinstance(page, PapersPage)
    qtbot.waitUntil(page.next_step.isVisible)
    assert page.next_step.button.text() == f"Add the other {left:,}"
    page.next_step.button.click()
    qtbot.waitUntil(
        lambda: not import_controller(context).is_running and import_controller(context).has_new_pairs, timeout=60_000
    )
    with context.project.read_transaction() as stores:
        assert stores.papers.domain_counts()["meadows"] == 60
    qtbot.waitUntil(lambda: page.next_step.button.text() == "Review")
    assert page.next_step.text().endswith(" pairs are ready.")
    page.next_step.button.click()
    qtbot.waitUntil(lambda: window.current_page() == "review")


def test_files_added_again_are_no_longer_remaining(context: ProjectContext, qtbot: QtBot, tmp_path: Path) -> None:
    row = {"title": "Piers", "sections": [{"title": "One", "paragraphs": ["The pier is long. However, it is old."]}]}
    (tmp_path / "paper.jsonl").write_text(json.dumps(row) + "\n")
    scanned = scan_files(context.project, [tmp_path]).work(Progress())
    first = import_controller(context).add(scanned, ImportChoices())
    assert first is not None
    first.cancel()
    qtbot.waitUntil(lambda: not import_controller(context).is_running, timeout=20_000)
    assert import_controller(context).remaining_count == 1
    second = import_controller(context).add(scanned, ImportChoices())
    assert second is not None
    with qtbot.waitSignal(second.ended, timeout=20_000):
        pass
    assert import_controller(context).remaining_count == 0


def test_what_several_cancelled_imports_left_is_resumed_with_the_choices_of_each(
    context: ProjectContext, qtbot: QtBot, tmp_path: Path
) -> None:
    imports = import_controller(context)
    scanned = {}
    for number, domain in enumerate(("coasts", "meadows")):
        text = f"Pier {number} is long. However, it is old."
        row = {"title": domain, "sections": [{"title": "One", "paragraphs": [text]}]}
        (tmp_path / f"{domain}.jsonl").write_text(json.dumps(row) + "\n")
        scanned[domain] = scan_files(context.project, [tmp_path / f"{domain}.jsonl"]).work(Progress())
    for domain, files in [*scanned.items(), ("meadows", scanned["meadows"])]:
        run = imports.add(files, ImportChoices(domain=domain))
        assert run is not None
        run.cancel()
        qtbot.waitUntil(lambda: not imports.is_running, timeout=20_000)
    assert imports.remaining_count == 2
    imports.resume()
    qtbot.waitUntil(lambda: not imports.is_running and imports.has_new_pairs, timeout=60_000)
    assert imports.remaining_count == 0
    with context.project.read_transaction() as stores:
        assert stores.papers.domain_counts().items() >= {("coasts", 1), ("meadows", 1)}


def test_dragging_files_over_the_window_shows_what_a_drop_does(window: MainWindow, qtbot: QtBot) -> None:
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier

    def hold(data: QMimeData) -> None:
        QApplication.sendEvent(window, QDragEnterEvent(QPoint(4, 3), Qt.DropAction.CopyAction, data, buttons, keys))

    hold(uris(b"file:///papers/a.pdf"))
    assert window.central.drop_overlay.isVisible()
    assert window.central.drop_overlay.text == "Drop to add to papers"
    assert window.central.drop_overlay.geometry() == window.central.stack.geometry()
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not window.central.drop_overlay.isVisible()
    hold(uris(b"file:///papers/other.pairwright"))
    assert window.central.drop_overlay.text == "Drop to open this project, or to add its papers"
    QApplication.sendEvent(window, QDragLeaveEvent())
    hold(uris(b"https://example.org/a.pdf"))
    assert not window.central.drop_overlay.isVisible()


def test_the_meaning_of_numeric_labels_is_asked(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    assert window.context is not None
    (tmp_path / "glue.csv").write_text("sentence1,sentence2,label\nCrabs moult here.,Crabs do.,0\n", encoding="utf-8")
    open_import_dialog(window.context, [tmp_path / "glue.csv"], window)
    dialog = wait_for_dialog(window, qtbot)
    assert dialog.label_scheme.isVisible()
    assert not dialog.add_button.isEnabled()
    qtbot.keyClick(dialog.label_scheme, Qt.Key.Key_Down)
    assert dialog.add_button.isEnabled()
    qtbot.mouseClick(dialog.add_button, Qt.MouseButton.LeftButton)
    importer = import_controller(window.context)
    qtbot.waitUntil(lambda: not importer.is_running, timeout=60_000)
    with window.context.project.read_transaction() as stores:
        assert [row.distant for row in search(stores, "Crabs moult here")] == [Label.ENTAILMENT]
