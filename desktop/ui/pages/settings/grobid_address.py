"""The GROBID address, with a light that says by shape and word how the server there is doing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop.ui.services.runner import JobRun, JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from miner.errors import UserError

if TYPE_CHECKING:
    from miner.parsing.grobid import GrobidServer


class GrobidAddress(QWidget):
    def __init__(
        self, settings_store: SettingsStore, runner: JobRunner, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._settings_store, self._runner, self._theme = settings_store, runner, theme
        self._run: JobRun | None = None
        px = theme.px
        self.line = QLineEdit(settings_store.settings.grobid_url)
        self.line.setAccessibleName("GROBID address")
        self.line.setObjectName("settings.grobid_url")
        self.line.setPlaceholderText("http://localhost:8070")
        self.line.editingFinished.connect(self._on_edited)
        self.test = QPushButton("Test")
        self.test.setAccessibleName("Test the GROBID address")
        self.test.clicked.connect(self.ask)
        self.light = PlainLabel()
        self.light.setWordWrap(True)
        self.light.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        across = QHBoxLayout()
        across.setSpacing(px(8))
        across.addWidget(self.line, 1)
        across.addWidget(self.test)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(px(6))
        layout.addLayout(across)
        layout.addWidget(self.light)
        self._shine("muted", "○ not tested yet")

    @Slot()
    def ask(self) -> None:
        """Ask the server how it is; the light tells when it has answered, or has not."""
        from desktop.jobs.papers.grobid import check_server

        self._on_edited()
        self.test.setEnabled(False)
        self._shine("muted", "○ asking…")
        self._run = run = self._runner.read(check_server(self.line.text()))
        run.done.connect(self._on_answer)
        run.failed.connect(self._on_failed)
        run.ended.connect(self._on_ended)

    @Slot()
    def _on_edited(self) -> None:
        if self.line.text().strip() != self._settings_store.settings.grobid_url:
            self._settings_store.change(grobid_url=self.line.text().strip())
            self._shine("muted", "○ not tested yet")

    @Slot(object)
    def _on_answer(self, server: GrobidServer) -> None:
        match server.health.value:
            case "ready":
                self._shine("good", f"● ready: GROBID {server.version}. {server.notice}".strip())
            case "starting":
                self._shine("warning", "◐ starting: try again in a minute")
            case "not reachable":
                self._shine("bad", f"▲ not reachable: nothing answers at {self.line.text()}. Start GROBID there.")
            case _:
                self._shine("bad", f"▲ not GROBID: {server.detail}")

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        hint = f" {error.hint}" if isinstance(error, UserError) else ""
        self._shine("bad", f"▲ {error}{hint}")

    @Slot()
    def _on_ended(self) -> None:
        self.test.setEnabled(True)

    def _shine(self, token: str, text: str) -> None:
        self._token = token
        self.light.setText(text)
        self.light.setAccessibleName(f"GROBID: {text}")
        self.light.set_tone(token)
