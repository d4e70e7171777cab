"""What the answers of a round came to, shown when its last pair is answered."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QVBoxLayout, QWidget

from desktop.jobs.review.kind_answers import KindsCounts
from desktop.text import count
from desktop.translation import tr
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.services.file_manager import show_file
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, remove_widgets, row_of, stretched
from miner.kinds.taxonomy import RELATION_ANSWERS, Taxonomy


class KindsRoundEnd(QWidget):
    """How many pairs have each relation, and how many each kind of reasoning."""

    another_requested = Signal()
    again_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        px = theme.px
        self.title = PlainLabel(type="title")
        self.text = PlainLabel(wraps=True, selectable=True)
        self._counts = QGridLayout()
        self._counts.setHorizontalSpacing(px(24))
        self._counts.setVerticalSpacing(px(6))
        self._counts.setColumnStretch(6, 1)
        self.another_button = QPushButton(tr("Another round…"))
        self.another_button.setProperty("look", "primary")
        self.another_button.clicked.connect(self.another_requested)
        self.again_button = push_button(tr("Look at these pairs again"), self.again_requested)
        self.folder_button = QPushButton(tr("Show file"))
        self.folder_button.setProperty("look", "primary")
        self.folder_button.clicked.connect(self._show_file)
        self._file: Path | None = None
        for button in (self.another_button, self.folder_button, self.again_button):
            button.setAutoDefault(True)
        card = QFrame()
        card.setProperty("look", "card")
        card.setMaximumWidth(px(640))
        inside = QVBoxLayout(card)
        inside.setContentsMargins(*[px(32)] * 4)
        inside.setSpacing(px(16))
        inside.addWidget(self.title)
        inside.addWidget(self.text)
        inside.addLayout(self._counts)
        inside.addLayout(row_of(self.another_button, self.folder_button, self.again_button, STRETCH))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[px(8)] * 4)
        layout.setSpacing(0)
        layout.addStretch(1)
        layout.addLayout(row_of(STRETCH, stretched(card, 10), STRETCH))
        layout.addStretch(2)

    def show_counts(
        self, title: str, counts: KindsCounts, taxonomy: Taxonomy, *, can_draw: bool, send_back: Path | None = None
    ) -> None:
        """can_draw: another round can be drawn here. send_back: the answer file to send back to whom it came from."""
        self._file = send_back
        self.title.setText(title)
        self.another_button.setVisible(can_draw)
        self.folder_button.setVisible(send_back is not None)
        lines = _sentences(counts, taxonomy)
        if send_back is not None:
            lines.append(tr("Close this window, then send {name} back to the person who sent it.", name=send_back.name))
        self.text.setText("\n".join(lines))
        remove_widgets(self._counts)
        for row, relation in enumerate(RELATION_ANSWERS):
            self._counts.addWidget(LabelChip(self._theme, relation), row, 0)
            self._counts.addWidget(_number(counts.relations.get(relation, 0)), row, 1)
        named = [(number, taxonomy.category[key].name) for key, number in counts.categories.items()]
        for row, (number, name) in enumerate(sorted(named, key=lambda one: (-one[0], one[1]))):
            half, place = divmod(row, max(len(RELATION_ANSWERS), (len(named) + 1) // 2))
            self._counts.addWidget(PlainLabel(name), place, 2 + 2 * half)
            self._counts.addWidget(_number(number), place, 3 + 2 * half)

    @property
    def first_button(self) -> QPushButton:
        """What to do next."""
        buttons = (self.another_button, self.folder_button, self.again_button)
        return next(button for button in buttons if not button.isHidden())

    @Slot()
    def _show_file(self) -> None:
        if self._file is not None:
            show_file(self._file)


def _sentences(counts: KindsCounts, taxonomy: Taxonomy) -> list[str]:
    bad = tr(", {bad:,} marked as bad", bad=counts.bad) if counts.bad else ""
    lines = [
        tr(
            "{pairs} answered{bad}. A pair may need several kinds of reasoning.",
            pairs=count(counts.complete, "pair"),
            bad=bad,
        )
    ]
    options = [option for question in taxonomy.question for option in question.options]
    directions = {option.text: counts.directions.get(option.direction, 0) for option in options if option.direction}
    if given := [f"{text}: {number:,}" for text, number in directions.items() if number]:
        lines.append(" · ".join(given))
    return lines


def _number(value: int) -> PlainLabel:
    label = PlainLabel(f"{value:,}")
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return label
