"""The tab that looks for new linking phrases: a table of openers, examples of one, and a button that adds it."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QTextBrowser,
    QWidget,
)

from desktop.jobs.descriptions.phrases import DISCOVERY_NOTE, evidence_text, precision_text
from desktop.jobs.models.phrase_discovery import DiscoveredPhrase, PhraseDiscovery
from desktop.jobs.results import describe
from desktop.translation import tr
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of, stretched
from desktop.ui.widgets.list_keys import list_keys
from miner.mining.linking_phrases import Phrase, phrase_key

_COLUMNS = (
    (tr("Opener"), tr("Words that begin sentences of the papers")),
    (tr("Relation"), tr("The relation that its pairs seem to have")),
    (tr("Expected"), tr("The expected share of its pairs with this relation, with its 95 % interval")),
    (tr("Pairs"), tr("How many pairs it would add")),
    (tr("Papers"), tr("From how many papers")),
)
_FIRST_NUMBER = 3  # among the columns
_INTRODUCTION = tr(
    "Some sentences begin with words that announce a relation but are not in the lexicon, such as “Surprisingly,”. "
    "Pairwright counts such openers in the papers, and the starter model scores pairs of the frequent ones. That takes "
    "some minutes. Nothing is changed until you add one."
)


class NewPhrases(QWidget):
    """Shows what was found, and asks for a search or to add a phrase."""

    search_requested = Signal()
    phrase_requested = Signal(object)  # Phrase: to be added to the lexicon

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._found: tuple[DiscoveredPhrase, ...] = ()
        self._known: frozenset[str] = frozenset()
        self._can_search = True
        self.sentence = PlainLabel(_INTRODUCTION, wraps=True)
        self.table = QTableWidget(0, len(_COLUMNS))
        list_keys(self.table)
        self.evidence = PlainLabel(type="small", wraps=True)
        self.examples = QTextBrowser()
        self.examples.setAccessibleName(tr("Examples of the opener"))
        self.examples.setTabChangesFocus(True)
        self.examples.setOpenLinks(False)
        self._set_up_table()
        parts = (self._buttons(), stretched(self.table, 3), self.evidence, stretched(self.examples, 2))
        self.setLayout(column_of(self.sentence, *parts, spacing=theme.px(8), margins=(0, theme.px(4), 0, 0)))
        self._show_rows()
        theme.changed.connect(self._show_rows)

    @property
    def current(self) -> DiscoveredPhrase | None:
        """The opener whose row is current."""
        row = self.table.currentRow()
        return self._found[row] if 0 <= row < len(self._found) else None

    def show_searching(self, *, searching: bool, can_search: bool) -> None:
        """can_search: a search may be started, were none running."""
        self._can_search = can_search and not searching
        self.search_button.setEnabled(self._can_search)
        self.search_button.setText(tr("Looking for phrases…") if searching else tr("&Look for new phrases"))

    def show_found(self, found: PhraseDiscovery) -> None:
        text = describe(found)
        self.sentence.setText(text.sentence)
        set_tip(self.sentence, DISCOVERY_NOTE)
        self._found = found.phrases
        self._show_rows()
        if self._found:
            self.table.setCurrentCell(0, 0)

    def show_known(self, phrases: Collection[Phrase], *, editable: bool) -> None:
        """The phrases of the lexicon, which cannot be added again."""
        self._known = frozenset(phrase_key(phrase.text) for phrase in phrases)
        self._editable = editable
        self._show_button()

    # Layout

    def _buttons(self) -> QHBoxLayout:
        self._editable = False
        self.search_button = push_button("", self.search_requested)
        self.add_button = push_button(
            tr("&Add to the lexicon"),
            self.add_current,
            tip=tr("Pairs are mined by it when you press “Mine again”"),
        )
        self.show_searching(searching=False, can_search=True)
        return row_of(self.search_button, self.add_button, STRETCH, spacing=self._theme.px(8))

    def _set_up_table(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels([title for title, _ in _COLUMNS])
        for column, (_, tip) in enumerate(_COLUMNS):
            if item := table.horizontalHeaderItem(column):
                set_tip(item, tip)
                side = Qt.AlignmentFlag.AlignRight if column >= _FIRST_NUMBER else Qt.AlignmentFlag.AlignLeft
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        table.setAccessibleName(tr("Openers that may announce a relation"))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setShowGrid(False)
        table.setStyleSheet(f"QTableView::item {{ padding: 0 {self._theme.px(5)}px; }}")
        table.setTabKeyNavigation(False)
        table.verticalHeader().setVisible(False)
        table.verticalHeader().setDefaultSectionSize(self._theme.px(28))
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.currentCellChanged.connect(self._on_row)

    @Slot()
    def _show_rows(self) -> None:
        self.table.setRowCount(len(self._found))
        for row, phrase in enumerate(self._found):
            label = phrase.expected.label
            texts = (phrase.text, f"{LETTERS[label]}  {label}", precision_text(phrase))
            for column, cell in enumerate((*texts, f"{phrase.pairs:,}", f"{phrase.papers:,}")):
                item = QTableWidgetItem(cell)
                if column >= _FIRST_NUMBER:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if column == 1:
                    item.setForeground(self._theme.label_text_color(label))
                self.table.setItem(row, column, item)
        for widget in (self.table, self.evidence, self.examples, self.add_button):
            widget.setVisible(bool(self._found))
        self._on_row()

    @Slot()
    def _on_row(self) -> None:
        phrase = self.current
        self.evidence.setText(evidence_text(phrase) if phrase else "")
        muted = self._theme.tokens.muted
        pairs = [
            f'<p style="margin:0 0 {self._theme.px(8)}px 0">{escape(example.premise)}<br>'
            f'→ <span style="color:{muted}">{escape(phrase.text)},</span> {escape(example.hypothesis)}</p>'
            for example in (phrase.examples if phrase else ())
            if phrase
        ]
        self.examples.setHtml("".join(pairs))
        self._show_button()

    def _show_button(self) -> None:
        phrase = self.current
        is_new = phrase is not None and phrase_key(phrase.text) not in self._known
        self.add_button.setEnabled(is_new and self._editable)

    @Slot()
    def add_current(self) -> None:
        """Ask for the current opener to be added to the lexicon."""
        if (phrase := self.current) is not None and self.add_button.isEnabled():
            self.phrase_requested.emit(Phrase(phrase.text, phrase.expected.label))
