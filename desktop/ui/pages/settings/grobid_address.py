"""The field for the GROBID address, with a button that tests it and the status of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.translation import tr
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of, row_of, stretched
from miner.errors import UserError

if TYPE_CHECKING:
    from miner.parsing.grobid import GrobidServer


class GrobidAddress(QWidget):
    """An address and the status of its server, shown by symbol and words, not only by colour."""

    def __init__(
        self, settings_store: SettingsStore, runner: JobRunner, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._settings_store, self._runner = settings_store, runner
        px = theme.px
        self.address = QLineEdit(settings_store.settings.grobid_url)
        self.address.setAccessibleName(tr("GROBID address"))
        self.address.setObjectName("settings.grobid_url")
        self.address.setPlaceholderText("http://localhost:8070")
        self.address.editingFinished.connect(self._on_edited)
        self.test_button = push_button(tr("Test"), self.test_server, name=tr("Test the GROBID address"))
        self.status = PlainLabel(wraps=True, selectable=True)
        self.setLayout(
            column_of(row_of(stretched(self.address), self.test_button, spacing=px(8)), self.status, spacing=px(6))
        )
        self._show_status("muted", tr("○ not tested yet"))

    @Slot()
    def test_server(self) -> None:
        """Ask the server for its status, and show the answer."""
        from desktop.jobs.papers.grobid import check_server

        self._on_edited()
        self.test_button.setEnabled(False)
        self._show_status("muted", tr("○ asking…"))
        self._runner.read(check_server(self.address.text()), self._on_answer, self._on_failed)

    @Slot()
    def _on_edited(self) -> None:
        if self.address.text().strip() != self._settings_store.settings.grobid_url:
            self._runner.cancel_read(self._on_answer)  # its answer would be about another address
            self._settings_store.change(grobid_url=self.address.text().strip())
            self.test_button.setEnabled(True)
            self._show_status("muted", tr("○ not tested yet"))

    @Slot(object)
    def _on_answer(self, server: GrobidServer) -> None:
        self.test_button.setEnabled(True)
        match server.health.value:
            case "ready":
                self._show_status(
                    "good",
                    tr("● ready: GROBID {version}. {notice}", version=server.version, notice=server.notice).strip(),
                )
            case "starting":
                self._show_status("warning", tr("◐ starting: try again in a minute"))
            case "not reachable":
                self._show_status(
                    "bad",
                    tr(
                        "▲ not reachable: nothing answers at {address}. Start GROBID there.",
                        address=self.address.text(),
                    ),
                )
            case _:
                self._show_status("bad", tr("▲ not GROBID: {detail}", detail=server.detail))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.test_button.setEnabled(True)
        hint = f" {error.hint}" if isinstance(error, UserError) else ""
        self._show_status("bad", f"▲ {error}{hint}")

    def _show_status(self, token: str, text: str) -> None:
        self.status.setText(text)
        self.status.setAccessibleName(tr("GROBID: {text}", text=text))
        self.status.set_tone(token)
