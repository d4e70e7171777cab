"""The list of findings: under their verdicts, worst first."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem, QWidget

from desktop.jobs.pairs.audit_text import TITLES, VERDICTS
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import plain_tip
from desktop.ui.widgets.list_headings import list_heading
from desktop.ui.widgets.list_keys import list_keys
from miner.audit.report import AuditReport, Finding, Verdict

VERDICT_ICONS = {  # the icon, and the colour of the theme
    Verdict.MEND: ("circle-alert", "bad"),
    Verdict.LOOK: ("triangle-alert", "warning"),
    Verdict.FINE: ("circle-check", "good"),
    Verdict.UNKNOWN: ("circle-help", "muted"),
}
_ROW_HEIGHT_PX = 30
_WIDTH_PX = 264
_FINDING_ROLE = Qt.ItemDataRole.UserRole


class FindingsList(QTreeWidget):
    """The current finding is the one that is shown; keys and clicks change it."""

    finding_changed = Signal(object)  # Finding

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.report: AuditReport | None = None
        self.setAccessibleName(tr("Findings, most serious first"))
        self.setHeaderHidden(True)
        list_keys(self)
        self.setRootIsDecorated(False)
        self.setProperty("look", "list")
        self.setIconSize(QSize(theme.px(16), theme.px(16)))
        self.setFixedWidth(theme.px(_WIDTH_PX))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.currentItemChanged.connect(self._on_current)
        theme.changed.connect(self._fill)

    @property
    def finding(self) -> Finding | None:
        """The current finding; None if there is none."""
        item: QTreeWidgetItem | None = self.currentItem()
        return None if item is None else item.data(0, _FINDING_ROLE)

    def show_report(self, report: AuditReport) -> None:
        """List the findings; the current question stays current, unless the report is the first."""
        self.report = report
        self._fill()

    def choose(self, question: str) -> None:
        """Make the finding on a question current."""
        for item in self._items():
            if item.data(0, _FINDING_ROLE).question == question:
                self.setCurrentItem(item)

    def _items(self) -> list[QTreeWidgetItem]:
        root = self.invisibleRootItem()
        items = (root.child(index) for index in range(root.childCount()))
        return [item for item in items if item is not None and item.data(0, _FINDING_ROLE) is not None]

    @Slot()
    def _fill(self) -> None:
        if self.report is None:
            return
        before = self.finding
        self.clear()
        for verdict in Verdict:
            if findings := self.report.of(verdict):
                self.addTopLevelItem(list_heading(self._theme, f"{VERDICTS[verdict]} · {len(findings)}"))
                for finding in findings:
                    self.addTopLevelItem(self._item(finding))
        items = self._items()
        same = [item for item in items if before is not None and self._question(item) == before.question]
        if items:
            self.setCurrentItem((same or items)[0])

    def _question(self, item: QTreeWidgetItem) -> str:
        finding: Finding = item.data(0, _FINDING_ROLE)
        return finding.question

    def _item(self, finding: Finding) -> QTreeWidgetItem:
        title = TITLES[finding.question]
        item = QTreeWidgetItem([title])
        item.setIcon(0, self._theme.icon(*VERDICT_ICONS[finding.verdict]))
        item.setData(0, _FINDING_ROLE, finding)
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{title}: {VERDICTS[finding.verdict]}")
        item.setToolTip(0, plain_tip(VERDICTS[finding.verdict]))
        item.setSizeHint(0, QSize(0, self._theme.px(_ROW_HEIGHT_PX)))
        return item

    @Slot(QTreeWidgetItem)
    def _on_current(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and (finding := item.data(0, _FINDING_ROLE)) is not None:
            self.finding_changed.emit(finding)
