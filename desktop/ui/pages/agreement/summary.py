"""The card at the top of the page: how far people agree, on which basis, and what to do next."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.jobs.review.agreement_report import AgreementReport
from desktop.jobs.review.agreement_text import (
    NO_VALUE,
    PUBLISHED,
    NextStep,
    coefficient_text,
    headline,
    next_step,
    notes,
    share_text,
    verdict,
)
from desktop.text import points
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import CardFrame, aligned, column_of, row_of, stretched
from miner.agreement import Coefficient

_FIGURES = (  # title, what it is
    (tr("Votes agree"), tr("Raw agreement: of every two votes on a pair, the share that are the same.")),
    (tr("Fleiss’ κ"), tr("Agreement beyond chance: 1 is perfect, 0 is what chance would give.")),
    (tr("Krippendorff’s α"), tr("Agreement beyond chance, like κ, but corrected for few pairs and missing votes.")),
    (tr("Gwet’s AC1"), tr("Agreement beyond chance that stays meaningful where one class has nearly all votes.")),
)


class _Figure(QWidget):
    """A title, a value, and its interval."""

    def __init__(self, title: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.title, self.value, self.range = PlainLabel(title), PlainLabel(), PlainLabel()
        for label, kind in ((self.title, "small"), (self.value, "title"), (self.range, "small")):
            label.setProperty("type", kind)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            layout.addWidget(label)
        set_tip(self, tip)

    def show_value(self, value: str, low_high: str) -> None:
        self.value.setText(value)
        self.range.setText(low_high)
        self.setAccessibleName(f"{self.title.text()} {value} {low_high}".strip())


class AgreementSummary(CardFrame):
    opened = Signal(object)  # PairFilter
    page_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step = NextStep("")
        self.setAccessibleName(tr("How far do people agree?"))
        px = theme.px
        self.headline, self.verdict, self.notes, self.step = (PlainLabel() for _ in range(4))
        for label, kind in ((self.headline, "lead"), (self.verdict, ""), (self.notes, "small"), (self.step, "")):
            label.setProperty("type", kind)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.figures = [_Figure(title, tip) for title, tip in _FIGURES]
        self._figure_row = QWidget()
        across = QHBoxLayout(self._figure_row)
        across.setContentsMargins(0, px(4), 0, px(4))
        across.setSpacing(px(32))
        for figure in self.figures:
            across.addWidget(figure)
        across.addStretch(1)
        self.button = push_button("", self._on_clicked, look="primary")
        self.setLayout(
            column_of(
                self.headline,
                self._figure_row,
                self.verdict,
                self.notes,
                row_of(stretched(self.step), aligned(self.button, Qt.AlignmentFlag.AlignVCenter), spacing=px(16)),
                spacing=px(8),
                margins=(px(16), px(12), px(16), px(12)),
            )
        )

    def show_report(self, report: AgreementReport) -> None:
        found = report.overall.agreement
        self.headline.setText(headline(report))
        for figure, coefficient, is_share in zip(
            self.figures, (found.raw, found.fleiss, found.alpha, found.ac1), (True, False, False, False), strict=True
        ):
            figure.show_value(_value(coefficient, is_share=is_share), _range(coefficient, is_share=is_share))
        self._figure_row.setVisible(found.raw.value is not None)
        says = verdict(report)
        self.verdict.setText(f"{says} {PUBLISHED}" if found.fleiss.value is not None else says)
        self.verdict.setVisible(bool(says))
        self.notes.setText(" ".join(notes(report)))
        self.notes.setVisible(bool(self.notes.text()))
        self._step = next_step(report)
        self.step.setText(self._step.text)
        self.button.setText(self._step.button)
        self.button.setVisible(bool(self._step.button))

    @Slot()
    def _on_clicked(self) -> None:
        if self._step.filter is not None:
            self.opened.emit(self._step.filter)
        elif self._step.page is not None:
            self.page_requested.emit(self._step.page)


def _value(found: Coefficient, *, is_share: bool) -> str:
    if found.value is None:
        return NO_VALUE
    return share_text(found.value) if is_share else coefficient_text(Coefficient(found.value))


def _range(found: Coefficient, *, is_share: bool) -> str:
    if found.interval is None:
        return tr("not defined") if found.value is None else tr("no interval")
    low, high = found.interval
    if is_share:
        return tr("{low} to {high} %", low=points(low), high=points(high))
    return tr("{low:.2f} to {high:.2f}", low=low, high=high).replace("-", "−")
