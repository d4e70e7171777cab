"""Shows a problem where it happens: a quiet card, or a dialog for a bug of ours."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QEnterEvent, QFontDatabase, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from desktop.ui.services.problems import Problem, Problems
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.notices import IconLabel


class Notifier(QObject):
    """`toast` is the card to use; `has_list` says whether the list of problems can be reached from it."""

    def __init__(self, problems: Problems, settings_store: SettingsStore, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._problems, self._settings_store, self._theme, self._window = problems, settings_store, theme, window
        self.toast: Toast | None = None
        self.has_list = False
        self._dialog: BugDialog | None = None
        self._told: set[str] = set()
        problems.added.connect(self._on_problem)
        settings_store.failed.connect(self._on_settings_failed)

    @Slot(object)
    def _on_problem(self, problem: Problem) -> None:
        if problem.told:
            return
        if not (problem.is_bug and self._tell_bug(problem)) and self.toast is not None:
            self.toast.show_problem(problem, link=self.has_list)

    def _tell_bug(self, problem: Problem) -> bool:
        """Show a bug in the one dialog; False where it is one the person has seen already."""
        if self._dialog is not None and isValid(self._dialog):
            self._dialog.add(problem)
            return True
        if problem.signature in self._told:
            return False
        self._told.add(problem.signature)
        self._dialog = BugDialog(problem, self._problems.log_path, self._theme, self._window)
        self._dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._dialog.open()
        return True

    @Slot(object)
    def _on_settings_failed(self, error: OSError) -> None:
        what = f"The settings could not be saved to {self._settings_store.paths.settings}: {error.strerror or error}."
        self._problems.add(Problem(what, "They hold until the window closes. Make room there, or let it be written."))


_STAYS = 12_000  # ms


class Toast(QFrame):
    problems_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._home = theme, parent
        self.setProperty("look", "card")
        self.setAccessibleName("Problem")
        sign = IconLabel(theme, "triangle-alert", "bad")
        self.what = self._line("heading")
        self.hint = self._line("muted")
        self.more = QPushButton("Show problems")
        self.more.setProperty("look", "link")
        self.more.setCursor(Qt.CursorShape.PointingHandCursor)
        self.more.clicked.connect(self._on_more)
        close = QToolButton()
        close.setProperty("look", "quiet")
        set_tip(close, "Close (Esc)")
        close.setAccessibleName("Close")
        close.setIconSize(QSize(theme.px(14), theme.px(14)))
        theme.give_icon(close, "x")
        close.clicked.connect(self.shut)
        text = QVBoxLayout()
        text.setSpacing(theme.px(4))
        text.addWidget(self.what)
        text.addWidget(self.hint)
        text.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self._across = layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(16), theme.px(12), theme.px(8), theme.px(12))
        layout.setSpacing(theme.px(12))
        layout.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(text, 1)
        layout.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self._going = QTimer(self)
        self._going.setSingleShot(True)
        self._going.setInterval(_STAYS)
        self._going.timeout.connect(self.shut)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), parent)  # whoever has the keyboard
        self._escape.activated.connect(self.shut)
        self._escape.setEnabled(False)
        self.setVisible(False)

    def show_problem(self, problem: Problem, *, link: bool) -> None:
        """Show it in place of the one before; `link` to the list of problems, where that can be reached."""
        self.what.setText(problem.what)
        self.hint.setText(problem.hint)
        self.hint.setVisible(bool(problem.hint))
        self.more.setVisible(link)
        self.setAccessibleDescription(f"{problem.what} {problem.hint}")
        self.ensurePolished()
        for label in (self.what, self.hint):
            label.ensurePolished()
        self._place()
        self.setVisible(True)
        self._home.installEventFilter(self)
        self._escape.setEnabled(True)
        self.raise_()
        self._going.start()

    @Slot()
    def shut(self) -> None:
        self._going.stop()
        self._escape.setEnabled(False)
        self._home.removeEventFilter(self)
        self.setVisible(False)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._going.stop()  # somebody reads it

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self.isVisible():
            self._going.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    @Slot()
    def _on_more(self) -> None:
        self.shut()
        self.problems_requested.emit()

    def _line(self, kind: str) -> QLabel:
        label = PlainLabel()
        label.setProperty("type", kind)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _place(self) -> None:
        home, px = self._home, self._theme.px
        width = min(px(440), home.width() - px(32))
        self.setFixedWidth(width)
        self._across.activate()
        height = self._across.totalHeightForWidth(width)
        self.setFixedHeight(height if height > 0 else self._across.sizeHint().height())
        self.move(home.width() - width - px(16), home.height() - self.height() - px(56))


class BugDialog(QDialog):
    """One for all: what happens while it is open is added to it."""

    def __init__(self, problem: Problem, log_path: Path, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem = problem
        self._times = 1
        px = theme.px
        self.setWindowTitle("Unexpected error")
        self.resize(px(640), px(440))
        sign = IconLabel(theme, "circle-alert", "bad", 24)
        self.what = PlainLabel(problem.what)
        self.what.setProperty("type", "lead")
        self.what.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(px(12))
        head.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.what, 1)
        hint = PlainLabel(problem.hint)
        hint.setWordWrap(True)
        self.details = QPlainTextEdit(problem.details)
        self.details.setReadOnly(True)
        self.details.setTabChangesFocus(True)
        self.details.setAccessibleName("Details")
        mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        mono.setPixelSize(px(12))
        self.details.setFont(mono)
        self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        place = PlainLabel(f"The log: {log_path}")
        place.setProperty("type", "small")
        place.setWordWrap(True)
        place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = QPushButton("Copy details")
        self.copy.clicked.connect(self._on_copy)
        log = QPushButton("Open the log's folder")
        log.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_path.parent))))
        resume = QPushButton("Continue")
        resume.setProperty("look", "primary")
        resume.setDefault(True)
        resume.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        for button in (self.copy, log):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(resume)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(20))
        layout.setSpacing(px(12))
        layout.addLayout(head)
        layout.addWidget(hint)
        layout.addWidget(self.details, 1)
        layout.addWidget(place)
        layout.addLayout(buttons)
        resume.setFocus()

    def add(self, problem: Problem) -> None:
        """It has happened again, or another has; the dialog stays as it is but for that."""
        self._times += 1
        if problem.details not in self.details.toPlainText():
            self.details.appendPlainText(f"\n{problem.details}")
        self.what.setText(f"{self._problem.what} It has happened {self._times:,} times.")

    @Slot()
    def _on_copy(self) -> None:
        from importlib.metadata import version

        text = f"Pairwright {version('pairwright')}\n{self.what.text()}\n\n{self.details.toPlainText()}"
        QGuiApplication.clipboard().setText(text)
        self.copy.setText("Copied")
