"""Shows problems when they happen: a toast for most, a dialog for a bug."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QEnterEvent, QFontDatabase, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from desktop.translation import tr
from desktop.ui.services.problems import Problem, Problems
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import CardFrame, aligned, column_of, row_of, stretched
from desktop.ui.widgets.notices import IconLabel


class Notifier(QObject):
    """Shows each new problem. has_list: whether toasts link to the list of problems."""

    def __init__(
        self, problems: Problems, settings_store: SettingsStore, theme: Theme, toast: Toast, window: QWidget
    ) -> None:
        super().__init__(window)
        self._problems, self._settings_store, self._theme, self._window = problems, settings_store, theme, window
        self._toast = toast
        self.has_list = False
        self._dialog: BugDialog | None = None
        self._shown_signatures: set[str] = set()
        problems.added.connect(self._on_problem)
        settings_store.failed.connect(self._on_settings_failed)

    @Slot(object)
    def _on_problem(self, problem: Problem) -> None:
        if problem.is_on_page:
            return
        if not (problem.is_bug and self._show_bug(problem)):
            self._toast.show_problem(problem, link=self.has_list)

    def _show_bug(self, problem: Problem) -> bool:
        """Show a bug in the dialog; False if it was shown before, and is not shown again."""
        if self._dialog is not None and isValid(self._dialog):
            self._dialog.add(problem)
            return True
        if problem.signature in self._shown_signatures:
            return False
        self._shown_signatures.add(problem.signature)
        self._dialog = BugDialog(problem, self._problems.log_path, self._theme, self._window)
        self._dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._dialog.open()
        return True

    @Slot(object)
    def _on_settings_failed(self, error: OSError) -> None:
        summary = tr(
            "The settings could not be saved to {settings}: {strerror}.",
            settings=self._settings_store.paths.settings,
            strerror=error.strerror or error,
        )
        self._problems.add(
            Problem(summary, tr("They last until the window closes. Free disk space there, or make the file writable."))
        )


_TOAST_DURATION_MS = 12_000


class Toast(CardFrame):
    """A card at the bottom of the window for a problem. It closes by itself; the list of problems keeps it.

    Escape closes the card before it does anything else. A shortcut would be ambiguous on pages that have one for
    Escape, so the card filters the keys of the focused widget.
    """

    problems_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._host = theme, parent
        self.setAccessibleName(tr("Problem"))
        icon = IconLabel(theme, "triangle-alert", "bad")
        self.summary = self._label("heading")
        self.hint = self._label("muted")
        self.show_all = QPushButton(tr("Show problems"))
        self.show_all.setProperty("look", "link")
        self.show_all.setCursor(Qt.CursorShape.PointingHandCursor)
        self.show_all.clicked.connect(self._on_more)
        close = QToolButton()
        close.setProperty("look", "quiet")
        set_tip(close, tr("Close (Esc)"))
        close.setAccessibleName(tr("Close"))
        close.setIconSize(QSize(theme.px(14), theme.px(14)))
        theme.set_icon(close, "x")
        close.clicked.connect(self.dismiss)
        self._layout = layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(16), theme.px(12), theme.px(8), theme.px(12))
        layout.setSpacing(theme.px(12))
        layout.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(
            column_of(self.summary, self.hint, aligned(self.show_all, Qt.AlignmentFlag.AlignLeft), spacing=theme.px(4)),
            1,
        )
        layout.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self._hide_timer = QTimer(self, singleShot=True, interval=_TOAST_DURATION_MS)
        self._hide_timer.timeout.connect(self.dismiss)
        self._focused: QWidget | None = None
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus_changed)
        self.setVisible(False)

    def show_problem(self, problem: Problem, *, link: bool) -> None:
        """Show a problem in place of the previous one. link: with a button that opens the list of problems."""
        self.summary.setText(problem.summary)
        self.hint.setText(problem.hint)
        self.hint.setVisible(bool(problem.hint))
        self.show_all.setVisible(link)
        self.setAccessibleDescription(f"{problem.summary} {problem.hint}")
        self.ensurePolished()
        for label in (self.summary, self.hint):
            label.ensurePolished()
        self._place()
        self.setVisible(True)
        self._host.installEventFilter(self)
        self._filter_keys_of(self.window().focusWidget())
        self.raise_()
        self._hide_timer.start()

    @Slot()
    def dismiss(self) -> None:
        self._hide_timer.stop()
        self._filter_keys_of(None)
        self._host.removeEventFilter(self)
        self.setVisible(False)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._hide_timer.stop()  # the user is reading it

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self.isVisible():
            self._hide_timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._host and event.type() == QEvent.Type.Resize:
            self._place()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # the key press comes here, even if it is a shortcut of the page
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.dismiss()
                return True
        return False

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _: QWidget | None, now: QWidget | None) -> None:
        if self.isVisible() and now is not None and now.window() is self.window():
            self._filter_keys_of(now)

    def _filter_keys_of(self, widget: QWidget | None) -> None:
        if self._focused is not None and isValid(self._focused):
            self._focused.removeEventFilter(self)
        self._focused = widget
        if widget is not None:
            widget.installEventFilter(self)

    @Slot()
    def _on_more(self) -> None:
        self.dismiss()
        self.problems_requested.emit()

    def _label(self, kind: str) -> QLabel:
        return PlainLabel(wraps=True, selectable=True, type=kind)

    def _place(self) -> None:
        host, px = self._host, self._theme.px
        width = min(px(440), host.width() - px(32))
        self.setFixedWidth(width)
        self._layout.activate()
        height = self._layout.totalHeightForWidth(width)
        self.setFixedHeight(height if height > 0 else self._layout.sizeHint().height())
        self.move(host.width() - width - px(16), host.height() - self.height() - px(56))


class BugDialog(QDialog):
    """The dialog for a bug, with what to report. Bugs that happen while it is open are added to it."""

    def __init__(self, problem: Problem, log_path: Path, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem = problem
        self._count = 1
        px = theme.px
        self.setWindowTitle(tr("Unexpected error"))
        self.resize(px(640), px(440))
        icon = IconLabel(theme, "circle-alert", "bad", 24)
        self.summary = PlainLabel(problem.summary, type="lead", wraps=True)
        hint = PlainLabel(problem.hint, wraps=True)
        self.details = QPlainTextEdit(problem.details)
        self.details.setReadOnly(True)
        self.details.setTabChangesFocus(True)
        self.details.setAccessibleName(tr("Details"))
        mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        mono.setPixelSize(px(12))
        self.details.setFont(mono)
        self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        log_label = PlainLabel(tr("Log file: {log_path}", log_path=log_path), type="small", wraps=True, selectable=True)
        self.copy = push_button(tr("Copy details"), self._on_copy)
        log = push_button(
            tr("Open the log folder"), lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_path.parent)))
        )
        resume = QPushButton(tr("Continue"))
        resume.setProperty("look", "primary")
        resume.setDefault(True)
        resume.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        for button in (self.copy, log):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(resume)
        self.setLayout(
            column_of(
                row_of(aligned(icon, Qt.AlignmentFlag.AlignTop), stretched(self.summary), spacing=px(12)),
                hint,
                stretched(self.details),
                log_label,
                buttons,
                spacing=px(12),
                margins=(px(24), px(20), px(24), px(20)),
            )
        )
        resume.setFocus()

    def add(self, problem: Problem) -> None:
        """Append another bug, or the same one again, to the details and the count."""
        self._count += 1
        if problem.details not in self.details.toPlainText():
            self.details.appendPlainText(f"\n{problem.details}")
        self.summary.setText(
            tr("{summary} It has happened {count:,} times.", summary=self._problem.summary, count=self._count)
        )

    @Slot()
    def _on_copy(self) -> None:
        from importlib.metadata import version

        text = tr(
            "Pairwright {version}\n{summary}\n\n{toplaintext}",
            version=version("pairwright"),
            summary=self.summary.text(),
            toplaintext=self.details.toPlainText(),
        )
        QGuiApplication.clipboard().setText(text)
        self.copy.setText(tr("Copied"))
