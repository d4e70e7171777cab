"""One finding: its verdict, what was found, the figure, what to do, and the way to its pairs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QWidget

from desktop.jobs.pairs.audit_text import describe_finding, pairs_behind
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.audit.figures import finding_figure, question_text
from desktop.ui.plots.card import PlotCard
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, aligned, column_of, row_of, stretched
from miner.audit.report import AuditQuestion, AuditReport, Finding, Verdict

_VERDICT_TONES = {Verdict.MEND: "bad", Verdict.LOOK: "warning", Verdict.FINE: "good", Verdict.UNKNOWN: "muted"}
_TRAITS = frozenset(
    (
        AuditQuestion.CAPITAL,
        AuditQuestion.PHRASE_START,
        AuditQuestion.PHRASE_NEAR,
        AuditQuestion.NO_STOP,
        AuditQuestion.CITATION,
        AuditQuestion.DIGIT,
    )
)


class FindingView(QWidget):
    opened = Signal(object)  # PairFilter
    copied = Signal(int)  # number of rows

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._report: AuditReport | None = None
        self._finding: Finding | None = None
        self.card: PlotCard | None = None
        self.verdict = PlainLabel(type="heading")
        self.title = PlainLabel(type="lead")
        self.found = self._paragraph()
        self.advice = self._paragraph()
        self.advice_heading = PlainLabel(tr("What to do"), type="heading")
        self.pairs_button = push_button("", self._on_pairs)
        line = QFrame()
        line.setProperty("look", "line")
        line.setFixedHeight(1)
        self._layout = column_of(
            row_of(stretched(self.title), aligned(self.verdict, Qt.AlignmentFlag.AlignBottom)),
            self.found,
            line,
            self.advice_heading,
            self.advice,
            row_of(self.pairs_button, STRETCH),
            STRETCH,
            spacing=theme.px(8),
            margins=(theme.px(8), 0, theme.px(8), 0),
        )
        self.setLayout(self._layout)

    def show_finding(self, report: AuditReport, finding: Finding) -> None:
        self._report, self._finding = report, finding
        text = describe_finding(finding)
        self.title.setText(text.title)
        self.verdict.setText(text.verdict)
        self.verdict.set_tone(_VERDICT_TONES[finding.verdict])
        self.found.setText(text.found)
        self.advice.setText(text.advice)
        button = _button_text(finding)
        self.pairs_button.setText(button)
        self.pairs_button.setVisible(bool(button))
        self._show_figure(report, finding)

    def _show_figure(self, report: AuditReport, finding: Finding) -> None:
        if self.card is not None:
            self._layout.removeWidget(self.card)
            self.card.hide()
            self.card.deleteLater()
            self.card = None
        figure = finding_figure(report, finding) if finding.rows or finding.words else None
        if figure is None or not figure.numbers:
            return
        self.card = PlotCard(self._theme, question_text(finding))
        self.card.opened.connect(self.opened)
        self.card.copied.connect(self.copied)
        self._layout.insertWidget(2, self.card)
        self.card.show_figure(figure)

    def _paragraph(self) -> PlainLabel:
        return PlainLabel(wraps=True, selectable=True)

    @Slot()
    def _on_pairs(self) -> None:
        if self._report is not None and self._finding is not None:
            self.opened.emit(pairs_behind(self._report, self._finding))


def _button_text(finding: Finding) -> str:
    """The text of the button for the pairs behind the finding; "" if the finding is about no particular pairs."""
    if finding.question in _TRAITS:
        hits = sum(row.hits for row in finding.rows if finding.label in ("", row.label))
        of_class = f"{finding.label} " if finding.label else ""
        return tr("Show {counted}", counted=count(hits, f"{of_class}pair")) if hits else ""
    return (
        tr("Show the {label} pairs", label=finding.label)
        if finding.label and finding.verdict is not Verdict.FINE
        else ""
    )
