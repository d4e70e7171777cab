"""The dialog with the version, how it was installed, the licences, and the paths of settings and log."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, QUrl, Slot, qVersion
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QFormLayout, QPushButton, QVBoxLayout, QWidget

from desktop.jobs.installation import check_installation
from desktop.settings import Paths
from desktop.translation import tr
from desktop.ui.services.runner import JobRunner
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, row_of

if TYPE_CHECKING:
    from desktop.jobs.installation import Check

_LICENCES = (
    (tr("Pairwright"), tr("MIT licence")),
    (tr("Qt and PySide6"), tr("GNU Lesser General Public License, version 3 (LGPL)")),
    (tr("Icons"), tr("Lucide, ISC licence")),
    (tr("Reading type"), tr("Source Serif 4, SIL Open Font License 1.1 (OFL)")),
    (tr("PDF pages"), tr("PDFium, BSD and Apache licences")),
    (tr("Plots"), tr("pyqtgraph, MIT licence")),
)


class AboutDialog(QDialog):
    def __init__(self, paths: Paths, runner: JobRunner, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.setWindowTitle(tr("About Pairwright"))
        self.setMinimumWidth(px(520))
        title = PlainLabel(tr("Pairwright"))
        font = theme.reading_font(24)
        title.setStyleSheet(f"font-family: '{font.family()}'; font-size: {px(24)}px;")
        description = PlainLabel(
            tr(
                "Version {version}, with Qt {qversion}. Sentence pairs for scientific inference.",
                version=version("pairwright"),
                qversion=qVersion(),
            ),
            type="muted",
            wraps=True,
        )
        rows = QFormLayout()
        rows.setHorizontalSpacing(px(16))
        rows.setVerticalSpacing(px(6))
        for name, licence in (*_LICENCES, (tr("Settings"), str(paths.settings)), (tr("Log"), str(paths.log))):
            rows.addRow(*_row(name, licence))
        self._rows = rows
        job = check_installation()
        runner.read(job, self._show_installation)
        log = QPushButton(tr("Open the log folder"))
        log.setAutoDefault(False)
        log.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.log.parent))))
        close = QPushButton(tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(20))
        layout.setSpacing(px(12))
        layout.addWidget(title)
        layout.addWidget(description)
        layout.addLayout(rows)
        layout.addStretch(1)
        layout.addLayout(row_of(log, STRETCH, close))
        close.setFocus()

    @Slot(object)
    def _show_installation(self, checks: list[Check]) -> None:
        """Show, above the licences, how the program was installed and which of its parts are there."""
        for number, check in enumerate(checks):
            name = tr("This copy") if check.name == "pairwright" else check.name[0].upper() + check.name[1:]
            text = f"{check.finding} {check.hint}" if check.sound is False else check.finding
            self._rows.insertRow(number, *_row(name, text))
        self._rows.insertRow(len(checks), QWidget())  # a gap before the licences
        QTimer.singleShot(0, self, self._fit)  # the rows are laid out when they are visible

    @Slot()
    def _fit(self) -> None:
        self.resize(self.width(), self._layout.totalHeightForWidth(self.width()))


def _row(name: str, text: str) -> tuple[PlainLabel, PlainLabel]:
    label, value = PlainLabel(name), PlainLabel(text)
    label.setProperty("type", "muted")
    value.setWordWrap(len(text) > 60)  # a path, say
    value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label, value
