"""The Problems page: all errors since the window opened, and what to do about them."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QSizePolicy, QWidget

from desktop.jobs.papers.table import load_totals
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.page import Page
from desktop.ui.services.problems import Problem
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.card_keys import CardKeys
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, CardFrame, aligned, card_of, column_of, row_of, stretched
from desktop.ui.widgets.notices import EmptyState, IconLabel
from storage.changes import Changes
from storage.papers.table import PaperTotals

_MAX_CARDS = 100


class ProblemCard(CardFrame):
    """The card of a problem: what happened, when, what to do about it, and a button that copies its details."""

    def __init__(self, theme: Theme, problem: Problem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self._problem = problem
        icon, token = ("circle-alert", "bad") if problem.is_bug else ("triangle-alert", "warning")
        icon_label = IconLabel(theme, icon, token, 16)
        icon_label.setAccessibleName(tr("Error in Pairwright") if problem.is_bug else tr("Problem"))
        what = self._label(problem.summary, "heading")
        when = PlainLabel(f"{problem.at:%H:%M}", type="small")
        self.copy_button = QPushButton(tr("Copy details") if problem.is_bug else tr("Copy"))
        self.copy_button.setProperty("look", "link")
        self.copy_button.setAccessibleName(f"{self.copy_button.text()}: {problem.summary}")
        self.copy_button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.copy_button.clicked.connect(self._on_copy)
        text = column_of(what, spacing=px(4))
        if problem.hint:
            text.addWidget(self._label(problem.hint, "muted"))
        top = Qt.AlignmentFlag.AlignTop
        self.setLayout(
            row_of(
                aligned(icon_label, top),
                stretched(text),
                aligned(self.copy_button, top),
                aligned(when, top),
                spacing=px(12),
                margins=(px(16), px(12), px(16), px(12)),
            )
        )
        self.setAccessibleName(problem.summary)
        CardKeys(self, self._text)

    def _label(self, text: str, kind: str) -> QLabel:
        return PlainLabel(text, wraps=True, selectable=True, type=kind)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text())
        self.copy_button.setText(tr("Copied"))

    def _text(self) -> str:
        problem = self._problem
        return "\n".join(filter(None, (problem.summary, problem.hint, problem.details)))


class ProblemsPage(Page):
    """The problems as cards, the newest first, and how many files could not be read."""

    title = tr("Problems")

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme, px = context.theme, context.theme.px
        self._cards: list[ProblemCard] = []
        self.open_log_button = push_button(
            tr("Open the log folder"),
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(context.problems.log_path.parent))),
            tip=str(context.problems.log_path),
        )
        self.copy_button = push_button(tr("Copy all"), self._on_copy)
        self.header.addWidget(self.copy_button)
        self.header.addWidget(self.open_log_button)
        self._failed_files_text = PlainLabel(wraps=True)
        self.show_files_button = push_button(
            tr("Show them"), self._on_show_files, name=tr("Show the files that need attention")
        )
        margins = (px(16), px(12), px(16), px(12))
        row = row_of(stretched(self._failed_files_text), self.show_files_button, spacing=px(6), margins=margins)
        self.failed_files = card_of(row)
        self.failed_files.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.failed_files.setVisible(False)
        self.empty = EmptyState(theme, tr("Errors and files that could not be read are listed here. There are none."))
        inner = QWidget()
        self._list = column_of(STRETCH, spacing=px(8))
        inner.setLayout(self._list)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setAccessibleName(tr("Problems, newest first"))
        self._scroll.setWidget(inner)
        self.body.addWidget(self.failed_files)
        self.body.addWidget(self.empty, 1)
        self.body.addWidget(self._scroll, 1)
        self.body.addStretch()
        context.problems.added.connect(self._on_added)
        for problem in context.problems.all[-_MAX_CARDS:]:
            self._add(problem)
        self._show_counts()

    def activate(self) -> None:
        super().activate()
        self.context.problems.mark_seen()

    def refresh(self, changes: Changes) -> None:
        if not changes.papers:
            return
        self.context.read(load_totals(self.context.project), self._on_totals)

    @Slot(object)
    def _on_totals(self, totals: PaperTotals) -> None:
        needs = "needs" if totals.failed == 1 else "need"
        self._failed_files_text.setText(
            tr(
                "{files} of this project could not be read and {needs} attention.",
                files=count(totals.failed, "file"),
                needs=needs,
            )
        )
        self.failed_files.setVisible(bool(totals.failed))
        self._show_counts()

    @Slot()
    def _on_show_files(self) -> None:
        self.context.attention_requested.emit()

    @Slot(object)
    def _on_added(self, problem: Problem) -> None:
        self._add(problem)
        self._show_counts()
        if self.isVisible():
            self.context.problems.mark_seen()

    @Slot()
    def _on_copy(self) -> None:
        parts = [
            "\n".join(filter(None, (f"{problem.at:%Y-%m-%d %H:%M:%S}", problem.summary, problem.hint, problem.details)))
            for problem in reversed(self.context.problems.all)
        ]
        QGuiApplication.clipboard().setText("\n\n".join(parts))
        self.context.show_message(tr("Copied {problems}.", problems=count(len(parts), "problem")))

    def _add(self, problem: Problem) -> None:
        card = ProblemCard(self.context.theme, problem)
        self._cards.insert(0, card)
        self._list.insertWidget(0, card)
        for old in self._cards[_MAX_CARDS:]:
            self._list.removeWidget(old)
            old.setParent(None)
            old.deleteLater()
        del self._cards[_MAX_CARDS:]

    def _show_counts(self) -> None:
        number = len(self.context.problems.all)
        self.set_subtitle(
            tr("{problems} since the window opened, the newest first", problems=count(number, "problem"))
            if number
            else ""
        )
        self.empty.setVisible(not self._cards and self.failed_files.isHidden())
        self._scroll.setVisible(bool(self._cards))
        self.copy_button.setEnabled(bool(self._cards))
