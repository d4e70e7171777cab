"""The dialog with the version, the licences, and the paths of settings and log."""

from __future__ import annotations

from importlib.metadata import version

from PySide6.QtCore import Qt, QUrl, qVersion
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.settings import Paths
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel

_LICENCES = (
    ("Pairwright", "MIT licence"),
    ("Qt and PySide6", "GNU Lesser General Public License, version 3 (LGPL)"),
    ("Icons", "Lucide, ISC licence"),
    ("Reading type", "Source Serif 4, SIL Open Font License 1.1 (OFL)"),
    ("PDF pages", "PDFium, BSD and Apache licences"),
    ("Plots", "pyqtgraph, MIT licence"),
)


class AboutDialog(QDialog):
    def __init__(self, paths: Paths, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.setWindowTitle("About Pairwright")
        self.setMinimumWidth(px(520))
        title = PlainLabel("Pairwright")
        font = theme.reading_font(24)
        title.setStyleSheet(f"font-family: '{font.family()}'; font-size: {px(24)}px;")
        description = PlainLabel(
            f"Version {version('pairwright')}, with Qt {qVersion()}. Sentence pairs for scientific inference."
        )
        description.setProperty("type", "muted")
        description.setWordWrap(True)
        rows = QFormLayout()
        rows.setHorizontalSpacing(px(16))
        rows.setVerticalSpacing(px(6))
        for name, licence in (*_LICENCES, ("Settings", str(paths.settings)), ("Log", str(paths.log))):
            label = PlainLabel(name)
            label.setProperty("type", "muted")
            value = PlainLabel(licence)
            value.setWordWrap(len(licence) > 60)  # a path
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            rows.addRow(label, value)
        log = QPushButton("Open the log folder")
        log.setAutoDefault(False)
        log.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.log.parent))))
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addWidget(log)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(20))
        layout.setSpacing(px(12))
        layout.addWidget(title)
        layout.addWidget(description)
        layout.addLayout(rows)
        layout.addStretch(1)
        layout.addLayout(buttons)
        close.setFocus()
