"""What came back in answer files stands on the Annotate page, and each conflict leads to its pair."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.pages.annotate.merges import ConflictsDialog, NamedConflict
from desktop.ui.pages.annotate.page import AnnotatePage
from desktop.ui.services.project_context import ProjectContext
from miner.kinds.questionnaire import PairKinds
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.annotation.merge_ledger import MergedAnswers
from storage.annotation.merging import MergeConflict, TimedAnswer
from tests.answer_file_factory import ANNA, BEN, add_round, answer_in, keys_in, merge, minute, send
from tests.desktop.ui.conftest import show_page


def test_a_conflict_leads_to_its_pair(
    qtbot: QtBot, context: ProjectContext, tmp_path: Path, wait_until_idle: Callable[[AnnotatePage], None]
) -> None:
    project = context.project
    add_round(project, (ANNA, BEN))
    page = AnnotatePage(context)
    show_page(page, qtbot)
    wait_until_idle(page)
    assert page.merges.isHidden()
    first, second = keys_in(project)[:2]
    with project.transaction() as stores:
        stores.answers.append([NewAnswer(key, ANNA.key, minute(1), Answer.NEUTRAL) for key in (first, second)])
    anna, ben = send(project, tmp_path / "sent")
    answer_in(anna, {first: [(5, Answer.REASONING)], second: [(6, Answer.CONTRASTING)]})
    answer_in(ben, {first: [(5, Answer.REASONING)]})
    merge(project, ben)
    merge(project, anna)
    page._read()
    wait_until_idle(page)
    assert page.merges.isVisible()
    assert [(row.name, row.pairs, len(row.conflicts)) for row in page.merges.model.rows] == [
        ("Anna", 2, 2),
        (BEN.name, 1, 0),
    ]
    page.merges.conflicts_button.click()
    dialog = page.findChild(ConflictsDialog)
    assert dialog is not None
    assert {row.conflict.pair_key for row in dialog.model.rows} == {first, second}
    wanted = dialog.model.rows[1].conflict.pair_key
    dialog.table.selectRow(1)
    with qtbot.waitSignal(context.review_requested) as asked:
        qtbot.keyClick(dialog.table, Qt.Key.Key_Return)
    assert asked.args == [(wanted,)]
    page.merges.show_conflicts()
    dialog = next(one for one in page.findChildren(ConflictsDialog) if one.isVisible())
    with qtbot.waitSignal(context.review_requested) as asked:
        dialog.all_button.click()
    assert set(asked.args[0]) == {first, second}


def test_conflicts_of_both_sorts_have_a_button_each(qtbot: QtBot, context: ProjectContext) -> None:
    at, kinds = minute(1), PairKinds("reasoning", frozenset({"causal"}), None, complete=True)
    answers = {"a": (Answer.NEUTRAL, Answer.REASONING), "b": (kinds, kinds), "c": (kinds, kinds)}
    parent = QWidget()
    qtbot.addWidget(parent)
    conflicts = [
        MergeConflict(key, TimedAnswer(at, here), TimedAnswer(at, there), there)
        for key, (here, there) in answers.items()
    ]
    merged = MergedAnswers(at, 1, "Anna", 3, tuple(conflicts), {"a": "One.", "b": "Two."})  # "c" is gone
    dialog = ConflictsDialog(context.theme, [NamedConflict(merged, one) for one in conflicts], parent)
    assert (dialog.all_button.text(), dialog.kinds_button.text()) == ("Review 1 relation", "Review 1 pair about kinds")
    with qtbot.waitSignal(dialog.review_requested) as asked:
        dialog.all_button.click()
    assert asked.args == [("a",)]
    with qtbot.waitSignal(dialog.kinds_requested) as asked:
        dialog.kinds_button.click()
    assert asked.args == [("b",)]
