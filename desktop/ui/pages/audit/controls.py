"""What to audit, the button that starts it, and its progress."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop.jobs.pairs.audit_text import SOURCES
from desktop.translation import tr
from desktop.ui.services.display_names import NO_DOMAIN, capitalized
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import ChoiceBox, ComboBox
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip
from miner.audit.report import AuditedLabels
from miner.progress import Tick


class AuditControls(QWidget):
    """Labels and domain to audit, and the progress of the audit that runs."""

    audit_requested = Signal()
    stop_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.labels = ComboBox()
        self.labels.setAccessibleName(tr("Labels to audit"))
        for source in AuditedLabels:
            self.labels.addItem(capitalized(SOURCES[source]), source.value)
        self.domains = ChoiceBox(tr("Domain to audit"), tr("All domains"))
        self.scope = ElidedLabel(type="small")
        self.button = push_button(tr("Audit again"), self.audit_requested)
        self.progress_bar = QProgressBar()
        self.progress_bar.setTextVisible(False)
        self.progress_bar.setAccessibleName(tr("Progress of the audit"))
        self.progress_text = PlainLabel(type="small")
        self.stop = QPushButton(tr("Stop"))
        self.stop.setIconSize(QSize(theme.px(14), theme.px(14)))
        theme.set_icon(self.stop, "square")
        set_tip(self.stop, tr("Stop; the previous audit is kept"))
        self.stop.clicked.connect(self.stop_requested)
        first, second = QHBoxLayout(), QHBoxLayout()
        for box in (self.labels, self.domains):
            first.addWidget(box)
        first.addWidget(self.scope, 1)
        for button in (self.button, self.stop):
            first.addWidget(button)
        second.addWidget(self.progress_bar, 1)
        second.addWidget(self.progress_text)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        for row in (first, second):
            row.setSpacing(theme.px(12))
            layout.addLayout(row)
        self.show_progress(None)

    @property
    def source(self) -> AuditedLabels:
        return AuditedLabels(self.labels.currentData())

    @property
    def domain(self) -> str | None:
        """The selected domain; None for all domains."""
        domain: str | None = self.domains.value
        return domain

    def offer_domains(self, domains: Sequence[str]) -> None:
        """Offer these domains; the selected one stays selected if it is among them."""
        self.domains.offer([(domain or NO_DOMAIN, domain) for domain in domains])

    def choose(self, source: AuditedLabels, domain: str | None) -> None:
        """Select the scope of a report; all domains if its domain no longer exists."""
        self.labels.setCurrentIndex(self.labels.findData(source.value))
        self.domains.choose(domain)

    def show_scope(self, text: str) -> None:
        """Show the scope of the report on screen."""
        self.scope.setText(text)

    @Slot()
    def show_progress(self, tick: Tick | None, text: str = "", *, is_stopping: bool = False) -> None:
        """Show the progress of the audit; None while no audit runs."""
        for widget in (self.progress_bar, self.progress_text, self.stop):
            widget.setVisible(tick is not None)
        self.button.setVisible(tick is None)
        for box in (self.labels, self.domains):
            box.setEnabled(tick is None)
        if tick is not None:
            self.progress_bar.setRange(0, tick.total or 0)
            self.progress_bar.setValue(tick.done)
            self.progress_text.setText(tr("Stopping…") if is_stopping else text)
            self.stop.setEnabled(not is_stopping)
