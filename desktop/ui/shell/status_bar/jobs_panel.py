"""The list of jobs above the status bar: state, progress and problems of each."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)

from desktop.text import count
from desktop.translation import tr
from desktop.ui.shell.status_bar.activity import Activity, JobEntry
from desktop.ui.shell.status_bar.job_bar import JobBar
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.card_keys import CardKeys
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, CardFrame, aligned, column_of, row_of, stretched


class JobRow(QFrame):
    """A job of the list: its text, its progress bar while it runs, and its problems when they are opened."""

    resized = Signal()

    def __init__(self, theme: Theme, entry: JobEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entry = entry
        self.text = PlainLabel(wraps=True, selectable=True)
        self.bar = JobBar(theme, 120)
        self.problems_button = QPushButton()
        self.problems_button.setProperty("look", "link")
        self.problems_button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.problems_button.clicked.connect(self.toggle)
        self.copy = push_button(
            tr("Copy"), self._on_copy, look="link", name=tr("Copy the problems of {title}", title=entry.title)
        )
        self.problems = QPlainTextEdit()
        self.problems.setReadOnly(True)
        self.problems.setTabChangesFocus(True)
        self.problems.setAccessibleName(tr("Problems of {title}", title=entry.title))
        self.problems.setFixedHeight(theme.px(140))
        self.problems.setVisible(False)
        self.copy.setVisible(False)
        self.setProperty("look", "row")
        self.setAccessibleName(entry.title)
        CardKeys(self, self._all_text, self._open)
        self.setLayout(
            column_of(
                row_of(
                    aligned(self.bar, Qt.AlignmentFlag.AlignTop),
                    stretched(self.text),
                    self.copy,
                    self.problems_button,
                    spacing=theme.px(12),
                ),
                self.problems,
                spacing=theme.px(6),
                margins=(0, theme.px(4), 0, theme.px(4)),
            )
        )
        self.show_entry()

    def show_entry(self) -> None:
        entry = self._entry
        self.text.setText(" ".join([entry.line, *(entry.result.notes if entry.result else ())]))
        self.bar.show_entry(entry)
        problems = entry.result.problems if entry.result else ()
        self.problems_button.setVisible(bool(problems))
        is_hidden = self.problems.isHidden()
        self.problems_button.setText(
            tr("Show {problems}", problems=count(len(problems), "problem")) if is_hidden else tr("Hide problems")
        )
        if problems and not self.problems.toPlainText():
            self.problems.setPlainText("\n".join(" ".join(filter(None, problem)) for problem in problems))

    def _open(self) -> None:
        if not self.problems_button.isHidden():
            self.toggle()

    def _all_text(self) -> str:
        return "\n".join(filter(None, (self.text.text(), self.problems.toPlainText())))

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.problems.toPlainText())

    @Slot()
    def toggle(self) -> None:
        """Show or hide the problems."""
        show = self.problems.isHidden()
        self.problems.setVisible(show)
        self.copy.setVisible(show)
        self.show_entry()
        self.resized.emit()


class JobsPanel(CardFrame):
    """The list of all jobs since the project was opened, the newest first."""

    closed = Signal()

    def __init__(self, activity: Activity, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._activity, self._theme, self._host = activity, theme, parent
        self.setAccessibleName(tr("Jobs"))
        self._rows: dict[int, JobRow] = {}
        heading = PlainLabel(tr("Jobs"), type="heading")
        self.close_button = push_button(tr("Close"), self.dismiss, look="quiet")
        self._empty_label = PlainLabel(tr("No job has run since the project was opened."), type="muted")
        self._content = content = QWidget()
        self._list = column_of(self._empty_label, STRETCH, spacing=theme.px(6), margins=(0, 0, theme.px(8), 0))
        content.setLayout(self._list)
        self._scroll = QScrollArea()
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(content)
        self._scroll.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)
        self.setLayout(
            column_of(
                row_of(heading, STRETCH, self.close_button),
                self._scroll,
                spacing=theme.px(6),
                margins=(theme.px(16), theme.px(8), theme.px(8), theme.px(12)),
            )
        )
        self.setVisible(False)
        activity.changed.connect(self._on_changed)
        activity.cleared.connect(self.dismiss)

    def open(self, *, problems: bool = False) -> None:
        """Show the list; with `problems`, also the problems of the last job that has some."""
        for row in self._rows.values():
            row.setParent(None)
            row.deleteLater()
        self._rows.clear()
        self._empty_label.setVisible(not self._activity.entries)
        for entry in self._activity.entries:
            self._add(entry)
        self._update_geometry()
        self._host.installEventFilter(self)
        self.setVisible(True)
        self.raise_()
        self.close_button.setFocus(Qt.FocusReason.PopupFocusReason)
        if problems:
            with_problems = [entry for entry in self._activity.entries if entry.result and entry.result.problems]
            if with_problems:
                self._rows[with_problems[-1].number].toggle()

    @Slot()
    def dismiss(self) -> None:
        if self.isVisible():
            self._host.removeEventFilter(self)
            self.setVisible(False)
            self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._update_geometry()
        return False

    @Slot()
    def _update_geometry(self) -> None:
        host, px = self._host, self._theme.px
        width = min(px(720), host.width() - px(32))
        content_height = self._content.sizeHint().height()
        height = min(content_height + px(64), px(400), host.height() - px(80))
        self.setGeometry(px(16), host.height() - height - px(48), width, height)

    def _add(self, entry: JobEntry) -> None:
        row = JobRow(self._theme, entry)
        row.resized.connect(self._update_geometry)
        self._rows[entry.number] = row
        self._list.insertWidget(1, row)  # the newest first, below the empty label

    @Slot(object)
    def _on_changed(self, entry: JobEntry) -> None:
        if not self.isVisible():
            return
        self._empty_label.setVisible(False)
        if entry.number not in self._rows:
            self._add(entry)
            self._update_geometry()
        else:
            self._rows[entry.number].show_entry()
