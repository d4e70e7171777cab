"""The dialog for a bug of ours: what to send, and that nothing is lost."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.ui.services.problems import Problem
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.notices import IconLabel


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
