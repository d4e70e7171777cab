"""The Export page: the files are what the preview shows."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QRadioButton
from pytestqt.qtbot import QtBot

from desktop.jobs.exchange import export
from desktop.jobs.exchange.project_split import set_split
from desktop.jobs.mining.class_balance import SampleGain
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.ui.pages.export.form import OptionsForm, columns_text
from desktop.ui.pages.export.page import ExportPage
from desktop.ui.pages.export.preview import ExportRowsView
from desktop.ui.services.display_names import filter_text
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobState
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import Question
from miner.progress import Job, Progress
from miner.records import PairFlag, Strategy
from miner.splits import shares_split
from storage.annotation.annotation_rounds import Targets
from storage.changes import Changes
from storage.dataset.export_options import ExportOptions, Preset, SplitOptions
from storage.exchange.export_fields import EXPORT_FIELDS
from storage.pairs.filters import PairFilter, PairStatus
from storage.settings import TARGETS
from tests.desktop.ui.conftest import show_page
from tests.storage.factories import paper, pdf, say_kinds

NEVERTHELESS = (
    "The ferry crosses the sound four times every day of the week. "
    "Nevertheless, the people of the island keep a store of flour and fuel for the winter."
)
CONTRASTS = PairFilter(labels=frozenset({"contrasting"}))


def open_page(context: ProjectContext, qtbot: QtBot) -> ExportPage:
    page = ExportPage(context, model=NO_MODEL)
    show_page(page, qtbot, 960, 620)
    wait_until_counted(page, qtbot)
    return page


def wait_until_counted(page: ExportPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page._preview is not None and not page.context.runner.running)


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot, tmp_path: Path) -> ExportPage:
    page = open_page(context, qtbot)
    page.folder.setText(str(tmp_path / "out"))
    return page


def pairs(context: ProjectContext, filter: PairFilter | None = None) -> int:
    with context.project.read_transaction() as stores:
        return stores.pair_table.count(filter or PairFilter())


def test_the_button_says_how_many_pairs_there_are(page: ExportPage, qtbot: QtBot) -> None:
    assert page.button.text() == f"Expo&rt {pairs(page.context):,} pairs"
    assert len(page.preview.rows.lines) == 20
    assert json.loads(page.preview.rows.lines[0]).keys() == {
        "id",
        "sentence1",
        "sentence2",
        "label",
    }


def test_the_files_are_as_previewed(page: ExportPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.form.preset.setCurrentIndex(page.form.preset.findData(Preset.FULL))
    page.form.in_splits.setChecked(True)
    wait_until_counted(page, qtbot)
    page.preview.files.setCurrentIndex(1)
    previewed = list(page.preview.rows.lines)
    assert page.preview.notes.text().startswith("Split: ")
    with qtbot.waitSignal(page.receipt.open_folder.clicked, raising=False, timeout=1):
        qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt)
    assert (tmp_path / "out" / "dev.jsonl").read_text("utf-8").splitlines()[: len(previewed)] == previewed
    receipt = json.loads((tmp_path / "out" / "receipt.json").read_text("utf-8"))
    assert f"{receipt['rows']:,}" in page.button.text()
    page.receipt.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert all(file["sha256"] in copied and file["name"] in copied for file in receipt["files"])
    page.receipt.back.click()
    assert page.panes.currentWidget() is page.preview


def test_the_filter_of_the_pairs_page_can_be_exported(page: ExportPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.context.pairs_page_filter = CONTRASTS
    wait_until_counted(page, qtbot)
    expected = pairs(page.context, CONTRASTS)
    assert page.button.text() == f"Expo&rt {expected:,} pairs"
    assert "that the filter excludes" in page.preview.notes.text()
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt)
    rows = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == expected
    assert {row["label"] for row in rows} == {"contrasting"}
    assert export.load_split_export(page.context.project).work(Progress()) is None
    page.form.in_splits.setChecked(True)
    wait_until_counted(page, qtbot)
    options = page.form.options
    page.export()
    qtbot.waitUntil(lambda: bool(page.receipt.isVisible() and not page.context.runner.running))
    assert export.load_split_export(page.context.project).work(Progress()) == replace(options, scope=CONTRASTS)
    page.context.pairs_page_filter = PairFilter(labels=frozenset({"none such"}))
    wait_until_counted(page, qtbot)
    assert page.button.text() == "No pairs to export"
    assert not page.button.isEnabled()


def test_the_years_of_splits_are_typed_and_papers_left_out_are_named(page: ExportPage, qtbot: QtBot) -> None:
    page.form.by_year.setChecked(True)
    assert page.form.problem.startswith("No years are given.")
    assert not page.button.isEnabled()
    page.form.years.setPlainText("train -2018, test 2020-")
    wait_until_counted(page, qtbot)
    assert "of years that are in no split" in page.preview.notes.text()
    assert [page.preview.files.tabText(tab) for tab in range(2)] == ["train.jsonl", "test.jsonl"]
    options = page.form.options
    page.form.years.setPlainText("train -2018, test 2018-")
    assert "overlap" in page.form.problem
    page.form.one_file.setChecked(True)
    page.form.show_options(options)
    assert page.form.options == options
    page.form.as_imported.setChecked(True)
    wait_until_counted(page, qtbot)
    assert page.button.text() == "No pairs to export"
    assert "without a split" in page.preview.notes.text()


def test_a_receipt_says_that_nothing_leaks(page: ExportPage, qtbot: QtBot) -> None:
    page.form.in_splits.setChecked(True)
    page.form.near_duplicates.setChecked(True)
    wait_until_counted(page, qtbot)
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt)
    page.receipt.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "no paper and no sentence is in two splits. No near-duplicate sentences are in different splits" in copied


def test_a_folder_with_a_foreign_file_is_refused(page: ExportPage, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "pairs.jsonl").write_text("by hand")
    page.export()
    qtbot.waitUntil(lambda: page.problem.text != "")
    assert "no export of Pairwright wrote" in page.problem.text
    assert "Choose another folder" in page.problem.text
    [problem] = page.context.problems.all
    assert problem.is_on_page, "a toast would lie over the button"
    page.context.problems.all.clear()
    page.folder.setText(str(tmp_path / "other"))
    assert page.problem.text == ""


def test_a_failed_export_hides_the_receipt_of_the_last(page: ExportPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt and page.button.isEnabled())
    (tmp_path / "a file").write_text("")
    page.folder.setText(str(tmp_path / "a file"))
    page.export()
    qtbot.waitUntil(lambda: page.problem.text != "")
    assert page.panes.currentWidget() is page.preview
    page.context.problems.all.clear()


@pytest.mark.parametrize("preset", Preset)
def test_the_form_names_the_columns_that_are_written(preset: Preset) -> None:
    names, text = list(EXPORT_FIELDS[preset]), columns_text(preset)
    assert text.startswith(names[0])
    assert all(name in text for name in names[:6])
    assert (f"and {len(names) - 6} more column" in text) is (len(names) > 6)
    assert ("answers about kinds" in text) is preset.is_of_kinds


def test_the_preview_shows_each_label(page: ExportPage, qtbot: QtBot) -> None:
    say_kinds(page.context.project)  # TaxiNLI's file has only the pairs that somebody has answered
    for preset in Preset:
        page.form.preset.setCurrentIndex(page.form.preset.findData(preset))
        wait_until_counted(page, qtbot)
        table, rows = page.preview.rows.table, page.preview.rows.lines
        model = table.model()
        shown = [[model.index(row, column).data() for column in range(3)] for row in range(model.rowCount())]
        names = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(3)]
        for texts, line in zip(shown, map(json.loads, rows), strict=True):
            label = f"{line['label']} {line['label_text']}" if preset is Preset.INTEGERS else line[names[0]]
            assert texts == [label, line[names[1]], line[names[2]]], preset
        assert table.columnWidth(0) >= table.fontMetrics().horizontalAdvance("contrasting")
        assert page.preview.rows.selected_line.toPlainText() == rows[0], "the chosen row, as it will be written"
        table.selectRow(3)
        assert page.preview.rows.selected_line.toPlainText() == rows[3], preset
        table.selectRow(0)  # the row stays when the form changes


def test_a_row_without_a_label_says_so(theme: Theme, qtbot: QtBot) -> None:
    rows = ExportRowsView(theme)
    qtbot.addWidget(rows)
    rows.show_lines(('{"gold_label":"-","sentence1":"<b>a</b>","sentence2":"b"}',))
    assert rows.model.index(0, 0).data() == "-"
    rows.show_lines(('{"sentence1":"a","sentence2":"b","label":null}',))
    assert rows.model.index(0, 0).data() == "null"
    rows.show_lines(())
    assert rows.selected_line.toPlainText() == ""


def test_an_export_to_be_replaced_is_announced(page: ExportPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt and not page.context.runner.running)
    assert page.replaces.text == "", "its receipt is on screen"
    page.receipt.back.click()
    assert page.replaces.text == f"This folder has an export of {pairs(page.context):,} pairs: exporting replaces it."
    page.folder.setText(str(tmp_path / "other"))
    assert page.replaces.text == ""
    page.folder.setText(str(tmp_path / "out"))
    qtbot.waitUntil(lambda: page.replaces.text != "")


def test_edited_files_are_replaced_only_after_confirmation(
    page: ExportPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = []

    def answer(box: Question) -> int:
        questions.append(f"{box.question.text()} {box.about.text()}")
        assert box.dismiss_button.isDefault()
        return int(agreed)

    monkeypatch.setattr(Question, "exec", answer)
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt and page.button.isEnabled())
    (tmp_path / "out" / "pairs.jsonl").write_text("edited")
    agreed = False
    page.export()
    qtbot.waitUntil(lambda: bool(questions) and page.button.isEnabled() and not page.context.runner.running)
    assert questions[0].startswith("pairs.jsonl was changed after it was exported. It is in ")
    assert (tmp_path / "out" / "pairs.jsonl").read_text() == "edited"
    agreed = True
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt)
    assert (tmp_path / "out" / "pairs.jsonl").read_text() != "edited"


def test_classes_are_shown_by_letters_where_there_is_no_room(page: ExportPage, qtbot: QtBot) -> None:
    def headers() -> set[str]:
        return {label.text() for label in page.preview.findChildren(QLabel) if label.accessibleName()}

    page.resize(1200, 800)
    qtbot.waitUntil(lambda: "C Contrasting" in headers())
    page.resize(800, 800)
    qtbot.waitUntil(lambda: "C Contrasting" not in headers() and "C" in headers())


def test_a_relative_folder_is_beside_the_project(page: ExportPage, qtbot: QtBot) -> None:
    page.folder.setText("~nobody-has-this-name")
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt)
    assert (page.context.path.parent / "~nobody-has-this-name" / "pairs.jsonl").exists()


def test_the_folder_and_the_options_are_remembered(page: ExportPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.form.preset.setCurrentIndex(page.form.preset.findData(Preset.INTEGERS))
    page.form.in_splits.setChecked(True)
    page.form.seed.setValue(7)
    page.form.flags[PairFlag.NO_COMMA].setChecked(True)
    page.form.implicit.setChecked(True)
    wait_until_counted(page, qtbot)
    options = page.form.options
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt and not page.context.runner.running)
    again = open_page(page.context, qtbot)
    assert again.form.options == options
    assert again.folder.text() == str(tmp_path / "out")


def export_and_leave(page: ExportPage, qtbot: QtBot) -> None:
    wait_until_counted(page, qtbot)
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt and not page.context.runner.running)
    page.hide()


def export_by_split(page: ExportPage, qtbot: QtBot) -> None:
    """Split the papers, export them by this split, and leave the page."""
    split_papers(page.context)
    page.context.events.changed.emit(Changes(papers=True, settings=True))
    qtbot.waitUntil(page.form.project_split.isVisible)
    page.form.project_split.setChecked(True)
    page.form.only_gold.setChecked(False)  # the samples have no gold labels
    export_and_leave(page, qtbot)


def split_papers(context: ProjectContext, dev: int = 10, test: int = 20) -> None:
    set_split(context.project, shares_split(60, 20, 20), confirmed=True).work(Progress())
    with context.project.transaction() as stores:
        stores.settings.put(TARGETS, Targets(dev, test))


def test_papers_split_since_the_last_export_are_exported_by_their_split(page: ExportPage, qtbot: QtBot) -> None:
    page.form.in_splits.setChecked(True)
    export_and_leave(page, qtbot)
    split_papers(page.context)
    again = open_page(page.context, qtbot)
    assert again.form.project_split.isVisible()
    assert again.form.project_split.isChecked()
    assert again.form.options.split == SplitOptions(dev=10, test=20)
    assert again.form.options.shares == ()


def test_a_split_undone_since_the_last_export_is_not_chosen(page: ExportPage, qtbot: QtBot) -> None:
    export_by_split(page, qtbot)
    set_split(page.context.project, None, confirmed=True).work(Progress())
    again = open_page(page.context, qtbot)
    assert not again.form.project_split.isVisible()
    assert again.form.one_file.isChecked()
    assert again.form.options.split is None
    assert "without a split" not in again.preview.notes.text()


@pytest.mark.parametrize("last", [ExportOptions(shares=(("train", 1.0),)), ExportOptions(split=SplitOptions(dev=10))])
@pytest.mark.parametrize("targets", [Targets(3, 4), None])
def test_the_split_decides_whether_it_is_read_before_or_after_the_options(
    theme: Theme, qtbot: QtBot, last: ExportOptions, targets: Targets | None
) -> None:
    forms = [OptionsForm(theme), OptionsForm(theme)]
    for form in forms:
        qtbot.addWidget(form)
    forms[0].show_project_split(targets)
    forms[0].show_options(last)
    forms[1].show_options(last)
    with qtbot.waitSignal(forms[1].changed, raising=bool(targets or last.split), timeout=1):
        forms[1].show_project_split(targets)
    assert forms[0].options == forms[1].options
    for form in forms:
        assert (form.options.split is not None) == (targets is not None)
        assert not [button for button in form.findChildren(QRadioButton) if button.isChecked() and button.isHidden()]
        if targets is not None:
            assert form.options.split == SplitOptions(dev=3, test=4)


def test_nothing_is_exported_while_papers_are_mined(page: ExportPage, qtbot: QtBot) -> None:
    text, go = page.button.text(), threading.Event()
    first = page.context.runner.start(Job("Waiting", lambda _: go.wait(60)))
    mining = page.context.runner.start(mine(page.context.project, workers=1, model=NO_MODEL))
    try:
        later = ExportPage(page.context, model=NO_MODEL)
        show_page(later, qtbot, 960, 620)
        page._request_preview()
        qtbot.waitUntil(lambda: page._preview is not None and later._preview is not None)
        for shown in (page, later):
            assert shown.button.text() == "Papers are being mined…"
            assert "when that is done" in shown.button.toolTip()
            assert not shown.button.isEnabled()
        page.export()
        assert not page.running.is_comparing
        assert first.state is JobState.RUNNING
        assert mining.state is JobState.WAITING
    finally:
        go.set()
    wait_until_counted(page, qtbot)
    wait_until_counted(later, qtbot)
    for shown in (page, later):
        assert shown.button.text() == text
        assert not shown.button.toolTip()
    assert page.button.isEnabled()


def test_splits_without_papers_are_reported_next_to_the_field(page: ExportPage, qtbot: QtBot) -> None:
    page.form.in_splits.setChecked(True)
    for box in page.form._shares.values():
        box.setValue(0)
    assert page.form.problem in page.form._split_problem.text
    assert not page.button.isEnabled()
    page.form.one_file.setChecked(True)
    wait_until_counted(page, qtbot)
    assert page.button.isEnabled()


def test_changed_pairs_are_counted_again(page: ExportPage, qtbot: QtBot) -> None:
    before = page._preview
    assert before is not None
    with page.context.project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE pairs SET status = 'bad' WHERE id < 4")
    page.context.events.changed.emit(Changes(many_annotated=True))
    assert not page.button.isEnabled()
    wait_until_counted(page, qtbot)
    assert page.button.text() == f"Expo&rt {before.rows - 3:,} pairs"
    assert page.preview.notes.text() == "3 pairs are left out: marked as bad."


def test_the_cost_of_balance_is_said_before_and_after(page: ExportPage, qtbot: QtBot) -> None:
    note, before = page.form.balance_note, page._preview
    assert before is not None
    assert before.balance is not None
    assert note.label.text().startswith(f"Would keep {before.balance.kept} of {before.rows} pairs")
    fewest = pairs(page.context, CONTRASTS)
    assert f"contrasting has the fewest, {fewest}." in note.label.text()
    assert note.label.text().endswith("To keep more, add papers, or linking phrases of your own for this class.")
    assert note.link.isHidden(), "the spare phrases stand nowhere in these papers"
    with page.context.project.transaction() as stores:
        stores.papers.save(paper("ferries", text=NEVERTHELESS), pdf("ferries"))
    page.context.events.changed.emit(Changes(papers=True))
    wait_until_counted(page, qtbot)
    spare = "To keep more, switch on its 5 phrases of the extended lexicon: they would add 1 pair."
    assert note.label.text().endswith(spare)
    page.form.balance.setChecked(True)
    wait_until_counted(page, qtbot)
    assert page._preview is not None
    assert page._preview.rows == before.balance.kept
    assert note.label.text().startswith(f"{page._preview.rows} of {before.rows} pairs")
    with qtbot.waitSignal(page.context.page_requested) as asked:
        note.link.click()
    assert asked.args == ["mining"]
    page.form.settled.setChecked(True)
    wait_until_counted(page, qtbot)
    assert note.isHidden(), "nobody has answered a pair"


def test_what_spare_phrases_would_add_is_measured_once_for_the_same_papers(page: ExportPage, qtbot: QtBot) -> None:
    note, started = page.form.balance_note, count_measurements(page)
    said = note.label.text()
    page.form.balance.setChecked(True)
    wait_until_counted(page, qtbot)
    page.context.events.changed.emit(Changes(many_annotated=True))
    wait_until_counted(page, qtbot)
    assert (started, note.label.text().endswith(said[said.index("To keep more") :])) == ([], True)
    with page.context.project.transaction() as stores:
        stores.papers.save(paper("another"), pdf("another"))
    page.context.events.changed.emit(Changes(papers=True))
    wait_until_counted(page, qtbot)
    assert len(started) == 1, "it depends on the papers"


def count_measurements(page: ExportPage) -> list[str]:
    """The measurements that start from now on."""
    started: list[str] = []
    find = page._spare_gains.find

    def counted(label: str, made_of: str) -> SampleGain | None:
        before = page._spare_gains._run
        found = find(label, made_of)
        started.extend([label] * (page._spare_gains._run is not before))
        return found

    page._spare_gains.find = counted  # type: ignore[method-assign]
    return started


def test_without_a_folder_nothing_can_be_exported(page: ExportPage) -> None:
    page.folder.setText("  ")
    assert not page.button.isEnabled()


@pytest.mark.parametrize(
    ("filter", "text"),
    [
        (PairFilter(), ""),
        (PairFilter(text=" wave "), "“wave”"),
        (PairFilter(labels=frozenset({"neutral", ""})), "Class: neutral or no label"),
        (
            PairFilter(statuses=frozenset({PairStatus.OPEN}), flagged=False),
            "Status: not annotated yet · Flag: not flagged",
        ),
        (PairFilter(years=(2001, None), overlap=(None, 50)), "Year: from 2001 · Word overlap: to 50 %"),
        (PairFilter(papers=frozenset("ab"), premise_words=(3, 9)), "2 papers · Length of the premise: 3–9 words"),
        (
            PairFilter(strategies=frozenset({Strategy.LINKED}), disagrees=True),
            "Annotators and distant label: disagree · How it was mined: linked by a phrase",
        ),
    ],
)
def test_a_filter_is_described_in_a_sentence(filter: PairFilter, text: str) -> None:
    assert filter_text(filter) == text
