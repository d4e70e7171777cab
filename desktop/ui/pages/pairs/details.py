"""The pair under the cursor in full: both sentences, where they come from, what people said."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.jobs.pairs.table import PairDetails
from desktop.text import chance, count
from desktop.ui.judging.label_chip import ProbabilityBars
from desktop.ui.services.display_names import FLAGS, STATUSES, STRATEGIES
from desktop.ui.theme import BODY, Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from storage.pairs.filters import PairStatus
from storage.pairs.table import PairTableRow

_NARROW = 620  # pixels of width
_LONGEST = 1500  # characters of a sentence; more is no sentence


class DetailsPane(QFrame):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("look", "card")
        self.setAccessibleName("The pair in full")
        inside = QWidget()
        self._grid = grid = QGridLayout(inside)
        margin = theme.px(12)
        grid.setContentsMargins(margin, theme.px(8), margin, theme.px(8))
        grid.setHorizontalSpacing(theme.px(24))
        grid.setVerticalSpacing(theme.px(4))
        self.premise, self.hypothesis = _text(), _text()
        self.origin, self.label, self.said, self.machine = _text(), _text("small"), _text(), _text("small")
        self.more = QPushButton("More")
        self.more.setProperty("look", "link")
        self.more.setCheckable(True)
        self.more.setAccessibleName("More about where the pair comes from")
        self.more.toggled.connect(self._on_more)
        self._on_more(False)
        self.suggested, self.bars = _text("small"), ProbabilityBars(theme)
        self._sentences, self._facts = QWidget(), QWidget()
        sentences, facts = QVBoxLayout(self._sentences), QVBoxLayout(self._facts)
        self._names = (_name("Premise"), _name("Hypothesis"))
        self.model = QWidget()
        opinion = QVBoxLayout(self.model)
        opinion.setContentsMargins(0, 0, 0, 0)
        opinion.setSpacing(theme.px(4))
        for widget in (self.suggested, self.bars):
            opinion.addWidget(widget)
        opinion.addStretch(1)
        self.model.setFixedWidth(theme.px(208))
        shown: tuple[tuple[QVBoxLayout, tuple[QWidget, ...]], ...] = (
            (sentences, (self._names[0], self.premise, self._names[1], self.hypothesis)),
            (facts, (self.origin, self.label, self.said, self.more, self.machine)),
        )
        for column, parts in shown:
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(theme.px(4))
            for part in parts:
                column.addWidget(part)
            column.addStretch(1)
        facts.setAlignment(self.more, Qt.AlignmentFlag.AlignLeft)
        self._is_narrow: bool | None = None
        self._arrange()
        self._scroll = scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        scroll.setAccessibleName("The pair in full")
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        theme.changed.connect(self._dress)
        self._dress()
        self.show_line(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """The sentences beside what is known of them, or above it where that would leave them no room."""
        narrow = self.width() < self._theme.px(_NARROW)
        if narrow is self._is_narrow:
            return
        self._is_narrow = narrow
        parts = (self._sentences, self._facts, self.model)
        places = ((0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1)) if narrow else ((0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 1))
        for part, place in zip(parts, places, strict=True):
            self._grid.removeWidget(part)
            self._grid.addWidget(part, *place)
        for column, share in enumerate((1, 0) if narrow else (3, 2)):
            self._grid.setColumnStretch(column, share)

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
    def _on_more(self, more: bool) -> None:
        self.machine.setVisible(more)
        self.more.setText("Less" if more else "More")

    def show_line(self, line: PairTableRow | None) -> None:
        """What the table knows already."""
        for name in self._names:
            name.setVisible(line is not None)
        self.premise.setText(line.premise[:_LONGEST] if line else "Choose a pair to see it in full.")
        self.hypothesis.setText(line.hypothesis[:_LONGEST] if line else "")
        self.origin.setText(_origin(line) if line else "")
        self.label.setText(_labelled(line) if line else "")
        self.machine.setText(_found(line) if line else "")
        self.more.setVisible(line is not None)
        self.suggested.setText(_suggested(line) if line else "")
        self.model.setVisible(bool(self.suggested.text()))
        self.bars.show_probabilities(line.probabilities if line else ())
        self.said.setText("")
        self.said.hide()

    def show_details(self, details: PairDetails | None) -> None:
        if details is None:
            self.show_line(None)
            return
        line, known = details.line, details.provenance
        self.show_line(line)
        self.origin.setText(_origin(line, known.section))
        parts = [_found(line), " ".join(filter(None, (known.parser, known.parser_version)))]
        parts += [f"mined by run {known.run[:12]}, {known.program}"] if known.run else []
        parts += [f"imported as {known.source_id or 'a row'}: {known.source_label}"] if known.source_label else []
        self.machine.setText(" · ".join(filter(None, parts)))
        if known.hypothesis_original != line.hypothesis:
            set_tip(self.hypothesis, known.hypothesis_original[:_LONGEST])
        lines = [
            f"{entry.annotator}: {entry.text}, {entry.at:%Y-%m-%d %H:%M}" + ("" if entry.is_current else " (no longer)")
            for entry in reversed(details.history)
        ]
        self.said.setText("\n".join(lines))
        self.said.setVisible(bool(lines))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._dress()  # Qt forgets a font that is set before the style sheet has been there

    def _dress(self) -> None:
        for label in (self.premise, self.hypothesis):
            label.setFont(self._theme.reading_font(BODY))


def _origin(line: PairTableRow, section: str = "") -> str:
    year = f" ({line.year})" if line.year else ""
    parts = [(line.title or "Untitled paper") + year, section, f"page {line.page}" if line.page else "", line.domain]
    return " · ".join(filter(None, parts))


def _labelled(line: PairTableRow) -> str:
    """What the phrase says, and people."""
    parts = [f"“{line.phrase}” says {line.distant}" if line.phrase else line.distant]
    if line.status is PairStatus.SETTLED:
        parts.append(f"settled as {line.gold}")
    elif line.status is not PairStatus.OPEN:
        parts.append(STATUSES[line.status])
    return " · ".join(filter(None, parts))


def _found(line: PairTableRow) -> str:
    parts = [STRATEGIES[line.strategy], *(FLAGS[flag] for flag in line.flags)]
    parts += [f"{line.premise_words:,} and {count(line.hypothesis_words, 'word')}, overlap {line.overlap} %"]
    return " · ".join(filter(None, parts))


def _suggested(line: PairTableRow) -> str:
    if not line.suggested:
        return ""
    parts = ["The model says"]
    parts += [f"doubt {chance(line.doubt)}"] if line.doubt is not None else []
    parts += ["accepted"] if line.accepted else []
    return " · ".join(parts)


def _text(kind: str = "") -> QLabel:
    label = PlainLabel()
    label.setWordWrap(True)
    label.setProperty("type", kind)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _name(text: str) -> QLabel:
    label = PlainLabel(text)
    label.setProperty("type", "small")
    return label
