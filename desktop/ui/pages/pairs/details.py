"""The details pane of the Pairs page: both sentences of the current pair, their source, answers and suggestion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.jobs.pairs.table import PairDetails, SystemPrediction
from desktop.text import DIRECTIONS, chance, count
from desktop.translation import tr
from desktop.ui.judging.label_chip import ProbabilityBars
from desktop.ui.services.display_names import FLAGS, STATUSES, STRATEGIES
from desktop.ui.theme import BODY, Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, CardFrame, column_of
from storage.pairs.filters import PairStatus
from storage.pairs.table import PairTableRow

_NARROW_WIDTH_PX = 620
_MAX_SYSTEMS = 8  # of experiments, that are named
_MAX_SENTENCE_LENGTH = 1500  # characters; the rest is cut off


class PairDetailsPane(CardFrame):
    """Shows at first the values of the table's line of a pair, and its details once they are read."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.likely_text: Callable[[Sequence[float]], str] = lambda probabilities: ""
        self.setAccessibleName(tr("The pair in full"))
        inside = QWidget()
        self._grid = grid = QGridLayout(inside)
        margin = theme.px(12)
        grid.setContentsMargins(margin, theme.px(8), margin, theme.px(8))
        grid.setHorizontalSpacing(theme.px(24))
        grid.setVerticalSpacing(theme.px(4))
        self.premise, self.hypothesis = _text(), _text()
        self.origin, self.label, self.history, self.provenance = _text(), _text("small"), _text(), _text("small")
        self.predictions = _text("small")
        self.more = QPushButton(tr("More"))
        self.more.setProperty("look", "link")
        self.more.setCheckable(True)
        self.more.setAccessibleName(tr("More about where the pair comes from"))
        self.more.toggled.connect(self._show_more)
        self._show_more(False)
        self.suggestion_text, self.bars = _text("small"), ProbabilityBars(theme)
        self._sentences, self._facts = QWidget(), QWidget()
        sentences, facts = QVBoxLayout(self._sentences), QVBoxLayout(self._facts)
        self._headings = (_heading(tr("Premise")), _heading(tr("Hypothesis")))
        self.suggestion = QWidget()
        self.suggestion.setLayout(column_of(self.suggestion_text, self.bars, STRETCH, spacing=theme.px(4)))
        self.suggestion.setFixedWidth(theme.px(208))
        columns: tuple[tuple[QVBoxLayout, tuple[QWidget, ...]], ...] = (
            (sentences, (self._headings[0], self.premise, self._headings[1], self.hypothesis)),
            (facts, (self.origin, self.label, self.history, self.predictions, self.more, self.provenance)),
        )
        for column, widgets in columns:
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(theme.px(4))
            for widget in widgets:
                column.addWidget(widget)
            column.addStretch(1)
        facts.setAlignment(self.more, Qt.AlignmentFlag.AlignLeft)
        self._is_narrow: bool | None = None
        self._arrange()
        self._scroll = scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        scroll.setAccessibleName(tr("The pair in full"))
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        self.setLayout(column_of(scroll, spacing=0))
        theme.changed.connect(self._update_font)
        self._update_font()
        self.show_line(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put the facts beside the sentences, or below them when the pane is narrow."""
        is_narrow = self.width() < self._theme.px(_NARROW_WIDTH_PX)
        if is_narrow is self._is_narrow:
            return
        self._is_narrow = is_narrow
        parts = (self._sentences, self._facts, self.suggestion)
        cells = ((0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1)) if is_narrow else ((0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 1))
        for part, cell in zip(parts, cells, strict=True):
            self._grid.removeWidget(part)
            self._grid.addWidget(part, *cell)
        for column, stretch in enumerate((1, 0) if is_narrow else (3, 2)):
            self._grid.setColumnStretch(column, stretch)

    @Slot()
    def scroll_down(self) -> None:
        self._scroll_by(1)

    @Slot()
    def scroll_up(self) -> None:
        self._scroll_by(-1)

    def _scroll_by(self, pages: int) -> None:
        bar, height = self._scroll.verticalScrollBar(), self._scroll.viewport().height()
        bar.setValue(bar.value() + pages * max(1, height - self._theme.px(24)))

    @Slot(bool)
    def _show_more(self, is_on: bool) -> None:
        self.provenance.setVisible(is_on)
        self.more.setText(tr("Less") if is_on else tr("More"))

    def show_line(self, line: PairTableRow | None) -> None:
        """Show the values of the table's line of a pair; None stands for no pair."""
        for heading in self._headings:
            heading.setVisible(line is not None)
        self.premise.setText(
            line.premise[:_MAX_SENTENCE_LENGTH]
            if line
            else tr("Select a pair to see both sentences in full, its paper and its answers.")
        )
        self.hypothesis.setText(line.hypothesis[:_MAX_SENTENCE_LENGTH] if line else "")
        self.origin.setText(_origin_text(line) if line else "")
        self.label.setText("\n".join(filter(None, (_label_text(line), _kinds_text(line)))) if line else "")
        self.provenance.setText(_mining_text(line) if line else "")
        self.more.setVisible(line is not None)
        likely = self.likely_text(line.probabilities) if line else ""
        self.suggestion_text.setText(_suggestion_text(line, likely) if line else "")
        self.suggestion.setVisible(bool(self.suggestion_text.text()))
        self.bars.show_probabilities(line.probabilities if line else ())
        self.history.setText("")
        self.history.hide()
        self.predictions.setText("")
        self.predictions.hide()

    def show_details(self, details: PairDetails | None) -> None:
        """Show all details of a pair; None if it no longer exists."""
        if details is None:
            self.show_line(None)
            return
        line, source = details.line, details.provenance
        self.show_line(line)
        self.origin.setText(_origin_text(line, source.section))
        parts = [_mining_text(line), " ".join(filter(None, (source.parser, source.parser_version)))]
        parts += (
            [tr("mined by run {run}, {program}", run=source.run[:12], program=source.program)] if source.run else []
        )
        parts += (
            [
                tr(
                    "imported as {source_id}: {source_label}",
                    source_id=source.source_id or tr("a row"),
                    source_label=source.source_label,
                )
            ]
            if source.source_label
            else []
        )
        self.provenance.setText(" · ".join(filter(None, parts)))
        if source.hypothesis_original != line.hypothesis:
            set_tip(self.hypothesis, source.hypothesis_original[:_MAX_SENTENCE_LENGTH])
        lines = [
            f"{entry.annotator}: {entry.text}, {entry.at:%Y-%m-%d %H:%M}" + ("" if entry.is_current else " (replaced)")
            for entry in reversed(details.history)
        ]
        self.history.setText("\n".join(lines))
        self.history.setVisible(bool(lines))
        self.predictions.setText(_predictions_text(details.predictions, line.label))
        self.predictions.setVisible(bool(details.predictions))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_font()  # a font set before the style sheet was applied is lost

    def _update_font(self) -> None:
        for label in (self.premise, self.hypothesis):
            label.setFont(self._theme.reading_font(BODY))


def _origin_text(line: PairTableRow, section: str = "") -> str:
    year = f" ({line.year})" if line.year else ""
    parts = [
        (line.title or tr("Untitled paper")) + year,
        section,
        tr("page {page}", page=line.page) if line.page else "",
        line.domain,
    ]
    return " · ".join(filter(None, parts))


def _label_text(line: PairTableRow) -> str:
    """The distant label and, once people have answered, the status."""
    parts = [
        tr("distant label {distant}, from “{phrase}”", distant=line.distant, phrase=line.phrase)
        if line.phrase
        else line.distant
    ]
    if line.status is PairStatus.SETTLED:
        parts.append(tr("annotated as {gold}", gold=line.gold))
    elif line.status is PairStatus.DISCARDED:
        parts.append(tr("discarded, because the annotators agree on another label"))
    elif line.status is not PairStatus.OPEN:
        parts.append(STATUSES[line.status])
    return " · ".join(filter(None, parts))


def _kinds_text(line: PairTableRow) -> str:
    """The direction by the phrase and by most people, the kinds of reasoning, and the number of answers."""
    parts = []
    if line.distant_direction:
        parts.append(
            tr(
                "direction from the {phrase}: {direction}",
                phrase=tr("phrase") if line.phrase else tr("class"),
                direction=DIRECTIONS[line.distant_direction],
            )
        )
    if line.answered_direction:
        parts.append(tr("direction from annotators: {direction}", direction=DIRECTIONS[line.answered_direction]))
    if line.kind_annotators:
        who = count(line.kind_annotators, "annotator")
        parts.append(tr("kinds of reasoning ({who}): {kinds}", who=who, kinds=", ".join(line.kinds) or "none"))
    if line.differing_kinds:
        parts.append(tr("annotators disagree on {differing_kinds}", differing_kinds=", ".join(line.differing_kinds)))
    return " · ".join(parts)


def _mining_text(line: PairTableRow) -> str:
    """How the pair was mined, how long its sentences are and how much they overlap."""
    parts = [STRATEGIES[line.strategy], *(FLAGS[flag] for flag in line.flags)]
    parts += [tr("corrected by hand")] if line.edited else []
    parts += [
        tr(
            "{premise_words:,} and {words}, word overlap {overlap} %",
            premise_words=line.premise_words,
            words=count(line.hypothesis_words, "word"),
            overlap=line.overlap,
        )
    ]
    return " · ".join(filter(None, parts))


def _suggestion_text(line: PairTableRow, likely: str) -> str:
    if not line.suggested:
        return ""
    parts = [tr("Model suggestion: {likely}", likely=likely) if likely else tr("Model suggestion")]
    parts += [tr("doubt {doubt}", doubt=chance(line.doubt))] if line.doubt is not None else []
    parts += ["accepted"] if line.accepted else []
    return " · ".join(parts)


def _predictions_text(predictions: Sequence[SystemPrediction], label: str) -> str:
    """A line for each system of an experiment, systems that misread the pair first."""
    ranked = sorted(predictions, key=lambda one: one.predicted == label)
    lines = []
    for one in ranked[:_MAX_SYSTEMS]:
        says = f"{one.predicted}, {chance(one.probability)}" if one.predicted else tr("no answer")
        lines.append(f"{one.system}: {says}" + (tr(" (mean of {runs} runs)", runs=one.runs) if one.runs > 1 else ""))
    if len(ranked) > _MAX_SYSTEMS:
        lines.append(tr("and {systems}", systems=count(len(ranked) - _MAX_SYSTEMS, "other system")))
    return tr("Predictions in experiments\n") + "\n".join(lines) if lines else ""


def _text(kind: str = "") -> QLabel:
    return PlainLabel(wraps=True, selectable=True, type=kind)


def _heading(text: str) -> QLabel:
    return PlainLabel(text, type="small")
